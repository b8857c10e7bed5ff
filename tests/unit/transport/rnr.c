// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Receiver not ready: the delay that the RNR NAK asks for, and that the requester observes it. */
#include <check.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include "shim.h"
#include "tests/unit/fixture/trace.h"
#include "tests/unit/suites.h"
#include "transport/retry.h"

#define CODES 32

/* The RNR timer codes of the AETH, in hundredths of a millisecond (IBA 9.7.5.2.8). */
static const u32 hundredths[CODES] = {
	[0] = 65536, [1] = 1,	  [2] = 2,	[3] = 3,      [4] = 4,	    [5] = 6,
	[6] = 8,     [7] = 12,	  [8] = 16,	[9] = 24,     [10] = 32,    [11] = 48,
	[12] = 64,   [13] = 96,	  [14] = 128,	[15] = 192,   [16] = 256,   [17] = 384,
	[18] = 512,  [19] = 768,  [20] = 1024,	[21] = 1536,  [22] = 2048,  [23] = 3072,
	[24] = 4096, [25] = 6144, [26] = 8192,	[27] = 12288, [28] = 16384, [29] = 24576,
	[30] = 32768, [31] = 49152,
};

/* B4-351 */
START_TEST(codes)
{
	u8 code;

	for (code = 0; code < CODES; code++)
		ck_assert_uint_eq(hca_rnr_usecs(code), hundredths[code] * 10);
}
END_TEST

/*
 * B4-351, B4-352, B4-044: the NAK has the responder's code; the requester repeats the message not
 * before that time has passed, and at most three ticks later.
 */
START_TEST(waits)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct trace *trace = trace_on(pair);
	const struct hca_qp_attr attr = { .iba.min_rnr_timer = _i };
	const u64 wait_ns = hundredths[_i] * 10000ull;
	const int sent = HCA_OPCODE(RC, SEND_ONLY_WITH_IMMEDIATE);
	u8 syndrome;

	ck_assert_int_eq(hca_qp_modify(b->qp, &attr, IB_QP_MIN_RNR_TIMER), 0);
	shim_advance(TICK_NSEC * 2 / 3); /* the test does not begin at a tick */
	pair_send(a, 1, HCA_WQE_SIGNALED, SRC, 100);
	pair_settle();
	ck_assert_uint_eq(trace_count(trace, 1, sent), 1);
	syndrome = trace_find(trace, 0, HCA_OPCODE(RC, ACKNOWLEDGE), 0)->h.aeth.syndrome;
	ck_assert_uint_eq(syndrome, HCA_SYNDROME_RNR | _i);
	pair_recv(b, 1, DST, 100);
	shim_advance(wait_ns - 1);
	pair_settle();
	ck_assert_uint_eq(trace_count(trace, 1, sent), 1);
	pair_expect_none(&b->recv_cq);
	shim_advance(3 * TICK_NSEC);
	pair_settle();
	ck_assert_uint_eq(trace_count(trace, 1, sent), 2);
	pair_expect(&b->recv_cq, 1, IB_WC_SUCCESS);
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	pair_free(pair);
}
END_TEST

Suite *rnr_suite(void)
{
	Suite *suite = suite_create("rnr");
	TCase *tc = tcase_create("rnr");

	tcase_add_test(tc, codes);
	tcase_add_loop_test(tc, waits, 0, CODES);
	suite_add_tcase(suite, tc);
	return suite;
}
