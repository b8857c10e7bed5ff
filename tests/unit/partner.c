// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Links that leave the kernel: how two ends find each other, lose each other, and refuse others. */
#include <check.h>
#include <string.h>
#include <linux/bottom_half.h>
#include <linux/jiffies.h>
#include <linux/list.h>
#include <linux/slab.h>
#include "link/port.h"
#include "phy/partner.h"
#include "phy/replay.h"
#include "shim.h"
#include "suites.h"

#define ENDS 3
#define MS 1000000ull

/* An end, and the network: frames wait until deliver(). */
struct end {
	struct hca_partner partner;
	struct hca_address address;
	unsigned int ups, downs;
	bool moody; /* does not want the link when it is there */
};

struct letter {
	struct list_head node;
	struct hca_address from, to;
	unsigned int len;
	u8 buf[128];
};

static struct end end[ENDS];
static LIST_HEAD(network);
static bool cut; /* nothing arrives */
static struct letter kept; /* the last frame that was sent */

static struct hca_address address(u8 host)
{
	return (struct hca_address){ .len = 4, .octet = { 10, 0, 0, host } };
}

static void transmit(struct hca_partner *partner, const struct hca_address *to, u8 *frame,
		     unsigned int len)
{
	struct letter *letter = kzalloc(sizeof(*letter), GFP_ATOMIC);

	letter->from = container_of(partner, struct end, partner)->address;
	letter->to = *to;
	letter->len = len;
	memcpy(letter->buf, frame, len);
	memset(frame + len, 0xee, HCA_FRAME_TAG); /* the room that is promised */
	kept = *letter;
	list_add_tail(&letter->node, &network);
}

static void changed(struct hca_partner *partner, bool up)
{
	struct end *e = container_of(partner, struct end, partner);

	ck_assert(!e->partner.stopped);
	if (up)
		e->ups++;
	else
		e->downs++;
	if (up && e->moody) {
		hca_partner_will(partner, false);
		ck_assert_uint_eq(e->downs + 1, e->ups); /* not in the middle of this */
	}
	ck_assert_uint_eq(e->ups - e->downs, up);
}

static const struct hca_partner_ops ops = { .transmit = transmit, .changed = changed };

static void deliver(void)
{
	struct letter *letter;
	int i;

	local_bh_disable();
	while (!list_empty(&network)) {
		letter = list_first_entry(&network, struct letter, node);
		list_del(&letter->node);
		for (i = 0; i < ENDS && !cut; i++)
			if (!memcmp(&end[i].address, &letter->to, sizeof(letter->to)) &&
			    end[i].partner.ops)
				ck_assert_uint_eq(hca_partner_receive(&end[i].partner,
								      &letter->from, letter->buf,
								      letter->len),
						  0);
		kfree(letter);
	}
	local_bh_enable();
}

static void pass(unsigned int ms)
{
	for (; ms >= 10; ms -= 10) {
		shim_advance(10 * MS);
		deliver();
	}
}

/* @to: the end it is told to look for, or -1. */
static void begin(int i, int to)
{
	struct hca_hello own = { .willing = true, .mtu_cap = HCA_MTU_1024, .port = 1 + i,
				 .node_guid = 100 + i, .port_guid = 200 + i, .name = "node" };
	struct hca_address there = address(to);

	memset(&end[i], 0, sizeof(end[i]));
	end[i].address = address(i);
	hca_partner_init(&end[i].partner, &ops, &own, to < 0 ? NULL : &there);
	hca_partner_start(&end[i].partner);
}

static void setup(void)
{
	shim_reset(1);
	memset(end, 0, sizeof(end));
	cut = false;
}

static void teardown(void)
{
	int i;

	for (i = 0; i < ENDS; i++)
		if (end[i].partner.ops)
			hca_partner_stop(&end[i].partner);
	deliver();
	ck_assert_uint_eq(shim_live_allocations(), 0);
}

static bool is_up(int i)
{
	return end[i].ups > end[i].downs;
}

START_TEST(one_looks_and_one_waits)
{
	begin(0, -1);
	begin(1, 0);
	deliver();
	ck_assert(is_up(0) && is_up(1)); /* without waiting for a clock */
	ck_assert_uint_eq(end[0].partner.peer.node_guid, 101);
	ck_assert_uint_eq(end[1].partner.peer.port, 1);
	ck_assert_str_eq(end[1].partner.peer.name, "node");
	pass(10000);
	ck_assert_uint_eq(end[0].ups + end[1].ups, 2);
	ck_assert_uint_eq(end[0].downs + end[1].downs, 0);
}
END_TEST

START_TEST(both_look)
{
	begin(0, 1);
	begin(1, 0);
	pass(100);
	ck_assert(is_up(0) && is_up(1));
}
END_TEST

