/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Waking the sending half of a port when there may be credit again. */
#ifndef HCA_LINK_WAKE_H
#define HCA_LINK_WAKE_H

#include "link/port.h"

/**
 * hca_port_wake() - schedule the sending run if packets are queued
 * @port: the port, which may have credit now, or whose link may have gone
 *
 * Context: BH disabled; any lock may be held; hca_engine_run() follows.
 */
static inline void hca_port_wake(struct hca_port *port)
{
	/*
	 * Publish the new limit or state before reading tx.pending; pairs with hca_run_schedule().
	 */
	smp_mb();
	if (READ_ONCE(port->tx.pending))
		hca_run_schedule(&port->tx.run);
}

#endif
