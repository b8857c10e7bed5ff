// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The operations bind(), connect() and getsockname(). */
#include "sdp/socket/connect.h"
#include <linux/bpf-cgroup.h>
#include <linux/netdevice.h>
#include <net/inet_common.h>
#include <net/ip.h>
#include <net/ipv6.h>
#include "sdp/link/address.h"
#include "sdp/link/route.h"
#include "sdp/socket/create.h"
#include "sdp/socket/port.h"
#include "sdp/socket/state.h"

/* Return whether getsockname() and getpeername() return IPv6 addresses for a socket. */
static bool connect_names_are_ipv6(const struct sock *sk)
{
	return sk->sk_family == AF_INET6;
}

/* Read the address of bind(). BPF programs of the socket's cgroup can refuse or change it. */
static int connect_read_bind_address(struct sock *sk, SDP_SOCKADDR *addr, int len,
				     struct in6_addr *ip, u16 *port, u32 *flags)
{
	struct sockaddr *given = (struct sockaddr *)addr;
	int err = sdp_address_parse(given, len, ip, port);

	if (err)
		return err;
	if (sdp_address_has_ipv6(given, len))
		err = hca_cgroup_bind(sk, addr, &len, CGROUP_INET6_BIND, flags);
	else
		err = hca_cgroup_bind(sk, addr, &len, CGROUP_INET4_BIND, flags);
	return err ? err : sdp_address_parse(given, len, ip, port);
}

/* Read the address of connect(). BPF programs of the cgroup can change it. Socket lock held. */
static int connect_read_peer_address(struct sdp_sock *ssk, SDP_SOCKADDR *addr, int len)
{
	struct sockaddr *given = (struct sockaddr *)addr;
	int err = sdp_address_parse(given, len, &ssk->ep.daddr, &ssk->ep.dport);

	if (err)
		return err;
	if (sdp_address_has_ipv6(given, len))
		err = hca_cgroup_connect6(sdp_sock(ssk), addr, &len);
	else
		err = hca_cgroup_connect4(sdp_sock(ssk), addr, &len);
	return err ? err : sdp_address_parse(given, len, &ssk->ep.daddr, &ssk->ep.dport);
}

/*
 * Bind a socket to the interface @scope of a link-local address, as TCP does. Socket lock held.
 * Return: 0; -EINVAL: the address has no scope, or the socket is bound to another interface.
 */
static int connect_apply_scope(struct sock *sk, const struct in6_addr *ip, int scope)
{
	if (!sdp_address_needs_scope(ip))
		return 0;
	if (scope && sk->sk_bound_dev_if && sk->sk_bound_dev_if != scope)
		return -EINVAL;
	if (scope)
		WRITE_ONCE(sk->sk_bound_dev_if, scope);
	return sk->sk_bound_dev_if ? 0 : -EINVAL;
}

/* Return whether the interface that a socket is bound to exists. */
static bool connect_has_interface(const struct sock *sk)
{
	bool exists;

	rcu_read_lock();
	exists = dev_get_by_index_rcu(sock_net(sk), sk->sk_bound_dev_if);
	rcu_read_unlock();
	return exists;
}

/* Bind a socket, whose interface is known, to an address and a port. Socket lock held. */
static int connect_bind_address(struct sock *sk, const struct in6_addr *ip, u16 port)
{
	struct sdp_sock *ssk = sdp_sk(sk);
	int err;

	if (sdp_address_needs_scope(ip) && !connect_has_interface(sk))
		return -ENODEV;
	if (!sdp_address_is_any(ip) &&
	    !sdp_address_is_local(sock_net(sk), ip, sk->sk_bound_dev_if))
		return -EADDRNOTAVAIL;
	err = sdp_port_bind(ssk, ip, port);
	if (!err)
		ssk->chosen = !sdp_address_is_any(ip);
	return err;
}

/* Bind a socket after the checks of bind() that need no lock. Socket lock held. */
static int connect_bind_locked(struct sock *sk, const struct in6_addr *ip, u16 port, int scope)
{
	int err, before = sk->sk_bound_dev_if;

	if (sk->sk_state != TCP_CLOSE || sdp_sk(sk)->ep.sport)
		return -EINVAL;
	err = connect_apply_scope(sk, ip, scope);
	if (!err)
		err = connect_bind_address(sk, ip, port);
	if (err)
		WRITE_ONCE(sk->sk_bound_dev_if, before);
	return err;
}

int sdp_bind(struct socket *sock, SDP_SOCKADDR *addr, int len)
{
	struct sock *sk = sock->sk;
	struct sdp_sock *ssk = sdp_sk(sk);
	struct net *net = sock_net(sk);
	struct in6_addr ip;
	u32 flags = 0;
	u16 port;
	int err;

	err = connect_read_bind_address(sk, addr, len, &ip, &port, &flags);
	if (err)
		return err;
	if (ipv6_addr_v4mapped(&ip) && ssk->ep.v6only)
		return -EINVAL;
	if (port && !(flags & BIND_NO_CAP_NET_BIND_SERVICE) &&
	    inet_port_requires_bind_service(net, port) &&
	    !ns_capable(net->user_ns, CAP_NET_BIND_SERVICE))
		return -EACCES;
	lock_sock(sk);
	err = connect_bind_locked(sk, &ip, port, sdp_address_scope((struct sockaddr *)addr, len));
	release_sock(sk);
	return err;
}

