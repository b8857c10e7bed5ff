// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The lists of scheduled runnables, one per CPU, and hca_engine_run(), which runs them. */
#include "engine/run.h"
#include <linux/bottom_half.h>
#include <linux/cpuhotplug.h>
#include <linux/errno.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/wait_bit.h>
#include <linux/workqueue.h>
#include "compat.h"

/*
 * The states of a runnable, in the bits HCA_RUN_STATE. The state changes IDLE -> QUEUED -> RUNNING
 * -> IDLE. If the runnable is scheduled while it is RUNNING, the state changes RUNNING -> AGAIN ->
 * QUEUED. STOPPED is a separate flag.
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
 * Number of packets after which hca_engine_run() leaves the remaining runnables to the work item of
 * the CPU, so that callers return and bottom halves are enabled again soon. NAPI's netdev_budget is
 * as large. Each call of a runnable costs its packets plus one, and needs HCA_RUN_BUDGET left.
 */
#define HCA_ENGINE_BUDGET 300
/*
 * Number of packets after which hca_engine_run() leaves the remaining runnables to the work item if
 * another task waits for the CPU. Fewer packets would be too early, because a runnable may have
 * woken that task just before.
 */
#define HCA_ENGINE_COURTESY 64

/* The list of scheduled runnables of a CPU. */
struct hca_cpu {
	struct llist_head list;
	/* Runnables dequeued from list, oldest first; private to hca_engine_run(). */
	struct llist_node *batch;
	bool running; /* hca_engine_run() is in progress on this CPU */
	/* The interrupt that another CPU sends after it has queued a runnable bound to this CPU. */
	call_single_data_t csd;
	atomic_t interrupted; /* csd has been sent, but not been handled yet */
	struct hca_bh_work bh_work;
	struct work_struct work;
};

/*
 * The workqueue has normal priority, because processes have requested its work. It needs
 * WQ_MEM_RECLAIM, because the kernel may have to write to storage over a link of this module before
 * it can free memory.
 */
static struct workqueue_struct *hca_wq;
static int hca_hotplug_state;

static DEFINE_PER_CPU(struct hca_cpu, hca_cpus);

void hca_run_init(struct hca_runnable *r, bool (*run)(struct hca_runnable *r, int *budget))
{
	atomic_set(&r->state, HCA_RUN_IDLE);
	r->cpu = HCA_ANY_CPU;
	r->run = run;
}

void hca_run_bind(struct hca_runnable *r, int cpu)
{
	r->cpu = cpu;
}

/* Schedule hca_engine_run() on this CPU, which another CPU has interrupted. */
static void engine_interrupt(void *info)
{
	struct hca_cpu *cpu = info;

	atomic_set(&cpu->interrupted, 0);
	hca_engine_raise();
}

/*
 * Queue a runnable on the list of the CPU that it is bound to. That CPU does not go offline while
 * this CPU has preemption disabled. Before that CPU goes offline, it handles its interrupts;
 * afterwards engine_cpu_dead() moves the rest of its list.
 */
static noinline void engine_queue_bound(struct hca_runnable *r)
{
	struct hca_cpu *cpu = per_cpu_ptr(&hca_cpus, r->cpu);
	int here = get_cpu();

	if (r->cpu == here || !cpu_online(r->cpu))
		llist_add(&r->node, &raw_cpu_ptr(&hca_cpus)->list);
	else if (llist_add(&r->node, &cpu->list) && !atomic_xchg(&cpu->interrupted, 1))
		smp_call_function_single_async(r->cpu, &cpu->csd);
	put_cpu();
}

void hca_run_schedule(struct hca_runnable *r)
{
	int old, new;

	/* Publish the caller's writes before reading the state; pairs with engine_run_one(). */
	smp_mb();
	old = atomic_read(&r->state);
	do {
		if (old == HCA_RUN_IDLE)
			new = HCA_RUN_QUEUED;
		else if (old == HCA_RUN_RUNNING)
			new = HCA_RUN_AGAIN;
		else
			return; /* the runnable is queued already, or is stopped */
	} while (!atomic_try_cmpxchg(&r->state, &old, new));

	if (new != HCA_RUN_QUEUED)
		return;
	if (unlikely(r->cpu != HCA_ANY_CPU))
		engine_queue_bound(r);
	else
		llist_add(&r->node, &raw_cpu_ptr(&hca_cpus)->list);
}

/* Run a runnable. Return: the part of the budget of hca_engine_run() that has been used. */
static int engine_run_one(struct hca_cpu *cpu, struct hca_runnable *r)
{
	int old = atomic_fetch_xor(HCA_RUN_QUEUED ^ HCA_RUN_RUNNING, &r->state);
	int left = HCA_RUN_BUDGET;
	bool more = !(old & HCA_RUN_STOPPED) && r->run(r, &left);
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
		wake_up_var(&r->state); /* only the address is used: *r may be freed already */
	return 1 + HCA_RUN_BUDGET - left;
}

