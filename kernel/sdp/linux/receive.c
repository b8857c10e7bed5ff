// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* What programs receive: the stream, the octet out of band, and how much of it there is. */
#include <asm/ioctls.h>
#include <linux/sched/signal.h>
#include <linux/uio.h>
#include <net/inet_common.h>
#include <net/sock.h>
#include "compat.h"
#include "sdp/linux/transfer.h"
#include "sdp/linux/zcopy.h"
#include "sdp/linux/zwrite.h"

void sdp_receive_urgent(struct sdp_sock *ssk)
{
	ssk->urg_data = SDP_URG_PENDING;
	sk_send_sigurg(sdp_sock(ssk));
}

/* Where the octet is, and which. One that the program has come to but not read is left out. */
static void urgent_here(struct sdp_sock *ssk, u32 seq, u8 octet)
{
	ssk->urg_seq = seq;
	ssk->urg_data = SDP_URG_VALID | octet;
}

bool sdp_receive_payload(struct sdp_sock *ssk, struct sdp_buf *buf,
			 const struct sdp_delivery *delivery)
{
	struct sock *sk = sdp_sock(ssk);
	struct sdp_buf *last = list_last_entry(&ssk->rx, struct sdp_buf, list);
	const u8 *payload = (u8 *)sdp_buf_data(buf) + delivery->offset;
	u32 end = list_empty(&ssk->rx) ? 0 : last->offset + last->len;
	bool keep = true;

	/* Nobody will read it. */
	if (sock_flag(sk, SOCK_DEAD)) {
		sdp_sock_abort(ssk, ECONNRESET);
		return false;
	}
	ssk->rcv_nxt += delivery->payload;
	if (delivery->oob_pres)
		urgent_here(ssk, ssk->rcv_nxt - 1, payload[delivery->payload - 1]);
	/* Little payload is put behind that of the last buffer, so that it does not hold one. */
	if (end && delivery->payload <= buf->size / 8 && delivery->payload <= last->size - end) {
		memcpy((u8 *)sdp_buf_data(last) + end, payload, delivery->payload);
		last->len += delivery->payload;
		keep = false;
	} else {
		buf->offset = delivery->offset;
		buf->len = delivery->payload;
		buf->kept = true;
		list_add_tail(&buf->list, &ssk->rx);
	}
	sk->sk_data_ready(sk);
	return keep;
}

/* As recv(2) with MSG_OOB on TCP. */
static int receive_oob(struct sdp_sock *ssk, struct msghdr *msg, size_t len, int flags)
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

/* Whether the octet out of band, read or not, is in the stream from @seq on. */
static bool has_mark(const struct sdp_sock *ssk)
{
	return ssk->urg_data & (SDP_URG_VALID | SDP_URG_READ);
}

/* Where to go on: what has been copied from the socket, and where the program has not peeked. */
struct cursor {
	struct sdp_buf *buf;
	u32 offset; /* in the payload of @buf */
	u32 seq;
};

static struct sdp_buf *next_buf(struct sdp_sock *ssk, struct cursor *at, bool peek)
{
	if (!peek) {
		at->offset = 0;
		at->seq = ssk->copied_seq;
		at->buf = list_first_entry_or_null(&ssk->rx, struct sdp_buf, list);
		return at->buf;
	}
	if (!at->buf) {
		at->buf = list_first_entry_or_null(&ssk->rx, struct sdp_buf, list);
	} else if (at->offset == at->buf->len) {
		if (list_is_last(&at->buf->list, &ssk->rx))
			return NULL;
		at->buf = list_next_entry(at->buf, list);
		at->offset = 0;
	}
	return at->buf;
}

static void consume(struct sdp_sock *ssk, struct sdp_buf *buf, u32 octets)
{
	buf->offset += octets;
	buf->len -= octets;
	ssk->copied_seq += octets;
	if (has_mark(ssk) && (s32)(ssk->copied_seq - ssk->urg_seq) > 0)
		ssk->urg_data = 0;
	if (!buf->len) {
		list_del_init(&buf->list);
		sdp_link_repost(ssk, buf);
		sdp_link_push(ssk);
	}
}

/*
 * Copies from one buffer. The octet out of band ends what one call returns; at the beginning it is
 * skipped, or returned if it is to be in line.
 * Return: octets copied; 0 if just one was skipped; a negative errno.
 */
static int copy_some(struct sdp_sock *ssk, struct cursor *at, struct msghdr *msg, size_t len,
		     int flags)
{
	u32 used = min_t(size_t, at->buf->len - at->offset, len), skip = 0;
	u32 mark = ssk->urg_seq - at->seq;
	const u8 *data;

	if (has_mark(ssk) && mark < used) {
		if (mark)
			used = mark;
		else if (!sock_flag(sdp_sock(ssk), SOCK_URGINLINE))
			skip = 1;
	}
	data = (u8 *)sdp_buf_data(at->buf) + at->buf->offset + at->offset;
	if (skip)
		used = 0;
	else if (!(flags & MSG_TRUNC) && copy_to_iter(data, used, &msg->msg_iter) != used)
		return -EFAULT;
	at->offset += used + skip;
	at->seq += used + skip;
	if (!(flags & MSG_PEEK))
		consume(ssk, at->buf, used + skip);
	return used;
}

