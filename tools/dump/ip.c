// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Packs and parses IP packets with TCP segments. */
#include "ip.h"
#include <stdio.h>
#include <string.h>
#include "compat.h"
#include "tools/lib/append.h"

#define V4_OCTETS 20
#define V6_OCTETS 40
#define TCP_OCTETS 20
#define MAX_IP_OCTETS 65535

#define PROTOCOL_TCP 6
#define HOPS 64
#define DO_NOT_FRAGMENT 0x4000
#define FRAGMENT 0x3fff /* flags and offset of a packet that is a part of another one */

#define TCP_ACK_PUSH 0x18
#define WINDOW 65535
#define FIRST_SEQUENCE 1

/* Addresses and ports in the order of the headers */
struct ends {
	const u8 *source, *destination;
	u16 source_port, destination_port;
};

static struct ends ends_of(const struct packet *packet)
{
	const struct hca_tap_stream *stream = &packet->stream;

	if (packet->direction == HCA_TAP_IN)
		return (struct ends){ stream->remote, stream->local,
				      stream->remote_port, stream->local_port };
	return (struct ends){ stream->local, stream->remote,
			      stream->local_port, stream->remote_port };
}

/* --- checksums ---------------------------------------------------------------------------- */

static u32 sum_octets(u32 sum, const u8 *octets, u32 count)
{
	u32 i;

	for (i = 0; i + 1 < count; i += 2)
		sum += octets[i] << 8 | octets[i + 1];
	return i < count ? sum + (octets[i] << 8) : sum;
}

static u16 fold_sum(u32 sum)
{
	sum = (sum & 0xffff) + (sum >> 16);
	sum = (sum & 0xffff) + (sum >> 16);
	return ~sum;
}

/* The sum over a packet of 65535 octets has less than 32 bits. */
static u16 tcp_checksum(const struct packet *packet, const struct ends *ends, u32 address_octets,
			const u8 *tcp)
{
	u32 length = TCP_OCTETS + packet->length, sum = PROTOCOL_TCP;

	sum += (length & 0xffff) + (length >> 16);
	sum = sum_octets(sum, ends->source, address_octets);
	sum = sum_octets(sum, ends->destination, address_octets);
	sum = sum_octets(sum, tcp, TCP_OCTETS);
	return fold_sum(sum_octets(sum, packet->octets, packet->length));
}

/* --- headers ------------------------------------------------------------------------------ */

/* Octets of a packet in its header. A packet that is longer than any has 0 there, as for TSO. */
static u16 length_field(u32 octets)
{
	return octets <= MAX_IP_OCTETS ? octets : 0;
}

static void pack_v4(const struct packet *packet, const struct ends *ends, u8 *head)
{
	head[0] = 0x45;
	put_unaligned_be16(length_field(V4_OCTETS + TCP_OCTETS + packet->length), head + 2);
	put_unaligned_be16(DO_NOT_FRAGMENT, head + 6);
	head[8] = HOPS;
	head[9] = PROTOCOL_TCP;
	memcpy(head + 12, ends->source, 4);
	memcpy(head + 16, ends->destination, 4);
	put_unaligned_be16(fold_sum(sum_octets(0, head, V4_OCTETS)), head + 10);
}

static void pack_v6(const struct packet *packet, const struct ends *ends, u8 *head)
{
	head[0] = 0x60;
	put_unaligned_be16(length_field(TCP_OCTETS + packet->length), head + 4);
	head[6] = PROTOCOL_TCP;
	head[7] = HOPS;
	memcpy(head + 8, ends->source, 16);
	memcpy(head + 24, ends->destination, 16);
}

static void pack_tcp(const struct packet *packet, const struct ends *ends, u8 *tcp)
{
	put_unaligned_be16(ends->source_port, tcp);
	put_unaligned_be16(ends->destination_port, tcp + 2);
	put_unaligned_be32(FIRST_SEQUENCE + (u32)packet->stream.offset, tcp + 4);
	put_unaligned_be32(FIRST_SEQUENCE + (u32)packet->stream.acked, tcp + 8);
	tcp[12] = TCP_OCTETS / 4 << 4;
	tcp[13] = TCP_ACK_PUSH;
	put_unaligned_be16(WINDOW, tcp + 14);
}

u32 ip_pack(const struct packet *packet, u8 *head)
{
	bool is_v6 = packet->stream.family == HCA_TAP_IPV6;
	u32 octets = is_v6 ? V6_OCTETS : V4_OCTETS;
	struct ends ends = ends_of(packet);
	u8 *tcp = head + octets;

	memset(head, 0, octets + TCP_OCTETS);
	if (is_v6)
		pack_v6(packet, &ends, head);
	else
		pack_v4(packet, &ends, head);
	pack_tcp(packet, &ends, tcp);
	if (packet->captured == packet->length)
		put_unaligned_be16(tcp_checksum(packet, &ends, is_v6 ? 16 : 4, tcp), tcp + 16);
	return octets + TCP_OCTETS;
}

/* An IP packet, as its header describes it */
struct layout {
	u32 head; /* octets of the header */
	u32 length; /* octets of the packet */
	u32 address, address_octets; /* place of the two addresses */
	u8 family;
};

