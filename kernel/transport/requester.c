// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The requester, which makes packets of requests, in PSN order. */
#include <linux/errno.h>
#include <linux/kernel.h>
#include "link/batch.h"
#include "qp/local.h"
#include "transport/migrate.h"
#include "transport/pace.h"
#include "transport/path.h"
#include "transport/payload.h"
#include "transport/rd_eec.h"
#include "qp/request.h"
#include "transport/requester.h"
#include "transport/retry.h"
#include "qp/wr.h"
#include "transport/iba_qp.h"
#include "transport/loss.h"
#include "transport/operation.h"

#define HCA_PSN_HALF (1u << 23)
/* Limit of octets of a segment batch that is copied: more than eight pages are hard to allocate. */
#define HCA_MAX_COPIED (8 * HCA_MAX_MTU_BYTES)
/* Maximum interval, in packets, between two packets with the AckReq bit. */
#define HCA_ACK_INTERVAL 32u

static u32 outstanding_psns(const struct hca_eec *eec)
{
	return (eec->next_psn - eec->una_psn) & HCA_PSN_MASK;
}

static bool is_retry(const struct hca_eec *eec)
{
	return eec->next_psn != eec->sent_psn;
}

static bool is_reliable(const struct hca_eec *eec)
{
	return eec->transport != HCA_TRANSPORT_UC;
}

void hca_requester_fail(struct hca_eec *eec, enum hca_vendor_err error)
{
	struct hca_qp *qp = eec->qp;

	if (qp) { /* otherwise a Resync has failed */
		hca_eec_release(eec);
		if (qp->sq_done != qp->sq_fetched)
			hca_request_complete(qp, error);
	}
	eec->ops->abandon(eec, error);
}

/* Use up one retry, or migrate to the alternate path if none is left. */
static bool has_retry(struct hca_eec *eec)
{
	return hca_retry_again(eec) || (hca_migrate_now(eec) && hca_retry_again(eec));
}

void hca_requester_retry(struct hca_eec *eec, enum hca_vendor_err error)
{
	if (has_retry(eec)) {
		hca_retry_rewind(eec);
		return;
	}
	hca_loss_count(eec, HCA_CTR_RETRIES_EXCEEDED, 1);
	hca_requester_fail(eec, error);
}

/*
 * The peer notices a lost packet when the next one arrives, but no packet follows the last one. It
 * is sent again early, together with the unacknowledged packets before it, since the ACK timeout is
 * much longer than a round trip. A peer that was only slow treats these packets as duplicates.
 */
void hca_requester_timed_out(struct hca_eec *eec)
{
	enum hca_expiry expiry = hca_retry_expired(eec);
	struct hca_qp *qp;

	if (expiry == HCA_EXPIRY_NONE)
		return;
	qp = hca_client_lock(eec);
	if (expiry == HCA_EXPIRY_EARLY) {
		hca_retry_rewind(eec);
	} else {
		hca_loss_count(eec, HCA_CTR_ACK_TIMEOUTS, 1);
		hca_requester_retry(eec, HCA_VENDOR_ERR_TIMEOUT_RETRIES);
	}
	hca_client_unlock(qp);
}

/*
 * In SQD a request that has begun is finished, and no other request begins (req B4-239). A request
 * that an RD EE context has removed from its list has begun.
 */
static bool may_begin(const struct hca_eec *eec, const struct hca_request *req)
{
	return eec->common->state != IB_QPS_SQD || eec->is_rd_eec || is_retry(eec) ||
	       req->psn != eec->next_psn;
}

/*
 * Return the request to send from. An RD EE context sends only the oldest request of its queue
 * pair.
 */
static struct hca_request *requester_current(struct hca_eec *eec)
{
	struct hca_qp *qp = eec->qp;

	if (qp->sq_current != qp->sq_fetched)
		return hca_request_at(qp, qp->sq_current);
	return eec->is_rd_eec ? NULL : hca_request_fetch(qp);
}

/* Return whether @more further requests exceed the credits. */
static bool lacks_receives(const struct hca_eec *eec, u32 more)
{
	return eec->credited && (s32)(eec->recvs_begun + more - eec->recvs_allowed) > 0;
}

/*
 * Return whether the request exceeds the peer's known credits. A single packet of such a request
 * may be sent while no packet is outstanding, to ask for credits (req B4-357). Retries are not
 * limited, because they were within the credits before.
 */
static bool is_limited(const struct hca_eec *eec, const struct hca_request *req)
{
	bool counted = req->psn != eec->next_psn;

	if (!(req->kind & HCA_WR_CONSUMES_RECV) || is_retry(eec))
		return false;
	return lacks_receives(eec, !counted);
}

