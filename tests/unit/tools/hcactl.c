// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * hcactl: the formats of GUIDs, ports, numbers, probabilities and lines, the derivation of GUIDs,
 * the lookup of items by name, and the words for what an older module refuses.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <check.h>
#include "tests/unit/suites.h"
#include "tools/ctl/guid.h"
#include "tools/ctl/index.h"
#include "tools/ctl/kernel/reason.h"
#include "tools/ctl/portname.h"
#include "tools/ctl/tokens.h"
#include "tools/lib/number.h"
#include "tools/lib/probability.h"
#include "tools/lib/units.h"

static const struct {
	const char *text;
	bool good;
	uint64_t guid;
} guids[] = {
	{ "0x0", true, 0 },
	{ "0xaB1", true, 0xab1 },
	{ "0X10", true, 0x10 },
	{ "0xfedcba9876543210", true, 0xfedcba9876543210 },
	{ "0200:0000:0000:0010", true, 0x0200000000000010 },
	{ "02:00:00:00:00:00:00:10", true, 0x0200000000000010 },
	{ "FE:DC:ba:98:76:54:32:10", true, 0xfedcba9876543210 },
	{ "" },
	{ "0" },
	{ "0x" },
	{ "0xg" },
	{ "0x 1" },
	{ "0x-1" },
	{ "0x00000000000000010" }, /* 17 digits */
	{ "0200000000000010" },
	{ "02:00:00:00:00:00:00" },
	{ "02:00:00:00:00:00:00:1" },
	{ "02:00:00:00:00:00:00:100" },
	{ "02:00:00:00:00:00:00:10:" },
	{ "02-00-00-00-00-00-00-10" },
	{ "0200:0000:0000:001g" },
	{ "0200:0000:00000:010" },
	{ "::1" },
};

START_TEST(guid_forms)
{
	uint64_t guid;

	ck_assert_msg(guid_parse(guids[_i].text, &guid) == guids[_i].good, "'%s'", guids[_i].text);
	if (guids[_i].good)
		ck_assert_uint_eq(guid, guids[_i].guid);
}
END_TEST

/* Scripts and subnet managers' files store GUIDs: the derivation of GUIDs never changes. */
static const struct {
	const char *machine_id, *node_seed, *name;
	uint64_t guid;
} derived[] = {
	{ "0123456789abcdef0123456789abcdef", "", "hca0", 0x6acd8ff5a782e1a0 },
	{ "0123456789abcdef0123456789abcdef", "node0", "hca0", 0xe604aa971e86b400 },
	{ "0123456789abcdef0123456789abcdef", "node0", "hca1", 0x9a0d655218cb9740 },
};

START_TEST(guid_is_derived_as_ever)
{
	ck_assert_uint_eq(guid_derive(derived[_i].machine_id, derived[_i].node_seed,
				      derived[_i].name), derived[_i].guid);
}
END_TEST

START_TEST(guid_is_a_nodes)
{
	static const uint64_t bits[] = { 0, UINT64_MAX, 1, GUID_GROUP_BIT };
	uint64_t guid = guid_from_bits(bits[_i]);

	ck_assert_uint_eq(guid & GUID_GROUP_BIT, 0);
	ck_assert_uint_eq(guid & GUID_LOCAL_BIT, GUID_LOCAL_BIT);
	ck_assert_uint_eq(guid & GUID_PORTS_MASK, 0);
	ck_assert_uint_eq((guid + GUID_PORTS_MASK) & GUID_GROUP_BIT, 0);
}
END_TEST

START_TEST(guid_depends_on_all)
{
	uint64_t guid = guid_derive("m", "s", "hca0");

	ck_assert_uint_ne(guid, guid_derive("n", "s", "hca0"));
	ck_assert_uint_ne(guid, guid_derive("m", "t", "hca0"));
	ck_assert_uint_ne(guid, guid_derive("m", "s", "hca1"));
	/* The same letters as the names above it, split at another place. */
	ck_assert_uint_ne(guid_derive("ab", "c", "d"), guid_derive("a", "bc", "d"));
	ck_assert_uint_ne(guid_derive("ab", "c", "d"), guid_derive("ab", "cd", ""));
}
END_TEST

/*
 * Names that differ only in their last digit: neither their GUIDs nor those of their ports may
 * collide.
 */
