// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The completer: it completes requests when responses arrive, or has packets sent again. */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "compat.h"
#include "link/batch.h"
#include "transport/aeth.h"
#include "transport/completer.h"
#include "transport/credit.h"
#include "transport/iba_qp.h"
#include "transport/loss.h"
#include "transport/payload.h"
#include "transport/rd_eec.h"
#include "qp/request.h"
#include "transport/requester.h"
#include "transport/retry.h"
#include "qp/wr.h"

/* PSNs are compared as distances from the oldest unacknowledged PSN. */
static u32 distance(const struct hca_eec *eec, u32 psn)
{
	return (psn - eec->una_psn) & HCA_PSN_MASK;
}

/* Return whether the request has a response of its own: an acknowledgement does not complete it. */
static bool has_response(const struct hca_request *req)
{
	return req->kind & HCA_WR_RESOURCE;
}

static struct hca_request *oldest(struct hca_eec *eec)
{
	struct hca_qp *qp = eec->qp;

	return qp && qp->sq_done != qp->sq_fetched ? hca_request_at(qp, qp->sq_done) : NULL;
}

/* Return whether the EE context still sends. An earlier response may have ended that. */
static bool is_sending(const struct hca_eec *eec)
{
	return eec->common->state == IB_QPS_RTS || eec->common->state == IB_QPS_SQD;
}

/*
 * All packets before @psn have arrived. The ACK timeout and the retry counters start anew (IBA
 * C9-141).
 */
static void advance(struct hca_eec *eec, u32 psn)
{
	if (distance(eec, eec->next_psn) < distance(eec, psn)) {
		/* The packets that were being sent again have arrived after all. */
		eec->next_psn = psn;
		if (eec->qp)
			eec->qp->sq_current = eec->qp->sq_done;
		eec->reads_outstanding = 0;
	}
	eec->window = min_t(u32, eec->window + distance(eec, psn), HCA_WINDOW);
	eec->una_psn = psn;
	eec->rewound = false;
	eec->retries_left = eec->attr.retry_cnt;
	eec->rnr_left = eec->attr.rnr_retry;
	hca_retry_acknowledged(eec);
	eec->rnr_wait = false;
	if (psn != eec->sent_psn)
		hca_retry_arm(eec);
}

/* Complete the oldest request. Return: false if no further response may be processed. */
static bool finish(struct hca_eec *eec, const struct hca_request *req)
{
	struct hca_qp *qp = eec->qp;
	u16 flags = req->kind;
	bool ok;

	if ((flags & HCA_WR_RESOURCE) && qp->sq_current != qp->sq_done && eec->reads_outstanding)
		eec->reads_outstanding--;
	if (flags & HCA_WR_CONSUMES_RECV)
		eec->recvs_ended++;
	if (qp->sq_current == qp->sq_done)
		qp->sq_current++;
	ok = hca_request_complete(qp, HCA_VENDOR_ERR_NONE);
	if (!eec->is_rd_eec)
		return ok;
	eec->ops->release(eec);
	return true; /* an error of the queue pair does not stop the EE context */
}

/*
 * All packets up to and including @psn are acknowledged. The acknowledgement does not complete a
 * request that has a response of its own: that response is missing, which counts as a NAK (IBA
 * C9-90).
 *
 * Return: true unless such a response is missing or a request could not be completed.
 */
static bool acknowledged(struct hca_eec *eec, u32 psn)
{
	u32 upto = hca_psn_add(psn, 1);
	struct hca_request *req;

	/* Bound: the requests that the send queue has room for. */
	while ((req = oldest(eec)) &&
	       distance(eec, req->last_psn) < distance(eec, upto)) {
		u32 next = hca_psn_add(req->last_psn, 1);

		if (has_response(req))
			return false;
		if (!finish(eec, req))
			return false;
		advance(eec, next);
	}
	if (eec->una_psn == upto)
		return true;
	if (req && has_response(req))
		return false;
	advance(eec, upto); /* a part of a long message */
	return true;
}

