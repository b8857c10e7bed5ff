// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* hcadump: sequence diagrams, as text and as SVG. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "linux/hca_tap.h"
#include "tests/unit/suites.h"
#include "tests/unit/tools/captured.h"
#include "tools/dump/ladder.h"
#include "tools/dump/mark.h"
#include "tools/dump/xml.h"
#include "wire/opcode.h"

static struct ladder *ladder;
static char *text;

static void setup(void)
{
	ladder = ladder_new();
	text = NULL;
}

static void teardown(void)
{
	ladder_free(ladder);
	free(text);
}

static void print(void (*print)(FILE *to, const struct ladder *ladder))
{
	size_t length;
	FILE *to = open_memstream(&text, &length);

	print(to, ladder);
	fclose(to);
}

/* Adds a packet that was captured at both ends, unless it is lost. */
static void add(u8 operation, u32 psn, u8 syndrome, u64 ns, u32 marks)
{
	struct captured captured;
	struct packet *packet = &captured.packet;

	captured_rc(&captured, operation, psn, syndrome);
	captured_at(&captured, packet->interface, HCA_TAP_OUT, ns);
	packet->has_peer = true;
	packet->peer_interface = !packet->interface;
	packet->peer_port = packet->interface ? "hca0/1" : "hca1/1";
	packet->has_arrived = !(marks & MARK_LOST);
	packet->marks = marks;
	ladder_add(ladder, packet);
}

static const char exchange[] =
	"               hca0/1                                                    hca1/1\n"
	"                qp 17                                                     qp 18\n"
	"   0.000000000    |-- RC SEND Only psn 0x000001 --------------------------->|\n"
	"   0.000001000    |<-- RC ACK credits 32 psn 0x000001 ----------------------|\n"
	"   0.000002000    |-- RC SEND Only psn 0x000002 LOST ---------------X       |\n"
	"      (500 ms)    :                                                         :\n"
	"   0.500002000    |-- RC SEND Only psn 0x000002 RETRANSMIT ---------------->|\n"
	"   0.500003000    |<-- RC RNR NAK timer 0.64 ms psn 0x000002 ---------------|\n"
	"                  | RC NAK remote operational error psn 0x000002 LOST       |\n"
	"   0.500004000    |       X-------------------------------------------------|\n";

static void add_exchange(void)
{
	add(IB_OPCODE_SEND_ONLY, 1, 0, 0, 0);
	add(IB_OPCODE_ACKNOWLEDGE, 1, 0x0a, 1000, 0);
	add(IB_OPCODE_SEND_ONLY, 2, 0, 2000, MARK_LOST);
	add(IB_OPCODE_SEND_ONLY, 2, 0, 500002000, MARK_RETRANSMIT);
	add(IB_OPCODE_ACKNOWLEDGE, 2, 0x2c, 500003000, 0);
	add(IB_OPCODE_ACKNOWLEDGE, 2, 0x63, 500004000, MARK_LOST);
}

START_TEST(an_exchange_as_text)
{
	add_exchange();
	print(ladder_print_text);
	ck_assert_str_eq(text, exchange);
}
END_TEST

/* One port is captured: the other end is a LID. */
START_TEST(a_port_and_a_lid)
{
	struct captured captured;

	captured_rc(&captured, IB_OPCODE_SEND_ONLY, 1, 0);
	ladder_add(ladder, &captured.packet);
	captured_rc(&captured, IB_OPCODE_ACKNOWLEDGE, 1, 0x1f);
	captured_at(&captured, HCA0, HCA_TAP_IN, 1000);
	ladder_add(ladder, &captured.packet);
	ck_assert_uint_eq(ladder->num_columns, 2);
	ck_assert_str_eq(ladder->columns[0].name, "hca0/1");
	ck_assert_str_eq(ladder->columns[1].name, "LID 2");
	ck_assert_uint_eq(ladder->events[0].from, 0);
	ck_assert_uint_eq(ladder->events[0].to, 1);
	ck_assert_uint_eq(ladder->events[1].from, 1);
	ck_assert_uint_eq(ladder->events[1].to, 0);
}
END_TEST

START_TEST(each_packet_has_one_arrow)
{
	struct captured captured;

	captured_rc(&captured, IB_OPCODE_SEND_ONLY, 1, 0);
	captured.packet.is_shown = true;
	ladder_add(ladder, &captured.packet);
	captured.packet.is_shown = false;
	captured.packet.has_peer = true;
	captured.packet.direction = HCA_TAP_IN;
	captured.packet.marks = MARK_DAMAGED;
	ladder_add(ladder, &captured.packet);
	ck_assert_uint_eq(ladder->num_events, 0);
}
END_TEST

START_TEST(queue_pairs_of_a_column)
{
	struct captured captured;

	captured_rc(&captured, IB_OPCODE_SEND_ONLY, 1, 0);
	ladder_add(ladder, &captured.packet);
	captured.packet.h.bth.destqp = 99;
	ladder_add(ladder, &captured.packet);
	print(ladder_print_text);
	ck_assert_ptr_nonnull(strstr(text, "RC SEND Only psn 0x000001 qp 18 "));
	ck_assert_ptr_nonnull(strstr(text, "RC SEND Only psn 0x000001 qp 99 "));
}
END_TEST

