// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Sending and receiving of messages through the queue pair of a connection. */
#include "sdp/link/transfer.h"
#include <linux/log2.h>
#include <net/sock.h>
#include "sdp/link/fill.h"
#include "sdp/link/ops.h"
#include "sdp/link/pages.h"
#include "sdp/link/resize.h"
#include "sdp/link/watch.h"

static bool link_is_slot(const struct sdp_link *link, const struct sdp_buf *buf)
{
	return buf >= link->slots && buf < link->slots + SDP_CONTROL_BUFS;
}

void sdp_link_repost(struct sdp_ep *ep, struct sdp_buf *buf)
{
	struct sdp_link *link = ep->link;

	buf->kept = false;
	if (list_empty(&buf->all)) {
		sdp_buf_free(ep, buf);
		if (ep->conn.kept)
			ep->conn.kept--;
	} else if (link && !link->stopped && sdp_gate_get(&link->objects)) {
		buf = sdp_resize_exchange(ep, buf);
		if (buf && !sdp_link_post_recv(link, buf))
			sdp_conn_posted(&ep->conn, 1);
		sdp_gate_put(&link->objects);
	}
}

static void link_send_control(struct sdp_ep *ep, const struct sdp_message *message)
{
	struct sdp_link *link = ep->link;
	struct sdp_buf *slot = list_first_entry(&link->control, struct sdp_buf, list);
	u8 *headers = link->headers[slot - link->slots];

	list_del_init(&slot->list);
	sdp_link_post_send(ep, slot, sdp_message_pack(message, headers),
			   sdp_is_solicited(&message->bsdh),
			   message->last && link->invalidates ? &message->rkey : NULL);
}

void sdp_link_advertise(struct sdp_ep *ep, struct sdp_buf *buf, const struct sdp_advert *advert)
{
	struct sdp_message message;

	sdp_conn_advertise(&ep->conn, advert, buf ? buf->len : 0, &message);
	if (!buf) {
		link_send_control(ep, &message);
		return;
	}
	sdp_message_pack(&message, sdp_buf_data(buf));
	sdp_link_post_send(ep, buf, message.bsdh.len, sdp_is_solicited(&message.bsdh), NULL);
}

void sdp_link_make_room(struct sdp_ep *ep, const struct sdp_advert *advert)
{
	struct sdp_message message;

	sdp_conn_make_room(&ep->conn, advert, 0, &message);
	link_send_control(ep, &message);
}

static void link_send_data(struct sdp_ep *ep)
{
	struct sdp_buf *buf = list_first_entry(&ep->tx, struct sdp_buf, list);
	struct sdp_bsdh bsdh;

	list_del_init(&buf->list);
	sdp_conn_data(&ep->conn, buf->len, buf->oob, &bsdh);
	sdp_bsdh_pack(&bsdh, sdp_buf_data(buf));
	sdp_link_post_send(ep, buf, bsdh.len, sdp_is_solicited(&bsdh), NULL);
}

/* After RdmaRdCompl, the peer's next SrcAvail may be readable. */
static void link_send_next(struct sdp_ep *ep, const struct sdp_message *message)
{
	link_send_control(ep, message);
	if (message->bsdh.mid == SDP_MID_RDMA_RD_COMPL && sdp_sink_is_readable(&ep->conn.sink))
		sdp_link_ops->readable(ep);
}

/* The program may fill one buffer above send_bufs, which is posted when another has completed. */
static bool link_may_post(const struct sdp_ep *ep)
{
	return ep->send_used <= ep->send_bufs;
}

void sdp_link_push(struct sdp_ep *ep)
{
	bool notes = !list_empty(&ep->tx);
	struct sdp_link *link = ep->link;
	struct sdp_message message;

	if (!link || !link->ready || (!notes && sdp_conn_is_quiet(&ep->conn)))
		return;
	while (!link->stopped) {
		bool queued = sdp_fill_may_send(ep);

		if (!list_empty(&link->control) && sdp_conn_next(&ep->conn, queued, &message))
			link_send_next(ep, &message);
		else if (queued && link_may_post(ep) && sdp_conn_payload_max(&ep->conn))
			link_send_data(ep);
		else
			break;
		/* The last Data message has returned credits too: only DisConn may still be due. */
		if (queued && list_empty(&ep->tx) && !ep->conn.disconn)
			break;
	}
	if (notes)
		sdp_fill_note(ep);
	if (ep->emptying && list_empty(&ep->tx))
		sdp_ep_sock(ep)->sk_write_space(sdp_ep_sock(ep));
	/* SuspCommAck was the last message. */
	if (ep->conn.suspended && !link->stopped) {
		link->ready = false;
		sdp_link_stop_when_sent(ep);
	}
}

static void link_fail(struct sdp_ep *ep, enum ib_wc_status status)
{
	struct sdp_link *link = ep->link;

	if (!link->err)
		link->err = status == IB_WC_RETRY_EXC_ERR ? ETIMEDOUT : ECONNRESET;
	sdp_link_stop(ep);
}

/*
 * Free the buffers of a completed message and all earlier ones. The loop visits the buffers of the
 * link.
 */
static void link_retire(struct sdp_ep *ep, const struct sdp_buf *last)
{
	struct sdp_link *link = ep->link;
	struct sdp_buf *buf, *next;

	list_for_each_entry_safe(buf, next, &link->sent, sent) {
		list_del(&buf->sent);
		link->outstanding--;
		WRITE_ONCE(ep->send_short, false);
		if (link_is_slot(link, buf)) {
			list_add_tail(&buf->list, &link->control);
		} else {
			list_add(&buf->list, &link->free);
			ep->send_used--;
		}
		if (buf == last)
			break;
	}
}

