// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Changes of a socket's state, and the end of connections. */
#include "sdp/socket/state.h"
#include <net/sock.h>
#include "sdp/link/lock.h"
#include "sdp/link/resume.h"
#include "sdp/link/route.h"
#include "sdp/link/transfer.h"
#include "sdp/link/watch.h"
#include "sdp/socket/keepalive.h"
#include "sdp/socket/steps.h"

#define END_TIMEOUT (10 * HZ) /* time for the peer to end a connection that both have closed */

static void state_time_out(struct sdp_sock *ssk)
{
	switch (sdp_sock(ssk)->sk_state) {
	case TCP_LISTEN:
		break;
	case TCP_CLOSE:
		sdp_link_stop(&ssk->ep);
		break;
	case TCP_SYN_SENT:
	case TCP_SYN_RECV:
		sdp_sock_end(ssk, ETIMEDOUT);
		break;
	default:
		if (ssk->ep.conn.end.disconn_sent && ssk->ep.conn.end.disconn_received)
			sdp_link_stop(&ssk->ep);
		else
			sdp_sock_abort(ssk, ETIMEDOUT);
	}
}

/*
 * The timeout may have been postponed or canceled since the work was queued. A process may hold the
 * socket lock without bound. The work then runs again after a second.
 */
static void state_fin_timeout(struct work_struct *work)
{
	struct sdp_sock *ssk = container_of(to_delayed_work(work), struct sdp_sock, fin_work);
	struct sock *sk = sdp_sock(ssk);
	bool again = false;

	spin_lock_bh(&sk->sk_lock.slock);
	if (sock_owned_by_user(sk)) {
		again = queue_delayed_work(sdp_wq, &ssk->fin_work, HZ);
	} else if (ssk->fin_at && time_after_eq(jiffies, ssk->fin_at)) {
		ssk->fin_at = 0;
		state_time_out(ssk);
	}
	spin_unlock_bh(&sk->sk_lock.slock);
	if (!again)
		sock_put(sk);
}

void sdp_sock_timeout(struct sdp_sock *ssk, unsigned long delay)
{
	ssk->fin_at = (jiffies + delay) | 1;
	if (!mod_delayed_work(sdp_wq, &ssk->fin_work, delay + 1))
		sock_hold(sdp_sock(ssk));
}

static void state_fin_cancel(struct sdp_sock *ssk)
{
	ssk->fin_at = 0;
	if (cancel_delayed_work(&ssk->fin_work))
		__sock_put(sdp_sock(ssk));
}

void sdp_sock_purge(struct sdp_sock *ssk)
{
	struct sdp_buf *buf;

	while ((buf = list_first_entry_or_null(&ssk->ep.rx, struct sdp_buf, list))) {
		list_del_init(&buf->list);
		sdp_link_repost(&ssk->ep, buf);
	}
	ssk->copied_seq = ssk->rcv_nxt;
	ssk->urg_data = 0;
}

void sdp_sock_detach(struct sdp_sock *ssk)
{
	struct sock *listener = ssk->listener;

	if (!listener)
		return;
	ssk->listener = NULL;
	spin_lock_bh(&sdp_sk(listener)->accept_lock);
	sk_acceptq_removed(listener);
	spin_unlock_bh(&sdp_sk(listener)->accept_lock);
	sock_put(listener);
}

/* Queue a child for accept(), with its reference. Return: false if the listener is closed. */
static bool state_queue_child(struct sdp_sock *ssk)
{
	struct sock *listener = ssk->listener;
	struct sdp_sock *to = sdp_sk(listener);
	bool listens;

	spin_lock_bh(&to->accept_lock);
	listens = listener->sk_state == TCP_LISTEN;
	if (listens) {
		list_add_tail(&ssk->accept_node, &to->accept_queue);
		listener->sk_data_ready(listener);
	}
	spin_unlock_bh(&to->accept_lock);
	return listens;
}

void sdp_sock_established(struct sdp_sock *ssk)
{
	struct sock *sk = sdp_sock(ssk);

	if (sk->sk_state == TCP_SYN_RECV && !state_queue_child(ssk)) {
		sdp_sock_end(ssk, ECONNABORTED);
		return;
	}
	state_fin_cancel(ssk);
	inet_sk_set_state(sk, TCP_ESTABLISHED);
	sk->sk_state_change(sk);
	sk->sk_write_space(sk);
	sk_wake_async(sk, SOCK_WAKE_IO, POLL_OUT);
	sdp_link_ready(&ssk->ep);
	sdp_keepalive_restart(ssk);
}

