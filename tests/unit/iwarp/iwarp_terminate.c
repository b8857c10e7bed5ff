// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Terminate messages: octets worked out by hand, every error, every truncation, and those of a peer
 * that has the bits in its processor's order.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include "iwarp/wire/terminate.h"
#include "tests/unit/suites.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

#define M HCA_TERMINATE_M
#define D HCA_TERMINATE_D
#define R HCA_TERMINATE_R

/* Headers of segments that cause an error. */
#define SEND 0x41, 0x43, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0
#define WRITE 0xc1, 0x40, 1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0x10, 0
#define READ_DDP 0x41, 0x41, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0, 0
#define READ_RDMA 0x11, 0x12, 0x13, 0x14, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27, 0x28, 0, 0, \
		  0x10, 0, 0x31, 0x32, 0x33, 0x34, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48

static const u8 segment_send[] = { SEND, 1, 2, 3 };
static const u8 segment_write[] = { WRITE, 1, 2, 3 };
static const u8 segment_read[] = { READ_DDP, READ_RDMA };

/* An error, the segment that caused it, and the message behind its DDP header. */
static const struct {
	enum hca_iwarp_error error;
	const u8 *head;
	u32 octets;
	u16 length;
	u8 message[HCA_TERMINATE_MAX];
	u32 bytes;
} golden[] = {
	/* P1-055, P1-056, P1-057, P1-T07 */
	{ HCA_ERR_DDP_TOO_LONG, segment_send, 21, 0x1234, /* P1-058, P1-059, P1-062, P1-063 */
	  { 0x12, 0x05, 0xc0, 0x00, 0x12, 0x34, SEND }, 24 },
	{ HCA_ERR_DDP_BOUNDS, segment_write, 17, 17, { 0x11, 0x01, 0xc0, 0, 0, 17, WRITE }, 20 },
	{ HCA_ERR_RDMAP_ACCESS, segment_read, 46, 46, /* P1-060, P1-064, P1-066 */
	  { 0x01, 0x02, 0xe0, 0, 0, 46, READ_DDP, READ_RDMA }, 52 },
	{ HCA_ERR_RDMAP_LOCAL, NULL, 0, 0, { 0x00, 0x00, 0x00, 0 }, 4 },
	{ HCA_ERR_RDMAP_LOCAL, segment_send, 21, 21, { 0x00, 0x00, 0x00, 0 }, 4 }, /* P1-085 */
	{ HCA_ERR_MPA_CRC, segment_send, 21, 21, { 0x20, 0x02, 0x00, 0 }, 4 }, /* P1-089 */
	{ HCA_ERR_RDMAP_OPCODE, segment_send, 21, 21, /* P1-087 */
	  { 0x02, 0x06, 0xc0, 0, 0, 21, SEND }, 24 },
	/* P1-A3: only a Read Request has an RDMAP header to show. */
	{ HCA_ERR_RDMAP_MAY_NOT_INVALIDATE, segment_send, 21, 21,
	  { 0x01, 0x09, 0xc0, 0, 0, 21, SEND }, 24 },
	{ HCA_ERR_RDMAP_STAG, segment_write, 17, 17, { 0x01, 0x00, 0xc0, 0, 0, 17, WRITE }, 20 },
	/* A header that has not arrived whole is not shown. */
	{ HCA_ERR_DDP_TOO_LONG, segment_send, 17, 17, { 0x12, 0x05, 0, 0 }, 4 },
	{ HCA_ERR_DDP_TOO_LONG, segment_send, 0, 0, { 0x12, 0x05, 0, 0 }, 4 },
	{ HCA_ERR_DDP_QN, segment_send, 18, 18, { 0x12, 0x01, 0xc0, 0, 0, 18, SEND }, 24 },
	{ HCA_ERR_DDP_STAG, segment_write, 13, 13, { 0x11, 0x00, 0, 0 }, 4 },
	{ HCA_ERR_RDMAP_STAG, segment_read, 45, 46, { 0x01, 0x00, 0xc0, 0, 0, 46, READ_DDP }, 24 },
	{ HCA_ERR_RDMAP_STREAM, NULL, 0, 0, { 0x02, 0x07, 0, 0 }, 4 },
	/* A Read Request too many: its RDMAP header is not shown for this error (P1-087). */
	{ HCA_ERR_RDMAP_STREAM, segment_read, 46, 46,
	  { 0x02, 0x07, 0xc0, 0, 0, 46, READ_DDP }, 24 },
};