/*
 * @cause: counter of the event that shows the loss; @error: error of the request if no retry is
 * left
 */
static void go_back(struct hca_eec *eec, enum hca_counter cause, enum hca_vendor_err error)
{
	if (eec->rewound)
		return; /* the packets are being sent again already */
	hca_loss_count(eec, cause, 1);
	hca_requester_retry(eec, error);
}

/*
 * Acknowledge all packets before @psn. Return: false if a response is missing and was requested
 * again.
 */
static bool acknowledged_before(struct hca_eec *eec, u32 psn)
{
	if (psn == eec->una_psn || acknowledged(eec, (psn - 1) & HCA_PSN_MASK))
		return true;
	if (is_sending(eec))
		go_back(eec, HCA_CTR_IMPLIED_NAKS, HCA_VENDOR_ERR_IMPLIED_RETRIES);
	return false;
}

static void receive_nak(struct hca_eec *eec, u8 syndrome)
{
	static const u8 fatal[] = {
		[HCA_NAK_INVALID_REQUEST & HCA_SYNDROME_VALUE] = HCA_VENDOR_ERR_NAK_REQUEST,
		[HCA_NAK_REMOTE_ACCESS & HCA_SYNDROME_VALUE] = HCA_VENDOR_ERR_NAK_ACCESS,
		[HCA_NAK_REMOTE_OPERATION & HCA_SYNDROME_VALUE] = HCA_VENDOR_ERR_NAK_OPERATION,
		[HCA_NAK_INVALID_RD_REQUEST & HCA_SYNDROME_VALUE] = HCA_VENDOR_ERR_NAK_RD,
	};
	u8 value = syndrome & HCA_SYNDROME_VALUE;

	if (syndrome == HCA_NAK_PSN_SEQUENCE)
		go_back(eec, HCA_CTR_SEQUENCE_NAKS_RCVD, HCA_VENDOR_ERR_SEQUENCE_RETRIES);
	else if (value < ARRAY_SIZE(fatal) &&
		 (eec->transport == HCA_TRANSPORT_RD || syndrome != HCA_NAK_INVALID_RD_REQUEST))
		hca_requester_fail(eec, fatal[value]);
	else
		hca_requester_fail(eec, HCA_VENDOR_ERR_NAK_CODE);
}

static void receive_rnr(struct hca_eec *eec, const struct hca_packet *pkt)
{
	u8 code = pkt->h.aeth.syndrome & HCA_SYNDROME_VALUE;
	u8 *left = &hca_qp_eec(eec->qp)->rnr_left;

	hca_loss_count(eec, HCA_CTR_RNR_NAKS_RCVD, 1);
	if (!*left) {
		hca_loss_count(eec, HCA_CTR_RNR_RETRIES_EXCEEDED, 1);
		hca_requester_fail(eec, HCA_VENDOR_ERR_RNR_RETRIES);
		return;
	}
	if (eec->attr.rnr_retry != 7)
		(*left)--;
	eec->ops->suspend(eec, code, pkt->h.aeth.msn);
}

static void receive_ack(struct hca_eec *eec, const struct hca_packet *pkt)
{
	u8 syndrome = pkt->h.aeth.syndrome;
	u8 kind = syndrome & HCA_SYNDROME_KIND;

	if (kind == HCA_SYNDROME_ACK) {
		if (!acknowledged(eec, pkt->h.bth.psn) && is_sending(eec))
			go_back(eec, HCA_CTR_IMPLIED_NAKS, HCA_VENDOR_ERR_IMPLIED_RETRIES);
		return;
	}
	if (kind != HCA_SYNDROME_RNR && kind != HCA_SYNDROME_NAK) /* reserved */
		return;
	/* A NAK acknowledges all packets before its PSN. */
	if (!acknowledged_before(eec, pkt->h.bth.psn) || !eec->qp)
		return;
	if (kind == HCA_SYNDROME_RNR)
		receive_rnr(eec, pkt);
	else
		receive_nak(eec, syndrome);
}

