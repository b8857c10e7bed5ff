// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Work that needs a socket's lock, and does not wait for the lock. */
#include "sdp/linux/lock.h"
#include "sdp/linux/sock.h"

/* Take a free socket lock, as lock_sock() does. The caller holds the spinlock, released here. */
static void own(struct sock *sk) __releases(&sk->sk_lock.slock)
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
	own(sk);
	return true;
}

bool sdp_lock_or_delay(struct sock *sk, struct delayed_work *work, unsigned long delay)
{
	if (sdp_try_lock(sk))
		return true;
	if (!queue_delayed_work(sdp_wq, work, delay))
		sock_put(sk);
	return false;
}

void sdp_task_queue(struct sdp_task *task)
{
	queue_work(task->wq ? task->wq : sdp_wq, &task->work);
}

bool sdp_task_lock(struct sdp_sock *ssk, struct sdp_task *task)
{
	struct sock *sk = sdp_sock(ssk);

	spin_lock_bh(&sk->sk_lock.slock);
	if (!task->ended && !sock_owned_by_user_nocheck(sk)) {
		own(sk);
		return true;
	}
	if (!task->ended && list_empty(&task->node))
		list_add_tail(&task->node, &ssk->tasks);
	spin_unlock_bh(&sk->sk_lock.slock);
	return false;
}

void sdp_task_end(struct sdp_sock *ssk, struct sdp_task *task)
{
	struct sock *sk = sdp_sock(ssk);

	spin_lock_bh(&sk->sk_lock.slock);
	task->ended = true;
	list_del_init(&task->node);
	spin_unlock_bh(&sk->sk_lock.slock);
	cancel_work_sync(&task->work);
}

/* Bound: four tasks: one of a route, two of a link, and one for MSG_ZEROCOPY. */
void sdp_tasks_queue(struct sdp_sock *ssk)
{
	struct sdp_task *task, *next;

	list_for_each_entry_safe(task, next, &ssk->tasks, node) {
		list_del_init(&task->node);
		sdp_task_queue(task);
	}
}
