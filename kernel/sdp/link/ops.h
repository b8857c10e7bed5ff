/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Operations of sockets that links call. */
#ifndef HCA_SDP_LINK_OPS_H
#define HCA_SDP_LINK_OPS_H

#include <linux/types.h>

struct in6_addr;
struct net;
struct sdp_buf;
struct sdp_delivery;
struct sdp_ep;
struct sock;

/*
 * The operations of a socket after events of its link. The socket lock is held in all operations
 * except listener() and child(). The context is any, unless a comment says otherwise.
 */
struct sdp_link_ops {
	/*
	 * Gets the socket that listens at a local address (IPv4 is mapped to IPv6) and port (in
	 * host byte order), with a reference; or NULL. Context: any but hardirq.
	 */
	struct sock *(*listener)(struct net *net, const struct in6_addr *addr, u16 port);
	/*
	 * Makes the socket for a request to @listener, in state SYN_RECV with one reference; or
	 * returns NULL, if memory is exhausted. Context: process.
	 */
	struct sock *(*child)(struct sock *listener);
	/*
	 * Replaces the local wildcard address by the address of the path. Returns 0 or -ENOMEM.
	 * Context: process; may sleep.
	 */
	int (*renamed)(struct sdp_ep *ep, const struct in6_addr *addr);
	void (*established)(struct sdp_ep *ep); /* the setup of a connection is complete */
	void (*resumed)(struct sdp_ep *ep); /* a suspended connection has another link */
	/*
	 * The message in @buf has payload, or announces an octet out of band. Returns true if the
	 * buffer is kept until the program has read it; false if it can be posted now.
	 */
	bool (*received)(struct sdp_ep *ep, struct sdp_buf *buf,
			 const struct sdp_delivery *delivery);
	/* A message has had its effect on sdp_conn, and its buffer was posted or kept. */
	void (*delivered)(struct sdp_ep *ep, const struct sdp_delivery *delivery);
	void (*readable)(struct sdp_ep *ep); /* the peer's next SrcAvail may be read */
	void (*room)(struct sdp_ep *ep); /* messages have completed, so that buffers are free */
	void (*progress)(struct sdp_ep *ep); /* a completion was processed */
	/* The peer has violated the protocol: the connection is to be aborted with errno @err. */
	void (*failed)(struct sdp_ep *ep, int err);
	/* The connection or its setup has ended, with the positive errno @err, or 0. */
	void (*ended)(struct sdp_ep *ep, int err);
	/*
	 * The link is destroyed. If @resumes is true, the connection was suspended, and is to get
	 * another link. Context: process; may sleep.
	 */
	void (*gone)(struct sdp_ep *ep, bool resumes);
};

/* The operations of all sockets. They are set before a device is registered. */
extern const struct sdp_link_ops *sdp_link_ops;

#endif
