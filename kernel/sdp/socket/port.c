// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The table of bound sockets. The sockets of a name are counted, and listeners of a name take
 * turns, so that a call need not visit all sockets of a port.
 */
#include "sdp/linux/port.h"
#include <linux/random.h>
#include <linux/rhashtable.h>
#include <linux/slab.h>
#include <net/ip.h>
#include <net/ipv6.h>
#include "compat.h"
#include "sdp/linux/address.h"

/* The kinds of groups of sockets. A socket is in at most SDP_PORT_GROUPS groups. */
enum port_kind {
	PORT_ALL, /* all sockets of a port */
	PORT_IPV4, /* sockets of a port that are bound to a specific IPv4 address */
	PORT_IPV6, /* sockets of a port that are bound to a specific IPv6 address */
	PORT_ADDRESS, /* sockets of a port that are bound to one given address */
	PORT_ANY_IPV4, /* sockets of a port with the wildcard address of IPv4 */
	PORT_ANY_IPV6, /* sockets of a port with the wildcard address of IPv6, for IPv6 only */
	PORT_ANY, /* sockets of a port with the wildcard address of both versions of IP */
};

struct port_key {
	struct net *net; /* network namespace, to which the sockets of the group have references */
	struct in6_addr addr; /* address of PORT_ADDRESS; otherwise :: */
	u32 kind;
	u32 port;
};

static_assert(sizeof(struct port_key) == 32);

struct sdp_port_group {
	struct rhash_head node;
	struct port_key key;
	struct sdp_share share;
	struct list_head listeners; /* listeners whose first group this is, in turn */
	struct rcu_head rcu;
};

static const struct rhashtable_params params = {
	.key_len = sizeof(struct port_key),
	.key_offset = offsetof(struct sdp_port_group, key),
	.head_offset = offsetof(struct sdp_port_group, node),
	.automatic_shrinking = true,
};

static struct rhashtable table;
/*
 * The lock protects the table, its groups, the names of sockets in the groups, and the transition
 * of sockets to LISTEN. It is taken in process and softirq context, after socket locks; only the
 * table's locks are taken under it. Bound: eight look-ups, for any number of sockets.
 */
static DEFINE_SPINLOCK(table_lock);

#define KINDS_MOST 5

/* For each kind of name, groups of sockets whose names overlap it; PORT_ALL ends a row. */
static const u8 covering[][KINDS_MOST + 1] = {
	[PORT_IPV4] = { PORT_ADDRESS, PORT_ANY_IPV4, PORT_ANY },
	[PORT_IPV6] = { PORT_ADDRESS, PORT_ANY_IPV6, PORT_ANY },
	[PORT_ANY_IPV4] = { PORT_IPV4, PORT_ANY_IPV4, PORT_ANY },
	[PORT_ANY_IPV6] = { PORT_IPV6, PORT_ANY_IPV6, PORT_ANY },
	[PORT_ANY] = { PORT_IPV4, PORT_IPV6, PORT_ANY_IPV4, PORT_ANY_IPV6, PORT_ANY },
};

/* Return the kind of a socket's name: PORT_IPV4 and PORT_IPV6 mean a specific address. */
static enum port_kind port_kind_of(const struct sdp_sock *ssk)
{
	bool ipv4 = ipv6_addr_v4mapped(&ssk->saddr);

	if (!sdp_address_is_any(&ssk->saddr))
		return ipv4 ? PORT_IPV4 : PORT_IPV6;
	if (ipv4)
		return PORT_ANY_IPV4;
	return ssk->v6only ? PORT_ANY_IPV6 : PORT_ANY;
}

static struct sdp_port_group *port_find(struct net *net, enum port_kind kind,
					const struct in6_addr *addr, u16 port)
{
	struct port_key key = { .net = net, .kind = kind, .port = port };

	if (kind == PORT_ADDRESS)
		key.addr = *addr;
	return rhashtable_lookup_fast(&table, &key, params);
}

/*
 * A place is the set of groups of a socket. Memory for new groups is allocated before table_lock is
 * taken.
 */

struct port_spares {
	struct sdp_port_group *group[SDP_PORT_GROUPS];
};

static void port_spares_free(struct port_spares *spares)
{
	unsigned int i;

	for (i = 0; i < SDP_PORT_GROUPS; i++)
		kfree(spares->group[i]);
}

static int port_spares_alloc(struct port_spares *spares)
{
	unsigned int i;

	*spares = (struct port_spares){};
	for (i = 0; i < SDP_PORT_GROUPS; i++) {
		spares->group[i] = kzalloc(sizeof(*spares->group[i]), GFP_KERNEL_ACCOUNT);
		if (!spares->group[i]) {
			port_spares_free(spares);
			return -ENOMEM;
		}
	}
	return 0;
}

