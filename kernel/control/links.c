// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Cables: plugging, unplugging, faults. */
#include <linux/hca_netlink.h>
#include <net/genetlink.h>
#include "control/faults.h"
#include "control/handlers.h"
#include "control/networks.h"
#include "control/refuse.h"
#include "control/registry.h"
#include "fabric/node.h"
#include "link/port.h"
#include "phy/cable.h"
#include "phy/fault.h"

/* One end of a cable, as a command names it. */
struct end {
	const struct nlattr *device;
	const struct nlattr *number; /* NULL: the only one */
	struct hca_port *port;
};

static void read_ends(struct genl_info *info, struct end *a, struct end *b)
{
	*a = (struct end){
		.device = info->attrs[HCA_NL_LINK_DEVICE_A],
		.number = info->attrs[HCA_NL_LINK_PORT_A],
	};
	*b = (struct end){
		.device = info->attrs[HCA_NL_LINK_DEVICE_B],
		.number = info->attrs[HCA_NL_LINK_PORT_B],
	};
}

/* What to point at when it is about the port: the number, if there is one. */
static const struct nlattr *port_attr(const struct end *end)
{
	return end->number ?: end->device;
}

static int find_port(struct sk_buff *skb, struct genl_info *info, struct end *end)
{
	struct hca_entry *entry = hca_registry_find(nla_data(end->device));
	struct hca_node *node;
	u32 num;

	if (!entry)
		return hca_refuse(skb, info, end->device, -ENODEV, "there is no such device");

	node = entry->node;
	if (!end->number && node->num_ports > 1)
		return hca_refuse(skb, info, end->device, -EINVAL,
				  "say which of its ports, 1 to %u", node->num_ports);

	num = end->number ? nla_get_u32(end->number) : 1;
	if (!num && node->type == HCA_NODE_SWITCH)
		return hca_refuse(skb, info, end->number, -EINVAL,
				  "port 0 is inside of the switch; those with a plug are 1 to %u",
				  node->num_ports);
	if (num < 1 || num > node->num_ports)
		return hca_refuse(skb, info, end->number, -EINVAL,
				  node->num_ports == 1 ? "%s has only port %u" :
							 "%s has ports 1 to %u",
				  hca_registry_name(entry), node->num_ports);

	end->port = hca_node_port(node, num);
	return 0;
}

/* That nothing is plugged into it. */
static int check_free(struct sk_buff *skb, struct genl_info *info, const struct end *end)
{
	const struct hca_port *peer = hca_registry_peer(end->port);
	const char *network = hca_network_noun(end->port);

	if (network)
		return hca_refuse(skb, info, port_attr(end), -EBUSY, "%s/%u has a link over %s",
				  hca_registry_port_device(end->port), end->port->num, network);
	if (!peer)
		return 0;
	return hca_refuse(skb, info, port_attr(end), -EBUSY, "%s/%u has a cable, to %s/%u",
			  hca_registry_port_device(end->port), end->port->num,
			  hca_registry_port_device(peer), peer->num);
}

static int add_network(struct sk_buff *skb, struct genl_info *info)
{
	struct end a, b;

	read_ends(info, &a, &b);
	if (b.device || b.number)
		return hca_refuse(skb, info, b.device ?: b.number, -EINVAL,
				  "a link has a port B or goes through a network, not both");
	return find_port(skb, info, &a) ?:
	       check_free(skb, info, &a) ?:
	       hca_network_add(skb, info, info->attrs[HCA_NL_LINK_NETWORK], a.port);
}

static int add(struct sk_buff *skb, struct genl_info *info)
{
	struct end a, b;
	int err;

	read_ends(info, &a, &b);
	err = find_port(skb, info, &a);
	if (err)
		return err;
	err = find_port(skb, info, &b);
	if (err)
		return err;

	if (a.port == b.port)
		return hca_refuse(skb, info, port_attr(&b), -EINVAL,
				  "%s/%u is given as both ends", hca_registry_port_device(a.port),
				  a.port->num);
	err = check_free(skb, info, &a) ?: check_free(skb, info, &b);
	if (err)
		return err;
	err = hca_cable_plug(a.port, b.port);
	if (!err)
		hca_registry_changed();
	return err;
}

