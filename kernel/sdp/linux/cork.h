/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A program says by MSG_MORE, or by TCP_CORK, that more will follow. The last message then waits
 * until it is full, but no longer than TCP would keep it.
 */
#ifndef HCA_SDP_LINUX_CORK_H
#define HCA_SDP_LINUX_CORK_H

#include "sdp/linux/sock.h"

/**
 * sdp_cork_init() - nothing waits yet
 * @ssk: a socket that is made
 *
 * Context: any.
 */
void sdp_cork_init(struct sdp_sock *ssk);

/**
 * sdp_cork_begin() - a call begins to send
 * @ssk: the socket, whose lock is held
 * @more: the call has MSG_MORE
 * @advertise: what it sends may go without a copy, in front of which nothing may wait
 *
 * Context: process.
 */
void sdp_cork_begin(struct sdp_sock *ssk, bool more, bool advertise);

/**
 * sdp_cork_wait() - a call has sent all that it could, but for what waits
 * @ssk: the socket, whose lock is held; it is corked
 *
 * Context: process.
 */
void sdp_cork_wait(struct sdp_sock *ssk);

/**
 * sdp_cork_flush() - send what waits
 * @ssk: the socket, whose lock is held
 *
 * Context: process.
 */
void sdp_cork_flush(struct sdp_sock *ssk);

/**
 * sdp_cork_changed() - the program has set or cleared TCP_CORK
 * @ssk: the socket, whose lock is held
 *
 * Context: process.
 */
void sdp_cork_changed(struct sdp_sock *ssk);

/**
 * sdp_cork_last_waits() - whether the only message that was not sent has to wait for more
 * @ssk: the socket, whose lock is held; it is corked and has a link
 *
 * Nothing waits behind the last of a stream, nor before an octet out of band.
 *
 * Context: any.
 */
bool sdp_cork_last_waits(const struct sdp_sock *ssk);

/**
 * sdp_cork_may_send() - whether there are messages that do not wait for more
 * @ssk: the socket, whose lock is held; it has a link
 *
 * Context: any.
 */
static inline bool sdp_cork_may_send(const struct sdp_sock *ssk)
{
	return !list_empty(&ssk->tx) && !(ssk->corked && sdp_cork_last_waits(ssk));
}

#endif
