/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The receiving half of a port. */
#ifndef HCA_LINK_RX_H
#define HCA_LINK_RX_H

#include "link/rx_queue.h"

struct hca_port;

/* The receiving run, the function of rx.run. */
bool hca_rx_run(struct hca_runnable *r, int *budget);

/* Initialize the receiving half of a port. Context: process. */
void hca_rx_init(struct hca_port *port);

/* Free queued packets. Context: process; the run is stopped, the port unlinked. */
void hca_rx_purge(struct hca_port *port);

#endif
