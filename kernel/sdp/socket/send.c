// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The operation sendmsg(), which sends data by Zcopy, or copies data into buffers. */
#include <linux/uio.h>
#include <net/sock.h>
#include "sdp/link/fill.h"
#include "sdp/link/link.h"
#include "sdp/link/transfer.h"
#include "sdp/socket/cork.h"
#include "sdp/socket/zcall.h"
#include "sdp/socket/zcopy.h"
#include "sdp/socket/zsend.h"

/* A call of sendmsg(): its data, and the ways in which it may be sent. */
struct call {
	struct msghdr *msg;
	long timeo; /* remaining jiffies that the program waits */
	bool oob; /* the last octet is out of band */
	bool advertise; /* sending without a copy is worth trying */
	bool unwaited; /* MSG_ZEROCOPY: the call does not wait for data sent without a copy */
	struct ubuf_info *uarg; /* MSG_ZEROCOPY: notification, made when data can be sent */
};

/*
 * Return whether a call may send now. Callers that wait do not hold the socket lock, so that the
 * link may have been stopped or replaced.
 */
static bool send_is_possible(const struct sdp_sock *ssk, bool oob)
{
	const struct sdp_link *link;
	bool may;

	rcu_read_lock();
	link = READ_ONCE(ssk->ep.link);
	may = link && link->ready && !link->stopped && !ssk->ep.advertising &&
	      sdp_link_may_fill(&ssk->ep) && (!oob || ssk->ep.conn.urgent.count < SDP_URGENT_MAX);
	rcu_read_unlock();
	return may;
}

/*
 * A call that has waited for a free buffer, and has much data left, waits briefly until all buffers
 * were sent, so that the rest can be advertised. Otherwise all data would be copied while the peer
 * reads more slowly than the program writes.
 */
static void send_wait_until_empty(struct sdp_sock *ssk, struct call *call)
{
	struct sock *sk = sdp_sock(ssk);
	long timeo = min(call->timeo, SDP_ZCOPY_ANSWER_TIMEOUT);
	unsigned long began = jiffies;
	DEFINE_WAIT_FUNC(wait, woken_wake_function);

	if (!call->advertise || msg_data_left(call->msg) < SDP_ZCOPY_MIN || ssk->write_skip.left)
		return;
	ssk->ep.emptying++;
	add_wait_queue(sk_sleep(sk), &wait);
	while (timeo && !signal_pending(current) && !list_empty(&ssk->ep.tx) && !sk->sk_err &&
	       !(sk->sk_shutdown & SEND_SHUTDOWN))
		sk_wait_event(sk, &timeo, list_empty(&ssk->ep.tx), &wait);
	remove_wait_queue(sk_sleep(sk), &wait);
	ssk->ep.emptying--;
	sdp_zcall_reduce(&call->timeo, began);
}

/* Return: 0 when the call may send; -EAGAIN; an errno of a signal; -EPIPE if sending has ended. */
static int send_wait_for_room(struct sock *sk, struct call *call)
{
	struct sdp_sock *ssk = sdp_sk(sk);
	DEFINE_WAIT_FUNC(wait, woken_wake_function);
	int err = 0;

	if (send_is_possible(ssk, call->oob))
		return 0;
	add_wait_queue(sk_sleep(sk), &wait);
	while (!err && !send_is_possible(ssk, call->oob)) {
		sk_set_bit(SOCKWQ_ASYNC_NOSPACE, sk);
		set_bit(SOCK_NOSPACE, &sk->sk_socket->flags);
		if (sk->sk_err || sk->sk_shutdown & SEND_SHUTDOWN)
			err = -EPIPE;
		else if (!call->timeo)
			err = -EAGAIN;
		else if (signal_pending(current))
			err = sock_intr_errno(call->timeo);
		else
			sk_wait_event(sk, &call->timeo,
				      sk->sk_err || sk->sk_shutdown & SEND_SHUTDOWN ||
					      send_is_possible(ssk, call->oob),
				      &wait);
	}
	remove_wait_queue(sk_sleep(sk), &wait);
	return err;
}

/* Return: 0 when the call may send; -EAGAIN; an errno of a signal; -EPIPE if sending has ended. */
static int send_wait(struct sdp_sock *ssk, struct call *call)
{
	int err = 0;

	while (!err && !send_is_possible(ssk, call->oob)) {
		err = send_wait_for_room(sdp_sock(ssk), call);
		if (!err)
			send_wait_until_empty(ssk, call);
	}
	return err;
}

/*
 * Copy data into one buffer. Return: octets copied; 0 if the caller is to wait for a buffer in use;
 * -EFAULT; -ENOBUFS if memory is exhausted.
 */
