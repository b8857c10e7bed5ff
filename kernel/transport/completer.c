// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The completer, which processes responses. It completes requests or makes the requester send
 * packets again.
 */
#include "transport/completer.h"
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "compat.h"
#include "packet/batch.h"
#include "qp/request.h"
#include "qp/segments.h"
#include "qp/wr.h"
#include "transport/aeth.h"
#include "transport/credit.h"
#include "transport/iba_qp.h"
#include "transport/loss.h"
#include "transport/payload.h"
#include "transport/rd/rd_eec.h"
#include "transport/requester.h"
#include "transport/retry.h"

/*
 * Return the distance of @psn from una_psn, the oldest unacknowledged PSN. PSNs are compared by
 * their distances, because PSNs wrap around.
 */
static u32 completer_distance(const struct hca_eec *eec, u32 psn)
{
	return (psn - eec->una_psn) & HCA_PSN_MASK;
}

/*
 * Return whether the request is completed only by a response of its own, never by an
 * acknowledgement.
 */
static bool completer_has_response(const struct hca_request *req)
{
	return req->kind & HCA_WR_RESOURCE;
}

static struct hca_request *completer_oldest(struct hca_eec *eec)
{
	struct hca_qp *qp = eec->qp;

	return qp && qp->sq_done != qp->sq_fetched ? hca_request_at(qp, qp->sq_done) : NULL;
}

/* Return whether the state permits sending. An earlier response may have changed the state. */
static bool completer_is_sending(const struct hca_eec *eec)
{
	return eec->common->state == IB_QPS_RTS || eec->common->state == IB_QPS_SQD;
}

/*
 * Note that the peer has received all packets before @psn. The ACK timeout and the retry counters
 * are restarted (IBA C9-141).
 */
static void completer_advance(struct hca_eec *eec, u32 psn)
{
	if (completer_distance(eec, eec->next_psn) < completer_distance(eec, psn)) {
		/* Do not send the packets from next_psn to @psn again. */
		eec->next_psn = psn;
		if (eec->qp)
			eec->qp->sq_current = eec->qp->sq_done;
		eec->reads_outstanding = 0;
	}
	eec->window = min_t(u32, eec->window + completer_distance(eec, psn), HCA_WINDOW);
	eec->una_psn = psn;
	eec->rewound = false;
	eec->retries_left = eec->attr.iba.retry_cnt;
	eec->rnr_left = eec->attr.iba.rnr_retry;
	hca_retry_acknowledged(eec);
	eec->rnr_wait = false;
	if (psn != eec->sent_psn)
		hca_retry_arm(eec);
}

/* Complete the oldest request. Return: false if no further response may be processed. */
static bool completer_finish(struct hca_eec *eec, const struct hca_request *req)
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
	return true; /* even if the queue pair has failed, the EE context continues */
}

/*
 * Process the acknowledgement of all packets up to and including @psn. A request that needs a
 * response of its own is not completed. If @psn covers such a request, the response was lost, which
 * counts as a NAK (IBA C9-90).
 *
 * Return: false if a response was lost or a completion could not be added.
 */
static bool completer_acknowledged(struct hca_eec *eec, u32 psn)
{
	u32 upto = hca_psn_add(psn, 1);
	struct hca_request *req;

	/* At most sq.entries requests are completed. */
	while ((req = completer_oldest(eec)) &&
	       completer_distance(eec, req->iba.last_psn) < completer_distance(eec, upto)) {
		u32 next = hca_psn_add(req->iba.last_psn, 1);

		if (completer_has_response(req))
			return false;
		if (!completer_finish(eec, req))
			return false;
		completer_advance(eec, next);
	}
	if (eec->una_psn == upto)
		return true;
	if (req && completer_has_response(req))
		return false;
	/* the acknowledged packets are a part of the oldest request */
	completer_advance(eec, upto);
	return true;
}

/*
 * Send the unacknowledged packets again, and count @cause, the event that has revealed the loss. If
 * no retry is left, the oldest request fails with @error.
 */
static void completer_go_back(struct hca_eec *eec, enum hca_counter cause,
			      enum hca_vendor_err error)
{
	if (eec->rewound)
		return; /* the packets are being sent again already */
	hca_loss_count(eec, cause, 1);
	hca_requester_retry(eec, error);
}

/*
 * Process the acknowledgement of all packets before @psn. Return: false if a response was lost, in
 * which case packets are sent again, or if a completion could not be added.
 */
static bool completer_acknowledged_before(struct hca_eec *eec, u32 psn)
{
	if (psn == eec->una_psn || completer_acknowledged(eec, (psn - 1) & HCA_PSN_MASK))
		return true;
	if (completer_is_sending(eec))
		completer_go_back(eec, HCA_CTR_IMPLIED_NAKS, HCA_VENDOR_ERR_IMPLIED_RETRIES);
	return false;
}

