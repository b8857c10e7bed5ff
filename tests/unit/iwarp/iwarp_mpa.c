// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* MPA request and reply frames: octets worked out by hand, truncations, and all that is refused. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include "iwarp/wire/mpa.h"
#include "tests/unit/suites.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

#define KEY_BYTES 16
#define FLAGS 16 /* offsets in a frame */
#define REVISION 17
#define LENGTH 18

#define REQUEST 'M', 'P', 'A', ' ', 'I', 'D', ' ', 'R', 'e', 'q', ' ', 'F', 'r', 'a', 'm', 'e'
#define REPLY 'M', 'P', 'A', ' ', 'I', 'D', ' ', 'R', 'e', 'p', ' ', 'F', 'r', 'a', 'm', 'e'

static const u8 ulp_data[] = { 0xde, 0xad, 0xbe, 0xef };

/* RFC 5044, 7.1.1, and RFC 6581, 6 and 9. */
static const struct {
	struct hca_mpa_frame frame;
	u8 octets[32];
} golden[] = {
	{ { .crc = true, .revision = 1 }, { REQUEST, 0x40, 1, 0, 0 } },
	{ { .markers = true, .crc = true, .revision = 1, .private_length = 4 },
	  { REQUEST, 0xc0, 1, 0, 4, 0xde, 0xad, 0xbe, 0xef } },
	{ { .is_reply = true, .crc = true, .revision = 1 }, { REPLY, 0x40, 1, 0, 0 } },
	{ { .is_reply = true, .rejected = true, .revision = 1, .private_length = 3 },
	  { REPLY, 0x20, 1, 0, 3, 0xde, 0xad, 0xbe } },
	{ { .crc = true, .revision = 2 }, { REQUEST, 0x40, 2, 0, 0 } },
	{ { .crc = true, .enhanced = true, .revision = 2, .ird = 0x1234, .ord = 8 },
	  { REQUEST, 0x50, 2, 0, 4, 0x12, 0x34, 0x00, 0x08 } },
	{ { .crc = true, .enhanced = true, .revision = 2, .peer_to_peer = true,
	    .rtr_write = true, .rtr_read = true, .ird = HCA_MPA_NOT_NEGOTIATED, .ord = 0x2aaa,
	    .private_length = 4 },
	  { REQUEST, 0x50, 2, 0, 8, 0xbf, 0xff, 0xea, 0xaa, 0xde, 0xad, 0xbe, 0xef } },
	{ { .is_reply = true, .markers = true, .enhanced = true, .revision = 2,
	    .peer_to_peer = true, .rtr_send = true, .ird = 0, .ord = HCA_MPA_NOT_NEGOTIATED },
	  { REPLY, 0x90, 2, 0, 4, 0xc0, 0x00, 0x3f, 0xff } },
};

/* Parses octets that lie at the very end of an allocation. Private data are compared here. */
static enum hca_mpa_result parse(struct hca_mpa_frame *frame, const u8 *octets, u32 len,
				 bool is_reply)
{
	u8 *buf = malloc(len + 1), *at = buf + 1;
	enum hca_mpa_result result;

	memset(frame, 0xee, sizeof(*frame));
	memcpy(at, octets, len);
	result = hca_mpa_parse(frame, at, len, is_reply);
	if (result == HCA_MPA_OK) {
		ck_assert_uint_le(frame->bytes, len);
		ck_assert_ptr_eq(frame->private_data + frame->private_length, at + frame->bytes);
		ck_assert_mem_eq(frame->private_data,
				 octets + frame->bytes - frame->private_length,
				 frame->private_length);
	}
	free(buf);
	return result;
}

static u32 golden_bytes(int i)
{
	return HCA_MPA_HEADER_BYTES + golden[i].octets[LENGTH + 1];
}

static void assert_same(const struct hca_mpa_frame *a, const struct hca_mpa_frame *b)
{
	ck_assert_int_eq(a->is_reply, b->is_reply);
	ck_assert_int_eq(a->markers, b->markers);
	ck_assert_int_eq(a->crc, b->crc);
	ck_assert_int_eq(a->rejected, b->rejected);
	ck_assert_int_eq(a->enhanced, b->enhanced);
	ck_assert_uint_eq(a->revision, b->revision);
	ck_assert_uint_eq(a->private_length, b->private_length);
	if (!a->enhanced)
		return;
	ck_assert_int_eq(a->peer_to_peer, b->peer_to_peer);
	ck_assert_int_eq(a->rtr_send, b->rtr_send);
	ck_assert_int_eq(a->rtr_write, b->rtr_write);
	ck_assert_int_eq(a->rtr_read, b->rtr_read);
	ck_assert_uint_eq(a->ird, b->ird);
	ck_assert_uint_eq(a->ord, b->ord);
}

