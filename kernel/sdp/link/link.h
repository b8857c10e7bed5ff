/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A link: the queue pair of a connection, with its buffers. */
#ifndef HCA_SDP_LINK_LINK_H
#define HCA_SDP_LINK_LINK_H

#include <linux/list.h>
#include <rdma/ib_verbs.h>
#include "sdp/link/buffer.h"
#include "sdp/link/ep.h"
#include "sdp/link/gate.h"
#include "sdp/link/lock.h"
#include "sdp/protocol/hello.h"

struct ib_cm_id;
struct rdma_cm_id;
struct sdp_device;
struct sdp_setup_ops;

#define SDP_RECV_BUFS_MIN 4 /* initial and minimum number of receive buffers */
#define SDP_SEND_BUFS_MIN 4 /* buffers for payload to be sent, even if SO_SNDBUF is small */
#define SDP_CONTROL_BUFS 8 /* buffers in the link for messages without payload */
#define SDP_SLOT_SIZE ALIGN(SDP_HEADER_MAX, 8)

/*
 * The queue pair and buffers of a connection. The socket lock protects all members except node, and
 * is held while a link is made. A worker destroys a link: first the objects of the device, without
 * the socket lock, and then the rest, with the socket lock held. Code that uses objects of the
 * device enters the gate @setup or @objects, so that the worker does not destroy them meanwhile.
 */
struct sdp_link {
	struct sock *sk; /* holds a reference */
	struct sdp_device *device;
	struct list_head node; /* entry in the device's list, protected by links_lock of device.c */
	struct sdp_gate setup; /* gate to the CM's identifier, for the setup of the connection */
	struct sdp_gate objects; /* gate to all other objects of the device */
	struct completion gone; /* completed when all objects of the device are destroyed */
	struct ib_pd *pd; /* PD of this link only: its R_Keys are invalid on other connections */
	struct ib_cq *cq;
	struct ib_qp *qp;
	u32 qpn; /* QP number, for /proc/net/sdp, which does not take the socket lock */
	char device_name[IB_DEVICE_NAME_MAX]; /* name of the device, for /proc/net/sdp */
	struct rcu_head rcu;
	const struct sdp_setup_ops *cm; /* operations of the binding, which use cm_id or rdma_id */
	struct ib_cm_id *cm_id;
	struct rdma_cm_id *rdma_id;
	bool connects; /* this end has sent the Hello */
	struct work_struct connect_work; /* iWARP: work that sends @hello */
	u8 hello[SDP_HELLO_MAX]; /* iWARP: the Hello */
	u8 hello_len; /* octets of @hello */
	unsigned long events; /* unprocessed events of the CM: bits of enum sdp_setup_event */
	struct sdp_task event_task; /* processes @events */
	u8 hello_ack[SDP_HELLO_ACK_MAX]; /* HelloAck received with event SDP_CM_ANSWERED */
	u32 hello_ack_len; /* octets of @hello_ack */
	int refusal; /* positive errno received with event SDP_CM_REFUSED */
	u32 psn; /* PSN of the peer's first packet */
	/* access right that iWARP needs for the memory into which an RDMA Read writes; or 0 */
	int read_access;
	bool invalidates; /* the peer is an RNIC: messages may invalidate its advertised R_Keys */
	bool loops; /* the peer's address is a loopback address of this host; constant */
	struct in6_addr saddr; /* local address, for sdp_device_find_loop(); constant */
	struct in6_addr daddr; /* peer's address, for sdp_device_find_loop(); constant */
	u32 pages_octets; /* maximum octets of program memory that the device registers at once */
	u32 recv_size; /* octets of a new receive buffer */
	u32 recv_bufs; /* receive buffers to post while the program reads; grows with traffic */
	u32 recv_bufs_most; /* maximum of recv_bufs */
	u32 recv_most; /* octets of receive buffers above which no more are allocated */
	/* jiffies; until then, send buffers of one page are allocated, because memory is short */
	unsigned long larger_at;
	u32 send_size; /* maximum octets of a message, limited by the peer's and our buffer size */
	struct list_head bufs; /* all mapped buffers */
	struct list_head spares; /* receive buffers of recv_size to replace those of another size */
	struct list_head free; /* buffers for payload to be sent */
	struct list_head control; /* buffers for messages without payload */
	struct list_head early; /* messages received before the connection was known to be set up */
	struct list_head arrived; /* completions that came while a process owned the socket */
	struct sdp_buf slots[SDP_CONTROL_BUFS];
	u8 headers[SDP_CONTROL_BUFS][SDP_SLOT_SIZE] ____cacheline_aligned; /* memory of slots */
	bool slots_mapped; /* @headers is mapped for the device */
	/* completion handler of messages, and of receive buffers */
	void (*done)(struct ib_cq *cq, struct ib_wc *wc);
	struct ib_cqe reg_cqe; /* completion handler of unsignaled requests that have failed */
	struct list_head sent; /* messages that have not completed, in order */
	u32 outstanding; /* number of messages that have not completed */
	u32 unsignaled; /* work requests posted since the last signaled one */
	int err; /* positive errno of the first completion in error */
	bool ready; /* messages may be sent */
	bool stopping; /* the link is destroyed when no message is outstanding */
	bool suspended; /* SuspCommAck has completed: the socket continues with another link */
	bool stopped; /* sending has ended, and the work to destroy the link is queued */
	bool lost; /* the device has been removed */
	unsigned long ended; /* bit 0: the work to destroy the link was queued */
	bool initialized; /* the queue pair has reached state Init */
	bool unborn; /* accept() will not return the socket; destruction of the link releases it */
	struct sdp_task task; /* destroys the link */
};

