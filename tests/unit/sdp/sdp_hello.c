// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* SDP's Hello and HelloAck of both bindings: octets worked out by hand, and what is refused. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <linux/errno.h>
#include "sdp/protocol/hello.h"
#include "sdp/protocol/wire.h"
#include "tests/unit/suites.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

#define IPV4(a, b, c, d) { [10] = 0xff, 0xff, a, b, c, d }

/* Octets that are not named are zero. */
static const struct {
	enum sdp_binding binding;
	bool ack;
	u32 size; /* octets of private data */
	u32 used; /* octets that have a meaning */
	struct sdp_hello hello;
	u8 octets[SDP_HELLO_ACK_MAX];
} golden[] = {
	/*
	 * S2-050, S2-051, S2-054, S2-056 to S2-059: BSDH; versions, Rsvd, MaxAdverts, DesRemRcvSz,
	 * LocalRcvSz, ORD, IRD
	 */
	{ SDP_BINDING_IWARP, false, 32, 32,
	  { .bufs = 0x1234, .max_adverts = 0x5678, .size = 0x01020304, .desired_size = 0x0a0b0c0d,
	    .ird = 0x1718, .ord = 0x191a },
	  { 0x00, 0, 0x12, 0x34, 0, 0, 0, 32, 0, 0, 0, 0, 0, 0, 0, 0, /* S2-018 */
	    0x11, 0, 0x56, 0x78, 0x0a, 0x0b, 0x0c, 0x0d, 0x01, 0x02, 0x03, 0x04,
	    0x19, 0x1a, 0x17, 0x18 } },
	/* S2-019, S2-060, S2-061, S2-064 to S2-066: BSDH; versions, MaxAdverts, ActRcvSz, ... */
	{ SDP_BINDING_IWARP, true, 28, 28,
	  { .bufs = 3, .max_adverts = 0xffff, .size = 0x80000000, .ird = 1, .ord = 0xffff },
	  { 0x01, 0, 0x00, 0x03, 0, 0, 0, 28, 0, 0, 0, 0, 0, 0, 0, 0,
	    0x11, 0, 0xff, 0xff, 0x80, 0x00, 0x00, 0x00, 0xff, 0xff, 0x00, 0x01 } },
	/* IBA, IPv4: addresses in the last four octets of their fields */
	{ SDP_BINDING_IBA, false, 92, 64,
	  { .bufs = 0x0040, .max_adverts = 0x7f, .size = 37, .desired_size = 0x00008000,
	    .port = 0xc0de, .src = IPV4(10, 1, 2, 3), .dst = IPV4(192, 168, 7, 9) },
	  { 0x00, 0, 0x00, 0x40, 0, 0, 0, 92, 0, 0, 0, 0, 0, 0, 0, 0,
	    0x11, 0x40, 0, 0x7f, 0x00, 0x00, 0x80, 0x00, 0x00, 0x00, 0x00, 37, 0xc0, 0xde, 0, 0,
	    [44] = 10, 1, 2, 3, [60] = 192, 168, 7, 9 } },
	/* IBA, IPv6 */
	{ SDP_BINDING_IBA, false, 92, 64,
	  { .bufs = 0xffff, .max_adverts = 1, .size = 0x10000, .desired_size = 0x20000,
	    .port = 0x0102, .src = { 0xfe, 0x80, [8] = 2, 0xc9, [14] = 0xab, 0xcd },
	    .dst = { 0x20, 0x01, 0x0d, 0xb8, [15] = 1 } },
	  { 0x00, 0, 0xff, 0xff, 0, 0, 0, 92, 0, 0, 0, 0, 0, 0, 0, 0,
	    0x11, 0x60, 0, 1, 0x00, 0x02, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x01, 0x02, 0, 0,
	    0xfe, 0x80, 0, 0, 0, 0, 0, 0, 2, 0xc9, 0, 0, 0, 0, 0xab, 0xcd,
	    0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1 } },
	{ SDP_BINDING_IBA, true, 196, 24,
	  { .bufs = 0x0102, .max_adverts = 0xff, .size = 0x00010203 },
	  { 0x01, 0, 0x01, 0x02, 0, 0, 0, 196, 0, 0, 0, 0, 0, 0, 0, 0,
	    0x11, 0, 0, 0xff, 0x00, 0x01, 0x02, 0x03 } },
};