static int send_fill(struct sdp_sock *ssk, struct msghdr *msg, bool oob)
{
	struct sdp_buf *buf = sdp_link_fill_buf(&ssk->ep, SDP_GFP);
	u32 octets;

	if (!buf)
		return ssk->ep.send_short ? 0 : -ENOBUFS;
	octets = min_t(size_t, sdp_fill_room(&ssk->ep, buf), msg_data_left(msg));
	octets = copy_from_iter(sdp_fill_at(buf), octets, &msg->msg_iter);
	if (!octets) {
		if (!buf->len)
			sdp_link_put_buf(&ssk->ep, buf);
		return -EFAULT;
	}
	buf->len += octets;
	buf->oob = oob && !msg_data_left(msg);
	sdp_urgent_queue(&ssk->ep.conn.urgent, octets, buf->oob);
	return octets;
}

/* Return: octets sent without a copy; 0 if all data is to be copied; or a negative errno. */
static int send_uncopied(struct sdp_sock *ssk, struct call *call)
{
	if (!call->advertise)
		return 0;
	if (call->uarg)
		return sdp_zsend_begin(ssk, call->msg, call->uarg);
	return sdp_zcopy_send(ssk, call->msg, &call->timeo);
}

/* Return: octets sent; 0 if the caller is to try again; or a negative errno. */
static int send_some(struct sdp_sock *ssk, struct call *call)
{
	struct sock *sk = sdp_sock(ssk);
	int err;

	if (sk->sk_err || sk->sk_shutdown & SEND_SHUTDOWN ||
	    (!ssk->ep.link && !ssk->ep.resume_port))
		return -EPIPE;
	err = send_wait(ssk, call);
	if (err)
		return err;
	if (call->unwaited && !call->uarg) {
		call->uarg = sdp_zsend_uarg(ssk, msg_data_left(call->msg));
		if (!call->uarg)
			return -ENOBUFS;
	}
	err = send_uncopied(ssk, call);
	if (err)
		return err == -EAGAIN ? 0 : err;
	err = send_fill(ssk, call->msg, call->oob);
	if (err > 0 && call->uarg)
		sdp_zsend_copied(call->uarg);
	return err;
}

/*
 * Return whether a call is to try Zcopy. The function is called once in each call, because it
 * decrements write_skip.left of the socket.
 */
static bool send_may_advertise(struct sdp_sock *ssk, struct msghdr *msg)
{
	return msg_data_left(msg) >= SDP_ZCOPY_MIN && !(msg->msg_flags & MSG_OOB) &&
	       !sdp_skip_one(&ssk->write_skip);
}

/*
 * Set whether a call with MSG_MORE (@more) or without it is corked. If the call tries Zcopy, a
 * message that waits for more data is sent first.
 */
static void send_cork(struct sdp_sock *ssk, bool more, bool advertise)
{
	if (advertise)
		sdp_cork_flush(ssk);
	else
		ssk->ep.corked = more || ssk->cork;
}

static int send_all(struct sdp_sock *ssk, struct msghdr *msg)
{
	struct sock *sk = sdp_sock(ssk);
	struct call call = {
		.msg = msg,
		.timeo = sock_sndtimeo(sk, msg->msg_flags & MSG_DONTWAIT),
		.oob = msg->msg_flags & MSG_OOB,
		.advertise = send_may_advertise(ssk, msg),
		.unwaited = msg->msg_flags & MSG_ZEROCOPY && sock_flag(sk, SOCK_ZEROCOPY),
	};
	int copied = 0, err = 0;

	send_cork(ssk, msg->msg_flags & MSG_MORE, call.advertise);
	if (sk->sk_state == TCP_SYN_SENT || sk->sk_state == TCP_CLOSE)
		err = sk_stream_wait_connect(sk, &call.timeo);
	while (!err && msg_data_left(msg)) {
		err = send_some(ssk, &call);
		if (err < 0)
			break;
		copied += err;
		err = 0;
		sdp_link_push(&ssk->ep);
	}
	if (call.uarg)
		sdp_zsend_uarg_put(call.uarg, copied);
	if (ssk->ep.corked)
		sdp_cork_wait(ssk);
	if (copied)
		return copied;
	return err ? sk_stream_error(sk, msg->msg_flags, err) : 0;
}

int sdp_sendmsg(struct socket *sock, struct msghdr *msg, size_t len)
{
	struct sock *sk = sock->sk;
	int ret;

	if (msg->msg_flags & MSG_FASTOPEN)
		return -EOPNOTSUPP;
	lock_sock(sk);
	ret = send_all(sdp_sk(sk), msg);
	release_sock(sk);
	return ret;
}
