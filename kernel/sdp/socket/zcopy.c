// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Read Zcopy: functions of the data source and of the data sink. */
#include "sdp/socket/zcopy.h"
#include <linux/sched/signal.h>
#include <linux/uio.h>
#include <net/sock.h>
#include "sdp/link/fill.h"
#include "sdp/link/link.h"
#include "sdp/link/pages.h"
#include "sdp/link/transfer.h"
#include "sdp/socket/state.h"
#include "sdp/socket/zcall.h"
#include "sdp/socket/zwrite.h"

/* Maximum octets of payload in SrcAvail. A program often reads a short header first. */
#define HEAD 4096u

/*
 * Wait for the answer to SrcAvail, and cancel SrcAvail after a timeout. If the peer does not answer
 * SrcAvailCancel, it could still read the memory: the connection is aborted.
 */
static void zcopy_wait_for_answer(struct sdp_sock *ssk, long timeo)
{
	struct sock *sk = sdp_sock(ssk);

	release_sock(sk);
	wait_for_completion_interruptible_timeout(&ssk->answered,
						  min(timeo, SDP_ZCOPY_ANSWER_TIMEOUT));
	lock_sock(sk);
	if (!ssk->ep.conn.source.left || sk->sk_state == TCP_CLOSE)
		return;
	sdp_source_cancel(&ssk->ep.conn.source);
	sdp_link_push(&ssk->ep);
	release_sock(sk);
	wait_for_completion_killable_timeout(&ssk->answered, SDP_ZCOPY_CANCEL_TIMEOUT);
	lock_sock(sk);
	if (ssk->ep.conn.source.left)
		sdp_sock_abort(ssk, ETIMEDOUT);
}

bool sdp_zcopy_is_going_on(const struct sdp_sock *ssk)
{
	return ssk->ep.advertising || (ssk->ep.source_pages && ssk->ep.source_pages->busy) ||
	       (ssk->ep.sink_pages && ssk->ep.sink_pages->busy);
}

/* Copy the payload of SrcAvail into its buffer. Return: octets; 0 if the memory has a fault. */
static u32 zcopy_copy_head(struct sdp_buf *buf, u32 most, struct iov_iter *iter)
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
	size_t octets = sdp_pages_segment(&msg->msg_iter, &addr), most = sdp_pages_octets(&ssk->ep);

	/* Leave either nothing or enough octets for another advertisement. */
	if (octets > most && octets >= SDP_ZCOPY_MIN)
		octets = min(most, octets - SDP_ZCOPY_MIN);
	if (octets < SDP_ZCOPY_MIN || ssk->write_skip.left || !list_empty(&ssk->ep.tx) ||
	    ssk->ep.send_used >= ssk->ep.send_bufs || !sdp_link_has_control(ssk->ep.link) ||
	    !sdp_conn_may_advertise(&ssk->ep.conn, payload) ||
	    !sdp_pages_get(&ssk->ep, &ssk->ep.source_pages) ||
	    !sdp_pages_begin(&ssk->ep, ssk->ep.source_pages, addr, octets, use))
		return 0;
	return octets;
}

int sdp_zcopy_advertise(struct sdp_sock *ssk, struct msghdr *msg, u32 octets, u32 payload)
{
	const struct sdp_advert advert = {
		.len = octets,
		.rkey = ssk->ep.source_pages->rkey,
		.addr = ssk->ep.source_pages->iova,
	};
	struct sdp_buf *buf = NULL;
	u32 head = 0;

	if (payload) {
		buf = sdp_link_send_buf(&ssk->ep, SDP_GFP);
		if (!buf) {
			ssk->write_skip.left = 1;
			return -ENOBUFS;
		}
		head = zcopy_copy_head(buf, payload, &msg->msg_iter);
		if (!head) {
			sdp_link_put_buf(&ssk->ep, buf);
			return -EFAULT;
		}
	}
	ssk->ep.advertising = true;
	reinit_completion(&ssk->answered);
	sdp_link_advertise(&ssk->ep, buf, &advert);
	/* If both ends advertise, and neither program reads, both would wait for the other. */
	sdp_sink_refuse(&ssk->ep.conn.sink);
	sdp_link_push(&ssk->ep);
	return head;
}

