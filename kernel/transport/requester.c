// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The requester, which sends the packets of requests in PSN order. */
#include "transport/requester.h"
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include "packet/batch.h"
#include "qp/local.h"
#include "qp/request.h"
#include "qp/segments.h"
#include "transport/iba_qp.h"
#include "transport/loss.h"
#include "transport/migrate.h"
#include "transport/pace.h"
#include "transport/path.h"
#include "transport/payload.h"
#include "transport/rd/rd_eec.h"
#include "transport/retry.h"
#include "transport/wr.h"

#define HCA_PSN_HALF (1u << 23)
/*
 * Maximum payload, in octets, of a segment batch whose data are copied to one buffer. More than
 * eight contiguous pages are hard to allocate.
 */
#define HCA_MAX_COPIED (8 * HCA_MAX_MTU_BYTES)
/* Maximum interval, in packets, between two packets with the AckReq bit. */
#define HCA_ACK_INTERVAL 32u

static u32 requester_outstanding_psns(const struct hca_eec *eec)
{
	return (eec->next_psn - eec->una_psn) & HCA_PSN_MASK;
}

static bool requester_is_retry(const struct hca_eec *eec)
{
	return eec->next_psn != eec->sent_psn;
}

static bool requester_is_reliable(const struct hca_eec *eec)
{
	return eec->transport != HCA_TRANSPORT_UC;
}

void hca_requester_fail(struct hca_eec *eec, enum hca_vendor_err error)
{
	struct hca_qp *qp = eec->qp;

	if (qp) { /* NULL: a Resync has failed */
		hca_eec_release(eec);
		if (qp->sq_done != qp->sq_fetched)
			hca_request_complete(qp, error);
	}
	eec->ops->abandon(eec, error);
}

/*
 * Use up one retry. If no retry is left, migrate to the alternate path, which gives new retries.
 * Return: false if neither is possible.
 */
static bool requester_use_retry(struct hca_eec *eec)
{
	return hca_retry_again(eec) || (hca_migrate_now(eec) && hca_retry_again(eec));
}

void hca_requester_retry(struct hca_eec *eec, enum hca_vendor_err error)
{
	if (requester_use_retry(eec)) {
		hca_retry_rewind(eec);
		return;
	}
	hca_loss_count(eec, HCA_CTR_RETRIES_EXCEEDED, 1);
	hca_requester_fail(eec, error);
}

/*
 * HCA_EXPIRY_EARLY is for the loss of the last packet. The peer cannot notice this loss, because it
 * notices a lost packet when a later packet arrives. The ACK timeout is much longer than a round
 * trip. Therefore all unacknowledged packets are sent again before the ACK timeout. A peer that was
 * only slow treats them as duplicates.
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
 * Return whether the state permits sending the request. In SQD, no request begins, and requests
 * that have begun are finished (req B4-239). A request counts as begun when an RD EE context serves
 * its queue pair.
 */
static bool requester_may_begin(const struct hca_eec *eec, const struct hca_request *req)
{
	return eec->common->state != IB_QPS_SQD || eec->is_rd_eec || requester_is_retry(eec) ||
	       req->iba.psn != eec->next_psn;
}

/*
 * Return the request of the next packet to send, or NULL. An RD EE context sends only the oldest
 * request of the queue pair that it serves.
 */
static struct hca_request *requester_current(struct hca_eec *eec)
{
	struct hca_qp *qp = eec->qp;

	if (qp->sq_current != qp->sq_fetched)
		return hca_request_at(qp, qp->sq_current);
	return eec->is_rd_eec ? NULL : hca_request_fetch(qp);
}

/* Return whether @more requests, in addition to recvs_begun, would exceed the peer's credits. */
static bool requester_lacks_receives(const struct hca_eec *eec, u32 more)
{
	return eec->credited && (s32)(eec->recvs_begun + more - eec->recvs_allowed) > 0;
}

/*
 * Return whether the request exceeds the peer's known credits. While no packet is outstanding, a
 * single packet of such a request may be sent to ask for credits (req B4-357). Retries are not
 * limited, because they were within the credits when they were first sent.
 */
static bool requester_is_limited(const struct hca_eec *eec, const struct hca_request *req)
{
	bool counted = req->iba.psn != eec->next_psn;

	if (!(req->kind & HCA_WR_CONSUMES_RECV) || requester_is_retry(eec))
		return false;
	return requester_lacks_receives(eec, !counted);
}

