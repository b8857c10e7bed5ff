// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The table of bound sockets. */
#include "sdp/linux/port.h"
#include <linux/random.h>
#include <net/ip.h>
#include <net/ipv6.h>
#include "compat.h"
#include "sdp/linux/address.h"

#define BUCKETS 256

static struct hlist_head table[BUCKETS];
/*
 * Guards the table, the names of the sockets in it, and that a socket begins to listen. Taken in
 * process and softirq context, after socket locks; no other lock is taken under it.
 */
static DEFINE_SPINLOCK(table_lock);

static struct hlist_head *bucket(u16 port)
{
	return &table[port % BUCKETS];
}

/* Whether an IPv4 address is among those that an address of another socket stands for. */
static bool covers(const struct sdp_sock *ssk, const struct in6_addr *addr)
{
	if (ipv6_addr_equal(&ssk->saddr, addr))
		return true;
	if (!sdp_address_is_any(&ssk->saddr))
		return false;
	if (ipv6_addr_v4mapped(&ssk->saddr))
		return ipv6_addr_v4mapped(addr);
	return !ssk->v6only || !ipv6_addr_v4mapped(addr);
}

/*
 * Two may share a name if SO_REUSEPORT is set of both, and one user has them, or if SO_REUSEADDR is
 * and one of them at most listens.
 */
static bool conflicts(const struct sdp_sock *a, const struct sdp_sock *b)
{
	const struct sock *x = &a->inet.sk, *y = &b->inet.sk;

	if (!net_eq(sock_net(x), sock_net(y)))
		return false;
	if (x->sk_reuseport && y->sk_reuseport && uid_eq(x->sk_uid, y->sk_uid))
		return false;
	if (x->sk_reuse && y->sk_reuse && y->sk_state != TCP_LISTEN)
		return false;
	return covers(a, &b->saddr) || covers(b, &a->saddr);
}

/* Whether another socket has the name of this one, or one that includes it. */
static bool is_used(const struct sdp_sock *ssk, u16 port)
{
	struct sdp_sock *other;

	hlist_for_each_entry(other, bucket(port), port_node) {
		if (other != ssk && other->sport == port && conflicts(ssk, other))
			return true;
	}
	return false;
}

/* Whether another socket of the namespace has a port, whatever may share it. */
static bool is_bound(const struct sdp_sock *ssk, u16 port)
{
	struct sdp_sock *other;

	hlist_for_each_entry(other, bucket(port), port_node) {
		if (other->sport == port &&
		    net_eq(sock_net(&other->inet.sk), sock_net(&ssk->inet.sk)))
			return true;
	}
	return false;
}

static bool bind_to(struct sdp_sock *ssk, u16 port,
		    bool (*is_unfit)(const struct sdp_sock *ssk, u16 port))
{
	bool fits;

	spin_lock_bh(&table_lock);
	fits = !is_unfit(ssk, port);
	if (fits) {
		ssk->sport = port;
		hlist_add_head(&ssk->port_node, bucket(port));
	}
	spin_unlock_bh(&table_lock);
	return fits;
}

/* The lock is released between ports, for there may be tens of thousands to be tried. */
static bool bind_to_any(struct sdp_sock *ssk)
{
	struct net *net = sock_net(sdp_sock(ssk));
	int low, high, span, i, first;
	u16 port;

	inet_get_local_port_range(net, &low, &high);
	span = high - low + 1;
	first = get_random_u32() % span;
	for (i = 0; i < span; i++) {
		port = low + (first + i) % span;
		if (!inet_is_local_reserved_port(net, port) && bind_to(ssk, port, is_bound))
			return true;
		cond_resched();
	}
	return false;
}

int sdp_port_bind(struct sdp_sock *ssk, const struct in6_addr *addr, u16 port)
{
	sdp_port_readdress(ssk, addr);
	if (port ? bind_to(ssk, port, is_used) : bind_to_any(ssk))
		return 0;
	return -EADDRINUSE;
}

void sdp_port_readdress(struct sdp_sock *ssk, const struct in6_addr *addr)
{
	struct in6_addr any = in6addr_any;

	if (sdp_sock(ssk)->sk_family != AF_INET6)
		ipv6_addr_set_v4mapped(htonl(INADDR_ANY), &any);
	spin_lock_bh(&table_lock);
	ssk->saddr = addr ? *addr : any;
	spin_unlock_bh(&table_lock);
}

void sdp_port_unbind(struct sdp_sock *ssk)
{
	spin_lock_bh(&table_lock);
	if (!hlist_unhashed(&ssk->port_node))
		hlist_del_init(&ssk->port_node);
	spin_unlock_bh(&table_lock);
}

bool sdp_port_may_listen(struct sdp_sock *ssk)
{
	bool may;

	spin_lock_bh(&table_lock);
	may = !is_used(ssk, ssk->sport);
	if (may)
		inet_sk_set_state(sdp_sock(ssk), TCP_LISTEN);
	spin_unlock_bh(&table_lock);
	return may;
}

/* An address comes before that which stands for all of IPv4, and this before the one for all. */
static int closeness(const struct sdp_sock *ssk)
{
	if (!sdp_address_is_any(&ssk->saddr))
		return 2;
	return ipv6_addr_v4mapped(&ssk->saddr) ? 1 : 0;
}

struct sock *sdp_port_listener(struct net *net, const struct in6_addr *addr, u16 port)
{
	struct sdp_sock *ssk, *best = NULL;
	u32 equals = 0;

	spin_lock_bh(&table_lock);
	hlist_for_each_entry(ssk, bucket(port), port_node) {
		if (ssk->sport != port || ssk->inet.sk.sk_state != TCP_LISTEN ||
		    !net_eq(sock_net(&ssk->inet.sk), net) || !covers(ssk, addr))
			continue;
		if (!best || closeness(ssk) > closeness(best)) {
			best = ssk;
			equals = 1;
		} else if (closeness(ssk) == closeness(best) && !(get_random_u32() % ++equals)) {
			best = ssk; /* by SO_REUSEPORT: each is as likely */
		}
	}
	if (best)
		sock_hold(sdp_sock(best));
	spin_unlock_bh(&table_lock);
	return best ? sdp_sock(best) : NULL;
}
