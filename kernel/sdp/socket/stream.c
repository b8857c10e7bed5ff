// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Received payload that the program has not read, and the out-of-band octet. */
#include "sdp/socket/stream.h"
#include <linux/sched/signal.h>
#include <linux/uio.h>
#include <net/sock.h>
#include "sdp/link/transfer.h"
#include "sdp/socket/state.h"

void sdp_stream_urgent(struct sdp_sock *ssk)
{
	ssk->urg_data = SDP_URG_PENDING;
	sk_send_sigurg(sdp_sock(ssk));
}

/* Set position and value of the out-of-band octet. An earlier one becomes a part of the stream. */
static void stream_urgent_here(struct sdp_sock *ssk, u32 seq, u8 octet)
{
	ssk->urg_seq = seq;
	ssk->urg_data = SDP_URG_VALID | octet;
}

bool sdp_stream_add(struct sdp_sock *ssk, struct sdp_buf *buf, const struct sdp_delivery *delivery)
{
	struct sock *sk = sdp_sock(ssk);
	struct sdp_buf *last = list_last_entry(&ssk->ep.rx, struct sdp_buf, list);
	const u8 *payload = (u8 *)sdp_buf_data(buf) + delivery->offset;
	u32 end = list_empty(&ssk->ep.rx) ? 0 : last->offset + last->len;
	bool keep = true;

	/* The program has closed the socket: the payload would never be read. */
	if (sock_flag(sk, SOCK_DEAD)) {
		sdp_sock_abort(ssk, ECONNRESET);
		return false;
	}
	ssk->rcv_nxt += delivery->payload;
	if (delivery->oob_pres)
		stream_urgent_here(ssk, ssk->rcv_nxt - 1, payload[delivery->payload - 1]);
	/* Append a short payload to the last buffer, so that @buf can be posted again at once. */
	if (end && delivery->payload <= buf->size / 8 && delivery->payload <= last->size - end) {
		memcpy((u8 *)sdp_buf_data(last) + end, payload, delivery->payload);
		last->len += delivery->payload;
		keep = false;
	} else {
		buf->offset = delivery->offset;
		buf->len = delivery->payload;
		buf->kept = true;
		list_add_tail(&buf->list, &ssk->ep.rx);
	}
	sk->sk_data_ready(sk);
	return keep;
}

bool sdp_stream_has_mark(const struct sdp_sock *ssk)
{
	return ssk->urg_data & (SDP_URG_VALID | SDP_URG_READ);
}

bool sdp_stream_is_at_mark(const struct sdp_sock *ssk)
{
	return sdp_stream_has_mark(ssk) && ssk->urg_seq == ssk->copied_seq &&
	       ssk->copied_seq != ssk->rcv_nxt;
}

u32 sdp_stream_there(const struct sdp_sock *ssk)
{
	bool skips = sdp_stream_is_at_mark(ssk) && !sock_flag(&ssk->ep.inet.sk, SOCK_URGINLINE);

	return ssk->rcv_nxt - ssk->copied_seq - skips;
}

struct sdp_buf *sdp_stream_next(struct sdp_sock *ssk, struct sdp_cursor *at, bool peek)
{
	if (!peek) {
		at->offset = 0;
		at->seq = ssk->copied_seq;
		at->buf = list_first_entry_or_null(&ssk->ep.rx, struct sdp_buf, list);
		return at->buf;
	}
	if (!at->buf) {
		at->buf = list_first_entry_or_null(&ssk->ep.rx, struct sdp_buf, list);
	} else if (at->offset == at->buf->len) {
		if (list_is_last(&at->buf->list, &ssk->ep.rx))
			return NULL;
		at->buf = list_next_entry(at->buf, list);
		at->offset = 0;
	}
	return at->buf;
}

static void stream_consume(struct sdp_sock *ssk, struct sdp_buf *buf, u32 octets)
{
	buf->offset += octets;
	buf->len -= octets;
	ssk->copied_seq += octets;
	if (sdp_stream_has_mark(ssk) && (s32)(ssk->copied_seq - ssk->urg_seq) > 0)
		ssk->urg_data = 0;
	if (!buf->len) {
		list_del_init(&buf->list);
		sdp_link_repost(&ssk->ep, buf);
		sdp_link_push(&ssk->ep);
	}
}

int sdp_stream_copy(struct sdp_sock *ssk, struct sdp_cursor *at, struct msghdr *msg, size_t len,
		    int flags)
{
	u32 used = min_t(size_t, at->buf->len - at->offset, len), skip = 0;
	u32 mark = ssk->urg_seq - at->seq;
	const u8 *data;

	if (sdp_stream_has_mark(ssk) && mark < used) {
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
		stream_consume(ssk, at->buf, used + skip);
	return used;
}

int sdp_stream_some(struct sdp_sock *ssk, struct msghdr *msg)
{
	struct sdp_cursor at = {};

	sdp_stream_next(ssk, &at, false);
	return sdp_stream_copy(ssk, &at, msg, msg_data_left(msg), 0);
}

int sdp_stream_end(struct sock *sk, long timeo)
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

int sdp_stream_nothing(struct sdp_sock *ssk)
{
	return sdp_stream_end(sdp_sock(ssk), 0);
}