/* Return whether the next packet of the request may be sent. */
static bool requester_may_send(const struct hca_eec *eec, const struct hca_request *req)
{
	u32 outstanding = requester_outstanding_psns(eec);

	if (!requester_is_reliable(eec))
		return true;
	if (req->iba.psn == eec->next_psn && (req->flags & HCA_WQE_FENCE) && eec->reads_outstanding)
		return false; /* the request is fenced (IBA C10-101) */
	if (outstanding && requester_is_limited(eec, req))
		return false;
	if (req->kind & HCA_WR_RESOURCE) {
		u32 packets = ((req->iba.last_psn - eec->next_psn) & HCA_PSN_MASK) + 1;

		return eec->reads_outstanding < eec->attr.max_rd_atomic &&
		       outstanding < eec->window && outstanding + packets <= HCA_PSN_HALF;
	}
	return outstanding < eec->window;
}

static enum hca_place requester_place_of(const struct hca_request *req, u32 psn)
{
	if (req->iba.psn == req->iba.last_psn)
		return HCA_ONLY;
	if (psn == req->iba.psn)
		return HCA_FIRST;
	return psn == req->iba.last_psn ? HCA_LAST : HCA_MIDDLE;
}

/*
 * Return the error that the request fails with, or HCA_VENDOR_ERR_NONE. Either the error was found
 * when the request was fetched, or the request needs a responder resource and max_rd_atomic is 0.
 */
static enum hca_vendor_err requester_check(const struct hca_eec *eec,
					   const struct hca_request *req)
{
	if (req->error || !(req->kind & HCA_WR_RESOURCE) || eec->attr.max_rd_atomic)
		return req->error;
	return eec->is_rd_eec ? HCA_VENDOR_ERR_EEC_DEPTH : HCA_VENDOR_ERR_INITIATOR_DEPTH;
}

/* Return whether the next request can be sent before the current request is complete. */
static bool requester_another_follows(struct hca_eec *eec)
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
	/* Neither the current nor the next request may be counted in recvs_begun yet. */
	return !(next->kind & HCA_WR_CONSUMES_RECV) || !requester_lacks_receives(eec, 2);
}

/*
 * Return whether the packet with PSN @psn, the last of @packets packets, must have the AckReq bit.
 */
static bool requester_wants_ack(struct hca_eec *eec, const struct hca_request *req, u32 psn,
				u8 packets)
{
	bool last = psn == req->iba.last_psn;

	/* The completion of a signaled request must not be delayed. */
	if (last && (eec->qp->signal_all || (req->flags & HCA_WQE_SIGNALED)))
		return true;
	if (eec->unasked + packets >= HCA_ACK_INTERVAL ||
	    ((psn - eec->una_psn) & HCA_PSN_MASK) == eec->window - 1u ||
	    requester_is_limited(eec, req))
		return true;
	/*
	 * This is the last packet that is sent again. New packets may have to wait for its
	 * acknowledgement.
	 */
	if (requester_is_retry(eec) && hca_psn_add(psn, 1) == eec->sent_psn)
		return true;
	/* The last packet before a pause in sending needs a response. */
	return last && !requester_another_follows(eec);
}

/* Return the number of packets up to and including the next packet that has the AckReq bit. */
static u32 requester_until_ack(const struct hca_eec *eec)
{
	u32 n = min(HCA_ACK_INTERVAL - eec->unasked, eec->window - requester_outstanding_psns(eec));

	return requester_is_retry(eec) ? min(n, (eec->sent_psn - eec->next_psn) & HCA_PSN_MASK) : n;
}

/*
 * Return the maximum number of packets in a segment batch. Only the last packet of a batch may have
 * the AckReq bit. For an unreliable connection the data are copied. A phy would split such a batch
 * and copy the data again; therefore packets for a phy are not batched.
 */
static u32 requester_longest_batch(const struct hca_eec *eec)
{
	if (requester_is_reliable(eec))
		return min(requester_until_ack(eec), (u32)HCA_MAX_BATCH);
	if (rcu_access_pointer(eec->port->phy))
		return 1;
	return min(HCA_MAX_COPIED / eec->mtu, (u32)HCA_MAX_BATCH);
}

