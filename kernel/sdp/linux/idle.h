/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Idle connections, which free the memory that they no longer need for payload. */
#ifndef HCA_SDP_LINUX_IDLE_H
#define HCA_SDP_LINUX_IDLE_H

struct sdp_sock;

/**
 * sdp_idle_watch() - begin to check whether a connection is idle
 * @ssk: the socket; it has more memory than an idle connection needs
 *
 * Context: any.
 */
void sdp_idle_watch(struct sdp_sock *ssk);

/**
 * sdp_idle_end() - end the checks whether a connection is idle
 * @ssk: the socket, whose lock is held, and to which the caller has a reference; its link is
 *	 being destroyed
 *
 * Context: any.
 */
void sdp_idle_end(struct sdp_sock *ssk);

/**
 * sdp_idle_unregister() - end the work that checks sockets, after the last socket is gone
 *
 * Context: process; sleeps.
 */
void sdp_idle_unregister(void);

#endif
