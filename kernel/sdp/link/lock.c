// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Work that needs a socket's lock, and does not wait for the lock. */
#include "sdp/link/lock.h"
#include "sdp/link/ep.h"

struct workqueue_struct *sdp_wq;
struct workqueue_struct *sdp_iwarp_wq;

/*
 * Take a free socket lock, as lock_sock() does, and release its spinlock, held by the caller. Tasks
 * and the check of idle connections sleep under the lock: they modify queue pairs, and free MRs.
 * So they cannot run under the spinlock, as timers of TCP do, and lock_sock() would wait without
 * bound if a process took the lock first. The network core has no lock_sock() that does not wait.
 */
static void lock_own(struct sock *sk) __releases(&sk->sk_lock.slock)
{
	sk->sk_lock.owned = 1;
	spin_unlock_bh(&sk->sk_lock.slock);
	mutex_acquire(&sk->sk_lock.dep_map, 0, 1, _RET_IP_);
}

bool sdp_try_lock(struct sock *sk)
{
	spin_lock_bh(&sk->sk_lock.slock);
	if (sock_owned_by_user_nocheck(sk)) {
		spin_unlock_bh(&sk->sk_lock.slock);
		return false;
	}
	lock_own(sk);
	return true;
}

void sdp_task_queue(struct sdp_task *task)
{
	queue_work(task->wq ? task->wq : sdp_wq, &task->work);
}

bool sdp_task_lock(struct sdp_ep *ep, struct sdp_task *task)
{
	struct sock *sk = sdp_ep_sock(ep);

	spin_lock_bh(&sk->sk_lock.slock);
	if (!task->ended && !sock_owned_by_user_nocheck(sk)) {
		lock_own(sk);
		return true;
	}
	if (!task->ended && list_empty(&task->node))
		list_add_tail(&task->node, &ep->tasks);
	spin_unlock_bh(&sk->sk_lock.slock);
	return false;
}

void sdp_task_end(struct sdp_ep *ep, struct sdp_task *task)
{
	struct sock *sk = sdp_ep_sock(ep);

	spin_lock_bh(&sk->sk_lock.slock);
	task->ended = true;
	list_del_init(&task->node);
	spin_unlock_bh(&sk->sk_lock.slock);
	cancel_work_sync(&task->work);
}

/* The list has at most five tasks: one of a route, two of a link, and two of the socket. */
void sdp_tasks_queue(struct sdp_ep *ep)
{
	struct sdp_task *task, *next;

	list_for_each_entry_safe(task, next, &ep->tasks, node) {
		list_del_init(&task->node);
		sdp_task_queue(task);
	}
}

int sdp_task_register(void)
{
	sdp_wq = alloc_workqueue("hca_sdp", WQ_UNBOUND, 0);
	if (!sdp_wq)
		return -ENOMEM;
	sdp_iwarp_wq = alloc_workqueue("hca_sdp_iwarp", WQ_UNBOUND, 0);
	if (sdp_iwarp_wq)
		return 0;
	destroy_workqueue(sdp_wq);
	return -ENOMEM;
}

void sdp_task_unregister(void)
{
	destroy_workqueue(sdp_iwarp_wq);
	destroy_workqueue(sdp_wq);
}
