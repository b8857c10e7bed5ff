/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Receive requests: from the ring to their completion. All under recv_lock. */
#ifndef HCA_TRANSPORT_RECV_H
#define HCA_TRANSPORT_RECV_H

#include "transport/qp.h"

u32 hca_recv_stride(u32 max_sge);

/* How many are posted; an index that its owner cannot have meant counts as none. */
u32 hca_recvs_posted(const struct hca_qp *qp);

/**
 * hca_recv_take() - have a receive request at work
 * @qp: whose
 * @recv: where; nothing is done if there is one already
 *
 * Return: false: none is posted.
 */
bool hca_recv_take(struct hca_qp *qp, struct hca_recv *recv);

/**
 * hca_recv_complete() - end the request at work
 * @qp: whose it is
 * @recv: the request
 * @cqe: status, opcode, flags, byte_len and what else the packet brings; the rest is
 *       filled in here
 */
void hca_recv_complete(struct hca_qp *qp, struct hca_recv *recv, struct hca_cqe *cqe);

/* Flush the request at work and all that are posted. */
void hca_recvs_flush(struct hca_qp *qp);

#endif
