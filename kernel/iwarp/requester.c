// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The requester: from send requests to messages. */
#include "iwarp/requester.h"
#include <linux/errno.h>
#include <linux/kernel.h>
#include "compat.h"
#include "iwarp/complete.h"
#include "iwarp/count.h"
#include "iwarp/terminate.h"
#include "qp/local.h"
#include "qp/request.h"
#include "qp/segments.h"

#define REQUESTER_RTR_STAG 1 /* of a message without octets; some hardware refuses STag 0 */

/* The sink of a Read needs rights only when the response arrives (req R0-321). */
const struct hca_wr_info hca_iwarp_wr[HCA_NUM_WR] = {
	[IB_UVERBS_WR_RDMA_WRITE] = {
		.flags = HCA_WR_RDMA,
		.wc_opcode = IB_UVERBS_WC_RDMA_WRITE,
	},
	[IB_UVERBS_WR_SEND] = {
		.flags = HCA_WR_CONSUMES_RECV,
		.wc_opcode = IB_UVERBS_WC_SEND,
	},
	[IB_UVERBS_WR_SEND_WITH_INV] = {
		.flags = HCA_WR_INVALIDATE | HCA_WR_CONSUMES_RECV,
		.wc_opcode = IB_UVERBS_WC_SEND,
	},
	[IB_UVERBS_WR_RDMA_READ] = {
		.flags = HCA_WR_RDMA | HCA_WR_READ,
		.wc_opcode = IB_UVERBS_WC_RDMA_READ,
	},
	[IB_UVERBS_WR_RDMA_READ_WITH_INV] = {
		.flags = HCA_WR_RDMA | HCA_WR_READ | HCA_WR_KERNEL,
		.wc_opcode = IB_UVERBS_WC_RDMA_READ,
	},
	[IB_UVERBS_WR_LOCAL_INV] = {
		.flags = HCA_WR_LOCAL,
		.wc_opcode = IB_UVERBS_WC_LOCAL_INV,
	},
	[IB_UVERBS_WR_BIND_MW] = {
		.flags = HCA_WR_LOCAL,
		.wc_opcode = IB_UVERBS_WC_BIND_MW,
	},
	[IB_WR_REG_MR] = {
		.flags = HCA_WR_LOCAL | HCA_WR_KERNEL,
		.wc_opcode = IB_WC_REG_MR,
	},
};

bool hca_requester_is_busy(const struct hca_iwarp_qp *it)
{
	const struct hca_qp *qp = &it->qp;

	return qp->sq_done != qp->sq_fetched || hca_request_pending(qp);
}

/*
 * Check what is special to the sink of a Read: one range of memory (req R0-388), whose STag is not
 * 0 (req R0-282).
 */
static enum hca_vendor_err requester_check_read(const struct hca_iwarp_qp *it,
						const struct hca_request *req)
{
	if (!it->requester.ord)
		return HCA_VENDOR_ERR_INITIATOR_DEPTH;
	if (req->num_sge > 1)
		return HCA_VENDOR_ERR_SINK_SGES;
	if (req->num_sge && req->sge[0].lkey == HCA_LOCAL_DMA_KEY)
		return HCA_VENDOR_ERR_SINK_KEY;
	return HCA_VENDOR_ERR_NONE;
}

static enum hca_vendor_err requester_check(const struct hca_iwarp_qp *it,
					   const struct hca_request *req)
{
	if (!req->error && (req->kind & HCA_WR_READ))
		return requester_check_read(it, req);
	return req->error;
}

/* Whether a request waits: for those before it, or for the responses to Reads. */
static bool requester_waits(const struct hca_iwarp_qp *it, const struct hca_request *req)
{
	if (req->error || (req->kind & HCA_WR_LOCAL))
		return it->qp.sq_done != it->qp.sq_current;
	if ((req->flags & HCA_WQE_FENCE) && it->requester.reads)
		return true;
	return (req->kind & HCA_WR_READ) && it->requester.reads >= it->requester.ord;
}

