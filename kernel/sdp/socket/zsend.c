// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * MSG_ZEROCOPY. The call of the program pins one segment, and posts the first request or message
 * for it. A task does all later steps: it runs after each event for which a step may wait.
 */
#include "sdp/socket/zsend.h"
#include <linux/sched/mm.h>
#include <linux/skbuff.h>
#include <linux/uio.h>
#include <net/sock.h>
#include "compat.h"
#include "sdp/link/fill.h"
#include "sdp/link/link.h"
#include "sdp/link/pages.h"
#include "sdp/link/transfer.h"
#include "sdp/socket/state.h"
#include "sdp/socket/steps.h"
#include "sdp/socket/zcall.h"
#include "sdp/socket/zcopy.h"
#include "sdp/socket/zwrite.h"

#define REQUEST_TIMEOUT (60 * HZ) /* maximum time for a request to complete */
#define MEMORY_TIMEOUT (HZ / 10) /* time until allocation of a buffer is tried again */

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

static void zsend_wait_until(struct sdp_sock *ssk, enum sdp_zsend_state state, unsigned long delay)
{
	sdp_steps_wait(&ssk->zsend.steps, state, delay);
}

static bool zsend_is_expired(const struct sdp_zsend *zsend)
{
	return sdp_steps_is_expired(&zsend->steps);
}

static bool zsend_is_over(const struct sdp_sock *ssk)
{
	return ssk->ep.inet.sk.sk_state == TCP_CLOSE;
}

/*
 * Write the next octets into the memory of the peer's SinkAvail. Return: whether the RDMA Write was
 * posted.
 */
static bool zsend_write_next(struct sdp_sock *ssk)
{
	struct sdp_zsend *zsend = &ssk->zsend;
	u32 octets = zsend->octets - zsend->sent;

	octets = min(octets, sdp_zwrite_room(ssk));
	if (!octets || !sdp_zwrite_post(ssk, zsend->sent, octets))
		return false;
	zsend->sent += octets;
	zsend_wait_until(ssk, SDP_ZSEND_WRITTEN, REQUEST_TIMEOUT);
	return true;
}

/*
 * Advertise the unsent rest again (S2-266). Only Pipelined mode allows a SrcAvail without payload.
 * Return: whether SrcAvail was sent.
 */
static bool zsend_advertise_next(struct sdp_sock *ssk)
{
	const struct sdp_pages *pages = ssk->ep.source_pages;
	struct sdp_zsend *zsend = &ssk->zsend;
	struct sdp_advert advert = { .len = zsend->octets - zsend->sent };
	u32 payload;

	if (advert.len < SDP_ZCOPY_MIN || !READ_ONCE(pages->mr) || ssk->ep.link->stopped ||
	    !sdp_conn_may_advertise(&ssk->ep.conn, &payload) || payload ||
	    !sdp_link_has_control(ssk->ep.link))
		return false;
	advert.rkey = pages->rkey;
	advert.addr = pages->iova + zsend->sent;
	sdp_link_advertise(&ssk->ep, NULL, &advert);
	sdp_link_push(&ssk->ep);
	zsend->head = zsend->sent;
	zsend->left = advert.len;
	zsend_wait_until(ssk, SDP_ZSEND_ADVERTISED, SDP_ZCOPY_ANSWER_TIMEOUT);
	return true;
}

static void zsend_invalidate(struct sdp_sock *ssk)
{
	sdp_pages_invalidate(&ssk->ep, ssk->ep.source_pages, NULL);
	zsend_wait_until(ssk, SDP_ZSEND_INVALIDATED, REQUEST_TIMEOUT);
}

/* Send the rest, after a SinkAvail has replaced SrcAvail, or did not have room for all octets. */
static void zsend_go_on(struct sdp_sock *ssk)
{
	if (!zsend_write_next(ssk) && !zsend_advertise_next(ssk))
		zsend_invalidate(ssk);
}