static void completer_receive_nak(struct hca_eec *eec, u8 syndrome)
{
	static const u8 fatal[] = {
		[HCA_NAK_INVALID_REQUEST & HCA_SYNDROME_VALUE] = HCA_VENDOR_ERR_NAK_REQUEST,
		[HCA_NAK_REMOTE_ACCESS & HCA_SYNDROME_VALUE] = HCA_VENDOR_ERR_NAK_ACCESS,
		[HCA_NAK_REMOTE_OPERATION & HCA_SYNDROME_VALUE] = HCA_VENDOR_ERR_NAK_OPERATION,
		[HCA_NAK_INVALID_RD_REQUEST & HCA_SYNDROME_VALUE] = HCA_VENDOR_ERR_NAK_RD,
	};
	u8 value = syndrome & HCA_SYNDROME_VALUE;

	if (syndrome == HCA_NAK_PSN_SEQUENCE)
		completer_go_back(eec, HCA_CTR_SEQUENCE_NAKS_RCVD, HCA_VENDOR_ERR_SEQUENCE_RETRIES);
	else if (value < ARRAY_SIZE(fatal) &&
		 (eec->transport == HCA_TRANSPORT_RD || syndrome != HCA_NAK_INVALID_RD_REQUEST))
		hca_requester_fail(eec, fatal[value]);
	else
		hca_requester_fail(eec, HCA_VENDOR_ERR_NAK_CODE);
}

static void completer_receive_rnr(struct hca_eec *eec, const struct hca_packet *pkt)
{
	u8 code = pkt->h.aeth.syndrome & HCA_SYNDROME_VALUE;
	u8 *left = &hca_qp_eec(eec->qp)->rnr_left;

	hca_loss_count(eec, HCA_CTR_RNR_NAKS_RCVD, 1);
	if (!*left) {
		hca_loss_count(eec, HCA_CTR_RNR_RETRIES_EXCEEDED, 1);
		hca_requester_fail(eec, HCA_VENDOR_ERR_RNR_RETRIES);
		return;
	}
	if (eec->attr.iba.rnr_retry != 7)
		(*left)--;
	eec->ops->suspend(eec, code, pkt->h.aeth.msn);
}

static void completer_receive_ack(struct hca_eec *eec, const struct hca_packet *pkt)
{
	u8 syndrome = pkt->h.aeth.syndrome;
	u8 kind = syndrome & HCA_SYNDROME_KIND;

	if (kind == HCA_SYNDROME_ACK) {
		if (!completer_acknowledged(eec, pkt->h.bth.psn) && completer_is_sending(eec))
			completer_go_back(eec, HCA_CTR_IMPLIED_NAKS,
					  HCA_VENDOR_ERR_IMPLIED_RETRIES);
		return;
	}
	/* the kind of syndrome is reserved */
	if (kind != HCA_SYNDROME_RNR && kind != HCA_SYNDROME_NAK)
		return;
	/* A NAK or RNR NAK acknowledges all packets before its PSN. */
	if (!completer_acknowledged_before(eec, pkt->h.bth.psn) || !eec->qp)
		return;
	if (kind == HCA_SYNDROME_RNR)
		completer_receive_rnr(eec, pkt);
	else
		completer_receive_nak(eec, syndrome);
}

/*
 * Return whether the opcode of a Read response matches its PSN. @first is true for a First or Only
 * packet, and false for a Middle or Last packet. The response with PSN req->psn must be a First or
 * Only packet. A repeated request packet begins at PSN requested_psn, and the first response to it
 * is also a First or Only packet. But a late response to an earlier request packet may have that
 * PSN and be a Middle or Last packet.
 */
static bool completer_read_in_place(const struct hca_request *req, u32 psn, bool first)
{
	return first ? psn == req->iba.psn || psn == req->requested_psn : psn != req->iba.psn;
}

/*
 * Return whether the opcode and length of a Read response match its PSN (IBA C9-106, req B4-340).
 */
static bool completer_read_fits(const struct hca_eec *eec, const struct hca_request *req,
				const struct hca_packet *pkt, u32 offset)
{
	u32 flags = hca_opcodes[pkt->h.bth.opcode].flags;
	bool last = hca_batch_last_psn(pkt) == req->iba.last_psn;

	return !!(flags & HCA_IS_LAST) == last &&
	       completer_read_in_place(req, pkt->h.bth.psn, flags & HCA_IS_FIRST) &&
	       pkt->payload_length == (last ? req->length - offset : eec->mtu);
}

static bool completer_response_fits(const struct hca_eec *eec, const struct hca_request *req,
				    const struct hca_packet *pkt, u32 offset)
{
	u32 flags = hca_opcodes[pkt->h.bth.opcode].flags;

	if (req->kind & HCA_WR_READ)
		return (flags & HCA_IS_READ) && completer_read_fits(eec, req, pkt, offset);
	if (req->kind & HCA_WR_ATOMIC)
		return flags & HCA_IS_ATOMIC;
	/*
	 * The response to a Flush or Atomic Write is a Read response of 0 octets (IBA annex A19).
	 */
	return (flags & HCA_IS_READ) && (flags & HCA_IS_FIRST) && (flags & HCA_IS_LAST) &&
	       !pkt->payload_length && completer_has_response(req);
}

