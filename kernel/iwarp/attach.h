/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The attachment of an endpoint, and so of its stream, to a queue pair. */
#ifndef HCA_IWARP_ATTACH_H
#define HCA_IWARP_ATTACH_H

#include "iwarp/iwarp_qp.h"

/**
 * hca_iwarp_attach() - attach an endpoint to a queue pair, whose run function then serves it
 * @it: the queue pair, in Init; ep->lock is also held
 * @ep: the endpoint
 * @read: memory for @size Read Requests, which belongs to the queue pair now
 * @size: their number
 *
 * Context: BH disabled; send_lock held.
 */
void hca_iwarp_attach(struct hca_iwarp_qp *it, struct hca_endpoint *ep, struct hca_read *read,
		      u16 size);

/**
 * hca_iwarp_detach() - detach the endpoint of a queue pair
 * @it: the queue pair
 *
 * The caller holds ep->lock until the endpoint has its next state and user.
 *
 * Context: BH disabled; send_lock and ep->lock held.
 */
void hca_iwarp_detach(struct hca_iwarp_qp *it);

/**
 * hca_iwarp_establish() - begin Full Operation, as the frames of both ends have agreed
 * @it: the queue pair, with an endpoint whose frames and limits are known
 * @state: IB_QPS_RTR: no FPDU may be sent before one has arrived; or IB_QPS_RTS
 *
 * Context: BH disabled; send_lock held.
 */
void hca_iwarp_establish(struct hca_iwarp_qp *it, enum ib_qp_state state);

#endif
