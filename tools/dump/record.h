/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The records of packets in a file. The file's link type determines whether a record has an ERF
 * header.
 */
#ifndef HCADUMP_RECORD_H
#define HCADUMP_RECORD_H

#include "erf.h"

#define RECORD_MAX_OCTETS (ERF_OCTETS + PACKET_MAX_OCTETS)

struct record {
	u8 octets[RECORD_MAX_OCTETS];
	u32 captured, length;
};

/* Packs a record. @link_type is DLT_ERF or DLT_INFINIBAND of <pcap/dlt.h>. */
void record_pack(struct record *record, int link_type, const struct packet *packet);

/*
 * Sets length, captured and octets of a packet, and the other fields that an ERF header contains.
 * Return: false if the record is not a packet of InfiniBand.
 */
bool record_parse(struct packet *packet, int link_type, const u8 *octets, u32 captured,
		  u32 length);

#endif
