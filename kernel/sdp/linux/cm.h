/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Setup of connections by InfiniBand's communication management (IBA annex A4). */
#ifndef HCA_SDP_LINUX_CM_H
#define HCA_SDP_LINUX_CM_H

#include <rdma/ib_cm.h>
#include "sdp/linux/sock.h"

struct rdma_cm_id;
struct sdp_link;

/**
 * sdp_cm_init() - initialize what processes the events of a connection
 * @link: its link
 *
 * Context: any.
 */
void sdp_cm_init(struct sdp_link *link);

/**
 * sdp_cm_route_found() - make a link, and send the request
 * @ssk: socket in SYN_SENT, whose lock is held
 * @id: has the path
 *
 * Context: process; may sleep.
 * Return: 0 or a negative errno.
 */
int sdp_cm_route_found(struct sdp_sock *ssk, struct rdma_cm_id *id);

/**
 * sdp_cm_request() - handler of listening communication identifiers
 * @cm_id: of the request
 * @event: REQ
 *
 * Context: process; may sleep.
 * Return: 0; else the CM destroys @cm_id, which rejects the request.
 */
int sdp_cm_request(struct ib_cm_id *cm_id, const struct ib_cm_event *event);

#endif
