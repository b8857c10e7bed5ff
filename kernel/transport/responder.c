// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The responder of reliable connections and RD EE contexts, which executes each request packet
 * once, in PSN order. transport/nak.h describes the result of a packet.
 */
#include "transport/responder.h"
#include <linux/kernel.h>
#include "packet/batch.h"
#include "transport/access.h"
#include "transport/deliver.h"
#include "transport/execute.h"
#include "transport/loss.h"
#include "transport/nak.h"
#include "transport/rd/rd_eec.h"
#include "transport/responses.h"

static struct hca_qp *responder_dest_get(struct hca_eec *eec, const struct hca_packet *pkt)
{
	return eec->ops->dest_get ? eec->ops->dest_get(eec, pkt) : eec->qp;
}

static void responder_dest_put(struct hca_eec *eec, struct hca_qp *qp)
{
	if (eec->ops->dest_put)
		eec->ops->dest_put(eec, qp);
}

/* Return the result of a request whose destination was not found. */
static u16 responder_no_dest(const struct hca_eec *eec)
{
	return hca_nak(eec->is_rd_eec ? HCA_NAK_REASON_RD_QP : HCA_NAK_REASON_XRC_SRQ);
}

static u32 responder_read_packets(const struct hca_eec *eec, u32 length)
{
	return max(1u, DIV_ROUND_UP(length, eec->mtu));
}

/*
 * Return the destination of a duplicate Read. For XRC, message_dest may be that of a later message.
 */
static u32 responder_dest_of(const struct hca_eec *eec, const struct hca_packet *pkt)
{
	return eec->transport == HCA_TRANSPORT_XRC ? pkt->h.xrceth_srqn : eec->message_dest;
}

/* Refuse a duplicate request with a NAK. The connection does not go to Error. */
static void responder_refuse_duplicate(struct hca_eec *eec, const struct hca_packet *pkt,
				       u16 result)
{
	hca_nak_record(eec, pkt, result);
	hca_responder_ack(eec, hca_requester_of(eec, pkt), pkt->h.bth.psn,
			  hca_syndrome_of(result));
}

/*
 * Execute a duplicate Read request again. The duplicate may begin at a later PSN than the original
 * request (req B4-362).
 */
static void responder_repeat_read(struct hca_eec *eec, const struct hca_qp *qp,
				  const struct hca_packet *pkt)
{
	const struct hca_reth *reth = &pkt->h.reth;
	struct hca_response response = {
		.kind = HCA_RESP_READ,
		.duplicate = true,
		.msn = eec->msn,
		.psn = pkt->h.bth.psn,
		.dest_qpn = hca_requester_of(eec, pkt),
		.dest = responder_dest_of(eec, pkt),
		.va = reth->va,
		.rkey = reth->rkey,
		.length = reth->length,
	};
	u16 result = hca_remote_access(qp, IB_UVERBS_ACCESS_REMOTE_READ, reth->rkey, reth->va,
				       reth->length);

	if (result == HCA_SYNDROME_ACK)
		hca_resp_queue_add(eec, &response);
	else
		responder_refuse_duplicate(eec, pkt, result);
}

/*
 * Answer a duplicate atomic request with the saved result. If the result is not saved any more, the
 * duplicate is so old that it gets no response.
 */
static void responder_repeat_atomic(struct hca_eec *eec, const struct hca_packet *pkt)
{
	struct hca_response response = {
		.kind = HCA_RESP_ATOMIC,
		.msn = eec->msn,
		.psn = pkt->h.bth.psn,
		.dest_qpn = hca_requester_of(eec, pkt),
	};
	u32 i, n = min_t(u32, eec->num_saved, HCA_MAX_RD_ATOMIC);

	for (i = 1; i <= n; i++) {
		const struct hca_saved_atomic *saved =
			&eec->saved[(eec->num_saved - i) % HCA_MAX_RD_ATOMIC];

		if (saved->psn == response.psn) {
			response.original = saved->original;
			hca_resp_queue_add(eec, &response);
			return;
		}
	}
}

/*
 * Answer a duplicate Flush or Atomic Write without executing it again, because that could undo
 * later writes (IBA annex A19). The response contains no data.
 */
static void responder_repeat_placement(struct hca_eec *eec, const struct hca_packet *pkt)
{
	const struct hca_response response = {
		.kind = HCA_RESP_EMPTY,
		.msn = eec->msn,
		.psn = pkt->h.bth.psn,
		.dest_qpn = hca_requester_of(eec, pkt),
	};

	hca_resp_queue_add(eec, &response);
}

/*
 * Answer a duplicate request (IBA C9-105). Only a Read is executed again. A duplicate with a
 * reserved opcode gets no response.
 */
static void responder_duplicate(struct hca_eec *eec, const struct hca_packet *pkt)
{
	u32 flags = hca_opcodes[pkt->h.bth.opcode].flags;
	struct hca_qp *qp;

	if (flags & HCA_IS_ATOMIC) {
		responder_repeat_atomic(eec, pkt);
	} else if (flags & (HCA_IS_FLUSH | HCA_IS_ATOMIC_WRITE)) {
		responder_repeat_placement(eec, pkt);
	} else if (flags & HCA_IS_READ) {
		/*
		 * If the destination does not exist, send a NAK. Without any response, the peer's
		 * retries would be exceeded, and the peer's RD EE context would fail for all its
		 * queue pairs (req C4-027).
		 */
		qp = responder_dest_get(eec, pkt);
		if (!qp) {
			responder_refuse_duplicate(eec, pkt, responder_no_dest(eec));
			return;
		}
		responder_repeat_read(eec, qp, pkt);
		responder_dest_put(eec, qp);
	} else if (flags & (HCA_IS_SEND | HCA_IS_WRITE)) {
		hca_responder_ack(eec, hca_requester_of(eec, pkt),
				  hca_psn_add(eec->expected_psn, HCA_PSN_MASK),
				  HCA_SYNDROME_ACK);
	}
}

