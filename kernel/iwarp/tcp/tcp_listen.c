// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Listening sockets, which RNICs of a network namespace share. */
#include "iwarp/tcp/tcp_listen.h"
#include <linux/err.h>
#include <linux/in.h>
#include <linux/in6.h>
#include <linux/mutex.h>
#include <linux/net.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <net/inet_sock.h>
#include <net/ipv6.h>
#include <net/net_namespace.h>
#include <net/sock.h>
#include "compat.h"
#include "iwarp/tcp/tcp_connect.h"
#include "iwarp/tcp/tcp_stream.h"

#define LISTEN_MAX_BACKLOG 4096
#define LISTEN_BATCH 64 /* sockets that one call of the worker accepts */
#define LISTEN_RETRY_MS 10 /* after memory was short */

struct hca_tcp_listener {
	struct list_head node; /* entry of listen_all */
	struct net *net; /* with a reference */
	struct sockaddr_storage addr;
	struct socket *sock;
	void (*data_ready)(struct sock *sk); /* of the socket before */
	struct delayed_work work; /* accepts */
	struct mem_cgroup *memcg; /* is charged for connections; with a reference, or NULL */
	spinlock_t lock; /* leaf lock of processes; guards @users */
	struct list_head users; /* struct hca_tcp_listen */
};

/*
 * Outermost mutex; guards listen_all. The work of a listener does not take it, so that it may be
 * held while the work is waited for.
 */
static DEFINE_MUTEX(listen_lock);
static LIST_HEAD(listen_all);

bool hca_tcp_is_any(const struct sockaddr_storage *addr)
{
	if (addr->ss_family == AF_INET6)
		return ipv6_addr_any(&((const struct sockaddr_in6 *)addr)->sin6_addr);
	return ((const struct sockaddr_in *)addr)->sin_addr.s_addr == htonl(INADDR_ANY);
}

static bool listen_is_same(const struct sockaddr_storage *a, const struct sockaddr_storage *b)
{
	const struct sockaddr_in6 *a6 = (const struct sockaddr_in6 *)a;
	const struct sockaddr_in6 *b6 = (const struct sockaddr_in6 *)b;
	const struct sockaddr_in *a4 = (const struct sockaddr_in *)a;
	const struct sockaddr_in *b4 = (const struct sockaddr_in *)b;

	if (a->ss_family != b->ss_family)
		return false;
	if (a->ss_family == AF_INET6)
		return a6->sin6_port == b6->sin6_port && a6->sin6_scope_id == b6->sin6_scope_id &&
		       ipv6_addr_equal(&a6->sin6_addr, &b6->sin6_addr);
	return a4->sin_port == b4->sin_port && a4->sin_addr.s_addr == b4->sin_addr.s_addr;
}

/* Make an IPv4 address of an IPv6 address that stands for one. */
static void listen_unmap(struct sockaddr_storage *addr)
{
	struct sockaddr_in6 v6 = *(struct sockaddr_in6 *)addr;

	if (addr->ss_family != AF_INET6 || !ipv6_addr_v4mapped(&v6.sin6_addr))
		return;
	memset(addr, 0, sizeof(*addr));
	*(struct sockaddr_in *)addr = (struct sockaddr_in){
		.sin_family = AF_INET,
		.sin_port = v6.sin6_port,
		.sin_addr.s_addr = v6.sin6_addr.s6_addr32[3],
	};
}

/* Return: the user, with a reference, that serves a local address; or NULL. */
static struct hca_tcp_listen *listen_user(struct hca_tcp_listener *listener,
					  const struct sockaddr_storage *local)
{
	struct hca_tcp_listen *user, *found = NULL;

	spin_lock_bh(&listener->lock);
	list_for_each_entry(user, &listener->users, node) {
		if (user->serves(user, local)) {
			user->get(user);
			found = user;
			break;
		}
	}
	spin_unlock_bh(&listener->lock);
	return found;
}

/* An accepted socket has the callback of the listening one. */
static void listen_restore(struct hca_tcp_listener *listener, struct sock *sk)
{
	write_lock_bh(&sk->sk_callback_lock);
	sk->sk_user_data = NULL;
	sk->sk_data_ready = listener->data_ready;
	write_unlock_bh(&sk->sk_callback_lock);
}

static void listen_deliver(struct hca_tcp_listener *listener, struct socket *sock)
{
	struct sockaddr_storage local = { 0 }, remote = { 0 };
	struct hca_tcp_listen *user = NULL;

	if (kernel_getsockname(sock, (struct sockaddr *)&local) >= 0 &&
	    kernel_getpeername(sock, (struct sockaddr *)&remote) >= 0) {
		listen_unmap(&local);
		listen_unmap(&remote);
		user = listen_user(listener, &local);
	}
	if (!user) {
		sock_no_linger(sock->sk);
		sock_release(sock);
		return;
	}
	user->accepted(user, sock, &local, &remote);
	user->put(user);
}

/* Accept a connection. Return: 0, or the error of kernel_accept(). */
static int listen_accept(struct hca_tcp_listener *listener)
{
	struct socket *sock;
	int ret = kernel_accept(listener->sock, &sock, O_NONBLOCK);

	if (ret)
		return ret;
	listen_restore(listener, sock->sk);
	hca_tcp_prepare(sock->sk);
	listen_deliver(listener, sock);
	return 0;
}

