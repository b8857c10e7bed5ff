// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Links over networks: creation, removal and reporting. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "control/networks.h"
#include <linux/err.h>
#include <linux/etherdevice.h>
#include <linux/hca_netlink.h>
#include <linux/if.h>
#include <linux/in.h>
#include <linux/in6.h>
#include <linux/list.h>
#include <linux/netdevice.h>
#include <linux/notifier.h>
#include <linux/reboot.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <net/genetlink.h>
#include <net/ipv6.h>
#include <net/net_namespace.h>
#include <net/netns/generic.h>
#include "control/refuse.h"
#include "control/registry.h"
#include "fabric/node.h"
#include "link/port/port.h"
#include "phy/ether.h"
#include "phy/fault.h"
#include "phy/remote.h"
#include "phy/shape.h"
#include "phy/udp.h"

#define MIN_KEY 16
#define MAX_KEY_NAME 255

struct kind;

struct hca_network_link {
	struct list_head node; /* entry of the list @networks */
	const struct kind *kind;
	struct net *net; /* no reference is needed, because network_net_exit() removes the link */
	struct hca_remote *remote;
	struct hca_udp_place place; /* UDP: the configured address of the other end, if any */
	u8 peer[ETH_ALEN]; /* Ethernet: the configured address of the other end, if any */
	char key_name[MAX_KEY_NAME + 1];
	u32 mtu; /* octets; 0 if not configured */
};

/* A command to add a link. */
struct req {
	struct sk_buff *skb;
	struct genl_info *info;
	struct nlattr *attrs[HCA_NL_NETWORK_MAX + 1];
	struct hca_port *port;
	struct hca_remote_config config;
};

struct kind {
	u32 type; /* enum hca_nl_network_kind */
	const char *noun;
	/*
	 * Open the link and set network->remote. Returns 0, a negative errno, or the return value
	 * of hca_refuse().
	 */
	int (*open)(struct hca_network_link *network, const struct req *req);
	void (*free)(struct hca_remote *remote);
	int (*fill)(struct sk_buff *skb, const struct hca_network_link *network);
	/* Add the address of the peer as attribute @type. Return: 0 or -EMSGSIZE. */
	int (*fill_address)(struct sk_buff *skb, int type, const struct hca_address *address);
};

static LIST_HEAD(networks); /* guarded by the control mutex */

static int network_refuse(const struct req *req, int attr, int err, const char *why)
{
	return hca_refuse(req->skb, req->info, req->attrs[attr], err, "%s", why);
}

static int network_refuse_missing(const struct req *req, const char *what)
{
	return hca_refuse(req->skb, req->info, req->attrs[HCA_NL_NETWORK_KIND], -EINVAL,
			  "%s is missing", what);
}

static int network_read_ipv4(const struct req *req, const struct sockaddr_in *in,
			     struct hca_udp_place *place)
{
	place->family = AF_INET;
	place->port = in->sin_port;
	place->v4 = in->sin_addr.s_addr;
	if (ipv4_is_zeronet(place->v4) || ipv4_is_multicast(place->v4) || ipv4_is_lbcast(place->v4))
		return network_refuse(req, HCA_NL_NETWORK_REMOTE, -EINVAL,
				      "it is not one host's address");
	return 0;
}

static int network_read_ipv6(const struct req *req, const struct sockaddr_in6 *in6,
			     struct hca_udp_place *place)
{
	int type = ipv6_addr_type(&in6->sin6_addr);

	place->family = AF_INET6;
	place->port = in6->sin6_port;
	place->v6 = in6->sin6_addr;
	if (!(type & IPV6_ADDR_UNICAST) || type & IPV6_ADDR_MAPPED)
		return network_refuse(req, HCA_NL_NETWORK_REMOTE, -EINVAL,
				      "it is not one host's address");
	if (type & IPV6_ADDR_LINKLOCAL)
		place->ifindex = in6->sin6_scope_id;
	if (type & IPV6_ADDR_LINKLOCAL && !place->ifindex)
		return network_refuse(req, HCA_NL_NETWORK_REMOTE, -EINVAL,
				      "of a link-local address, say the interface, too; as in fe80::1%eth0");
	return 0;
}

