/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The interface between the source files of the shim. */
#ifndef SHIM_INTERNAL_H
#define SHIM_INTERNAL_H

#include <linux/preempt.h>
#include <linux/types.h>

/* Run @fn(@arg) in @context, and check that it returns with nothing more held or disabled. */
void shim_run_in(struct shim_context context, void (*fn)(void *arg), void *arg, const void *who);

/* Run the tasklets that are scheduled. Returns whether there was any. */
bool shim_run_tasklets(void);

/* Locks held so far belong to the outer context; returns the value for shim_locks_leave(). */
unsigned int shim_locks_enter(void);
void shim_locks_leave(unsigned int outer);

void shim_loop_reset(void);
void shim_locks_reset(void);
void shim_memory_reset(void);

/* Run all pending RCU callbacks. Returns whether there was any. */
bool shim_run_rcu(void);

#endif
