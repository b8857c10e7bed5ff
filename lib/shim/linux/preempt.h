/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_PREEMPT_H
#define SHIM_LINUX_PREEMPT_H

#include <linux/types.h>

/*
 * The context of the test's one thread: what it has disabled, and whether it plays a softirq.
 * loop.c runs each nested context by shim_run_in(), and checks it there.
 */
struct shim_context {
	unsigned int preempt; /* number of preempt_disable() and spinlocks held */
	unsigned int bh; /* number of local_bh_disable() */
	unsigned int rcu; /* number of rcu_read_lock() */
	bool softirq; /* the thread is serving a softirq */
	bool irqs_off;
};

extern struct shim_context shim_context;

void preempt_disable(void);
void preempt_enable(void);

#define in_serving_softirq() (shim_context.softirq)
#define softirq_count() (shim_context.bh + shim_context.softirq)
#define in_softirq() (softirq_count() != 0)
#define in_interrupt() in_softirq()
#define in_hardirq() false
#define in_task() (!in_serving_softirq())
#define irqs_disabled() (shim_context.irqs_off)
#define preemptible() (!shim_context.preempt && !in_softirq() && !irqs_disabled())
#define in_atomic() (shim_context.preempt || in_softirq())

/* Panics where the kernel would report sleeping in atomic context. */
void shim_might_sleep(const char *file, int line);
#define might_sleep() shim_might_sleep(__FILE__, __LINE__)

#endif
