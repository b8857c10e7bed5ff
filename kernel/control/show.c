// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* What there is, told to user space. */
#include <linux/hca_netlink.h>
#include <linux/module.h>
#include <linux/string.h>
#include <net/genetlink.h>
#include "control/faults.h"
#include "control/handlers.h"
#include "control/refuse.h"
#include "control/registry.h"
#include "fabric/node.h"
#include "link/port.h"
#include "verbs/device.h"

static int fill_peer(struct sk_buff *skb, const struct hca_port *port)
{
	const struct hca_port *peer = hca_registry_peer(port);

	if (!peer)
		return 0;
	return nla_put_string(skb, HCA_NL_PORT_PEER_DEVICE, hca_registry_port_device(peer)) ?:
	       nla_put_u32(skb, HCA_NL_PORT_PEER_PORT, peer->num);
}

static int fill_port(struct sk_buff *skb, struct hca_port *port)
{
	struct nlattr *nest = nla_nest_start(skb, HCA_NL_DEVICE_PORT);
	struct hca_port_info info;
	__be64 guid;

	if (!nest)
		return -EMSGSIZE;

	spin_lock_bh(&port->lock);
	info = port->info;
	guid = port->guid[0];
	spin_unlock_bh(&port->lock);

	if (nla_put_u32(skb, HCA_NL_PORT_NUMBER, port->num) ||
	    nla_put_u64_64bit(skb, HCA_NL_PORT_GUID, be64_to_cpu(guid), HCA_NL_PORT_PAD) ||
	    nla_put_u32(skb, HCA_NL_PORT_STATE, info.state) ||
	    nla_put_u32(skb, HCA_NL_PORT_PHYS_STATE, info.phys_state) ||
	    nla_put_u32(skb, HCA_NL_PORT_LID, info.lid) ||
	    nla_put_u32(skb, HCA_NL_PORT_LMC, info.lmc) ||
	    nla_put_u32(skb, HCA_NL_PORT_SM_LID, info.sm_lid) ||
	    nla_put_u32(skb, HCA_NL_PORT_MTU, hca_mtu_bytes(info.neighbor_mtu)) ||
	    fill_peer(skb, port) ||
	    hca_fault_fill(skb, HCA_NL_PORT_FAULT, port))
		return -EMSGSIZE;

	nla_nest_end(skb, nest);
	return 0;
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

static int fill_node(struct sk_buff *skb, struct hca_node *node)
{
	char description[HCA_NODE_DESC_BYTES + 1] = {};

	spin_lock_bh(&node->desc_lock);
	memcpy(description, node->description, HCA_NODE_DESC_BYTES);
	spin_unlock_bh(&node->desc_lock);

	return nla_put_u32(skb, HCA_NL_DEVICE_PORTS, node->num_ports) ?:
	       nla_put_u64_64bit(skb, HCA_NL_DEVICE_GUID, be64_to_cpu(node->node_guid),
				 HCA_NL_DEVICE_PAD) ?:
	       nla_put_string(skb, HCA_NL_DEVICE_DESCRIPTION, description);
}

static int fill_device(struct sk_buff *skb, struct hca_device *dev)
{
	struct hca_node *node = hca_device_node(dev);
	int type, err;
	u32 num;

	err = nla_put_string(skb, HCA_NL_DEVICE_NAME, hca_device_name(dev)) ?:
	      nla_put_string(skb, HCA_NL_DEVICE_DRIVER_VERSION, THIS_MODULE->version) ?:
	      fill_node(skb, node);
	for (num = 1; !err && num <= node->num_ports; num++)
		err = fill_port(skb, hca_node_port(node, num));
	for (type = 0; !err && type < HCA_NUM_OBJECTS; type++)
		err = fill_object(skb, dev, type);
	return err;
}

int hca_device_get_command(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *name = info->attrs[HCA_NL_DEVICE_NAME];
	struct hca_entry *entry;
	struct sk_buff *reply;
	void *header;
	int err;

	if (GENL_REQ_ATTR_CHECK(info, HCA_NL_DEVICE_NAME))
		return -EINVAL;

	reply = nlmsg_new(NLMSG_GOODSIZE, GFP_KERNEL);
	if (!reply)
		return -ENOMEM;
	header = genlmsg_put_reply(reply, info, &hca_genl_family, 0, HCA_CMD_DEVICE_GET);

	mutex_lock(&hca_control_mutex);
	entry = hca_registry_find(nla_data(name));
	if (entry)
		err = fill_device(reply, entry->dev);
	else
		err = hca_refuse(skb, info, name, -ENODEV, "there is no such device");
	mutex_unlock(&hca_control_mutex);

	if (err) {
		nlmsg_free(reply);
		return err;
	}
	genlmsg_end(reply, header);
	return genlmsg_reply(reply, info);
}

int hca_device_dump_start(struct netlink_callback *cb)
{
	if (!nlmsg_attrlen(cb->nlh, GENL_HDRLEN))
		return 0;
	NL_SET_ERR_MSG(cb->extack, "a dump takes no attributes");
	return -EINVAL;
}

static void *start_message(struct sk_buff *skb, struct netlink_callback *cb, u8 command)
{
	void *header = genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
				   &hca_genl_family, NLM_F_MULTI, command);

	if (header)
		genl_dump_check_consistent(cb, header);
	return header;
}