/* Execute a local request, or fail a request that cannot begin. Those before it have ended. */
static void requester_end(struct hca_iwarp_qp *it, const struct hca_request *req)
{
	enum hca_vendor_err error = req->error;

	if (!error)
		error = hca_local_execute(&it->qp, req);
	it->qp.sq_current++;
	hca_request_complete(&it->qp, error);
	if (error)
		hca_terminate_raise(it, HCA_ERR_RDMAP_LOCAL, NULL, true);
}

static u8 requester_send_opcode(const struct hca_request *req)
{
	bool invalidates = req->kind & HCA_WR_INVALIDATE;

	if (req->flags & HCA_WQE_SOLICITED)
		return invalidates ? HCA_RDMAP_SEND_SE_INVALIDATE : HCA_RDMAP_SEND_SE;
	return invalidates ? HCA_RDMAP_SEND_INVALIDATE : HCA_RDMAP_SEND;
}

static void requester_message(struct hca_iwarp_qp *it, struct hca_request *req)
{
	struct hca_message *message = &it->message;

	*message = (struct hca_message){ .length = req->length };
	req->iwarp.done = 0;
	req->iwarp.end = 0;
	if (req->kind & HCA_WR_READ) {
		hca_rdmap_header(&message->ddp, HCA_RDMAP_READ_REQUEST, 0);
		message->length = HCA_READ_REQUEST_BYTES;
	} else if (req->kind & HCA_WR_RDMA) {
		hca_rdmap_header(&message->ddp, HCA_RDMAP_WRITE, 0);
		message->ddp.stag = req->rkey;
		message->ddp.to = req->remote_addr;
		return;
	} else {
		hca_rdmap_header(&message->ddp, requester_send_opcode(req), req->invalidate_rkey);
	}
	req->iwarp.msn = it->next_msn[message->ddp.qn]++;
	message->ddp.msn = req->iwarp.msn;
}

enum hca_step hca_requester_begin(struct hca_iwarp_qp *it)
{
	struct hca_qp *qp = &it->qp;
	struct hca_request *req;

	req = qp->sq_current == qp->sq_fetched ? hca_request_fetch(qp) :
						 hca_request_at(qp, qp->sq_current);
	if (!req)
		return HCA_STEP_IDLE;
	req->error = requester_check(it, req);
	if (requester_waits(it, req))
		return HCA_STEP_WAITS;
	if (req->error || (req->kind & HCA_WR_LOCAL)) {
		requester_end(it, req);
		return HCA_STEP_BEGUN;
	}
	requester_message(it, req);
	it->sending = HCA_SENDING_REQUEST;
	return HCA_STEP_BEGUN;
}

static void requester_count(struct hca_iwarp_qp *it, const struct hca_request *req)
{
	hca_iwarp_count(it, req->kind & HCA_WR_READ ? HCA_RNIC_READS_OUT :
			    req->kind & HCA_WR_RDMA ? HCA_RNIC_WRITES_OUT :
						      HCA_RNIC_SENDS_OUT, 1);
}

/* All segments of a request are written. */
static void requester_sent(struct hca_iwarp_qp *it, struct hca_request *req)
{
	struct hca_requester *requester = &it->requester;

	it->sending = HCA_SENDING_NOTHING;
	it->was_request = true;
	requester_count(it, req);
	if (req->kind & HCA_WR_READ) {
		if (requester->reads == requester->is_rtr_read)
			requester->oldest_read = it->qp.sq_current;
		requester->reads++;
	} else {
		req->iwarp.end = hca_mpa_tx_position(&it->tx, it->ep->stream);
	}
	it->qp.sq_current++;
}

static void requester_pack_read(const struct hca_request *req, u8 *octets)
{
	const struct hca_read_request read = {
		.sink_stag = req->num_sge ? req->sge[0].lkey : REQUESTER_RTR_STAG,
		.sink_to = req->num_sge ? req->sge[0].addr : 0,
		.size = req->length,
		.source_stag = req->rkey,
		.source_to = req->remote_addr,
	};

	hca_read_request_pack(&read, octets);
}

static void requester_write_flat(struct hca_iwarp_qp *it, const void *data, u32 octets)
{
	const struct hca_segment flat = { .addr = (uintptr_t)data, .length = octets };

	hca_ddp_tx_segment(&it->tx, it->ep->stream, &it->message, &flat, octets);
}