static void port_remove(struct sdp_sock *ssk, struct sdp_port_place *place)
{
	struct sdp_port_group *group;

	while (place->used) {
		group = place->group[--place->used];
		sdp_share_del(&group->share, &ssk->port_sharer);
		if (group->share.total)
			continue;
		rhashtable_remove_fast(&table, &group->node, params);
		kfree_rcu(group, rcu);
	}
}

static int port_join_one(struct sdp_sock *ssk, enum port_kind kind, struct sdp_port_place *place,
			 struct port_spares *spares)
{
	struct net *net = sock_net(sdp_sock(ssk));
	struct sdp_port_group *group = port_find(net, kind, &ssk->saddr, ssk->sport);
	struct sdp_port_group **spare = &spares->group[place->used];
	int err;

	if (!group) {
		group = *spare;
		group->key = (struct port_key){ .net = net, .kind = kind, .port = ssk->sport };
		if (kind == PORT_ADDRESS)
			group->key.addr = ssk->saddr;
		INIT_LIST_HEAD(&group->listeners);
		err = rhashtable_insert_fast(&table, &group->node, params);
		if (err)
			return err;
		*spare = NULL;
	}
	sdp_share_add(&group->share, &ssk->port_sharer);
	place->group[place->used++] = group;
	return 0;
}

/* Add a socket to its groups. The socket can listen in the first group. */
static int port_join(struct sdp_sock *ssk, struct sdp_port_place *place, struct port_spares *spares)
{
	enum port_kind kind = port_kind_of(ssk);
	int err = 0;

	if (kind == PORT_IPV4 || kind == PORT_IPV6)
		err = port_join_one(ssk, PORT_ADDRESS, place, spares);
	if (!err)
		err = port_join_one(ssk, kind, place, spares);
	if (!err)
		err = port_join_one(ssk, PORT_ALL, place, spares);
	if (err)
		port_remove(ssk, place);
	return err;
}

/* Return the sharing options at bind() or listen(); later changes of options do not count. */
static struct sdp_sharer port_sharer_of(const struct sdp_sock *ssk, bool listens)
{
	const struct sock *sk = &ssk->inet.sk;

	return (struct sdp_sharer){
		.user = __kuid_val(sk->sk_uid),
		.reuse_addr = sk->sk_reuse,
		.reuse_port = sk->sk_reuseport,
		.listens = listens,
	};
}

static void port_count(const struct sdp_sock *ssk)
{
	unsigned int i;

	for (i = 0; i < ssk->port_place.used; i++)
		sdp_share_add(&ssk->port_place.group[i]->share, &ssk->port_sharer);
}

static void port_uncount(const struct sdp_sock *ssk)
{
	unsigned int i;

	for (i = 0; i < ssk->port_place.used; i++)
		sdp_share_del(&ssk->port_place.group[i]->share, &ssk->port_sharer);
}

/* Whether the name of a socket that is not counted conflicts with the names of other sockets. */
static bool port_is_used(const struct sdp_sock *ssk)
{
	const u8 *kind = covering[port_kind_of(ssk)];
	struct sdp_port_group *group;

	for (; *kind; kind++) {
		group = port_find(sock_net(&ssk->inet.sk), *kind, &ssk->saddr, ssk->sport);
		if (group && sdp_share_conflicts(&group->share, &ssk->port_sharer))
			return true;
	}
	return false;
}

/* Whether another socket of the namespace has the port, even if sharing is allowed. */
static bool port_is_bound(const struct sdp_sock *ssk)
{
	return port_find(sock_net(&ssk->inet.sk), PORT_ALL, NULL, ssk->sport);
}

static int port_bind_to(struct sdp_sock *ssk, u16 port, struct port_spares *spares,
			bool (*is_unfit)(const struct sdp_sock *ssk))
{
	int err;

	spin_lock_bh(&table_lock);
	ssk->sport = port;
	ssk->port_sharer = port_sharer_of(ssk, false);
	err = is_unfit(ssk) ? -EADDRINUSE : port_join(ssk, &ssk->port_place, spares);
	if (err)
		ssk->sport = 0;
	spin_unlock_bh(&table_lock);
	return err;
}

/* The lock is released between ports, because tens of thousands of ports may be tried. */
static int port_bind_to_any(struct sdp_sock *ssk, struct port_spares *spares)
{
	struct net *net = sock_net(sdp_sock(ssk));
	int low, high, span, i, first, err;
	u16 port;

	inet_get_local_port_range(net, &low, &high);
	span = high - low + 1;
	first = get_random_u32() % span;
	for (i = 0; i < span; i++) {
		port = low + (first + i) % span;
		if (inet_is_local_reserved_port(net, port))
			continue;
		err = port_bind_to(ssk, port, spares, port_is_bound);
		if (err != -EADDRINUSE)
			return err;
		cond_resched();
	}
	return -EADDRINUSE;
}

