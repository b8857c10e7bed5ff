/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The receive queue of a port. */
#ifndef HCA_LINK_RX_QUEUE_H
#define HCA_LINK_RX_QUEUE_H

#include <linux/llist.h>
#include <linux/types.h>
#include "engine/run.h"
#include "link/packet.h"

struct hca_delay;

/* State of the receive queue of a port. */
struct hca_rx {
	struct hca_delay __rcu *delay; /* delay line before the queue; NULL: none. RCU (BH) */
	struct llist_head queue;
	struct llist_node *pending; /* packets dequeued from queue, in order; private to run */
	u32 copies; /* copies made of the current packet; private to run */
	/* Dequeues and checks packets, and passes them to the port's owner. */
	struct hca_runnable run;
};

/* Put a packet or batch on the receive queue, after any delay line. Context: BH disabled. */
static inline void hca_rx_enqueue(struct hca_rx *rx, struct hca_packet *pkt)
{
	llist_add(&pkt->node, &rx->queue);
	hca_run_schedule(&rx->run);
}

#endif