/* args[0]: the id of the device to go on with. */
int hca_device_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct hca_entry *entry;
	void *header;
	int err = 0;

	mutex_lock(&hca_control_mutex);
	cb->seq = hca_registry_generation();
	while (!err && (entry = hca_registry_from(cb->args[0]))) {
		header = start_message(skb, cb, HCA_CMD_DEVICE_GET);
		err = header ? fill_device(skb, entry->dev) : -EMSGSIZE;
		if (!err) {
			genlmsg_end(skb, header);
			cb->args[0] = entry->id + 1;
		} else {
			genlmsg_cancel(skb, header);
		}
	}
	mutex_unlock(&hca_control_mutex);
	return skb->len ?: err;
}

/* Of the two ends of a cable, the one whose turn it is to tell of it. */
static bool tells(const struct hca_port *port, const struct hca_port *peer)
{
	u32 id = hca_registry_owner(port->node)->id;
	u32 peer_id = hca_registry_owner(peer->node)->id;

	return id != peer_id ? id < peer_id : port->num < peer->num;
}

static int fill_link(struct sk_buff *skb, struct netlink_callback *cb, const struct hca_port *port)
{
	const struct hca_port *peer = hca_registry_peer(port);
	void *header;

	if (!peer || !tells(port, peer))
		return 0;

	header = start_message(skb, cb, HCA_CMD_LINK_GET);
	if (!header)
		return -EMSGSIZE;
	if (nla_put_string(skb, HCA_NL_LINK_DEVICE_A, hca_registry_port_device(port)) ||
	    nla_put_u32(skb, HCA_NL_LINK_PORT_A, port->num) ||
	    nla_put_string(skb, HCA_NL_LINK_DEVICE_B, hca_registry_port_device(peer)) ||
	    nla_put_u32(skb, HCA_NL_LINK_PORT_B, peer->num) ||
	    hca_fault_fill(skb, HCA_NL_LINK_FAULT_A, port) ||
	    hca_fault_fill(skb, HCA_NL_LINK_FAULT_B, peer)) {
		genlmsg_cancel(skb, header);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, header);
	return 0;
}

/* args[0]: the id of the device to go on with; args[1]: how many of its ports are done. */
int hca_link_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct hca_entry *entry;
	struct hca_node *node;
	int err = 0;

	mutex_lock(&hca_control_mutex);
	cb->seq = hca_registry_generation();
	while (!err && (entry = hca_registry_from(cb->args[0]))) {
		/* The one to go on with may have been deleted. */
		if (entry->id != cb->args[0])
			cb->args[1] = 0;
		cb->args[0] = entry->id;

		node = hca_device_node(entry->dev);
		while (!err && cb->args[1] < node->num_ports) {
			err = fill_link(skb, cb, hca_node_port(node, cb->args[1] + 1));
			if (!err)
				cb->args[1]++;
		}
		if (!err) {
			cb->args[0]++;
			cb->args[1] = 0;
		}
	}
	mutex_unlock(&hca_control_mutex);
	return skb->len ?: err;
}
