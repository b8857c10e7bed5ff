// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The records of packets in a file. */
#include "record.h"
#include <pcap/dlt.h>
#include <string.h>

static u32 record_limit(u32 octets)
{
	return octets < PACKET_MAX_OCTETS ? octets : PACKET_MAX_OCTETS;
}

void record_pack(struct record *record, int link_type, const struct packet *packet)
{
	u32 head = link_type == DLT_ERF ? ERF_OCTETS : 0, captured = record_limit(packet->captured);

	if (head)
		erf_pack(packet, record->octets);
	memcpy(record->octets + head, packet->octets, captured);
	record->captured = head + captured;
	record->length = head + packet->length;
}

bool record_parse(struct packet *packet, int link_type, const u8 *octets, u32 captured,
		  u32 length)
{
	switch (link_type) {
	case DLT_ERF:
		if (!erf_parse(packet, octets, captured))
			return false;
		break;
	case DLT_INFINIBAND:
		packet->octets = octets;
		packet->captured = captured;
		packet->length = length;
		break;
	default:
		return false;
	}
	packet->captured = record_limit(packet->captured);
	return true;
}
