/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Makes a TCP socket of an SDP socket. */
#ifndef HCA_TOOLS_SDP_CARRY_H
#define HCA_TOOLS_SDP_CARRY_H

#include "tools/sdp/pending.h"

/**
 * carry_to_tcp() - put a TCP socket in the place of an SDP socket
 * @fd: the descriptor, which becomes the TCP socket's
 * @pending: what was recorded of the SDP socket
 *
 * The TCP socket is bound to the address that the SDP socket was bound to, if that was by the
 * program; has the options that were recorded, but for those that TCP refuses; and has the flags
 * of the file and of the descriptor. Duplicates of the descriptor still are the SDP socket's.
 * Signal handlers may call it.
 *
 * Return: 0; or -1 with errno, in which case nothing has changed.
 */
int carry_to_tcp(int fd, const struct pending *pending);

#endif
