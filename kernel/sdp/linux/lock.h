/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Work that needs a socket's lock. A process can keep that as long as it likes, while it waits for
 * a page of its own, so no worker waits for it: the work is queued again once the process releases
 * it.
 */
#ifndef HCA_SDP_LINUX_LOCK_H
#define HCA_SDP_LINUX_LOCK_H

#include <linux/list.h>
#include <linux/workqueue.h>

struct sock;
struct sdp_sock;

struct sdp_task {
	struct work_struct work;
	struct list_head node; /* in the socket's list, by the spinlock of its lock */
	bool ended; /* it is not queued again; by the same */
	struct workqueue_struct *wq; /* NULL: the common one */
};

/**
 * sdp_task_init() - initialize what is not queued
 * @task: the task; whoever queues its work ensures that the socket is there until it has run
 * @run: function of its work, which begins with sdp_task_lock()
 *
 * Context: any.
 */
static inline void sdp_task_init(struct sdp_task *task, work_func_t run)
{
	/* Inline, so that lockdep knows one kind of task from another. */
	INIT_WORK(&task->work, run);
	INIT_LIST_HEAD(&task->node);
	task->ended = false;
	task->wq = NULL;
}

/**
 * sdp_task_queue() - queue the work of a task
 * @task: the task
 *
 * Context: any.
 */
void sdp_task_queue(struct sdp_task *task);

/**
 * sdp_task_lock() - lock a socket, or do so later
 * @ssk: the socket
 * @task: the task, whose work is running
 *
 * Context: process.
 * Return: true, and the socket is locked; false: return at once, for the work is queued again when
 * the process that has the lock releases it, or the task has ended.
 */
bool sdp_task_lock(struct sdp_sock *ssk, struct sdp_task *task);

/**
 * sdp_task_end() - end a task
 * @ssk: the socket, whose lock is not held
 * @task: the task, whose work nobody queues any more; it does not run after this
 *
 * Context: process; sleeps while it runs.
 */
void sdp_task_end(struct sdp_sock *ssk, struct sdp_task *task);

/**
 * sdp_try_lock() - lock a socket if no process has its lock
 * @sk: the socket
 *
 * Context: process.
 * Return: whether it is locked.
 */
bool sdp_try_lock(struct sock *sk);

/**
 * sdp_lock_or_delay() - lock a socket in delayed work, or delay this again
 * @sk: the socket, to which the work that is running has a reference
 * @work: the work
 * @delay: jiffies until it runs again, if a process has the lock
 *
 * Context: process.
 * Return: true, and the socket is locked; false: return at once, for the reference is the work's
 * again, or is gone if it was queued meanwhile by somebody else.
 */
bool sdp_lock_or_delay(struct sock *sk, struct delayed_work *work, unsigned long delay);

/**
 * sdp_tasks_queue() - queue all that waits for a socket's lock
 * @ssk: the socket, whose lock is about to be released
 *
 * Context: with the spinlock of the socket's lock.
 */
void sdp_tasks_queue(struct sdp_sock *ssk);

#endif
