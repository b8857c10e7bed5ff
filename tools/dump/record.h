/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Records of packets in files. The file's link type says whether a record has an ERF header. */
#ifndef HCADUMP_RECORD_H
#define HCADUMP_RECORD_H

#include "erf.h"

#define RECORD_MAX_OCTETS (ERF_OCTETS + PACKET_MAX_OCTETS)

struct record {
	u8 octets[RECORD_MAX_OCTETS];
	u32 captured, length;
};

/* Packs a record. @link_type: DLT_ERF or DLT_INFINIBAND of <pcap/dlt.h>. */
void record_pack(struct record *record, int link_type, const struct packet *packet);

/*
 * Sets length, captured and octets of a packet, and further fields that the link type has.
 * Return: false if the record is not one of an InfiniBand packet.
 */
bool record_parse(struct packet *packet, int link_type, const u8 *octets, u32 captured,
		  u32 length);

#endif
