// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The list of connections that are checked every two seconds, because they may be idle. */
#include "sdp/link/watch.h"
#include <linux/cache.h>
#include "sdp/link/ep.h"
#include "sdp/link/lock.h"

#define PERIOD (2 * HZ) /* time without payload after which a connection is idle */

/*
 * Sockets with more memory than an idle connection needs. The list has a reference to each socket.
 * watch_lock protects the list; it is taken in process and softirq context, after socket locks.
 */
static LIST_HEAD(watch_list);
static DEFINE_SPINLOCK(watch_lock);
static bool (*watch_check)(struct sdp_ep *ep) __ro_after_init;

static void watch_check_all(struct work_struct *work);
static DECLARE_DELAYED_WORK(watch_work, watch_check_all);

void sdp_watch_add(struct sdp_ep *ep)
{
	spin_lock_bh(&watch_lock);
	if (list_empty(&ep->idle_node)) {
		sock_hold(sdp_ep_sock(ep));
		list_add_tail(&ep->idle_node, &watch_list);
		queue_delayed_work(sdp_wq, &watch_work, PERIOD);
	}
	spin_unlock_bh(&watch_lock);
}

void sdp_watch_end(struct sdp_ep *ep)
{
	bool watched;

	spin_lock_bh(&watch_lock);
	watched = !list_empty(&ep->idle_node);
	list_del_init(&ep->idle_node);
	spin_unlock_bh(&watch_lock);
	if (watched)
		sock_put(sdp_ep_sock(ep));
}

/* While a process holds the socket lock, the connection is not idle: it is checked again later. */
static void watch_check_unlocked(struct sdp_ep *ep)
{
	struct sock *sk = sdp_ep_sock(ep);

	if (!sdp_try_lock(sk)) {
		sdp_watch_add(ep);
		return;
	}
	if (watch_check(ep))
		sdp_watch_add(ep);
	release_sock(sk);
}

static struct sdp_ep *watch_dequeue(struct list_head *list)
{
	struct sdp_ep *ep;

	spin_lock_bh(&watch_lock);
	ep = list_first_entry_or_null(list, struct sdp_ep, idle_node);
	if (ep)
		list_del_init(&ep->idle_node);
	spin_unlock_bh(&watch_lock);
	return ep;
}

/*
 * The loop visits the watched sockets. Each was active, or had memory to free, at its last check.
 */
static void watch_check_all(struct work_struct *work)
{
	struct sdp_ep *ep;
	LIST_HEAD(list);

	spin_lock_bh(&watch_lock);
	list_splice_init(&watch_list, &list);
	spin_unlock_bh(&watch_lock);
	while ((ep = watch_dequeue(&list))) {
		watch_check_unlocked(ep);
		sock_put(sdp_ep_sock(ep));
		cond_resched();
	}
}

void sdp_watch_register(bool (*check)(struct sdp_ep *ep))
{
	watch_check = check;
}

void sdp_watch_unregister(void)
{
	cancel_delayed_work_sync(&watch_work);
}
