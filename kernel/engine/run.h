/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Run to completion. What has work to do (a queue pair, a port, a kernel's
 * completion queue) is a runnable: on one CPU's list at most, run by one CPU at a
 * time, always with bottom halves disabled, never with interrupts off. Running is
 * thereby a lock of its own kind, and needs no other for what only the runner touches.
 */
#ifndef HCA_ENGINE_RUN_H
#define HCA_ENGINE_RUN_H

#include <linux/types.h>
#include <linux/atomic.h>
#include <linux/llist.h>

/* The most that one run may use of a drain's budget, in packets or what costs as much. */
#define HCA_RUN_BUDGET 64

/* All of a lock-free list, oldest first; most often it is one. Context: any; one taker at a time. */
static inline struct llist_node *hca_llist_dequeue_all(struct llist_head *list)
{
	struct llist_node *node = llist_del_all(list);

	return node && node->next ? llist_reverse_order(node) : node;
}

struct hca_runnable {
	struct llist_node node;
	atomic_t state;
	/*
	 * Does work for at most @budget packets, which it takes off; a little more if that cannot
	 * be parted. Return: there is more, run me again.
	 */
	bool (*run)(struct hca_runnable *r, int *budget);
};

/**
 * hca_run_init() - prepare a runnable, idle
 * @r: the runnable
 * @run: its work; called with bottom halves disabled
 */
void hca_run_init(struct hca_runnable *r, bool (*run)(struct hca_runnable *r, int *budget));

/**
 * hca_run_schedule() - note that @r has work
 * @r: the runnable
 *
 * What the caller wrote before is seen by the run that follows. Does not run
 * anything: hca_engine_run() or hca_engine_raise() must follow, unless the
 * caller is itself being run.
 *
 * Context: any, interrupts off included; the caller may not migrate between
 * this and the drain or raise. Does nothing once hca_run_stop() was called.
 */
void hca_run_schedule(struct hca_runnable *r);

/**
 * hca_run_stop() - no further runs; wait for one under way
 * @r: the runnable
 *
 * Context: process, may sleep, bottom halves enabled.
 */
void hca_run_stop(struct hca_runnable *r);

/**
 * hca_engine_run() - run what is on this CPU's list
 *
 * Returns at once when called from inside a run. Stops after a budget of some 300 packets, which
 * bounds how long bottom halves are off, and hands the rest to this CPU's worker.
 *
 * Context: bottom halves disabled, interrupts on, no lock held.
 */
void hca_engine_run(void);

/**
 * hca_engine_raise() - have this CPU's list run soon, from a bottom half
 *
 * Context: any. For those who hold locks or may not run the engine themselves.
 */
void hca_engine_raise(void);

int hca_engine_start(void);
void hca_engine_stop(void);

#endif