/* Return the number of packets to send as one segment batch. A batch consists of Middle packets. */
static u8 requester_batch(const struct hca_eec *eec, const struct hca_request *req, int budget)
{
	u32 middle = (req->iba.last_psn - eec->next_psn) & HCA_PSN_MASK;

	if (eec->next_psn == req->iba.psn || middle < 2 || (req->kind & HCA_WR_FETCHES) ||
	    (req->flags & HCA_WQE_INLINE) || eec->pace || !READ_ONCE(hca_batches) ||
	    requester_is_limited(eec, req))
		return 1;
	return min3(middle, (u32)budget, requester_longest_batch(eec));
}

static void requester_address(struct hca_eec *eec, const struct hca_request *req,
			      struct hca_headers *h)
{
	h->bth.pkey = READ_ONCE(eec->port->tables.pkey[eec->attr.iba.pkey_index]);
	if (!eec->is_rd_eec) {
		h->bth.destqp = eec->attr.iba.dest_qpn;
		if (eec->transport == HCA_TRANSPORT_XRC)
			h->xrceth_srqn = req->iba.remote_srqn;
		return;
	}
	h->bth.destqp = req->iba.remote_qpn;
	h->rdeth_eecn = eec->attr.iba.dest_qpn;
	h->deth.qkey = hca_qkey_of(eec->qp, req->iba.remote_qkey);
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

/* Build the packet with PSN next_psn, or a segment batch that begins with PSN next_psn. */
static int requester_build(struct hca_eec *eec, struct hca_request *req,
			   struct hca_packet *pkt)
{
	const struct hca_wr_info *info = &hca_iba_wr[req->opcode];
	u32 psn = eec->next_psn;
	u32 offset = ((psn - req->iba.psn) & HCA_PSN_MASK) * eec->mtu;
	struct hca_headers *h = &pkt->h;
	int ret;

	/*
	 * Data are copied if the request completes when it is sent, because the consumer may then
	 * reuse the memory.
	 */
	if (info->flags & HCA_WR_FETCHES)
		ret = hca_request_ready(eec->qp, req);
	else
		ret = hca_payload_attach(eec->qp, req, offset,
					 min(eec->mtu, req->length - offset), pkt,
					 !requester_is_reliable(eec));
	if (ret == -EAGAIN)
		hca_loss_count(eec, HCA_CTR_ODP_FAULTS, 1);
	if (ret)
		return ret;
	hca_path_fill(pkt, eec->port, &eec->attr.iba.av);
	h->bth.opcode = eec->transport << 5 |
			hca_operation[req->opcode][requester_place_of(req, psn)];
	h->bth.flags = hca_migreq(eec);
	h->bth.tver = 0;
	h->bth.psn = psn;
	requester_address(eec, req, h);
	if (requester_is_reliable(eec) &&
	    requester_wants_ack(eec, req, hca_psn_add(psn, pkt->packets - 1), pkt->packets))
		h->bth.flags |= HCA_BTH_ACKREQ;
	if (psn == req->iba.last_psn) {
		/*
		 * Only a message that consumes a receive request can cause a solicited event (req
		 * B4-262).
		 */
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
	if ((flags & HCA_WR_CONSUMES_RECV) && !retry && eec->next_psn == req->iba.psn)
		eec->recvs_begun++;
}

/*
 * Update the state after a packet was sent. Return: false if the CQ is full and the queue pair is
 * therefore in Error.
 */
static bool requester_sent(struct hca_eec *eec, struct hca_request *req, u8 packets,
			   bool ackreq)
{
	bool retry = requester_is_retry(eec);
	u32 last = req->kind & HCA_WR_READ ? req->iba.last_psn :
					     hca_psn_add(eec->next_psn, packets - 1);

	requester_count(eec, req, retry);
	if (unlikely(retry))
		hca_loss_count(eec, HCA_CTR_RETRANSMITTED_PACKETS, packets);
	eec->unasked = ackreq ? 0 : eec->unasked + packets;
	eec->next_psn = hca_psn_add(last, 1);
	if (!retry || ((eec->next_psn - eec->una_psn) & HCA_PSN_MASK) >
			      ((eec->sent_psn - eec->una_psn) & HCA_PSN_MASK))
		eec->sent_psn = eec->next_psn;
	if (last == req->iba.last_psn)
		eec->qp->sq_current++;
	if (!requester_is_reliable(eec)) {
		eec->una_psn = eec->next_psn;
		return last != req->iba.last_psn ||
		       hca_request_complete(eec->qp, HCA_VENDOR_ERR_NONE);
	}
	if (!eec->timer_armed)
		hca_retry_arm(eec);
	return true;
}

/*
 * Handle a pause in sending. The last packet may have been sent without the AckReq bit, because
 * another packet was expected to follow. If none follows (because of SQD, an error or missing
 * credits), the peer sends no acknowledgement before the ACK timeout. Therefore the unacknowledged
 * packets are sent again, with the AckReq bit in the last one.
 */
static enum hca_progress requester_idle(struct hca_eec *eec, enum hca_progress progress)
{
	if (!eec->unasked || !requester_outstanding_psns(eec) || requester_is_retry(eec))
		return progress;
	hca_retry_rewind(eec);
	return HCA_BUDGET;
}

/* Fail a request that cannot be sent, as soon as all requests before it have ended. */
static enum hca_progress requester_refuse(struct hca_eec *eec, enum hca_vendor_err error)
{
	if (eec->qp->sq_current != eec->qp->sq_done)
		return requester_idle(eec, HCA_WAITING);
	hca_requester_fail(eec, error);
	return HCA_BUDGET;
}

/*
 * Execute a local request, as soon as all requests before it have ended.
 * Return: HCA_DONE if the next request can follow; otherwise the result of hca_requester_send().
 */
static enum hca_progress requester_local(struct hca_eec *eec, const struct hca_request *req,
					 int *budget)
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
	if (!hca_request_complete(qp, HCA_VENDOR_ERR_NONE))
		return HCA_BUDGET;
	(*budget)--;
	return HCA_DONE;
}

/*
 * Return false if the next packet is a retry that cannot succeed, because the memory that the
 * packet refers to no longer exists.
 */
static bool requester_worth_a_retry(const struct hca_eec *eec, const struct hca_request *req)
{
	return !requester_is_retry(eec) || hca_request_mrs_ok(eec->qp, req);
}

/* Build the next packet of a request, or a batch of them. Return: an ERR_PTR if that fails. */
static struct hca_packet *requester_packet(struct hca_eec *eec, struct hca_request *req, int budget)
{
	struct hca_packet *pkt = hca_packet_alloc(&eec->ca->pool);
	int ret;

