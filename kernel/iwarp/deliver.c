// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Placement of the segments that arrive, and delivery of their messages. */
#include "iwarp/deliver.h"
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include "compat.h"
#include "iwarp/access.h"
#include "iwarp/complete.h"
#include "iwarp/count.h"
#include "iwarp/responder.h"
#include "iwarp/terminate.h"
#include "qp/recv.h"
#include "qp/segments.h"
#include "tpt/key.h"

/* Copy the payload of a segment to memory, which has as many octets. */
static void deliver_place(struct hca_rx_segment *segment, const struct hca_segment *memory)
{
	struct hca_cursor to = { .segment = memory };
	struct hca_octets next;

	/* Usually all of it is contiguous. */
	next = hca_ulpdu_next(&segment->payload, U32_MAX);
	if (!segment->payload.left) {
		hca_copy_in(memory, next.data, next.length);
		return;
	}
	for (; next.length; next = hca_ulpdu_next(&segment->payload, U32_MAX)) {
		struct hca_segment flat = { .entry = NULL };
		struct hca_cursor from = { .segment = &flat };

		flat.addr = (uintptr_t)next.data;
		flat.length = next.length;
		hca_copy(&to, &from, next.length);
	}
}

static void deliver_write(struct hca_iwarp_qp *it, struct hca_rx_segment *segment)
{
	const struct hca_rdmap_segment *s = &segment->s;
	enum hca_vendor_err refusal;
	struct hca_segment memory;

	if (s->ddp.last)
		hca_iwarp_count(it, HCA_RNIC_WRITES_IN, 1);
	/* Nothing is checked of a segment without octets (RFC 5041, 5.2). */
	if (!s->length)
		return;
	refusal = hca_access_get(it, s->ddp.stag, IB_UVERBS_ACCESS_REMOTE_WRITE, s->ddp.to,
				 s->length, &memory);
	if (refusal) {
		hca_terminate_raise(it, hca_access_error(refusal, s->ddp.to, s->length, true),
				    segment, false);
		return;
	}
	deliver_place(segment, &memory);
	hca_segments_put(&memory, 1);
}

static void deliver_read_request(struct hca_iwarp_qp *it, struct hca_rx_segment *segment)
{
	enum hca_iwarp_error error = hca_responder_queue(it, segment);

	if (error != HCA_IWARP_OK)
		hca_terminate_raise(it, error, segment, false);
}

/* Whether a Read Response fits what is left of its Read (req P1-114). */
static enum hca_iwarp_error deliver_check_response(const struct hca_rdmap_segment *s, u32 stag,
						   u64 to, u32 left)
{
	if (s->length && s->ddp.stag != stag)
		return HCA_ERR_DDP_STAG;
	if (s->length && s->ddp.to != to)
		return HCA_ERR_DDP_BOUNDS;
	return s->length > left || s->ddp.last != (s->length == left) ? HCA_ERR_DDP_BOUNDS :
									 HCA_IWARP_OK;
}

/* Fail a Read at the memory of its sink, whose rights are checked only now (req R0-321). */
static void deliver_fail_sink(struct hca_iwarp_qp *it, struct hca_rx_segment *segment,
			      enum hca_vendor_err refusal)
{
	hca_complete_failed(it, it->requester.oldest_read,
			    refusal == HCA_VENDOR_ERR_LKEY_ACCESS && it->options.strict ?
				    HCA_VENDOR_ERR_SINK_RIGHTS : refusal);
	hca_terminate_raise(it, hca_access_error(refusal, segment->s.ddp.to, segment->s.length,
						 true), segment, true);
}

static bool deliver_to_sink(struct hca_iwarp_qp *it, struct hca_rx_segment *segment)
{
	u32 access = it->options.strict ? IB_UVERBS_ACCESS_REMOTE_WRITE :
					  IB_UVERBS_ACCESS_LOCAL_WRITE;
	const struct hca_rdmap_segment *s = &segment->s;
	enum hca_vendor_err refusal;
	struct hca_segment memory;

	if (!s->length)
		return true;
	refusal = hca_access_get(it, s->ddp.stag, access, s->ddp.to, s->length, &memory);
	if (refusal) {
		deliver_fail_sink(it, segment, refusal);
		return false;
	}
	deliver_place(segment, &memory);
	hca_segments_put(&memory, 1);
	return true;
}

/* Invalidate the sink of a Read with Invalidate, before the Read completes (req R0-433). */
static bool deliver_invalidate_sink(struct hca_iwarp_qp *it, const struct hca_request *read)
{
	enum hca_vendor_err error;

	if (read->opcode != IB_UVERBS_WR_RDMA_READ_WITH_INV || !read->num_sge)
		return true;
	error = hca_key_invalidate(&it->qp.ci->tpt, read->sge[0].lkey, it->qp.pd, it->qp.qpn,
				   false);
	if (!error)
		return true;
	hca_complete_failed(it, it->requester.oldest_read, error);
	hca_terminate_raise(it, HCA_ERR_RDMAP_LOCAL, NULL, true);
	return false;
}

