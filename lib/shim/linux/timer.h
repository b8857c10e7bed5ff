/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_TIMER_H
#define SHIM_LINUX_TIMER_H

/* The name is changed because POSIX has a timer_delete(), too. */
#include <time.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/list.h>

struct timer_list {
	struct list_head node; /* empty: the timer is not pending */
	unsigned long expires;
	u64 due; /* ticks since shim_reset() */
	void (*function)(struct timer_list *timer);
};

#define TIMER_DEFERRABLE 0
#define TIMER_PINNED 0

void timer_setup(struct timer_list *timer, void (*function)(struct timer_list *timer),
		 unsigned int flags);
int mod_timer(struct timer_list *timer, unsigned long expires);
int mod_timer_pending(struct timer_list *timer, unsigned long expires);
int timer_reduce(struct timer_list *timer, unsigned long expires);
void add_timer(struct timer_list *timer);
int shim_timer_delete(struct timer_list *timer);
/* Panics inside of the timer's own function. */
int timer_delete_sync(struct timer_list *timer);
int timer_shutdown_sync(struct timer_list *timer);

static inline bool timer_pending(const struct timer_list *timer)
{
	return !list_empty(&timer->node);
}

#define timer_delete(timer) shim_timer_delete(timer)
#define timer_container_of(var, timer, member) container_of(timer, typeof(*(var)), member)

#endif
