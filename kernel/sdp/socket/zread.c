// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Asynchronous reads: the call of the program pins the memory, and a task fills it. */
#include "sdp/socket/zread.h"
#include <linux/aio.h>
#include <linux/bvec.h>
#include <linux/fs.h>
#include <linux/sched/mm.h>
#include <linux/uio.h>
#include <net/sock.h>
#include "compat.h"
#include "sdp/link/link.h"
#include "sdp/link/pages.h"
#include "sdp/link/transfer.h"
#include "sdp/socket/state.h"
#include "sdp/socket/steps.h"
#include "sdp/socket/stream.h"
#include "sdp/socket/zcall.h"
#include "sdp/socket/zcopy.h"
#include "sdp/socket/zwrite.h"

/* Without this flag it is unknown whether an iocb can be canceled, so none is taken. */
#ifndef IOCB_AIO_RW
#define IOCB_AIO_RW 0
#endif

#define REQUEST_TIMEOUT (60 * HZ) /* maximum time for a request to complete */
#define TICK HZ /* interval of checks whether the process has ended */

/*
 * Return whether the state has timed out. A state also times out when the process has ended,
 * because the end of a process waits for its reads.
 */
static bool zread_is_late(const struct sdp_zread *zread)
{
	return time_after_eq(jiffies, zread->deadline) || !atomic_read(&zread->mm->mm_users);
}

/* Abort the connection if the awaited event is late, because only its end frees the memory. */
static void zread_hurry(struct sdp_sock *ssk)
{
	struct sdp_zread *zread = &ssk->zread;

	if (sdp_sock(ssk)->sk_state == TCP_CLOSE || !sdp_steps_is_expired(&zread->steps))
		return;
	if (zread_is_late(zread))
		sdp_sock_abort(ssk, ETIMEDOUT);
	else
		sdp_steps_wait(&zread->steps, zread->steps.state, TICK);
}

static void zread_wait_for(struct sdp_sock *ssk, enum sdp_zread_state state, unsigned long timeout)
{
	ssk->zread.deadline = jiffies + timeout;
	sdp_steps_wait(&ssk->zread.steps, state, TICK);
}

/* Set the state WAITING, which has no timeout. */
static void zread_wait_for_event(struct sdp_sock *ssk)
{
	WRITE_ONCE(ssk->zread.steps.state, SDP_ZREAD_WAITING);
}

static bool zread_is_canceled(const struct sdp_zread *zread)
{
	return test_bit(0, &zread->canceled);
}

/* Copy received payload into the pages, which are not registered. */
static void zread_fill(struct sdp_sock *ssk)
{
	struct sdp_async *async = &ssk->zread.async;
	struct msghdr msg = {};
	struct bio_vec vec;
	int octets = 0;

	while (async->filled < async->octets && octets >= 0 && !list_empty(&ssk->ep.rx) &&
	       !(async->filled && sdp_stream_is_at_mark(ssk))) {
		sdp_pages_at(ssk->ep.sink_pages, async->filled, async->octets - async->filled,
			     &vec);
		iov_iter_bvec(&msg.msg_iter, ITER_DEST, &vec, 1, vec.bv_len);
		octets = sdp_stream_some(ssk, &msg);
		async->filled += max(octets, 0);
	}
}

static bool zread_begin_to_read(struct sdp_sock *ssk)
{
	struct sdp_zread *zread = &ssk->zread;
	u32 left = zread->async.octets - zread->async.filled;
	struct sdp_zcopy_read read;
	struct sdp_advert part;

	ssk->ep.conn.modes.pipelined = sdp_zwrite_may_receive(ssk, zread->async.octets, 0);
	sdp_sink_read_begin(&ssk->ep.conn.sink, left, &part);
	if (!sdp_pages_register(&ssk->ep, ssk->ep.sink_pages, zread->async.filled, part.len,
				SDP_PAGES_READ_INTO)) {
		sdp_conn_read_end(&ssk->ep.conn, 0);
		return false;
	}
	zread->reading = part.len;
	sdp_zcopy_read_init(ssk, &part, &read);
	sdp_pages_invalidate(&ssk->ep, ssk->ep.sink_pages, &read.wr.wr);
	zread_wait_for(ssk, SDP_ZREAD_READ, REQUEST_TIMEOUT);
	return true;
}

/* The state stays WAITING, but its step is taken again, because the advertisement has ended. */
static bool zread_refuse(struct sdp_sock *ssk)
{
	sdp_sink_refuse(&ssk->ep.conn.sink);
	sdp_link_push(&ssk->ep);
	return true;
}

