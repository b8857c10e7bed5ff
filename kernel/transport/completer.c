// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The completer: responses end requests, or have them sent again. */
#include <linux/errno.h>
#include <linux/kernel.h>
#include "compat.h"
#include "transport/aeth.h"
#include "transport/payload.h"
#include "transport/request.h"
#include "transport/send.h"
#include "transport/wr.h"

/* PSNs are compared as distances from the oldest that is not acknowledged. */
static u32 hca_distance(const struct hca_eec *eec, u32 psn)
{
	return (psn - eec->una_psn) & HCA_PSN_MASK;
}

static bool hca_is_read(const struct hca_request *req)
{
	return hca_wr[req->opcode].flags & HCA_WR_READ;
}

static struct hca_request *hca_oldest(struct hca_qp *qp)
{
	return qp->sq_done != qp->sq_fetched ? hca_request_at(qp, qp->sq_done) : NULL;
}

/* All before @psn has arrived; the clock and the counters start anew (C9-141). */
static void hca_advance(struct hca_qp *qp, u32 psn)
{
	struct hca_eec *eec = &qp->eec;

	if (hca_distance(eec, eec->next_psn) < hca_distance(eec, psn)) {
		/* We were sending again what has arrived after all. */
		eec->next_psn = psn;
		qp->sq_current = qp->sq_done;
		eec->reads_outstanding = 0;
	}
	eec->una_psn = psn;
	eec->rewound = false;
	eec->retries_left = qp->attr.retry_cnt;
	eec->rnr_left = qp->attr.rnr_retry;
	eec->timer_on = false;
	eec->rnr_wait = false;
	if (psn != eec->sent_psn)
		hca_retry_arm(qp);
}

/* End the oldest request; false: there is no going on. */
static bool hca_finish(struct hca_qp *qp, const struct hca_request *req)
{
	if (hca_is_read(req) && qp->sq_current != qp->sq_done && qp->eec.reads_outstanding)
		qp->eec.reads_outstanding--;
	if (qp->sq_current == qp->sq_done)
		qp->sq_current++;
	return hca_request_complete(qp, HCA_WC_SUCCESS);
}

/*
 * All up to and with @psn is acknowledged. A read is not ended by this: its data are
 * missing, which is as good as a NAK (C9-90).
 *
 * Return: true if all of it could be believed.
 */
static bool hca_acknowledged(struct hca_qp *qp, u32 psn)
{
	struct hca_eec *eec = &qp->eec;
	u32 upto = hca_psn_add(psn, 1);
	struct hca_request *req;

	while ((req = hca_oldest(qp)) &&
	       hca_distance(eec, req->last_psn) < hca_distance(eec, upto)) {
		u32 next = hca_psn_add(req->last_psn, 1);

		if (hca_is_read(req))
			return false;
		if (!hca_finish(qp, req))
			return false;
		hca_advance(qp, next);
	}
	if (eec->una_psn == upto)
		return true;
	if (req && hca_is_read(req))
		return false;
	hca_advance(qp, upto); /* a part of a long message */
	return true;
}

static void hca_go_back(struct hca_qp *qp)
{
	struct hca_eec *eec = &qp->eec;

	if (eec->rewound)
		return; /* it is being sent again already */
	if (!eec->retries_left) {
		hca_requester_fail(qp, HCA_WC_RETRY_EXC_ERR);
		return;
	}
	eec->retries_left--;
	hca_requester_rewind(qp);
}

static void hca_receive_nak(struct hca_qp *qp, u8 syndrome)
{
	static const u8 fatal[] = {
		[HCA_NAK_INVALID_REQUEST & HCA_SYNDROME_VALUE] = HCA_WC_REM_INV_REQ_ERR,
		[HCA_NAK_REMOTE_ACCESS & HCA_SYNDROME_VALUE] = HCA_WC_REM_ACCESS_ERR,
		[HCA_NAK_REMOTE_OPERATION & HCA_SYNDROME_VALUE] = HCA_WC_REM_OP_ERR,
	};
	u8 value = syndrome & HCA_SYNDROME_VALUE;

	if (syndrome == HCA_NAK_PSN_SEQUENCE)
		hca_go_back(qp);
	else if (value < ARRAY_SIZE(fatal))
		hca_requester_fail(qp, fatal[value]);
	else
		hca_requester_fail(qp, HCA_WC_BAD_RESP_ERR);
}

