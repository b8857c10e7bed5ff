/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Read Zcopy: payload goes from the memory of one program to that of the other. */
#ifndef HCA_SDP_LINUX_ZCOPY_H
#define HCA_SDP_LINUX_ZCOPY_H

#include <linux/socket.h>
#include "sdp/linux/pages.h"
#include "sdp/linux/sock.h"

/* Less is copied at less cost than is pinned, registered and answered. */
#define SDP_ZCOPY_MIN (128u << 10)

/* For the peer's program to read; then it is asked to answer. */
#define SDP_ZCOPY_ANSWER_TIMEOUT (HZ / 5)
#define SDP_ZCOPY_CANCEL_TIMEOUT (30 * HZ) /* for the peer to answer, be its cable out meanwhile */

#define SDP_SKIP_MAX 63

/* Reduces a timeout by the jiffies that have passed since @began. */
static inline void sdp_zcopy_reduce(long *timeo, unsigned long began)
{
	if (*timeo != MAX_SCHEDULE_TIMEOUT)
		*timeo -= min_t(unsigned long, *timeo, jiffies - began);
}

/**
 * sdp_zcopy_is_going_on() - whether a call waits for an advertisement, or has pages pinned
 * @ssk: the socket, whose lock is held
 *
 * Context: any.
 */
bool sdp_zcopy_is_going_on(const struct sdp_sock *ssk);

/**
 * sdp_zcopy_may_send() - whether what a program writes is to be advertised
 * @ssk: the socket, whose lock is held
 * @msg: the message
 *
 * To be called once for each write: after a peer that has read nothing some are copied.
 *
 * Context: any.
 */
bool sdp_zcopy_may_send(struct sdp_sock *ssk, struct msghdr *msg);

/**
 * sdp_zcopy_begin() - pin and register what is to be advertised
 * @ssk: connected socket, whose lock is held
 * @msg: the message
 * @use: what the pages are for
 * @payload: set to the octets that can go as payload of SrcAvail, as sdp_conn_may_advertise() does
 *
 * Context: process; may sleep.
 * Return: octets from the message's next one on; 0 if it is better to copy, and nothing has
 * happened.
 */
u32 sdp_zcopy_begin(struct sdp_sock *ssk, const struct msghdr *msg, enum sdp_pages_use use,
		    u32 *payload);

/**
 * sdp_zcopy_advertise() - send a SrcAvail of pages that are registered
 * @ssk: the socket, whose lock is held
 * @msg: the message, of which the payload of SrcAvail is consumed
 * @octets: what sdp_zcopy_begin() has returned
 * @payload: what it has set
 *
 * No other payload is sent until it is answered.
 *
 * Context: process; may sleep.
 * Return: octets that went as payload; -ENOBUFS, -EFAULT: nothing was sent.
 */
int sdp_zcopy_advertise(struct sdp_sock *ssk, struct msghdr *msg, u32 octets, u32 payload);

/**
 * sdp_zcopy_send() - advertise what a program sends, and wait until the peer has read it
 * @ssk: connected socket, whose lock is held, but not while this waits
 * @msg: the message
 * @timeo: jiffies that the program waits; reduced by those that have passed
 *
 * If nobody reads within a moment, or the program is to wait no longer, what is left is revoked.
 *
 * Context: process; may sleep.
 * Return: octets that were sent; 0 if it is better to copy, and nothing has happened; -EAGAIN if it
 * has waited and nothing was sent, so that the caller is to look again; -EFAULT.
 */
int sdp_zcopy_send(struct sdp_sock *ssk, struct msghdr *msg, long *timeo);

/**
 * sdp_skip_one() - whether a call is to copy
 * @skip: state of the socket; counts the call
 *
 * Context: any.
 */
static inline bool sdp_skip_one(struct sdp_skip *skip)
{
	if (!skip->left)
		return false;
	skip->left--;
	return true;
}

/**
 * sdp_skip_learn() - note how it went not to copy
 * @skip: state of the socket
 * @in_vain: whether it was all copied after all
 *
 * Context: any.
 */
static inline void sdp_skip_learn(struct sdp_skip *skip, bool in_vain)
{
	skip->all = in_vain ? min(2 * skip->all + 1, SDP_SKIP_MAX) : 0;
	skip->left = skip->all;
}

/**
 * sdp_zcopy_receive() - read what the peer advertises
 * @ssk: connected socket, whose lock is held, but not while this waits; the program has read all
 * that was received
 * @msg: the message
 * @len: octets that the program has room for
 * @flags: of the program's call
 * @timeo: jiffies that the program waits; 0: it does not; reduced by those that have passed
 *
 * What is not worth it is refused, so that it comes by Buffered copy.
 *
 * Context: process; may sleep.
 * Return: octets that were read; 0 if there is nothing to read, or not so.
 */
int sdp_zcopy_receive(struct sdp_sock *ssk, struct msghdr *msg, size_t len, int flags,
		      long *timeo);

#endif