static int network_read_place(const struct req *req, struct hca_udp_place *place)
{
	const struct nlattr *attr = req->attrs[HCA_NL_NETWORK_REMOTE];
	union {
		struct sockaddr any;
		struct sockaddr_in in;
		struct sockaddr_in6 in6;
	} address = {};
	int err;

	nla_memcpy(&address, attr, sizeof(address));
	if (address.any.sa_family == AF_INET && nla_len(attr) >= sizeof(address.in))
		err = network_read_ipv4(req, &address.in, place);
	else if (address.any.sa_family == AF_INET6 && nla_len(attr) >= sizeof(address.in6))
		err = network_read_ipv6(req, &address.in6, place);
	else
		err = network_refuse(req, HCA_NL_NETWORK_REMOTE, -EINVAL,
				     "it is neither IPv4 nor IPv6");
	if (!err && !place->port)
		err = network_refuse(req, HCA_NL_NETWORK_REMOTE, -EINVAL, "port 0 is reserved");
	return err;
}

/*
 * Log if a link over UDP has no key and therefore is not authenticated. A link over Ethernet needs
 * no such message, because only stations of one LAN reach it.
 */
static void network_warn_unauthenticated(const struct hca_network_link *network,
					 const struct req *req)
{
	if (!req->config.key.length)
		pr_info("%s/%u: link over UDP without a key: any host that reaches port %u can become the peer\n",
			hca_registry_port_device(req->port), req->port->num,
			hca_udp_local(network->remote));
}

static int network_open_udp(struct hca_network_link *network, const struct req *req)
{
	const struct nlattr *local = req->attrs[HCA_NL_NETWORK_LOCAL];
	const struct nlattr *remote = req->attrs[HCA_NL_NETWORK_REMOTE];
	int err;

	if (!local && !remote)
		return network_refuse_missing(req, "the UDP port, or the other end,");
	if (remote) {
		err = network_read_place(req, &network->place);
		if (err)
			return err;
	}
	network->remote = hca_udp_open(network->net, req->port, local ? nla_get_u32(local) : 0,
				       remote ? &network->place : NULL, &req->config);
	if (!IS_ERR(network->remote)) {
		network_warn_unauthenticated(network, req);
		return 0;
	}
	err = PTR_ERR(network->remote);
	if (err == -EADDRINUSE)
		return network_refuse(req, HCA_NL_NETWORK_LOCAL, err,
				      "the port is taken; see ss -lunp for by whom");
	return err;
}

static int network_fill_place(struct sk_buff *skb, int type, const struct hca_udp_place *place)
{
	struct sockaddr_in6 in6 = { .sin6_family = AF_INET6 };
	struct sockaddr_in in = { .sin_family = AF_INET };

	if (place->family == AF_INET) {
		in.sin_port = place->port;
		in.sin_addr.s_addr = place->v4;
		return nla_put(skb, type, sizeof(in), &in);
	}
	in6.sin6_port = place->port;
	in6.sin6_addr = place->v6;
	in6.sin6_scope_id = place->ifindex;
	return nla_put(skb, type, sizeof(in6), &in6);
}

static int network_fill_udp(struct sk_buff *skb, const struct hca_network_link *network)
{
	return nla_put_u32(skb, HCA_NL_NETWORK_LOCAL, hca_udp_local(network->remote)) ?:
	       (network->place.family ?
		network_fill_place(skb, HCA_NL_NETWORK_REMOTE, &network->place) :
		0);
}

static int network_fill_udp_address(struct sk_buff *skb, int type,
				    const struct hca_address *address)
{
	struct hca_udp_place place;

	hca_udp_place(address, &place);
	return place.family ? network_fill_place(skb, type, &place) : 0;
}

