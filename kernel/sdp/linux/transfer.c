// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Messages of a connection through its queue pair. */
#include "sdp/linux/transfer.h"
#include <linux/log2.h>
#include <net/sock.h>
#include "sdp/linux/cork.h"
#include "sdp/linux/fill.h"
#include "sdp/linux/idle.h"
#include "sdp/linux/pages.h"
#include "sdp/linux/resize.h"

#define SIGNAL_EVERY SDP_SEND_BUFS_MIN /* message, at least */

static bool is_slot(const struct sdp_link *link, const struct sdp_buf *buf)
{
	return buf >= link->slots && buf < link->slots + SDP_CONTROL_BUFS;
}

/* Completions of one connection come one after the other, as long as there is its device. */
static void completed(struct ib_cq *cq, struct ib_wc *wc)
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
		sdp_link_complete(sdp_sk(sk), buf);
	bh_unlock_sock(sk);
}

static void received_done(struct ib_cq *cq, struct ib_wc *wc)
{
	completed(cq, wc);
}

static void sent_done(struct ib_cq *cq, struct ib_wc *wc)
{
	completed(cq, wc);
}

int sdp_link_post_recv(struct sdp_link *link, struct sdp_buf *buf)
{
	struct ib_recv_wr wr = { .wr_cqe = &buf->cqe, .sg_list = &buf->sge, .num_sge = 1 };

	buf->cqe.done = received_done;
	buf->sge.length = buf->size;
	buf->receives = true;
	buf->kept = false;
	ib_dma_sync_single_for_device(link->device->ib, buf->sge.addr, buf->size, DMA_FROM_DEVICE);
	return ib_post_recv(link->qp, &wr, NULL);
}

void sdp_link_repost(struct sdp_sock *ssk, struct sdp_buf *buf)
{
	struct sdp_link *link = ssk->link;

	buf->kept = false;
	if (list_empty(&buf->all)) {
		sdp_buf_free(ssk, buf);
		if (ssk->conn.kept)
			ssk->conn.kept--;
	} else if (link && !link->stopped && sdp_gate_get(&link->objects)) {
		buf = sdp_resize_exchange(ssk, buf);
		if (buf && !sdp_link_post_recv(link, buf))
			sdp_conn_posted(&ssk->conn, 1);
		sdp_gate_put(&link->objects);
	}
}

/*
 * Messages complete in order, so a completion is for all before it as well. The last ones are not
 * known to have completed until more are sent: fewer than there are buffers, so that there is one
 * to go on with. From DisConn on the end depends on each, and after SuspCommAck nothing is sent.
 * Where memory is short the next buffer is one of these. The last message for which there is credit
 * is one earlier: if one before it were, its own buffer would be missing when the program goes on.
 */
static int send_flags(struct sdp_sock *ssk, bool solicited)
{
	struct sdp_link *link = ssk->link;
	int flags = solicited ? IB_SEND_SOLICITED : 0;

	if (++link->unsignaled < SIGNAL_EVERY - !sdp_conn_payload_max(&ssk->conn) &&
	    !ssk->conn.disconn_sent &&
	    !ssk->conn.suspended && !ssk->send_short)
		return flags;
	link->unsignaled = 0;
	return flags | IB_SEND_SIGNALED;
}

static void post(struct sdp_sock *ssk, struct sdp_buf *buf, const struct ib_send_wr *wr)
{
	struct sdp_link *link = ssk->link;

	buf->cqe.done = sent_done;
	list_add_tail(&buf->sent, &link->sent);
	link->outstanding++;
	if (ib_post_send(link->qp, wr, NULL)) {
		list_del(&buf->sent);
		link->outstanding--;
		link->err = link->err ? link->err : ECONNRESET;
		sdp_link_stop(ssk);
	}
}

/* Sends @length octets of a buffer. The peer's device invalidates @rkey, which may be NULL. */
static void post_send(struct sdp_sock *ssk, struct sdp_buf *buf, u32 length, bool solicited,
		      const u32 *rkey)
{
	struct sdp_link *link = ssk->link;
	const struct ib_send_wr wr = {
		.wr_cqe = &buf->cqe,
		.sg_list = &buf->sge,
		.num_sge = 1,
		.opcode = rkey ? IB_WR_SEND_WITH_INV : IB_WR_SEND,
		.send_flags = send_flags(ssk, solicited),
		.ex.invalidate_rkey = rkey ? *rkey : 0,
	};

	if (!sdp_gate_get(&link->objects)) {
		sdp_link_stop(ssk);
		return;
	}
	buf->sge.length = length;
	ib_dma_sync_single_for_device(link->device->ib, buf->sge.addr, length, DMA_TO_DEVICE);
	post(ssk, buf, &wr);
	sdp_gate_put(&link->objects);
}