/* The ends of a cable that there is; B need not be given. */
static int find_cable(struct sk_buff *skb, struct genl_info *info, struct end *a, struct end *b)
{
	const char *network;
	struct hca_port *peer;
	int err;

	read_ends(info, a, b);
	err = find_port(skb, info, a);
	if (err)
		return err;
	if (b->device) {
		err = find_port(skb, info, b);
		if (err)
			return err;
	}

	network = hca_network_noun(a->port);
	if (network)
		return hca_refuse(skb, info, port_attr(a), -EOPNOTSUPP,
				  "%s/%u has no cable, but a link over %s",
				  hca_registry_port_device(a->port), a->port->num, network);
	peer = hca_registry_peer(a->port);
	if (!peer)
		return hca_refuse(skb, info, port_attr(a), -ENOTCONN, "%s/%u has no cable",
				  hca_registry_port_device(a->port), a->port->num);
	if (b->device && peer != b->port)
		return hca_refuse(skb, info, port_attr(b), -ENOTCONN,
				  "the cable of %s/%u leads to %s/%u",
				  hca_registry_port_device(a->port), a->port->num,
				  hca_registry_port_device(peer), peer->num);
	return 0;
}

static int del(struct sk_buff *skb, struct genl_info *info)
{
	struct end a, b;
	int err;

	read_ends(info, &a, &b);
	err = find_port(skb, info, &a);
	if (err)
		return err;
	if (!b.device && hca_network_del(a.port))
		return 0;
	err = find_cable(skb, info, &a, &b);
	if (err)
		return err;
	err = hca_cable_unplug(a.port);
	if (!err)
		hca_registry_changed();
	return err;
}

/* What is parsed before anything is set, so that it is both directions or none. */
static int set(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *from_a = info->attrs[HCA_NL_LINK_FAULT_A];
	const struct nlattr *from_b = info->attrs[HCA_NL_LINK_FAULT_B];
	struct hca_fault *fault_a = NULL, *fault_b = NULL;
	struct end a, b;
	int err;

	err = find_cable(skb, info, &a, &b);
	if (err)
		return err;
	if (!from_a && !from_b)
		return hca_refuse(skb, info, NULL, -EINVAL, "no faults are given, of A nor of B");
	if (from_a)
		err = hca_fault_parse(skb, info, from_a, &fault_a);
	if (!err && from_b)
		err = hca_fault_parse(skb, info, from_b, &fault_b);
	if (err) {
		hca_fault_free(fault_a);
		return err;
	}
	if (from_a)
		hca_fault_install(a.port, fault_a);
	if (from_b)
		hca_fault_install(b.port, fault_b);
	hca_registry_changed();
	return 0;
}

int hca_link_add_command(struct sk_buff *skb, struct genl_info *info)
{
	bool network = info->attrs[HCA_NL_LINK_NETWORK];
	int err;

	if (GENL_REQ_ATTR_CHECK(info, HCA_NL_LINK_DEVICE_A) ||
	    (!network && GENL_REQ_ATTR_CHECK(info, HCA_NL_LINK_DEVICE_B)))
		return -EINVAL;

	mutex_lock(&hca_control_mutex);
	err = network ? add_network(skb, info) : add(skb, info);
	mutex_unlock(&hca_control_mutex);
	return err;
}

int hca_link_del_command(struct sk_buff *skb, struct genl_info *info)
{
	int err;

	if (GENL_REQ_ATTR_CHECK(info, HCA_NL_LINK_DEVICE_A))
		return -EINVAL;
	/* A port of which device? */
	if (info->attrs[HCA_NL_LINK_PORT_B] && GENL_REQ_ATTR_CHECK(info, HCA_NL_LINK_DEVICE_B))
		return -EINVAL;

	mutex_lock(&hca_control_mutex);
	err = del(skb, info);
	mutex_unlock(&hca_control_mutex);
	return err;
}

int hca_link_set_command(struct sk_buff *skb, struct genl_info *info)
{
	int err;

	if (GENL_REQ_ATTR_CHECK(info, HCA_NL_LINK_DEVICE_A) ||
	    GENL_REQ_ATTR_CHECK(info, HCA_NL_LINK_DEVICE_B))
		return -EINVAL;

	mutex_lock(&hca_control_mutex);
	err = set(skb, info);
	mutex_unlock(&hca_control_mutex);
	return err;
}
