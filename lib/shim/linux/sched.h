/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_SCHED_H
#define SHIM_LINUX_SCHED_H

#include <linux/kernel.h>

#define MAX_SCHEDULE_TIMEOUT ((long)(~0UL >> 1))
#define need_resched() false

/* Runs other tasks, if any is runnable. */
void schedule(void);

/* Runs no other task: it might want a mutex that the caller holds, and cannot wait for it here. */
#define cond_resched() might_sleep()

#endif
