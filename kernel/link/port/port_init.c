// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Initialization and destruction of a port. */
#include "link/port/port_init.h"

int hca_port_init(struct hca_port *port, u8 num, const struct hca_port_ops *ops, __be64 guid)
{
	int ret;

	ret = hca_counters_init(&port->counters);
	if (ret)
		return ret;
	port->num = num;
	port->ops = ops;
	spin_lock_init(&port->lock);
	hca_port_init_attributes(port, guid);
	hca_tx_init(port);
	hca_loopback_init(&port->loopback);
	hca_rx_init(port);
	hca_rx_buffer_init(port);
	hca_flow_init(port);
	hca_link_events_init(port, hca_link_run, hca_link_timer_expired);
	return 0;
}

void hca_port_destroy(struct hca_port *port)
{
	if (!port->counters.cpu)
		return;
	hca_flow_destroy(port);
	hca_rx_buffer_stop(port);
	hca_run_stop(&port->rx.run);
	hca_link_events_stop(port);
	hca_tx_stop(port);
	hca_rx_purge(port);
	hca_tx_purge(port);
	hca_counters_destroy(&port->counters);
}
