/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The receive queue of a port, and the delay line in front of the queue. */
#ifndef HCA_LINK_RX_RX_QUEUE_H
#define HCA_LINK_RX_RX_QUEUE_H

#include <linux/llist.h>
#include <linux/types.h>
#include "engine/run.h"
#include "packet/packet.h"

struct hca_port;

/* A delay line for packets that arrive at a port; the physical layer implements it. */
struct hca_rx_delay {
	/* Consumes a packet or batch, and calls hca_rx_enqueue() later. Context: BH disabled. */
	void (*enqueue)(struct hca_rx_delay *delay, struct hca_packet *pkt);
};

/* State of the receive queue of a port. */
struct hca_rx {
	struct hca_rx_delay __rcu *delay; /* delay line in front of queue; NULL: none. RCU (BH) */
	struct llist_head queue;
	struct llist_node *pending; /* packets dequeued from queue, in order; private to run */
	u32 copies; /* number of copies that were made of the current packet; private to run */
	/* Dequeues and checks packets, and passes them to the port's owner. */
	struct hca_runnable run;
};

/**
 * hca_rx_enqueue() - put a packet that has passed any delay line on the receive queue
 * @rx: the receive queue of a port
 * @pkt: the packet or batch; consumed
 *
 * Context: BH disabled; hca_engine_run() must follow.
 */
static inline void hca_rx_enqueue(struct hca_rx *rx, struct hca_packet *pkt)
{
	llist_add(&pkt->node, &rx->queue);
	hca_run_schedule(&rx->run);
}

/**
 * hca_port_enqueue() - put a packet on the receive queue of a port, or into its delay line
 * @port: the receiving port; its rx.run is scheduled when the packet arrives
 * @pkt: the packet or batch; consumed
 *
 * Context: BH disabled; a sender's tx.lock may be held; hca_engine_run() follows.
 */
void hca_port_enqueue(struct hca_port *port, struct hca_packet *pkt);

#endif