static int network_refuse_ether(const struct req *req, int err)
{
	switch (err) {
	case -EINVAL:
		return network_refuse(req, HCA_NL_NETWORK_INTERFACE, err,
				      "it is not an Ethernet interface");
	case -EBUSY:
		return network_refuse(req, HCA_NL_NETWORK_INTERFACE, err,
				      "it has a link; more of them need a switch, or UDP");
	case -ENODEV:
		return network_refuse(req, HCA_NL_NETWORK_INTERFACE, err,
				      "there is no such interface");
	default:
		return err;
	}
}

static int network_open_ether(struct hca_network_link *network, const struct req *req)
{
	const struct nlattr *peer = req->attrs[HCA_NL_NETWORK_PEER];
	struct net_device *dev;

	if (!req->attrs[HCA_NL_NETWORK_INTERFACE])
		return network_refuse_missing(req, "the interface");
	if (peer && !is_valid_ether_addr(nla_data(peer)))
		return network_refuse(req, HCA_NL_NETWORK_PEER, -EINVAL,
				      "it is not one station's address");
	dev = dev_get_by_name(network->net, nla_data(req->attrs[HCA_NL_NETWORK_INTERFACE]));
	if (!dev)
		return network_refuse_ether(req, -ENODEV);
	if (peer)
		ether_addr_copy(network->peer, nla_data(peer));
	network->remote = hca_ether_open(dev, req->port, peer ? network->peer : NULL, &req->config);
	dev_put(dev);
	return IS_ERR(network->remote) ? network_refuse_ether(req, PTR_ERR(network->remote)) : 0;
}

static int network_fill_ether(struct sk_buff *skb, const struct hca_network_link *network)
{
	return nla_put_string(skb, HCA_NL_NETWORK_INTERFACE, hca_ether_name(network->remote)) ?:
	       (is_zero_ether_addr(network->peer) ?
			0 : nla_put(skb, HCA_NL_NETWORK_PEER, ETH_ALEN, network->peer));
}

static int network_fill_ether_address(struct sk_buff *skb, int type,
				      const struct hca_address *address)
{
	return nla_put(skb, type, ETH_ALEN, address->octet);
}

static const struct kind kinds[HCA_NL_NETWORK_KIND_MAX + 1] = {
	[HCA_NL_NETWORK_KIND_UDP] = {
		.type = HCA_NL_NETWORK_KIND_UDP,
		.noun = "UDP",
		.open = network_open_udp,
		.free = hca_udp_free,
		.fill = network_fill_udp,
		.fill_address = network_fill_udp_address,
	},
	[HCA_NL_NETWORK_KIND_ETHER] = {
		.type = HCA_NL_NETWORK_KIND_ETHER,
		.noun = "Ethernet",
		.open = network_open_ether,
		.free = hca_ether_free,
		.fill = network_fill_ether,
		.fill_address = network_fill_ether_address,
	},
};

static struct hca_network_link *network_find(const struct hca_port *port)
{
	lockdep_assert_held(&hca_control_mutex);
	return port->network;
}

const char *hca_network_noun(const struct hca_port *port)
{
	const struct hca_network_link *network = network_find(port);

	return network ? network->kind->noun : NULL;
}

static struct netlink_range_validation ports = { .min = 1, .max = U16_MAX };

