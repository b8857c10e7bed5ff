/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Resumption of a suspended connection: the buffers that stay with the socket. */
#ifndef HCA_SDP_LINK_RESUME_H
#define HCA_SDP_LINK_RESUME_H

#include "sdp/link/ep.h"

/**
 * sdp_resume_is_due() - whether a suspended connection is to continue with another link
 * @ep: the endpoint, whose lock is held; its queue pair is destroyed
 *
 * Context: any.
 */
bool sdp_resume_is_due(const struct sdp_ep *ep);

/**
 * sdp_resume_keep() - keep buffers with unsent or unread payload
 * @ep: the endpoint, whose lock is held; its link is about to be freed
 *
 * Context: any.
 */
void sdp_resume_keep(struct sdp_ep *ep);

/**
 * sdp_resume_adopt() - map unsent buffers for the device of the new link
 * @ep: the endpoint, whose lock is held; receive buffers of the link are posted
 *
 * Context: process; may sleep.
 * Return: 0; -ENOMEM: not all buffers could be mapped.
 */
int sdp_resume_adopt(struct sdp_ep *ep);

/**
 * sdp_resume_purge() - free unsent buffers that do not belong to a link
 * @ep: the endpoint, whose lock is held
 *
 * Context: any.
 */
void sdp_resume_purge(struct sdp_ep *ep);

#endif
