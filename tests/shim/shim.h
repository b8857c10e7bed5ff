/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What a test may do with the kernel that linux/ pretends to be. There is one
 * thread and one CPU; nothing happens by itself: tasklets run where bottom halves
 * are enabled again, work and timers when a test or a waiting caller lets them.
 */
#ifndef SHIM_H
#define SHIM_H

#include <linux/types.h>

/* A new machine: time 0, nothing pending, nothing disabled, no allocation to fail. */
void shim_reset(u64 seed);

/* Called instead of abort() with the message; shall not return. NULL: abort(). */
void shim_on_panic(void (*handler)(const char *message));

u64 shim_now_ns(void);

/* When the first timer goes off; U64_MAX: none is set. */
u64 shim_next_timer_ns(void);

/* Let @ns pass: run until idle, fire timers in order, run until idle after each. */
void shim_advance(u64 ns);

/* From now on a processor stands still for @ns whenever it has read the clock; 0: no longer. */
void shim_stall(u64 ns);

/*
 * Tasklets, then each work that is queued now, then what RCU holds back. Time
 * stands still. Returns whether anything ran.
 */
bool shim_run(void);

/* The same until nothing is left to run. */
void shim_run_until_idle(void);

/* CPU 0 has gone offline: what cpuhp_setup_state_nocalls() was given is called. */
void shim_cpu_dead(void);

/* Run what call_rcu() and kfree_rcu() were given. */
void shim_quiesce(void);

/* The @n-th allocation from now fails, once; 0: none. */
void shim_fail_alloc(unsigned int n);

/* Whether that has happened. */
bool shim_alloc_failed(void);

/* What the current task may pin, RLIMIT_MEMLOCK, and whether that binds it. Without: all. */
void shim_set_memlock(unsigned long octets, bool cap_ipc_lock);

/* Allocations that nobody has freed, RCU's included. */
unsigned long shim_live_allocations(void);

#endif
