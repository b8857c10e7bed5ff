// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * MSG_ZEROCOPY. The call pins one segment and posts what begins to send it; all that follows is
 * work, which begins whenever something has happened that it could wait for.
 */
#include "sdp/linux/zsend.h"
#include <linux/sched/mm.h>
#include <linux/skbuff.h>
#include <linux/uio.h>
#include <net/sock.h>
#include "compat.h"
#include "sdp/linux/fill.h"
#include "sdp/linux/link.h"
#include "sdp/linux/pages.h"
#include "sdp/linux/transfer.h"
#include "sdp/linux/zcopy.h"
#include "sdp/linux/zwrite.h"

#define REQUEST_TIMEOUT (60 * HZ) /* for requests to complete */
#define MEMORY_TIMEOUT (HZ / 10) /* until memory for a buffer is wanted again */

struct ubuf_info *sdp_zsend_uarg(struct sdp_sock *ssk, size_t octets)
{
	return hca_msg_zerocopy_alloc(sdp_sock(ssk), octets);
}

void sdp_zsend_uarg_put(struct ubuf_info *uarg, bool sent)
{
	if (sent)
		net_zcopy_put(uarg);
	else
		net_zcopy_put_abort(uarg, true);
}

void sdp_zsend_copied(struct ubuf_info *uarg)
{
	if (uarg)
		uarg_to_msgzc(uarg)->zerocopy = 0;
}

static void wait_until(struct sdp_sock *ssk, enum sdp_zsend_state state, unsigned long delay)
{
	ssk->zsend.state = state;
	ssk->zsend.until = jiffies + delay;
	sk_reset_timer(sdp_sock(ssk), &ssk->zsend.timer, ssk->zsend.until);
}

static bool is_expired(const struct sdp_zsend *zsend)
{
	return time_after_eq(jiffies, zsend->until);
}

static bool is_over(const struct sdp_sock *ssk)
{
	return ssk->inet.sk.sk_state == TCP_CLOSE;
}

/* Posts an RDMA Write of what is next, where the peer waits for it. */
static bool write_next(struct sdp_sock *ssk)
{
	struct sdp_zsend *zsend = &ssk->zsend;
	u32 octets = zsend->octets - zsend->sent;

	octets = min(octets, sdp_zwrite_room(ssk));
	if (!octets || !sdp_zwrite_post(ssk, zsend->sent, octets))
		return false;
	zsend->sent += octets;
	wait_until(ssk, SDP_ZSEND_WRITTEN, REQUEST_TIMEOUT);
	return true;
}

/* Advertises what is next anew (S2-266), which only Pipelined mode allows without payload. */
static bool advertise_next(struct sdp_sock *ssk)
{
	const struct sdp_pages *pages = ssk->source_pages;
	struct sdp_zsend *zsend = &ssk->zsend;
	struct sdp_advert advert = { .len = zsend->octets - zsend->sent };
	u32 payload;

	if (advert.len < SDP_ZCOPY_MIN || !READ_ONCE(pages->mr) || ssk->link->stopped ||
	    !sdp_conn_may_advertise(&ssk->conn, &payload) || payload ||
	    !sdp_link_has_control(ssk->link))
		return false;
	advert.rkey = pages->rkey;
	advert.addr = pages->iova + zsend->sent;
	sdp_link_advertise(ssk, NULL, &advert);
	sdp_link_push(ssk);
	zsend->head = zsend->sent;
	zsend->left = advert.len;
	wait_until(ssk, SDP_ZSEND_ADVERTISED, SDP_ZCOPY_ANSWER_TIMEOUT);
	return true;
}

static void invalidate(struct sdp_sock *ssk)
{
	sdp_pages_invalidate(ssk, ssk->source_pages, NULL);
	wait_until(ssk, SDP_ZSEND_INVALIDATED, REQUEST_TIMEOUT);
}

/* What the peer would rather have by RDMA Write, or a write has not had room for. */
static void go_on(struct sdp_sock *ssk)
{
	if (!write_next(ssk) && !advertise_next(ssk))
		invalidate(ssk);
}

static void finish(struct sdp_sock *ssk)
{
	struct sdp_zsend *zsend = &ssk->zsend;
	struct sock *sk = sdp_sock(ssk);

	sk_stop_timer(sk, &zsend->timer);
	zsend->state = SDP_ZSEND_IDLE;
	sdp_pages_release(ssk, ssk->source_pages);
	ssk->advertising = false;
	ssk->conn.more = false;
	net_zcopy_put(zsend->uarg);
	zsend->uarg = NULL;
	sdp_link_push(ssk);
	sk->sk_write_space(sk);
	/* Who would connect anew may wait for that. */
	if (is_over(ssk))
		sk->sk_state_change(sk);
}

