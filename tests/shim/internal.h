/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What the shim's files owe each other. */
#ifndef SHIM_INTERNAL_H
#define SHIM_INTERNAL_H

#include <linux/preempt.h>
#include <linux/types.h>

/* Run @fn(@arg) as another context would, and check that it leaves it as it was. */
void shim_run_in(struct shim_context context, void (*fn)(void *arg), void *arg, const void *who);

/* Run the tasklets that are scheduled. Returns whether there were any. */
bool shim_run_tasklets(void);

/* Locks held below this point belong to another context; returns what to give back. */
unsigned int shim_locks_enter(void);
void shim_locks_leave(unsigned int outer);

void shim_loop_reset(void);
void shim_locks_reset(void);
void shim_memory_reset(void);

/* Returns whether anything was waiting. */
bool shim_run_rcu(void);

#endif
