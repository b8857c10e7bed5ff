/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Functions that discard or reject a packet at a port, and count it by the reason. */
#ifndef HCA_LINK_PORT_DISCARD_H
#define HCA_LINK_PORT_DISCARD_H

#include "link/port/port.h"
#include "trace/drop.h"

/**
 * hca_port_discard() - discard a packet instead of sending it, and count the discard
 * @port: the port that does not send the packet
 * @pkt: the packet; consumed
 * @reason: reason of the discard, which determines the counter
 *
 * Context: BH disabled.
 */
void hca_port_discard(struct hca_port *port, struct hca_packet *pkt, enum hca_drop_reason reason);

/**
 * hca_port_reject_octets() - count received octets that are not a valid packet
 * @port: the receiving port
 * @pkt: a packet with the headers that could be parsed; its other headers are 0
 * @wire: the octets
 * @octets: length of @wire
 * @err: error of hca_packet_deserialize(); -ENOMEM is not counted
 *
 * Context: BH disabled.
 */
void hca_port_reject_octets(struct hca_port *port, const struct hca_packet *pkt, const u8 *wire,
			    u32 octets, int err);

/* Free a received packet that a packet check has refused, and count it. Context: hca_rx_run(). */
void hca_port_refuse(struct hca_port *port, struct hca_packet *pkt, enum hca_drop_reason reason);

#endif
