/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The queue pair of a connection, with its buffers. */
#ifndef HCA_SDP_LINUX_LINK_H
#define HCA_SDP_LINUX_LINK_H

#include <linux/list.h>
#include <rdma/ib_verbs.h>
#include "sdp/hello.h"
#include "sdp/linux/buffer.h"
#include "sdp/linux/device.h"
#include "sdp/linux/gate.h"
#include "sdp/linux/lock.h"
#include "sdp/linux/sock.h"

struct ib_cm_id;
struct rdma_cm_id;
struct sdp_setup_ops;

#define SDP_RECV_BUFS_MIN 4 /* initial and minimum number of receive buffers */
#define SDP_SEND_BUFS_MIN 4 /* minimum limit of buffers for payload to be sent */
#define SDP_CONTROL_BUFS 8 /* buffers in the link for messages without payload */
#define SDP_SLOT_SIZE ALIGN(SDP_HEADER_MAX, 8)

/*
 * The queue pair and buffers of a connection. The socket lock protects all members except node, and
 * is held while a link is made. A worker destroys a link: first the objects of the device, without
 * the socket lock, then the rest under it. Two gates protect users of the device's objects.
 */
struct sdp_link {
	struct sock *sk; /* holds a reference */
	struct sdp_device *device;
	struct list_head node; /* in the device's list, protected by links_lock of device.c */
	struct sdp_gate setup; /* gate to the CM's identifier, for the setup of the connection */
	struct sdp_gate objects; /* gate to all other objects of the device */
	struct completion gone; /* all objects of the device are destroyed */
	struct ib_pd *pd; /* PD of this connection only: its R_Keys are invalid on others */
	struct ib_cq *cq;
	struct ib_qp *qp;
	u32 qpn; /* QP number, for /proc/net/sdp, which does not take the socket lock */
	char device_name[IB_DEVICE_NAME_MAX]; /* also for /proc/net/sdp */
	struct rcu_head rcu;
	const struct sdp_setup_ops *cm; /* the binding, which uses cm_id or rdma_id */
	struct ib_cm_id *cm_id;
	struct rdma_cm_id *rdma_id;
	bool connects; /* this end has sent the Hello */
	/* iWARP: the work that sends the Hello, and the Hello. */
	struct work_struct connect_work;
	u8 hello[SDP_HELLO_MAX];
	u8 hello_len; /* octets of @hello */
	/* Events of the CM, SDP_CM_*, that were not processed, and their data. */
	unsigned long events;
	struct sdp_task event_task;
	u8 hello_ack[SDP_HELLO_ACK_MAX];
	u32 hello_ack_len; /* octets of @hello_ack */
	int refusal; /* positive errno */
	u32 psn; /* PSN of the peer's first packet */
	int read_access; /* access rights that the destination of an RDMA Read needs */
	bool invalidates; /* the peer is an RNIC: messages may invalidate its advertised R_Keys */
	/* Both ends are on one host and use a loopback address; constant. */
	bool loops;
	struct in6_addr saddr;
	struct in6_addr daddr;
	u32 pages_octets; /* maximum octets of program memory that the device registers at once */
	u32 recv_size; /* octets of a receive buffer posted from now on */
	u32 recv_bufs; /* receive buffers to post while the program reads; grows with traffic */
	u32 recv_bufs_most; /* maximum of recv_bufs */
	u32 recv_most; /* limit of octets of receive buffers for allocation of additional ones */
	unsigned long larger_at; /* jiffies before which a larger send buffer is not tried */
	u32 send_size; /* maximum octets of a message, by the peer's buffers and send buffers */
	struct list_head bufs; /* all mapped buffers */
	struct list_head spares; /* receive buffers of recv_size to replace those of another size */
	struct list_head free; /* buffers for payload to be sent */
	struct list_head control; /* buffers for messages without payload */
	struct list_head early; /* messages received before the connection was known to be set up */
	struct list_head arrived; /* completions that came while a process owned the socket */
	struct sdp_buf slots[SDP_CONTROL_BUFS];
	u8 headers[SDP_CONTROL_BUFS][SDP_SLOT_SIZE] ____cacheline_aligned; /* memory of slots */
	bool slots_mapped; /* headers are mapped for the device */
	struct ib_cqe reg_cqe; /* for requests that complete only if they fail */
	struct list_head sent; /* messages that have not completed, in order */
	u32 outstanding; /* number of messages that have not completed */
	u32 unsignaled; /* number of the last of these messages that are unsignaled */
	int err; /* positive errno of the first completion in error */
	bool ready; /* messages may be sent */
	bool stopping; /* the link is destroyed when no message is outstanding */
	bool suspended; /* SuspCommAck has completed: the socket continues with another link */
	bool stopped; /* sending has ended, and the work to destroy the link is queued */
	bool lost; /* the device has been removed */
	unsigned long ended; /* bit 0: the work to destroy the link was queued */
	bool initialized; /* the queue pair was in state Init */
	bool unborn; /* the socket will not be accepted, and is released with the link */
	struct sdp_task task; /* destroys the link */
};

