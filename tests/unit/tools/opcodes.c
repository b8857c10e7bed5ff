// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Lists of opcodes, as hcactl and the filters of hcadump have them: what a text means, the one text
 * of each list, and which tokens are suggested for a wrong one.
 */
#include <check.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tests/unit/suites.h"
#include "tools/lib/opcodes.h"
#include "tools/lib/rng.h"
#include "wire/opcode.h"

/* A line of hca.conf may have 8,192 octets, and the rest of a "link set" needs less than 1,000. */
#define MAX_TEXT 7000

static const struct opcode_class classes[] = {
	{ "data", 1 }, { "smp", 2 }, { "flow", 4 }, { NULL, 0 }
};

static void add(struct opcodes *opcodes, unsigned int opcode)
{
	opcodes->octets[opcode / 8] |= 1 << opcode % 8;
}

static unsigned int count_of(const struct opcodes *opcodes)
{
	unsigned int opcode, count = 0;

	for (opcode = 0; opcode < 256; opcode++)
		count += opcodes_has(opcodes, opcode);
	return count;
}

static bool parse(const char *text, struct opcodes *opcodes)
{
	struct opcodes_error error;

	return opcodes_parse(text, strlen(text), classes, opcodes, &error);
}

/* The text of a list that is not empty is converted to the same list again. */
static void check_round_trip(const struct opcodes *opcodes)
{
	char *text = opcodes_text(opcodes, classes);
	struct opcodes again;

	ck_assert_uint_lt(strlen(text), MAX_TEXT);
	ck_assert_msg(parse(text, &again), "'%s'", text);
	ck_assert_msg(!memcmp(&again, opcodes, sizeof(again)), "'%s'", text);
	free(text);
}

/* Texts of users, and the canonical texts of the same lists. */
static const struct {
	const char *text, *canonical;
	unsigned int count; /* number of opcodes */
} texts[] = {
	{ "rc-send-only", "rc-send-only", 1 },
	{ "RC SEND Only", "rc-send-only", 1 },
	{ "Rc-Send oNLY", "rc-send-only", 1 },
	{ "rc-send-only-", "rc-send-only-with", 2 },
	{ "rc-send-only-with-im", "rc-send-only-with-immediate", 1 },
	{ "rc-send", "rc-send", 8 },
	{ "rc-sen", "rc-send", 8 },
	{ "rc-send-only,rc-send-only-", "rc-send-only,rc-send-only-with", 3 },
	{ "rc-ack", "rc-acknowledge", 1 },
	{ "RC Ack", "rc-acknowledge", 1 },
	{ "rc-rdma-read-response", "rc-rdma-read-response", 4 },
	{ "rc-rdma-read-request,rc-rdma-read-response", "rc-rdma-read", 5 },
	{ "rc-atomic-", "rc-atomic", 2 },
	{ "rc-reserved", "rc-reserved", 7 },
	{ "uc", "uc", 12 },
	{ "ud", "ud", 2 },
	{ "ud-send", "ud", 2 },
	{ "ud-send-only", "ud-send-only", 1 },
	{ "ud-send-only-with-immediate,ud-send-only", "ud", 2 },
	{ "rd-resync", "rd-resync", 1 },
	{ "rd,rc-send-first, UC RDMA WRITE Only", "rc-send-first,uc-rdma-write-only,rd", 24 },
	{ "RC SEND Only , UD ", "rc-send-only,ud", 3 },
	{ "r", "rc,rd", 54 },
	{ "rc,rc,rc-send", "rc", 32 },
	{ "0x04", "rc-send-only", 1 },
	{ "0x4", "rc-send-only", 1 },
	{ "0X64-0x65", "ud", 2 },
	{ "0xff", "0xff", 1 },
	{ "0x8c-0x8F,0x90", "0x8c-0x90", 5 },
	{ "0x8c,0x8e", "0x8c,0x8e", 2 },
	{ "0x64-0x66,0x68", "ud,0x66,0x68", 4 },
	{ " 0x64-0x66 , 0x68 ", "ud,0x66,0x68", 4 },
	{ "data", "data", 0 },
	{ "SMP", "smp", 0 },
	{ "data ", "data", 0 },
	{ "flow,data", "data,flow", 0 },
	{ "flow,smp,data,flow", "data,smp,flow", 0 },
};

START_TEST(texts_are_converted)
{
	struct opcodes opcodes;
	char *text;

	ck_assert_msg(parse(texts[_i].text, &opcodes), "'%s'", texts[_i].text);
	text = opcodes_text(&opcodes, classes);
	ck_assert_str_eq(text, texts[_i].canonical);
	ck_assert_uint_eq(count_of(&opcodes), texts[_i].count);
	check_round_trip(&opcodes);
	free(text);
}
END_TEST

