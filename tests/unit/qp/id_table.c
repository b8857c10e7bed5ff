// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The allocation of queue pair and EE context numbers, and how long a freed number stays unused. */
#include <check.h>
#include <string.h>
#include <linux/bottom_half.h>
#include <linux/errno.h>
#include <linux/jiffies.h>
#include "qp/id_table.h"
#include "shim.h"
#include "tests/unit/suites.h"
#include "wire/headers.h"

#define BITS 4
#define FIRST 2
#define PLACES ((1 << BITS) - FIRST)
#define INDEX(number) ((number) & ((1 << BITS) - 1))
#define TIME_WAIT_NS 250000000ull

static void begin(struct hca_id_table *ids, u32 bits)
{
	shim_reset(1);
	memset(ids, 0, sizeof(*ids));
	ck_assert_int_eq(hca_id_table_init(ids, bits, FIRST), 0);
}

static void end(struct hca_id_table *ids)
{
	hca_id_table_destroy(ids);
	shim_quiesce();
	ck_assert_uint_eq(shim_live_allocations(), 0);
}

static void *find(struct hca_id_table *ids, u32 number)
{
	void *object;

	local_bh_disable();
	object = hca_id_find(ids, number);
	local_bh_enable();
	return object;
}

/*
 * V3-101, V3-102, V3-104: each index is allocated once, none below the first; then allocation
 * fails.
 */
START_TEST(exhausted)
{
	struct hca_id_table ids;
	char object[PLACES + 1];
	u32 number[PLACES + 1], seen = 0, i;

	begin(&ids, BITS);
	for (i = 0; i < PLACES; i++) {
		ck_assert_int_eq(hca_id_alloc(&ids, &object[i], &number[i]), 0);
		ck_assert_uint_ge(INDEX(number[i]), FIRST);
		ck_assert_uint_eq(seen & 1u << INDEX(number[i]), 0);
		seen |= 1u << INDEX(number[i]);
		ck_assert_ptr_eq(find(&ids, number[i]), &object[i]);
	}
	ck_assert_int_eq(hca_id_alloc(&ids, &object[i], &number[i]), -ENOMEM);
	for (i = 0; i < PLACES; i++)
		ck_assert_ptr_eq(find(&ids, number[i]), &object[i]);
	end(&ids);
}
END_TEST

/* V3-180, B4-198, B4-199: an index is reused only after time-wait, and then with another number. */
START_TEST(time_wait)
{
	struct hca_id_table ids;
	u32 number[PLACES], again, i;
	char object;

	begin(&ids, BITS);
	for (i = 0; i < PLACES; i++)
		ck_assert_int_eq(hca_id_alloc(&ids, &object, &number[i]), 0);
	hca_id_free(&ids, number[5]);
	ck_assert_ptr_null(find(&ids, number[5]));
	ck_assert_int_eq(hca_id_alloc(&ids, &object, &again), -ENOMEM);
	shim_advance(TIME_WAIT_NS / 2);
	hca_id_free(&ids, number[7]);
	ck_assert_int_eq(hca_id_alloc(&ids, &object, &again), -ENOMEM);
	shim_advance(TIME_WAIT_NS / 2);
	/* One index has left time-wait, while the latest to enter it has not. */
	ck_assert_int_eq(hca_id_alloc(&ids, &object, &again), 0);
	ck_assert_uint_eq(INDEX(again), INDEX(number[5]));
	ck_assert_uint_ne(again, number[5]);
	ck_assert_int_eq(hca_id_alloc(&ids, &object, &again), -ENOMEM);
	shim_advance(TIME_WAIT_NS / 2);
	ck_assert_int_eq(hca_id_alloc(&ids, &object, &again), 0);
	ck_assert_uint_eq(INDEX(again), INDEX(number[7]));
	end(&ids);
}
END_TEST

/*
 * An unused index is preferred to one in time-wait; one whose time-wait has ended is preferred to
 * an unused one.
 */
START_TEST(which_is_next)
{
	struct hca_id_table ids;
	u32 a, b, c, d;
	char object;

	begin(&ids, BITS);
	ck_assert_int_eq(hca_id_alloc(&ids, &object, &a), 0);
	ck_assert_int_eq(hca_id_alloc(&ids, &object, &b), 0);
	hca_id_free(&ids, a);
	ck_assert_int_eq(hca_id_alloc(&ids, &object, &c), 0);
	ck_assert_uint_ne(INDEX(c), INDEX(a));
	ck_assert_uint_ne(INDEX(c), INDEX(b));
	hca_id_free(&ids, b);
	shim_advance(TIME_WAIT_NS);
	ck_assert_int_eq(hca_id_alloc(&ids, &object, &d), 0);
	ck_assert_uint_eq(INDEX(d), INDEX(b));
	ck_assert_int_eq(hca_id_alloc(&ids, &object, &d), 0);
	ck_assert_uint_eq(INDEX(d), INDEX(a));
	end(&ids);
}
END_TEST

/* Late packets for an earlier user must not reach the next one: a number is not reused soon. */
START_TEST(uses)
{
	struct hca_id_table ids;
	u32 number, last = 0, i;
	char object;

	begin(&ids, BITS);
	for (i = 0; i < 3000; i++) {
		ck_assert_int_eq(hca_id_alloc(&ids, &object, &number), 0);
		ck_assert_uint_le(number, HCA_QPN_MASK);
		if (i)
			ck_assert_uint_eq(number, last + (1 << BITS));
		last = number;
		hca_id_free(&ids, number);
		shim_advance(TIME_WAIT_NS);
	}
	end(&ids);
}
END_TEST

/*
 * The number of all ones is reserved for multicast, for each width of an index and after any number
 * of uses.
 */
START_TEST(never_all_ones)
{
	struct hca_id_table ids;
	u32 number, top, last = (1u << _i) - 1, i;
	char object;

	begin(&ids, _i);
	ids.next = last; /* the indices before it are in use */
	top = HCA_QPN_MASK >> _i;
	for (i = 0; i < 4; i++) {
		ids.use[last] = top - 1 + (i << (24 - _i));
		for (int n = 0; n < 3; n++) {
			ck_assert_int_eq(hca_id_alloc(&ids, &object, &number), 0);
			ck_assert_uint_ne(number, HCA_QPN_MULTICAST);
			ck_assert_uint_eq(number & last, last);
			ck_assert_ptr_eq(find(&ids, number), &object);
			hca_id_free(&ids, number);
			shim_advance(TIME_WAIT_NS);
		}
	}
	end(&ids);
}
END_TEST

/* Without memory nothing is allocated, and nothing leaks. */
START_TEST(no_memory)
{
	struct hca_id_table ids;
	unsigned int n;

	for (n = 1; n <= 4; n++) {
		shim_reset(1);
		memset(&ids, 0, sizeof(ids));
		shim_fail_alloc(n);
		ck_assert_int_eq(hca_id_table_init(&ids, BITS, FIRST), -ENOMEM);
		ck_assert(shim_alloc_failed());
		shim_quiesce();
		ck_assert_uint_eq(shim_live_allocations(), 0);
	}
}
END_TEST

Suite *id_table_suite(void)
{
	Suite *suite = suite_create("id_table");
	TCase *tc = tcase_create("numbers");

	tcase_add_test(tc, exhausted);
	tcase_add_test(tc, time_wait);
	tcase_add_test(tc, which_is_next);
	tcase_add_test(tc, uses);
	tcase_add_loop_test(tc, never_all_ones, 8, 15);
	tcase_add_test(tc, no_memory);
	suite_add_tcase(suite, tc);
	return suite;
}
