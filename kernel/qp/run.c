// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The run of a queue pair in states in which it does not send. */
#include "qp/recv.h"
#include "qp/run.h"

/*
 * In Error all requests that are posted, now or later, are flushed, so that both rings need the
 * doorbell (IBA C10-42). No request is missed: a later poster sees need_wakeup, or the flush sees
 * the poster's producer index. In SQE that applies to send requests only.
 */
static enum hca_progress flush_sends(struct hca_qp *qp, int *budget)
{
	if (!qp->sq.size)
		return HCA_DONE;
	if (!qp->ops->stop_sends(qp))
		return HCA_WAITING;
	WRITE_ONCE(qp->sq.ring->need_wakeup, 1);
	smp_mb();
	return hca_requests_flush(qp, hca_requests_end(qp), budget) ? HCA_DONE : HCA_BUDGET;
}

static enum hca_progress flush_all(struct hca_qp *qp, int *budget)
{
	bool done;

	if (flush_sends(qp, budget) == HCA_BUDGET)
		return HCA_BUDGET;
	if (qp->ops->stop_recvs)
		qp->ops->stop_recvs(qp);
	spin_lock(&qp->common.recv_lock);
	done = hca_recvs_flush(qp, budget);
	spin_unlock(&qp->common.recv_lock);
	return done ? HCA_DONE : HCA_BUDGET;
}

enum hca_progress hca_qp_flush(struct hca_qp *qp, int *budget, enum hca_progress progress)
{
	switch (READ_ONCE(qp->common.state)) {
	case IB_QPS_SQE:
		return flush_sends(qp, budget) == HCA_BUDGET ? HCA_BUDGET : progress;
	case IB_QPS_ERR:
		return flush_all(qp, budget) == HCA_BUDGET ? HCA_BUDGET : progress;
	default:
		return progress;
	}
}

/* In SQD, report when all requests that had begun are complete (req B4-268). */
void hca_qp_check_drained(struct hca_qp *qp)
{
	if (hca_qp_common_draining(&qp->common) && qp->ops->drained(qp))
		hca_qp_common_drained(&qp->common);
}