/*
 * Steps, one for each state: what has to have happened before the state changes. They return
 * whether it has.
 */

/* A peer that reads on has time; one that does not is asked to answer, and has to. */
static void hurry(struct sdp_sock *ssk)
{
	struct sdp_source *source = &ssk->conn.source;
	struct sdp_zsend *zsend = &ssk->zsend;
	bool reads = source->left != zsend->left && !source->cancel;

	zsend->left = source->left;
	if (reads) {
		wait_until(ssk, SDP_ZSEND_ADVERTISED, SDP_ZCOPY_ANSWER_TIMEOUT);
	} else if (is_expired(zsend) && !source->cancel) {
		sdp_source_cancel(source);
		sdp_link_push(ssk);
		wait_until(ssk, SDP_ZSEND_ADVERTISED, SDP_ZCOPY_CANCEL_TIMEOUT);
	} else if (is_expired(zsend)) {
		sdp_sock_abort(ssk, ETIMEDOUT);
	}
}

static bool advertised(struct sdp_sock *ssk)
{
	struct sdp_source *source = &ssk->conn.source;
	struct sdp_zsend *zsend = &ssk->zsend;
	u32 rest = source->left ? source->left : source->refused;

	if (source->left && READ_ONCE(ssk->source_pages->mr)) {
		if (!is_over(ssk))
			hurry(ssk);
		return false;
	}
	source->refused = 0;
	zsend->sent = zsend->octets - rest;
	sdp_skip_learn(&ssk->write_skip,
		       zsend->sent == zsend->head && !source->overridden && !is_over(ssk));
	if (source->overridden)
		go_on(ssk);
	else
		invalidate(ssk);
	return true;
}

/* What does not complete is ended by the end of the link, which completes it. */
static bool is_complete(struct sdp_sock *ssk)
{
	if (sdp_pages_is_done(ssk->source_pages))
		return true;
	if (is_expired(&ssk->zsend) && !is_over(ssk))
		sdp_sock_abort(ssk, ETIMEDOUT);
	return false;
}

static bool written(struct sdp_sock *ssk)
{
	if (!is_complete(ssk))
		return false;
	go_on(ssk);
	return true;
}

static bool invalidated(struct sdp_sock *ssk)
{
	if (!is_complete(ssk))
		return false;
	ssk->zsend.state = SDP_ZSEND_COPIED;
	return true;
}

static bool may_fill(const struct sdp_sock *ssk)
{
	const struct sdp_link *link = ssk->link;

	return link && link->ready && !link->stopped && sdp_link_may_fill(ssk);
}

/* Return: whether there was room in a buffer, and memory for it. */
static bool fill(struct sdp_sock *ssk)
{
	struct sdp_zsend *zsend = &ssk->zsend;
	struct sdp_buf *buf = sdp_fill_buf(ssk, SDP_GFP_NOWAIT);
	u32 octets;

	if (!buf)
		return false;
	octets = min(sdp_fill_room(ssk, buf), zsend->octets - zsend->sent);
	sdp_pages_copy(ssk->source_pages, zsend->sent, sdp_fill_at(buf), octets);
	buf->len += octets;
	zsend->sent += octets;
	sdp_urgent_queue(&ssk->conn.urgent, octets, false);
	sdp_link_push(ssk);
	return true;
}

/* Buffers that are allocated here are charged to the cgroup of the socket; a worker has none. */
static bool copied(struct sdp_sock *ssk)
{
	struct sdp_zsend *zsend = &ssk->zsend;
	struct mem_cgroup *before = set_active_memcg(sdp_link_payer(ssk));

	while (zsend->sent < zsend->octets && !is_over(ssk) && may_fill(ssk)) {
		sdp_zsend_copied(zsend->uarg);
		if (fill(ssk))
			continue;
		wait_until(ssk, SDP_ZSEND_COPIED, MEMORY_TIMEOUT);
		break;
	}
	set_active_memcg(before);
	if (zsend->sent < zsend->octets && !is_over(ssk))
		return false;
	finish(ssk);
	return true;
}

static bool idle(struct sdp_sock *ssk)
{
	return false;
}

