// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* hcactl drops: lines of the trace, whatever is in them, and however they come. */
#define _GNU_SOURCE
#include <check.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tests/unit/suites.h"
#include "tools/ctl/drop_line.h"
#include "tools/ctl/kernel/drop_read.h"
#include "tools/lib/rng.h"

#define BEFORE "          <idle>-0       [001] ..s2.   101.000200: hca_drop: "
#define NODE "node=0x0200000000000020 "
#define PORT "port=1 slid=2 dlid=4 vl=0 sl=3 "
#define OPCODE "RC SEND Only "
#define NUMBERS "qpn=18 psn=4712 octets=1052 "
#define REASON "reason=\"lost by a fault\""
#define GOOD BEFORE NODE PORT OPCODE NUMBERS REASON
#define X16 "xxxxxxxxxxxxxxxx"

static const struct {
	const char *line;
	enum drop_line kind;
	uint64_t lost;
} lines[] = {
	{ GOOD, DROP_LINE_DROP },
	{ " x: hca_drop: -7 [001] ..s2. 1.000200: hca_drop: " NODE PORT OPCODE NUMBERS REASON,
	  DROP_LINE_DROP },
	{ "1.2: hca_drop: " NODE PORT OPCODE NUMBERS REASON, DROP_LINE_DROP },
	{ BEFORE NODE PORT "? " NUMBERS REASON, DROP_LINE_DROP },
	{ BEFORE NODE PORT OPCODE NUMBERS "reason=\"of tomorrow \"so called\"\"", DROP_LINE_DROP },
	{ BEFORE "node=0xffffffffffffffff port=255 slid=65535 dlid=65535 vl=255 sl=255 " OPCODE
	  "qpn=4294967295 psn=4294967295 octets=65535 " REASON, DROP_LINE_DROP },
	/* numbers that no field can have */
	{ BEFORE "node=0x10000000000000000 " PORT OPCODE NUMBERS REASON, DROP_LINE_WRONG },
	{ BEFORE NODE "port=256 slid=2 dlid=4 vl=0 sl=3 " OPCODE NUMBERS REASON, DROP_LINE_WRONG },
	{ BEFORE NODE "port=1 slid=65536 dlid=4 vl=0 sl=3 " OPCODE NUMBERS REASON,
	  DROP_LINE_WRONG },
	{ BEFORE NODE PORT OPCODE "qpn=4294967296 psn=4712 octets=1052 " REASON, DROP_LINE_WRONG },
	{ BEFORE NODE PORT OPCODE "qpn=99999999999999999999999 psn=1 octets=2 " REASON,
	  DROP_LINE_WRONG },
	{ BEFORE NODE "port=-1 slid=2 dlid=4 vl=0 sl=3 " OPCODE NUMBERS REASON, DROP_LINE_WRONG },
	{ BEFORE NODE "port= 1 slid=2 dlid=4 vl=0 sl=3 " OPCODE NUMBERS REASON, DROP_LINE_WRONG },
	{ BEFORE NODE "port= slid=2 dlid=4 vl=0 sl=3 " OPCODE NUMBERS REASON, DROP_LINE_WRONG },
	/* fields that are missing, or of another hca.ko */
	{ BEFORE PORT OPCODE NUMBERS REASON, DROP_LINE_WRONG },
	{ BEFORE NODE OPCODE NUMBERS REASON, DROP_LINE_WRONG },
	{ BEFORE NODE PORT NUMBERS REASON, DROP_LINE_WRONG },
	{ BEFORE NODE PORT OPCODE REASON, DROP_LINE_WRONG },
	{ BEFORE NODE PORT OPCODE NUMBERS, DROP_LINE_WRONG },
	{ BEFORE NODE PORT OPCODE NUMBERS "reason=\"\"", DROP_LINE_WRONG },
	{ BEFORE NODE PORT OPCODE NUMBERS REASON " more=1", DROP_LINE_WRONG },
	{ BEFORE NODE PORT OPCODE "mtu=4 " NUMBERS REASON, DROP_LINE_DROP }, /* the opcode's */
	{ BEFORE, DROP_LINE_WRONG },
	{ ": hca_drop: " NODE PORT OPCODE NUMBERS REASON, DROP_LINE_WRONG }, /* without a time */
	{ " now: hca_drop: " NODE PORT OPCODE NUMBERS REASON, DROP_LINE_WRONG },
	/* texts that do not fit, or are none */
	{ BEFORE NODE PORT X16 X16 X16 X16 " " NUMBERS REASON, DROP_LINE_WRONG },
	{ BEFORE NODE PORT OPCODE NUMBERS "reason=\"" X16 X16 X16 X16 "\"", DROP_LINE_WRONG },
	{ BEFORE NODE PORT OPCODE NUMBERS "reason=\"\033[2J\"", DROP_LINE_WRONG },
	{ BEFORE NODE PORT "RC\tSEND " NUMBERS REASON, DROP_LINE_WRONG },
	/* events that the trace does not have */
	{ "# entries-in-buffer/entries-written: 6/12   #P:2", DROP_LINE_LOST, 6 },
	{ "# entries-in-buffer/entries-written: 0/0   #P:2", DROP_LINE_LOST, 0 },
	{ "# entries-in-buffer/entries-written: 12/6   #P:2", DROP_LINE_LOST, 0 },
	{ "# entries-in-buffer/entries-written: 0/18446744073709551615", DROP_LINE_LOST,
	  UINT64_MAX },
	{ "# entries-in-buffer/entries-written: 0/18446744073709551616", DROP_LINE_WRONG },
	{ "# entries-in-buffer/entries-written: 6", DROP_LINE_WRONG },
	{ "CPU:0 [LOST 17 EVENTS]", DROP_LINE_LOST, 17 },
	{ "CPU:127 [LOST EVENTS]", DROP_LINE_LOST, 1 },
	{ "CPU:1 [LOST 17 EVE", DROP_LINE_WRONG },
	{ "CPU:1 [LOST -1 EVENTS]", DROP_LINE_WRONG },
	{ "CPU:1 [LOST 18446744073709551616 EVENTS]", DROP_LINE_WRONG },
	{ "CPU:", DROP_LINE_WRONG },
	/* what else there is */
	{ "", DROP_LINE_OTHER },
	{ "# tracer: nop", DROP_LINE_OTHER },
	{ " a-1 [001] ..s2. 1.000200: hca_credit_wait: node=0x2 port=1 vl=0 blocks=1",
	  DROP_LINE_OTHER },
};

