/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The receiving half of a port. */
#ifndef HCA_LINK_RX_H
#define HCA_LINK_RX_H

#include "link/port.h"

/* Receive buffer of each VL, in blocks of 64 octets: below half of FCCL's range of 12 bits. */
#define HCA_VL_BUFFER_BLOCKS 2047
/* VL15 has no flow control: what a port does not hold it drops. */
#define HCA_VL15_BUFFER 128

/* The port's run: take what has arrived, check it, hand it up. */
bool hca_port_run(struct hca_runnable *r);

/* Free what is queued. Context: process; the run is stopped, the cable unplugged. */
void hca_port_purge(struct hca_port *port);

/* As hca_port_enqueue(), behind any delay. */
void hca_port_arrive(struct hca_port *port, struct hca_packet *pkt);

#endif