static const struct nla_policy policy[HCA_NL_NETWORK_MAX + 1] = {
	[HCA_NL_NETWORK_KIND] = NLA_POLICY_MAX(NLA_U32, HCA_NL_NETWORK_KIND_MAX),
	[HCA_NL_NETWORK_LOCAL] = NLA_POLICY_FULL_RANGE(NLA_U32, &ports),
	[HCA_NL_NETWORK_REMOTE] = { .type = NLA_BINARY, .len = sizeof(struct sockaddr_in6) },
	[HCA_NL_NETWORK_INTERFACE] = { .type = NLA_NUL_STRING, .len = IFNAMSIZ - 1 },
	[HCA_NL_NETWORK_PEER] = NLA_POLICY_EXACT_LEN(ETH_ALEN),
	[HCA_NL_NETWORK_KEY] = NLA_POLICY_RANGE(NLA_BINARY, MIN_KEY, HCA_MAX_KEY),
	[HCA_NL_NETWORK_KEY_NAME] = { .type = NLA_NUL_STRING, .len = MAX_KEY_NAME },
	[HCA_NL_NETWORK_NETNS] = { .type = NLA_U32 },
	[HCA_NL_NETWORK_MTU] = { .type = NLA_U32 },
};

static int network_read_mtu(struct req *req)
{
	const struct nlattr *attr = req->attrs[HCA_NL_NETWORK_MTU];
	u8 mtu;

	if (!attr)
		return 0;
	for (mtu = IB_MTU_256; mtu <= IB_MTU_4096; mtu++)
		if (hca_mtu_bytes(mtu) == nla_get_u32(attr))
			req->config.mtu = mtu;
	return req->config.mtu ? 0 : network_refuse(req, HCA_NL_NETWORK_MTU, -EINVAL,
						    "it is none of 256, 512, 1024, 2048 and 4096");
}

static int network_read_request(struct req *req, const struct nlattr *nest)
{
	const struct nlattr *key;
	int err = nla_parse_nested(req->attrs, HCA_NL_NETWORK_MAX, nest, policy,
				   req->info->extack);

	if (err)
		return err;
	if (!req->attrs[HCA_NL_NETWORK_KIND])
		return hca_refuse(req->skb, req->info, nest, -EINVAL,
				  "the kind of network is missing");
	key = req->attrs[HCA_NL_NETWORK_KEY];
	if (req->attrs[HCA_NL_NETWORK_KEY_NAME] && !key)
		return network_refuse(req, HCA_NL_NETWORK_KEY_NAME, -EINVAL, "there is no key");
	if (key)
		req->config.key.length = nla_memcpy(req->config.key.octet, key, HCA_MAX_KEY);
	return network_read_mtu(req);
}

/* Return: the network namespace, with a reference; or ERR_PTR(-EBADF). */
static struct net *network_find_net(const struct req *req)
{
	const struct nlattr *attr = req->attrs[HCA_NL_NETWORK_NETNS];
	struct net *net;

	if (!attr)
		return get_net(genl_info_net(req->info));
	net = get_net_ns_by_fd(nla_get_u32(attr));
	return IS_ERR(net) ? ERR_PTR(-EBADF) : net;
}

/* Set the description of a port's node that is sent to the peer. */
static void network_describe_node(const struct hca_port *port, struct hca_remote_config *config)
{
	struct hca_node *node = port->node;

	config->node_guid = be64_to_cpu(node->node_guid);
	spin_lock_bh(&node->desc_lock);
	memcpy(config->node_name, node->description, sizeof(config->node_name));
	spin_unlock_bh(&node->desc_lock);
}

static void network_add(struct hca_network_link *network)
{
	list_add_tail(&network->node, &networks);
	network->remote->port->network = network;
	hca_registry_changed();
}

static int network_open(struct hca_network_link *network, struct req *req)
{
	int err;

	network->net = network_find_net(req);
	if (IS_ERR(network->net))
		return network_refuse(req, HCA_NL_NETWORK_NETNS, PTR_ERR(network->net),
				      "it is not a network namespace");
	network->kind = &kinds[nla_get_u32(req->attrs[HCA_NL_NETWORK_KIND])];
	if (req->attrs[HCA_NL_NETWORK_KEY_NAME])
		nla_strscpy(network->key_name, req->attrs[HCA_NL_NETWORK_KEY_NAME],
			    sizeof(network->key_name));
	if (req->attrs[HCA_NL_NETWORK_MTU])
		network->mtu = nla_get_u32(req->attrs[HCA_NL_NETWORK_MTU]);
	network_describe_node(req->port, &req->config);
	err = network->kind->open(network, req);
	if (!err)
		network_add(network);
	else if (err == -ENOENT)
		err = network_refuse(req, HCA_NL_NETWORK_KEY, -EOPNOTSUPP,
				     "this kernel has no hmac(sha256), by which frames are authenticated");
	put_net(network->net); /* network_net_exit() removes the link when the namespace ends */
	return err;
}

