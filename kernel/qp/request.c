// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Send requests: fetching them from the ring into copies of the kernel, and completing them. */
#include "qp/request.h"
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "compat.h"
#include "qp/ci.h"
#include "qp/limits.h"
#include "qp/vendor_err.h"
#include "qp/wr.h"

/* Each entry of a send queue costs at most 80 octets of kernel memory, with any carrier. */
static_assert(sizeof(struct hca_request) <= 80);

u32 hca_request_bytes(u32 max_sge, u32 max_inline)
{
	size_t tail = max_t(size_t, max_sge * sizeof(struct hca_fragment), max_inline);

	return ALIGN(sizeof(struct hca_request) + tail, 64);
}

/* An entry always has space for the 8 octets of an Atomic Write. */
u32 hca_send_stride(u32 max_sge, u32 max_inline)
{
	size_t tail = max3(max_sge * sizeof(struct hca_sge), (size_t)max_inline, sizeof(u64));

	return ALIGN(HCA_SEND_WQE_HEADER + tail, HCA_SEND_WQE_ALIGN);
}

/*
 * Return the number of posted requests that were not fetched yet, or -EINVAL if the producer index
 * is invalid. A fetched request occupies a ring entry until it completes.
 */
static int requests_posted(const struct hca_qp *qp)
{
	return hca_queue_posted(&qp->sq, qp->sq_fetched, qp->sq_fetched - qp->sq_done);
}

bool hca_request_pending(const struct hca_qp *qp)
{
	return qp->sq.size && requests_posted(qp);
}

/*
 * Copy and check the scatter/gather list that follows the header of @wqe. Set req->length and
 * req->num_sge.
 */
static enum hca_vendor_err request_parse_sges(struct hca_qp *qp, struct hca_request *req,
					      const struct hca_send_wqe *wqe, u32 num_sge,
					      u32 access)
{
	const struct hca_sge *ring = (const void *)((const u8 *)wqe + HCA_SEND_WQE_HEADER);
	u32 max_message = qp->ci->max_message;
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
		if (total > max_message)
			return HCA_VENDOR_ERR_MESSAGE_LENGTH;
		if (!qp->kernel || frag->lkey != HCA_LOCAL_DMA_KEY) {
			frag->generation = hca_tpt_entry_find(&qp->ci->tpt, frag->lkey, qp->pd,
							      HCA_CONSUMER, access, frag->addr,
							      frag->length);
			if (!frag->generation)
				return hca_tpt_entry_refusal(&qp->ci->tpt, frag->lkey, qp->pd,
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
					      const struct hca_send_wqe *wqe, u32 sge_access)
{
	u32 num_sge = READ_ONCE(wqe->num_sge);
	u32 length = READ_ONCE(wqe->inline_length);
	enum hca_vendor_err error;

	req->num_sge = 0;
	req->length = 0;
	if (!(req->flags & HCA_WQE_INLINE)) {
		if (num_sge > qp->max_send_sge)
			return HCA_VENDOR_ERR_NUM_SGE;
		error = request_parse_sges(qp, req, wqe, num_sge, sge_access);
		return error ? error : request_check_length(req);
	}
	if (req->kind & HCA_WR_FETCHES)
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

/* Copy and check a Flush, which has a length, a placement and a selectivity, but no data. */
static enum hca_vendor_err request_parse_flush(const struct hca_qp *qp, struct hca_request *req,
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
	return req->flush.length > qp->ci->max_message ? HCA_VENDOR_ERR_MESSAGE_LENGTH :
							 HCA_VENDOR_ERR_NONE;
}

/* Copy a local request, which has a key and a memory range, but no data. */
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

static enum hca_vendor_err request_parse(struct hca_qp *qp, struct hca_request *req,
					 const struct hca_send_wqe *wqe)
{
	enum hca_vendor_err error = HCA_VENDOR_ERR_NONE;
	const struct hca_wr_info *info;
	u16 flags;

	req->wr_id = READ_ONCE(wqe->wr_id);
	req->opcode = READ_ONCE(wqe->opcode);
	req->flags = READ_ONCE(wqe->flags);
	info = hca_wr_info_of(qp, req->opcode);
	if (!info || (!qp->kernel && (info->flags & HCA_WR_KERNEL))) {
		req->flags |= HCA_WQE_SIGNALED;
		req->opcode = IB_UVERBS_WR_SEND; /* an arbitrary valid index of the table */
		req->kind = 0;
		return HCA_VENDOR_ERR_OPCODE;
	}
	req->kind = info->flags;
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
	return flags & HCA_WR_FLUSH ? request_parse_flush(qp, req, wqe) :
				      request_parse_data(qp, req, wqe, info->sge_access);
}

struct hca_request *hca_request_fetch(struct hca_qp *qp)
{
	int n = qp->ops->states[qp->common.state].fetches ? requests_posted(qp) : 0;
	struct hca_request *req;

	if (n < 0)
		hca_qp_fatal(qp); /* the ring's index is invalid (req R0-471) */
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
 * Add a completion for the latest ended request. wqes is the number of ring entries that the
 * completion reports as free: the entry of this request, and the entries of earlier requests that
 * ended without a completion.
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

/* Free the ring entry of the oldest request. This is done before its completion is added. */
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
		ok = request_push(qp, req->wr_id, error, qp->ops->wr[req->opcode].wc_opcode,
				  req->length);
	if (!ok)
		hca_qp_fatal(qp);
	return ok;
}

u32 hca_requests_end(struct hca_qp *qp)
{
	int n = requests_posted(qp);

	if (n < 0)
		hca_qp_fatal(qp);
	return qp->sq_fetched + max(n, 0);
}

/*
 * Return the error that a flushed request completes with: FLUSH_ERROR in state Error, FLUSH_SQE in
 * states SQE and RTS, unless the carrier has chosen another one. In RTS, only requests that were
 * posted in SQE are flushed.
 */
static enum hca_vendor_err request_flush_error(const struct hca_qp *qp)
{
	if (qp->sq_flush_error)
		return qp->sq_flush_error;
	return READ_ONCE(qp->common.state) == IB_QPS_ERR ? HCA_VENDOR_ERR_FLUSH_ERROR :
							   HCA_VENDOR_ERR_FLUSH_SQE;
}

/* Flush a request that was not fetched. Only wr_id is read from the ring entry. */
static void request_flush_posted(struct hca_qp *qp)
{
	const struct hca_send_wqe *wqe = hca_queue_entry(&qp->sq, qp->sq_done);
	u64 wr_id = READ_ONCE(wqe->wr_id);

	qp->sq_fetched++;
	request_release(qp);
	request_push(qp, wr_id, request_flush_error(qp), IB_UVERBS_WC_SEND, 0);
}

bool hca_requests_flush(struct hca_qp *qp, u32 end, int *budget)
{
	for (; qp->sq_done != end && *budget > 0; (*budget)--) {
		if (qp->sq_done == qp->sq_fetched)
			request_flush_posted(qp);
		else
			hca_request_complete(qp, request_flush_error(qp));
	}
	qp->sq_current = qp->sq_done;
	if (qp->ops->flushed)
		qp->ops->flushed(qp);
	return qp->sq_done == end;
}
