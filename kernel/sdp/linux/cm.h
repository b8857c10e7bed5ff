/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Setup of connections by InfiniBand's communication management (IBA annex A4). */
#ifndef HCA_SDP_LINUX_CM_H
#define HCA_SDP_LINUX_CM_H

#include <rdma/ib_cm.h>
#include "sdp/linux/sock.h"

/**
 * sdp_cm_connect() - begin to connect
 * @ssk: socket in SYN_SENT with both names, whose lock is held
 *
 * The rest goes on by itself: sdp_sock_established() or sdp_sock_end() tell the outcome.
 *
 * Context: process; may sleep.
 * Return: 0 or a negative errno.
 */
int sdp_cm_connect(struct sdp_sock *ssk);

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
