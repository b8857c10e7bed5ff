/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What a packet's payload is, wherever it is. What each packet needs is inline. */
#ifndef HCA_LINK_GATHER_H
#define HCA_LINK_GATHER_H

#include <linux/errno.h>
#include "link/packet.h"
#include "tpt/copy.h"

/**
 * hca_fragment_segment() - resolve a part of one fragment
 * @tpt: whose regions it names
 * @frag: the fragment
 * @skip: octets of it to leave out
 * @length: octets wanted
 * @segment: result; to be given back by hca_segments_put()
 *
 * Without a region it is kernel memory by address: only a kernel queue pair's request can
 * hold it, since only there L_Key 0 passes the check.
 * Context: BH disabled. Return: false: the region has gone.
 */
static inline bool hca_fragment_segment(struct hca_tpt *tpt, const struct hca_fragment *frag,
					u32 skip, u32 length, struct hca_segment *segment)
{
	segment->region = NULL;
	if (frag->lkey != HCA_LOCAL_DMA_KEY) {
		segment->region = hca_tpt_entry_get_generation(tpt, frag->lkey, frag->generation);
		if (!segment->region)
			return false;
	}
	segment->addr = frag->addr + skip;
	segment->length = length;
	return true;
}

/**
 * hca_packet_segments() - resolve a borrowed payload
 * @pkt: the packet, its payload borrowed
 * @segment: result, HCA_MAX_FRAGMENTS of them; to be given back by hca_segments_put()
 *
 * Context: BH disabled. Return: number of pieces, or -ESTALE: a region has gone.
 */
static inline int hca_packet_segments(const struct hca_packet *pkt, struct hca_segment *segment)
{
	int n;

	for (n = 0; n < pkt->num_fragments; n++) {
		const struct hca_fragment *frag = &pkt->fragment[n];

		if (!hca_fragment_segment(pkt->pool->tpt, frag, 0, frag->length, &segment[n])) {
			hca_segments_put(segment, n);
			return -ESTALE;
		}
	}
	return n;
}

/**
 * hca_packet_gather() - make a packet own its payload
 * @pkt: the packet; untouched if it borrows nothing
 *
 * Context: BH disabled. Return: 0; -ESTALE: what it borrows has gone, the packet counts as
 * lost; -ENOMEM.
 */
int hca_packet_gather(struct hca_packet *pkt);

/**
 * hca_packet_read_payload() - what a packet's payload begins with, wherever it is
 * @pkt: the packet; not changed
 * @to: where to
 * @octets: how many, up to its length
 *
 * Context: BH disabled. Return: 0; -ESTALE: what it borrows has gone.
 */
int hca_packet_read_payload(const struct hca_packet *pkt, u8 *to, u32 octets);

/**
 * hca_packet_copy() - a second packet of the same content
 * @pkt: the packet, not an image; gathered here
 *
 * Flags, credits and link generation are the same, too. The copy holds no port's buffer.
 * Context: BH disabled. Return: from the same pool; NULL if @pkt cannot be gathered, at the
 * pool's limit or without memory.
 */
struct hca_packet *hca_packet_copy(struct hca_packet *pkt);

/**
 * hca_packet_share() - have a packet share its payload with copies that are still to be made
 * @pkt: the packet, no train; gathered here
 *
 * Context: BH disabled. Return: 0, or as hca_packet_gather().
 */
int hca_packet_share(struct hca_packet *pkt);

/**
 * hca_packet_branch() - one more packet of the same payload, holding the same room
 * @pkt: the packet, its payload shared
 *
 * The room is given back when none of them holds it any more.
 * Context: BH disabled. Return: from the same pool; NULL: at its limit, or without memory.
 */
struct hca_packet *hca_packet_branch(struct hca_packet *pkt);

/* A payload that is not borrowed. */
static inline const u8 *hca_packet_payload(const struct hca_packet *pkt)
{
	switch (pkt->payload_kind) {
	case HCA_PAYLOAD_GATHERED:
		return pkt->buffer;
	case HCA_PAYLOAD_SHARED:
		return pkt->shared->payload;
	default:
		return pkt->data;
	}
}

#endif
