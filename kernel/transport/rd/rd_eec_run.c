// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The run function and the requester of RD EE contexts. The requester selects the next queue pair
 * (req C4-024), and separates an abandoned message from the next one by a Resync (req C4-033).
 */
#include <linux/bottom_half.h>
#include <linux/kernel.h>
#include "qp/local.h"
#include "qp/request.h"
#include "qp/vendor_err.h"
#include "qp/wr.h"
#include "transport/address.h"
#include "transport/aeth.h"
#include "transport/deliver.h"
#include "transport/eec_run.h"
#include "transport/iba_qp.h"
#include "transport/migrate.h"
#include "transport/path.h"
#include "transport/rd/rd_eec.h"
#include "transport/requester.h"
#include "transport/responses.h"
#include "transport/retry.h"

static bool rd_eec_is_sending(const struct hca_eec *eec)
{
	return eec->common->state == IB_QPS_RTS || eec->common->state == IB_QPS_SQD;
}

/* The functions below are called with the send_lock of the queue pair held. */

static void rd_eec_attach(struct hca_rd_eec *rd_eec, struct hca_qp *qp)
{
	hca_iba_qp(qp)->rd_eec = rd_eec;
	if (!hca_qp_eec(qp)->rewound) /* the request has not been suspended by an RNR NAK before */
		hca_qp_eec(qp)->rnr_left = rd_eec->eec.attr.iba.rnr_retry;
	spin_lock(&rd_eec->lock);
	list_add_tail(&hca_iba_qp(qp)->scheduled, &rd_eec->waiting);
	spin_unlock(&rd_eec->lock);
	hca_eec_kick(&rd_eec->eec);
}

/*
 * Queue the request at the RD EE context that it names. Return: HCA_VENDOR_ERR_NONE, or the error
 * that the request fails with.
 */
static enum hca_vendor_err rd_eec_join(struct hca_qp *qp, const struct hca_request *req)
{
	struct hca_rd_eec *rd_eec = hca_rd_eec_get(hca_qp_eec(qp)->ca, req->eecn);
	enum hca_vendor_err error = HCA_VENDOR_ERR_NONE;

	if (!rd_eec)
		return HCA_VENDOR_ERR_EECN;
	if (rd_eec->rdd != hca_iba_qp(qp)->rdd)
		error = HCA_VENDOR_ERR_EEC_RDD; /* the domains differ (req B4-306) */
	else if (!rd_eec_is_sending(&rd_eec->eec))
		error = HCA_VENDOR_ERR_EEC_STATE;
	else if ((req->kind & HCA_WR_FETCHES) &&
		 !rd_eec->eec.attr.max_rd_atomic)
		error = HCA_VENDOR_ERR_EEC_DEPTH;
	if (error)
		hca_rd_eec_put(rd_eec);
	else
		rd_eec_attach(rd_eec, qp);
	return error;
}

enum hca_progress hca_rd_eec_submit(struct hca_qp *qp)
{
	struct hca_request *req;

	if (hca_iba_qp(qp)->rd_eec || hca_qp_eec(qp)->rnr_wait)
		return HCA_WAITING;
	if (qp->sq_done != qp->sq_fetched)
		req = hca_request_at(qp, qp->sq_done);
	else
		req = hca_request_fetch(qp);
	if (!req)
		return HCA_DONE;
	if (!req->error && (req->kind & HCA_WR_LOCAL)) {
		req->error = hca_local_execute(qp, req);
	} else if (!req->error) {
		req->error = rd_eec_join(qp, req);
		if (!req->error)
			return HCA_WAITING;
	}
	hca_request_complete(qp, req->error);
	if (req->error)
		hca_qp_send_error(qp);
	return HCA_BUDGET;
}

/* Detach the queue pair from its RD EE context. The queue pair's send_lock is held. */
static void rd_eec_detach(struct hca_qp *qp)
{
	struct hca_rd_eec *rd_eec = hca_iba_qp(qp)->rd_eec;

	hca_iba_qp(qp)->rd_eec = NULL;
	hca_qp_kick(qp);
	hca_rd_eec_put(rd_eec);
}

bool hca_rd_eec_withdraw(struct hca_qp *qp)
{
	struct hca_rd_eec *rd_eec = hca_iba_qp(qp)->rd_eec;
	bool in_line;

	if (!rd_eec)
		return true;
	spin_lock(&rd_eec->lock);
	in_line = !list_empty(&hca_iba_qp(qp)->scheduled);
	if (in_line)
		list_del_init(&hca_iba_qp(qp)->scheduled);
	spin_unlock(&rd_eec->lock);
	if (in_line)
		rd_eec_detach(qp);
	else
		hca_eec_kick(&rd_eec->eec);
	return in_line;
}

