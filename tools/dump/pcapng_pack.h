/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Packs the blocks of a pcapng file. Times are in ns. */
#ifndef HCADUMP_PCAPNG_PACK_H
#define HCADUMP_PCAPNG_PACK_H

#include "packet.h"

/* Octets of the largest block: a packet in a record, and what surrounds it. */
#define PCAPNG_BLOCK_OCTETS (PACKET_MAX_OCTETS + 256)

/* Each packs one block at @to, which has PCAPNG_BLOCK_OCTETS octets. Return: its octets. */
size_t pcapng_pack_section(u8 *to, const char *application);
size_t pcapng_pack_interface(u8 *to, u16 link_type, const char *name);

/* @record: the packet's octets in the form that the interface's link type demands. */
size_t pcapng_pack_packet(u8 *to, const struct packet *packet, u32 interface, const u8 *record,
			  u32 captured, u32 length);

/* Statistics of an interface, of which there is only their time: that of the capture's end. */
size_t pcapng_pack_statistics(u8 *to, u32 interface, u64 time_ns);

#endif
