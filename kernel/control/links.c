// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Commands that add, change and remove links. */
#include <linux/hca_netlink.h>
#include <net/genetlink.h>
#include "control/faults.h"
#include "control/handlers.h"
#include "control/networks.h"
#include "control/port.h"
#include "control/refuse.h"
#include "control/registry.h"
#include "control/shapes.h"
#include "fabric/node.h"
#include "link/port/port.h"
#include "link/state/rate.h"
#include "link/state/recovery.h"
#include "link/state/state.h"
#include "phy/cable.h"
#include "phy/fault.h"
#include "phy/shape.h"

/* One end of a link in a command. */
struct end {
	const struct nlattr *device;
	const struct nlattr *number; /* NULL: the only port of the device */
	struct hca_port *port;
};

static void link_read_ends(struct genl_info *info, struct end *a, struct end *b)
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

/* Return the attribute to report if the port of an end is wrong. */
static const struct nlattr *link_port_attr(const struct end *end)
{
	return end->number ?: end->device;
}

static int link_find_port(struct sk_buff *skb, struct genl_info *info, struct end *end)
{
	u32 num = end->number ? nla_get_u32(end->number) : 0;
	char why[HCA_PORT_FAULT];
	int err = hca_port_named(nla_data(end->device), end->number ? &num : NULL, &end->port, why);

	return err ? hca_refuse(skb, info, err == -EINVAL ? link_port_attr(end) : end->device, err,
				"%s", why) : 0;
}

/* Check that a port can get a link: it has no link, and its device is not being deleted. */
static int link_check_free(struct sk_buff *skb, struct genl_info *info, const struct end *end)
{
	const struct hca_port *peer = hca_registry_peer(end->port);
	const char *network = hca_network_noun(end->port);

	if (end->port->node->entry->going)
		return hca_refuse(skb, info, end->device, -ENODEV, "it is being deleted");
	if (network)
		return hca_refuse(skb, info, link_port_attr(end), -EBUSY,
				  "%s/%u has a link over %s",
				  hca_registry_port_device(end->port), end->port->num, network);
	if (!peer)
		return 0;
	return hca_refuse(skb, info, link_port_attr(end), -EBUSY, "%s/%u has a cable, to %s/%u",
			  hca_registry_port_device(end->port), end->port->num,
			  hca_registry_port_device(peer), peer->num);
}

static int link_add_network(struct sk_buff *skb, struct genl_info *info)
{
	struct end a, b;

	link_read_ends(info, &a, &b);
	if (b.device || b.number)
		return hca_refuse(skb, info, b.device ?: b.number, -EINVAL,
				  "a link has a port B or goes through a network, not both");
	return link_find_port(skb, info, &a) ?:
	       link_check_free(skb, info, &a) ?:
	       hca_network_add(skb, info, info->attrs[HCA_NL_LINK_NETWORK], a.port);
}

/*
 * Changes at one end of a link, from a command: the rates that the port supports, and the faults
 * and the shape (rate limit, delay, signal loss) of the packets that the port sends. The changes at
 * both ends are parsed before the first change is made.
 */
struct change {
	bool a; /* the port is end A */
	struct hca_port *port;
	bool has_fault, has_shape, has_rate;
	struct hca_fault *fault;
	struct hca_shape_spec shape;
	struct hca_link_rate rate;
};

static int link_change_parse_end(struct sk_buff *skb, struct genl_info *info, struct change *change)
{
	bool a = change->a;
	const struct nlattr *fault = info->attrs[a ? HCA_NL_LINK_FAULT_A : HCA_NL_LINK_FAULT_B];
	const struct nlattr *shape = info->attrs[a ? HCA_NL_LINK_SHAPE_A : HCA_NL_LINK_SHAPE_B];
	const struct nlattr *rate =
		info->attrs[a ? HCA_NL_LINK_SUPPORTED_A : HCA_NL_LINK_SUPPORTED_B];

	change->has_fault = fault;
	change->has_shape = shape;
	change->has_rate = rate;
	return (fault ? hca_fault_parse(skb, info, fault, &change->fault) : 0) ?:
	       (shape ? hca_shape_parse(skb, info, shape, &change->shape) : 0) ?:
	       (rate ? hca_rate_parse(skb, info, rate, &change->rate) : 0);
}

