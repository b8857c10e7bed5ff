/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Corking. MSG_MORE and TCP_CORK announce that more data will follow. The last message then waits
 * until it is full, but no longer than with TCP.
 */
#ifndef HCA_SDP_LINUX_CORK_H
#define HCA_SDP_LINUX_CORK_H

#include "sdp/linux/sock.h"

/**
 * sdp_cork_init() - initialize the corking of a socket
 * @ssk: a new socket
 *
 * Context: any.
 */
void sdp_cork_init(struct sdp_sock *ssk);

/**
 * sdp_cork_begin() - prepare a call that sends
 * @ssk: the socket, whose lock is held
 * @more: the call has MSG_MORE
 * @advertise: the call may send without a copy, so that earlier messages may not wait
 *
 * Context: process.
 */
void sdp_cork_begin(struct sdp_sock *ssk, bool more, bool advertise);

/**
 * sdp_cork_wait() - limit the time that the last message of a call waits
 * @ssk: the socket, whose lock is held; it is corked
 *
 * Context: process.
 */
void sdp_cork_wait(struct sdp_sock *ssk);

/**
 * sdp_cork_flush() - send the message that waits
 * @ssk: the socket, whose lock is held
 *
 * Context: process.
 */
void sdp_cork_flush(struct sdp_sock *ssk);

/**
 * sdp_cork_changed() - apply a change of TCP_CORK
 * @ssk: the socket, whose lock is held
 *
 * Context: process.
 */
void sdp_cork_changed(struct sdp_sock *ssk);

/**
 * sdp_cork_last_waits() - whether the only unsent message has to wait for more data
 * @ssk: the socket, whose lock is held; it is corked and has a link
 *
 * The last message of a stream does not wait, and a message with an out-of-band octet does not.
 *
 * Context: any.
 */
bool sdp_cork_last_waits(const struct sdp_sock *ssk);

/**
 * sdp_cork_may_send() - whether there are messages that do not wait for more data
 * @ssk: the socket, whose lock is held; it has a link
 *
 * Context: any.
 */
static inline bool sdp_cork_may_send(const struct sdp_sock *ssk)
{
	return !list_empty(&ssk->tx) && !(ssk->corked && sdp_cork_last_waits(ssk));
}

#endif
