// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Read Zcopy, as source and as sink. */
#include "sdp/linux/zcopy.h"
#include <linux/sched/signal.h>
#include <linux/uio.h>
#include <net/sock.h>
#include "sdp/linux/link.h"
#include "sdp/linux/pages.h"
#include "sdp/linux/transfer.h"
#include "sdp/linux/zwrite.h"

#define READ_MIN (16u << 10)

/* So much goes with SrcAvail: what a program reads first often says how much it is to read. */
#define HEAD 4096u

/*
 * Waits for the peer's answer. A peer that does not answer at all is no peer: it is not known when
 * it will read.
 */
static void wait_for_answer(struct sdp_sock *ssk, long timeo)
{
	struct sock *sk = sdp_sock(ssk);

	release_sock(sk);
	wait_for_completion_interruptible_timeout(&ssk->answered,
						  min(timeo, SDP_ZCOPY_ANSWER_TIMEOUT));
	lock_sock(sk);
	if (!ssk->conn.source.left || sk->sk_state == TCP_CLOSE)
		return;
	sdp_source_cancel(&ssk->conn.source);
	sdp_link_push(ssk);
	release_sock(sk);
	wait_for_completion_killable_timeout(&ssk->answered, SDP_ZCOPY_CANCEL_TIMEOUT);
	lock_sock(sk);
	if (ssk->conn.source.left)
		sdp_sock_abort(ssk, ETIMEDOUT);
}

bool sdp_zcopy_is_going_on(const struct sdp_sock *ssk)
{
	return ssk->advertising || (ssk->source_pages && ssk->source_pages->busy) ||
	       (ssk->sink_pages && ssk->sink_pages->busy);
}

bool sdp_zcopy_may_send(struct sdp_sock *ssk, struct msghdr *msg)
{
	return msg_data_left(msg) >= SDP_ZCOPY_MIN && !(msg->msg_flags & MSG_OOB) &&
	       !sdp_skip_one(&ssk->write_skip);
}

/* Copies the beginning into a buffer, which SrcAvail will be sent from. Return: octets, or 0. */
static u32 copy_head(struct sdp_buf *buf, u32 most, struct iov_iter *iter)
{
	u32 headers = sdp_header_size(SDP_MID_SRC_AVAIL);
	u32 octets = min3(HEAD, most, buf->size - headers);

	buf->len = copy_from_iter((u8 *)sdp_buf_data(buf) + headers, octets, iter);
	return buf->len;
}

u32 sdp_zcopy_begin(struct sdp_sock *ssk, const struct msghdr *msg, enum sdp_pages_use use,
		    u32 *payload)
{
	unsigned long addr;
	size_t octets = sdp_pages_segment(&msg->msg_iter, &addr), most = sdp_pages_octets(ssk);

	/* What remains is not too little for the next time. */
	if (octets > most && octets >= SDP_ZCOPY_MIN)
		octets = min(most, octets - SDP_ZCOPY_MIN);
	if (octets < SDP_ZCOPY_MIN || ssk->write_skip.left || !list_empty(&ssk->tx) ||
	    ssk->send_used >= ssk->send_bufs || !sdp_link_has_control(ssk->link) ||
	    !sdp_conn_may_advertise(&ssk->conn, payload) ||
	    !sdp_pages_get(ssk, &ssk->source_pages) ||
	    !sdp_pages_begin(ssk, ssk->source_pages, addr, octets, use))
		return 0;
	return octets;
}

int sdp_zcopy_advertise(struct sdp_sock *ssk, struct msghdr *msg, u32 octets, u32 payload)
{
	const struct sdp_advert advert = {
		.len = octets,
		.rkey = ssk->source_pages->rkey,
		.addr = ssk->source_pages->iova,
	};
	struct sdp_buf *buf = NULL;
	u32 head = 0;

	if (payload) {
		buf = sdp_link_send_buf(ssk, SDP_GFP);
		if (!buf) {
			ssk->write_skip.left = 1;
			return -ENOBUFS;
		}
		head = copy_head(buf, payload, &msg->msg_iter);
		if (!head) {
			sdp_link_put_buf(ssk, buf);
			return -EFAULT;
		}
	}
	ssk->advertising = true;
	reinit_completion(&ssk->answered);
	sdp_link_advertise(ssk, buf, &advert);
	/* If the peer does the same, and neither reads, both would wait. */
	sdp_sink_refuse(&ssk->conn.sink);
	sdp_link_push(ssk);
	return head;
}