	if (!pkt)
		return ERR_PTR(-ENOMEM);
	pkt->packets = requester_batch(eec, req, budget);
	ret = requester_build(eec, req, pkt);
	if (ret) {
		hca_packet_free(pkt);
		return ERR_PTR(ret);
	}
	hca_packet_finish(pkt);
	return pkt;
}

/*
 * Send the next packet of a request, or a batch of them.
 * Return: HCA_DONE if the next packet can follow; otherwise the result of hca_requester_send().
 */
static enum hca_progress requester_emit(struct hca_eec *eec, struct hca_request *req, int *budget)
{
	struct hca_packet *pkt;
	u8 packets;
	bool ackreq;
	u16 pktlen;

	if (!requester_may_send(eec, req))
		return requester_is_limited(eec, req) ? requester_idle(eec, HCA_WAITING) :
							HCA_WAITING;
	if (!hca_pace_ok(eec, eec->pace))
		return HCA_WAITING;
	if (!requester_worth_a_retry(eec, req))
		return requester_refuse(eec, hca_request_refusal(eec->qp, req));
	pkt = requester_packet(eec, req, *budget);
	if (pkt == ERR_PTR(-EFAULT))
		return requester_refuse(eec, hca_request_refusal(eec->qp, req));
	if (IS_ERR(pkt)) {
		hca_retry_soon(eec);
		return HCA_WAITING;
	}
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
	return HCA_DONE;
}

enum hca_progress hca_requester_send(struct hca_eec *eec, int *budget)
{
	enum hca_progress progress;
	enum hca_vendor_err error;
	struct hca_request *req;

	while (!eec->rnr_wait) {
		if (*budget <= 0)
			return HCA_BUDGET;
		req = requester_current(eec);
		if (!req)
			return requester_idle(eec, HCA_DONE);
		if (!requester_may_begin(eec, req))
			return requester_idle(eec, HCA_WAITING);
		error = requester_check(eec, req);
		if (error)
			return requester_refuse(eec, error);
		if (req->kind & HCA_WR_LOCAL)
			progress = requester_local(eec, req, budget);
		else
			progress = requester_emit(eec, req, budget);
		if (progress != HCA_DONE)
			return progress;
	}
	return HCA_WAITING;
}