/* Parses octets that lie at the very end of an allocation. */
static bool parse(struct hca_terminate *terminate, const u8 *octets, u32 len)
{
	u8 *buf = malloc(len + 1);
	bool parsed;

	memset(terminate, 0xee, sizeof(*terminate));
	memcpy(buf + 1, octets, len);
	parsed = hca_terminate_parse(terminate, buf + 1, len);
	free(buf);
	return parsed;
}

/* The segment's octets are at the very end of an allocation. */
static void set(struct hca_terminate *terminate, int i)
{
	u8 *head = malloc(golden[i].octets + 1);

	memset(terminate, 0xee, sizeof(*terminate));
	if (golden[i].head)
		memcpy(head + 1, golden[i].head, golden[i].octets);
	hca_terminate_set(terminate, golden[i].error, golden[i].head ? head + 1 : NULL,
			  golden[i].octets, golden[i].length);
	free(head);
}

static void assert_same(const struct hca_terminate *a, const struct hca_terminate *b)
{
	ck_assert_uint_eq(a->error, b->error);
	ck_assert_uint_eq(a->parts, b->parts);
	if (a->parts & M)
		ck_assert_uint_eq(a->segment_length, b->segment_length);
	if (a->parts & D) {
		ck_assert_uint_eq(a->ddp_bytes, b->ddp_bytes);
		ck_assert_mem_eq(a->ddp, b->ddp, a->ddp_bytes);
	}
	if (a->parts & R)
		ck_assert_mem_eq(a->read, b->read, sizeof(a->read));
}

START_TEST(golden_octets)
{
	u8 *packed = malloc(HCA_TERMINATE_MAX);
	struct hca_terminate terminate, back;

	set(&terminate, _i);
	memset(packed, 0xee, HCA_TERMINATE_MAX);
	ck_assert_uint_eq(hca_terminate_pack(&terminate, packed), golden[_i].bytes);
	ck_assert_mem_eq(packed, golden[_i].message, golden[_i].bytes);
	free(packed);
	ck_assert(parse(&back, golden[_i].message, golden[_i].bytes));
	assert_same(&back, &terminate);
	ck_assert(!back.swapped);
	ck_assert_uint_eq(back.raw_bytes, golden[_i].bytes);
	ck_assert_mem_eq(back.raw, golden[_i].message, golden[_i].bytes);
}
END_TEST

/*
 * P1-T08: each truncation, with random octets behind what is left of the message. No octet beyond
 * the end is read, and parts are there only if they are there whole.
 */
START_TEST(truncated)
{
	u8 octets[HCA_TERMINATE_MAX + 18];
	struct hca_terminate terminate;
	u32 len, tail, i;

	for (len = 0; len <= golden[_i].bytes; len++) {
		u8 parts = golden[_i].message[2];

		ck_assert_int_eq(parse(&terminate, golden[_i].message, len), len >= 4);
		if (len < 4)
			continue;
		ck_assert_uint_eq(terminate.error, golden[_i].error);
		if (len < 6)
			parts = 0;
		if (len < 6 + hca_ddp_bytes(golden[_i].message[6]))
			parts &= M;
		if (len < golden[_i].bytes)
			parts &= ~R;
		ck_assert_uint_eq(terminate.parts, parts);
		for (tail = 0; len + tail <= sizeof(octets); tail++) {
			memcpy(octets, golden[_i].message, len);
			for (i = len; i < len + tail; i++)
				octets[i] = random() >> 8;
			ck_assert(parse(&terminate, octets, len + tail));
		}
	}
}
END_TEST

/* P1-A5: a message with R alone may have a DDP Segment Length or not. */
START_TEST(only_r)
{
	static const u8 without[] = { 0x01, 0x00, 0x20, 0, READ_RDMA };
	static const u8 with[] = { 0x01, 0x00, 0x20, 0, 0, 46, READ_RDMA };
	struct hca_terminate terminate;

	ck_assert(parse(&terminate, without, sizeof(without)));
	ck_assert_uint_eq(terminate.parts, R);
	ck_assert_mem_eq(terminate.read, without + 4, sizeof(terminate.read));
	ck_assert(parse(&terminate, with, sizeof(with)));
	ck_assert_uint_eq(terminate.parts, R);
	ck_assert_mem_eq(terminate.read, with + 6, sizeof(terminate.read));
}
END_TEST

