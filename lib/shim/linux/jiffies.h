/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_JIFFIES_H
#define SHIM_LINUX_JIFFIES_H

#include <linux/minmax.h>
#include <linux/time64.h>
#include <linux/types.h>

#define HZ 1000
#define TICK_NSEC (NSEC_PER_SEC / HZ)
/* jiffies wrap after five minutes, as the kernel's do. */
#define INITIAL_JIFFIES ((unsigned long)(-300 * HZ))
#define MAX_JIFFY_OFFSET ((~0UL >> 2) - 1)

/* Jiffies count virtual time, which shim_advance() moves. */
extern unsigned long volatile jiffies;

#define get_jiffies_64() ((u64)jiffies)

#define time_after(a, b) ((long)((b) - (a)) < 0)
#define time_before(a, b) time_after(b, a)
#define time_after_eq(a, b) ((long)((a) - (b)) >= 0)
#define time_before_eq(a, b) time_after_eq(b, a)
#define time_is_before_jiffies(a) time_after(jiffies, a)
#define time_is_after_jiffies(a) time_before(jiffies, a)
#define time_in_range(a, b, c) (time_after_eq(a, b) && time_before_eq(a, c))

/* The result is rounded up, as in the kernel. */
static inline unsigned long nsecs_to_jiffies_up(u64 ns)
{
	return ns / TICK_NSEC + !!(ns % TICK_NSEC);
}

static inline unsigned long msecs_to_jiffies(unsigned int ms)
{
	return (int)ms < 0 ? MAX_JIFFY_OFFSET : nsecs_to_jiffies_up(ms * (u64)NSEC_PER_MSEC);
}

static inline unsigned long usecs_to_jiffies(unsigned int us)
{
	return nsecs_to_jiffies_up(us * (u64)NSEC_PER_USEC);
}

/* The result is rounded down, as in the kernel. */
static inline unsigned long nsecs_to_jiffies(u64 ns)
{
	return ns / TICK_NSEC;
}

static inline unsigned int jiffies_to_msecs(unsigned long j)
{
	return j * (MSEC_PER_SEC / HZ);
}

static inline unsigned int jiffies_to_usecs(unsigned long j)
{
	return j * (USEC_PER_SEC / HZ);
}

static inline u64 jiffies_to_nsecs(unsigned long j)
{
	return (u64)j * TICK_NSEC;
}

#endif
