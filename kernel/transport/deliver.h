/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Responder functions that only RD EE contexts need. In all functions BH are disabled. */
#ifndef HCA_TRANSPORT_DELIVER_H
#define HCA_TRANSPORT_DELIVER_H

#include "transport/iba_qp.h"

/*
 * Complete the receive request of an incomplete message with @error, because the remaining packets
 * of the message will not arrive. recv_lock held.
 */
void hca_rd_eec_abort(struct hca_eec *eec, enum hca_vendor_err error);

/*
 * Handle a Resync request, which says that the peer has abandoned a message (req C4-033). recv_lock
 * held.
 */
void hca_rd_eec_resync(struct hca_eec *eec, const struct hca_packet *pkt);

/*
 * struct hca_eec_ops.dest_get() and dest_put() of an RD EE context. The destination is the queue
 * pair whose QPN is in the BTH. The reliable datagram domain is checked first, then the Q_Key (req
 * B4-323). The recv_lock of the queue pair is held until dest_put().
 */
struct hca_qp *hca_rd_eec_dest_get(struct hca_eec *eec, const struct hca_packet *pkt);
void hca_rd_eec_dest_put(struct hca_eec *eec, struct hca_qp *qp);

/**
 * hca_rd_eecs_drop() - drop a queue pair's incomplete incoming messages in all RD EE contexts
 * @qp: the queue pair, in state Error or Reset; recv_lock not held
 * @flush: true: the receive requests of the messages complete with IB_WC_WR_FLUSH_ERR; false: the
 *         receive requests are dropped without a completion
 *
 * Context: BH disabled.
 */
void hca_rd_eecs_drop(struct hca_qp *qp, bool flush);

#endif
