// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* hcadump: packets at both ends of a cable, and those that are lost on it. */
#include <check.h>
#include <stdio.h>
#include <string.h>
#include "linux/hca_tap.h"
#include "tests/unit/suites.h"
#include "tests/unit/tools/captured.h"
#include "tools/dump/ends.h"
#include "tools/dump/mark.h"
#include "wire/opcode.h"

#define US 1000ull
#define MS 1000000ull
#define MAX_TEXT 4000

static struct ends *ends;
static char text[MAX_TEXT]; /* what was released: "psn 1 0>1;" for each packet */
static unsigned int released;
static int last_peer; /* of the last one that was released; -1: unknown */

static bool release(void *data, const struct packet *packet)
{
	size_t at = strlen(text);
	char marks[MARKS_TEXT_OCTETS];

	released++;
	last_peer = packet->has_peer ? packet->peer_interface : -1;
	if (packet->is_shown || at > MAX_TEXT - 100)
		return false;
	at += sprintf(text + at, "%u", packet->h.bth.psn);
	if (packet->has_arrived)
		sprintf(text + at, " %u>%u", packet->interface, packet->peer_interface);
	else
		sprintf(text + at, " %s%u", packet->direction == HCA_TAP_OUT ? "out" : "in",
			packet->interface);
	if (packet->marks)
		sprintf(text + strlen(text), " %s", marks_text(packet->marks, marks));
	strcat(text, "; ");
	return true;
}

static void setup(void)
{
	ends = ends_new(release, NULL);
	text[0] = 0;
	released = 0;
}

static void teardown(void)
{
	ends_free(ends);
}

static void add(enum captured_port port, u8 direction, u32 psn, u64 ns)
{
	struct captured captured;

	captured_rc(&captured, IB_OPCODE_SEND_ONLY, psn, 0);
	captured_at(&captured, port, direction, ns);
	ends_add(ends, &captured.packet);
}

/* An acknowledgement, which hca1/1 sends. */
static void acknowledged(u32 psn, u64 ns)
{
	struct captured captured;

	captured_rc(&captured, IB_OPCODE_ACKNOWLEDGE, psn, 0);
	captured_at(&captured, HCA1, HCA_TAP_OUT, ns);
	ends_add(ends, &captured.packet);
}

static void sent(u32 psn, u64 ns)
{
	add(HCA0, HCA_TAP_OUT, psn, ns);
}

static void received(u32 psn, u64 ns)
{
	add(HCA1, HCA_TAP_IN, psn, ns);
}

START_TEST(a_packet_at_both_ends_is_one)
{
	sent(1, 0);
	ck_assert_str_eq(text, "");
	ck_assert(ends_are_waiting(ends));
	received(1, US);
	ck_assert_str_eq(text, "1 0>1; ");
	ck_assert(!ends_are_waiting(ends));
}
END_TEST

START_TEST(packets_stay_in_the_order_in_which_they_were_sent)
{
	sent(1, 0);
	sent(2, US);
	received(2, 2 * US);
	ck_assert_str_eq(text, "");
	received(1, 3 * US);
	ck_assert_str_eq(text, "1 0>1; 2 0>1; ");
}
END_TEST

START_TEST(a_packet_that_does_not_arrive_is_lost)
{
	sent(1, 0);
	received(1, US);
	sent(2, 2 * US);
	sent(3, 3 * US);
	received(3, 4 * US);
	sent(4, 99 * MS);
	received(4, 99 * MS + US);
	ck_assert_str_eq(text, "1 0>1; ");
	sent(5, 101 * MS);
	ck_assert_str_eq(text, "1 0>1; 2 out0 LOST; 3 0>1; 4 0>1; ");
}
END_TEST

START_TEST(the_time_to_wait_is_learned)
{
	sent(1, 0);
	received(1, 50 * MS);
	sent(2, 51 * MS);
	ends_advance(ends, 1700000000000000000ull + 340 * MS);
	ck_assert_str_eq(text, "1 0>1; ");
	ends_advance(ends, 1700000000000000000ull + 360 * MS);
	ck_assert_str_eq(text, "1 0>1; 2 out0 LOST; ");
}
END_TEST

/* The other end of the way is not captured: nothing can be lost. */
START_TEST(a_route_to_elsewhere_is_not_waited_for)
{
	sent(1, 0);
	sent(2, 101 * MS);
	sent(3, 102 * MS);
	ck_assert_str_eq(text, "1 out0; 2 out0; 3 out0; ");
	/* until a packet arrives after all */
	received(3, 103 * MS);
	sent(4, 104 * MS);
	ck_assert_str_eq(text, "1 out0; 2 out0; 3 out0; 3 in1; ");
	received(4, 105 * MS);
	ck_assert_str_eq(text, "1 out0; 2 out0; 3 out0; 3 in1; 4 0>1; ");
}
END_TEST

/* The arrival of a packet may be among those that the capture itself has lost. */
START_TEST(a_gap_of_the_capture_is_no_loss)
{
	struct captured captured;

	sent(1, 0);
	received(1, US);
	sent(2, 2 * US);
	captured_rc(&captured, IB_OPCODE_SEND_ONLY, 3, 0);
	captured_at(&captured, HCA0, HCA_TAP_OUT, 3 * US);
	captured.packet.lost = 5;
	ends_add(ends, &captured.packet);
	ends_advance(ends, 1700000000000000000ull + 500 * MS);
	ck_assert_str_eq(text, "1 0>1; 2 out0; 3 out0 LOST; ");
}
END_TEST

