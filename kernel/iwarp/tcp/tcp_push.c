// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The way of a buffer into TCP, by page. */
#include "iwarp/tcp/tcp_push.h"
#include <linux/mm.h>
#include <linux/net.h>
#include <net/tcp.h>
#include "compat.h"
#include "iwarp/tcp/tcp_retry.h"

/* MSG_NOSIGNAL: whichever task is interrupted must not get SIGPIPE. */
#define SEND_FLAGS (MSG_DONTWAIT | MSG_NOSIGNAL)

int hca_tcp_push_pages(struct hca_tcp_stream *ts, const struct hca_tx_buffer *b, bool more)
{
	int flags = SEND_FLAGS | (more ? MSG_MORE : 0);
	int ret;

	ts->is_sending = true;
	ret = hca_tcp_sendpage(ts->sock->sk, virt_to_page(b->data), b->sent, b->used - b->sent,
			       flags);
	ts->is_sending = false;
	return ret;
}

void hca_tcp_push_later(struct hca_tcp_stream *ts)
{
	struct sock *sk = ts->sock->sk;

	set_bit(SOCK_NOSPACE, &sk->sk_socket->flags);
	if (sk_stream_memory_free(sk))
		hca_tcp_retry(ts);
}

/* The memory of a tail is looked at without the socket's lock. */
void hca_tcp_push_drop(struct hca_tcp_stream *ts)
{
	u8 *data = ts->tail.data;

	WRITE_ONCE(ts->tail.data, NULL);
	if (data)
		put_page(virt_to_page(data));
}

bool hca_tcp_push(struct hca_tcp_stream *ts)
{
	struct hca_tx_buffer *b = &ts->tail;
	int ret;

	while (b->sent < b->used) {
		ret = hca_tcp_push_pages(ts, b, false);
		if (ret == -EAGAIN) {
			hca_tcp_push_later(ts);
			return false;
		}
		/* After an error, nobody can receive the rest. */
		b->sent = ret < 0 ? b->used : b->sent + ret;
	}
	hca_tcp_push_drop(ts);
	return true;
}
