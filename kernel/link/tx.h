/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The sending half of a port. */
#ifndef HCA_LINK_TX_H
#define HCA_LINK_TX_H

#include "link/port.h"
#include "trace/drop.h"

/*
 * Credit may have come, or the link may have gone: have what is queued sent, or dropped.
 * Context: BH disabled; any lock may be held.
 */
void hca_port_wake(struct hca_port *port);

/* The same for the way to one's own LID. Context: BH disabled. */
void hca_port_wake_loop(struct hca_port *port);

/* Drop a packet that was to be sent, and count it. Return: true, it is taken. */
bool hca_port_discard(struct hca_port *port, struct hca_packet *pkt, enum hca_drop_reason reason);

/* The port's other run: send what is queued, as far as credits go. */
bool hca_port_tx_run(struct hca_runnable *r, int *budget);

/* Drop what is queued. Context: process; the run is stopped. */
void hca_port_tx_purge(struct hca_port *port);

#endif
