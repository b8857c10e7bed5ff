// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Listening of an RNIC: the connections that peers open, until their requests have come. */
#include <linux/net.h>
#include <linux/slab.h>
#include <net/net_namespace.h>
#include <net/sock.h>
#include "iwarp/connect.h"
#include "verbs/rnic/connection.h"

#define LISTEN_HALF_OPEN 128 /* connections without a request; the oldest ones are ended */
#define LISTEN_COUNTED (2 * LISTEN_HALF_OPEN) /* with those that are ended, but not yet free */

static bool listen_serves(struct hca_tcp_listen *tcp, const struct sockaddr_storage *local)
{
	const struct hca_rnic_listen *listen = container_of(tcp, struct hca_rnic_listen, tcp);

	return hca_rnic_may_use(listen->dev, local) &&
	       (!listen->is_any || hca_rnic_has_address(listen->dev, local));
}

static void listen_get(struct hca_tcp_listen *tcp)
{
	refcount_inc(&container_of(tcp, struct hca_rnic_listen, tcp)->users);
}

static void listen_put(struct hca_tcp_listen *tcp)
{
	hca_rnic_listen_put(container_of(tcp, struct hca_rnic_listen, tcp));
}

/* Return: the oldest connection without a request, with a reference; or NULL. The lock is held. */
static struct hca_rnic_connection *listen_oldest(struct hca_rnic_listen *listen)
{
	struct hca_rnic_connection *conn;

	conn = list_first_entry_or_null(&listen->half_open, struct hca_rnic_connection, half_open);
	if (!conn)
		return NULL;
	list_del_init(&conn->half_open);
	listen->num_half_open--;
	hca_tcp_endpoint_get(&conn->te);
	return conn;
}

static void listen_end(struct hca_rnic_connection *conn)
{
	if (!conn)
		return;
	hca_tcp_endpoint_abort(&conn->te);
	hca_tcp_endpoint_put(&conn->te);
}

/*
 * Add a connection to those without a request. Return: false: nobody listens any more, or too many
 * that were ended have memory still.
 */
static bool listen_add(struct hca_rnic_listen *listen, struct hca_rnic_connection *conn)
{
	struct hca_rnic_connection *oldest = NULL;
	bool ok;

	spin_lock_bh(&listen->lock);
	ok = listen->id && listen->num_counted < LISTEN_COUNTED;
	if (ok) {
		if (listen->num_half_open == LISTEN_HALF_OPEN)
			oldest = listen_oldest(listen);
		list_add_tail(&conn->half_open, &listen->half_open);
		listen->num_half_open++;
		listen->num_counted++;
		conn->is_counted = true;
	}
	spin_unlock_bh(&listen->lock);
	listen_end(oldest);
	return ok;
}

static void listen_accepted(struct hca_tcp_listen *tcp, struct socket *sock,
			    const struct sockaddr_storage *local,
			    const struct sockaddr_storage *remote)
{
	struct hca_rnic_listen *listen = container_of(tcp, struct hca_rnic_listen, tcp);
	struct hca_rnic_connection *conn = hca_rnic_connection_create(listen->dev, sock);

	if (!conn)
		return;
	conn->te.local = *local;
	conn->te.remote = *remote;
	listen_get(tcp);
	conn->listen = listen;
	if (hca_rnic_request_add(conn)) {
		hca_tcp_endpoint_abandon(&conn->te);
		return;
	}
	if (listen_add(listen, conn)) {
		hca_startup_listen(&conn->te.ep);
		return;
	}
	if (hca_rnic_request_find(conn->request))
		hca_tcp_endpoint_put(&conn->te);
	hca_tcp_endpoint_abandon(&conn->te);
}

/*
 * Whether an RNIC shall be without a port that TCP has in use. rdma_cm has who listens at all
 * addresses listen at a new device, too, and would not know the whole device if that failed.
 */
static bool listen_may_miss(const struct hca_rnic_listen *listen, int error)
{
	if (error != -EADDRINUSE || !listen->is_any || READ_ONCE(listen->dev->is_registered))
		return false;
	dev_notice(&listen->dev->dev.ib.dev,
		   "a port is in use by TCP: who listens there at all addresses gets nothing here\n");
	return true;
}

static int listen_begin(struct hca_rnic_listen *listen, const struct iw_cm_id *id, int backlog)
{
	struct net *net = hca_rnic_get_net(listen->dev);
	int ret;

	if (!net)
		return -ENODEV;
	ret = hca_tcp_listen_add(&listen->tcp, net, &id->m_local_addr, id->afonly, backlog);
	put_net(net);
	return listen_may_miss(listen, ret) ? 0 : ret;
}

int hca_rnic_listen_create(struct iw_cm_id *id, int backlog)
{
	struct hca_rnic_device *dev = to_hca_rnic_device(id->device);
	struct hca_rnic_listen *listen = kzalloc(sizeof(*listen), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!listen)
		return -ENOMEM;
	listen->tcp.serves = listen_serves;
	listen->tcp.get = listen_get;
	listen->tcp.put = listen_put;
	listen->tcp.accepted = listen_accepted;
	listen->tcp.owner = dev;
	listen->dev = dev;
	listen->is_any = hca_tcp_is_any(&id->m_local_addr);
	refcount_set(&listen->users, 1);
	spin_lock_init(&listen->lock);
	INIT_LIST_HEAD(&listen->half_open);
	listen->id = id;
	id->add_ref(id);
	id->provider_data = listen;
	ret = listen_begin(listen, id, backlog);
	if (ret) {
		id->provider_data = NULL;
		id->rem_ref(id);
		hca_rnic_listen_put(listen);
	}
	return ret;
}

int hca_rnic_listen_destroy(struct iw_cm_id *id)
{
	struct hca_rnic_listen *listen = id->provider_data;
	struct hca_rnic_connection *conn;

	spin_lock_bh(&listen->lock);
	listen->id = NULL;
	spin_unlock_bh(&listen->lock);
	if (listen->tcp.listener)
		hca_tcp_listen_remove(&listen->tcp);
	do {
		spin_lock_bh(&listen->lock);
		conn = listen_oldest(listen);
		spin_unlock_bh(&listen->lock);
		listen_end(conn);
	} while (conn);
	id->provider_data = NULL;
	id->rem_ref(id);
	hca_rnic_listen_put(listen);
	return 0;
}
