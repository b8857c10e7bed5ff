// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Text that is appended to a buffer of a fixed size: nothing behind the buffer is written. */
#include <check.h>
#include <string.h>
#include "tests/unit/suites.h"
#include "tools/lib/append.h"

#define ROOM 8

START_TEST(fits)
{
	char text[ROOM + 1] = { [ROOM] = '!' };
	size_t used = text_append(text, ROOM, 0, "%s", "ab");

	ck_assert_uint_eq(used, 2);
	used = text_append(text, ROOM, used, "%d%s", 12, "");
	ck_assert_uint_eq(used, 4);
	ck_assert_str_eq(text, "ab12");
	used = text_append(text, ROOM, used, "cde");
	ck_assert_uint_eq(used, ROOM - 1);
	ck_assert_str_eq(text, "ab12cde");
	ck_assert_int_eq(text[ROOM], '!');
}
END_TEST

/* The text is cut where the room ends, and whatever follows is left out. */
START_TEST(is_cut)
{
	char text[ROOM + 1] = { [ROOM] = '!' };
	size_t used = text_append(text, ROOM, 0, "ab");

	used = text_append(text, ROOM, used, "%s", "cdefgh");
	ck_assert_uint_eq(used, ROOM - 1);
	ck_assert_str_eq(text, "abcdefg");
	used = text_append(text, ROOM, used, "%s", "ij");
	ck_assert_uint_eq(used, ROOM - 1);
	ck_assert_str_eq(text, "abcdefg");
	ck_assert_int_eq(text[ROOM], '!');
}
END_TEST

/* Text that cannot be converted leaves what was there before. */
START_TEST(is_not_converted)
{
	char text[ROOM] = "";
	size_t used = text_append(text, ROOM, 0, "ab");

	ck_assert_uint_eq(text_append(text, ROOM, used, "cd%ls", L"\x20ac"), used);
	ck_assert_str_eq(text, "ab");
}
END_TEST

Suite *append_suite(void)
{
	Suite *suite = suite_create("append");
	TCase *tc = tcase_create("append");

	tcase_add_test(tc, fits);
	tcase_add_test(tc, is_cut);
	tcase_add_test(tc, is_not_converted);
	suite_add_tcase(suite, tc);
	return suite;
}
