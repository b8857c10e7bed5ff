// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Dissects and checks captured packets. */
#include "packet.h"
#include <errno.h>
#include <string.h>
#include "compat.h"
#include "wire/crc.h"
#include "wire/opcode.h"

#define MAD_HEADER_BYTES 24

static bool is_raw(u8 lnh)
{
	return lnh < IB_LNH_IBA_LOCAL;
}

static u32 trailer_bytes(const struct packet *packet)
{
	return packet->is_raw ? HCA_VCRC_BYTES :
	       packet->h.bth.padcnt + HCA_ICRC_BYTES + HCA_VCRC_BYTES;
}

/* Finds the MAD of a packet to or from QP0 or QP1 (C4-183, C4-283). */
static void find_mad(struct packet *packet)
{
	const struct hca_headers *h = &packet->h;

	if (packet->is_raw || h->bth.opcode != HCA_OPCODE(UD, SEND_ONLY) ||
	    packet->payload_bytes < MAD_HEADER_BYTES ||
	    packet->captured < packet->header_bytes + MAD_HEADER_BYTES)
		return;
	if (h->bth.destqp > 1 && h->deth.srcqp > 1)
		return;
	packet->is_smp = !h->bth.destqp;
	packet->mad = packet->octets + packet->header_bytes;
}

void packet_decode(struct packet *packet)
{
	int bytes;

	/* The lengths in a file may be wrong. */
	if (packet->captured > packet->length)
		packet->captured = packet->length;
	if (packet->is_stream) {
		fpdu_decode(packet);
		return;
	}
	if (packet->is_flow) {
		packet->has_flow = !hca_flow_parse(&packet->flow, packet->octets, packet->captured);
		return;
	}
	if (packet->captured < HCA_LRH_BYTES || packet->length < HCA_LRH_BYTES + HCA_VCRC_BYTES)
		return;
	hca_lrh_parse(&packet->h.lrh, packet->octets);
	packet->has_lrh = true;
	packet->is_raw = is_raw(packet->h.lrh.lnh);
	bytes = hca_headers_parse(&packet->h, packet->octets, packet->captured);
	if (bytes < 0 || packet->length < bytes + trailer_bytes(packet))
		return;
	packet->has_headers = true;
	packet->header_bytes = bytes;
	packet->payload_bytes = packet->length - bytes - trailer_bytes(packet);
	find_mad(packet);
}

static const char *flow_fault(const struct packet *packet)
{
	struct hca_flow flow;

	switch (hca_flow_parse(&flow, packet->octets, packet->length)) {
	case 0:
		return NULL;
	case -EBADMSG:
		return "LPCRC wrong";
	default:
		return "no such operand, or length wrong";
	}
}

const char *packet_fault(const struct packet *packet, bool *cut)
{
	u32 length = packet->length - HCA_VCRC_BYTES;
	const u8 *octets = packet->octets;

	if (packet->is_stream)
		return fpdu_fault(packet, cut);
	*cut = packet->captured < packet->length;
	if (*cut)
		return NULL;
	if (packet->is_flow)
		return flow_fault(packet);
	if (!packet->has_lrh)
		return "too short";
	if (hca_vcrc(octets, length) != get_unaligned_le16(octets + length))
		return "VCRC wrong";
	if (packet->h.lrh.pktlen * 4 != length)
		return "length wrong";
	if (!packet->has_headers)
		return "no such opcode, or too short for it";
	if (packet->is_raw)
		return NULL;
	length -= HCA_ICRC_BYTES;
	if (hca_icrc(octets, length) != get_unaligned_le32(octets + length))
		return "ICRC wrong";
	return NULL;
}

const char *packet_name(const struct packet *packet)
{
	if (packet->is_stream)
		return fpdu_name(packet);
	if (packet->has_flow)
		return packet->flow.op == HCA_FLOW_INIT ? "flow control init" : "flow control";
	if (!packet->has_headers)
		return "not understood";
	if (packet->is_raw)
		return packet->h.lrh.lnh == IB_LNH_IP ? "raw IPv6" : "raw EtherType";
	return hca_opcodes[packet->h.bth.opcode].name;
}
