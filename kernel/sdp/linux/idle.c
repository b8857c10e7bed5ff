// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Connections that are idle. The peer's buffers are those that its credits promise: it can give
 * them back only when messages have used them. So an end that has nothing to send asks for buffers
 * as small as the first ones, and uses up the others by empty messages.
 */
#include "sdp/linux/idle.h"
#include "sdp/linux/lock.h"
#include "sdp/linux/resize.h"
#include "sdp/linux/transfer.h"

#define PERIOD (2 * HZ) /* without any payload, after which a connection is idle */

/*
 * Sockets that have more memory than an idle connection needs, by the lock: taken in process and
 * softirq context, after socket locks. The list has a reference to each.
 */
static LIST_HEAD(idle_watched);
static DEFINE_SPINLOCK(idle_lock);

static bool idle_may_ask(const struct sdp_sock *ssk)
{
	const struct sdp_conn *conn = &ssk->conn;

	return list_empty(&ssk->tx) && !ssk->advertising && !ssk->zsend.state &&
	       !conn->disconn && !conn->suspend && !conn->source.left;
}

static void idle_ask(struct sdp_sock *ssk)
{
	struct sdp_conn *conn = &ssk->conn;

	if (!sdp_resize_ask_back(&conn->resize, conn->peer_size,
				 sdp_credits_available(&conn->credits)))
		return;
	sdp_link_push(ssk);
	sdp_resize_limit(ssk);
}

/* Bound: the buffers of the link. */
static void idle_free(struct sdp_sock *ssk)
{
	struct sdp_link *link = ssk->link;
	struct sdp_buf *buf, *next;

	list_for_each_entry_safe(buf, next, &link->free, list) {
		list_del(&buf->list);
		sdp_buf_discard(ssk, link->pd, buf);
	}
}

static bool idle_has_more(const struct sdp_sock *ssk)
{
	return ssk->memory[SDP_MEMORY_SEND] ||
	       sdp_resize_may_ask_back(&ssk->conn.resize, ssk->conn.peer_size);
}

/*
 * Messages whose completion nobody was told of complete before the probe does. Who has something to
 * send and no credit for it learns in this way that its peer is gone, as by TCP's window probes:
 * all that the peer has said of its end may have been lost.
 */
static void idle_trim(struct sdp_sock *ssk)
{
	struct sdp_link *link = ssk->link;

	if (link->unsignaled || !list_empty(&ssk->tx)) {
		sdp_link_probe(ssk);
	} else if (!link->outstanding && !list_empty(&link->free) &&
		   sdp_gate_get(&link->objects)) {
		idle_free(ssk);
		sdp_gate_put(&link->objects);
	}
	if (idle_may_ask(ssk))
		idle_ask(ssk);
}

/* Return: whether it is to be looked at again. */
static bool idle_check(struct sdp_sock *ssk)
{
	u64 moved = ssk->conn.octets_sent + ssk->conn.octets_received;
	bool still = moved == ssk->idle_moved;

	ssk->idle_moved = moved;
	if (!ssk->link || !ssk->link->ready || ssk->link->stopped)
		return false;
	if (still)
		idle_trim(ssk);
	return !still || idle_has_more(ssk);
}

/* A socket whose lock a process has is not idle. */
static void idle_check_unlocked(struct sdp_sock *ssk)
{
	struct sock *sk = sdp_sock(ssk);

	if (!sdp_try_lock(sk)) {
		sdp_idle_watch(ssk);
		return;
	}
	if (idle_check(ssk))
		sdp_idle_watch(ssk);
	release_sock(sk);
}

static struct sdp_sock *idle_dequeue(struct list_head *list)
{
	struct sdp_sock *ssk;

	spin_lock_bh(&idle_lock);
	ssk = list_first_entry_or_null(list, struct sdp_sock, idle_node);
	if (ssk)
		list_del_init(&ssk->idle_node);
	spin_unlock_bh(&idle_lock);
	return ssk;
}

/* Bound: the sockets that are watched, of which each has been used since it was looked at last. */
static void idle_check_all(struct work_struct *work)
{
	struct sdp_sock *ssk;
	LIST_HEAD(list);

	spin_lock_bh(&idle_lock);
	list_splice_init(&idle_watched, &list);
	spin_unlock_bh(&idle_lock);
	while ((ssk = idle_dequeue(&list))) {
		idle_check_unlocked(ssk);
		sock_put(sdp_sock(ssk));
		cond_resched();
	}
}

static DECLARE_DELAYED_WORK(idle_work, idle_check_all);

void sdp_idle_watch(struct sdp_sock *ssk)
{
	spin_lock_bh(&idle_lock);
	if (list_empty(&ssk->idle_node)) {
		sock_hold(sdp_sock(ssk));
		list_add_tail(&ssk->idle_node, &idle_watched);
		queue_delayed_work(sdp_wq, &idle_work, PERIOD);
	}
	spin_unlock_bh(&idle_lock);
}

void sdp_idle_end(struct sdp_sock *ssk)
{
	bool watched;

	spin_lock_bh(&idle_lock);
	watched = !list_empty(&ssk->idle_node);
	list_del_init(&ssk->idle_node);
	spin_unlock_bh(&idle_lock);
	if (watched)
		sock_put(sdp_sock(ssk));
}

void sdp_idle_unregister(void)
{
	cancel_delayed_work_sync(&idle_work);
}
