/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Parses and prints GUIDs, and derives one when none is given. Bits 63 to 56 are the first octet of
 * the EUI-64.
 */
#ifndef HCACTL_GUID_H
#define HCACTL_GUID_H

#include <stdbool.h>
#include <stdint.h>

#define GUID_GROUP_BIT (1ULL << 56) /* a group address */
#define GUID_LOCAL_BIT (1ULL << 57) /* locally administered */

/*
 * A channel adapter's port GUIDs are node GUID + 1 to + 15, so these bits of the node GUID are 0.
 */
#define GUID_PORTS_MASK 0xfULL

/* GUID bits that are 0 for a node of up to 254 ports. */
#define GUID_MANY_PORTS_MASK 0xffULL

#define GUID_FORMS "0x0200000000000010, 0200:0000:0000:0010 or 02:00:00:00:00:00:00:10"
/* The same in the help of a command, where a line has no room for all. */
#define GUID_FORMS_HELP \
	"0x0200000000000010, 0200:0000:0000:0010 or\n" \
	"               02:00:00:00:00:00:00:10"

/*
 * Parses any of GUID_FORMS; leading zeros may be omitted after 0x. The kernel checks whether the
 * GUID can be used.
 */
bool guid_parse(const char *text, uint64_t *guid);

/*
 * Derives a GUID from the machine, node and name. Equal arguments have equal results; different
 * ones differ but for a collision of 58 bits. @node_seed may be empty.
 */
uint64_t guid_derive(const char *machine_id, const char *node_seed, const char *name);

/*
 * Makes a node GUID from any 64 bits: locally administered, not a group address, with low bits 0
 * for the ports, and never 0.
 */
uint64_t guid_from_bits(uint64_t bits);

#endif