START_TEST(the_order_does_not_matter)
{
	begin(1, 0);
	pass(2000);
	begin(0, -1);
	pass(500);
	ck_assert(is_up(0) && is_up(1));
}
END_TEST

START_TEST(silence_takes_the_link_down_and_it_comes_back)
{
	begin(0, -1);
	begin(1, 0);
	deliver();
	cut = true;
	pass(1000);
	ck_assert(is_up(0) && is_up(1));
	pass(1000);
	ck_assert(!is_up(0) && !is_up(1));
	cut = false;
	pass(600);
	ck_assert(is_up(0) && is_up(1));
}
END_TEST

START_TEST(one_that_says_goodbye_is_gone_at_once)
{
	begin(0, -1);
	begin(1, 0);
	deliver();
	hca_partner_stop(&end[1].partner);
	deliver();
	ck_assert(!is_up(0));
	/* Its place is free for another. */
	begin(2, 0);
	deliver();
	ck_assert(is_up(0) && is_up(2));
}
END_TEST

START_TEST(one_that_begins_anew_begins_a_new_link)
{
	begin(0, -1);
	begin(1, 0);
	deliver();
	timer_delete_sync(&end[1].partner.timer); /* it crashed */
	begin(1, 0);
	pass(600);
	ck_assert(is_up(0) && is_up(1));
	ck_assert_uint_eq(end[0].downs, 1);
}
END_TEST

START_TEST(a_second_one_is_refused_and_told_why)
{
	begin(0, -1);
	begin(1, 0);
	deliver();
	begin(2, 0);
	pass(1000);
	ck_assert(is_up(0) && is_up(1) && !is_up(2));
	ck_assert_uint_eq(end[2].partner.refused, HCA_REFUSED_TAKEN);
	ck_assert_uint_gt(end[0].partner.strangers, 0);
	/* It keeps on asking. */
	hca_partner_stop(&end[1].partner);
	pass(600);
	ck_assert(is_up(0) && is_up(2));
	ck_assert_uint_eq(end[2].partner.refused, HCA_REFUSED_NOT);
}
END_TEST

START_TEST(who_looks_for_one_does_not_take_another)
{
	begin(0, 1);
	begin(2, 0);
	pass(1000);
	ck_assert(!is_up(0) && !is_up(2));
	ck_assert_uint_eq(end[2].partner.refused, HCA_REFUSED_STRANGER);
}
END_TEST

START_TEST(a_port_is_not_its_own_partner)
{
	begin(0, 0);
	pass(1000);
	ck_assert(!is_up(0));
	ck_assert_uint_eq(end[0].partner.refused, HCA_REFUSED_SELF);
}
END_TEST

START_TEST(another_version_is_refused)
{
	begin(0, -1);
	begin(1, 0);
	kept.buf[4] = 2;
	local_bh_disable();
	hca_partner_receive(&end[0].partner, &end[1].address, kept.buf, kept.len);
	local_bh_enable();
	ck_assert_uint_eq(kept.buf[5], HCA_FRAME_REFUSE);
	ck_assert_uint_eq(kept.buf[33], HCA_REFUSED_VERSION);
	ck_assert_uint_eq(end[0].partner.strangers, 1);
}
END_TEST

START_TEST(a_link_is_there_when_both_want_it)
{
	begin(0, -1);
	begin(1, 0);
	deliver();
	hca_partner_will(&end[0].partner, false);
	deliver();
	ck_assert(!is_up(0) && !is_up(1));
	pass(3000);
	ck_assert(!is_up(0) && !is_up(1));
	hca_partner_will(&end[0].partner, true);
	deliver();
	ck_assert(is_up(0) && is_up(1));
}
END_TEST

START_TEST(changes_are_told_one_after_the_other)
{
	begin(0, -1);
	begin(1, 0);
	end[1].moody = true;
	deliver();
	ck_assert_uint_eq(end[1].ups, 1);
	ck_assert_uint_eq(end[1].downs, 1);
	ck_assert(!is_up(0));
}
END_TEST

START_TEST(a_hello_that_was_overtaken_is_ignored)
{
	struct letter old;

	begin(0, -1);
	begin(1, 0);
	deliver();
	hca_partner_will(&end[1].partner, false);
	old = kept;
	deliver();
	hca_partner_will(&end[1].partner, true);
	deliver();
	ck_assert(is_up(0));
	local_bh_disable();
	hca_partner_receive(&end[0].partner, &old.from, old.buf, old.len);
	local_bh_enable();
	ck_assert(is_up(0));
}
END_TEST