int hca_network_add(struct sk_buff *skb, struct genl_info *info, const struct nlattr *nest,
		    struct hca_port *port)
{
	struct req req = { .skb = skb, .info = info, .port = port };
	struct hca_network_link *network;
	int err = network_read_request(&req, nest);

	if (err)
		return err;
	network = kzalloc(sizeof(*network), GFP_KERNEL);
	err = network ? network_open(network, &req) : -ENOMEM;
	if (err)
		kfree(network);
	memzero_explicit(&req.config, sizeof(req.config));
	return err;
}

int hca_network_add_ether(struct hca_port *port, struct net_device *dev)
{
	struct hca_network_link *network = kzalloc(sizeof(*network), GFP_KERNEL);
	struct hca_remote_config config = {};
	int err;

	if (!network)
		return -ENOMEM;
	network->kind = &kinds[HCA_NL_NETWORK_KIND_ETHER];
	network->net = dev_net(dev);
	network_describe_node(port, &config);
	network->remote = hca_ether_open(dev, port, NULL, &config);
	if (IS_ERR(network->remote)) {
		err = PTR_ERR(network->remote);
		kfree(network);
		return err;
	}
	network_add(network);
	return 0;
}

static void network_del(struct hca_network_link *network)
{
	list_del(&network->node);
	network->remote->port->network = NULL;
	hca_fault_remove(network->remote->port);
	hca_shape_end(network->remote->port);
	hca_remote_stop(network->remote);
	network->kind->free(network->remote);
	kfree(network);
	hca_registry_changed();
}

bool hca_network_del(struct hca_port *port)
{
	struct hca_network_link *network = network_find(port);

	if (network)
		network_del(network);
	return network;
}

/* Remove the links in @net. NULL stands for all network namespaces. */
static void network_del_all(const struct net *net)
{
	struct hca_network_link *network, *next;

	list_for_each_entry_safe(network, next, &networks, node)
		if (!net || network->net == net)
			network_del(network);
}

/* Remove the links of a network namespace that ends. */
static void __net_exit network_net_exit(struct net *net)
{
	mutex_lock(&hca_control_mutex);
	network_del_all(net);
	mutex_unlock(&hca_control_mutex);
}

static struct pernet_operations net_ops = { .exit = network_net_exit };

/*
 * Handle the shutdown of the machine. All links are removed and send Bye while network devices
 * still work. Nothing may be sent later, because a network device that its driver has shut down may
 * block a sender forever. virtio_net is such a device.
 */
static int network_reboot_event(struct notifier_block *block, unsigned long event, void *command)
{
	mutex_lock(&hca_control_mutex);
	network_del_all(NULL);
	mutex_unlock(&hca_control_mutex);
	return NOTIFY_DONE;
}

static struct notifier_block reboot_notifier = { .notifier_call = network_reboot_event };

int hca_networks_start(void)
{
	int err = hca_ether_start();

	if (err)
		return err;
	/*
	 * When a namespace ends, the operations that were registered last are called first. Links
	 * are therefore removed before the operations of the RDMA core are called. These wait for
	 * adapters that are being unregistered, and a process can delay that.
	 */
	err = register_pernet_device(&net_ops);
	if (err) {
		hca_ether_stop();
		return err;
	}
	/* register_reboot_notifier() does not fail */
	return register_reboot_notifier(&reboot_notifier);
}

