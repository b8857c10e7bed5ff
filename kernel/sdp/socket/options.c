// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Options of TCP and IP that programs set on any stream socket. An option without meaning for SDP
 * is accepted and stored, so that a program can read it. An option is refused if its acceptance
 * would promise behavior that SDP does not have.
 */
#include "sdp/linux/options.h"
#include <linux/in6.h>
#include <linux/tcp.h>
#include <linux/uaccess.h>
#include <net/ipv6.h>
#include "sdp/linux/cork.h"
#include "sdp/linux/keepalive.h"
#include "sdp/linux/link.h"
#include "sdp/linux/sock.h"

enum kind {
	HONOURED, /* IPV6_V6ONLY */
	ACCEPTED, /* any int, which is stored */
	CONSTANT, /* read-only */
	FAMILY, /* IPV6_ADDRFORM, which is write-only */
};

static const struct option {
	int level;
	int name;
	enum kind kind;
	int initial;
	int most; /* maximum value, with 1 as minimum; 0: any value is valid */
	void (*changed)(struct sdp_sock *ssk); /* applies a change, with the socket lock; or NULL */
} options[SDP_OPTIONS] = {
	{ SOL_IPV6, IPV6_V6ONLY, HONOURED, 0 },
	{ SOL_IPV6, IPV6_ADDRFORM, FAMILY, 0 },
	{ SOL_TCP, TCP_NODELAY, ACCEPTED, 1, .changed = sdp_cork_flush }, /* no Nagle delay */
	{ SOL_TCP, TCP_CORK, ACCEPTED, 0, .changed = sdp_cork_changed },
	{ SOL_TCP, TCP_QUICKACK, ACCEPTED, 1 }, /* the queue pair acknowledges */
	{ SOL_TCP, TCP_KEEPIDLE, ACCEPTED, 7200, 32767, sdp_keepalive_restart },
	{ SOL_TCP, TCP_KEEPINTVL, ACCEPTED, 75, 32767 }, /* the queue pair repeats a probe */
	{ SOL_TCP, TCP_KEEPCNT, ACCEPTED, 9, 127 }, /* the queue pair repeats a probe */
	{ SOL_TCP, TCP_USER_TIMEOUT, ACCEPTED, 0 }, /* the queue pair detects a dead peer */
	{ SOL_TCP, TCP_DEFER_ACCEPT, ACCEPTED, 0 }, /* accept() may return a silent connection */
	{ SOL_TCP, TCP_LINGER2, ACCEPTED, 60 }, /* the time is constant */
	{ SOL_TCP, TCP_NOTSENT_LOWAT, ACCEPTED, 0 }, /* SO_SNDBUF bounds unsent data */
	{ SOL_TCP, TCP_MAXSEG, CONSTANT, 0 }, /* octets of payload of a message */
	{ SOL_IP, IP_TOS, ACCEPTED, 0 }, /* the service level is the path's */
	{ SOL_IP, IP_TTL, ACCEPTED, 64 }, /* packets are not IP packets */
	{ SOL_IP, IP_RECVERR, ACCEPTED, 0 }, /* SDP has no ICMP errors */
	{ SOL_IPV6, IPV6_TCLASS, ACCEPTED, 0 }, /* the service level is the path's */
	{ SOL_IPV6, IPV6_RECVERR, ACCEPTED, 0 }, /* SDP has no ICMP errors */
};

static int find(int level, int name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(options); i++) {
		if (options[i].level == level && options[i].name == name)
			return i;
	}
	return -ENOPROTOOPT;
}

void sdp_options_init(struct sdp_sock *ssk)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(options); i++)
		ssk->options[i] = options[i].initial;
}

int sdp_options_value(const struct sdp_sock *ssk, int level, int name)
{
	int at = find(level, name);

	return at < 0 ? 0 : ssk->options[at];
}

static int set_zerocopy(struct sock *sk, sockptr_t value, unsigned int len)
{
	int number;

	if (len < sizeof(number))
		return -EINVAL;
	if (copy_from_sockptr(&number, value, sizeof(number)))
		return -EFAULT;
	if (number < 0 || number > 1)
		return -EINVAL;
	lock_sock(sk);
	sock_valbool_flag(sk, SOCK_ZEROCOPY, number);
	release_sock(sk);
	return 0;
}

/*
 * The core refuses SO_ZEROCOPY for protocols that it does not know. Since Linux 6.3 it passes
 * options of level SOL_SOCKET to sdp_setsockopt() instead. In earlier kernels a program uses level
 * IPPROTO_SDP.
 */
static bool is_zerocopy(int level, int name)
{
	return name == SO_ZEROCOPY && (level == SOL_SOCKET || level == IPPROTO_SDP);
}

/*
 * Change a socket of IPv6 whose peer has an IPv4 address to a socket of IPv4, for a program that
 * passes the socket to an IPv4-only program. The errors are those of TCP.
 */