/*
 * Copy the data of a response to the memory of the request. Return: 0; -ESTALE if the packet refers
 * to memory of the responder that no longer exists, in which case the response counts as lost;
 * -EFAULT if a key of the request has become invalid; -EAGAIN if a page of the request's memory is
 * absent.
 */
static int completer_deliver(struct hca_eec *eec, const struct hca_request *req,
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

/*
 * Make the requester request the data again after a short wait (HCA_RNR_PAGE), because a page of
 * the request's memory is absent.
 */
static void completer_receive_later(struct hca_eec *eec, const struct hca_packet *pkt)
{
	hca_loss_count(eec, HCA_CTR_ODP_FAULTS, 1);
	if (!eec->is_rd_eec && completer_is_sending(eec))
		eec->ops->suspend(eec, HCA_RNR_PAGE, pkt->h.aeth.msn);
}

/*
 * Process a Read response, an atomic response, or a segment batch of Read responses. Return: false
 * if the packets of the batch must be processed one by one, because their results may differ.
 */
static bool completer_receive_data(struct hca_eec *eec, const struct hca_packet *pkt)
{
	bool batch = pkt->packets > 1;
	u32 psn = pkt->h.bth.psn;
	struct hca_request *req;
	u32 offset;

	if (!completer_acknowledged_before(eec, psn))
		return true;
	req = completer_oldest(eec);
	if (batch && (!req || completer_distance(eec, hca_batch_last_psn(pkt)) >=
				      completer_distance(eec, req->iba.last_psn)))
		return false;
	offset = req ? ((psn - req->iba.psn) & HCA_PSN_MASK) * eec->mtu : 0;
	if (!req || !completer_response_fits(eec, req, pkt, offset)) {
		if (eec->qp)
			hca_requester_fail(eec, HCA_VENDOR_ERR_RESPONSE);
		return true;
	}
	switch (completer_deliver(eec, req, pkt, offset)) {
	case 0:
		break;
	case -EFAULT:
		if (!batch)
			hca_requester_fail(eec, hca_request_refusal(eec->qp, req));
		return !batch;
	case -EAGAIN:
		completer_receive_later(eec, pkt);
		return true;
	default:
		return !batch;
	}
	if (psn == req->iba.last_psn && !completer_finish(eec, req))
		return true;
	completer_advance(eec, hca_psn_add(psn, pkt->packets));
	return true;
}

/*
 * Update recvs_allowed from the credit code of an acknowledgement (req B4-356). recvs_allowed
 * counts, from the start of the connection on, the requests that may consume a receive request of
 * the peer. While the peer returns credits, recvs_allowed does not decrease. A smaller value does
 * not mean that the peer has withdrawn credits, because the acknowledgement may be old and credit
 * codes are rounded down.
 */
static void completer_update_credit_limit(struct hca_eec *eec, u8 code)
{
	u32 allowed = eec->recvs_ended + hca_credits_of(code);

	if (!eec->credited || (s32)(allowed - eec->recvs_allowed) > 0)
		eec->recvs_allowed = allowed;
	eec->credited = code != HCA_ACK_NO_CREDITS;
}

static bool completer_is_ack(const struct hca_packet *pkt)
{
	return hca_opcode_operation(pkt->h.bth.opcode) == IB_OPCODE_ACKNOWLEDGE &&
	       (pkt->h.aeth.syndrome & HCA_SYNDROME_KIND) == HCA_SYNDROME_ACK;
}

/*
 * Process a response. Return: false if the packets of a segment batch must be processed one by one.
 */
static bool completer_packet(struct hca_eec *eec, const struct hca_packet *pkt)
{
	u32 psn = pkt->h.bth.psn;
	bool newest = psn == ((eec->una_psn - 1) & HCA_PSN_MASK);

	if (!completer_is_sending(eec))
		return true;
	if (completer_distance(eec, psn) < completer_distance(eec, eec->sent_psn)) {
		if (eec->resync)
			eec->ops->resynced(eec, pkt);
		else if (hca_opcodes[pkt->h.bth.opcode].flags & (HCA_IS_READ | HCA_IS_ATOMIC))
			return completer_receive_data(eec, pkt);
		else
			completer_receive_ack(eec, pkt);
	} else if (pkt->packets > 1) {
		return false;
	} else if (!newest) {
		return true; /* the packet is a duplicate, or its PSN was never sent (IBA C9-110) */
	}
	/*
	 * An acknowledgement may carry new credits even if it acknowledges no further packet (req
	 * B4-208).
	 */
	if (completer_is_ack(pkt))
		completer_update_credit_limit(eec, pkt->h.aeth.syndrome & HCA_SYNDROME_VALUE);
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

/* A response that arrives during this function schedules the run function again. */
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
