/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_DELAY_H
#define SHIM_LINUX_DELAY_H

#include <linux/ktime.h>

/* Virtual time advances; timers and work run meanwhile. */
void shim_sleep_ns(u64 ns);
/* Virtual time advances; nothing runs meanwhile. */
void ndelay(unsigned long ns);

#define udelay(us) ndelay((us) * NSEC_PER_USEC)
#define msleep(ms) shim_sleep_ns((ms) * (u64)NSEC_PER_MSEC)
#define fsleep(us) shim_sleep_ns((us) * (u64)NSEC_PER_USEC)
#define usleep_range(low, high) ((void)(high), fsleep(low))

#endif
