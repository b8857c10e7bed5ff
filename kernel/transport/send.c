// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The queue pair's run: received responses, pending responses, send requests, then waiting. */
#include <linux/kernel.h>
#include "transport/datagram.h"
#include "transport/deliver.h"
#include "transport/eec_run.h"
#include "transport/rd_eec.h"
#include "transport/recv.h"
#include "transport/request.h"
#include "transport/requester.h"
#include "transport/retry.h"
#include "transport/send.h"

/*
 * In Error all requests that are posted, now or later, are flushed, so that both rings need the
 * doorbell (IBA C10-42). No request is missed: a later poster sees need_wakeup, or the flush sees
 * the poster's producer index. In SQE that applies to send requests only.
 */
static enum hca_progress flush_sends(struct hca_qp *qp, int *budget)
{
	if (!qp->sq.size)
		return HCA_DONE;
	if (!hca_rd_eec_withdraw(qp))
		return HCA_WAITING;
	WRITE_ONCE(qp->sq.ring->need_wakeup, 1);
	smp_mb();
	qp->eec.timer_armed = false;
	qp->eec.rnr_wait = false;
	qp->eec.rewound = false;
	hca_eec_release(&qp->eec);
	return hca_requests_flush(qp, hca_requests_end(qp), budget) ? HCA_DONE : HCA_BUDGET;
}

static enum hca_progress flush(struct hca_qp *qp, int *budget)
{
	bool done;

	if (flush_sends(qp, budget) == HCA_BUDGET)
		return HCA_BUDGET;
	if (qp->type == HCA_QPT_RD)
		hca_rd_eecs_drop(qp, true);
	spin_lock(&qp->eec.recv_lock);
	done = hca_recvs_flush(qp, budget);
	spin_unlock(&qp->eec.recv_lock);
	return done ? HCA_DONE : HCA_BUDGET;
}

/* Send by type of queue pair. An RD queue pair only queues its request at an RD EE context. */
static enum hca_progress qp_requests(struct hca_qp *qp, int *budget)
{
	switch (qp->type) {
	case IB_QPT_RC:
	case IB_QPT_UC:
		return hca_requester_send(&qp->eec, budget);
	case HCA_QPT_RD:
		return hca_rd_eec_submit(qp);
	default:
		return qp->eec.state == IB_QPS_SQD ? HCA_DONE : hca_datagram_send(qp, budget);
	}
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
	progress = qp_requests(qp, budget);
	if (progress != HCA_DONE)
		return progress;
	WRITE_ONCE(ring->need_wakeup, 1);
	smp_mb(); /* pairs with the poster's barrier between producer and need_wakeup */
	return hca_request_pending(qp) && qp->eec.state == IB_QPS_RTS ? HCA_BUDGET : HCA_DONE;
}

/* In SQD: return whether all requests that have begun are complete (req B4-268). */
static bool qp_drained(const struct hca_qp *qp)
{
	const struct hca_eec *eec = &qp->eec;

	if (eec->transport == HCA_TRANSPORT_UD || eec->transport == HCA_TRANSPORT_RAW)
		return true; /* a datagram is complete when it is sent */
	if (qp->type == HCA_QPT_RD)
		return qp->sq_done == qp->sq_fetched;
	return eec->next_psn == eec->sent_psn && eec->una_psn == eec->sent_psn &&
	       (qp->sq_current == qp->sq_fetched ||
		hca_request_at(qp, qp->sq_current)->psn == eec->next_psn);
}

static enum hca_progress qp_drain(struct hca_qp *qp, int *budget)
{
	enum hca_progress progress = qp_send(qp, budget);
	struct hca_eec *eec = &qp->eec;

	if (eec->state != IB_QPS_SQD || !eec->attr.sq_draining || !qp_drained(qp))
		return progress;
	eec->attr.sq_draining = false;
	if (eec->attr.en_sqd_async_notify)
		hca_eec_raise(eec, HCA_QP_SQ_DRAINED);
	return progress;
}

static enum hca_progress qp_work(struct hca_qp *qp, int *budget)
{
	struct hca_eec *eec = &qp->eec;
	enum hca_progress progress;

	if (!hca_eec_respond(eec, budget, &progress))
		return HCA_BUDGET;
	switch (READ_ONCE(eec->state)) {
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
	struct hca_qp *qp = container_of(r, struct hca_qp, eec.run);
	enum hca_progress progress;

	spin_lock(&qp->eec.send_lock);
	progress = qp_work(qp, budget);
	spin_unlock(&qp->eec.send_lock);
	if (atomic_read(&qp->eec.events))
		hca_eec_notify(&qp->eec);
	return progress == HCA_BUDGET;
}

static void qp_notify(struct hca_eec *eec, enum hca_qp_event event)
{
	eec->ca->qp_event(eec->qp, event);
}

static void qp_suspend(struct hca_eec *eec, u8 rnr_code, u32 msn)
{
	hca_retry_rewind(eec);
	hca_retry_wait_rnr(eec, rnr_code);
}

/* A queue pair of type RC goes to Error, all others to SQE (IBA C10-40). */
static void qp_abandon(struct hca_eec *eec, enum ib_wc_status status)
{
	if (eec->qp->type == IB_QPT_RC)
		hca_qp_error(eec->qp);
	else
		hca_qp_send_error(eec->qp);
}

const struct hca_eec_ops hca_qp_eec_ops = {
	.run = hca_qp_run,
	.timer = hca_retry_timer,
	.notify = qp_notify,
	.suspend = qp_suspend,
	.abandon = qp_abandon,
};
