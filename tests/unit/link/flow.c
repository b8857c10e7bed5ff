// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Flow-control packets, and their arithmetic modulo 4096. */
#include <check.h>
#include <string.h>
#include <linux/errno.h>
#include "link/credit/credit.h"
#include "tests/unit/suites.h"
#include "wire/flow.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* Octets computed by hand: 4 bits of operand and 12 of FCTBS, 4 of VL and 12 of FCCL. */
static const struct {
	struct hca_flow flow;
	u8 octets[4];
} golden[] = {
	{ { HCA_FLOW_NORMAL, 0, 0, 0 }, { 0x00, 0x00, 0x00, 0x00 } },
	{ { HCA_FLOW_INIT, 0, 0, 0x7ff }, { 0x10, 0x00, 0x07, 0xff } },
	{ { HCA_FLOW_NORMAL, 5, 0x123, 0xabc }, { 0x01, 0x23, 0x5a, 0xbc } },
	{ { HCA_FLOW_NORMAL, 14, 0xfff, 0x7fe }, { 0x0f, 0xff, 0xe7, 0xfe } },
};

/* The LPCRC, bit by bit as it is defined: polynomial 100Bh, seed of all ones, inverted (C4-153). */
static u16 lpcrc(const u8 *octets)
{
	u32 crc = 0xffff, i, bit;
	u16 turned = 0;

	for (i = 0; i < 32; i++) {
		bit = octets[i / 8] >> i % 8 & 1;
		crc = crc << 1 ^ ((crc >> 15 ^ bit) & 1 ? 0x1100b : 0);
		crc &= 0xffff;
	}
	for (i = 0; i < 16; i++)
		turned |= (crc >> i & 1) << (15 - i);
	return ~turned;
}

/* C4-147, C4-148 */
START_TEST(packet)
{
	u8 buf[HCA_FLOW_BYTES + 1];
	struct hca_flow back;
	u16 crc = lpcrc(golden[_i].octets);

	hca_flow_pack(&golden[_i].flow, buf);
	ck_assert_mem_eq(buf, golden[_i].octets, 4);
	ck_assert_uint_eq(buf[4], crc & 0xff);
	ck_assert_uint_eq(buf[5], crc >> 8);
	memset(&back, 0xee, sizeof(back));
	ck_assert_int_eq(hca_flow_parse(&back, buf, HCA_FLOW_BYTES), 0);
	ck_assert_uint_eq(back.op, golden[_i].flow.op);
	ck_assert_uint_eq(back.vl, golden[_i].flow.vl);
	ck_assert_uint_eq(back.fctbs, golden[_i].flow.fctbs);
	ck_assert_uint_eq(back.fccl, golden[_i].flow.fccl);
}
END_TEST

/* C4-160: LPCRC, operand, length. */
START_TEST(checked)
{
	struct hca_flow flow = { .op = HCA_FLOW_INIT, .vl = 3, .fctbs = 7, .fccl = 9 };
	u8 buf[HCA_FLOW_BYTES + 1] = { 0 };
	unsigned int bit;

	hca_flow_pack(&flow, buf);
	ck_assert_int_eq(hca_flow_parse(&flow, buf, HCA_FLOW_BYTES - 1), -EINVAL);
	ck_assert_int_eq(hca_flow_parse(&flow, buf, HCA_FLOW_BYTES + 1), -EINVAL);
	for (bit = 0; bit < 8 * HCA_FLOW_BYTES; bit++) {
		buf[bit / 8] ^= 1 << bit % 8;
		ck_assert_int_eq(hca_flow_parse(&flow, buf, HCA_FLOW_BYTES), -EBADMSG);
		buf[bit / 8] ^= 1 << bit % 8;
	}
	for (flow.op = 2; flow.op < 16; flow.op++) {
		struct hca_flow back;

		hca_flow_pack(&flow, buf);
		ck_assert_int_eq(hca_flow_parse(&back, buf, HCA_FLOW_BYTES), -EINVAL);
	}
}
END_TEST

/*
 * B4-447, C4-151: whether a packet may be sent. The specification compares modulo 4096, a port has
 * counters of 32 bits. Both agree wherever the counters are, across both wrap-arounds, and whatever
 * FCCL is advertised.
 */
START_TEST(rollover)
{
	static const u32 sent[] = { 0, 1, 2047, 2048, 4000, 4095, 4096, 0x7fffffff, 0xffffff00,
				    0xfffff000, 0xffffffff };
	u32 credit, blocks;
	int i;

	for (i = 0; i < COUNT(sent); i++)
		for (credit = 0; credit <= HCA_FLOW_MAX_CREDIT; credit++)
			for (blocks = 1; blocks <= 67; blocks += 3) {
				u16 fccl = (sent[i] + credit) & 0xfff;
				u32 limit = hca_flow_extend(sent[i], fccl);
				bool by_packet = ((fccl - sent[i] - blocks) & 0xfff) <= 2048;

				ck_assert_uint_eq(limit, sent[i] + credit);
				ck_assert_int_eq((s32)(limit - (sent[i] + blocks)) >= 0, by_packet);
			}
	/* An FCCL older than what has been sent forbids sending. */
	ck_assert_uint_eq(hca_flow_extend(10, 4095), (u32)-1);
	ck_assert_uint_eq(hca_flow_extend(5000, 4999 & 0xfff), 4999);
}
END_TEST

Suite *flow_suite(void)
{
	Suite *suite = suite_create("flow");
	TCase *tc = tcase_create("flow");

	tcase_add_loop_test(tc, packet, 0, COUNT(golden));
	tcase_add_test(tc, checked);
	tcase_add_test(tc, rollover);
	suite_add_tcase(suite, tc);
	return suite;
}
