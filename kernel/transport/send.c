// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The queue pair's run: what came back, what is owed, what is asked; then parking. */
#include <linux/kernel.h>
#include "transport/recv.h"
#include "transport/request.h"
#include "transport/send.h"

#define HCA_SEND_BUDGET 64

void hca_qp_raise(struct hca_qp *qp, enum hca_qp_event event)
{
	atomic_or(1 << event, &qp->events);
	hca_qp_kick(qp);
}

void hca_qp_error(struct hca_qp *qp)
{
	WRITE_ONCE(qp->state, HCA_QPS_ERR);
	hca_qp_kick(qp);
}

void hca_qp_overflow(struct hca_qp *qp)
{
	if (READ_ONCE(qp->state) == HCA_QPS_ERR)
		return;
	hca_qp_raise(qp, HCA_QP_FATAL);
	hca_qp_error(qp);
}

/* What has come so far; what comes meanwhile runs us again. */
static void hca_qp_take_responses(struct hca_qp *qp)
{
	struct llist_node *node, *next;

	if (llist_empty(&qp->responses))
		return;
	for (node = hca_llist_take(&qp->responses); node; node = next) {
		next = node->next;
		atomic_dec(&qp->num_responses);
		hca_completer_receive(qp, llist_entry(node, struct hca_packet, node));
	}
}

/*
 * In Error everything that is posted, now or later, is flushed; so the doorbell must ring
 * for either ring (C10-42). Nothing is lost between the flush and the next look: who posts
 * later sees need_wakeup, or we see his producer. In SQE the same holds for sends alone.
 */
static void hca_qp_flush_sends(struct hca_qp *qp)
{
	if (!qp->sq.size)
		return;
	WRITE_ONCE(qp->sq.ring->need_wakeup, 1);
	smp_mb();
	qp->eec.timer_on = false;
	hca_requests_flush(qp);
}

static void hca_qp_flush(struct hca_qp *qp)
{
	hca_qp_flush_sends(qp);
	spin_lock(&qp->recv_lock);
	hca_recvs_flush(qp);
	spin_unlock(&qp->recv_lock);
}

static enum hca_progress hca_qp_send(struct hca_qp *qp, int *budget)
{
	struct hca_ring *ring = qp->sq.ring;
	enum hca_progress progress;

	if (!qp->sq.size)
		return HCA_DONE;
	/* While we are at it nobody needs to ring; what resumes us rereads the producer. */
	if (READ_ONCE(ring->need_wakeup))
		WRITE_ONCE(ring->need_wakeup, 0);
	progress = qp->type == HCA_QPT_RC ? hca_requester_send(qp, budget) :
					    hca_datagram_send(qp, budget);
	if (progress != HCA_DONE)
		return progress;
	WRITE_ONCE(ring->need_wakeup, 1);
	smp_mb(); /* pairs with the fence between producer and need_wakeup of who posts */
	return hca_request_pending(qp) ? HCA_BUDGET : HCA_DONE;
}

static enum hca_progress hca_qp_work(struct hca_qp *qp, int *budget)
{
	enum hca_progress progress;

	if (READ_ONCE(qp->timed_out)) {
		WRITE_ONCE(qp->timed_out, false);
		hca_retry_timed_out(qp);
	}
	hca_qp_take_responses(qp);
	progress = hca_responses_owed(&qp->eec) ? hca_responses_send(qp, budget) : HCA_DONE;
	switch (READ_ONCE(qp->state)) {
	case HCA_QPS_RTS:
		return progress == HCA_DONE ? hca_qp_send(qp, budget) : progress;
	case HCA_QPS_SQE:
		hca_qp_flush_sends(qp);
		return progress;
	case HCA_QPS_ERR:
		hca_qp_flush(qp);
		return progress;
	default:
		return progress;
	}
}

static void hca_qp_tell(struct hca_qp *qp)
{
	int events = atomic_xchg(&qp->events, 0);
	int event;

	for (event = 0; events >> event; event++)
		if (events & 1 << event)
			qp->ca->qp_event(qp, event);
}

bool hca_qp_run(struct hca_runnable *r)
{
	struct hca_qp *qp = container_of(r, struct hca_qp, run);
	int budget = HCA_SEND_BUDGET;
	enum hca_progress progress;

	spin_lock(&qp->send_lock);
	progress = hca_qp_work(qp, &budget);
	spin_unlock(&qp->send_lock);
	if (atomic_read(&qp->events))
		hca_qp_tell(qp);
	return progress == HCA_BUDGET;
}