static void deliver_read_response(struct hca_iwarp_qp *it, struct hca_rx_segment *segment)
{
	const struct hca_rdmap_segment *s = &segment->s;
	enum hca_iwarp_error error = HCA_ERR_RDMAP_OPCODE;
	struct hca_request *read = NULL;

	if (it->requester.reads && it->requester.is_rtr_read) {
		error = deliver_check_response(s, 0, 0, 0);
	} else if (it->requester.reads) {
		read = hca_oldest_read(it);
		error = deliver_check_response(s, read->num_sge ? read->sge[0].lkey : 0,
					       (read->num_sge ? read->sge[0].addr : 0) +
						       read->iwarp.done,
					       read->length - read->iwarp.done);
	}
	if (error != HCA_IWARP_OK) {
		hca_terminate_raise(it, error, segment, false);
		return;
	}
	if (read) {
		if (!deliver_to_sink(it, segment))
			return;
		read->iwarp.done += s->length;
		if (!s->ddp.last || !deliver_invalidate_sink(it, read))
			return;
	}
	hca_complete_read(it);
	hca_complete_requests(it);
}

/* Fail the receive request of a Send, whose completion tells of the error. */
static void deliver_fail_recv(struct hca_iwarp_qp *it, struct hca_rx_segment *segment,
			      enum hca_vendor_err error, enum hca_iwarp_error sent)
{
	hca_recv_fail(&it->qp, &it->qp.recv, error);
	hca_terminate_raise(it, sent, sent == HCA_ERR_RDMAP_LOCAL ? NULL : segment, true);
}

/*
 * Invalidate the STag that a Send names. A queue pair without remote rights does not permit it (req
 * R0-345).
 */
static bool deliver_invalidate(struct hca_iwarp_qp *it, struct hca_rx_segment *segment)
{
	enum hca_vendor_err error = HCA_VENDOR_ERR_REMOTE_INVALIDATE;

	if (it->access & HCA_REMOTE_ACCESS)
		error = hca_key_invalidate(&it->qp.ci->tpt, segment->s.ddp.ulp_tail, it->qp.pd,
					   it->qp.qpn, true);
	if (!error)
		return true;
	deliver_fail_recv(it, segment, HCA_VENDOR_ERR_REMOTE_INVALIDATE,
			  error == HCA_VENDOR_ERR_INVALIDATE_KEY ?
				  HCA_ERR_RDMAP_CANNOT_INVALIDATE :
				  HCA_ERR_RDMAP_MAY_NOT_INVALIDATE);
	return false;
}

static void deliver_message(struct hca_iwarp_qp *it, struct hca_rx_segment *segment)
{
	const struct hca_rdmap_segment *s = &segment->s;
	struct hca_cqe cqe = {
		.status = IB_WC_SUCCESS,
		.opcode = IB_WC_RECV,
		.byte_len = it->qp.recv.offset,
	};

	if (s->op->invalidates) {
		if (!deliver_invalidate(it, segment))
			return;
		cqe.flags |= HCA_CQE_WITH_INV;
		cqe.invalidated_rkey = s->ddp.ulp_tail;
	}
	if (s->op->is_solicited)
		cqe.flags |= HCA_CQE_SOLICITED;
	hca_iwarp_count(it, HCA_RNIC_SENDS_IN, 1);
	hca_recv_complete(&it->qp, &it->qp.recv, &cqe);
}

/* Place a segment in the receive request being filled. */
static bool deliver_to_recv(struct hca_iwarp_qp *it, struct hca_rx_segment *segment)
{
	struct hca_segment memory[HCA_MAX_SGE] HCA_UNINITIALIZED;
	struct hca_recv *recv = &it->qp.recv;
	u32 octets = segment->s.length;
	int n;

	n = hca_sge_segments(&it->qp, recv->sge, recv->num_sge, recv->offset, octets, memory);
	if (n == -EMSGSIZE) {
		deliver_fail_recv(it, segment, HCA_VENDOR_ERR_RECV_LENGTH, HCA_ERR_DDP_TOO_LONG);
		return false;
	}
	if (n < 0) {
		deliver_fail_recv(it, segment,
				  hca_recv_refusal(&it->qp, recv, recv->offset, octets),
				  HCA_ERR_RDMAP_LOCAL);
		return false;
	}
	deliver_place(segment, memory);
	hca_segments_put(memory, n);
	recv->offset += octets;
	return true;
}

/* An invalid index of the receive queue has set Error, and has raised an event (req R0-471). */
static void deliver_without_recv(struct hca_iwarp_qp *it, struct hca_rx_segment *segment)
{
	if (it->qp.common.state != IB_QPS_ERR)
		hca_terminate_raise(it, HCA_ERR_DDP_NO_BUFFER, segment, false);
}

static void deliver_send(struct hca_iwarp_qp *it, struct hca_rx_segment *segment)
{
	spin_lock(&it->qp.common.recv_lock);
	if (!hca_recv_consume(&it->qp, &it->qp.recv))
		deliver_without_recv(it, segment);
	else if (deliver_to_recv(it, segment) && segment->s.ddp.last)
		deliver_message(it, segment);
	spin_unlock(&it->qp.common.recv_lock);
}

void hca_deliver(struct hca_iwarp_qp *it, struct hca_rx_segment *segment)
{
	static void (*const deliver[])(struct hca_iwarp_qp *it, struct hca_rx_segment *segment) = {
		[HCA_RDMAP_WRITE] = deliver_write,
		[HCA_RDMAP_READ_REQUEST] = deliver_read_request,
		[HCA_RDMAP_READ_RESPONSE] = deliver_read_response,
		[HCA_RDMAP_SEND] = deliver_send,
		[HCA_RDMAP_SEND_INVALIDATE] = deliver_send,
		[HCA_RDMAP_SEND_SE] = deliver_send,
		[HCA_RDMAP_SEND_SE_INVALIDATE] = deliver_send,
	};

	deliver[segment->s.opcode](it, segment);
}
