// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The queue of a data VL. */
#include "link/tx/vl_queue.h"
#include <linux/errno.h>
#include "packet/batch.h"
#include "packet/payload.h"

void hca_vl_queue_init(struct hca_vl_queue *queue)
{
	queue->first = NULL;
	queue->end = &queue->first;
	queue->count = 0;
	queue->head_since = 0;
	queue->stalled_until = 0;
	queue->drops_sent = 0;
	queue->drops = 0;
	INIT_LIST_HEAD(&queue->blocked);
	queue->turn = NULL;
}

bool hca_vl_queue_admits(const struct hca_vl_queue *queue, const struct hca_blocked_sender *blocked)
{
	return queue->count < HCA_VL_QUEUE_PACKETS &&
	       (list_empty(&queue->blocked) || (blocked && blocked == queue->turn));
}

void hca_vl_queue_push(struct hca_vl_queue *queue, struct hca_packet *pkt,
		       const struct hca_blocked_sender *sender)
{
	pkt->sender = sender;
	pkt->node.next = NULL;
	*queue->end = &pkt->node;
	queue->end = &pkt->node.next;
	queue->count += pkt->packets;
}

struct hca_packet *hca_vl_queue_gather(struct hca_vl_queue *queue,
				       const struct hca_blocked_sender *sender)
{
	struct llist_node **at;
	int ret;

	for (at = &queue->first; *at; at = &(*at)->next) {
		struct hca_packet *pkt = llist_entry(*at, struct hca_packet, node);

		if (pkt->sender != sender)
			continue;
		ret = hca_packet_gather(pkt);
		/*
		 * An MR of the payload has gone. The packet stays queued. When its receiver reads
		 * the payload, it does not find the MR, and treats the packet as lost.
		 */
		if (ret == -ESTALE)
			hca_packet_invalidate(pkt);
		if (ret != -ENOMEM)
			continue;
		*at = pkt->node.next;
		if (!*at)
			queue->end = at;
		if (at == &queue->first)
			queue->head_since = 0;
		queue->count -= pkt->packets;
		return pkt;
	}
	return NULL;
}

struct hca_packet *hca_vl_queue_pop(struct hca_vl_queue *queue)
{
	struct hca_packet *pkt = hca_vl_queue_first(queue);

	queue->first = pkt->node.next;
	if (!queue->first)
		queue->end = &queue->first;
	queue->count -= pkt->packets;
	queue->head_since = 0;
	return pkt;
}

struct hca_packet *hca_vl_queue_dequeue_some(struct hca_vl_queue *queue, u8 packets)
{
	struct hca_packet *pkt = hca_vl_queue_first(queue);

	if (pkt->packets <= packets)
		return hca_vl_queue_pop(queue);
	pkt = hca_batch_split(pkt, packets);
	if (pkt) {
		queue->count -= packets;
		queue->head_since = 0;
	}
	return pkt;
}

void hca_vl_queue_wait(struct hca_vl_queue *queue, struct hca_blocked_sender *blocked)
{
	if (list_empty(&blocked->node))
		list_add_tail(&blocked->node, &queue->blocked);
	if (queue->turn == blocked)
		queue->turn = NULL;
}

bool hca_vl_queue_wake(struct hca_vl_queue *queue)
{
	struct hca_blocked_sender *blocked;

	if (list_empty(&queue->blocked) || queue->count >= HCA_VL_QUEUE_PACKETS)
		return false;
	blocked = list_first_entry(&queue->blocked, struct hca_blocked_sender, node);
	list_del_init(&blocked->node);
	queue->turn = blocked;
	hca_run_schedule(blocked->runnable);
	return !list_empty(&queue->blocked) && !queue->count;
}
