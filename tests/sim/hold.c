// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Keeping a packet. Its payload may be borrowed and change, so it is gathered; its headers go by
 * the wire and come back, so that what would be lost there is lost here.
 */
#include <linux/slab.h>
#include <linux/string.h>
#include "sim.h"
#include "transport/payload.h"

/* A packet as the octets of the wire, CRCs included. */
struct image {
	u8 octet[HCA_MAX_HEADER_BYTES + HCA_MAX_MTU_BYTES + 4 + HCA_ICRC_BYTES + HCA_VCRC_BYTES];
	u32 length;
	u32 headers;
	u32 payload;
};

/* False: what the packet borrows has gone. */
static bool image_make(struct image *image, const struct hca_packet *pkt)
{
	struct hca_piece piece = { .length = pkt->payload_length };
	u32 tail;

	image->headers = hca_headers_pack(&pkt->h, image->octet);
	image->payload = pkt->payload_length;
	piece.addr = (uintptr_t)(image->octet + image->headers);
	if (image->payload && hca_payload_deliver(pkt, &piece))
		return false;
	tail = pkt->h.bth.padcnt + HCA_ICRC_BYTES + HCA_VCRC_BYTES;
	memset(image->octet + image->headers + image->payload, 0, tail);
	image->length = image->headers + image->payload + tail;
	if (image->length != pkt->h.lrh.pktlen * 4u + HCA_VCRC_BYTES)
		sim_fail("a packet says that it has %u octets, and has %u",
			 pkt->h.lrh.pktlen * 4u + HCA_VCRC_BYTES, image->length);
	return true;
}

/* Would the receiver believe it? It has no CRCs to look at yet, so we tell it what we did. */
static bool image_intact(const struct image *image, bool flipped)
{
	return image->length && !flipped;
}

static struct hca_packet *image_parse(struct hca_packet_pool *pool, const struct image *image)
{
	struct hca_packet *pkt = hca_packet_alloc(pool);
	int headers = hca_headers_parse(&pkt->h, image->octet, image->length);
	u8 *to = pkt->data;

	if (headers != (int)image->headers)
		sim_fail("a packet's headers are %u octets, and are read as %d", image->headers,
			 headers);
	pkt->payload_length = image->payload;
	if (image->payload > HCA_INLINE_BYTES) {
		to = kmalloc(image->payload, GFP_ATOMIC);
		pkt->buffer = to;
		pkt->payload_kind = HCA_PAYLOAD_GATHERED;
	}
	memcpy(to, image->octet + headers, image->payload);
	hca_packet_finish(pkt);
	return pkt;
}

/**
 * sim_hold() - a copy of a packet, to be kept
 * @pool: where it comes from
 * @pkt: the packet; stays the caller's
 * @flip: the bit that the wire turns over, modulo how many there are; -1: none
 *
 * Return: NULL: it has not survived.
 */
struct hca_packet *sim_hold(struct hca_packet_pool *pool, const struct hca_packet *pkt, s64 flip)
{
	static struct image image;

	if (!image_make(&image, pkt))
		return NULL;
	if (flip >= 0) {
		flip %= image.length * 8;
		image.octet[flip / 8] ^= 1 << flip % 8;
	}
	if (!image_intact(&image, flip >= 0))
		return NULL;
	return image_parse(pool, &image);
}

struct hca_packet *sim_hold_again(const struct hca_packet *held)
{
	return sim_hold(held->pool, held, -1);
}
