// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Command line options: the variables that a table of options sets, and the arguments that are
 * refused.
 */
#include <check.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "tests/unit/suites.h"
#include "tools/lib/message.h"
#include "tools/lib/options.h"

struct options {
	bool flag, other;
	const char *text;
	uint8_t small;
	uint16_t middle;
	uint32_t large;
	uint64_t largest;
	size_t parsed; /* the length of its value */
	const char *optional; /* its value, or "none" */
};

static void parse(void *data, const char *value)
{
	((struct options *)data)->parsed = strlen(value);
}

static void parse_optional(void *data, const char *value)
{
	((struct options *)data)->optional = value ? value : "none";
}

static const struct option_spec specs[] = {
	{ "flag", 'f', OPTION_IS_FLAG(flag) },
	{ "other", 'o', OPTION_IS_FLAG(other) },
	{ "text", 't', OPTION_IS_TEXT(text) },
	{ "small", 's', OPTION_IS_NUMBER(small, 1, UINT8_MAX) },
	{ "middle", 0, OPTION_IS_NUMBER(middle, 0, UINT16_MAX) },
	{ "large", 0, OPTION_IS_NUMBER(large, 0, UINT32_MAX), .base = 10 },
	{ "largest", 0, OPTION_IS_NUMBER(largest, 0, UINT64_MAX) },
	{ "parsed", 'p', OPTION_IS_PARSED(parse) },
	{ "optional", 0, OPTION_IS_PARSED(parse_optional), .is_optional = true },
	{ "version", 'V', OPTION_IS_VERSION },
	{},
};

/* @args end with NULL. Return: the index of the first argument that is no option. */
static int read_args(char **args, struct options *options)
{
	int n = 0;

	while (args[n])
		n++;
	return options_read(specs, n, args, options);
}

START_TEST(all_kinds)
{
	char *args[] = { "x", "operand", "-ft", "a text", "--small=255", "--middle", "0xffff",
			  "--large=010", "--largest", "18446744073709551615", "-pfour", "last",
			  NULL };
	struct options options = {};

	ck_assert_int_eq(read_args(args, &options), 10);
	ck_assert_str_eq(args[10], "operand");
	ck_assert_str_eq(args[11], "last");
	ck_assert(options.flag && !options.other);
	ck_assert_str_eq(options.text, "a text");
	ck_assert_uint_eq(options.small, 255);
	ck_assert_uint_eq(options.middle, 0xffff);
	ck_assert_uint_eq(options.large, 10);
	ck_assert_uint_eq(options.largest, UINT64_MAX);
	ck_assert_uint_eq(options.parsed, 4);
}
END_TEST

/* Options behind the first word that is none are another program's. */
START_TEST(before_a_command)
{
	char *args[] = { "x", "-f", "--text=a", "command", "-o", "--small", NULL };
	struct options options = {};

	ck_assert_int_eq(options_read_before_command(specs, 6, args, &options), 3);
	ck_assert_str_eq(args[3], "command");
	ck_assert_str_eq(args[4], "-o");
	ck_assert(options.flag && !options.other);
	ck_assert_str_eq(options.text, "a");
}
END_TEST

static char *const optional[][2] = {
	{ "--optional", "none" }, { "--optional=value", "value" },
};

START_TEST(a_value_that_may_be_left_out)
{
	char *args[] = { "x", optional[_i][0], "operand", NULL };
	struct options options = {};

	ck_assert_int_eq(read_args(args, &options), 2);
	ck_assert_str_eq(options.optional, optional[_i][1]);
}
END_TEST

static char *const refused[][2] = {
	{ "--foo" }, { "--foo=1" }, { "-x" }, { "-fx" }, { "--flag=1" }, { "--text" }, { "-t" },
	{ "--small", "0" }, { "--small", "256" }, { "--small", "" }, { "--small", "-1" },
	{ "--small", "1k" }, { "--large", "0x1" }, { "--middle", "65536" },
	{ "--largest", "18446744073709551616" },
};

START_TEST(refusals)
{
	char *args[] = { "x", refused[_i][0], refused[_i][1], NULL };
	struct options options = {};

	read_args(args, &options);
}
END_TEST

START_TEST(version)
{
	char *args[] = { "x", "-fV", NULL };
	struct options options = {};

	read_args(args, &options);
	ck_abort_msg("the program has not ended");
}
END_TEST

Suite *options_suite(void)
{
	Suite *suite = suite_create("options");
	TCase *tc = tcase_create("options");

	tcase_add_test(tc, all_kinds);
	tcase_add_test(tc, before_a_command);
	tcase_add_loop_test(tc, a_value_that_may_be_left_out, 0,
			    sizeof(optional) / sizeof(*optional));
	tcase_add_loop_exit_test(tc, refusals, program.misuse, 0,
				 sizeof(refused) / sizeof(*refused));
	tcase_add_exit_test(tc, version, EXIT_SUCCESS);
	suite_add_tcase(suite, tc);
	return suite;
}