/* Return whether the next packet of the request may be sent. */
static bool requester_may_send(const struct hca_eec *eec, const struct hca_request *req)
{
	u32 outstanding = outstanding_psns(eec);

	if (!is_reliable(eec))
		return true;
	if (req->psn == eec->next_psn && (req->flags & HCA_WQE_FENCE) && eec->reads_outstanding)
		return false; /* IBA C10-101 */
	if (outstanding && is_limited(eec, req))
		return false;
	if (req->kind & HCA_WR_RESOURCE) {
		u32 packets = ((req->last_psn - eec->next_psn) & HCA_PSN_MASK) + 1;

		return eec->reads_outstanding < eec->attr.max_rd_atomic &&
		       outstanding < eec->window && outstanding + packets <= HCA_PSN_HALF;
	}
	return outstanding < eec->window;
}

static enum hca_place place_of(const struct hca_request *req, u32 psn)
{
	if (req->psn == req->last_psn)
		return HCA_ONLY;
	if (psn == req->psn)
		return HCA_FIRST;
	return psn == req->last_psn ? HCA_LAST : HCA_MIDDLE;
}

/*
 * Return the error of a request: its own, or the error of an attribute that has changed since the
 * request was fetched.
 */
static enum hca_vendor_err requester_check(const struct hca_eec *eec,
					   const struct hca_request *req)
{
	if (req->error || !(req->kind & HCA_WR_RESOURCE) || eec->attr.max_rd_atomic)
		return req->error;
	return eec->is_rd_eec ? HCA_VENDOR_ERR_EEC_DEPTH : HCA_VENDOR_ERR_INITIATOR_DEPTH;
}

/* Return whether the next request is sent without waiting for the end of the current one. */
static bool another_follows(struct hca_eec *eec)
{
	struct hca_qp *qp = eec->qp;
	const struct hca_request *next;

	if (eec->is_rd_eec || eec->common->state == IB_QPS_SQD)
		return false;
	next = qp->sq_current + 1 != qp->sq_fetched ? hca_request_at(qp, qp->sq_current + 1) :
						      hca_request_fetch(qp);
	if (!next || requester_check(eec, next) || (next->flags & HCA_WQE_FENCE) ||
	    (next->kind & HCA_WR_LOCAL))
		return false;
	/* The current request may not be counted yet either. */
	return !(next->kind & HCA_WR_CONSUMES_RECV) || !lacks_receives(eec, 2);
}

/* Return whether a packet, or the last one of a batch, must have the AckReq bit. */
static bool wants_ack(struct hca_eec *eec, const struct hca_request *req, u32 psn, u8 packets)
{
	bool last = psn == req->last_psn;

	/*
	 * The last packet before a pause needs a response; a signalled request should get one soon.
	 */
	if (last && (eec->qp->signal_all || (req->flags & HCA_WQE_SIGNALED)))
		return true;
	if (eec->unasked + packets >= HCA_ACK_INTERVAL ||
	    ((psn - eec->una_psn) & HCA_PSN_MASK) == eec->window - 1u || is_limited(eec, req))
		return true;
	/* New packets may have to wait until the retries are acknowledged. */
	if (is_retry(eec) && hca_psn_add(psn, 1) == eec->sent_psn)
		return true;
	return last && !another_follows(eec);
}

/* Return the number of packets from the next one to the first with the AckReq bit, inclusive. */
static u32 until_ack(const struct hca_eec *eec)
{
	u32 n = min(HCA_ACK_INTERVAL - eec->unasked, eec->window - outstanding_psns(eec));

	return is_retry(eec) ? min(n, (eec->sent_psn - eec->next_psn) & HCA_PSN_MASK) : n;
}

/*
 * Return the maximum number of packets in a segment batch: only its last packet may have the AckReq
 * bit. Data of an unreliable connection are copied, and copied again if the batch is split, as a
 * phy does.
 */
static u32 longest_batch(const struct hca_eec *eec)
{
	if (is_reliable(eec))
		return min(until_ack(eec), (u32)HCA_MAX_BATCH);
	if (rcu_access_pointer(eec->port->phy))
		return 1;
	return min(HCA_MAX_COPIED / eec->mtu, (u32)HCA_MAX_BATCH);
}

/* Return the number of packets to send as one segment batch, all of them Middle packets. */
static u8 requester_batch(const struct hca_eec *eec, const struct hca_request *req, int budget)
{
	u32 middle = (req->last_psn - eec->next_psn) & HCA_PSN_MASK;

	if (eec->next_psn == req->psn || middle < 2 || (req->kind & HCA_WR_FETCHES) ||
	    (req->flags & HCA_WQE_INLINE) || eec->pace || !READ_ONCE(hca_batches) ||
	    is_limited(eec, req))
		return 1;
	return min3(middle, (u32)budget, longest_batch(eec));
}

