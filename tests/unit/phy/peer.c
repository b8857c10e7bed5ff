// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Links between kernels: how two ends find each other, detect a loss, and reject other ends. */
#include <check.h>
#include <string.h>
#include <linux/bottom_half.h>
#include <linux/jiffies.h>
#include <linux/list.h>
#include <linux/slab.h>
#include <linux/unaligned.h>
#include "link/port/port.h"
#include "phy/peer.h"
#include "phy/replay.h"
#include "shim.h"
#include "tests/unit/suites.h"

#define ENDS 3
#define MS 1000000ull

/* One end of the link; the network keeps its frames until deliver(). */
struct end {
	struct hca_peer peer;
	struct hca_address address;
	unsigned int ups, downs;
	bool moody; /* it does not enable the link once it is up */
};

struct letter {
	struct list_head node;
	struct hca_address from, to;
	unsigned int len;
	u8 buf[128];
};

static struct end end[ENDS];
static LIST_HEAD(network);
static bool cut; /* the network drops all frames */
static struct letter kept; /* the latest frame that was sent */

/* Every frame that one end has sent, in all its sessions. */
struct record {
	unsigned int len;
	u8 buf[128];
};

static struct record records[200];
static unsigned int num_records;

static struct hca_address address(u8 host)
{
	return (struct hca_address){ .len = 4, .octet = { 10, 0, 0, host } };
}

static void transmit(struct hca_peer *peer, const struct hca_address *to, u8 *frame,
		     unsigned int len)
{
	struct letter *letter = kzalloc(sizeof(*letter), GFP_ATOMIC);

	letter->from = container_of(peer, struct end, peer)->address;
	letter->to = *to;
	letter->len = len;
	memcpy(letter->buf, frame, len);
	memset(frame + len, 0xee, HCA_FRAME_TAG); /* room for the authentication code */
	kept = *letter;
	list_add_tail(&letter->node, &network);
}

static void changed(struct hca_peer *peer, bool up)
{
	struct end *e = container_of(peer, struct end, peer);

	ck_assert(!e->peer.stopped);
	if (up)
		e->ups++;
	else
		e->downs++;
	if (up && e->moody) {
		hca_peer_will(peer, false);
		ck_assert_uint_eq(e->downs + 1, e->ups); /* the callbacks do not nest */
	}
	ck_assert_uint_eq(e->ups - e->downs, up);
}

static const struct hca_peer_ops ops = { .transmit = transmit, .changed = changed };

/* Process a received frame, as the owner of the peer does. */
static u8 receive(struct end *to, const struct hca_address *from, const u8 *buf, size_t len)
{
	struct hca_frame frame;
	u8 type;

	if (hca_frame_parse(&frame, buf, len))
		return 0;
	local_bh_disable();
	type = hca_peer_receive(&to->peer, from, &frame, buf + HCA_FRAME_HEADER);
	local_bh_enable();
	return type;
}

/* Write a frame from an end, with an arbitrary payload. Return: false if there is no link. */
static bool make_frame(struct end *from, u8 type, u16 length, u8 *buf, struct hca_address *to)
{
	struct hca_frame frame;
	bool up;

	local_bh_disable();
	up = hca_peer_head(&from->peer, type, 1, &frame, to);
	local_bh_enable();
	if (!up)
		return false;
	frame.length = length;
	frame.total = length;
	frame.segments = 1;
	hca_frame_pack(&frame, buf);
	return true;
}

static void deliver(void)
{
	struct letter *letter;
	int i;

	while (!list_empty(&network)) {
		letter = list_first_entry(&network, struct letter, node);
		list_del(&letter->node);
		for (i = 0; i < ENDS && !cut; i++)
			if (!memcmp(&end[i].address, &letter->to, sizeof(letter->to)) &&
			    end[i].peer.ops)
				ck_assert_uint_eq(receive(&end[i], &letter->from, letter->buf,
							  letter->len),
						  0);
		kfree(letter);
	}
}

static void pass(unsigned int ms)
{
	for (; ms >= 10; ms -= 10) {
		shim_advance(10 * MS);
		deliver();
	}
}

