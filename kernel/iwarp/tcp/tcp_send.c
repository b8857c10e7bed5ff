// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Transmission of a stream that is a socket: buffers are handed to TCP by page. */
#include "iwarp/tcp/tcp_send.h"
#include <linux/net.h>
#include <net/tcp.h>
#include "iwarp/tcp/tcp_push.h"
#include "iwarp/tcp/tcp_retry.h"

/*
 * Return: octets that TCP takes best now. If there are none, TCP calls sk_write_space() later. A
 * stream without a connection raises WRITABLE when it is connected.
 */
static u32 send_space(struct hca_tcp_stream *ts)
{
	struct sock *sk = ts->sock->sk;

	if (!test_bit(HCA_TCP_CONNECTED, &ts->flags))
		return 0;
	if (!READ_ONCE(ts->tail.data) && sk_stream_is_writeable(sk))
		return sk_stream_wspace(sk);
	set_bit(SOCK_NOSPACE, &sk->sk_socket->flags);
	/* Pairs with the barrier in tcp_check_space(). */
	smp_mb__after_atomic();
	return !READ_ONCE(ts->tail.data) && sk_stream_is_writeable(sk) ? sk_stream_wspace(sk) : 0;
}

u32 hca_tcp_room(struct hca_stream *s)
{
	return send_space(hca_tcp_stream_of(s));
}

u32 hca_tcp_mss(struct hca_stream *s)
{
	return READ_ONCE(tcp_sk(hca_tcp_stream_of(s)->sock->sk)->mss_cache);
}

static bool send_has_ended(const struct hca_tcp_stream *ts)
{
	return test_bit(HCA_TCP_CLOSING, &ts->flags) || test_bit(HCA_TCP_ABORTED, &ts->flags) ||
	       test_bit(HCA_TCP_ENDED, &ts->flags);
}

/* Keep what TCP has not taken of a buffer. @sent: octets that it has taken. */
static void send_keep_rest(struct hca_tcp_stream *ts, const struct hca_tx_buffer *b, u32 sent)
{
	struct hca_tx_buffer *tail = &ts->tail;

	get_page(virt_to_page(b->data));
	tail->sent = b->sent + sent;
	tail->used = b->used;
	WRITE_ONCE(tail->data, b->data);
	hca_tcp_push_later(ts);
}

/* Send a buffer. Return: 0: TCP has all, or @tail has the rest; otherwise an error. */
static int send_locked(struct hca_tcp_stream *ts, const struct hca_tx_buffer *b, bool more)
{
	int ret;

	if (sock_owned_by_user(ts->sock->sk)) {
		hca_tcp_retry(ts);
		return -EAGAIN;
	}
	if (!send_space(ts))
		return -EAGAIN;
	ret = hca_tcp_push_pages(ts, b, more);
	if (ret == -EAGAIN) {
		hca_tcp_push_later(ts);
		return -EAGAIN;
	}
	if (ret < 0)
		return -EPIPE;
	if (ret < b->used - b->sent)
		send_keep_rest(ts, b, ret);
	return 0;
}

int hca_tcp_send(struct hca_stream *s, const struct hca_tx_buffer *b, bool more)
{
	struct hca_tcp_stream *ts = hca_tcp_stream_of(s);
	int ret;

	if (send_has_ended(ts))
		return -EPIPE;
	bh_lock_sock(ts->sock->sk);
	ret = send_locked(ts, b, more);
	bh_unlock_sock(ts->sock->sk);
	return ret;
}
