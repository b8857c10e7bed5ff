/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The responder of an RD EE context. For all functions: BH are disabled. */
#ifndef HCA_TRANSPORT_DELIVER_H
#define HCA_TRANSPORT_DELIVER_H

#include "transport/iba_qp.h"

/*
 * Complete the receive request of an incomplete message with @status, because the remaining packets
 * of the message will not arrive. recv_lock held.
 */
void hca_rd_eec_abort(struct hca_eec *eec, enum ib_wc_status status);

/* Handle a Resync request: the peer has abandoned a message (req C4-033). recv_lock held. */
void hca_rd_eec_resync(struct hca_eec *eec, const struct hca_packet *pkt);

/* hca_dest_qp_get() for an RD EE context. */
struct hca_qp *hca_rd_eec_dest_qp(struct hca_eec *eec, const struct hca_packet *pkt);

/**
 * hca_dest_qp_get() - get the destination queue pair of a request packet
 * @eec: the EE context that received the packet; recv_lock held
 * @pkt: the packet
 *
 * The destination of a packet on a connection is the connection's queue pair. For an RD EE context
 * the destination queue pair named by the BTH is checked: the reliable datagram domain first, then
 * the Q_Key (req B4-323).
 *
 * Context: BH disabled.
 * Return: the queue pair with its recv_lock held, or NULL.
 */
static inline struct hca_qp *hca_dest_qp_get(struct hca_eec *eec, const struct hca_packet *pkt)
{
	return eec->is_rd_eec ? hca_rd_eec_dest_qp(eec, pkt) : eec->qp;
}

static inline void hca_dest_qp_put(struct hca_eec *eec, struct hca_qp *qp)
{
	if (!eec->is_rd_eec)
		return;
	__acquire(&qp->common.recv_lock);
	spin_unlock(&qp->common.recv_lock);
	hca_qp_put(qp);
}

/**
 * hca_rd_eecs_drop() - stop delivering messages to a queue pair on all RD EE contexts
 * @qp: the queue pair, in state Error or Reset; recv_lock not held
 * @flush: complete the receive requests of incomplete messages with IB_WC_WR_FLUSH_ERR; otherwise
 *         drop them without a completion
 *
 * Context: BH disabled.
 */
void hca_rd_eecs_drop(struct hca_qp *qp, bool flush);

#endif