START_TEST(golden_octets)
{
	struct hca_mpa_frame sent = golden[_i].frame, frame;
	u8 *packed = malloc(golden_bytes(_i));

	sent.private_data = ulp_data;
	memset(packed, 0xee, golden_bytes(_i));
	ck_assert_uint_eq(hca_mpa_pack(&sent, packed), golden_bytes(_i));
	ck_assert_mem_eq(packed, golden[_i].octets, golden_bytes(_i));
	free(packed);
	ck_assert_int_eq(parse(&frame, golden[_i].octets, golden_bytes(_i), sent.is_reply),
			 HCA_MPA_OK);
	ck_assert_uint_eq(frame.bytes, golden_bytes(_i));
	assert_same(&frame, &sent);
}
END_TEST

/* A frame may be cut at any octet. What is announced to be needed comes nearer and is reached. */
START_TEST(cut_at_each_octet)
{
	bool is_reply = golden[_i].frame.is_reply;
	struct hca_mpa_frame frame;
	u32 len;

	for (len = 0; len < golden_bytes(_i); len++) {
		ck_assert_int_eq(parse(&frame, golden[_i].octets, len, is_reply),
				 HCA_MPA_INCOMPLETE);
		ck_assert_uint_eq(frame.bytes, len < HCA_MPA_HEADER_BYTES ? HCA_MPA_HEADER_BYTES :
									    golden_bytes(_i));
	}
	/* Octets behind the frame are not looked at. */
	for (; len < sizeof(golden[_i].octets); len++) {
		ck_assert_int_eq(parse(&frame, golden[_i].octets, len, is_reply), HCA_MPA_OK);
		ck_assert_uint_eq(frame.bytes, golden_bytes(_i));
	}
}
END_TEST

/* A wrong octet of the key is refused as soon as it is there, and so is the other frame's key. */
START_TEST(wrong_key)
{
	bool is_reply = golden[_i].frame.is_reply;
	struct hca_mpa_frame frame;
	u8 octets[32];
	u32 at, len;

	for (at = 0; at < KEY_BYTES; at++) {
		memcpy(octets, golden[_i].octets, sizeof(octets));
		octets[at] ^= 0x20;
		for (len = 0; len <= golden_bytes(_i); len++)
			ck_assert_int_eq(parse(&frame, octets, len, is_reply),
					 len > at ? HCA_MPA_KEY : HCA_MPA_INCOMPLETE);
	}
	/* The third letter of Req and Rep is the first one that differs. */
	for (len = 0; len <= golden_bytes(_i); len++)
		ck_assert_int_eq(parse(&frame, golden[_i].octets, len, !is_reply),
				 len > 9 ? HCA_MPA_KEY : HCA_MPA_INCOMPLETE);
}
END_TEST

START_TEST(revisions)
{
	u8 octets[] = { REQUEST, 0x40, _i, 0, 0 };
	bool known = _i == 1 || _i == 2;
	struct hca_mpa_frame frame;

	ck_assert_int_eq(parse(&frame, octets, REVISION, false), HCA_MPA_INCOMPLETE);
	ck_assert_int_eq(parse(&frame, octets, REVISION + 1, false),
			 known ? HCA_MPA_INCOMPLETE : HCA_MPA_REVISION);
	ck_assert_int_eq(parse(&frame, octets, sizeof(octets), false),
			 known ? HCA_MPA_OK : HCA_MPA_REVISION);
}
END_TEST

/* In revision 1, S is a reserved bit: all private data are the ULP's. */
START_TEST(enhancement_needs_revision_2)
{
	u8 octets[] = { REQUEST, 0x50, 1, 0, 4, 0x92, 0x34, 0xc0, 0x08 };
	struct hca_mpa_frame frame;

	ck_assert_int_eq(parse(&frame, octets, sizeof(octets), false), HCA_MPA_OK);
	ck_assert(!frame.enhanced && !frame.peer_to_peer && !frame.ird);
	ck_assert_uint_eq(frame.private_length, 4);
	octets[LENGTH + 1] = 3;
	ck_assert_int_eq(parse(&frame, octets, sizeof(octets), false), HCA_MPA_OK);
	octets[REVISION] = 2;
	ck_assert_int_eq(parse(&frame, octets, sizeof(octets), false), HCA_MPA_LENGTH);
}
END_TEST

/* Reserved bits, R of a request, and B, C, D without A are neither sent nor heeded. */
START_TEST(bits_without_meaning)
{
	struct hca_mpa_frame frame, sent = { .rejected = true, .enhanced = true, .revision = 2,
		.rtr_send = true, .rtr_write = true, .rtr_read = true, .ird = 0xffff, .ord = 1 };
	u8 octets[] = { REQUEST, 0x3f, 2, 0, 4, 0x7f, 0xff, 0xc0, 0x01 };
	u8 packed[HCA_MPA_FRAME_MAX];

	ck_assert_int_eq(parse(&frame, octets, sizeof(octets), false), HCA_MPA_OK);
	ck_assert(!frame.markers && !frame.crc && !frame.rejected && frame.enhanced);
	ck_assert(!frame.peer_to_peer && !frame.rtr_send && !frame.rtr_write && !frame.rtr_read);
	ck_assert_uint_eq(frame.ird, HCA_MPA_NOT_NEGOTIATED);
	ck_assert_uint_eq(frame.ord, 1);

	ck_assert_uint_eq(hca_mpa_pack(&sent, packed), sizeof(octets));
	octets[FLAGS] = 0x10;
	octets[HCA_MPA_HEADER_BYTES] = 0x3f;
	octets[HCA_MPA_HEADER_BYTES + 2] = 0;
	ck_assert_mem_eq(packed, octets, sizeof(octets));
}
END_TEST

