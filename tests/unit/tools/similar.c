// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The name that a mistyped one was meant to be. */
#include <check.h>
#include "tests/unit/suites.h"
#include "tools/lib/similar.h"

static const char *const known[] = { "device", "switch", "link", "show", "save", "topology" };

static const struct {
	const char *typed, *meant; /* NULL: nothing is similar enough */
} typed[] = {
	{ "devcie", "device" }, /* neighbors are exchanged */
	{ "devise", "device" },
	{ "swich", "switch" },
	{ "swwitch", "switch" },
	{ "topologies", NULL },
	{ "topolgy", "topology" },
	{ "toplogie", NULL }, /* distance 3 */
	{ "lnk", "link" },
	{ "lunk", "link" },
	{ "lnik", "link" },
	{ "ln", NULL },
	{ "shew", "show" },
	{ "shave", "save" }, /* distance 1, while that of "show" is 3 */
	{ "", NULL },
	{ "foo", NULL },
	{ "deviceswitchlinkshowsavetopologyrestore!!", NULL }, /* longer than what is compared */
};

START_TEST(what_was_meant)
{
	struct similar similar = { .typed = typed[_i].typed };
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(*known); i++)
		similar_offer(&similar, known[i]);
	ck_assert_pstr_eq(similar.best, typed[_i].meant);
}
END_TEST

/* The name that was offered first is preferred to another one that is as similar. */
START_TEST(first_of_equals)
{
	struct similar similar = { .typed = "lint" };

	similar_offer(&similar, "link");
	similar_offer(&similar, "list");
	ck_assert_str_eq(similar.best, "link");
	ck_assert_uint_eq(similar.distance, 1);
}
END_TEST

Suite *similar_suite(void)
{
	Suite *suite = suite_create("similar");
	TCase *tc = tcase_create("similar");

	tcase_add_loop_test(tc, what_was_meant, 0, sizeof(typed) / sizeof(*typed));
	tcase_add_test(tc, first_of_equals);
	suite_add_tcase(suite, tc);
	return suite;
}
