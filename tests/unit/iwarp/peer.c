// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The frames of a model of an iWARP peer: made and read by what the RFCs say of their octets. */
#include "tests/unit/iwarp/peer.h"
#include <check.h>
#include <string.h>

#define MARKER_INTERVAL 512

/* The keys begin alike; the octets that tell them apart follow. */
static const char request_key[] = "MPA ID Req Frame";
static const char reply_key[] = "MPA ID Rep Frame";

u32 peer_crc(u32 crc, const u8 *octets, u32 length)
{
	int bit;

	for (; length; length--, octets++) {
		crc ^= *octets;
		for (bit = 0; bit < 8; bit++)
			crc = crc & 1 ? crc >> 1 ^ 0x82f63b78 : crc >> 1;
	}
	return crc;
}

u8 peer_pattern(u64 place)
{
	return place * 7 + place / 256 * 3;
}

/* Most significant octet first. */
static void peer_store(u8 *octets, u64 value, int count)
{
	for (; count; value >>= 8)
		octets[--count] = value;
}

static u64 peer_load(const u8 *octets, int count)
{
	u64 value = 0;

	while (count--)
		value = value << 8 | *octets++;
	return value;
}

/* RFC 5044, 7.1.1. */
u32 peer_start_pack(const struct peer_start *start, u8 *octets)
{
	u8 *next = octets + 20;

	memcpy(octets, start->is_reply ? reply_key : request_key, 16);
	octets[16] = start->markers << 7 | start->crc << 6 | start->rejected << 5 |
		     start->enhanced << 4 | (start->reserved & 0xf);
	octets[17] = start->revision;
	peer_store(octets + 18, start->pd_length, 2);
	if (start->enhanced) {
		/* RFC 6581, 6: A, B and 14 bits of IRD; C, D and 14 bits of ORD. */
		peer_store(next, start->peer_to_peer << 15 | start->rtr_send << 14 |
				 (start->ird & 0x3fff), 2);
		peer_store(next + 2, start->rtr_write << 15 | start->rtr_read << 14 |
				     (start->ord & 0x3fff), 2);
		next += 4;
	}
	ck_assert_uint_le(next - octets + start->private_length, PEER_START_MAX);
	memcpy(next, start->private_data, start->private_length);
	return next - octets + start->private_length;
}

static void peer_parse_enhanced(struct peer_start *start, const u8 *octets)
{
	u16 first = peer_load(octets, 2), second = peer_load(octets + 2, 2);

	start->peer_to_peer = first >> 15;
	start->rtr_send = first >> 14 & 1;
	start->ird = first & 0x3fff;
	start->rtr_write = second >> 15;
	start->rtr_read = second >> 14 & 1;
	start->ord = second & 0x3fff;
}

u32 peer_start_parse(struct peer_start *start, const u8 *octets, u32 length)
{
	u32 hidden;

	if (length < 20)
		return 0;
	*start = (struct peer_start){
		.is_reply = !memcmp(octets, reply_key, 16),
		.markers = octets[16] >> 7,
		.crc = octets[16] >> 6 & 1,
		.rejected = octets[16] >> 5 & 1,
		.enhanced = octets[16] >> 4 & 1,
		.reserved = octets[16] & 0xf,
		.revision = octets[17],
		.pd_length = peer_load(octets + 18, 2),
	};
	start->has_key = start->is_reply || !memcmp(octets, request_key, 16);
	if (!start->has_key || start->pd_length > PEER_PRIVATE_MAX)
		return length;
	if (length < 20 + start->pd_length)
		return 0;
	/* The bit S means something from revision 2 on. */
	hidden = start->enhanced && start->revision > 1 && start->pd_length >= 4 ? 4 : 0;
	if (hidden)
		peer_parse_enhanced(start, octets + 20);
	start->private_length = start->pd_length - hidden;
	memcpy(start->private_data, octets + 20 + hidden, start->private_length);
	return 20 + start->pd_length;
}

