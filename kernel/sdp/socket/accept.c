// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The operations listen() and accept(). */
#include "sdp/socket/accept.h"
#include "compat.h"
#include "sdp/link/device.h"
#include "sdp/link/rdma.h"
#include "sdp/socket/connect.h"
#include "sdp/socket/create.h"
#include "sdp/socket/port.h"
#include "sdp/socket/state.h"

static int accept_begin_to_listen(struct sdp_sock *ssk)
{
	struct sdp_service *service;
	int err = sdp_sock_renew(ssk);

	if (!err)
		err = sdp_autobind(sdp_sock(ssk));
	if (err)
		return err;
	service = sdp_service_get(ssk->ep.sport);
	if (IS_ERR(service))
		return PTR_ERR(service);
	if (!sdp_port_may_listen(ssk)) {
		sdp_service_put(service);
		return -EADDRINUSE;
	}
	ssk->service = service;
	/*
	 * Ignore an error, for example because rdma_cm's port is in use: InfiniBand devices listen.
	 */
	if (sdp_device_any_other())
		sdp_rdma_listen(&ssk->ep);
	return 0;
}

int sdp_listen(struct socket *sock, int backlog)
{
	struct sock *sk = sock->sk;
	struct sdp_sock *ssk = sdp_sk(sk);
	int err = -EINVAL;

	lock_sock(sk);
	if (sock->state == SS_UNCONNECTED && sk->sk_state == TCP_LISTEN)
		err = 0;
	else if (sock->state == SS_UNCONNECTED && sk->sk_state == TCP_CLOSE)
		err = accept_begin_to_listen(ssk);
	if (!err)
		WRITE_ONCE(sk->sk_max_ack_backlog, backlog);
	release_sock(sk);
	return err;
}

static struct sdp_sock *accept_dequeue(struct sdp_sock *ssk)
{
	struct sdp_sock *child;

	spin_lock_bh(&ssk->accept_lock);
	child = list_first_entry_or_null(&ssk->accept_queue, struct sdp_sock, accept_node);
	if (child)
		list_del_init(&child->accept_node);
	spin_unlock_bh(&ssk->accept_lock);
	return child;
}

/* Return: 0 with @child set, or the negative errno that ended the wait. */
static int accept_wait_for_child(struct sock *sk, long timeo, struct sdp_sock **child)
{
	struct sdp_sock *ssk = sdp_sk(sk);
	DEFINE_WAIT_FUNC(wait, woken_wake_function);
	int err = 0;

	add_wait_queue_exclusive(sk_sleep(sk), &wait);
	for (;;) {
		err = sk->sk_state == TCP_LISTEN ? 0 : -EINVAL;
		if (err)
			break;
		*child = accept_dequeue(ssk);
		if (*child)
			break;
		err = !timeo ? -EAGAIN : signal_pending(current) ? sock_intr_errno(timeo) : 0;
		if (err)
			break;
		sk_wait_event(sk, &timeo,
			      !list_empty(&ssk->accept_queue) || sk->sk_state != TCP_LISTEN,
			      &wait);
	}
	remove_wait_queue(sk_sleep(sk), &wait);
	return err;
}

int sdp_accept(struct socket *sock, struct socket *newsock, SDP_ACCEPT_ARGS)
{
	struct sock *sk = sock->sk, *new;
	struct sdp_sock *child;
	int err;

	lock_sock(sk);
	err = accept_wait_for_child(sk, sock_rcvtimeo(sk, SDP_ACCEPT_FLAGS & O_NONBLOCK), &child);
	release_sock(sk);
	if (err)
		return err;
	new = sdp_sock(child);
	lock_sock(new);
	sdp_sock_detach(child);
	sock_graft(new, newsock);
	sdp_custom_sockopt(newsock);
	newsock->state = SS_CONNECTED;
	release_sock(new); /* @newsock takes over the accept queue's reference */
	return 0;
}