/* The functions below are called with the send_lock of the RD EE context held. */

/*
 * Make the run function send a Resync, because the message in progress is abandoned. The PSNs of
 * the message are not used again; a late response to the message therefore does not match the next
 * message.
 */
static void rd_eec_resync_due(struct hca_eec *eec)
{
	eec->una_psn = eec->sent_psn;
	eec->next_psn = eec->sent_psn;
	eec->assigned_psn = eec->sent_psn;
	eec->reads_outstanding = 0;
	eec->timer_armed = false;
	eec->rewound = false;
	eec->resync = HCA_RESYNC_DUE;
	hca_eec_release(eec);
}

static void rd_eec_release(struct hca_eec *eec)
{
	struct hca_qp *qp = eec->qp;

	eec->qp = NULL;
	hca_qp_eec(qp)->rewound = false;
	rd_eec_detach(qp);
	hca_eec_kick(eec);
}

/*
 * End a message that is not complete. If any packet of the message was sent, make the run function
 * send a Resync, because the peer may have received a part of the message.
 */
static void rd_eec_end_message(struct hca_eec *eec)
{
	if (!eec->resync && eec->sent_psn != eec->first_psn)
		rd_eec_resync_due(eec);
	rd_eec_release(eec);
}

/*
 * Suspend the message in progress after an RNR NAK. The queue pair is served until the Resync is
 * acknowledged, because the peer may still execute duplicate packets of the message before that.
 */
static void rd_eec_suspend(struct hca_eec *eec, u8 rnr_code, u32 msn)
{
	eec->rnr_code = rnr_code;
	eec->rnr_msn = msn;
	rd_eec_resync_due(eec);
}

/*
 * Stop serving the queue pair of a suspended message. The Resync is acknowledged, and therefore the
 * peer does not execute packets of the message any more. @msn is the MSN of the acknowledgement. If
 * @msn differs from the MSN of the RNR NAK, the peer has completed the message.
 */
static void rd_eec_suspended(struct hca_eec *eec, u32 msn)
{
	struct hca_qp *qp = eec->qp;
	bool wait = rd_eec_is_sending(hca_qp_eec(qp)) && msn == eec->rnr_msn;

	qp->sq_current = qp->sq_done;
	if (wait)
		hca_retry_wait_rnr(hca_qp_eec(qp), eec->rnr_code);
	else if (rd_eec_is_sending(hca_qp_eec(qp)))
		hca_request_complete(qp, HCA_VENDOR_ERR_NONE);
	rd_eec_release(eec);
	hca_qp_eec(qp)->rewound = wait;
}

/*
 * Abandon the message in progress, and set its queue pair to SQE. If retries are exceeded, set the
 * RD EE context to Error.
 */
static void rd_eec_abandon(struct hca_eec *eec, enum hca_vendor_err error)
{
	if (eec->qp)
		hca_qp_send_error(eec->qp);
	if (hca_vendor_err_status(error) == IB_WC_RETRY_EXC_ERR) {
		WRITE_ONCE(eec->common->state, IB_QPS_ERR);
		hca_eec_raise(eec, HCA_QP_FATAL);
	}
	if (eec->qp)
		rd_eec_end_message(eec);
}

/* Remove and return the first waiting queue pair, or return NULL. */
static struct hca_qp *rd_eec_first(struct hca_rd_eec *rd_eec)
{
	struct hca_iba_qp *iba;

	spin_lock(&rd_eec->lock);
	iba = list_first_entry_or_null(&rd_eec->waiting, struct hca_iba_qp, scheduled);
	if (iba)
		list_del_init(&iba->scheduled);
	spin_unlock(&rd_eec->lock);
	return iba ? &iba->qp : NULL;
}

static bool rd_eec_next(struct hca_rd_eec *rd_eec)
{
	struct hca_eec *eec = &rd_eec->eec;
	struct hca_qp *qp = rd_eec_first(rd_eec);

	if (!qp)
		return false;
	eec->qp = qp;
	spin_lock_nested(&qp->common.send_lock, SINGLE_DEPTH_NESTING);
	qp->sq_current = qp->sq_done;
	eec->first_psn = eec->next_psn;
	eec->assigned_psn = eec->next_psn;
	hca_request_number(eec, hca_request_at(qp, qp->sq_done));
	spin_unlock(&qp->common.send_lock);
	return true;
}

