/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Creation of links, and the states of their queue pairs. */
#ifndef HCA_SDP_LINK_CREATE_H
#define HCA_SDP_LINK_CREATE_H

#include "sdp/link/link.h"

/**
 * sdp_link_create() - make a queue pair for a socket
 * @ep: the endpoint, whose lock is held; it has no link
 * @ib: device
 * @cm: operations of the binding (binding.h)
 * @gfp: allocation flags: SDP_GFP, or SDP_GFP_NOWAIT in a handler of the CM
 *
 * The call does not post receive buffers: sdp_link_init() does. On success the call has entered the
 * link's gate @setup, and the caller must leave this gate after its part of the setup.
 *
 * Context: process; may sleep.
 * Return: 0; -ENODEV: the device is being removed, or SDP does not use it; -ENOBUFS: a limit
 * of memory is reached; -ENOMEM; or an error of the verbs.
 */
int sdp_link_create(struct sdp_ep *ep, struct ib_device *ib, const struct sdp_setup_ops *cm,
		    gfp_t gfp);

/**
 * sdp_link_init() - bring the queue pair into state Init, and post all receive buffers
 * @link: the link
 * @attr: attributes of state Init, except the access rights
 * @mask: enum ib_qp_attr_mask: the values of @attr to set
 *
 * RDMA Read and Write are enabled on every connection (SDP 14.1).
 *
 * Context: process; may sleep.
 * Return: 0 or an error of the verbs.
 */
int sdp_link_init(struct sdp_link *link, struct ib_qp_attr *attr, int mask);

/**
 * sdp_link_connect() - bring the queue pair into state RTS
 * @link: a link whose CM identifier has received the Hello or HelloAck of the peer
 *
 * Context: process; may sleep.
 * Return: 0 or an error of the verbs.
 */
int sdp_link_connect(struct sdp_link *link);

#endif
