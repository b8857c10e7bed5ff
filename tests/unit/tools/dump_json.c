// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* hcadump: packets as JSON. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "linux/hca_tap.h"
#include "tests/unit/suites.h"
#include "tests/unit/tools/captured.h"
#include "tools/dump/line.h"
#include "tools/dump/mark.h"
#include "wire/opcode.h"

static void check_json(const struct packet *packet, const char *expected)
{
	char *line = NULL;
	size_t length;
	FILE *to = open_memstream(&line, &length);

	line_print_json(to, packet, true);
	fclose(to);
	ck_assert_str_eq(line, expected);
	free(line);
}

START_TEST(a_packet_at_both_ends)
{
	struct captured captured;
	struct packet *packet = &captured.packet;

	captured_rc(&captured, IB_OPCODE_ACKNOWLEDGE, 0x123456, 0x2c);
	captured_at(&captured, HCA1, HCA_TAP_OUT, 42);
	packet->has_peer = true;
	packet->peer_port = "hca0/1";
	packet->has_arrived = true;
	packet->arrived_ns = packet->time_ns + 1000000000;
	packet->marks = MARK_DUPLICATE;
	check_json(packet, "{\"seconds\":1700000000,\"nanoseconds\":42,"
		   "\"port\":\"hca1/1\",\"direction\":\"out\","
		   "\"peer\":\"hca0/1\",\"arrival_seconds\":1700000001,\"arrival_nanoseconds\":42,"
		   "\"length\":30,\"captured\":30,\"marks\":[\"DUPLICATE\"],"
		   "\"slid\":2,\"dlid\":1,\"vl\":0,\"sl\":0,"
		   "\"opcode\":\"RC Acknowledge\",\"payload\":0,"
		   "\"pkey\":65535,\"destqp\":17,\"psn\":1193046,"
		   "\"ackreq\":false,\"solicited\":false,"
		   "\"syndrome\":44,\"acknowledge\":\"RNR NAK timer 0.64 ms\",\"rnr_timer_us\":640,"
		   "\"msn\":1}\n");
}
END_TEST

START_TEST(a_packet_that_is_lost)
{
	struct captured captured;
	struct packet *packet = &captured.packet;

	captured_rc(&captured, IB_OPCODE_SEND_ONLY, 1, 0);
	packet->has_peer = true;
	packet->peer_interface = 1;
	packet->marks = MARK_RETRANSMIT | MARK_LOST | MARK_DAMAGED;
	packet->lost = 3;
	check_json(packet, "{\"seconds\":1700000000,\"nanoseconds\":0,"
		   "\"port\":\"hca0/1\",\"direction\":\"out\",\"peer\":\"#2\",\"lost\":3,"
		   "\"length\":26,\"captured\":26,"
		   "\"marks\":[\"RETRANSMIT\",\"LOST\"],\"reason\":\"damaged\","
		   "\"slid\":1,\"dlid\":2,\"vl\":0,\"sl\":0,"
		   "\"opcode\":\"RC SEND Only\",\"payload\":0,"
		   "\"pkey\":65535,\"destqp\":18,\"psn\":1,"
		   "\"ackreq\":false,\"solicited\":false}\n");
}
END_TEST

static const struct {
	u8 opcode;
	const char *end;
} headers[] = {
	{ HCA_OPCODE(RC, RDMA_READ_REQUEST), "\"va\":4096,\"rkey\":515,\"message_length\":1024}\n" },
	{ HCA_OPCODE(RC, SEND_ONLY_WITH_IMMEDIATE), "\"immediate\":7}\n" },
	{ HCA_OPCODE(RC, SEND_ONLY_WITH_INVALIDATE), "\"invalidate_rkey\":8}\n" },
	{ HCA_OPCODE(UD, SEND_ONLY), "\"srcqp\":19,\"qkey\":4369}\n" },
	{ HCA_OPCODE(XRC, SEND_ONLY), "\"srqn\":6}\n" },
};

/* The number of each extended header has a field. */
START_TEST(extended_headers)
{
	struct hca_headers h = {
		.lrh = { .slid = 1, .dlid = 2, .lnh = IB_LNH_IBA_LOCAL },
		.bth = { .opcode = headers[_i].opcode, .destqp = 18 },
		.deth = { .qkey = 0x1111, .srcqp = 19 },
		.xrceth_srqn = 6,
		.reth = { .va = 0x1000, .rkey = 0x203, .length = 1024 },
		.immdt = cpu_to_be32(7),
		.ieth_rkey = 8,
	};
	struct captured captured;
	char *line = NULL;
	size_t length;
	FILE *to = open_memstream(&line, &length);

	captured_make(&captured.packet, captured.wire, &h, NULL, 0);
	line_print_json(to, &captured.packet, false);
	fclose(to);
	ck_assert_uint_ge(length, strlen(headers[_i].end));
	ck_assert_str_eq(line + length - strlen(headers[_i].end), headers[_i].end);
	free(line);
}
END_TEST

Suite *dump_json_suite(void)
{
	Suite *suite = suite_create("dump_json");
	TCase *tc = tcase_create("dump_json");

	tcase_add_test(tc, a_packet_at_both_ends);
	tcase_add_test(tc, a_packet_that_is_lost);
	tcase_add_loop_test(tc, extended_headers, 0, sizeof(headers) / sizeof(*headers));
	suite_add_tcase(suite, tc);
	return suite;
}
