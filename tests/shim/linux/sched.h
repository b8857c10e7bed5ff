/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_SCHED_H
#define SHIM_LINUX_SCHED_H

#include <linux/kernel.h>

#define MAX_SCHEDULE_TIMEOUT ((long)(~0UL >> 1))
#define need_resched() false

/* Lets others run, if there are. */
void schedule(void);

/* Nobody else is let run: he may want a mutex of the caller's, and cannot wait here. */
#define cond_resched() might_sleep()

#endif
