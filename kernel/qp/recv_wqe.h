/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Entries of the receive rings of queue pairs and SRQs. */
#ifndef HCA_QP_RECV_WQE_H
#define HCA_QP_RECV_WQE_H

#include "qp/limits.h"
#include "qp/ring.h"

/* A receive request that was consumed from a ring and is being filled. */
struct hca_recv {
	bool valid;
	u64 wr_id;
	u32 num_sge;
	u32 offset; /* octets received so far */
	struct hca_sge sge[HCA_MAX_SGE];
};

/* Return the size, in octets, of a ring entry with at most @max_sge SGEs. */
u32 hca_recv_stride(u32 max_sge);

/**
 * hca_recvs_posted() - return the number of posted receive requests
 * @q: the ring
 * @consumed: index up to which requests have been consumed
 *
 * Context: any.
 * Return: the number; 0 if the producer index in the ring is invalid.
 */
u32 hca_recvs_posted(const struct hca_queue *q, u32 consumed);

/* Copy a ring entry to @recv. SGEs beyond the first @max_sge are ignored. */
void hca_recv_copy(struct hca_recv *recv, const struct hca_recv_wqe *wqe, u32 max_sge);

#endif
