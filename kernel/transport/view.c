// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Snapshots of queue pairs and RD EE contexts, copied with send_lock and recv_lock held. */
#include "transport/view.h"
#include <linux/bottom_half.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "qp/recv_wqe.h"
#include "transport/aeth.h"
#include "transport/credit.h"
#include "transport/loss.h"
#include "transport/rd/rd_eec.h"

/* The parts of each kind of EE context (enum hca_view_part). */
static const struct {
	u8 transport;
	bool is_rd_eec;
	u32 requester, responder; /* parts for sending requests, and parts for receiving requests */
} kinds[] = {
	{ HCA_TRANSPORT_RC, false,
	  HCA_VIEW_CONNECTION | HCA_VIEW_REQUESTER | HCA_VIEW_RETRIES | HCA_VIEW_TIMER,
	  HCA_VIEW_CONNECTION | HCA_VIEW_RESPONDER | HCA_VIEW_RESPONSES },
	{ HCA_TRANSPORT_XRC, false,
	  HCA_VIEW_CONNECTION | HCA_VIEW_REQUESTER | HCA_VIEW_RETRIES | HCA_VIEW_TIMER,
	  HCA_VIEW_CONNECTION | HCA_VIEW_RESPONDER | HCA_VIEW_RESPONSES },
	{ HCA_TRANSPORT_RD, true,
	  HCA_VIEW_CONNECTION | HCA_VIEW_REQUESTER | HCA_VIEW_RETRIES | HCA_VIEW_TIMER,
	  HCA_VIEW_CONNECTION | HCA_VIEW_RESPONDER | HCA_VIEW_RESPONSES },
	{ HCA_TRANSPORT_UC, false,
	  HCA_VIEW_CONNECTION | HCA_VIEW_REQUESTER, HCA_VIEW_CONNECTION | HCA_VIEW_RESPONDER },
	/* An RD queue pair has a timer of its own, for the wait after an RNR NAK. */
	{ HCA_TRANSPORT_RD, false, HCA_VIEW_TIMER, 0 },
};

/* Return the parts that an EE context has. If it accepts responses, it has the requester parts. */
static u32 view_parts_of(const struct hca_eec *eec)
{
	u32 parts = HCA_VIEW_ANY | HCA_VIEW_PACKETS | (eec->port ? HCA_VIEW_PORT : 0);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (kinds[i].transport != eec->transport || kinds[i].is_rd_eec != eec->is_rd_eec)
			continue;
		if (eec->accepts & HCA_IS_RESPONSE)
			parts |= kinds[i].requester;
		if (eec->accepts & HCA_IS_REQUEST)
			parts |= kinds[i].responder;
	}
	return parts;
}

/* Copy the state of the send queue to @view. send_lock is held. */
static void view_send_queue(const struct hca_qp *qp, struct hca_qp_view *view)
{
	int posted;

	if (!qp->sq.size)
		return;
	view->parts |= HCA_VIEW_SQ;
	view->sq_entries = qp->sq.entries;
	view->sq_fetched = qp->sq_fetched;
	view->sq_current = qp->sq_current;
	view->sq_done = qp->sq_done;
	view->sq_outstanding = qp->sq_fetched - qp->sq_done;
	/* If the producer index in the ring is invalid, report 0 posted requests. */
	posted = hca_queue_posted(&qp->sq, qp->sq_fetched, view->sq_outstanding);
	view->sq_posted = max(posted, 0);
}

/* Copy the state of the timer to @view. send_lock is held. */
static void view_timer(const struct hca_eec *eec, struct hca_qp_view *view)
{
	long left = eec->deadline - jiffies;

	view->ack_timeout = jiffies_to_usecs(eec->ack_timeout);
	if (!eec->timer_armed)
		return;
	view->timer = eec->rnr_wait ? HCA_VIEW_TIMER_RNR : HCA_VIEW_TIMER_ACK;
	view->timer_left = left > 0 ? jiffies_to_usecs(left) : 0;
}

