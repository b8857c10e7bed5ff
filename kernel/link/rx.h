/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The receiving half of a port. */
#ifndef HCA_LINK_RX_H
#define HCA_LINK_RX_H

#include "link/port.h"
#include "link/rx_buffer.h"

/* The port's run: dequeue packets, check them, and pass them to the port's owner. */
bool hca_port_run(struct hca_runnable *r, int *budget);

/* Free what is queued. Context: process; the run is stopped, the port unlinked. */
void hca_port_purge(struct hca_port *port);

#endif
