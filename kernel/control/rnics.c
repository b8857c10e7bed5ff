// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The netlink attributes of RNICs. */
#include "control/rnics.h"
#include <linux/err.h>
#include <linux/hca_netlink.h>
#include <linux/if.h>
#include <linux/in.h>
#include <linux/in6.h>
#include <linux/inetdevice.h>
#include <linux/minmax.h>
#include <linux/netdevice.h>
#include <linux/string.h>
#include <net/addrconf.h>
#include <net/genetlink.h>
#include <net/if_inet6.h>
#include <net/ipv6.h>
#include <net/net_namespace.h>
#include "control/refuse.h"
#include "verbs/rnic/rnic.h"

#define RNIC_LOCALS 16 /* addresses that are reported */

#define RNIC_RTR (HCA_NL_RTR_SEND | HCA_NL_RTR_WRITE | HCA_NL_RTR_READ)
static_assert((int)HCA_NL_RTR_SEND == HCA_RTR_SEND && (int)HCA_NL_RTR_WRITE == HCA_RTR_WRITE &&
	      (int)HCA_NL_RTR_READ == HCA_RTR_READ);

static struct netlink_range_validation rnic_timeouts = { .min = 1, .max = 3600 };

static const struct nla_policy rnic_policy[HCA_NL_RNIC_MAX + 1] = {
	[HCA_NL_RNIC_INTERFACE] = { .type = NLA_NUL_STRING, .len = IFNAMSIZ - 1 },
	[HCA_NL_RNIC_ADDRESS] = { .type = NLA_BINARY, .len = sizeof(struct in6_addr) },
	[HCA_NL_RNIC_CRC] = NLA_POLICY_MAX(NLA_U32, 1),
	[HCA_NL_RNIC_MARKERS] = NLA_POLICY_MAX(NLA_U32, 1),
	[HCA_NL_RNIC_STRICT] = NLA_POLICY_MAX(NLA_U32, 1),
	[HCA_NL_RNIC_MPA] = NLA_POLICY_RANGE(NLA_U32, 1, 2),
	[HCA_NL_RNIC_RTR] = NLA_POLICY_MAX(NLA_U32, RNIC_RTR),
	[HCA_NL_RNIC_TIMEOUT] = NLA_POLICY_FULL_RANGE(NLA_U32, &rnic_timeouts),
	[HCA_NL_RNIC_NETNS] = { .type = NLA_U32 },
};

static u32 rnic_number(const struct nlattr *attr, u32 usual)
{
	return attr ? nla_get_u32(attr) : usual;
}

static void rnic_read_options(struct nlattr **attrs, struct hca_rnic_options *options)
{
	*options = hca_rnic_defaults;
	options->crc = rnic_number(attrs[HCA_NL_RNIC_CRC], options->crc);
	options->markers = rnic_number(attrs[HCA_NL_RNIC_MARKERS], options->markers);
	options->strict = rnic_number(attrs[HCA_NL_RNIC_STRICT], options->strict);
	options->revision = rnic_number(attrs[HCA_NL_RNIC_MPA], options->revision);
	options->rtr = rnic_number(attrs[HCA_NL_RNIC_RTR], options->rtr);
	options->timeout = rnic_number(attrs[HCA_NL_RNIC_TIMEOUT], options->timeout);
}

static bool rnic_is_host4(const void *octets)
{
	__be32 v4;

	memcpy(&v4, octets, sizeof(v4));
	return !ipv4_is_zeronet(v4) && !ipv4_is_multicast(v4) && !ipv4_is_lbcast(v4);
}

static bool rnic_is_host6(const void *octets)
{
	struct in6_addr v6;
	int type;

	memcpy(&v6, octets, sizeof(v6));
	type = ipv6_addr_type(&v6);
	return (type & IPV6_ADDR_UNICAST) && !(type & IPV6_ADDR_MAPPED);
}

/* The interface need not have the address yet. */
static int rnic_read_address(struct sk_buff *skb, struct genl_info *info,
			     const struct nlattr *attr, struct hca_rnic_address *address)
{
	bool is_host;

	*address = (struct hca_rnic_address){};
	if (!attr)
		return 0;
	if (nla_len(attr) == sizeof(struct in_addr))
		address->family = AF_INET;
	else if (nla_len(attr) == sizeof(struct in6_addr))
		address->family = AF_INET6;
	else
		return hca_refuse(skb, info, attr, -EINVAL, "it is neither IPv4 nor IPv6");
	memcpy(address->octets, nla_data(attr), nla_len(attr));
	is_host = address->family == AF_INET ? rnic_is_host4(address->octets) :
					       rnic_is_host6(address->octets);
	return is_host ? 0 : hca_refuse(skb, info, attr, -EINVAL, "it is not one host's address");
}

/* Return: the network namespace, with a reference; or ERR_PTR(-EBADF). */
static struct net *rnic_find_net(struct genl_info *info, const struct nlattr *attr)
{
	struct net *net;

	if (!attr)
		return get_net(genl_info_net(info));
	net = get_net_ns_by_fd(nla_get_u32(attr));
	return IS_ERR(net) ? ERR_PTR(-EBADF) : net;
}

/* Connections need IP. An InfiniBand interface has IP, but verbs of its own as well. */
static int rnic_find_interface(struct sk_buff *skb, struct genl_info *info, struct nlattr **attrs,
			       struct net_device **netdev)
{
	const struct nlattr *attr = attrs[HCA_NL_RNIC_INTERFACE];
	struct net *net = rnic_find_net(info, attrs[HCA_NL_RNIC_NETNS]);

