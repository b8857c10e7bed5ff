// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Completion queues by themselves: resizing, overruns, times; and indices that no CQ can have. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <linux/bottom_half.h>
#include <linux/ktime.h>
#include <linux/slab.h>
#include "shim.h"
#include "tests/consumer/consumer.h"
#include "tests/unit/suites.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static struct {
	struct hca_cq cq;
	unsigned int notified, errors;
	u64 next, expected; /* wr_ids: of the next completion that is added, or polled */
} t;

static void notify(struct hca_cq *cq)
{
	t.notified++;
}

static void error(struct hca_cq *cq)
{
	t.errors++;
}

static void prepare(void)
{
	memset(&t, 0, sizeof(t));
	shim_reset(1);
	ck_assert_int_eq(hca_engine_start(), 0);
	t.cq.notify = notify;
	t.cq.error = error;
}

static void begin(u32 cqe, bool timestamps, bool ignore_overrun)
{
	prepare();
	t.cq.timestamps = timestamps;
	t.cq.ignore_overrun = ignore_overrun;
	ck_assert_int_eq(hca_cq_init(&t.cq, cqe, false), 0);
}

static void begin_kernel(u32 cqe)
{
	prepare();
	ck_assert_int_eq(hca_cq_init(&t.cq, cqe, true), 0);
}

static void end(void)
{
	hca_cq_destroy(&t.cq);
	hca_engine_stop();
	shim_quiesce();
	ck_assert_uint_eq(shim_live_allocations(), 0);
}

static bool push_status(u32 status)
{
	struct hca_cqe cqe = { .wr_id = t.next++, .opcode = IB_UVERBS_WC_SEND, .status = status };
	bool pushed;

	local_bh_disable();
	pushed = hca_cq_push(&t.cq, &cqe);
	hca_engine_run();
	local_bh_enable();
	return pushed;
}

static bool push(void) { return push_status(IB_WC_SUCCESS); }

/* An error counts as solicited. */
static void push_failed(void) { ck_assert(push_status(IB_WC_LOC_PROT_ERR)); }

static void push_all(u32 n)
{
	while (n--)
		ck_assert(push());
}

static void poll_all(u32 n)
{
	struct hca_cqe cqe;

	while (n--) {
		ck_assert(consumer_poll_cq(&t.cq, &cqe));
		ck_assert_uint_eq(cqe.wr_id, t.expected++);
	}
}

static struct hca_queue new_ring(u32 cqe)
{
	struct hca_queue queue = {};

	ck_assert_int_eq(hca_queue_alloc(&queue, cqe, sizeof(struct hca_cqe), false), 0);
	return queue;
}

/* Resizes the queue at once; returns what hca_cq_resize() does. */
static int resize(u32 cqe)
{
	struct hca_queue queue = new_ring(cqe);
	int ret = hca_cq_resize(&t.cq, &queue);

	hca_cq_resized(&t.cq);
	hca_queue_free(&queue);
	return ret;
}

/*
 * R0-074, R0-077, V3-231, V3-232: nothing is lost, whatever the sizes, while completions are added
 * and polled.
 */
START_TEST(resize_keeps)
{
	u32 unpolled = 0, i;

	srand(_i);
	begin(16, false, false);
	for (i = 0; i < 2000; i++) {
		u32 more = rand() % (t.cq.cqe - unpolled + 1), fewer, cqe = 1 << rand() % 9;

		push_all(more);
		unpolled += more;
		fewer = rand() % (unpolled + 1);
		poll_all(fewer);
		unpolled -= fewer;
		ck_assert_int_eq(resize(cqe), unpolled <= cqe ? 0 : -EINVAL);
		if (unpolled <= cqe)
			ck_assert_uint_eq(t.cq.cqe, cqe);
	}
	poll_all(unpolled);
	ck_assert_uint_eq(t.errors, 0);
	end();
}
END_TEST

