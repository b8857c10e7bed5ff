/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Resolution of the addresses of a connection to a path, by the RDMA CM. */
#ifndef HCA_SDP_LINK_ROUTE_H
#define HCA_SDP_LINK_ROUTE_H

#include <rdma/rdma_cm.h>
#include "sdp/link/ep.h"

/**
 * sdp_route_resolve() - begin to resolve the addresses of a connection to a path
 * @ep: the endpoint, whose lock is held. Unless a suspended connection is being resumed, the caller
 * sets the state of the socket to SYN_SENT before it releases the lock.
 *
 * When a path was found, a worker makes a link, and sends a Hello. The setup ends with a call of
 * established(), resumed() or ended() of struct sdp_link_ops.
 *
 * Context: process; may sleep.
 * Return: 0 or a negative errno; -ENETUNREACH: the peer has a loopback address, and no port of the
 * namespace is up; -EAGAIN: the user has reached the limit of the module parameter user_routes.
 * This limit does not apply to a connection that is resumed.
 */
int sdp_route_resolve(struct sdp_ep *ep);

/**
 * sdp_route_abandon() - end resolution
 * @ep: the endpoint, whose lock is held; the call has no effect if it has no route
 *
 * The route is freed, and its identifier is destroyed, after the RDMA CM's final event.
 *
 * Context: any.
 */
void sdp_route_abandon(struct sdp_ep *ep);

#endif
