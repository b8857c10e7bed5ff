/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Connections that are idle, and give back the memory that they had for much payload. */
#ifndef HCA_SDP_LINUX_IDLE_H
#define HCA_SDP_LINUX_IDLE_H

struct sdp_sock;

/**
 * sdp_idle_watch() - look from now on whether a connection is idle
 * @ssk: the socket; it has more memory than an idle connection needs
 *
 * Context: any.
 */
void sdp_idle_watch(struct sdp_sock *ssk);

/**
 * sdp_idle_end() - look no more
 * @ssk: the socket, whose lock is held, and to which the caller has a reference; its link goes
 *
 * Context: any.
 */
void sdp_idle_end(struct sdp_sock *ssk);

/**
 * sdp_idle_unregister() - end the work that looks, when there are no sockets any more
 *
 * Context: process; sleeps.
 */
void sdp_idle_unregister(void);

#endif