/* What a call returns that finds nothing, or 1 if it is to wait. */
static int nothing(struct sock *sk, long timeo)
{
	if (sk->sk_err)
		return sock_error(sk);
	if (sock_flag(sk, SOCK_DONE) || sk->sk_shutdown & RCV_SHUTDOWN)
		return 0;
	if (sk->sk_state == TCP_CLOSE)
		return -ENOTCONN;
	if (!timeo)
		return -EAGAIN;
	return signal_pending(current) ? sock_intr_errno(timeo) : 1;
}

/* Who waits asks without the socket lock. */
static bool may_read_advertised(const struct sdp_sock *ssk)
{
	const struct sdp_link *link;
	bool may;

	rcu_read_lock();
	link = READ_ONCE(ssk->link);
	may = link && !link->stopped && sdp_sink_is_readable(&ssk->conn.sink);
	rcu_read_unlock();
	return may;
}

static void wait_for_data(struct sock *sk, long *timeo, u32 seq)
{
	struct sdp_sock *ssk = sdp_sk(sk);
	DEFINE_WAIT_FUNC(wait, woken_wake_function);

	add_wait_queue(sk_sleep(sk), &wait);
	sk_set_bit(SOCKWQ_ASYNC_WAITDATA, sk);
	sk_wait_event(sk, timeo,
		      ssk->rcv_nxt != seq || may_read_advertised(ssk) || sk->sk_err ||
			      sk->sk_shutdown & RCV_SHUTDOWN || sk->sk_state == TCP_CLOSE,
		      &wait);
	sk_clear_bit(SOCKWQ_ASYNC_WAITDATA, sk);
	remove_wait_queue(sk_sleep(sk), &wait);
}

static int receive(struct sdp_sock *ssk, struct msghdr *msg, size_t len, int flags)
{
	struct sock *sk = sdp_sock(ssk);
	struct cursor at = { .seq = ssk->copied_seq };
	long timeo = sock_rcvtimeo(sk, flags & MSG_DONTWAIT);
	int lowat = sock_rcvlowat(sk, flags & MSG_WAITALL, len), copied = 0, err;

	/* A read of no octets waits for data, too. */
	do {
		/* The octet out of band stops what was begun, and who has its signal pending. */
		if (has_mark(ssk) && ssk->urg_seq == at.seq && at.seq != ssk->rcv_nxt) {
			if (copied)
				break;
			if (signal_pending(current))
				return timeo ? sock_intr_errno(timeo) : -EAGAIN;
		}
		if (next_buf(ssk, &at, flags & MSG_PEEK)) {
			err = copy_some(ssk, &at, msg, len, flags);
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
		/* An error is for the next call, if this one returns octets. */
		if (copied >= lowat || (copied && (sk->sk_err || flags & MSG_PEEK)))
			break;
		err = nothing(sk, timeo);
		if (err <= 0)
			return copied ? copied : err;
		err = copied ? 0 : sdp_zwrite_receive(ssk, msg, len, flags, &timeo);
		if (err) {
			copied += max(err, 0);
			len -= max(err, 0);
			at.seq = ssk->copied_seq;
			continue;
		}
		wait_for_data(sk, &timeo, ssk->rcv_nxt);
		/* Another may have read meanwhile what was peeked at. */
		at = (struct cursor){ .seq = ssk->copied_seq };
	} while (len);
	return copied;
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
		ret = receive_oob(ssk, msg, len, flags);
	else
		ret = receive(ssk, msg, len, flags);
	release_sock(sk);
	return ret;
}

/* Octets that a read returns without waiting: up to the octet out of band. */
static int readable(const struct sdp_sock *ssk)
{
	u32 octets = ssk->rcv_nxt - ssk->copied_seq, mark = ssk->urg_seq - ssk->copied_seq;

	if (!has_mark(ssk))
		return min_t(u64, (u64)octets + ssk->conn.sink.advert.len, INT_MAX);
	if (sock_flag(&ssk->inet.sk, SOCK_URGINLINE) || mark >= octets)
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
		answer = sk->sk_state == TCP_LISTEN ? -EINVAL : readable(ssk);
		break;
	case SIOCATMARK:
		answer = has_mark(ssk) && ssk->urg_seq == ssk->copied_seq;
		break;
	case SIOCOUTQ:
	case SIOCOUTQNSD:
		answer = sk->sk_state == TCP_LISTEN ?
				 -EINVAL :
				 (int)(ssk->conn.urgent.queued - ssk->conn.urgent.sent +
				       sdp_zsend_left(ssk));
		break;
	default:
		answer = -ENOIOCTLCMD;
	}
	release_sock(sk);
	return answer < 0 ? answer : put_user(answer, (int __user *)arg);
}
