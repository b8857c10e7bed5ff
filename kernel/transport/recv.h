/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Receive requests: from the ring to their completion. All under recv_lock. */
#ifndef HCA_TRANSPORT_RECV_H
#define HCA_TRANSPORT_RECV_H

#include "transport/qp.h"

u32 hca_recv_stride(u32 max_sge);

/**
 * hca_recv_take() - have a receive request at work in qp->recv
 * @qp: the queue pair
 *
 * Does nothing if one is already. Return: false: none is posted.
 */
bool hca_recv_take(struct hca_qp *qp);

/**
 * hca_recv_complete() - end the request at work
 * @qp: the queue pair
 * @cqe: status, opcode, flags, byte_len and what else the packet brings; the rest is
 *       filled in here
 */
void hca_recv_complete(struct hca_qp *qp, struct hca_cqe *cqe);

/* Flush the request at work and all that are posted. */
void hca_recvs_flush(struct hca_qp *qp);

#endif
