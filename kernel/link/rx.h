/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The receiving half of a port. */
#ifndef HCA_LINK_RX_H
#define HCA_LINK_RX_H

#include "link/port.h"

/* Receive buffer of each VL, in blocks of 64 octets: below half of FCCL's range of 12 bits. */
#define HCA_VL_BUFFER_BLOCKS 2047
/* VL15 has no flow control: what a port does not hold it drops. */
#define HCA_VL15_BUFFER 128

/**
 * hca_port_reject_octets() - what has come is no packet
 * @port: where
 * @pkt: what is believed of it: its headers, all 0 for nothing
 * @wire: its octets
 * @octets: how many
 * @err: what hca_packet_deserialize() said: -ENOMEM is not the sender's fault and not counted
 *
 * Context: BH disabled.
 */
void hca_port_reject_octets(struct hca_port *port, const struct hca_packet *pkt, const u8 *wire,
			    u32 octets, int err);

/* Take room for a packet on VL15. Return: false: there is none, and that is counted. */
bool hca_port_admits_smp(struct hca_port *port, const struct hca_packet *pkt);

/* The port's run: take what has arrived, check it, hand it up. */
bool hca_port_run(struct hca_runnable *r, int *budget);

/* Free what is queued. Context: process; the run is stopped, the cable unplugged. */
void hca_port_purge(struct hca_port *port);

/* As hca_port_enqueue(), behind any delay. */
void hca_port_arrive(struct hca_port *port, struct hca_packet *pkt);

#endif
