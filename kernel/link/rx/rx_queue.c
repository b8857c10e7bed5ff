// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The receive queue of a port. */
#include "link/rx/rx_queue.h"
#include <linux/rcupdate.h>
#include "link/port/port.h"

void hca_port_enqueue(struct hca_port *port, struct hca_packet *pkt)
{
	struct hca_rx_delay *delay = rcu_dereference_bh(port->rx.delay);

	if (unlikely(delay) && !(pkt->flags & HCA_PACKET_LOOPBACK))
		delay->enqueue(delay, pkt);
	else
		hca_rx_enqueue(&port->rx, pkt);
}
