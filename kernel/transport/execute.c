// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Execution of request packets: their effects on the memory, receive requests and keys of the
 * destination queue pair.
 */
#include "transport/execute.h"
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include "compat.h"
#include "packet/batch.h"
#include "qp/recv.h"
#include "qp/segments.h"
#include "tpt/key.h"
#include "transport/access.h"
#include "transport/flush.h"
#include "transport/iba_qp.h"
#include "transport/loss.h"
#include "transport/nak.h"
#include "transport/payload.h"
#include "transport/rd/rd_eec.h"
#include "transport/responses.h"
#include "transport/scatter.h"

/* Return whether a packet with @flags may follow the previous packet. */
static bool execute_is_in_order(const struct hca_eec *eec, u32 flags)
{
	u32 kind = flags & (HCA_IS_SEND | HCA_IS_WRITE);

	if (!eec->message)
		return !kind || (flags & HCA_IS_FIRST);
	return kind == eec->message && !(flags & HCA_IS_FIRST);
}

/* Return whether the payload length is valid for a First, Middle, Last or Only packet. */
static bool execute_has_length_of_place(const struct hca_eec *eec, const struct hca_packet *pkt,
					u32 flags)
{
	if (!(flags & HCA_IS_LAST))
		return pkt->payload_length == eec->mtu;
	if (!(flags & HCA_IS_FIRST) && !pkt->payload_length)
		return false;
	return pkt->payload_length <= eec->mtu;
}

/*
 * Complete the receive request of a message. A message whose completion is lost counts as not
 * received (req R0-469).
 */
static u16 execute_complete_message(struct hca_eec *eec, struct hca_qp *qp,
				    const struct hca_packet *pkt, u32 flags)
{
	struct hca_cqe cqe = {
		.status = IB_WC_SUCCESS,
		.opcode = flags & HCA_IS_WRITE ? IB_WC_RECV_RDMA_WITH_IMM :
						 IB_WC_RECV,
		.byte_len = eec->recv->offset,
		.src_qp = hca_requester_of(eec, pkt),
		.eecn = hca_eecn(eec),
		.slid = pkt->h.lrh.slid,
		.sl = pkt->h.lrh.sl,
	};

	if (flags & HCA_HAS_IMMDT) {
		cqe.flags |= HCA_CQE_WITH_IMM;
		cqe.imm_data = pkt->h.immdt;
	}
	if (flags & HCA_HAS_IETH) {
		cqe.flags |= HCA_CQE_WITH_INV;
		cqe.invalidated_rkey = pkt->h.ieth_rkey;
	}
	if (pkt->h.bth.flags & HCA_BTH_SOLICITED)
		cqe.flags |= HCA_CQE_SOLICITED;
	return hca_recv_complete(qp, eec->recv, &cqe) ? HCA_SYNDROME_ACK :
							 hca_nak(HCA_NAK_REASON_CQ);
}

static void execute_fail_recv(struct hca_eec *eec, struct hca_qp *qp, enum hca_vendor_err error)
{
	hca_recv_fail(qp, eec->recv, error);
	hca_qp_error(qp);
}

/* Return the AETH syndrome of an RNR NAK, which makes the peer send the packet again later. */
static u8 execute_not_ready(const struct hca_eec *eec)
{
	return HCA_SYNDROME_RNR | eec->attr.iba.min_rnr_timer;
}

/*
 * Count a fault, and return the AETH syndrome of an RNR NAK. The packet needs a page that is
 * absent, but may be present when the peer sends the packet again.
 */
static u8 execute_page_absent(const struct hca_eec *eec)
{
	hca_loss_count(eec, HCA_CTR_ODP_FAULTS, 1);
	return execute_not_ready(eec);
}

/*
 * Return the result of a packet that finds no receive request: an RNR NAK, or a NAK if the receive
 * queue has failed. An unreliable connection sends neither of them, and the message is lost.
 */