static void link_sent(struct sdp_ep *ep, struct sdp_buf *buf)
{
	struct sdp_link *link = ep->link;

	link_retire(ep, buf);
	if (buf->status != IB_WC_SUCCESS) {
		link_fail(ep, buf->status);
	} else if (link->stopping && !link->outstanding) {
		link->suspended = ep->conn.suspended;
		sdp_link_stop(ep);
	}
}

static void link_deliver(struct sdp_ep *ep, struct sdp_buf *buf,
			 const struct sdp_delivery *delivery)
{
	bool full = buf->received >= ep->conn.size;
	bool keep = false;

	if (delivery->resize || delivery->peer_resized)
		sdp_resize(ep, delivery);
	if (delivery->payload || delivery->oob_pend || delivery->oob_pres)
		keep = sdp_link_ops->received(ep, buf, delivery);
	if (!keep)
		sdp_link_repost(ep, buf);
	sdp_resize_replenish(ep, full);
	sdp_link_ops->delivered(ep, delivery);
}

/*
 * Return whether this end has advertised the R_Key that a message has invalidated (S2-177, S2-185).
 */
static bool link_may_invalidate(struct sdp_ep *ep, const struct sdp_buf *buf)
{
	return !buf->invalidates || sdp_pages_invalidated(ep->source_pages, buf->rkey) ||
	       sdp_pages_invalidated(ep->sink_pages, buf->rkey);
}

static void link_received(struct sdp_ep *ep, struct sdp_buf *buf)
{
	struct sdp_link *link = ep->link;
	struct sock *sk = sdp_ep_sock(ep);
	struct sdp_delivery delivery;
	enum sdp_fault fault;

	if (buf->status != IB_WC_SUCCESS) {
		link_fail(ep, buf->status);
		return;
	}
	if (sk->sk_state == TCP_CLOSE)
		return;
	/*
	 * Keep a message that arrives before the peer's RTU. ib_cm_notify() could replace the RTU,
	 * but not in softirq context: it nests locks that are held with interrupts enabled.
	 */
	if (sk->sk_state == TCP_SYN_RECV) {
		list_add_tail(&buf->list, &link->early);
		return;
	}
	if (link_may_invalidate(ep, buf))
		fault = sdp_conn_receive(&ep->conn, sdp_buf_data(buf), buf->received, &delivery);
	else
		fault = SDP_FAULT_STATE;
	if (!fault) {
		link_deliver(ep, buf, &delivery);
		return;
	}
	net_dbg_ratelimited("hca_sdp: message refused: %s\n", sdp_fault_str(fault));
	sdp_link_ops->failed(ep, EPROTO);
}

void sdp_link_complete(struct sdp_ep *ep, struct sdp_buf *buf)
{
	bool is_sent = !buf->receives;

	if (buf->status == IB_WC_SUCCESS)
		ep->alive_at = jiffies;
	if (is_sent)
		link_sent(ep, buf);
	else
		link_received(ep, buf);
	sdp_link_push(ep);
	if (is_sent)
		sdp_link_ops->room(ep);
	sdp_link_ops->progress(ep);
}

/* The list has at most one completion for each buffer of the connection, about 800. */
void sdp_link_process_arrived(struct sdp_ep *ep)
{
	struct sdp_link *link = ep->link;
	struct sdp_buf *buf;

	if (!link)
		return;
	while ((buf = list_first_entry_or_null(&link->arrived, struct sdp_buf, list))) {
		list_del_init(&buf->list);
		sdp_link_complete(ep, buf);
	}
}

void sdp_link_done(struct ib_cq *cq, struct ib_wc *wc)
{
	struct sdp_link *link = cq->cq_context;
	struct sdp_buf *buf = container_of(wc->wr_cqe, struct sdp_buf, cqe);
	struct sock *sk = link->sk;

	buf->status = wc->status;
	buf->received = wc->byte_len;
	buf->invalidates = wc->wc_flags & IB_WC_WITH_INVALIDATE;
	buf->rkey = wc->ex.invalidate_rkey;
	if (buf->receives && wc->status == IB_WC_SUCCESS)
		ib_dma_sync_single_for_cpu(cq->device, buf->sge.addr, buf->size, DMA_FROM_DEVICE);
	bh_lock_sock(sk);
	if (sock_owned_by_user(sk))
		list_add_tail(&buf->list, &link->arrived);
	else
		sdp_link_complete(sdp_ep(sk), buf);
	bh_unlock_sock(sk);
}

void sdp_link_ready(struct sdp_ep *ep)
{
	struct sdp_link *link = ep->link;
	struct sdp_buf *buf;

	link->ready = true;
	sdp_fill_note(ep);
	while ((buf = list_first_entry_or_null(&link->early, struct sdp_buf, list))) {
		list_del_init(&buf->list);
		sdp_link_complete(ep, buf);
	}
	sdp_link_push(ep);
}

bool sdp_link_may_fill(const struct sdp_ep *ep)
{
	bool more = READ_ONCE(ep->send_used) < READ_ONCE(ep->send_bufs);

	return (more || READ_ONCE(ep->tx_open)) && !READ_ONCE(ep->send_short) &&
	       !READ_ONCE(ep->conn.suspended);
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
