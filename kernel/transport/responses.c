// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The queue of pending responses, in PSN order. An acknowledgement is sent at once if no response
 * is pending. Otherwise it is queued, and the EE context's run function sends it. If the last
 * queued response is an ACK, a new acknowledgement to the same requester replaces that ACK
 * (coalescing, IBA 9.7.5.1.2).
 */
#include "transport/responses.h"
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include "packet/batch.h"
#include "qp/recv_wqe.h"
#include "qp/srq.h"
#include "transport/access.h"
#include "transport/credit.h"
#include "transport/loss.h"
#include "transport/migrate.h"
#include "transport/nak.h"
#include "transport/path.h"
#include "transport/payload.h"
#include "transport/rd/rd_eec.h"
#include "transport/retry.h"
#include "transport/xrc/xrc.h"

static struct hca_response *response_at(struct hca_eec *eec, u32 index)
{
	return &eec->response[index % HCA_MAX_RESPONSES];
}

static bool response_is_ack(const struct hca_response *r)
{
	return r->kind == HCA_RESP_ACK &&
	       (r->syndrome & HCA_SYNDROME_KIND) == HCA_SYNDROME_ACK;
}

/* Return whether a part of the request, or all of it, is still to be executed. */
static bool response_is_deferred(const struct hca_response *r)
{
	return r->kind == HCA_RESP_FLUSH || r->kind == HCA_RESP_LATER;
}

static struct hca_packet *response_packet(struct hca_eec *eec, u8 operation,
					  const struct hca_response *r)
{
	struct hca_packet *pkt = hca_packet_alloc(&eec->ca->pool);
	struct hca_headers *h;

	if (!pkt)
		return NULL;
	h = &pkt->h;
	hca_path_fill(pkt, eec->port, &eec->attr.iba.av);
	h->bth.opcode = eec->transport << 5 | operation;
	h->bth.flags = hca_migreq(eec);
	h->bth.tver = 0;
	h->bth.pkey = READ_ONCE(eec->port->tables.pkey[eec->attr.iba.pkey_index]);
	h->bth.destqp = r->dest_qpn;
	h->bth.psn = r->psn;
	if (eec->is_rd_eec)
		h->rdeth_eecn = eec->attr.iba.dest_qpn;
	h->aeth.syndrome = r->kind == HCA_RESP_ACK ? r->syndrome : hca_credits_offered(eec);
	h->aeth.msn = r->msn;
	h->atomicack_original = r->original;
	return pkt;
}

/*
 * Send a response of one packet without payload. Return: false if the port does not accept it now.
 */
static bool response_send_short(struct hca_eec *eec, const struct hca_response *r,
				struct hca_blocked_sender *blocked)
{
	static const u8 operation[] = {
		[HCA_RESP_ACK] = IB_OPCODE_ACKNOWLEDGE,
		[HCA_RESP_ATOMIC] = IB_OPCODE_ATOMIC_ACKNOWLEDGE,
		[HCA_RESP_EMPTY] = IB_OPCODE_RDMA_READ_RESPONSE_ONLY,
		[HCA_RESP_FLUSH] = IB_OPCODE_RDMA_READ_RESPONSE_ONLY,
	};
	struct hca_packet *pkt = response_packet(eec, operation[r->kind], r);

	if (!pkt)
		return true; /* the response counts as lost; the requester retries */
	hca_packet_finish(pkt);
	if (hca_port_send(eec->port, pkt, blocked))
		return true;
	hca_packet_free(pkt);
	return false;
}

void hca_responder_ack(struct hca_eec *eec, u32 dest_qpn, u32 psn, u8 syndrome)
{
	struct hca_response now = {
		.kind = HCA_RESP_ACK,
		.syndrome = syndrome == HCA_SYNDROME_ACK ? hca_credits_offered(eec) : syndrome,
		.msn = eec->msn,
		.psn = psn,
		.dest_qpn = dest_qpn,
	};
	struct hca_response *last;

	if (now.syndrome == HCA_SYNDROME_ACK && !READ_ONCE(eec->credit_stalled))
		hca_credit_stall(eec);
	if (!hca_resp_queue_pending(eec) && response_send_short(eec, &now, NULL))
		return;

	spin_lock(&eec->response_lock);
	last = response_at(eec, eec->response_tail - 1);
	if (eec->response_head != eec->response_tail && response_is_ack(last) &&
	    last->dest_qpn == dest_qpn)
		*last = now;
	else if (eec->response_tail - eec->response_head < HCA_MAX_RESPONSES)
		*response_at(eec, eec->response_tail++) = now;
	spin_unlock(&eec->response_lock);
	hca_eec_kick(eec);
}

