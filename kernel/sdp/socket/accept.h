/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The accept() operation of sockets. */
#ifndef HCA_SDP_SOCKET_ACCEPT_H
#define HCA_SDP_SOCKET_ACCEPT_H

#include <linux/net.h>
#include "compat.h"

/* Operation of struct proto_ops: see accept(2). */
int sdp_accept(struct socket *sock, struct socket *newsock, SDP_ACCEPT_ARGS);

#endif
