// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* hcadump: whatever the octets of packets are, all that is made of them ends, within its memory. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tests/unit/suites.h"
#include "tests/unit/tools/captured.h"
#include "tools/dump/ends.h"
#include "tools/dump/filter.h"
#include "tools/dump/history.h"
#include "tools/dump/ladder.h"
#include "tools/dump/line.h"
#include "tools/lib/rng.h"
#include "wire/opcode.h"

#define PACKETS 2000

static struct ladder *ladder;
static struct filter *filter;
static FILE *to;

static bool release(void *data, const struct packet *packet)
{
	struct line_style style = { .verbose = true, .checked = true };

	line_print(to, packet, &style);
	line_print_json(to, packet, true);
	ladder_add(ladder, packet);
	return filter_matches(filter, packet);
}

/* A packet of any opcode, some of whose octets, lengths and times are wrong. */
static void make(struct rng *rng, struct captured *captured)
{
	struct packet *packet = &captured->packet;
	u8 opcode = rng_next(rng);
	struct hca_headers h = {
		.lrh = {
			.slid = rng_below(rng, 4), .dlid = rng_below(rng, 4),
			.lnh = rng_one_in(rng, 8) ? rng_below(rng, 4) : IB_LNH_IBA_LOCAL,
		},
		.bth = {
			.opcode = hca_opcodes[opcode].name ? opcode : 0,
			.destqp = rng_below(rng, 3), .psn = rng_below(rng, 8) - 4,
		},
	};

	captured_make(packet, captured->wire, &h, NULL, rng_below(rng, 300));
	captured_at(captured, rng_below(rng, 2), rng_below(rng, 3),
		    rng_one_in(rng, 50) ? rng_next(rng) : rng_below(rng, 1000000));
	if (rng_one_in(rng, 4))
		captured->wire[rng_below(rng, packet->length)] = rng_next(rng);
	if (rng_one_in(rng, 8))
		packet->captured = rng_below(rng, packet->length);
	if (rng_one_in(rng, 8))
		packet->length = rng_below(rng, 500);
	packet->is_flow = rng_one_in(rng, 16);
	packet->lost = rng_one_in(rng, 64);
}

/* The packet again, as a file has it, without what was dissected. */
static struct packet as_read(const struct packet *packet, const u8 *octets)
{
	return (struct packet){
		.time_ns = packet->time_ns, .port = packet->port, .interface = packet->interface,
		.direction = packet->direction, .lost = packet->lost, .length = packet->length,
		.captured = packet->captured, .octets = octets, .is_flow = packet->is_flow,
	};
}

static void add(struct history *history, struct ends *ends, const struct packet *packet)
{
	u8 *exact = malloc(packet->captured);
	struct packet copy;

	memcpy(exact, packet->octets, packet->captured);
	copy = as_read(packet, exact);
	packet_decode(&copy);
	copy.marks = history_add(history, &copy);
	ends_add(ends, &copy);
	free(exact);
}

START_TEST(packets_may_be_anything)
{
	struct history *history = history_new();
	struct ends *ends = ends_new(release, NULL);
	struct rng rng = rng_seed(_i, "packets");
	struct captured captured;
	struct filter_error error;
	char *text = NULL;
	size_t length;
	unsigned int i;

	ladder = ladder_new();
	filter = filter_compile("nak or rnr or retransmit or qp 1 or not port hca0", &error);
	to = open_memstream(&text, &length);
	for (i = 0; i < PACKETS; i++) {
		make(&rng, &captured);
		add(history, ends, &captured.packet);
		if (rng_one_in(&rng, 2)) {
			captured_at(&captured, !captured.packet.interface, rng_below(&rng, 3), 0);
			add(history, ends, &captured.packet);
		}
	}
	ends_flush(ends);
	ladder_print_text(to, ladder);
	ladder_print_svg(to, ladder);
	fclose(to);
	ck_assert_uint_gt(length, 0);
	free(text);
	filter_free(filter);
	ladder_free(ladder);
	ends_free(ends);
	history_free(history);
}
END_TEST

Suite *dump_hostile_suite(void)
{
	Suite *suite = suite_create("dump_hostile");
	TCase *tc = tcase_create("dump_hostile");

	tcase_add_loop_test(tc, packets_may_be_anything, 0, 20);
	tcase_set_timeout(tc, 60);
	suite_add_tcase(suite, tc);
	return suite;
}
