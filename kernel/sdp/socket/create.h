/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Creation of sockets, and their reuse. */
#ifndef HCA_SDP_SOCKET_CREATE_H
#define HCA_SDP_SOCKET_CREATE_H

#include "sdp/socket/sock.h"

/**
 * sdp_sock_init() - initialize SDP's part of a new socket
 * @sk: the socket
 *
 * Context: process; may sleep.
 * Return: 0; -ENOBUFS: nothing was initialized; another errno: the socket is initialized, but not
 * in the list for /proc/net/sdp. After an error the caller releases the socket.
 */
int sdp_sock_init(struct sock *sk);

/**
 * sdp_sock_child() - make the socket for a connection request
 * @listener: the listening socket
 *
 * Context: process; a socket lock is not taken.
 * Return: the socket with one reference, in state SYN_RECV, or NULL if memory is exhausted.
 */
struct sock *sdp_sock_child(struct sock *listener);

/**
 * sdp_sock_renew() - prepare a socket for a new connection after an earlier one
 * @ssk: the socket, in state CLOSE and unconnected, whose lock is held; the lock is released during
 * the wait
 *
 * The call waits until the queue pair and the identifiers of the earlier connection are destroyed,
 * and frees unread payload. A local address that the program has not chosen becomes the wildcard
 * address again.
 *
 * Context: process; sleeps.
 * Return: 0; -EINVAL: the state has changed during the wait; -EALREADY: the earlier connection has
 * not ended within five seconds, or a call still uses pinned pages; -ENOMEM; the errno of a signal.
 */
int sdp_sock_renew(struct sdp_sock *ssk);

#endif