static bool zread_advertise(struct sdp_sock *ssk)
{
	u32 octets = ssk->zread.async.octets;

	if (!sdp_pages_register(&ssk->ep, ssk->ep.sink_pages, 0, octets, SDP_PAGES_WRITTEN_BY_PEER))
		return false;
	sdp_zwrite_make_room(ssk, octets);
	WRITE_ONCE(ssk->zread.steps.state, SDP_ZREAD_ADVERTISED);
	return true;
}

/*
 * The result of a read that is complete. A canceled read leaves the unread payload, and the end of
 * the stream or an error after it, to the next read.
 */
static int zread_result(struct sdp_sock *ssk)
{
	if (ssk->zread.async.filled)
		return ssk->zread.async.filled;
	return ssk->zread.async.canceled ? -ECANCELED : sdp_stream_nothing(ssk);
}

/* ki_complete() frees the iocb, and releases its reference to the file. */
static bool zread_complete_read(struct sdp_sock *ssk)
{
	struct sdp_zread *zread = &ssk->zread;
	int result = zread_result(ssk);
	struct sock *sk = sdp_sock(ssk);

	sdp_pages_unpin(ssk->ep.sink_pages);
	mm_unaccount_pinned_pages(&zread->pin);
	mmdrop(zread->mm);
	sdp_steps_end(&zread->steps);
	zread->iocb->ki_complete(zread->iocb, result);
	zread->iocb = NULL;
	/* Wake other reads, and a connect() that waits for the end of this read. */
	sk->sk_data_ready(sk);
	if (sk->sk_state == TCP_CLOSE)
		sk->sk_state_change(sk);
	return true;
}

/*
 * Each function below is the step of a state. It returns true if the awaited event has occurred.
 * The caller then takes the step of the state that is current afterwards.
 */

static bool zread_waiting(struct sdp_sock *ssk)
{
	struct sdp_zread *zread = &ssk->zread;
	struct sdp_async *async = &zread->async;
	const struct sdp_link *link = ssk->ep.link;
	const struct sock *sk = sdp_sock(ssk);

	/* A canceled read leaves received payload to the next read. */
	async->canceled = zread_is_canceled(zread);
	if (!async->canceled)
		zread_fill(ssk);
	async->stopped = sdp_stream_is_at_mark(ssk);
	async->ended = sk->sk_err || sk->sk_shutdown & RCV_SHUTDOWN;
	async->registers = link && link->ready && !link->stopped &&
			   READ_ONCE(ssk->ep.sink_pages->mr);
	async->advertises = !zread->copies && sdp_zwrite_may_make_room(ssk) &&
			    sdp_zwrite_may_receive(ssk, async->octets, 0);
	switch (sdp_async_next(async, &ssk->ep.conn)) {
	case SDP_ASYNC_READ:
		return zread_begin_to_read(ssk) || zread_refuse(ssk);
	case SDP_ASYNC_REFUSE:
		return zread_refuse(ssk);
	case SDP_ASYNC_ADVERTISE:
		return zread_advertise(ssk);
	case SDP_ASYNC_COMPLETE:
		return zread_complete_read(ssk);
	default:
		return false;
	}
}

static bool zread_is_complete(struct sdp_sock *ssk)
{
	if (sdp_pages_is_done(ssk->ep.sink_pages))
		return true;
	zread_hurry(ssk);
	return false;
}

static bool zread_read_into(struct sdp_sock *ssk)
{
	struct sdp_zread *zread = &ssk->zread;
	bool good;

	if (!zread_is_complete(ssk))
		return false;
	good = ssk->ep.sink_pages->good;
	sdp_pages_unmap(&ssk->ep, ssk->ep.sink_pages);
	zread->async.filled += sdp_zcopy_read_end(ssk, zread->reading, good);
	zread_wait_for_event(ssk);
	return true;
}

/* SinkAvailCancel requests an answer, which has a timeout. SinkAvail itself has none. */
static void zread_withdraw(struct sdp_sock *ssk)
{
	struct sdp_room *room = &ssk->ep.conn.room;

	if (room->cancel) {
		zread_hurry(ssk);
	} else if (zread_is_canceled(&ssk->zread) || sdp_sock(ssk)->sk_shutdown & RCV_SHUTDOWN) {
		sdp_room_cancel(room);
		sdp_link_push(&ssk->ep);
		zread_wait_for(ssk, SDP_ZREAD_ADVERTISED, SDP_ZCOPY_CANCEL_TIMEOUT);
	}
}

static bool zread_advertised(struct sdp_sock *ssk)
{
	if (ssk->ep.conn.room.len && READ_ONCE(ssk->ep.sink_pages->mr)) {
		if (sdp_sock(ssk)->sk_state != TCP_CLOSE)
			zread_withdraw(ssk);
		return false;
	}
	ssk->zread.async.filled = sdp_zwrite_room_end(ssk);
	sdp_pages_invalidate(&ssk->ep, ssk->ep.sink_pages, NULL);
	zread_wait_for(ssk, SDP_ZREAD_INVALIDATED, REQUEST_TIMEOUT);
	return true;
}

