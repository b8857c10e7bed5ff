// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Resolution of the addresses of a connection to a path. The RDMA CM has few handlers for the whole
 * machine, so handlers do not wait for a socket lock: work does the part that needs the lock.
 */
#include "sdp/linux/route.h"
#include <linux/module.h>
#include <linux/slab.h>
#include "sdp/linux/address.h"
#include "sdp/linux/device.h"
#include "sdp/linux/link.h"
#include "sdp/linux/lock.h"
#include "sdp/linux/setup.h"
#include "sdp/linux/user.h"

#define RESOLVE_MS 4000

static unsigned int user_routes = 1024;
module_param(user_routes, uint, 0644);
MODULE_PARM_DESC(user_routes, "connections of one user whose path is looked for at a time (default 1024)");

/*
 * A route that its socket has abandoned exists until the RDMA CM's final event, at most four
 * seconds for an address and four for a path. The identifier is not destroyed before, because this
 * would cancel the query of the path, and ib_core has a use-after-free if the query ends meanwhile.
 */
struct sdp_route {
	struct sock *sk; /* holds a reference */
	struct rdma_cm_id *id; /* accessed by xchg(); NULL once destroyed, or owned by a link */
	struct sdp_device *device; /* holds a reference while a path is queried; otherwise NULL */
	struct sdp_task task; /* queued once */
	unsigned long ended; /* bit 0: task was queued */
	bool abandoned; /* the socket has abandoned the route */
	int err;
};

static void route_end(struct sdp_route *route, int err)
{
	if (test_and_set_bit(0, &route->ended))
		return;
	route->err = err;
	queue_work(sdp_wq, &route->task.work);
}

/* Removal of a device waits for its queries, so that the RDMA CM need not cancel queries. */
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

/* On removal of its device, the RDMA CM destroys an identifier that finish() does not use. */
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
		/* This is the last access to the route, which finish() may free at once. */
		return !!xchg(&route->id, NULL);
	default:
		return 0; /* the final event follows */
	}
	route_end(route, err);
	return 0;
}

static int route_request(struct sdp_route *route)
{
	struct rdma_cm_id *id = xchg(&route->id, NULL);
	int err;

	if (!id)
		return -ENODEV;
	err = sdp_setup_request(sdp_sk(route->sk), &id);
	if (id)
		rdma_destroy_id(id);
	return err;
}

static void route_free(struct sdp_route *route)
{
	struct rdma_cm_id *id = xchg(&route->id, NULL);

	if (id)
		rdma_destroy_id(id);
	atomic_dec(&sdp_sk(route->sk)->user->routes);
	sock_put(route->sk);
	kfree(route);
}

static void finish(struct work_struct *work)
{
	struct sdp_route *route = container_of(work, struct sdp_route, task.work);
	struct sdp_sock *ssk = sdp_sk(route->sk);
	int err = route->err;

	if (!sdp_task_lock(ssk, &route->task))
		return;
	if (ssk->route == route) {
		ssk->route = NULL;
		err = err ? err : route_request(route);
		if (err)
			sdp_sock_end(ssk, -err);
	}
	release_sock(route->sk);
	route_free(route);
}

/* A connection that is resumed is counted, but not refused. */
static bool route_count(const struct sdp_sock *ssk)
{
	unsigned int most = ssk->resume_port ? INT_MAX : READ_ONCE(user_routes);

	if ((unsigned int)atomic_inc_return(&ssk->user->routes) <= most)
		return true;
	atomic_dec(&ssk->user->routes);
	return false;
}

static struct sdp_route *route_alloc(struct sock *sk)
{
	struct sdp_route *route;
	int err = -ENOMEM;

	if (!route_count(sdp_sk(sk)))
		return ERR_PTR(-EAGAIN);
	route = kzalloc(sizeof(*route), GFP_KERNEL_ACCOUNT);
	if (!route)
		goto no_route;
	sdp_task_init(&route->task, finish);
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
	atomic_dec(&sdp_sk(sk)->user->routes);
	return ERR_PTR(err);
}

void sdp_route_abandon(struct sdp_sock *ssk)
{
	if (ssk->route)
		WRITE_ONCE(ssk->route->abandoned, true);
	ssk->route = NULL;
}

int sdp_route_resolve(struct sdp_sock *ssk)
{
	struct sock *sk = sdp_sock(ssk);
	struct in6_addr from = ssk->saddr, to = ssk->daddr;
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
	/* The RDMA CM does not need the source port, which is SDP's. */
	sdp_address_make(&from, 0, false, &src);
	sdp_address_make(&to, sdp_setup_port(ssk), false, &dst);
	err = rdma_resolve_addr(route->id, sdp_address_is_any(&from) ? NULL : (void *)&src,
				(struct sockaddr *)&dst, RESOLVE_MS);
	if (err)
		route_end(route, err);
	else
		ssk->route = route;
	return err;
}
