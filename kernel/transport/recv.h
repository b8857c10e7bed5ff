/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Receive requests: from the ring to their completion. What takes a queue pair: under recv_lock. */
#ifndef HCA_TRANSPORT_RECV_H
#define HCA_TRANSPORT_RECV_H

#include "transport/qp.h"

/* Octets of a ring's entry. */
u32 hca_recv_stride(u32 max_sge);

/* How many are posted of which @taken are taken; none if the ring's index cannot be. */
u32 hca_recvs_posted(const struct hca_queue *q, u32 taken);

/* Copy a ring's entry, of which at most @max_sge SGEs are looked at. */
void hca_recv_copy(struct hca_recv *recv, const struct hca_recv_wqe *wqe, u32 max_sge);

/**
 * hca_recv_consume() - have a receive request at work
 * @qp: whose
 * @recv: where; nothing is done if there is one already
 *
 * It comes from the queue pair's own queue or from its SRQ. If the index of either cannot be, the
 * queue pair goes to Error, with HCA_QP_FATAL.
 * Return: false: none is posted, or none can be had.
 */
bool hca_recv_consume(struct hca_qp *qp, struct hca_recv *recv);

/**
 * hca_recv_complete() - end the request at work
 * @qp: whose it is
 * @recv: the request
 * @cqe: status, opcode, flags, byte_len and what else the packet brings; the rest is
 *       filled in here
 *
 * Return: false: its CQ has no room, nobody learns of it, and the queue pair is in Error.
 */
bool hca_recv_complete(struct hca_qp *qp, struct hca_recv *recv, struct hca_cqe *cqe);

/**
 * hca_recv_scatter() - copy a packet's payload to where a request wants it
 * @qp: whose it is
 * @recv: the request
 * @offset: from the begin of its memory, octets
 * @pkt: the packet
 *
 * Return: 0; -EMSGSIZE: it is too short; -EFAULT: its memory is none; -ESTALE: the payload has
 * gone, and the packet counts as lost.
 */
int hca_recv_scatter(struct hca_qp *qp, const struct hca_recv *recv, u32 offset,
		     const struct hca_packet *pkt);

/**
 * hca_recv_finish() - end the request at work with a datagram, if it can be had
 * @qp: whose it is
 * @scattered: what hca_recv_scatter() said. What is too long anybody can send, and what is lost
 *             never came: the request waits for another
 * @cqe: as for hca_recv_complete(), for success
 */
void hca_recv_finish(struct hca_qp *qp, int scattered, struct hca_cqe *cqe);

/**
 * hca_recvs_flush() - in Error: flush the request at work and all that are posted
 * @qp: the queue pair
 * @budget: how many may be flushed now; less those that were
 *
 * What is posted later has to ring. An SRQ's requests stay for others (R0-235); that this queue
 * pair takes none any more is told once: HCA_QP_LAST_WQE_REACHED.
 * Return: whether all of them are.
 */
bool hca_recvs_flush(struct hca_qp *qp, int *budget);

#endif
