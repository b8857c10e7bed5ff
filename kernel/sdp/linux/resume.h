/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* From a suspended connection to the next: what stays with the socket meanwhile, and its setup. */
#ifndef HCA_SDP_LINUX_RESUME_H
#define HCA_SDP_LINUX_RESUME_H

#include "sdp/linux/sock.h"

/**
 * sdp_resume_is_due() - whether a connection goes on after its link
 * @ssk: the socket, whose lock is held; its queue pair is gone
 *
 * Context: any.
 */
bool sdp_resume_is_due(const struct sdp_sock *ssk);

/**
 * sdp_resume_keep() - keep what was neither sent nor read
 * @ssk: the socket, whose lock is held; its link is about to be freed
 *
 * Context: any.
 */
void sdp_resume_keep(struct sdp_sock *ssk);

/**
 * sdp_resume_begin() - connect anew, from the same address and port
 * @ssk: the socket, whose lock is held; it has no link
 *
 * sdp_setup_request() goes on once there is a path. Until sdp_sock_resumed() the socket's state is
 * what it was, and calls wait. If it fails the socket ends.
 *
 * Context: process; may sleep.
 */
void sdp_resume_begin(struct sdp_sock *ssk);

/**
 * sdp_resume_adopt() - map what was not sent for the device of the new link
 * @ssk: the socket, whose lock is held; receive buffers of the link are posted
 *
 * Context: process; may sleep.
 * Return: 0; -ENOMEM: not all could be mapped.
 */
int sdp_resume_adopt(struct sdp_sock *ssk);

/**
 * sdp_resume_purge() - free what was not sent, and belongs to no link
 * @ssk: the socket, whose lock is held
 *
 * Context: any.
 */
void sdp_resume_purge(struct sdp_sock *ssk);

#endif