/*
 * Advertises pages that are registered, with their beginning as payload if the mode wants that.
 * What the peer would rather have by RDMA Write is left to be sent so.
 * Return: octets that were sent; 0; -EFAULT.
 */
static int advertise_pages(struct sdp_sock *ssk, struct msghdr *msg, u32 octets, u32 payload,
			   long timeo)
{
	struct sdp_source *source = &ssk->conn.source;
	int head = sdp_zcopy_advertise(ssk, msg, octets, payload);
	u32 rest;

	if (head < 0)
		return head == -ENOBUFS ? 0 : head;
	wait_for_answer(ssk, timeo);
	rest = source->left ? source->left : source->refused;
	source->refused = 0;
	sdp_skip_learn(&ssk->write_skip, rest == octets - head && !source->overridden);
	iov_iter_advance(&msg->msg_iter, octets - rest - head);
	return octets - rest;
}

int sdp_zcopy_send(struct sdp_sock *ssk, struct msghdr *msg, long *timeo)
{
	struct sock *sk = sdp_sock(ssk);
	unsigned long began = jiffies;
	u32 octets, payload;
	int sent;

	if (!*timeo)
		return 0;
	sent = sdp_zwrite_send(ssk, msg, timeo);
	if (sent)
		return sent;
	octets = sdp_zcopy_begin(ssk, msg, SDP_PAGES_READ_BY_PEER, &payload);
	if (!octets)
		return 0;
	sent = advertise_pages(ssk, msg, octets, payload, *timeo);
	sdp_pages_end(ssk, ssk->source_pages, NULL);
	ssk->advertising = false;
	sk->sk_write_space(sk);
	sdp_zcopy_reduce(timeo, began);
	return sent ? sent : -EAGAIN;
}

static void refuse(struct sdp_sock *ssk)
{
	sdp_sink_refuse(&ssk->conn.sink);
	sdp_link_push(ssk);
}

int sdp_zcopy_receive(struct sdp_sock *ssk, struct msghdr *msg, size_t len, int flags, long *timeo)
{
	struct sdp_sink *sink = &ssk->conn.sink;
	struct ib_sge sge;
	struct ib_rdma_wr wr = {
		.wr = { .opcode = IB_WR_RDMA_READ, .sg_list = &sge, .num_sge = 1 },
	};
	struct sdp_advert part;
	bool good;
	unsigned long addr, began = jiffies;
	size_t octets;

	if (!sdp_sink_is_readable(sink) || !ssk->link || ssk->link->stopped)
		return 0;
	octets = sdp_pages_segment(&msg->msg_iter, &addr);
	octets = min3(octets, len, (size_t)sdp_pages_octets(ssk));
	if (!*timeo || flags & (MSG_PEEK | MSG_TRUNC) || octets < min(READ_MIN, sink->advert.len) ||
	    !sdp_pages_get(ssk, &ssk->sink_pages)) {
		refuse(ssk);
		return 0;
	}
	ssk->conn.pipelined = sdp_zwrite_may_receive(ssk, octets, flags);
	sdp_sink_read_begin(sink, octets, &part);
	if (!sdp_pages_begin(ssk, ssk->sink_pages, addr, part.len, SDP_PAGES_READ_INTO)) {
		sdp_conn_read_end(&ssk->conn, 0);
		refuse(ssk);
		return 0;
	}
	sge = (struct ib_sge){
		.addr = ssk->sink_pages->iova,
		.length = part.len,
		.lkey = ssk->sink_pages->lkey,
	};
	wr.wr.wr_cqe = &ssk->link->reg_cqe;
	wr.remote_addr = part.addr;
	wr.rkey = part.rkey;
	good = sdp_pages_end(ssk, ssk->sink_pages, &wr.wr);
	sdp_zcopy_reduce(timeo, began);
	if (!good) {
		sdp_conn_read_end(&ssk->conn, 0);
		sdp_link_stop(ssk);
		return 0;
	}
	sdp_conn_read_end(&ssk->conn, part.len);
	ssk->rcv_nxt += part.len;
	ssk->copied_seq += part.len;
	iov_iter_advance(&msg->msg_iter, part.len);
	sdp_link_push(ssk);
	if (sdp_sink_is_readable(sink))
		sdp_sock(ssk)->sk_data_ready(sdp_sock(ssk));
	return part.len;
}
