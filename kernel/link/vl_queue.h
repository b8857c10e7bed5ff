/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What waits to be sent on one data VL of a port: packets in their order, and senders in theirs. */
#ifndef HCA_LINK_VL_QUEUE_H
#define HCA_LINK_VL_QUEUE_H

#include <linux/list.h>
#include <linux/types.h>
#include "engine/run.h"
#include "link/packet.h"

/*
 * So many packets of queue pairs a VL holds. A few, so that it never runs dry between two turns
 * of its senders; what is behind them stays with the queue pairs, which send it anew by then.
 */
#define HCA_VL_QUEUE_PACKETS 16

/* Somebody who waits to send: run again when it is their turn. */
struct hca_waiter {
	struct list_head node;
	struct hca_runnable *runnable;
};

/* All of it is guarded by the port's tx_lock. */
struct hca_vl_queue {
	struct llist_node *first;
	struct llist_node **end; /* where the next one is hung */
	unsigned int count;
	u64 head_since; /* ns: since when the first one is that, as seen by a run; 0: not yet seen */
	u64 stalled_until; /* ns: till when all is dropped; 0: it is not */
	u32 drops_sent; /* fctbs when the last head was too old; another one: a packet has left since */
	u8 drops; /* heads that were too old, in a row */
	struct list_head waiters; /* struct hca_waiter: who found no room */
	const struct hca_waiter *turn; /* whom we ran last for it; only compared with */
};

static inline struct hca_packet *hca_vl_queue_first(const struct hca_vl_queue *queue)
{
	return queue->first ? llist_entry(queue->first, struct hca_packet, node) : NULL;
}

void hca_vl_queue_init(struct hca_vl_queue *queue);

/* Is there room, and nobody before @waiter (NULL: one who will not wait)? */
bool hca_vl_queue_admits(const struct hca_vl_queue *queue, const struct hca_waiter *waiter);

void hca_vl_queue_push(struct hca_vl_queue *queue, struct hca_packet *pkt,
		       const struct hca_waiter *sender);

/*
 * Have what @sender has queued borrow nothing any more. Return: a packet for which there is no
 * memory, taken out of the queue: ask again for the others; NULL: that was all.
 */
struct hca_packet *hca_vl_queue_gather(struct hca_vl_queue *queue, const struct hca_waiter *sender);

/* The first packet; there is one. */
struct hca_packet *hca_vl_queue_pop(struct hca_vl_queue *queue);

/* Behind all who wait already. */
void hca_vl_queue_wait(struct hca_vl_queue *queue, struct hca_waiter *waiter);

/*
 * If there is room, run who waits longest. One at a time: it may fill the queue, and the others
 * keep their places. Return: whether others must be run before anything leaves the queue.
 */
bool hca_vl_queue_wake(struct hca_vl_queue *queue);

#endif
