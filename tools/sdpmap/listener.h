/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* SDP sockets that listen, as /proc/net/sdp has them. */
#ifndef HCA_TOOLS_SDPMAP_LISTENER_H
#define HCA_TOOLS_SDPMAP_LISTENER_H

#include <stdbool.h>
#include <stddef.h>
#include "tools/sdpmap/endpoint.h"

/**
 * sdpmap_listener_parse() - the socket of a line
 * @listener: set to its address and port, if it listens
 * @line: the line; sdp(7) names its columns
 *
 * Return: whether it is the line of a socket that listens.
 */
bool sdpmap_listener_parse(struct sdpmap_endpoint *listener, const char *line);

/**
 * sdpmap_listener_serves() - whether a socket accepts connections to an address and port
 * @listener: the address and port that it is bound to
 * @service: the address and port
 * @is_local: whether an address is one of this host that SDP can use; asked if @listener is bound
 *            to all of them
 *
 * [::] stands for IPv4 addresses, too: the list does not show IPV6_V6ONLY.
 */
bool sdpmap_listener_serves(const struct sdpmap_endpoint *listener,
			    const struct sdpmap_endpoint *service,
			    bool (*is_local)(const struct sdpmap_endpoint *address));

#endif
