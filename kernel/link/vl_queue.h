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
struct hca_blocked_sender {
	struct list_head node;
	struct hca_runnable *runnable;
};

/* All of it is guarded by the port's tx_lock. */
struct hca_vl_queue {
	struct llist_node *first;
	struct llist_node **end; /* where the next one is hung */
	unsigned int count; /* packets; those of a train counted */
	u64 head_since; /* ns: since when the first one is that, as seen by a run; 0: not yet seen */
	u64 stalled_until; /* ns: till when all is dropped; 0: it is not */
	u32 drops_sent; /* fctbs when the last head was too old; another one: a packet has left since */
	u8 drops; /* heads that were too old, in a row */
	struct list_head blocked; /* struct hca_blocked_sender: who found no room */
	const struct hca_blocked_sender *turn; /* whom we ran last for it; only compared with */
};

static inline struct hca_packet *hca_vl_queue_first(const struct hca_vl_queue *queue)
{
	return queue->first ? llist_entry(queue->first, struct hca_packet, node) : NULL;
}

void hca_vl_queue_init(struct hca_vl_queue *queue);

/* Is there room, and nobody before @blocked (NULL: one who will not wait)? */
bool hca_vl_queue_admits(const struct hca_vl_queue *queue,
			 const struct hca_blocked_sender *blocked);

void hca_vl_queue_push(struct hca_vl_queue *queue, struct hca_packet *pkt,
		       const struct hca_blocked_sender *sender);

/*
 * Have what @sender has queued borrow nothing any more. Return: a packet for which there is no
 * memory, taken out of the queue: ask again for the others; NULL: that was all.
 */
struct hca_packet *hca_vl_queue_gather(struct hca_vl_queue *queue,
				       const struct hca_blocked_sender *sender);

/* The first packet, or train; there is one. */
struct hca_packet *hca_vl_queue_pop(struct hca_vl_queue *queue);

/* At most so many packets of it, the rest stays; NULL: it cannot be cut for want of memory. */
struct hca_packet *hca_vl_queue_dequeue_some(struct hca_vl_queue *queue, u8 packets);

/* Behind all who wait already. */
void hca_vl_queue_wait(struct hca_vl_queue *queue, struct hca_blocked_sender *blocked);

/*
 * If there is room, run who waits longest. One at a time: it may fill the queue, and the others
 * keep their places. Return: whether others must be run before anything leaves the queue.
 */
bool hca_vl_queue_wake(struct hca_vl_queue *queue);

#endif
