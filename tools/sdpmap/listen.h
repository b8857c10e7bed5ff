/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The sockets of the daemon. */
#ifndef HCA_TOOLS_SDPMAP_LISTEN_H
#define HCA_TOOLS_SDPMAP_LISTEN_H

#include <poll.h>
#include "tools/sdpmap/options.h"

/**
 * listen_at() - make the sockets that requests are received from, and report them
 * @options: says at which addresses and port
 * @polled: room for OPTIONS_ADDRESSES; set to wait for what is received
 *
 * The program ends with a message if one of them cannot be made.
 * Return: how many there are.
 */
unsigned int listen_at(const struct options *options, struct pollfd *polled);

#endif