/* P1-061: 13 reserved bits are sent as zero and ignored. */
START_TEST(reserved_bits)
{
	u8 octets[HCA_TERMINATE_MAX];
	struct hca_terminate terminate, same;

	memcpy(octets, golden[_i].message, sizeof(octets));
	octets[2] |= 0x1f;
	octets[3] = 0xff;
	ck_assert(parse(&terminate, octets, golden[_i].bytes));
	parse(&same, golden[_i].message, golden[_i].bytes);
	assert_same(&terminate, &same);
	terminate.parts |= 0x1f;
	hca_terminate_pack(&terminate, octets);
	ck_assert_mem_eq(octets, golden[_i].message, golden[_i].bytes);
}
END_TEST

/* The errors that have a name, by layer and type, and what a message with one contains. */
static const struct {
	u8 layer_type, first, last;
	u8 parts;
} errors[] = {
	{ 0x00, 0x00, 0xff, 0 }, /* P1-069, P1-085 */
	{ 0x01, 0x00, 0x04, M | D | R }, /* P1-086 */
	{ 0x01, 0x09, 0x09, M | D },
	{ 0x01, 0xff, 0xff, M | D | R },
	{ 0x02, 0x05, 0x09, M | D }, /* P1-087 */
	{ 0x02, 0xff, 0xff, M | D },
	{ 0x10, 0x00, 0x00, 0 },
	{ 0x11, 0x00, 0x04, M | D }, /* P1-088 */
	{ 0x12, 0x01, 0x06, M | D },
	{ 0x13, 0x00, 0xff, 0 },
	{ 0x20, 0x01, 0x07, 0 }, /* P1-089 */
};

/* P1-065: values of the registries of RFC 6580, and their meanings. */
static const struct {
	u16 value;
	enum hca_iwarp_error error;
	const char *name;
} values[] = {
	{ 0x0000, HCA_ERR_RDMAP_LOCAL, "RDMAP: local catastrophic error" },
	{ 0x0100, HCA_ERR_RDMAP_STAG, "RDMAP: invalid STag" }, /* P1-070 */
	{ 0x0101, HCA_ERR_RDMAP_BOUNDS, "RDMAP: base or bounds violation" }, /* P1-071 */
	{ 0x0102, HCA_ERR_RDMAP_ACCESS, "RDMAP: access rights violation" }, /* P1-072 */
	/* P1-073 */
	{ 0x0103, HCA_ERR_RDMAP_STREAM_OF_STAG, "RDMAP: STag not associated with stream" },
	{ 0x0104, HCA_ERR_RDMAP_WRAP, "RDMAP: TO wrap" }, /* P1-074 */
	/* P1-075 */
	{ 0x0109, HCA_ERR_RDMAP_MAY_NOT_INVALIDATE, "RDMAP: STag may not be invalidated" },
	{ 0x01ff, HCA_ERR_RDMAP_PROTECTION, "RDMAP: remote protection error" }, /* P1-076 */
	{ 0x0205, HCA_ERR_RDMAP_VERSION, "RDMAP: invalid version" }, /* P1-077 */
	{ 0x0206, HCA_ERR_RDMAP_OPCODE, "RDMAP: unexpected opcode" }, /* P1-078 */
	{ 0x0207, HCA_ERR_RDMAP_STREAM, "RDMAP: catastrophic error of the stream" }, /* P1-079 */
	/* P1-080 */
	{ 0x0208, HCA_ERR_RDMAP_GLOBAL, "RDMAP: catastrophic error of all streams" },
	/* P1-081 */
	{ 0x0209, HCA_ERR_RDMAP_CANNOT_INVALIDATE, "RDMAP: STag cannot be invalidated" },
	{ 0x02ff, HCA_ERR_RDMAP_OPERATION, "RDMAP: remote operation error" }, /* P1-082 */
	/* P1-083, RFC 5041, 8.2 */
	{ 0x1000, HCA_ERR_DDP_LOCAL, "DDP: local catastrophic error" },
	{ 0x1100, HCA_ERR_DDP_STAG, "DDP: invalid STag" },
	{ 0x1101, HCA_ERR_DDP_BOUNDS, "DDP: base or bounds violation" },
	{ 0x1102, HCA_ERR_DDP_STREAM_OF_STAG, "DDP: STag not associated with stream" },
	{ 0x1103, HCA_ERR_DDP_WRAP, "DDP: TO wrap" },
	{ 0x1104, HCA_ERR_DDP_TAGGED_VERSION, "DDP: invalid version of a tagged segment" },
	{ 0x1201, HCA_ERR_DDP_QN, "DDP: invalid QN" },
	{ 0x1202, HCA_ERR_DDP_NO_BUFFER, "DDP: no buffer for MSN" },
	{ 0x1203, HCA_ERR_DDP_MSN, "DDP: MSN out of range" },
	{ 0x1204, HCA_ERR_DDP_MO, "DDP: invalid MO" },
	{ 0x1205, HCA_ERR_DDP_TOO_LONG, "DDP: message too long for the buffer" },
	{ 0x1206, HCA_ERR_DDP_UNTAGGED_VERSION, "DDP: invalid version of an untagged segment" },
	{ 0x1300, HCA_ERR_DDP_BELOW, "DDP: error of the layer below" },
	/* P1-084, RFC 5044, 8, and RFC 6581, 10 */
	{ 0x2001, HCA_ERR_MPA_LOST, "MPA: TCP connection lost" },
	{ 0x2002, HCA_ERR_MPA_CRC, "MPA: CRC error" },
	{ 0x2003, HCA_ERR_MPA_MARKER, "MPA: marker and ULPDU length disagree" },
	{ 0x2004, HCA_ERR_MPA_FRAME, "MPA: invalid request or reply frame" },
	{ 0x2005, HCA_ERR_MPA_LOCAL, "MPA: local catastrophic error" },
	{ 0x2006, HCA_ERR_MPA_IRD, "MPA: insufficient IRD" },
	{ 0x2007, HCA_ERR_MPA_RTR, "MPA: no matching RTR option" },
};

