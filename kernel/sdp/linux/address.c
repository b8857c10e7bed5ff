// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Addresses of programs. */
#include "sdp/linux/address.h"
#include <linux/in.h>
#include <linux/inetdevice.h>
#include <net/addrconf.h>
#include <net/ipv6.h>
#include <net/route.h>
#include "sdp/linux/sock.h"

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

int sdp_address_make(const struct in6_addr *ip, u16 port, bool ipv6, struct sockaddr_storage *addr)
{
	struct sockaddr_in *in = (struct sockaddr_in *)addr;
	struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)addr;

	memset(addr, 0, sizeof(*in6));
	if (ipv6 || !ipv6_addr_v4mapped(ip)) {
		in6->sin6_family = AF_INET6;
		in6->sin6_port = htons(port);
		in6->sin6_addr = *ip;
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

bool sdp_address_is_local(struct net *net, const struct in6_addr *ip)
{
	if (ipv6_addr_v4mapped(ip))
		return inet_addr_type(net, ip->s6_addr32[3]) == RTN_LOCAL;
#if IS_ENABLED(CONFIG_IPV6)
	return ipv6_chk_addr(net, ip, NULL, 0);
#else
	return false;
#endif
}
