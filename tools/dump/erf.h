/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Packs and parses headers of packets in a file. The format is the extensible record format (ERF),
 * of type InfiniBand or, for a flow-control packet, InfiniBand link. Wireshark 4.0 knows both
 * types. ERF numbers the capture interfaces 0 to 3: the lower bit is the direction (1 is out), and
 * the upper bit is the port, if there are two.
 */
#ifndef HCADUMP_ERF_H
#define HCADUMP_ERF_H

#include "packet.h"

#define ERF_OCTETS 16

void erf_pack(const struct packet *packet, u8 *head);

/*
 * Sets length, captured, lost, direction, interface (0 or 1), is_flow and octets.
 * Return: false if the record is of another type or too short.
 */
bool erf_parse(struct packet *packet, const u8 *record, u32 octets);

#endif
