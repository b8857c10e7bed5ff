/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_HRTIMER_H
#define SHIM_LINUX_HRTIMER_H

#include <time.h>
#include <linux/ktime.h>
#include <linux/list.h>

enum hrtimer_restart { HRTIMER_NORESTART };

/* The shim offers only timers that expire in a softirq, at an absolute time. */
enum hrtimer_mode { HRTIMER_MODE_ABS_SOFT, HRTIMER_MODE_ABS_PINNED_SOFT };

struct hrtimer {
	struct list_head node; /* empty: the timer is not pending */
	u64 due; /* ns since shim_reset() */
	enum hrtimer_restart (*function)(struct hrtimer *timer);
};

void hrtimer_setup(struct hrtimer *timer, enum hrtimer_restart (*function)(struct hrtimer *timer),
		   int clock, enum hrtimer_mode mode);
void hrtimer_start(struct hrtimer *timer, ktime_t time, enum hrtimer_mode mode);
int hrtimer_cancel(struct hrtimer *timer);

static inline int hrtimer_is_queued(struct hrtimer *timer)
{
	return !list_empty(&timer->node);
}

static inline ktime_t hrtimer_get_expires(const struct hrtimer *timer)
{
	return timer->due;
}

#endif
