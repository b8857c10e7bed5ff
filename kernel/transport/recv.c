// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Receive requests: from the ring to their completion. */
#include <linux/kernel.h>
#include <linux/string.h>
#include "transport/recv.h"
#include "transport/send.h"

u32 hca_recv_stride(u32 max_sge)
{
	return HCA_RECV_WQE_HEADER + max_sge * sizeof(struct hca_sge);
}

u32 hca_recvs_posted(const struct hca_qp *qp)
{
	u32 n;

	if (!qp->rq.size)
		return 0;
	n = smp_load_acquire(&qp->rq.ring->producer) - qp->rq_taken;
	return n <= qp->rq.entries ? n : 0;
}

bool hca_recv_take(struct hca_qp *qp, struct hca_recv *recv)
{
	const struct hca_recv_wqe *wqe;
	u32 i;

	if (recv->valid)
		return true;
	if (!hca_recvs_posted(qp))
		return false;
	wqe = hca_queue_entry(&qp->rq, qp->rq_taken);
	recv->wr_id = READ_ONCE(wqe->wr_id);
	recv->num_sge = min(READ_ONCE(wqe->num_sge), qp->max_recv_sge);
	for (i = 0; i < recv->num_sge; i++) {
		recv->sge[i].addr = READ_ONCE(wqe->sge[i].addr);
		recv->sge[i].length = READ_ONCE(wqe->sge[i].length);
		recv->sge[i].lkey = READ_ONCE(wqe->sge[i].lkey);
	}
	recv->offset = 0;
	recv->valid = true;
	qp->rq_taken++;
	smp_store_release(&qp->rq.ring->consumer, qp->rq_taken);
	return true;
}

void hca_recv_complete(struct hca_qp *qp, struct hca_recv *recv, struct hca_cqe *cqe)
{
	cqe->wr_id = recv->wr_id;
	cqe->flags |= HCA_CQE_RECV;
	cqe->qp_num = qp->qpn;
	cqe->kernel = qp->cookie;
	recv->valid = false;
	if (!hca_cq_push(qp->recv_cq, cqe))
		hca_qp_overflow(qp);
}

void hca_recvs_flush(struct hca_qp *qp)
{
	struct hca_recv *recv = &qp->eec.recv;
	u32 n = hca_recvs_posted(qp) + recv->valid; /* what is posted later rings again */

	while (n-- && hca_recv_take(qp, recv)) {
		struct hca_cqe cqe = {
			.status = HCA_WC_WR_FLUSH_ERR,
			.opcode = HCA_WC_RECV,
		};

		hca_recv_complete(qp, recv, &cqe);
	}
}
