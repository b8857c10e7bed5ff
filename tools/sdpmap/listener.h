/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Parses the listening SDP sockets of /proc/net/sdp. */
#ifndef HCA_TOOLS_SDPMAP_LISTENER_H
#define HCA_TOOLS_SDPMAP_LISTENER_H

#include <stdbool.h>
#include <stddef.h>
#include "tools/sdpmap/endpoint.h"

/**
 * sdpmap_listener_parse() - parse a line of /proc/net/sdp
 * @listener: set to the address and port of the socket, if it listens
 * @line: the line; sdp(7) documents its columns
 *
 * Return: whether @line is the line of a listening socket.
 */
bool sdpmap_listener_parse(struct sdpmap_endpoint *listener, const char *line);

/**
 * sdpmap_listener_serves() - whether a socket accepts connections to an address and port
 * @listener: address and port to which the socket is bound
 * @service: address and port to which a client connects
 * @is_local: function that returns whether an address belongs to this host, and SDP can use it. It
 *            is called if @listener has the wildcard address.
 *
 * The IPv6 wildcard address [::] also matches IPv4 addresses, because /proc/net/sdp does not show
 * whether a socket has IPV6_V6ONLY.
 */
bool sdpmap_listener_serves(const struct sdpmap_endpoint *listener,
			    const struct sdpmap_endpoint *service,
			    bool (*is_local)(const struct sdpmap_endpoint *address));

#endif
