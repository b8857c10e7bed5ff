// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Kinds of devices, with the operations to create, name, report and delete them. */
#include "control/kinds.h"
#include <linux/err.h>
#include <linux/kernel.h>
#include <net/netlink.h>
#include "control/registry.h"
#include "control/rnic_faults.h"
#include "control/rnics.h"
#include "fabric/node.h"
#include "fabric/switch.h"
#include "fabric/tca.h"
#include "sma/agent.h"
#include "verbs/core/device.h"
#include "verbs/ib/ca.h"
#include "verbs/rnic/rnic.h"

/* Add the attributes of a device that has a node. */
static int kind_fill_node(struct sk_buff *skb, const struct hca_entry *entry)
{
	char description[HCA_NODE_DESC_BYTES + 1] = {};
	struct hca_node *node = entry->node;

	spin_lock_bh(&node->desc_lock);
	memcpy(description, node->description, HCA_NODE_DESC_BYTES);
	spin_unlock_bh(&node->desc_lock);

	return nla_put_u32(skb, HCA_NL_DEVICE_PORTS, node->num_ports) ?:
	       nla_put_u64_64bit(skb, HCA_NL_DEVICE_GUID, be64_to_cpu(node->node_guid),
				 HCA_NL_DEVICE_PAD) ?:
	       nla_put_u64_64bit(skb, HCA_NL_DEVICE_SYSTEM_IMAGE_GUID,
				 be64_to_cpu(READ_ONCE(node->system_image_guid)),
				 HCA_NL_DEVICE_PAD) ?:
	       nla_put_string(skb, HCA_NL_DEVICE_DESCRIPTION, description) ?:
	       (READ_ONCE(node->led) ? nla_put_flag(skb, HCA_NL_DEVICE_LED) : 0);
}

static void kind_set_node_system_guid(struct hca_entry *entry, __be64 guid)
{
	hca_node_set_system_image_guid(entry->node, guid);
}

static int kind_make_device(struct hca_entry *entry, const struct hca_spec *spec)
{
	struct hca_device *dev = hca_ca_device_add(entry->name, spec->ports, spec->guid,
						   spec->description, &hca_agent);

	if (IS_ERR(dev))
		return PTR_ERR(dev);
	entry->device = dev;
	entry->node = hca_device_node(dev);
	return 0;
}

static void kind_free_device(struct hca_entry *entry)
{
	hca_device_free(entry->device);
}

static void kind_set_device_system_guid(struct hca_entry *entry, __be64 guid)
{
	hca_device_set_system_image_guid(entry->device, guid);
}

static int kind_fill_object(struct sk_buff *skb, const struct hca_device *dev, enum hca_object type)
{
	struct nlattr *nest = nla_nest_start(skb, HCA_NL_DEVICE_OBJECT);

	if (!nest ||
	    nla_put_string(skb, HCA_NL_OBJECT_TYPE, hca_object_names[type]) ||
	    nla_put_u32(skb, HCA_NL_OBJECT_COUNT, hca_device_objects(dev, type)))
		return -EMSGSIZE;

	nla_nest_end(skb, nest);
	return 0;
}

static int kind_fill_objects(struct sk_buff *skb, const struct hca_entry *entry)
{
	int type, err = 0;

	for (type = 0; !err && type < HCA_NUM_OBJECTS; type++)
		err = kind_fill_object(skb, entry->device, type);
	return err;
}

static int kind_make_switch(struct hca_entry *entry, const struct hca_spec *spec)
{
	struct hca_switch *sw = hca_switch_new(spec->ports, spec->guid, spec->description,
					       spec->enhanced, &hca_agent);

	if (IS_ERR(sw))
		return PTR_ERR(sw);
	if (spec->random && hca_switch_use_random_forwarding_table(sw)) {
		hca_switch_free(sw);
		return -ENOMEM;
	}
	entry->node = &sw->node;
	return 0;
}

static void kind_free_switch(struct hca_entry *entry)
{
	hca_switch_free(hca_node_switch(entry->node));
}

static int kind_fill_switch(struct sk_buff *skb, const struct hca_entry *entry)
{
	struct hca_switch *sw = hca_node_switch(entry->node);
	bool enhanced;

	spin_lock_bh(&sw->lock);
	enhanced = sw->info.enhanced_port0;
	spin_unlock_bh(&sw->lock);
	return (enhanced ? nla_put_flag(skb, HCA_NL_DEVICE_ENHANCED) : 0) ?:
	       (sw->rft ? nla_put_flag(skb, HCA_NL_DEVICE_RANDOM) : 0);
}

