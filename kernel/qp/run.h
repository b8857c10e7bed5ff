/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The run of a queue pair: received and pending responses first, then send requests. */
#ifndef HCA_QP_RUN_H
#define HCA_QP_RUN_H

#include "qp/qp.h"
#include "qp/request.h"

/**
 * hca_qp_flush() - flush posted requests: in SQE send requests, in Error receive requests too
 * @qp: the queue pair; send_lock held
 * @budget: number of requests that may be flushed; the number flushed is subtracted
 * @progress: progress of the run until now
 *
 * Context: BH disabled.
 * Return: @progress, or HCA_BUDGET if the budget is used up.
 */
enum hca_progress hca_qp_flush(struct hca_qp *qp, int *budget, enum hca_progress progress);

/**
 * hca_qp_check_drained() - in SQD, report when all requests that had begun are complete
 * @qp: the queue pair; send_lock held
 *
 * Context: BH disabled.
 */
void hca_qp_check_drained(struct hca_qp *qp);

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
	 * While requests are being sent no doorbell is needed; the next run reads the producer
	 * index again.
	 */
	if (READ_ONCE(ring->need_wakeup))
		WRITE_ONCE(ring->need_wakeup, 0);
	progress = send(qp, budget);
	if (progress != HCA_DONE)
		return progress;
	WRITE_ONCE(ring->need_wakeup, 1);
	smp_mb(); /* pairs with the poster's barrier between producer and need_wakeup */
	return hca_request_pending(qp) && qp->common.state == IB_QPS_RTS ? HCA_BUDGET : HCA_DONE;
}

static __always_inline enum hca_progress
hca_qp_work(struct hca_qp *qp, int *budget,
	    bool (*respond)(struct hca_qp *qp, int *budget, enum hca_progress *progress),
	    enum hca_progress (*send)(struct hca_qp *qp, int *budget))
{
	enum hca_progress progress;
	u8 state;

	if (!respond(qp, budget, &progress))
		return HCA_BUDGET;
	state = READ_ONCE(qp->common.state);
	if (state != IB_QPS_RTS && state != IB_QPS_SQD)
		return hca_qp_flush(qp, budget, progress);
	if (progress != HCA_DONE)
		return progress;
	progress = hca_qp_send(qp, budget, send);
	if (state == IB_QPS_SQD)
		hca_qp_check_drained(qp);
	return progress;
}

/**
 * hca_qp_run() - the common body of each carrier's run function
 * @r: common.run of a queue pair
 * @budget: number of packets and requests that may be processed; the number processed is subtracted
 * @respond: processes the packets for the send queue, and sends the responses of the receive queue;
 *           returns false if the budget is used up. @progress: requests may be sent after HCA_DONE
 * @send: in RTS, sends the requests that hca_request_fetch() returns; in SQD, the requests that
 *        have begun
 *
 * @respond and @send are called with send_lock held. Callers pass constants, and the function is
 * inline, because each doorbell and each received packet may lead to a run.
 *
 * Context: the run; BH disabled.
 * Return: whether the run is to be called again.
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
