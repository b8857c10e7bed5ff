/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Parses GUIDs, and derives GUIDs from names. Bits 63 to 56 of a GUID are the first octet of the
 * EUI-64.
 */
#ifndef HCACTL_GUID_H
#define HCACTL_GUID_H

#include <stdbool.h>
#include <stdint.h>

#define GUID_GROUP_BIT (1ULL << 56) /* group bit of the EUI-64 */
#define GUID_LOCAL_BIT (1ULL << 57) /* universal/local bit of the EUI-64; 1: locally administered */

/*
 * Bits that are 0 in the node GUID of a channel adapter. The GUIDs of its ports are node GUID + 1
 * to node GUID + 15.
 */
#define GUID_PORTS_MASK 0xfULL

/* Bits that are 0 in a node GUID if the node may have up to 254 ports */
#define GUID_MANY_PORTS_MASK 0xffULL

#define GUID_FORMS "0x0200000000000010, 0200:0000:0000:0010 or 02:00:00:00:00:00:00:10"
/* The text of GUID_FORMS in two lines, for the help of a command */
#define GUID_FORMS_HELP \
	"0x0200000000000010, 0200:0000:0000:0010 or\n" \
	"               02:00:00:00:00:00:00:10"

/*
 * Parses a GUID in one of the forms of GUID_FORMS. Leading zeros may be omitted after 0x. The
 * kernel checks whether the GUID can be used. Return: whether the syntax is right.
 */
bool guid_parse(const char *text, uint64_t *guid);

/*
 * Derives a GUID from the ID of the machine, a seed and the name of a device. Equal arguments give
 * equal GUIDs. Different arguments give different GUIDs, except for collisions of a 58-bit hash.
 * @node_seed may be empty.
 */
uint64_t guid_derive(const char *machine_id, const char *node_seed, const char *name);

/*
 * Makes a node GUID from any 64 bits. The GUID is locally administered, is not a group address, and
 * is never 0. Its low bits are 0, which leaves room for the GUIDs of ports.
 */
uint64_t guid_from_bits(uint64_t bits);

#endif
