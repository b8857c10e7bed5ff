// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* hcadump: packets that come again are recognized by their PSNs. */
#include <check.h>
#include "linux/hca_tap.h"
#include "tests/unit/suites.h"
#include "tests/unit/tools/captured.h"
#include "tools/dump/history.h"
#include "tools/dump/mark.h"
#include "wire/opcode.h"

#define ACK 0x0a
#define OTHER_CREDITS 0x0b
#define RNR 0x2e
#define NAK 0x60

static struct history *history;

static void setup(void)
{
	history = history_new();
}

static void teardown(void)
{
	history_free(history);
}

static u32 add(u8 operation, u32 psn, u8 syndrome)
{
	struct captured captured;

	captured_rc(&captured, operation, psn, syndrome);
	return history_add(history, &captured.packet);
}

static u32 send(u32 psn)
{
	return add(IB_OPCODE_SEND_ONLY, psn, 0);
}

static u32 acknowledge(u32 psn, u8 syndrome)
{
	return add(IB_OPCODE_ACKNOWLEDGE, psn, syndrome);
}

static u32 read_at(u32 psn, u64 va, u32 length)
{
	struct captured captured;

	captured_rc(&captured, IB_OPCODE_RDMA_READ_REQUEST, psn, 0);
	captured.packet.h.reth.va = va;
	captured.packet.h.reth.length = length;
	return history_add(history, &captured.packet);
}

START_TEST(a_psn_that_was_requested_is_a_retransmit)
{
	u32 psn;

	/* over the top of the numbers */
	for (psn = 0xfffffd; psn < 0x1000003; psn++)
		ck_assert_uint_eq(send(psn), 0);
	for (psn = 0xfffffd; psn < 0x1000003; psn++)
		ck_assert_uint_eq(send(psn), MARK_RETRANSMIT);
	ck_assert_uint_eq(send(psn), 0);
}
END_TEST

START_TEST(a_psn_that_was_left_out_is_none)
{
	send(10);
	send(13);
	ck_assert_uint_eq(send(11), 0);
	ck_assert_uint_eq(send(12), 0);
	ck_assert_uint_eq(send(11), MARK_RETRANSMIT);
}
END_TEST

START_TEST(a_psn_far_away_is_another_connection)
{
	send(0x800000);
	ck_assert_uint_eq(send(0x10000), 0);
	ck_assert_uint_eq(send(0x10000), MARK_RETRANSMIT);
	ck_assert_uint_eq(send(0x0ffff), 0);
	/* and further on, than the window has room for */
	ck_assert_uint_eq(send(0x20000), 0);
	ck_assert_uint_eq(send(0x1ffff), 0);
	ck_assert_uint_eq(send(0x20000), MARK_RETRANSMIT);
}
END_TEST

START_TEST(each_place_has_its_own)
{
	struct captured captured;

	captured_rc(&captured, IB_OPCODE_SEND_ONLY, 1, 0);
	ck_assert_uint_eq(history_add(history, &captured.packet), 0);
	captured_at(&captured, HCA1, HCA_TAP_IN, 0);
	ck_assert_uint_eq(history_add(history, &captured.packet), 0);
	ck_assert_uint_eq(history_add(history, &captured.packet), MARK_RETRANSMIT);
	/* a file that does not tell where a packet was does not tell that it was there twice */
	captured.packet.direction = 0;
	ck_assert_uint_eq(history_add(history, &captured.packet), 0);
	ck_assert_uint_eq(history_add(history, &captured.packet), 0);
}
END_TEST

START_TEST(a_damaged_packet_has_no_psn)
{
	struct captured captured;

	captured_rc(&captured, IB_OPCODE_SEND_ONLY, 7, 0);
	captured.wire[19] ^= 1;
	packet_decode(&captured.packet);
	ck_assert_uint_eq(captured.packet.h.bth.psn, 6);
	ck_assert_uint_eq(history_add(history, &captured.packet), 0);
	ck_assert_uint_eq(send(6), 0);
}
END_TEST

/* A read occupies the PSNs of all its responses. */
START_TEST(a_read_occupies_psns)
{
	ck_assert_uint_eq(read_at(20, 0x1000, 1024), 0);
	ck_assert_uint_eq(send(24), 0);
	/* its rest is requested again */
	ck_assert_uint_eq(read_at(22, 0x1200, 512), MARK_RETRANSMIT);
	ck_assert_uint_eq(read_at(20, 0x1000, 1024), MARK_RETRANSMIT);
	ck_assert_uint_eq(send(24), MARK_RETRANSMIT);
}
END_TEST

START_TEST(the_rest_of_a_read_is_a_retransmit)
{
	read_at(20, 0x1000, 1024);
	ck_assert_uint_eq(read_at(21, 0x1100, 768), MARK_RETRANSMIT);
	ck_assert_uint_eq(read_at(23, 0x1300, 256), MARK_RETRANSMIT);
	/* another read ends elsewhere */
	ck_assert_uint_eq(read_at(24, 0x1100, 1024), 0);
}
END_TEST