static bool (*const steps[])(struct sdp_sock *ssk) = {
	[SDP_ZSEND_IDLE] = idle,
	[SDP_ZSEND_ADVERTISED] = advertised,
	[SDP_ZSEND_WRITTEN] = written,
	[SDP_ZSEND_INVALIDATED] = invalidated,
	[SDP_ZSEND_COPIED] = copied,
};

/*
 * The timer and completions queue the task with the spinlock of the socket's lock, even while this
 * has that lock. So it is known here whether the task runs once more.
 */
static bool remove_reference(struct sdp_sock *ssk)
{
	struct sdp_zsend *zsend = &ssk->zsend;
	struct sock *sk = sdp_sock(ssk);
	bool removed;

	spin_lock_bh(&sk->sk_lock.slock);
	removed = zsend->referenced && !zsend->state && !work_pending(&zsend->task.work);
	if (removed)
		zsend->referenced = false;
	spin_unlock_bh(&sk->sk_lock.slock);
	return removed;
}

static void run(struct work_struct *work)
{
	struct sdp_sock *ssk = container_of(work, struct sdp_sock, zsend.task.work);
	struct sock *sk = sdp_sock(ssk);
	bool removed;

	if (!sdp_task_lock(ssk, &ssk->zsend.task))
		return;
	while (steps[ssk->zsend.state](ssk)) {
	}
	removed = remove_reference(ssk);
	release_sock(sk);
	if (removed)
		sock_put(sk);
}

static void timed_out(struct timer_list *timer)
{
	struct sdp_sock *ssk = timer_container_of(ssk, timer, zsend.timer);
	struct sock *sk = sdp_sock(ssk);

	bh_lock_sock(sk);
	sdp_zsend_kick(&ssk->zsend);
	bh_unlock_sock(sk);
	sock_put(sk);
}

void sdp_zsend_init(struct sdp_sock *ssk)
{
	timer_setup(&ssk->zsend.timer, timed_out, 0);
	sdp_task_init(&ssk->zsend.task, run);
}

static void begin(struct sdp_sock *ssk, struct ubuf_info *uarg, u32 octets)
{
	struct sdp_zsend *zsend = &ssk->zsend;

	if (!zsend->referenced)
		sock_hold(sdp_sock(ssk));
	zsend->referenced = true;
	net_zcopy_get(uarg);
	zsend->uarg = uarg;
	zsend->octets = octets;
	zsend->sent = 0;
	zsend->head = 0;
	ssk->source_pages->task = &zsend->task;
	ssk->advertising = true;
	ssk->conn.more = true;
}

/* What the link has begun and cannot go on with is ended by the link's own end. */
static int begin_to_write(struct sdp_sock *ssk, struct msghdr *msg, struct ubuf_info *uarg)
{
	u32 octets = sdp_zwrite_begin(ssk, msg);

	if (!octets)
		return 0;
	begin(ssk, uarg, octets);
	if (!write_next(ssk))
		invalidate(ssk);
	iov_iter_advance(&msg->msg_iter, octets);
	return octets;
}

static int begin_to_advertise(struct sdp_sock *ssk, struct msghdr *msg, struct ubuf_info *uarg)
{
	u32 payload, octets = sdp_zcopy_begin(ssk, msg, SDP_PAGES_READ_LATER, &payload);
	int head;

	if (!octets)
		return 0;
	begin(ssk, uarg, octets);
	head = sdp_zcopy_advertise(ssk, msg, octets, payload);
	if (head < 0) {
		ssk->zsend.sent = octets;
		invalidate(ssk);
		return head == -ENOBUFS ? 0 : head;
	}
	ssk->zsend.head = head;
	ssk->zsend.left = octets - head;
	wait_until(ssk, SDP_ZSEND_ADVERTISED, SDP_ZCOPY_ANSWER_TIMEOUT);
	iov_iter_advance(&msg->msg_iter, octets - head);
	return octets;
}

int sdp_zsend_begin(struct sdp_sock *ssk, struct msghdr *msg, struct ubuf_info *uarg)
{
	int octets = begin_to_write(ssk, msg, uarg);

	return octets ? octets : begin_to_advertise(ssk, msg, uarg);
}

u32 sdp_zsend_left(const struct sdp_sock *ssk)
{
	const struct sdp_zsend *zsend = &ssk->zsend;

	switch (READ_ONCE(zsend->state)) {
	case SDP_ZSEND_IDLE:
		return 0;
	case SDP_ZSEND_ADVERTISED:
		return READ_ONCE(ssk->conn.source.left) + READ_ONCE(ssk->conn.source.refused);
	default:
		return READ_ONCE(zsend->octets) - READ_ONCE(zsend->sent);
	}
}
