// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The addresses of an RNIC: those of its interface, or one of them. */
#include <linux/in.h>
#include <linux/in6.h>
#include <linux/inetdevice.h>
#include <linux/string.h>
#include <net/addrconf.h>
#include <net/net_namespace.h>
#include "verbs/rnic/rnic_device.h"

/* Return: whether an address is one of an interface. Context: RCU read side. */
static bool address_is_of(const struct net_device *netdev, const struct sockaddr_storage *addr)
{
	const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)addr;
	const struct sockaddr_in *v4 = (const struct sockaddr_in *)addr;

	if (addr->ss_family == AF_INET6)
		return IS_ENABLED(CONFIG_IPV6) &&
		       ipv6_chk_addr(dev_net(netdev), &v6->sin6_addr, netdev, 0);
	return __ip_dev_find(dev_net(netdev), v4->sin_addr.s_addr, false) == netdev;
}

bool hca_rnic_has_address(const struct hca_rnic_device *dev, const struct sockaddr_storage *addr)
{
	const struct net_device *netdev;
	bool has_address;

	rcu_read_lock();
	netdev = rcu_dereference(dev->netdev);
	has_address = address_is_of(netdev, addr);
	rcu_read_unlock();
	return has_address;
}

bool hca_rnic_may_use(const struct hca_rnic_device *dev, const struct sockaddr_storage *addr)
{
	const struct hca_rnic_address *own = &dev->address;

	if (!own->family)
		return true;
	if (own->family != addr->ss_family)
		return false;
	if (addr->ss_family == AF_INET6)
		return !memcmp(own->octets, &((const struct sockaddr_in6 *)addr)->sin6_addr, 16);
	return !memcmp(own->octets, &((const struct sockaddr_in *)addr)->sin_addr, 4);
}
