/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The sending half of a port. */
#ifndef HCA_LINK_TX_H
#define HCA_LINK_TX_H

#include "link/port.h"

/* Credit may have come: run whoever waits. Context: BH disabled. */
void hca_port_wake(struct hca_port *port);

#endif
