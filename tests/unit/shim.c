// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The shim itself: time, deferred work and locks behave as the kernel's. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <linux/atomic.h>
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/interrupt.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/llist.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/random.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/timer.h>
#include <linux/vmalloc.h>
#include <linux/wait_bit.h>
#include <linux/workqueue.h>
#include "shim.h"
#include "tests/unit/suites.h"

#define PANICKED 42

static const char *expected_panic;

static void panic_is_expected(const char *message)
{
	/* Nothing is freed after a panic, so leaks are not checked. */
	_exit(strstr(message, expected_panic) ? PANICKED : 1);
}

/* The test passes only if it panics with @text. */
static void expect_panic(const char *text)
{
	expected_panic = text;
	shim_on_panic(panic_is_expected);
}

static void setup(void)
{
	shim_reset(1);
}

static void no_leaks(void)
{
	shim_quiesce();
	ck_assert_uint_eq(shim_live_allocations(), 0);
}

/* The events of a test, in order. */
static char trace[64];

static void note(char c)
{
	size_t len = strlen(trace);

	ck_assert_uint_lt(len + 1, sizeof(trace));
	trace[len] = c;
}

static struct tasklet_struct tasklet;
static struct work_struct work_a, work_b, work_urgent;
static struct timer_list timer_a, timer_b;

static void tasklet_runs(struct tasklet_struct *t)
{
	ck_assert(in_serving_softirq() && in_softirq() && !in_task());
	note('t');
}

static void work_a_runs(struct work_struct *work)
{
	ck_assert(in_task() && preemptible());
	note('a');
	local_bh_disable();
	tasklet_schedule(&tasklet);
	local_bh_enable();
}

static void work_b_runs(struct work_struct *work)
{
	note('b');
}

static void work_urgent_runs(struct work_struct *work)
{
	note('u');
}

START_TEST(order_of_deferred_work)
{
	tasklet_setup(&tasklet, tasklet_runs);
	INIT_WORK(&work_a, work_a_runs);
	INIT_WORK(&work_b, work_b_runs);
	INIT_WORK(&work_urgent, work_urgent_runs);
	ck_assert(schedule_work(&work_a));
	ck_assert(!schedule_work(&work_a));
	ck_assert(schedule_work(&work_b));
	ck_assert(queue_work_on(0, system_highpri_wq, &work_urgent));
	tasklet_schedule(&tasklet);
	tasklet_schedule(&tasklet);
	ck_assert_str_eq(trace, "");
	ck_assert(shim_run());
	ck_assert_str_eq(trace, "tuatb");
	ck_assert(!shim_run());
}
END_TEST

START_TEST(tasklet_at_bh_enable)
{
	spinlock_t lock;

	spin_lock_init(&lock);
	tasklet_setup(&tasklet, tasklet_runs);
	spin_lock_bh(&lock);
	local_bh_disable();
	tasklet_schedule(&tasklet);
	local_bh_enable();
	ck_assert_str_eq(trace, "");
	spin_unlock_bh(&lock);
	ck_assert_str_eq(trace, "t");
}
END_TEST

static void timer_a_fires(struct timer_list *timer)
{
	ck_assert(in_serving_softirq());
	note('a');
	if (strlen(trace) < 5)
		mod_timer(timer, jiffies + 10);
}

static void timer_b_fires(struct timer_list *timer)
{
	note('b');
}

