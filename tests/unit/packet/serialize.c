// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Packets with a payload of their own, copies of packets, and packets in wire format. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <linux/bottom_half.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/random.h>
#include <linux/slab.h>
#include "packet/payload.h"
#include "packet/serialize.h"
#include "shim.h"
#include "tests/unit/fixture/pair.h"
#include "tests/unit/suites.h"
#include "transport/payload.h"
#include "wire/opcode.h"

static struct hca_packet_pool pool;

static void setup(void)
{
	shim_reset(1);
	hca_packet_pool_init(&pool, NULL, 4);
	local_bh_disable();
}

static void teardown(void)
{
	local_bh_enable();
	hca_packet_pool_destroy(&pool);
	ck_assert_uint_eq(shim_live_allocations(), 0);
}

/* The specification's example of an ICRC, as in tests/golden/rc-write-only.txt. */
static const u8 example[] = {
	0x70, 0x12, 0x37, 0x5c, 0x00, 0x0e, 0x17, 0xd2, 0x0a, 0x20, 0x24, 0x87, 0x00, 0x87, 0xb1,
	0xb3, 0x00, 0x0d, 0xec, 0x2a, 0x01, 0x71, 0x0a, 0x1c, 0x01, 0x5d, 0x40, 0x02, 0x38, 0xf2,
	0x7a, 0x05, 0x00, 0x00, 0x00, 0x0e, 0xbb, 0x88, 0x4d, 0x85, 0xfd, 0x5c, 0xfb, 0xa4, 0x72,
	0x8b, 0xc0, 0x69, 0x0e, 0xd4, 0x00, 0x00, 0x96, 0x25, 0xb7, 0x5a, 0x45, 0xfa,
};

/* B4-449, B4-450, B4-101: a packet is parsed and serialized again to identical octets. */
START_TEST(b4_449_example)
{
	struct hca_packet *pkt = hca_packet_alloc(&pool);
	u8 wire[sizeof(example)];

	ck_assert_int_eq(hca_packet_deserialize(pkt, example, sizeof(example)), 0);
	ck_assert_uint_eq(pkt->payload_length, 14);
	ck_assert_uint_eq(pkt->h.reth.length, 14);
	ck_assert_mem_eq(pkt->data, example + 36, 14);
	ck_assert_uint_eq(pkt->blocks, 1);
	ck_assert_uint_eq(hca_packet_bytes(pkt), sizeof(example));
	hca_packet_serialize(pkt, wire);
	ck_assert_mem_eq(wire, example, sizeof(example));
	hca_packet_free(pkt);
}
END_TEST

/* C4-152, C4-153, C4-158: a packet with any single wrong bit is rejected. */
START_TEST(c4_153_each_bit)
{
	struct hca_packet *pkt = hca_packet_alloc(&pool);
	u8 wire[sizeof(example)];
	unsigned int bit;

	for (bit = 0; bit < sizeof(example) * 8; bit++) {
		memcpy(wire, example, sizeof(wire));
		wire[bit / 8] ^= 1 << bit % 8;
		ck_assert_int_eq(hca_packet_deserialize(pkt, wire, sizeof(wire)), -EBADMSG);
	}
	hca_packet_free(pkt);
}
END_TEST

/* C4-158: lengths are contradictory, or the packet is truncated. */
START_TEST(c4_158_lengths)
{
	struct hca_packet *pkt = hca_packet_alloc(&pool), *wrong = hca_packet_alloc(&pool);
	u8 wire[HCA_MAX_WIRE_BYTES] = {};
	unsigned int len;

	for (len = 0; len < sizeof(example); len++) {
		u8 *exact = malloc(len);

		memcpy(exact, example, len);
		ck_assert_int_lt(hca_packet_deserialize(pkt, exact, len), 0);
		free(exact);
	}
	ck_assert_int_eq(hca_packet_deserialize(pkt, wire, sizeof(wire) + 1), -EINVAL);

	ck_assert_int_eq(hca_packet_deserialize(wrong, example, sizeof(example)), 0);
	wrong->h.lrh.pktlen++;
	hca_packet_serialize(wrong, wire);
	ck_assert_int_eq(hca_packet_deserialize(pkt, wire, sizeof(example)), -EINVAL);
	wrong->h.lrh.pktlen--;
	/* one octet more requires a word more, which PktLen of the LRH does not count */
	wrong->h.bth.padcnt = 3;
	hca_packet_serialize(wrong, wire);
	ck_assert_int_eq(hca_packet_deserialize(pkt, wire, sizeof(example) + 1), -EINVAL);
	hca_packet_free(wrong);
	hca_packet_free(pkt);
}
END_TEST