void hca_update_credits(struct hca_eec *eec)
{
	struct hca_qp *qp = eec->qp;

	if (!hca_recvs_posted(&qp->rq, READ_ONCE(qp->rq_consumed)))
		return;
	spin_lock(&eec->common->recv_lock);
	if (hca_recvs_posted(&qp->rq, qp->rq_consumed) && eec->common->state != IB_QPS_ERR) {
		WRITE_ONCE(eec->credit_stalled, false);
		WRITE_ONCE(qp->rq.ring->need_wakeup, 0);
		hca_responder_ack(eec, eec->attr.iba.dest_qpn,
				  hca_psn_add(eec->expected_psn, HCA_PSN_MASK), HCA_SYNDROME_ACK);
	}
	spin_unlock(&eec->common->recv_lock);
}

/* One entry is kept free for an acknowledgement. */
bool hca_resp_queue_has_room(struct hca_eec *eec)
{
	return READ_ONCE(eec->response_tail) - READ_ONCE(eec->response_head) <
	       HCA_MAX_RESPONSES - 1;
}

bool hca_resp_queue_add(struct hca_eec *eec, const struct hca_response *response)
{
	bool room;

	spin_lock(&eec->response_lock);
	room = hca_resp_queue_has_room(eec);
	if (room) {
		*response_at(eec, eec->response_tail++) = *response;
		eec->pending += response->pending;
		eec->deferred += response_is_deferred(response);
	}
	spin_unlock(&eec->response_lock);
	if (room)
		hca_eec_kick(eec);
	return room;
}

/*
 * Free the responder resource of a response. This is done before the response is sent, because the
 * peer may send the next request as soon as it has received the response.
 */
static void response_complete(struct hca_eec *eec, struct hca_response *r)
{
	spin_lock(&eec->response_lock);
	eec->pending -= r->pending;
	eec->deferred -= r->pending && response_is_deferred(r);
	r->pending = false;
	spin_unlock(&eec->response_lock);
}

static u8 response_read_operation(const struct hca_response *r, u32 octets)
{
	bool first = !r->offset;
	bool last = r->offset + octets == r->length;

	if (first)
		return last ? IB_OPCODE_RDMA_READ_RESPONSE_ONLY :
			      IB_OPCODE_RDMA_READ_RESPONSE_FIRST;
	return last ? IB_OPCODE_RDMA_READ_RESPONSE_LAST : IB_OPCODE_RDMA_READ_RESPONSE_MIDDLE;
}

/*
 * Return the number of packets, of @octets octets each, to send as one segment batch. A batch
 * consists of Middle packets.
 */
static u8 response_read_batch(const struct hca_response *r, u32 octets, int budget)
{
	u32 left = r->length - r->offset;

	if (!r->offset || left <= 2 * octets || octets <= HCA_INLINE_BYTES ||
	    !READ_ONCE(hca_batches))
		return 1;
	return min3(DIV_ROUND_UP(left, octets) - 1, (u32)budget, (u32)HCA_MAX_BATCH);
}

/*
 * Attach the data to a Read response. The data of an ODP MR are copied, because its pages may be
 * absent when the packet arrives. If there is no memory for a copy of a whole segment batch, the
 * packet becomes a single packet. Return: 0 or -ENOMEM.
 */
static int response_read_attach(struct hca_packet *pkt, struct hca_tpt_entry *entry, u64 va,
				u32 octets, u8 packets)
{
	const struct hca_segment from = { .entry = entry, .addr = va, .length = octets * packets };

	pkt->payload_length = octets;
	if (octets <= HCA_INLINE_BYTES) {
		hca_copy_out(pkt->data, &from, octets);
		return 0;
	}
	if (!entry->odp) {
		hca_payload_borrow(pkt, entry, va, octets, packets);
		return 0;
	}
	pkt->packets = packets;
	if (packets > 1 && hca_payload_copy(pkt, &from))
		pkt->packets = 1;
	return pkt->packets > 1 ? 0 : hca_payload_copy(pkt, &from);
}

