/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The queue of a data VL: packets in their order, and blocked senders in theirs. */
#ifndef HCA_LINK_VL_QUEUE_H
#define HCA_LINK_VL_QUEUE_H

#include <linux/list.h>
#include <linux/types.h>
#include "engine/run.h"
#include "link/packet.h"

/*
 * Maximum number of packets of queue pairs in a VL's queue. A few are enough that it does not run
 * empty between two runs of its senders; more stay with their queue pairs.
 */
#define HCA_VL_QUEUE_PACKETS 16

/* A sender that found no room; its runnable is run again when there is. */
struct hca_blocked_sender {
	struct list_head node;
	struct hca_runnable *runnable;
};

/* All of it is guarded by the port's tx.lock. */
struct hca_vl_queue {
	struct llist_node *first;
	struct llist_node **end; /* where the next packet is linked */
	unsigned int count; /* packets; those of a batch are counted each */
	u64 head_since; /* since when a run has seen the first packet as such, ns; 0: not yet */
	u64 stalled_until; /* end of the time in which packets are discarded, ns; 0: not stalled */
	u32 drops_sent; /* fctbs when the last head was too old: unchanged if none has left since */
	u8 drops; /* consecutive heads of queue that were too old */
	struct list_head blocked; /* of struct hca_blocked_sender */
	const struct hca_blocked_sender *turn; /* the sender run last; only compared with */
};

/* Return: the first packet or batch, or NULL. */
static inline struct hca_packet *hca_vl_queue_first(const struct hca_vl_queue *queue)
{
	return queue->first ? llist_entry(queue->first, struct hca_packet, node) : NULL;
}

/* Initialise an empty queue. */
void hca_vl_queue_init(struct hca_vl_queue *queue);

/* Whether there is room, and no sender blocked before @blocked (NULL: it cannot be blocked). */
bool hca_vl_queue_admits(const struct hca_vl_queue *queue,
			 const struct hca_blocked_sender *blocked);

/* Append a packet of @sender, which may be NULL. */
void hca_vl_queue_push(struct hca_vl_queue *queue, struct hca_packet *pkt,
		       const struct hca_blocked_sender *sender);

/*
 * Gather the payload of all packets that @sender has queued. One of which an MR has gone is lost:
 * it stays, and nobody can read it any more. Return: NULL; or a packet for which there is no
 * memory, removed from the queue: the function is to be called again then.
 */
struct hca_packet *hca_vl_queue_gather(struct hca_vl_queue *queue,
				       const struct hca_blocked_sender *sender);

/* Dequeue the first packet or batch; there is one. */
struct hca_packet *hca_vl_queue_pop(struct hca_vl_queue *queue);

/* Dequeue at most @packets of the first batch; NULL if it cannot be split without memory. */
struct hca_packet *hca_vl_queue_dequeue_some(struct hca_vl_queue *queue, u8 packets);

/* Append a blocked sender. */
void hca_vl_queue_wait(struct hca_vl_queue *queue, struct hca_blocked_sender *blocked);

/*
 * Run the first blocked sender if there is room. One is run at a time, since it may fill the
 * queue. Return: whether others must be run although no packet will leave the queue.
 */
bool hca_vl_queue_wake(struct hca_vl_queue *queue);

#endif
