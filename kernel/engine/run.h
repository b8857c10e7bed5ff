/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Run to completion. Each object that may have work (a queue pair, a port, a completion queue of a
 * kernel consumer) has a runnable, whose function run() does the work. A runnable is on the list of
 * at most one CPU, and only one CPU at a time calls run(), always with bottom halves disabled and
 * interrupts enabled. Data that only run() accesses therefore needs no lock.
 */
#ifndef HCA_ENGINE_RUN_H
#define HCA_ENGINE_RUN_H

#include <linux/atomic.h>
#include <linux/llist.h>
#include <linux/types.h>

/* Maximum number of packets that one call of a runnable may process. */
#define HCA_RUN_BUDGET 64

/**
 * hca_llist_dequeue_all() - dequeue all entries of a lock-free list
 * @list: the list
 *
 * Most lists have one entry and need not be reversed.
 * Context: any; one consumer at a time.
 * Return: the entries, oldest first, or NULL.
 */
static inline struct llist_node *hca_llist_dequeue_all(struct llist_head *list)
{
	struct llist_node *node = llist_del_all(list);

	return node && node->next ? llist_reverse_order(node) : node;
}

/* Value of hca_runnable.cpu: the CPU that schedules the runnable also runs it. */
#define HCA_ANY_CPU (-1)

/* A runnable, embedded in an object that may have work. */
struct hca_runnable {
	struct llist_node node;
	atomic_t state;
	int cpu; /* the CPU that runs the runnable while that CPU is online, or HCA_ANY_CPU */
	/*
	 * Processes at most *@budget packets, and subtracts the number of processed packets from
	 * *@budget. A batch of packets that cannot be split may exceed *@budget. Return: true if
	 * work is left, in which case run() is called again.
	 */
	bool (*run)(struct hca_runnable *r, int *budget);
};

/**
 * hca_run_init() - initialize an idle runnable
 * @r: the runnable
 * @run: function that does the work; called with bottom halves disabled
 *
 * Context: any.
 */
void hca_run_init(struct hca_runnable *r, bool (*run)(struct hca_runnable *r, int *budget));

/**
 * hca_run_bind() - bind a runnable to one CPU
 * @r: the runnable, never scheduled so far
 * @cpu: a possible CPU; while it is offline, other CPUs run the runnable
 *
 * Context: any.
 */
void hca_run_bind(struct hca_runnable *r, int cpu);

/**
 * hca_run_schedule() - put a runnable on the list of this CPU, because it has work
 * @r: the runnable; if it is bound to another CPU, it is queued there, and that CPU is interrupted
 *
 * The next call of @r->run() sees all earlier writes of the caller. This function does not call
 * @r->run(): hca_engine_run() or hca_engine_raise() must follow, unless the caller itself is called
 * by hca_engine_run().
 *
 * Context: any, also with interrupts disabled; the caller must not migrate between this call and
 * hca_engine_run() or hca_engine_raise(). Has no effect after hca_run_stop().
 */
void hca_run_schedule(struct hca_runnable *r);

/**
 * hca_run_stop() - prevent further calls of run() and wait for a call in progress
 * @r: the runnable
 *
 * Context: process, may sleep, bottom halves enabled.
 */
void hca_run_stop(struct hca_runnable *r);

/**
 * hca_engine_run() - run the runnables on the list of this CPU
 *
 * Returns at once if a runnable calls it. Stops after some 300 packets, which bounds the time with
 * bottom halves disabled, and leaves the remaining runnables to the work item of this CPU.
 *
 * Context: bottom halves disabled, interrupts enabled, no lock held.
 */
void hca_engine_run(void);

/**
 * hca_engine_raise() - schedule hca_engine_run() on this CPU, in a softirq
 *
 * The function is for callers that hold locks or may not call hca_engine_run() themselves. If
 * bottom halves and interrupts are enabled, hca_engine_run() runs before this function returns.
 * This cannot deadlock, because bottom halves or interrupts are disabled while a caller holds a
 * lock that a runnable acquires.
 * Context: any.
 */
void hca_engine_raise(void);

/**
 * hca_engine_start() - initialize the lists of runnables when the module is loaded
 *
 * Context: process, may sleep.
 * Return: 0, -ENOMEM, or the error of cpuhp_setup_state_nocalls().
 */
int hca_engine_start(void);

/**
 * hca_engine_stop() - stop the work items and BH work when the module is unloaded
 *
 * Runnables must not be queued any more.
 * Context: process, may sleep.
 */
void hca_engine_stop(void);

#endif