/**
 * sdp_link_payer() - the cgroup that is charged for buffers
 * @ep: the endpoint
 *
 * A worker does not have its own cgroup, and charges this one.
 *
 * Context: any.
 * Return: the cgroup of the process that has made the socket or its listener, or NULL.
 */
static inline struct mem_cgroup *sdp_link_payer(const struct sdp_ep *ep)
{
#ifdef CONFIG_MEMCG
	return ep->inet.sk.sk_memcg;
#else
	return NULL;
#endif
}

/**
 * sdp_link_stop() - destroy a link
 * @ep: the endpoint, whose lock is held; without a link, the call has no effect
 *
 * Sending ends at once. A worker destroys the link later; unread buffers stay with the socket.
 *
 * Context: any.
 */
void sdp_link_stop(struct sdp_ep *ep);

/**
 * sdp_link_lose() - destroy a link because its device is being removed
 * @link: the link, which is in the list @lost of the device
 *
 * The call does not take the socket lock, which a process may hold for long. The socket ends with
 * ENETDOWN.
 *
 * Context: any; the caller holds links_lock of device.c.
 */
void sdp_link_lose(struct sdp_link *link);

/**
 * sdp_link_stop_when_sent() - destroy a link once its messages have completed
 * @ep: the endpoint, whose lock is held
 *
 * Context: any.
 */
void sdp_link_stop_when_sent(struct sdp_ep *ep);

/**
 * sdp_link_post_recv() - post a receive buffer
 * @link: the link
 * @buf: buffer without unread payload
 *
 * Context: any.
 * Return: 0 or an error of ib_post_recv().
 */
int sdp_link_post_recv(struct sdp_link *link, struct sdp_buf *buf);

/**
 * sdp_link_post_send() - send a message
 * @ep: the endpoint, whose lock is held; it has a link
 * @buf: buffer with the message
 * @length: octets of the message
 * @solicited: whether the message has a solicited event
 * @rkey: R_Key of the peer that the message invalidates, or NULL
 *
 * If the message cannot be posted, the link is stopped.
 *
 * Context: any.
 */
void sdp_link_post_send(struct sdp_ep *ep, struct sdp_buf *buf, u32 length, bool solicited,
			const u32 *rkey);

/**
 * sdp_link_probe() - post an RDMA Write without data, which only the peer's queue pair notices
 * @ep: the endpoint, whose lock is held; it has a link
 *
 * The call has no effect if no buffer for a message without payload is free.
 *
 * Context: any.
 */
void sdp_link_probe(struct sdp_ep *ep);

/**
 * sdp_link_has_control() - whether a buffer for a message without payload is free
 * @link: the link
 *
 * Context: any.
 */
static inline bool sdp_link_has_control(const struct sdp_link *link)
{
	return !list_empty(&link->control);
}

#endif
