// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Changes of the size of private buffers on the peer's request, and of their number by use. */
#include "sdp/link/resize.h"
#include <linux/log2.h>
#include <linux/sched/mm.h>
#include "sdp/link/memory.h"
#include "sdp/link/watch.h"

static void resize_discard_all(struct sdp_ep *ep, struct list_head *spares)
{
	struct sdp_buf *buf, *next;

	list_for_each_entry_safe(buf, next, spares, list) {
		list_del(&buf->list);
		sdp_buf_discard(ep, ep->link->pd, buf);
	}
}

static struct sdp_buf *resize_alloc(struct sdp_ep *ep, u32 size)
{
	struct sdp_link *link = ep->link;
	struct mem_cgroup *before = set_active_memcg(sdp_link_payer(ep));
	struct sdp_buf *buf = sdp_buf_alloc(ep, SDP_MEMORY_RECEIVE, link->pd, size, SDP_GFP_NOWAIT);

	set_active_memcg(before);
	if (buf)
		list_add(&buf->all, &link->bufs);
	return buf;
}

static bool resize_alloc_spares(struct sdp_ep *ep, u32 count, u32 size, struct list_head *spares)
{
	struct sdp_buf *buf;

	while (count--) {
		buf = resize_alloc(ep, size);
		if (!buf)
			return false;
		list_add(&buf->list, spares);
	}
	return true;
}

/*
 * Return whether the memory limit allows larger buffers. Unread payload stays in buffers of former
 * sizes, so that a peer that changes the size repeatedly could otherwise use unlimited memory.
 */
static bool resize_is_bounded(const struct sdp_ep *ep, u64 octets, u32 size)
{
	u64 most = max(ep->link->recv_most, SDP_RECV_BUFS_MIN * size);

	return size <= ep->link->recv_size || ep->memory[SDP_MEMORY_RECEIVE] + octets <= 2 * most;
}

/*
 * Allocate a buffer of the new size for each posted buffer, and for the buffer with the request.
 * Allocate at least SDP_RECV_BUFS_MIN, because smaller buffers are not posted again. Buffers with
 * unread payload are not replaced. Return: false if memory is exhausted: the old size stays.
 */
static bool resize_alloc_all(struct sdp_ep *ep, u32 size)
{
	struct sdp_link *link = ep->link;
	u32 count = clamp_t(u32, ep->conn.credits.posted + 1, SDP_RECV_BUFS_MIN, link->recv_bufs);
	LIST_HEAD(spares);
	bool done = resize_is_bounded(ep, (u64)count * size, size) &&
		    resize_alloc_spares(ep, count, size, &spares);

	resize_discard_all(ep, done ? &link->spares : &spares);
	if (!done)
		return false;
	list_splice_init(&spares, &link->spares);
	link->recv_size = size;
	return true;
}

static void resize_want(struct sdp_ep *ep, u32 bufs)
{
	ep->link->recv_bufs = bufs;
	sdp_conn_wants(&ep->conn, bufs);
}

/*
 * A buffer is not larger than SO_RCVBUF. If memory is fragmented, half or a quarter of the
 * requested size may be available (S2-236).
 */
static void resize_larger(struct sdp_ep *ep, u32 size)
{
	u32 before = ep->link->recv_size;
	u32 pages = min(roundup_pow_of_two(size), rounddown_pow_of_two(ep->link->recv_most));

	for (; pages > before; pages /= 2) {
		if (resize_alloc_all(ep, pages)) {
			sdp_conn_resized(&ep->conn, min(size, pages));
			return;
		}
	}
}

/*
 * A large number of buffers is useful only with large buffers. The smaller buffers are charged
 * regardless of the limits, because they replace larger ones.
 */
static void resize_smaller(struct sdp_ep *ep, u32 size)
{
	resize_want(ep, SDP_RECV_BUFS_MIN);
	ep->memory_exchanged = true;
	if (resize_alloc_all(ep, roundup_pow_of_two(max_t(u32, size, PAGE_SIZE))))
		sdp_conn_resized(&ep->conn, size);
	ep->memory_exchanged = false;
}

static void resize_adopt(struct sdp_ep *ep, u32 size)
{
	struct sdp_gate *gate = &ep->link->objects;

	if (!sdp_gate_get(gate))
		return;
	if (size > ep->conn.size)
		resize_larger(ep, size);
	else
		resize_smaller(ep, size);
	sdp_gate_put(gate);
}

void sdp_resize(struct sdp_ep *ep, const struct sdp_delivery *delivery)
{
	if (delivery->resize)
		resize_adopt(ep, delivery->resize);
	if (delivery->peer_resized) {
		sdp_resize_limit(ep);
		sdp_watch_add(ep);
	}
}

/* Return: a spare buffer, or a new one, or NULL. */
static struct sdp_buf *resize_new_buf(struct sdp_ep *ep)
{
	struct sdp_link *link = ep->link;
	struct sdp_buf *spare = list_first_entry_or_null(&link->spares, struct sdp_buf, list);

	if (spare) {
		list_del_init(&spare->list);
		return spare;
	}
	if (ep->memory[SDP_MEMORY_RECEIVE] + link->recv_size > link->recv_most)
		return NULL;
	return resize_alloc(ep, link->recv_size);
}

struct sdp_buf *sdp_resize_exchange(struct sdp_ep *ep, struct sdp_buf *buf)
{
	struct sdp_link *link = ep->link;
	struct sdp_buf *other = NULL;

	if (ep->conn.credits.posted < link->recv_bufs) {
		if (buf->size == link->recv_size)
			return buf;
		other = resize_new_buf(ep);
		/* A buffer of a larger size can be posted again. */
		if (!other && buf->size > link->recv_size)
			return buf;
		/* A credit update waits for half of recv_bufs, so reduce recv_bufs. */
		if (!other && link->recv_bufs > SDP_RECV_BUFS_MIN)
			resize_want(ep, link->recv_bufs - 1);
	}
	sdp_buf_discard(ep, link->pd, buf);
	return other;
}

static bool resize_post_one(struct sdp_ep *ep)
{
	struct sdp_buf *buf = resize_new_buf(ep);

	if (!buf || sdp_link_post_recv(ep->link, buf))
		return false;
	sdp_conn_posted(&ep->conn, 1);
	return true;
}

void sdp_resize_post_more(struct sdp_ep *ep, bool full)
{
	struct sdp_link *link = ep->link;
	bool more = full && link->recv_bufs < link->recv_bufs_most;

	if (link->stopped || !sdp_gate_get(&link->objects))
		return;
	if (READ_ONCE(sdp_memory_pressure)) {
		resize_want(ep, min(link->recv_bufs, SDP_RECV_BUFS_MIN));
		more = false;
	}
	while (ep->conn.credits.posted < link->recv_bufs)
		if (!resize_post_one(ep))
			break;
	if (more && ep->conn.credits.posted == link->recv_bufs && resize_post_one(ep))
		resize_want(ep, link->recv_bufs + 1);
	sdp_gate_put(&link->objects);
}
