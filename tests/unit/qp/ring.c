// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The memory of rings: who is charged for it, and how long it exists. */
#include <check.h>
#include <errno.h>
#include <asm/current.h>
#include <linux/err.h>
#include <linux/sched/mm.h>
#include "qp/srq.h"
#include "shim.h"
#include "tests/consumer/consumer.h"
#include "tests/unit/fixture/pair.h"
#include "tests/unit/suites.h"
#include "transport/rd/rd_eec.h"

#define PAGE 4096ul

static u64 pinned(void)
{
	return atomic64_read(&current->mm->pinned_vm) * PAGE;
}

static void reset(void)
{
	shim_reset(1);
}

/*
 * The ring of a process is charged as pinned memory; that of a kernel consumer, which has no whole
 * pages, is not.
 */
START_TEST(charged)
{
	struct hca_queue user = {}, kernel = {};

	reset();
	ck_assert_int_eq(hca_queue_alloc(&user, 100, 64, false), 0);
	ck_assert_uint_eq(user.entries, 128);
	ck_assert_uint_eq(user.size, PAGE + 128 * 64);
	ck_assert_uint_eq(pinned(), user.size);
	ck_assert_int_eq(hca_queue_alloc(&kernel, 100, 64, true), 0);
	ck_assert_uint_eq(kernel.size, 128 * 64);
	ck_assert_uint_eq(pinned(), user.size);
	hca_queue_free(&kernel);
	hca_queue_free(&user);
	ck_assert_uint_eq(pinned(), 0);
	ck_assert_int_eq(atomic_read(&current->mm->mm_count), 1);
	ck_assert_uint_eq(shim_live_allocations(), 0);
}
END_TEST

/*
 * RLIMIT_MEMLOCK is exact to the page, but does not bind processes with CAP_IPC_LOCK; a failed
 * allocation is not charged.
 */
START_TEST(limited)
{
	struct hca_queue q[2] = {};

	reset();
	shim_set_memlock(4 * PAGE - 1, false);
	ck_assert_int_eq(hca_queue_alloc(&q[0], 192, 64, false), -ENOMEM); /* five pages */
	ck_assert_int_eq(hca_queue_alloc(&q[0], 64, 64, false), 0); /* two pages */
	ck_assert_int_eq(hca_queue_alloc(&q[1], 64, 64, false), -ENOMEM);
	ck_assert_uint_eq(q[1].size, 0);
	ck_assert_uint_eq(pinned(), 2 * PAGE);
	ck_assert_int_eq(hca_queue_alloc(&q[1], 64, 64, true), 0);
	hca_queue_free(&q[1]);
	shim_set_memlock(4 * PAGE, false);
	ck_assert_int_eq(hca_queue_alloc(&q[1], 64, 64, false), 0);
	hca_queue_free(&q[1]);
	shim_set_memlock(0, true);
	ck_assert_int_eq(hca_queue_alloc(&q[1], 192, 64, false), 0);
	hca_queue_free(&q[1]);
	hca_queue_free(&q[0]);
	ck_assert_uint_eq(pinned(), 0);
	ck_assert_int_eq(atomic_read(&current->mm->mm_count), 1);
	ck_assert_uint_eq(shim_live_allocations(), 0);
}
END_TEST

/* The process that created a ring is charged until the last process that maps it unmaps it. */
START_TEST(mapped)
{
	struct mm_struct *payer, other = { .mm_count = ATOMIC_INIT(1) };
	struct hca_ring_memory *memory;
	struct hca_queue q = {};

	reset();
	payer = current->mm;
	ck_assert_int_eq(hca_queue_alloc(&q, 64, 64, false), 0);
	memory = q.memory;
	hca_ring_memory_get(memory);
	current->mm = &other;
	hca_queue_free(&q);
	ck_assert_ptr_null(q.ring);
	ck_assert_uint_eq(memory->ring->need_wakeup, 1); /* it still exists */
	ck_assert_uint_eq(atomic64_read(&payer->pinned_vm), 2);
	hca_ring_memory_put(memory);
	ck_assert_uint_eq(atomic64_read(&payer->pinned_vm), 0);
	ck_assert_uint_eq(atomic64_read(&other.pinned_vm), 0);
	ck_assert_int_eq(atomic_read(&payer->mm_count), 1);
	ck_assert_uint_eq(shim_live_allocations(), 0);
}
END_TEST

/*
 * Each object that a process creates is charged for its rings; one of the kernel's is not. EE
 * contexts are of processes only.
 */
START_TEST(objects)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0];
	struct hca_srq srq = { .notify = pair_srq_event };
	struct hca_cq cq = {};
	struct hca_qp_init init = {
		.type = IB_QPT_RC, .send_cq = &a->send_cq, .recv_cq = &a->recv_cq,
		.max_send_wr = 10, .max_recv_wr = 10, .max_send_sge = 1, .max_recv_sge = 1,
	};
	const struct hca_rd_eec_init rd_eec_init = {};
	u64 before = pinned();
	struct hca_rd_eec *rd_eec;
	struct hca_qp *qp;
	bool kernel = _i;

	init.kernel = kernel;
	qp = consumer_create_qp(a->ci, &init);
	ck_assert(!IS_ERR(qp));
	ck_assert_uint_eq(pinned() - before, kernel ? 0 : qp->sq.size + qp->rq.size);
	hca_qp_destroy(qp);
	ck_assert_uint_eq(pinned(), before);

	ck_assert_int_eq(hca_cq_init(&cq, 10, kernel), 0);
	ck_assert_uint_eq(pinned() - before, kernel ? 0 : cq.queue.size);
	hca_cq_destroy(&cq);
	ck_assert_uint_eq(pinned(), before);

	srq.kernel = kernel;
	ck_assert_int_eq(hca_srq_init(&srq, 10, 1, 0), 0);
	ck_assert_uint_eq(pinned() - before, kernel ? 0 : srq.rq.size);
	hca_srq_destroy(&srq);
	ck_assert_uint_eq(pinned(), before);

	if (!kernel) {
		rd_eec = hca_rd_eec_create(&a->ca, &rd_eec_init);
		ck_assert(!IS_ERR(rd_eec));
		ck_assert_uint_ge(pinned() - before, sizeof(*rd_eec));
		hca_rd_eec_destroy(rd_eec);
		ck_assert_uint_eq(pinned(), before);
	}

	shim_set_memlock(before, false);
	ck_assert_int_eq(PTR_ERR(hca_rd_eec_create(&a->ca, &rd_eec_init)), -ENOMEM);
	qp = consumer_create_qp(a->ci, &init);
	ck_assert_int_eq(PTR_ERR_OR_ZERO(qp), kernel ? 0 : -ENOMEM);
	if (kernel)
		hca_qp_destroy(qp);
	ck_assert_uint_eq(pinned(), before);
	pair_free(pair);
}
END_TEST

Suite *ring_suite(void)
{
	Suite *suite = suite_create("ring");
	TCase *tcase = tcase_create("ring");

	tcase_add_test(tcase, charged);
	tcase_add_test(tcase, limited);
	tcase_add_test(tcase, mapped);
	tcase_add_loop_test(tcase, objects, 0, 2);
	suite_add_tcase(suite, tcase);
	return suite;
}