/* No row of text is wider than 80 columns, as long as there are six columns at most. */
START_TEST(rows_have_a_width)
{
	struct captured captured;
	unsigned int i, port;
	const char *row, *end;

	captured_rc(&captured, IB_OPCODE_RDMA_WRITE_LAST_WITH_IMMEDIATE, 1, 0);
	captured.packet.has_peer = true;
	captured.packet.peer_port = "a-device-with-a-long-name/1";
	captured.packet.port = "another-device-with-a-long-name/1";
	captured.packet.marks = MARK_RETRANSMIT | MARK_LOST | MARK_DAMAGED;
	for (i = 0; i < (unsigned int)_i; i++)
		for (port = 0; port < (unsigned int)_i; port++) {
			captured.packet.interface = i;
			captured.packet.peer_interface = port;
			ladder_add(ladder, &captured.packet);
		}
	print(ladder_print_text);
	for (row = text; (end = strchr(row, '\n')); row = end + 1)
		ck_assert_int_le(end - row, 80);
	ck_assert_uint_eq(ladder->num_columns, _i);
}
END_TEST

START_TEST(memory_is_bounded)
{
	struct captured captured;
	unsigned int i;

	captured_rc(&captured, IB_OPCODE_SEND_ONLY, 1, 0);
	for (i = 0; i < LADDER_MAX_EVENTS + 10; i++) {
		captured.packet.interface = i % 100;
		captured.packet.h.lrh.dlid = i;
		ladder_add(ladder, &captured.packet);
	}
	ck_assert_uint_eq(ladder->num_events, LADDER_MAX_EVENTS);
	ck_assert_uint_eq(ladder->left_out, 10);
	ck_assert_uint_eq(ladder->num_columns, LADDER_MAX_COLUMNS);
	ck_assert_str_eq(ladder->columns[LADDER_MAX_COLUMNS - 1].name, "others");
	print(ladder_print_text);
	ck_assert_ptr_nonnull(strstr(text, "\n(10 packets more)\n"));
	free(text);
	print(ladder_print_svg);
	ck_assert_ptr_nonnull(strstr(text, ">10 packets more</text>"));
}
END_TEST

START_TEST(nothing_is_a_diagram_too)
{
	print(ladder_print_text);
	ck_assert_str_eq(text, "");
	free(text);
	print(ladder_print_svg);
	ck_assert_ptr_nonnull(strstr(text, "</svg>\n"));
}
END_TEST

static unsigned int count(const char *part)
{
	unsigned int n = 0;
	const char *at;

	for (at = text; (at = strstr(at, part)); at++)
		n++;
	return n;
}

START_TEST(an_exchange_as_svg)
{
	add_exchange();
	print(ladder_print_svg);
	ck_assert_uint_eq(count("<line class=\"arrow"), 6);
	ck_assert_uint_eq(count("<line class=\"arrow request again\""), 1);
	ck_assert_uint_eq(count("<path class=\"cross\""), 2);
	ck_assert_uint_eq(count(">500 ms</text>"), 1);
	ck_assert_uint_eq(count("<rect class=\"box\""), 2);
	ck_assert_uint_eq(count("<text"), count("</text>"));
	ck_assert_uint_eq(count("<tspan"), count("</tspan>"));
}
END_TEST

/* The name of a port in a file may contain anything, and is nothing but text in XML. */
START_TEST(names_are_escaped)
{
	struct captured captured;

	captured_rc(&captured, IB_OPCODE_SEND_ONLY, 1, 0);
	captured.packet.port = "</text><script>&'\"\001\xff";
	ladder_add(ladder, &captured.packet);
	print(ladder_print_svg);
	ck_assert_uint_eq(count("<script"), 0);
	ck_assert_uint_eq(count("&lt;/text&gt;&lt;script&gt;&amp;&#39;&quot;?" "?</text>"), 1);
}
END_TEST

START_TEST(pauses)
{
	static const struct {
		u64 ns, typical_ns;
		const char *text;
	} cases[] = {
		{ 999999, 0, NULL }, { 1000000, 0, "1.0 ms" }, { 12345678, 0, "12 ms" },
		{ 999400000, 0, "999 ms" }, { 1500000000, 0, "1.5 s" }, { 61000000000, 0, "61 s" },
		{ 5000000, 500000, "5.0 ms" }, { 5000000, 600000, NULL },
	};
	char duration[LADDER_DURATION_OCTETS];
	const char *pause;
	size_t i;

	add(IB_OPCODE_SEND_ONLY, 1, 0, 0, 0);
	add(IB_OPCODE_SEND_ONLY, 2, 0, 0, 0);
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		ladder->events[1].time_ns = ladder->events[0].time_ns + cases[i].ns;
		pause = ladder_pause(ladder, 1, cases[i].typical_ns, duration);
		if (cases[i].text)
			ck_assert_str_eq(pause, cases[i].text);
		else
			ck_assert_ptr_null(pause);
	}
	ck_assert_ptr_null(ladder_pause(ladder, 0, 0, duration));
}
END_TEST

Suite *dump_ladder_suite(void)
{
	Suite *suite = suite_create("dump_ladder");
	TCase *tc = tcase_create("dump_ladder");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, an_exchange_as_text);
	tcase_add_test(tc, a_port_and_a_lid);
	tcase_add_test(tc, each_packet_has_one_arrow);
	tcase_add_test(tc, queue_pairs_of_a_column);
	tcase_add_loop_test(tc, rows_have_a_width, 1, 6);
	tcase_add_test(tc, memory_is_bounded);
	tcase_add_test(tc, nothing_is_a_diagram_too);
	tcase_add_test(tc, an_exchange_as_svg);
	tcase_add_test(tc, names_are_escaped);
	tcase_add_test(tc, pauses);
	suite_add_tcase(suite, tc);
	return suite;
}
