// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The operations close() and shutdown(). */
#include "sdp/link/device.h"
#include "sdp/link/link.h"
#include "sdp/link/rdma.h"
#include "sdp/socket/port.h"
#include "sdp/socket/sock.h"
#include "sdp/socket/state.h"
#include "sdp/socket/steps.h"

#define FIN_TIMEOUT (60 * HZ) /* time for the peer to close, after the program has closed */

/* End connections that were not accepted. The caller does not hold a socket lock. */
static void close_end_children(struct list_head *children)
{
	struct sdp_sock *child, *next;

	list_for_each_entry_safe(child, next, children, accept_node) {
		struct sock *sk = sdp_sock(child);

		list_del_init(&child->accept_node);
		lock_sock(sk);
		sdp_sock_detach(child);
		sock_orphan(sk);
		sdp_sock_abort(child, ECONNRESET);
		release_sock(sk);
		sock_put(sk);
	}
}

/* Wait for the time of SO_LINGER until the peer has received all data. */
static void close_linger(struct sock *sk)
{
	long timeo = sk->sk_lingertime;
	DEFINE_WAIT_FUNC(wait, woken_wake_function);

	if (!sock_flag(sk, SOCK_LINGER) || current->flags & PF_EXITING)
		return;
	add_wait_queue(sk_sleep(sk), &wait);
	while (timeo && sk->sk_state != TCP_CLOSE && !signal_pending(current)) {
		struct sdp_sock *ssk = sdp_sk(sk);

		if (ssk->ep.conn.end.disconn_sent && ssk->ep.link && !ssk->ep.link->outstanding)
			break;
		sk_wait_event(sk, &timeo, sk->sk_state == TCP_CLOSE, &wait);
	}
	remove_wait_queue(sk_sleep(sk), &wait);
}

/* Detach the identifiers that listen. The caller destroys them later, without the socket lock. */
static void close_detach_ids(struct sdp_sock *ssk, struct sdp_service **service,
			     struct rdma_cm_id **id)
{
	*service = ssk->service;
	ssk->service = NULL;
	*id = xchg(&ssk->ep.rdma_id, NULL);
}

/* Move the accept queue to @children, because a later listen() uses the queue again. */
static void close_close_listener(struct sdp_sock *ssk, struct list_head *children)
{
	struct sock *sk = sdp_sock(ssk);

	sdp_port_unlisten(ssk);
	spin_lock_bh(&ssk->accept_lock);
	inet_sk_set_state(sk, TCP_CLOSE);
	list_splice_init(&ssk->accept_queue, children);
	spin_unlock_bh(&ssk->accept_lock);
}

/* Closing with unread payload, or with SO_LINGER and a time of 0, aborts the connection. */
static void close_close_connection(struct sdp_sock *ssk)
{
	struct sock *sk = sdp_sock(ssk);

	if (sk->sk_state == TCP_SYN_SENT || !list_empty(&ssk->ep.rx) ||
	    ssk->ep.conn.sink.advert.len || (sock_flag(sk, SOCK_LINGER) && !sk->sk_lingertime)) {
		sdp_sock_abort(ssk, ECONNRESET);
		return;
	}
	sdp_sock_disconnect(ssk);
	close_linger(sk);
	if (sk->sk_state != TCP_CLOSE && !ssk->fin_at)
		sdp_sock_timeout(ssk, FIN_TIMEOUT);
}

int sdp_release(struct socket *sock)
{
	struct sock *sk = sock->sk;
	struct sdp_sock *ssk = sdp_sk(sk);
	struct sdp_service *service;
	struct rdma_cm_id *id;
	LIST_HEAD(children);

	if (!sk)
		return 0;
	lock_sock(sk);
	close_detach_ids(ssk, &service, &id);
	if (sk->sk_state == TCP_LISTEN)
		close_close_listener(ssk, &children);
	else if (sk->sk_state != TCP_CLOSE)
		close_close_connection(ssk);
	sock_orphan(sk);
	sock->sk = NULL;
	release_sock(sk);
	sdp_port_unbind(ssk);
	sdp_rdma_unlisten(id);
	if (service)
		sdp_service_put(service);
	close_end_children(&children);
	sock_put(sk);
	return 0;
}

int sdp_shutdown(struct socket *sock, int how)
{
	struct sock *sk = sock->sk;
	struct sdp_sock *ssk = sdp_sk(sk);
	struct sdp_service *service = NULL;
	struct rdma_cm_id *id = NULL;
	LIST_HEAD(children);
	int err = 0;

	how++; /* SHUT_RD, SHUT_WR and SHUT_RDWR become RCV_SHUTDOWN, SEND_SHUTDOWN or both */
	if (!how || how & ~SHUTDOWN_MASK)
		return -EINVAL;
	lock_sock(sk);
	switch (sk->sk_state) {
	case TCP_CLOSE:
		sk->sk_shutdown |= how;
		err = -ENOTCONN;
		break;
	case TCP_LISTEN:
		if (how & RCV_SHUTDOWN) {
			sk->sk_shutdown |= RCV_SHUTDOWN;
			close_detach_ids(ssk, &service, &id);
			if (id)
				atomic_inc(&ssk->earlier_ids);
			close_close_listener(ssk, &children);
		}
		break;
	case TCP_SYN_SENT:
		sdp_sock_end(ssk, ECONNRESET);
		break;
	default:
		sk->sk_shutdown |= how;
		if (how & SEND_SHUTDOWN)
			sdp_sock_disconnect(ssk);
	}
	complete(&ssk->released); /* wake a read that waits for an RDMA Write */
	sdp_steps_kick(&ssk->zread.steps);
	sk->sk_state_change(sk);
	release_sock(sk);
	if (id) {
		sdp_rdma_unlisten(id);
		sdp_sock_id_gone(ssk);
	}
	if (service)
		sdp_service_put(service);
	close_end_children(&children);
	return err;
}
