/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Directed routes: the rules of the hop pointer (IBA 14.2.2). */
#ifndef HCA_FABRIC_DR_H
#define HCA_FABRIC_DR_H

#include "fabric/node.h"
#include "wire/smp.h"

/* The next step of a directed-route SMP. */
enum hca_dr_step {
	HCA_DR_DISCARD,
	HCA_DR_HERE, /* the route ends at this node, which handles the SMP */
	HCA_DR_EXIT, /* the SMP leaves by a port, with permissive LIDs */
	HCA_DR_BY_LID, /* the directed part ends at this node, which routes the SMP by LID */
};

/**
 * hca_dr_arrive() - find the next step of a directed-route SMP received over a link
 * @smp: the SMP; its return path and hop pointer are updated
 * @node: the node that has received it
 * @arrival: number of the port at which the SMP was received
 * @by_lid: whether the SMP arrived by LID; its directed part may then start at this switch
 * @exit: set to the number of the port by which the SMP leaves, if HCA_DR_EXIT is returned
 *
 * Context: any.
 * Return: the next step.
 */
enum hca_dr_step hca_dr_arrive(struct hca_smp *smp, const struct hca_node *node, u8 arrival,
			       bool by_lid, u8 *exit);

/**
 * hca_dr_respond() - find the first step of a directed-route response
 * @smp: the response, with the hop pointer that hca_dr_arrive() has left in the request; updated
 * @node: the node that sends it
 * @arrival: number of the port at which the request was received
 * @exit: set to the number of the port by which the SMP leaves, if HCA_DR_EXIT is returned
 *
 * Context: any.
 * Return: the first step; HCA_DR_BY_LID means that the response goes to the request's source LID.
 */
enum hca_dr_step hca_dr_respond(struct hca_smp *smp, const struct hca_node *node, u8 arrival,
				u8 *exit);

#endif
