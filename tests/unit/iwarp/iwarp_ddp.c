// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* DDP headers: octets worked out by hand, reserved bits, truncations. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include "iwarp/wire/ddp.h"
#include "tests/unit/suites.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define RESERVED 0x3c /* of the first octet */

/* P1-051, P1-052: 14 octets of a tagged header, 18 of an untagged one. */
static const struct {
	struct hca_ddp ddp;
	u8 octets[HCA_DDP_BYTES_MAX];
	u32 bytes;
} golden[] = {
	{ { .tagged = true, .last = true, .version = 1, .ulp = 0x40, .stag = 0x01020304,
	    .to = 0x1112131415161718 },
	  { 0xc1, 0x40, 1, 2, 3, 4, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18 }, 14 },
	{ { .tagged = true, .version = 1, .ulp = 0x42, .stag = 0xffffffff, .to = ~0ull },
	  { 0x81, 0x42, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff },
	  14 },
	{ { .last = true, .version = 1, .ulp = 0x43, .qn = 0, .msn = 1 },
	  { 0x41, 0x43, [13] = 1 }, 18 },
	/* P1-022: RsvdULP has five octets in an untagged header. */
	{ { .version = 1, .ulp = 0x46, .ulp_tail = 0xa1a2a3a4, .qn = 0xb1b2b3b4,
	    .msn = 0xc1c2c3c4, .mo = 0xd1d2d3d4 },
	  { 0x01, 0x46, 0xa1, 0xa2, 0xa3, 0xa4, 0xb1, 0xb2, 0xb3, 0xb4, 0xc1, 0xc2, 0xc3, 0xc4,
	    0xd1, 0xd2, 0xd3, 0xd4 }, 18 },
};

/* Parses octets that lie at the very end of an allocation. */
static u32 parse(struct hca_ddp *ddp, const u8 *octets, u32 len)
{
	u8 *buf = malloc(len + 1);
	u32 bytes;

	memcpy(buf + 1, octets, len);
	bytes = hca_ddp_parse(ddp, buf + 1, len);
	free(buf);
	return bytes;
}

static void assert_same(const struct hca_ddp *a, const struct hca_ddp *b)
{
	ck_assert_int_eq(a->tagged, b->tagged);
	ck_assert_int_eq(a->last, b->last);
	ck_assert_uint_eq(a->version, b->version);
	ck_assert_uint_eq(a->ulp, b->ulp);
	if (a->tagged) {
		ck_assert_uint_eq(a->stag, b->stag);
		ck_assert_uint_eq(a->to, b->to);
	} else {
		ck_assert_uint_eq(a->ulp_tail, b->ulp_tail);
		ck_assert_uint_eq(a->qn, b->qn);
		ck_assert_uint_eq(a->msn, b->msn);
		ck_assert_uint_eq(a->mo, b->mo);
	}
}

/* P1-021, P1-022: what DDP carries for RDMAP is sent and handed up as it is. */
START_TEST(golden_octets)
{
	u8 *packed = malloc(HCA_DDP_BYTES_MAX);
	struct hca_ddp ddp;

	memset(packed, 0xee, HCA_DDP_BYTES_MAX);
	ck_assert_uint_eq(hca_ddp_pack(&golden[_i].ddp, packed), golden[_i].bytes);
	ck_assert_mem_eq(packed, golden[_i].octets, golden[_i].bytes);
	ck_assert(golden[_i].bytes == HCA_DDP_BYTES_MAX || packed[golden[_i].bytes] == 0xee);
	free(packed);
	ck_assert_uint_eq(parse(&ddp, golden[_i].octets, golden[_i].bytes), golden[_i].bytes);
	assert_same(&ddp, &golden[_i].ddp);
	ck_assert_uint_eq(hca_ddp_bytes(golden[_i].octets[0]), golden[_i].bytes);
}
END_TEST

START_TEST(truncated)
{
	struct hca_ddp ddp, untouched;
	u32 len;

	memset(&untouched, 0x5a, sizeof(untouched));
	for (len = 0; len < golden[_i].bytes; len++) {
		ddp = untouched;
		ck_assert_uint_eq(parse(&ddp, golden[_i].octets, len), 0);
		ck_assert_mem_eq(&ddp, &untouched, sizeof(ddp));
	}
}
END_TEST

/* Reserved bits that are set change nothing. */
START_TEST(reserved_bits)
{
	u8 octets[HCA_DDP_BYTES_MAX];
	struct hca_ddp ddp;

	memcpy(octets, golden[_i].octets, sizeof(octets));
	octets[0] |= RESERVED;
	ck_assert_uint_eq(parse(&ddp, octets, sizeof(octets)), golden[_i].bytes);
	assert_same(&ddp, &golden[_i].ddp);
}
END_TEST

/* P1-T02: random headers are read as they were written, and no reserved bit is ever sent. */
START_TEST(random_headers)
{
	u8 octets[HCA_DDP_BYTES_MAX], packed[HCA_DDP_BYTES_MAX];
	struct hca_ddp ddp;
	u32 n, i, bytes;

	srandom(1);
	for (n = 0; n < 20000; n++) {
		for (i = 0; i < sizeof(octets); i++)
			octets[i] = random() >> 8;
		bytes = parse(&ddp, octets, sizeof(octets));
		ck_assert_uint_eq(hca_ddp_pack(&ddp, packed), bytes);
		octets[0] &= ~RESERVED;
		ck_assert_mem_eq(packed, octets, bytes);
	}
}
END_TEST

Suite *iwarp_ddp_suite(void)
{
	Suite *suite = suite_create("iwarp_ddp");
	TCase *tc = tcase_create("iwarp_ddp");

	tcase_add_loop_test(tc, golden_octets, 0, COUNT(golden));
	tcase_add_loop_test(tc, truncated, 0, COUNT(golden));
	tcase_add_loop_test(tc, reserved_bits, 0, COUNT(golden));
	tcase_add_test(tc, random_headers);
	suite_add_tcase(suite, tc);
	return suite;
}