/* Copy the state of the requester to @view. send_lock is held. */
static void view_requester(const struct hca_eec *eec, struct hca_qp_view *view)
{
	view->attr = eec->attr;
	view->path_mtu = eec->mtu;
	view->una_psn = eec->una_psn;
	view->next_psn = eec->next_psn;
	view->sent_psn = eec->sent_psn;
	view->window = eec->window;
	view->retries_left = eec->retries_left;
	view->rnr_left = eec->rnr_left;
	view->reads_outstanding = eec->reads_outstanding;
	view_timer(eec, view);
	view->credited = eec->credited;
	if (!eec->credited)
		return;
	view->parts |= HCA_VIEW_CREDITS;
	/* The difference may be negative, because one message may be sent without a credit. */
	view->credits = max((int)(eec->recvs_allowed - eec->recvs_begun), 0);
	view->credit_limit = eec->recvs_allowed;
}

/* Copy the state of the receive queue to @view. recv_lock is held. */
static void view_recv_queue(const struct hca_qp *qp, struct hca_qp_view *view)
{
	view->recv_in_progress = qp->recv.valid;
	if (!qp->rq.size)
		return;
	view->parts |= HCA_VIEW_RQ;
	view->rq_entries = qp->rq.entries;
	view->rq_posted = hca_recvs_posted(&qp->rq, qp->rq_consumed);
	view->rq_consumed = qp->rq_consumed;
}

/* Copy the state of the responder to @view. recv_lock is held. */
static void view_responder(const struct hca_eec *eec, struct hca_qp_view *view)
{
	u8 offer;

	view->expected_psn = eec->expected_psn;
	view->msn = eec->msn;
	view->nak_sent = eec->nak_sent;
	view->nak_reason = READ_ONCE(eec->nak_reason);
	if (view->nak_reason)
		view->parts |= HCA_VIEW_NAK;
	view->credit_stalled = READ_ONCE(eec->credit_stalled);
	view->responses = READ_ONCE(eec->pending);
	if (eec->transport != HCA_TRANSPORT_RC)
		return;
	offer = hca_credits_offered(eec);
	if (offer == HCA_ACK_NO_CREDITS)
		return;
	view->parts |= HCA_VIEW_OFFER;
	view->credits_offered = hca_credits_of(offer & HCA_SYNDROME_VALUE);
}

static void view_counters(const struct hca_eec *eec, struct hca_qp_view *view)
{
	const struct hca_qp_counters *losses;
	int i;

	rcu_read_lock();
	losses = rcu_dereference(eec->losses);
	for (i = 0; losses && i < HCA_NUM_LOSS_COUNTERS; i++)
		view->counters[i] = hca_losses_read(losses, HCA_FIRST_LOSS_COUNTER + i);
	if (losses)
		view->parts |= HCA_VIEW_COUNTERS;
	rcu_read_unlock();
}

static void view_error(const struct hca_qp *qp, struct hca_qp_view *view)
{
	view->vendor_err = READ_ONCE(qp->last_error);
	if (view->vendor_err)
		view->parts |= HCA_VIEW_ERROR;
}

/* Copy the state of an EE context and, if @qp is not NULL, of a queue pair to @view. */
static void view_fill(struct hca_eec *eec, const struct hca_qp *qp, struct hca_qp_view *view)
{
	memset(view, 0, sizeof(*view));
	spin_lock_bh(&eec->common->send_lock);
	spin_lock(&eec->common->recv_lock);
	view->state = eec->common->state;
	view->port = eec->port ? eec->port->num : 0;
	view->parts = view_parts_of(eec);
	view_requester(eec, view);
	if (qp) {
		view_send_queue(qp, view);
		view_recv_queue(qp, view);
		view_error(qp, view);
	}
	view_responder(eec, view);
	view_counters(eec, view);
	spin_unlock(&eec->common->recv_lock);
	spin_unlock_bh(&eec->common->send_lock);
}

void hca_qp_view(struct hca_qp *qp, struct hca_qp_view *view)
{
	view_fill(hca_qp_eec(qp), qp, view);
}

void hca_rd_eec_view(struct hca_rd_eec *rd_eec, struct hca_qp_view *view)
{
	view_fill(&rd_eec->eec, NULL, view);
}
