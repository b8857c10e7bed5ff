// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The requester: requests become packets, in the order of PSNs. */
#include <linux/errno.h>
#include <linux/kernel.h>
#include "transport/path.h"
#include "transport/payload.h"
#include "transport/request.h"
#include "transport/send.h"
#include "transport/wr.h"

/* Packets that may be unacknowledged; far below the 2^23 of C9-42. */
#define HCA_WINDOW 256
#define HCA_PSN_HALF (1u << 23)
/* In a long row of packets every so many-th asks for an acknowledgement. */
#define HCA_ACK_INTERVAL 32

static u32 hca_outstanding(const struct hca_eec *eec)
{
	return (eec->next_psn - eec->una_psn) & HCA_PSN_MASK;
}

static bool hca_is_retry(const struct hca_eec *eec)
{
	return eec->next_psn != eec->sent_psn;
}

void hca_requester_rewind(struct hca_qp *qp)
{
	struct hca_eec *eec = &qp->eec;

	qp->sq_current = qp->sq_done;
	eec->next_psn = eec->una_psn;
	eec->reads_outstanding = 0;
	eec->rewound = true;
}

void hca_requester_fail(struct hca_qp *qp, enum hca_status status)
{
	if (qp->sq_done != qp->sq_fetched)
		hca_request_complete(qp, status);
	if (qp->type == HCA_QPT_RC)
		hca_qp_error(qp);
	else if (qp->state == HCA_QPS_RTS)
		WRITE_ONCE(qp->state, HCA_QPS_SQE);
}

static struct hca_request *hca_requester_current(struct hca_qp *qp)
{
	if (qp->sq_current != qp->sq_fetched)
		return hca_request_at(qp, qp->sq_current);
	return hca_request_fetch(qp);
}

/* May the request's next packet leave? */
static bool hca_requester_may_send(struct hca_qp *qp, const struct hca_request *req)
{
	struct hca_eec *eec = &qp->eec;
	u32 outstanding = hca_outstanding(eec);

	if (req->psn == eec->next_psn && (req->flags & HCA_WQE_FENCE) && eec->reads_outstanding)
		return false; /* C10-101 */
	if (hca_wr[req->opcode].flags & HCA_WR_READ) {
		u32 packets = ((req->last_psn - eec->next_psn) & HCA_PSN_MASK) + 1;

		return eec->reads_outstanding < qp->attr.max_rd_atomic &&
		       outstanding < HCA_WINDOW && outstanding + packets <= HCA_PSN_HALF;
	}
	return outstanding < HCA_WINDOW;
}

static enum hca_place hca_place_of(const struct hca_request *req, u32 psn)
{
	if (req->psn == req->last_psn)
		return HCA_ONLY;
	if (psn == req->psn)
		return HCA_FIRST;
	return psn == req->last_psn ? HCA_LAST : HCA_MIDDLE;
}

/* Will the request behind this one be sent, without waiting for this one's end? */
static bool hca_another_follows(struct hca_qp *qp)
{
	const struct hca_request *next = qp->sq_current + 1 != qp->sq_fetched ?
						 hca_request_at(qp, qp->sq_current + 1) :
						 hca_request_fetch(qp);

	return next && !next->status && !(next->flags & HCA_WQE_FENCE);
}

static bool hca_wants_ack(struct hca_qp *qp, const struct hca_request *req, u32 psn)
{
	if (psn != req->last_psn)
		return psn % HCA_ACK_INTERVAL == 0 ||
		       hca_outstanding(&qp->eec) == HCA_WINDOW - 1;
	/* The last one before silence must be answered; a signalled one should be soon. */
	return qp->signal_all || (req->flags & HCA_WQE_SIGNALED) ||
	       psn % HCA_ACK_INTERVAL == 0 || hca_outstanding(&qp->eec) == HCA_WINDOW - 1 ||
	       !hca_another_follows(qp);
}

