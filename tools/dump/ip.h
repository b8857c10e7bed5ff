/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * IP packets with TCP segments, as which files have the octets of RNICs. They are made from the
 * place of the octets in their connection, so that programs which know TCP can read them. A
 * connection begins with the sequence number 1 in both directions.
 */
#ifndef HCADUMP_IP_H
#define HCADUMP_IP_H

#include <stdbool.h>
#include "packet.h"

/* The largest number of octets of the headers */
#define IP_HEAD_OCTETS 60

/* Packs the headers that precede the octets of a packet. Return: the number of their octets. */
u32 ip_pack(const struct packet *packet, u8 *head);

/*
 * Sets the octets and the lengths of a packet, and the addresses, the ports and the lower 32 bits
 * of the offset in its field @stream, from an IP packet of which @captured of @length octets are
 * there. The local end is the sender until ip_received() is called. Return: false if this is not a
 * TCP segment.
 */
bool ip_parse(struct packet *packet, const u8 *octets, u32 captured, u32 length);

/* Makes the local end of a packet the receiver. */
void ip_received(struct packet *packet);

/* Size of a note, with the 0 at its end */
#define IP_NOTE_OCTETS 96

/*
 * Writes a note of what the headers do not have: the queue pair, the place in the connection, and
 * the use of CRCs and markers. Return: @text, a buffer of IP_NOTE_OCTETS octets.
 */
const char *ip_note(const struct packet *packet, char *text);

/* Sets what a note of @octets octets says. Return: false if ip_note() does not write such notes. */
bool ip_parse_note(struct packet *packet, const u8 *note, u32 octets);

#endif
