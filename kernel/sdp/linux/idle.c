// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Idle connections. The peer must keep the buffers that its credits promise, and can free a buffer
 * only when a message has used it. So an end that has no data to send asks the peer for buffers of
 * the first size, and uses up the larger ones by empty messages.
 */
#include "sdp/linux/idle.h"
#include "sdp/linux/lock.h"
#include "sdp/linux/resize.h"
#include "sdp/linux/transfer.h"

#define PERIOD (2 * HZ) /* time without payload after which a connection is idle */

/*
 * Sockets that have more memory than an idle connection needs. The list has a reference to each.
 * idle_lock protects the list; it is taken in process and softirq context, after socket locks.
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
 * The completion of a probe implies completion of all unsignaled messages before it. If payload
 * waits for credits, the probe also detects that the peer is gone, as TCP's window probes do: the
 * peer's DisConn or DREQ may have been lost.
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

/* Return: whether the socket is to be checked again. */
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

/* A socket whose lock a process holds is not idle, and is checked again. */
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

/* Bound: the watched sockets, each of which was active or still had memory at its last check. */
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
