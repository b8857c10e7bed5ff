/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Access to the payload of a packet. Functions that are called for every packet are inline. */
#ifndef HCA_PACKET_PAYLOAD_H
#define HCA_PACKET_PAYLOAD_H

#include <linux/errno.h>
#include "packet/packet.h"
#include "tpt/copy.h"

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
 * This function therefore makes all fragments of the packet refer to the MR that has gone.
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
 * @pkt: the packet, not HCA_PACKET_SERIALIZED; this function gathers its payload
 *
 * Flags, credits and link generation are copied, too. The copy reserves no buffer.
 * Context: BH disabled.
 * Return: a packet of the same pool; NULL if @pkt cannot be gathered, at the pool's limit, or if
 * memory is short.
 */
struct hca_packet *hca_packet_copy(struct hca_packet *pkt);

/**
 * hca_packet_share() - move a payload into a buffer that copies of the packet can share
 * @pkt: a single packet, not a batch
 *
 * Context: BH disabled.
 * Return: 0; -ESTALE if an MR has gone, in which case the packet counts as lost; -ENOMEM.
 */
int hca_packet_share(struct hca_packet *pkt);

/**
 * hca_packet_branch() - make a copy that shares payload and reserved buffer space with a packet
 * @pkt: a single packet, its payload shared
 *
 * @pkt and all copies of @pkt made at this switch share the buffer space that @pkt has reserved at
 * this switch; the last of these packets releases the space. Copies that an earlier switch has made
 * do not share the space.
 * Context: BH disabled.
 * Return: a packet of the same pool; NULL at the pool's limit or if memory is short.
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
