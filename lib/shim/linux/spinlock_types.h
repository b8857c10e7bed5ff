/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_SPINLOCK_TYPES_H
#define SHIM_LINUX_SPINLOCK_TYPES_H

#include <linux/spinlock.h>

#endif
