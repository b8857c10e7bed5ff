// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Options of TCP and IP that programs set on any stream socket. An option without meaning for SDP
 * is accepted and stored, so that a program can read it. An option is refused if its acceptance
 * would promise behavior that SDP does not have.
 */
#include "sdp/socket/options.h"
#include <linux/in6.h>
#include <linux/tcp.h>
#include <linux/uaccess.h>
#include <net/ipv6.h>
#include "sdp/link/link.h"
#include "sdp/socket/cork.h"
#include "sdp/socket/keepalive.h"
#include "sdp/socket/sock.h"

enum kind {
	HONORED, /* IPV6_V6ONLY, which has an effect */
	ACCEPTED, /* an int, which is stored */
	CONSTANT, /* a constant, which programs can only read */
	FAMILY, /* IPV6_ADDRFORM, which is write-only */
};

/* A change of TCP_NODELAY sends the message that waits for more data, as in TCP. */
static void options_nodelay(struct sdp_sock *ssk, int value)
{
	sdp_cork_flush(ssk);
}

/* The comment beside an option without effect says why SDP does not need it. */
static const struct option {
	int level;
	int name;
	enum kind kind;
	int initial;
	int most; /* maximum value, with 1 as minimum; 0: any value is valid */
	/* applies a change to @value, with the socket lock held; or NULL */
	void (*changed)(struct sdp_sock *ssk, int value);
} options[SDP_OPTIONS] = {
	{ SOL_IPV6, IPV6_V6ONLY, HONORED, 0 },
	{ SOL_IPV6, IPV6_ADDRFORM, FAMILY, 0 },
	/* SDP has no Nagle algorithm */
	{ SOL_TCP, TCP_NODELAY, ACCEPTED, 0, .changed = options_nodelay },
	{ SOL_TCP, TCP_CORK, ACCEPTED, 0, .changed = sdp_cork_set },
	{ SOL_TCP, TCP_QUICKACK, ACCEPTED, 1 }, /* the queue pair acknowledges packets */
	{ SOL_TCP, TCP_KEEPIDLE, ACCEPTED, SDP_KEEPALIVE_IDLE, 32767, sdp_keepalive_set_idle },
	{ SOL_TCP, TCP_KEEPINTVL, ACCEPTED, 75, 32767 }, /* the queue pair repeats a probe */
	{ SOL_TCP, TCP_KEEPCNT, ACCEPTED, 9, 127 }, /* the queue pair repeats a probe */
	{ SOL_TCP, TCP_USER_TIMEOUT, ACCEPTED, 0 }, /* the queue pair detects a dead peer */
	{ SOL_TCP, TCP_DEFER_ACCEPT, ACCEPTED, 0 }, /* accept() does not wait for data */
	{ SOL_TCP, TCP_LINGER2, ACCEPTED, 60 }, /* the time for a close is constant */
	{ SOL_TCP, TCP_NOTSENT_LOWAT, ACCEPTED, 0 }, /* SO_SNDBUF bounds unsent data */
	{ SOL_TCP, TCP_MAXSEG, CONSTANT, 0 }, /* maximum payload of a message */
	{ SOL_IP, IP_TOS, ACCEPTED, 0 }, /* the path determines the service level */
	{ SOL_IP, IP_TTL, ACCEPTED, 64 }, /* messages are not IP packets */
	{ SOL_IP, IP_RECVERR, ACCEPTED, 0 }, /* SDP has no ICMP errors */
	{ SOL_IPV6, IPV6_TCLASS, ACCEPTED, 0 }, /* the path determines the service level */
	{ SOL_IPV6, IPV6_RECVERR, ACCEPTED, 0 }, /* SDP has no ICMP errors */
};

static int options_find(int level, int name)
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

static int options_set_zerocopy(struct sock *sk, sockptr_t value, unsigned int len)
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
static bool options_is_zerocopy(int level, int name)
{
	return name == SO_ZEROCOPY && (level == SOL_SOCKET || level == IPPROTO_SDP);
}

/*
 * Set IPV6_ADDRFORM: an IPv6 socket becomes an IPv4 socket if its peer has an IPv4 address. Then an
 * IPv4-only program can use the socket. The errors are those of TCP.
 */
static int options_set_family(struct sdp_sock *ssk, int family)
{
	struct sock *sk = sdp_sock(ssk);

	if (sk->sk_family != AF_INET6)
		return -ENOPROTOOPT;
	if (family != AF_INET)
		return -EINVAL;
	if (sk->sk_state != TCP_ESTABLISHED)
		return -ENOTCONN;
	if (ssk->ep.v6only || !ipv6_addr_v4mapped(&ssk->ep.daddr))
		return -EADDRNOTAVAIL;
	WRITE_ONCE(sk->sk_family, AF_INET);
	return 0;
}