/* Write octets of a gather list. No reference to its memory is held while the stream sends. */
static int requester_write_list(struct hca_iwarp_qp *it, const struct hca_request *req, u32 octets)
{
	struct hca_segment segment[HCA_MAX_SGE] HCA_UNINITIALIZED;
	int n;

	n = hca_request_segments(&it->qp, req, it->message.done, octets, segment);
	if (n < 0)
		return n == -EAGAIN ? -ENOMEM : n;
	hca_ddp_tx_segment(&it->tx, it->ep->stream, &it->message, segment, octets);
	hca_segments_put(segment, n);
	return 0;
}

static int requester_write(struct hca_iwarp_qp *it, const struct hca_request *req, u32 octets)
{
	u8 read[HCA_READ_REQUEST_BYTES];

	if (req->kind & HCA_WR_READ) {
		requester_pack_read(req, read);
		requester_write_flat(it, read, octets);
	} else if (req->flags & HCA_WQE_INLINE) {
		requester_write_flat(it, req->inline_data + it->message.done, octets);
	} else {
		return requester_write_list(it, req, octets);
	}
	return 0;
}

/*
 * Fail the request that is being sent, whose memory cannot be read any more. The stream gets the
 * octets of others first, so that none of them is flushed and sent all the same.
 */
static int requester_fail(struct hca_iwarp_qp *it, const struct hca_request *req)
{
	enum hca_vendor_err error = hca_request_refusal(&it->qp, req);
	int ret = hca_mpa_tx_push(&it->tx, it->ep->stream, false);

	if (ret)
		return ret;
	hca_complete_requests(it);
	hca_complete_failed(it, it->qp.sq_current, error);
	hca_terminate_raise(it, HCA_ERR_RDMAP_LOCAL, NULL, true);
	return 0;
}

int hca_requester_segment(struct hca_iwarp_qp *it)
{
	u32 octets = hca_ddp_tx_octets(&it->message,
				       hca_mpa_tx_mulpdu(&it->tx, it->ep->stream));
	struct hca_request *req = hca_request_at(&it->qp, it->qp.sq_current);
	int ret = hca_ddp_tx_reserve(&it->tx, it->ep->stream, &it->message, octets);

	if (!ret)
		ret = requester_write(it, req, octets);
	if (ret == -EFAULT)
		return requester_fail(it, req);
	if (!ret && hca_message_is_done(&it->message))
		requester_sent(it, req);
	return ret;
}

static void requester_rtr_message(struct hca_iwarp_qp *it, struct hca_message *message)
{
	static const u8 opcode[] = {
		[HCA_RTR_SEND] = HCA_RDMAP_SEND,
		[HCA_RTR_WRITE] = HCA_RDMAP_WRITE,
		[HCA_RTR_READ] = HCA_RDMAP_READ_REQUEST,
	};

	hca_rdmap_header(&message->ddp, opcode[it->requester.rtr], 0);
	if (message->ddp.tagged)
		message->ddp.stag = REQUESTER_RTR_STAG;
	else
		message->ddp.msn = it->next_msn[message->ddp.qn];
	if (it->requester.rtr == HCA_RTR_READ)
		message->length = HCA_READ_REQUEST_BYTES;
}

int hca_requester_rtr(struct hca_iwarp_qp *it)
{
	const struct hca_read_request read = {
		.sink_stag = REQUESTER_RTR_STAG,
		.source_stag = REQUESTER_RTR_STAG,
	};
	u8 octets[HCA_READ_REQUEST_BYTES];
	const struct hca_segment payload = {
		.addr = (uintptr_t)octets,
		.length = sizeof(octets),
	};
	struct hca_message message = { .length = 0 };
	int ret;

	requester_rtr_message(it, &message);
	ret = hca_ddp_tx_reserve(&it->tx, it->ep->stream, &message, message.length);
	if (ret)
		return ret;
	hca_read_request_pack(&read, octets);
	hca_ddp_tx_segment(&it->tx, it->ep->stream, &message, &payload, message.length);
	if (!message.ddp.tagged)
		it->next_msn[message.ddp.qn]++;
	if (it->requester.rtr == HCA_RTR_READ) {
		it->requester.is_rtr_read = true;
		it->requester.reads++;
	}
	it->requester.rtr = 0;
	return 0;
}
