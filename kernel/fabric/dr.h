/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Directed routes: the hop pointer's rules (IBA 14.2.2). */
#ifndef HCA_FABRIC_DR_H
#define HCA_FABRIC_DR_H

#include "fabric/node.h"
#include "sma/smp.h"

enum hca_dr_step {
	HCA_DR_DISCARD,
	HCA_DR_HERE, /* the route ends: for this node's agent, or on the way back its manager */
	HCA_DR_EXIT, /* on through a port, under permissive LIDs */
	HCA_DR_BY_LID, /* the directed part is over, what is left of the way is routed by LID */
};

/**
 * hca_dr_arrive() - the next step of an SMP that has come over a link
 * @smp: directed-route SMP; return path and hop pointer are brought up to date
 * @node: where it is
 * @arrival: number of the port it came in by
 * @by_lid: it came by LID; at a switch, its directed part may begin here
 * @exit: number of the port it leaves by, if that is the step
 */
enum hca_dr_step hca_dr_arrive(struct hca_smp *smp, const struct hca_node *node, u8 arrival,
			       bool by_lid, u8 *exit);

/**
 * hca_dr_respond() - the first step of an answer
 * @smp: the answer, hop pointer as the request's arrival left it; is brought up to date
 * @node: where it begins
 * @arrival: number of the port the request came in by
 * @exit: number of the port it leaves by, if that is the step
 *
 * Return: HCA_DR_BY_LID: back to where the request came from, by LID.
 */
enum hca_dr_step hca_dr_respond(struct hca_smp *smp, const struct hca_node *node, u8 arrival,
				u8 *exit);

#endif