/**
 * sdp_link_create() - make a queue pair for a socket
 * @ssk: the socket, whose lock is held; it has no link
 * @ib: device
 * @cm: binding
 * @gfp: allocation flags: SDP_GFP, or SDP_GFP_NOWAIT in a handler of the CM
 *
 * All receive buffers are posted as soon as the queue pair is in state Init. On return the gate
 * setup of the link is entered; the caller leaves it at the end of its part of the setup.
 *
 * Context: process; may sleep.
 * Return: 0; -ENODEV: the device is being removed, or SDP does not use it; -ENOBUFS: the limits of
 * memory; -ENOMEM; or an error of the verbs.
 */
int sdp_link_create(struct sdp_sock *ssk, struct ib_device *ib, const struct sdp_setup_ops *cm,
		    gfp_t gfp);

/**
 * sdp_link_payer() - the cgroup that is charged for buffers
 * @ssk: the socket
 *
 * A worker does not have its own cgroup, and charges this one.
 *
 * Context: any.
 * Return: the cgroup of the process that has made the socket or its listener, or NULL.
 */
static inline struct mem_cgroup *sdp_link_payer(const struct sdp_sock *ssk)
{
#ifdef CONFIG_MEMCG
	return ssk->inet.sk.sk_memcg;
#else
	return NULL;
#endif
}

/**
 * sdp_link_init() - bring the queue pair into state Init, and post all receive buffers
 * @link: the link
 * @attr: attributes of state Init, except the access rights
 * @mask: mask of @attr
 *
 * RDMA Read and Write are enabled on every connection (SDP 14.1).
 *
 * Context: process; may sleep.
 * Return: 0 or an error of the verbs.
 */
int sdp_link_init(struct sdp_link *link, struct ib_qp_attr *attr, int mask);

/**
 * sdp_link_connect() - bring the queue pair into state RTS
 * @link: a link whose communication identifier knows the peer's queue pair
 *
 * Context: process; may sleep.
 * Return: 0 or an error of the verbs.
 */
int sdp_link_connect(struct sdp_link *link);

/**
 * sdp_link_stop() - destroy a link
 * @ssk: the socket, whose lock is held; nothing is done if it has no link
 *
 * Sending ends at once. A worker destroys the link later; unread buffers stay with the socket.
 *
 * Context: any.
 */
void sdp_link_stop(struct sdp_sock *ssk);

/**
 * sdp_link_lose() - destroy a link because its device is being removed
 * @link: the link, which is in the device's list
 *
 * The call does not take the socket lock, which a process may hold for long. The socket ends with
 * ENETDOWN.
 *
 * Context: any; with the lock of the device's list.
 */
void sdp_link_lose(struct sdp_link *link);

/**
 * sdp_link_stop_when_sent() - destroy a link once its messages have completed
 * @ssk: the socket, whose lock is held
 *
 * Context: any.
 */
void sdp_link_stop_when_sent(struct sdp_sock *ssk);

/**
 * sdp_link_complete() - process a completion
 * @ssk: socket, whose lock is held
 * @buf: buffer that was sent or received into
 *
 * Context: any.
 */
void sdp_link_complete(struct sdp_sock *ssk, struct sdp_buf *buf);

/**
 * sdp_link_ready() - begin to send, and process messages received earlier
 * @ssk: socket that is connected now, whose lock is held
 *
 * Context: any.
 */
void sdp_link_ready(struct sdp_sock *ssk);

/**
 * sdp_link_push() - send all messages that are due and may be sent
 * @ssk: socket, whose lock is held
 *
 * Context: any.
 */
void sdp_link_push(struct sdp_sock *ssk);

/**
 * sdp_link_repost() - post a receive buffer that was read
 * @ssk: socket, whose lock is held
 * @buf: the buffer; freed if the link is gone, or if enough buffers are posted
 *
 * The next sdp_link_push() can return the credit to the peer.
 *
 * Context: any.
 */
void sdp_link_repost(struct sdp_sock *ssk, struct sdp_buf *buf);

/**
 * sdp_link_send_buf() - get a buffer to fill with payload
 * @ssk: connected socket, whose lock is held
 * @gfp: flags for allocation of a new buffer: SDP_GFP, or SDP_GFP_NOWAIT in a worker, which must
 * not wait for a cgroup
 *
 * Context: process; may sleep.
 * Return: the buffer, empty, with room for the header. NULL if the buffers in use reach the limit
 * of SO_SNDBUF and one of these is unsent, or if memory is exhausted. In the latter case
 * sdp_link_may_fill() returns false until a buffer in use completes, if there is one.
 */
struct sdp_buf *sdp_link_send_buf(struct sdp_sock *ssk, gfp_t gfp);

/**
 * sdp_link_put_buf() - return an unused buffer of sdp_link_send_buf()
 * @ssk: the socket, whose lock is held
 * @buf: the buffer, in any list or none
 *
 * Context: any.
 */
void sdp_link_put_buf(struct sdp_sock *ssk, struct sdp_buf *buf);

/**
 * sdp_link_may_fill() - whether a buffer to fill is available, if memory is
 * @ssk: socket
 *
 * Context: any; without the socket lock the result is a hint.
 */
bool sdp_link_may_fill(const struct sdp_sock *ssk);

#endif