static void zsend_finish(struct sdp_sock *ssk)
{
	struct sdp_zsend *zsend = &ssk->zsend;
	struct sock *sk = sdp_sock(ssk);

	sdp_steps_end(&zsend->steps);
	sdp_pages_release(&ssk->ep, ssk->ep.source_pages);
	ssk->ep.advertising = false;
	ssk->ep.conn.end.more = false;
	net_zcopy_put(zsend->uarg);
	zsend->uarg = NULL;
	sdp_link_push(&ssk->ep);
	sk->sk_write_space(sk);
	/* A call of connect() or listen() may wait for the end of the segment. */
	if (zsend_is_over(ssk))
		sk->sk_state_change(sk);
}

/*
 * The functions that follow are steps, one for each state. A step checks whether the event for
 * which the state waits has happened. If so, it begins the next state, and returns true.
 */

/*
 * Restart the timeout if the peer has read octets since the last run of the task. Otherwise send
 * SrcAvailCancel after the timeout, and abort the connection after a second one.
 */
static void zsend_hurry(struct sdp_sock *ssk)
{
	struct sdp_source *source = &ssk->ep.conn.source;
	struct sdp_zsend *zsend = &ssk->zsend;
	bool reads = source->left != zsend->left && !source->cancel;

	zsend->left = source->left;
	if (reads) {
		zsend_wait_until(ssk, SDP_ZSEND_ADVERTISED, SDP_ZCOPY_ANSWER_TIMEOUT);
	} else if (zsend_is_expired(zsend) && !source->cancel) {
		sdp_source_cancel(source);
		sdp_link_push(&ssk->ep);
		zsend_wait_until(ssk, SDP_ZSEND_ADVERTISED, SDP_ZCOPY_CANCEL_TIMEOUT);
	} else if (zsend_is_expired(zsend)) {
		sdp_sock_abort(ssk, ETIMEDOUT);
	}
}

static bool zsend_advertised(struct sdp_sock *ssk)
{
	struct sdp_source *source = &ssk->ep.conn.source;
	struct sdp_zsend *zsend = &ssk->zsend;
	u32 rest = source->left ? source->left : source->refused;

	if (source->left && READ_ONCE(ssk->ep.source_pages->mr)) {
		if (!zsend_is_over(ssk))
			zsend_hurry(ssk);
		return false;
	}
	source->refused = 0;
	zsend->sent = zsend->octets - rest;
	sdp_skip_learn(&ssk->write_skip,
		       zsend->sent == zsend->head && !source->overridden && !zsend_is_over(ssk));
	if (source->overridden)
		zsend_go_on(ssk);
	else
		zsend_invalidate(ssk);
	return true;
}

/* After a timeout the connection is aborted: the end of its link then ends the wait. */
static bool zsend_is_complete(struct sdp_sock *ssk)
{
	if (sdp_pages_is_done(ssk->ep.source_pages))
		return true;
	if (zsend_is_expired(&ssk->zsend) && !zsend_is_over(ssk))
		sdp_sock_abort(ssk, ETIMEDOUT);
	return false;
}

static bool zsend_written(struct sdp_sock *ssk)
{
	if (!zsend_is_complete(ssk))
		return false;
	zsend_go_on(ssk);
	return true;
}

static bool zsend_invalidated(struct sdp_sock *ssk)
{
	if (!zsend_is_complete(ssk))
		return false;
	WRITE_ONCE(ssk->zsend.steps.state, SDP_ZSEND_COPIED);
	return true;
}

static bool zsend_may_fill(const struct sdp_sock *ssk)
{
	const struct sdp_link *link = ssk->ep.link;

	return link && link->ready && !link->stopped && sdp_link_may_fill(&ssk->ep);
}

/* Copy octets of the segment into a buffer. Return: false if there is no buffer with room. */
static bool zsend_fill(struct sdp_sock *ssk)
{
	struct sdp_zsend *zsend = &ssk->zsend;
	struct sdp_buf *buf = sdp_link_fill_buf(&ssk->ep, SDP_GFP_NOWAIT);
	u32 octets;

	if (!buf)
		return false;
	octets = min(sdp_fill_room(&ssk->ep, buf), zsend->octets - zsend->sent);
	sdp_pages_copy(ssk->ep.source_pages, zsend->sent, sdp_fill_at(buf), octets);
	buf->len += octets;
	zsend->sent += octets;
	sdp_urgent_queue(&ssk->ep.conn.urgent, octets, false);
	sdp_link_push(&ssk->ep);
	return true;
}

