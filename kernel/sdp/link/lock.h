/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Work that needs a socket's lock. A process can hold the lock without bound, while it waits for a
 * page of its memory. So workers do not wait for the lock: the work is queued again when the
 * process releases the lock.
 */
#ifndef HCA_SDP_LINUX_LOCK_H
#define HCA_SDP_LINUX_LOCK_H

#include <linux/list.h>
#include <linux/workqueue.h>

struct sock;
struct sdp_sock;

struct sdp_task {
	struct work_struct work;
	struct list_head node; /* in the socket's list, protected by the spinlock of its lock */
	bool ended; /* the work is not queued again; protected by this spinlock */
	struct workqueue_struct *wq; /* workqueue; NULL: sdp_wq */
};

/**
 * sdp_task_init() - initialize a task that is not queued
 * @task: the task; the caller of sdp_task_queue() keeps the socket alive until the work has run
 * @run: function of the work, which begins with sdp_task_lock()
 *
 * Context: any.
 */
static inline void sdp_task_init(struct sdp_task *task, work_func_t run)
{
	/* The function is inline, so that each caller has its own lockdep class. */
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
 * sdp_task_lock() - lock a socket, or queue the work again later
 * @ssk: the socket
 * @task: the task, whose work is running
 *
 * Context: process.
 * Return: true, and the socket is locked; false: the caller must return at once, because the task
 * has ended, or because its work is queued again when the process that holds the lock releases it.
 */
bool sdp_task_lock(struct sdp_sock *ssk, struct sdp_task *task);

/**
 * sdp_task_end() - end a task
 * @ssk: the socket, whose lock is not held
 * @task: the task, which may not be queued any more; the work does not run after the return
 *
 * Context: process; sleeps while the work runs.
 */
void sdp_task_end(struct sdp_sock *ssk, struct sdp_task *task);

/**
 * sdp_try_lock() - lock a socket if no process holds its lock
 * @sk: the socket
 *
 * Context: process.
 * Return: whether the socket is locked.
 */
bool sdp_try_lock(struct sock *sk);

/**
 * sdp_lock_or_delay() - lock a socket in delayed work, or delay the work again
 * @sk: the socket, to which the running work has a reference
 * @work: the work
 * @delay: jiffies until the work runs again, if a process holds the lock
 *
 * Context: process.
 * Return: true, and the socket is locked; false: the caller must return at once. The reference then
 * belongs to the queued work, or was released if the work was queued already.
 */
bool sdp_lock_or_delay(struct sock *sk, struct delayed_work *work, unsigned long delay);

/**
 * sdp_tasks_queue() - queue all tasks that wait for a socket's lock
 * @ssk: the socket, whose lock is about to be released
 *
 * Context: with the spinlock of the socket's lock.
 */
void sdp_tasks_queue(struct sdp_sock *ssk);

#endif
