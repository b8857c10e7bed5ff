/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Packs and parses headers in the extensible record format (ERF), which precede packets in a file.
 * Their type is InfiniBand or, for flow-control packets, InfiniBand link. Wireshark 4.0 knows both
 * types. The ERF interface number has two bits. The lower bit is the direction: 1 for sent packets.
 * The upper bit is the port: 1 for the second of two ports.
 */
#ifndef HCADUMP_ERF_H
#define HCADUMP_ERF_H

#include "packet.h"

#define ERF_OCTETS 16

void erf_pack(const struct packet *packet, u8 *head);

/*
 * Sets the fields length, captured, lost, direction, interface (0 or 1), is_flow and octets of a
 * packet. Return: false if the record is of another type or too short.
 */
bool erf_parse(struct packet *packet, const u8 *record, u32 octets);

#endif
