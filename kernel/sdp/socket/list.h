/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The list of all sockets of a network namespace, which programs read from /proc/net/sdp. */
#ifndef HCA_SDP_SOCKET_LIST_H
#define HCA_SDP_SOCKET_LIST_H

#include "sdp/socket/sock.h"

/**
 * sdp_list_add() - add a socket to the list
 * @ssk: a new socket
 *
 * Context: process; may sleep.
 * Return: 0 or a negative errno.
 */
int sdp_list_add(struct sdp_sock *ssk);

/**
 * sdp_list_del() - remove a socket from the list
 * @ssk: the socket, which has no reference left; the call has no effect if it is not listed
 *
 * Context: any but hardirq.
 */
void sdp_list_del(struct sdp_sock *ssk);

/**
 * sdp_list_register() - create /proc/net/sdp
 *
 * Context: process.
 * Return: 0 or -ENOMEM.
 */
int sdp_list_register(void);

/**
 * sdp_list_unregister() - remove /proc/net/sdp
 *
 * The call waits for readers.
 *
 * Context: process.
 */
void sdp_list_unregister(void);

#endif
