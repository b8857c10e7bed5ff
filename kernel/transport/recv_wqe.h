/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Entries of receive rings, which queue pairs and SRQs have. */
#ifndef HCA_TRANSPORT_RECV_WQE_H
#define HCA_TRANSPORT_RECV_WQE_H

#include "transport/eec.h"
#include "transport/ring.h"

/* Octets of a ring entry. */
u32 hca_recv_stride(u32 max_sge);

/* Return the number of posted entries after index @consumed; 0 if the ring's index is invalid. */
u32 hca_recvs_posted(const struct hca_queue *q, u32 consumed);

/* Copy a ring entry and at most @max_sge of its SGEs. */
void hca_recv_copy(struct hca_recv *recv, const struct hca_recv_wqe *wqe, u32 max_sge);

#endif
