// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Names of sockets, and connect(). */
#include "sdp/linux/connect.h"
#include <linux/bpf-cgroup.h>
#include <net/inet_common.h>
#include <net/ip.h>
#include <net/ipv6.h>
#include "sdp/linux/address.h"
#include "sdp/linux/port.h"
#include "sdp/linux/route.h"

/* Whether getsockname() and getpeername() return IPv6 addresses for a socket. */
static bool names_are_ipv6(const struct sock *sk)
{
	return sk->sk_family == AF_INET6;
}

/* Read the address of bind(). BPF programs of the socket's cgroup can refuse or change it. */
static int read_bind_address(struct sock *sk, SDP_SOCKADDR *addr, int len, struct in6_addr *ip,
			     u16 *port, u32 *flags)
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

/* Read the address of connect(), which cgroup BPF programs can change. Socket lock held. */
static int read_peer_address(struct sdp_sock *ssk, SDP_SOCKADDR *addr, int len)
{
	struct sockaddr *given = (struct sockaddr *)addr;
	int err = sdp_address_parse(given, len, &ssk->daddr, &ssk->dport);

	if (err)
		return err;
	if (sdp_address_has_ipv6(given, len))
		err = hca_cgroup_connect6(sdp_sock(ssk), addr, &len);
	else
		err = hca_cgroup_connect4(sdp_sock(ssk), addr, &len);
	return err ? err : sdp_address_parse(given, len, &ssk->daddr, &ssk->dport);
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

	err = read_bind_address(sk, addr, len, &ip, &port, &flags);
	if (err)
		return err;
	if (ipv6_addr_v4mapped(&ip) && ssk->v6only)
		return -EINVAL;
	if (port && !(flags & BIND_NO_CAP_NET_BIND_SERVICE) &&
	    inet_port_requires_bind_service(net, port) &&
	    !ns_capable(net->user_ns, CAP_NET_BIND_SERVICE))
		return -EACCES;
	if (!sdp_address_is_any(&ip) && !sdp_address_is_local(net, &ip))
		return -EADDRNOTAVAIL;
	lock_sock(sk);
	err = -EINVAL;
	if (sk->sk_state == TCP_CLOSE && !ssk->sport)
		err = sdp_port_bind(ssk, &ip, port);
	if (!err)
		ssk->chosen = !sdp_address_is_any(&ip);
	release_sock(sk);
	return err;
}

int sdp_autobind(struct sock *sk)
{
	struct sdp_sock *ssk = sdp_sk(sk);

	return ssk->sport ? 0 : sdp_port_bind(ssk, NULL, 0);
}

static int begin(struct sock *sk, SDP_SOCKADDR *addr, int len)
{
	struct sdp_sock *ssk = sdp_sk(sk);
	int err;

	if (sk->sk_state != TCP_CLOSE)
		return sk->sk_state == TCP_LISTEN ? -EISCONN : -EINVAL;
	err = sdp_sock_renew(ssk);
	if (err)
		return err;
	err = read_peer_address(ssk, addr, len);
	if (err)
		return err;
	if (!ssk->dport)
		return -ECONNREFUSED;
	if (ssk->v6only && ipv6_addr_v4mapped(&ssk->daddr))
		return -ENETUNREACH;
	if (sdp_address_is_any(&ssk->daddr)) /* the wildcard means this host, as in TCP */
		sdp_address_make_loopback(&ssk->daddr);
	err = sdp_autobind(sk);
	if (err)
		return err == -EADDRINUSE ? -EADDRNOTAVAIL : err;
	err = sdp_route_resolve(ssk);
	if (err)
		return err;
	inet_sk_set_state(sk, TCP_SYN_SENT);
	sdp_sock_timeout(ssk, SDP_SETUP_TIMEOUT);
	return 0;
}

/* Return: 0 when the attempt has succeeded or failed, or the errno that ended the wait. */
static int wait_for_end(struct sock *sk, long timeo)
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
static int disconnect(struct socket *sock)
{
	struct sdp_sock *ssk = sdp_sk(sock->sk);

	if (sock->sk->sk_state == TCP_LISTEN)
		return -EINVAL;
	sdp_sock_abort(ssk, ECONNRESET);
	sdp_sock_purge(ssk);
	if (!sdp_port_is_bound(ssk))
		ssk->sport = 0; /* the listener's port */
	sock->state = SS_UNCONNECTED;
	return 0;
}

static int connect(struct socket *sock, SDP_SOCKADDR *addr, int len, int flags)
{
	struct sock *sk = sock->sk;
	long timeo = sock_sndtimeo(sk, flags & O_NONBLOCK);
	int err;

	if (len < (int)sizeof(addr->sa_family))
		return -EINVAL;
	if (addr->sa_family == AF_UNSPEC)
		return disconnect(sock);
	switch (sock->state) {
	case SS_UNCONNECTED:
		err = begin(sk, addr, len);
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
	err = wait_for_end(sk, timeo);
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
	err = connect(sock, addr, len, flags);
	release_sock(sock->sk);
	return err;
}

int sdp_getname(struct socket *sock, struct sockaddr *addr, int peer)
{
	struct sock *sk = sock->sk;
	struct sdp_sock *ssk = sdp_sk(sk);
	struct in6_addr any = in6addr_any;
	const struct in6_addr *ip = &ssk->saddr;
	u16 port = ssk->sport;

	if (peer) {
		/* @peer is 2 in accept(), which returns the name of an ended connection too. */
		if (!ssk->dport || (peer == 1 && (sk->sk_state == TCP_CLOSE ||
						  sk->sk_state == TCP_SYN_SENT)))
			return -ENOTCONN;
		ip = &ssk->daddr;
		port = ssk->dport;
	} else if (!port) {
		if (!names_are_ipv6(sk))
			ipv6_addr_set_v4mapped(htonl(INADDR_ANY), &any);
		ip = &any;
	}
	return sdp_address_make(ip, port, names_are_ipv6(sk), (struct sockaddr_storage *)addr);
}
