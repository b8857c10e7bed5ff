/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_ASM_CURRENT_H
#define SHIM_ASM_CURRENT_H

struct mm_struct;

struct task_struct {
	struct mm_struct *mm;
};

/* Tests have variables of the name `current`: only who includes this has the macro. */
extern struct task_struct shim_task;
#define current (&shim_task)

#endif
