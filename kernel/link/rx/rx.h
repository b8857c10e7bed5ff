/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The receiving half of a port. */
#ifndef HCA_LINK_RX_RX_H
#define HCA_LINK_RX_RX_H

#include "link/rx/rx_queue.h"

/* The function of rx.run: it dequeues and checks packets, and calls the port's operations. */
bool hca_rx_run(struct hca_runnable *r, int *budget);

/* Initialize the receiving half of a port. Context: process. */
void hca_rx_init(struct hca_port *port);

/* Free queued packets. Context: process; rx.run is stopped, the port unlinked. */
void hca_rx_purge(struct hca_port *port);

#endif