static bool parse_v4(struct layout *layout, const u8 *octets, u32 length)
{
	u32 total = get_unaligned_be16(octets + 2);

	*layout = (struct layout){
		.head = (octets[0] & 0x0f) * 4, .length = total ? total : length,
		.address = 12, .address_octets = 4, .family = HCA_TAP_IPV4,
	};
	return layout->head >= V4_OCTETS && octets[9] == PROTOCOL_TCP &&
	       !(get_unaligned_be16(octets + 6) & FRAGMENT);
}

static bool parse_v6(struct layout *layout, const u8 *octets, u32 length)
{
	u32 total = get_unaligned_be16(octets + 4);

	*layout = (struct layout){
		.head = V6_OCTETS, .length = total ? V6_OCTETS + total : length,
		.address = 8, .address_octets = 16, .family = HCA_TAP_IPV6,
	};
	return octets[6] == PROTOCOL_TCP;
}

static bool parse_layout(struct layout *layout, const u8 *octets, u32 captured, u32 length)
{
	if (captured >= V4_OCTETS && octets[0] >> 4 == 4)
		return parse_v4(layout, octets, length);
	return captured >= V6_OCTETS && octets[0] >> 4 == 6 && parse_v6(layout, octets, length);
}

static void set_stream(struct packet *packet, const struct layout *layout, const u8 *octets)
{
	const u8 *address = octets + layout->address, *tcp = octets + layout->head;
	struct hca_tap_stream *stream = &packet->stream;

	*stream = (struct hca_tap_stream){
		.offset = get_unaligned_be32(tcp + 4) - FIRST_SEQUENCE,
		.local_port = get_unaligned_be16(tcp),
		.remote_port = get_unaligned_be16(tcp + 2),
		.family = layout->family,
		.acked = get_unaligned_be32(tcp + 8) - FIRST_SEQUENCE,
	};
	memcpy(stream->local, address, layout->address_octets);
	memcpy(stream->remote, address + layout->address_octets, layout->address_octets);
}

bool ip_parse(struct packet *packet, const u8 *octets, u32 captured, u32 length)
{
	struct layout layout;
	u32 head;

	if (!parse_layout(&layout, octets, captured, length) ||
	    captured < layout.head + TCP_OCTETS)
		return false;
	head = layout.head + (octets[layout.head + 12] >> 4) * 4;
	if (head < layout.head + TCP_OCTETS || head > captured || head > layout.length)
		return false;
	packet->is_stream = true;
	set_stream(packet, &layout, octets);
	packet->octets = octets + head;
	packet->length = layout.length - head;
	packet->captured = captured - head;
	/* An interface may have padded the packet. */
	if (packet->captured > packet->length)
		packet->captured = packet->length;
	return true;
}

void ip_received(struct packet *packet)
{
	struct hca_tap_stream *stream = &packet->stream, sent = *stream;

	stream->local_port = sent.remote_port;
	stream->remote_port = sent.local_port;
	memcpy(stream->local, sent.remote, sizeof(stream->local));
	memcpy(stream->remote, sent.local, sizeof(stream->remote));
}

/* --- notes -------------------------------------------------------------------------------- */

static const struct {
	u8 flag;
	const char *keyword;
} keywords[] = {
	{ HCA_TAP_STARTUP, " startup" }, { HCA_TAP_KEPT, " kept" },
	{ HCA_TAP_MARKERS, " markers" }, { HCA_TAP_CRC, " crc" },
};

#define NUM_KEYWORDS (sizeof(keywords) / sizeof(keywords[0]))

const char *ip_note(const struct packet *packet, char *text)
{
	const struct hca_tap_stream *stream = &packet->stream;
	size_t used, i;

	used = text_append(text, IP_NOTE_OCTETS, 0, "qp %u offset %llu start %u", stream->qpn,
			   (unsigned long long)stream->offset, stream->start);
	for (i = 0; i < NUM_KEYWORDS; i++)
		if (stream->flags & keywords[i].flag)
			used = text_append(text, IP_NOTE_OCTETS, used, "%s", keywords[i].keyword);
	return text;
}

/* Skips the keywords that a note ends with, and sets their flags. Return: what is left. */
static const char *parse_keywords(struct hca_tap_stream *stream, const char *text)
{
	size_t i;

	for (i = 0; i < NUM_KEYWORDS; i++) {
		size_t length = strlen(keywords[i].keyword);

		if (strncmp(text, keywords[i].keyword, length))
			continue;
		stream->flags |= keywords[i].flag;
		text += length;
	}
	return text;
}

bool ip_parse_note(struct packet *packet, const u8 *note, u32 octets)
{
	struct hca_tap_stream *stream = &packet->stream;
	unsigned long long offset;
	char text[IP_NOTE_OCTETS];
	unsigned int qpn, start;
	int end = 0;

	if (octets >= sizeof(text))
		return false;
	memcpy(text, note, octets);
	text[octets] = 0;
	if (sscanf(text, "qp %u offset %llu start %u%n", &qpn, &offset, &start, &end) != 3 ||
	    (u32)offset != (u32)stream->offset)
		return false;
	stream->qpn = qpn;
	stream->offset = offset;
	stream->start = start;
	stream->flags = 0;
	if (*parse_keywords(stream, text + end))
		return false;
	/* An FPDU follows the start-up frame. */
	return stream->flags & HCA_TAP_STARTUP || offset >= start;
}