/*
 * Build the next packet or segment batch of a Read response. Return: the packet, or NULL if it
 * cannot be built. After NULL, *gone is true if the R_Key has become invalid, and false if building
 * may succeed later.
 */
static struct hca_packet *response_read_packet(struct hca_eec *eec, const struct hca_qp *qp,
					       const void *pd, const struct hca_response *r,
					       u32 octets, u8 packets, bool *gone)
{
	struct hca_tpt_entry *entry = NULL;
	struct hca_packet *pkt;
	u64 va = r->va + r->offset;

	*gone = false;
	if (octets) {
		entry = hca_tpt_entry_get(&eec->ca->ci.tpt, r->rkey, pd, qp->qpn,
					  IB_UVERBS_ACCESS_REMOTE_READ, va, octets * packets);
		*gone = !entry;
		if (IS_ERR(entry))
			hca_loss_count(eec, HCA_CTR_ODP_FAULTS, 1);
		if (IS_ERR_OR_NULL(entry))
			return NULL;
	}
	pkt = response_packet(eec, response_read_operation(r, octets), r);
	if (pkt && entry && response_read_attach(pkt, entry, va, octets, packets)) {
		hca_packet_free(pkt);
		pkt = NULL;
	}
	if (entry)
		hca_tpt_entry_put(entry);
	return pkt;
}

/*
 * Return the operation (IB_OPCODE_*) of the request that @r responds to. Not called for
 * HCA_RESP_ACK.
 */
static u8 response_request_operation(const struct hca_response *r)
{
	switch (r->kind) {
	case HCA_RESP_FLUSH:
		return IB_OPCODE_FLUSH;
	case HCA_RESP_LATER:
		return r->operation;
	default:
		return IB_OPCODE_RDMA_READ_REQUEST;
	}
}

/*
 * Record a NAK that is sent instead of a response. The request packet does not exist any more;
 * therefore the tracepoint gets a packet with only those header fields that are known.
 */
static noinline void response_record(struct hca_eec *eec, const struct hca_response *r, u16 result)
{
	struct hca_packet pkt = { .packets = 1 };
	struct hca_headers *h = &pkt.h;

	h->lrh.lnh = IB_LNH_IBA_LOCAL;
	h->lrh.slid = eec->attr.iba.av.dlid;
	h->lrh.dlid = READ_ONCE(eec->port->info.lid);
	h->lrh.sl = eec->attr.iba.av.sl;
	h->bth.opcode = eec->transport << 5 | response_request_operation(r);
	h->bth.destqp = eec->is_rd_eec ? r->dest : eec->qp->qpn;
	h->bth.psn = r->psn;
	hca_packet_finish(&pkt);
	hca_nak_record(eec, &pkt, result);
}

/* Send a NAK instead of a response, or instead of the remaining packets of a Read response. */
static void response_refuse(struct hca_eec *eec, struct hca_response *r, u16 result)
{
	struct hca_response refusal = {
		.kind = HCA_RESP_ACK,
		.syndrome = hca_syndrome_of(result),
		.msn = r->msn,
		.psn = r->psn,
		.dest_qpn = r->dest_qpn,
	};

	response_record(eec, r, result);
	response_complete(eec, r);
	response_send_short(eec, &refusal, NULL);
}

/*
 * Drop all pending responses except for the first, which has just failed. The connection is in
 * Error, and no further response is queued, because the responder checks the state with recv_lock
 * held.
 */
static void response_drop_later(struct hca_eec *eec)
{
	spin_lock(&eec->common->recv_lock);
	spin_lock(&eec->response_lock);
	eec->response_tail = eec->response_head + 1;
	eec->pending = 0;
	eec->deferred = 0;
	spin_unlock(&eec->response_lock);
	spin_unlock(&eec->common->recv_lock);
}

/*
 * Send a NAK for a request that cannot be executed completely, usually because its R_Key has become
 * invalid since the request arrived. A connection then goes to Error, but an RD EE context does
 * not. If the request is a duplicate, a connection does not go to Error either, because the
 * requester may already have the data and may have invalidated the R_Key.
 */