/*
 * Check the position of a Read response. The first response to a request packet is a First or an
 * Only. The first response to a repeated request packet is a First too, but a late response to an
 * earlier request packet with the same PSN is a Middle or a Last. All other responses are a Middle
 * or a Last.
 */
static bool read_in_place(const struct hca_request *req, u32 psn, bool first)
{
	return first ? psn == req->psn || psn == req->requested_psn : psn != req->psn;
}

/* Return whether a Read response has the opcode and length for its PSN (IBA C9-106, req B4-340). */
static bool read_fits(const struct hca_eec *eec, const struct hca_request *req,
		      const struct hca_packet *pkt, u32 offset)
{
	u32 flags = hca_opcodes[pkt->h.bth.opcode].flags;
	bool last = hca_batch_last_psn(pkt) == req->last_psn;

	return !!(flags & HCA_IS_LAST) == last &&
	       read_in_place(req, pkt->h.bth.psn, flags & HCA_IS_FIRST) &&
	       pkt->payload_length == (last ? req->length - offset : eec->mtu);
}

static bool response_fits(const struct hca_eec *eec, const struct hca_request *req,
			  const struct hca_packet *pkt, u32 offset)
{
	u32 flags = hca_opcodes[pkt->h.bth.opcode].flags;

	if (req->kind & HCA_WR_READ)
		return (flags & HCA_IS_READ) && read_fits(eec, req, pkt, offset);
	if (req->kind & HCA_WR_ATOMIC)
		return flags & HCA_IS_ATOMIC;
	/* A Flush or an Atomic Write has the response of a Read of 0 octets (IBA annex A19). */
	return (flags & HCA_IS_READ) && (flags & HCA_IS_FIRST) && (flags & HCA_IS_LAST) &&
	       !pkt->payload_length && has_response(req);
}

/*
 * Copy the data of a response to the memory of the request. Return: 0; -ESTALE if the response
 * counts as lost; -EFAULT if a key has become invalid.
 */
static int deliver(struct hca_eec *eec, const struct hca_request *req,
		   const struct hca_packet *pkt, u32 offset)
{
	struct hca_segment segment[HCA_MAX_SGE] HCA_UNINITIALIZED;
	bool atomic = req->kind & HCA_WR_ATOMIC;
	u32 length = atomic ? HCA_ATOMICACKETH_BYTES : hca_batch_octets(pkt);
	int n, ret = 0;

	if (!(req->kind & HCA_WR_FETCHES))
		return 0;
	n = hca_request_segments(eec->qp, req, offset, length, segment);
	if (n < 0)
		return n;
	if (atomic)
		hca_copy_in(segment, &pkt->h.atomicack_original, length);
	else
		ret = hca_payload_deliver(pkt, segment);
	hca_segments_put(segment, n);
	return ret;
}

/* A page of the request's memory is absent: request the data again when the page may be present. */
static void receive_later(struct hca_eec *eec, const struct hca_packet *pkt)
{
	hca_loss_count(eec, HCA_CTR_ODP_FAULTS, 1);
	if (!eec->is_rd_eec && is_sending(eec))
		eec->ops->suspend(eec, HCA_RNR_PAGE, pkt->h.aeth.msn);
}

/*
 * Return: false if nothing was done because the packets of the segment batch have different
 * results.
 */