START_TEST(value_and_name)
{
	ck_assert_uint_eq(values[_i].error, values[_i].value);
	ck_assert_str_eq(hca_iwarp_error_str(values[_i].value), values[_i].name);
}
END_TEST

/* P1-T07: all 65,536 values of layer, type and code, with each combination of parts. */
START_TEST(each_error)
{
	struct hca_terminate terminate = { .segment_length = 0x5a5a, .ddp_bytes = 18 }, back;
	u8 packed[HCA_TERMINATE_MAX];
	u32 error, i, len;
	int row;

	for (error = 0; error <= 0xffff; error++) {
		for (row = 0; row < COUNT(errors); row++)
			if (errors[row].layer_type == error >> 8 &&
			    (u8)error >= errors[row].first && (u8)error <= errors[row].last)
				break;
		ck_assert_int_eq(!hca_iwarp_error_str(error), row == COUNT(errors));
		ck_assert_uint_eq(hca_iwarp_error_parts(error),
				  row < COUNT(errors) ? errors[row].parts : 0);
		if (row == COUNT(errors))
			continue;
		terminate.error = error;
		for (i = 0; i < 8; i++) {
			terminate.parts = i << 5;
			len = hca_terminate_pack(&terminate, packed);
			ck_assert_uint_eq(len, 4 + (i & 6 ? 2 : 0) + (i & 2 ? 18 : 0) +
					       (i & 1 ? 28 : 0));
			ck_assert_mem_eq(packed, ((u8[]){ error >> 8, error, i << 5, 0 }), 4);
			ck_assert(parse(&back, packed, len));
			ck_assert_uint_eq(back.error, error);
			ck_assert_uint_eq(back.parts, terminate.parts);
		}
	}
}
END_TEST

