// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Finds the address and port from which a client connects, and makes the client's sockets. */
#include "tools/sdpmap/route.h"
#include <stdbool.h>
#include <sys/socket.h>
#include <unistd.h>
#include "tools/lib/message.h"
#include "tools/sdpmap/address.h"

static int need_socket(int family, int type)
{
	int fd = socket(family, type | SOCK_CLOEXEC, 0);

	if (fd < 0)
		die_errno("cannot make a socket of IPv%u", family == AF_INET ? 4 : 6);
	return fd;
}

/*
 * Returns the source address of the route to a service. A UDP socket is connected for this, which
 * does not send packets.
 */
static struct address own_address(const struct address *service)
{
	struct sdpmap_endpoint endpoint = address_endpoint(service);
	int fd = need_socket(service->any.sa_family, SOCK_DGRAM);
	char text[ADDRESS_TEXT];
	struct address own;
	socklen_t size = sizeof(own);

	if (connect(fd, &service->any, address_size(service)) || getsockname(fd, &own.any, &size))
		die_errno("there is no way to %s", address_host(&endpoint, text));
	close(fd);
	return own;
}

struct route route_to(const struct address *service)
{
	struct address own = own_address(service);
	struct route route = { .fd = need_socket(own.any.sa_family, SOCK_STREAM) };
	socklen_t size = sizeof(own);

	if (own.any.sa_family == AF_INET)
		own.in.sin_port = 0;
	else
		own.in6.sin6_port = 0;
	if (bind(route.fd, &own.any, address_size(&own)) || getsockname(route.fd, &own.any, &size))
		die_errno("there is no port to connect from");
	route.from = address_endpoint(&own);
	return route;
}

int route_socket(int family)
{
	int fd = need_socket(family, SOCK_DGRAM), one = 1;
	bool is_ipv4 = family == AF_INET;

	if (setsockopt(fd, is_ipv4 ? IPPROTO_IP : IPPROTO_IPV6, is_ipv4 ? IP_RECVERR : IPV6_RECVERR,
		       &one, sizeof(one)))
		die_errno("cannot ask for errors of ICMP");
	return fd;
}