static void requester_address(struct hca_eec *eec, const struct hca_request *req,
			      struct hca_headers *h)
{
	h->bth.pkey = READ_ONCE(eec->port->tables.pkey[eec->attr.pkey_index]);
	if (!eec->is_rd_eec) {
		h->bth.destqp = eec->attr.dest_qpn;
		if (eec->transport == HCA_TRANSPORT_XRC)
			h->xrceth_srqn = req->remote_srqn;
		return;
	}
	h->bth.destqp = req->remote_qpn;
	h->rdeth_eecn = eec->attr.dest_qpn;
	h->deth.qkey = hca_qkey_of(eec->qp, req->remote_qkey);
	h->deth.srcqp = eec->qp->qpn;
}

static void requester_remote(const struct hca_request *req, u32 offset, u16 flags,
			     struct hca_headers *h)
{
	if (flags & HCA_WR_ATOMIC) {
		bool swaps = req->opcode == IB_UVERBS_WR_ATOMIC_CMP_AND_SWP;

		h->atomiceth.va = req->remote_addr;
		h->atomiceth.rkey = req->rkey;
		h->atomiceth.swap_add = swaps ? req->swap : req->compare_add;
		h->atomiceth.compare = swaps ? req->compare_add : 0;
	} else {
		h->reth.va = req->remote_addr + offset;
		h->reth.rkey = req->rkey;
		h->reth.length = req->length - offset;
	}
	if (flags & HCA_WR_FLUSH) {
		h->reth.length = req->flush.length;
		h->feth.placement = req->flush.placement;
		h->feth.selectivity = req->flush.selectivity;
	}
}

/* Build the packet with PSN next_psn, or a segment batch that begins with it. */
static int requester_build(struct hca_eec *eec, struct hca_request *req,
			   struct hca_packet *pkt)
{
	const struct hca_wr_info *info = &hca_wr[req->opcode];
	u32 psn = eec->next_psn;
	u32 offset = ((psn - req->psn) & HCA_PSN_MASK) * eec->mtu;
	struct hca_headers *h = &pkt->h;
	int ret;

	/* Without an acknowledgement the request's memory is free at once: the data are copied. */
	if (info->flags & HCA_WR_FETCHES)
		ret = hca_request_ready(eec->qp, req);
	else
		ret = hca_payload_attach(eec->qp, req, offset,
					 min(eec->mtu, req->length - offset), pkt,
					 !is_reliable(eec));
	if (ret == -EAGAIN)
		hca_loss_count(eec, HCA_CTR_ODP_FAULTS, 1);
	if (ret)
		return ret;
	hca_path_fill(pkt, eec->port, &eec->attr.av);
	h->bth.opcode = eec->transport << 5 | hca_operation[req->opcode][place_of(req, psn)];
	h->bth.flags = hca_migreq(eec);
	h->bth.tver = 0;
	h->bth.psn = psn;
	requester_address(eec, req, h);
	if (is_reliable(eec) &&
	    wants_ack(eec, req, hca_psn_add(psn, pkt->packets - 1), pkt->packets))
		h->bth.flags |= HCA_BTH_ACKREQ;
	if (psn == req->last_psn) {
		/* Only a consumed receive request causes a solicited event (req B4-262). */
		if ((req->flags & HCA_WQE_SOLICITED) && (info->flags & HCA_WR_CONSUMES_RECV))
			h->bth.flags |= HCA_BTH_SOLICITED;
		if (info->flags & HCA_WR_INVALIDATE)
			h->ieth_rkey = req->invalidate_rkey;
		else
			h->immdt = req->imm_data;
	}
	if (info->flags & HCA_WR_RDMA)
		requester_remote(req, offset, info->flags, h);
	return 0;
}

static void requester_count(struct hca_eec *eec, struct hca_request *req, bool retry)
{
	u16 flags = req->kind;

	if (flags & HCA_WR_READ)
		req->requested_psn = eec->next_psn;
	if (flags & HCA_WR_RESOURCE)
		eec->reads_outstanding++;
	if ((flags & HCA_WR_CONSUMES_RECV) && !retry && eec->next_psn == req->psn)
		eec->recvs_begun++;
}

/*
 * Update the state after a packet was sent. Return: false if the queue pair is in Error because a
 * CQ has no room.
 */