START_TEST(timers_in_order)
{
	const unsigned long start = jiffies;

	timer_setup(&timer_a, timer_a_fires, 0);
	timer_setup(&timer_b, timer_b_fires, 0);
	ck_assert_int_eq(mod_timer(&timer_b, start + 15), 0);
	ck_assert_int_eq(mod_timer(&timer_a, start + 99), 0);
	ck_assert_int_eq(mod_timer(&timer_a, start + 10), 1);
	shim_advance(9999999);
	ck_assert_str_eq(trace, "");
	ck_assert(timer_pending(&timer_a));
	shim_advance(1);
	ck_assert_str_eq(trace, "a");
	shim_advance(100000000);
	ck_assert_str_eq(trace, "abaaa");
	ck_assert(!timer_pending(&timer_a));
	ck_assert_uint_eq(jiffies - start, 110);
	ck_assert_uint_eq(shim_now_ns(), 110000000);

	ck_assert_int_eq(mod_timer(&timer_b, jiffies - 5), 0);
	ck_assert_int_eq(timer_delete_sync(&timer_b), 1);
	timer_shutdown_sync(&timer_b);
	ck_assert_int_eq(mod_timer(&timer_b, jiffies + 1), 0);
	shim_advance(10000000);
	ck_assert_str_eq(trace, "abaaa");
}
END_TEST

START_TEST(jiffies_wrap)
{
	const unsigned long start = jiffies;

	shim_advance(301 * (u64)NSEC_PER_SEC);
	ck_assert_uint_lt(jiffies, start);
	ck_assert(time_after(jiffies, start));
	ck_assert_uint_eq(usecs_to_jiffies(1), 1);
	ck_assert_uint_eq(msecs_to_jiffies(250), 250 * HZ / 1000);
}
END_TEST

static struct delayed_work delayed;
static struct completion completion;

static void completes(struct work_struct *work)
{
	complete(&completion);
}

START_TEST(waiting_lets_others_run)
{
	init_completion(&completion);
	INIT_WORK(&work_a, completes);
	schedule_work(&work_a);
	wait_for_completion(&completion);

	INIT_DELAYED_WORK(&delayed, completes);
	schedule_delayed_work(&delayed, msecs_to_jiffies(20));
	ck_assert_uint_eq(wait_for_completion_timeout(&completion, msecs_to_jiffies(5)), 0);
	ck_assert_uint_eq(shim_now_ns(), 5000000);
	ck_assert_uint_eq(wait_for_completion_timeout(&completion, msecs_to_jiffies(50)), 35);
	ck_assert_uint_eq(shim_now_ns(), 20000000);
	ck_assert(!try_wait_for_completion(&completion));

	schedule_delayed_work(&delayed, 1);
	ck_assert(cancel_delayed_work_sync(&delayed));
	usleep_range(5000, 6000);
	ck_assert(!completion_done(&completion));
}
END_TEST

START_TEST(waiting_for_nobody)
{
	bool never = false;

	expect_panic("and nothing is left to run");
	wait_var_event(&never, READ_ONCE(never));
}
END_TEST

struct object {
	struct rcu_head rcu;
	struct object __rcu *next;
};

START_TEST(rcu_defers)
{
	struct object __rcu *head = NULL;
	struct object *object = kzalloc(sizeof(*object), GFP_KERNEL);

	rcu_assign_pointer(head, object);
	rcu_read_lock();
	ck_assert_ptr_eq(rcu_dereference(head), object);
	RCU_INIT_POINTER(head, NULL);
	kfree_rcu(object, rcu);
	ck_assert_ptr_null(rcu_dereference(object->next)); /* the object is not freed yet */
	rcu_read_unlock();
	ck_assert_uint_eq(shim_live_allocations(), 1);
	synchronize_rcu();
	no_leaks();
}
END_TEST

START_TEST(rcu_outside_of_section)
{
	struct object __rcu *head = NULL;

	expect_panic("RCU: outside of a read section");
	rcu_dereference_bh(head);
}
END_TEST