/*
 * Send a NAK or RNR NAK. After a NAK, a connection goes to Error, but an RD EE context and its
 * destination queue pair continue. If the connection is in Error already, no event is raised,
 * because a completion or HCA_QP_FATAL has notified the consumer (req R0-174, R0-444).
 */
static void responder_refuse(struct hca_eec *eec, const struct hca_packet *pkt, u16 result)
{
	u8 syndrome = hca_syndrome_of(result);
	bool rnr = (syndrome & HCA_SYNDROME_KIND) == HCA_SYNDROME_RNR;

	hca_nak_record(eec, pkt, result);
	hca_responder_ack(eec, hca_requester_of(eec, pkt), eec->expected_psn, syndrome);
	if (rnr)
		hca_loss_count(eec, HCA_CTR_RNR_NAKS_SENT, 1);
	if (rnr || eec->is_rd_eec || READ_ONCE(eec->common->state) == IB_QPS_ERR)
		return;
	if (syndrome == HCA_NAK_REMOTE_ACCESS)
		hca_eec_raise(eec, HCA_QP_ACCESS_ERROR);
	else if (syndrome == HCA_NAK_INVALID_REQUEST)
		hca_eec_raise(eec, HCA_QP_REQUEST_ERROR);
	hca_qp_error(eec->qp);
}

/* Update the state after a packet was executed. */
static void responder_advance(struct hca_eec *eec, const struct hca_packet *pkt)
{
	u32 flags = hca_opcodes[pkt->h.bth.opcode].flags;
	u32 packets = flags & HCA_IS_READ ? responder_read_packets(eec, pkt->h.reth.length) :
					    pkt->packets;

	eec->expected_psn = hca_psn_add(eec->expected_psn, packets);
	eec->message = flags & HCA_IS_LAST ? 0 : flags & (HCA_IS_SEND | HCA_IS_WRITE);
	if (flags & HCA_IS_LAST)
		eec->msn = hca_psn_add(eec->msn, 1);
	if (!(flags & HCA_OCCUPIES_RESOURCE) && (pkt->h.bth.flags & HCA_BTH_ACKREQ))
		hca_responder_ack(eec, hca_requester_of(eec, pkt), hca_batch_last_psn(pkt),
				  HCA_SYNDROME_ACK);
}

static u16 responder_execute(struct hca_eec *eec, const struct hca_packet *pkt)
{
	struct hca_qp *qp = responder_dest_get(eec, pkt);
	u16 result;

	if (!qp)
		return responder_no_dest(eec);
	result = hca_execute(eec, qp, pkt);
	responder_dest_put(eec, qp);
	return result;
}

static void responder_packet(struct hca_eec *eec, const struct hca_packet *pkt);

static noinline void responder_split(struct hca_eec *eec, const struct hca_packet *batch)
{
	struct hca_packet single;
	u8 i;

	for (i = 0; i < batch->packets && hca_eec_receives(eec); i++) {
		hca_batch_view(batch, i, 1, &single);
		responder_packet(eec, &single);
	}
}

static void responder_packet(struct hca_eec *eec, const struct hca_packet *pkt)
{
	s32 ahead = hca_psn_diff(pkt->h.bth.psn, eec->expected_psn);
	u16 result;

	if (ahead && pkt->packets > 1) {
		responder_split(eec, pkt);
		return;
	}
	if (pkt->h.bth.opcode == HCA_OPCODE(RD, RESYNC)) {
		hca_rd_eec_resync(eec, pkt);
		return;
	}
	if (ahead < 0) {
		hca_loss_count(eec, HCA_CTR_DUPLICATE_REQUESTS, 1);
		responder_duplicate(eec, pkt);
		return;
	}
	if (ahead > 0) {
		hca_loss_count(eec, HCA_CTR_OUT_OF_SEQUENCE_REQUESTS, 1);
		if (!eec->nak_sent)
			hca_responder_ack(eec, hca_requester_of(eec, pkt), eec->expected_psn,
					  HCA_NAK_PSN_SEQUENCE);
		eec->nak_sent = true;
		return;
	}
	result = responder_execute(eec, pkt);
	if (result == HCA_DROP)
		return;
	if (result == HCA_SPLIT) {
		responder_split(eec, pkt);
		return;
	}
	/*
	 * Later packets get no sequence NAK until the refused packet has been sent again (IBA
	 * C9-110).
	 */
	eec->nak_sent = result != HCA_SYNDROME_ACK;
	if (result == HCA_SYNDROME_ACK)
		responder_advance(eec, pkt);
	else
		responder_refuse(eec, pkt, result);
}

void hca_responder_receive(struct hca_eec *eec, struct hca_packet *pkt)
{
	spin_lock(&eec->common->recv_lock);
	if (hca_eec_receives(eec))
		responder_packet(eec, pkt);
	spin_unlock(&eec->common->recv_lock);
	hca_packet_free(pkt);
}