static void hca_receive_rnr(struct hca_qp *qp, u8 syndrome)
{
	struct hca_eec *eec = &qp->eec;

	if (!eec->rnr_left) {
		hca_requester_fail(qp, HCA_WC_RNR_RETRY_EXC_ERR);
		return;
	}
	if (qp->attr.rnr_retry != 7)
		eec->rnr_left--;
	hca_requester_rewind(qp);
	hca_retry_wait_rnr(qp, syndrome & HCA_SYNDROME_VALUE);
}

static void hca_receive_ack(struct hca_qp *qp, const struct hca_packet *pkt)
{
	struct hca_eec *eec = &qp->eec;
	u8 syndrome = pkt->h.aeth.syndrome;
	u8 kind = syndrome & HCA_SYNDROME_KIND;
	u32 psn = pkt->h.bth.psn;

	if (hca_distance(eec, psn) >= hca_distance(eec, eec->sent_psn))
		return; /* old, or never sent (C9-110) */
	if (kind == HCA_SYNDROME_ACK) {
		if (!hca_acknowledged(qp, psn) && qp->state == HCA_QPS_RTS)
			hca_go_back(qp);
		return;
	}
	/* A refusal of @psn acknowledges all before it. */
	if (psn != eec->una_psn && !hca_acknowledged(qp, (psn - 1) & HCA_PSN_MASK)) {
		if (qp->state == HCA_QPS_RTS)
			hca_go_back(qp);
		return;
	}
	if (kind == HCA_SYNDROME_RNR)
		hca_receive_rnr(qp, syndrome);
	else if (kind == HCA_SYNDROME_NAK)
		hca_receive_nak(qp, syndrome);
}

/* Is the response of the right kind and length for its place? (C9-106) */
static bool hca_read_fits(const struct hca_qp *qp, const struct hca_request *req,
			  const struct hca_packet *pkt, u32 offset)
{
	u32 flags = hca_opcodes[pkt->h.bth.opcode].flags;
	bool last = pkt->h.bth.psn == req->last_psn;

	return !!(flags & HCA_IS_LAST) == last &&
	       pkt->payload_length == (last ? req->length - offset : qp->mtu);
}

static void hca_receive_read(struct hca_qp *qp, const struct hca_packet *pkt)
{
	struct hca_eec *eec = &qp->eec;
	struct hca_piece piece[HCA_MAX_SGE] HCA_UNINITIALIZED;
	u32 psn = pkt->h.bth.psn;
	struct hca_request *req;
	u32 offset;
	int n;

	if (hca_distance(eec, psn) >= hca_distance(eec, eec->sent_psn))
		return;
	if (psn != eec->una_psn && !hca_acknowledged(qp, (psn - 1) & HCA_PSN_MASK)) {
		if (qp->state == HCA_QPS_RTS)
			hca_go_back(qp);
		return;
	}
	req = hca_oldest(qp);
	if (!req || !hca_is_read(req)) {
		hca_requester_fail(qp, HCA_WC_BAD_RESP_ERR);
		return;
	}
	offset = ((psn - req->psn) & HCA_PSN_MASK) * qp->mtu;
	if (!hca_read_fits(qp, req, pkt, offset)) {
		hca_requester_fail(qp, HCA_WC_BAD_RESP_ERR);
		return;
	}
	n = hca_request_pieces(qp, req, offset, pkt->payload_length, piece);
	if (n < 0) {
		hca_requester_fail(qp, HCA_WC_LOC_PROT_ERR);
		return;
	}
	if (hca_payload_deliver(pkt, piece)) {
		hca_pieces_put(piece, n);
		return; /* as if lost */
	}
	hca_pieces_put(piece, n);
	if (psn == req->last_psn && !hca_finish(qp, req))
		return;
	hca_advance(qp, hca_psn_add(psn, 1));
}

void hca_completer_receive(struct hca_qp *qp, struct hca_packet *pkt)
{
	if (qp->state == HCA_QPS_RTS) {
		if (hca_opcodes[pkt->h.bth.opcode].flags & HCA_IS_READ)
			hca_receive_read(qp, pkt);
		else
			hca_receive_ack(qp, pkt);
	}
	hca_packet_free(pkt);
}
