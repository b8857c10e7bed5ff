/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Setup of connections by InfiniBand's communication management (IBA annex A4). */
#ifndef HCA_SDP_LINK_CM_H
#define HCA_SDP_LINK_CM_H

#include <rdma/ib_cm.h>
#include "sdp/link/binding.h"

extern const struct sdp_setup_ops sdp_cm_ops;

/**
 * sdp_cm_request() - handler of listening communication identifiers
 * @cm_id: communication identifier of the request
 * @event: event of the identifier
 *
 * Context: process; may sleep.
 * Return: 0; -EINVAL: @event is not REQ; or another negative errno. If the result is not 0, the CM
 * destroys @cm_id, and thereby rejects the request.
 */
int sdp_cm_request(struct ib_cm_id *cm_id, const struct ib_cm_event *event);

#endif
