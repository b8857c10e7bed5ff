/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Discards and rejections: packets that end at a port with a reason. */
#ifndef HCA_LINK_DISCARD_H
#define HCA_LINK_DISCARD_H

#include "trace/drop.h"
#include "link/port.h"

/**
 * hca_port_discard() - discard a packet that was to be sent, and count it
 * @port: the port
 * @pkt: the packet; consumed
 * @reason: reason of the discard, which determines the counter
 *
 * Context: BH disabled.
 * Return: true: the packet has been consumed.
 */
bool hca_port_discard(struct hca_port *port, struct hca_packet *pkt, enum hca_drop_reason reason);

/**
 * hca_port_reject_octets() - count received octets that are not a valid packet
 * @port: the receiving port
 * @pkt: the headers as far as they could be parsed, the others 0
 * @wire: the octets
 * @octets: length of @wire
 * @err: error of hca_packet_deserialize(); -ENOMEM is not counted
 *
 * Context: BH disabled.
 */
void hca_port_reject_octets(struct hca_port *port, const struct hca_packet *pkt, const u8 *wire,
			    u32 octets, int err);

/* Free a received packet that a packet check has refused, and count it. Context: the port's run. */
void hca_port_refuse(struct hca_port *port, struct hca_packet *pkt, enum hca_drop_reason reason);

#endif
