// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The responder of a connection: request packets in the order of PSNs, executed once.
 * A packet's verdict is the syndrome of its acknowledgement.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include "compat.h"
#include "transport/aeth.h"
#include "transport/payload.h"
#include "transport/recv.h"
#include "transport/send.h"

/* Beside syndromes: not executed and not answered, as if it had been lost. */
#define HCA_LOST 0xff

/* May this packet stand here, between or within messages, and is it as long as it should be? */
static bool hca_request_in_place(const struct hca_qp *qp, const struct hca_packet *pkt, u32 flags)
{
	u32 kind = flags & (HCA_IS_SEND | HCA_IS_WRITE);

	if (qp->eec.message ? (flags & HCA_IS_FIRST) || kind != qp->eec.message :
			      !(flags & HCA_IS_FIRST))
		return false;
	if (!(flags & HCA_IS_LAST))
		return pkt->payload_length == qp->mtu;
	if (!(flags & HCA_IS_FIRST) && !pkt->payload_length)
		return false;
	return pkt->payload_length <= qp->mtu;
}

static void hca_complete_message(struct hca_qp *qp, const struct hca_packet *pkt, u32 flags)
{
	struct hca_cqe cqe = {
		.status = HCA_WC_SUCCESS,
		.opcode = flags & HCA_IS_WRITE ? HCA_WC_RECV_RDMA_WITH_IMM :
						 HCA_WC_RECV,
		.byte_len = qp->recv.offset,
		.src_qp = qp->attr.dest_qpn,
		.slid = pkt->h.lrh.slid,
		.sl = pkt->h.lrh.sl,
	};

	if (flags & HCA_HAS_IMMDT) {
		cqe.flags |= HCA_CQE_WITH_IMM;
		cqe.imm_data = pkt->h.immdt;
	}
	if (pkt->h.bth.flags & HCA_BTH_SOLICITED)
		cqe.flags |= HCA_CQE_SOLICITED;
	hca_recv_complete(qp, &cqe);
}

static void hca_fail_recv(struct hca_qp *qp, enum hca_status status)
{
	struct hca_cqe cqe = { .status = status, .opcode = HCA_WC_RECV };

	hca_recv_complete(qp, &cqe);
}

static u8 hca_rnr(const struct hca_qp *qp)
{
	return HCA_SYNDROME_RNR | qp->attr.min_rnr_timer;
}

static u8 hca_execute_send(struct hca_qp *qp, const struct hca_packet *pkt, u32 flags)
{
	struct hca_piece piece[HCA_MAX_SGE] HCA_UNINITIALIZED;
	struct hca_recv *recv = &qp->recv;
	int n, ret;

	if ((flags & HCA_IS_FIRST) && !hca_recv_take(qp))
		return hca_rnr(qp);
	n = hca_sge_pieces(qp, recv->sge, recv->num_sge, recv->offset, pkt->payload_length, piece);
	if (n == -EMSGSIZE) {
		hca_fail_recv(qp, HCA_WC_LOC_LEN_ERR);
		return HCA_NAK_INVALID_REQUEST;
	}
	if (n < 0) {
		hca_fail_recv(qp, HCA_WC_LOC_PROT_ERR);
		return HCA_NAK_REMOTE_OPERATION;
	}
	ret = hca_payload_deliver(pkt, piece);
	hca_pieces_put(piece, n);
	if (ret)
		return HCA_LOST;
	recv->offset += pkt->payload_length;
	if (flags & HCA_IS_LAST)
		hca_complete_message(qp, pkt, flags);
	return HCA_ACK_NO_CREDITS;
}

/* May the peer do this to @length octets at @va? Nothing is checked of no octets (C9-99). */
static bool hca_remote_access_ok(struct hca_qp *qp, u32 access, u32 rkey, u64 va, u32 length)
{
	if (!(qp->attr.access & access))
		return false;
	return !length || hca_region_find(&qp->ca->tpt, rkey, qp->pd, access, va, length);
}

