/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_SCHED_MM_H
#define SHIM_LINUX_SCHED_MM_H

#include <linux/mm_types.h>

static inline void mmgrab(struct mm_struct *mm)
{
	atomic_inc(&mm->mm_count);
}

static inline void mmdrop(struct mm_struct *mm)
{
	WARN_ON(atomic_dec_return(&mm->mm_count) < 1); /* the test's own mm is never freed */
}

#endif
