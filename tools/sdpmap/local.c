// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The addresses of this host that SDP can use. */
#include "tools/sdpmap/local.h"
#include <ifaddrs.h>
#include <net/if.h>
#include <stddef.h>
#include "tools/sdpmap/address.h"

static struct ifaddrs *interfaces;

static bool is_usable(const struct ifaddrs *interface)
{
	const struct sockaddr *address = interface->ifa_addr;

	return address && !(interface->ifa_flags & IFF_LOOPBACK) &&
	       (address->sa_family == AF_INET || address->sa_family == AF_INET6);
}

bool local_has(const struct sdpmap_endpoint *address)
{
	const struct ifaddrs *interface;
	struct sdpmap_endpoint own;

	if (!interfaces && getifaddrs(&interfaces))
		interfaces = NULL;
	for (interface = interfaces; interface; interface = interface->ifa_next) {
		if (!is_usable(interface))
			continue;
		own = address_endpoint((const struct address *)interface->ifa_addr);
		if (sdpmap_same_address(&own, address))
			return true;
	}
	return false;
}

void local_renew(void)
{
	if (interfaces)
		freeifaddrs(interfaces);
	interfaces = NULL;
}
