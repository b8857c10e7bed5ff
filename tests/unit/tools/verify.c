// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* hcaverify: wrong memory content is detected, and its origin is reported. */
#include <stdlib.h>
#include <string.h>
#include <check.h>
#include "tests/unit/suites.h"
#include "tools/lib/rng.h"
#include "tools/verify/compare.h"
#include "tools/verify/length.h"

#define SIZE 16384
#define FIRST 100 /* the buffer of message 15 */
#define SECOND 8001 /* the buffer of message 17 */
#define LENGTH 6000
#define OLD 3 /* earlier content of the memory, at the offset of message 15 */
#define GROUP 5u

static uint8_t expected[SIZE], actual[SIZE];
static struct pattern pattern;
static struct comparison memory;

static struct origin message(uint32_t number, uint64_t offset)
{
	return (struct origin){ ORIGIN_MESSAGE, GROUP << ORIGIN_GROUP_SHIFT | number, offset };
}

static struct extent extents[2];

static void setup(void)
{
	pattern = pattern_of(42);
	extents[0] = (struct extent){ FIRST, LENGTH, message(15, 0) };
	extents[1] = (struct extent){ SECOND, LENGTH, message(17, 0) };
	memory = (struct comparison){
		.pattern = &pattern,
		.expected = expected,
		.actual = actual,
		.length = SIZE,
		.untouched = { ORIGIN_MEMORY, 0, 0 },
		.extents = extents,
		.num_extents = 2,
	};
	pattern_fill(&pattern, memory.untouched, expected, SIZE);
	pattern_fill(&pattern, message(15, 0), expected + FIRST, LENGTH);
	pattern_fill(&pattern, message(17, 0), expected + SECOND, LENGTH);
	memcpy(actual, expected, SIZE);
}

/* --- damages ------------------------------------------------------------------------------ */

static void none(void)
{
}

static void one_octet(void)
{
	actual[SECOND + 4097] ^= 0x10;
}

static void stale(void)
{
	pattern_fill(&pattern, message(15, 4097), actual + SECOND + 4097, 1000);
}

static void stale_to_the_end(void)
{
	pattern_fill(&pattern, message(OLD, 0), actual + FIRST, LENGTH);
}

static void stale_tiny(void)
{
	pattern_fill(&pattern, message(15, 6), actual + SECOND + 6, 4);
}

static void swapped(void)
{
	pattern_fill(&pattern, message(17, 0), actual + FIRST, LENGTH);
	pattern_fill(&pattern, message(15, 0), actual + SECOND, LENGTH);
}

static void shifted(void)
{
	pattern_fill(&pattern, message(17, 1), actual + SECOND, LENGTH - 1);
}

static void misplaced(void)
{
	memmove(actual + SECOND + 1, actual + SECOND, LENGTH);
	pattern_fill(&pattern, (struct origin){ ORIGIN_MEMORY, 0, SECOND }, actual + SECOND, 1);
}

/* A packet's data also in the place of the next one's. */
static void duplicated(void)
{
	memcpy(actual + SECOND + 2048, actual + SECOND + 1024, 1024);
}

/* The end of the message is missing. */
static void torn(void)
{
	pattern_fill(&pattern, (struct origin){ ORIGIN_MEMORY, 0, SECOND + 3333 },
		     actual + SECOND + 3333, LENGTH - 3333);
}

static void not_written(void)
{
	pattern_fill(&pattern, (struct origin){ ORIGIN_MEMORY, 0, FIRST }, actual + FIRST, LENGTH);
}

/* One octet too many, then eight. */
static void beyond(void)
{
	pattern_fill(&pattern, message(15, LENGTH), actual + FIRST + LENGTH, 1);
}

static void far_beyond(void)
{
	pattern_fill(&pattern, message(15, LENGTH), actual + FIRST + LENGTH, 64);
}

static void invalidated_late(void)
{
	pattern_fill(&pattern, (struct origin){ ORIGIN_SCRIBBLE, message(15, 0).number, 0 },
		     actual + FIRST, 32);
}

static void of_before(void)
{
	pattern_fill(&pattern, (struct origin){ ORIGIN_MESSAGE, 2u << ORIGIN_GROUP_SHIFT | 9, 0 },
		     actual + FIRST, 64);
}

static void zeros(void)
{
	memset(actual + FIRST + 8, 0, 24);
}

static void first_octet_of_memory(void)
{
	actual[0] = ~actual[0];
}

static void last_octet_of_memory(void)
{
	actual[SIZE - 1] = ~actual[SIZE - 1];
}

/* The model expects no message. */
static void not_to_be(void)
{
	pattern_fill(&pattern, (struct origin){ ORIGIN_MEMORY, 0, FIRST }, expected + FIRST,
		     LENGTH);
}

