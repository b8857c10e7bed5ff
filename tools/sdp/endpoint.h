/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Converts addresses of programs to the form of the port mapper's messages, and back. */
#ifndef HCA_TOOLS_SDP_ENDPOINT_H
#define HCA_TOOLS_SDP_ENDPOINT_H

#include "tools/sdpmap/address.h"
#include "tools/sdpmap/endpoint.h"

/**
 * endpoint_of() - an address of a program in the form of messages
 * @address: a complete address of AF_INET or AF_INET6. An IPv4 address that is mapped into IPv6
 *           is an IPv4 address.
 */
struct sdpmap_endpoint endpoint_of(const struct sockaddr *address);

/**
 * endpoint_plain() - the address of a socket of the endpoint's own version of IP
 * @endpoint: the endpoint
 * @like: an address of a program, whose interface an IPv6 result has, too
 */
struct address endpoint_plain(const struct sdpmap_endpoint *endpoint, const struct sockaddr *like);

/**
 * endpoint_like() - the address of a socket of the family of another one
 * @endpoint: the endpoint, which must be of IPv4 if @like is an IPv4 address
 * @like: an address of a program. If it is of AF_INET6, an IPv4 address is mapped into IPv6.
 */
struct address endpoint_like(const struct sdpmap_endpoint *endpoint, const struct sockaddr *like);

/**
 * endpoint_is_any() - whether the address of an endpoint is the wildcard address
 * @endpoint: the endpoint
 */
bool endpoint_is_any(const struct sdpmap_endpoint *endpoint);

/**
 * endpoint_is_of_link() - whether an endpoint's address is valid at one interface only
 * @endpoint: the endpoint, which does not have an interface
 */
bool endpoint_is_of_link(const struct sdpmap_endpoint *endpoint);

#endif
