/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The sending half of a port. */
#ifndef HCA_LINK_TX_H
#define HCA_LINK_TX_H

#include "link/port.h"
#include "trace/drop.h"

/**
 * hca_port_wake() - schedule the sending run if something is queued
 * @port: the port, which may have credit now, or whose link may have gone
 *
 * Context: BH disabled; any lock may be held; hca_engine_run() follows.
 */
void hca_port_wake(struct hca_port *port);

/* Run senders that wait for loopback credit. Context: BH disabled; tx_lock not held. */
void hca_port_wake_loop(struct hca_port *port);

/**
 * hca_port_discard() - discard a packet that was to be sent, and count it
 * @port: the port
 * @pkt: the packet; consumed
 * @reason: why; the counter follows from it
 *
 * Context: BH disabled.
 * Return: true, the packet has been consumed.
 */
bool hca_port_discard(struct hca_port *port, struct hca_packet *pkt, enum hca_drop_reason reason);

/* The sending run: sends what is queued, as far as there is credit. */
bool hca_port_tx_run(struct hca_runnable *r, int *budget);

/* Discard what is queued. Context: process; the run is stopped. */
void hca_port_tx_purge(struct hca_port *port);

#endif
