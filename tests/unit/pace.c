// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Static rate control: the mean rate is the path's, and not less than that. */
#include <check.h>
#include <linux/ktime.h>
#include "pair.h"
#include "suites.h"
#include "transport/pace.h"

/* enum ib_rate */
enum { RATE_2_5 = 2, RATE_10 = 3, RATE_30 = 4, RATE_5 = 5, RATE_100 = 16, RATE_120 = 10 };

#define MESSAGE 60000u

static u64 milliseconds(void)
{
	return ktime_get_ns() / 1000000;
}

/* Change the path's rate in SQD, as C4-124 has it: at any time afterwards. */
static void set_rate(struct pair_end *end, u8 rate)
{
	struct hca_qp_attr attr = end->qp->eec.attr;

	attr.state = HCA_QPS_SQD;
	ck_assert_int_eq(hca_qp_modify(end->qp, &attr, HCA_QP_STATE), 0);
	attr.av.static_rate = rate;
	ck_assert_int_eq(hca_qp_modify(end->qp, &attr, HCA_QP_AV), 0);
	attr.state = HCA_QPS_RTS;
	ck_assert_int_eq(hca_qp_modify(end->qp, &attr, HCA_QP_STATE), 0);
}

/* How long @n messages take, in ms; they all arrive. */
static u64 time_of(struct pair *pair, int n)
{
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	u64 since = milliseconds();
	struct hca_cqe cqe;
	int i;

	for (i = 0; i < n; i++)
		pair_rdma(a, b, i, IB_UVERBS_WR_RDMA_WRITE, HCA_WQE_SIGNALED, SRC, DST, MESSAGE);
	pair_settle();
	for (i = 0; i < n; i++) {
		while (!pair_poll(&a->send_cq, &cqe)) {
			pair_wait(1);
			ck_assert_uint_lt(milliseconds() - since, 10000);
		}
		ck_assert_uint_eq(cqe.wr_id, i);
		ck_assert_uint_eq(cqe.status, HCA_WC_SUCCESS);
	}
	return milliseconds() - since;
}

/* C4-115, C4-120, B4-428: 6 MB at 2.5, 5 and 10 Gb/s, and headers: 19.2 ms, half, a quarter. */
START_TEST(mean_rate)
{
	static const struct {
		u8 rate;
		unsigned int least, most; /* ms; two ticks are a burst */
	} cases[] = { { RATE_2_5, 17, 23 }, { RATE_5, 7, 13 }, { RATE_10, 2, 8 } };
	struct pair *pair = pair_new(&pair_rc);
	u64 took;

	pair_fill(&pair->end[0], SRC, MESSAGE, 1);
	set_rate(&pair->end[0], cases[_i].rate);
	took = time_of(pair, 100);
	ck_assert_uint_ge(took, cases[_i].least);
	ck_assert_uint_le(took, cases[_i].most);
	ck_assert(pair_same(&pair->end[0], SRC, &pair->end[1], DST, MESSAGE));
	/* None of it was sent twice for being late. */
	ck_assert_uint_eq(hca_counter_read(&pair->end[0].ports[1], HCA_CTR_XMIT_PACKETS), 100 * 59);
	pair_free(pair);
}
END_TEST

/* C4-122: whoever is as fast as we are, or faster, or unknown, is not waited for. */
START_TEST(not_paced)
{
	static const u8 rates[] = { 0, 1, RATE_100, RATE_120, 200 };
	struct pair *pair = pair_new(&pair_rc);

	set_rate(&pair->end[0], rates[_i]);
	ck_assert_uint_eq(time_of(pair, 20), 0);
	pair_free(pair);
}
END_TEST

/* B4-429: 2.5 Gb/s is a quarter of 10, 10 of 40, seen from 1x and 4x, SDR and QDR. */
START_TEST(by_port)
{
	struct hca_port port = { .info = { .link_width_active = 2, .link_speed_active = 4 } };

	ck_assert_uint_eq(hca_pace_of(&port, RATE_10), 800);
	ck_assert_uint_eq(hca_pace_of(&port, RATE_2_5), 3200);
	port.info.link_speed_active = 1; /* 4x SDR: 10 Gb/s */
	ck_assert_uint_eq(hca_pace_of(&port, RATE_10), 0);
	ck_assert_uint_eq(hca_pace_of(&port, RATE_2_5), 3200);
	port.info.link_width_active = 1; /* 2.5 Gb/s */
	ck_assert_uint_eq(hca_pace_of(&port, RATE_2_5), 0);
	port.info.link_width_active = 8; /* 30 Gb/s */
	ck_assert_uint_eq(hca_pace_of(&port, RATE_30), 0);
	ck_assert_uint_ne(hca_pace_of(&port, RATE_10), 0);
	port.info.link_width_active = 0;
	ck_assert_uint_eq(hca_pace_of(&port, RATE_2_5), 0);
}
END_TEST

Suite *pace_suite(void)
{
	Suite *s = suite_create("pace");
	TCase *tc = tcase_create("rates");

	tcase_add_loop_test(tc, mean_rate, 0, 3);
	tcase_add_loop_test(tc, not_paced, 0, 5);
	tcase_add_test(tc, by_port);
	suite_add_tcase(s, tc);
	return s;
}