/*
 * R0-445, R0-079, V3-233: fewer entries than completions are refused, and the queue goes on as it
 * was.
 */
START_TEST(resize_refused)
{
	begin(64, false, false);
	push_all(40);
	ck_assert_int_eq(resize(32), -EINVAL);
	ck_assert_uint_eq(t.cq.cqe, 64);
	push_all(24);
	poll_all(64);
	ck_assert_int_eq(resize(32), 0);
	push_all(32);
	poll_all(32);
	end();
}
END_TEST

static const struct {
	/* Armed before the resize, in the former ring after it, in the new one. */
	bool before, between, after;
} arms[] = {
	{ true, false, false },
	{ false, true, false },
	{ false, false, true },
	{ true, true, true },
};

/* Whichever ring is armed, the next completion notifies, once. @_i: as of arms */
START_TEST(resize_armed)
{
	struct hca_queue queue;
	struct hca_ring *former;
	bool early;

	/* The completion comes before the process has told that it knows the new ring, or after. */
	for (early = false;; early = true) {
		begin(16, false, false);
		queue = new_ring(32);
		former = t.cq.queue.ring;
		former->arm = arms[_i].before ? HCA_CQ_ARM_NEXT : 0;
		ck_assert_int_eq(hca_cq_resize(&t.cq, &queue), 0);
		ck_assert_ptr_ne(t.cq.queue.ring, former);
		former->arm |= arms[_i].between ? HCA_CQ_ARM_NEXT : 0;
		t.cq.queue.ring->arm |= arms[_i].after ? HCA_CQ_ARM_NEXT : 0;
		if (early)
			push_all(1);
		hca_cq_resized(&t.cq);
		hca_queue_free(&queue);
		push_all(2);
		ck_assert_uint_eq(t.notified, 1);
		end();
		if (early)
			break;
	}
}
END_TEST

/*
 * A completion comes after the exchange, and only then a thread of the process arms the former
 * ring, and looks whether that has completions: it must not find it empty, for there is no event.
 */
START_TEST(resize_late)
{
	struct hca_queue queue;
	struct hca_ring *former;

	begin(16, false, false);
	push_all(5);
	poll_all(5);
	queue = new_ring(32);
	former = t.cq.queue.ring;
	ck_assert_int_eq(hca_cq_resize(&t.cq, &queue), 0);
	push_all(1);
	former->arm = HCA_CQ_ARM_NEXT;
	ck_assert_uint_eq(t.notified, 0);
	ck_assert_uint_ne(former->producer, former->consumer);
	hca_cq_resized(&t.cq);
	hca_queue_free(&queue);
	poll_all(1);
	end();
}
END_TEST

static const struct {
	s32 consumer; /* what a hostile process writes to the index, after 10 completions */
	u32 cqe;
	int ret;
} leaps[] = {
	{ 11, 64, -EINVAL },	     { -1, 64, 0 },	     { -7, 64, -EINVAL },
	{ 0x7fffffff, 64, -EINVAL }, { -0x7fffffff, 64, -EINVAL }, { 10, 1, 0 },
	{ 2, 4, -EINVAL },
};

/* An index that cannot be is refused; one that can be is not told from a true one. */
START_TEST(resize_hostile)
{
	begin(16, false, false);
	push_all(10);
	t.cq.queue.ring->consumer = leaps[_i].consumer;
	ck_assert_int_eq(resize(leaps[_i].cqe), leaps[_i].ret);
	push();
	end();
}
END_TEST

/* A queue that ignores overruns keeps the newest completions, also when it is resized. */
START_TEST(overrun_ignored)
{
	begin(16, false, true);
	ck_assert_uint_eq(t.cq.cqe, 31); /* one entry may be written while it is read */
	push_all(100);
	ck_assert_uint_eq(t.errors, 0);
	t.expected = 68;
	if (_i)
		ck_assert_int_eq(resize(64), 0);
	else
		t.cq.queue.ring->consumer = 68; /* as libhca finds out */
	poll_all(32);
	push_all(31);
	poll_all(31);
	end();
}
END_TEST

