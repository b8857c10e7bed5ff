// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The operations recvmsg() and ioctl() of sockets, and receipt of the out-of-band octet. */
#include <asm/ioctls.h>
#include <linux/sched/signal.h>
#include <linux/uio.h>
#include <net/inet_common.h>
#include <net/sock.h>
#include "compat.h"
#include "sdp/link/transfer.h"
#include "sdp/socket/stream.h"
#include "sdp/socket/zcopy.h"
#include "sdp/socket/zread.h"
#include "sdp/socket/zsend.h"
#include "sdp/socket/zwrite.h"

/* Read the out-of-band octet. Results are those of recv(2) with MSG_OOB on TCP. */
static int recv_oob(struct sdp_sock *ssk, struct msghdr *msg, size_t len, int flags)
{
	struct sock *sk = sdp_sock(ssk);
	u8 octet = ssk->urg_data;

	if (sock_flag(sk, SOCK_URGINLINE) || !ssk->urg_data || ssk->urg_data == SDP_URG_READ)
		return -EINVAL;
	if (sk->sk_state == TCP_CLOSE && !sock_flag(sk, SOCK_DONE))
		return -ENOTCONN;
	if (!(ssk->urg_data & SDP_URG_VALID))
		return -EAGAIN;
	if (!(flags & MSG_PEEK))
		ssk->urg_data = SDP_URG_READ;
	msg->msg_flags |= MSG_OOB;
	if (!len) {
		msg->msg_flags |= MSG_TRUNC;
		return 0;
	}
	if (!(flags & MSG_TRUNC) && memcpy_to_msg(msg, &octet, 1))
		return -EFAULT;
	return 1;
}

/*
 * Wait for the end of an asynchronous read, which gets the next octets. @at is set to those that
 * follow.
 */
static int recv_wait_for_turn(struct sdp_sock *ssk, long *timeo, struct sdp_cursor *at)
{
	struct sock *sk = sdp_sock(ssk);
	DEFINE_WAIT_FUNC(wait, woken_wake_function);
	int err = 0;

	add_wait_queue(sk_sleep(sk), &wait);
	while (!err && sdp_zread_goes_on(ssk)) {
		if (!*timeo)
			err = -EAGAIN;
		else if (signal_pending(current))
			err = sock_intr_errno(*timeo);
		else
			sk_wait_event(sk, timeo, !sdp_zread_goes_on(ssk), &wait);
	}
	remove_wait_queue(sk_sleep(sk), &wait);
	*at = (struct sdp_cursor){ .seq = ssk->copied_seq };
	return err;
}

/*
 * Return whether an RDMA Read may begin. Called without the socket lock: RCU keeps the link in
 * memory.
 */
static bool recv_may_read_advertised(const struct sdp_sock *ssk)
{
	const struct sdp_link *link;
	bool may;

	rcu_read_lock();
	link = READ_ONCE(ssk->ep.link);
	may = link && !link->stopped && sdp_sink_is_readable(&ssk->ep.conn.sink);
	rcu_read_unlock();
	return may;
}

static void recv_wait_for_data(struct sock *sk, long *timeo, struct sdp_cursor *at)
{
	struct sdp_sock *ssk = sdp_sk(sk);
	u32 seq = ssk->rcv_nxt;
	DEFINE_WAIT_FUNC(wait, woken_wake_function);

	add_wait_queue(sk_sleep(sk), &wait);
	sk_set_bit(SOCKWQ_ASYNC_WAITDATA, sk);
	sk_wait_event(sk, timeo,
		      ssk->rcv_nxt != seq || recv_may_read_advertised(ssk) || sk->sk_err ||
			      sk->sk_shutdown & RCV_SHUTDOWN || sk->sk_state == TCP_CLOSE,
		      &wait);
	sk_clear_bit(SOCKWQ_ASYNC_WAITDATA, sk);
	remove_wait_queue(sk_sleep(sk), &wait);
	/* During the wait, another thread may have read octets that were peeked at. */
	*at = (struct sdp_cursor){ .seq = ssk->copied_seq };
}

/*
 * Return whether the call ends before the out-of-band octet, because it has copied octets, or has a
 * signal pending.
 */
static bool recv_ends_at_mark(const struct sdp_sock *ssk, u32 seq, int copied)
{
	return sdp_stream_has_mark(ssk) && ssk->urg_seq == seq && seq != ssk->rcv_nxt &&
	       (copied || signal_pending(current));
}

static int recv_interrupted(long timeo)
{
	return timeo ? sock_intr_errno(timeo) : -EAGAIN;
}

