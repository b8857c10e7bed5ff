/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Access to the payload of a packet of any kind. Functions that every packet needs are inline. */
#ifndef HCA_LINK_GATHER_H
#define HCA_LINK_GATHER_H

#include <linux/errno.h>
#include "link/packet.h"
#include "tpt/copy.h"

/**
 * hca_fragment_segment() - resolve a part of one fragment
 * @tpt: table of the MR that @frag names
 * @frag: the fragment
 * @skip: octets at its start to leave out
 * @length: octets wanted
 * @segment: result; released by hca_segments_put()
 *
 * A fragment with the local DMA key does not have an MR: it is kernel memory by address. Only
 * requests of kernel queue pairs can contain one, since the key check refuses that key elsewhere.
 * Context: BH disabled.
 * Return: true; false if the MR has gone.
 */
static inline bool hca_fragment_segment(struct hca_tpt *tpt, const struct hca_fragment *frag,
					u32 skip, u32 length, struct hca_segment *segment)
{
	segment->entry = NULL;
	if (frag->lkey != HCA_LOCAL_DMA_KEY) {
		segment->entry = hca_tpt_entry_get_generation(tpt, frag->lkey, frag->generation);
		if (!segment->entry)
			return false;
	}
	segment->addr = frag->addr + skip;
	segment->length = length;
	return true;
}

/**
 * hca_segment_ready() - return whether a segment can be accessed now
 * @segment: result of hca_fragment_segment()
 * @write: whether the segment is to be written
 *
 * Context: BH disabled.
 * Return: 0; -EAGAIN: pages are absent, and have been requested; -EFAULT: the pages do not exist.
 */
static inline int hca_segment_ready(const struct hca_segment *segment, bool write)
{
	return segment->entry ? hca_tpt_entry_ready(segment->entry, segment->addr,
						    segment->length, write) : 0;
}

/**
 * hca_packet_segments() - resolve a borrowed payload
 * @pkt: the packet, its payload borrowed
 * @segment: result, an array of HCA_MAX_FRAGMENTS; released by hca_segments_put()
 *
 * Context: BH disabled.
 * Return: number of segments, or -ESTALE if an MR has gone.
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
 * hca_packet_gather() - copy a borrowed payload into a buffer that the packet owns
 * @pkt: the packet or batch; unchanged unless its payload is borrowed
 *
 * Context: BH disabled.
 * Return: 0; -ESTALE if an MR has gone, in which case the packet counts as lost; -ENOMEM.
 */
int hca_packet_gather(struct hca_packet *pkt);

/**
 * hca_packet_invalidate() - make a packet unreadable after one of its MRs has gone
 * @pkt: the packet or batch, for which hca_packet_gather() has returned -ESTALE
 *
 * A batch may be split before it is sent, and parts of it may be in other MRs, which still exist.
 * All its fragments therefore refer to the MR that has gone from now on.
 *
 * Context: BH disabled.
 */
void hca_packet_invalidate(struct hca_packet *pkt);

/**
 * hca_packet_read_payload() - copy the start of a payload
 * @pkt: the packet; not changed
 * @to: destination
 * @octets: number of octets, at most the payload's length
 *
 * Context: BH disabled.
 * Return: 0; -ESTALE if an MR of a borrowed payload has gone.
 */
int hca_packet_read_payload(const struct hca_packet *pkt, u8 *to, u32 octets);

/**
 * hca_packet_copy() - copy a packet
 * @pkt: the packet, not HCA_PACKET_SERIALIZED; its payload is gathered
 *
 * Flags, credits and link generation are copied, too. The copy reserves no buffer.
 * Context: BH disabled.
 * Return: a packet of the same pool; NULL if @pkt cannot be gathered, at the pool's limit, or
 * without memory.
 */
struct hca_packet *hca_packet_copy(struct hca_packet *pkt);

/**
 * hca_packet_share() - move a payload into a buffer that copies of the packet can share
 * @pkt: a single packet, not a batch; its payload is gathered
 *
 * Context: BH disabled.
 * Return: 0; -ESTALE or -ENOMEM: see hca_packet_gather().
 */
int hca_packet_share(struct hca_packet *pkt);

/**
 * hca_packet_branch() - copy a packet that shares payload and reserved buffer space
 * @pkt: a single packet, its payload shared
 *
 * The last of the copies made at this switch releases the buffer space that @pkt has reserved here.
 * Copies that an earlier switch made do not count.
 * Context: BH disabled.
 * Return: a packet of the same pool; NULL at the pool's limit or without memory.
 */
struct hca_packet *hca_packet_branch(struct hca_packet *pkt);

/**
 * hca_packet_payload() - payload of a packet
 * @pkt: the packet, its payload not borrowed
 *
 * Context: any.
 * Return: the octets, owned by the packet.
 */
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