/* C4-072: raw packets have whole words, at least five; the receiver checks that. */
START_TEST(c4_072_raw_lengths)
{
	struct hca_packet *pkt = hca_packet_alloc(&pool), *back = hca_packet_alloc(&pool);
	u8 wire[100];

	memset(&pkt->h, 0, sizeof(pkt->h));
	memset(pkt->data, 0, sizeof(pkt->data));
	pkt->h.lrh.lnh = _i ? IB_LNH_RAW : IB_LNH_IP;
	for (pkt->payload_length = 0; pkt->payload_length <= 40; pkt->payload_length += 4) {
		hca_packet_finish(pkt);
		hca_packet_serialize(pkt, wire);
		ck_assert_int_eq(hca_packet_deserialize(back, wire, hca_packet_bytes(pkt)),
				 8 + (_i ? 4 : 0) + pkt->payload_length < 20 ? -EINVAL : 0);
	}
	hca_packet_free(pkt);
	hca_packet_free(back);
}
END_TEST

static struct hca_packet *random_packet(u32 payload)
{
	struct hca_packet *pkt = hca_packet_alloc(&pool);
	u8 raw[HCA_MAX_HEADER_BYTES], opcode;

	do
		opcode = get_random_u32();
	while (!hca_opcodes[opcode].name);
	get_random_bytes(raw, sizeof(raw));
	raw[0] &= 0xf0; /* LVer */
	raw[1] = (raw[1] & ~3) | (get_random_u32() & 1 ? IB_LNH_IBA_GLOBAL : IB_LNH_IBA_LOCAL);
	raw[(raw[1] & 3) == IB_LNH_IBA_GLOBAL ? 48 : 8] = opcode;
	memset(&pkt->h, 0, sizeof(pkt->h));
	ck_assert_int_gt(hca_headers_parse(&pkt->h, raw, sizeof(raw)), 0);
	pkt->payload_length = payload;
	if (payload > HCA_INLINE_BYTES) {
		pkt->buffer = kmalloc(payload, GFP_ATOMIC);
		pkt->payload_kind = HCA_PAYLOAD_GATHERED;
	}
	get_random_bytes((u8 *)hca_packet_payload(pkt), payload);
	hca_packet_finish(pkt);
	return pkt;
}

static void check_same(const struct hca_packet *one, const struct hca_packet *two)
{
	ck_assert_mem_eq(&one->h, &two->h, sizeof(one->h));
	ck_assert_uint_eq(one->blocks, two->blocks);
	ck_assert_uint_eq(one->payload_length, two->payload_length);
	ck_assert_mem_eq(hca_packet_payload(one), hca_packet_payload(two), one->payload_length);
}

/* Random opcodes, routes and lengths survive serialization and parsing. */
START_TEST(random_round_trip)
{
	static const u32 lengths[] = { 0, 1, 2, 3, 4, 255, 256, 257, 1023, 4095, 4096 };
	u8 *wire = malloc(HCA_MAX_WIRE_BYTES);
	struct hca_packet *pkt, *back;
	int i;

	for (i = 0; i < 2000; i++) {
		pkt = random_packet(lengths[i % ARRAY_SIZE(lengths)]);
		back = hca_packet_alloc(&pool);
		memset(&back->h, 0, sizeof(back->h));
		hca_packet_serialize(pkt, wire);
		ck_assert_int_eq(hca_packet_deserialize(back, wire, hca_packet_bytes(pkt)), 0);
		check_same(pkt, back);
		hca_packet_free(back);
		hca_packet_free(pkt);
	}
	free(wire);
}
END_TEST

