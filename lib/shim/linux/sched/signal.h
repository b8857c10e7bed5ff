/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_SCHED_SIGNAL_H
#define SHIM_LINUX_SCHED_SIGNAL_H

#include <sys/resource.h>

/* Both are those of the current task. */
unsigned long rlimit(unsigned int limit);

#endif