void sdp_link_probe(struct sdp_sock *ssk)
{
	struct sdp_link *link = ssk->link;
	struct sdp_buf *slot = list_first_entry_or_null(&link->control, struct sdp_buf, list);
	struct ib_rdma_wr wr = {
		.wr = { .opcode = IB_WR_RDMA_WRITE, .send_flags = IB_SEND_SIGNALED },
	};

	if (!slot || link->stopped || !sdp_gate_get(&link->objects))
		return;
	list_del_init(&slot->list);
	link->unsignaled = 0; /* its completion is for all before it */
	wr.wr.wr_cqe = &slot->cqe;
	post(ssk, slot, &wr.wr);
	sdp_gate_put(&link->objects);
}

static void send_control(struct sdp_sock *ssk, const struct sdp_message *message)
{
	struct sdp_link *link = ssk->link;
	struct sdp_buf *slot = list_first_entry(&link->control, struct sdp_buf, list);
	u8 *headers = link->headers[slot - link->slots];

	list_del_init(&slot->list);
	post_send(ssk, slot, sdp_message_pack(message, headers), sdp_is_solicited(&message->bsdh),
		  message->last && link->invalidates ? &message->rkey : NULL);
}

void sdp_link_advertise(struct sdp_sock *ssk, struct sdp_buf *buf,
			const struct sdp_advert *advert)
{
	struct sdp_message message;

	sdp_conn_advertise(&ssk->conn, advert, buf ? buf->len : 0, &message);
	if (!buf) {
		send_control(ssk, &message);
		return;
	}
	sdp_message_pack(&message, sdp_buf_data(buf));
	post_send(ssk, buf, message.bsdh.len, sdp_is_solicited(&message.bsdh), NULL);
}

void sdp_link_make_room(struct sdp_sock *ssk, const struct sdp_advert *advert)
{
	struct sdp_message message;

	sdp_conn_make_room(&ssk->conn, advert, 0, &message);
	send_control(ssk, &message);
}

static void send_data(struct sdp_sock *ssk)
{
	struct sdp_buf *buf = list_first_entry(&ssk->tx, struct sdp_buf, list);
	struct sdp_bsdh bsdh;

	list_del_init(&buf->list);
	sdp_conn_data(&ssk->conn, buf->len, buf->oob, &bsdh);
	sdp_bsdh_pack(&bsdh, sdp_buf_data(buf));
	post_send(ssk, buf, bsdh.len, sdp_is_solicited(&bsdh), NULL);
}

/* Once the peer is told of what was read, the next of what it advertises can be. */
static void send_next(struct sdp_sock *ssk, const struct sdp_message *message)
{
	send_control(ssk, message);
	if (message->bsdh.mid == SDP_MID_RDMA_RD_COMPL && sdp_sink_is_readable(&ssk->conn.sink))
		sdp_sock(ssk)->sk_data_ready(sdp_sock(ssk));
}

/* All buffers may be on their way while one more waits, so that a program need not. */
static bool may_post(const struct sdp_sock *ssk)
{
	return ssk->send_used <= ssk->send_bufs;
}

void sdp_link_push(struct sdp_sock *ssk)
{
	bool notes = !list_empty(&ssk->tx);
	struct sdp_link *link = ssk->link;
	struct sdp_message message;

	if (!link || !link->ready || (!notes && sdp_conn_is_quiet(&ssk->conn)))
		return;
	while (!link->stopped) {
		bool queued = sdp_cork_may_send(ssk);

		if (!list_empty(&link->control) && sdp_conn_next(&ssk->conn, queued, &message))
			send_next(ssk, &message);
		else if (queued && may_post(ssk) && sdp_conn_payload_max(&ssk->conn))
			send_data(ssk);
		else
			break;
		/* Data says what else might be said now, but for the end. */
		if (queued && list_empty(&ssk->tx) && !ssk->conn.disconn)
			break;
	}
	if (notes)
		sdp_fill_note(ssk);
	if (ssk->emptying && list_empty(&ssk->tx))
		sdp_sock(ssk)->sk_write_space(sdp_sock(ssk));
	/* SuspCommAck was the last message. */
	if (ssk->conn.suspended && !link->stopped) {
		link->ready = false;
		sdp_link_stop_when_sent(ssk);
	}
}

static void fail(struct sdp_sock *ssk, enum ib_wc_status status)
{
	struct sdp_link *link = ssk->link;

	if (!link->err)
		link->err = status == IB_WC_RETRY_EXC_ERR ? ETIMEDOUT : ECONNRESET;
	sdp_link_stop(ssk);
}

