// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* SDP's announcements of out-of-band octets: once each, not too early and not too late. */
#include <check.h>
#include <linux/errno.h>
#include "sdp/protocol/urgent.h"
#include "sdp/protocol/wire.h"
#include "tests/unit/suites.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define PEND SDP_FLAG_OOB_PEND

static const u32 origins[] = { 0, 1, 0x7fffff00, 0xffff0000, 0xffffffff };

/* As a connection is that has sent @octets. */
static struct sdp_urgent after(u32 octets)
{
	return (struct sdp_urgent){ .queued = octets, .sent = octets };
}

/* Without an octet out of band there is no announcement. */
START_TEST(none)
{
	struct sdp_urgent urgent = after(origins[_i]);

	ck_assert(!sdp_urgent_is_due(&urgent));
	ck_assert_uint_eq(sdp_urgent_sent(&urgent, 0), 0);
	ck_assert_int_eq(sdp_urgent_queue(&urgent, 100000, false), 0);
	ck_assert(!sdp_urgent_is_due(&urgent));
	ck_assert_uint_eq(sdp_urgent_sent(&urgent, 100000), 0);
}
END_TEST

/* S2-202: a message without payload announces the octet at once, and none announces it again. */
START_TEST(at_once)
{
	struct sdp_urgent urgent = after(origins[_i]);

	ck_assert_int_eq(sdp_urgent_queue(&urgent, 10, false), 0);
	ck_assert_int_eq(sdp_urgent_queue(&urgent, 1, true), 0);
	ck_assert(sdp_urgent_is_due(&urgent));
	ck_assert_uint_eq(sdp_urgent_sent(&urgent, 0), PEND);
	ck_assert(!sdp_urgent_is_due(&urgent));
	ck_assert_uint_eq(sdp_urgent_sent(&urgent, 10), 0);
	ck_assert_uint_eq(sdp_urgent_sent(&urgent, 1), 0);
}
END_TEST

/* S2-202: the message that carries the octet announces it, if no other has. */
START_TEST(with_octet)
{
	struct sdp_urgent urgent = after(origins[_i]);

	ck_assert_int_eq(sdp_urgent_queue(&urgent, 65535, true), 0);
	ck_assert_uint_eq(sdp_urgent_sent(&urgent, 65535), PEND);
	ck_assert_uint_eq(sdp_urgent_sent(&urgent, 0), 0);
}
END_TEST

/*
 * S2-203: at most 65,535 octets, those of the message included, lie between the announcement and
 * the end of the octet. The octet is at each distance around that, and is come nearer to by one.
 */
START_TEST(bound)
{
	u32 far;

	for (far = 65530; far < 65545; far++) {
		struct sdp_urgent urgent = after(origins[_i]);
		u32 rest;

		ck_assert_int_eq(sdp_urgent_queue(&urgent, far, true), 0);
		for (rest = far; rest > 65535; rest--) {
			ck_assert(!sdp_urgent_is_due(&urgent));
			ck_assert_uint_eq(sdp_urgent_sent(&urgent, 0), 0);
			ck_assert_uint_eq(sdp_urgent_sent(&urgent, 1), 0);
		}
		ck_assert(sdp_urgent_is_due(&urgent));
		ck_assert_uint_eq(sdp_urgent_sent(&urgent, 0), PEND);
		ck_assert_uint_eq(sdp_urgent_sent(&urgent, rest), 0);
	}
}
END_TEST

/* S2-201, S2-202: octets are announced one by one, in their order, each by a message of its own. */
START_TEST(several)
{
	struct sdp_urgent urgent = after(origins[_i]);
	int i;

	for (i = 0; i < SDP_URGENT_MAX; i++)
		ck_assert_int_eq(sdp_urgent_queue(&urgent, 30000, true), 0);
	/* The ends are at 30,000, 60,000, 90,000 and 120,000. */
	ck_assert_uint_eq(sdp_urgent_sent(&urgent, 0), PEND);
	ck_assert_uint_eq(sdp_urgent_sent(&urgent, 0), PEND);
	ck_assert_uint_eq(sdp_urgent_sent(&urgent, 0), 0);
	ck_assert_uint_eq(sdp_urgent_sent(&urgent, 24464), 0);
	ck_assert(!sdp_urgent_is_due(&urgent));
	ck_assert_uint_eq(sdp_urgent_sent(&urgent, 1), 0);
	ck_assert_uint_eq(sdp_urgent_sent(&urgent, 5535), PEND);
	ck_assert_uint_eq(sdp_urgent_sent(&urgent, 24465), 0);
	ck_assert_uint_eq(sdp_urgent_sent(&urgent, 35535), PEND);
	ck_assert_uint_eq(sdp_urgent_sent(&urgent, 0), 0);
}
END_TEST

/* Octets that follow each other at once are each announced by the message that carries it. */
START_TEST(consecutive)
{
	struct sdp_urgent urgent = after(origins[_i]);
	int i;

	for (i = 0; i < SDP_URGENT_MAX; i++)
		ck_assert_int_eq(sdp_urgent_queue(&urgent, 1, true), 0);
	for (i = 0; i < SDP_URGENT_MAX; i++)
		ck_assert_uint_eq(sdp_urgent_sent(&urgent, 1), PEND);
	ck_assert_uint_eq(sdp_urgent_sent(&urgent, 0), 0);
}
END_TEST

/* The ring of octets is full: nothing changes, other payload is queued still, and it turns. */
START_TEST(full)
{
	struct sdp_urgent urgent = after(origins[_i]);
	int i, turn;

	for (i = 0; i < SDP_URGENT_MAX; i++)
		ck_assert_int_eq(sdp_urgent_queue(&urgent, 3, true), 0);
	for (turn = 0; turn < 3 * SDP_URGENT_MAX; turn++) {
		ck_assert_int_eq(sdp_urgent_queue(&urgent, 3, true), -ENOBUFS);
		ck_assert_uint_eq(urgent.queued - urgent.sent, 3 * SDP_URGENT_MAX);
		ck_assert_uint_eq(sdp_urgent_sent(&urgent, 3), PEND);
		ck_assert_int_eq(sdp_urgent_queue(&urgent, 2, false), 0);
		ck_assert_int_eq(sdp_urgent_queue(&urgent, 1, true), 0);
	}
	for (i = 0; i < SDP_URGENT_MAX; i++)
		ck_assert_uint_eq(sdp_urgent_sent(&urgent, 3), PEND);
	ck_assert_uint_eq(sdp_urgent_sent(&urgent, 0), 0);
}
END_TEST

Suite *sdp_urgent_suite(void)
{
	Suite *suite = suite_create("sdp_urgent");
	TCase *tc = tcase_create("sdp_urgent");

	tcase_add_loop_test(tc, none, 0, COUNT(origins));
	tcase_add_loop_test(tc, at_once, 0, COUNT(origins));
	tcase_add_loop_test(tc, with_octet, 0, COUNT(origins));
	tcase_add_loop_test(tc, bound, 0, COUNT(origins));
	tcase_add_loop_test(tc, several, 0, COUNT(origins));
	tcase_add_loop_test(tc, consecutive, 0, COUNT(origins));
	tcase_add_loop_test(tc, full, 0, COUNT(origins));
	suite_add_tcase(suite, tc);
	return suite;
}
