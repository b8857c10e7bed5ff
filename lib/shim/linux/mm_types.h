/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_MM_TYPES_H
#define SHIM_LINUX_MM_TYPES_H

#include <linux/atomic.h>
#include <linux/bug.h>

struct mm_struct {
	atomic_t mm_count;
	atomic64_t pinned_vm; /* pages */
};

#endif