static bool requester_sent(struct hca_eec *eec, struct hca_request *req, u8 packets,
			   bool ackreq)
{
	bool retry = is_retry(eec);
	u32 last = req->kind & HCA_WR_READ ? req->last_psn :
					     hca_psn_add(eec->next_psn, packets - 1);

	requester_count(eec, req, retry);
	if (unlikely(retry))
		hca_loss_count(eec, HCA_CTR_RETRANSMITTED_PACKETS, packets);
	eec->unasked = ackreq ? 0 : eec->unasked + packets;
	eec->next_psn = hca_psn_add(last, 1);
	if (!retry || ((eec->next_psn - eec->una_psn) & HCA_PSN_MASK) >
			      ((eec->sent_psn - eec->una_psn) & HCA_PSN_MASK))
		eec->sent_psn = eec->next_psn;
	if (last == req->last_psn)
		eec->qp->sq_current++;
	if (!is_reliable(eec)) {
		eec->una_psn = eec->next_psn;
		return last != req->last_psn || hca_request_complete(eec->qp, HCA_VENDOR_ERR_NONE);
	}
	if (!eec->timer_armed)
		hca_retry_arm(eec);
	return true;
}

/*
 * The last packet had no AckReq bit, because another packet was to follow. If none follows after
 * all (SQD, an error, credits), only the ACK timeout would end the wait. The packet is sent again
 * with the bit.
 */
static enum hca_progress requester_idle(struct hca_eec *eec, enum hca_progress progress)
{
	if (!eec->unasked || !outstanding_psns(eec) || is_retry(eec))
		return progress;
	hca_retry_rewind(eec);
	return HCA_BUDGET;
}

/* A request that cannot be sent fails when all requests before it have ended. */
static enum hca_progress requester_refuse(struct hca_eec *eec, enum hca_vendor_err error)
{
	if (eec->qp->sq_current != eec->qp->sq_done)
		return requester_idle(eec, HCA_WAITING);
	hca_requester_fail(eec, error);
	return HCA_BUDGET;
}

/* Execute a local request when all requests before it have ended. */
static enum hca_progress requester_local(struct hca_eec *eec, const struct hca_request *req)
{
	struct hca_qp *qp = eec->qp;
	enum hca_vendor_err error;

	if (qp->sq_current != qp->sq_done)
		return requester_idle(eec, HCA_WAITING);
	error = hca_local_execute(qp, req);
	if (error) {
		hca_requester_fail(eec, error);
		return HCA_BUDGET;
	}
	qp->sq_current++;
	return hca_request_complete(qp, HCA_VENDOR_ERR_NONE) ? HCA_DONE : HCA_BUDGET;
}

/*
 * Return whether a packet may be sent, or sent again. The first copy of the packet may have been
 * lost because the request's memory no longer exists.
 */
static bool worth_a_retry(const struct hca_eec *eec, const struct hca_request *req)
{
	return !is_retry(eec) || hca_request_mrs_ok(eec->qp, req);
}

enum hca_progress hca_requester_send(struct hca_eec *eec, int *budget)
{
	enum hca_progress progress;
	enum hca_vendor_err error;
	struct hca_request *req;
	struct hca_packet *pkt;
	u8 packets;
	bool ackreq;
	u16 pktlen;
	int ret;

	while (!eec->rnr_wait) {
		if (*budget <= 0)
			return HCA_BUDGET;
		req = requester_current(eec);
		if (!req)
			return requester_idle(eec, HCA_DONE);
		if (!may_begin(eec, req))
			return requester_idle(eec, HCA_WAITING);
		error = requester_check(eec, req);
		if (error)
			return requester_refuse(eec, error);
		if (req->kind & HCA_WR_LOCAL) {
			progress = requester_local(eec, req);
			if (progress != HCA_DONE)
				return progress;
			(*budget)--;
			continue;
		}
		if (!requester_may_send(eec, req))
			return is_limited(eec, req) ? requester_idle(eec, HCA_WAITING) :
							  HCA_WAITING;
		if (!hca_pace_ok(eec, eec->pace))
			return HCA_WAITING;
		if (!worth_a_retry(eec, req))
			return requester_refuse(eec, hca_request_refusal(eec->qp, req));

		pkt = hca_packet_alloc(&eec->ca->pool);
		if (pkt)
			pkt->packets = requester_batch(eec, req, *budget);
		ret = pkt ? requester_build(eec, req, pkt) : -ENOMEM;
		if (ret) {
			if (pkt)
				hca_packet_free(pkt);
			if (ret == -EFAULT)
				return requester_refuse(eec, hca_request_refusal(eec->qp, req));
			hca_retry_soon(eec);
			return HCA_WAITING;
		}
		hca_packet_finish(pkt);
		pktlen = pkt->h.lrh.pktlen;
		packets = pkt->packets;
		ackreq = pkt->h.bth.flags & HCA_BTH_ACKREQ || (req->kind & HCA_WR_RESOURCE);
		if (!hca_port_send(eec->port, pkt, &eec->blocked)) {
			hca_packet_free(pkt);
			return HCA_WAITING;
		}
		if (eec->pace)
			hca_paced(eec, eec->pace, pktlen);
		if (!requester_sent(eec, req, packets, ackreq))
			return HCA_BUDGET;
		*budget -= packets;
	}
	return HCA_WAITING;
}
