/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Changes of a socket's state, and the end of connections. */
#ifndef HCA_SDP_SOCKET_STATE_H
#define HCA_SDP_SOCKET_STATE_H

#include "sdp/socket/sock.h"

/* Maximum jiffies for a setup, about as in TCP. Timeouts of the CMs do not prolong it. */
#define SDP_SETUP_TIMEOUT (120 * HZ)

/**
 * sdp_sock_timeout_init() - initialize the time limit of a new socket
 * @ssk: the socket
 *
 * Context: any.
 */
void sdp_sock_timeout_init(struct sdp_sock *ssk);

/**
 * sdp_sock_timeout() - limit the time for a setup or a graceful close
 * @ssk: the socket, whose lock is held
 * @delay: jiffies from now; replaces an earlier limit
 *
 * A setup or close that is incomplete after this time ends with ETIMEDOUT.
 *
 * Context: any.
 */
void sdp_sock_timeout(struct sdp_sock *ssk, unsigned long delay);

/**
 * sdp_sock_purge() - free unread payload
 * @ssk: the socket in state CLOSE, whose lock is held, or which has no reference left
 *
 * Context: any.
 */
void sdp_sock_purge(struct sdp_sock *ssk);

/**
 * sdp_sock_id_gone() - note that an identifier of an earlier listen() is destroyed
 * @ssk: the socket, which has counted the identifier in earlier_ids
 *
 * Context: any.
 */
void sdp_sock_id_gone(struct sdp_sock *ssk);

/**
 * sdp_sock_detach() - separate a connection from its listener
 * @ssk: the socket, whose lock is held; the call has no effect if it does not have a listener
 *
 * Context: any.
 */
void sdp_sock_detach(struct sdp_sock *ssk);

/**
 * sdp_sock_established() - complete the setup of a connection
 * @ssk: a socket in state SYN_SENT or SYN_RECV, whose lock is held
 *
 * A child is queued for accept(). If the listener is closed, the child ends.
 *
 * Context: any.
 */
void sdp_sock_established(struct sdp_sock *ssk);

/**
 * sdp_sock_resumed() - continue a suspended connection after its new setup
 * @ssk: the socket, whose lock is held
 *
 * Context: any.
 */
void sdp_sock_resumed(struct sdp_sock *ssk);

/**
 * sdp_sock_end() - end a connection, or an attempt to connect
 * @ssk: the socket, whose lock is held; if it is in state CLOSE, only its link ends
 * @err: positive errno for the program; 0 after a graceful close. While a suspended connection is
 * set up again, the program gets ECONNRESET, unless @err is ETIMEDOUT.
 *
 * Context: any.
 */
void sdp_sock_end(struct sdp_sock *ssk, int err);

/**
 * sdp_sock_abort() - end a connection, and discard unsent data
 * @ssk: the socket, whose lock is held
 * @err: positive errno for the program
 *
 * AbortConn is sent only if DisConn was sent before. Otherwise only the CM notifies the peer.
 *
 * Context: any.
 */
void sdp_sock_abort(struct sdp_sock *ssk, int err);

/**
 * sdp_sock_progress() - check whether a close is complete
 * @ssk: the socket, whose lock is held
 *
 * The function is called after messages were received or sent. If both ends have sent DisConn, and
 * conn.end.ours is true, this end ends the connection. If conn.end.ours is false, this end waits
 * for a limited time until the peer ends the connection.
 *
 * Context: any.
 */
void sdp_sock_progress(struct sdp_sock *ssk);

/**
 * sdp_sock_disconnect() - close a connection for sending: DisConn follows all queued data
 * @ssk: connected socket, whose lock is held
 *
 * Context: any.
 */
void sdp_sock_disconnect(struct sdp_sock *ssk);

#endif
