/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The run function of a queue pair: it processes received and pending responses, then send
 * requests.
 */
#ifndef HCA_QP_RUN_H
#define HCA_QP_RUN_H

#include "qp/qp.h"
#include "qp/request.h"

/**
 * hca_qp_flush() - flush the requests of a queue pair if its state demands it
 * @qp: the queue pair; send_lock held
 * @budget: number of requests that may be flushed; the number flushed is subtracted
 * @progress: result of the run function's steps before the flush
 *
 * Context: BH disabled.
 * Return: HCA_BUDGET if the budget is used up, otherwise @progress.
 */
enum hca_progress hca_qp_flush(struct hca_qp *qp, int *budget, enum hca_progress progress);

/**
 * hca_qp_check_drained() - end the draining if all requests that had begun are complete
 * @qp: the queue pair; send_lock held
 *
 * A channel adapter's queue pairs are drained in SQD (req B4-268).
 *
 * Context: BH disabled.
 */
void hca_qp_check_drained(struct hca_qp *qp);

/**
 * hca_qp_send() - send requests, after the flush that a former state has left
 * @qp: the queue pair, in a state that sends requests; send_lock held
 * @budget: number of packets and requests that may be processed; those processed are subtracted
 * @send: sends the requests that hca_request_fetch() returns
 *
 * Context: run function of the queue pair; BH disabled.
 * Return: HCA_DONE: need_wakeup is set, and no request was missed; otherwise the result of @send,
 * or HCA_BUDGET.
 */
static __always_inline enum hca_progress
hca_qp_send(struct hca_qp *qp, int *budget,
	    enum hca_progress (*send)(struct hca_qp *qp, int *budget))
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
	 * No doorbell is needed while requests are being sent, because the producer index is read
	 * again after the last one.
	 */
	if (READ_ONCE(ring->need_wakeup))
		WRITE_ONCE(ring->need_wakeup, 0);
	progress = send(qp, budget);
	if (progress != HCA_DONE)
		return progress;
	WRITE_ONCE(ring->need_wakeup, 1);
	/* pairs with the poster, which writes the producer index before it reads need_wakeup */
	smp_mb();
	if (hca_request_pending(qp) && qp->ops->states[qp->common.state].fetches)
		return HCA_BUDGET;
	return HCA_DONE;
}

static __always_inline enum hca_progress
hca_qp_work(struct hca_qp *qp, int *budget,
	    bool (*respond)(struct hca_qp *qp, int *budget, enum hca_progress *progress),
	    enum hca_progress (*send)(struct hca_qp *qp, int *budget))
{
	const struct hca_state_kind *kind;
	enum hca_progress progress;

	if (!respond(qp, budget, &progress))
		return HCA_BUDGET;
	kind = &qp->ops->states[READ_ONCE(qp->common.state)];
	if (!kind->sends)
		return hca_qp_flush(qp, budget, progress);
	if (progress != HCA_DONE)
		return progress;
	progress = hca_qp_send(qp, budget, send);
	if (kind->draining)
		hca_qp_check_drained(qp);
	return progress;
}

/**
 * hca_qp_run() - the common body of the run functions of all transports
 * @r: common.run of a queue pair
 * @budget: number of packets and requests that may be processed; the number processed is subtracted
 * @respond: processes received responses and sends pending responses; returns false if the budget
 *           is used up. It sets *progress to HCA_DONE if requests may be sent
 * @send: sends the requests that hca_request_fetch() returns; in a state without fetches, it only
 *        finishes the requests that have begun
 *
 * @respond and @send are called with send_lock held. hca_qp_run() is inline and gets constant
 * function pointers, so that the compiler makes direct calls. This matters, because it may run for
 * each doorbell and each received packet.
 *
 * Context: called by hca_engine_run(); BH disabled.
 * Return: true if work is left and the run function is to be called again.
 */
static __always_inline bool
hca_qp_run(struct hca_runnable *r, int *budget,
	   bool (*respond)(struct hca_qp *qp, int *budget, enum hca_progress *progress),
	   enum hca_progress (*send)(struct hca_qp *qp, int *budget))
{
	struct hca_qp *qp = container_of(r, struct hca_qp, common.run);
	enum hca_progress progress;

	spin_lock(&qp->common.send_lock);
	progress = hca_qp_work(qp, budget, respond, send);
	spin_unlock(&qp->common.send_lock);
	if (atomic_read(&qp->common.events))
		hca_qp_common_notify(&qp->common);
	return progress == HCA_BUDGET;
}

#endif
