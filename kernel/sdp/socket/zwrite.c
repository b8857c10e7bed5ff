// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Write Zcopy in Pipelined mode, as data source and as data sink. */
#include "sdp/socket/zwrite.h"
#include <linux/uio.h>
#include <net/sock.h>
#include "sdp/link/link.h"
#include "sdp/link/pages.h"
#include "sdp/link/transfer.h"
#include "sdp/socket/state.h"
#include "sdp/socket/zcall.h"

#define WRITE_MIN (16u << 10) /* minimum octets of an RDMA Write; fewer are copied */

u32 sdp_zwrite_room(const struct sdp_sock *ssk)
{
	const struct sdp_advert *advert = sdp_conn_may_write(&ssk->ep.conn);

	if (!advert || !list_empty(&ssk->ep.tx) || !ssk->ep.link || ssk->ep.link->stopped)
		return 0;
	return advert->len;
}

u32 sdp_zwrite_begin(struct sdp_sock *ssk, const struct msghdr *msg)
{
	unsigned long addr;
	size_t octets = min3(sdp_pages_segment(&msg->msg_iter, &addr), (size_t)sdp_zwrite_room(ssk),
			     (size_t)sdp_pages_octets(&ssk->ep));

	if (octets < WRITE_MIN || !sdp_pages_get(&ssk->ep, &ssk->ep.source_pages) ||
	    !sdp_pages_begin(&ssk->ep, ssk->ep.source_pages, addr, octets, SDP_PAGES_WRITE_FROM))
		return 0;
	return octets;
}

/*
 * RdmaWrCompl is sent directly after the RDMA Write. The pages are needed until the RDMA Write is
 * acknowledged.
 */
bool sdp_zwrite_post(struct sdp_sock *ssk, u32 offset, u32 octets)
{
	const struct sdp_advert *advert = sdp_conn_may_write(&ssk->ep.conn);
	struct ib_sge sge = {
		.addr = ssk->ep.source_pages->iova + offset,
		.length = octets,
		.lkey = ssk->ep.source_pages->lkey,
	};
	struct ib_rdma_wr wr = {
		.wr = { .opcode = IB_WR_RDMA_WRITE, .sg_list = &sge, .num_sge = 1 },
		.remote_addr = advert->addr,
		.rkey = advert->rkey,
	};

	if (!sdp_pages_post(&ssk->ep, ssk->ep.source_pages, &wr.wr))
		return false;
	sdp_conn_wrote(&ssk->ep.conn, octets);
	sdp_link_push(&ssk->ep);
	return true;
}

int sdp_zwrite_send(struct sdp_sock *ssk, struct msghdr *msg, long *timeo)
{
	unsigned long began = jiffies;
	u32 octets = sdp_zwrite_begin(ssk, msg);

	if (!octets)
		return 0;
	if (sdp_zwrite_post(ssk, 0, octets))
		sdp_zcall_wait(ssk, ssk->ep.source_pages);
	sdp_zcall_end(ssk, ssk->ep.source_pages, NULL);
	iov_iter_advance(&msg->msg_iter, octets);
	sdp_zcall_reduce(timeo, began);
	return octets;
}

/* The read must exceed a private buffer (S2-182), and must not have MSG_WAITALL (S2-189). */
bool sdp_zwrite_may_receive(const struct sdp_sock *ssk, size_t octets, int flags)
{
	return octets >= SDP_ZCOPY_MIN && octets > ssk->ep.conn.size &&
	       !(flags & (MSG_PEEK | MSG_TRUNC | MSG_WAITALL));
}

bool sdp_zwrite_may_make_room(const struct sdp_sock *ssk)
{
	return ssk->ep.link && !ssk->ep.link->stopped && sdp_conn_may_make_room(&ssk->ep.conn) &&
	       sdp_link_has_control(ssk->ep.link);
}

void sdp_zwrite_make_room(struct sdp_sock *ssk, u32 octets)
{
	const struct sdp_advert advert = {
		.len = octets,
		.rkey = ssk->ep.sink_pages->rkey,
		.addr = ssk->ep.sink_pages->iova,
	};

	ssk->ep.conn.modes.pipelined = true;
	reinit_completion(&ssk->released);
	sdp_link_make_room(&ssk->ep, &advert);
}

/* The attempt has failed if the peer has sent payload instead. */
u32 sdp_zwrite_room_end(struct sdp_sock *ssk)
{
	struct sdp_room *room = &ssk->ep.conn.room;
	u32 written = room->written;

	sdp_skip_learn(&ssk->read_skip, !written && !list_empty(&ssk->ep.rx));
	room->written = 0;
	return written;
}

/*
 * Wait until the peer has answered SinkAvailCancel. shutdown() and other events also complete
 * @released, but do not end this wait.
 */
static void zwrite_wait_for_answer(struct sdp_sock *ssk)
{
	struct sock *sk = sdp_sock(ssk);
	long left = SDP_ZCOPY_CANCEL_TIMEOUT;

	while (ssk->ep.conn.room.len && sk->sk_state != TCP_CLOSE && left > 0) {
		reinit_completion(&ssk->released);
		release_sock(sk);
		left = wait_for_completion_killable_timeout(&ssk->released, left);
		lock_sock(sk);
	}
	if (ssk->ep.conn.room.len)
		sdp_sock_abort(ssk, ETIMEDOUT);
}

static void zwrite_wait_for_write(struct sdp_sock *ssk, long timeo)
{
	struct sdp_room *room = &ssk->ep.conn.room;
	struct sock *sk = sdp_sock(ssk);

	release_sock(sk);
	wait_for_completion_interruptible_timeout(&ssk->released, timeo);
	lock_sock(sk);
	if (!room->len || sk->sk_state == TCP_CLOSE)
		return;
	sdp_room_cancel(room);
	sdp_link_push(&ssk->ep);
	zwrite_wait_for_answer(ssk);
}

int sdp_zwrite_receive(struct sdp_sock *ssk, struct msghdr *msg, size_t len, int flags,
		       long *timeo)
{
	unsigned long addr, began = jiffies;
	size_t octets = min3(sdp_pages_segment(&msg->msg_iter, &addr), len,
			     (size_t)sdp_pages_octets(&ssk->ep));

	if (!sdp_zwrite_may_receive(ssk, octets, flags) || !sdp_zwrite_may_make_room(ssk) ||
	    sdp_skip_one(&ssk->read_skip) || !sdp_pages_get(&ssk->ep, &ssk->ep.sink_pages) ||
	    !sdp_pages_begin(&ssk->ep, ssk->ep.sink_pages, addr, octets, SDP_PAGES_WRITTEN_BY_PEER))
		return 0;
	sdp_zwrite_make_room(ssk, octets);
	zwrite_wait_for_write(ssk, *timeo);
	octets = sdp_zwrite_room_end(ssk);
	sdp_zcall_end(ssk, ssk->ep.sink_pages, NULL);
	sdp_zcall_reduce(timeo, began);
	iov_iter_advance(&msg->msg_iter, octets);
	return octets ? octets : -EAGAIN;
}
