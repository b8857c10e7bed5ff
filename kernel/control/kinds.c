// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Kinds of devices, with the operations to create, name, report and delete them. */
#include "control/kinds.h"
#include <linux/err.h>
#include <linux/kernel.h>
#include <net/netlink.h>
#include "fabric/node.h"
#include "fabric/switch.h"
#include "fabric/tca.h"
#include "sma/agent.h"
#include "verbs/core/device.h"
#include "verbs/ib/ca.h"

static struct hca_node *make_device(const char *name, u8 ports, __be64 guid,
				    const char *description, bool enhanced, bool random)
{
	struct hca_device *dev = hca_ca_device_add(name, ports, guid, description, &hca_agent);

	return IS_ERR(dev) ? ERR_CAST(dev) : hca_device_node(dev);
}

static void unregister_device(struct hca_node *node)
{
	hca_device_unregister(hca_node_device(node));
}

static void free_device(struct hca_node *node)
{
	hca_device_free(hca_node_device(node));
}

static const char *device_name(const struct hca_node *node)
{
	return hca_device_name(hca_node_device(node));
}

static int fill_object(struct sk_buff *skb, const struct hca_device *dev, enum hca_object type)
{
	struct nlattr *nest = nla_nest_start(skb, HCA_NL_DEVICE_OBJECT);

	if (!nest ||
	    nla_put_string(skb, HCA_NL_OBJECT_TYPE, hca_object_names[type]) ||
	    nla_put_u32(skb, HCA_NL_OBJECT_COUNT, hca_device_objects(dev, type)))
		return -EMSGSIZE;

	nla_nest_end(skb, nest);
	return 0;
}

static int fill_objects(struct sk_buff *skb, struct hca_node *node)
{
	int type, err = 0;

	for (type = 0; !err && type < HCA_NUM_OBJECTS; type++)
		err = fill_object(skb, hca_node_device(node), type);
	return err;
}

static struct hca_node *make_switch(const char *name, u8 ports, __be64 guid,
				    const char *description, bool enhanced, bool random)
{
	struct hca_switch *sw = hca_switch_new(ports, guid, description, enhanced, &hca_agent);

	if (IS_ERR(sw))
		return ERR_CAST(sw);
	if (random && hca_switch_use_random_forwarding_table(sw)) {
		hca_switch_free(sw);
		return ERR_PTR(-ENOMEM);
	}
	return &sw->node;
}

static void free_switch(struct hca_node *node)
{
	hca_switch_free(hca_node_switch(node));
}

static int fill_switch(struct sk_buff *skb, struct hca_node *node)
{
	struct hca_switch *sw = hca_node_switch(node);
	bool enhanced;

	spin_lock_bh(&sw->lock);
	enhanced = sw->info.enhanced_port0;
	spin_unlock_bh(&sw->lock);
	return (enhanced ? nla_put_flag(skb, HCA_NL_DEVICE_ENHANCED) : 0) ?:
	       (sw->rft ? nla_put_flag(skb, HCA_NL_DEVICE_RANDOM) : 0);
}

static struct hca_node *make_tca(const char *name, u8 ports, __be64 guid,
				 const char *description, bool enhanced, bool random)
{
	struct hca_tca *tca = hca_tca_new(ports, guid, description, &hca_agent);

	return IS_ERR(tca) ? ERR_CAST(tca) : &tca->node;
}

static void free_tca(struct hca_node *node)
{
	hca_tca_free(container_of(node, struct hca_tca, node));
}

const struct hca_kind hca_kinds[HCA_NL_TYPE_MAX + 1] = {
	[HCA_NL_TYPE_DEVICE] = {
		.type = HCA_NL_TYPE_DEVICE,
		.noun = "device",
		.max_ports = HCA_MAX_CA_PORTS,
		.make = make_device,
		.unregister = unregister_device,
		.free = free_device,
		.set_system_image_guid = hca_device_set_system_image_guid,
		.name = device_name,
		.fill = fill_objects,
	},
	[HCA_NL_TYPE_SWITCH] = {
		.type = HCA_NL_TYPE_SWITCH,
		.noun = "switch",
		.max_ports = HCA_MAX_SWITCH_PORTS,
		.one_guid = true,
		.is_switch = true,
		.make = make_switch,
		.free = free_switch,
		.set_system_image_guid = hca_node_set_system_image_guid,
		.fill = fill_switch,
	},
	[HCA_NL_TYPE_TCA] = {
		.type = HCA_NL_TYPE_TCA,
		.noun = "tca",
		.max_ports = HCA_MAX_TCA_PORTS,
		.make = make_tca,
		.free = free_tca,
		.set_system_image_guid = hca_node_set_system_image_guid,
	},
};