/* Send the request of the queue pair being served. */
static enum hca_progress rd_eec_run_client(struct hca_eec *eec, int *budget)
{
	struct hca_qp *qp = eec->qp;
	enum hca_progress progress = HCA_DONE;

	spin_lock_nested(&qp->common.send_lock, SINGLE_DEPTH_NESTING);
	if (rd_eec_is_sending(hca_qp_eec(qp)))
		progress = hca_requester_send(eec, budget);
	else
		rd_eec_end_message(eec);
	spin_unlock(&qp->common.send_lock);
	return progress;
}

/* Send the Resync, with a PSN that no packet of the abandoned message has. */
static enum hca_progress rd_eec_send_resync(struct hca_rd_eec *rd_eec)
{
	struct hca_eec *eec = &rd_eec->eec;
	struct hca_packet *pkt = hca_packet_alloc(&eec->ca->pool);
	struct hca_headers *h;

	if (!pkt) {
		hca_retry_soon(eec);
		return HCA_WAITING;
	}
	h = &pkt->h;
	hca_path_fill(pkt, eec->port, &eec->attr.iba.av);
	h->bth.opcode = HCA_OPCODE(RD, RESYNC);
	h->bth.flags = hca_migreq(eec) | HCA_BTH_ACKREQ;
	h->bth.tver = 0;
	h->bth.pkey = READ_ONCE(eec->port->tables.pkey[eec->attr.iba.pkey_index]);
	/* the field is not used; the RDETH has the number of the destination EE context */
	h->bth.destqp = 0;
	h->bth.psn = eec->una_psn;
	h->rdeth_eecn = eec->attr.iba.dest_qpn;
	h->deth.qkey = 0;
	h->deth.srcqp = 0;
	hca_packet_finish(pkt);
	if (!hca_port_send(eec->port, pkt, &eec->blocked)) {
		hca_packet_free(pkt);
		return HCA_WAITING;
	}
	eec->resync = HCA_RESYNC_SENT;
	eec->next_psn = hca_psn_add(eec->una_psn, 1);
	eec->sent_psn = eec->next_psn;
	hca_retry_arm(eec);
	return HCA_DONE;
}

static void rd_eec_resynced(struct hca_eec *eec, const struct hca_packet *pkt)
{
	if (pkt->h.bth.opcode != HCA_OPCODE(RD, ACKNOWLEDGE) || pkt->h.bth.psn != eec->una_psn ||
	    (pkt->h.aeth.syndrome & HCA_SYNDROME_KIND) != HCA_SYNDROME_ACK)
		return;
	eec->una_psn = eec->next_psn;
	eec->assigned_psn = eec->next_psn;
	eec->resync = HCA_RESYNC_NONE;
	eec->timer_armed = false;
	eec->rewound = false;
	eec->retries_left = eec->attr.iba.retry_cnt;
	if (eec->qp)
		rd_eec_suspended(eec, pkt->h.aeth.msn);
}

/* End the suspended message if its queue pair is not in RTS or SQD any more. */
static void rd_eec_resyncing(struct hca_eec *eec)
{
	struct hca_qp *qp = eec->qp;

	if (!qp)
		return;
	spin_lock_nested(&qp->common.send_lock, SINGLE_DEPTH_NESTING);
	if (!rd_eec_is_sending(hca_qp_eec(qp)))
		rd_eec_end_message(eec);
	spin_unlock(&qp->common.send_lock);
}

static enum hca_progress rd_eec_send(struct hca_rd_eec *rd_eec, int *budget)
{
	struct hca_eec *eec = &rd_eec->eec;
	enum hca_progress progress;

	for (;;) {
		if (eec->resync == HCA_RESYNC_DUE) {
			progress = rd_eec_send_resync(rd_eec);
			if (progress != HCA_DONE)
				return progress;
		}
		if (eec->resync) {
			rd_eec_resyncing(eec);
			return HCA_WAITING;
		}
		if (!eec->qp && (eec->common->state != IB_QPS_RTS || !rd_eec_next(rd_eec)))
			return HCA_DONE;
		progress = rd_eec_run_client(eec, budget);
		if (eec->qp)
			return progress;
		if (*budget <= 0)
			return HCA_BUDGET;
	}
}