static bool receive_data(struct hca_eec *eec, const struct hca_packet *pkt)
{
	bool batch = pkt->packets > 1;
	u32 psn = pkt->h.bth.psn;
	struct hca_request *req;
	u32 offset;

	if (!acknowledged_before(eec, psn))
		return true;
	req = oldest(eec);
	if (batch && (!req || distance(eec, hca_batch_last_psn(pkt)) >=
				      distance(eec, req->last_psn)))
		return false;
	offset = req ? ((psn - req->psn) & HCA_PSN_MASK) * eec->mtu : 0;
	if (!req || !response_fits(eec, req, pkt, offset)) {
		if (eec->qp)
			hca_requester_fail(eec, HCA_VENDOR_ERR_RESPONSE);
		return true;
	}
	switch (deliver(eec, req, pkt, offset)) {
	case 0:
		break;
	case -EFAULT:
		if (!batch)
			hca_requester_fail(eec, hca_request_refusal(eec->qp, req));
		return !batch;
	case -EAGAIN:
		receive_later(eec, pkt);
		return true;
	default:
		return !batch;
	}
	if (psn == req->last_psn && !finish(eec, req))
		return true;
	advance(eec, hca_psn_add(psn, pkt->packets));
	return true;
}

/*
 * Set the limit of requests from the peer's credits (req B4-356). The limit of a peer that returns
 * credits does not decrease: the peer does not take credits back, but an acknowledgement may be
 * old, and its credit count is rounded down.
 */
static void update_credit_limit(struct hca_eec *eec, u8 code)
{
	u32 allowed = eec->recvs_ended + hca_credits_of(code);

	if (!eec->credited || (s32)(allowed - eec->recvs_allowed) > 0)
		eec->recvs_allowed = allowed;
	eec->credited = code != HCA_ACK_NO_CREDITS;
}

static bool is_ack(const struct hca_packet *pkt)
{
	return hca_opcode_operation(pkt->h.bth.opcode) == IB_OPCODE_ACKNOWLEDGE &&
	       (pkt->h.aeth.syndrome & HCA_SYNDROME_KIND) == HCA_SYNDROME_ACK;
}

/* Return: false if the packets of the segment batch must be processed one by one. */
static bool completer_packet(struct hca_eec *eec, const struct hca_packet *pkt)
{
	u32 psn = pkt->h.bth.psn;
	bool newest = psn == ((eec->una_psn - 1) & HCA_PSN_MASK);

	if (!is_sending(eec))
		return true;
	if (distance(eec, psn) < distance(eec, eec->sent_psn)) {
		if (eec->resync)
			eec->ops->resynced(eec, pkt);
		else if (hca_opcodes[pkt->h.bth.opcode].flags & (HCA_IS_READ | HCA_IS_ATOMIC))
			return receive_data(eec, pkt);
		else
			receive_ack(eec, pkt);
	} else if (pkt->packets > 1) {
		return false;
	} else if (!newest) {
		return true; /* the packet is a duplicate, or its PSN was never sent (IBA C9-110) */
	}
	/* An acknowledgement of old packets only may carry new credits (req B4-208). */
	if (is_ack(pkt))
		update_credit_limit(eec, pkt->h.aeth.syndrome & HCA_SYNDROME_VALUE);
	return true;
}

static bool completer_receive(struct hca_eec *eec, const struct hca_packet *pkt)
{
	struct hca_qp *qp = hca_client_lock(eec);
	bool whole = completer_packet(eec, pkt);

	hca_client_unlock(qp);
	return whole;
}

static noinline void completer_split(struct hca_eec *eec, const struct hca_packet *batch)
{
	struct hca_packet single;
	u8 i;

	for (i = 0; i < batch->packets; i++) {
		hca_batch_view(batch, i, 1, &single);
		completer_receive(eec, &single);
	}
}

/* Responses that arrive meanwhile schedule the run again. */
bool hca_completer_run(struct hca_eec *eec, int *budget)
{
	while (hca_eec_has_responses(eec)) {
		struct hca_packet *pkt;

		if (*budget <= 0)
			return false;
		pkt = hca_eec_next_response(eec);
		*budget -= pkt->packets;
		if (!completer_receive(eec, pkt))
			completer_split(eec, pkt);
		hca_packet_free(pkt);
	}
	return true;
}