static void response_fail(struct hca_eec *eec, struct hca_response *r, u16 result)
{
	response_refuse(eec, r, result);
	if (eec->is_rd_eec || r->duplicate)
		return;
	if (hca_syndrome_of(result) == HCA_NAK_REMOTE_ACCESS)
		hca_eec_raise(eec, HCA_QP_ACCESS_ERROR);
	hca_qp_error(eec->qp);
	response_drop_later(eec);
}

/*
 * Send the remaining packets of a Read response. The R_Key must be bound to @qp or belong to the
 * protection domain @pd.
 */
static enum hca_progress response_read_send(struct hca_eec *eec, const struct hca_qp *qp,
					    const void *pd, struct hca_response *r, int *budget)
{
	do {
		u32 octets = min(eec->mtu, r->length - r->offset);
		struct hca_packet *pkt;
		bool gone;
		u8 packets;

		if (*budget <= 0)
			return HCA_BUDGET;
		packets = response_read_batch(r, octets, *budget);
		pkt = response_read_packet(eec, qp, pd, r, octets, packets, &gone);
		if (gone) {
			response_fail(eec, r, hca_nak_key(&eec->ca->ci.tpt, r->rkey, pd, qp->qpn,
							  IB_UVERBS_ACCESS_REMOTE_READ,
							  r->va + r->offset, octets));
			return HCA_DONE;
		}
		if (!pkt) {
			hca_retry_soon(eec);
			return HCA_WAITING;
		}
		packets = pkt->packets;
		if (r->offset + octets == r->length)
			response_complete(eec, r);
		hca_packet_finish(pkt);
		if (!hca_port_send(eec->port, pkt, &eec->blocked)) {
			hca_packet_free(pkt);
			return HCA_WAITING;
		}
		*budget -= packets;
		r->offset += octets * packets;
		r->psn = hca_psn_add(r->psn, packets);
	} while (r->offset < r->length);
	return HCA_DONE;
}

/*
 * Write back the rest of the memory of a Flush, then send the response. The R_Key must be bound to
 * @qp or belong to the protection domain @pd.
 */
static enum hca_progress response_flush_send(struct hca_eec *eec, const struct hca_qp *qp,
					     const void *pd, struct hca_response *r, int *budget)
{
	while (r->left) {
		if (*budget <= 0)
			return HCA_BUDGET;
		if (!hca_flush_write_back(eec, qp, pd, r, HCA_FLUSH_TURN)) {
			response_fail(eec, r, hca_nak_key(&eec->ca->ci.tpt, r->rkey, pd, qp->qpn,
							  IB_UVERBS_ACCESS_FLUSH_PERSISTENT,
							  r->va, r->left));
			return HCA_DONE;
		}
		--*budget;
	}
	response_complete(eec, r);
	return response_send_short(eec, r, &eec->blocked) ? HCA_DONE : HCA_WAITING;
}

/*
 * Note that the request of @r has been executed. It must not be executed again if the port does not
 * accept the response now.
 */
static void response_executed(struct hca_eec *eec, struct hca_response *r,
			      const struct hca_response *now)
{
	spin_lock(&eec->common->recv_lock);
	hca_atomic_save(eec, now);
	spin_unlock(&eec->common->recv_lock);
	spin_lock(&eec->response_lock);
	eec->deferred--;
	*r = *now;
	spin_unlock(&eec->response_lock);
}

/*
 * Execute an atomic or Atomic Write, then send the response. The R_Key must be bound to @qp or
 * belong to the protection domain @pd.
 */
static enum hca_progress response_atomic_send(struct hca_eec *eec, const struct hca_qp *qp,
					      const void *pd, struct hca_response *r, int *budget)
{
	struct hca_response now = *r;

	if (*budget <= 0)
		return HCA_BUDGET;
	--*budget;
	switch (hca_atomic_execute(eec, qp, pd, &now)) {
	case 0:
		break;
	case -EAGAIN:
		hca_loss_count(eec, HCA_CTR_ODP_FAULTS, 1);
		hca_retry_soon(eec);
		return HCA_WAITING;
	case -EACCES:
		response_fail(eec, r, hca_nak_key(&eec->ca->ci.tpt, r->rkey, pd, qp->qpn,
						  hca_atomic_access(r), r->va, sizeof(u64)));
		return HCA_DONE;
	default:
		response_fail(eec, r, hca_nak(HCA_NAK_REASON_ATOMIC_MEMORY));
		return HCA_DONE;
	}
	response_executed(eec, r, &now);
	response_complete(eec, r);
	return response_send_short(eec, r, &eec->blocked) ? HCA_DONE : HCA_WAITING;
}

