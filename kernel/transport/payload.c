// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Movement of payload from requests to packets, and from packets to memory. */
#include "transport/payload.h"
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "compat.h"
#include "packet/batch.h"
#include "packet/packet.h"
#include "packet/payload.h"
#include "qp/segments.h"
#include "transport/iba_qp.h"

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
 * Let the packet refer to a range of the request's memory instead of copying it. Return: false if
 * this is not possible, because the range has too many fragments, is in kernel memory without a TPT
 * entry, or is in an ODP MR, whose pages may be absent when the packet arrives.
 */
static bool payload_name(const struct hca_request *req, u32 offset, u32 length,
			 struct hca_packet *pkt)
{
	const struct hca_fragment *end = req->sge + req->num_sge;
	const struct hca_fragment *frag = hca_request_fragment(req, &offset);
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