START_TEST(guids_do_not_meet)
{
	static uint64_t seen[1024];
	char name[16];
	int i, j;

	for (i = 0; i < 1024; i++) {
		snprintf(name, sizeof(name), "hca%d", i);
		seen[i] = guid_derive("0123456789abcdef0123456789abcdef", "node0", name);
		for (j = 0; j < i; j++)
			ck_assert_uint_ne(seen[i], seen[j]);
	}
}
END_TEST

static const struct {
	const char *text;
	bool good;
	size_t device_length;
	bool has_number;
	uint32_t number;
} ports[] = {
	{ "hca0", true, 4, false, 0 },
	{ "hca0/1", true, 4, true, 1 },
	{ "x/4294967295", true, 1, true, UINT32_MAX },
	{ "hca0/0", true, 4, true, 0 }, /* the kernel refuses it */
	{ "" },
	{ "/" },
	{ "/1" },
	{ "hca0/" },
	{ "hca0/x" },
	{ "hca0/1x" },
	{ "hca0/1/2" },
	{ "hca0/-1" },
	{ "hca0/+1" },
	{ "hca0/ 1" },
	{ "hca0/4294967296" },
	{ "hca0/99999999999999999999" },
};

START_TEST(port_names)
{
	struct port_name name;
	const char *fault = port_name_parse(ports[_i].text, &name);

	ck_assert_msg(!fault == ports[_i].good, "'%s' %s", ports[_i].text, fault ? fault : "");
	if (!ports[_i].good)
		return;
	ck_assert_uint_eq(name.device_length, ports[_i].device_length);
	ck_assert_int_eq(name.has_number, ports[_i].has_number);
	if (name.has_number)
		ck_assert_uint_eq(name.number, ports[_i].number);
}
END_TEST

static const struct {
	const char *text;
	bool good;
	uint32_t chance;
} probabilities[] = {
	{ "0", true, 0 },
	{ "0%", true, 0 },
	{ "0.5", true, 1u << 31 },
	{ ".5", true, 1u << 31 },
	{ "50%", true, 1u << 31 },
	{ "0.01", true, 42949673 },
	{ "1%", true, 42949673 },
	{ "1e-2", true, 42949673 },
	{ "1E-3", true, 4294967 },
	{ "0.1%", true, 4294967 },
	{ "2.4e-10", true, 1 },
	{ "1", true, UINT32_MAX },
	{ "100%", true, UINT32_MAX },
	{ "0.99999999999", true, UINT32_MAX },
	{ "1.0", true, UINT32_MAX },
	{ "" },
	{ "%" },
	{ "." },
	{ "e" },
	{ "x" },
	{ "1.01" },
	{ "101%" },
	{ "1e9999" },
	{ "1e-10" },
	{ "-0.1" },
	{ "+0.1" },
	{ " 0.1" },
	{ "0.1 " },
	{ "0x1" },
	{ "inf" },
	{ "nan" },
	{ "1%%" },
	{ "%1" },
	{ "1e" },
	{ "0,01" },
};

static const struct {
	const char *given;
	uint64_t ns; /* UINT64_MAX: the text is no time */
	const char *time;
	uint32_t mbps; /* 0: the text is no rate */
	const char *rate;
} units[] = {
	{ .given = "50us", .ns = 50000, .time = "50us" },
	{ .given = "1.5ms", .ns = 1500000, .time = "1500us" },
	{ .given = "0.0000015s", .ns = 1500, .time = "1500ns" },
	{ .given = "2000ms", .ns = 2000000000, .time = "2s" },
	{ .given = "0s", .ns = 0, .time = "0s" },
	{ .given = "10", .ns = UINT64_MAX },
	{ .given = "-1s", .ns = UINT64_MAX },
	{ .given = ".5s", .ns = UINT64_MAX },
	{ .given = "1.2.3s", .ns = UINT64_MAX },
	{ .given = "0x10s", .ns = UINT64_MAX },
	{ .given = "1m", .ns = UINT64_MAX },
	{ .given = "99999999999999999999s", .ns = UINT64_MAX },
	{ .given = "", .ns = UINT64_MAX },
	{ .given = "10G", .ns = UINT64_MAX, .mbps = 10000, .rate = "10G" },
	{ .given = "2.5G", .ns = UINT64_MAX, .mbps = 2500, .rate = "2500M" },
	{ .given = "200M", .ns = UINT64_MAX, .mbps = 200, .rate = "200M" },
	{ .given = "link", .ns = UINT64_MAX, .mbps = UINT32_MAX, .rate = "link" },
	{ .given = "0M", .ns = UINT64_MAX },
	{ .given = "5000000G", .ns = UINT64_MAX },
	{ .given = "links", .ns = UINT64_MAX },
};

