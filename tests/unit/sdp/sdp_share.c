// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Which sockets of SDP may share a name: what is counted decides as a look at each socket would. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include "sdp/protocol/share.h"
#include "tests/unit/suites.h"

#define MOST 6 /* sockets of a name */
#define STEPS 2000

static struct sdp_sharer sharer(u32 user, bool reuse_addr, bool reuse_port, bool listens)
{
	return (struct sdp_sharer){ user, reuse_addr, reuse_port, listens };
}

/* The rule, for two sockets. */
static bool may_share(const struct sdp_sharer *one, const struct sdp_sharer *other)
{
	return (one->reuse_port && other->reuse_port && one->user == other->user) ||
	       (one->reuse_addr && other->reuse_addr && !other->listens);
}

static bool conflicts(const struct sdp_sharer *sharers, int count, const struct sdp_sharer *one)
{
	int i;

	for (i = 0; i < count; i++) {
		if (!may_share(one, &sharers[i]))
			return true;
	}
	return false;
}

/* Sockets of @users users come if they may, and go. Those of one user are told exactly. */
static void come_and_go(u32 users, unsigned int seed)
{
	struct sdp_share share = {};
	struct sdp_sharer sharers[MOST], next;
	int count = 0, step, at;
	bool refused;

	for (step = 0; step < STEPS; step++) {
		next = sharer(rand_r(&seed) % users, rand_r(&seed) % 4, rand_r(&seed) % 4,
			      rand_r(&seed) % 2);
		refused = sdp_share_conflicts(&share, &next);
		if (conflicts(sharers, count, &next) ? !refused : refused && users == 1)
			ck_abort_msg("step %d: it is %s", step, refused ? "refused" : "allowed");
		if (!refused && count < MOST) {
			sharers[count++] = next;
			sdp_share_add(&share, &next);
		} else if (count) {
			at = rand_r(&seed) % count;
			sdp_share_del(&share, &sharers[at]);
			sharers[at] = sharers[--count];
		}
	}
	ck_assert_uint_eq(share.total, count);
}

START_TEST(one_user)
{
	come_and_go(1, _i);
}
END_TEST

START_TEST(three_users)
{
	come_and_go(3, _i);
}
END_TEST

/* SO_REUSEPORT is of one user, whoever came first. */
START_TEST(reuse_port)
{
	const struct sdp_sharer mine = sharer(1, false, true, true);
	const struct sdp_sharer another = sharer(2, false, true, false);
	struct sdp_share share = {};

	ck_assert(!sdp_share_conflicts(&share, &mine));
	sdp_share_add(&share, &mine);
	ck_assert(!sdp_share_conflicts(&share, &mine));
	ck_assert(sdp_share_conflicts(&share, &another));
	sdp_share_del(&share, &mine);
	ck_assert(!sdp_share_conflicts(&share, &another));
}
END_TEST

/* SO_REUSEADDR: one listens at most. */
START_TEST(reuse_addr)
{
	const struct sdp_sharer listens = sharer(1, true, false, true);
	const struct sdp_sharer bound = sharer(2, true, false, false);
	const struct sdp_sharer alone = sharer(1, false, false, false);
	struct sdp_share share = {};

	sdp_share_add(&share, &bound);
	ck_assert(sdp_share_conflicts(&share, &alone));
	ck_assert(!sdp_share_conflicts(&share, &listens));
	sdp_share_add(&share, &listens);
	ck_assert(sdp_share_conflicts(&share, &bound));
	sdp_share_del(&share, &listens);
	ck_assert(!sdp_share_conflicts(&share, &bound));
}
END_TEST

/* Two users share by SO_REUSEADDR: neither has the name for itself by SO_REUSEPORT. */
START_TEST(users_differ)
{
	const struct sdp_sharer one = sharer(1, true, true, false);
	const struct sdp_sharer two = sharer(2, true, true, false);
	const struct sdp_sharer port = sharer(1, false, true, false);
	struct sdp_share share = {};

	sdp_share_add(&share, &one);
	ck_assert(!sdp_share_conflicts(&share, &port));
	sdp_share_add(&share, &two);
	ck_assert(sdp_share_conflicts(&share, &port));
	sdp_share_del(&share, &one);
	sdp_share_del(&share, &two);
	ck_assert(!sdp_share_conflicts(&share, &port));
}
END_TEST

Suite *sdp_share_suite(void)
{
	Suite *suite = suite_create("sdp_share");
	TCase *tcase = tcase_create("names");

	tcase_add_loop_test(tcase, one_user, 0, 10);
	tcase_add_loop_test(tcase, three_users, 0, 10);
	tcase_add_test(tcase, reuse_port);
	tcase_add_test(tcase, reuse_addr);
	tcase_add_test(tcase, users_differ);
	suite_add_tcase(suite, tcase);
	return suite;
}
