// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The claim of a socket for a stream: its options, and the checks of a process's socket. */
#include "iwarp/tcp/tcp_claim.h"
#include <linux/in.h>
#include <linux/in6.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <net/inet_connection_sock.h>
#include <net/ipv6.h>
#include <net/net_namespace.h>
#include <net/tcp.h>
#include "compat.h"

#define CLAIM_RCVBUF (512 * 1024) /* octets; the window is half of it at first */

/*
 * The ULP of sockets that are live streams. It is not registered, so that no process can ask for
 * it. TCP puts the reference to the module when a socket is destroyed.
 */
static const struct tcp_ulp_ops claim_ulp = {
	.name = "hca",
	.owner = THIS_MODULE,
};

void hca_tcp_claim_tune(struct sock *sk)
{
	sk->sk_allocation = GFP_ATOMIC;
	hca_tcp_no_task_frag(sk);
	/* TCP may enlarge it, as SOCK_RCVBUF_LOCK is not set. */
	WRITE_ONCE(sk->sk_rcvbuf, max(sk->sk_rcvbuf, CLAIM_RCVBUF));
}

static void claim_addresses(const struct sock *sk, struct hca_tcp_claim *claim)
{
	const struct inet_sock *inet = inet_sk(sk);

	*(struct sockaddr_in *)&claim->local = (struct sockaddr_in){
		.sin_family = AF_INET,
		.sin_port = inet->inet_sport,
		.sin_addr.s_addr = inet->inet_rcv_saddr,
	};
	*(struct sockaddr_in *)&claim->remote = (struct sockaddr_in){
		.sin_family = AF_INET,
		.sin_port = inet->inet_dport,
		.sin_addr.s_addr = inet->inet_daddr,
	};
}

#if IS_ENABLED(CONFIG_IPV6)
static void claim_addresses6(const struct sock *sk, struct hca_tcp_claim *claim)
{
	*(struct sockaddr_in6 *)&claim->local = (struct sockaddr_in6){
		.sin6_family = AF_INET6,
		.sin6_port = inet_sk(sk)->inet_sport,
		.sin6_addr = sk->sk_v6_rcv_saddr,
		.sin6_scope_id = ipv6_iface_scope_id(&sk->sk_v6_rcv_saddr, sk->sk_bound_dev_if),
	};
	*(struct sockaddr_in6 *)&claim->remote = (struct sockaddr_in6){
		.sin6_family = AF_INET6,
		.sin6_port = inet_sk(sk)->inet_dport,
		.sin6_addr = sk->sk_v6_daddr,
		.sin6_scope_id = ipv6_iface_scope_id(&sk->sk_v6_daddr, sk->sk_bound_dev_if),
	};
}

/* Whether both addresses are of IPv6, and do not stand for those of IPv4. */
static bool claim_is_v6(const struct sock *sk)
{
	return sk->sk_family == AF_INET6 && !ipv6_addr_v4mapped(&sk->sk_v6_daddr);
}
#else
static void claim_addresses6(const struct sock *sk, struct hca_tcp_claim *claim) { }

static bool claim_is_v6(const struct sock *sk)
{
	return false;
}
#endif

/* Return: 0 if a socket is one of TCP in the namespace. These never change. */
static int claim_check_kind(const struct sock *sk, const struct hca_tcp_claim *claim)
{
	if ((sk->sk_family != AF_INET && sk->sk_family != AF_INET6) ||
	    sk->sk_type != SOCK_STREAM || sk->sk_protocol != IPPROTO_TCP)
		return -EOPNOTSUPP;
	return net_eq(sock_net(sk), claim->net) ? 0 : -ENETUNREACH;
}

/* Return: 0 if nobody else uses the connection of a socket in another way than by calls. */
static int claim_check_use(const struct sock *sk)
{
	const struct tcp_ulp_ops *ulp = inet_csk(sk)->icsk_ulp_ops;

	if (sk->sk_state != TCP_ESTABLISHED || sk->sk_shutdown)
		return -ENOTCONN;
	if (sk->sk_user_data || tcp_sk(sk)->repair || (ulp && ulp != &claim_ulp))
		return -EBUSY;
	return 0;
}

static int claim_check(const struct sock *sk, struct hca_tcp_claim *claim)
{
	int ret = claim_check_use(sk);

	if (ret)
		return ret;
	if (claim_is_v6(sk))
		claim_addresses6(sk, claim);
	else
		claim_addresses(sk, claim);
	return claim->serves(claim, &claim->local) ? 0 : -EADDRNOTAVAIL;
}

static void claim_set_ulp(struct sock *sk)
{
	struct inet_connection_sock *icsk = inet_csk(sk);

	if (icsk->icsk_ulp_ops)
		return;
	__module_get(THIS_MODULE);
	icsk->icsk_ulp_ops = &claim_ulp;
}

int hca_tcp_claim(struct sock *sk, struct hca_tcp_claim *claim)
{
	int ret = claim_check_kind(sk, claim);

	if (ret)
		return ret;
	if (sock_owned_by_user(sk))
		return -EAGAIN;
	ret = claim_check(sk, claim);
	if (ret)
		return ret;
	claim_set_ulp(sk);
	hca_tcp_claim_tune(sk);
	tcp_sk(sk)->nonagle = TCP_NAGLE_OFF;
	return 0;
}
