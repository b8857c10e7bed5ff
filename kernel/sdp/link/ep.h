/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* An endpoint of a connection: the part of a socket with which links work. */
#ifndef HCA_SDP_LINK_EP_H
#define HCA_SDP_LINK_EP_H

#include <linux/list.h>
#include <net/inet_sock.h>
#include <net/sock.h>
#include <net/tcp_states.h>
#include "sdp/protocol/conn.h"

struct rdma_cm_id;
struct sdp_link;
struct sdp_pages;
struct sdp_route;
struct sdp_user;

/* The uses of memory, which are counted separately. */
enum sdp_memory {
	SDP_MEMORY_LINK, /* queue pair, rings, and other memory that each connection needs */
	SDP_MEMORY_RECEIVE, /* receive buffers, including those with unread payload */
	SDP_MEMORY_SEND, /* send buffers */
	SDP_MEMORIES
};

/*
 * An endpoint. Its lock is the socket lock, which protects all members, unless a comment says
 * otherwise. Completions of the queue pair come in softirq context. While a process owns the lock,
 * completions are put in a list, which is processed when the process releases the lock.
 */
struct sdp_ep {
	struct inet_sock inet; /* must be the first member */
	struct sdp_user *user; /* user whose limits the socket counts against; constant */
	u32 memory[SDP_MEMORIES]; /* octets of charged memory for each use */
	bool memory_exchanged; /* new memory replaces a larger amount: limits do not apply */

	/*
	 * Local and peer address and port. IPv4 addresses are mapped (::ffff:a.b.c.d); ports are in
	 * host byte order. The socket's table of ports protects saddr and sport.
	 */
	struct in6_addr saddr;
	struct in6_addr daddr;
	u16 sport;
	u16 dport;
	u16 resume_port; /* peer's port while a suspended connection is set up again; or 0 */
	bool v6only;

	/*
	 * Listening socket: identifier that listens on devices other than InfiniBand, or NULL. It
	 * is exchanged atomically, because rdma_cm destroys it if its device is removed.
	 */
	struct rdma_cm_id *rdma_id;

	struct list_head tasks; /* tasks that wait for the socket lock, protected by its spinlock */
	struct sdp_route *route; /* resolution of the peer's address, or NULL */
	struct sdp_link *link; /* queue pair with its buffers, or NULL */
	struct sdp_conn conn; /* state of the protocol after Hello and HelloAck */

	u32 send_bufs; /* maximum number of buffers for payload; 0 without a link */
	u32 send_used; /* number of buffers for payload that are filled or have not completed */
	bool send_short; /* allocation of a buffer has failed: calls wait for a buffer in use */
	u32 emptying; /* number of calls that wait until tx is empty */
	struct list_head tx; /* buffers with unsent payload */
	bool corked; /* the last message of tx waits for more data, unless it is full */
	bool tx_open; /* the last buffer of tx has room, or tx is empty */
	struct list_head rx; /* buffers with unread payload */
	struct sdp_pages *source_pages; /* memory to send from without a copy; NULL before use */
	struct sdp_pages *sink_pages; /* memory to receive into without a copy; NULL before use */
	bool advertising; /* source_pages are in use: other payload is not sent */

	struct list_head idle_node; /* entry in a list of watch.c, protected by its watch_lock */
	u64 idle_moved; /* octets sent and received until the last check of idle.c */
	unsigned long alive_at; /* jiffies when the peer was last known to be alive */
};

/**
 * sdp_ep() - get the endpoint of a socket
 * @sk: an SDP socket
 *
 * Context: any.
 * Return: the endpoint.
 */
static inline struct sdp_ep *sdp_ep(const struct sock *sk)
{
	return (struct sdp_ep *)sk;
}

/**
 * sdp_ep_sock() - get the socket of an endpoint
 * @ep: the endpoint
 *
 * Context: any.
 * Return: the socket.
 */
static inline struct sock *sdp_ep_sock(struct sdp_ep *ep)
{
	return &ep->inet.sk;
}

/**
 * sdp_ep_init() - initialize the endpoint of a new socket, whose memory is zero
 * @ep: the endpoint
 * @user: user whose limits the socket counts against
 *
 * Context: any.
 */
static inline void sdp_ep_init(struct sdp_ep *ep, struct sdp_user *user)
{
	ep->user = user;
	INIT_LIST_HEAD(&ep->tasks);
	INIT_LIST_HEAD(&ep->idle_node);
	INIT_LIST_HEAD(&ep->tx);
	INIT_LIST_HEAD(&ep->rx);
}

#endif
