/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Parses GUIDs, and derives a GUID from a name if none is given. Bits 63 to 56 are the first octet
 * of the EUI-64.
 */
#ifndef HCACTL_GUID_H
#define HCACTL_GUID_H

#include <stdbool.h>
#include <stdint.h>

#define GUID_GROUP_BIT (1ULL << 56) /* group bit of the EUI-64 */
#define GUID_LOCAL_BIT (1ULL << 57) /* universal/local bit of the EUI-64: locally administered */

/*
 * The bits of a channel adapter's node GUID that are 0, because its port GUIDs are node GUID + 1 to
 * + 15.
 */
#define GUID_PORTS_MASK 0xfULL

/* The bits of a node GUID that are 0 if the node has up to 254 ports. */
#define GUID_MANY_PORTS_MASK 0xffULL

#define GUID_FORMS "0x0200000000000010, 0200:0000:0000:0010 or 02:00:00:00:00:00:00:10"
/* GUID_FORMS in two lines, for the help of a command. */
#define GUID_FORMS_HELP \
	"0x0200000000000010, 0200:0000:0000:0010 or\n" \
	"               02:00:00:00:00:00:00:10"

/*
 * Parses any of GUID_FORMS; leading zeros may be omitted after 0x. The kernel checks whether the
 * GUID can be used.
 */
bool guid_parse(const char *text, uint64_t *guid);

/*
 * Derives a GUID from the machine, node and name. Equal arguments give equal results. Different
 * arguments give different ones, except for collisions of a hash of 58 bits. @node_seed may be
 * empty.
 */
uint64_t guid_derive(const char *machine_id, const char *node_seed, const char *name);

/*
 * Makes a node GUID from any 64 bits: locally administered, not a group address, with low bits 0
 * for the ports, and never 0.
 */
uint64_t guid_from_bits(uint64_t bits);

#endif
