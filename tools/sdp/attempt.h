/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Tries to connect a socket by SDP. If that fails, the caller may use TCP. */
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
 * attempt_connect() - connect a socket, and wait for the connection even if it is non-blocking
 * @fd: an SDP socket
 * @address: address of the peer
 * @length: octets of @address
 *
 * The wait for a non-blocking socket takes at most ATTEMPT_SECONDS. After that time, the function
 * returns ETIMEDOUT.
 *
 * Context: any, including signal handlers.
 *
 * Return: 0, or an errno value.
 */
int attempt_connect(int fd, const struct sockaddr *address, socklen_t length);

#endif