/* Parses octets that lie at the very end of an allocation. */
static int parse(int i, struct sdp_hello *hello, const u8 *octets, u32 length)
{
	u8 *buf = malloc(length ? length : 1), *at = length ? buf : buf + 1;
	int err;

	memset(hello, 0xee, sizeof(*hello));
	memcpy(buf, octets, length);
	if (golden[i].ack)
		err = sdp_hello_ack_parse(golden[i].binding, hello, at, length);
	else
		err = sdp_hello_parse(golden[i].binding, hello, at, length);
	free(buf);
	return err;
}

static void same(const struct sdp_hello *a, const struct sdp_hello *b)
{
	ck_assert_uint_eq(a->bufs, b->bufs);
	ck_assert_uint_eq(a->max_adverts, b->max_adverts);
	ck_assert_uint_eq(a->size, b->size);
	ck_assert_uint_eq(a->desired_size, b->desired_size);
	ck_assert_uint_eq(a->ird, b->ird);
	ck_assert_uint_eq(a->ord, b->ord);
	ck_assert_uint_eq(a->port, b->port);
	ck_assert_mem_eq(a->src, b->src, 16);
	ck_assert_mem_eq(a->dst, b->dst, 16);
}

/* S2-049, S2-A1, S2-A8, S2-T01: each message is written as it is, and read as it was. */
START_TEST(octets)
{
	u8 *packed = malloc(golden[_i].size);
	struct sdp_hello back;
	u32 size;

	memset(packed, 0xee, golden[_i].size);
	if (golden[_i].ack)
		size = sdp_hello_ack_pack(golden[_i].binding, &golden[_i].hello, packed);
	else
		size = sdp_hello_pack(golden[_i].binding, &golden[_i].hello, packed);
	ck_assert_uint_eq(size, golden[_i].size);
	/* S2-053, S2-059, S2-063, S2-066, S2-T04 */
	ck_assert_mem_eq(packed, golden[_i].octets, size);
	free(packed);
	ck_assert_int_eq(parse(_i, &back, golden[_i].octets, size), 0);
	same(&back, &golden[_i].hello);
}
END_TEST

/* S2-T03: whatever Len is, what is too short is refused, and Len must be within what there is. */
START_TEST(truncated)
{
	u32 used = golden[_i].used, size = golden[_i].size, n, len;
	u8 buf[SDP_HELLO_ACK_MAX];
	struct sdp_hello hello;

	memcpy(buf, golden[_i].octets, size);
	for (n = 0; n <= size; n++)
		for (len = 0; len < 256; len++) {
			bool legal = n >= used && len >= used && len <= n;

			buf[7] = len;
			ck_assert_int_eq(parse(_i, &hello, buf, n), legal ? 0 : -EINVAL);
		}
	buf[4] = 1;
	ck_assert_int_eq(parse(_i, &hello, buf, size), -EINVAL);
}
END_TEST

/* S2-T05: each octet of versions. Implementations of IBA's annex send 0x11 and 0x22. */
START_TEST(versions)
{
	bool iba = golden[_i].binding == SDP_BINDING_IBA;
	u8 buf[SDP_HELLO_ACK_MAX];
	struct sdp_hello hello;
	u32 version;

	memcpy(buf, golden[_i].octets, golden[_i].size);
	for (version = 0; version < 256; version++) {
		u32 major = version >> 4;
		bool legal = major == 1 || (iba && major == 2); /* S2-052, S2-062 */

		buf[16] = version;
		/* S2-134, S2-139 */
		ck_assert_int_eq(parse(_i, &hello, buf, golden[_i].size), legal ? 0 : -EINVAL);
		if (legal)
			same(&hello, &golden[_i].hello); /* S2-053, S2-063 */
	}
}
END_TEST

