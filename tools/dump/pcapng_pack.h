/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Packs the blocks of a pcapng file. Times are in ns. */
#ifndef HCADUMP_PCAPNG_PACK_H
#define HCADUMP_PCAPNG_PACK_H

#include "record.h"

/* Size in octets of the largest block, which contains a packet of the largest size. */
#define PCAPNG_BLOCK_OCTETS (RECORD_MAX_OCTETS + 512)

/*
 * Functions that pack one block into @to, a buffer of PCAPNG_BLOCK_OCTETS octets. Return: the
 * number of octets of the block.
 */
size_t pcapng_pack_section(u8 *to, const char *application);
size_t pcapng_pack_interface(u8 *to, u16 link_type, const char *name);

/*
 * Packs a packet. @record contains the packet's octets in the format of the interface's link type.
 */
size_t pcapng_pack_packet(u8 *to, const struct packet *packet, u32 interface, const u8 *record,
			  u32 captured, u32 length);

/*
 * Packs the statistics of an interface, which only contain @time_ns, the time of the capture's end.
 */
size_t pcapng_pack_statistics(u8 *to, u32 interface, u64 time_ns);

#endif
