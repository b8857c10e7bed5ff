// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The watch of each CPU, whose timer checks the EE contexts that have sent packets. */
#include "transport/watch.h"
#include <linux/cpumask.h>
#include <linux/hrtimer.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/percpu.h>
#include <linux/spinlock.h>
#include "compat.h"
#include "transport/eec.h"

/* Maximum number of EE contexts that one expiry checks, since BH are disabled. */
#define HCA_WATCH_BUDGET 256
/* Nanoseconds until the next expiry if EE contexts are left to check. */
#define HCA_WATCH_MORE_NS 50000

struct hca_watch {
	spinlock_t lock; /* BH; taken inside send_lock */
	struct hlist_head list; /* the EE contexts, in the order in which they were added */
	struct hlist_node **end; /* next pointer of the last entry, or the list's first pointer */
	u32 count; /* number of entries in list */
	u32 left; /* number of entries, from the first on, that the timer still has to check */
	bool ticking; /* the timer is pending, or about to be set again */
	struct hrtimer timer;
};

static DEFINE_PER_CPU(struct hca_watch, hca_watches);

/* Append a node to the list. lock held. */
static void watch_append(struct hca_watch *watch, struct hlist_node *node)
{
	node->next = NULL;
	node->pprev = watch->end;
	*watch->end = node;
	watch->end = &node->next;
}

/* Update the end before the node leaves its place. lock held. */
static void watch_move_end(struct hca_watch *watch, const struct hlist_node *node)
{
	if (!node->next)
		watch->end = node->pprev;
}

/* Remove a node. lock held; send_lock held too, unless the run of the EE context has stopped. */
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
 * Check an EE context. If another CPU holds its send_lock, the EE context is active: its run is
 * scheduled, and the watch continues.
 *
 * Elsewhere the lock of the watch is taken inside send_lock. It is held here, so that send_lock may
 * only be tried. send_lock is held until the run is scheduled: until then no other CPU can begin to
 * watch the EE context, and hca_watch_remove() waits.
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
		hlist_del(node); /* hca_is_watched() stays true */
		watch_append(watch, node);
		watch_kick(eec);
	}
}

/* Check the EE contexts that were watched when the timer expired, or a part of them. */
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