static int recv_all(struct sdp_sock *ssk, struct msghdr *msg, size_t len, int flags)
{
	struct sock *sk = sdp_sock(ssk);
	struct sdp_cursor at = { .seq = ssk->copied_seq };
	long timeo = sock_rcvtimeo(sk, flags & MSG_DONTWAIT);
	int lowat = sock_rcvlowat(sk, flags & MSG_WAITALL, len), copied = 0, err;

	/* A read of zero octets also waits for data. */
	do {
		if (sdp_zread_goes_on(ssk)) {
			err = copied ? copied : recv_wait_for_turn(ssk, &timeo, &at);
			if (err)
				return err;
		}
		if (recv_ends_at_mark(ssk, at.seq, copied))
			return copied ? copied : recv_interrupted(timeo);
		if (sdp_stream_next(ssk, &at, flags & MSG_PEEK)) {
			err = sdp_stream_copy(ssk, &at, msg, len, flags);
			if (err < 0)
				return copied ? copied : err;
			copied += err;
			len -= err;
			continue;
		}
		err = sdp_zcopy_receive(ssk, msg, len, flags, &timeo);
		if (err) {
			copied += err;
			len -= err;
			at.seq = ssk->copied_seq;
			continue;
		}
		/* If this call returns octets, the next call returns sk_err. */
		if (copied >= lowat || (copied && (sk->sk_err || flags & MSG_PEEK)))
			break;
		err = sdp_stream_end(sk, timeo);
		if (err <= 0)
			return copied ? copied : err;
		err = copied ? 0 : sdp_zwrite_receive(ssk, msg, len, flags, &timeo);
		if (err) {
			copied += max(err, 0);
			len -= max(err, 0);
			at.seq = ssk->copied_seq;
			continue;
		}
		recv_wait_for_data(sk, &timeo, &at);
	} while (len);
	return copied;
}

/* Begin an asynchronous read, or read as usual. */
static int recv_or_begin(struct sdp_sock *ssk, struct msghdr *msg, size_t len, int flags)
{
	int begun = sdp_zread_begin(ssk, msg, len, flags);

	return begun ? begun : recv_all(ssk, msg, len, flags);
}

int sdp_recvmsg(struct socket *sock, struct msghdr *msg, size_t len, int flags)
{
	struct sock *sk = sock->sk;
	struct sdp_sock *ssk = sdp_sk(sk);
	int ret;

	if (flags & MSG_ERRQUEUE)
		return hca_inet_recv_error(sk, msg, len);
	lock_sock(sk);
	if (sk->sk_state == TCP_LISTEN || sk->sk_state == TCP_SYN_SENT)
		ret = -ENOTCONN;
	else if (flags & MSG_OOB)
		ret = recv_oob(ssk, msg, len, flags);
	else
		ret = recv_or_begin(ssk, msg, len, flags);
	release_sock(sk);
	return ret;
}

/* Octets that can be read without a wait, at most up to the out-of-band octet. */
static int recv_readable(const struct sdp_sock *ssk)
{
	u32 octets = ssk->rcv_nxt - ssk->copied_seq, mark = ssk->urg_seq - ssk->copied_seq;

	if (!sdp_stream_has_mark(ssk))
		return min_t(u64, (u64)octets + ssk->ep.conn.sink.advert.len, INT_MAX);
	if (sock_flag(&ssk->ep.inet.sk, SOCK_URGINLINE) || mark >= octets)
		return octets;
	return mark ? mark : octets - 1;
}

int sdp_ioctl(struct socket *sock, unsigned int cmd, unsigned long arg)
{
	struct sock *sk = sock->sk;
	struct sdp_sock *ssk = sdp_sk(sk);
	int answer;

	lock_sock(sk);
	switch (cmd) {
	case SIOCINQ:
		answer = sk->sk_state == TCP_LISTEN ? -EINVAL : recv_readable(ssk);
		break;
	case SIOCATMARK:
		answer = sdp_stream_has_mark(ssk) && ssk->urg_seq == ssk->copied_seq;
		break;
	case SIOCOUTQ:
	case SIOCOUTQNSD:
		answer = sk->sk_state == TCP_LISTEN ?
				 -EINVAL :
				 (int)(ssk->ep.conn.urgent.queued - ssk->ep.conn.urgent.sent +
				       sdp_zsend_left(ssk));
		break;
	default:
		answer = -ENOIOCTLCMD;
	}
	release_sock(sk);
	return answer < 0 ? answer : put_user(answer, (int __user *)arg);
}
