/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The receiving half of a port. */
#ifndef HCA_LINK_RX_H
#define HCA_LINK_RX_H

#include "link/port.h"

/* Receive buffer of a data VL, in blocks of 64 octets: less than half the range of FCCL. */
#define HCA_VL_BUFFER_BLOCKS 2047
/* Receive buffer of VL15, in packets. VL15 has no flow control: the excess is dropped. */
#define HCA_VL15_BUFFER 128

/**
 * hca_port_reject_octets() - count received octets that are no valid packet
 * @port: the receiving port
 * @pkt: the headers as far as they could be parsed, otherwise 0
 * @wire: the octets
 * @octets: length of @wire
 * @err: error of hca_packet_deserialize(); -ENOMEM is not counted
 *
 * Context: BH disabled.
 */
void hca_port_reject_octets(struct hca_port *port, const struct hca_packet *pkt, const u8 *wire,
			    u32 octets, int err);

/**
 * hca_port_admits_smp() - reserve receive buffer for a packet of VL15
 * @port: the receiving port
 * @pkt: the packet, for the tracepoint
 *
 * Context: BH disabled.
 * Return: true; false if the buffer is full, which is counted by VL15Dropped.
 */
bool hca_port_admits_smp(struct hca_port *port, const struct hca_packet *pkt);

/* The port's run: dequeue packets, check them, and pass them to the port's owner. */
bool hca_port_run(struct hca_runnable *r, int *budget);

/* Free what is queued. Context: process; the run is stopped, the port unlinked. */
void hca_port_purge(struct hca_port *port);

/* Put a packet on the receive queue, behind any delay line. Context: BH disabled. */
void hca_port_arrive(struct hca_port *port, struct hca_packet *pkt);

#endif
