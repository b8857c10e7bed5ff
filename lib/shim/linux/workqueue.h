/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_WORKQUEUE_H
#define SHIM_LINUX_WORKQUEUE_H

#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/timer.h>

struct workqueue_struct;
struct work_struct;
typedef void (*work_func_t)(struct work_struct *work);

struct work_struct {
	struct list_head node;
	bool pending; /* the work is queued, or its timer is pending */
	struct workqueue_struct *wq;
	work_func_t func;
};

struct delayed_work {
	struct work_struct work;
	struct timer_list timer;
	struct workqueue_struct *wq;
};

#define WORK_CPU_UNBOUND 0
#define WQ_UNBOUND 0x1u
#define WQ_MEM_RECLAIM 0x2u
#define WQ_HIGHPRI 0x4u
#define WQ_PERCPU 0x8u

extern struct workqueue_struct *const system_wq;
extern struct workqueue_struct *const system_highpri_wq;
extern struct workqueue_struct *const system_unbound_wq;
extern struct workqueue_struct *const system_long_wq;

struct workqueue_struct *alloc_workqueue(const char *fmt, unsigned int flags, int max_active, ...)
	__printf(1, 4);
#define alloc_ordered_workqueue(fmt, flags, args...) alloc_workqueue(fmt, flags, 1, ##args)
void destroy_workqueue(struct workqueue_struct *wq);
void flush_workqueue(struct workqueue_struct *wq);
#define drain_workqueue(wq) flush_workqueue(wq)

void shim_init_delayed_work(struct delayed_work *dwork, work_func_t func);
#define INIT_WORK(w, f) (*(w) = (struct work_struct){ .func = (f) })
#define INIT_DELAYED_WORK(w, f) shim_init_delayed_work(w, f)
#define to_delayed_work(w) container_of(w, struct delayed_work, work)

bool queue_work(struct workqueue_struct *wq, struct work_struct *work);
bool cancel_work(struct work_struct *work);
/* These two run other work while they wait; they panic where the kernel would wait for ever. */
bool cancel_work_sync(struct work_struct *work);
bool flush_work(struct work_struct *work);

bool queue_delayed_work(struct workqueue_struct *wq, struct delayed_work *dwork,
			unsigned long delay);
bool mod_delayed_work(struct workqueue_struct *wq, struct delayed_work *dwork,
		      unsigned long delay);
bool cancel_delayed_work(struct delayed_work *dwork);
bool cancel_delayed_work_sync(struct delayed_work *dwork);
bool flush_delayed_work(struct delayed_work *dwork);

#define queue_work_on(cpu, wq, work) ((void)(cpu), queue_work(wq, work))
#define queue_delayed_work_on(cpu, wq, dwork, delay) \
	((void)(cpu), queue_delayed_work(wq, dwork, delay))
#define schedule_work(work) queue_work(system_wq, work)
#define schedule_delayed_work(dwork, delay) queue_delayed_work(system_wq, dwork, delay)
#define work_pending(work) ((work)->pending)
#define delayed_work_pending(dwork) work_pending(&(dwork)->work)

#endif