int sdp_autobind(struct sock *sk)
{
	struct sdp_sock *ssk = sdp_sk(sk);

	return ssk->ep.sport ? 0 : sdp_port_bind(ssk, NULL, 0);
}

static int connect_begin(struct sock *sk, SDP_SOCKADDR *addr, int len)
{
	struct sdp_sock *ssk = sdp_sk(sk);
	int err;

	if (sk->sk_state != TCP_CLOSE)
		return sk->sk_state == TCP_LISTEN ? -EISCONN : -EINVAL;
	err = sdp_sock_renew(ssk);
	if (err)
		return err;
	err = connect_read_peer_address(ssk, addr, len);
	if (err)
		return err;
	if (!ssk->ep.dport)
		return -ECONNREFUSED;
	if (ssk->ep.v6only && ipv6_addr_v4mapped(&ssk->ep.daddr))
		return -ENETUNREACH;
	/* As in TCP, the wildcard address means this host. */
	if (sdp_address_is_any(&ssk->ep.daddr))
		sdp_address_make_loopback(&ssk->ep.daddr);
	err = connect_apply_scope(sk, &ssk->ep.daddr,
				  sdp_address_scope((struct sockaddr *)addr, len));
	if (err)
		return err;
	err = sdp_autobind(sk);
	if (err)
		return err == -EADDRINUSE ? -EADDRNOTAVAIL : err;
	err = sdp_route_resolve(&ssk->ep);
	if (err)
		return err;
	inet_sk_set_state(sk, TCP_SYN_SENT);
	sdp_sock_timeout(ssk, SDP_SETUP_TIMEOUT);
	return 0;
}

/* Return: 0 when the attempt has succeeded or failed, or the errno that ended the wait. */
static int connect_wait_for_end(struct sock *sk, long timeo)
{
	DEFINE_WAIT_FUNC(wait, woken_wake_function);
	int err = 0;

	add_wait_queue(sk_sleep(sk), &wait);
	while (!err && sk->sk_state == TCP_SYN_SENT) {
		if (!timeo)
			err = -EINPROGRESS;
		else if (signal_pending(current))
			err = sock_intr_errno(timeo);
		else
			sk_wait_event(sk, &timeo, sk->sk_state != TCP_SYN_SENT, &wait);
	}
	remove_wait_queue(sk_sleep(sk), &wait);
	return err;
}

/* connect() with AF_UNSPEC ends a connection, and makes the socket usable again. */
static int connect_disconnect(struct socket *sock)
{
	struct sdp_sock *ssk = sdp_sk(sock->sk);

	if (sock->sk->sk_state == TCP_LISTEN)
		return -EINVAL;
	sdp_sock_abort(ssk, ECONNRESET);
	sdp_sock_purge(ssk);
	if (!sdp_port_is_bound(ssk))
		ssk->ep.sport = 0; /* the port belongs to the listener */
	sock->state = SS_UNCONNECTED;
	return 0;
}

static int connect_locked(struct socket *sock, SDP_SOCKADDR *addr, int len, int flags)
{
	struct sock *sk = sock->sk;
	long timeo = sock_sndtimeo(sk, flags & O_NONBLOCK);
	int err;

	if (len < (int)sizeof(addr->sa_family))
		return -EINVAL;
	if (addr->sa_family == AF_UNSPEC)
		return connect_disconnect(sock);
	switch (sock->state) {
	case SS_UNCONNECTED:
		err = connect_begin(sk, addr, len);
		if (err)
			return err;
		sock->state = SS_CONNECTING;
		break;
	case SS_CONNECTING:
		if (sk->sk_state == TCP_SYN_SENT && !timeo)
			return -EALREADY;
		break;
	case SS_CONNECTED:
		return -EISCONN;
	default:
		return -EINVAL;
	}
	err = connect_wait_for_end(sk, timeo);
	if (err)
		return err;
	if (sk->sk_state == TCP_CLOSE) {
		sock->state = SS_UNCONNECTED;
		return sock_error(sk) ?: -ECONNABORTED;
	}
	sock->state = SS_CONNECTED;
	return 0;
}

int sdp_connect(struct socket *sock, SDP_SOCKADDR *addr, int len, int flags)
{
	int err;

	lock_sock(sock->sk);
	err = connect_locked(sock, addr, len, flags);
	release_sock(sock->sk);
	return err;
}

int sdp_getname(struct socket *sock, struct sockaddr *addr, int peer)
{
	struct sock *sk = sock->sk;
	struct sdp_sock *ssk = sdp_sk(sk);
	struct in6_addr any = in6addr_any;
	const struct in6_addr *ip = &ssk->ep.saddr;
	u16 port = ssk->ep.sport;

	if (peer) {
		/* @peer is 2 in accept(), which returns the name of an ended connection too. */
		if (!ssk->ep.dport ||
		    (peer == 1 && (sk->sk_state == TCP_CLOSE || sk->sk_state == TCP_SYN_SENT)))
			return -ENOTCONN;
		ip = &ssk->ep.daddr;
		port = ssk->ep.dport;
	} else if (!port) {
		if (!connect_names_are_ipv6(sk))
			ipv6_addr_set_v4mapped(htonl(INADDR_ANY), &any);
		ip = &any;
	}
	return sdp_address_make(ip, port, sk->sk_bound_dev_if, connect_names_are_ipv6(sk),
				(struct sockaddr_storage *)addr);
}
