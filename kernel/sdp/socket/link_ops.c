// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The operations of a socket after events of its link. */
#include "sdp/socket/link_ops.h"
#include "sdp/link/route.h"
#include "sdp/socket/create.h"
#include "sdp/socket/port.h"
#include "sdp/socket/sock.h"
#include "sdp/socket/state.h"
#include "sdp/socket/steps.h"
#include "sdp/socket/stream.h"

static int sdp_event_renamed(struct sdp_ep *ep, const struct in6_addr *addr)
{
	return sdp_port_readdress(sdp_sock_of(ep), addr);
}

static void sdp_event_established(struct sdp_ep *ep)
{
	sdp_sock_established(sdp_sock_of(ep));
}

static void sdp_event_resumed(struct sdp_ep *ep)
{
	sdp_sock_resumed(sdp_sock_of(ep));
}

static bool sdp_event_received(struct sdp_ep *ep, struct sdp_buf *buf,
			    const struct sdp_delivery *delivery)
{
	struct sdp_sock *ssk = sdp_sock_of(ep);

	if (delivery->oob_pend || delivery->oob_pres)
		sdp_stream_urgent(ssk);
	return delivery->payload && sdp_stream_add(ssk, buf, delivery);
}

/* Process SrcAvail of the peer. */
static void sdp_event_advertised(struct sdp_sock *ssk)
{
	struct sock *sk = sdp_sock(ssk);
	struct sdp_conn *conn = &ssk->ep.conn;

	/*
	 * Refuse SrcAvail after shutdown(), or if both ends advertise: otherwise both might wait
	 * forever.
	 */
	if (conn->source.left || sk->sk_shutdown & RCV_SHUTDOWN)
		sdp_sink_refuse(&conn->sink);
	/* In Pipelined mode SrcAvail has no payload, which would wake the program. */
	if (sdp_sink_is_readable(&conn->sink))
		sk->sk_data_ready(sk);
}

static void sdp_event_disconnected(struct sock *sk)
{
	sk->sk_shutdown |= RCV_SHUTDOWN;
	if (sk->sk_state == TCP_ESTABLISHED)
		inet_sk_set_state(sk, TCP_CLOSE_WAIT);
	else if (sk->sk_state == TCP_FIN_WAIT1)
		inet_sk_set_state(sk, TCP_LAST_ACK);
	sk->sk_state_change(sk);
}

static void sdp_event_delivered(struct sdp_ep *ep, const struct sdp_delivery *delivery)
{
	struct sdp_sock *ssk = sdp_sock_of(ep);

	if (delivery->advertised)
		sdp_event_advertised(ssk);
	if (delivery->answered && !ep->conn.source.left)
		complete(&ssk->answered);
	if (delivery->answered)
		sdp_steps_kick(&ssk->zsend.steps);
	/* The peer has written these octets into the program's memory: they count as read. */
	ssk->rcv_nxt += delivery->written;
	ssk->copied_seq += delivery->written;
	if (delivery->released)
		complete(&ssk->released);
	if (ep->conn.suspend.received && !ssk->fin_at)
		sdp_sock_timeout(ssk, SDP_SETUP_TIMEOUT);
	if (delivery->disconn)
		sdp_event_disconnected(sdp_ep_sock(ep));
	sdp_steps_kick(&ssk->zread.steps);
	if (delivery->abort)
		sdp_sock_end(ssk, ECONNRESET);
}

static void sdp_event_readable(struct sdp_ep *ep)
{
	struct sock *sk = sdp_ep_sock(ep);

	sdp_steps_kick(&sdp_sock_of(ep)->zread.steps);
	sk->sk_data_ready(sk);
}

static void sdp_event_room(struct sdp_ep *ep)
{
	struct sdp_sock *ssk = sdp_sock_of(ep);
	struct sock *sk = sdp_ep_sock(ep);

	if (ssk->zsend.steps.state == SDP_ZSEND_COPIED)
		sdp_steps_kick(&ssk->zsend.steps);
	sk->sk_write_space(sk);
}

static void sdp_event_progress(struct sdp_ep *ep)
{
	sdp_sock_progress(sdp_sock_of(ep));
}

static void sdp_event_failed(struct sdp_ep *ep, int err)
{
	sdp_sock_abort(sdp_sock_of(ep), err);
}

static void sdp_event_ended(struct sdp_ep *ep, int err)
{
	sdp_sock_end(sdp_sock_of(ep), err);
}

/* Begin the new setup. The timeout of a close that is in progress stays as it is. */
static void sdp_event_resume(struct sdp_ep *ep)
{
	struct sdp_sock *ssk = sdp_sock_of(ep);
	int err;

	ep->resume_port = ep->conn.suspend.port;
	if (!ssk->fin_at)
		sdp_sock_timeout(ssk, SDP_SETUP_TIMEOUT);
	err = sdp_route_resolve(ep);
	if (err)
		sdp_sock_end(ssk, -err);
}

/*
 * While a suspended connection is set up again, the state of the socket does not change, and calls
 * of the program wait. If the new setup fails, the connection ends.
 */
static void sdp_event_gone(struct sdp_ep *ep, bool resumes)
{
	struct sock *sk = sdp_ep_sock(ep);

	sdp_steps_kick_all(sdp_sock_of(ep));
	if (resumes)
		sdp_event_resume(ep);
	sk->sk_state_change(sk);
}

const struct sdp_link_ops sdp_sock_link_ops = {
	.listener = sdp_port_listener,
	.child = sdp_sock_child,
	.renamed = sdp_event_renamed,
	.established = sdp_event_established,
	.resumed = sdp_event_resumed,
	.received = sdp_event_received,
	.delivered = sdp_event_delivered,
	.readable = sdp_event_readable,
	.room = sdp_event_room,
	.progress = sdp_event_progress,
	.failed = sdp_event_failed,
	.ended = sdp_event_ended,
	.gone = sdp_event_gone,
};