/* @to: the configured peer, or -1 */
static void begin(int i, int to)
{
	struct hca_hello own = { .enabled = true, .mtu_cap = IB_MTU_1024, .port = 1 + i,
				 .node_guid = 100 + i, .port_guid = 200 + i, .name = "node" };
	struct hca_address there = address(to);

	memset(&end[i], 0, sizeof(end[i]));
	end[i].address = address(i);
	hca_peer_init(&end[i].peer, &ops, &own, to < 0 ? NULL : &there);
	hca_peer_start(&end[i].peer);
}

static void setup(void)
{
	shim_reset(1);
	memset(end, 0, sizeof(end));
	cut = false;
	num_records = 0;
}

static void teardown(void)
{
	int i;

	for (i = 0; i < ENDS; i++)
		if (end[i].peer.ops)
			hca_peer_stop(&end[i].peer);
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
	ck_assert(is_up(0) && is_up(1)); /* the clock has not advanced */
	ck_assert_uint_eq(end[0].peer.peer.node_guid, 101);
	ck_assert_uint_eq(end[1].peer.peer.port, 1);
	ck_assert_str_eq(end[1].peer.peer.name, "node");
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
	pass(3500);
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
	hca_peer_stop(&end[1].peer);
	deliver();
	ck_assert(!is_up(0));
	/* The slot of its link is free for another end. */
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
	timer_delete_sync(&end[1].peer.timer); /* the end crashed: it sends no Bye */
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
	ck_assert_uint_eq(end[2].peer.refused, HCA_REJECTED_BUSY);
	ck_assert_uint_gt(end[0].peer.rejected, 0);
	/* The other end keeps on sending Hellos. */
	hca_peer_stop(&end[1].peer);
	pass(600);
	ck_assert(is_up(0) && is_up(2));
	ck_assert_uint_eq(end[2].peer.refused, HCA_REFUSED_NOT);
}
END_TEST

START_TEST(who_looks_for_one_does_not_take_another)
{
	begin(0, 1);
	begin(2, 0);
	pass(1000);
	ck_assert(!is_up(0) && !is_up(2));
	ck_assert_uint_eq(end[2].peer.refused, HCA_REJECTED_NOT_PEER);
}
END_TEST

START_TEST(a_port_is_not_its_own_partner)
{
	begin(0, 0);
	pass(1000);
	ck_assert(!is_up(0));
	ck_assert_uint_eq(end[0].peer.refused, HCA_REFUSED_SELF);
}
END_TEST

START_TEST(another_version_is_refused)
{
	begin(0, -1);
	begin(1, 0);
	kept.buf[4] = HCA_FRAME_VERSION + 1;
	receive(&end[0], &end[1].address, kept.buf, kept.len);
	ck_assert_uint_eq(kept.buf[5], HCA_FRAME_REFUSE);
	ck_assert_uint_eq(kept.buf[HCA_FRAME_HEADER + 1], HCA_REFUSED_VERSION);
	ck_assert_uint_eq(end[0].peer.rejected, 1);
}
END_TEST

START_TEST(a_link_is_there_when_both_want_it)
{
	begin(0, -1);
	begin(1, 0);
	deliver();
	hca_peer_will(&end[0].peer, false);
	deliver();
	ck_assert(!is_up(0) && !is_up(1));
	pass(3000);
	ck_assert(!is_up(0) && !is_up(1));
	hca_peer_will(&end[0].peer, true);
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
	hca_peer_will(&end[1].peer, false);
	old = kept;
	deliver();
	hca_peer_will(&end[1].peer, true);
	deliver();
	ck_assert(is_up(0));
	receive(&end[0], &old.from, old.buf, old.len);
	ck_assert(is_up(0));
}
END_TEST

