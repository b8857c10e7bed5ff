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

#define SDP_RECV_BUFS_MIN 4 /* buffers to receive into that a connection begins with */
#define SDP_SEND_BUFS_MIN 4 /* buffers for payload that there may be at least */
#define SDP_CONTROL_BUFS 8 /* for messages without payload: their headers are in the link */
#define SDP_SLOT_SIZE ALIGN(SDP_HEADER_MAX, 8)

/*
 * The socket lock guards all of it but node. A link is made under it. Work of its own destroys what
 * it has of the device first, without that lock, and then the rest with it. Two gates say how long
 * there is something of the device.
 */
struct sdp_link {
	struct sock *sk; /* holds a reference */
	struct sdp_device *device;
	struct list_head node; /* in the device, by its lock */
	struct sdp_gate setup; /* to the identifier of the CM, for who sets up the connection */
	struct sdp_gate objects; /* to all others of the device */
	struct completion gone; /* nothing of the device is left */
	struct ib_pd *pd; /* of this connection alone, so that R_Keys are of no use for another */
	struct ib_cq *cq;
	struct ib_qp *qp;
	u32 qpn; /* its number, for /proc/net/sdp, which holds no lock */
	char device_name[IB_DEVICE_NAME_MAX]; /* also for /proc/net/sdp */
	struct rcu_head rcu;
	const struct sdp_setup_ops *cm; /* the binding; it has one of these identifiers: */
	struct ib_cm_id *cm_id;
	struct rdma_cm_id *rdma_id;
	bool connects; /* this end has sent the Hello */
	/* By iWARP: sends the Hello, and the Hello. */
	struct work_struct connect_work;
	u8 hello[SDP_HELLO_MAX];
	u8 hello_len; /* octets of it */
	/* Events of the CM, SDP_CM_*, that were not processed, and what came with them. */
	unsigned long events;
	struct sdp_task event_task;
	u8 hello_ack[SDP_HELLO_ACK_MAX];
	u32 hello_ack_len; /* octets of it */
	int refusal; /* positive errno */
	u32 psn; /* that the peer's first packet has */
	int read_access; /* rights that RDMA Reads want of the memory that they go to */
	bool invalidates; /* the peer is an RNIC, which can invalidate whatever it advertises */
	/* The two ends are of one host, by a loopback address. This does not change. */
	bool loops;
	struct in6_addr saddr;
	struct in6_addr daddr;
	u32 pages_octets; /* of a program's memory that the device registers at a time */
	u32 recv_size; /* of one that is posted from now on */
	u32 recv_bufs; /* that are to be posted while the program reads; grows with what comes */
	u32 recv_bufs_most; /* and how far */
	u32 recv_most; /* octets of buffers to receive into, as far as they are more than that */
	unsigned long larger_at; /* jiffies before which no larger buffer to send is tried */
	u32 send_size; /* octets of a message that the peer has room for, in a buffer of ours */
	struct list_head bufs; /* all that are mapped */
	struct list_head spares; /* of recv_size, for as many that are of another size */
	struct list_head free; /* for payload to be sent */
	struct list_head control; /* for messages without */
	struct list_head early; /* received before the connection was known to be set up */
	struct list_head arrived; /* completed while a process owned the socket */
	struct sdp_buf slots[SDP_CONTROL_BUFS];
	u8 headers[SDP_CONTROL_BUFS][SDP_SLOT_SIZE] ____cacheline_aligned; /* of these */
	bool slots_mapped; /* for the device */
	struct ib_cqe reg_cqe; /* of requests that complete only if they fail */
	struct list_head sent; /* messages that have not completed, in order */
	u32 outstanding; /* how many these are */
	u32 unsignaled; /* of these, the last that complete without saying so */
	int err; /* positive errno of the first completion in error */
	bool ready; /* messages may be sent */
	bool stopping; /* destroyed once no message is outstanding */
	bool suspended; /* SuspCommAck has completed: the socket goes on with another link */
	bool stopped; /* nothing is to be sent any more, and the work to destroy it is queued */
	bool lost; /* its device has been removed */
	unsigned long ended; /* bit 0: the work to destroy it was queued */
	bool initialized; /* the queue pair was in state Init */
	bool unborn; /* its socket was never to be accepted, and goes with it */
	struct sdp_task task; /* destroys it */
};

