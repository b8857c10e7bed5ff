// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* What programs send: advertised, or copied into buffers, which go as there is credit. */
#include <linux/uio.h>
#include <net/sock.h>
#include "sdp/linux/fill.h"
#include "sdp/linux/link.h"
#include "sdp/linux/zcopy.h"

/*
 * The link may have been stopped, so that its queue pair is gone, or be that of another attempt.
 * Who waits asks without the socket lock.
 */
static bool may_send(const struct sdp_sock *ssk, bool oob)
{
	const struct sdp_link *link;
	bool may;

	rcu_read_lock();
	link = READ_ONCE(ssk->link);
	may = link && link->ready && !link->stopped && !ssk->advertising &&
	      sdp_link_may_fill(ssk) && (!oob || ssk->conn.urgent.count < SDP_URGENT_MAX);
	rcu_read_unlock();
	return may;
}

/* Return: 0 once there is room; -EAGAIN, or what interrupted the wait; -EPIPE if it is over. */
static int wait_for_room(struct sock *sk, long *timeo, bool oob)
{
	struct sdp_sock *ssk = sdp_sk(sk);
	DEFINE_WAIT_FUNC(wait, woken_wake_function);
	int err = 0;

	add_wait_queue(sk_sleep(sk), &wait);
	while (!err && !may_send(ssk, oob)) {
		sk_set_bit(SOCKWQ_ASYNC_NOSPACE, sk);
		set_bit(SOCK_NOSPACE, &sk->sk_socket->flags);
		if (sk->sk_err || sk->sk_shutdown & SEND_SHUTDOWN)
			err = -EPIPE;
		else if (!*timeo)
			err = -EAGAIN;
		else if (signal_pending(current))
			err = sock_intr_errno(*timeo);
		else
			sk_wait_event(sk, timeo,
				      sk->sk_err || sk->sk_shutdown & SEND_SHUTDOWN ||
					      may_send(ssk, oob),
				      &wait);
	}
	remove_wait_queue(sk_sleep(sk), &wait);
	return err;
}

/* Return: octets that were copied into one buffer; -EFAULT; -ENOBUFS if there is no memory. */
static int fill(struct sdp_sock *ssk, struct msghdr *msg, bool oob)
{
	struct sdp_buf *buf = sdp_fill_buf(ssk);
	u32 octets;

	if (!buf)
		return -ENOBUFS;
	octets = min_t(size_t, sdp_fill_room(ssk, buf), msg_data_left(msg));
	octets = copy_from_iter(sdp_fill_at(buf), octets, &msg->msg_iter);
	if (!octets) {
		if (!buf->len)
			sdp_link_put_buf(ssk, buf);
		return -EFAULT;
	}
	buf->len += octets;
	buf->oob = oob && !msg_data_left(msg);
	sdp_urgent_queue(&ssk->conn.urgent, octets, buf->oob);
	return octets;
}

static int send(struct sdp_sock *ssk, struct msghdr *msg)
{
	struct sock *sk = sdp_sock(ssk);
	long timeo = sock_sndtimeo(sk, msg->msg_flags & MSG_DONTWAIT);
	bool oob = msg->msg_flags & MSG_OOB;
	bool advertise = sdp_zcopy_may_send(ssk, msg);
	int copied = 0, err = 0;

	if (sk->sk_state == TCP_SYN_SENT || sk->sk_state == TCP_CLOSE)
		err = sk_stream_wait_connect(sk, &timeo);
	while (!err && msg_data_left(msg)) {
		if (sk->sk_err || sk->sk_shutdown & SEND_SHUTDOWN ||
		    (!ssk->link && !ssk->resume_port)) {
			err = -EPIPE;
			break;
		}
		err = wait_for_room(sk, &timeo, oob);
		if (err)
			break;
		err = advertise ? sdp_zcopy_send(ssk, msg, &timeo) : 0;
		if (err == -EAGAIN) {
			err = 0;
			continue;
		}
		if (!err)
			err = fill(ssk, msg, oob);
		if (err < 0)
			break;
		copied += err;
		err = 0;
		sdp_link_push(ssk);
	}
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
	ret = send(sdp_sk(sk), msg);
	release_sock(sk);
	return ret;
}
