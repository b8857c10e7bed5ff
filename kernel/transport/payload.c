// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Movement of payload from requests to packets, and from packets to memory. */
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "compat.h"
#include "link/gather.h"
#include "link/packet.h"
#include "link/batch.h"
#include "qp/wr.h"
#include "transport/payload.h"
#include "transport/iba_qp.h"

/*
 * Find the fragment of a request that contains the octet at *offset, and make *offset relative to
 * it.
 */
static const struct hca_fragment *fragment_at(const struct hca_request *req, u32 *offset)
{
	const struct hca_fragment *frag = req->sge, *end = frag + req->num_sge;

	for (; frag != end && *offset >= frag->length; frag++)
		*offset -= frag->length;
	return frag;
}

/* Only kernel consumers may use the L_Key of all kernel memory. */
static bool may_name(const struct hca_qp *qp, const struct hca_fragment *frag)
{
	return qp->kernel || frag->lkey != HCA_LOCAL_DMA_KEY;
}

int hca_request_segments(const struct hca_qp *qp, const struct hca_request *req, u32 offset,
			 u32 length, struct hca_segment *segment)
{
	const struct hca_fragment *end = req->sge + req->num_sge;
	const struct hca_fragment *frag = fragment_at(req, &offset);
	int n = 0, ret = -EFAULT;

	for (; length; frag++) {
		u32 chunk;

		if (frag == end || !may_name(qp, frag))
			goto gone;
		chunk = min(length, frag->length - offset);
		if (!hca_fragment_segment(qp->tpt, frag, offset, chunk, &segment[n]))
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

#define READY_OCTETS 65536u

int hca_request_ready(const struct hca_qp *qp, const struct hca_request *req)
{
	struct hca_segment segment[HCA_MAX_SGE] HCA_UNINITIALIZED;
	int i, n;

	for (i = 0; i < req->num_sge; i++)
		if (req->sge[i].generation & HCA_GENERATION_ODP)
			break;
	if (i == req->num_sge)
		return 0;
	n = hca_request_segments(qp, req, 0, min(req->length, READY_OCTETS), segment);
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
		if (!hca_fragment_segment(qp->tpt, &req->sge[i], 0, 0, &segment))
			return false;
		hca_segments_put(&segment, 1);
	}
	return true;
}

enum hca_vendor_err hca_request_refusal(const struct hca_qp *qp, const struct hca_request *req)
{
	return hca_request_mrs_ok(qp, req) ? HCA_VENDOR_ERR_PAGE : HCA_VENDOR_ERR_LKEY_CHANGED;
}

static int payload_gather(struct hca_qp *qp, const struct hca_request *req, u32 offset,
			  u32 length, void *buffer)
{
	struct hca_segment segment[HCA_MAX_SGE] HCA_UNINITIALIZED;
	int n = hca_request_segments(qp, req, offset, length, segment);

	if (n < 0)
		return n;
	hca_copy_out(buffer, segment, length);
	hca_segments_put(segment, n);
	return 0;
}

/*
 * Let the packet borrow a range of the request's memory. Return: false if the range has too many
 * fragments, is in kernel memory, which no TPT entry protects, or in pages on demand, which may be
 * absent when the packet arrives.
 */
static bool payload_name(const struct hca_request *req, u32 offset, u32 length,
			 struct hca_packet *pkt)
{
	const struct hca_fragment *end = req->sge + req->num_sge;
	const struct hca_fragment *frag = fragment_at(req, &offset);
	u8 n = 0;

	for (; length; frag++) {
		u32 chunk;

		if (frag == end || n == HCA_MAX_FRAGMENTS || frag->lkey == HCA_LOCAL_DMA_KEY ||
		    frag->generation & HCA_GENERATION_ODP)
			return false;
		chunk = min(length, frag->length - offset);
		pkt->fragment[n].lkey = frag->lkey;
		pkt->fragment[n].generation = frag->generation;
		pkt->fragment[n].addr = frag->addr + offset;
		pkt->fragment[n].length = chunk;
		n++;
		length -= chunk;
		offset = 0;
	}
	pkt->num_fragments = n;
	pkt->payload_kind = HCA_PAYLOAD_BORROWED;
	return true;
}

int hca_payload_copy(struct hca_packet *pkt, const struct hca_segment *segment)
{
	u32 octets = hca_batch_octets(pkt);

	pkt->buffer = kmalloc(ALIGN(octets, 4), GFP_ATOMIC | __GFP_NOWARN);
	if (!pkt->buffer)
		return -ENOMEM;
	hca_copy_out(pkt->buffer, segment, octets);
	pkt->payload_kind = HCA_PAYLOAD_GATHERED;
	return 0;
}

static int payload_copy(struct hca_qp *qp, const struct hca_request *req, u32 offset,
			struct hca_packet *pkt)
{
	struct hca_segment segment[HCA_MAX_SGE] HCA_UNINITIALIZED;
	int ret, n = hca_request_segments(qp, req, offset, hca_batch_octets(pkt), segment);

	if (n < 0)
		return n;
	ret = hca_payload_copy(pkt, segment);
	hca_segments_put(segment, n);
	return ret;
}

int hca_payload_attach(struct hca_qp *qp, const struct hca_request *req, u32 offset, u32 length,
		       struct hca_packet *pkt, bool gather)
{
	pkt->payload_length = length;
	if (pkt->packets > 1) {
		if (gather ? !payload_copy(qp, req, offset, pkt) :
			     payload_name(req, offset, hca_batch_octets(pkt), pkt))
			return 0;
		pkt->packets = 1;
	}
	if (!length)
		return 0;
	if (req->flags & HCA_WQE_INLINE) {
		memcpy(pkt->data, req->inline_data + offset, length);
		return 0;
	}
	if (length <= HCA_INLINE_BYTES)
		return payload_gather(qp, req, offset, length, pkt->data);
	if (!gather && payload_name(req, offset, length, pkt))
		return 0;
	return payload_copy(qp, req, offset, pkt);
}

void hca_payload_borrow(struct hca_packet *pkt, const struct hca_tpt_entry *entry, u64 addr,
			u32 length, u8 packets)
{
	pkt->payload_kind = HCA_PAYLOAD_BORROWED;
	pkt->payload_length = length;
	pkt->packets = packets;
	pkt->num_fragments = 1;
	pkt->fragment[0].lkey = entry->key;
	pkt->fragment[0].generation = entry->generation;
	pkt->fragment[0].addr = addr;
	pkt->fragment[0].length = length * packets;
}

static int payload_deliver_borrowed(const struct hca_packet *pkt,
				    const struct hca_segment *dst_segment)
{
	struct hca_segment segment[HCA_MAX_FRAGMENTS] HCA_UNINITIALIZED;
	struct hca_cursor dst = { .segment = dst_segment };
	struct hca_cursor src = { .segment = segment };
	int n = hca_packet_segments(pkt, segment);

	if (n < 0)
		return n;
	hca_copy(&dst, &src, hca_batch_octets(pkt));
	hca_segments_put(segment, n);
	return 0;
}

int hca_payload_deliver(const struct hca_packet *pkt, const struct hca_segment *segment)
{
	if (pkt->payload_kind == HCA_PAYLOAD_BORROWED)
		return payload_deliver_borrowed(pkt, segment);
	hca_copy_in(segment, hca_packet_payload(pkt), hca_batch_octets(pkt));
	return 0;
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
				hca_tpt_entry_get(qp->tpt, sge[i].lkey, qp->recv_pd,
							      HCA_CONSUMER,
							      IB_UVERBS_ACCESS_LOCAL_WRITE,
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
