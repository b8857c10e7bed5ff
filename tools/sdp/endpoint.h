/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Addresses of programs, and the form that messages of the port mapper have them in. */
#ifndef HCA_TOOLS_SDP_ENDPOINT_H
#define HCA_TOOLS_SDP_ENDPOINT_H

#include "tools/sdpmap/address.h"
#include "tools/sdpmap/endpoint.h"

/**
 * endpoint_of() - an address of a program in the form that messages have
 * @address: of AF_INET or AF_INET6, and as long as that family needs. An IPv4 address that is
 *           mapped into IPv6 is an IPv4 address.
 */
struct sdpmap_endpoint endpoint_of(const struct sockaddr *address);

/**
 * endpoint_plain() - the address of a socket of the endpoint's own version of IP
 * @endpoint: the endpoint
 * @like: an address of a program, whose interface an IPv6 address has as well
 */
struct address endpoint_plain(const struct sdpmap_endpoint *endpoint, const struct sockaddr *like);

/**
 * endpoint_like() - the address of a socket of the same family as another one
 * @endpoint: the endpoint; of IPv4 if @like is an IPv4 address
 * @like: an address of a program. An IPv4 address is mapped into IPv6 if this is of AF_INET6.
 */
struct address endpoint_like(const struct sdpmap_endpoint *endpoint, const struct sockaddr *like);

/**
 * endpoint_is_any() - whether an endpoint has no address, but a port at most
 * @endpoint: the endpoint
 */
bool endpoint_is_any(const struct sdpmap_endpoint *endpoint);

/**
 * endpoint_is_of_link() - whether an endpoint is another one at another interface
 * @endpoint: the endpoint, which does not say of which interface it is
 */
bool endpoint_is_of_link(const struct sdpmap_endpoint *endpoint);

#endif
