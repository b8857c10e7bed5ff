/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Attempts to connect by SDP, which TCP may follow. */
#ifndef HCA_TOOLS_SDP_ATTEMPT_H
#define HCA_TOOLS_SDP_ATTEMPT_H

#include <stdbool.h>
#include <sys/socket.h>

#define ATTEMPT_SECONDS 3

/**
 * attempt_means_no_sdp() - whether an error means that SDP is not there, or does not lead there
 * @error: of bind(), listen() or connect(), as errno has it
 */
bool attempt_means_no_sdp(int error);

/**
 * attempt_connect() - connect, and wait for that on a socket that does not block, too
 * @fd: an SDP socket
 * @address: as of connect()
 * @length: as of connect()
 *
 * A socket that does not block is waited for ATTEMPT_SECONDS at most; then the result is ETIMEDOUT.
 * Signal handlers may call it.
 *
 * Return: 0, or what errno would be.
 */
int attempt_connect(int fd, const struct sockaddr *address, socklen_t length);

#endif
