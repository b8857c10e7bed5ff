/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * MSG_ZEROCOPY: Read and Write Zcopy for a program that does not wait. The pages of the program
 * stay pinned after its call has returned. A notification in the error queue of the socket tells
 * the program when it may change the memory.
 */
#ifndef HCA_SDP_SOCKET_ZSEND_H
#define HCA_SDP_SOCKET_ZSEND_H

#include <linux/types.h>

struct msghdr;
struct sdp_sock;
struct ubuf_info;

/**
 * sdp_zsend_init() - initialize the MSG_ZEROCOPY state of a new socket
 * @ssk: the socket
 *
 * Context: any.
 */
void sdp_zsend_init(struct sdp_sock *ssk);

/**
 * sdp_zsend_uarg() - make the notification of a call with MSG_ZEROCOPY
 * @ssk: the socket, whose lock is held
 * @octets: octets that the program sends
 *
 * The notification gets a number, and the pages are charged to RLIMIT_MEMLOCK.
 *
 * Context: process; may sleep.
 * Return: the notification, which the program gets when the last reference is released; NULL if a
 * limit is reached, or memory is exhausted.
 */
struct ubuf_info *sdp_zsend_uarg(struct sdp_sock *ssk, size_t octets);

/**
 * sdp_zsend_uarg_put() - release the call's reference to its notification
 * @uarg: notification from sdp_zsend_uarg(), or NULL
 * @sent: whether the call has sent octets; otherwise the notification and its number are discarded
 *
 * Context: process. The socket lock is held.
 */
void sdp_zsend_uarg_put(struct ubuf_info *uarg, bool sent);

/**
 * sdp_zsend_copied() - report in the notification that octets were copied
 * @uarg: notification from sdp_zsend_uarg(), or NULL
 *
 * Context: any. The socket lock is held.
 */
void sdp_zsend_copied(struct ubuf_info *uarg);

/**
 * sdp_zsend_begin() - send a segment of a program's memory without waiting
 * @ssk: connected socket, whose lock is held; no segment is pinned
 * @msg: the message; octets that will be sent are consumed
 * @uarg: notification of the call; the segment gets a reference of its own
 *
 * The segment is written into the memory of the peer's SinkAvail, if there is one. Otherwise it is
 * advertised.
 *
 * Context: process; may sleep.
 * Return: octets that will be sent; 0 if the caller is to copy, and @msg is unchanged; -EFAULT.
 */
int sdp_zsend_begin(struct sdp_sock *ssk, struct msghdr *msg, struct ubuf_info *uarg);

/**
 * sdp_zsend_left() - octets of the pinned segment that were not sent
 * @ssk: the socket
 *
 * Context: any; without the socket lock the result is a hint.
 * Return: octets; 0 if no segment is pinned.
 */
u32 sdp_zsend_left(const struct sdp_sock *ssk);

#endif