/* Control octets that Linux's siw sends on a little-endian processor, and what it means by them. */
static const struct {
	u8 octets[4];
	enum hca_iwarp_error error;
	bool swapped;
	u8 parts;
} swapped[] = {
	{ { 0x21, 0x05, 0x03, 0 }, HCA_ERR_DDP_TOO_LONG, true, M | D },
	{ { 0x21, 0x02, 0x03, 0 }, HCA_ERR_DDP_NO_BUFFER, true, M | D },
	{ { 0x10, 0x01, 0x07, 0 }, HCA_ERR_RDMAP_BOUNDS, true, M | D | R },
	{ { 0x21, 0x01, 0x00, 0 }, HCA_ERR_DDP_QN, true, 0 },
	{ { 0x21, 0x03, 0x01, 0 }, HCA_ERR_DDP_MSN, true, M },
	{ { 0x10, 0x02, 0x04, 0 }, HCA_ERR_RDMAP_ACCESS, true, R },
	{ { 0x11, 0x00, 0xc0, 0 }, HCA_ERR_DDP_STAG, false, M | D },
	/* These mean something in either order. The bits of the parts tell which one it is. */
	{ { 0x10, 0x00, 0x07, 0 }, HCA_ERR_RDMAP_STAG, true, M | D | R },
	{ { 0x10, 0x00, 0xc7, 0 }, HCA_ERR_DDP_LOCAL, false, M | D },
	{ { 0x20, 0x05, 0x03, 0 }, HCA_ERR_RDMAP_VERSION, true, M | D },
	/* These as well, and without such bits; the order of the RFC is taken. */
	{ { 0x20, 0x05, 0x00, 0 }, HCA_ERR_MPA_LOCAL, false, 0 },
	{ { 0x02, 0x02, 0x00, 0 }, HCA_ERR_MPA_CRC, true, 0 },
	{ { 0x20, 0x06, 0x00, 0 }, HCA_ERR_MPA_IRD, false, 0 },
	{ { 0x02, 0x09, 0xc0, 0 }, HCA_ERR_RDMAP_CANNOT_INVALIDATE, false, M | D },
	/* This means nothing in either. */
	{ { 0x45, 0x67, 0xe7, 0 }, 0x4567, false, M | D | R },
};

START_TEST(swapped_bits)
{
	u8 octets[HCA_TERMINATE_MAX] = { 0 };
	struct hca_terminate terminate;

	memcpy(octets, swapped[_i].octets, 4);
	memcpy(octets + 6, segment_read, sizeof(segment_read));
	ck_assert(parse(&terminate, octets, sizeof(octets)));
	ck_assert_uint_eq(terminate.error, swapped[_i].error);
	ck_assert_int_eq(terminate.swapped, swapped[_i].swapped);
	ck_assert_uint_eq(terminate.parts, swapped[_i].parts);
	ck_assert_uint_eq(terminate.raw_bytes, sizeof(octets));
	ck_assert_mem_eq(terminate.raw, octets, sizeof(octets));
}
END_TEST

/* Random octets of any length: what is read of them lies within, and can be sent again. */
START_TEST(random_octets)
{
	u8 octets[HCA_TERMINATE_MAX + 30], packed[HCA_TERMINATE_MAX];
	struct hca_terminate terminate, back;
	u32 n, i, len;

	srandom(1);
	for (n = 0; n < 50000; n++) {
		len = random() % (sizeof(octets) + 1);
		for (i = 0; i < len; i++)
			octets[i] = random() >> 8;
		if (random() % 2 && len)
			octets[0] = errors[random() % COUNT(errors)].layer_type;
		ck_assert_int_eq(parse(&terminate, octets, len), len >= 4);
		if (len < 4 || terminate.swapped || !hca_iwarp_error_str(terminate.error))
			continue;
		i = hca_terminate_pack(&terminate, packed);
		ck_assert(parse(&back, packed, i));
		assert_same(&back, &terminate);
	}
}
END_TEST

Suite *iwarp_terminate_suite(void)
{
	Suite *suite = suite_create("iwarp_terminate");
	TCase *tc = tcase_create("iwarp_terminate");

	tcase_add_loop_test(tc, golden_octets, 0, COUNT(golden));
	tcase_add_loop_test(tc, truncated, 0, COUNT(golden));
	tcase_add_test(tc, only_r);
	tcase_add_loop_test(tc, reserved_bits, 0, COUNT(golden));
	tcase_add_loop_test(tc, value_and_name, 0, COUNT(values));
	tcase_add_test(tc, each_error);
	tcase_add_loop_test(tc, swapped_bits, 0, COUNT(swapped));
	tcase_add_test(tc, random_octets);
	suite_add_tcase(suite, tc);
	return suite;
}
