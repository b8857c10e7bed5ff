// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Socket addresses, and their text form. */
#include "tools/sdpmap/address.h"
#include <arpa/inet.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>

#define IPV4_OCTETS 4

static void set_port(struct address *address, uint16_t port)
{
	if (address->any.sa_family == AF_INET)
		address->in.sin_port = htons(port);
	else
		address->in6.sin6_port = htons(port);
}

bool address_parse(struct address *address, const char *text, uint16_t port)
{
	struct addrinfo hints = { .ai_flags = AI_NUMERICHOST, .ai_socktype = SOCK_DGRAM };
	struct addrinfo *found;
	struct in_addr in;

	/* getaddrinfo() alone would also accept 10.1 and 0x7f000001. */
	if (!strchr(text, ':') && inet_pton(AF_INET, text, &in) != 1)
		return false;
	if (getaddrinfo(text, NULL, &hints, &found))
		return false;
	*address = (struct address){};
	memcpy(address, found->ai_addr, found->ai_addrlen);
	freeaddrinfo(found);
	set_port(address, port);
	return true;
}

socklen_t address_size(const struct address *address)
{
	return address->any.sa_family == AF_INET ? sizeof(address->in) : sizeof(address->in6);
}

struct sdpmap_endpoint address_endpoint(const struct address *address)
{
	struct sdpmap_endpoint endpoint = {};

	if (address->any.sa_family == AF_INET) {
		endpoint.ip_version = 4;
		endpoint.port = ntohs(address->in.sin_port);
		memcpy(endpoint.address, &address->in.sin_addr, IPV4_OCTETS);
	} else {
		endpoint.ip_version = 6;
		endpoint.port = ntohs(address->in6.sin6_port);
		memcpy(endpoint.address, &address->in6.sin6_addr, SDPMAP_ADDRESS);
	}
	return endpoint;
}

struct address address_of(const struct sdpmap_endpoint *endpoint)
{
	struct address address = {};

	if (endpoint->ip_version == 4) {
		address.in.sin_family = AF_INET;
		memcpy(&address.in.sin_addr, endpoint->address, IPV4_OCTETS);
	} else {
		address.in6.sin6_family = AF_INET6;
		memcpy(&address.in6.sin6_addr, endpoint->address, SDPMAP_ADDRESS);
	}
	set_port(&address, endpoint->port);
	return address;
}

const char *address_host(const struct sdpmap_endpoint *endpoint, char text[ADDRESS_TEXT])
{
	inet_ntop(endpoint->ip_version == 4 ? AF_INET : AF_INET6, endpoint->address, text,
		  ADDRESS_TEXT);
	return text;
}

const char *address_text(const struct sdpmap_endpoint *endpoint, char text[ADDRESS_TEXT])
{
	bool has_brackets = endpoint->ip_version == 6;
	char host[INET6_ADDRSTRLEN];

	inet_ntop(has_brackets ? AF_INET6 : AF_INET, endpoint->address, host, sizeof(host));
	snprintf(text, ADDRESS_TEXT, has_brackets ? "[%s]:%u" : "%s:%u", host, endpoint->port);
	return text;
}