static void listen_queue(struct hca_tcp_listener *listener, unsigned int ms)
{
	hca_tcp_queue_later(&listener->work, ms);
}

/* Connections are charged to the user that listens; TCP charges its own memory to nobody. */
static void listen_work(struct work_struct *work)
{
	struct hca_tcp_listener *listener =
		container_of(to_delayed_work(work), struct hca_tcp_listener, work);
	struct mem_cgroup *before = set_active_memcg(listener->memcg);
	int i, ret = 0;

	for (i = 0; i < LISTEN_BATCH && !ret; i++)
		ret = listen_accept(listener);
	set_active_memcg(before);
	/* A connection that has ended already is an error as well. */
	if (!ret || ret == -ECONNABORTED)
		listen_queue(listener, 0);
	else if (ret == -ENOMEM || ret == -ENOBUFS)
		listen_queue(listener, LISTEN_RETRY_MS);
}

static void listen_data_ready(struct sock *sk)
{
	struct hca_tcp_listener *listener;

	read_lock_bh(&sk->sk_callback_lock);
	listener = sk->sk_user_data;
	if (listener && sk->sk_state == TCP_LISTEN)
		listen_queue(listener, 0);
	read_unlock_bh(&sk->sk_callback_lock);
}

static int listen_start(struct hca_tcp_listener *listener, bool v6only, int backlog)
{
	struct sock *sk;
	int ret;

	listener->sock = hca_tcp_open(listener->net, listener->addr.ss_family, v6only);
	if (IS_ERR(listener->sock))
		return PTR_ERR(listener->sock);
	sk = listener->sock->sk;
	write_lock_bh(&sk->sk_callback_lock);
	listener->data_ready = sk->sk_data_ready;
	sk->sk_data_ready = listen_data_ready;
	sk->sk_user_data = listener;
	write_unlock_bh(&sk->sk_callback_lock);
	ret = hca_tcp_bind(listener->sock, &listener->addr);
	if (!ret)
		ret = kernel_listen(listener->sock, clamp(backlog, 1, LISTEN_MAX_BACKLOG));
	if (ret)
		sock_release(listener->sock);
	return ret;
}

static void listen_free(struct hca_tcp_listener *listener)
{
	mem_cgroup_put(listener->memcg);
	put_net(listener->net);
	kfree(listener);
}

static struct hca_tcp_listener *listen_create(struct net *net, const struct sockaddr_storage *addr,
					      bool v6only, int backlog)
{
	struct hca_tcp_listener *listener = kzalloc(sizeof(*listener), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!listener)
		return ERR_PTR(-ENOMEM);
	listener->net = get_net(net);
	listener->addr = *addr;
	spin_lock_init(&listener->lock);
	INIT_LIST_HEAD(&listener->users);
	INIT_DELAYED_WORK(&listener->work, listen_work);
	listener->memcg = hca_memcg_get();
	ret = listen_start(listener, v6only, backlog);
	if (ret) {
		listen_free(listener);
		return ERR_PTR(ret);
	}
	list_add(&listener->node, &listen_all);
	return listener;
}

static void listen_destroy(struct hca_tcp_listener *listener)
{
	list_del(&listener->node);
	listen_restore(listener, listener->sock->sk);
	cancel_delayed_work_sync(&listener->work);
	sock_release(listener->sock);
	listen_free(listener);
}

static struct hca_tcp_listener *listen_find(const struct net *net,
					    const struct sockaddr_storage *addr)
{
	struct hca_tcp_listener *listener;

	list_for_each_entry(listener, &listen_all, node)
		if (listener->net == net && listen_is_same(&listener->addr, addr))
			return listener;
	return NULL;
}

/* Return: whether an owner has a user. Users change under listen_lock alone, which is held. */
static bool listen_has_owner(const struct hca_tcp_listener *listener, const void *owner)
{
	const struct hca_tcp_listen *user;

	list_for_each_entry(user, &listener->users, node)
		if (user->owner == owner)
			return true;
	return false;
}

int hca_tcp_listen_add(struct hca_tcp_listen *user, struct net *net,
		       const struct sockaddr_storage *addr, bool v6only, int backlog)
{
	struct hca_tcp_listener *listener;
	int ret = 0;

	mutex_lock(&listen_lock);
	listener = listen_find(net, addr);
	if (!listener)
		listener = listen_create(net, addr, v6only, backlog);
	else if (listen_has_owner(listener, user->owner))
		listener = ERR_PTR(-EADDRINUSE);
	if (IS_ERR(listener)) {
		ret = PTR_ERR(listener);
	} else {
		user->listener = listener;
		spin_lock_bh(&listener->lock);
		list_add_tail(&user->node, &listener->users);
		spin_unlock_bh(&listener->lock);
	}
	mutex_unlock(&listen_lock);
	return ret;
}

void hca_tcp_listen_remove(struct hca_tcp_listen *user)
{
	struct hca_tcp_listener *listener = user->listener;
	bool is_last;

	mutex_lock(&listen_lock);
	spin_lock_bh(&listener->lock);
	list_del(&user->node);
	is_last = list_empty(&listener->users);
	spin_unlock_bh(&listener->lock);
	if (is_last)
		listen_destroy(listener);
	else
		flush_delayed_work(&listener->work); /* it may have a reference to the user */
	mutex_unlock(&listen_lock);
}
