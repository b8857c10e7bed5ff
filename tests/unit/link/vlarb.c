// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * VL arbitration: the choice of the next packet, by both tables and the limit of high priority
 * (C4-144, B4-443).
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include "link/port/port.h"
#include "tests/unit/suites.h"

static struct hca_port port;

static void setup(void)
{
	memset(&port, 0, sizeof(port));
	port.tx.arbiter.high_left = 1;
}

/* Let VLs send @total packets, those of VL n of length[n] blocks; count the blocks of each. */
static void run(u16 ready, const u16 *length, unsigned int total, u64 *sent)
{
	memset(sent, 0, HCA_DATA_VLS * sizeof(*sent));
	while (total--) {
		u8 vl = hca_arbiter_choose(&port, ready);

		ck_assert_uint_lt(vl, HCA_DATA_VLS);
		ck_assert(ready & 1 << vl);
		hca_arbiter_sent(&port, length[vl]);
		sent[vl] += length[vl];
	}
}

/* Each VL has its share within 2 %, whatever the lengths of its packets and the others'. */
static void check_shares(const u64 *sent, const unsigned int *weight, int vls)
{
	double all = 0, weights = 0;
	int vl;

	for (vl = 0; vl < vls; vl++) {
		all += sent[vl];
		weights += weight[vl];
	}
	for (vl = 0; vl < vls; vl++)
		ck_assert_double_eq_tol(sent[vl] / all, weight[vl] / weights, 0.02);
}

static const struct {
	unsigned int weight[4];
	u16 length[4];
} mixes[] = {
	{ { 1, 3, 0, 0 }, { 66, 66, 1, 1 } },
	{ { 1, 3, 0, 0 }, { 66, 5, 1, 1 } },
	{ { 255, 1, 0, 0 }, { 1, 66, 1, 1 } },
	{ { 10, 20, 30, 40 }, { 66, 33, 17, 5 } },
	{ { 64, 64, 64, 64 }, { 66, 1, 20, 3 } },
	{ { 255, 255, 128, 1 }, { 9, 66, 18, 2 } },
};

START_TEST(shares)
{
	int where = _i % 2, mix = _i / 2, vl;
	u64 sent[HCA_DATA_VLS];

	port.info.vl_high_limit = 255;
	for (vl = 0; vl < 4; vl++)
		hca_vlarb_set(where ? &port.tables.vlarb_high : &port.tables.vlarb_low, 7 * vl, vl,
			      mixes[mix].weight[vl]);
	/* The last two VLs have packets, but are in no table while others send. */
	run(0xf, mixes[mix].length, 20000, sent);
	check_shares(sent, mixes[mix].weight, 4);
}
END_TEST

/* A VL in several entries has the sum of their weights, and turns more often. */
START_TEST(several_entries)
{
	static const unsigned int weight[] = { 40, 40 };
	static const u16 length[] = { 5, 5 };
	unsigned int i, changes = 0;
	u64 sent[HCA_DATA_VLS];
	u8 vl, last = 9;

	for (i = 0; i < HCA_VLARB_ENTRIES; i += 2) {
		hca_vlarb_set(&port.tables.vlarb_low, i, 0, 5);
		hca_vlarb_set(&port.tables.vlarb_low, i + 1, 1, 5);
	}
	run(3, length, 10000, sent);
	check_shares(sent, weight, 2);
	for (i = 0; i < 100; i++) {
		vl = hca_arbiter_choose(&port, 3);
		hca_arbiter_sent(&port, 5);
		changes += vl != last;
		last = vl;
	}
	ck_assert_uint_ge(changes, 99);
}
END_TEST

/* The share of an idle VL goes to the others, and the VL does not save it up. */
START_TEST(idle)
{
	static const unsigned int weight[] = { 10, 30 };
	static const u16 length[] = { 5, 5 };
	u64 sent[HCA_DATA_VLS];

	hca_vlarb_set(&port.tables.vlarb_low, 0, 0, 10);
	hca_vlarb_set(&port.tables.vlarb_low, 1, 1, 30);
	ck_assert_uint_eq(hca_arbiter_choose(&port, 0), HCA_NO_VL);
	run(1, length, 1000, sent);
	ck_assert_uint_eq(sent[0], 5000);
	run(3, length, 800, sent);
	check_shares(sent, weight, 2);
	ck_assert_uint_eq(hca_arbiter_choose(&port, 0), HCA_NO_VL);
}
END_TEST

/*
 * C4-145: the limit, in units of 4 KiB, of what high priority sends before low priority has an
 * opportunity.
 */