/* Makes the buffers of a message, and of those before it, free for others. Bound: as there are. */
static void retire(struct sdp_sock *ssk, const struct sdp_buf *last)
{
	struct sdp_link *link = ssk->link;
	struct sdp_buf *buf, *next;

	list_for_each_entry_safe(buf, next, &link->sent, sent) {
		list_del(&buf->sent);
		link->outstanding--;
		WRITE_ONCE(ssk->send_short, false);
		if (is_slot(link, buf)) {
			list_add_tail(&buf->list, &link->control);
		} else {
			list_add(&buf->list, &link->free);
			ssk->send_used--;
		}
		if (buf == last)
			break;
	}
}

static void sent(struct sdp_sock *ssk, struct sdp_buf *buf)
{
	struct sdp_link *link = ssk->link;

	retire(ssk, buf);
	if (ssk->zsend.state == SDP_ZSEND_COPIED)
		sdp_zsend_kick(&ssk->zsend);
	if (buf->status != IB_WC_SUCCESS) {
		fail(ssk, buf->status);
	} else if (link->stopping && !link->outstanding) {
		link->suspended = ssk->conn.suspended;
		sdp_link_stop(ssk);
	}
}

static void deliver(struct sdp_sock *ssk, struct sdp_buf *buf, const struct sdp_delivery *delivery)
{
	struct sock *sk = sdp_sock(ssk);
	bool full = buf->received >= ssk->conn.size;

	if (delivery->resize || delivery->peer_resized)
		sdp_resize(ssk, delivery);
	if (delivery->oob_pend || delivery->oob_pres)
		sdp_receive_urgent(ssk);
	if (!delivery->payload || !sdp_receive_payload(ssk, buf, delivery))
		sdp_link_repost(ssk, buf);
	sdp_resize_replenish(ssk, full);
	/* Nobody will read it; or both ends advertise, and might wait for each other. */
	if (delivery->advertised && (ssk->conn.source.left || sk->sk_shutdown & RCV_SHUTDOWN))
		sdp_sink_refuse(&ssk->conn.sink);
	/* In Pipelined mode no payload comes with it. */
	if (delivery->advertised && sdp_sink_is_readable(&ssk->conn.sink))
		sk->sk_data_ready(sk);
	if (delivery->answered && !ssk->conn.source.left)
		complete(&ssk->answered);
	if (delivery->answered)
		sdp_zsend_kick(&ssk->zsend);
	/* It is in the memory of a program, which has read all that came before. */
	ssk->rcv_nxt += delivery->written;
	ssk->copied_seq += delivery->written;
	if (delivery->released)
		complete(&ssk->released);
	if (ssk->conn.suspend && !ssk->fin_at)
		sdp_sock_timeout(ssk, SDP_SETUP_TIMEOUT);
	if (delivery->disconn) {
		sk->sk_shutdown |= RCV_SHUTDOWN;
		if (sk->sk_state == TCP_ESTABLISHED)
			inet_sk_set_state(sk, TCP_CLOSE_WAIT);
		else if (sk->sk_state == TCP_FIN_WAIT1)
			inet_sk_set_state(sk, TCP_LAST_ACK);
		sk->sk_state_change(sk);
	}
	if (delivery->abort)
		sdp_sock_end(ssk, ECONNRESET);
}

/* S2-177, S2-185: whether what a message has invalidated, if anything, was advertised. */
static bool may_invalidate(struct sdp_sock *ssk, const struct sdp_buf *buf)
{
	return !buf->invalidates || sdp_pages_invalidated(ssk->source_pages, buf->rkey) ||
	       sdp_pages_invalidated(ssk->sink_pages, buf->rkey);
}

static void received(struct sdp_sock *ssk, struct sdp_buf *buf)
{
	struct sdp_link *link = ssk->link;
	struct sock *sk = sdp_sock(ssk);
	struct sdp_delivery delivery;
	enum sdp_fault fault;

	if (buf->status != IB_WC_SUCCESS) {
		fail(ssk, buf->status);
		return;
	}
	if (sk->sk_state == TCP_CLOSE)
		return;
	/*
	 * The peer can send before its RTU has arrived. ib_cm_notify(), which would replace that,
	 * is not for softirq context: it nests locks that others hold with interrupts enabled.
	 */
	if (sk->sk_state == TCP_SYN_RECV) {
		list_add_tail(&buf->list, &link->early);
		return;
	}
	if (may_invalidate(ssk, buf))
		fault = sdp_conn_receive(&ssk->conn, sdp_buf_data(buf), buf->received, &delivery);
	else
		fault = SDP_FAULT_STATE;
	if (!fault) {
		deliver(ssk, buf, &delivery);
		return;
	}
	net_dbg_ratelimited("hca_sdp: message refused: %s\n", sdp_fault_str(fault));
	sdp_sock_abort(ssk, EPROTO);
}