/* RFC 5041, 4; RFC 5040, 4. */
u32 peer_ulpdu_pack(const struct peer_header *header, const void *payload, u32 length, u8 *ulpdu)
{
	u32 octets = header->tagged ? 14 : 18;

	ulpdu[0] = header->tagged << 7 | header->last << 6 | (header->ddp_reserved & 0xf) << 2 |
		   (header->dv & 3);
	ulpdu[1] = (header->rv & 3) << 6 | (header->rdmap_reserved & 3) << 4 |
		   (header->opcode & 0xf);
	if (header->tagged) {
		peer_store(ulpdu + 2, header->stag, 4);
		peer_store(ulpdu + 6, header->to, 8);
	} else {
		peer_store(ulpdu + 2, header->invalidate, 4);
		peer_store(ulpdu + 6, header->qn, 4);
		peer_store(ulpdu + 10, header->msn, 4);
		peer_store(ulpdu + 14, header->mo, 4);
	}
	memcpy(ulpdu + octets, payload, length);
	return octets + length;
}

void peer_read_pack(const struct peer_read_request *read, u8 *octets)
{
	peer_store(octets, read->sink_stag, 4);
	peer_store(octets + 4, read->sink_to, 8);
	peer_store(octets + 12, read->size, 4);
	peer_store(octets + 16, read->source_stag, 4);
	peer_store(octets + 20, read->source_to, 8);
}

static void peer_parse_read(struct peer_read_request *read, const u8 *octets)
{
	read->sink_stag = peer_load(octets, 4);
	read->sink_to = peer_load(octets + 4, 8);
	read->size = peer_load(octets + 12, 4);
	read->source_stag = peer_load(octets + 16, 4);
	read->source_to = peer_load(octets + 20, 8);
}

/* The codes that the RFCs have for a layer and a type. */
static bool peer_is_error(u8 layer, u8 type, u8 code)
{
	switch (layer << 4 | type) {
	case 0x00:
	case 0x10:
	case 0x13:
		return true;
	case 0x01:
		return code <= 4 || code == 9 || code == 0xff;
	case 0x02:
		return (code >= 5 && code <= 9) || code == 0xff;
	case 0x11:
		return code <= 4;
	case 0x12:
		return code >= 1 && code <= 6;
	case 0x20:
		return code >= 1 && code <= 7;
	}
	return false;
}

/* Copies a part of a Terminate that is announced. Returns the octets behind it. */
static const u8 *peer_part(struct peer_terminate *t, u8 *to, u32 count, const u8 *at,
			   const u8 *end)
{
	if (t->is_short || (u32)(end - at) < count) {
		t->is_short = true;
		return end;
	}
	memcpy(to, at, count);
	return at + count;
}

/* RFC 5040, 4.8. */
static void peer_parse_terminate(struct peer_terminate *t, const u8 *octets, u32 length)
{
	const u8 *at = octets + 4, *end = octets + length;
	u8 segment_length[2] = { 0 };

	*t = (struct peer_terminate){
		.layer = octets[0] >> 4, .type = octets[0] & 0xf, .code = octets[1],
		.m = octets[2] >> 7, .d = octets[2] >> 6 & 1, .r = octets[2] >> 5 & 1,
	};
	memcpy(t->control, octets, 4);
	t->is_swapped = !peer_is_error(t->layer, t->type, t->code) &&
			peer_is_error(t->type, t->layer, t->code);
	if (t->m || t->d)
		at = peer_part(t, segment_length, 2, at, end);
	t->segment_length = peer_load(segment_length, 2);
	if (t->d && at < end) {
		t->ddp_length = *at & 0x80 ? 14 : 18;
		at = peer_part(t, t->ddp, t->ddp_length, at, end);
	} else if (t->d) {
		t->is_short = true;
	}
	if (t->r)
		at = peer_part(t, t->read, 28, at, end);
	t->excess = end - at;
}

