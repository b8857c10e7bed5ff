// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* From what a packet borrows to octets of its own. */
#include <linux/errno.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "compat.h"
#include "link/gather.h"

/*
 * Without a region it is kernel memory by address: only a kernel queue pair's request can
 * hold it, since only there L_Key 0 passes the check.
 */
bool hca_fragment_piece(struct hca_tpt *tpt, const struct hca_fragment *frag, u32 skip,
			u32 length, struct hca_piece *piece)
{
	piece->region = NULL;
	if (frag->lkey != HCA_LOCAL_DMA_KEY) {
		piece->region = hca_region_get_generation(tpt, frag->lkey, frag->generation);
		if (!piece->region)
			return false;
	}
	piece->addr = frag->addr + skip;
	piece->length = length;
	return true;
}

int hca_packet_pieces(const struct hca_packet *pkt, struct hca_piece *piece)
{
	int n;

	for (n = 0; n < pkt->num_fragments; n++) {
		const struct hca_fragment *frag = &pkt->fragment[n];

		if (!hca_fragment_piece(pkt->pool->tpt, frag, 0, frag->length, &piece[n])) {
			hca_pieces_put(piece, n);
			return -ESTALE;
		}
	}
	return n;
}

int hca_packet_gather(struct hca_packet *pkt)
{
	struct hca_piece piece[HCA_MAX_FRAGMENTS] HCA_UNINITIALIZED;
	u8 *buffer;
	int n;

	if (pkt->payload_kind != HCA_PAYLOAD_BORROWED)
		return 0;
	buffer = kmalloc(pkt->payload_length, GFP_ATOMIC | __GFP_NOWARN);
	if (!buffer)
		return -ENOMEM;
	n = hca_packet_pieces(pkt, piece);
	if (n < 0) {
		kfree(buffer);
		return n;
	}
	hca_copy_out(buffer, piece, pkt->payload_length);
	hca_pieces_put(piece, n);
	pkt->buffer = buffer;
	pkt->payload_kind = HCA_PAYLOAD_GATHERED;
	return 0;
}

struct hca_packet *hca_packet_copy(struct hca_packet *pkt)
{
	struct hca_packet *copy;
	u8 *buffer = NULL;

	if (hca_packet_gather(pkt))
		return NULL;
	if (pkt->payload_kind == HCA_PAYLOAD_GATHERED) {
		buffer = kmemdup(pkt->buffer, pkt->payload_length, GFP_ATOMIC | __GFP_NOWARN);
		if (!buffer)
			return NULL;
	}
	copy = hca_packet_alloc(pkt->pool);
	if (!copy) {
		kfree(buffer);
		return NULL;
	}
	*copy = *pkt;
	if (buffer)
		copy->buffer = buffer;
	return copy;
}
