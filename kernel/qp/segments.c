// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The memory of requests: from scatter/gather lists to segments of TPT entries. */
#include "qp/segments.h"
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include "compat.h"
#include "qp/ci.h"
#include "qp/limits.h"
#include "qp/wr.h"

/*
 * Return whether the L_Key is allowed. Only kernel consumers may use HCA_LOCAL_DMA_KEY, which
 * covers all kernel memory.
 */
static bool segment_may_name(const struct hca_qp *qp, const struct hca_fragment *frag)
{
	return qp->kernel || frag->lkey != HCA_LOCAL_DMA_KEY;
}

int hca_request_segments(const struct hca_qp *qp, const struct hca_request *req, u32 offset,
			 u32 length, struct hca_segment *segment)
{
	const struct hca_fragment *end = req->sge + req->num_sge;
	const struct hca_fragment *frag = hca_request_fragment(req, &offset);
	int n = 0, ret = -EFAULT;

	for (; length; frag++) {
		u32 chunk;

		if (frag == end || !segment_may_name(qp, frag))
			goto gone;
		chunk = min(length, frag->length - offset);
		if (!hca_fragment_segment(&qp->ci->tpt, frag, offset, chunk, &segment[n]))
			goto gone;
		n++;
		if (frag->generation & HCA_GENERATION_ODP) {
			ret = hca_segment_ready(&segment[n - 1], req->kind & HCA_WR_FETCHES);
			if (ret)
				goto gone;
		}
		length -= chunk;
		offset = 0;
	}
	return n;

gone:
	hca_segments_put(segment, n);
	return ret;
}

#define SEGMENTS_READY_OCTETS 65536u

int hca_request_ready(const struct hca_qp *qp, const struct hca_request *req)
{
	struct hca_segment segment[HCA_MAX_SGE] HCA_UNINITIALIZED;
	int i, n;

	for (i = 0; i < req->num_sge; i++)
		if (req->sge[i].generation & HCA_GENERATION_ODP)
			break;
	if (i == req->num_sge)
		return 0;
	n = hca_request_segments(qp, req, 0, min(req->length, SEGMENTS_READY_OCTETS), segment);
	if (n < 0)
		return n;
	hca_segments_put(segment, n);
	return 0;
}

bool hca_request_mrs_ok(const struct hca_qp *qp, const struct hca_request *req)
{
	struct hca_segment segment;
	int i;

	if (req->flags & HCA_WQE_INLINE)
		return true;
	for (i = 0; i < req->num_sge; i++) {
		if (!hca_fragment_segment(&qp->ci->tpt, &req->sge[i], 0, 0, &segment))
			return false;
		hca_segments_put(&segment, 1);
	}
	return true;
}

enum hca_vendor_err hca_request_refusal(const struct hca_qp *qp, const struct hca_request *req)
{
	return hca_request_mrs_ok(qp, req) ? HCA_VENDOR_ERR_PAGE : HCA_VENDOR_ERR_LKEY_CHANGED;
}

int hca_sge_segments(const struct hca_qp *qp, const struct hca_sge *sge, u32 num_sge, u32 offset,
		     u32 length, struct hca_segment *segment)
{
	u32 i, chunk;
	int n = 0;

	for (i = 0; i < num_sge && length; i++) {
		if (offset >= sge[i].length) {
			offset -= sge[i].length;
			continue;
		}
		chunk = min(length, sge[i].length - offset);
		segment[n].entry = NULL;
		segment[n].addr = sge[i].addr + offset;
		segment[n].length = chunk;
		if (!qp->kernel || sge[i].lkey != HCA_LOCAL_DMA_KEY) {
			segment[n].entry =
				hca_tpt_entry_get(&qp->ci->tpt, sge[i].lkey, qp->recv_pd,
						  HCA_CONSUMER, IB_UVERBS_ACCESS_LOCAL_WRITE,
						  segment[n].addr, chunk);
			if (IS_ERR_OR_NULL(segment[n].entry)) {
				hca_segments_put(segment, n);
				return segment[n].entry ? PTR_ERR(segment[n].entry) : -EFAULT;
			}
		}
		n++;
		length -= chunk;
		offset = 0;
	}
	if (length) {
		hca_segments_put(segment, n);
		return -EMSGSIZE;
	}
	return n;
}

static enum hca_vendor_err segment_refusal(const struct hca_qp *qp, const struct hca_sge *sge,
					   u64 addr, u32 length)
{
	struct hca_tpt_entry *entry;
	bool good;

	if (qp->kernel && sge->lkey == HCA_LOCAL_DMA_KEY)
		return HCA_VENDOR_ERR_NONE;
	entry = hca_tpt_entry_get_odp(&qp->ci->tpt, sge->lkey, qp->recv_pd,
				      IB_UVERBS_ACCESS_LOCAL_WRITE, addr, length);
	if (entry) {
		good = hca_odp_is_present(entry->odp, addr - entry->iova, length, true);
		hca_tpt_entry_put(entry);
	} else {
		good = hca_tpt_entry_find(&qp->ci->tpt, sge->lkey, qp->recv_pd, HCA_CONSUMER,
					  IB_UVERBS_ACCESS_LOCAL_WRITE, addr, length);
	}
	if (good)
		return HCA_VENDOR_ERR_NONE;
	return hca_tpt_entry_refusal(&qp->ci->tpt, sge->lkey, qp->recv_pd, HCA_CONSUMER,
				     IB_UVERBS_ACCESS_LOCAL_WRITE, addr, length);
}

enum hca_vendor_err hca_recv_refusal(const struct hca_qp *qp, const struct hca_recv *recv,
				     u32 offset, u32 length)
{
	const struct hca_sge *sge = recv->sge, *end = sge + recv->num_sge;
	enum hca_vendor_err error = HCA_VENDOR_ERR_NONE;

	for (; sge != end && offset >= sge->length; sge++)
		offset -= sge->length;
	for (; sge != end && length && !error; sge++) {
		u32 chunk = min(length, sge->length - offset);

		if (chunk)
			error = segment_refusal(qp, sge, sge->addr + offset, chunk);
		length -= chunk;
		offset = 0;
	}
	return error ? error : HCA_VENDOR_ERR_LKEY_CHANGED;
}