#define IWARP_HELLO 0
#define IWARP_ACK 1
#define IBA_HELLO 2
#define IBA_ACK 4

/* Golden messages with @octets changed at @at. */
static const struct {
	int message;
	u8 at;
	u8 count;
	u8 octets[4];
	int err;
} changes[] = {
	/* MID */
	{ IWARP_HELLO, 0, 1, { 0x01 }, -EINVAL },
	{ IWARP_ACK, 0, 1, { 0x00 }, -EINVAL },
	{ IBA_HELLO, 0, 1, { 0xff }, -EINVAL },
	{ IBA_ACK, 0, 1, { 0x00 }, -EINVAL },
	/* S2-050, S2-060: MSeq and MSeqAck do not matter. */
	{ IWARP_HELLO, 8, 4, { 1, 2, 3, 4 }, 0 },
	{ IWARP_ACK, 12, 4, { 1, 2, 3, 4 }, 0 },
	/* S2-220, S2-226, S2-T05: private buffers */
	{ IWARP_HELLO, 2, 2, { 0, 2 }, -EINVAL },
	{ IWARP_ACK, 2, 2, { 0, 0 }, -EINVAL },
	{ IBA_HELLO, 2, 2, { 0, 2 }, -EINVAL },
	{ IBA_ACK, 2, 2, { 0, 2 }, -EINVAL },
	{ IBA_ACK, 2, 2, { 0, 3 }, 0 },
	/* S2-054, S2-064, S2-315: advertisements */
	{ IWARP_HELLO, 18, 2, { 0, 0 }, -EINVAL },
	{ IWARP_HELLO, 18, 2, { 1, 0 }, 0 },
	{ IWARP_ACK, 18, 2, { 0, 0 }, -EINVAL },
	{ IBA_HELLO, 19, 1, { 0 }, -EINVAL },
	{ IBA_ACK, 19, 1, { 0 }, -EINVAL },
	/* S2-056, S2-065, S2-222: octets of a private buffer */
	{ IWARP_HELLO, 24, 4, { 0, 0, 0, 36 }, -EINVAL },
	{ IWARP_HELLO, 24, 4, { 0, 0, 0, 37 }, 0 },
	{ IWARP_HELLO, 24, 4, { 0x80, 0, 0, 0 }, 0 },
	{ IWARP_HELLO, 24, 4, { 0x80, 0, 0, 1 }, -EINVAL },
	{ IWARP_ACK, 20, 4, { 0, 0, 0, 36 }, -EINVAL },
	{ IWARP_ACK, 20, 4, { 0, 0, 0, 37 }, 0 },
	{ IWARP_ACK, 20, 4, { 0x80, 0, 0, 1 }, -EINVAL },
	{ IBA_HELLO, 24, 4, { 0, 0, 0, 36 }, -EINVAL },
	{ IBA_HELLO, 24, 4, { 0xff, 0xff, 0xff, 0xff }, -EINVAL },
	{ IBA_ACK, 20, 4, { 0, 0, 0, 0 }, -EINVAL },
	{ IBA_ACK, 20, 4, { 0x80, 0, 0, 0 }, 0 },
	{ IBA_ACK, 20, 4, { 0x80, 0, 0, 1 }, -EINVAL },
	/* S2-057, S2-058, S2-066, S2-315: RDMA Reads */
	{ IWARP_HELLO, 28, 2, { 0, 0 }, -EINVAL },
	{ IWARP_HELLO, 30, 2, { 0, 0 }, -EINVAL },
	{ IWARP_ACK, 24, 2, { 0, 0 }, -EINVAL },
	{ IWARP_ACK, 26, 2, { 0, 0 }, -EINVAL },
	/* Reserved: S2-059, S2-066, S2-T04 */
	{ IWARP_HELLO, 17, 1, { 0xff }, 0 },
	{ IWARP_ACK, 17, 1, { 0xff }, 0 },
	{ IBA_HELLO, 18, 1, { 0xff }, 0 },
	{ IBA_HELLO, 30, 2, { 0xff, 0xff }, 0 },
	{ IBA_HELLO, 64, 4, { 1, 2, 3, 4 }, 0 },
	{ IBA_ACK, 17, 2, { 0xff, 0xff }, 0 },
	{ IBA_ACK, 24, 4, { 1, 2, 3, 4 }, 0 },
	/* The version of IP, and its capabilities, which do not matter */
	{ IBA_HELLO, 17, 1, { 0x4f }, 0 },
	{ IBA_HELLO, 17, 1, { 0x60 }, 0 },
	{ IBA_HELLO, 17, 1, { 0x00 }, -EINVAL },
	{ IBA_HELLO, 17, 1, { 0x50 }, -EINVAL },
	{ IBA_HELLO, 17, 1, { 0x70 }, -EINVAL },
	{ IBA_HELLO, 17, 1, { 0x04 }, -EINVAL },
	{ IBA_HELLO, 17, 1, { 0xc0 }, -EINVAL },
};