/* PD_Length is 0 to 512; more is refused before it has arrived. */
START_TEST(private_data)
{
	u8 octets[HCA_MPA_FRAME_MAX + 1] = { REPLY, 0x40, 2 };
	struct hca_mpa_frame frame;
	u32 length;

	for (length = 0; length <= 0xffff; length++) {
		octets[LENGTH] = length >> 8;
		octets[LENGTH + 1] = length;
		ck_assert_int_eq(parse(&frame, octets, HCA_MPA_HEADER_BYTES, true),
				 length > HCA_MPA_PRIVATE_MAX ? HCA_MPA_LENGTH :
				 length ? HCA_MPA_INCOMPLETE : HCA_MPA_OK);
		if (length > HCA_MPA_PRIVATE_MAX)
			continue;
		ck_assert_uint_eq(frame.bytes, HCA_MPA_HEADER_BYTES + length);
		ck_assert_int_eq(parse(&frame, octets, frame.bytes, true), HCA_MPA_OK);
		ck_assert_uint_eq(frame.private_length, length);
	}
}
END_TEST

START_TEST(private_data_sent)
{
	struct hca_mpa_frame frame = { .revision = 2, .enhanced = _i };
	u32 most = HCA_MPA_PRIVATE_MAX - (_i ? HCA_MPA_ENHANCED_BYTES : 0);
	u8 *packed = malloc(HCA_MPA_FRAME_MAX), *data = calloc(1, most + 1);

	frame.private_data = data;
	frame.private_length = most;
	ck_assert_uint_eq(hca_mpa_pack(&frame, packed), HCA_MPA_FRAME_MAX);
	frame.private_length++;
	ck_assert_uint_eq(hca_mpa_pack(&frame, packed), 0);
	free(packed);
	free(data);
}
END_TEST

/* Whatever octets are accepted are packed again, but for bits without meaning. */
START_TEST(random_octets)
{
	struct hca_mpa_frame frame;
	u8 octets[HCA_MPA_FRAME_MAX], packed[HCA_MPA_FRAME_MAX];
	u32 n, i, len, accepted = 0;
	struct hca_mpa_frame again;

	srandom(1);
	for (n = 0; n < 30000; n++) {
		bool is_reply = random() & 1;

		for (i = 0; i < sizeof(octets); i++)
			octets[i] = random() >> 8;
		if (random() % 8)
			memcpy(octets, golden[is_reply ? 2 : 0].octets, KEY_BYTES);
		octets[REVISION] = random() % 4;
		octets[LENGTH] = random() % 4;
		len = random() % (sizeof(octets) + 1);
		if (parse(&frame, octets, len, is_reply) != HCA_MPA_OK)
			continue;
		accepted++;
		frame.private_data = octets + frame.bytes - frame.private_length;
		ck_assert_uint_eq(hca_mpa_pack(&frame, packed), frame.bytes);
		ck_assert_int_eq(parse(&again, packed, frame.bytes, is_reply), HCA_MPA_OK);
		assert_same(&again, &frame);
		ck_assert_mem_eq(packed + LENGTH, octets + LENGTH, 2);
		ck_assert_uint_eq(packed[FLAGS] & ~octets[FLAGS], 0);
		if (frame.enhanced && frame.peer_to_peer)
			ck_assert_mem_eq(packed + LENGTH, octets + LENGTH, frame.bytes - LENGTH);
	}
	ck_assert_uint_gt(accepted, 1000);
}
END_TEST

Suite *iwarp_mpa_suite(void)
{
	Suite *suite = suite_create("iwarp_mpa");
	TCase *tc = tcase_create("iwarp_mpa");

	tcase_add_loop_test(tc, golden_octets, 0, COUNT(golden));
	tcase_add_loop_test(tc, cut_at_each_octet, 0, COUNT(golden));
	tcase_add_loop_test(tc, wrong_key, 0, COUNT(golden));
	tcase_add_loop_test(tc, revisions, 0, 256);
	tcase_add_test(tc, enhancement_needs_revision_2);
	tcase_add_test(tc, bits_without_meaning);
	tcase_add_test(tc, private_data);
	tcase_add_loop_test(tc, private_data_sent, 0, 2);
	tcase_add_test(tc, random_octets);
	suite_add_tcase(suite, tc);
	return suite;
}
