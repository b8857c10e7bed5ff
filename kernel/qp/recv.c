// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Receive requests: their consumption from the ring, and their completion. */
#include "qp/recv.h"
#include <linux/kernel.h>
#include "compat.h"
#include "qp/recv_wqe.h"
#include "qp/srq.h"
#include "qp/vendor_err.h"

/*
 * Consume a request of the queue pair's own ring. Return: the number of requests that were posted
 * before the call; 0 if none was consumed; -EINVAL if the ring's producer index is invalid.
 */
static int recv_consume_own(struct hca_qp *qp, struct hca_recv *recv)
{
	int posted = qp->rq.size ? hca_queue_posted(&qp->rq, qp->rq_consumed, 0) : 0;

	if (posted <= 0)
		return posted;
	hca_recv_copy(recv, hca_queue_entry(&qp->rq, qp->rq_consumed), qp->max_recv_sge);
	qp->rq_consumed++;
	smp_store_release(&qp->rq.ring->consumer, qp->rq_consumed);
	return posted;
}

bool hca_recv_consume(struct hca_qp *qp, struct hca_recv *recv)
{
	int posted;

	if (recv->valid)
		return true;
	posted = qp->srq ? hca_srq_consume(qp->srq, recv) : recv_consume_own(qp, recv);
	if (posted < 0)
		hca_qp_fatal(qp);
	return posted > 0;
}

bool hca_recv_complete(struct hca_qp *qp, struct hca_recv *recv, struct hca_cqe *cqe)
{
	cqe->wr_id = recv->wr_id;
	cqe->flags |= HCA_CQE_RECV;
	cqe->qp_num = qp->qpn;
	cqe->kernel = qp->cookie;
	cqe->wqes = !qp->srq;
	recv->valid = false;
	if (hca_cq_push(qp->recv_cq, cqe))
		return true;
	hca_qp_fatal(qp);
	return false;
}

void hca_recv_fail(struct hca_qp *qp, struct hca_recv *recv, enum hca_vendor_err error)
{
	struct hca_cqe cqe = {
		.status = hca_vendor_err_status(error),
		.opcode = IB_WC_RECV,
		.vendor_err = error,
	};

	hca_qp_failed(qp, error);
	hca_recv_complete(qp, recv, &cqe);
}

static bool recv_flush_own(struct hca_qp *qp, int *budget)
{
	struct hca_recv *recv = &qp->recv;
	u32 n;

	if (!qp->rq.size)
		return true;
	WRITE_ONCE(qp->rq.ring->need_wakeup, 1);
	/* either a poster sees need_wakeup, or this function sees the poster's producer index */
	smp_mb();
	for (n = hca_recvs_posted(&qp->rq, qp->rq_consumed); n && *budget > 0; n--, (*budget)--) {
		if (!hca_recv_consume(qp, recv))
			return true;
		hca_recv_fail(qp, recv, HCA_VENDOR_ERR_FLUSH_ERROR);
	}
	return !n;
}

bool hca_recvs_flush(struct hca_qp *qp, int *budget)
{
	struct hca_recv *recv = &qp->recv;

	if (recv->valid)
		hca_recv_fail(qp, recv, HCA_VENDOR_ERR_FLUSH_ERROR);
	if (qp->srq && !qp->last_wqe_reached) {
		qp->last_wqe_reached = true;
		hca_qp_common_raise(&qp->common, HCA_QP_LAST_WQE_REACHED);
	}
	return recv_flush_own(qp, budget);
}
