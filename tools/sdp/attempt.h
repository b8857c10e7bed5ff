/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Attempts to connect by SDP, after which TCP may be used. */
#ifndef HCA_TOOLS_SDP_ATTEMPT_H
#define HCA_TOOLS_SDP_ATTEMPT_H

#include <stdbool.h>
#include <sys/socket.h>

#define ATTEMPT_SECONDS 3

/**
 * attempt_means_no_sdp() - whether an error means that SDP is missing or cannot reach the peer
 * @error: errno of bind(), listen() or connect()
 */
bool attempt_means_no_sdp(int error);

/**
 * attempt_connect() - connect, and wait for the connection of a non-blocking socket, too
 * @fd: an SDP socket
 * @address: of the peer, in the form of connect()
 * @length: octets of @address
 *
 * The wait for a non-blocking socket takes ATTEMPT_SECONDS at most; then the result is ETIMEDOUT.
 *
 * Context: any, including signal handlers.
 *
 * Return: 0, or the value that errno would have.
 */
int attempt_connect(int fd, const struct sockaddr *address, socklen_t length);

#endif