/* Returns all opcodes that are not in the list. */
static struct opcodes complement(const struct opcodes *opcodes)
{
	struct opcodes others = {};
	unsigned int opcode;

	for (opcode = 0; opcode < 256; opcode++)
		if (!opcodes_has(opcodes, opcode))
			add(&others, opcode);
	return others;
}

/* Each opcode alone, and all but it; each has the bit of its number. */
START_TEST(each_opcode)
{
	struct opcodes one, others;
	unsigned int opcode;

	for (opcode = 0; opcode < 256; opcode++) {
		one = (struct opcodes){};
		add(&one, opcode);
		ck_assert(opcodes_has(&one, opcode));
		ck_assert(!opcodes_is_empty(&one));
		check_round_trip(&one);
		others = complement(&one);
		ck_assert_uint_eq(count_of(&others), 255);
		check_round_trip(&others);
	}
}
END_TEST

/* B4-086: the name of an opcode stands for this opcode alone. */
START_TEST(b4_086_each_name)
{
	struct opcodes opcodes;
	unsigned int opcode;

	for (opcode = 0; opcode < 256; opcode++) {
		if (!hca_opcodes[opcode].name)
			continue;
		ck_assert(parse(hca_opcodes[opcode].name, &opcodes));
		ck_assert_uint_eq(count_of(&opcodes), 1);
		ck_assert(opcodes_has(&opcodes, opcode));
	}
}
END_TEST

/* Each beginning of each name of a service, and all opcodes without those. */
START_TEST(each_beginning)
{
	struct opcodes opcodes, others;
	struct opcodes_error error;
	unsigned int opcode;
	const char *name;
	size_t length;

	for (opcode = 32 * _i; opcode < 32u * (_i + 1); opcode++) {
		name = hca_opcodes[opcode].name;
		for (length = 1; name && name[length - 1]; length++) {
			ck_assert(opcodes_parse(name, length, NULL, &opcodes, &error));
			check_round_trip(&opcodes);
			others = complement(&opcodes);
			check_round_trip(&others);
		}
	}
}
END_TEST

/* Lists of random opcodes, few and many, with and without those that have no name. */
START_TEST(random_lists)
{
	struct rng rng = { _i };
	struct opcodes opcodes;
	unsigned int i, opcode, chance;

	for (i = 0; i < 250; i++) {
		memset(&opcodes, 0, sizeof(opcodes));
		chance = 1 + rng_below(&rng, 100);
		for (opcode = 0; opcode < 256; opcode++)
			if (rng_below(&rng, 100) < chance && (i % 2 || hca_opcodes[opcode].name))
				add(&opcodes, opcode);
		if (!opcodes_is_empty(&opcodes))
			check_round_trip(&opcodes);
	}
}
END_TEST

/* The longest texts: no two opcodes that follow each other, and of each family one is missing. */
START_TEST(longest_lists)
{
	struct opcodes opcodes = {};
	unsigned int opcode;

	for (opcode = _i; opcode < 256; opcode += 2)
		add(&opcodes, opcode);
	check_round_trip(&opcodes);
	for (opcode = 0; opcode < 256; opcode++)
		if (opcode % 32 != 4 && opcode % 32 != 10)
			add(&opcodes, opcode);
	check_round_trip(&opcodes);
}
END_TEST

START_TEST(each_set_of_classes)
{
	struct opcodes opcodes = { .classes = _i };

	ck_assert(opcodes_is_empty(&opcodes));
	check_round_trip(&opcodes);
}
END_TEST

START_TEST(empty_list)
{
	struct opcodes opcodes = {};
	char *text = opcodes_text(&opcodes, classes);

	ck_assert_str_eq(text, "");
	ck_assert(opcodes_is_empty(&opcodes));
	free(text);
}
END_TEST

#define TEN "rc-send-on"
#define MISSING "an opcode is missing"
#define UNKNOWN "is not an opcode"
#define MIXED "cannot be beside the others: a list has either classes or opcodes"

