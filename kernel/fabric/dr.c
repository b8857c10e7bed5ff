// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Directed routes: the rules of the hop pointer (IBA 14.2.2, C14-6 to C14-13; req C4-276). */
#include "fabric/dr.h"

/* Send the SMP by @port if the node has that port. SMPs do not leave by port 0 of a switch. */
static enum hca_dr_step dr_exit(const struct hca_node *node, u8 port, u8 *exit)
{
	*exit = port;
	return port && port <= node->num_ports ? HCA_DR_EXIT : HCA_DR_DISCARD;
}

/* End the directed part of the route. @lid routes the SMP from here, unless @lid is permissive. */
static enum hca_dr_step dr_end(const struct hca_node *node, __be16 lid)
{
	if (lid == cpu_to_be16(HCA_LID_PERMISSIVE))
		return HCA_DR_HERE;
	return hca_node_is_switch(node) ? HCA_DR_BY_LID : HCA_DR_DISCARD;
}

/* Apply the rules of C14-9 at a receiver; the comments give their numbers. */
static enum hca_dr_step dr_forth(struct hca_smp *smp, const struct hca_node *node, u8 arrival,
				 bool by_lid, u8 *exit)
{
	if (smp->hop_ptr == smp->hop_cnt + 1) /* :4, the last part of the route was by LID */
		return HCA_DR_HERE;
	if (smp->hop_ptr > smp->hop_cnt) /* :5 */
		return HCA_DR_DISCARD;
	if (smp->hop_ptr < smp->hop_cnt) {
		if (!hca_node_is_switch(node)) /* :2 */
			return HCA_DR_DISCARD;
		if (!smp->hop_ptr && !by_lid) /* :1, the sender has not advanced the hop pointer */
			return HCA_DR_DISCARD;
	}
	if (smp->hop_ptr)
		smp->return_path[smp->hop_ptr] = arrival;
	smp->hop_ptr++;
	if (smp->hop_ptr <= smp->hop_cnt) /* :2 */
		return dr_exit(node, smp->initial_path[smp->hop_ptr], exit);
	return dr_end(node, smp->dr_dlid); /* :3 */
}

/* Apply the rules of C14-13 at a receiver or, for the first step, at the sender. */
static enum hca_dr_step dr_back(struct hca_smp *smp, const struct hca_node *node, u8 *exit)
{
	if (!smp->hop_ptr) /* :4 */
		return HCA_DR_HERE;
	if (smp->hop_ptr > smp->hop_cnt + 1) /* :5 */
		return HCA_DR_DISCARD;
	smp->hop_ptr--;
	if (smp->hop_ptr) /* :1, :2 */
		return dr_exit(node, smp->return_path[smp->hop_ptr], exit);
	return dr_end(node, smp->dr_slid); /* :3 */
}

enum hca_dr_step hca_dr_arrive(struct hca_smp *smp, const struct hca_node *node, u8 arrival,
			       bool by_lid, u8 *exit)
{
	enum hca_dr_step step;

	if (smp->hop_cnt > HCA_SMP_MAX_HOPS) /* C14-6 */
		return HCA_DR_DISCARD;
	if (!hca_smp_is_returning(smp))
		return dr_forth(smp, node, arrival, by_lid, exit);
	step = dr_back(smp, node, exit);
	return step == HCA_DR_EXIT && !hca_node_is_switch(node) ? HCA_DR_DISCARD : step;
}

enum hca_dr_step hca_dr_respond(struct hca_smp *smp, const struct hca_node *node, u8 arrival,
				u8 *exit)
{
	enum hca_dr_step step;

	/*
	 * The last part of the request was routed by LID, and so is the first part of the response:
	 * the rules of C14-13 apply after that part.
	 */
	if (smp->dr_dlid != cpu_to_be16(HCA_LID_PERMISSIVE))
		return HCA_DR_BY_LID;
	step = dr_back(smp, node, exit);
	return step == HCA_DR_EXIT && !hca_node_is_switch(node) && *exit != arrival ?
		       HCA_DR_DISCARD :
		       step;
}
