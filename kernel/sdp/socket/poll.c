// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The poll() operation, with the results of TCP. */
#include <linux/poll.h>
#include <net/sock.h>
#include "sdp/link/link.h"
#include "sdp/socket/sock.h"
#include "sdp/socket/zread.h"

static __poll_t sdp_poll_readable(const struct sdp_sock *ssk)
{
	const struct sock *sk = &ssk->ep.inet.sk;
	u32 octets = READ_ONCE(ssk->rcv_nxt) - READ_ONCE(ssk->copied_seq);
	u16 urg_data = READ_ONCE(ssk->urg_data);
	u32 lowat = sock_rcvlowat(sk, 0, INT_MAX);
	__poll_t mask = 0;

	/* The out-of-band octet is not part of the stream, unless SO_OOBINLINE is set. */
	if (urg_data & (SDP_URG_VALID | SDP_URG_READ) && ssk->urg_seq == ssk->copied_seq &&
	    !sock_flag(sk, SOCK_URGINLINE))
		lowat++;
	/* An asynchronous read gets the next octets, so that other reads would wait. */
	if ((octets >= lowat || sdp_sink_is_readable(&ssk->ep.conn.sink)) &&
	    !sdp_zread_goes_on(ssk))
		mask |= EPOLLIN | EPOLLRDNORM;
	if (urg_data & (SDP_URG_VALID | SDP_URG_PENDING))
		mask |= EPOLLPRI;
	return mask;
}

/*
 * EPOLLOUT requires room for a whole buffer, because programs expect that a write of some size does
 * not wait.
 */
static bool sdp_poll_writable(const struct sdp_sock *ssk)
{
	u32 bufs = READ_ONCE(ssk->ep.send_bufs);

	return bufs && (READ_ONCE(ssk->ep.send_used) < bufs || list_empty(&ssk->ep.tx)) &&
	       !READ_ONCE(ssk->ep.send_short) && !READ_ONCE(ssk->ep.conn.suspend.acked) &&
	       !READ_ONCE(ssk->ep.advertising);
}

__poll_t sdp_poll(struct file *file, struct socket *sock, struct poll_table_struct *wait)
{
	struct sock *sk = sock->sk;
	struct sdp_sock *ssk = sdp_sk(sk);
	int state, shutdown;
	__poll_t mask = 0;

	sock_poll_wait(file, sock, wait);
	state = inet_sk_state_load(sk);
	if (state == TCP_LISTEN)
		return list_empty(&ssk->accept_queue) ? 0 : EPOLLIN | EPOLLRDNORM;
	shutdown = READ_ONCE(sk->sk_shutdown);
	if (shutdown == SHUTDOWN_MASK || state == TCP_CLOSE)
		mask |= EPOLLHUP;
	if (shutdown & RCV_SHUTDOWN)
		mask |= EPOLLIN | EPOLLRDNORM | EPOLLRDHUP;
	if (state != TCP_SYN_SENT) {
		mask |= sdp_poll_readable(ssk);
		if (shutdown & SEND_SHUTDOWN || state == TCP_CLOSE || sdp_poll_writable(ssk))
			mask |= EPOLLOUT | EPOLLWRNORM;
	}
	if (READ_ONCE(sk->sk_err) || !skb_queue_empty_lockless(&sk->sk_error_queue))
		mask |= EPOLLERR;
	return mask;
}
