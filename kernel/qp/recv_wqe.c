// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Entries of receive rings: their size, their number, and copying them. */
#include "qp/recv_wqe.h"
#include <linux/kernel.h>
#include "compat.h"

u32 hca_recv_stride(u32 max_sge)
{
	return HCA_RECV_WQE_HEADER + max_sge * sizeof(struct hca_sge);
}

u32 hca_recvs_posted(const struct hca_queue *q, u32 consumed)
{
	return q->size ? max(hca_queue_posted(q, consumed, 0), 0) : 0;
}

void hca_recv_copy(struct hca_recv *recv, const struct hca_recv_wqe *wqe, u32 max_sge)
{
	u32 i;

	recv->wr_id = READ_ONCE(wqe->wr_id);
	recv->num_sge = min(READ_ONCE(wqe->num_sge), max_sge);
	for (i = 0; i < recv->num_sge; i++) {
		recv->sge[i].addr = READ_ONCE(wqe->sge[i].addr);
		recv->sge[i].length = READ_ONCE(wqe->sge[i].length);
		recv->sge[i].lkey = READ_ONCE(wqe->sge[i].lkey);
	}
	recv->offset = 0;
	recv->valid = true;
}
