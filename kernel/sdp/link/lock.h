/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Tasks: work items that need a socket's lock. A process can hold the lock for an unlimited time,
 * while it waits for a page of its memory. Therefore a worker does not wait for the lock. Instead,
 * the work is queued again when the process releases the lock.
 */
#ifndef HCA_SDP_LINK_LOCK_H
#define HCA_SDP_LINK_LOCK_H

#include <linux/list.h>
#include <linux/workqueue.h>

struct sock;
struct sdp_ep;

extern struct workqueue_struct *sdp_wq;
extern struct workqueue_struct *sdp_iwarp_wq; /* iWARP: work that may wait for a peer */

struct sdp_task {
	struct work_struct work;
	/* entry in @tasks of the socket; protected by the socket's spinlock */
	struct list_head node;
	bool ended; /* the work is not queued again; protected by the socket's spinlock */
	struct workqueue_struct *wq; /* workqueue of the work; NULL: sdp_wq */
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
 * @ep: the endpoint
 * @task: the task, whose work is running
 *
 * Context: process.
 * Return: true, and the socket is locked; false: the caller must return at once, because the task
 * has ended, or because its work is queued again when the process that holds the lock releases it.
 */
bool sdp_task_lock(struct sdp_ep *ep, struct sdp_task *task);

/**
 * sdp_task_end() - end a task
 * @ep: the endpoint, whose lock is not held
 * @task: the task, which must not be queued again; its work does not run after this call
 *
 * Context: process; sleeps while the work runs.
 */
void sdp_task_end(struct sdp_ep *ep, struct sdp_task *task);

/**
 * sdp_try_lock() - lock a socket if no process holds its lock
 * @sk: the socket
 *
 * Context: process.
 * Return: whether the socket is locked.
 */
bool sdp_try_lock(struct sock *sk);

/**
 * sdp_tasks_queue() - queue all tasks that wait for a socket's lock
 * @ep: the endpoint, whose lock is about to be released
 *
 * Context: any; the caller holds the spinlock of the socket (sk_lock.slock).
 */
void sdp_tasks_queue(struct sdp_ep *ep);

/**
 * sdp_task_register() - make the workqueues
 *
 * Context: process; may sleep.
 * Return: 0 or -ENOMEM.
 */
int sdp_task_register(void);

/**
 * sdp_task_unregister() - destroy the workqueues
 *
 * Context: process; sleeps until their work has ended.
 */
void sdp_task_unregister(void);

#endif
