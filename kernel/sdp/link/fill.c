// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Buffered copy: buffers to fill with payload, and the room in those that are not sent. */
#include "sdp/link/fill.h"
#include <linux/log2.h>
#include "sdp/link/watch.h"

struct sdp_buf *sdp_fill_last(struct sdp_ep *ep)
{
	struct sdp_buf *buf;

	if (list_empty(&ep->tx))
		return NULL;
	buf = list_last_entry(&ep->tx, struct sdp_buf, list);
	return !buf->oob && sdp_fill_room(ep, buf) ? buf : NULL;
}

bool sdp_fill_last_waits(const struct sdp_ep *ep)
{
	const struct sdp_buf *buf;

	if (ep->conn.end.disconn || !list_is_singular(&ep->tx))
		return false;
	buf = list_first_entry(&ep->tx, struct sdp_buf, list);
	return !buf->oob && sdp_fill_room(ep, buf);
}

void sdp_fill_note(struct sdp_ep *ep)
{
	WRITE_ONCE(ep->tx_open, list_empty(&ep->tx) || sdp_fill_last(ep));
}

bool sdp_link_may_fill(const struct sdp_ep *ep)
{
	bool more = READ_ONCE(ep->send_used) < READ_ONCE(ep->send_bufs);

	return (more || READ_ONCE(ep->tx_open)) && !READ_ONCE(ep->send_short) &&
	       !READ_ONCE(ep->conn.suspend.acked);
}

void sdp_link_put_buf(struct sdp_ep *ep, struct sdp_buf *buf)
{
	list_move(&buf->list, &ep->link->free);
	ep->send_used--;
	WRITE_ONCE(ep->send_short, false);
	sdp_fill_note(ep);
}

/* Memory is short: post a probe, whose completion frees the buffers of unsignaled messages. */
static void link_wait_for_sent(struct sdp_ep *ep)
{
	WRITE_ONCE(ep->send_short, ep->send_used);
	if (ep->send_short && ep->link->unsignaled)
		sdp_link_probe(ep);
}

/* A buffer below full size gets no MR, because a copy of its payload costs less. */
static struct sdp_buf *link_alloc_send_buf(struct sdp_ep *ep, u32 size, gfp_t gfp)
{
	struct sdp_link *link = ep->link;
	struct sdp_buf *buf = sdp_buf_alloc(ep, SDP_MEMORY_SEND, link->pd, size, gfp);

	if (!buf)
		return NULL;
	/* Registration may sleep, because the driver allocates memory. */
	if (size == SDP_BUF_SIZE && gfpflags_allow_blocking(gfp)) {
		sdp_buf_register(link->qp, buf, &link->reg_cqe);
		link->unsignaled++;
	}
	list_add(&buf->all, &link->bufs);
	sdp_watch_add(ep);
	return buf;
}

/* Size of a new send buffer: a page, for a second after allocation of a larger one has failed. */
static u32 link_send_buf_size(const struct sdp_link *link)
{
	if (time_before(jiffies, link->larger_at))
		return PAGE_SIZE;
	return max_t(u32, roundup_pow_of_two(link->send_size), PAGE_SIZE);
}

/*
 * Allocate a buffer in place of @small, a free buffer that is too small, or NULL. Return: a buffer
 * of link_send_buf_size(); if memory is short, @small or a buffer of a page; or NULL.
 */
static struct sdp_buf *link_find_send_buf(struct sdp_ep *ep, struct sdp_buf *small, gfp_t gfp)
{
	struct sdp_link *link = ep->link;
	u32 size = link_send_buf_size(link);
	struct sdp_buf *buf = link_alloc_send_buf(ep, size, gfp);

	if (!buf)
		link->larger_at = jiffies + HZ;
	if (buf && small)
		sdp_buf_discard(ep, link->pd, small);
	if (buf || small)
		return buf ? buf : small;
	return size > PAGE_SIZE ? link_alloc_send_buf(ep, PAGE_SIZE, gfp) : NULL;
}

struct sdp_buf *sdp_link_send_buf(struct sdp_ep *ep, gfp_t gfp)
{
	struct sdp_link *link = ep->link;
	struct sdp_buf *buf;

	if (!link || link->stopped)
		return NULL;
	if (ep->send_used >= ep->send_bufs && !list_empty(&ep->tx))
		return NULL;
	buf = list_first_entry_or_null(&link->free, struct sdp_buf, list);
	if (buf)
		list_del_init(&buf->list);
	if ((!buf || buf->size < link_send_buf_size(link)) && sdp_gate_get(&link->objects)) {
		buf = link_find_send_buf(ep, buf, gfp);
		sdp_gate_put(&link->objects);
		if (!buf)
			link_wait_for_sent(ep);
	}
	if (!buf)
		return NULL;
	ep->send_used++;
	buf->offset = SDP_BSDH_SIZE;
	buf->len = 0;
	buf->oob = false;
	return buf;
}

struct sdp_buf *sdp_link_fill_buf(struct sdp_ep *ep, gfp_t gfp)
{
	struct sdp_buf *buf = sdp_fill_last(ep);

	if (buf)
		return buf;
	buf = sdp_link_send_buf(ep, gfp);
	if (buf)
		list_add_tail(&buf->list, &ep->tx);
	return buf;
}