static u8 hca_execute_write(struct hca_qp *qp, const struct hca_packet *pkt, u32 flags)
{
	struct hca_eec *eec = &qp->eec;
	const struct hca_reth *reth = &pkt->h.reth;
	struct hca_piece piece = { .length = pkt->payload_length };
	bool last = flags & HCA_IS_LAST;
	int ret;

	if (flags & HCA_IS_FIRST) {
		if (reth->length > HCA_MAX_MESSAGE)
			return HCA_NAK_INVALID_REQUEST;
		if (!hca_remote_access_ok(qp, IB_UVERBS_ACCESS_REMOTE_WRITE, reth->rkey, reth->va,
					  reth->length))
			return HCA_NAK_REMOTE_ACCESS;
		eec->write_va = reth->va;
		eec->write_rkey = reth->rkey;
		eec->write_left = reth->length;
		eec->write_total = reth->length;
	}
	if (pkt->payload_length > eec->write_left || last != (pkt->payload_length == eec->write_left))
		return HCA_NAK_INVALID_REQUEST;
	if ((flags & HCA_TAKES_RECV) && !hca_recv_take(qp))
		return hca_rnr(qp);
	if (pkt->payload_length) {
		piece.addr = eec->write_va;
		piece.region = hca_region_get(&qp->ca->tpt, eec->write_rkey, qp->pd,
					      IB_UVERBS_ACCESS_REMOTE_WRITE, piece.addr,
					      piece.length);
		if (!piece.region)
			return HCA_NAK_REMOTE_ACCESS;
		ret = hca_payload_deliver(pkt, &piece);
		hca_region_put(piece.region);
		if (ret)
			return HCA_LOST;
	}
	eec->write_va += pkt->payload_length;
	eec->write_left -= pkt->payload_length;
	if (flags & HCA_TAKES_RECV) {
		qp->recv.offset = eec->write_total;
		hca_complete_message(qp, pkt, flags);
	}
	return HCA_ACK_NO_CREDITS;
}

static u32 hca_read_packets(const struct hca_qp *qp, u32 length)
{
	return max(1u, DIV_ROUND_UP(length, qp->mtu));
}

/* One that has just been answered may still be counted: hence one more is tolerated. */
static u32 hca_reads_owed(struct hca_eec *eec)
{
	u32 i, n = 0;

	spin_lock(&eec->response_lock);
	for (i = eec->response_head; i != eec->response_tail; i++)
		n += eec->response[i % HCA_MAX_RESPONSES].read &&
		     !eec->response[i % HCA_MAX_RESPONSES].again;
	spin_unlock(&eec->response_lock);
	return n;
}

static u8 hca_execute_read(struct hca_qp *qp, const struct hca_packet *pkt)
{
	const struct hca_reth *reth = &pkt->h.reth;

	if (reth->length > HCA_MAX_MESSAGE || !qp->attr.max_dest_rd_atomic)
		return HCA_NAK_INVALID_REQUEST;
	if (!hca_remote_access_ok(qp, IB_UVERBS_ACCESS_REMOTE_READ, reth->rkey, reth->va,
				  reth->length))
		return HCA_NAK_REMOTE_ACCESS;
	if (hca_reads_owed(&qp->eec) > qp->attr.max_dest_rd_atomic)
		return HCA_NAK_INVALID_REQUEST; /* C9-86 */
	if (!hca_responder_read(qp, pkt, hca_psn_add(qp->eec.msn, 1), false))
		return HCA_LOST;
	return HCA_ACK_NO_CREDITS;
}

static u8 hca_execute(struct hca_qp *qp, const struct hca_packet *pkt, u32 flags)
{
	struct hca_eec *eec = &qp->eec;

	if (flags & HCA_IS_READ)
		return eec->message ? HCA_NAK_INVALID_REQUEST : hca_execute_read(qp, pkt);
	if (!(flags & (HCA_IS_SEND | HCA_IS_WRITE)) || (flags & HCA_HAS_IETH) ||
	    !hca_request_in_place(qp, pkt, flags))
		return HCA_NAK_INVALID_REQUEST;
	return flags & HCA_IS_SEND ? hca_execute_send(qp, pkt, flags) :
				     hca_execute_write(qp, pkt, flags);
}

