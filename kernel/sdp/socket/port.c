// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The table of bound sockets. Each group has counts of its sockets, and a list of listeners that
 * take turns. Therefore no call visits all sockets of a port.
 */
#include "sdp/socket/port.h"
#include <linux/random.h>
#include <linux/rhashtable.h>
#include <linux/slab.h>
#include <net/ip.h>
#include <net/ipv6.h>
#include "compat.h"
#include "sdp/link/address.h"

/* The kinds of groups of sockets. A socket is in at most SDP_PORT_GROUPS groups. */
enum port_kind {
	PORT_ALL, /* all sockets of a port */
	PORT_IPV4, /* sockets of a port that are bound to a specific IPv4 address */
	PORT_IPV6, /* sockets of a port that are bound to a specific IPv6 address */
	PORT_ADDRESS, /* sockets of a port that are bound to one given address */
	PORT_ANY_IPV4, /* sockets of a port with the IPv4 wildcard address */
	PORT_ANY_IPV6, /* sockets of a port with the IPv6 wildcard address and IPV6_V6ONLY */
	PORT_ANY, /* sockets of a port with the IPv6 wildcard address that also accept IPv4 */
};

struct port_key {
	struct net *net; /* network namespace, which the group's sockets keep alive */
	struct in6_addr addr; /* address of PORT_ADDRESS; otherwise :: */
	u32 kind;
	u32 port;
};

static_assert(sizeof(struct port_key) == 32);

struct sdp_port_group {
	struct rhash_head node;
	struct port_key key;
	struct sdp_share share;
	struct list_head listeners; /* sockets that listen; the first gets the next request */
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
 * table_lock protects the table, its groups, the local address and port of their sockets, and the
 * change to state LISTEN. It is taken in process and softirq context, after socket locks; only the
 * table's locks are taken under it. It is held for at most eight look-ups, for any number of
 * sockets.
 */
static DEFINE_SPINLOCK(table_lock);

#define KINDS_MOST 5

/* For each kind of address, the kinds of groups that may conflict. PORT_ALL, or 0, ends a row. */
static const u8 covering[][KINDS_MOST + 1] = {
	[PORT_IPV4] = { PORT_ADDRESS, PORT_ANY_IPV4, PORT_ANY },
	[PORT_IPV6] = { PORT_ADDRESS, PORT_ANY_IPV6, PORT_ANY },
	[PORT_ANY_IPV4] = { PORT_IPV4, PORT_ANY_IPV4, PORT_ANY },
	[PORT_ANY_IPV6] = { PORT_IPV6, PORT_ANY_IPV6, PORT_ANY },
	[PORT_ANY] = { PORT_IPV4, PORT_IPV6, PORT_ANY_IPV4, PORT_ANY_IPV6, PORT_ANY },
};

/* Return the kind of a socket's address: PORT_IPV4 and PORT_IPV6 mean a specific address. */
static enum port_kind port_kind_of(const struct sdp_sock *ssk)
{
	bool ipv4 = ipv6_addr_v4mapped(&ssk->ep.saddr);

	if (!sdp_address_is_any(&ssk->ep.saddr))
		return ipv4 ? PORT_IPV4 : PORT_IPV6;
	if (ipv4)
		return PORT_ANY_IPV4;
	return ssk->ep.v6only ? PORT_ANY_IPV6 : PORT_ANY;
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
 * A place is the set of groups of a socket. Spares are memory for new groups, which is allocated
 * before table_lock is taken.
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
	struct sdp_port_group *group = port_find(net, kind, &ssk->ep.saddr, ssk->ep.sport);
	struct sdp_port_group **spare = &spares->group[place->used];
	int err;

	if (!group) {
		group = *spare;
		group->key = (struct port_key){ .net = net, .kind = kind, .port = ssk->ep.sport };
		if (kind == PORT_ADDRESS)
			group->key.addr = ssk->ep.saddr;
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

/*
 * Add a socket to all groups to which it belongs, and store these groups in @place. place->group[0]
 * contains only sockets with the same local address and port as @ssk.
 */
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
	const struct sock *sk = &ssk->ep.inet.sk;

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

/*
 * Return whether a socket conflicts with sockets that groups count. No group counts the socket
 * itself.
 */
static bool port_is_used(const struct sdp_sock *ssk)
{
	const u8 *kind = covering[port_kind_of(ssk)];
	struct sdp_port_group *group;

	for (; *kind; kind++) {
		group = port_find(sock_net(&ssk->ep.inet.sk), *kind, &ssk->ep.saddr, ssk->ep.sport);
		if (group && sdp_share_conflicts(&group->share, &ssk->port_sharer))
			return true;
	}
	return false;
}

/* Return whether another socket of the namespace has the port, even if sharing is allowed. */
static bool port_is_bound(const struct sdp_sock *ssk)
{
	return port_find(sock_net(&ssk->ep.inet.sk), PORT_ALL, NULL, ssk->ep.sport);
}

static int port_bind_to(struct sdp_sock *ssk, u16 port, struct port_spares *spares,
			bool (*is_unfit)(const struct sdp_sock *ssk))
{
	int err;

	spin_lock_bh(&table_lock);
	ssk->ep.sport = port;
	ssk->port_sharer = port_sharer_of(ssk, false);
	err = is_unfit(ssk) ? -EADDRINUSE : port_join(ssk, &ssk->port_place, spares);
	if (err)
		ssk->ep.sport = 0;
	spin_unlock_bh(&table_lock);
	return err;
}

/* table_lock is released between ports, because tens of thousands of ports may be tried. */
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

	if (ssk->ep.inet.sk.sk_family != AF_INET6)
		ipv6_addr_set_v4mapped(htonl(INADDR_ANY), &any);
	return any;
}

int sdp_port_bind(struct sdp_sock *ssk, const struct in6_addr *addr, u16 port)
{
	struct port_spares spares;
	int err = port_spares_alloc(&spares);

	if (err)
		return err;
	ssk->ep.saddr = addr ? *addr : port_any_of(ssk);
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
	before = ssk->ep.saddr;
	ssk->ep.saddr = *addr;
	if (sdp_port_is_bound(ssk)) {
		err = port_join(ssk, &place, spares);
		if (!err) {
			port_remove(ssk, &ssk->port_place);
			ssk->port_place = place;
		}
	}
	if (err)
		ssk->ep.saddr = before;
	spin_unlock_bh(&table_lock);
	return err;
}

int sdp_port_readdress(struct sdp_sock *ssk, const struct in6_addr *addr)
{
	struct in6_addr to = addr ? *addr : port_any_of(ssk);
	struct port_spares spares;
	int err;

	if (ipv6_addr_equal(&ssk->ep.saddr, &to))
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

/* Return the listener of a group whose turn it is, or NULL. The caller holds table_lock. */
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
	/* The order is: specific address, wildcard of its version of IP, wildcard of both. */
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