static u16 execute_no_receive(const struct hca_eec *eec, const struct hca_qp *qp,
			      const struct hca_packet *pkt)
{
	if (READ_ONCE(qp->common.state) == IB_QPS_ERR)
		return hca_nak(HCA_NAK_REASON_RECV_QUEUE);
	if (eec->transport == HCA_TRANSPORT_UC)
		hca_recv_drop(eec, pkt);
	return execute_not_ready(eec);
}

/*
 * Invalidate the R_Key in a Send with Invalidate. Return: false if this is not permitted. A queue
 * pair without remote access rights does not permit it (req R0-345).
 */
static bool execute_invalidate(const struct hca_qp *qp, u32 rkey)
{
	return (hca_qp_eec(qp)->attr.access & HCA_REMOTE_ACCESS) &&
	       !hca_key_invalidate(&qp->ci->tpt, rkey, qp->pd, qp->qpn, true);
}

static u16 execute_send(struct hca_eec *eec, struct hca_qp *qp, const struct hca_packet *pkt,
			u32 flags)
{
	struct hca_recv *recv = eec->recv;
	int ret;

	if ((flags & HCA_IS_FIRST) && !hca_recv_consume(qp, recv))
		return execute_no_receive(eec, qp, pkt);
	ret = hca_recv_scatter(qp, recv, recv->offset, pkt);
	if (ret && pkt->packets > 1)
		return HCA_SPLIT;
	switch (ret) {
	case 0:
		break;
	case -ESTALE:
		return HCA_DROP;
	case -EAGAIN:
		return execute_page_absent(eec);
	case -EMSGSIZE:
		execute_fail_recv(eec, qp, HCA_VENDOR_ERR_RECV_LENGTH);
		return hca_nak(HCA_NAK_REASON_RECV_LENGTH);
	default:
		execute_fail_recv(eec, qp,
				  hca_recv_refusal(qp, recv, recv->offset, hca_batch_octets(pkt)));
		return hca_nak(HCA_NAK_REASON_RECV_SGE);
	}
	if ((flags & HCA_HAS_IETH) &&
	    !execute_invalidate(qp, pkt->h.ieth_rkey)) {
		execute_fail_recv(eec, qp, HCA_VENDOR_ERR_REMOTE_INVALIDATE);
		return hca_nak(HCA_NAK_REASON_INVALIDATE);
	}
	recv->offset += hca_batch_octets(pkt);
	return flags & HCA_IS_LAST ? execute_complete_message(eec, qp, pkt, flags) :
				     HCA_SYNDROME_ACK;
}

/* Check the RETH of the first packet of an RDMA Write, and start the Write (req B4-379). */
static u16 execute_begin_write(struct hca_eec *eec, const struct hca_qp *qp,
			       const struct hca_reth *reth)
{
	u16 result;

	if (reth->length > HCA_MAX_MESSAGE)
		return hca_nak(HCA_NAK_REASON_MESSAGE_LENGTH);
	result = hca_remote_access(qp, IB_UVERBS_ACCESS_REMOTE_WRITE, reth->rkey, reth->va,
				   reth->length);
	if (result != HCA_SYNDROME_ACK)
		return result;
	eec->write_va = reth->va;
	eec->write_rkey = reth->rkey;
	eec->write_left = reth->length;
	eec->write_total = reth->length;
	return HCA_SYNDROME_ACK;
}

static u16 execute_write_payload(struct hca_eec *eec, const struct hca_qp *qp,
				 const struct hca_packet *pkt)
{
	struct hca_segment segment = { .addr = eec->write_va, .length = hca_batch_octets(pkt) };
	int ret;

	segment.entry = hca_tpt_entry_get(&eec->ca->ci.tpt, eec->write_rkey, qp->pd, qp->qpn,
					  IB_UVERBS_ACCESS_REMOTE_WRITE, segment.addr,
					  segment.length);
	if (IS_ERR_OR_NULL(segment.entry))
		return segment.entry ? execute_page_absent(eec) :
				       hca_nak_key(&eec->ca->ci.tpt, eec->write_rkey, qp->pd,
						   qp->qpn, IB_UVERBS_ACCESS_REMOTE_WRITE,
						   segment.addr, segment.length);
	ret = hca_payload_deliver(pkt, &segment);
	hca_tpt_entry_put(segment.entry);
	return ret ? HCA_DROP : HCA_SYNDROME_ACK;
}

