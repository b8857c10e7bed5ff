/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_WAIT_H
#define SHIM_LINUX_WAIT_H

#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/sched.h>

/*
 * A waiting thread runs what is runnable until its condition is true: first tasklets and work, then
 * virtual time advances to the next timer. If nothing is left to run, nobody can wake the thread
 * any more, and it panics.
 */
void shim_wait_step(u64 since, const char *file, int line, const char *what);
/*
 * Like shim_wait(), but virtual time advances to @until (ns) at most. Returns false if it is
 * reached.
 */
bool shim_wait_step_until(u64 until);
u64 shim_deadline(unsigned long timeout);
unsigned long shim_remaining(u64 until);

typedef struct wait_queue_head {
	bool initialized;
} wait_queue_head_t;

#define DECLARE_WAIT_QUEUE_HEAD(name) wait_queue_head_t name = { .initialized = true }
#define init_waitqueue_head(wq) ((void)((wq)->initialized = true))
#define shim_check_wq(wq) WARN(!(wq)->initialized, "wait queue never initialized")

#define wake_up(wq) ((void)shim_check_wq(wq))
#define wake_up_all(wq) wake_up(wq)
#define wake_up_interruptible(wq) wake_up(wq)
#define wake_up_interruptible_all(wq) wake_up(wq)

#define shim_wait(cond) \
	do { \
		u64 wait_since = ktime_get_ns(); \
		might_sleep(); \
		while (!(cond)) \
			shim_wait_step(wait_since, __FILE__, __LINE__, #cond); \
	} while (0)
/* Returns the time left, at least 1, if the condition is true; 0 if the time has run out first. */
#define shim_wait_timeout(cond, timeout) \
	({ \
		u64 wait_until = shim_deadline(timeout); \
		bool wait_ok; \
		might_sleep(); \
		while (!(wait_ok = !!(cond)) && \
		       shim_wait_step_until(wait_until)) \
			; \
		wait_ok ? (long)shim_remaining(wait_until) : 0L; \
	})

#define wait_event(wq, cond) \
	do { \
		shim_check_wq(&(wq)); \
		shim_wait(cond); \
	} while (0)
#define wait_event_timeout(wq, cond, timeout) \
	({ \
		shim_check_wq(&(wq)); \
		shim_wait_timeout(cond, timeout); \
	})
#define wait_event_interruptible(wq, cond) \
	({ \
		wait_event(wq, cond); \
		0; \
	})
#define wait_event_killable(wq, cond) wait_event_interruptible(wq, cond)
#define wait_event_interruptible_timeout(wq, cond, timeout) wait_event_timeout(wq, cond, timeout)

#endif
