// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Conversion and checks of the addresses that programs use. */
#include "sdp/link/address.h"
#include <linux/if_arp.h>
#include <linux/in.h>
#include <linux/inetdevice.h>
#include <net/addrconf.h>
#include <net/ip6_route.h>
#include <net/ip_fib.h>
#include <net/ipv6.h>
#include <net/route.h>

int sdp_address_parse(const struct sockaddr *addr, int len, struct in6_addr *ip, u16 *port)
{
	const struct sockaddr_in *in = (const struct sockaddr_in *)addr;
	const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)addr;

	if (len < (int)sizeof(*in))
		return -EINVAL;
	switch (addr->sa_family) {
	case AF_INET:
		break;
	case AF_INET6:
		if (len < SIN6_LEN_RFC2133)
			return -EINVAL;
		*ip = in6->sin6_addr;
		*port = ntohs(in6->sin6_port);
		return 0;
	case AF_INET_SDP:
		if (len < (int)sizeof(*in6))
			break;
		*ip = in6->sin6_addr;
		*port = ntohs(in6->sin6_port);
		return 0;
	default:
		return -EAFNOSUPPORT;
	}
	ipv6_addr_set_v4mapped(in->sin_addr.s_addr, ip);
	*port = ntohs(in->sin_port);
	return 0;
}

bool sdp_address_has_ipv6(const struct sockaddr *addr, int len)
{
	return addr->sa_family == AF_INET6 || (addr->sa_family == AF_INET_SDP &&
					       len >= (int)sizeof(struct sockaddr_in6));
}

int sdp_address_scope(const struct sockaddr *addr, int len)
{
	/* The shortest sockaddr_in6, of RFC 2133, ends before the scope. */
	if (!sdp_address_has_ipv6(addr, len) || len < (int)sizeof(struct sockaddr_in6))
		return 0;
	return ((const struct sockaddr_in6 *)addr)->sin6_scope_id;
}

bool sdp_address_needs_scope(const struct in6_addr *ip)
{
	return __ipv6_addr_needs_scope_id(ipv6_addr_type(ip));
}

int sdp_address_make(const struct in6_addr *ip, u16 port, int scope, bool ipv6,
		     struct sockaddr_storage *addr)
{
	struct sockaddr_in *in = (struct sockaddr_in *)addr;
	struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)addr;

	memset(addr, 0, sizeof(*in6));
	if (ipv6 || !ipv6_addr_v4mapped(ip)) {
		in6->sin6_family = AF_INET6;
		in6->sin6_port = htons(port);
		in6->sin6_addr = *ip;
		in6->sin6_scope_id = ipv6_iface_scope_id(ip, scope);
		return sizeof(*in6);
	}
	in->sin_family = AF_INET;
	in->sin_port = htons(port);
	in->sin_addr.s_addr = ip->s6_addr32[3];
	return sizeof(*in);
}

bool sdp_address_is_any(const struct in6_addr *ip)
{
	return ipv6_addr_any(ip) || (ipv6_addr_v4mapped(ip) && !ip->s6_addr32[3]);
}

bool sdp_address_is_local(struct net *net, const struct in6_addr *ip, int scope)
{
#if IS_ENABLED(CONFIG_IPV6)
	struct net_device *dev = NULL;
	bool local;
#endif

	if (ipv6_addr_v4mapped(ip))
		return inet_addr_type(net, ip->s6_addr32[3]) == RTN_LOCAL;
#if IS_ENABLED(CONFIG_IPV6)
	rcu_read_lock();
	if (scope && sdp_address_needs_scope(ip))
		dev = dev_get_by_index_rcu(net, scope);
	local = ipv6_chk_addr(net, ip, dev, 0);
	rcu_read_unlock();
	return local;
#else
	return false;
#endif
}

bool sdp_address_is_loopback(const struct in6_addr *ip)
{
	return ipv6_addr_loopback(ip) ||
	       (ipv6_addr_v4mapped(ip) && ipv4_is_loopback(ip->s6_addr32[3]));
}