static u16 execute_write(struct hca_eec *eec, struct hca_qp *qp, const struct hca_packet *pkt,
			 u32 flags)
{
	u32 octets = hca_batch_octets(pkt);
	bool last = flags & HCA_IS_LAST;
	u16 result;

	if (flags & HCA_IS_FIRST) {
		result = execute_begin_write(eec, qp, &pkt->h.reth);
		if (result != HCA_SYNDROME_ACK)
			return result;
	}
	if (octets > eec->write_left || last != (octets == eec->write_left))
		return pkt->packets > 1 ? HCA_SPLIT : hca_nak(HCA_NAK_REASON_WRITE_LENGTH);
	if ((flags & HCA_CONSUMES_RECV) && !hca_recv_consume(qp, eec->recv))
		return execute_no_receive(eec, qp, pkt);
	if (octets) {
		result = execute_write_payload(eec, qp, pkt);
		if (result != HCA_SYNDROME_ACK)
			return pkt->packets > 1 ? HCA_SPLIT : result;
	}
	eec->write_va += octets;
	eec->write_left -= octets;
	if (!(flags & HCA_CONSUMES_RECV))
		return HCA_SYNDROME_ACK;
	eec->recv->offset = eec->write_total;
	return execute_complete_message(eec, qp, pkt, flags);
}

static u16 execute_read(struct hca_eec *eec, struct hca_qp *qp, const struct hca_packet *pkt)
{
	const struct hca_reth *reth = &pkt->h.reth;
	struct hca_response response = {
		HCA_RESPONSE_TO(eec, pkt),
		.kind = HCA_RESP_READ,
		.va = reth->va,
		.rkey = reth->rkey,
		.length = reth->length,
	};
	u16 result;

	if (reth->length > HCA_MAX_MESSAGE)
		return hca_nak(HCA_NAK_REASON_MESSAGE_LENGTH);
	if (!hca_resp_queue_admits(eec))
		return hca_nak(HCA_NAK_REASON_RD_ATOMIC);
	result = hca_remote_access(qp, IB_UVERBS_ACCESS_REMOTE_READ, reth->rkey, reth->va,
				   reth->length);
	if (result != HCA_SYNDROME_ACK)
		return result;
	return hca_resp_queue_add(eec, &response) ? HCA_SYNDROME_ACK : HCA_DROP;
}

/*
 * Execute an atomic or Atomic Write, and queue the response to it. If the response to an earlier
 * Flush is pending, only check the access of this request, and queue the response to it. In that
 * case, the operation is executed just before its own response is sent.
 */
static u16 execute_or_defer(struct hca_eec *eec, const struct hca_qp *qp,
			    struct hca_response *response)
{
	if (!hca_resp_queue_has_room(eec))
		return HCA_DROP;
	if (READ_ONCE(eec->deferred)) {
		u16 result = hca_remote_access(qp, hca_atomic_access(response), response->rkey,
					       response->va, sizeof(u64));

		if (result != HCA_SYNDROME_ACK)
			return result;
	} else {
		switch (hca_atomic_execute(eec, qp, qp->pd, response)) {
		case 0:
			break;
		case -EAGAIN:
			return execute_page_absent(eec);
		case -EACCES:
			return hca_nak_key(&eec->ca->ci.tpt, response->rkey, qp->pd, qp->qpn,
					   hca_atomic_access(response), response->va, sizeof(u64));
		default:
			return hca_nak(HCA_NAK_REASON_ATOMIC_MEMORY);
		}
		hca_atomic_save(eec, response);
	}
	hca_resp_queue_add(eec, response);
	return HCA_SYNDROME_ACK;
}

/*
 * Check an atomic or Atomic Write, except for its R_Key. Return: the reason to refuse the request,
 * or HCA_NAK_REASON_NONE.
 */
