/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Converts socket addresses of programs to the format of the port mapper's messages, and back. */
#ifndef HCA_TOOLS_SDP_ENDPOINT_H
#define HCA_TOOLS_SDP_ENDPOINT_H

#include "tools/sdpmap/address.h"
#include "tools/sdpmap/endpoint.h"

/**
 * endpoint_of() - convert a program's socket address to the format of port mapper messages
 * @address: a complete address of AF_INET or AF_INET6. An IPv4-mapped IPv6 address becomes an IPv4
 *           address.
 */
struct sdpmap_endpoint endpoint_of(const struct sockaddr *address);

/**
 * endpoint_plain() - convert an endpoint to a socket address of the endpoint's IP version
 * @endpoint: address and port in the format of port mapper messages
 * @like: socket address of a program. If @endpoint and @like are IPv6 addresses, the result has the
 *        scope ID of @like.
 */
struct address endpoint_plain(const struct sdpmap_endpoint *endpoint, const struct sockaddr *like);

/**
 * endpoint_like() - convert an endpoint to a socket address of the family of @like
 * @endpoint: address and port in the format of port mapper messages. If @like is AF_INET, the
 *            address must be an IPv4 address.
 * @like: socket address of a program. If it is AF_INET6, an IPv4 address of @endpoint becomes an
 *        IPv4-mapped IPv6 address.
 */
struct address endpoint_like(const struct sdpmap_endpoint *endpoint, const struct sockaddr *like);

/**
 * endpoint_is_any() - whether the address of an endpoint is the wildcard address
 * @endpoint: address and port in the format of port mapper messages
 */
bool endpoint_is_any(const struct sdpmap_endpoint *endpoint);

/**
 * endpoint_is_of_link() - whether an endpoint's address is link-local
 * @endpoint: address and port in the format of port mapper messages, which has no scope ID
 */
bool endpoint_is_of_link(const struct sdpmap_endpoint *endpoint);

#endif
