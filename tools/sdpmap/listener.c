// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Parses the listening SDP sockets of /proc/net/sdp. */
#include "tools/sdpmap/listener.h"
#include <arpa/inet.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include "tools/lib/number.h"

#define COLUMN_MAX 63 /* largest size in octets of a column with an address and port */

/* Parses "10.1.2.3:80" or "[2001:db8::1]:80". The text is changed. */
static bool parse_name(struct sdpmap_endpoint *endpoint, char *name)
{
	char *colon = strrchr(name, ':'), *address = name;
	uint64_t port;

	if (!colon || !number_parse_range(colon + 1, 10, 1, UINT16_MAX, &port))
		return false;
	*colon = '\0';
	*endpoint = (struct sdpmap_endpoint){ .ip_version = 4, .port = port };
	if (*name == '[' && colon > name + 1 && colon[-1] == ']') {
		colon[-1] = '\0';
		address++;
		endpoint->ip_version = 6;
	}
	return inet_pton(endpoint->ip_version == 4 ? AF_INET : AF_INET6, address,
			 endpoint->address) == 1;
}

bool sdpmap_listener_parse(struct sdpmap_endpoint *listener, const char *line)
{
	char name[COLUMN_MAX + 1];

	return sscanf(line, "LISTEN %*s %*s %63s", name) == 1 && parse_name(listener, name);
}

static bool is_wildcard(const struct sdpmap_endpoint *listener)
{
	static const uint8_t none[SDPMAP_ADDRESS];

	return !memcmp(listener->address, none, sizeof(none));
}

bool sdpmap_listener_serves(const struct sdpmap_endpoint *listener,
			    const struct sdpmap_endpoint *service,
			    bool (*is_local)(const struct sdpmap_endpoint *address))
{
	if (listener->port != service->port)
		return false;
	if (is_wildcard(listener) && listener->ip_version >= service->ip_version)
		return is_local(service);
	return sdpmap_same_address(listener, service);
}
