/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_TIMEKEEPING_H
#define SHIM_LINUX_TIMEKEEPING_H

#include <linux/ktime.h>

#endif
