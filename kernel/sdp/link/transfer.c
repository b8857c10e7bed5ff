// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Sending and receiving of messages through the queue pair of a connection. */
#include "sdp/link/transfer.h"
#include <net/sock.h>
#include "sdp/link/fill.h"
#include "sdp/link/ops.h"
#include "sdp/link/pages.h"
#include "sdp/link/resize.h"

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
		if (ep->conn.suspend.kept)
			ep->conn.suspend.kept--;
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
		bool payload = queued && sdp_conn_is_payload_next(&ep->conn);

		if (!payload && !list_empty(&link->control) &&
		    sdp_conn_next(&ep->conn, queued, &message))
			link_send_next(ep, &message);
		else if (queued && link_may_post(ep) &&
			 (payload || sdp_conn_payload_max(&ep->conn)))
			link_send_data(ep);
		else
			break;
		/* The last Data message has returned credits too: only DisConn may still be due. */
		if (queued && list_empty(&ep->tx) && !ep->conn.end.disconn)
			break;
	}
	if (notes)
		sdp_fill_note(ep);
	if (ep->emptying && list_empty(&ep->tx))
		sdp_ep_sock(ep)->sk_write_space(sdp_ep_sock(ep));
	/* SuspCommAck was the last message. */
	if (ep->conn.suspend.acked && !link->stopped) {
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
		link->suspended = ep->conn.suspend.acked;
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