static void peer_parse_ulpdu(struct peer_fpdu *fpdu)
{
	struct peer_header *h = &fpdu->header;
	const u8 *u = fpdu->ulpdu;
	u32 octets = u[0] & 0x80 ? 14 : 18;

	fpdu->is_whole = fpdu->length >= octets;
	if (!fpdu->is_whole)
		return;
	*h = (struct peer_header){
		.tagged = u[0] >> 7, .last = u[0] >> 6 & 1, .ddp_reserved = u[0] >> 2 & 0xf,
		.dv = u[0] & 3, .rv = u[1] >> 6, .rdmap_reserved = u[1] >> 4 & 3,
		.opcode = u[1] & 0xf,
	};
	if (h->tagged) {
		h->stag = peer_load(u + 2, 4);
		h->to = peer_load(u + 6, 8);
	} else {
		h->invalidate = peer_load(u + 2, 4);
		h->qn = peer_load(u + 6, 4);
		h->msn = peer_load(u + 10, 4);
		h->mo = peer_load(u + 14, 4);
	}
	fpdu->payload = u + octets;
	fpdu->payload_length = fpdu->length - octets;
	if (h->opcode == 1 && fpdu->payload_length >= 28)
		peer_parse_read(&fpdu->read, fpdu->payload);
	if (h->opcode == 7 && fpdu->payload_length >= 4)
		peer_parse_terminate(&fpdu->terminate, fpdu->payload, fpdu->payload_length);
}

void peer_init(struct peer *peer)
{
	int queue;

	memset(peer, 0, sizeof(*peer));
	for (queue = 0; queue < PEER_QUEUES; queue++)
		peer->msn[queue] = 1;
}

void peer_agree(struct peer *peer)
{
	int queue;

	peer->markers_out = peer->start.markers;
	peer->markers_in = peer->own.markers;
	peer->crc = peer->start.crc || peer->own.crc;
	peer->position_out = 0;
	peer->position_in = 0;
	for (queue = 0; queue < PEER_QUEUES; queue++)
		peer->msn[queue] = 1;
}

void peer_put(struct peer *peer, const void *octets, u32 length)
{
	ck_assert_uint_le(length, PEER_OUT_MAX - peer->out_length);
	memcpy(peer->out + peer->out_length, octets, length);
	peer->out_length += length;
}

void peer_put_start(struct peer *peer, const struct peer_start *start)
{
	u8 octets[PEER_START_MAX];

	peer_put(peer, octets, peer_start_pack(start, octets));
	peer->own = *start;
}

/* An FPDU that is being made: where it and its ULPDU_Length are in what is to be sent. */
struct peer_writer {
	struct peer *peer;
	u32 start, length_at;
	bool spoils_markers;
};

/* A marker, if one is due here (RFC 5044, 4.3). */
static void peer_put_marker(struct peer_writer *w)
{
	struct peer *peer = w->peer;
	u32 done = peer->out_length - w->start;
	u8 marker[4] = { 0 };
	u16 pointer;

	if (!peer->markers_out || (peer->position_out + done) % MARKER_INTERVAL)
		return;
	pointer = done ? peer->out_length - w->length_at : 0;
	if (w->spoils_markers)
		pointer ^= 4;
	peer_store(marker + 2, pointer, 2);
	peer_put(peer, marker, 4);
	if (!done)
		w->length_at = peer->out_length;
}

static void peer_put_octets(struct peer_writer *w, const u8 *octets, u32 length)
{
	for (; length; length--, octets++) {
		peer_put_marker(w);
		peer_put(w->peer, octets, 1);
	}
}

void peer_put_fpdu(struct peer *peer, const u8 *ulpdu, u32 length,
		   const struct peer_faults *faults)
{
	static const struct peer_faults none;
	struct peer_writer w = { peer, peer->out_length, peer->out_length, false };
	u8 field[2], pad, octets[4];
	u32 crc, i;

	faults = faults ?: &none;
	w.spoils_markers = faults->marker;
	pad = faults->pad ? 0xee : 0;
	peer_store(field, faults->has_length ? faults->length : length, 2);
	peer_put_octets(&w, field, 2);
	peer_put_octets(&w, ulpdu, length);
	for (i = 2 + length; i % 4; i++)
		peer_put_octets(&w, &pad, 1);
	peer_put_marker(&w);
	crc = ~peer_crc(~0, peer->out + w.start, peer->out_length - w.start);
	if (faults->crc)
		crc ^= 1;
	for (i = 0; i < 4; i++)
		octets[i] = crc >> 8 * i;
	peer_put(peer, octets, 4);
	peer->position_out += peer->out_length - w.start;
	memcpy(peer->sent, ulpdu, length < PEER_HEAD_MAX ? length : PEER_HEAD_MAX);
	peer->sent_length = length;
}