/* If the program has closed the socket, the timeout of the close stays in force. */
void sdp_sock_resumed(struct sdp_sock *ssk)
{
	struct sock *sk = sdp_sock(ssk);

	ssk->ep.resume_port = 0;
	if (!sock_flag(sk, SOCK_DEAD))
		state_fin_cancel(ssk);
	sdp_link_ready(&ssk->ep);
	sdp_watch_add(&ssk->ep);
	sdp_steps_kick_all(ssk);
	sk->sk_write_space(sk);
	sdp_keepalive_restart(ssk);
}

/*
 * AbortConn must arrive before the link ends, because the peer would otherwise take DisConn for a
 * graceful end (S2-155, S2-159).
 */
static void state_end_link(struct sdp_sock *ssk)
{
	state_fin_cancel(ssk);
	if (!ssk->ep.conn.end.abort_sent) {
		sdp_link_stop(&ssk->ep);
		return;
	}
	sdp_link_stop_when_sent(&ssk->ep);
	if (ssk->ep.link && !ssk->ep.link->stopped)
		sdp_sock_timeout(ssk, END_TIMEOUT);
}

void sdp_sock_end(struct sdp_sock *ssk, int err)
{
	struct sock *sk = sdp_sock(ssk);

	state_end_link(ssk);
	if (sk->sk_state == TCP_CLOSE)
		return;
	sdp_keepalive_end(ssk);
	sdp_route_abandon(&ssk->ep);
	if (ssk->ep.resume_port && err != ETIMEDOUT)
		err = ECONNRESET;
	ssk->ep.resume_port = 0;
	sdp_resume_purge(&ssk->ep);
	/* The socket will not be accepted: its reference is released with the link. */
	if (sk->sk_state == TCP_SYN_RECV) {
		sdp_sock_detach(ssk);
		sock_set_flag(sk, SOCK_DEAD);
		if (ssk->ep.link)
			ssk->ep.link->unborn = true;
	}
	sdp_steps_kick_all(ssk);
	sk->sk_shutdown = SHUTDOWN_MASK;
	if (err)
		sk->sk_err = err;
	else
		sock_set_flag(sk, SOCK_DONE);
	inet_sk_set_state(sk, TCP_CLOSE);
	complete(&ssk->answered);
	complete(&ssk->released);
	sk_error_report(sk);
	sk->sk_state_change(sk);
}

void sdp_sock_abort(struct sdp_sock *ssk, int err)
{
	if (ssk->ep.link && ssk->ep.conn.end.disconn_sent && !ssk->ep.link->stopped &&
	    sdp_sock(ssk)->sk_state != TCP_CLOSE) {
		ssk->ep.conn.end.abort = true;
		sdp_link_push(&ssk->ep);
	}
	sdp_sock_end(ssk, err);
}

void sdp_sock_disconnect(struct sdp_sock *ssk)
{
	struct sock *sk = sdp_sock(ssk);

	sk->sk_shutdown |= SEND_SHUTDOWN;
	if (sk->sk_state == TCP_ESTABLISHED)
		inet_sk_set_state(sk, TCP_FIN_WAIT1);
	else if (sk->sk_state == TCP_CLOSE_WAIT)
		inet_sk_set_state(sk, TCP_LAST_ACK);
	else
		return;
	ssk->ep.conn.end.disconn = true;
	sdp_link_push(&ssk->ep);
	sdp_sock_progress(ssk);
}

void sdp_sock_progress(struct sdp_sock *ssk)
{
	const struct sdp_end *end = &ssk->ep.conn.end;

	if (!ssk->ep.link || sdp_sock(ssk)->sk_state == TCP_CLOSE || !end->disconn_sent ||
	    !end->disconn_received)
		return;
	if (end->ours)
		sdp_link_stop_when_sent(&ssk->ep);
	else if (!ssk->fin_at || time_after(ssk->fin_at, jiffies + END_TIMEOUT + 1))
		sdp_sock_timeout(ssk, END_TIMEOUT);
}

void sdp_sock_id_gone(struct sdp_sock *ssk)
{
	struct sock *sk = sdp_sock(ssk);

	atomic_dec(&ssk->earlier_ids);
	sk->sk_state_change(sk);
}

void sdp_sock_timeout_init(struct sdp_sock *ssk)
{
	INIT_DELAYED_WORK(&ssk->fin_work, state_fin_timeout);
}
