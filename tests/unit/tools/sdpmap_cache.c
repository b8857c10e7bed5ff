// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Mappings of SDP's port mapper at the client: how long PmTime lets them be used. */
#include <check.h>
#include "tests/unit/suites.h"
#include "tools/sdpmap/cache.h"

static struct sdpmap_cache cache;

static struct sdpmap_endpoint service_of(unsigned int number)
{
	return (struct sdpmap_endpoint){ 4, { 10, 9, 9, 1 }, number };
}

static void add(uint64_t now, unsigned int number, uint8_t pm_time)
{
	struct sdpmap_mapping mapping = {
		.service = service_of(number),
		.sdp = service_of(number + 1000),
		.pm_time = pm_time,
	};

	sdpmap_cache_add(&cache, now, &mapping);
}

static const struct sdpmap_mapping *find(uint64_t now, unsigned int number)
{
	struct sdpmap_endpoint service = service_of(number);

	return sdpmap_cache_find(&cache, now, &service);
}

static void setup(void)
{
	cache = (struct sdpmap_cache){};
}

/* S2-102, S2-310, S2-T43: the units of PmTime. */
START_TEST(units)
{
	unsigned int i;

	ck_assert_uint_eq(sdpmap_lifetime(0), 0);
	ck_assert_uint_eq(sdpmap_lifetime(1), 250);
	ck_assert_uint_eq(sdpmap_lifetime(4), 1000);
	ck_assert_uint_eq(sdpmap_lifetime(127), 31750);
	ck_assert_uint_eq(sdpmap_lifetime(128), 128000);
	ck_assert_uint_eq(sdpmap_lifetime(254), 254000);
	ck_assert_uint_eq(sdpmap_lifetime(255), SDPMAP_FOREVER);
	for (i = 1; i < 256; i++)
		ck_assert_uint_gt(sdpmap_lifetime(i), sdpmap_lifetime(i - 1));
}
END_TEST

/* S2-102, S2-310: a mapping is valid until its time is over, and gone then. */
START_TEST(expiry)
{
	add(5000, 1, 4);
	ck_assert_uint_eq(find(5000, 1)->sdp.port, 1001);
	ck_assert_ptr_nonnull(find(5999, 1));
	ck_assert_ptr_null(find(5999, 2));
	ck_assert_ptr_null(find(6000, 1));
	ck_assert_uint_eq(cache.count, 0);
}
END_TEST

/* S2-102, S2-103: with PmTime 0 there is one connection, and nothing is kept. */
START_TEST(single_connection)
{
	add(0, 1, 0);
	ck_assert_ptr_null(find(0, 1));
	add(0, 1, 255);
	add(0, 2, 255);
	add(0, 1, 0);
	ck_assert_ptr_null(find(0, 1));
	ck_assert_ptr_nonnull(find(0, 2));
}
END_TEST

/* S2-102: 255 does not end. */
START_TEST(permanent)
{
	add(0, 1, 255);
	ck_assert_ptr_nonnull(find(UINT64_MAX - 1, 1));
}
END_TEST

START_TEST(a_newer_one_counts)
{
	add(0, 1, 1);
	add(100, 1, 2);
	ck_assert_uint_eq(cache.count, 1);
	ck_assert_ptr_nonnull(find(599, 1));
	ck_assert_ptr_null(find(600, 1));
}
END_TEST

/* S2-096: so that a client of many services has bounded memory. */
START_TEST(full)
{
	unsigned int i;

	for (i = 1; i <= SDPMAP_CACHE_MAX; i++)
		add(0, i, i == 7 ? 1 : 100);
	ck_assert_uint_eq(cache.count, SDPMAP_CACHE_MAX);
	add(0, 1000, 100);
	ck_assert_uint_eq(cache.count, SDPMAP_CACHE_MAX);
	ck_assert_ptr_null(find(0, 7));
	for (i = 1; i <= SDPMAP_CACHE_MAX; i++)
		ck_assert(i == 7 || find(0, i));
	ck_assert_ptr_nonnull(find(0, 1000));
}
END_TEST

Suite *sdpmap_cache_suite(void)
{
	Suite *suite = suite_create("sdpmap_cache");
	TCase *tc = tcase_create("sdpmap_cache");

	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_add_test(tc, units);
	tcase_add_test(tc, expiry);
	tcase_add_test(tc, single_connection);
	tcase_add_test(tc, permanent);
	tcase_add_test(tc, a_newer_one_counts);
	tcase_add_test(tc, full);
	suite_add_tcase(suite, tc);
	return suite;
}
