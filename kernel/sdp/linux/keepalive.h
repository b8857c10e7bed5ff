/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* SO_KEEPALIVE: whether the peer of a silent connection is still there. */
#ifndef HCA_SDP_LINUX_KEEPALIVE_H
#define HCA_SDP_LINUX_KEEPALIVE_H

#include "sdp/linux/sock.h"

/**
 * sdp_keepalive_init() - initialize the timer of a new socket
 * @ssk: the socket
 *
 * Context: any.
 */
void sdp_keepalive_init(struct sdp_sock *ssk);

/**
 * sdp_keepalive_set() - SO_KEEPALIVE was set or cleared
 * @sk: the socket, whose lock is held
 * @on: not 0 if it was set
 *
 * Context: any.
 */
void sdp_keepalive_set(struct sock *sk, int on);

/**
 * sdp_keepalive_restart() - watch a connection, if SO_KEEPALIVE is set
 * @ssk: the socket, whose lock is held; called when it is connected, or its time has changed
 *
 * Context: any.
 */
void sdp_keepalive_restart(struct sdp_sock *ssk);

/**
 * sdp_keepalive_end() - the connection is over
 * @ssk: the socket, whose lock is held
 *
 * Context: any.
 */
void sdp_keepalive_end(struct sdp_sock *ssk);

#endif
