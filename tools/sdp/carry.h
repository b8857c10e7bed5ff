/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Replaces an SDP socket by a TCP socket that has the same properties. */
#ifndef HCA_TOOLS_SDP_CARRY_H
#define HCA_TOOLS_SDP_CARRY_H

#include "tools/sdp/pending.h"

/**
 * carry_to_tcp() - replace an SDP socket by a TCP socket
 * @fd: descriptor of the SDP socket, which refers to the TCP socket afterwards
 * @pending: record of the SDP socket
 *
 * If the program has bound the SDP socket, the TCP socket is bound to that address. The TCP socket
 * also gets O_NONBLOCK, O_ASYNC, FD_CLOEXEC and the recorded options of the SDP socket. Options
 * that TCP refuses are skipped. Duplicates of the descriptor still refer to the SDP socket.
 *
 * Context: any, including signal handlers.
 *
 * Return: 0; or -1 with errno, in which case the SDP socket is unchanged.
 */
int carry_to_tcp(int fd, const struct pending *pending);

#endif
