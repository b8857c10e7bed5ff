/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The operations bind(), connect() and getsockname(). */
#ifndef HCA_SDP_SOCKET_CONNECT_H
#define HCA_SDP_SOCKET_CONNECT_H

#include <linux/net.h>
#include "compat.h"

/* Operations of struct proto_ops: see bind(2), connect(2), getsockname(2), getpeername(2). */
int sdp_bind(struct socket *sock, SDP_SOCKADDR *addr, int len);
int sdp_connect(struct socket *sock, SDP_SOCKADDR *addr, int len, int flags);
int sdp_getname(struct socket *sock, struct sockaddr *addr, int peer);

/**
 * sdp_autobind() - bind a socket to a free port, unless it has a port
 * @sk: the socket, whose lock is held
 *
 * Context: process.
 * Return: 0; -EADDRINUSE: all ports are in use; -ENOMEM.
 */
int sdp_autobind(struct sock *sk);

#endif
