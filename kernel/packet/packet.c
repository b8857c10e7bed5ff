// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Packets and the pools that they are allocated from. */
#include "packet/packet.h"
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/wait_bit.h>
#include "packet/flight.h"

void hca_packet_pool_init(struct hca_packet_pool *pool, struct hca_tpt *tpt, unsigned int limit)
{
	spin_lock_init(&pool->lock);
	pool->free = NULL;
	pool->count = 0;
	pool->in_use = 0;
	pool->limit = limit;
	pool->closing = false;
	pool->tpt = tpt;
}

void hca_packet_pool_destroy(struct hca_packet_pool *pool)
{
	struct llist_node *node, *next;

	spin_lock_bh(&pool->lock);
	pool->closing = true;
	pool->limit = 0;
	spin_unlock_bh(&pool->lock);
	wait_var_event(&pool->in_use, !READ_ONCE(pool->in_use));
	/* Wait for the hca_packet_free() of the last packet, which may still hold the lock. */
	spin_lock_bh(&pool->lock);
	node = pool->free;
	pool->free = NULL;
	spin_unlock_bh(&pool->lock);
	for (; node; node = next) {
		next = node->next;
		kfree(llist_entry(node, struct hca_packet, node));
	}
}

static struct hca_packet *packet_alloc(struct hca_packet_pool *pool, u8 flight)
{
	struct hca_packet *pkt = NULL;
	bool make = false;

	spin_lock(&pool->lock);
	if (pool->in_use < pool->limit) {
		pool->in_use++;
		hca_flight_add(flight);
		if (pool->free) {
			pkt = llist_entry(pool->free, struct hca_packet, node);
			pool->free = pool->free->next;
		} else {
			pool->count++;
			make = true;
		}
	}
	spin_unlock(&pool->lock);

	if (make) {
		pkt = kmalloc(sizeof(*pkt), GFP_ATOMIC | __GFP_NOWARN);
		if (!pkt) {
			spin_lock(&pool->lock);
			pool->count--;
			pool->in_use--;
			hca_flight_del(flight);
			spin_unlock(&pool->lock);
			return NULL;
		}
		pkt->pool = pool;
	}
	if (pkt) {
		pkt->flight = flight;
		pkt->reserved_at = NULL;
		pkt->expires = 0;
		pkt->hops = 0;
		pkt->flags = 0;
		pkt->packets = 1;
		pkt->payload_kind = HCA_PAYLOAD_INLINE;
		pkt->payload_length = 0;
	}
	return pkt;
}

struct hca_packet *hca_packet_alloc(struct hca_packet_pool *pool)
{
	return packet_alloc(pool, hca_flight_index());
}

struct hca_packet *hca_packet_alloc_like(const struct hca_packet *original)
{
	return packet_alloc(original->pool, original->flight);
}

void hca_packet_drop_payload(struct hca_packet *pkt)
{
	if (pkt->payload_kind == HCA_PAYLOAD_GATHERED)
		kfree(pkt->buffer);
	else if (pkt->payload_kind == HCA_PAYLOAD_SHARED &&
		 refcount_dec_and_test(&pkt->shared->users))
		kfree(pkt->shared);
	pkt->payload_kind = HCA_PAYLOAD_INLINE;
}

void hca_packet_free(struct hca_packet *pkt)
{
	struct hca_packet_pool *pool = pkt->pool;

	if (unlikely(pkt->reserved_at))
		pkt->release(pkt);
	if (pkt->payload_kind >= HCA_PAYLOAD_GATHERED)
		hca_packet_drop_payload(pkt);

	spin_lock(&pool->lock);
	hca_flight_del(pkt->flight);
	pkt->node.next = pool->free;
	pool->free = &pkt->node;
	if (!--pool->in_use && pool->closing) {
		smp_mb(); /* Publish in_use before wake_up_var() reads its wait queue. */
		wake_up_var(&pool->in_use);
	}
	spin_unlock(&pool->lock);
}

void hca_packet_finish(struct hca_packet *pkt)
{
	unsigned int bytes;

	pkt->h.bth.padcnt = hca_packet_is_raw(pkt) ? 0 : -pkt->payload_length & 3;
	bytes = hca_headers_bytes(pkt->h.lrh.lnh, pkt->h.bth.opcode) + pkt->payload_length +
		pkt->h.bth.padcnt + hca_packet_icrc_bytes(pkt);
	pkt->h.lrh.pktlen = bytes / 4;
	if (hca_packet_has_grh(pkt))
		pkt->h.grh.paylen = bytes - HCA_LRH_BYTES - HCA_GRH_BYTES;
	pkt->blocks = hca_packet_blocks(bytes + HCA_VCRC_BYTES);
}