START_TEST(allocations_fail_on_demand)
{
	void *p, *q;

	shim_fail_alloc(2);
	p = kmalloc(100, GFP_ATOMIC);
	ck_assert_ptr_nonnull(p);
	ck_assert(!shim_alloc_failed());
	ck_assert_ptr_null(kvzalloc(100, GFP_KERNEL));
	ck_assert(shim_alloc_failed());
	q = vmalloc_user(5000);
	ck_assert(PAGE_ALIGNED(q));
	ck_assert_uint_eq(((char *)q)[8191], 0);
	ck_assert_uint_eq(shim_live_allocations(), 2);
	vfree(q);
	kfree(p);
	kfree(NULL);
	kfree(kmalloc(0, GFP_KERNEL));
	ck_assert_ptr_null(kmalloc_array(SIZE_MAX / 2, 3, GFP_KERNEL));
	no_leaks();
}
END_TEST

START_TEST(random_repeats)
{
	u64 first = get_random_u64();

	ck_assert_uint_ne(get_random_u64(), first);
	shim_reset(1);
	ck_assert_uint_eq(get_random_u64(), first);
	shim_reset(2);
	ck_assert_uint_ne(get_random_u64(), first);
}
END_TEST

/* The kernel's headers are compared where the shim's could differ by a mistake. */
START_TEST(arithmetic)
{
	unsigned int i;

	ck_assert_uint_eq(roundup_pow_of_two(1), 1);
	ck_assert_uint_eq(roundup_pow_of_two(17), 32);
	ck_assert_uint_eq(order_base_2(32), 5);
	ck_assert_uint_eq(order_base_2(33), 6);
	ck_assert_int_eq(ilog2(0x80000000u), 31);
	ck_assert_uint_eq(round_up(4097u, 4096), 8192);
	ck_assert_uint_eq(GENMASK(7, 4), 0xf0);
	ck_assert_int_eq(fls(0x80), 8);
	ck_assert_int_eq(sign_extend32(0x800000, 23), -0x800000);
	for (i = 0; i < 40; i++)
		ck_assert_uint_eq(rol32(ror32(0x12345678, i), i), 0x12345678);
	ck_assert_mem_eq(&(__be32){ cpu_to_be32(0x12345678) }, "\x12\x34\x56\x78", 4);
	ck_assert_uint_eq(be32_to_cpu(cpu_to_be32(0x12345678)), 0x12345678);
}
END_TEST

START_TEST(atomics)
{
	struct llist_head list = LLIST_HEAD_INIT(list);
	struct llist_node nodes[3], *node;
	atomic_t v = ATOMIC_INIT(5);
	refcount_t r;
	int old = 5;

	ck_assert(atomic_try_cmpxchg(&v, &old, 7));
	ck_assert(!atomic_try_cmpxchg(&v, &old, 9));
	ck_assert_int_eq(old, 7);
	ck_assert_int_eq(atomic_fetch_andnot(1, &v), 7);
	ck_assert_int_eq(atomic_fetch_xor(3, &v), 6);
	ck_assert_int_eq(atomic_dec_if_positive(&v), 4);
	atomic_set(&v, 0);
	ck_assert(!atomic_inc_not_zero(&v));
	ck_assert_int_eq(atomic_dec_if_positive(&v), -1);
	ck_assert_int_eq(atomic_read(&v), 0);

	refcount_set(&r, 2);
	ck_assert(!refcount_dec_and_test(&r));
	ck_assert(refcount_dec_and_test(&r));
	ck_assert(!refcount_inc_not_zero(&r));

	ck_assert(llist_add(&nodes[0], &list));
	ck_assert(!llist_add(&nodes[1], &list));
	llist_add(&nodes[2], &list);
	node = llist_reverse_order(llist_del_all(&list));
	ck_assert_ptr_eq(node, &nodes[0]);
	ck_assert_ptr_eq(node->next->next, &nodes[2]);
	ck_assert_ptr_null(node->next->next->next);
	ck_assert(llist_empty(&list));
}
END_TEST

static spinlock_t lock_a, lock_b;

static void init_locks(void)
{
	spin_lock_init(&lock_a);
	spin_lock_init(&lock_b);
}

START_TEST(double_lock)
{
	init_locks();
	expect_panic("deadlock: &lock_a is held");
	spin_lock(&lock_a);
	spin_lock(&lock_a);
}
END_TEST