/**
 * sdp_link_create() - make a queue pair for a socket
 * @ssk: the socket, whose lock is held; it has no link
 * @ib: device
 * @cm: binding
 * @gfp: how its memory is allocated: SDP_GFP, or SDP_GFP_NOWAIT in a handler of the CM
 *
 * All receive buffers are posted as soon as the queue pair is in state Init. The gate @setup of the
 * link is entered; the caller leaves it when the setup has got as far as it can.
 *
 * Context: process; may sleep.
 * Return: 0; -ENODEV: the device is being removed or is not of InfiniBand; -ENOBUFS: the
 * limits of memory; -ENOMEM; or what the verbs return.
 */
int sdp_link_create(struct sdp_sock *ssk, struct ib_device *ib, const struct sdp_setup_ops *cm,
		    gfp_t gfp);

/**
 * sdp_link_payer() - who is charged for buffers
 * @ssk: the socket
 *
 * Workers have no cgroup of their own.
 *
 * Context: any.
 * Return: the cgroup of the process that has made the socket, or that which listens, or NULL.
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
 * @attr: attributes of state Init; all but the rights of access
 * @mask: which there are
 *
 * RDMA Read and Write are enabled on every connection (SDP 14.1).
 *
 * Context: process; may sleep.
 * Return: 0 or what the verbs return.
 */
int sdp_link_init(struct sdp_link *link, struct ib_qp_attr *attr, int mask);

/**
 * sdp_link_connect() - bring the queue pair into state RTS
 * @link: a link whose communication identifier knows the peer's queue pair
 *
 * Context: process; may sleep.
 * Return: 0 or what the verbs return.
 */
int sdp_link_connect(struct sdp_link *link);

/**
 * sdp_link_stop() - destroy a link
 * @ssk: its socket, whose lock is held; one without link is left alone
 *
 * Nothing is sent any more. The link is destroyed later, and the socket has none then; buffers
 * that were not read stay.
 *
 * Context: any.
 */
void sdp_link_stop(struct sdp_sock *ssk);

/**
 * sdp_link_lose() - destroy a link because its device is being removed
 * @link: the link, which is in the device's list
 *
 * The socket lock is not needed: a process may keep it. Its socket ends with ENETDOWN.
 *
 * Context: any; with the lock of the device's list.
 */
void sdp_link_lose(struct sdp_link *link);

/**
 * sdp_link_stop_when_sent() - destroy a link once its messages have completed
 * @ssk: its socket, whose lock is held
 *
 * Context: any.
 */
void sdp_link_stop_when_sent(struct sdp_sock *ssk);

/**
 * sdp_link_complete() - process a completion
 * @ssk: socket, whose lock is held
 * @buf: what was sent or received
 *
 * Context: any.
 */
void sdp_link_complete(struct sdp_sock *ssk, struct sdp_buf *buf);

/**
 * sdp_link_ready() - begin to send, and process what was received before
 * @ssk: socket that is connected now, whose lock is held
 *
 * Context: any.
 */
void sdp_link_ready(struct sdp_sock *ssk);

/**
 * sdp_link_push() - send what is to be sent, and may be
 * @ssk: socket, whose lock is held
 *
 * Context: any.
 */
void sdp_link_push(struct sdp_sock *ssk);

/**
 * sdp_link_repost() - give a buffer that was read to the receive queue
 * @ssk: socket, whose lock is held
 * @buf: the buffer; freed if the link is gone, or as many are posted as are wanted
 *
 * The peer learns of it by the next sdp_link_push().
 *
 * Context: any.
 */
void sdp_link_repost(struct sdp_sock *ssk, struct sdp_buf *buf);

/**
 * sdp_link_send_buf() - get a buffer to fill with payload
 * @ssk: connected socket, whose lock is held
 * @gfp: how memory for a new one is allocated: SDP_GFP, or SDP_GFP_NOWAIT in a worker, which no
 * cgroup is to delay
 *
 * Context: process; may sleep.
 * Return: the buffer, empty, with room for the header; NULL if as many are in use as SO_SNDBUF
 * allows, and one of them was not sent, or there is no memory: then sdp_link_may_fill() says so
 * until one has completed, if there is one.
 */
struct sdp_buf *sdp_link_send_buf(struct sdp_sock *ssk, gfp_t gfp);

/**
 * sdp_link_put_buf() - do without a buffer that sdp_link_send_buf() has found
 * @ssk: the socket, whose lock is held
 * @buf: the buffer, in any list or none
 *
 * Context: any.
 */
void sdp_link_put_buf(struct sdp_sock *ssk, struct sdp_buf *buf);

/**
 * sdp_link_may_fill() - whether there is a buffer to fill, but for memory
 * @ssk: socket
 *
 * Context: any; without the socket lock it is a hint.
 */
bool sdp_link_may_fill(const struct sdp_sock *ssk);

#endif