static int kind_make_tca(struct hca_entry *entry, const struct hca_spec *spec)
{
	struct hca_tca *tca =
		hca_tca_new(spec->ports, spec->guid, spec->description, &hca_agent);

	if (IS_ERR(tca))
		return PTR_ERR(tca);
	entry->node = &tca->node;
	return 0;
}

static void kind_free_tca(struct hca_entry *entry)
{
	hca_tca_free(container_of(entry->node, struct hca_tca, node));
}

static int kind_make_rnic(struct hca_entry *entry, const struct hca_spec *spec)
{
	struct hca_device *dev;

	spec->rnic->guid = spec->guid;
	spec->rnic->description = spec->description;
	dev = hca_rnic_device_add(entry->name, spec->rnic);
	if (IS_ERR(dev))
		return PTR_ERR(dev);
	entry->device = dev;
	return 0;
}

static void kind_set_rnic_system_guid(struct hca_entry *entry, __be64 guid)
{
	hca_rnic_set_system_image_guid(entry->device, guid);
}

static int kind_describe_rnic(struct sk_buff *skb, const struct hca_entry *entry)
{
	struct hca_rnic_identity id;

	hca_rnic_get_identity(entry->device, &id);
	return nla_put_u32(skb, HCA_NL_DEVICE_PORTS, 1) ?:
	       nla_put_u64_64bit(skb, HCA_NL_DEVICE_GUID, be64_to_cpu(id.guid),
				 HCA_NL_DEVICE_PAD) ?:
	       nla_put_u64_64bit(skb, HCA_NL_DEVICE_SYSTEM_IMAGE_GUID,
				 be64_to_cpu(id.system_image_guid), HCA_NL_DEVICE_PAD) ?:
	       nla_put_string(skb, HCA_NL_DEVICE_DESCRIPTION, id.description) ?:
	       hca_rnic_fill(skb, HCA_NL_DEVICE_RNIC, entry->device) ?:
	       hca_rnic_fault_fill(skb, HCA_NL_DEVICE_RNIC_FAULT, entry->device);
}

const struct hca_kind hca_kinds[HCA_NL_TYPE_MAX + 1] = {
	[HCA_NL_TYPE_DEVICE] = {
		.type = HCA_NL_TYPE_DEVICE,
		.noun = "device",
		.max_ports = HCA_MAX_CA_PORTS,
		.has_links = true,
		.has_verbs = true,
		.make = kind_make_device,
		.free = kind_free_device,
		.set_system_image_guid = kind_set_device_system_guid,
		.name = hca_device_name,
		.describe = kind_fill_node,
		.fill = kind_fill_objects,
	},
	[HCA_NL_TYPE_SWITCH] = {
		.type = HCA_NL_TYPE_SWITCH,
		.noun = "switch",
		.max_ports = HCA_MAX_SWITCH_PORTS,
		.one_guid = true,
		.is_switch = true,
		.has_links = true,
		.make = kind_make_switch,
		.free = kind_free_switch,
		.set_system_image_guid = kind_set_node_system_guid,
		.describe = kind_fill_node,
		.fill = kind_fill_switch,
	},
	[HCA_NL_TYPE_TCA] = {
		.type = HCA_NL_TYPE_TCA,
		.noun = "tca",
		.max_ports = HCA_MAX_TCA_PORTS,
		.has_links = true,
		.make = kind_make_tca,
		.free = kind_free_tca,
		.set_system_image_guid = kind_set_node_system_guid,
		.describe = kind_fill_node,
	},
	[HCA_NL_TYPE_RNIC] = {
		.type = HCA_NL_TYPE_RNIC,
		.noun = "rnic",
		.max_ports = 1,
		.one_guid = true,
		.has_verbs = true,
		.needs_interface = true,
		.make = kind_make_rnic,
		.free = kind_free_device,
		.set_system_image_guid = kind_set_rnic_system_guid,
		.name = hca_device_name,
		.describe = kind_describe_rnic,
		.fill = kind_fill_objects,
		.is_lost = hca_rnic_is_lost,
	},
};
