/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_INTERRUPT_H
#define SHIM_LINUX_INTERRUPT_H

#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/list.h>

struct tasklet_struct {
	struct list_head node;
	bool scheduled;
	void (*callback)(struct tasklet_struct *t);
};

void tasklet_setup(struct tasklet_struct *t, void (*callback)(struct tasklet_struct *t));
void tasklet_schedule(struct tasklet_struct *t);
void tasklet_kill(struct tasklet_struct *t);

#define tasklet_hi_schedule(t) tasklet_schedule(t)
#define from_tasklet(var, t, member) container_of(t, typeof(*(var)), member)

#endif
