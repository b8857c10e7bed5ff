/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Records of packets in files, by the link type of the file: an ERF header, or none. */
#ifndef HCADUMP_RECORD_H
#define HCADUMP_RECORD_H

#include "erf.h"

#define RECORD_MAX_OCTETS (ERF_OCTETS + PACKET_MAX_OCTETS)

struct record {
	u8 octets[RECORD_MAX_OCTETS];
	u32 captured, length;
};

/* @link_type: DLT_ERF or DLT_INFINIBAND of <pcap/dlt.h>. */
void record_pack(struct record *record, int link_type, const struct packet *packet);

/*
 * Sets length, captured and octets of a packet, and what else the link type has.
 * Return: false if the record is of something else than InfiniBand.
 */
bool record_parse(struct packet *packet, int link_type, const u8 *octets, u32 captured,
		  u32 length);

#endif