static struct in6_addr port_any_of(const struct sdp_sock *ssk)
{
	struct in6_addr any = in6addr_any;

	if (ssk->inet.sk.sk_family != AF_INET6)
		ipv6_addr_set_v4mapped(htonl(INADDR_ANY), &any);
	return any;
}

int sdp_port_bind(struct sdp_sock *ssk, const struct in6_addr *addr, u16 port)
{
	struct port_spares spares;
	int err = port_spares_alloc(&spares);

	if (err)
		return err;
	ssk->saddr = addr ? *addr : port_any_of(ssk);
	err = port ? port_bind_to(ssk, port, &spares, port_is_used) :
		     port_bind_to_any(ssk, &spares);
	port_spares_free(&spares);
	return err;
}

static int port_move(struct sdp_sock *ssk, const struct in6_addr *addr, struct port_spares *spares)
{
	struct sdp_port_place place = {};
	struct in6_addr before;
	int err = 0;

	spin_lock_bh(&table_lock);
	before = ssk->saddr;
	ssk->saddr = *addr;
	if (sdp_port_is_bound(ssk)) {
		err = port_join(ssk, &place, spares);
		if (!err) {
			port_remove(ssk, &ssk->port_place);
			ssk->port_place = place;
		}
	}
	if (err)
		ssk->saddr = before;
	spin_unlock_bh(&table_lock);
	return err;
}

int sdp_port_readdress(struct sdp_sock *ssk, const struct in6_addr *addr)
{
	struct in6_addr to = addr ? *addr : port_any_of(ssk);
	struct port_spares spares;
	int err;

	if (ipv6_addr_equal(&ssk->saddr, &to))
		return 0;
	err = port_spares_alloc(&spares);
	if (err)
		return err;
	err = port_move(ssk, &to, &spares);
	port_spares_free(&spares);
	return err;
}

void sdp_port_unbind(struct sdp_sock *ssk)
{
	spin_lock_bh(&table_lock);
	list_del_init(&ssk->port_node);
	port_remove(ssk, &ssk->port_place);
	spin_unlock_bh(&table_lock);
}

bool sdp_port_may_listen(struct sdp_sock *ssk)
{
	bool may;

	spin_lock_bh(&table_lock);
	port_uncount(ssk);
	ssk->port_sharer = port_sharer_of(ssk, true);
	may = !port_is_used(ssk);
	ssk->port_sharer.listens = may;
	port_count(ssk);
	if (may) {
		list_add_tail(&ssk->port_node, &ssk->port_place.group[0]->listeners);
		inet_sk_set_state(sdp_sock(ssk), TCP_LISTEN);
	}
	spin_unlock_bh(&table_lock);
	return may;
}

void sdp_port_unlisten(struct sdp_sock *ssk)
{
	spin_lock_bh(&table_lock);
	list_del_init(&ssk->port_node);
	port_uncount(ssk);
	ssk->port_sharer.listens = false;
	port_count(ssk);
	spin_unlock_bh(&table_lock);
}

/* Return the next listener of a name, in turn. The caller holds table_lock. */
static struct sdp_sock *port_next_listener(struct sdp_port_group *group)
{
	struct sdp_sock *ssk =
		list_first_entry_or_null(&group->listeners, struct sdp_sock, port_node);

	if (ssk)
		list_move_tail(&ssk->port_node, &group->listeners);
	return ssk;
}

struct sock *sdp_port_listener(struct net *net, const struct in6_addr *addr, u16 port)
{
	/* A specific address precedes the wildcard of its version, and that precedes PORT_ANY. */
	const u8 *kind = covering[ipv6_addr_v4mapped(addr) ? PORT_IPV4 : PORT_IPV6];
	struct sdp_port_group *group;
	struct sdp_sock *ssk = NULL;

	spin_lock_bh(&table_lock);
	for (; *kind && !ssk; kind++) {
		group = port_find(net, *kind, addr, port);
		if (group)
			ssk = port_next_listener(group);
	}
	if (ssk)
		sock_hold(sdp_sock(ssk));
	spin_unlock_bh(&table_lock);
	return ssk ? sdp_sock(ssk) : NULL;
}

int sdp_port_register(void)
{
	return rhashtable_init(&table, &params);
}

void sdp_port_unregister(void)
{
	rhashtable_destroy(&table);
}