START_TEST(high_limit)
{
	static const struct {
		u8 limit;
		u16 length;
		/* packets of high priority for each of low priority; 0: unlimited */
		unsigned int packets;
	} cases[] = {
		{ 0, 1, 1 },   { 0, 66, 1 },   { 1, 64, 1 },   { 1, 66, 1 },   { 1, 1, 64 },
		{ 1, 20, 4 },  { 10, 64, 10 }, { 10, 66, 10 }, { 254, 64, 254 }, { 255, 66, 0 },
	};
	unsigned int row = 0, i;
	u8 vl;

	port.info.vl_high_limit = cases[_i].limit;
	port.tx.arbiter.high_left = cases[_i].limit ? cases[_i].limit * 64 : 1;
	hca_vlarb_set(&port.tables.vlarb_high, 0, 4, 7);
	hca_vlarb_set(&port.tables.vlarb_low, 0, 2, 7);
	for (i = 0; i < 2000; i++) {
		vl = hca_arbiter_choose(&port, 1 << 4 | 1 << 2);
		hca_arbiter_sent(&port, cases[_i].length);
		if (vl == 4) {
			row++;
			ck_assert(!cases[_i].packets || row <= cases[_i].packets);
		} else {
			ck_assert_uint_eq(vl, 2);
			ck_assert(cases[_i].packets);
			ck_assert_uint_eq(row, cases[_i].packets);
			row = 0;
		}
	}
}
END_TEST

/* Low priority has no packets at its opportunity: high priority continues. */
START_TEST(high_alone)
{
	unsigned int i;

	hca_vlarb_set(&port.tables.vlarb_high, 3, 4, 1);
	hca_vlarb_set(&port.tables.vlarb_low, 0, 2, 1);
	for (i = 0; i < 10; i++) {
		ck_assert_uint_eq(hca_arbiter_choose(&port, 1 << 4), 4);
		hca_arbiter_sent(&port, 66);
	}
	ck_assert_uint_eq(hca_arbiter_choose(&port, 1 << 4 | 1 << 2), 2);
	hca_arbiter_sent(&port, 66);
	ck_assert_uint_eq(hca_arbiter_choose(&port, 1 << 4 | 1 << 2), 4);
}
END_TEST

/*
 * B4-444: an entry of weight 0 is skipped; a VL that is in no table sends when those in the tables
 * do not.
 */
START_TEST(unlisted)
{
	unsigned int i;

	hca_vlarb_set(&port.tables.vlarb_low, 0, 2, 0);
	hca_vlarb_set(&port.tables.vlarb_low, 1, 3, 1);
	hca_vlarb_set(&port.tables.vlarb_high, 0, 2, 0);
	hca_vlarb_set(&port.tables.vlarb_high, 1, HCA_VL_MANAGEMENT, 9);
	for (i = 0; i < 100; i++) {
		ck_assert_uint_eq(hca_arbiter_choose(&port, 1 << 3 | 1 << 2), 3);
		hca_arbiter_sent(&port, 66);
	}
	ck_assert_uint_eq(hca_arbiter_choose(&port, 1 << 2), 2);
	hca_arbiter_sent(&port, 66);
	ck_assert_uint_eq(hca_arbiter_choose(&port, 1 << 3 | 1 << 2), 3);
}
END_TEST

/* B4-444, C4-146: with empty tables every VL may send, whatever the limit of high priority. */
START_TEST(empty)
{
	unsigned int vl, limit;

	for (limit = 0; limit < 256; limit += 51)
		for (vl = 0; vl < HCA_DATA_VLS; vl++) {
			port.info.vl_high_limit = limit;
			ck_assert_uint_eq(hca_arbiter_choose(&port, 1 << vl), vl);
			hca_arbiter_sent(&port, 66);
		}
}
END_TEST

/* C4-144: a VL in both tables has the shares of both. */
START_TEST(in_both_tables)
{
	static const u16 length[] = { 64, 64 };
	static const unsigned int weight[] = { 3, 1 };
	u64 sent[HCA_DATA_VLS];

	port.info.vl_high_limit = 1; /* one packet of high priority, then one of low priority */
	hca_vlarb_set(&port.tables.vlarb_high, 0, 0, 64);
	hca_vlarb_set(&port.tables.vlarb_low, 0, 0, 64);
	hca_vlarb_set(&port.tables.vlarb_low, 1, 1, 64);
	run(3, length, 4000, sent);
	check_shares(sent, weight, 2);
}
END_TEST

Suite *vlarb_suite(void)
{
	Suite *suite = suite_create("vlarb");
	TCase *tc = tcase_create("tables");

	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_add_loop_test(tc, shares, 0, 2 * (int)(sizeof(mixes) / sizeof(mixes[0])));
	tcase_add_test(tc, several_entries);
	tcase_add_test(tc, idle);
	tcase_add_loop_test(tc, high_limit, 0, 10);
	tcase_add_test(tc, high_alone);
	tcase_add_test(tc, empty);
	tcase_add_test(tc, in_both_tables);
	tcase_add_test(tc, unlisted);
	suite_add_tcase(suite, tc);
	return suite;
}