static const struct {
	const char *text, *what;
	size_t at, length;
} errors[] = {
	{ "", MISSING, 0, 0 },
	{ " ", MISSING, 1, 0 },
	{ ",", MISSING, 0, 0 },
	{ "rc,", MISSING, 3, 0 },
	{ "rc,,ud", MISSING, 3, 0 },
	{ "y", UNKNOWN, 0, 1 },
	{ "-", UNKNOWN, 0, 1 },
	{ "rcs", UNKNOWN, 0, 3 },
	{ "rc-send-onlyy", UNKNOWN, 0, 13 },
	{ "rc, rc-sned,ud", UNKNOWN, 4, 7 },
	{ "rc, ,ud", MISSING, 4, 0 },
	{ "rc-sned  ,ud", UNKNOWN, 0, 7 },
	{ "smps", UNKNOWN, 0, 4 },
	{ "s", UNKNOWN, 0, 1 },
	{ TEN TEN TEN TEN TEN TEN, UNKNOWN, 0, 60 },
	{ "0x", UNKNOWN, 0, 2 },
	{ "0x100", UNKNOWN, 0, 5 },
	{ "0x1-", UNKNOWN, 0, 4 },
	{ "0x1-2", UNKNOWN, 0, 5 },
	{ "0x2-0x1", UNKNOWN, 0, 7 },
	{ "0x1-0x2-0x3", UNKNOWN, 0, 11 },
	{ "4", UNKNOWN, 0, 1 },
	{ "rc,data", MIXED, 3, 4 },
	{ "data,rc", MIXED, 5, 2 },
};

START_TEST(errors_are_told)
{
	struct opcodes_error error = {};
	struct opcodes opcodes;
	const char *text = errors[_i].text;

	ck_assert(!opcodes_parse(text, strlen(text), classes, &opcodes, &error));
	ck_assert_str_eq(error.what, errors[_i].what);
	ck_assert_msg(error.at == errors[_i].at && error.length == errors[_i].length,
		      "'%s': at %zu, %zu", text, error.at, error.length);
	ck_assert(error.is_unknown == !strcmp(error.what, UNKNOWN));
}
END_TEST

/* A program without classes does not know their names. */
START_TEST(no_classes)
{
	struct opcodes_error error;
	struct opcodes opcodes;

	ck_assert(!opcodes_parse("data", 4, NULL, &opcodes, &error));
	ck_assert(error.is_unknown);
	ck_assert(opcodes_parse("rc)", 2, NULL, &opcodes, &error));
}
END_TEST

static const struct {
	const char *token, *suggestion;
} suggestions[] = {
	{ "rc-sned", "; did you mean rc-send?" },
	{ "RC SNED", "; did you mean rc-send?" },
	{ "rc-sendonly", "; did you mean rc-send-only?" },
	{ "rc-aknowledge", "; did you mean rc-acknowledge?" },
	{ "rd-rsync", "; did you mean rd-resync?" },
	{ "rcc", "; did you mean rc?" },
	{ "smps", "; did you mean smp?" },
	{ "xc", "; did you mean rc, uc or xrc?" },
	{ "rc-rdma-read-answer", "; there are rc-rdma-read-request, rc-rdma-read-response" },
	{ "rc-send-only-xyz", "; there are rc-send-only-with" },
	{ "uc-foobar", "; there are uc-send, uc-rdma" },
	{ "rc-flush-it-all", "; there are rc-send, rc-rdma, rc-acknowledge, rc-atomic, rc-cmpswap, "
	  "rc-fetchadd, rc-reserved, rc-flush" },
	{ "foo", "; there are rc, uc, rd, ud, xrc, data, smp, flow" },
	{ TEN TEN TEN TEN TEN TEN, "; there are rc-send-first, rc-send-middle, rc-send-last, "
	  "rc-send-only" },
};

START_TEST(nearest_tokens)
{
	const char *token = suggestions[_i].token;
	char *text = opcodes_suggest(token, strlen(token), classes);

	ck_assert_str_eq(text, suggestions[_i].suggestion);
	free(text);
}
END_TEST

#define COUNT(table) ((int)(sizeof(table) / sizeof((table)[0])))

Suite *opcodes_suite(void)
{
	Suite *suite = suite_create("opcodes");
	TCase *tc = tcase_create("opcodes");

	tcase_add_loop_test(tc, texts_are_converted, 0, COUNT(texts));
	tcase_add_test(tc, each_opcode);
	tcase_add_test(tc, b4_086_each_name);
	tcase_add_loop_test(tc, each_beginning, 0, 8);
	tcase_add_loop_test(tc, random_lists, 0, 4);
	tcase_add_loop_test(tc, longest_lists, 0, 2);
	tcase_add_loop_test(tc, each_set_of_classes, 1, 8);
	tcase_add_test(tc, empty_list);
	tcase_add_loop_test(tc, errors_are_told, 0, COUNT(errors));
	tcase_add_test(tc, no_classes);
	tcase_add_loop_test(tc, nearest_tokens, 0, COUNT(suggestions));
	suite_add_tcase(suite, tc);
	return suite;
}