static enum hca_nak_reason execute_atomic_refusal(const struct hca_eec *eec,
						  const struct hca_qp *qp, u64 va, u32 access)
{
	if (!IS_ALIGNED(va, sizeof(u64)))
		return HCA_NAK_REASON_ALIGNMENT;
	if (!hca_resp_queue_admits(eec))
		return HCA_NAK_REASON_RD_ATOMIC;
	if (!(hca_qp_eec(qp)->attr.access & access))
		return HCA_NAK_REASON_QP_ACCESS;
	return HCA_NAK_REASON_NONE;
}

static u16 execute_atomic(struct hca_eec *eec, struct hca_qp *qp, const struct hca_packet *pkt)
{
	const struct hca_atomiceth *eth = &pkt->h.atomiceth;
	struct hca_response response = {
		HCA_RESPONSE_TO(eec, pkt),
		.kind = HCA_RESP_LATER,
		.operation = hca_opcode_operation(pkt->h.bth.opcode),
		.va = eth->va,
		.rkey = eth->rkey,
		.compare = eth->compare,
		.swap_add = eth->swap_add,
	};
	enum hca_nak_reason reason =
		execute_atomic_refusal(eec, qp, eth->va, IB_UVERBS_ACCESS_REMOTE_ATOMIC);

	if (reason)
		return hca_nak(reason);
	return execute_or_defer(eec, qp, &response);
}

/*
 * Execute an Atomic Write. An eight-octet access sees either the old or the new value (IBA annex
 * A19).
 */
static u16 execute_atomic_write(struct hca_eec *eec, const struct hca_qp *qp,
				const struct hca_packet *pkt)
{
	const struct hca_reth *reth = &pkt->h.reth;
	struct hca_response response = {
		HCA_RESPONSE_TO(eec, pkt),
		.kind = HCA_RESP_LATER,
		.operation = IB_OPCODE_ATOMIC_WRITE,
		.va = reth->va,
		.rkey = reth->rkey,
	};
	const struct hca_segment copy = {
		.addr = (uintptr_t)&response.swap_add,
		.length = sizeof(response.swap_add),
	};
	enum hca_nak_reason reason =
		execute_atomic_refusal(eec, qp, reth->va, IB_UVERBS_ACCESS_REMOTE_WRITE);

	if (reason)
		return hca_nak(reason);
	if (reth->length != sizeof(u64) || pkt->payload_length != sizeof(u64))
		return hca_nak(HCA_NAK_REASON_ATOMIC_LENGTH);
	if (hca_payload_deliver(pkt, &copy))
		return HCA_DROP;
	return execute_or_defer(eec, qp, &response);
}

u16 hca_execute(struct hca_eec *eec, struct hca_qp *qp, const struct hca_packet *pkt)
{
	u32 flags = hca_opcodes[pkt->h.bth.opcode].flags;

	if (!execute_is_in_order(eec, flags))
		return hca_nak(HCA_NAK_REASON_ORDER);
	if ((flags & (HCA_IS_SEND | HCA_IS_WRITE)) && !execute_has_length_of_place(eec, pkt, flags))
		return hca_nak(HCA_NAK_REASON_PACKET_LENGTH);
	switch (flags & (HCA_IS_SEND | HCA_IS_WRITE | HCA_OCCUPIES_RESOURCE)) {
	case HCA_IS_SEND:
		return execute_send(eec, qp, pkt, flags);
	case HCA_IS_WRITE:
		return execute_write(eec, qp, pkt, flags);
	case HCA_IS_READ:
		return execute_read(eec, qp, pkt);
	case HCA_IS_ATOMIC:
		return execute_atomic(eec, qp, pkt);
	case HCA_IS_FLUSH:
		return hca_flush_execute(eec, qp, pkt);
	case HCA_IS_ATOMIC_WRITE:
		return execute_atomic_write(eec, qp, pkt);
	default:
		return hca_nak(HCA_NAK_REASON_OPCODE);
	}
}
