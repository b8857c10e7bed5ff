/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Listening SDP sockets in /proc/net/sdp. */
#ifndef HCA_TOOLS_SDPMAP_LISTENER_H
#define HCA_TOOLS_SDPMAP_LISTENER_H

#include <stdbool.h>
#include <stddef.h>
#include "tools/sdpmap/endpoint.h"

/**
 * sdpmap_listener_parse() - parse a line of the list
 * @listener: set to the address and port of the socket, if it listens
 * @line: the line, whose columns sdp(7) documents
 *
 * Return: whether @line is the line of a listening socket.
 */
bool sdpmap_listener_parse(struct sdpmap_endpoint *listener, const char *line);

/**
 * sdpmap_listener_serves() - whether a socket accepts connections to an address and port
 * @listener: the address and port of the socket
 * @service: the address and port
 * @is_local: function that returns whether an address is one of this host that SDP can use; called
 *            if @listener is the wildcard address
 *
 * [::] matches IPv4 addresses, too, since the list does not have IPV6_V6ONLY.
 */
bool sdpmap_listener_serves(const struct sdpmap_endpoint *listener,
			    const struct sdpmap_endpoint *service,
			    bool (*is_local)(const struct sdpmap_endpoint *address));

#endif