void peer_receive(struct peer *peer, const void *octets, u32 length)
{
	ck_assert_uint_le(length, PEER_IN_MAX - peer->in_length);
	memcpy(peer->in + peer->in_length, octets, length);
	peer->in_length += length;
}

static void peer_drop(struct peer *peer, u32 octets)
{
	peer->in_length -= octets;
	memmove(peer->in, peer->in + octets, peer->in_length);
}

bool peer_next_start(struct peer *peer)
{
	u32 octets = peer_start_parse(&peer->start, peer->in, peer->in_length);

	if (!octets)
		return false;
	peer_drop(peer, octets);
	return true;
}

/* An FPDU that is being read: @at is the next octet of what was received. */
struct peer_reader {
	const struct peer *peer;
	struct peer_fpdu *fpdu;
	u32 at, length_at;
};

/* Reads a marker, if one is due here. Returns false if it is not there yet. */
static bool peer_skip_marker(struct peer_reader *r)
{
	const struct peer *peer = r->peer;
	u16 pointer;

	if (!peer->markers_in || (peer->position_in + r->at) % MARKER_INTERVAL)
		return true;
	if (peer->in_length - r->at < 4)
		return false;
	pointer = peer_load(peer->in + r->at + 2, 2);
	if ((pointer & ~3) != (u16)(r->at ? r->at - r->length_at : 0))
		r->fpdu->has_markers = false;
	r->fpdu->markers++;
	if (!r->at)
		r->length_at = 4;
	r->at += 4;
	return true;
}

static bool peer_get_octets(struct peer_reader *r, u8 *octets, u32 length)
{
	for (; length; length--, octets++) {
		if (!peer_skip_marker(r) || r->at == r->peer->in_length)
			return false;
		*octets = r->peer->in[r->at++];
	}
	return true;
}

static bool peer_get_pad(struct peer_reader *r)
{
	u8 pad[3];
	u32 i, count = -(2 + r->fpdu->length) & 3;

	if (!peer_get_octets(r, pad, count))
		return false;
	for (i = 0; i < count; i++)
		if (pad[i])
			r->fpdu->has_pad = false;
	return true;
}

/* The CRC has its least significant octet first (RFC 5044, 4.4). */
static bool peer_get_crc(struct peer_reader *r)
{
	const u8 *in = r->peer->in;
	u32 crc, i;

	if (!peer_skip_marker(r) || r->peer->in_length - r->at < 4)
		return false;
	crc = ~peer_crc(~0, in, r->at);
	for (i = 0; i < 4; i++)
		if (in[r->at + i] != (u8)(crc >> 8 * i))
			r->fpdu->has_crc = false;
	r->at += 4;
	return true;
}

bool peer_next_fpdu(struct peer *peer)
{
	struct peer_fpdu *fpdu = &peer->fpdu;
	struct peer_reader r = { peer, fpdu, 0, 0 };
	u8 field[2];

	memset(fpdu, 0, sizeof(*fpdu));
	fpdu->has_crc = true;
	fpdu->has_markers = true;
	fpdu->has_pad = true;
	if (!peer_get_octets(&r, field, 2))
		return false;
	fpdu->length = peer_load(field, 2);
	if (!peer_get_octets(&r, fpdu->ulpdu, fpdu->length) || !peer_get_pad(&r) ||
	    !peer_get_crc(&r))
		return false;
	fpdu->octets = r.at;
	peer->position_in += r.at;
	peer_parse_ulpdu(fpdu);
	peer_drop(peer, r.at);
	return true;
}
