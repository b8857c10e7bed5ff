// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Send requests: fetched from the ring into a copy of the engine's own, and completed. */
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "compat.h"
#include "qp/limits.h"
#include "tpt/entry.h"
#include "qp/request.h"
#include "qp/vendor_err.h"
#include "qp/wr.h"

u32 hca_request_bytes(u32 max_sge, u32 max_inline)
{
	size_t tail = max_t(size_t, max_sge * sizeof(struct hca_fragment), max_inline);

	return ALIGN(sizeof(struct hca_request) + tail, 64);
}

/* There is always room for the data of an Atomic Write. */
u32 hca_send_stride(u32 max_sge, u32 max_inline)
{
	size_t tail = max3(max_sge * sizeof(struct hca_sge), (size_t)max_inline, sizeof(u64));

	return ALIGN(HCA_SEND_WQE_HEADER + tail, HCA_SEND_WQE_ALIGN);
}

/*
 * Return the result of hca_queue_posted(). A fetched request occupies its slot until it completes.
 */
static int posted(const struct hca_qp *qp)
{
	return hca_queue_posted(&qp->sq, qp->sq_fetched, qp->sq_fetched - qp->sq_done);
}

bool hca_request_pending(const struct hca_qp *qp)
{
	return qp->sq.size && posted(qp);
}

/* Copy and check the scatter/gather list behind @wqe. Set length and num_sge. */
static enum hca_vendor_err request_parse_sges(struct hca_qp *qp, struct hca_request *req,
					      const struct hca_send_wqe *wqe, u32 num_sge,
					      u32 access)
{
	const struct hca_sge *ring = (const void *)((const u8 *)wqe + HCA_SEND_WQE_HEADER);
	u64 total = 0;
	u32 i;

	for (i = 0; i < num_sge; i++) {
		struct hca_fragment *frag = &req->sge[req->num_sge];

		frag->addr = READ_ONCE(ring[i].addr);
		frag->length = READ_ONCE(ring[i].length);
		frag->lkey = READ_ONCE(ring[i].lkey);
		frag->generation = 0;
		if (!frag->length)
			continue;
		total += frag->length;
		if (total > HCA_MAX_MESSAGE)
			return HCA_VENDOR_ERR_MESSAGE_LENGTH;
		if (!qp->kernel || frag->lkey != HCA_LOCAL_DMA_KEY) {
			frag->generation = hca_tpt_entry_find(qp->tpt, frag->lkey, qp->pd,
							      HCA_CONSUMER, access, frag->addr,
							      frag->length);
			if (!frag->generation)
				return hca_tpt_entry_refusal(qp->tpt, frag->lkey, qp->pd,
							     HCA_CONSUMER, access,
							     frag->addr, frag->length);
		}
		req->num_sge++;
	}
	req->length = total;
	return HCA_VENDOR_ERR_NONE;
}

static enum hca_vendor_err request_check_length(const struct hca_request *req)
{
	return (req->kind & (HCA_WR_ATOMIC | HCA_WR_ATOMIC_WRITE)) && req->length != sizeof(u64) ?
		       HCA_VENDOR_ERR_ATOMIC_LENGTH : HCA_VENDOR_ERR_NONE;
}

static enum hca_vendor_err request_parse_data(struct hca_qp *qp, struct hca_request *req,
					      const struct hca_send_wqe *wqe)
{
	u16 flags = req->kind;
	u32 num_sge = READ_ONCE(wqe->num_sge);
	u32 length = READ_ONCE(wqe->inline_length);
	enum hca_vendor_err error;

	req->num_sge = 0;
	req->length = 0;
	if (!(req->flags & HCA_WQE_INLINE)) {
		if (num_sge > qp->max_send_sge)
			return HCA_VENDOR_ERR_NUM_SGE;
		error = request_parse_sges(qp, req, wqe, num_sge,
					   flags & HCA_WR_FETCHES ?
						       IB_UVERBS_ACCESS_LOCAL_WRITE :
						       0);
		return error ? error : request_check_length(req);
	}
	if (flags & HCA_WR_FETCHES)
		return HCA_VENDOR_ERR_INLINE_OPCODE;
	if (length > qp->max_inline)
		return HCA_VENDOR_ERR_INLINE_LENGTH;
	memcpy(req->inline_data, (const u8 *)wqe + HCA_SEND_WQE_HEADER, length);
	req->length = length;
	return request_check_length(req);
}