/* Without that an overrun is an error for good, which a larger ring does not cure (IBA C11-39). */
START_TEST(overrun)
{
	begin(16, false, false);
	push_all(16);
	ck_assert(!push());
	ck_assert_uint_eq(t.errors, 1);
	ck_assert_int_eq(resize(64), 0);
	ck_assert(!push());
	poll_all(16);
	ck_assert_uint_eq(t.errors, 1);
	end();
}
END_TEST

START_TEST(timestamps)
{
	struct hca_cqe cqe;

	begin(16, _i, false);
	shim_advance(12345);
	push_all(1);
	ck_assert(consumer_poll_cq(&t.cq, &cqe));
	ck_assert_uint_eq(cqe.timestamp, _i ? ktime_get_raw_ns() : 0);
	end();
}
END_TEST

/* --- moderation -------------------------------------------------------------------------- */

static void arm(void)
{
	atomic_or(HCA_CQ_ARM_NEXT, (atomic_t *)&t.cq.queue.ring->arm);
}

/* V3-087: an event comes with the last of that many completions, or a period after the first. */
START_TEST(moderation)
{
	begin(64, false, false);
	hca_cq_moderate(&t.cq, 4, 100);
	arm();
	push_all(3);
	ck_assert_uint_eq(t.notified, 0);
	push_all(1);
	ck_assert_uint_eq(t.notified, 1);
	shim_advance(1000 * NSEC_PER_USEC);
	ck_assert_uint_eq(t.notified, 1);

	arm();
	push_all(1);
	shim_advance(60 * NSEC_PER_USEC);
	push_all(1);
	shim_advance(39 * NSEC_PER_USEC);
	ck_assert_uint_eq(t.notified, 1);
	shim_advance(2 * NSEC_PER_USEC);
	ck_assert_uint_eq(t.notified, 2);
	push_all(10); /* not armed */
	shim_advance(1000 * NSEC_PER_USEC);
	ck_assert_uint_eq(t.notified, 2);
	end();
}
END_TEST

static const struct {
	u16 count, period;
} unmoderated[] = { { 0, 0 }, { 0, 100 }, { 4, 0 }, { 1, 100 }, { 65535, 0 } };

/* Each of these turns moderation off; an event that waits comes at once. */
START_TEST(moderation_off)
{
	begin(64, false, false);
	hca_cq_moderate(&t.cq, 65535, 65535);
	arm();
	push_all(3);
	ck_assert_uint_eq(t.notified, 0);
	hca_cq_moderate(&t.cq, unmoderated[_i].count, unmoderated[_i].period);
	shim_advance(1);
	ck_assert_uint_eq(t.notified, 1);
	arm();
	push_all(1);
	ck_assert_uint_eq(t.notified, 2);
	shim_advance(100000 * NSEC_PER_USEC);
	ck_assert_uint_eq(t.notified, 2);
	end();
}
END_TEST

/* R0-104: completions that the queue is not armed for neither count nor begin the period. */
START_TEST(moderation_solicited)
{
	begin(64, false, false);
	hca_cq_moderate(&t.cq, 2, 100);
	t.cq.queue.ring->arm = HCA_CQ_ARM_SOLICITED;
	push_all(5);
	shim_advance(200 * NSEC_PER_USEC);
	ck_assert_uint_eq(t.notified, 0);
	push_failed();
	ck_assert_uint_eq(t.notified, 0);
	push_failed();
	ck_assert_uint_eq(t.notified, 1);
	end();
}
END_TEST

/*
 * R0-081, V3-197, V3-237: a queue that is resized while an event waits still has it; and one that
 * is destroyed has none.
 */
