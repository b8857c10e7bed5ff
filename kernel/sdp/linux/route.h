/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Resolution of the addresses of a connection to a path, by the RDMA CM. */
#ifndef HCA_SDP_LINUX_ROUTE_H
#define HCA_SDP_LINUX_ROUTE_H

#include <rdma/rdma_cm.h>
#include "sdp/linux/sock.h"

/**
 * sdp_route_resolve() - begin to connect
 * @ssk: socket with both names, whose lock is held; in SYN_SENT when the lock is released, or being
 * resumed after a suspension
 *
 * sdp_setup_request() follows when a path was found. sdp_sock_established(), sdp_sock_resumed() or
 * sdp_sock_end() is called at the end.
 *
 * Context: process; may sleep.
 * Return: 0 or a negative errno; -ENETUNREACH: the peer has a loopback address, and no port of the
 * namespace is up; -EAGAIN: the user has reached the limit of the module parameter user_routes,
 * which does not apply to a connection that is resumed.
 */
int sdp_route_resolve(struct sdp_sock *ssk);

/**
 * sdp_route_abandon() - end resolution
 * @ssk: the socket, whose lock is held; nothing is done if it has no route
 *
 * The route is freed, and its identifier is destroyed, after the RDMA CM's final event.
 *
 * Context: any.
 */
void sdp_route_abandon(struct sdp_sock *ssk);

#endif
