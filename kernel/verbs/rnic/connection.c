// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Connections of an RNIC: their life, and the events that iw_cm gets of them. */
#include "verbs/rnic/connection.h"
#include <linux/err.h>
#include <linux/net.h>
#include <linux/slab.h>
#include <linux/xarray.h>
#include "iwarp/connect.h"

/*
 * A ULP that has not answered a request after this time does not answer it any more. iw_cm does not
 * say so when it drops a request.
 */
#define CONNECTION_ANSWER_SECONDS 30

/* struct hca_rnic_connection with references, by the numbers of requests. */
static DEFINE_XARRAY_FLAGS(connection_requests, XA_FLAGS_ALLOC1 | XA_FLAGS_LOCK_BH);
static u32 connection_next_request; /* guarded by the lock of connection_requests */

static void connection_reject(struct hca_rnic_connection *conn)
{
	const struct hca_connect none = { 0 };

	hca_startup_reject(&conn->te.ep, &none);
}

static void connection_expired(struct work_struct *work)
{
	struct hca_rnic_connection *conn =
		container_of(to_delayed_work(work), struct hca_rnic_connection, limit);

	if (hca_rnic_request_find(conn->request)) {
		connection_reject(conn);
		hca_tcp_endpoint_put(&conn->te);
	}
	hca_tcp_endpoint_put(&conn->te);
}

int hca_rnic_request_add(struct hca_rnic_connection *conn)
{
	int ret;

	ret = xa_alloc_cyclic_bh(&connection_requests, &conn->request, conn, xa_limit_32b,
				 &connection_next_request, GFP_KERNEL);
	if (ret < 0)
		return ret;
	hca_tcp_endpoint_get(&conn->te);
	return 0;
}

/* Remove the reference to a connection from the table. Return: whether it was there. */
static bool connection_erase(struct hca_rnic_connection *conn)
{
	if (!conn->request || xa_erase_bh(&connection_requests, conn->request) != conn)
		return false;
	if (cancel_delayed_work(&conn->limit))
		hca_tcp_endpoint_put(&conn->te);
	return true;
}

void hca_rnic_copy_addresses(struct hca_endpoint *ep, void *arg)
{
	const struct hca_rnic_connection *conn = hca_rnic_connection_of(ep);
	struct hca_rnic_addresses *addresses = arg;

	addresses->local = conn->te.local;
	addresses->remote = conn->te.remote;
}

struct hca_rnic_connection *hca_rnic_request_find(unsigned long number)
{
	struct hca_rnic_connection *conn = xa_erase_bh(&connection_requests, number);

	if (conn && cancel_delayed_work(&conn->limit))
		hca_tcp_endpoint_put(&conn->te);
	return conn;
}

void hca_rnic_connection_drop_id(struct hca_rnic_connection *conn)
{
	struct iw_cm_id *id = xchg(&conn->id, NULL);

	if (id)
		id->rem_ref(id);
}

/* Octets of private data that an event can carry. */
static u8 connection_private(const struct hca_endpoint *ep)
{
	return min_t(u16, ep->peer.private_length, U8_MAX);
}

static void connection_describe(struct hca_rnic_connection *conn, struct iw_cm_event *event,
				enum iw_cm_event_type type, int status)
{
	*event = (struct iw_cm_event){ .event = type, .status = status };
	event->local_addr = conn->te.local;
	event->remote_addr = conn->te.remote;
	event->ird = conn->te.ep.ird;
	event->ord = conn->te.ep.ord;
}

/* Return: 0, or -ENOMEM: iw_cm has not got the event. */
static int connection_send(struct hca_rnic_connection *conn, struct iw_cm_event *event)
{
	struct iw_cm_id *id = READ_ONCE(conn->id);

	return id ? id->event_handler(id, event) : 0;
}

static void connection_unlist(struct hca_rnic_connection *conn)
{
	struct hca_rnic_listen *listen = conn->listen;

	if (!listen)
		return;
	spin_lock(&listen->lock);
	if (!list_empty(&conn->half_open)) {
		list_del_init(&conn->half_open);
		listen->num_half_open--;
	}
	spin_unlock(&listen->lock);
}

/* A connection is limited by its listener no longer. */
static void connection_uncount(struct hca_rnic_connection *conn)
{
	struct hca_rnic_listen *listen = conn->listen;

	spin_lock_bh(&listen->lock);
	if (conn->is_counted)
		listen->num_counted--;
	conn->is_counted = false;
	spin_unlock_bh(&listen->lock);
}

/* Give a request to the iw_cm_id that listens. Return: false: it takes none. */
static bool connection_ask(struct hca_rnic_connection *conn)
{
	struct hca_endpoint *ep = &conn->te.ep;
	struct hca_rnic_listen *listen = conn->listen;
	struct iw_cm_event event;
	int ret = -ECONNREFUSED;

	connection_describe(conn, &event, IW_CM_EVENT_CONNECT_REQUEST, 0);
	event.ird = ep->peer.enhanced ? min_t(u16, ep->peer.ird, U8_MAX) : HCA_IWARP_MAX_READS;
	event.ord = ep->peer.enhanced ? min_t(u16, ep->peer.ord, U8_MAX) : HCA_IWARP_MAX_READS;
	event.private_data_len = connection_private(ep);
	event.private_data = ep->peer_private;
	event.provider_data = (void *)(unsigned long)conn->request;
	hca_tcp_endpoint_get(&conn->te);
	schedule_delayed_work(&conn->limit, CONNECTION_ANSWER_SECONDS * HZ);
	spin_lock(&listen->lock);
	if (listen->id)
		ret = listen->id->event_handler(listen->id, &event);
	spin_unlock(&listen->lock);
	return !ret;
}

