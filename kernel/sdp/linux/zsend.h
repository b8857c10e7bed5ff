/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * MSG_ZEROCOPY: Read and Write Zcopy for a program that does not wait. Its pages stay pinned when
 * its call has returned, and the socket's error queue says when they are not needed any more.
 */
#ifndef HCA_SDP_LINUX_ZSEND_H
#define HCA_SDP_LINUX_ZSEND_H

#include <linux/timer.h>
#include <linux/types.h>
#include "sdp/linux/lock.h"

struct msghdr;
struct sdp_sock;
struct ubuf_info;

/* What is to happen next to the segment that is pinned. */
enum sdp_zsend_state {
	SDP_ZSEND_IDLE, /* there is none */
	SDP_ZSEND_ADVERTISED, /* the peer is to answer */
	SDP_ZSEND_WRITTEN, /* the RDMA Write is to complete */
	SDP_ZSEND_INVALIDATED, /* the MR is to be invalid */
	SDP_ZSEND_COPIED, /* what is not sent is to be copied into buffers */
};

/* The socket lock guards all of it. While there is a segment no other payload is queued. */
struct sdp_zsend {
	u8 state; /* an enum sdp_zsend_state */
	bool referenced; /* has a reference to the socket, for the work of the task */
	struct ubuf_info *uarg; /* of the call; a reference */
	u32 octets; /* of the segment */
	u32 sent; /* of these, that were read or written, or are in buffers; once that is known */
	u32 head; /* of these, that went before what is advertised, or as payload of SrcAvail */
	u32 left; /* that the peer had not read when the task has run last */
	unsigned long until; /* jiffies when that state is too old */
	struct timer_list timer; /* that queues the task then */
	struct sdp_task task; /* changes the state */
};

/**
 * sdp_zsend_init() - initialize what a new socket has of it
 * @ssk: the socket
 *
 * Context: any.
 */
void sdp_zsend_init(struct sdp_sock *ssk);

/**
 * sdp_zsend_kick() - queue what changes the state, since something has happened
 * @zsend: state of a socket, whose lock is held
 *
 * Context: any.
 */
static inline void sdp_zsend_kick(struct sdp_zsend *zsend)
{
	if (zsend->state)
		sdp_task_queue(&zsend->task);
}

/**
 * sdp_zsend_uarg() - begin to send what a program does not wait for
 * @ssk: the socket, whose lock is held
 * @octets: that the program sends
 *
 * The call gets a number, and its pages are charged to RLIMIT_MEMLOCK.
 *
 * Context: process; may sleep.
 * Return: what notifies the program once it has no reference any more; NULL: too much is charged.
 */
struct ubuf_info *sdp_zsend_uarg(struct sdp_sock *ssk, size_t octets);

/**
 * sdp_zsend_uarg_put() - remove the reference of the call
 * @uarg: what sdp_zsend_uarg() has returned, or NULL
 * @sent: whether the call has sent something; else it has no number
 *
 * Context: process. The socket lock is held.
 */
void sdp_zsend_uarg_put(struct ubuf_info *uarg, bool sent);

/**
 * sdp_zsend_copied() - note that some was copied, which the program is to know
 * @uarg: what sdp_zsend_uarg() has returned, or NULL
 *
 * Context: any. The socket lock is held.
 */
void sdp_zsend_copied(struct ubuf_info *uarg);

/**
 * sdp_zsend_begin() - send a segment of a program's memory without waiting
 * @ssk: connected socket, whose lock is held; no segment is pinned
 * @msg: the message
 * @uarg: of the call; another reference is added to it
 *
 * It is written to where the peer waits for it, or advertised.
 *
 * Context: process; may sleep.
 * Return: octets that will be sent; 0 if it is better to copy, and nothing has happened; -EFAULT.
 */
int sdp_zsend_begin(struct sdp_sock *ssk, struct msghdr *msg, struct ubuf_info *uarg);

/**
 * sdp_zsend_left() - octets of a segment that were not sent
 * @ssk: the socket
 *
 * Context: any; without the socket lock it is a hint.
 * Return: how many.
 */
u32 sdp_zsend_left(const struct sdp_sock *ssk);

#endif
