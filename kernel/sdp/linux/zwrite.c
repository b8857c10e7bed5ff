// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Write Zcopy, in Pipelined mode, as source and as sink. */
#include "sdp/linux/zwrite.h"
#include <linux/uio.h>
#include <net/sock.h>
#include "sdp/linux/link.h"
#include "sdp/linux/pages.h"
#include "sdp/linux/transfer.h"
#include "sdp/linux/zcopy.h"

#define WRITE_MIN (16u << 10) /* less is copied */

u32 sdp_zwrite_room(const struct sdp_sock *ssk)
{
	const struct sdp_advert *advert = sdp_conn_may_write(&ssk->conn);

	if (!advert || !list_empty(&ssk->tx) || !ssk->link || ssk->link->stopped)
		return 0;
	return advert->len;
}

u32 sdp_zwrite_begin(struct sdp_sock *ssk, const struct msghdr *msg)
{
	unsigned long addr;
	size_t octets = min3(sdp_pages_segment(&msg->msg_iter, &addr),
			     (size_t)sdp_zwrite_room(ssk), (size_t)sdp_pages_octets(ssk));

	if (octets < WRITE_MIN || !sdp_pages_get(ssk, &ssk->source_pages) ||
	    !sdp_pages_begin(ssk, ssk->source_pages, addr, octets, SDP_PAGES_WRITE_FROM))
		return 0;
	return octets;
}

/* RdmaWrCompl follows the RDMA Write at once; the pages are needed until that is acknowledged. */
bool sdp_zwrite_post(struct sdp_sock *ssk, u32 offset, u32 octets)
{
	const struct sdp_advert *advert = sdp_conn_may_write(&ssk->conn);
	struct ib_sge sge = {
		.addr = ssk->source_pages->iova + offset,
		.length = octets,
		.lkey = ssk->source_pages->lkey,
	};
	struct ib_rdma_wr wr = {
		.wr = { .opcode = IB_WR_RDMA_WRITE, .sg_list = &sge, .num_sge = 1 },
		.remote_addr = advert->addr,
		.rkey = advert->rkey,
	};

	if (!sdp_pages_post(ssk, ssk->source_pages, &wr.wr))
		return false;
	sdp_conn_wrote(&ssk->conn, octets);
	sdp_link_push(ssk);
	return true;
}

int sdp_zwrite_send(struct sdp_sock *ssk, struct msghdr *msg, long *timeo)
{
	unsigned long began = jiffies;
	u32 octets = sdp_zwrite_begin(ssk, msg);

	if (!octets)
		return 0;
	if (sdp_zwrite_post(ssk, 0, octets))
		sdp_pages_wait(ssk, ssk->source_pages);
	sdp_pages_end(ssk, ssk->source_pages, NULL);
	iov_iter_advance(&msg->msg_iter, octets);
	sdp_zcopy_reduce(timeo, began);
	return octets;
}

/* More than a private buffer has room for (S2-182), and not what is to be filled whole (S2-189). */
bool sdp_zwrite_may_receive(const struct sdp_sock *ssk, size_t octets, int flags)
{
	return octets >= SDP_ZCOPY_MIN && octets > ssk->conn.size &&
	       !(flags & (MSG_PEEK | MSG_TRUNC | MSG_WAITALL));
}

/* What else completes this is for those that have not asked the peer to answer. */
static void wait_for_answer(struct sdp_sock *ssk)
{
	struct sock *sk = sdp_sock(ssk);
	long left = SDP_ZCOPY_CANCEL_TIMEOUT;

	while (ssk->conn.room.len && sk->sk_state != TCP_CLOSE && left > 0) {
		reinit_completion(&ssk->released);
		release_sock(sk);
		left = wait_for_completion_killable_timeout(&ssk->released, left);
		lock_sock(sk);
	}
	if (ssk->conn.room.len)
		sdp_sock_abort(ssk, ETIMEDOUT);
}

static void wait_for_write(struct sdp_sock *ssk, long timeo)
{
	struct sdp_room *room = &ssk->conn.room;
	struct sock *sk = sdp_sock(ssk);

	release_sock(sk);
	wait_for_completion_interruptible_timeout(&ssk->released, timeo);
	lock_sock(sk);
	if (!room->len || sk->sk_state == TCP_CLOSE)
		return;
	sdp_room_cancel(room);
	sdp_link_push(ssk);
	wait_for_answer(ssk);
}

int sdp_zwrite_receive(struct sdp_sock *ssk, struct msghdr *msg, size_t len, int flags,
		       long *timeo)
{
	struct sdp_room *room = &ssk->conn.room;
	struct sdp_advert advert = {};
	unsigned long addr, began = jiffies;
	size_t octets = min3(sdp_pages_segment(&msg->msg_iter, &addr), len,
			     (size_t)sdp_pages_octets(ssk));

	if (!sdp_zwrite_may_receive(ssk, octets, flags) || !ssk->link || ssk->link->stopped ||
	    !sdp_conn_may_make_room(&ssk->conn) || !sdp_link_has_control(ssk->link) ||
	    sdp_skip_one(&ssk->read_skip) || !sdp_pages_get(ssk, &ssk->sink_pages) ||
	    !sdp_pages_begin(ssk, ssk->sink_pages, addr, octets, SDP_PAGES_WRITTEN_BY_PEER))
		return 0;
	ssk->conn.pipelined = true;
	advert.len = octets;
	advert.rkey = ssk->sink_pages->rkey;
	advert.addr = ssk->sink_pages->iova;
	reinit_completion(&ssk->released);
	sdp_link_make_room(ssk, &advert);
	wait_for_write(ssk, *timeo);
	/* Payload has come instead. */
	sdp_skip_learn(&ssk->read_skip, !room->written && !list_empty(&ssk->rx));
	octets = room->written;
	room->written = 0;
	sdp_pages_end(ssk, ssk->sink_pages, NULL);
	sdp_zcopy_reduce(timeo, began);
	iov_iter_advance(&msg->msg_iter, octets);
	return octets ? octets : -EAGAIN;
}
