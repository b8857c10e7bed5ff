// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Memory of connections: its counts, and the limits for all sockets and for each user. */
#include "sdp/link/memory.h"
#include <linux/mm.h>
#include <linux/sysctl.h>
#include <net/net_namespace.h>
#include <net/netns/generic.h>
#include <net/sock.h>
#include "compat.h"
#include "sdp/link/ep.h"
#include "sdp/link/user.h"

#define LINK_OCTETS (28u << 10) /* memory of a connection other than buffers */
#define CONNECTIONS 16384 /* initial limit of connections of a user */
#define BUFFERS (256u << 10) /* initial value USUAL of net.sdp.rmem and net.sdp.wmem, in octets */
#define BUFFERS_MOST (16u << 20) /* initial value MOST of net.sdp.rmem and net.sdp.wmem */

enum { LEAST, USUAL, MOST, VALUES }; /* the numbers of net.sdp.rmem and net.sdp.wmem */

/*
 * The networking core also adds reservations by SO_RESERVE_MEM to sdp_memory_allocated, even if the
 * program does not use the memory. So the limits apply to sdp_memory_charged, which counts only the
 * memory that sdp_memory_charge() has charged.
 */
atomic_long_t sdp_memory_allocated;
DEFINE_PER_CPU(int, sdp_memory_per_cpu);
static atomic_long_t sdp_memory_charged; /* pages */
unsigned long sdp_memory_pressure;
long sdp_memory_limits[3];
static int sdp_memory_connections = CONNECTIONS;
static int sdp_memory_bufs_least = 4 * PAGE_SIZE; /* minimum of net.sdp.rmem and net.sdp.wmem */

struct sdp_memory_net {
	int rmem[VALUES];
	int wmem[VALUES];
	struct ctl_table table[5]; /* the last entry is empty */
	struct ctl_table_header *header;
};

static unsigned int sdp_memory_net_id;

static struct sdp_memory_net *sdp_memory_net(const struct sock *sk)
{
	return net_generic(sock_net(sk), sdp_memory_net_id);
}

void sdp_memory_begin_pressure(struct sock *sk)
{
	if (!READ_ONCE(sdp_memory_pressure))
		WRITE_ONCE(sdp_memory_pressure, 1);
}

void sdp_memory_end_pressure(struct sock *sk)
{
	if (READ_ONCE(sdp_memory_pressure))
		WRITE_ONCE(sdp_memory_pressure, 0);
}

/* Return: octets that a connection may have for @use even under pressure. */
static u32 sdp_memory_least(const struct sock *sk, enum sdp_memory use)
{
	const struct sdp_memory_net *limits = sdp_memory_net(sk);

	switch (use) {
	case SDP_MEMORY_RECEIVE:
		return READ_ONCE(limits->rmem[LEAST]);
	case SDP_MEMORY_SEND:
		return READ_ONCE(limits->wmem[LEAST]);
	default:
		return U32_MAX;
	}
}

/* Return the limit of a user: half of the limit for all users, or this limit for root. */
static long sdp_memory_share(const struct sdp_user *user, long all)
{
	return sdp_user_is_root(user) ? all : all / 2;
}

static bool sdp_memory_may_charge(struct sdp_ep *ep, enum sdp_memory use, u32 octets, long all,
				  long of_user)
{
	struct sock *sk = sdp_ep_sock(ep);
	long most = READ_ONCE(sdp_memory_limits[2]);

	if (all > READ_ONCE(sdp_memory_limits[1]))
		sdp_memory_begin_pressure(sk);
	else if (all <= READ_ONCE(sdp_memory_limits[0]))
		sdp_memory_end_pressure(sk);
	if (all > most || of_user > sdp_memory_share(ep->user, most))
		return false;
	return !READ_ONCE(sdp_memory_pressure) ||
	       ep->memory[use] + octets <= sdp_memory_least(sk, use);
}

bool sdp_memory_charge(struct sdp_ep *ep, enum sdp_memory use, u32 octets)
{
	long pages = PFN_UP(octets), all = atomic_long_add_return(pages, &sdp_memory_charged);
	long of_user = atomic_long_add_return(pages, &ep->user->pages);

	if (!ep->memory_exchanged && !sdp_memory_may_charge(ep, use, octets, all, of_user)) {
		atomic_long_sub(pages, &ep->user->pages);
		atomic_long_sub(pages, &sdp_memory_charged);
		return false;
	}
	atomic_long_add(pages, &sdp_memory_allocated);
	ep->memory[use] += octets;
	return true;
}