/*
 * Copy the rest into buffers. They are charged to the cgroup of the socket, because the worker does
 * not have a cgroup.
 */
static bool zsend_copied(struct sdp_sock *ssk)
{
	struct sdp_zsend *zsend = &ssk->zsend;
	struct mem_cgroup *before = set_active_memcg(sdp_link_payer(&ssk->ep));

	while (zsend->sent < zsend->octets && !zsend_is_over(ssk) && zsend_may_fill(ssk)) {
		sdp_zsend_copied(zsend->uarg);
		if (zsend_fill(ssk))
			continue;
		zsend_wait_until(ssk, SDP_ZSEND_COPIED, MEMORY_TIMEOUT);
		break;
	}
	set_active_memcg(before);
	if (zsend->sent < zsend->octets && !zsend_is_over(ssk))
		return false;
	zsend_finish(ssk);
	return true;
}

static const sdp_step steps[] = {
	[SDP_ZSEND_ADVERTISED] = zsend_advertised,
	[SDP_ZSEND_WRITTEN] = zsend_written,
	[SDP_ZSEND_INVALIDATED] = zsend_invalidated,
	[SDP_ZSEND_COPIED] = zsend_copied,
};

void sdp_zsend_init(struct sdp_sock *ssk)
{
	sdp_steps_init(&ssk->zsend.steps, ssk, steps);
}

static void zsend_begin(struct sdp_sock *ssk, struct ubuf_info *uarg, u32 octets)
{
	struct sdp_zsend *zsend = &ssk->zsend;

	sdp_steps_begin(&zsend->steps);
	net_zcopy_get(uarg);
	zsend->uarg = uarg;
	zsend->octets = octets;
	zsend->sent = 0;
	zsend->head = 0;
	ssk->ep.source_pages->task = &zsend->steps.task;
	ssk->ep.advertising = true;
	ssk->ep.conn.end.more = true;
}

/*
 * If the RDMA Write cannot be posted, the link is stopped. The end of the link then runs the task.
 */
static int zsend_begin_to_write(struct sdp_sock *ssk, struct msghdr *msg, struct ubuf_info *uarg)
{
	u32 octets = sdp_zwrite_begin(ssk, msg);

	if (!octets)
		return 0;
	zsend_begin(ssk, uarg, octets);
	if (!zsend_write_next(ssk))
		zsend_invalidate(ssk);
	iov_iter_advance(&msg->msg_iter, octets);
	return octets;
}

static int zsend_begin_to_advertise(struct sdp_sock *ssk, struct msghdr *msg,
				    struct ubuf_info *uarg)
{
	u32 payload, octets = sdp_zcopy_begin(ssk, msg, SDP_PAGES_READ_LATER, &payload);
	int head;

	if (!octets)
		return 0;
	zsend_begin(ssk, uarg, octets);
	head = sdp_zcopy_advertise(ssk, msg, octets, payload);
	if (head < 0) {
		ssk->zsend.sent = octets;
		zsend_invalidate(ssk);
		return head == -ENOBUFS ? 0 : head;
	}
	ssk->zsend.head = head;
	ssk->zsend.left = octets - head;
	zsend_wait_until(ssk, SDP_ZSEND_ADVERTISED, SDP_ZCOPY_ANSWER_TIMEOUT);
	iov_iter_advance(&msg->msg_iter, octets - head);
	return octets;
}

int sdp_zsend_begin(struct sdp_sock *ssk, struct msghdr *msg, struct ubuf_info *uarg)
{
	int octets = zsend_begin_to_write(ssk, msg, uarg);

	return octets ? octets : zsend_begin_to_advertise(ssk, msg, uarg);
}

u32 sdp_zsend_left(const struct sdp_sock *ssk)
{
	const struct sdp_zsend *zsend = &ssk->zsend;

	switch (READ_ONCE(zsend->steps.state)) {
	case SDP_ZSEND_IDLE:
		return 0;
	case SDP_ZSEND_ADVERTISED:
		return READ_ONCE(ssk->ep.conn.source.left) + READ_ONCE(ssk->ep.conn.source.refused);
	default:
		return READ_ONCE(zsend->octets) - READ_ONCE(zsend->sent);
	}
}
