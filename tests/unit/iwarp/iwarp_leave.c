// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Queue pairs that are destroyed, and endpoints that are left, while others are at work on them.
 * Work of another processor at the same time is done in between here.
 */
#include <check.h>
#include <linux/bottom_half.h>
#include <linux/errno.h>
#include "engine/run.h"
#include "shim.h"
#include "tests/unit/iwarp/judge_state.h"
#include "tests/unit/iwarp/judge_stream.h"
#include "tests/unit/suites.h"

#define LEAVE_OTHERS 5 /* runnables that use up what the engine does at once */

static const struct sim_stream_options plain = { .segment = 0 };
static struct hca_runnable leave_other[LEAVE_OTHERS];

static bool leave_use_budget(struct hca_runnable *r, int *budget)
{
	*budget = 0;
	return false;
}

/* The engine has so much to do that what is scheduled now waits for its work item. */
static void leave_load_engine(void)
{
	int i;

	local_bh_disable();
	for (i = 0; i < LEAVE_OTHERS; i++) {
		hca_run_init(&leave_other[i], leave_use_budget);
		hca_run_schedule(&leave_other[i]);
	}
	local_bh_enable();
}

/* The endpoint's own function is scheduled late, by one who has seen it as the user before. */
static void leave_schedule_endpoint(void)
{
	local_bh_disable();
	hca_run_schedule(&judge.ep.run);
	local_bh_enable();
}

static struct hca_endpoint leave_next;
static void (*leave_event)(struct hca_endpoint *ep, enum hca_endpoint_event event);
static u32 leave_qpn, leave_events;

static void leave_ignore(struct hca_endpoint *ep, enum hca_endpoint_event event) { }

/* A holder of the queue pair wants to use it once more, while it is being destroyed. */
static void leave_connect_next(struct hca_endpoint *ep, enum hca_endpoint_event event)
{
	const struct hca_connect connect = { .ird = 4, .ord = 4 };

	leave_events++;
	ck_assert_ptr_null(hca_qp_get(&judge.rnic.ci, leave_qpn));
	ck_assert_int_eq(hca_startup_connect(&leave_next, judge.it, &connect), -EINVAL);
	leave_event(ep, event);
}

/* R0-126: a queue pair that is being destroyed is not found, and gets no other stream. */
START_TEST(destroyed_is_unusable)
{
	judge_begin(&plain);
	judge_request();
	leave_events = 0;
	leave_qpn = judge.qp->qpn;
	leave_event = judge.ep.event;
	judge.ep.event = leave_connect_next;
	leave_next = (struct hca_endpoint){ .raised = 0 };
	hca_endpoint_init(&leave_next, &judge.rnic, &judge.model->stream, leave_ignore);
	judge_destroy();
	judge_exchange();
	ck_assert_uint_eq(leave_events, 2);
	hca_endpoint_destroy(&leave_next);
	judge_end();
}
END_TEST

/* A queue pair that could not run before it was destroyed has reset its stream all the same. */
START_TEST(destroyed_before_it_ran)
{
	judge_begin(&plain);
	judge_respond();
	leave_load_engine();
	hca_qp_destroy(judge.qp);
	judge.qp = NULL;
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 1);
	ck_assert_int_eq(judge.close_status, -ECONNRESET);
	judge_exchange();
	ck_assert(judge_reset());
	judge_end();
}
END_TEST

/*
 * R0-126: a close whose last octets the stream takes only now, when the queue pair is destroyed, is
 * one in order.
 */
START_TEST(destroyed_behind_close)
{
	judge_begin(&plain);
	judge_respond();
	judge_stream_hook();
	judge_stream.refuses = true;
	judge_run("read sink=1 src=$rw srcto=0x70000 size=8");
	ck_assert_int_eq(judge_modify_settled(IB_QPS_SQD), 0);
	ck_assert(!judge_fin());
	judge_stream.refuses = false;
	judge_destroy();
	judge_exchange();
	ck_assert(peer_next_fpdu(&judge.peer));
	ck_assert_uint_eq(judge.peer.fpdu.header.opcode, 2);
	ck_assert(judge_fin());
	ck_assert(!judge_reset());
	ck_assert_int_eq(judge.close_status, 0);
	judge_end();
}
END_TEST

/*
 * An endpoint that start-up has taken back from its queue pair reports its events itself, since
 * nobody but its own function knows how long it exists. That is so in a second connection as well.
 */
START_TEST(startup_reports)
{
	judge_begin(&plain);
	if (_i) {
		judge_respond();
		judge_run("reset");
		judge_again();
	}
	judge_request();
	judge_stream_hide();
	judge_run("reset");
	judge_run_qp(HCA_RUN_BUDGET);
	ck_assert_ptr_null(judge.it->ep);
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CONNECT_REPLY], 0);
	shim_run_until_idle();
	judge_exchange();
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CONNECT_REPLY], 1);
	ck_assert_int_eq(judge.reply_status, -ECONNRESET);
	judge_end();
}
END_TEST

/* A late run of the endpoint's own function takes nothing from the queue pair's. */
START_TEST(late_run_when_attached)
{
	judge_begin(&plain);
	judge_close_in_rts();
	leave_schedule_endpoint();
	judge_wait(20);
	ck_assert(judge_reset());
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 1);
	judge_end();
}
END_TEST

/* A late run of an endpoint whose stream was released does not look at the stream. */
START_TEST(late_run_when_closed)
{
	judge_begin(&plain);
	judge_respond();
	judge_run("reset");
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 1);
	judge.ep.stream = NULL;
	leave_schedule_endpoint();
	hca_engine_raise();
	shim_run_until_idle();
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 1);
	judge_end();
}
END_TEST

static bool leave_too_late(struct hca_runnable *r, int *budget)
{
	ck_abort_msg("an endpoint runs that may have been freed");
}

/* The end of an endpoint waits for a run that is scheduled, or it would come afterwards. */
START_TEST(late_run_when_destroyed)
{
	judge_begin(&plain);
	judge_respond();
	judge_run("reset");
	leave_load_engine();
	leave_schedule_endpoint();
	local_bh_disable();
	hca_engine_run();
	local_bh_enable();
	judge_reopen(&plain);
	judge.ep.run.run = leave_too_late;
	shim_run_until_idle();
	judge_end();
}
END_TEST

Suite *iwarp_leave_suite(void)
{
	Suite *suite = suite_create("iwarp_leave");
	TCase *tc = tcase_create("leave");

	tcase_add_test(tc, destroyed_is_unusable);
	tcase_add_test(tc, destroyed_before_it_ran);
	tcase_add_test(tc, destroyed_behind_close);
	tcase_add_loop_test(tc, startup_reports, 0, 2);
	tcase_add_test(tc, late_run_when_attached);
	tcase_add_test(tc, late_run_when_closed);
	tcase_add_test(tc, late_run_when_destroyed);
	suite_add_tcase(suite, tc);
	return suite;
}
