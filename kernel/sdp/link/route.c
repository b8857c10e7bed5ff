// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Resolution of the addresses of a connection to a path. The RDMA CM has few handlers for the whole
 * machine, so handlers do not wait for a socket lock: work does the part that needs the lock.
 */
#include "sdp/link/route.h"
#include <linux/module.h>
#include <linux/slab.h>
#include "sdp/link/address.h"
#include "sdp/link/cm.h"
#include "sdp/link/device.h"
#include "sdp/link/link.h"
#include "sdp/link/lock.h"
#include "sdp/link/ops.h"
#include "sdp/link/rdma.h"
#include "sdp/link/resume.h"
#include "sdp/link/setup.h"
#include "sdp/link/user.h"

#define RESOLVE_MS 4000

static unsigned int user_routes = 1024;
module_param(user_routes, uint, 0644);
MODULE_PARM_DESC(user_routes, "connections of one user whose path is looked for at a time (default 1024)");

/*
 * The resolution of one connection's addresses to a path. A route that its socket has abandoned
 * exists until the RDMA CM's final event, for at most eight seconds. @id is not destroyed earlier,
 * because that would cancel the query of the path, and ib_core has a use-after-free if a query ends
 * while it is canceled.
 */
struct sdp_route {
	struct sock *sk; /* holds a reference */
	/* accessed by xchg(); NULL after a link has taken the identifier, or it was destroyed */
	struct rdma_cm_id *id;
	struct sdp_device *device; /* the route has a reference to it while the path is queried */
	struct sdp_task task; /* runs route_finish() after the final event; queued only once */
	unsigned long ended; /* bit 0: @task was queued, and route_end() does not queue it again */
	bool abandoned; /* sdp_route_abandon() was called: the socket does not use the path */
	int err;
};

static void route_end(struct sdp_route *route, int err)
{
	if (test_and_set_bit(0, &route->ended))
		return;
	route->err = err;
	queue_work(sdp_wq, &route->task.work);
}

/* The reference to the device delays its removal, which would cancel the query of the path. */
static int route_query(struct sdp_route *route, struct rdma_cm_id *id)
{
	int err;

	if (READ_ONCE(route->abandoned))
		return -ECANCELED;
	route->device = sdp_device_get(id->device);
	if (!route->device)
		return -ENODEV;
	err = rdma_resolve_route(id, RESOLVE_MS);
	if (err)
		sdp_device_put(route->device);
	return err;
}

/* A result other than 0 makes the RDMA CM destroy @id, which is then not used by route_finish(). */
static int route_handle(struct rdma_cm_id *id, struct rdma_cm_event *event)
{
	struct sdp_route *route = id->context;
	int err = -EHOSTUNREACH;

	switch (event->event) {
	case RDMA_CM_EVENT_ADDR_RESOLVED:
		err = route_query(route, id);
		if (!err)
			return 0;
		break;
	case RDMA_CM_EVENT_ROUTE_RESOLVED:
		err = 0;
		fallthrough;
	case RDMA_CM_EVENT_ROUTE_ERROR:
		sdp_device_put(route->device);
		break;
	case RDMA_CM_EVENT_ADDR_ERROR:
		break;
	case RDMA_CM_EVENT_DEVICE_REMOVAL:
		route_end(route, -ENODEV);
		/* This is the last access to the route, which route_finish() may free at once. */
		return !!xchg(&route->id, NULL);
	default:
		return 0; /* the final event follows */
	}
	route_end(route, err);
	return 0;
}

/* Replace a local wildcard address by the path's source address, or by a loopback address. */
static int route_name_source(struct sdp_ep *ep, struct rdma_cm_id *id)
{
	struct in6_addr ip = ep->daddr;
	u16 unused;
	int err;

	if (!sdp_address_is_any(&ep->saddr))
		return 0;
	if (sdp_address_is_loopback(&ip)) {
		sdp_address_make_loopback(&ip);
	} else {
		err = sdp_address_parse((struct sockaddr *)&id->route.addr.src_addr,
					sizeof(id->route.addr.src_addr), &ip, &unused);
		if (err)
			return err;
	}
	return sdp_link_ops->renamed(ep, &ip);
}

/*
 * Make a link, and send a Hello along the path of *@id. The device and port of the path determine
 * the binding. If the link takes over the identifier, *@id is set to NULL, even if the call fails.
 */
