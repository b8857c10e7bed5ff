/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The records of packets in a file. The link type determines whether a record has an ERF header, or
 * the headers of IP and TCP.
 */
#ifndef HCADUMP_RECORD_H
#define HCADUMP_RECORD_H

#include "erf.h"
#include "ip.h"

#define RECORD_MAX_OCTETS (IP_HEAD_OCTETS + STREAM_MAX_OCTETS)

/* The link type of IP packets in files. In memory, DLT_RAW has another value on each system. */
#define RECORD_LINK_TYPE_RAW 101

struct record {
	u8 octets[RECORD_MAX_OCTETS];
	u32 captured, length;
};

/*
 * Packs a record. @link_type is DLT_ERF or DLT_INFINIBAND of <pcap/dlt.h>, or, of a start-up frame
 * or an FPDU, RECORD_LINK_TYPE_RAW.
 */
void record_pack(struct record *record, int link_type, const struct packet *packet);

/*
 * Sets length, captured and octets of a packet, and the other fields that an ERF header, or the
 * headers of IP and TCP, contain. Return: false if the record is neither a packet of
 * InfiniBand nor a TCP segment.
 */
bool record_parse(struct packet *packet, int link_type, const u8 *octets, u32 captured,
		  u32 length);

#endif
