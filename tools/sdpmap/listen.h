/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Makes the sockets of the daemon. */
#ifndef HCA_TOOLS_SDPMAP_LISTEN_H
#define HCA_TOOLS_SDPMAP_LISTEN_H

#include <poll.h>
#include "tools/sdpmap/options.h"

/**
 * listen_at() - make the sockets for requests, and print their addresses
 * @options: options with the addresses and the port
 * @polled: array of OPTIONS_ADDRESSES entries; set to poll the sockets for requests
 *
 * The program ends with a message if a socket cannot be made.
 *
 * Return: the number of sockets.
 */
unsigned int listen_at(const struct options *options, struct pollfd *polled);

#endif