START_TEST(times_and_rates)
{
	bool is_time = units[_i].ns != UINT64_MAX;
	char text[UNITS_TEXT];
	uint32_t mbps = 0;
	uint64_t ns = 0;

	ck_assert_int_eq(!time_parse(units[_i].given, &ns), is_time);
	if (is_time) {
		ck_assert_uint_eq(ns, units[_i].ns);
		ck_assert_str_eq(time_format(ns, text), units[_i].time);
	}
	ck_assert_int_eq(!bitrate_parse(units[_i].given, &mbps), !!units[_i].mbps);
	if (units[_i].mbps) {
		ck_assert_uint_eq(mbps, units[_i].mbps);
		ck_assert_str_eq(bitrate_format(mbps, text), units[_i].rate);
	}
}
END_TEST

START_TEST(probability_forms)
{
	const char *text = probabilities[_i].text, *fault;
	uint32_t chance = 5;

	fault = probability_parse(text, &chance);
	ck_assert_msg(!fault == probabilities[_i].good, "'%s' %s", text, fault ? fault : "");
	if (!fault)
		ck_assert_uint_eq(chance, probabilities[_i].chance);
}
END_TEST

static const struct {
	const char *given, *printed;
} printed_probabilities[] = {
	{ "0", "0" }, { "1", "1" }, { "1%", "0.01" }, { "0.1%", "0.001" }, { "5e-1", "0.5" },
	{ "1e-4", "0.0001" }, { "1e-6", "1e-06" }, { "12.5%", "0.125" }, { "0.333", "0.333" },
};

START_TEST(probability_is_printed_short)
{
	char text[PROBABILITY_TEXT];
	uint32_t chance;

	ck_assert_ptr_null(probability_parse(printed_probabilities[_i].given, &chance));
	ck_assert_str_eq(probability_format(chance, text), printed_probabilities[_i].printed);
}
END_TEST

/* Saving and restoring preserves every bit. */
START_TEST(probability_is_printed_exactly)
{
	char text[PROBABILITY_TEXT];
	uint32_t chance = 1, again;
	int i;

	for (i = 0; i < 100000; i++) {
		chance = chance * 1664525 + 1013904223;
		again = 0;
		ck_assert_ptr_null(probability_parse(probability_format(chance, text), &again));
		ck_assert_msg(again == chance, "%" PRIu32 " is printed as %s", chance, text);
	}
	for (chance = UINT32_MAX; chance > UINT32_MAX - 10; chance--) {
		ck_assert_ptr_null(probability_parse(probability_format(chance, text), &again));
		ck_assert_uint_eq(again, chance);
	}
}
END_TEST

/* Words are joined by commas. */
static const struct {
	const char *line, *tokens;
} lines[] = {
	{ "", "" },
	{ " \t ", "" },
	{ "# device", "" },
	{ "\t# device", "" },
	{ "device add hca0", "device,add,hca0" },
	{ "  device\t add hca0 \t", "device,add,hca0" },
	{ "device # add", "device" },
	{ "device #add", "device" },
	{ "device a#b add", "device,a#b,add" },
	{ "a b c d e f", "a,b,c,d,e,f" }, /* the maximum number */
	{ "\"a b\"\t\"#\" c\"", "a b,#,c\"" },
	{ "\"\" \"\\22\\5C\\09\" # \"", ",\"\\\t" },
};

START_TEST(lines_of_words)
{
	size_t length = strlen(lines[_i].line);
	ssize_t i, count;
	char line[64], joined[64] = "", *tokens[MAX_TOKENS(length)];

	strcpy(line, lines[_i].line);
	count = tokens_split(line, tokens);
	ck_assert_ptr_null(tokens[count]);
	for (i = 0; i < count; i++) {
		strcat(joined, i ? "," : "");
		strcat(joined, tokens[i]);
	}
	ck_assert_str_eq(joined, lines[_i].tokens);
}
END_TEST

static const char *const unquoted[] = {
	"\"", "a \"b", "\"a\"b", "\"a\\\"", "\"\\00\"", "\"\\2", "\"\\2g\"", "\"\\",
};

START_TEST(lines_of_wrong_quotes)
{
	char line[64], *tokens[MAX_TOKENS(sizeof(line))];

	strcpy(line, unquoted[_i]);
	ck_assert_int_eq(tokens_split(line, tokens), -1);
}
END_TEST

