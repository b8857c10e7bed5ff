// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Storage of packets in transit. A payload may refer to memory that changes, so it is copied; then
 * the packet is serialized and parsed, so that whatever the wire format would lose is lost here.
 */
#include <linux/slab.h>
#include <linux/string.h>
#include "packet/batch.h"
#include "packet/payload.h"
#include "packet/serialize.h"
#include "sim.h"

/* A segment batch has no wire format of its own; each of its packets is as good as the others. */
static struct hca_packet *copy_batch(struct hca_packet_pool *pool, const struct hca_packet *batch)
{
	struct hca_packet *copy = hca_packet_alloc(pool);

	*copy = *batch;
	copy->pool = pool;
	copy->reserved_at = NULL;
	copy->buffer = kmemdup(batch->buffer, hca_batch_octets(batch), GFP_ATOMIC);
	return copy;
}

/*
 * sim_packet_copy() - make a copy of a packet, to be stored
 * @pool: the pool that the copy is allocated from
 * @pkt: the packet or segment batch; it stays the caller's, and its payload is copied
 * @flip: the bit to invert in the wire format, modulo the number of bits; -1: none
 *
 * Only the receiver's CRCs reject a damaged packet. Return: NULL if they have rejected it.
 */
struct hca_packet *sim_packet_copy(struct hca_packet_pool *pool, struct hca_packet *pkt, s64 flip)
{
	static u8 wire[HCA_MAX_WIRE_BYTES];
	u32 length = hca_packet_bytes(pkt);
	struct hca_packet *copy;
	int ret;

	if (hca_packet_gather(pkt))
		return NULL;
	if (pkt->packets > 1)
		return flip < 0 ? copy_batch(pool, pkt) : NULL;
	hca_packet_serialize(pkt, wire);
	if (flip >= 0) {
		flip %= length * 8;
		wire[flip / 8] ^= 1 << flip % 8;
	}
	copy = hca_packet_alloc(pool);
	ret = hca_packet_deserialize(copy, wire, length);
	if (!ret != (flip < 0))
		sim_fail("a packet of %u octets, bit %lld of which was turned over, is read with %d", length,
			 (long long)flip, ret);
	if (!ret)
		return copy;
	hca_packet_free(copy);
	return NULL;
}

struct hca_packet *sim_packet_copy_again(struct hca_packet *held)
{
	return sim_packet_copy(held->pool, held, -1);
}