START_TEST(changed)
{
	int i = changes[_i].message;
	u8 buf[SDP_HELLO_ACK_MAX];
	struct sdp_hello hello;

	memcpy(buf, golden[i].octets, golden[i].size);
	memcpy(buf + changes[_i].at, changes[_i].octets, changes[_i].count);
	ck_assert_int_eq(parse(i, &hello, buf, golden[i].size), changes[_i].err);
}
END_TEST

/* The octets in front of the four of an IPv4 address do not matter. */
START_TEST(ipv4_rest)
{
	u8 buf[SDP_HELLO_MAX];
	struct sdp_hello hello;

	memcpy(buf, golden[IBA_HELLO].octets, SDP_HELLO_MAX);
	memset(buf + 32, 0x5a, 12);
	memset(buf + 48, 0xa5, 12);
	ck_assert_int_eq(parse(IBA_HELLO, &hello, buf, SDP_HELLO_MAX), 0);
	same(&hello, &golden[IBA_HELLO].hello);
}
END_TEST

/* Any octets are accepted or refused, and no octet behind them is read. */
START_TEST(random_octets)
{
	u8 buf[SDP_HELLO_ACK_MAX];
	struct sdp_hello hello;
	u32 n, i;

	srandom(_i);
	for (n = 0; n < 20000; n++) {
		u32 length = random() % (golden[_i].size + 1), count = random() % 4;

		memcpy(buf, golden[_i].octets, golden[_i].size);
		buf[7] = length;
		for (i = 0; i < count; i++)
			buf[random() % golden[_i].size] = random() >> 8;
		if (parse(_i, &hello, buf, length))
			continue;
		ck_assert_uint_ge(length, golden[_i].used);
		ck_assert_uint_ge(hello.bufs, SDP_BUFS_MIN);
		ck_assert_uint_ge(hello.max_adverts, 1);
		ck_assert(hello.size >= SDP_SIZE_MIN && hello.size <= SDP_SIZE_MAX);
	}
}
END_TEST

Suite *sdp_hello_suite(void)
{
	Suite *suite = suite_create("sdp_hello");
	TCase *tc = tcase_create("sdp_hello");

	tcase_add_loop_test(tc, octets, 0, COUNT(golden));
	tcase_add_loop_test(tc, truncated, 0, COUNT(golden));
	tcase_add_loop_test(tc, versions, 0, COUNT(golden));
	tcase_add_loop_test(tc, changed, 0, COUNT(changes));
	tcase_add_test(tc, ipv4_rest);
	tcase_add_loop_test(tc, random_octets, 0, COUNT(golden));
	suite_add_tcase(suite, tc);
	return suite;
}
