// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Keeping a packet. Its payload may be borrowed and change, so it is gathered; then it goes by the
 * wire and comes back, so that what would be lost there is lost here.
 */
#include <linux/slab.h>
#include <linux/string.h>
#include "link/gather.h"
#include "link/serialize.h"
#include "link/batch.h"
#include "sim.h"

/* A train has no image of its own; each of its packets would survive, or not, like the others. */
static struct hca_packet *hold_train(struct hca_packet_pool *pool, const struct hca_packet *batch)
{
	struct hca_packet *copy = hca_packet_alloc(pool);

	*copy = *batch;
	copy->pool = pool;
	copy->reserved_at = NULL;
	copy->buffer = kmemdup(batch->buffer, hca_batch_octets(batch), GFP_ATOMIC);
	return copy;
}

/**
 * sim_hold() - a copy of a packet, to be kept
 * @pool: where it comes from
 * @pkt: the packet, or train; stays the caller's, and is gathered
 * @flip: the bit that the wire turns over, modulo how many there are; -1: none
 *
 * The receiver's CRCs are all that keeps a damaged packet out. Return: NULL: it has not survived.
 */
struct hca_packet *sim_hold(struct hca_packet_pool *pool, struct hca_packet *pkt, s64 flip)
{
	static u8 image[HCA_MAX_WIRE_BYTES];
	u32 length = hca_packet_bytes(pkt);
	struct hca_packet *copy;
	int ret;

	if (hca_packet_gather(pkt))
		return NULL;
	if (pkt->packets > 1)
		return flip < 0 ? hold_train(pool, pkt) : NULL;
	hca_packet_serialize(pkt, image);
	if (flip >= 0) {
		flip %= length * 8;
		image[flip / 8] ^= 1 << flip % 8;
	}
	copy = hca_packet_alloc(pool);
	ret = hca_packet_deserialize(copy, image, length);
	if (!ret != (flip < 0))
		sim_fail("a packet of %u octets, bit %lld of which was turned over, is read with %d", length,
			 (long long)flip, ret);
	if (!ret)
		return copy;
	hca_packet_free(copy);
	return NULL;
}

struct hca_packet *sim_hold_again(struct hca_packet *held)
{
	return sim_hold(held->pool, held, -1);
}