static const struct {
	void (*damage)(void);
	size_t offset, length; /* offset of the first defect */
	const char *text;
} damages[] = {
	{ none, 0, 0, NULL },
	{ one_octet, SECOND + 4097, 1, "message 17, octet 4097: is of nowhere: " },
	{ stale, SECOND + 4097, 1000,
	  "message 17, octets 4097 to 5096: are message 15's octets 4097 to 5096" },
	{ stale_to_the_end, FIRST, LENGTH,
	  "message 15, octets 0 to 5999: are message 3's octets 0 to 5999" },
	{ stale_tiny, SECOND + 6, 4, "message 17, octets 6 to 9: are message 15's octets 6 to 9" },
	{ swapped, FIRST, LENGTH,
	  "message 15, octets 0 to 5999: are message 17's octets 0 to 5999" },
	{ shifted, SECOND, LENGTH - 1,
	  "message 17, octets 0 to 5998: are message 17's octets 1 to 5999" },
	{ misplaced, SECOND, 1, "message 17, octet 0: is not written" },
	{ duplicated, SECOND + 2048, 1024,
	  "message 17, octets 2048 to 3071: are message 17's octets 1024 to 2047" },
	{ torn, SECOND + 3333, LENGTH - 3333, "message 17, octets 3333 to 5999: are not written" },
	{ not_written, FIRST, LENGTH, "message 15, octets 0 to 5999: are not written" },
	{ beyond, FIRST + LENGTH, 1, "unused memory, octet 6100: is of nowhere: " },
	{ far_beyond, FIRST + LENGTH, 64,
	  "unused memory, octets 6100 to 6163: are message 15's octets 6000 to 6063" },
	{ invalidated_late, FIRST, 32,
	  "message 15, octets 0 to 31: are what message 15 had after it was posted, "
	  "octets 0 to 31" },
	{ of_before, FIRST, 64,
	  "message 15, octets 0 to 63: are message 9's octets 0 to 63 of another operation" },
	{ zeros, FIRST + 8, 24,
	  "message 15, octets 8 to 31: are of nowhere: 00 00 00 00 00 00 00 00 ..." },
	{ first_octet_of_memory, 0, 1, "unused memory, octet 0: is of nowhere: " },
	{ last_octet_of_memory, SIZE - 1, 1, "unused memory, octet 16383: is of nowhere: " },
	{ not_to_be, FIRST, LENGTH,
	  "message 15, octets 0 to 5999: are there, and should not have been written" },
};

START_TEST(damage_is_told)
{
	struct difference difference;
	char text[400];

	damages[_i].damage();
	if (!damages[_i].text) {
		ck_assert(!compare(&memory, 0, SIZE, &difference));
		return;
	}
	ck_assert(compare(&memory, 0, SIZE, &difference));
	difference_describe(&memory, &difference, text, sizeof(text));
	/* The pattern identifies an octet that belongs to no message. */
	ck_assert_msg(!strncmp(text, damages[_i].text, strlen(damages[_i].text)),
		      "'%s' is not '%s'", text, damages[_i].text);
	ck_assert_uint_eq(difference.offset, damages[_i].offset);
	ck_assert_uint_eq(difference.length, damages[_i].length);
}
END_TEST

/* At any offset, for any wrong value. */
START_TEST(each_octet_counts)
{
	struct difference difference;
	size_t at;
	int bit;

	for (at = 0; at < SIZE; at += 7) {
		for (bit = 0; bit < 8; bit++) {
			actual[at] ^= 1 << bit;
			ck_assert(compare(&memory, 0, SIZE, &difference));
			ck_assert_uint_eq(difference.offset, at);
			ck_assert_uint_eq(difference.length, 1);
			actual[at] ^= 1 << bit;
		}
	}
	ck_assert(!compare(&memory, 0, SIZE, &difference));
}
END_TEST

START_TEST(only_what_is_asked_for)
{
	struct difference difference;

	actual[99] ^= 1;
	actual[200] ^= 1;
	ck_assert(!compare(&memory, 100, 100, &difference));
	ck_assert(compare(&memory, 99, 1, &difference));
	ck_assert(compare(&memory, 100, 101, &difference));
	ck_assert_uint_eq(difference.offset, 200);
}
END_TEST

/* A pattern identifies itself at any offset and alignment; less than a word of it does not. */
START_TEST(pattern_tells_its_origin)
{
	uint8_t octets[64];
	struct origin origin;
	size_t at, skip;

	for (skip = 0; skip < 8; skip++) {
		memset(octets, 0, sizeof(octets));
		pattern_fill(&pattern, message(77, 1000 + skip), octets + 10, 40);
		for (at = 10; at < 10 + 40; at++) {
			/* The last word may be present in part. */
			if (at >= 10 + 40 - (40 + skip) % 8)
				continue;
			ck_assert(pattern_find(&pattern, octets, sizeof(octets), at, &origin));
			ck_assert_int_eq(origin.kind, ORIGIN_MESSAGE);
			ck_assert_uint_eq(origin.number, message(77, 0).number);
			ck_assert_uint_eq(origin.offset, 1000 + skip + at - 10);
		}
		ck_assert(!pattern_find(&pattern, octets, sizeof(octets), 0, &origin));
		ck_assert(!pattern_find(&pattern, octets, sizeof(octets), 60, &origin));
	}
	ck_assert(!pattern_find(&pattern, octets + 16, 7, 3, &origin));
}
END_TEST