/* A live stream has no listener: its endpoint answers the request by itself. */
static void connection_request(struct hca_rnic_connection *conn)
{
	if (!conn->listen)
		return;
	connection_unlist(conn);
	connection_uncount(conn);
	if (connection_ask(conn) || !connection_erase(conn))
		return;
	connection_reject(conn);
	hca_tcp_endpoint_put(&conn->te);
}

static void connection_reply(struct hca_rnic_connection *conn)
{
	struct hca_endpoint *ep = &conn->te.ep;
	struct iw_cm_event event;

	connection_describe(conn, &event, IW_CM_EVENT_CONNECT_REPLY, ep->reply_status);
	if (!ep->reply_status || ep->reply_status == -ECONNREFUSED) {
		event.private_data_len = connection_private(ep);
		event.private_data = ep->peer_private;
	}
	if (connection_send(conn, &event)) {
		/* Most likely there was no memory for a copy of the private data. */
		event.private_data_len = 0;
		if (connection_send(conn, &event))
			return;
	}
	conn->is_connected = !ep->reply_status;
}

static void connection_notify(struct hca_rnic_connection *conn, enum iw_cm_event_type type,
				int status)
{
	struct iw_cm_event event;

	connection_describe(conn, &event, type, status);
	connection_send(conn, &event);
}

static void connection_established(struct hca_rnic_connection *conn)
{
	conn->is_connected = true;
	connection_notify(conn, IW_CM_EVENT_ESTABLISHED, 0);
}

/* iw_cm accepts this event only of connections of which it has been told. */
static void connection_disconnect(struct hca_rnic_connection *conn)
{
	if (conn->is_connected)
		connection_notify(conn, IW_CM_EVENT_DISCONNECT, 0);
}

static void connection_close(struct hca_rnic_connection *conn)
{
	connection_unlist(conn);
	if (connection_erase(conn))
		hca_tcp_endpoint_put(&conn->te);
	if (conn->is_connected)
		connection_notify(conn, IW_CM_EVENT_CLOSE, conn->te.ep.close_status);
	hca_rnic_connection_drop_id(conn);
	hca_tcp_endpoint_put(&conn->te);
}

static void connection_event(struct hca_endpoint *ep, enum hca_endpoint_event event)
{
	static void (*const rules[])(struct hca_rnic_connection *conn) = {
		[HCA_ENDPOINT_CONNECT_REQUEST] = connection_request,
		[HCA_ENDPOINT_CONNECT_REPLY] = connection_reply,
		[HCA_ENDPOINT_ESTABLISHED] = connection_established,
		[HCA_ENDPOINT_DISCONNECT] = connection_disconnect,
		[HCA_ENDPOINT_CLOSE] = connection_close,
	};

	rules[event](hca_rnic_connection_of(ep));
}

static void connection_freed(struct hca_tcp_endpoint *te)
{
	struct hca_rnic_connection *conn = container_of(te, struct hca_rnic_connection, te);

	if (conn->listen) {
		connection_uncount(conn);
		hca_rnic_listen_put(conn->listen);
	}
	ib_device_put(&conn->dev->dev.ib);
	kfree(conn);
}

/* Return: a connection without a stream; or ERR_PTR. */
static struct hca_rnic_connection *connection_alloc(struct hca_rnic_device *dev)
{
	struct hca_rnic_connection *conn = kzalloc(sizeof(*conn), GFP_KERNEL_ACCOUNT);

	if (!conn)
		return ERR_PTR(-ENOMEM);
	if (!ib_device_try_get(&dev->dev.ib)) {
		kfree(conn);
		return ERR_PTR(-ENODEV);
	}
	conn->dev = dev;
	INIT_LIST_HEAD(&conn->half_open);
	INIT_DELAYED_WORK(&conn->limit, connection_expired);
	return conn;
}

struct hca_rnic_connection *hca_rnic_connection_create(struct hca_rnic_device *dev,
						       struct socket *sock)
{
	struct hca_rnic_connection *conn = connection_alloc(dev);

	if (IS_ERR(conn)) {
		sock_release(sock);
		return NULL;
	}
	hca_tcp_endpoint_init(&conn->te, &dev->rnic, sock, connection_event, connection_freed);
	return conn;
}

struct hca_rnic_connection *hca_rnic_connection_attach(struct hca_rnic_device *dev,
						       struct socket *sock,
						       struct hca_tcp_claim *claim)
{
	struct hca_rnic_connection *conn = connection_alloc(dev);
	int ret;

	if (IS_ERR(conn))
		return conn;
	ret = hca_tcp_endpoint_attach(&conn->te, &dev->rnic, sock, claim, connection_event,
				      connection_freed);
	if (!ret)
		return conn;
	ib_device_put(&dev->dev.ib);
	kfree(conn);
	return ERR_PTR(ret);
}
