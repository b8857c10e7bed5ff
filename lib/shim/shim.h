/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * How a test controls the kernel that linux/ imitates. There is one thread and one CPU, and nothing
 * happens by itself: tasklets run where bottom halves are enabled again; work and timers run when a
 * test or a waiting caller lets them.
 */
#ifndef SHIM_H
#define SHIM_H

#include <linux/types.h>

/*
 * Begin with a new machine: time is 0, nothing is pending or disabled, no allocation is set to
 * fail.
 */
void shim_reset(u64 seed);

/* @handler is called with the message instead of abort(), and shall not return. NULL: abort(). */
void shim_on_panic(void (*handler)(const char *message));

u64 shim_now_ns(void);

/* When the first timer expires (ns); U64_MAX: no timer is pending. */
u64 shim_next_timer_ns(void);

/* Advance the clock by @ns: run until idle, expire timers in order, run until idle after each. */
void shim_advance(u64 ns);

/*
 * From now on the clock advances by @ns whenever it is read, as on a stalled processor; 0: no
 * longer.
 */
void shim_stall(u64 ns);

/*
 * Run tasklets, then each work that is queued now, then pending RCU callbacks. The clock does not
 * advance. Returns whether anything ran.
 */
bool shim_run(void);

/* Call shim_run() until nothing is left to run. */
void shim_run_until_idle(void);

/* Take CPU 0 offline: the callback of cpuhp_setup_state_nocalls() is called. */
void shim_cpu_dead(void);

/*
 * @handler does what another CPU does while this one busy-waits (cpu_relax()). NULL, and after
 * shim_reset(): nothing, so that a wait panics.
 */
void shim_on_relax(void (*handler)(void));

/* Run the pending callbacks of call_rcu() and kfree_rcu(). */
void shim_quiesce(void);

/* Make the @n-th allocation from now fail, once; 0: none. */
void shim_fail_alloc(unsigned int n);

/* Whether the allocation that shim_fail_alloc() named has failed. */
bool shim_alloc_failed(void);

/*
 * Set RLIMIT_MEMLOCK of the current task and whether CAP_IPC_LOCK overrides it. Default: unlimited.
 */
void shim_set_memlock(unsigned long octets, bool cap_ipc_lock);

/* @handler is called when caches are written back to persistent memory. NULL: nothing is. */
void shim_on_write_back(void (*handler)(void *addr, size_t size));

/* Number of allocations that are not freed, those that wait for RCU included. */
unsigned long shim_live_allocations(void);

/* Number of octets of these allocations. */
unsigned long shim_live_octets(void);

#endif