/* Parse the changes at both ends: change[0] is end A, and change[1] is end B. */
static int link_change_parse(struct sk_buff *skb, struct genl_info *info, struct change *change)
{
	return link_change_parse_end(skb, info, &change[0]) ?:
	       link_change_parse_end(skb, info, &change[1]);
}

static bool link_change_is_any(const struct change *change)
{
	return change[0].has_fault || change[0].has_shape || change[0].has_rate ||
	       change[1].has_fault || change[1].has_shape || change[1].has_rate;
}

/* Free faults that have not been installed. */
static void link_change_free(struct change *change)
{
	hca_fault_free(change[0].fault);
	hca_fault_free(change[1].fault);
}

/* Set the shapes of both directions. If one of them cannot be set, neither is changed. */
static int link_change_shapes(struct change *change)
{
	struct hca_shape_spec before = {};
	const struct hca_shape_spec *spec;
	struct hca_shape_counts counts;
	int err = 0;

	spec = hca_shape_get(change[0].port, &counts);
	if (spec)
		before = *spec;
	if (change[0].has_shape)
		err = hca_shape_set(change[0].port, &change[0].shape);
	if (err || !change[1].has_shape)
		return err;
	err = hca_shape_set(change[1].port, &change[1].shape);
	if (err && change[0].has_shape)
		hca_shape_set(change[0].port, &before);
	return err;
}

static void link_change_faults(const struct change *change)
{
	int i;

	for (i = 0; i < 2; i++)
		if (change[i].has_fault)
			hca_fault_install(change[i].port, change[i].fault);
}

/* Set the widths and speeds that the ports support. The caller starts link training afterwards. */
static void link_change_rates(const struct change *change)
{
	int i;

	for (i = 0; i < 2; i++)
		if (change[i].has_rate)
			hca_link_support(change[i].port, &change[i].rate);
}

static int link_add(struct sk_buff *skb, struct genl_info *info)
{
	struct change change[2] = { { .a = true } };
	struct end a, b;
	int err;

	link_read_ends(info, &a, &b);
	err = link_find_port(skb, info, &a);
	if (err)
		return err;
	err = link_find_port(skb, info, &b);
	if (err)
		return err;

	if (a.port == b.port)
		return hca_refuse(skb, info, link_port_attr(&b), -EINVAL,
				  "%s/%u is given as both ends", hca_registry_port_device(a.port),
				  a.port->num);
	err = link_check_free(skb, info, &a) ?: link_check_free(skb, info, &b);
	if (err)
		return err;

	change[0].port = a.port;
	change[1].port = b.port;
	err = link_change_parse(skb, info, change);
	if (err)
		return err;
	link_change_rates(change);
	err = hca_cable_connect(a.port, b.port);
	if (!err)
		hca_registry_changed();
	return err;
}

/* Find the ports of an existing cable. Without end B in the command, b->port is not set. */
static int link_find_cable(struct sk_buff *skb, struct genl_info *info, struct end *a,
			   struct end *b)
{
	const char *network;
	struct hca_port *peer;
	int err;

	link_read_ends(info, a, b);
	err = link_find_port(skb, info, a);
	if (err)
		return err;
	if (b->device) {
		err = link_find_port(skb, info, b);
		if (err)
			return err;
	}

	network = hca_network_noun(a->port);
	if (network)
		return hca_refuse(skb, info, link_port_attr(a), -EOPNOTSUPP,
				  "%s/%u has no cable, but a link over %s",
				  hca_registry_port_device(a->port), a->port->num, network);
	peer = hca_registry_peer(a->port);
	if (!peer)
		return hca_refuse(skb, info, link_port_attr(a), -ENOTCONN, "%s/%u has no cable",
				  hca_registry_port_device(a->port), a->port->num);
	if (b->device && peer != b->port)
		return hca_refuse(skb, info, link_port_attr(b), -ENOTCONN,
				  "the cable of %s/%u leads to %s/%u",
				  hca_registry_port_device(a->port), a->port->num,
				  hca_registry_port_device(peer), peer->num);
	return 0;
}

static int link_del(struct sk_buff *skb, struct genl_info *info)
{
	struct end a, b;
	int err;

	link_read_ends(info, &a, &b);
	err = link_find_port(skb, info, &a);
	if (err)
		return err;
	if (!b.device && hca_network_del(a.port))
		return 0;
	err = link_find_cable(skb, info, &a, &b);
	if (err)
		return err;
	err = hca_cable_disconnect(a.port);
	if (!err)
		hca_registry_changed();
	return err;
}