static int set_family(struct sdp_sock *ssk, int family)
{
	struct sock *sk = sdp_sock(ssk);

	if (sk->sk_family != AF_INET6)
		return -ENOPROTOOPT;
	if (family != AF_INET)
		return -EINVAL;
	if (sk->sk_state != TCP_ESTABLISHED)
		return -ENOTCONN;
	if (ssk->v6only || !ipv6_addr_v4mapped(&ssk->daddr))
		return -EADDRNOTAVAIL;
	WRITE_ONCE(sk->sk_family, AF_INET);
	return 0;
}

static int set_option(struct sdp_sock *ssk, int at, int number)
{
	struct sock *sk = sdp_sock(ssk);

	switch (options[at].kind) {
	case ACCEPTED:
		ssk->options[at] = number;
		if (options[at].changed)
			options[at].changed(ssk);
		return 0;
	case FAMILY:
		return set_family(ssk, number);
	case HONOURED:
		if (sk->sk_family != AF_INET6 || ssk->sport)
			return -EINVAL;
		ssk->v6only = number;
		return 0;
	default:
		return -ENOPROTOOPT;
	}
}

int sdp_setsockopt(struct socket *sock, int level, int name, sockptr_t value, unsigned int len)
{
	struct sock *sk = sock->sk;
	struct sdp_sock *ssk = sdp_sk(sk);
	int at = find(level, name), number, err;

	if (is_zerocopy(level, name))
		return set_zerocopy(sk, value, len);
	if (level == SOL_SOCKET)
		return sock_setsockopt(sock, level, name, value, len);
	if (at < 0)
		return at;
	if (options[at].kind == CONSTANT)
		return -ENOPROTOOPT;
	if (len < sizeof(number))
		return -EINVAL;
	if (copy_from_sockptr(&number, value, sizeof(number)))
		return -EFAULT;
	if (options[at].most && (number < 1 || number > options[at].most))
		return -EINVAL;
	lock_sock(sk);
	err = set_option(ssk, at, number);
	release_sock(sk);
	return err;
}

/* Maximum octets of payload in one message; 0 before Hello and HelloAck were exchanged. */
static u32 segment(const struct sdp_sock *ssk)
{
	return ssk->link && ssk->link->send_size ? ssk->link->send_size - SDP_BSDH_SIZE : 0;
}

static int read_option(struct sdp_sock *ssk, int at)
{
	switch (options[at].kind) {
	case HONOURED:
		return ssk->v6only;
	case CONSTANT:
		return segment(ssk);
	default:
		return ssk->options[at];
	}
}

/* Return TCP_INFO of a connection, where nothing is lost, and credits are the window. */
static struct tcp_info info_of(const struct sdp_sock *ssk)
{
	u32 mss = segment(ssk);

	return (struct tcp_info){
		.tcpi_state = ssk->inet.sk.sk_state,
		.tcpi_snd_mss = mss,
		.tcpi_rcv_mss = ssk->conn.size ? ssk->conn.size - SDP_BSDH_SIZE : 0,
		.tcpi_advmss = mss,
		.tcpi_unacked = ssk->conn.credits.sent - ssk->conn.credits.acked,
		.tcpi_snd_cwnd = sdp_credits_available(&ssk->conn.credits),
		.tcpi_bytes_sent = ssk->conn.octets_sent,
		.tcpi_bytes_received = ssk->conn.octets_received,
		.tcpi_notsent_bytes = ssk->conn.urgent.queued - ssk->conn.urgent.sent,
	};
}

/* Whether an unknown option of a level is ENOPROTOOPT; as in TCP, always for a socket of IPv6. */
static bool is_known_level(const struct sock *sk, int level)
{
	return sk->sk_family == AF_INET6 || level == SOL_IP || level == SOL_TCP ||
	       level == SOL_SOCKET || level == IPPROTO_SDP;
}

/* Copy at most @size octets to the program, and set @len to the number of octets copied. */
static int copy_out(const void *from, int octets, int size, char __user *value, int __user *len)
{
	size = min(size, octets);
	return put_user(size, len) || copy_to_user(value, from, size) ? -EFAULT : 0;
}

int sdp_getsockopt(struct socket *sock, int level, int name, char __user *value, int __user *len)
{
	bool wants_info = level == SOL_TCP && name == TCP_INFO;
	int at = wants_info ? 0 : find(level, name), number = 0, size;
	struct sock *sk = sock->sk;
	struct tcp_info info;

	if (at < 0 || options[at].kind == FAMILY)
		return is_known_level(sk, level) ? -ENOPROTOOPT : -EOPNOTSUPP;
	if (get_user(size, len))
		return -EFAULT;
	if (size < 0)
		return -EINVAL;
	lock_sock(sk);
	if (wants_info)
		info = info_of(sdp_sk(sk));
	else
		number = read_option(sdp_sk(sk), at);
	release_sock(sk);
	return wants_info ? copy_out(&info, sizeof(info), size, value, len) :
			    copy_out(&number, sizeof(number), size, value, len);
}
