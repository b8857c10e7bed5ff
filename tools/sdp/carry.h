/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Makes a TCP socket of an SDP socket. */
#ifndef HCA_TOOLS_SDP_CARRY_H
#define HCA_TOOLS_SDP_CARRY_H

#include "tools/sdp/pending.h"

/**
 * carry_to_tcp() - replace an SDP socket by a TCP socket
 * @fd: the descriptor, which becomes the TCP socket's
 * @pending: the record of the SDP socket
 *
 * The TCP socket is bound to the address to which the program has bound the SDP socket, if any. It
 * has the recorded options, except those that TCP refuses, and the flags of the file and of the
 * descriptor. Duplicates of the descriptor still refer to the SDP socket.
 *
 * Context: any, including signal handlers.
 *
 * Return: 0; or -1 with errno, in which case the SDP socket is unchanged.
 */
int carry_to_tcp(int fd, const struct pending *pending);

#endif