	if (IS_ERR(net))
		return hca_refuse(skb, info, attrs[HCA_NL_RNIC_NETNS], PTR_ERR(net),
				  "it is not a network namespace");
	*netdev = dev_get_by_name(net, nla_data(attr));
	put_net(net);
	if (!*netdev)
		return hca_refuse(skb, info, attr, -ENODEV, "there is no such interface");
	if (hca_rnic_can_use(*netdev))
		return 0;
	dev_put(*netdev);
	return hca_refuse(skb, info, attr, -EINVAL,
			  "it is not an Ethernet, loopback or IP tunnel interface");
}

int hca_rnic_parse(struct sk_buff *skb, struct genl_info *info, const struct nlattr *nest,
		   struct hca_rnic_config *config)
{
	struct nlattr *attrs[HCA_NL_RNIC_MAX + 1];
	int err = nla_parse_nested(attrs, HCA_NL_RNIC_MAX, nest, rnic_policy, info->extack);

	if (err)
		return err;
	if (!attrs[HCA_NL_RNIC_INTERFACE])
		return hca_refuse(skb, info, nest, -EINVAL, "the interface is missing");
	err = rnic_read_address(skb, info, attrs[HCA_NL_RNIC_ADDRESS], &config->address);
	if (err)
		return err;
	rnic_read_options(attrs, &config->options);
	return rnic_find_interface(skb, info, attrs, &config->netdev);
}

static int rnic_fill_options(struct sk_buff *skb, const struct hca_rnic_options *options)
{
	return nla_put_u32(skb, HCA_NL_RNIC_CRC, options->crc) ?:
	       nla_put_u32(skb, HCA_NL_RNIC_MARKERS, options->markers) ?:
	       nla_put_u32(skb, HCA_NL_RNIC_STRICT, options->strict) ?:
	       nla_put_u32(skb, HCA_NL_RNIC_MPA, options->revision) ?:
	       nla_put_u32(skb, HCA_NL_RNIC_RTR, options->rtr) ?:
	       nla_put_u32(skb, HCA_NL_RNIC_TIMEOUT, options->timeout);
}

static int rnic_fill_address(struct sk_buff *skb, int type,
			     const struct hca_rnic_address *address)
{
	int length = address->family == AF_INET ? sizeof(struct in_addr) : sizeof(struct in6_addr);

	return address->family ? nla_put(skb, type, length, address->octets) : 0;
}

static int rnic_fill_interface(struct sk_buff *skb, const struct hca_device *dev,
			       const struct hca_rnic_config *config)
{
	const struct net *net = dev_net(config->netdev);

	return nla_put_string(skb, HCA_NL_RNIC_INTERFACE, config->interface) ?:
	       (net_eq(net, &init_net) ? 0 :
					 nla_put_u32(skb, HCA_NL_RNIC_NETNS, net->ns.inum)) ?:
	       (hca_rnic_is_active(dev) ? nla_put_flag(skb, HCA_NL_RNIC_UP) : 0);
}

/* Add at most @max addresses. Return: how many were added, or -EMSGSIZE. */
static int rnic_fill_local4(struct sk_buff *skb, const struct net_device *netdev, int max)
{
	const struct in_device *in_dev;
	const struct in_ifaddr *ifa;
	int count = 0, err = 0;

	rcu_read_lock();
	in_dev = __in_dev_get_rcu(netdev);
	if (in_dev) {
		in_dev_for_each_ifa_rcu(ifa, in_dev) {
			if (count == max || err)
				break;
			err = nla_put_in_addr(skb, HCA_NL_RNIC_LOCAL, ifa->ifa_local);
			count++;
		}
	}
	rcu_read_unlock();
	return err ?: count;
}

static int rnic_fill_local6(struct sk_buff *skb, const struct net_device *netdev, int max)
{
#if IS_ENABLED(CONFIG_IPV6)
	const struct inet6_ifaddr *ifp;
	struct inet6_dev *idev;
	int count = 0, err = 0;

	rcu_read_lock();
	idev = __in6_dev_get(netdev);
	if (idev) {
		read_lock_bh(&idev->lock);
		list_for_each_entry(ifp, &idev->addr_list, if_list) {
			if (count == max || err)
				break;
			err = nla_put_in6_addr(skb, HCA_NL_RNIC_LOCAL, &ifp->addr);
			count++;
		}
		read_unlock_bh(&idev->lock);
	}
	rcu_read_unlock();
	return err ?: count;
#else
	return 0;
#endif
}

/* Add the addresses that are served: the only one, or those of the interface. */
static int rnic_fill_locals(struct sk_buff *skb, const struct hca_rnic_config *config)
{
	int count;

	if (config->address.family)
		return rnic_fill_address(skb, HCA_NL_RNIC_LOCAL, &config->address);
	count = rnic_fill_local4(skb, config->netdev, RNIC_LOCALS);
	if (count >= 0)
		count = rnic_fill_local6(skb, config->netdev, RNIC_LOCALS - count);
	return min(count, 0);
}

int hca_rnic_fill(struct sk_buff *skb, int type, struct hca_device *dev)
{
	struct nlattr *nest = nla_nest_start(skb, type);
	struct hca_rnic_config config;
	int err = nest ? 0 : -EMSGSIZE;

	hca_rnic_get_config(dev, &config);
	if (err || rnic_fill_interface(skb, dev, &config) ||
	    rnic_fill_address(skb, HCA_NL_RNIC_ADDRESS, &config.address) ||
	    rnic_fill_locals(skb, &config) ||
	    nla_put_u32(skb, HCA_NL_RNIC_CONNECTIONS, hca_rnic_num_connections(dev)) ||
	    rnic_fill_options(skb, &config.options))
		err = -EMSGSIZE;
	else
		nla_nest_end(skb, nest);
	dev_put(config.netdev);
	return err;
}
