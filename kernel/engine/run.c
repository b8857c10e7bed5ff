// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The run lists: one per CPU, drained by whoever comes first. */
#include <linux/bottom_half.h>
#include <linux/interrupt.h>
#include <linux/percpu.h>
#include <linux/smp.h>
#include <linux/sched.h>
#include <linux/wait_bit.h>
#include <linux/workqueue.h>
#include "engine/run.h"

/*
 * IDLE -> QUEUED -> RUNNING -> IDLE, and RUNNING -> AGAIN -> QUEUED for work that
 * was noted during the run. STOPPED is a flag beside them.
 */
enum {
	HCA_RUN_IDLE = 0,
	HCA_RUN_QUEUED = 1,
	HCA_RUN_RUNNING = 2,
	HCA_RUN_AGAIN = 3,
	HCA_RUN_STATE = 3,
	HCA_RUN_STOPPED = 4,
};

/*
 * After so many runs the rest is the worker's, so that no caller is kept for ever; after
 * fewer if others wait for the CPU. Not at once: the waiter may be whom we just woke.
 */
#define HCA_DRAIN_BUDGET 256
#define HCA_DRAIN_COURTESY 32

struct hca_cpu {
	struct llist_head list;
	bool draining;
	struct tasklet_struct tasklet;
	struct work_struct work;
};

static DEFINE_PER_CPU(struct hca_cpu, hca_cpus);

void hca_run_init(struct hca_runnable *r, bool (*run)(struct hca_runnable *r))
{
	atomic_set(&r->state, HCA_RUN_IDLE);
	r->run = run;
}

void hca_run_schedule(struct hca_runnable *r)
{
	int old, new;

	/* The caller's work before our look at the state; pairs with the runner's fetch_xor. */
	smp_mb();
	old = atomic_read(&r->state);
	do {
		if (old == HCA_RUN_IDLE)
			new = HCA_RUN_QUEUED;
		else if (old == HCA_RUN_RUNNING)
			new = HCA_RUN_AGAIN;
		else
			return; /* noted already, or stopped */
	} while (!atomic_try_cmpxchg(&r->state, &old, new));

	if (new == HCA_RUN_QUEUED)
		llist_add(&r->node, &raw_cpu_ptr(&hca_cpus)->list);
}

static void hca_run_one(struct hca_cpu *cpu, struct hca_runnable *r)
{
	int old = atomic_fetch_xor(HCA_RUN_QUEUED ^ HCA_RUN_RUNNING, &r->state);
	bool more = !(old & HCA_RUN_STOPPED) && r->run(r);
	int new;

	old = atomic_read(&r->state);
	do {
		if (old & HCA_RUN_STOPPED)
			new = HCA_RUN_STOPPED | HCA_RUN_IDLE;
		else if (more || old == HCA_RUN_AGAIN)
			new = HCA_RUN_QUEUED;
		else
			new = HCA_RUN_IDLE;
	} while (!atomic_try_cmpxchg(&r->state, &old, new));

	if (new == HCA_RUN_QUEUED)
		llist_add(&r->node, &cpu->list);
	else if (new & HCA_RUN_STOPPED)
		wake_up_var(&r->state); /* the address only: *r may be gone */
}

void hca_engine_drain(void)
{
	struct hca_cpu *cpu = this_cpu_ptr(&hca_cpus);
	struct llist_node *list, *next;
	int runs = 0;

	if (cpu->draining)
		return;
	cpu->draining = true;
	while (!llist_empty(&cpu->list)) {
		if (runs >= HCA_DRAIN_BUDGET || (runs >= HCA_DRAIN_COURTESY && need_resched())) {
			queue_work_on(smp_processor_id(), system_highpri_wq, &cpu->work);
			break;
		}
		list = hca_llist_take(&cpu->list);
		for (; list; list = next) {
			next = list->next;
			hca_run_one(cpu, llist_entry(list, struct hca_runnable, node));
			runs++;
		}
	}
	cpu->draining = false;
}

void hca_engine_raise(void)
{
	tasklet_schedule(&raw_cpu_ptr(&hca_cpus)->tasklet);
}

void hca_run_stop(struct hca_runnable *r)
{
	atomic_or(HCA_RUN_STOPPED, &r->state);
	wait_var_event(&r->state, !(atomic_read(&r->state) & HCA_RUN_STATE));
}

static void hca_engine_tasklet(struct tasklet_struct *t)
{
	hca_engine_drain();
}

static void hca_engine_work(struct work_struct *work)
{
	local_bh_disable();
	hca_engine_drain();
	local_bh_enable();
}

int hca_engine_start(void)
{
	int i;

	for_each_possible_cpu(i) {
		struct hca_cpu *cpu = per_cpu_ptr(&hca_cpus, i);

		init_llist_head(&cpu->list);
		cpu->draining = false;
		tasklet_setup(&cpu->tasklet, hca_engine_tasklet);
		INIT_WORK(&cpu->work, hca_engine_work);
	}
	return 0;
}

void hca_engine_stop(void)
{
	int i;

	for_each_possible_cpu(i) {
		struct hca_cpu *cpu = per_cpu_ptr(&hca_cpus, i);

		tasklet_kill(&cpu->tasklet);
		cancel_work_sync(&cpu->work);
	}
}
