// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The watch over EE contexts that have sent packets: timers are set for those that wait alone. */
#include <check.h>
#include <linux/kernel.h>
#include "shim.h"
#include "tests/unit/fixture/pair.h"
#include "tests/unit/suites.h"
#include "transport/early_retry.h"

/* More connections than one expiry of the watch looks after. */
#define MANY 300
/* The ACK timeout, 4.096 us * 2^18: 1.07 s. */
#define TIMEOUT 18
/* Early retries leave within this time, and the watch has ended. */
#define SOON_MS 5

struct connections {
	struct pair *pair;
	struct hca_qp *first[2]; /* those of pair_new() */
	struct hca_qp *qp[2][MANY];
	int n;
	int lost; /* number of packets that are still to be lost */
};

static bool lose_some(struct pair *pair, int receiver, const struct hca_packet *pkt)
{
	struct connections *c = pair->data;

	(void)receiver;
	(void)pkt;
	return !c->lost || !c->lost--;
}

static void connections_new(struct connections *c, int n)
{
	struct pair_qp how = pair_rc;
	int i, end;

	how.timeout = TIMEOUT;
	c->pair = pair_new(&how);
	c->pair->filter = lose_some;
	c->pair->data = c;
	c->n = n;
	c->lost = 0;
	for (end = 0; end < 2; end++)
		c->first[end] = c->pair->end[end].qp;
	for (i = 0; i < n; i++) {
		for (end = 0; end < 2; end++)
			c->qp[end][i] = pair_create_qp(&c->pair->end[end], &how);
		for (end = 0; end < 2; end++)
			pair_connect(c->qp[end][i], &how, c->qp[!end][i]->qpn, pair_lid(!end, 1),
				     how.psn[end], how.psn[!end]);
	}
}

static void connection_gone(struct connections *c, int i)
{
	int end;

	for (end = 0; end < 2; end++) {
		hca_qp_destroy(c->qp[end][i]);
		c->qp[end][i] = NULL;
	}
}

static void connections_free(struct connections *c)
{
	int i, end;

	for (i = 0; i < c->n; i++)
		if (c->qp[0][i])
			connection_gone(c, i);
	for (end = 0; end < 2; end++)
		c->pair->end[end].qp = c->first[end];
	pair_free(c->pair);
}

/* Each connection writes once. */
static void write_all(struct connections *c)
{
	int i;

	for (i = 0; i < c->n; i++) {
		c->pair->end[0].qp = c->qp[0][i];
		pair_rdma(&c->pair->end[0], &c->pair->end[1], i, IB_UVERBS_WR_RDMA_WRITE,
			  HCA_WQE_SIGNALED, SRC, DST, 10);
	}
}

/* Connections that have written once each. The first @lost packets are lost. */
static void connections_write(struct connections *c, int n, int lost)
{
	connections_new(c, n);
	c->lost = lost;
	write_all(c);
	pair_settle();
}

/* Return the number of completions, which are in the order of the connections. */
static int completed(struct connections *c)
{
	struct hca_cqe cqe;
	u64 last = 0;
	int n = 0;

	while (pair_poll(&c->pair->end[0].send_cq, &cqe)) {
		ck_assert_uint_eq(cqe.status, IB_WC_SUCCESS);
		ck_assert(!n || cqe.wr_id > last);
		last = cqe.wr_id;
		n++;
	}
	return n;
}

static struct hca_eec *sender(struct connections *c, int i)
{
	return hca_qp_eec(c->qp[0][i]);
}

static int timers(struct connections *c)
{
	int i, n = 0;

	for (i = 0; i < c->n; i++)
		n += timer_pending(&sender(c, i)->timer) +
		     hrtimer_is_queued(&sender(c, i)->early.timer);
	return n;
}

static int watched(struct connections *c)
{
	int i, n = 0;

	for (i = 0; i < c->n; i++)
		n += c->qp[0][i] && hca_is_watched(&sender(c, i)->watched);
	return n;
}

