// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * From the addresses of a connection to a path. The RDMA CM's handlers are few and serve the whole
 * machine, so they wait for nobody's socket lock: work does what needs it.
 */
#include "sdp/linux/route.h"
#include <linux/slab.h>
#include "sdp/linux/address.h"
#include "sdp/linux/link.h"
#include "sdp/linux/lock.h"
#include "sdp/linux/setup.h"

#define RESOLVE_MS 4000

/* Its work ends it, also when its socket has given it up: then ssk->route is NULL. */
struct sdp_route {
	struct sock *sk; /* has a reference */
	struct rdma_cm_id *id; /* NULL once it is a link's */
	struct sdp_task task; /* queued once */
	unsigned long ended; /* bit 0: it is queued */
	int err;
};

static void route_end(struct sdp_route *route, int err)
{
	if (test_and_set_bit(0, &route->ended))
		return;
	route->err = err;
	queue_work(sdp_wq, &route->task.work);
}

static int handle(struct rdma_cm_id *id, struct rdma_cm_event *event)
{
	struct sdp_route *route = id->context;
	int err = -EHOSTUNREACH;

	switch (event->event) {
	case RDMA_CM_EVENT_ADDR_RESOLVED:
		err = rdma_resolve_route(id, RESOLVE_MS);
		if (err)
			break;
		return 0;
	case RDMA_CM_EVENT_ROUTE_RESOLVED:
		err = 0;
		break;
	default:
		break;
	}
	route_end(route, err);
	return 0;
}

static void finish(struct work_struct *work)
{
	struct sdp_route *route = container_of(work, struct sdp_route, task.work);
	struct sock *sk = route->sk;
	struct sdp_sock *ssk = sdp_sk(sk);
	int err = route->err;

	if (!sdp_task_lock(ssk, &route->task))
		return;
	if (ssk->route == route) {
		ssk->route = NULL;
		err = err ? err : sdp_setup_request(ssk, &route->id);
		if (err)
			sdp_sock_end(ssk, -err);
	}
	release_sock(sk);
	if (route->id)
		rdma_destroy_id(route->id);
	sdp_sock_id_gone(ssk);
	sock_put(sk);
	kfree(route);
}

static struct sdp_route *route_alloc(struct sock *sk)
{
	struct sdp_route *route = kzalloc(sizeof(*route), GFP_KERNEL_ACCOUNT);
	int err;

	if (!route)
		return ERR_PTR(-ENOMEM);
	sdp_task_init(&route->task, finish);
	route->id = rdma_create_id(sock_net(sk), handle, route, RDMA_PS_TCP, IB_QPT_RC);
	if (IS_ERR(route->id)) {
		err = PTR_ERR(route->id);
		kfree(route);
		return ERR_PTR(err);
	}
	route->sk = sk;
	sock_hold(sk);
	atomic_inc(&sdp_sk(sk)->earlier_ids);
	return route;
}

void sdp_route_cancel(struct sdp_sock *ssk)
{
	if (ssk->route)
		route_end(ssk->route, -ECANCELED);
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
	/* The port is SDP's; the RDMA CM need not know it. */
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
