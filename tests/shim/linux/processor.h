/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_PROCESSOR_H
#define SHIM_LINUX_PROCESSOR_H

#include <linux/bug.h>

/* There is one thread: an event that it busy-waits for never happens. */
#define cpu_relax() BUG()

#endif
