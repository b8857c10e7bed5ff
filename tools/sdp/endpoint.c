// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Converts socket addresses of programs to the format of the port mapper's messages, and back. */
#include "tools/sdp/endpoint.h"
#include <string.h>

/* Position of the IPv4 address in an IPv4-mapped IPv6 address. */
#define MAPPED_AT 12
/* Value of each of the two octets before the IPv4 address in an IPv4-mapped IPv6 address. */
#define MAPPED_MARK 0xff

#define IPV4_OCTETS 4

static struct address endpoint_unmapped(const struct sockaddr_in6 *in6)
{
	struct address address = {};

	address.in.sin_family = AF_INET;
	address.in.sin_port = in6->sin6_port;
	memcpy(&address.in.sin_addr, &in6->sin6_addr.s6_addr[MAPPED_AT], IPV4_OCTETS);
	return address;
}

struct sdpmap_endpoint endpoint_of(const struct sockaddr *address)
{
	const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)address;
	struct address plain = {};

	if (address->sa_family != AF_INET6)
		memcpy(&plain.in, address, sizeof(plain.in));
	else if (IN6_IS_ADDR_V4MAPPED(&in6->sin6_addr))
		plain = endpoint_unmapped(in6);
	else
		memcpy(&plain.in6, address, sizeof(plain.in6));
	return address_endpoint(&plain);
}

struct address endpoint_plain(const struct sdpmap_endpoint *endpoint, const struct sockaddr *like)
{
	struct address address = address_of(endpoint);

	if (like->sa_family == AF_INET6 && endpoint->ip_version == 6)
		address.in6.sin6_scope_id = ((const struct sockaddr_in6 *)like)->sin6_scope_id;
	return address;
}

static struct address endpoint_mapped(const struct sdpmap_endpoint *endpoint)
{
	struct address address = {};
	uint8_t *octets = address.in6.sin6_addr.s6_addr;

	address.in6.sin6_family = AF_INET6;
	address.in6.sin6_port = htons(endpoint->port);
	octets[MAPPED_AT - 2] = MAPPED_MARK;
	octets[MAPPED_AT - 1] = MAPPED_MARK;
	memcpy(octets + MAPPED_AT, endpoint->address, IPV4_OCTETS);
	return address;
}

struct address endpoint_like(const struct sdpmap_endpoint *endpoint, const struct sockaddr *like)
{
	if (like->sa_family == AF_INET6 && endpoint->ip_version == 4)
		return endpoint_mapped(endpoint);
	return endpoint_plain(endpoint, like);
}

bool endpoint_is_any(const struct sdpmap_endpoint *endpoint)
{
	static const uint8_t any[SDPMAP_ADDRESS];

	return !memcmp(endpoint->address, any, SDPMAP_ADDRESS);
}

bool endpoint_is_of_link(const struct sdpmap_endpoint *endpoint)
{
	struct in6_addr address;

	memcpy(&address, endpoint->address, SDPMAP_ADDRESS);
	return endpoint->ip_version == 6 && IN6_IS_ADDR_LINKLOCAL(&address);
}