START_TEST(no_frame_of_a_session_counts_twice)
{
	static const struct { u64 session, number; bool is_new; } frames[] = {
		{ 7, 10, true },  { 7, 10, false }, { 7, 12, true },  { 7, 11, true },
		{ 7, 11, false }, { 7, 75, true },  { 7, 12, false }, { 7, 13, true },
		{ 7, 11, false }, { 7, 1, false },  { 7, 300, true }, { 7, 75, false },
		{ 8, 3, true },   { 8, 2, true },   { 8, 1, true },   { 8, 3, false },
		{ 9, ~0u, true }, { 9, 1ull << 32, true }, { 9, ~0u, false },
		{ 9, ~0ull, true }, { 9, 1ull << 32, false }, { 9, ~0ull, false },
	};
	struct hca_replay replay = {};
	unsigned int i;

	for (i = 0; i < sizeof(frames) / sizeof(*frames); i++)
		ck_assert_msg(hca_replay_is_new(&replay, frames[i].session, frames[i].number) ==
				      frames[i].is_new,
			      "frame %u", i);
}
END_TEST

/* A Hello with a forged address, or replayed from an earlier session, changes nothing. */
START_TEST(who_does_not_hear_us_is_not_believed)
{
	struct hca_address liar = address(9);
	struct letter old;

	begin(0, -1);
	begin(1, 0);
	old = kept;
	receive(&end[0], &liar, old.buf, old.len);
	ck_assert_uint_eq(end[0].peer.address.len, 0);
	deliver();
	ck_assert(is_up(0));
	receive(&end[0], &end[1].address, old.buf, old.len);
	deliver();
	ck_assert_uint_eq(end[0].downs, 0);
}
END_TEST

START_TEST(packets_pass_only_within_a_session)
{
	u8 buf[HCA_FRAME_HEADER + 4] = {};
	struct hca_address to;

	begin(0, -1);
	begin(1, 0);
	ck_assert(!make_frame(&end[1], HCA_FRAME_PACKET, 4, buf, &to));
	deliver();
	ck_assert(make_frame(&end[1], HCA_FRAME_PACKET, 4, buf, &to));
	ck_assert_uint_eq(to.octet[3], 0);
	ck_assert_uint_eq(receive(&end[0], &end[1].address, buf, sizeof(buf)), HCA_FRAME_PACKET);
	/* From another address, truncated, or of another session. */
	ck_assert_uint_eq(receive(&end[0], &end[2].address, buf, sizeof(buf)), 0);
	ck_assert_uint_eq(receive(&end[0], &end[1].address, buf, sizeof(buf) - 1), 0);
	buf[10] ^= 1;
	ck_assert_uint_eq(receive(&end[0], &end[1].address, buf, sizeof(buf)), 0);
}
END_TEST

START_TEST(frames_of_one_packet_have_consecutive_numbers)
{
	struct hca_frame packet, next;
	struct hca_address to;

	begin(0, -1);
	begin(1, 0);
	deliver();
	local_bh_disable();
	ck_assert(hca_peer_head(&end[0].peer, HCA_FRAME_PACKET, 3, &packet, &to));
	ck_assert(hca_peer_head(&end[0].peer, HCA_FRAME_FLOW, 1, &next, &to));
	local_bh_enable();
	ck_assert_uint_eq(packet.number + 3, next.number);
}
END_TEST

static void record(const u8 *buf, unsigned int len)
{
	ck_assert_uint_lt(num_records, 200);
	memcpy(records[num_records].buf, buf, len);
	records[num_records++].len = len;
}

static void transmit_recorded(struct hca_peer *peer, const struct hca_address *to, u8 *frame,
			      unsigned int len)
{
	record(frame, len);
	transmit(peer, to, frame, len);
}

static const struct hca_peer_ops recorded_ops = { .transmit = transmit_recorded,
						  .changed = changed };

/* Record every frame that this end sends. */
static void live_and_crash(void)
{
	u8 buf[HCA_FRAME_HEADER + 4] = {};
	struct hca_address to;
	unsigned int i;

	begin(1, 0);
	end[1].peer.ops = &recorded_ops;
	pass(3000);
	ck_assert(is_up(0) && is_up(1));
	for (i = 0; i < 5; i++) {
		ck_assert(make_frame(&end[1], HCA_FRAME_PACKET, 4, buf, &to));
		record(buf, sizeof(buf));
		/* not from that address */
		ck_assert_uint_eq(receive(&end[0], &to, buf, sizeof(buf)), 0);
		ck_assert_uint_eq(receive(&end[0], &end[1].address, buf, sizeof(buf)),
				  HCA_FRAME_PACKET);
	}
	pass(500);
	timer_delete_sync(&end[1].peer.timer);
}