START_TEST(no_frame_of_a_session_counts_twice)
{
	static const struct { u64 session; u32 number; bool is_new; } frames[] = {
		{ 7, 10, true },  { 7, 10, false }, { 7, 12, true },  { 7, 11, true },
		{ 7, 11, false }, { 7, 75, true },  { 7, 12, false }, { 7, 13, true },
		{ 7, 11, false }, { 7, 1, false },  { 7, 300, true }, { 7, 75, false },
		{ 8, 1, true },   { 8, 0, true },   { 8, -1, true },  { 8, 1, false },
		{ 9, -1, true },  { 9, 0, true },   { 9, -1, false },
	};
	struct hca_replay replay = {};
	unsigned int i;

	hca_replay_init(&replay);
	local_bh_disable();
	for (i = 0; i < sizeof(frames) / sizeof(*frames); i++)
		ck_assert_msg(hca_replay_is_new(&replay, frames[i].session, frames[i].number) ==
				      frames[i].is_new,
			      "frame %u", i);
	local_bh_enable();
}
END_TEST

/* A Hello with a made-up address, or repeated from an earlier session, moves nothing. */
START_TEST(who_does_not_hear_us_is_not_believed)
{
	struct hca_address liar = address(9);
	struct letter old;

	begin(0, -1);
	begin(1, 0);
	old = kept;
	local_bh_disable();
	hca_partner_receive(&end[0].partner, &liar, old.buf, old.len);
	local_bh_enable();
	ck_assert_uint_eq(end[0].partner.address.len, 0);
	deliver();
	ck_assert(is_up(0));
	local_bh_disable();
	hca_partner_receive(&end[0].partner, &end[1].address, old.buf, old.len);
	local_bh_enable();
	deliver();
	ck_assert_uint_eq(end[0].downs, 0);
}
END_TEST

START_TEST(packets_pass_only_within_a_session)
{
	u8 buf[HCA_FRAME_HEADER + 4] = {};
	struct hca_address to;
	u8 type;

	begin(0, -1);
	begin(1, 0);
	local_bh_disable();
	ck_assert(!hca_partner_head(&end[1].partner, HCA_FRAME_PACKET, 4, buf, &to));
	local_bh_enable();
	deliver();
	local_bh_disable();
	ck_assert(hca_partner_head(&end[1].partner, HCA_FRAME_PACKET, 4, buf, &to));
	ck_assert_uint_eq(to.octet[3], 0);
	type = hca_partner_receive(&end[0].partner, &end[1].address, buf, sizeof(buf));
	ck_assert_uint_eq(type, HCA_FRAME_PACKET);
	/* From elsewhere, cut short, of another session. */
	ck_assert_uint_eq(hca_partner_receive(&end[0].partner, &end[2].address, buf, sizeof(buf)), 0);
	ck_assert_uint_eq(hca_partner_receive(&end[0].partner, &end[1].address, buf,
					      sizeof(buf) - 1),
			  0);
	buf[10] ^= 1;
	ck_assert_uint_eq(hca_partner_receive(&end[0].partner, &end[1].address, buf, sizeof(buf)), 0);
	local_bh_enable();
}
END_TEST

START_TEST(noise_is_no_partner)
{
	u8 buf[128];
	unsigned int i, len;

	begin(0, -1);
	begin(1, 0);
	for (i = 0; i < 20000; i++) {
		struct hca_address from = address(i % 4);

		memcpy(buf, kept.buf, sizeof(buf));
		len = i % 2 ? kept.len : i % (sizeof(buf) + 1);
		buf[i * 7 % 128] ^= 1 << i % 8;
		buf[i * 13 % 128] ^= i;
		local_bh_disable();
		hca_partner_receive(&end[0].partner, &from, buf, len);
		local_bh_enable();
	}
	pass(3000);
	ck_assert(is_up(1));
}
END_TEST

Suite *partner_suite(void)
{
	const TTest *const tests[] = {
		one_looks_and_one_waits,
		both_look,
		the_order_does_not_matter,
		silence_takes_the_link_down_and_it_comes_back,
		one_that_says_goodbye_is_gone_at_once,
		one_that_begins_anew_begins_a_new_link,
		a_second_one_is_refused_and_told_why,
		who_looks_for_one_does_not_take_another,
		a_port_is_not_its_own_partner,
		another_version_is_refused,
		a_link_is_there_when_both_want_it,
		changes_are_told_one_after_the_other,
		a_hello_that_was_overtaken_is_ignored,
		no_frame_of_a_session_counts_twice,
		who_does_not_hear_us_is_not_believed,
		packets_pass_only_within_a_session,
		noise_is_no_partner,
	};
	Suite *suite = suite_create("partner");
	TCase *tc = tcase_create("partner");
	unsigned int i;

	tcase_add_checked_fixture(tc, setup, teardown);
	for (i = 0; i < sizeof(tests) / sizeof(*tests); i++)
		tcase_add_test(tc, tests[i]);
	suite_add_tcase(suite, tc);
	return suite;
}
