/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_KTIME_H
#define SHIM_LINUX_KTIME_H

#include <linux/time64.h>
#include <linux/types.h>

typedef s64 ktime_t;

/* The clock is virtual. */
u64 ktime_get_ns(void);

static inline ktime_t ktime_get(void)
{
	return ktime_get_ns();
}

#define ktime_get_raw_ns() ktime_get_ns()
#define ktime_get_mono_fast_ns() ktime_get_ns()
#define ktime_get_boottime_ns() ktime_get_ns()
#define ktime_get_real_ns() ktime_get_ns()
#define ktime_get_seconds() ((s64)(ktime_get_ns() / NSEC_PER_SEC))
#define local_clock() ktime_get_ns()
#define ns_to_ktime(ns) ((ktime_t)(ns))
#define ms_to_ktime(ms) ((ktime_t)(ms) * NSEC_PER_MSEC)
#define ktime_to_ns(kt) ((s64)(kt))
#define ktime_to_us(kt) ((s64)(kt) / NSEC_PER_USEC)
#define ktime_to_ms(kt) ((s64)(kt) / NSEC_PER_MSEC)
#define ktime_add(a, b) ((ktime_t)((a) + (b)))
#define ktime_sub(a, b) ((ktime_t)((a) - (b)))
#define ktime_add_ns(kt, ns) ((ktime_t)((kt) + (ns)))
#define ktime_add_us(kt, us) ((ktime_t)((kt) + (us) * NSEC_PER_USEC))
#define ktime_after(a, b) ((a) > (b))
#define ktime_before(a, b) ((a) < (b))

#endif
