// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Conversion of MPA request and reply frames to and from their wire format. */
#include "iwarp/wire/mpa.h"
#include <linux/kernel.h>
#include <linux/string.h>
#include "wire/field.h"

#define KEY_BYTES 16

static const u8 keys[2][KEY_BYTES + 1] = { "MPA ID Req Frame", "MPA ID Rep Frame" };

#define FIELD(name, octet, bit, bits) HCA_FIELD(struct hca_mpa_frame, name, octet, bit, bits)

/* The octets behind the key: M:1 C:1 R:1 S:1 reserved:4 Rev:8 PD_Length:16. */
static const struct hca_field header_fields[] = {
	FIELD(markers, 16, 0, 1),
	FIELD(crc, 16, 1, 1),
	FIELD(rejected, 16, 2, 1),
	FIELD(enhanced, 16, 3, 1),
	FIELD(revision, 17, 0, 8),
	FIELD(private_length, 18, 0, 16),
};

/* The first octets of the private data of an enhanced frame (RFC 6581, 9.1). */
static const struct hca_field enhanced_fields[] = {
	FIELD(peer_to_peer, 0, 0, 1),
	FIELD(rtr_send, 0, 1, 1),
	FIELD(ird, 0, 2, 14),
	FIELD(rtr_write, 2, 0, 1),
	FIELD(rtr_read, 2, 1, 1),
	FIELD(ord, 2, 2, 14),
};

/* Clear the bits that have no meaning in a frame. */
static void clear_meaningless(struct hca_mpa_frame *frame)
{
	frame->rejected &= frame->is_reply;
	frame->rtr_send &= frame->peer_to_peer;
	frame->rtr_write &= frame->peer_to_peer;
	frame->rtr_read &= frame->peer_to_peer;
}

u32 hca_mpa_pack(const struct hca_mpa_frame *frame, u8 *buf)
{
	u32 enhanced = frame->enhanced ? HCA_MPA_ENHANCED_BYTES : 0;
	struct hca_mpa_frame sent = *frame;

	if (frame->private_length > HCA_MPA_PRIVATE_MAX - enhanced)
		return 0;
	sent.private_length += enhanced;
	clear_meaningless(&sent);
	memset(buf, 0, HCA_MPA_HEADER_BYTES + enhanced);
	memcpy(buf, keys[sent.is_reply], KEY_BYTES);
	hca_fields_pack(header_fields, ARRAY_SIZE(header_fields), &sent, buf);
	buf += HCA_MPA_HEADER_BYTES;
	if (enhanced)
		hca_fields_pack(enhanced_fields, ARRAY_SIZE(enhanced_fields), &sent, buf);
	if (frame->private_length)
		memcpy(buf + enhanced, frame->private_data, frame->private_length);
	return HCA_MPA_HEADER_BYTES + sent.private_length;
}

static bool is_known(u8 revision)
{
	return revision == HCA_MPA_REVISION_1 || revision == HCA_MPA_REVISION_2;
}

/* Read the private data of a frame, all of which have arrived. */
static void private_parse(struct hca_mpa_frame *frame, const u8 *data)
{
	if (frame->enhanced) {
		hca_fields_unpack(enhanced_fields, ARRAY_SIZE(enhanced_fields), data, frame);
		data += HCA_MPA_ENHANCED_BYTES;
		frame->private_length -= HCA_MPA_ENHANCED_BYTES;
	}
	frame->private_data = data;
	clear_meaningless(frame);
}

enum hca_mpa_result hca_mpa_parse(struct hca_mpa_frame *frame, const u8 *buf, u32 len,
				  bool is_reply)
{
	memset(frame, 0, sizeof(*frame));
	frame->is_reply = is_reply;
	frame->bytes = HCA_MPA_HEADER_BYTES;
	if (len && memcmp(buf, keys[is_reply], min_t(u32, len, KEY_BYTES)))
		return HCA_MPA_KEY;
	if (len > KEY_BYTES + 1 && !is_known(buf[KEY_BYTES + 1]))
		return HCA_MPA_REVISION;
	if (len < HCA_MPA_HEADER_BYTES)
		return HCA_MPA_INCOMPLETE;
	hca_fields_unpack(header_fields, ARRAY_SIZE(header_fields), buf, frame);
	/* In revision 1 the bit is reserved, and so it is ignored. */
	frame->enhanced &= frame->revision == HCA_MPA_REVISION_2;
	if (frame->private_length > HCA_MPA_PRIVATE_MAX ||
	    (frame->enhanced && frame->private_length < HCA_MPA_ENHANCED_BYTES))
		return HCA_MPA_LENGTH;
	frame->bytes += frame->private_length;
	if (len < frame->bytes)
		return HCA_MPA_INCOMPLETE;
	private_parse(frame, buf + HCA_MPA_HEADER_BYTES);
	return HCA_MPA_OK;
}
