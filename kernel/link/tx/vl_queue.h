/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The queue of a data VL: packets and blocked senders, each in their order. */
#ifndef HCA_LINK_VL_QUEUE_H
#define HCA_LINK_VL_QUEUE_H

#include <linux/list.h>
#include <linux/types.h>
#include "engine/run.h"
#include "link/packet.h"

/*
 * Maximum number of packets of queue pairs in a VL's queue. A few are enough to keep the queue from
 * running empty between two runs of its senders; the others stay with their queue pairs.
 */
#define HCA_VL_QUEUE_PACKETS 16

/* A sender that found the queue full; its runnable is run when the queue has room. */
struct hca_blocked_sender {
	struct list_head node;
	struct hca_runnable *runnable;
};

/* The queue of a data VL, guarded by the port's tx.lock. */
struct hca_vl_queue {
	struct llist_node *first;
	struct llist_node **end; /* end of the list of packets */
	unsigned int count; /* packets; each packet of a batch counts */
	u64 head_since; /* time at which a run found the first packet at the head, ns; 0: not yet */
	u64 stalled_until; /* end of a stall, in which packets are discarded, ns; 0: not stalled */
	/* The fctbs when a head was last too old: a change means that a packet has left since. */
	u32 drops_sent;
	u8 drops; /* consecutive heads of queue that were too old */
	struct list_head blocked; /* list of struct hca_blocked_sender */
	/* The sender run last; only compared, never dereferenced. */
	const struct hca_blocked_sender *turn;
};

/* Return: the first packet or batch, or NULL. */
static inline struct hca_packet *hca_vl_queue_first(const struct hca_vl_queue *queue)
{
	return queue->first ? llist_entry(queue->first, struct hca_packet, node) : NULL;
}

/* Initialize an empty queue. */
void hca_vl_queue_init(struct hca_vl_queue *queue);

/*
 * Whether a packet may be queued: there is room, and other senders are not blocked before @blocked
 * (NULL: a sender that cannot be blocked).
 */
bool hca_vl_queue_admits(const struct hca_vl_queue *queue,
			 const struct hca_blocked_sender *blocked);

/* Append a packet of @sender, which may be NULL. */
void hca_vl_queue_push(struct hca_vl_queue *queue, struct hca_packet *pkt,
		       const struct hca_blocked_sender *sender);

/*
 * Gather the payload of all packets that @sender has queued. A packet with an MR that has gone is
 * lost: it stays queued, but is made unreadable. Return: NULL; or a packet that could not be
 * gathered without memory, removed from the queue, in which case the caller calls again.
 */
struct hca_packet *hca_vl_queue_gather(struct hca_vl_queue *queue,
				       const struct hca_blocked_sender *sender);

/* Dequeue the first packet or batch of a queue that is not empty. */
struct hca_packet *hca_vl_queue_pop(struct hca_vl_queue *queue);

/* Dequeue at most @packets of the first batch; NULL if it cannot be split without memory. */
struct hca_packet *hca_vl_queue_dequeue_some(struct hca_vl_queue *queue, u8 packets);

/* Append a blocked sender. */
void hca_vl_queue_wait(struct hca_vl_queue *queue, struct hca_blocked_sender *blocked);

/*
 * Run the first blocked sender if there is room. Only one is run at a time, since it may fill the
 * queue. Return: whether others must be run although the queue is empty.
 */
bool hca_vl_queue_wake(struct hca_vl_queue *queue);

#endif