static void request_parse_rdma(struct hca_request *req, const struct hca_send_wqe *wqe, u16 flags)
{
	req->remote_addr = READ_ONCE(wqe->rdma.remote_addr);
	req->rkey = READ_ONCE(wqe->rdma.rkey);
	if (flags & HCA_WR_ATOMIC) {
		req->compare_add = READ_ONCE(wqe->rdma.compare_add);
		req->swap = READ_ONCE(wqe->rdma.swap);
	}
}

/* Copy and check a Flush. It has no data, only the range, the placement and the selectivity. */
static enum hca_vendor_err request_parse_flush(struct hca_request *req,
					       const struct hca_send_wqe *wqe)
{
	req->num_sge = 0;
	req->length = 0;
	req->flags &= ~HCA_WQE_INLINE;
	req->flush.length = READ_ONCE(wqe->rdma.flush.length);
	req->flush.placement = READ_ONCE(wqe->rdma.flush.placement);
	req->flush.selectivity = READ_ONCE(wqe->rdma.flush.selectivity);
	if (!req->flush.placement ||
	    req->flush.placement & ~(IB_FLUSH_GLOBAL | IB_FLUSH_PERSISTENT) ||
	    req->flush.selectivity > IB_FLUSH_MR)
		return HCA_VENDOR_ERR_PLACEMENT;
	return req->flush.length > HCA_MAX_MESSAGE ? HCA_VENDOR_ERR_MESSAGE_LENGTH :
						     HCA_VENDOR_ERR_NONE;
}

/* Copy a local request. It has no data, only a key and the memory that the key is to name. */
static void request_parse_local(struct hca_request *req, const struct hca_send_wqe *wqe)
{
	req->num_sge = 0;
	req->length = 0;
	if (req->opcode == IB_UVERBS_WR_LOCAL_INV) {
		req->invalidate_rkey = READ_ONCE(wqe->invalidate_rkey);
		return;
	}
	req->memory.addr = READ_ONCE(wqe->memory.addr);
	req->memory.length = READ_ONCE(wqe->memory.length);
	req->memory.key = READ_ONCE(wqe->memory.key);
	req->memory.lkey = READ_ONCE(wqe->memory.lkey);
	req->memory.access = READ_ONCE(wqe->memory.access);
}

static bool is_allowed(const struct hca_qp *qp, u8 opcode)
{
	return opcode < HCA_NUM_WR && (hca_wr[opcode].types & BIT(qp->type)) &&
	       (qp->kernel || !(hca_wr[opcode].flags & HCA_WR_KERNEL));
}

static enum hca_vendor_err request_parse(struct hca_qp *qp, struct hca_request *req,
					 const struct hca_send_wqe *wqe)
{
	enum hca_vendor_err error = HCA_VENDOR_ERR_NONE;
	u16 flags;

	req->wr_id = READ_ONCE(wqe->wr_id);
	req->opcode = READ_ONCE(wqe->opcode);
	req->flags = READ_ONCE(wqe->flags);
	if (!is_allowed(qp, req->opcode)) {
		req->flags |= HCA_WQE_SIGNALED;
		req->opcode = IB_UVERBS_WR_SEND; /* any valid index */
		req->kind = 0;
		return HCA_VENDOR_ERR_OPCODE;
	}
	req->kind = hca_wr[req->opcode].flags;
	flags = req->kind;
	if (flags & HCA_WR_LOCAL) {
		request_parse_local(req, wqe);
		return HCA_VENDOR_ERR_NONE;
	}
	if (flags & HCA_WR_IMM)
		req->imm_data = READ_ONCE(wqe->imm_data);
	else if (flags & HCA_WR_INVALIDATE)
		req->invalidate_rkey = READ_ONCE(wqe->invalidate_rkey);
	if (flags & HCA_WR_RDMA)
		request_parse_rdma(req, wqe, flags);
	if (qp->ops->parse)
		error = qp->ops->parse(qp, req, wqe);
	if (error)
		return error;
	return flags & HCA_WR_FLUSH ? request_parse_flush(req, wqe) :
				      request_parse_data(qp, req, wqe);
}

