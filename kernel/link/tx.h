/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The sending half of a port. */
#ifndef HCA_LINK_TX_H
#define HCA_LINK_TX_H

#include "link/discard.h"
#include "link/port.h"
#include "link/wake.h"

/* The sending run: sends what is queued, as far as there is credit. */
bool hca_port_tx_run(struct hca_runnable *r, int *budget);

/* Discard what is queued. Context: process; the run is stopped. */
void hca_port_tx_purge(struct hca_port *port);

#endif
