/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Corking. MSG_MORE and TCP_CORK announce that more data will follow. The last message then waits
 * until it is full, but at most 200 ms, as with TCP.
 */
#ifndef HCA_SDP_SOCKET_CORK_H
#define HCA_SDP_SOCKET_CORK_H

#include "sdp/socket/sock.h"

/**
 * sdp_cork_init() - initialize the corking of a socket
 * @ssk: a new socket
 *
 * Context: any.
 */
void sdp_cork_init(struct sdp_sock *ssk);

/**
 * sdp_cork_wait() - limit the time that the last message of a call waits
 * @ssk: the socket, whose lock is held; it is corked
 *
 * Context: process.
 */
void sdp_cork_wait(struct sdp_sock *ssk);

/**
 * sdp_cork_flush() - send the message that waits for more data
 * @ssk: the socket, whose lock or its spinlock is held
 *
 * Context: any.
 */
void sdp_cork_flush(struct sdp_sock *ssk);

/**
 * sdp_cork_set() - apply a change of TCP_CORK
 * @ssk: the socket, whose lock is held
 * @value: the value of the option
 *
 * Context: process.
 */
void sdp_cork_set(struct sdp_sock *ssk, int value);

#endif
