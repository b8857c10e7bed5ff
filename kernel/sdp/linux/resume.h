/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Resumption of a suspended connection: buffers that stay with the socket, and the new setup. */
#ifndef HCA_SDP_LINUX_RESUME_H
#define HCA_SDP_LINUX_RESUME_H

#include "sdp/linux/sock.h"

/**
 * sdp_resume_is_due() - whether a connection continues with another link
 * @ssk: the socket, whose lock is held; its queue pair is destroyed
 *
 * Context: any.
 */
bool sdp_resume_is_due(const struct sdp_sock *ssk);

/**
 * sdp_resume_keep() - keep buffers with unsent or unread payload
 * @ssk: the socket, whose lock is held; its link is about to be freed
 *
 * Context: any.
 */
void sdp_resume_keep(struct sdp_sock *ssk);

/**
 * sdp_resume_begin() - connect anew, from the local address and port of the socket
 * @ssk: the socket, whose lock is held; it has no link
 *
 * sdp_setup_request() follows when a path was found. Until sdp_sock_resumed() the socket's state is
 * unchanged, and calls wait. If the new setup fails, the socket ends.
 *
 * Context: process; may sleep.
 */
void sdp_resume_begin(struct sdp_sock *ssk);

/**
 * sdp_resume_adopt() - map unsent buffers for the device of the new link
 * @ssk: the socket, whose lock is held; receive buffers of the link are posted
 *
 * Context: process; may sleep.
 * Return: 0; -ENOMEM: not all buffers could be mapped.
 */
int sdp_resume_adopt(struct sdp_sock *ssk);

/**
 * sdp_resume_purge() - free unsent buffers that do not belong to a link
 * @ssk: the socket, whose lock is held
 *
 * Context: any.
 */
void sdp_resume_purge(struct sdp_sock *ssk);

#endif
