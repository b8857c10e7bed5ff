// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * What the responder owes, in the order of PSNs. An acknowledgement with nothing owed
 * before it leaves at once; else it waits here for the queue pair's run, and what follows
 * a positive one takes its place (coalescing, IBA 9.7.5.1.2).
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include "transport/aeth.h"
#include "transport/path.h"
#include "transport/payload.h"
#include "transport/send.h"

static struct hca_response *hca_response_at(struct hca_eec *eec, u32 index)
{
	return &eec->response[index % HCA_MAX_RESPONSES];
}

static struct hca_packet *hca_response_packet(struct hca_qp *qp, u8 operation, u32 psn,
					      u8 syndrome, u32 msn)
{
	struct hca_packet *pkt = hca_packet_alloc(&qp->ca->pool);
	struct hca_headers *h;

	if (!pkt)
		return NULL;
	h = &pkt->h;
	hca_path_fill(pkt, qp->port, &qp->attr.av);
	h->bth.opcode = HCA_TRANSPORT_RC << 5 | operation;
	h->bth.flags = HCA_BTH_MIGREQ;
	h->bth.tver = 0;
	h->bth.pkey = READ_ONCE(qp->port->pkey[qp->attr.pkey_index]);
	h->bth.destqp = qp->attr.dest_qpn;
	h->bth.psn = psn;
	h->aeth.syndrome = syndrome;
	h->aeth.msn = msn;
	return pkt;
}

static bool hca_ack_send(struct hca_qp *qp, u32 psn, u8 syndrome, u32 msn,
			 struct hca_waiter *waiter)
{
	struct hca_packet *pkt =
		hca_response_packet(qp, HCA_OP_ACKNOWLEDGE, psn, syndrome, msn);

	if (!pkt)
		return true; /* lost; the requester asks again */
	hca_packet_finish(pkt);
	if (hca_port_send(qp->port, pkt, waiter))
		return true;
	hca_packet_free(pkt);
	return false;
}

void hca_responder_ack(struct hca_qp *qp, u32 psn, u8 syndrome)
{
	struct hca_eec *eec = &qp->eec;
	struct hca_response *last;

	if (!hca_responses_owed(eec) &&
	    hca_ack_send(qp, psn, syndrome, eec->msn, NULL))
		return;

	spin_lock(&eec->response_lock);
	last = hca_response_at(eec, eec->response_tail - 1);
	if (eec->response_head == eec->response_tail || last->read ||
	    (last->syndrome & HCA_SYNDROME_KIND) != HCA_SYNDROME_ACK) {
		if (eec->response_tail - eec->response_head == HCA_MAX_RESPONSES) {
			spin_unlock(&eec->response_lock);
			return;
		}
		last = hca_response_at(eec, eec->response_tail++);
	}
	last->read = false;
	last->psn = psn;
	last->syndrome = syndrome;
	last->msn = eec->msn;
	spin_unlock(&eec->response_lock);
	hca_qp_kick(qp);
}

bool hca_responder_read(struct hca_qp *qp, const struct hca_packet *request, u32 msn, bool again)
{
	struct hca_eec *eec = &qp->eec;
	bool room;

	spin_lock(&eec->response_lock);
	/* One place is left for the acknowledgement that follows. */
	room = eec->response_tail - eec->response_head < HCA_MAX_RESPONSES - 1;
	if (room)
		*hca_response_at(eec, eec->response_tail++) = (struct hca_response){
			.read = true,
			.again = again,
			.psn = request->h.bth.psn,
			.msn = msn,
			.va = request->h.reth.va,
			.rkey = request->h.reth.rkey,
			.length = request->h.reth.length,
		};
	spin_unlock(&eec->response_lock);
	if (room)
		hca_qp_kick(qp);
	return room;
}

static u8 hca_read_operation(const struct hca_response *r, u32 part)
{
	bool first = !r->offset;
	bool last = r->offset + part == r->length;

	if (first)
		return last ? HCA_OP_READ_RESPONSE_ONLY : HCA_OP_READ_RESPONSE_FIRST;
	return last ? HCA_OP_READ_RESPONSE_LAST : HCA_OP_READ_RESPONSE_MIDDLE;
}

/* The read's next packet, or NULL. Sets *gone if its memory is no more. */
static struct hca_packet *hca_read_packet(struct hca_qp *qp, const struct hca_response *r,
					  u32 part, bool *gone)
{
	struct hca_region *region = NULL;
	struct hca_packet *pkt;
	u64 va = r->va + r->offset;

	*gone = false;
	if (part) {
		region = hca_region_get(&qp->ca->tpt, r->rkey, qp->pd, IB_UVERBS_ACCESS_REMOTE_READ,
					va, part);
		*gone = !region;
		if (!region)
			return NULL;
	}
	pkt = hca_response_packet(qp, hca_read_operation(r, part), r->psn, HCA_ACK_NO_CREDITS,
				  r->msn);
	if (pkt && part > HCA_INLINE_BYTES) {
		hca_payload_borrow(pkt, region, va, part);
	} else if (pkt && part) {
		struct hca_piece from = { .region = region, .addr = va, .length = part };

		hca_copy_out(pkt->data, &from, part);
		pkt->payload_length = part;
	}
	if (region)
		hca_region_put(region);
	return pkt;
}

/* Send on a read from where it stands. True: it is done with, one way or another. */
static bool hca_read_send(struct hca_qp *qp, struct hca_response *r, int *budget,
			  enum hca_progress *progress)
{
	do {
		u32 part = min(qp->mtu, r->length - r->offset);
		struct hca_packet *pkt;
		bool gone;

		if (*budget <= 0) {
			*progress = HCA_BUDGET;
			return false;
		}
		pkt = hca_read_packet(qp, r, part, &gone);
		if (gone) {
			hca_ack_send(qp, r->psn, HCA_NAK_REMOTE_ACCESS, r->msn, NULL);
			hca_qp_raise(qp, HCA_QP_ACCESS_ERROR);
			hca_qp_error(qp);
			return true;
		}
		if (!pkt) {
			hca_retry_soon(qp);
			*progress = HCA_WAITING;
			return false;
		}
		hca_packet_finish(pkt);
		if (!hca_port_send(qp->port, pkt, &qp->waiter)) {
			hca_packet_free(pkt);
			*progress = HCA_WAITING;
			return false;
		}
		(*budget)--;
		r->offset += part;
		r->psn = hca_psn_add(r->psn, 1);
	} while (r->offset < r->length);
	return true;
}

enum hca_progress hca_responses_send(struct hca_qp *qp, int *budget)
{
	struct hca_eec *eec = &qp->eec;
	enum hca_progress progress = HCA_DONE;

	while (hca_responses_owed(eec)) {
		struct hca_response *r = hca_response_at(eec, eec->response_head);
		struct hca_response now;

		spin_lock(&eec->response_lock);
		now = *r;
		spin_unlock(&eec->response_lock);

		if (now.read) {
			/* Only the run touches a read once it is owed. */
			if (!hca_read_send(qp, r, budget, &progress))
				return progress;
		} else if (!hca_ack_send(qp, now.psn, now.syndrome, now.msn, &qp->waiter)) {
			return HCA_WAITING;
		}

		spin_lock(&eec->response_lock);
		/* An acknowledgement may have been overtaken by the next: then that is owed. */
		if (now.read || (r->psn == now.psn && r->syndrome == now.syndrome))
			eec->response_head++;
		spin_unlock(&eec->response_lock);
	}
	return progress;
}