START_TEST(moderation_resized)
{
	begin(16, false, false);
	hca_cq_moderate(&t.cq, 8, 100);
	arm();
	push_all(3);
	ck_assert_int_eq(resize(64), 0);
	shim_advance(101 * NSEC_PER_USEC);
	ck_assert_uint_eq(t.notified, 1);
	arm();
	push_all(3);
	end();
	ck_assert_uint_eq(shim_next_timer_ns(), U64_MAX);
	ck_assert_uint_eq(t.notified, 1);
}
END_TEST

/*
 * R0-107: events of a kernel consumer, which polls and arms again, are as few, and none is missing.
 */
START_TEST(moderation_kernel)
{
	struct hca_cqe cqe;
	u32 i, polled = 0;

	srand(_i);
	begin_kernel(256);
	hca_cq_moderate(&t.cq, 8, 50);
	hca_cq_arm(&t.cq, HCA_CQ_ARM_NEXT);
	for (i = 0; i < 1000; i++) {
		u32 before = t.notified;

		push_all(1);
		if (rand() % 4 == 0)
			shim_advance(rand() % 60 * NSEC_PER_USEC);
		if (t.notified == before)
			continue;
		while (hca_cq_poll(&t.cq, &cqe, 1))
			polled++;
		ck_assert(!hca_cq_arm(&t.cq, HCA_CQ_ARM_NEXT));
	}
	shim_advance(51 * NSEC_PER_USEC);
	while (hca_cq_poll(&t.cq, &cqe, 1))
		polled++;
	ck_assert_uint_eq(polled, 1000);
	ck_assert_uint_ge(t.notified, 1000 / 8);
	ck_assert_uint_le(t.notified, 1000 / 2);
	end();
}
END_TEST

/*
 * Completions of a kernel queue pair are purged when it is destroyed, more of them than at one
 * time. The completions of other queue pairs stay as they are.
 */
START_TEST(purge)
{
	const u32 entries = 5000;
	struct hca_cqe cqe;
	u32 i;

	begin_kernel(entries);
	t.cq.reap = NULL;
	for (i = 0; i < entries; i++) {
		struct hca_cqe pushed = { .wr_id = i, .kernel = 1 + i % 2, .wqes = 1 };

		local_bh_disable();
		ck_assert(hca_cq_push(&t.cq, &pushed));
		local_bh_enable();
	}
	ck_assert_int_eq(hca_cq_poll(&t.cq, &cqe, 1), 1);
	hca_cq_purge(&t.cq, 1);
	for (i = 1; i < entries; i += 2) {
		ck_assert_int_eq(hca_cq_poll(&t.cq, &cqe, 1), 1);
		ck_assert_uint_eq(cqe.wr_id, i);
		ck_assert_uint_eq(cqe.kernel, 2);
		ck_assert_uint_eq(cqe.wqes, 1);
	}
	ck_assert_int_eq(hca_cq_poll(&t.cq, &cqe, 1), 0);
	end();
}
END_TEST

Suite *cq_suite(void)
{
	Suite *suite = suite_create("cq");
	TCase *tc = tcase_create("cq");

	tcase_add_loop_test(tc, resize_keeps, 0, 4);
	tcase_add_test(tc, resize_refused);
	tcase_add_loop_test(tc, resize_armed, 0, COUNT(arms));
	tcase_add_test(tc, resize_late);
	tcase_add_loop_test(tc, resize_hostile, 0, COUNT(leaps));
	tcase_add_loop_test(tc, overrun_ignored, 0, 2);
	tcase_add_test(tc, overrun);
	tcase_add_loop_test(tc, timestamps, 0, 2);
	tcase_add_test(tc, moderation);
	tcase_add_test(tc, purge);
	tcase_add_loop_test(tc, moderation_off, 0, COUNT(unmoderated));
	tcase_add_test(tc, moderation_solicited);
	tcase_add_test(tc, moderation_resized);
	tcase_add_loop_test(tc, moderation_kernel, 0, 8);
	suite_add_tcase(suite, tc);
	return suite;
}
