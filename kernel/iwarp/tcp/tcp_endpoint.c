// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The life of an endpoint whose stream is a socket. */
#include "iwarp/tcp/tcp_endpoint.h"
#include <linux/bottom_half.h>
#include <net/net_namespace.h>
#include "iwarp/startup.h"

static void endpoint_free(struct work_struct *work)
{
	struct hca_tcp_endpoint *te = container_of(work, struct hca_tcp_endpoint, free);
	struct net *net = te->net;

	/* The run function that has reported the end may not have returned yet, either. */
	hca_endpoint_destroy(&te->ep);
	te->freed(te);
	put_net(net);
}

static void endpoint_released(struct hca_tcp_stream *ts)
{
	hca_tcp_endpoint_put(container_of(ts, struct hca_tcp_endpoint, stream));
}

void hca_tcp_endpoint_init(struct hca_tcp_endpoint *te, struct hca_rnic *rnic, struct socket *sock,
			   void (*event)(struct hca_endpoint *ep, enum hca_endpoint_event event),
			   void (*freed)(struct hca_tcp_endpoint *te))
{
	te->net = get_net(sock_net(sock->sk));
	te->freed = freed;
	refcount_set(&te->users, 2);
	INIT_WORK(&te->free, endpoint_free);
	hca_endpoint_init(&te->ep, rnic, &te->stream.stream, event);
	hca_tcp_stream_init(&te->stream, sock, endpoint_released);
}

void hca_tcp_endpoint_abandon(struct hca_tcp_endpoint *te)
{
	te->stream.stream.ops->release(&te->stream.stream);
	hca_tcp_endpoint_put(te);
}

void hca_tcp_endpoint_abort(struct hca_tcp_endpoint *te)
{
	spin_lock_bh(&te->ep.lock);
	if (te->ep.state == HCA_STARTUP_WAIT_REQ)
		hca_startup_abort(&te->ep);
	spin_unlock(&te->ep.lock);
	hca_engine_run();
	local_bh_enable();
}

void hca_tcp_endpoint_put(struct hca_tcp_endpoint *te)
{
	if (refcount_dec_and_test(&te->users))
		hca_tcp_queue(&te->free);
}
