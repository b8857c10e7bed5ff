/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * An endpoint whose stream is a socket, and its life: the protocol has a reference until it has
 * reported HCA_ENDPOINT_CLOSE, the stream until the socket was released, and each other user.
 */
#ifndef HCA_IWARP_TCP_TCP_ENDPOINT_H
#define HCA_IWARP_TCP_TCP_ENDPOINT_H

#include <linux/refcount.h>
#include <linux/socket.h>
#include <linux/workqueue.h>
#include "iwarp/endpoint.h"
#include "iwarp/tcp/tcp_stream.h"

struct net;

struct hca_tcp_endpoint {
	struct hca_endpoint ep; /* first member */
	struct hca_tcp_stream stream;
	struct net *net; /* with a reference, so that it lives as long as the socket */
	struct sockaddr_storage local, remote; /* addresses and ports of the two ends */
	refcount_t users;
	struct work_struct free;
	/* Nothing uses the endpoint any more: free the structure. Context: work queue. */
	void (*freed)(struct hca_tcp_endpoint *te);
};

static inline struct hca_tcp_endpoint *hca_tcp_endpoint_of(struct hca_endpoint *ep)
{
	return container_of(ep, struct hca_tcp_endpoint, ep);
}

/**
 * hca_tcp_endpoint_init() - make an endpoint of a socket
 * @te: zeroed
 * @rnic: the RNIC, which lives until @freed is called
 * @sock: a prepared socket, which belongs to the endpoint now
 * @event: reports events to the connection manager
 * @freed: frees the structure
 *
 * The references of the protocol and of the stream are taken.
 *
 * Context: process, may sleep.
 */
void hca_tcp_endpoint_init(struct hca_tcp_endpoint *te, struct hca_rnic *rnic, struct socket *sock,
			   void (*event)(struct hca_endpoint *ep, enum hca_endpoint_event event),
			   void (*freed)(struct hca_tcp_endpoint *te));

/**
 * hca_tcp_endpoint_attach() - make an endpoint of a process's socket
 * @te: zeroed
 * @rnic: the RNIC, which lives until @freed is called
 * @sock: the socket; the endpoint gets a reference of its own to the file
 * @claim: how the socket is checked
 * @event: reports events
 * @freed: frees the structure
 *
 * The references of the protocol and of the stream are taken.
 *
 * Context: process, may sleep.
 * Return: 0, or the error of hca_tcp_stream_attach(), after which the structure is unused.
 */
int hca_tcp_endpoint_attach(struct hca_tcp_endpoint *te, struct hca_rnic *rnic, struct socket *sock,
			    struct hca_tcp_claim *claim,
			    void (*event)(struct hca_endpoint *ep, enum hca_endpoint_event event),
			    void (*freed)(struct hca_tcp_endpoint *te));

/**
 * hca_tcp_endpoint_abandon() - release an endpoint that the protocol has never used
 * @te: the endpoint; the reference of the protocol is released
 *
 * Context: process.
 */
void hca_tcp_endpoint_abandon(struct hca_tcp_endpoint *te);

/**
 * hca_tcp_endpoint_abort() - end an endpoint that still waits for a request
 * @te: the endpoint, with a reference of the caller; in any other state, nothing is done
 *
 * Context: process.
 */
void hca_tcp_endpoint_abort(struct hca_tcp_endpoint *te);

/**
 * hca_tcp_endpoint_get() - get a reference to an endpoint
 * @te: the endpoint, to which the caller has access
 *
 * Context: any.
 */
static inline void hca_tcp_endpoint_get(struct hca_tcp_endpoint *te)
{
	refcount_inc(&te->users);
}

/**
 * hca_tcp_endpoint_put() - release a reference to an endpoint
 * @te: the endpoint, which may be gone afterwards
 *
 * Context: any.
 */
void hca_tcp_endpoint_put(struct hca_tcp_endpoint *te);

#endif
