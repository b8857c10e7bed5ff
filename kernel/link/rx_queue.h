/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The receive queue of a port. */
#ifndef HCA_LINK_RX_QUEUE_H
#define HCA_LINK_RX_QUEUE_H

#include <linux/llist.h>
#include <linux/types.h>
#include "engine/run.h"
#include "link/packet.h"

struct hca_delay;

struct hca_rx {
	struct hca_delay __rcu *delay; /* delay line before the queue; NULL: none. RCU (BH) */
	struct llist_head queue;
	struct llist_node *pending; /* dequeued from queue, in order; run's own */
	u32 copies; /* copies made of the current packet; run's own */
	struct hca_runnable run; /* dequeues, checks, and passes on to the port's owner */
};

/* Put a packet or batch on the receive queue, behind any delay line. Context: BH disabled. */
static inline void hca_rx_enqueue(struct hca_rx *rx, struct hca_packet *pkt)
{
	llist_add(&pkt->node, &rx->queue);
	hca_run_schedule(&rx->run);
}

#endif
