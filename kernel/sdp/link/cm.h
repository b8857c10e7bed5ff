/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Setup of connections by InfiniBand's communication management (IBA annex A4). */
#ifndef HCA_SDP_LINUX_CM_H
#define HCA_SDP_LINUX_CM_H

#include <rdma/ib_cm.h>
#include "sdp/linux/setup.h"

extern const struct sdp_setup_ops sdp_cm_ops;

/**
 * sdp_cm_request() - handler of listening communication identifiers
 * @cm_id: communication identifier of the request
 * @event: REQ
 *
 * Context: process; may sleep.
 * Return: 0; otherwise the CM destroys @cm_id, which rejects the request.
 */
int sdp_cm_request(struct ib_cm_id *cm_id, const struct ib_cm_event *event);

#endif
