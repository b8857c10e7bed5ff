/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What stands before a packet in a file: the head of an extensible record (ERF) of type
 * InfiniBand or, of a flow-control packet, InfiniBand link, the form in which Wireshark 4.0 knows
 * such packets. Of what it calls the capture interface, 0 to 3, the lower bit is the direction, 1
 * being out, and the upper one which port it is, if there are two.
 */
#ifndef HCADUMP_ERF_H
#define HCADUMP_ERF_H

#include "packet.h"

#define ERF_OCTETS 16

void erf_pack(const struct packet *packet, u8 *head);

/* Sets length, captured, lost, direction, is_flow and octets; false: it is no such record, or too short. */
bool erf_parse(struct packet *packet, const u8 *record, u32 octets);

#endif