void sdp_link_complete(struct sdp_sock *ssk, struct sdp_buf *buf)
{
	struct sock *sk = sdp_sock(ssk);
	bool is_sent = buf->cqe.done == sent_done;

	if (buf->status == IB_WC_SUCCESS)
		ssk->alive_at = jiffies;
	if (is_sent)
		sent(ssk, buf);
	else
		received(ssk, buf);
	sdp_link_push(ssk);
	if (is_sent)
		sk->sk_write_space(sk);
	sdp_sock_progress(ssk);
}

void sdp_link_ready(struct sdp_sock *ssk)
{
	struct sdp_link *link = ssk->link;
	struct sdp_buf *buf;

	link->ready = true;
	sdp_fill_note(ssk);
	while ((buf = list_first_entry_or_null(&link->early, struct sdp_buf, list))) {
		list_del_init(&buf->list);
		sdp_link_complete(ssk, buf);
	}
	sdp_link_push(ssk);
}

bool sdp_link_may_fill(const struct sdp_sock *ssk)
{
	bool more = READ_ONCE(ssk->send_used) < READ_ONCE(ssk->send_bufs);

	return (more || READ_ONCE(ssk->tx_open)) && !READ_ONCE(ssk->send_short) &&
	       !READ_ONCE(ssk->conn.suspended);
}

void sdp_link_put_buf(struct sdp_sock *ssk, struct sdp_buf *buf)
{
	list_move(&buf->list, &ssk->link->free);
	ssk->send_used--;
	WRITE_ONCE(ssk->send_short, false);
	sdp_fill_note(ssk);
}

/* The buffer of a message is free once one behind it has completed, so there has to be one. */
static void wait_for_sent(struct sdp_sock *ssk)
{
	WRITE_ONCE(ssk->send_short, ssk->send_used);
	if (ssk->send_short && ssk->link->unsignaled)
		sdp_link_probe(ssk);
}

/* A small buffer has little payload, which costs less to copy than a memory region. */
static struct sdp_buf *alloc_send_buf(struct sdp_sock *ssk, u32 size, gfp_t gfp)
{
	struct sdp_link *link = ssk->link;
	struct sdp_buf *buf = sdp_buf_alloc(ssk, SDP_MEMORY_SEND, link->pd, size, gfp);

	if (!buf)
		return NULL;
	/* The driver may wait for memory that it allocates for that. */
	if (size == SDP_BUF_SIZE && gfpflags_allow_blocking(gfp)) {
		sdp_buf_register(link->qp, buf, &link->reg_cqe);
		link->unsignaled++;
	}
	list_add(&buf->all, &link->bufs);
	sdp_idle_watch(ssk);
	return buf;
}

/* Memory that was not there is not looked for again with each message. */
static u32 send_buf_size(const struct sdp_link *link)
{
	if (time_before(jiffies, link->larger_at))
		return PAGE_SIZE;
	return max_t(u32, roundup_pow_of_two(link->send_size), PAGE_SIZE);
}

/* Return: one for as much payload as the peer has room for, or else of a page, or NULL. */
static struct sdp_buf *find_send_buf(struct sdp_sock *ssk, struct sdp_buf *small, gfp_t gfp)
{
	struct sdp_link *link = ssk->link;
	u32 size = send_buf_size(link);
	struct sdp_buf *buf = alloc_send_buf(ssk, size, gfp);

	if (!buf)
		link->larger_at = jiffies + HZ;
	if (buf && small)
		sdp_buf_discard(ssk, link->pd, small);
	if (buf || small)
		return buf ? buf : small;
	return size > PAGE_SIZE ? alloc_send_buf(ssk, PAGE_SIZE, gfp) : NULL;
}

struct sdp_buf *sdp_link_send_buf(struct sdp_sock *ssk, gfp_t gfp)
{
	struct sdp_link *link = ssk->link;
	struct sdp_buf *buf;

	if (!link || link->stopped)
		return NULL;
	if (ssk->send_used >= ssk->send_bufs && !list_empty(&ssk->tx))
		return NULL;
	buf = list_first_entry_or_null(&link->free, struct sdp_buf, list);
	if (buf)
		list_del_init(&buf->list);
	if ((!buf || buf->size < send_buf_size(link)) && sdp_gate_get(&link->objects)) {
		buf = find_send_buf(ssk, buf, gfp);
		sdp_gate_put(&link->objects);
		if (!buf)
			wait_for_sent(ssk);
	}
	if (!buf)
		return NULL;
	ssk->send_used++;
	buf->offset = SDP_BSDH_SIZE;
	buf->len = 0;
	buf->oob = false;
	return buf;
}
