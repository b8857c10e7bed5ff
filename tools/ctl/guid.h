/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * GUIDs: how they are written, and what one is made of when none is given.
 * Bits 63 to 56 are the first octet of the EUI-64.
 */
#ifndef HCACTL_GUID_H
#define HCACTL_GUID_H

#include <stdbool.h>
#include <stdint.h>

#define GUID_GROUP_BIT (1ULL << 56) /* not one interface but a group */
#define GUID_LOCAL_BIT (1ULL << 57) /* given by an administrator, not by IEEE */

/* Below a node's GUID there is room for those of its ports, GUID + 1 to GUID + 15. */
#define GUID_PORTS_MASK 0xfULL

/* The same for nodes of up to 254 ports. */
#define GUID_MANY_PORTS_MASK 0xffULL

#define GUID_FORMS "0x0200000000000010, 0200:0000:0000:0010 or 02:00:00:00:00:00:00:10"

/*
 * Any of GUID_FORMS; behind 0x, zeros in front may be left out.
 * Whether it may be used is for the kernel to say.
 */
bool guid_parse(const char *text, uint64_t *guid);

/*
 * The same GUID for the same machine, node and name, always; another one for others,
 * with the certainty that 58 bits give. @node_seed may be empty.
 */
uint64_t guid_derive(const char *machine_id, const char *node_seed, const char *name);

/* Make a GUID for a node of any 64 bits: local, not a group's, with room for ports; never 0. */
uint64_t guid_from_bits(uint64_t bits);

#endif