START_TEST(copies)
{
	struct hca_packet *pkt = random_packet(_i), *copy = hca_packet_copy(pkt);

	ck_assert_ptr_nonnull(copy);
	check_same(pkt, copy);
	/* Packet and copy have separate payloads. */
	ck_assert_ptr_ne(hca_packet_payload(pkt), hca_packet_payload(copy));
	hca_packet_free(pkt);
	hca_packet_free(copy);
}
END_TEST

/* Without memory, or without a packet in the pool, no copy is made, and nothing leaks. */
START_TEST(copy_without_memory)
{
	struct hca_packet *pkt = random_packet(1000), *back = hca_packet_alloc(&pool);
	u8 *wire = malloc(HCA_MAX_WIRE_BYTES);

	shim_fail_alloc(1);
	ck_assert_ptr_null(hca_packet_copy(pkt));
	shim_fail_alloc(2);
	ck_assert_ptr_null(hca_packet_copy(pkt));
	hca_packet_serialize(pkt, wire);
	shim_fail_alloc(1);
	ck_assert_int_eq(hca_packet_deserialize(back, wire, hca_packet_bytes(pkt)), -ENOMEM);
	shim_fail_alloc(0);
	pool.limit = 2;
	ck_assert_ptr_null(hca_packet_copy(pkt));
	hca_packet_free(pkt);
	hca_packet_free(back);
	free(wire);
}
END_TEST

/*
 * A payload of segments of two MRs becomes the packet's own copy, unless the memory is
 * deregistered.
 */
START_TEST(gathered)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0];
	struct hca_packet *pkt;
	u8 expected[4000];

	pair_fill(a, 100, sizeof(expected), 7);
	pair_read(a, 100, expected, sizeof(expected));
	local_bh_disable();
	pkt = hca_packet_alloc(&a->ca.pool);
	hca_payload_borrow(pkt, a->entry, pair_addr(a, 100), sizeof(expected), 1);
	shim_fail_alloc(1);
	ck_assert_int_eq(hca_packet_gather(pkt), -ENOMEM);
	shim_fail_alloc(0);
	ck_assert_int_eq(pkt->payload_kind, HCA_PAYLOAD_BORROWED);
	ck_assert_int_eq(hca_packet_gather(pkt), 0);
	ck_assert_int_eq(pkt->payload_kind, HCA_PAYLOAD_GATHERED);
	ck_assert_mem_eq(hca_packet_payload(pkt), expected, sizeof(expected));
	ck_assert_int_eq(hca_packet_gather(pkt), 0);
	hca_packet_free(pkt);

	pkt = hca_packet_alloc(&a->ca.pool);
	hca_payload_borrow(pkt, a->entry, pair_addr(a, 100), sizeof(expected), 1);
	pkt->fragment[0].generation++;
	ck_assert_int_eq(hca_packet_gather(pkt), -ESTALE);
	ck_assert_ptr_null(hca_packet_copy(pkt));
	hca_packet_free(pkt);
	local_bh_enable();
	pair_free(pair);
}
END_TEST

Suite *serialize_suite(void)
{
	Suite *suite = suite_create("serialize");
	TCase *tc = tcase_create("wire format");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, b4_449_example);
	tcase_add_test(tc, c4_153_each_bit);
	tcase_add_test(tc, c4_158_lengths);
	tcase_add_loop_test(tc, c4_072_raw_lengths, 0, 2);
	tcase_add_test(tc, random_round_trip);
	tcase_add_loop_test(tc, copies, 255, 259);
	tcase_add_test(tc, copy_without_memory);
	tcase_set_timeout(tc, 60);
	suite_add_tcase(suite, tc);

	tc = tcase_create("gather");
	tcase_add_test(tc, gathered);
	suite_add_tcase(suite, tc);
	return suite;
}
