/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The operations of a socket after events of its link. */
#ifndef HCA_SDP_SOCKET_LINK_OPS_H
#define HCA_SDP_SOCKET_LINK_OPS_H

#include "sdp/link/ops.h"

extern const struct sdp_link_ops sdp_sock_link_ops;

#endif