void sdp_memory_uncharge(struct sdp_ep *ep, enum sdp_memory use, u32 octets)
{
	long pages = PFN_UP(octets);

	ep->memory[use] -= octets;
	atomic_long_sub(pages, &sdp_memory_allocated);
	atomic_long_sub(pages, &ep->user->pages);
	if (atomic_long_sub_return(pages, &sdp_memory_charged) <= READ_ONCE(sdp_memory_limits[0]))
		sdp_memory_end_pressure(sdp_ep_sock(ep));
}

bool sdp_memory_add_link(struct sdp_ep *ep)
{
	struct sdp_user *user = ep->user;
	int count = atomic_inc_return(&user->connections);

	if ((sdp_user_is_root(user) || count <= READ_ONCE(sdp_memory_connections)) &&
	    sdp_memory_charge(ep, SDP_MEMORY_LINK, LINK_OCTETS))
		return true;
	atomic_dec(&user->connections);
	return false;
}

void sdp_memory_remove_link(struct sdp_ep *ep)
{
	sdp_memory_uncharge(ep, SDP_MEMORY_LINK, LINK_OCTETS);
	atomic_dec(&ep->user->connections);
}

u32 sdp_memory_most(const struct sock *sk, enum sdp_memory use)
{
	const struct sdp_memory_net *limits = sdp_memory_net(sk);

	if (use == SDP_MEMORY_RECEIVE)
		return min(READ_ONCE(sk->sk_rcvbuf), READ_ONCE(limits->rmem[MOST]));
	return min(READ_ONCE(sk->sk_sndbuf), READ_ONCE(limits->wmem[MOST]));
}

void sdp_memory_init_sock(struct sock *sk)
{
	const struct sdp_memory_net *limits = sdp_memory_net(sk);

	WRITE_ONCE(sk->sk_rcvbuf, READ_ONCE(limits->rmem[USUAL]));
	WRITE_ONCE(sk->sk_sndbuf, READ_ONCE(limits->wmem[USUAL]));
}

/* The first two entries exist in each network namespace, the others in the initial one only. */
static const struct ctl_table sdp_memory_table[] = {
	{ .procname = "rmem", .maxlen = sizeof_field(struct sdp_memory_net, rmem), .mode = 0644,
	  .proc_handler = proc_dointvec_minmax, .extra1 = &sdp_memory_bufs_least },
	{ .procname = "wmem", .maxlen = sizeof_field(struct sdp_memory_net, wmem), .mode = 0644,
	  .proc_handler = proc_dointvec_minmax, .extra1 = &sdp_memory_bufs_least },
	{ .procname = "mem", .data = sdp_memory_limits, .maxlen = sizeof(sdp_memory_limits),
	  .mode = 0644, .proc_handler = proc_doulongvec_minmax },
	{ .procname = "user_connections", .data = &sdp_memory_connections,
	  .maxlen = sizeof(sdp_memory_connections), .mode = 0644,
	  .proc_handler = proc_dointvec_minmax, .extra1 = SYSCTL_ZERO },
};

static int __net_init sdp_memory_net_init(struct net *net)
{
	struct sdp_memory_net *limits = net_generic(net, sdp_memory_net_id);
	size_t count = net_eq(net, &init_net) ? ARRAY_SIZE(sdp_memory_table) : 2;
	const int numbers[VALUES] = { sdp_memory_bufs_least, BUFFERS, BUFFERS_MOST };

	static_assert(ARRAY_SIZE(limits->table) == ARRAY_SIZE(sdp_memory_table) + 1);
	memcpy(limits->rmem, numbers, sizeof(numbers));
	memcpy(limits->wmem, numbers, sizeof(numbers));
	memcpy(limits->table, sdp_memory_table, count * sizeof(limits->table[0]));
	limits->table[0].data = limits->rmem;
	limits->table[1].data = limits->wmem;
	limits->header = register_net_sysctl_sz(net, "net/sdp", limits->table, count);
	return limits->header ? 0 : -ENOMEM;
}

static void __net_exit sdp_memory_net_exit(struct net *net)
{
	struct sdp_memory_net *limits = net_generic(net, sdp_memory_net_id);

	unregister_net_sysctl_table(limits->header);
}

static struct pernet_operations sdp_memory_namespaces = {
	.init = sdp_memory_net_init,
	.exit = sdp_memory_net_exit,
	.id = &sdp_memory_net_id,
	.size = sizeof(struct sdp_memory_net),
};

/* Initially, the limits are the same fraction of the machine's memory as the limits of TCP. */
int sdp_memory_register(void)
{
	long pages = max(nr_free_buffer_pages() / 16, 128UL);

	sdp_memory_limits[0] = pages / 4 * 3;
	sdp_memory_limits[1] = pages;
	sdp_memory_limits[2] = sdp_memory_limits[0] * 2;
	return register_pernet_subsys(&sdp_memory_namespaces);
}

void sdp_memory_unregister(void)
{
	unregister_pernet_subsys(&sdp_memory_namespaces);
}