/* A Write that is acknowledged at once sets no timer; its queue pair is soon watched no more. */
START_TEST(acknowledged)
{
	struct connections c;
	int again;

	hca_early_retries = _i;
	connections_new(&c, MANY);
	for (again = 0; again < 3; again++) {
		write_all(&c);
		pair_settle();
		ck_assert_int_eq(completed(&c), MANY);
		ck_assert_int_eq(timers(&c), 0);
		ck_assert_int_eq(watched(&c), MANY);
	}
	pair_wait(SOON_MS);
	ck_assert_int_eq(timers(&c), 0);
	ck_assert_int_eq(watched(&c), 0);
	hca_early_retries = true;
	connections_free(&c);
}
END_TEST

/* Lost Writes of many connections are sent again early, in the order of the connections. */
START_TEST(lost)
{
	struct connections c;
	u64 timeouts;

	connections_write(&c, MANY, MANY);
	ck_assert_int_eq(completed(&c), 0);
	pair_wait(SOON_MS);
	ck_assert_int_eq(completed(&c), MANY);
	timeouts = hca_counter_read(&c.pair->end[0].ports[1], HCA_CTR_ACK_TIMEOUTS);
	ck_assert_uint_eq(timeouts, 0);
	pair_wait(SOON_MS);
	ck_assert_int_eq(watched(&c), 0);
	connections_free(&c);
}
END_TEST

/* Without early retries, lost Writes are sent again after the ACK timeout. */
START_TEST(lost_long)
{
	struct connections c;

	hca_early_retries = false;
	connections_write(&c, 2, 2);
	pair_wait(1000);
	ck_assert_int_eq(completed(&c), 0);
	pair_wait(100);
	ck_assert_int_eq(completed(&c), 2);
	hca_early_retries = true;
	connections_free(&c);
}
END_TEST

/* A queue pair is destroyed while it is watched: the first, one between others, or the last. */
START_TEST(destroyed)
{
	struct connections c;

	connections_write(&c, 3, 3);
	ck_assert_int_eq(watched(&c), 3);
	connection_gone(&c, _i);
	ck_assert_int_eq(watched(&c), 2);
	pair_wait(SOON_MS);
	ck_assert_int_eq(completed(&c), 2);
	connections_free(&c);
}
END_TEST

/* All queue pairs are destroyed while they are watched; the watch begins anew with the next one. */
START_TEST(all_destroyed)
{
	struct connections c;
	int i;

	connections_write(&c, 3, 2);
	for (i = 0; i < 3; i++)
		connection_gone(&c, i);
	pair_wait(SOON_MS);
	connections_free(&c);
	connections_write(&c, 1, 1);
	pair_wait(SOON_MS);
	ck_assert_int_eq(completed(&c), 1);
	connections_free(&c);
}
END_TEST

/* A queue pair is reset while it is watched: its lost Write is not sent again. */
START_TEST(reset)
{
	struct hca_qp_attr attr = { .state = IB_QPS_RESET };
	struct connections c;

	connections_write(&c, 1, 1);
	ck_assert_int_eq(watched(&c), 1);
	ck_assert_int_eq(hca_qp_modify(c.qp[0][0], &attr, IB_QP_STATE), 0);
	pair_wait(SOON_MS);
	ck_assert_int_eq(watched(&c), 0);
	ck_assert_int_eq(timers(&c), 0);
	ck_assert_int_eq(completed(&c), 0);
	connections_free(&c);
}
END_TEST

/* Without packets on their way no timer is pending. */
START_TEST(idle)
{
	struct connections c;

	connections_new(&c, 2);
	ck_assert_uint_eq(shim_next_timer_ns(), U64_MAX);
	write_all(&c);
	pair_settle();
	ck_assert_uint_lt(shim_next_timer_ns(), U64_MAX);
	ck_assert_int_eq(completed(&c), 2);
	pair_wait(SOON_MS);
	ck_assert_uint_eq(shim_next_timer_ns(), U64_MAX);
	connections_free(&c);
}
END_TEST

Suite *watch_suite(void)
{
	Suite *suite = suite_create("watch");
	TCase *tc = tcase_create("watch");

	tcase_add_loop_test(tc, acknowledged, 0, 2);
	tcase_add_test(tc, lost);
	tcase_add_test(tc, lost_long);
	tcase_add_loop_test(tc, destroyed, 0, 3);
	tcase_add_test(tc, all_destroyed);
	tcase_add_test(tc, reset);
	tcase_add_test(tc, idle);
	suite_add_tcase(suite, tc);
	return suite;
}