/* A packet seen before: a read is read again, all else is acknowledged again (C9-105). */
static void hca_responder_duplicate(struct hca_qp *qp, const struct hca_packet *pkt, u32 flags)
{
	const struct hca_reth *reth = &pkt->h.reth;

	if (!(flags & HCA_IS_READ)) {
		hca_responder_ack(qp, hca_psn_add(qp->eec.expected_psn, HCA_PSN_MASK),
				  HCA_ACK_NO_CREDITS);
		return;
	}
	if (hca_remote_access_ok(qp, IB_UVERBS_ACCESS_REMOTE_READ, reth->rkey, reth->va,
				 reth->length))
		hca_responder_read(qp, pkt, qp->eec.msn, true);
}

static void hca_responder_refuse(struct hca_qp *qp, u8 syndrome)
{
	hca_responder_ack(qp, qp->eec.expected_psn, syndrome);
	if ((syndrome & HCA_SYNDROME_KIND) == HCA_SYNDROME_RNR)
		return;
	if (syndrome == HCA_NAK_REMOTE_ACCESS)
		hca_qp_raise(qp, HCA_QP_ACCESS_ERROR);
	else if (syndrome == HCA_NAK_INVALID_REQUEST)
		hca_qp_raise(qp, HCA_QP_REQUEST_ERROR);
	hca_qp_error(qp);
}

static void hca_responder_packet(struct hca_qp *qp, const struct hca_packet *pkt)
{
	u32 flags = hca_opcodes[pkt->h.bth.opcode].flags;
	struct hca_eec *eec = &qp->eec;
	s32 ahead = hca_psn_diff(pkt->h.bth.psn, eec->expected_psn);
	u8 verdict;

	if (ahead < 0) {
		hca_responder_duplicate(qp, pkt, flags);
		return;
	}
	if (ahead > 0) {
		if (!eec->nak_sent)
			hca_responder_ack(qp, eec->expected_psn, HCA_NAK_PSN_SEQUENCE);
		eec->nak_sent = true;
		return;
	}
	verdict = hca_execute(qp, pkt, flags);
	if (verdict == HCA_LOST)
		return;
	/* After an RNR NAK those behind it are not out of sequence but early (C9-110). */
	eec->nak_sent = (verdict & HCA_SYNDROME_KIND) == HCA_SYNDROME_RNR;
	if (verdict != HCA_ACK_NO_CREDITS) {
		hca_responder_refuse(qp, verdict);
		return;
	}

	if (flags & HCA_IS_READ) {
		eec->expected_psn = hca_psn_add(eec->expected_psn,
						hca_read_packets(qp, pkt->h.reth.length));
		eec->msn = hca_psn_add(eec->msn, 1);
		return;
	}
	eec->expected_psn = hca_psn_add(eec->expected_psn, 1);
	eec->message = flags & HCA_IS_LAST ? 0 : flags & (HCA_IS_SEND | HCA_IS_WRITE);
	if (flags & HCA_IS_LAST)
		eec->msn = hca_psn_add(eec->msn, 1);
	if (pkt->h.bth.flags & HCA_BTH_ACKREQ)
		hca_responder_ack(qp, pkt->h.bth.psn, HCA_ACK_NO_CREDITS);
}

void hca_responder_receive(struct hca_qp *qp, struct hca_packet *pkt)
{
	u8 state;

	spin_lock(&qp->recv_lock);
	state = qp->state;
	if (state == HCA_QPS_RTR || state == HCA_QPS_RTS) {
		if (state == HCA_QPS_RTR && !qp->established) {
			qp->established = true;
			hca_qp_raise(qp, HCA_QP_COMM_ESTABLISHED);
		}
		hca_responder_packet(qp, pkt);
	}
	spin_unlock(&qp->recv_lock);
	hca_packet_free(pkt);
}
