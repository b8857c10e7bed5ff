// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Completions of send requests, in the order of posting. */
#include "iwarp/complete.h"
#include <linux/limits.h>
#include "qp/request.h"

static bool complete_has_ended(const struct hca_iwarp_qp *it, const struct hca_request *req)
{
	if (req->kind & HCA_WR_READ)
		return req->iwarp.end;
	return it->ep->stream->sent >= req->iwarp.end;
}

bool hca_complete_requests(struct hca_iwarp_qp *it)
{
	struct hca_qp *qp = &it->qp;
	bool any = false;

	while (qp->sq_done != qp->sq_current &&
	       complete_has_ended(it, hca_request_at(qp, qp->sq_done))) {
		hca_request_complete(qp, HCA_VENDOR_ERR_NONE);
		any = true;
	}
	return any;
}

struct hca_request *hca_oldest_read(const struct hca_iwarp_qp *it)
{
	return hca_request_at(&it->qp, it->requester.oldest_read);
}

void hca_complete_read(struct hca_iwarp_qp *it)
{
	struct hca_requester *requester = &it->requester;

	requester->reads--;
	if (requester->is_rtr_read) {
		requester->is_rtr_read = false;
		return;
	}
	hca_oldest_read(it)->iwarp.end = true;
	if (!requester->reads)
		return;
	do
		requester->oldest_read++;
	while (!(hca_oldest_read(it)->kind & HCA_WR_READ));
}

void hca_complete_failed(struct hca_iwarp_qp *it, u32 index, enum hca_vendor_err error)
{
	struct hca_qp *qp = &it->qp;
	int budget = INT_MAX;

	hca_requests_flush(qp, index, &budget);
	qp->sq_current = index + 1;
	hca_request_complete(qp, error);
	it->sending = HCA_SENDING_NOTHING;
	it->requester.reads = 0;
}

/* The index behind the last request that has begun. */
static u32 complete_begun(const struct hca_iwarp_qp *it)
{
	return it->qp.sq_current + (it->sending == HCA_SENDING_REQUEST);
}

bool hca_complete_lost(struct hca_iwarp_qp *it)
{
	if (it->qp.sq_done == complete_begun(it))
		return false;
	hca_complete_failed(it, it->qp.sq_done, HCA_VENDOR_ERR_STREAM_LOST);
	return true;
}

/* The status of a request that the peer's Terminate message names. */
static enum hca_vendor_err complete_error(u16 error)
{
	switch (error) {
	case HCA_ERR_RDMAP_STAG:
	case HCA_ERR_RDMAP_BOUNDS:
	case HCA_ERR_RDMAP_ACCESS:
	case HCA_ERR_RDMAP_STREAM_OF_STAG:
	case HCA_ERR_RDMAP_WRAP:
	case HCA_ERR_DDP_STAG:
	case HCA_ERR_DDP_BOUNDS:
	case HCA_ERR_DDP_STREAM_OF_STAG:
	case HCA_ERR_DDP_WRAP:
		return HCA_VENDOR_ERR_TERMINATE_ACCESS;
	case HCA_ERR_DDP_TOO_LONG:
	case HCA_ERR_DDP_NO_BUFFER:
	case HCA_ERR_RDMAP_MAY_NOT_INVALIDATE:
	case HCA_ERR_RDMAP_CANNOT_INVALIDATE:
		return HCA_VENDOR_ERR_TERMINATE_REQUEST;
	default:
		return HCA_VENDOR_ERR_TERMINATE_OPERATION;
	}
}

/* Whether a DDP header is that of a request. A Write cannot be told from another one. */
static bool complete_is_named(const struct hca_request *req, const struct hca_ddp *ddp)
{
	u16 kind = ddp->qn == HCA_QN_SEND ? HCA_WR_CONSUMES_RECV : HCA_WR_READ;

	return !ddp->tagged && (req->kind & kind) && req->iwarp.msn == ddp->msn;
}

/* Return: the index of the request to be completed; that behind the last one that began: none. */
static u32 complete_named(const struct hca_iwarp_qp *it, const struct hca_ddp *ddp, u32 end)
{
	u32 index;

	for (index = it->qp.sq_done; index != end; index++)
		if (complete_is_named(hca_request_at(&it->qp, index), ddp))
			return index;
	return it->qp.sq_done;
}

void hca_complete_terminated(struct hca_iwarp_qp *it)
{
	u32 index, end = complete_begun(it);
	const struct hca_terminate *terminate = &it->terminate;
	struct hca_rdmap_segment s;

	if (!(terminate->parts & HCA_TERMINATE_D))
		return;
	hca_ddp_parse(&s.ddp, terminate->ddp, terminate->ddp_bytes);
	if ((s.ddp.ulp & 0x0f) == HCA_RDMAP_READ_RESPONSE)
		return;
	index = complete_named(it, &s.ddp, end);
	if (index != end)
		hca_complete_failed(it, index, complete_error(terminate->error));
}