static enum hca_progress response_memory_send(struct hca_eec *eec, const struct hca_qp *qp,
					      const void *pd, struct hca_response *r, int *budget)
{
	switch (r->kind) {
	case HCA_RESP_FLUSH:
		return response_flush_send(eec, qp, pd, r, budget);
	case HCA_RESP_LATER:
		return response_atomic_send(eec, qp, pd, r, budget);
	default:
		return response_read_send(eec, qp, pd, r, budget);
	}
}

/*
 * Send a Read response of an RD EE context. A reference keeps the destination queue pair and its
 * protection domain. If the queue pair does not exist or does not receive requests any more, send a
 * NAK. Without any response, the peer's RD EE context would fail for all its queue pairs (req
 * C4-027).
 */
static enum hca_progress response_rd_eec_read_send(struct hca_eec *eec, struct hca_response *r,
						   int *budget)
{
	struct hca_qp *qp = hca_qp_get(&eec->ca->ci, r->dest);
	enum hca_progress progress = HCA_DONE;

	if (qp && hca_state_receives(READ_ONCE(qp->common.state)))
		progress = response_read_send(eec, qp, qp->pd, r, budget);
	else
		response_refuse(eec, r, hca_nak(HCA_NAK_REASON_RD_QP));
	if (qp)
		hca_qp_put(qp);
	return progress;
}

/*
 * Send a response of an XRC target that needs memory. If the SRQ of the request does not exist any
 * more, send a NAK.
 */
static enum hca_progress response_xrc_memory_send(struct hca_eec *eec, struct hca_response *r,
						  int *budget)
{
	struct hca_xrc_srq *xrc = hca_xrc_srq_get(eec->qp, r->dest);
	enum hca_progress progress;

	if (!xrc) {
		response_fail(eec, r, hca_nak(HCA_NAK_REASON_XRC_SRQ_GONE));
		return HCA_DONE;
	}
	progress = response_memory_send(eec, eec->qp, xrc->srq->pd, r, budget);
	hca_xrc_srq_put(xrc);
	return progress;
}

/* Send a response that needs the consumer's memory. */
static enum hca_progress response_memory_respond(struct hca_eec *eec, struct hca_response *r,
						 int *budget)
{
	if (eec->is_rd_eec)
		return response_rd_eec_read_send(eec, r, budget);
	if (eec->transport == HCA_TRANSPORT_XRC)
		return response_xrc_memory_send(eec, r, budget);
	return response_memory_send(eec, eec->qp, eec->qp->pd, r, budget);
}

enum hca_progress hca_responses_send(struct hca_eec *eec, int *budget)
{
	while (hca_resp_queue_pending(eec)) {
		struct hca_response *r = response_at(eec, eec->response_head);
		enum hca_progress progress;
		struct hca_response now;

		spin_lock(&eec->response_lock);
		now = *r;
		spin_unlock(&eec->response_lock);

		if (now.kind == HCA_RESP_READ || response_is_deferred(&now)) {
			/* Only this function changes a queued response that needs memory. */
			progress = response_memory_respond(eec, r, budget);
			if (progress != HCA_DONE)
				return progress;
		} else {
			if (now.pending)
				response_complete(eec, r);
			if (!response_send_short(eec, &now, &eec->blocked))
				return HCA_WAITING;
		}

		spin_lock(&eec->response_lock);
		/*
		 * If a new acknowledgement has replaced the one that was sent, keep the entry,
		 * because the new acknowledgement is still to be sent.
		 */
		if (now.kind != HCA_RESP_ACK ||
		    (r->psn == now.psn && r->syndrome == now.syndrome))
			eec->response_head++;
		spin_unlock(&eec->response_lock);
	}
	return HCA_DONE;
}