/* A detached queue pair queues its request again, and the request then fails with an error. */
void hca_rd_eec_fail(struct hca_rd_eec *rd_eec)
{
	struct hca_eec *eec = &rd_eec->eec;
	struct hca_qp *qp;

	eec->timer_armed = false;
	hca_eec_release(eec);
	if (!eec->qp)
		eec->qp = rd_eec_first(rd_eec);
	/*
	 * There are at most HCA_MAX_QP iterations, because each queue pair is in the list once at
	 * most.
	 */
	while ((qp = eec->qp)) {
		spin_lock_nested(&qp->common.send_lock, SINGLE_DEPTH_NESTING);
		qp->sq_current = qp->sq_done;
		rd_eec_release(eec);
		spin_unlock(&qp->common.send_lock);
		eec->qp = rd_eec_first(rd_eec);
	}
	eec->resync = HCA_RESYNC_NONE;
	spin_lock(&eec->common->recv_lock);
	hca_rd_eec_abort(eec, HCA_VENDOR_ERR_EEC_ERROR);
	spin_unlock(&eec->common->recv_lock);
}

void hca_rd_eec_dequeue(struct hca_qp *qp)
{
	struct hca_rd_eec *rd_eec;

	local_bh_disable();
	spin_lock(&qp->common.send_lock);
	rd_eec = hca_rd_eec_withdraw(qp) ? NULL : hca_iba_qp(qp)->rd_eec;
	if (rd_eec)
		refcount_inc(&rd_eec->users);
	spin_unlock(&qp->common.send_lock);
	if (rd_eec) {
		spin_lock(&rd_eec->common.send_lock);
		spin_lock_nested(&qp->common.send_lock, SINGLE_DEPTH_NESTING);
		if (hca_iba_qp(qp)->rd_eec == rd_eec && rd_eec->eec.qp == qp)
			rd_eec_end_message(&rd_eec->eec);
		spin_unlock(&qp->common.send_lock);
		spin_unlock(&rd_eec->common.send_lock);
		hca_rd_eec_put(rd_eec);
	}
	hca_engine_run();
	local_bh_enable();
}

void hca_rd_eec_disconnect(struct hca_qp *qp)
{
	if (qp->type != HCA_QPT_RD)
		return;
	hca_rd_eec_dequeue(qp);
	local_bh_disable();
	hca_rd_eecs_drop(qp, false);
	local_bh_enable();
}

/* The functions below are the run function of the RD EE context, and functions that it calls. */

static enum hca_progress rd_eec_run_once(struct hca_rd_eec *rd_eec, int *budget)
{
	struct hca_eec *eec = &rd_eec->eec;
	enum hca_progress progress;

	if (!hca_eec_respond(eec, budget, &progress))
		return HCA_BUDGET;
	switch (eec->common->state) {
	case IB_QPS_RTS:
	case IB_QPS_SQD:
		if (progress == HCA_DONE)
			progress = rd_eec_send(rd_eec, budget);
		break;
	case IB_QPS_ERR:
		hca_rd_eec_fail(rd_eec);
		break;
	}
	if (hca_qp_common_draining(eec->common) && !eec->qp && !eec->resync)
		hca_qp_common_drained(eec->common);
	return progress;
}

void hca_rd_eec_notify(struct hca_qp_common *common, enum hca_qp_event event)
{
	struct hca_rd_eec *rd_eec = container_of(common, struct hca_rd_eec, common);

	if (rd_eec->eec.ca->rd_eec_event)
		rd_eec->eec.ca->rd_eec_event(rd_eec, event);
}

bool hca_rd_eec_run(struct hca_runnable *r, int *budget)
{
	struct hca_rd_eec *rd_eec = container_of(r, struct hca_rd_eec, common.run);
	enum hca_progress progress;

	spin_lock(&rd_eec->common.send_lock);
	progress = rd_eec_run_once(rd_eec, budget);
	spin_unlock(&rd_eec->common.send_lock);
	if (atomic_read(&rd_eec->common.events))
		hca_qp_common_notify(&rd_eec->common);
	return progress == HCA_BUDGET;
}

const struct hca_eec_ops hca_rd_eec_ops = {
	.timer = hca_retry_timer,
	.dest_get = hca_rd_eec_dest_get,
	.dest_put = hca_rd_eec_dest_put,
	.release = rd_eec_release,
	.suspend = rd_eec_suspend,
	.abandon = rd_eec_abandon,
	.resynced = rd_eec_resynced,
};