static int route_make_link(struct sdp_ep *ep, struct rdma_cm_id **id)
{
	struct ib_device *ib = (*id)->device;
	bool iba = sdp_device_by_iba(ib, (*id)->port_num);
	int err = route_name_source(ep, *id);

	if (!err)
		err = sdp_setup_link(ep, ib, iba ? &sdp_cm_ops : &sdp_rdma_ops, SDP_GFP);
	if (err)
		return err;
	err = ep->link->cm->request(ep, id);
	if (!err)
		err = sdp_resume_adopt(ep);
	if (err)
		sdp_link_stop(ep);
	sdp_gate_put(&ep->link->setup);
	return err;
}

static int route_request(struct sdp_route *route)
{
	struct rdma_cm_id *id = xchg(&route->id, NULL);
	int err;

	if (!id)
		return -ENODEV;
	err = route_make_link(sdp_ep(route->sk), &id);
	if (id)
		rdma_destroy_id(id);
	return err;
}

static void route_free(struct sdp_route *route)
{
	struct rdma_cm_id *id = xchg(&route->id, NULL);

	if (id)
		rdma_destroy_id(id);
	atomic_dec(&sdp_ep(route->sk)->user->routes);
	sock_put(route->sk);
	kfree(route);
}

static void route_finish(struct work_struct *work)
{
	struct sdp_route *route = container_of(work, struct sdp_route, task.work);
	struct sdp_ep *ep = sdp_ep(route->sk);
	int err = route->err;

	if (!sdp_task_lock(ep, &route->task))
		return;
	if (ep->route == route) {
		ep->route = NULL;
		err = err ? err : route_request(route);
		if (err)
			sdp_link_ops->ended(ep, -err);
	}
	release_sock(route->sk);
	route_free(route);
}

/* Count a route of the user. The limit does not apply to a connection that is resumed. */
static bool route_count(const struct sdp_ep *ep)
{
	unsigned int most = ep->resume_port ? INT_MAX : READ_ONCE(user_routes);

	if ((unsigned int)atomic_inc_return(&ep->user->routes) <= most)
		return true;
	atomic_dec(&ep->user->routes);
	return false;
}

static struct sdp_route *route_alloc(struct sock *sk)
{
	struct sdp_route *route;
	int err = -ENOMEM;

	if (!route_count(sdp_ep(sk)))
		return ERR_PTR(-EAGAIN);
	route = kzalloc(sizeof(*route), GFP_KERNEL_ACCOUNT);
	if (!route)
		goto no_route;
	sdp_task_init(&route->task, route_finish);
	route->id = rdma_create_id(sock_net(sk), route_handle, route, RDMA_PS_TCP, IB_QPT_RC);
	if (IS_ERR(route->id)) {
		err = PTR_ERR(route->id);
		goto no_id;
	}
	route->sk = sk;
	sock_hold(sk);
	return route;

no_id:
	kfree(route);
no_route:
	atomic_dec(&sdp_ep(sk)->user->routes);
	return ERR_PTR(err);
}

void sdp_route_abandon(struct sdp_ep *ep)
{
	if (ep->route)
		WRITE_ONCE(ep->route->abandoned, true);
	ep->route = NULL;
}

int sdp_route_resolve(struct sdp_ep *ep)
{
	struct sock *sk = sdp_ep_sock(ep);
	struct in6_addr from = ep->saddr, to = ep->daddr;
	struct sockaddr_storage src, dst;
	struct sdp_route *route;
	int err;

	if (sdp_address_is_loopback(&to)) {
		err = sdp_address_of_port(sock_net(sk), &to);
		if (err)
			return err;
		from = to;
	}
	route = route_alloc(sk);
	if (IS_ERR(route))
		return PTR_ERR(route);
	/* The source port belongs to SDP: the RDMA CM does not need it. */
	sdp_address_make(&from, 0, sk->sk_bound_dev_if, false, &src);
	sdp_address_make(&to, sdp_setup_port(ep), sk->sk_bound_dev_if, false, &dst);
	err = rdma_resolve_addr(route->id, sdp_address_is_any(&from) ? NULL : (void *)&src,
				(struct sockaddr *)&dst, RESOLVE_MS);
	if (err)
		route_end(route, err);
	else
		ep->route = route;
	return err;
}
