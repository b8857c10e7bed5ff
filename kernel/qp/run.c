// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The queue pair's run: what has arrived and is to be answered, then send requests. */
#include <linux/kernel.h>
#include "qp/recv.h"
#include "qp/request.h"
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

static enum hca_progress flush(struct hca_qp *qp, int *budget)
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

static enum hca_progress qp_send(struct hca_qp *qp, int *budget)
{
	struct hca_ring *ring = qp->sq.ring;
	enum hca_progress progress;

	if (!qp->sq.size)
		return HCA_DONE;
	if (unlikely(qp->sq_flushing)) {
		if (!hca_requests_flush(qp, qp->sq_flush_end, budget))
			return HCA_BUDGET;
		qp->sq_flushing = false;
	}
	/*
	 * While requests are being sent no doorbell is needed; the next run reads the producer
	 * index again.
	 */
	if (READ_ONCE(ring->need_wakeup))
		WRITE_ONCE(ring->need_wakeup, 0);
	progress = qp->ops->send(qp, budget);
	if (progress != HCA_DONE)
		return progress;
	WRITE_ONCE(ring->need_wakeup, 1);
	smp_mb(); /* pairs with the poster's barrier between producer and need_wakeup */
	return hca_request_pending(qp) && qp->common.state == IB_QPS_RTS ? HCA_BUDGET : HCA_DONE;
}

/* In SQD requests that have begun are completed, and that is reported (req B4-268). */
static enum hca_progress qp_drain(struct hca_qp *qp, int *budget)
{
	enum hca_progress progress = qp_send(qp, budget);

	if (hca_qp_common_draining(&qp->common) && qp->ops->drained(qp))
		hca_qp_common_drained(&qp->common);
	return progress;
}

static enum hca_progress qp_work(struct hca_qp *qp, int *budget)
{
	enum hca_progress progress;

	if (!qp->ops->respond(qp, budget, &progress))
		return HCA_BUDGET;
	switch (READ_ONCE(qp->common.state)) {
	case IB_QPS_RTS:
		return progress == HCA_DONE ? qp_send(qp, budget) : progress;
	case IB_QPS_SQD:
		return progress == HCA_DONE ? qp_drain(qp, budget) : progress;
	case IB_QPS_SQE:
		return flush_sends(qp, budget) == HCA_BUDGET ? HCA_BUDGET : progress;
	case IB_QPS_ERR:
		return flush(qp, budget) == HCA_BUDGET ? HCA_BUDGET : progress;
	default:
		return progress;
	}
}

bool hca_qp_run(struct hca_runnable *r, int *budget)
{
	struct hca_qp *qp = container_of(r, struct hca_qp, common.run);
	enum hca_progress progress;

	spin_lock(&qp->common.send_lock);
	progress = qp_work(qp, budget);
	spin_unlock(&qp->common.send_lock);
	if (atomic_read(&qp->common.events))
		hca_qp_common_notify(&qp->common);
	return progress == HCA_BUDGET;
}
