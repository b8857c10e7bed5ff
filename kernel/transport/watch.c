// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* A timer for each CPU, which checks EE contexts that have sent packets (struct hca_watch). */
#include "transport/watch.h"
#include <linux/cpumask.h>
#include <linux/hrtimer.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/percpu.h>
#include <linux/spinlock.h>
#include "compat.h"
#include "transport/eec.h"

/*
 * Maximum number of EE contexts that are checked when the timer expires, because BH are disabled.
 */
#define HCA_WATCH_BUDGET 256
/* Nanoseconds until the timer expires again if more EE contexts are to be checked. */
#define HCA_WATCH_MORE_NS 50000

struct hca_watch {
	spinlock_t lock; /* taken with BH disabled, inside send_lock */
	/* list of the watched EE contexts, in the order in which they were added */
	struct hlist_head list;
	/* address of the last entry's next pointer, or of list.first if the list is empty */
	struct hlist_node **end;
	u32 count; /* number of entries in list */
	/* number of entries, from the first on, that are still to be checked in this period */
	u32 left;
	bool ticking; /* the timer is pending, or its function will set it again */
	struct hrtimer timer;
};

static DEFINE_PER_CPU(struct hca_watch, hca_watches);

/* Append @node to watch->list. The caller holds watch->lock. */
static void watch_append(struct hca_watch *watch, struct hlist_node *node)
{
	node->next = NULL;
	node->pprev = watch->end;
	*watch->end = node;
	watch->end = &node->next;
}

/* Update watch->end before @node is removed from watch->list. The caller holds watch->lock. */
static void watch_move_end(struct hca_watch *watch, const struct hlist_node *node)
{
	if (!node->next)
		watch->end = node->pprev;
}

/*
 * Remove a node. watch->lock is held; send_lock is also held, unless the EE context's run function
 * has stopped.
 */
static void watch_dequeue(struct hca_watch *watch, struct hlist_node *node)
{
	watch_move_end(watch, node);
	hlist_del_init(node);
	watch->count--;
}

static void watch_set(struct hca_watch *watch, u64 expires)
{
	watch->ticking = true;
	hrtimer_start(&watch->timer, ns_to_ktime(expires), HRTIMER_MODE_ABS_PINNED_SOFT);
}

u64 hca_watch_add(struct hca_eec *eec)
{
	struct hca_watch *watch = this_cpu_ptr(&hca_watches);
	u64 begin = 0;

	spin_lock(&watch->lock);
	eec->watched.watch = watch;
	watch_append(watch, &eec->watched.node);
	watch->count++;
	if (!watch->ticking) {
		begin = ktime_get_ns();
		watch_set(watch, begin + HCA_WATCH_NS);
	}
	spin_unlock(&watch->lock);
	return begin;
}

void hca_watch_remove(struct hca_eec *eec)
{
	struct hca_watch *watch = eec->watched.watch;

	if (!watch)
		return;
	spin_lock_bh(&watch->lock);
	if (hca_is_watched(&eec->watched)) {
		watch_dequeue(watch, &eec->watched.node);
		watch->left = min(watch->left, watch->count);
	}
	spin_unlock_bh(&watch->lock);
}

static void watch_kick(struct hca_eec *eec)
{
	WRITE_ONCE(eec->timed_out, true);
	hca_run_schedule(&eec->common->run);
}

/*
 * Check an EE context, and stop watching it. If another CPU holds its send_lock, schedule its run
 * function instead, and check it again in the next period.
 *
 * watch->lock is held and nests inside send_lock. Therefore only spin_trylock() is possible for
 * send_lock. send_lock is held until the run function is scheduled, so that until then no other CPU
 * begins to watch the EE context. @eec is not freed, because hca_watch_remove() waits for
 * watch->lock.
 */
static void watch_check(struct hca_watch *watch, struct hca_eec *eec)
{
	struct hlist_node *node = &eec->watched.node;

	if (spin_trylock(&eec->common->send_lock)) {
		watch_dequeue(watch, node);
		if (eec->timer_armed)
			watch_kick(eec);
		spin_unlock(&eec->common->send_lock);
	} else {
		watch_move_end(watch, node);
		hlist_del(node); /* unlike hlist_del_init(), this leaves hca_is_watched() true */
		watch_append(watch, node);
		watch_kick(eec);
	}
}

/*
 * Check the EE contexts that are in the list at the beginning of this period. At most
 * HCA_WATCH_BUDGET are checked now, and the rest when the timer expires again.
 */
static void watch_check_all(struct hca_watch *watch)
{
	int budget = HCA_WATCH_BUDGET;

	if (!watch->left)
		watch->left = watch->count;
	while (watch->left && budget--) {
		watch->left--;
		watch_check(watch, hlist_entry(watch->list.first, struct hca_eec, watched.node));
	}
}

static enum hrtimer_restart watch_expired(struct hrtimer *timer)
{
	struct hca_watch *watch = container_of(timer, struct hca_watch, timer);

	spin_lock(&watch->lock);
	watch_check_all(watch);
	if (watch->left)
		watch_set(watch, ktime_get_ns() + HCA_WATCH_MORE_NS);
	else if (watch->count)
		watch_set(watch, ktime_get_ns() + HCA_WATCH_NS);
	else
		watch->ticking = false;
	spin_unlock(&watch->lock);
	hca_engine_run();
	return HRTIMER_NORESTART;
}

int hca_watch_start(void)
{
	int i;

	for_each_possible_cpu(i) {
		struct hca_watch *watch = per_cpu_ptr(&hca_watches, i);

		spin_lock_init(&watch->lock);
		INIT_HLIST_HEAD(&watch->list);
		watch->end = &watch->list.first;
		watch->count = 0;
		watch->left = 0;
		watch->ticking = false;
		hrtimer_setup(&watch->timer, watch_expired, CLOCK_MONOTONIC,
			      HRTIMER_MODE_ABS_PINNED_SOFT);
	}
	return 0;
}

void hca_watch_stop(void)
{
	int i;

	for_each_possible_cpu(i)
		hrtimer_cancel(&per_cpu_ptr(&hca_watches, i)->timer);
}
