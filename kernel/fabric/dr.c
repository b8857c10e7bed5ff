// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Directed routes: the rules of the hop pointer (IBA 14.2.2, C14-6 to C14-13; req C4-276). */
#include "fabric/dr.h"

/* Let the SMP leave by @port if the node has that port. Port 0 of a switch has no link. */
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

/* Apply the rules of C14-9 to an outgoing SMP at a receiver. */
static enum hca_dr_step dr_forth(struct hca_smp *smp, const struct hca_node *node, u8 arrival,
				 bool by_lid, u8 *exit)
{
	if (smp->hop_ptr == smp->hop_cnt + 1) /* C14-9:4: the route ended by LID, at this node */
		return HCA_DR_HERE;
	if (smp->hop_ptr > smp->hop_cnt) /* C14-9:5: the hop pointer is out of range */
		return HCA_DR_DISCARD;
	if (smp->hop_ptr < smp->hop_cnt) {
		if (!hca_node_is_switch(node)) /* C14-9:2: only a switch forwards an SMP */
			return HCA_DR_DISCARD;
		if (!smp->hop_ptr && !by_lid) /* C14-9:1: the sender must advance hop_ptr */
			return HCA_DR_DISCARD;
	}
	if (smp->hop_ptr)
		smp->return_path[smp->hop_ptr] = arrival;
	smp->hop_ptr++;
	if (smp->hop_ptr <= smp->hop_cnt) /* C14-9:2: forward along the initial path */
		return dr_exit(node, smp->initial_path[smp->hop_ptr], exit);
	return dr_end(node, smp->dr_dlid); /* C14-9:3: the initial path has ended */
}

/*
 * Apply the rules of C14-13 to a returning SMP at a receiver or, for the first step, at the sender.
 */
static enum hca_dr_step dr_back(struct hca_smp *smp, const struct hca_node *node, u8 *exit)
{
	if (!smp->hop_ptr) /* C14-13:4: the SMP has arrived at the requester */
		return HCA_DR_HERE;
	if (smp->hop_ptr > smp->hop_cnt + 1) /* C14-13:5: the hop pointer is out of range */
		return HCA_DR_DISCARD;
	smp->hop_ptr--;
	if (smp->hop_ptr) /* C14-13:1, C14-13:2: forward along the return path */
		return dr_exit(node, smp->return_path[smp->hop_ptr], exit);
	return dr_end(node, smp->dr_slid); /* C14-13:3: the return path has ended */
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
	 * The last part of the request was routed by LID. The first part of the response is then
	 * routed by LID, too, and the rules of C14-13 do not apply before the end of that part.
	 */
	if (smp->dr_dlid != cpu_to_be16(HCA_LID_PERMISSIVE))
		return HCA_DR_BY_LID;
	step = dr_back(smp, node, exit);
	return step == HCA_DR_EXIT && !hca_node_is_switch(node) && *exit != arrival ?
		       HCA_DR_DISCARD :
		       step;
}