/* Once a peer has begun a new session, no frame of an earlier session changes anything. */
START_TEST(an_old_session_cannot_be_replayed)
{
	unsigned int i, round, downs;

	begin(0, -1);
	live_and_crash();
	begin(1, 0);
	pass(5000);
	ck_assert(is_up(0) && is_up(1));
	downs = end[0].downs + end[1].downs;
	for (round = 0; round < 3; round++)
		for (i = 0; i < num_records; i++) {
			ck_assert_uint_eq(receive(&end[0], &end[1].address, records[i].buf,
						  records[i].len),
					  0);
			deliver();
		}
	pass(3000);
	ck_assert_uint_eq(end[0].downs + end[1].downs, downs);
	ck_assert_uint_eq(end[0].peer.peer_session, end[1].peer.session);
}
END_TEST

/* Nor does one while there is no peer. */
START_TEST(who_has_gone_is_not_brought_back_by_what_it_said)
{
	unsigned int i, round;

	begin(0, -1);
	live_and_crash();
	pass(5000);
	ck_assert(!is_up(0));
	for (round = 0; round < 3; round++)
		for (i = 0; i < num_records; i++) {
			receive(&end[0], &end[1].address, records[i].buf, records[i].len);
			shim_advance(10 * MS);
		}
	ck_assert(!end[0].peer.known);
	ck_assert_uint_eq(end[0].ups, 1);
}
END_TEST

/* A frame that comes again, with or without a key, does not prove that the peer is alive. */
START_TEST(a_repeated_frame_is_no_sign_of_life)
{
	u8 buf[HCA_FRAME_HEADER + 4] = {};
	struct hca_address to;
	unsigned int i;

	begin(0, -1);
	begin(1, 0);
	deliver();
	ck_assert(make_frame(&end[1], HCA_FRAME_PACKET, 4, buf, &to));
	ck_assert_uint_eq(receive(&end[0], &end[1].address, buf, sizeof(buf)), HCA_FRAME_PACKET);
	timer_delete_sync(&end[1].peer.timer);
	for (i = 0; i < 500; i++) {
		ck_assert_uint_eq(receive(&end[0], &end[1].address, buf, sizeof(buf)), 0);
		shim_advance(10 * MS);
	}
	ck_assert(!is_up(0));
	ck_assert_uint_gt(end[0].peer.replayed, 0);
}
END_TEST

START_TEST(a_hello_that_no_port_could_say_is_ignored)
{
	unsigned int mtu;

	begin(0, -1);
	begin(1, 0);
	for (mtu = 0; mtu < 256; mtu++) {
		struct letter hello;

		if (mtu >= IB_MTU_256 && mtu <= IB_MTU_4096)
			continue;
		hello = kept;
		put_unaligned_be64(end[0].peer.session, hello.buf + 16);
		hello.buf[HCA_FRAME_HEADER + 1] = mtu;
		receive(&end[0], &end[1].address, hello.buf, hello.len);
		ck_assert(!end[0].peer.known);
	}
}
END_TEST

START_TEST(noise_is_no_peer)
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
		receive(&end[0], &from, buf, len);
	}
	pass(3000);
	ck_assert(is_up(1));
}
END_TEST

Suite *peer_suite(void)
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
		frames_of_one_packet_have_consecutive_numbers,
		an_old_session_cannot_be_replayed,
		who_has_gone_is_not_brought_back_by_what_it_said,
		a_repeated_frame_is_no_sign_of_life,
		a_hello_that_no_port_could_say_is_ignored,
		noise_is_no_peer,
	};
	Suite *suite = suite_create("peer");
	TCase *tc = tcase_create("peer");
	unsigned int i;

	tcase_add_checked_fixture(tc, setup, teardown);
	for (i = 0; i < sizeof(tests) / sizeof(*tests); i++)
		tcase_add_test(tc, tests[i]);
	suite_add_tcase(suite, tc);
	return suite;
}