/* Headers and payload of the packet with number next_psn. */
static int hca_requester_build(struct hca_qp *qp, struct hca_request *req, struct hca_packet *pkt)
{
	const struct hca_wr_info *info = &hca_wr[req->opcode];
	u32 psn = qp->eec.next_psn;
	u32 offset = ((psn - req->psn) & HCA_PSN_MASK) * qp->mtu;
	enum hca_place place = hca_place_of(req, psn);
	struct hca_headers *h = &pkt->h;

	hca_path_fill(pkt, qp->port, &qp->attr.av);
	h->bth.opcode = HCA_TRANSPORT_RC << 5 | info->operation[place];
	h->bth.flags = HCA_BTH_MIGREQ;
	h->bth.tver = 0;
	h->bth.pkey = READ_ONCE(qp->port->pkey[qp->attr.pkey_index]);
	h->bth.destqp = qp->attr.dest_qpn;
	h->bth.psn = psn;
	if (hca_wants_ack(qp, req, psn))
		h->bth.flags |= HCA_BTH_ACKREQ;
	if (psn == req->last_psn || (info->flags & HCA_WR_READ)) {
		if (req->flags & HCA_WQE_SOLICITED)
			h->bth.flags |= HCA_BTH_SOLICITED;
		h->immdt = req->imm_data;
	}
	if (info->flags & HCA_WR_RDMA) {
		h->reth.va = req->remote_addr + offset;
		h->reth.rkey = req->rkey;
		h->reth.length = req->length - offset;
	}
	if (info->flags & HCA_WR_READ)
		return 0;
	return hca_payload_attach(qp, req, offset, min(qp->mtu, req->length - offset), pkt,
				  false);
}

static void hca_requester_sent(struct hca_qp *qp, const struct hca_request *req)
{
	struct hca_eec *eec = &qp->eec;
	bool retry = hca_is_retry(eec);
	u32 last = eec->next_psn;

	if (hca_wr[req->opcode].flags & HCA_WR_READ) {
		eec->reads_outstanding++;
		last = req->last_psn;
	}
	eec->next_psn = hca_psn_add(last, 1);
	if (!retry || ((eec->next_psn - eec->una_psn) & HCA_PSN_MASK) >
			      ((eec->sent_psn - eec->una_psn) & HCA_PSN_MASK))
		eec->sent_psn = eec->next_psn;
	if (last == req->last_psn)
		qp->sq_current++;
	if (!eec->timer_on)
		hca_retry_arm(qp);
}

/* A request that cannot be sent ends when those before it have ended. */
static enum hca_progress hca_requester_refuse(struct hca_qp *qp, enum hca_status status)
{
	if (qp->sq_current != qp->sq_done)
		return HCA_WAITING;
	hca_requester_fail(qp, status);
	return HCA_BUDGET;
}

enum hca_progress hca_requester_send(struct hca_qp *qp, int *budget)
{
	struct hca_request *req;
	struct hca_packet *pkt;
	int ret;

	while (!qp->eec.rnr_wait) {
		if (*budget <= 0)
			return HCA_BUDGET;
		req = hca_requester_current(qp);
		if (!req)
			return HCA_DONE;
		if (req->status)
			return hca_requester_refuse(qp, req->status);
		if (!hca_requester_may_send(qp, req))
			return HCA_WAITING;
		/* Why was it lost? Perhaps its memory has gone. */
		if (hca_is_retry(&qp->eec) && !hca_request_regions_ok(qp, req))
			return hca_requester_refuse(qp, HCA_WC_LOC_PROT_ERR);

		pkt = hca_packet_alloc(&qp->ca->pool);
		ret = pkt ? hca_requester_build(qp, req, pkt) : -ENOMEM;
		if (ret) {
			if (pkt)
				hca_packet_free(pkt);
			if (ret == -EFAULT)
				return hca_requester_refuse(qp, HCA_WC_LOC_PROT_ERR);
			hca_retry_soon(qp);
			return HCA_WAITING;
		}
		hca_packet_finish(pkt);
		if (!hca_port_send(qp->port, pkt, &qp->waiter)) {
			hca_packet_free(pkt);
			return HCA_WAITING;
		}
		hca_requester_sent(qp, req);
		(*budget)--;
	}
	return HCA_WAITING;
}