void hca_networks_stop(void)
{
	unregister_reboot_notifier(&reboot_notifier);
	unregister_pernet_device(&net_ops);
	hca_ether_stop();
}

static int network_fill_peer(struct sk_buff *skb, const struct kind *kind,
			     const struct hca_peer_view *view)
{
	char name[HCA_HELLO_NAME + 1] = {};
	struct nlattr *nest;

	if (!view->known)
		return 0;
	memcpy(name, view->peer.name, HCA_HELLO_NAME);
	nest = nla_nest_start(skb, HCA_NL_NETWORK_PEER_PORT);
	if (!nest || kind->fill_address(skb, HCA_NL_PEER_ADDRESS, &view->address) ||
	    nla_put_string(skb, HCA_NL_PEER_NAME, name) ||
	    nla_put_u64_64bit(skb, HCA_NL_PEER_GUID, view->peer.node_guid, HCA_NL_PEER_PAD) ||
	    nla_put_u32(skb, HCA_NL_PEER_PORT, view->peer.port))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int network_fill_counts(struct sk_buff *skb, struct hca_remote *remote,
			       const struct hca_peer_view *view)
{
	const struct { int type; u64 n; } counts[] = {
		{ HCA_NL_NETWORK_REJECTED, view->rejected },
		{ HCA_NL_NETWORK_FORGED, atomic64_read(&remote->forged) },
		{ HCA_NL_NETWORK_REPLAYED, view->replayed },
		{ HCA_NL_NETWORK_MALFORMED, atomic64_read(&remote->ingress.malformed) },
		{ HCA_NL_NETWORK_INCOMPLETE, READ_ONCE(remote->ingress.reassembly.incomplete) },
		{ HCA_NL_NETWORK_OVERTAKEN, READ_ONCE(remote->ingress.overtaken) },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(counts); i++)
		if (nla_put_u64_64bit(skb, counts[i].type, counts[i].n, HCA_NL_NETWORK_PAD))
			return -EMSGSIZE;
	return 0;
}

static_assert((int)HCA_NL_REFUSAL_VERSION == HCA_REFUSED_VERSION &&
	      (int)HCA_NL_REJECT_BUSY == HCA_REJECTED_BUSY &&
	      (int)HCA_NL_REJECT_NOT_PEER == HCA_REJECTED_NOT_PEER &&
	      (int)HCA_NL_REFUSAL_SELF == HCA_REFUSED_SELF);

static int network_fill(struct sk_buff *skb, const struct hca_network_link *network)
{
	struct hca_peer_view view;

	hca_peer_query(&network->remote->peer, &view);
	if (nla_put_u32(skb, HCA_NL_NETWORK_KIND, network->kind->type) ||
	    network->kind->fill(skb, network) ||
	    (*network->key_name &&
	     nla_put_string(skb, HCA_NL_NETWORK_KEY_NAME, network->key_name)) ||
	    (network->mtu && nla_put_u32(skb, HCA_NL_NETWORK_MTU, network->mtu)) ||
	    (!net_eq(network->net, &init_net) &&
	     nla_put_u32(skb, HCA_NL_NETWORK_NETNS, network->net->ns.inum)) ||
	    (view.up && nla_put_flag(skb, HCA_NL_NETWORK_UP)) ||
	    (view.refused && nla_put_u32(skb, HCA_NL_NETWORK_REFUSED, view.refused)) ||
	    network_fill_peer(skb, network->kind, &view))
		return -EMSGSIZE;
	return network_fill_counts(skb, network->remote, &view);
}

int hca_network_fill(struct sk_buff *skb, int type, const struct hca_port *port)
{
	const struct hca_network_link *network = network_find(port);
	struct nlattr *nest;

	if (!network)
		return 0;
	nest = nla_nest_start(skb, type);
	if (!nest || network_fill(skb, network))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}
