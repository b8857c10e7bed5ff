// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Payload between requests and packets. */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "compat.h"
#include "link/gather.h"
#include "link/packet.h"
#include "link/train.h"
#include "transport/payload.h"

/* The fragment of a request that holds its octet @offset, which becomes one of the fragment's. */
static const struct hca_fragment *fragment_at(const struct hca_request *req, u32 *offset)
{
	const struct hca_fragment *frag = req->sge, *end = frag + req->num_sge;

	for (; frag != end && *offset >= frag->length; frag++)
		*offset -= frag->length;
	return frag;
}

/* The kernel's own memory is named by kernel consumers alone. */
static bool may_name(const struct hca_qp *qp, const struct hca_fragment *frag)
{
	return qp->kernel || frag->lkey != HCA_LOCAL_DMA_KEY;
}

int hca_request_pieces(const struct hca_qp *qp, const struct hca_request *req, u32 offset,
		       u32 length, struct hca_piece *piece)
{
	const struct hca_fragment *end = req->sge + req->num_sge;
	const struct hca_fragment *frag = fragment_at(req, &offset);
	int n = 0;

	for (; length; frag++) {
		u32 part;

		if (frag == end || !may_name(qp, frag))
			goto gone;
		part = min(length, frag->length - offset);
		if (!hca_fragment_piece(&qp->eec.ca->tpt, frag, offset, part, &piece[n]))
			goto gone;
		n++;
		length -= part;
		offset = 0;
	}
	return n;

gone:
	hca_pieces_put(piece, n);
	return -EFAULT;
}

bool hca_request_regions_ok(const struct hca_qp *qp, const struct hca_request *req)
{
	struct hca_piece piece;
	int i;

	if (req->flags & HCA_WQE_INLINE)
		return true;
	for (i = 0; i < req->num_sge; i++) {
		if (!hca_fragment_piece(&qp->eec.ca->tpt, &req->sge[i], 0, 0, &piece))
			return false;
		hca_pieces_put(&piece, 1);
	}
	return true;
}

static int hca_payload_gather(struct hca_qp *qp, const struct hca_request *req, u32 offset,
			      u32 length, void *buffer)
{
	struct hca_piece piece[HCA_MAX_SGE] HCA_UNINITIALIZED;
	int n = hca_request_pieces(qp, req, offset, length, piece);

	if (n < 0)
		return n;
	hca_copy_out(buffer, piece, length);
	hca_pieces_put(piece, n);
	return 0;
}

/* False: the part is in too many fragments, or in kernel memory nobody guards. */
static bool hca_payload_name(const struct hca_request *req, u32 offset, u32 length,
			     struct hca_packet *pkt)
{
	const struct hca_fragment *end = req->sge + req->num_sge;
	const struct hca_fragment *frag = fragment_at(req, &offset);
	u8 n = 0;

	for (; length; frag++) {
		u32 part;

		if (frag == end || n == HCA_MAX_FRAGMENTS || frag->lkey == HCA_LOCAL_DMA_KEY)
			return false;
		part = min(length, frag->length - offset);
		pkt->fragment[n].lkey = frag->lkey;
		pkt->fragment[n].generation = frag->generation;
		pkt->fragment[n].addr = frag->addr + offset;
		pkt->fragment[n].length = part;
		n++;
		length -= part;
		offset = 0;
	}
	pkt->num_fragments = n;
	pkt->payload_kind = HCA_PAYLOAD_BORROWED;
	return true;
}

/* Into a buffer of the packet's own, for all packets of a train. */
static int hca_payload_copy(struct hca_qp *qp, const struct hca_request *req, u32 offset,
			    struct hca_packet *pkt)
{
	u32 octets = hca_train_octets(pkt);
	u8 *buffer = kmalloc(ALIGN(octets, 4), GFP_ATOMIC | __GFP_NOWARN);
	int ret;

	if (!buffer)
		return -ENOMEM;
	ret = hca_payload_gather(qp, req, offset, octets, buffer);
	if (ret) {
		kfree(buffer);
		return ret;
	}
	pkt->buffer = buffer;
	pkt->payload_kind = HCA_PAYLOAD_GATHERED;
	return 0;
}

int hca_payload_attach(struct hca_qp *qp, const struct hca_request *req, u32 offset, u32 length,
		       struct hca_packet *pkt, bool gather)
{
	pkt->payload_length = length;
	if (pkt->packets > 1) {
		if (gather ? !hca_payload_copy(qp, req, offset, pkt) :
			     hca_payload_name(req, offset, hca_train_octets(pkt), pkt))
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
		return hca_payload_gather(qp, req, offset, length, pkt->data);
	if (!gather && hca_payload_name(req, offset, length, pkt))
		return 0;
	return hca_payload_copy(qp, req, offset, pkt);
}

void hca_payload_borrow(struct hca_packet *pkt, const struct hca_region *region, u64 addr,
			u32 length, u8 packets)
{
	pkt->payload_kind = HCA_PAYLOAD_BORROWED;
	pkt->payload_length = length;
	pkt->packets = packets;
	pkt->num_fragments = 1;
	pkt->fragment[0].lkey = region->key;
	pkt->fragment[0].generation = region->generation;
	pkt->fragment[0].addr = addr;
	pkt->fragment[0].length = length * packets;
}

static int hca_payload_deliver_borrowed(const struct hca_packet *pkt,
					const struct hca_piece *dst_piece)
{
	struct hca_piece piece[HCA_MAX_FRAGMENTS] HCA_UNINITIALIZED;
	struct hca_cursor dst = { .piece = dst_piece };
	struct hca_cursor src = { .piece = piece };
	int n = hca_packet_pieces(pkt, piece);

	if (n < 0)
		return n;
	hca_copy(&dst, &src, hca_train_octets(pkt));
	hca_pieces_put(piece, n);
	return 0;
}

int hca_payload_deliver(const struct hca_packet *pkt, const struct hca_piece *piece)
{
	if (pkt->payload_kind == HCA_PAYLOAD_BORROWED)
		return hca_payload_deliver_borrowed(pkt, piece);
	hca_copy_in(piece, hca_packet_payload(pkt), hca_train_octets(pkt));
	return 0;
}

int hca_sge_pieces(const struct hca_qp *qp, const struct hca_sge *sge, u32 num_sge, u32 offset,
		   u32 length, struct hca_piece *piece)
{
	u32 i, part;
	int n = 0;

	for (i = 0; i < num_sge && length; i++) {
		if (offset >= sge[i].length) {
			offset -= sge[i].length;
			continue;
		}
		part = min(length, sge[i].length - offset);
		piece[n].region = NULL;
		piece[n].addr = sge[i].addr + offset;
		piece[n].length = part;
		if (!qp->kernel || sge[i].lkey != HCA_LOCAL_DMA_KEY) {
			piece[n].region = hca_region_get(&qp->eec.ca->tpt, sge[i].lkey, qp->recv_pd,
							 HCA_CONSUMER,
							 IB_UVERBS_ACCESS_LOCAL_WRITE,
							 piece[n].addr, part);
			if (!piece[n].region) {
				hca_pieces_put(piece, n);
				return -EFAULT;
			}
		}
		n++;
		length -= part;
		offset = 0;
	}
	if (length) {
		hca_pieces_put(piece, n);
		return -EMSGSIZE;
	}
	return n;
}