START_TEST(unlock_of_unlocked)
{
	init_locks();
	expect_panic("released, but not held");
	spin_lock(&lock_a);
	spin_unlock(&lock_b);
}
END_TEST

START_TEST(lock_never_initialized)
{
	spinlock_t lock = {};

	expect_panic("never initialized");
	spin_lock(&lock);
}
END_TEST

START_TEST(lock_order)
{
	init_locks();
	expect_panic("lock order: &lock_a inside of &lock_b");
	spin_lock(&lock_a);
	spin_lock(&lock_b);
	spin_unlock(&lock_a);
	spin_lock(&lock_a);
}
END_TEST

static void locks_in_softirq(struct tasklet_struct *t)
{
	spin_lock(&lock_a);
	spin_unlock(&lock_a);
}

START_TEST(lock_with_and_without_bh)
{
	init_locks();
	tasklet_setup(&tasklet, locks_in_softirq);
	tasklet_schedule(&tasklet);
	shim_run();
	spin_lock_bh(&lock_a);
	spin_unlock_bh(&lock_a);
	expect_panic("softirqs take it");
	spin_lock(&lock_a);
}
END_TEST

static void keeps_lock(struct work_struct *work)
{
	spin_lock(&lock_a);
}

START_TEST(lock_kept)
{
	init_locks();
	INIT_WORK(&work_a, keeps_lock);
	schedule_work(&work_a);
	expect_panic("returned with a lock held");
	shim_run();
}
END_TEST

START_TEST(sleep_with_spinlock)
{
	DEFINE_MUTEX(mutex);

	init_locks();
	mutex_lock(&mutex);
	mutex_unlock(&mutex);
	spin_lock(&lock_a);
	kfree(kmalloc(1, GFP_ATOMIC));
	expect_panic("sleeps in atomic context");
	mutex_lock(&mutex);
}
END_TEST

START_TEST(refcount_underflow)
{
	refcount_t r = REFCOUNT_INIT(1);

	ck_assert(refcount_dec_and_test(&r));
	expect_panic("WARN");
	(void)!refcount_dec_and_test(&r);
}
END_TEST

static void waits_for_itself(struct work_struct *work)
{
	cancel_work_sync(work);
}

START_TEST(work_waits_for_itself)
{
	INIT_WORK(&work_a, waits_for_itself);
	schedule_work(&work_a);
	expect_panic("deadlock: a work waits for itself");
	shim_run();
}
END_TEST

START_TEST(double_list_del)
{
	struct list_head head, entry;

	INIT_LIST_HEAD(&head);
	list_add(&entry, &head);
	list_del(&entry);
	expect_panic("double list_del");
	list_del(&entry);
}
END_TEST

Suite *shim_suite(void)
{
	const TTest *const tests[] = {
		order_of_deferred_work, tasklet_at_bh_enable, timers_in_order, jiffies_wrap,
		waiting_lets_others_run, rcu_defers, allocations_fail_on_demand, random_repeats,
		arithmetic, atomics,
	};
	const TTest *const panics[] = {
		waiting_for_nobody, rcu_outside_of_section, double_lock, unlock_of_unlocked,
		lock_never_initialized, lock_order, lock_with_and_without_bh, lock_kept,
		sleep_with_spinlock, refcount_underflow, work_waits_for_itself, double_list_del,
	};
	Suite *suite = suite_create("shim");
	TCase *tc = tcase_create("shim");
	int i;

	tcase_add_checked_fixture(tc, setup, NULL);
	for (i = 0; i < ARRAY_SIZE(tests); i++)
		tcase_add_test(tc, tests[i]);
	for (i = 0; i < ARRAY_SIZE(panics); i++)
		tcase_add_exit_test(tc, panics[i], PANICKED);
	suite_add_tcase(suite, tc);
	return suite;
}
