// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The records of packets in a file. */
#include "record.h"
#include <pcap/dlt.h>
#include <string.h>

static u32 record_limit(const struct packet *packet)
{
	u32 most = packet->is_stream ? STREAM_MAX_OCTETS : PACKET_MAX_OCTETS;

	return packet->captured < most ? packet->captured : most;
}

/* Packs the header of a record. Return: the number of its octets. */
static u32 record_head(const struct packet *packet, int link_type, u8 *head)
{
	if (packet->is_stream)
		return ip_pack(packet, head);
	if (link_type != DLT_ERF)
		return 0;
	erf_pack(packet, head);
	return ERF_OCTETS;
}

void record_pack(struct record *record, int link_type, const struct packet *packet)
{
	u32 head = record_head(packet, link_type, record->octets), captured = record_limit(packet);

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
	case RECORD_LINK_TYPE_RAW:
		if (!ip_parse(packet, octets, captured, length))
			return false;
		break;
	default:
		return false;
	}
	packet->captured = record_limit(packet);
	return true;
}
