// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Run lists: how much one run does before bottom halves are enabled again, and CPUs that go
 * offline.
 */
#include <check.h>
#include <linux/bottom_half.h>
#include <linux/irqflags.h>
#include "shim.h"
#include "tests/unit/fixture/pair.h"
#include "tests/unit/suites.h"

/* The budget of one run: packets, completions or work of equal cost. */
#define BUDGET 300u
#define ENTRIES 16384u

struct counter {
	struct hca_runnable run;
	unsigned int runs, left;
};

static bool count_run(struct hca_runnable *r, int *budget)
{
	struct counter *counter = container_of(r, struct counter, run);

	counter->runs++;
	while (*budget > 0 && counter->left) {
		counter->left--;
		(*budget)--;
	}
	return counter->left;
}

static void count_init(struct counter *counter, unsigned int n, unsigned int left)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		counter[i] = (struct counter){ .left = left };
		hca_run_init(&counter[i].run, count_run);
	}
}

static unsigned int sum_left(const struct counter *counter, unsigned int n)
{
	unsigned int sum = 0;

	while (n--)
		sum += counter++->left;
	return sum;
}

static void begin(void)
{
	shim_reset(1);
	ck_assert_int_eq(hca_engine_start(), 0);
}

static void end(void)
{
	hca_engine_stop();
	ck_assert_uint_eq(shim_live_allocations(), 0);
}

/* Whether few queue pairs have much to do or many have little, the worker does the rest. */
START_TEST(a_drain_has_a_budget)
{
	static const struct {
		unsigned int n, left;
	} loads[] = { { 1, 100000 }, { 8, 1000 }, { 1000, 1 }, { 1000, 0 } };
	static struct counter counter[1000];
	unsigned int n = loads[_i].n, i, runs = 0;

	begin();
	count_init(counter, n, loads[_i].left);
	local_bh_disable();
	for (i = 0; i < n; i++)
		hca_run_schedule(&counter[i].run);
	hca_engine_run();
	for (i = 0; i < n; i++)
		runs += counter[i].runs;
	ck_assert_uint_le(runs, BUDGET);
	ck_assert_uint_ge(sum_left(counter, n) + BUDGET, n * loads[_i].left);
	local_bh_enable();
	shim_run_until_idle();
	ck_assert_uint_eq(sum_left(counter, n), 0);
	for (i = 0; i < n; i++)
		ck_assert_uint_ge(counter[i].runs, 1);
	end();
}
END_TEST

/* No queue pair has a second turn while another waits for its first. */
START_TEST(turns_are_taken)
{
	struct counter counter[4];
	unsigned int i;

	begin();
	count_init(counter, 4, 1000);
	local_bh_disable();
	for (i = 0; i < 4; i++)
		hca_run_schedule(&counter[i].run);
	hca_engine_run();
	for (i = 0; i < 4; i++)
		ck_assert_uint_ge(counter[i].runs, 1);
	local_bh_enable();
	shim_run_until_idle();
	for (i = 0; i < 4; i++)
		ck_assert_uint_ge(counter[i].runs, DIV_ROUND_UP(1000, HCA_RUN_BUDGET));
	end();
}
END_TEST

static void raise_one(struct counter *counter)
{
	counter->left = 1;
	hca_run_schedule(&counter->run);
	hca_engine_raise();
}

/* A caller that raises the engine where bottom halves can run does not wait for ksoftirqd. */
START_TEST(raised_it_runs_at_once)
{
	struct counter counter;
	unsigned long flags;

	begin();
	count_init(&counter, 1, 0);
	raise_one(&counter);
	ck_assert_uint_eq(counter.runs, 1);

	local_bh_disable();
	raise_one(&counter);
	ck_assert_uint_eq(counter.runs, 1);
	local_bh_enable();
	ck_assert_uint_eq(counter.runs, 2);

	local_irq_save(flags);
	raise_one(&counter);
	ck_assert_uint_eq(counter.runs, 2);
	local_irq_restore(flags);
	shim_run_until_idle();
	ck_assert_uint_eq(counter.runs, 3);
	end();
}
END_TEST

/*
 * Work that is queued on a CPU that goes offline is run on another CPU; a waiting queue pair
 * continues.
 */
START_TEST(a_cpu_goes_offline)
{
	struct counter counter[2];
	unsigned int i;

	begin();
	count_init(counter, 2, 1000);
	local_bh_disable();
	hca_run_schedule(&counter[0].run);
	hca_engine_run(); /* its budget is used up, so that it stays in the batch */
	hca_run_schedule(&counter[1].run);
	local_bh_enable();
	shim_cpu_dead();
	shim_run_until_idle();
	for (i = 0; i < 2; i++) {
		ck_assert_uint_eq(counter[i].left, 0);
		hca_run_stop(&counter[i].run);
	}
	end();
}
END_TEST

/* A runnable is run whether the CPU to which it is bound is this one or is offline (V3-091). */
START_TEST(bound_to_a_cpu)
{
	struct counter counter;

	begin();
	count_init(&counter, 1, 1);
	hca_run_bind(&counter.run, _i);
	local_bh_disable();
	hca_run_schedule(&counter.run);
	hca_engine_run();
	local_bh_enable();
	shim_run_until_idle();
	ck_assert_uint_eq(counter.runs, 1);
	ck_assert_uint_eq(counter.left, 0);
	hca_run_stop(&counter.run);
	end();
}
END_TEST

static unsigned int completed(const struct pair_end *end)
{
	return end->send_cq.producer + end->recv_cq.producer;
}

/* C10-42, R0-471: all posted requests are flushed, at most one budget in each run. */
START_TEST(flushing_has_a_budget)
{
	static const struct pair_qp *const kinds[] = { &pair_rc, &pair_uc, &pair_ud, &pair_rd };
	const struct hca_qp_attr error = { .state = IB_QPS_ERR };
	struct pair_qp how = *kinds[_i];
	struct pair_end *a;
	struct pair *pair;
	u32 i;

	how.send_wr = ENTRIES;
	how.recv_wr = ENTRIES;
	how.cqe = ENTRIES;
	pair = pair_new(&how);
	a = &pair->end[0];
	a->qp->sq.ring->need_wakeup = 0; /* the requests are processed only at the end */
	for (i = 0; i < ENTRIES; i++) {
		pair_send(a, i, 0, SRC, 100);
		pair_recv(a, i, DST, 100);
	}
	local_bh_disable(); /* the worker does not run yet */
	ck_assert_int_eq(hca_qp_modify(a->qp, &error, IB_QP_STATE), 0);
	ck_assert_uint_le(completed(a), BUDGET);
	local_bh_enable();
	pair_settle();
	ck_assert_uint_eq(completed(a), 2 * ENTRIES);
	for (i = 0; i < ENTRIES; i++) {
		pair_expect(&a->send_cq, i, IB_WC_WR_FLUSH_ERR);
		pair_expect(&a->recv_cq, i, IB_WC_WR_FLUSH_ERR);
	}
	pair_free(pair);
}
END_TEST

Suite *engine_suite(void)
{
	Suite *suite = suite_create("engine");
	TCase *tc = tcase_create("engine");

	tcase_add_loop_test(tc, a_drain_has_a_budget, 0, 4);
	tcase_add_test(tc, turns_are_taken);
	tcase_add_test(tc, raised_it_runs_at_once);
	tcase_add_test(tc, a_cpu_goes_offline);
	tcase_add_loop_test(tc, bound_to_a_cpu, 0, 2);
	tcase_add_loop_test(tc, flushing_has_a_budget, 0, 4);
	suite_add_tcase(suite, tc);
	return suite;
}