#define COUNT(table) ((int)(sizeof(table) / sizeof((table)[0])))

START_TEST(kinds)
{
	struct drop drop;
	uint64_t lost = 0;

	ck_assert_msg(drop_line_parse(lines[_i].line, &drop, &lost) == lines[_i].kind, "'%s'",
		      lines[_i].line);
	if (lines[_i].kind == DROP_LINE_LOST)
		ck_assert_uint_eq(lost, lines[_i].lost);
}
END_TEST

START_TEST(fields)
{
	struct drop drop;
	uint64_t lost;

	ck_assert_int_eq(drop_line_parse(GOOD, &drop, &lost), DROP_LINE_DROP);
	ck_assert_uint_eq(drop.node, 0x0200000000000020);
	ck_assert_uint_eq(drop.port, 1);
	ck_assert_uint_eq(drop.slid, 2);
	ck_assert_uint_eq(drop.dlid, 4);
	ck_assert_uint_eq(drop.vl, 0);
	ck_assert_uint_eq(drop.sl, 3);
	ck_assert_uint_eq(drop.qpn, 18);
	ck_assert_uint_eq(drop.psn, 4712);
	ck_assert_uint_eq(drop.octets, 1052);
	ck_assert_str_eq(drop.time, "101.000200");
	ck_assert_str_eq(drop.opcode, "RC SEND Only");
	ck_assert_str_eq(drop.reason, "lost by a fault");
}
END_TEST

