/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Write Zcopy: payload goes from the memory of one program to where another waits for it. */
#ifndef HCA_SDP_LINUX_ZWRITE_H
#define HCA_SDP_LINUX_ZWRITE_H

#include <linux/socket.h>
#include "sdp/linux/sock.h"

/**
 * sdp_zwrite_room() - octets that can be written to where the peer waits for them
 * @ssk: the socket, whose lock is held
 *
 * Context: any.
 * Return: how many; 0 if there are none.
 */
u32 sdp_zwrite_room(const struct sdp_sock *ssk);

/**
 * sdp_zwrite_begin() - pin and register what is to be written to where the peer waits for it
 * @ssk: connected socket, whose lock is held
 * @msg: the message
 *
 * Context: process; may sleep.
 * Return: octets from the message's next one on; 0 if the peer waits for nothing, or it is better
 * to copy, and nothing has happened.
 */
u32 sdp_zwrite_begin(struct sdp_sock *ssk, const struct msghdr *msg);

/**
 * sdp_zwrite_post() - post an RDMA Write from pages that are registered
 * @ssk: the socket, whose lock is held
 * @offset: of the first octet among those that are registered
 * @octets: how many are written, at most sdp_zwrite_room()
 *
 * The pages are done once it has completed.
 *
 * Context: any.
 * Return: whether it was posted; else the link is stopped.
 */
bool sdp_zwrite_post(struct sdp_sock *ssk, u32 offset, u32 octets);

/**
 * sdp_zwrite_send() - write what a program sends to where the peer waits for it
 * @ssk: connected socket, whose lock is held, but not while this waits
 * @msg: the message
 * @timeo: jiffies that the program waits, reduced by those that have passed
 *
 * What has begun comes to its end, whatever the timeout.
 *
 * Context: process; may sleep.
 * Return: octets that were sent; 0 if the peer waits for nothing, or it is better to copy.
 */
int sdp_zwrite_send(struct sdp_sock *ssk, struct msghdr *msg, long *timeo);

/**
 * sdp_zwrite_may_receive() - whether a read is one that Write Zcopy serves
 * @ssk: the socket, whose lock is held
 * @octets: octets in one place that the program has room for
 * @flags: of the program's call
 *
 * Context: any.
 */
bool sdp_zwrite_may_receive(const struct sdp_sock *ssk, size_t octets, int flags);

/**
 * sdp_zwrite_receive() - let the peer write to where a program waits for data
 * @ssk: connected socket, whose lock is held, but not while this waits; nothing is there to read
 * @msg: the message
 * @len: octets that the program has room for
 * @flags: of the program's call
 * @timeo: jiffies that the program waits; reduced by those that have passed
 *
 * If data comes otherwise, or there is another reason to look, that ends the wait.
 *
 * Context: process; may sleep.
 * Return: octets that were written; -EAGAIN if it has waited, and there may be something else; 0 if
 * it has not.
 */
int sdp_zwrite_receive(struct sdp_sock *ssk, struct msghdr *msg, size_t len, int flags,
		       long *timeo);

#endif