static const char *const texts[] = {
	"", "a", "a b", " ", "#", "\"", "a\"b", "\\", "a\\b", "\t\n\x7f", "\xc3\xbc", "node0 hca0",
};

START_TEST(words_are_read_as_printed)
{
	char line[64] = "", *tokens[MAX_TOKENS(sizeof(line))];
	FILE *file = fmemopen(line, sizeof(line), "w");

	token_print(file, texts[_i]);
	fclose(file);
	ck_assert_ptr_null(strchr(line, '\n'));
	ck_assert_int_eq(tokens_split(line, tokens), 1);
	ck_assert_str_eq(tokens[0], texts[_i]);
}
END_TEST

/*
 * There are few hash values, so that many items share each of them, and its slot; the order is kept
 * whenever the table grows.
 */
START_TEST(index_keeps_order)
{
	static const uint64_t hashes[] = { 0, 1, 62, 63, 64, 127, UINT64_MAX };
	struct index index = {};
	const struct slot *slot;
	size_t place, count;
	int i;

	ck_assert_ptr_null(index_next(&index, 0, NULL));
	for (place = 1; place <= 700; place++)
		index_add(&index, hashes[place % 7], place);
	for (i = 0; i < 7; i++) {
		slot = NULL;
		place = 0;
		for (count = 0; (slot = index_next(&index, hashes[i], slot)); count++) {
			ck_assert_uint_gt(slot->place, place);
			place = slot->place;
			ck_assert_uint_eq(hashes[place % 7], hashes[i]);
		}
		ck_assert_uint_eq(count, 100);
	}
	ck_assert_ptr_null(index_next(&index, 2, NULL));
	index_clear(&index);
	ck_assert_ptr_null(index_next(&index, 0, NULL));
}
END_TEST

/* Names that a fabric's ports have. */
START_TEST(index_finds_names)
{
	struct index index = {};
	const struct slot *slot;
	char name[16];
	size_t i, length;

	for (i = 0; i < 5000; i++) {
		length = snprintf(name, sizeof(name), "sw%zu", i);
		index_add(&index, index_hash(name, length), i + 1);
	}
	for (i = 0; i < 5000; i++) {
		length = snprintf(name, sizeof(name), "sw%zu", i);
		slot = index_next(&index, index_hash(name, length), NULL);
		ck_assert_ptr_nonnull(slot);
		ck_assert_uint_eq(slot->place, i + 1);
	}
	ck_assert_ptr_null(index_next(&index, index_hash("sw5000", 6), NULL));
	index_clear(&index);
}
END_TEST

/* An attribute that the module does not know is told as what it means to users. */
START_TEST(older_module_is_told)
{
	ck_assert_str_eq(reason_of("Unknown attribute type"),
			 "the module does not know this, and is older than this hcactl");
	ck_assert_str_eq(reason_of("there is no such device"), "there is no such device");
	ck_assert_str_eq(reason_of(""), "");
}
END_TEST

#define COUNT(table) ((int)(sizeof(table) / sizeof((table)[0])))

Suite *hcactl_suite(void)
{
	Suite *suite = suite_create("hcactl");
	TCase *tokens = tcase_create("hcactl");

	tcase_add_loop_test(tokens, guid_forms, 0, COUNT(guids));
	tcase_add_loop_test(tokens, guid_is_derived_as_ever, 0, COUNT(derived));
	tcase_add_loop_test(tokens, guid_is_a_nodes, 0, 4);
	tcase_add_test(tokens, guid_depends_on_all);
	tcase_add_test(tokens, guids_do_not_meet);
	tcase_add_loop_test(tokens, port_names, 0, COUNT(ports));
	tcase_add_loop_test(tokens, probability_forms, 0, COUNT(probabilities));
	tcase_add_loop_test(tokens, probability_is_printed_short, 0, COUNT(printed_probabilities));
	tcase_add_test(tokens, probability_is_printed_exactly);
	tcase_add_loop_test(tokens, times_and_rates, 0, COUNT(units));
	tcase_add_loop_test(tokens, lines_of_words, 0, COUNT(lines));
	tcase_add_loop_test(tokens, lines_of_wrong_quotes, 0, COUNT(unquoted));
	tcase_add_loop_test(tokens, words_are_read_as_printed, 0, COUNT(texts));
	tcase_add_test(tokens, index_keeps_order);
	tcase_add_test(tokens, index_finds_names);
	tcase_add_test(tokens, older_module_is_told);
	suite_add_tcase(suite, tokens);
	return suite;
}
