// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Waking senders that wait for loopback credit. */
#include "link/wake.h"

void hca_port_wake_loop(struct hca_port *port)
{
	struct hca_blocked_sender *blocked, *next;

	/* The new limit before the flag is read; pairs with consume_loop_credit(). */
	smp_mb();
	if (!READ_ONCE(port->has_blocked_loopback))
		return;
	spin_lock(&port->tx_lock);
	list_for_each_entry_safe(blocked, next, &port->blocked_loopback, node) {
		list_del_init(&blocked->node);
		hca_run_schedule(blocked->runnable);
	}
	WRITE_ONCE(port->has_blocked_loopback, false);
	spin_unlock(&port->tx_lock);
}