START_TEST(another_seed_is_another_pattern)
{
	struct pattern other = pattern_of(43);
	struct origin origin;
	uint8_t octets[64];

	pattern_fill(&other, message(1, 0), octets, sizeof(octets));
	ck_assert(!pattern_find(&pattern, octets, sizeof(octets), 20, &origin));
	ck_assert_uint_ne(pattern_name(&pattern, 1), pattern_name(&other, 1));
	ck_assert_uint_ne(pattern_name(&pattern, 1), pattern_name(&pattern, 2));
}
END_TEST

/* Filling in parts, or reading octet by octet, gives equal patterns. */
START_TEST(pattern_is_one)
{
	uint8_t whole[100], part[100];
	size_t cut, i;

	pattern_fill(&pattern, message(5, 3), whole, sizeof(whole));
	for (cut = 0; cut <= sizeof(whole); cut++) {
		pattern_fill(&pattern, message(5, 3), part, cut);
		pattern_fill(&pattern, message(5, 3 + cut), part + cut, sizeof(part) - cut);
		ck_assert_mem_eq(whole, part, sizeof(whole));
		ck_assert_uint_eq(pattern_match(&pattern, message(5, 3), whole, cut), cut);
	}
	for (i = 0; i < sizeof(whole); i++)
		ck_assert_uint_eq(pattern_octet(&pattern, message(5, 3 + i)), whole[i]);
	whole[50] ^= 1;
	ck_assert_uint_eq(pattern_match(&pattern, message(5, 3), whole, sizeof(whole)), 50);
}
END_TEST

static const struct {
	uint32_t min, max, mtu;
} lengths[] = {
	{ 0, 1 << 20, 1024 },
	{ 0, 0, 256 },
	{ 1, 1, 4096 },
	{ 0, 4096, 4096 },
	{ 5000, 5001, 256 },
	{ 0, 64u << 20, 2048 },
};

START_TEST(lengths_are_in_bounds)
{
	struct rng rng = rng_seed(7, "lengths");
	bool has_min = false, has_max = false;
	uint32_t length;
	int i;

	for (i = 0; i < 2000; i++) {
		length = length_draw(&rng, lengths[_i].min, lengths[_i].max, lengths[_i].mtu);
		ck_assert_uint_ge(length, lengths[_i].min);
		ck_assert_uint_le(length, lengths[_i].max);
		has_min |= length == lengths[_i].min;
		has_max |= length == lengths[_i].max;
	}
	ck_assert(has_min && has_max);
}
END_TEST

START_TEST(a_seed_replays)
{
	struct rng one = rng_seed(7, "rc send"), same = rng_seed(7, "rc send"),
		   other = rng_seed(7, "rc read"), another = rng_seed(8, "rc send");
	uint64_t value = rng_next(&one);

	ck_assert_uint_eq(value, rng_next(&same));
	ck_assert_uint_ne(value, rng_next(&other));
	ck_assert_uint_ne(value, rng_next(&another));
}
END_TEST

START_TEST(an_order_has_all)
{
	struct rng rng = rng_seed(9, "order");
	unsigned int order[32], n, i;
	uint32_t seen;

	for (n = 1; n <= 32; n++) {
		rng_shuffle(&rng, order, n);
		for (i = 0, seen = 0; i < n; i++)
			seen |= 1u << order[i];
		ck_assert_uint_eq(seen, n == 32 ? UINT32_MAX : (1u << n) - 1);
	}
}
END_TEST

#define COUNT(table) ((int)(sizeof(table) / sizeof((table)[0])))

Suite *verify_suite(void)
{
	Suite *suite = suite_create("verify");
	TCase *compared = tcase_create("compared"), *drawn = tcase_create("drawn");

	tcase_add_checked_fixture(compared, setup, NULL);
	tcase_add_loop_test(compared, damage_is_told, 0, COUNT(damages));
	tcase_add_test(compared, each_octet_counts);
	tcase_add_test(compared, only_what_is_asked_for);
	tcase_add_test(compared, pattern_tells_its_origin);
	tcase_add_test(compared, another_seed_is_another_pattern);
	tcase_add_test(compared, pattern_is_one);
	suite_add_tcase(suite, compared);
	tcase_add_loop_test(drawn, lengths_are_in_bounds, 0, COUNT(lengths));
	tcase_add_test(drawn, a_seed_replays);
	tcase_add_test(drawn, an_order_has_all);
	suite_add_tcase(suite, drawn);
	return suite;
}
