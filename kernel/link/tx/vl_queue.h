/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The queue of a data VL: a list of packets and a list of blocked senders, first in, first out. */
#ifndef HCA_LINK_TX_VL_QUEUE_H
#define HCA_LINK_TX_VL_QUEUE_H

#include <linux/list.h>
#include <linux/types.h>
#include "engine/run.h"
#include "packet/packet.h"

/*
 * Maximum number of packets of queue pairs in a VL's queue. This suffices to keep the queue from
 * running empty before a queue pair runs again; further packets stay with their queue pairs.
 */
#define HCA_VL_QUEUE_PACKETS 16

/* A sender that found a VL's queue full; @runnable is scheduled when the queue has room. */
struct hca_blocked_sender {
	struct list_head node;
	struct hca_runnable *runnable;
};

/* The queue of a data VL, guarded by the port's tx.lock. */
struct hca_vl_queue {
	struct llist_node *first;
	struct llist_node **end; /* next pointer of the last packet; &first if there is none */
	unsigned int count; /* packets; each packet of a batch counts */
	u64 head_since; /* time when tx.run found @first at the head, ns; 0: not found yet */
	u64 stalled_until; /* end of a stall, in which packets are discarded, ns; 0: not stalled */
	/*
	 * The VL's tx.fctbs when HOQLife last discarded a packet. If tx.fctbs has changed, a packet
	 * has been sent after that discard.
	 */
	u32 drops_sent;
	u8 drops; /* number of packets that HOQLife discarded while no packet was sent */
	struct list_head blocked; /* list of struct hca_blocked_sender */
	/* The blocked sender that was scheduled last; only compared, never dereferenced. */
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
 * Return whether a packet of the sender @blocked (NULL: a sender that cannot be blocked) may be
 * queued. There must be room, and either no sender is blocked, or @blocked was scheduled last
 * (turn).
 */
bool hca_vl_queue_admits(const struct hca_vl_queue *queue,
			 const struct hca_blocked_sender *blocked);

/* Append a packet of @sender, which may be NULL. */
void hca_vl_queue_push(struct hca_vl_queue *queue, struct hca_packet *pkt,
		       const struct hca_blocked_sender *sender);

/*
 * Gather the payload of all packets that @sender has queued. A packet whose MR has gone is lost: it
 * stays queued, but is made unreadable. Return: NULL if all packets have been processed; otherwise
 * a packet that was removed from the queue, because there was no memory to gather its payload. The
 * caller must then call again.
 */
struct hca_packet *hca_vl_queue_gather(struct hca_vl_queue *queue,
				       const struct hca_blocked_sender *sender);

/* Dequeue the first packet or batch of a queue that is not empty. */
struct hca_packet *hca_vl_queue_pop(struct hca_vl_queue *queue);

/* Dequeue at most @packets of the first batch. Return: NULL if memory is short for a split. */
struct hca_packet *hca_vl_queue_dequeue_some(struct hca_vl_queue *queue, u8 packets);

/* Append a blocked sender. */
void hca_vl_queue_wait(struct hca_vl_queue *queue, struct hca_blocked_sender *blocked);

/*
 * Schedule the first blocked sender if there is room. Only one is scheduled at a time, since one
 * may fill the queue. Return: true if the caller must call again, because the queue is empty and
 * other senders are blocked.
 */
bool hca_vl_queue_wake(struct hca_vl_queue *queue);

#endif