/*
 * Send SrcAvail for registered pages, and wait for the answer. If a SinkAvail replaces SrcAvail,
 * the unread rest stays in @msg, and a later call sends it by RDMA Write.
 * Return: octets that were sent; 0 if none; -EFAULT.
 */
static int zcopy_advertise_pages(struct sdp_sock *ssk, struct msghdr *msg, u32 octets, u32 payload,
				 long timeo)
{
	struct sdp_source *source = &ssk->ep.conn.source;
	int head = sdp_zcopy_advertise(ssk, msg, octets, payload);
	u32 rest;

	if (head < 0)
		return head == -ENOBUFS ? 0 : head;
	zcopy_wait_for_answer(ssk, timeo);
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
	sent = zcopy_advertise_pages(ssk, msg, octets, payload, *timeo);
	sdp_zcall_end(ssk, ssk->ep.source_pages, NULL);
	ssk->ep.advertising = false;
	sk->sk_write_space(sk);
	sdp_zcall_reduce(timeo, began);
	return sent ? sent : -EAGAIN;
}

static void zcopy_refuse(struct sdp_sock *ssk)
{
	sdp_sink_refuse(&ssk->ep.conn.sink);
	sdp_link_push(&ssk->ep);
}

void sdp_zcopy_read_init(struct sdp_sock *ssk, const struct sdp_advert *part,
			 struct sdp_zcopy_read *read)
{
	read->sge = (struct ib_sge){
		.addr = ssk->ep.sink_pages->iova,
		.length = part->len,
		.lkey = ssk->ep.sink_pages->lkey,
	};
	read->wr = (struct ib_rdma_wr){
		.wr = {
			.opcode = IB_WR_RDMA_READ,
			.wr_cqe = &ssk->ep.link->reg_cqe,
			.sg_list = &read->sge,
			.num_sge = 1,
		},
		.remote_addr = part->addr,
		.rkey = part->rkey,
	};
}

u32 sdp_zcopy_read_end(struct sdp_sock *ssk, u32 octets, bool good)
{
	struct sock *sk = sdp_sock(ssk);

	if (!good) {
		sdp_conn_read_end(&ssk->ep.conn, 0);
		sdp_link_stop(&ssk->ep);
		return 0;
	}
	sdp_conn_read_end(&ssk->ep.conn, octets);
	ssk->rcv_nxt += octets;
	ssk->copied_seq += octets;
	sdp_link_push(&ssk->ep);
	if (sdp_sink_is_readable(&ssk->ep.conn.sink))
		sk->sk_data_ready(sk);
	return octets;
}

int sdp_zcopy_receive(struct sdp_sock *ssk, struct msghdr *msg, size_t len, int flags, long *timeo)
{
	struct sdp_sink *sink = &ssk->ep.conn.sink;
	struct sdp_zcopy_read read;
	struct sdp_advert part;
	bool good;
	unsigned long addr, began = jiffies;
	size_t octets;

	if (!sdp_sink_is_readable(sink) || !ssk->ep.link || ssk->ep.link->stopped)
		return 0;
	octets = sdp_pages_segment(&msg->msg_iter, &addr);
	octets = min3(octets, len, (size_t)sdp_pages_octets(&ssk->ep));
	if (!*timeo || flags & (MSG_PEEK | MSG_TRUNC) || octets < sdp_sink_worth(sink) ||
	    !sdp_pages_get(&ssk->ep, &ssk->ep.sink_pages)) {
		zcopy_refuse(ssk);
		return 0;
	}
	ssk->ep.conn.modes.pipelined = sdp_zwrite_may_receive(ssk, octets, flags);
	sdp_sink_read_begin(sink, octets, &part);
	if (!sdp_pages_begin(&ssk->ep, ssk->ep.sink_pages, addr, part.len, SDP_PAGES_READ_INTO)) {
		sdp_conn_read_end(&ssk->ep.conn, 0);
		zcopy_refuse(ssk);
		return 0;
	}
	sdp_zcopy_read_init(ssk, &part, &read);
	good = sdp_zcall_end(ssk, ssk->ep.sink_pages, &read.wr.wr);
	sdp_zcall_reduce(timeo, began);
	octets = sdp_zcopy_read_end(ssk, part.len, good);
	iov_iter_advance(&msg->msg_iter, octets);
	return octets;
}