static bool zread_invalidated(struct sdp_sock *ssk)
{
	if (!zread_is_complete(ssk))
		return false;
	sdp_pages_unmap(&ssk->ep, ssk->ep.sink_pages);
	zread_wait_for_event(ssk);
	return true;
}

static const sdp_step steps[] = {
	[SDP_ZREAD_WAITING] = zread_waiting,
	[SDP_ZREAD_READ] = zread_read_into,
	[SDP_ZREAD_ADVERTISED] = zread_advertised,
	[SDP_ZREAD_INVALIDATED] = zread_invalidated,
};

void sdp_zread_init(struct sdp_sock *ssk)
{
	sdp_steps_init(&ssk->zread.steps, ssk, steps);
}

bool sdp_zread_goes_on(const struct sdp_sock *ssk)
{
	return READ_ONCE(ssk->zread.steps.state);
}

/*
 * Cancel a read, called by io_cancel(), io_destroy() and the end of the process. aio holds a
 * spinlock with interrupts disabled, so this function must not take a lock of the socket. aio
 * completes the iocb after this function has returned, so the iocb keeps the socket alive.
 * Return: -EINPROGRESS: an event follows.
 */
static int zread_cancel(struct kiocb *iocb)
{
	struct sdp_sock *ssk = iocb->private;

	set_bit(0, &ssk->zread.canceled);
	sdp_task_queue(&ssk->zread.steps.task);
	return -EINPROGRESS;
}

/* Return whether io_submit() has submitted the iocb, which then can be canceled. */
static bool zread_is_submitted(struct kiocb *iocb)
{
	return iocb && !is_sync_kiocb(iocb) && iocb->ki_flags & IOCB_AIO_RW;
}

/* Return whether an ordinary read would wait, or more data is to be read by RDMA. */
static bool zread_has_to_wait(const struct sdp_sock *ssk, size_t len)
{
	const struct sock *sk = &ssk->ep.inet.sk;

	if (sk->sk_err || sk->sk_shutdown & RCV_SHUTDOWN || sk->sk_state == TCP_CLOSE)
		return false;
	return sdp_stream_there(ssk) < (u32)sock_rcvlowat(sk, 0, len) ||
	       sdp_sink_is_readable(&ssk->ep.conn.sink);
}

static bool zread_pin(struct sdp_sock *ssk, unsigned long addr, u32 octets)
{
	struct sdp_zread *zread = &ssk->zread;

	zread->pin = (struct mmpin){};
	if (mm_account_pinned_pages(&zread->pin, octets))
		return false;
	if (sdp_pages_get(&ssk->ep, &ssk->ep.sink_pages) &&
	    sdp_pages_pin(ssk->ep.sink_pages, addr, octets, SDP_PAGES_FILLED_LATER))
		return true;
	mm_unaccount_pinned_pages(&zread->pin);
	return false;
}

static void zread_begin(struct sdp_sock *ssk, struct kiocb *iocb, u32 octets)
{
	struct sdp_zread *zread = &ssk->zread;

	zread->async = (struct sdp_async){
		.octets = octets,
		.lowat = sock_rcvlowat(sdp_sock(ssk), 0, octets),
	};
	zread->copies = ssk->ep.conn.modes.recv == SDP_MODE_PIPELINED &&
			sdp_skip_one(&ssk->read_skip);
	zread->iocb = iocb;
	zread->mm = current->mm;
	mmgrab(zread->mm);
	zread->canceled = 0;
	ssk->ep.sink_pages->task = &zread->steps.task;
	sdp_steps_begin(&zread->steps);
	zread_wait_for_event(ssk);
	iocb->private = ssk;
	kiocb_set_cancel_fn(iocb, zread_cancel);
	sdp_steps_kick(&zread->steps);
}

int sdp_zread_begin(struct sdp_sock *ssk, struct msghdr *msg, size_t len, int flags)
{
	struct kiocb *iocb = hca_msg_iocb(msg);
	unsigned long addr;
	size_t octets;

	if (!zread_is_submitted(iocb) || flags)
		return 0;
	if (sdp_zread_goes_on(ssk))
		return -EAGAIN;
	octets = min3(sdp_pages_segment(&msg->msg_iter, &addr), len,
		      (size_t)sdp_pages_octets(&ssk->ep));
	if (octets < SDP_ZCOPY_MIN || !zread_has_to_wait(ssk, len) || !zread_pin(ssk, addr, octets))
		return 0;
	zread_begin(ssk, iocb, octets);
	return -EIOCBQUEUED;
}