static void link_retrain(struct hca_port *port)
{
	local_bh_disable();
	hca_link_retrain(port);
	hca_engine_run();
	local_bh_enable();
}

static void link_set_admin_down(struct hca_port *port, bool down)
{
	local_bh_disable();
	hca_link_set_admin_down(port, down);
	hca_engine_run();
	local_bh_enable();
}

/*
 * Check changes of a link over a network. The peer is in another kernel and cannot be changed; slow
 * VLs and delays exist for cables only.
 */
static int link_check_leaving(struct sk_buff *skb, struct genl_info *info,
			      const struct change *change)
{
	const struct hca_delay_spec *delay = &change[0].shape.delay;
	const struct hca_fault_spec *fault =
		change[0].fault ? hca_fault_spec_of(change[0].fault) : NULL;

	if (change[1].has_fault || change[1].has_shape || change[1].has_rate)
		return hca_refuse(skb, info, NULL, -EOPNOTSUPP,
				  "of a link over a network only what leaves this port can be set");
	if (fault && fault->slow_vl_rate)
		return hca_refuse(skb, info, info->attrs[HCA_NL_LINK_FAULT_A], -EOPNOTSUPP,
				  "a slow VL is of the receiver, which is in another kernel");
	if (change[0].has_shape && (delay->delay || delay->jitter || delay->reorder))
		return hca_refuse(skb, info, info->attrs[HCA_NL_LINK_SHAPE_A], -EOPNOTSUPP,
				  "delay, jitter and reorder are of cables; over a network, tc-netem "
				  "has them");
	return 0;
}

/*
 * Find the ports of the link that a command names. change[0].port is set to port A of the command,
 * and change[1].port to the port at the other end of the cable. For a link over a network,
 * change[1].port is set to NULL.
 */
static int link_find(struct sk_buff *skb, struct genl_info *info, struct change *change)
{
	struct end a, b;
	int err;

	link_read_ends(info, &a, &b);
	err = link_find_port(skb, info, &a);
	if (!err && (b.device || !hca_network_noun(a.port)))
		err = link_find_cable(skb, info, &a, &b);
	if (err)
		return err;
	change[0].port = a.port;
	change[1].port = hca_registry_peer(a.port);
	return 0;
}

static int link_set(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *admin_down = info->attrs[HCA_NL_LINK_ADMIN_DOWN];
	struct change change[2] = { { .a = true } };
	int err;

	err = link_find(skb, info, change);
	if (err)
		return err;
	err = link_change_parse(skb, info, change);
	if (!err && !change[1].port)
		err = link_check_leaving(skb, info, change);
	if (!err && !link_change_is_any(change) && !admin_down)
		err = hca_refuse(skb, info, NULL, -EINVAL, "nothing is given to be set");
	/* Shapes are set first, because only this step can fail. */
	if (!err)
		err = link_change_shapes(change);
	if (err) {
		link_change_free(change);
		return err;
	}
	link_change_faults(change);
	link_change_rates(change);
	if (change[0].has_rate || change[1].has_rate)
		link_retrain(change[0].port);
	if (admin_down)
		link_set_admin_down(change[0].port, nla_get_u32(admin_down));
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
	err = network ? link_add_network(skb, info) : link_add(skb, info);
	mutex_unlock(&hca_control_mutex);
	return err;
}

/* Runs a command for the link of a port, or for the link between two ports. */
static int link_command(struct sk_buff *skb, struct genl_info *info,
			int (*command)(struct sk_buff *skb, struct genl_info *info))
{
	int err;

	if (GENL_REQ_ATTR_CHECK(info, HCA_NL_LINK_DEVICE_A))
		return -EINVAL;
	/* PORT_B has no meaning without DEVICE_B. */
	if (info->attrs[HCA_NL_LINK_PORT_B] && GENL_REQ_ATTR_CHECK(info, HCA_NL_LINK_DEVICE_B))
		return -EINVAL;

	mutex_lock(&hca_control_mutex);
	err = command(skb, info);
	mutex_unlock(&hca_control_mutex);
	return err;
}

int hca_link_del_command(struct sk_buff *skb, struct genl_info *info)
{
	return link_command(skb, info, link_del);
}

int hca_link_set_command(struct sk_buff *skb, struct genl_info *info)
{
	return link_command(skb, info, link_set);
}