START_TEST(an_acknowledgement_of_what_was_acknowledged_is_a_duplicate)
{
	ck_assert_uint_eq(acknowledge(5, ACK), 0);
	ck_assert_uint_eq(acknowledge(8, ACK), 0);
	ck_assert_uint_eq(acknowledge(8, ACK), MARK_DUPLICATE);
	ck_assert_uint_eq(acknowledge(6, ACK), MARK_DUPLICATE);
	ck_assert_uint_eq(acknowledge(8, OTHER_CREDITS), 0);
	ck_assert_uint_eq(acknowledge(8, OTHER_CREDITS), MARK_DUPLICATE);
	ck_assert_uint_eq(acknowledge(9, OTHER_CREDITS), 0);
}
END_TEST

START_TEST(a_refusal_is_no_duplicate)
{
	ck_assert_uint_eq(acknowledge(5, RNR), 0);
	ck_assert_uint_eq(acknowledge(5, RNR), 0);
	ck_assert_uint_eq(acknowledge(5, ACK), 0);
	ck_assert_uint_eq(acknowledge(8, NAK), 0);
	ck_assert_uint_eq(acknowledge(7, ACK), MARK_DUPLICATE);
	ck_assert_uint_eq(acknowledge(8, ACK), 0);
}
END_TEST

START_TEST(a_read_response_that_was_there_is_a_duplicate)
{
	ck_assert_uint_eq(add(IB_OPCODE_RDMA_READ_RESPONSE_FIRST, 5, ACK), 0);
	ck_assert_uint_eq(add(IB_OPCODE_RDMA_READ_RESPONSE_LAST, 7, ACK), 0);
	ck_assert_uint_eq(add(IB_OPCODE_RDMA_READ_RESPONSE_MIDDLE, 6, ACK), 0);
	ck_assert_uint_eq(add(IB_OPCODE_RDMA_READ_RESPONSE_LAST, 7, ACK), MARK_DUPLICATE);
	ck_assert_uint_eq(acknowledge(8, ACK), 0);
}
END_TEST

/* UC never sends again: what comes twice was made two on its way. */
START_TEST(a_packet_of_uc_is_a_duplicate)
{
	const struct hca_headers h = {
		.lrh = { .slid = 1, .dlid = 2, .lnh = IB_LNH_IBA_LOCAL },
		.bth = { .opcode = HCA_OPCODE(UC, SEND_ONLY), .destqp = 18, .psn = 5 },
	};
	struct captured captured;

	captured_make(&captured.packet, captured.wire, &h, NULL, 0);
	captured_at(&captured, HCA1, HCA_TAP_IN, 0);
	ck_assert_uint_eq(history_add(history, &captured.packet), 0);
	ck_assert_uint_eq(history_add(history, &captured.packet), MARK_DUPLICATE);
}
END_TEST

/* Datagrams' PSNs mean nothing. */
START_TEST(a_datagram_has_no_history)
{
	const struct hca_headers h = {
		.lrh = { .slid = 1, .dlid = 2, .lnh = IB_LNH_IBA_LOCAL },
		.bth = { .opcode = HCA_OPCODE(UD, SEND_ONLY), .destqp = 18, .psn = 5 },
	};
	struct captured captured;

	captured_make(&captured.packet, captured.wire, &h, NULL, 0);
	captured_at(&captured, HCA1, HCA_TAP_IN, 0);
	ck_assert_uint_eq(history_add(history, &captured.packet), 0);
	ck_assert_uint_eq(history_add(history, &captured.packet), 0);
}
END_TEST

/* As many connections as a file can name: their histories replace one another. */
START_TEST(many_connections_need_no_more_memory)
{
	struct captured captured;
	u32 qpn;

	captured_rc(&captured, IB_OPCODE_SEND_ONLY, 1, 0);
	for (qpn = 0; qpn < 100000; qpn++) {
		captured.packet.h.bth.destqp = qpn;
		captured.packet.h.lrh.slid = qpn >> 3;
		ck_assert_uint_eq(history_add(history, &captured.packet), 0);
	}
	ck_assert_uint_eq(history_add(history, &captured.packet), MARK_RETRANSMIT);
}
END_TEST

Suite *dump_history_suite(void)
{
	Suite *suite = suite_create("dump_history");
	TCase *tc = tcase_create("dump_history");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, a_psn_that_was_requested_is_a_retransmit);
	tcase_add_test(tc, a_psn_that_was_left_out_is_none);
	tcase_add_test(tc, a_psn_far_away_is_another_connection);
	tcase_add_test(tc, each_place_has_its_own);
	tcase_add_test(tc, a_damaged_packet_has_no_psn);
	tcase_add_test(tc, a_read_occupies_psns);
	tcase_add_test(tc, the_rest_of_a_read_is_a_retransmit);
	tcase_add_test(tc, an_acknowledgement_of_what_was_acknowledged_is_a_duplicate);
	tcase_add_test(tc, a_refusal_is_no_duplicate);
	tcase_add_test(tc, a_read_response_that_was_there_is_a_duplicate);
	tcase_add_test(tc, a_packet_of_uc_is_a_duplicate);
	tcase_add_test(tc, a_datagram_has_no_history);
	tcase_add_test(tc, many_connections_need_no_more_memory);
	suite_add_tcase(suite, tc);
	return suite;
}
