// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Sockets of streams: their creation, and connections that are begun without waiting. */
#include "iwarp/tcp/tcp_connect.h"
#include <linux/bottom_half.h>
#include <linux/err.h>
#include <linux/in.h>
#include <linux/in6.h>
#include <linux/net.h>
#include <net/inet_sock.h>
#include <net/ip.h>
#include <net/ipv6.h>
#include "compat.h"

int hca_tcp_address_bytes(const struct sockaddr_storage *addr)
{
	return addr->ss_family == AF_INET6 ? sizeof(struct sockaddr_in6) :
					     sizeof(struct sockaddr_in);
}

struct socket *hca_tcp_open(struct net *net, int family, bool v6only)
{
	struct socket *sock;
	int ret;

	if (family != AF_INET && !(family == AF_INET6 && IS_ENABLED(CONFIG_IPV6)))
		return ERR_PTR(-EAFNOSUPPORT);
	ret = sock_create_kern(net, family, SOCK_STREAM, IPPROTO_TCP, &sock);
	if (ret)
		return ERR_PTR(ret);
	hca_tcp_prepare(sock->sk);
	if (family == AF_INET6) {
		lock_sock(sock->sk);
		sock->sk->sk_ipv6only = v6only;
		release_sock(sock->sk);
	}
	return sock;
}

int hca_tcp_bind(struct socket *sock, const struct sockaddr_storage *addr)
{
	struct sockaddr_storage copy = *addr;

	return kernel_bind(sock, (HCA_SOCKADDR *)&copy, hca_tcp_address_bytes(addr));
}

void hca_tcp_set_tos(struct socket *sock, u8 tos)
{
	struct sock *sk = sock->sk;

	ip_sock_set_tos(sk, tos);
#if IS_ENABLED(CONFIG_IPV6)
	if (sk->sk_family == AF_INET6) {
		lock_sock(sk);
		inet6_sk(sk)->tclass = tos;
		release_sock(sk);
	}
#endif
}

static int connect_bind(struct socket *sock, const struct sockaddr_storage *local)
{
	struct sockaddr_storage any = *local;
	int ret = hca_tcp_bind(sock, local);

	if (ret != -EADDRINUSE)
		return ret;
	if (any.ss_family == AF_INET6)
		((struct sockaddr_in6 *)&any)->sin6_port = 0;
	else
		((struct sockaddr_in *)&any)->sin_port = 0;
	return hca_tcp_bind(sock, &any);
}

int hca_tcp_connect(struct hca_tcp_endpoint *te, const struct sockaddr_storage *local,
		    const struct sockaddr_storage *remote)
{
	struct socket *sock = te->stream.sock;
	struct sockaddr_storage to = *remote;
	int ret = connect_bind(sock, local);

	if (ret)
		return ret;
	te->remote = *remote;
	ret = kernel_connect(sock, (HCA_SOCKADDR *)&to, hca_tcp_address_bytes(remote), O_NONBLOCK);
	if (ret && ret != -EINPROGRESS) {
		local_bh_disable();
		hca_tcp_stream_lost(&te->stream, ret);
		hca_engine_run();
		local_bh_enable();
	}
	if (kernel_getsockname(sock, (struct sockaddr *)&te->local) < 0)
		te->local = *local;
	return 0;
}
