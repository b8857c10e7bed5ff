/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Options of sockets at the levels of TCP, IP and SDP. */
#ifndef HCA_SDP_SOCKET_OPTIONS_H
#define HCA_SDP_SOCKET_OPTIONS_H

#include <linux/net.h>

struct sdp_sock;

/**
 * sdp_options_init() - set the options of a new socket to their initial values
 * @ssk: the socket
 *
 * Context: any.
 */
void sdp_options_init(struct sdp_sock *ssk);

/* Operations of struct proto_ops: see setsockopt(2) and sdp(7). */
int sdp_setsockopt(struct socket *sock, int level, int name, sockptr_t value, unsigned int len);
int sdp_getsockopt(struct socket *sock, int level, int name, char __user *value, int __user *len);

#endif
