/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* From the addresses of a connection to a path, by the RDMA CM. */
#ifndef HCA_SDP_LINUX_ROUTE_H
#define HCA_SDP_LINUX_ROUTE_H

#include <rdma/rdma_cm.h>
#include "sdp/linux/sock.h"

/**
 * sdp_route_resolve() - begin to connect
 * @ssk: socket with both names, whose lock is held; in SYN_SENT when that is released, or being
 * resumed after a suspension
 *
 * Once there is a path sdp_setup_request() goes on. sdp_sock_established() or sdp_sock_end() tell
 * the outcome.
 *
 * Context: process; may sleep.
 * Return: 0 or a negative errno; -ENETUNREACH: the address is loopback's, and no port of the
 * namespace is up; -EAGAIN: the user has as many routes as the module parameter user_routes allows,
 * which does not count for a connection that is resumed.
 */
int sdp_route_resolve(struct sdp_sock *ssk);

/**
 * sdp_route_abandon() - resolve no longer
 * @ssk: the socket, whose lock is held; one without route is left alone
 *
 * The route ends, and its identifier is destroyed, when the RDMA CM has told its outcome.
 *
 * Context: any.
 */
void sdp_route_abandon(struct sdp_sock *ssk);

#endif
