// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The life of an endpoint whose stream is a socket. */
#include "iwarp/tcp/tcp_endpoint.h"
#include <linux/bottom_half.h>
#include <linux/hca_tap.h>
#include <linux/in.h>
#include <linux/in6.h>
#include <linux/string.h>
#include <net/net_namespace.h>
#include "iwarp/startup.h"
#include "iwarp/tcp/tcp_claim.h"

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

/* Copy an address. Return: its port, in host byte order. */
static u16 endpoint_address(const struct sockaddr_storage *from, u8 *to)
{
	const struct sockaddr_in *v4 = (const struct sockaddr_in *)from;
	const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)from;

	if (from->ss_family == AF_INET6) {
		memcpy(to, &v6->sin6_addr, sizeof(v6->sin6_addr));
		return be16_to_cpu(v6->sin6_port);
	}
	memcpy(to, &v4->sin_addr, sizeof(v4->sin_addr));
	return be16_to_cpu(v4->sin_port);
}

static void endpoint_ends(const struct hca_endpoint *ep, struct hca_tap_stream *to)
{
	const struct hca_tcp_endpoint *te = container_of(ep, struct hca_tcp_endpoint, ep);

	to->family = te->remote.ss_family == AF_INET6 ? HCA_TAP_IPV6 : HCA_TAP_IPV4;
	to->local_port = endpoint_address(&te->local, to->local);
	to->remote_port = endpoint_address(&te->remote, to->remote);
}

/* Initialize all but the stream. */
static void endpoint_setup(struct hca_tcp_endpoint *te, struct hca_rnic *rnic, struct socket *sock,
			   void (*event)(struct hca_endpoint *ep, enum hca_endpoint_event event),
			   void (*freed)(struct hca_tcp_endpoint *te))
{
	te->net = get_net(sock_net(sock->sk));
	te->freed = freed;
	refcount_set(&te->users, 2);
	INIT_WORK(&te->free, endpoint_free);
	hca_endpoint_init(&te->ep, rnic, &te->stream.stream, event);
	te->ep.ends = endpoint_ends;
}

void hca_tcp_endpoint_init(struct hca_tcp_endpoint *te, struct hca_rnic *rnic, struct socket *sock,
			   void (*event)(struct hca_endpoint *ep, enum hca_endpoint_event event),
			   void (*freed)(struct hca_tcp_endpoint *te))
{
	endpoint_setup(te, rnic, sock, event, freed);
	hca_tcp_stream_init(&te->stream, sock, endpoint_released);
}

int hca_tcp_endpoint_attach(struct hca_tcp_endpoint *te, struct hca_rnic *rnic, struct socket *sock,
			    struct hca_tcp_claim *claim,
			    void (*event)(struct hca_endpoint *ep, enum hca_endpoint_event event),
			    void (*freed)(struct hca_tcp_endpoint *te))
{
	int ret = hca_tcp_stream_attach(&te->stream, sock, claim, endpoint_released);

	if (ret)
		return ret;
	te->local = claim->local;
	te->remote = claim->remote;
	endpoint_setup(te, rnic, sock, event, freed);
	return 0;
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
