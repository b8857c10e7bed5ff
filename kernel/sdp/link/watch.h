/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The list of connections that are checked every two seconds, because they may be idle. */
#ifndef HCA_SDP_LINK_WATCH_H
#define HCA_SDP_LINK_WATCH_H

#include <linux/types.h>

struct sdp_ep;

/**
 * sdp_watch_add() - begin to check whether a connection is idle
 * @ep: the endpoint; it has more memory than an idle connection needs
 *
 * Context: any.
 */
void sdp_watch_add(struct sdp_ep *ep);

/**
 * sdp_watch_end() - stop checking whether a connection is idle
 * @ep: the endpoint, whose lock is held; its link is being destroyed, and the caller has a
 * reference to the socket
 *
 * Context: any.
 */
void sdp_watch_end(struct sdp_ep *ep);

/**
 * sdp_watch_register() - set the function that checks a connection
 * @check: function that frees memory of an idle connection. The lock of @ep is held. It returns
 * whether the connection is to be checked again
 *
 * Context: any; before a connection exists.
 */
void sdp_watch_register(bool (*check)(struct sdp_ep *ep));

/**
 * sdp_watch_unregister() - cancel the delayed work that checks all sockets
 *
 * Context: process; sleeps. All sockets have been released.
 */
void sdp_watch_unregister(void);

#endif