void sdp_address_make_loopback(struct in6_addr *ip)
{
	if (ipv6_addr_v4mapped(ip))
		ipv6_addr_set_v4mapped(htonl(INADDR_LOOPBACK), ip);
	else
		*ip = in6addr_loopback;
}

/* Get the IPv4 address of @dev, or an IPv6 one that is not link-local. RCU read lock held. */
static bool address_of(const struct net_device *dev, struct in6_addr *ip)
{
	const struct in_device *in_dev = __in_dev_get_rcu(dev);
	const struct in_ifaddr *ifa = in_dev ? rcu_dereference(in_dev->ifa_list) : NULL;
#if IS_ENABLED(CONFIG_IPV6)
	const struct inet6_dev *in6_dev = __in6_dev_get(dev);
	const struct inet6_ifaddr *ifp;
#endif

	if (ifa) {
		ipv6_addr_set_v4mapped(ifa->ifa_local, ip);
		return true;
	}
#if IS_ENABLED(CONFIG_IPV6)
	if (!in6_dev)
		return false;
	list_for_each_entry_rcu(ifp, &in6_dev->addr_list, if_list) {
		if (ifp->flags & IFA_F_TENTATIVE ||
		    ipv6_addr_type(&ifp->addr) & IPV6_ADDR_LINKLOCAL)
			continue;
		*ip = ifp->addr;
		return true;
	}
#endif
	return false;
}

/* The loop visits the network interfaces of the namespace, and holds only the RCU read lock. */
int sdp_address_of_port(struct net *net, struct in6_addr *ip)
{
	struct net_device *dev;
	int err = -ENETUNREACH;

	rcu_read_lock();
	for_each_netdev_rcu(net, dev) {
		if (dev->type == ARPHRD_INFINIBAND && netif_running(dev) &&
		    netif_carrier_ok(dev) && address_of(dev, ip)) {
			err = 0;
			break;
		}
	}
	rcu_read_unlock();
	return err;
}

static bool address_leads_to(struct net_device *dev, __be32 src, __be32 dst)
{
	struct flowi4 flow = { .flowi4_oif = dev->ifindex, .saddr = dst, .daddr = src };
	struct fib_result result;
	bool leads;

	rcu_read_lock();
	leads = !fib_lookup(dev_net(dev), &flow, &result, 0) && FIB_RES_DEV(result) == dev;
	rcu_read_unlock();
	return leads;
}

#if IS_ENABLED(CONFIG_IPV6)
static bool address_leads_to_ipv6(struct net_device *dev, const struct in6_addr *src,
				  const struct in6_addr *dst)
{
	int strict = ipv6_addr_type(src) & IPV6_ADDR_LINKLOCAL ? RT6_LOOKUP_F_IFACE : 0;
	struct rt6_info *route = rt6_lookup(dev_net(dev), src, dst, dev->ifindex, NULL, strict);
	bool leads = route && ip6_dst_idev(&route->dst)->dev == dev;

	if (route)
		ip6_rt_put(route);
	return leads;
}
#endif

bool sdp_address_may_come(struct net_device *dev, const struct in6_addr *src,
			  const struct in6_addr *dst)
{
	bool ipv4 = ipv6_addr_v4mapped(src);

	if (ipv4 != ipv6_addr_v4mapped(dst) || sdp_address_is_any(src) ||
	    sdp_address_is_loopback(src) || sdp_address_is_loopback(dst) ||
	    !sdp_address_is_local(dev_net(dev), dst, dev->ifindex))
		return false;
	if (ipv4)
		return !ipv4_is_multicast(src->s6_addr32[3]) &&
		       !ipv4_is_lbcast(src->s6_addr32[3]) &&
		       address_leads_to(dev, src->s6_addr32[3], dst->s6_addr32[3]);
#if IS_ENABLED(CONFIG_IPV6)
	return !ipv6_addr_is_multicast(src) && address_leads_to_ipv6(dev, src, dst);
#else
	return false;
#endif
}