/* A line that ends early is no packet, wherever that is. */
START_TEST(cut)
{
	struct drop drop;
	char *line;
	uint64_t lost;
	size_t i;

	for (i = 0; i < strlen(GOOD); i++) {
		line = strndup(GOOD, i); /* so that a sanitizer knows the end */
		ck_assert_int_ne(drop_line_parse(line, &drop, &lost), DROP_LINE_DROP);
		free(line);
	}
}
END_TEST

/* Whatever octets there are, texts are printable. */
START_TEST(altered)
{
	struct rng rng = rng_seed(_i, "drops");
	char line[] = GOOD;
	struct drop drop;
	uint64_t lost;
	const char *c;
	int i;

	for (i = 0; i < 4; i++)
		line[rng_below(&rng, sizeof(line) - 1)] = rng_below(&rng, 256);
	if (drop_line_parse(line, &drop, &lost) != DROP_LINE_DROP)
		return;
	for (c = drop.opcode; *c; c++)
		ck_assert(*c >= ' ' && *c <= '~');
	for (c = drop.reason; *c; c++)
		ck_assert(*c >= ' ' && *c <= '~');
}
END_TEST

struct seen {
	unsigned int drops;
	uint64_t psn;
};

static void see(const struct drop *drop, void *arg)
{
	struct seen *seen = arg;

	seen->drops++;
	seen->psn = drop->psn;
}

/* Writes a text in parts of a size, and reads after each. */
static void pass(struct drop_reader *reader, struct seen *seen, int to, const char *text,
		 size_t size)
{
	size_t length = strlen(text), part;

	for (; length; text += part, length -= part) {
		part = length < size ? length : size;
		ck_assert_int_eq(write(to, text, part), part);
		ck_assert(drop_read(reader, see, seen));
	}
}

static void open_pipe(struct drop_reader *reader, int *to)
{
	int ends[2];

	ck_assert(!pipe2(ends, O_NONBLOCK));
	reader->fd = ends[0];
	*to = ends[1];
}

START_TEST(in_parts)
{
	static const size_t sizes[] = { 1, 7, 100, 4095, 5000 };
	struct drop_reader reader = {};
	struct seen seen = {};
	int to;

	open_pipe(&reader, &to);
	pass(&reader, &seen, to, GOOD "\n" GOOD "\nCPU:0 [LOST 3 EVENTS]\n" BEFORE "\n" GOOD,
	     sizes[_i]);
	ck_assert_uint_eq(seen.drops, 2);
	pass(&reader, &seen, to, "\n", 1);
	ck_assert_uint_eq(seen.drops, 3);
	ck_assert_uint_eq(seen.psn, 4712);
	ck_assert_uint_eq(reader.lost, 3);
	ck_assert_uint_eq(reader.wrong, 1);
	close(to);
	ck_assert(drop_read(&reader, see, &seen));
	close(reader.fd);
}
END_TEST

/* A line without an end is one that is not understood, and those behind it are. */
START_TEST(without_end)
{
	struct drop_reader reader = {};
	struct seen seen = {};
	int i, to;

	open_pipe(&reader, &to);
	for (i = 0; i < 1000; i++)
		pass(&reader, &seen, to, X16, sizeof(X16));
	pass(&reader, &seen, to, GOOD "\n" GOOD "\n", 64);
	ck_assert_uint_eq(seen.drops, 1);
	ck_assert_uint_eq(reader.wrong, 1);
	close(to);
	close(reader.fd);
	ck_assert(!drop_read(&reader, see, &seen));
}
END_TEST

Suite *hcactl_drops_suite(void)
{
	Suite *suite = suite_create("hcactl_drops");
	TCase *drops = tcase_create("hcactl_drops");

	tcase_add_loop_test(drops, kinds, 0, COUNT(lines));
	tcase_add_test(drops, fields);
	tcase_add_test(drops, cut);
	tcase_add_loop_test(drops, altered, 0, 500);
	tcase_add_loop_test(drops, in_parts, 0, 5);
	tcase_add_test(drops, without_end);
	suite_add_tcase(suite, drops);
	return suite;
}