/* Return: the next runnable, or NULL. */
static struct hca_runnable *engine_next_run(struct hca_cpu *cpu)
{
	struct llist_node *node = cpu->batch;

	if (!node) {
		if (llist_empty(&cpu->list))
			return NULL;
		node = hca_llist_dequeue_all(&cpu->list);
	}
	cpu->batch = node->next;
	return llist_entry(node, struct hca_runnable, node);
}

static bool engine_has_runs(const struct hca_cpu *cpu)
{
	return cpu->batch || !llist_empty(&cpu->list);
}

static bool engine_is_exhausted(int budget)
{
	return budget <= HCA_ENGINE_BUDGET - HCA_ENGINE_COURTESY &&
	       (budget < HCA_RUN_BUDGET || need_resched());
}

void hca_engine_run(void)
{
	struct hca_cpu *cpu = this_cpu_ptr(&hca_cpus);
	int budget = HCA_ENGINE_BUDGET;
	struct hca_runnable *r;

	if (cpu->running)
		return;
	cpu->running = true;
	while ((r = engine_next_run(cpu))) {
		budget -= engine_run_one(cpu, r);
		if (engine_is_exhausted(budget)) {
			if (engine_has_runs(cpu))
				queue_work_on(smp_processor_id(), hca_wq, &cpu->work);
			break;
		}
	}
	cpu->running = false;
}

/*
 * If a process queues BH work while bottom halves are enabled, ksoftirqd runs the work two context
 * switches later. This function therefore disables bottom halves first; enabling them again runs
 * the work at once.
 */
void hca_engine_raise(void)
{
	bool at_once = !in_interrupt() && !irqs_disabled();

	if (at_once)
		local_bh_disable();
	hca_bh_work_queue(&raw_cpu_ptr(&hca_cpus)->bh_work);
	if (at_once)
		local_bh_enable();
}

void hca_run_stop(struct hca_runnable *r)
{
	atomic_or(HCA_RUN_STOPPED, &r->state);
	wait_var_event(&r->state, !(atomic_read(&r->state) & HCA_RUN_STATE));
}

static void engine_bh_work(struct hca_bh_work *work)
{
	hca_engine_run();
}

static void engine_work(struct work_struct *work)
{
	local_bh_disable();
	hca_engine_run();
	local_bh_enable();
}

/* Move runnables to the list of this CPU. */
static void engine_adopt(struct llist_node *node)
{
	struct llist_node *next;

	for (; node; node = next) {
		next = node->next;
		llist_add(node, &this_cpu_ptr(&hca_cpus)->list);
	}
}

/*
 * Move the list of a CPU that has gone offline to this CPU. If the BH work or the work item of the
 * offline CPU is pending, another CPU runs it with the list of that other CPU. Context: process.
 */
static int engine_cpu_dead(unsigned int i)
{
	struct hca_cpu *cpu = per_cpu_ptr(&hca_cpus, i);
	struct llist_node *batch = cpu->batch;

	cpu->batch = NULL;
	local_bh_disable();
	engine_adopt(batch);
	engine_adopt(hca_llist_dequeue_all(&cpu->list));
	hca_engine_run();
	local_bh_enable();
	return 0;
}

int hca_engine_start(void)
{
	int i;

	hca_wq = alloc_workqueue("hca", WQ_MEM_RECLAIM | WQ_PERCPU, 0);
	if (!hca_wq)
		return -ENOMEM;

	for_each_possible_cpu(i) {
		struct hca_cpu *cpu = per_cpu_ptr(&hca_cpus, i);

		init_llist_head(&cpu->list);
		cpu->batch = NULL;
		cpu->running = false;
		INIT_CSD(&cpu->csd, engine_interrupt, cpu);
		atomic_set(&cpu->interrupted, 0);
		hca_bh_work_init(&cpu->bh_work, engine_bh_work);
		INIT_WORK(&cpu->work, engine_work);
	}
	hca_hotplug_state = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN, "rdma/hca:dead", NULL,
						      engine_cpu_dead);
	if (hca_hotplug_state < 0) {
		destroy_workqueue(hca_wq);
		return hca_hotplug_state;
	}
	return 0;
}

/*
 * Do nothing. A CPU handles its interrupts in order; therefore all earlier interrupts have been
 * handled when this function is called.
 */
static void engine_interrupts_end(void *info)
{
}

void hca_engine_stop(void)
{
	int i;

	cpuhp_remove_state_nocalls(hca_hotplug_state);
	on_each_cpu(engine_interrupts_end, NULL, 1);
	for_each_possible_cpu(i) {
		struct hca_cpu *cpu = per_cpu_ptr(&hca_cpus, i);

		hca_bh_work_cancel(&cpu->bh_work);
		cancel_work_sync(&cpu->work);
	}
	destroy_workqueue(hca_wq);
}