static int options_set(struct sdp_sock *ssk, int at, int number)
{
	struct sock *sk = sdp_sock(ssk);

	switch (options[at].kind) {
	case ACCEPTED:
		ssk->options[at] = number;
		if (options[at].changed)
			options[at].changed(ssk, number);
		return 0;
	case FAMILY:
		return options_set_family(ssk, number);
	case HONORED:
		if (sk->sk_family != AF_INET6 || ssk->ep.sport)
			return -EINVAL;
		ssk->ep.v6only = number;
		return 0;
	default:
		return -ENOPROTOOPT;
	}
}

int sdp_setsockopt(struct socket *sock, int level, int name, sockptr_t value, unsigned int len)
{
	struct sock *sk = sock->sk;
	struct sdp_sock *ssk = sdp_sk(sk);
	int at = options_find(level, name), number, err;

	if (options_is_zerocopy(level, name))
		return options_set_zerocopy(sk, value, len);
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
	err = options_set(ssk, at, number);
	release_sock(sk);
	return err;
}

/* Maximum octets of payload in one message; 0 before Hello and HelloAck were exchanged. */
static u32 options_segment(const struct sdp_sock *ssk)
{
	const struct sdp_link *link = ssk->ep.link;

	return link && link->send_size ? link->send_size - SDP_BSDH_SIZE : 0;
}

static int options_read(struct sdp_sock *ssk, int at)
{
	switch (options[at].kind) {
	case HONORED:
		return ssk->ep.v6only;
	case CONSTANT:
		return options_segment(ssk);
	default:
		return ssk->options[at];
	}
}

/* Return TCP_INFO of a connection. Losses do not occur; tcpi_snd_cwnd is the number of credits. */
static struct tcp_info options_info(const struct sdp_sock *ssk)
{
	u32 mss = options_segment(ssk);

	return (struct tcp_info){
		.tcpi_state = ssk->ep.inet.sk.sk_state,
		.tcpi_snd_mss = mss,
		.tcpi_rcv_mss = ssk->ep.conn.size ? ssk->ep.conn.size - SDP_BSDH_SIZE : 0,
		.tcpi_advmss = mss,
		.tcpi_unacked = ssk->ep.conn.credits.sent - ssk->ep.conn.credits.acked,
		.tcpi_snd_cwnd = sdp_credits_available(&ssk->ep.conn.credits),
		.tcpi_bytes_sent = ssk->ep.conn.octets_sent,
		.tcpi_bytes_received = ssk->ep.conn.octets_received,
		.tcpi_notsent_bytes = ssk->ep.conn.urgent.queued - ssk->ep.conn.urgent.sent,
	};
}

/*
 * Return whether the error for an unknown option is ENOPROTOOPT rather than EOPNOTSUPP. As in TCP,
 * all levels of an IPv6 socket have ENOPROTOOPT.
 */
static bool options_is_known_level(const struct sock *sk, int level)
{
	return sk->sk_family == AF_INET6 || level == SOL_IP || level == SOL_TCP ||
	       level == SOL_SOCKET || level == IPPROTO_SDP;
}

/* Copy at most @size octets to the program, and set @len to the number of octets copied. */
static int options_copy_out(const void *from, int octets, int size, char __user *value,
			    int __user *len)
{
	size = min(size, octets);
	return put_user(size, len) || copy_to_user(value, from, size) ? -EFAULT : 0;
}

int sdp_getsockopt(struct socket *sock, int level, int name, char __user *value, int __user *len)
{
	bool wants_info = level == SOL_TCP && name == TCP_INFO;
	int at = wants_info ? 0 : options_find(level, name), number = 0, size;
	struct sock *sk = sock->sk;
	struct tcp_info info;

	if (at < 0 || options[at].kind == FAMILY)
		return options_is_known_level(sk, level) ? -ENOPROTOOPT : -EOPNOTSUPP;
	if (get_user(size, len))
		return -EFAULT;
	if (size < 0)
		return -EINVAL;
	lock_sock(sk);
	if (wants_info)
		info = options_info(sdp_sk(sk));
	else
		number = options_read(sdp_sk(sk), at);
	release_sock(sk);
	return wants_info ? options_copy_out(&info, sizeof(info), size, value, len) :
			    options_copy_out(&number, sizeof(number), size, value, len);
}
