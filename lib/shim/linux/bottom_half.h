/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_BOTTOM_HALF_H
#define SHIM_LINUX_BOTTOM_HALF_H

#include <linux/preempt.h>

void local_bh_disable(void);
/* The outermost local_bh_enable() runs the tasklets that are scheduled, as in the kernel. */
void local_bh_enable(void);

#endif
