// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Static rate control: the mean rate is the path's, and not less than that. */
#include <check.h>
#include <linux/ktime.h>
#include "tests/unit/fixture/pair.h"
#include "tests/unit/suites.h"
#include "transport/iba_qp.h"
#include "transport/pace.h"

/* enum ib_rate */
enum { RATE_2_5 = 2, RATE_10 = 3, RATE_30 = 4, RATE_5 = 5, RATE_100 = 16, RATE_120 = 10 };

#define MESSAGE 60000u

static u64 milliseconds(void)
{
	return ktime_get_ns() / 1000000;
}

/* Change the path's rate in SQD (C4-124): possible at any time afterwards. */
static void set_rate(struct pair_end *end, u8 rate)
{
	struct hca_qp_attr attr = hca_qp_eec(end->qp)->attr;

	attr.state = IB_QPS_SQD;
	ck_assert_int_eq(hca_qp_modify(end->qp, &attr, IB_QP_STATE), 0);
	attr.iba.av.static_rate = rate;
	ck_assert_int_eq(hca_qp_modify(end->qp, &attr, IB_QP_AV), 0);
	attr.state = IB_QPS_RTS;
	ck_assert_int_eq(hca_qp_modify(end->qp, &attr, IB_QP_STATE), 0);
}

/* The time that @n messages take, in ms; they all arrive. */
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
		ck_assert_uint_eq(cqe.status, IB_WC_SUCCESS);
	}
	return milliseconds() - since;
}

/*
 * C4-115, C4-120, B4-428: 6 MB and headers at 2.5, 5 and 10 Gb/s take 19.2 ms, a half and a quarter
 * of it.
 */
START_TEST(mean_rate)
{
	static const struct {
		u8 rate;
		unsigned int least, most; /* ms; a burst may be two ticks long */
	} cases[] = { { RATE_2_5, 17, 23 }, { RATE_5, 7, 13 }, { RATE_10, 2, 8 } };
	struct pair *pair = pair_new(&pair_rc);
	u64 elapsed;

	pair_fill(&pair->end[0], SRC, MESSAGE, 1);
	set_rate(&pair->end[0], cases[_i].rate);
	elapsed = time_of(pair, 100);
	ck_assert_uint_ge(elapsed, cases[_i].least);
	ck_assert_uint_le(elapsed, cases[_i].most);
	ck_assert(pair_same(&pair->end[0], SRC, &pair->end[1], DST, MESSAGE));
	/* No packet was sent again because it was late. */
	ck_assert_uint_eq(hca_counter_read(&pair->end[0].ports[1], HCA_CTR_XMIT_PACKETS), 100 * 59);
	pair_free(pair);
}
END_TEST

/*
 * C4-122: there is no delay towards a port that is as fast as the local link, or faster, or of
 * unknown rate.
 */
START_TEST(not_paced)
{
	static const u8 rates[] = { 0, 1, RATE_100, RATE_120, 200 };
	struct pair *pair = pair_new(&pair_rc);

	set_rate(&pair->end[0], rates[_i]);
	ck_assert_uint_eq(time_of(pair, 20), 0);
	pair_free(pair);
}
END_TEST

/* B4-429: 2.5 Gb/s is a quarter of 10, 10 of 40, at links of 1x and 4x, SDR and QDR. */
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
	ck_assert_uint_ne(hca_pace_of(&port, RATE_10), 0); /* C4-116 */
	port.info.link_width_active = 0;
	ck_assert_uint_eq(hca_pace_of(&port, RATE_2_5), 0);
}
END_TEST

/* Rates of enum ib_rate in Mb/s, by their codes: all that rdma-core lists. */
static const struct {
	u8 code;
	u32 mbps;
} all_rates[] = {
	{ 2, 2500 },	{ 3, 10000 },	{ 4, 30000 },	{ 5, 5000 },	{ 6, 20000 },
	{ 7, 40000 },	{ 8, 60000 },	{ 9, 80000 },	{ 10, 120000 }, { 11, 14000 },
	{ 12, 56000 },	{ 13, 112000 }, { 14, 168000 }, { 15, 25000 },	{ 16, 100000 },
	{ 17, 200000 }, { 18, 300000 }, { 19, 28000 },	{ 20, 50000 },	{ 21, 400000 },
	{ 22, 600000 }, { 23, 800000 },
};

/* Links by the bits of PortInfo: the number of lanes, and the rate of one lane. */
static const struct {
	u8 width, speed, ext;
	u32 mbps;
} links[] = {
	/* B4-002, C4-113 */
	{ 1, 1, 0, 2500 },    { 2, 1, 0, 10000 },   { 4, 1, 0, 20000 },	  { 8, 1, 0, 30000 },
	{ 16, 1, 0, 5000 },   { 1, 2, 0, 5000 },    { 2, 2, 0, 20000 },	  { 8, 2, 0, 60000 },
	{ 1, 4, 0, 10000 },   { 2, 4, 0, 40000 },   { 8, 4, 0, 120000 },  { 1, 4, 1, 14000 },
	{ 2, 4, 1, 56000 },   { 1, 4, 2, 25000 },   { 2, 4, 2, 100000 },  { 8, 4, 2, 300000 },
	{ 1, 4, 4, 50000 },   { 2, 4, 4, 200000 },  { 8, 4, 4, 600000 },  { 1, 4, 8, 100000 },
	{ 2, 4, 8, 400000 },  { 4, 4, 8, 800000 },  { 8, 4, 8, 1200000 }, { 16, 4, 8, 200000 },
};

#define NUM_RATES ((int)(sizeof(all_rates) / sizeof(all_rates[0])))
#define NUM_LINKS ((int)(sizeof(links) / sizeof(links[0])))

/*
 * C4-122, B4-429: from each kind of link to each rate; packets to a rate below the link's are
 * paced.
 */
START_TEST(each_rate)
{
	struct hca_port port = { .info = { .link_width_active = links[_i].width,
					   .link_speed_active = links[_i].speed,
					   .link_speed_ext_active = links[_i].ext } };
	int i;

	for (i = 0; i < NUM_RATES; i++) {
		u32 pace = 8000000 / all_rates[i].mbps; /* picoseconds for each octet */

		if (all_rates[i].mbps >= links[_i].mbps)
			pace = 0;
		ck_assert_msg(hca_pace_of(&port, all_rates[i].code) == pace,
			      "link %d, rate %u: %u, not %u", _i, all_rates[i].code,
			      hca_pace_of(&port, all_rates[i].code), pace);
	}
}
END_TEST

Suite *pace_suite(void)
{
	Suite *s = suite_create("pace");
	TCase *tc = tcase_create("rates");

	tcase_add_loop_test(tc, mean_rate, 0, 3);
	tcase_add_loop_test(tc, not_paced, 0, 5);
	tcase_add_test(tc, by_port);
	tcase_add_loop_test(tc, each_rate, 0, NUM_LINKS);
	suite_add_tcase(s, tc);
	return s;
}