START_TEST(the_end_of_the_capture_is_no_loss)
{
	sent(1, 0);
	received(1, US);
	sent(2, 2 * US);
	ends_flush(ends);
	ck_assert_str_eq(text, "1 0>1; 2 out0; ");
	ck_assert_int_eq(last_peer, HCA1);
}
END_TEST

/* No packet has gone that way before, but requests come from the port that has this LID. */
START_TEST(the_first_response_may_be_lost)
{
	sent(1, 0);
	received(1, 50 * MS);
	acknowledged(1, 50 * MS);
	ends_advance(ends, 1700000000000000000ull + 340 * MS);
	ck_assert_str_eq(text, "1 0>1; ");
	ends_advance(ends, 1700000000000000000ull + 360 * MS);
	ck_assert_str_eq(text, "1 0>1; 1 out1 LOST; ");
	ck_assert_int_eq(last_peer, HCA0);
}
END_TEST

/* Packets to one of the LIDs may reach it without this port, which may be a switch's. */
START_TEST(a_port_of_several_lids_is_not_expected)
{
	struct captured captured;

	sent(1, 0);
	received(1, US);
	captured_rc(&captured, IB_OPCODE_SEND_ONLY, 2, 0);
	captured_at(&captured, HCA0, HCA_TAP_OUT, 2 * US);
	captured.packet.h.lrh.slid = 7;
	ends_add(ends, &captured.packet);
	received(2, 3 * US);
	acknowledged(1, 4 * US);
	ends_advance(ends, 1700000000000000000ull + 200 * MS);
	ck_assert_str_eq(text, "1 0>1; 2 0>1; 1 out1; ");
	ck_assert_int_eq(last_peer, -1);
}
END_TEST

START_TEST(a_packet_is_the_newest_of_those_that_are_equal)
{
	sent(1, 0);
	received(1, US);
	sent(2, 2 * US);
	sent(2, 50 * MS);
	received(2, 50 * MS + US);
	sent(3, 102 * MS);
	received(3, 102 * MS + US);
	ck_assert_str_eq(text, "1 0>1; 2 out0 LOST; 2 0>1; 3 0>1; ");
}
END_TEST

START_TEST(a_second_arrival_is_a_duplicate)
{
	sent(1, 0);
	received(1, US);
	received(1, 2 * US);
	ck_assert_str_eq(text, "1 0>1; 1 in1 DUPLICATE; ");
}
END_TEST

START_TEST(a_damaged_packet_is_lost)
{
	struct captured captured;

	sent(1, 0);
	received(1, US);
	sent(2, 2 * US);
	captured_rc(&captured, IB_OPCODE_SEND_ONLY, 2, 0);
	captured_at(&captured, HCA1, HCA_TAP_IN, 3 * US);
	captured.wire[21] ^= 0x10;
	ends_add(ends, &captured.packet);
	ck_assert_str_eq(text, "1 0>1; 2 out0 LOST (damaged); 2 in1 DAMAGED; ");
}
END_TEST

/* A packet through two cables is one on each of them. */
START_TEST(a_switch_has_two_cables)
{
	struct captured captured;
	unsigned int i;

	captured_rc(&captured, IB_OPCODE_SEND_ONLY, 1, 0);
	for (i = 0; i < 8; i++) {
		captured_at(&captured, HCA0, i & 1 ? HCA_TAP_IN : HCA_TAP_OUT, i * US);
		captured.packet.interface = i % 4;
		ends_add(ends, &captured.packet);
	}
	ck_assert_str_eq(text, "1 0>1; 1 2>3; 1 0>1; 1 2>3; ");
}
END_TEST

START_TEST(flow_control_is_not_compared)
{
	struct captured captured = {};

	captured.packet = (struct packet){
		.is_flow = true, .length = 6, .captured = 6, .octets = captured.wire,
		.direction = HCA_TAP_OUT,
	};
	ends_add(ends, &captured.packet);
	ck_assert_uint_eq(released, 1);
}
END_TEST

/* Packets that wait are as many as the memory for them, whatever comes. */
START_TEST(memory_is_bounded)
{
	u32 i;

	for (i = 0; i < 20000; i++)
		sent(i, 0);
	ck_assert_uint_eq(released, 20000 - 4096);
	ends_flush(ends);
	ck_assert_uint_eq(released, 20000);
}
END_TEST

Suite *dump_ends_suite(void)
{
	Suite *suite = suite_create("dump_ends");
	TCase *tc = tcase_create("dump_ends");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, a_packet_at_both_ends_is_one);
	tcase_add_test(tc, packets_stay_in_the_order_in_which_they_were_sent);
	tcase_add_test(tc, a_packet_that_does_not_arrive_is_lost);
	tcase_add_test(tc, the_time_to_wait_is_learned);
	tcase_add_test(tc, a_route_to_elsewhere_is_not_waited_for);
	tcase_add_test(tc, a_gap_of_the_capture_is_no_loss);
	tcase_add_test(tc, the_end_of_the_capture_is_no_loss);
	tcase_add_test(tc, the_first_response_may_be_lost);
	tcase_add_test(tc, a_port_of_several_lids_is_not_expected);
	tcase_add_test(tc, a_packet_is_the_newest_of_those_that_are_equal);
	tcase_add_test(tc, a_second_arrival_is_a_duplicate);
	tcase_add_test(tc, a_damaged_packet_is_lost);
	tcase_add_test(tc, a_switch_has_two_cables);
	tcase_add_test(tc, flow_control_is_not_compared);
	tcase_add_test(tc, memory_is_bounded);
	suite_add_tcase(suite, tc);
	return suite;
}