struct hca_request *hca_request_fetch(struct hca_qp *qp)
{
	int n = qp->common.state == IB_QPS_SQD ? 0 : posted(qp);
	struct hca_request *req;

	if (n < 0)
		hca_qp_fatal(qp); /* req R0-471 */
	if (n <= 0)
		return NULL;
	req = hca_request_at(qp, qp->sq_fetched);
	req->error = request_parse(qp, req, hca_queue_entry(&qp->sq, qp->sq_fetched));
	if (req->error) {
		req->length = 0;
		req->num_sge = 0;
	}
	if (qp->ops->fetched)
		qp->ops->fetched(qp, req);
	qp->sq_fetched++;
	return req;
}

/*
 * Add a completion. It reports the number of entries it frees: its own and those of the requests
 * before it that ended without a completion.
 */
static bool request_push(struct hca_qp *qp, u64 wr_id, enum hca_vendor_err error,
			 u8 wc_opcode, u32 length)
{
	struct hca_cqe cqe = {
		.wr_id = wr_id,
		.status = error ? hca_vendor_err_status(error) : IB_WC_SUCCESS,
		.opcode = wc_opcode,
		.vendor_err = error,
		.byte_len = length,
		.qp_num = qp->qpn,
		.kernel = qp->cookie,
		.wqes = qp->sq_done - qp->sq_completed,
	};

	qp->sq_completed = qp->sq_done;
	return hca_cq_push(qp->send_cq, &cqe);
}

/* Free the entry of the oldest request before its completion is visible to the consumer. */
static void request_release(struct hca_qp *qp)
{
	qp->sq_done++;
	smp_store_release(&qp->sq.ring->consumer, qp->sq_done);
}

bool hca_request_complete(struct hca_qp *qp, enum hca_vendor_err error)
{
	struct hca_request *req = hca_request_at(qp, qp->sq_done);
	bool ok = true;

	request_release(qp);
	if (error)
		hca_qp_failed(qp, error);
	if (error || qp->signal_all || (req->flags & HCA_WQE_SIGNALED))
		ok = request_push(qp, req->wr_id, error, hca_wr[req->opcode].wc_opcode,
				  req->length);
	if (!ok)
		hca_qp_fatal(qp);
	return ok;
}

u32 hca_requests_end(struct hca_qp *qp)
{
	int n = posted(qp);

	if (n < 0)
		hca_qp_fatal(qp);
	return qp->sq_fetched + max(n, 0);
}

/* Return the error of a flushed request. A request flushed in RTS was posted in SQE. */
static enum hca_vendor_err flush_error(const struct hca_qp *qp)
{
	return READ_ONCE(qp->common.state) == IB_QPS_ERR ? HCA_VENDOR_ERR_FLUSH_ERROR :
							   HCA_VENDOR_ERR_FLUSH_SQE;
}

/* Flush a request that was not fetched. Only the wr_id of its entry is used. */
static void flush_posted(struct hca_qp *qp)
{
	const struct hca_send_wqe *wqe = hca_queue_entry(&qp->sq, qp->sq_done);
	u64 wr_id = READ_ONCE(wqe->wr_id);

	qp->sq_fetched++;
	request_release(qp);
	request_push(qp, wr_id, flush_error(qp), IB_UVERBS_WC_SEND, 0);
}

bool hca_requests_flush(struct hca_qp *qp, u32 end, int *budget)
{
	for (; qp->sq_done != end && *budget > 0; (*budget)--) {
		if (qp->sq_done == qp->sq_fetched)
			flush_posted(qp);
		else
			hca_request_complete(qp, flush_error(qp));
	}
	qp->sq_current = qp->sq_done;
	if (qp->ops->flushed)
		qp->ops->flushed(qp);
	return qp->sq_done == end;
}
