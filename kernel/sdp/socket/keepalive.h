/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* SO_KEEPALIVE: probes that detect whether the peer of a silent connection is alive. */
#ifndef HCA_SDP_SOCKET_KEEPALIVE_H
#define HCA_SDP_SOCKET_KEEPALIVE_H

#include "sdp/socket/sock.h"

#define SDP_KEEPALIVE_IDLE 7200 /* initial value of TCP_KEEPIDLE, in seconds */

/**
 * sdp_keepalive_init() - initialize the timer of a new socket
 * @ssk: the socket
 *
 * Context: any.
 */
void sdp_keepalive_init(struct sdp_sock *ssk);

/**
 * sdp_keepalive_set() - apply a change of SO_KEEPALIVE
 * @sk: the socket, whose lock is held
 * @on: not 0 if SO_KEEPALIVE is set
 *
 * Context: any.
 */
void sdp_keepalive_set(struct sock *sk, int on);

/**
 * sdp_keepalive_restart() - start the timer of a connection, if SO_KEEPALIVE is set
 * @ssk: the socket, whose lock is held; it has been connected, or TCP_KEEPIDLE has changed
 *
 * Context: any.
 */
void sdp_keepalive_restart(struct sdp_sock *ssk);

/**
 * sdp_keepalive_set_idle() - apply a change of TCP_KEEPIDLE
 * @ssk: the socket, whose lock is held
 * @value: seconds after which a silent connection is probed
 *
 * Context: any.
 */
void sdp_keepalive_set_idle(struct sdp_sock *ssk, int value);

/**
 * sdp_keepalive_end() - stop the timer at the end of a connection
 * @ssk: the socket, whose lock is held
 *
 * Context: any.
 */
void sdp_keepalive_end(struct sdp_sock *ssk);

#endif
