// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Commands that report devices and links to user space. */
#include <linux/hca_netlink.h>
#include <linux/module.h>
#include <linux/string.h>
#include <net/genetlink.h>
#include "control/dump.h"
#include "control/faults.h"
#include "control/handlers.h"
#include "control/kinds.h"
#include "control/networks.h"
#include "control/registry.h"
#include "control/shapes.h"
#include "fabric/node.h"
#include "link/port/port.h"
#include "link/state/rate.h"

/*
 * Maximum size of a reply, in octets. The largest switch fits, even with faults at all ports and
 * all buffers in use.
 */
#define MAX_REPLY (512 * 1024)

static int show_fill_peer(struct sk_buff *skb, const struct hca_port *port)
{
	const struct hca_port *peer = hca_registry_peer(port);

	if (!peer)
		return 0;
	return nla_put_string(skb, HCA_NL_PORT_PEER_DEVICE, hca_registry_port_device(peer)) ?:
	       nla_put_u32(skb, HCA_NL_PORT_PEER_PORT, peer->num);
}

/* Add supported and enabled widths and speeds and, if the link is up, the active ones. */
static int show_fill_rates(struct sk_buff *skb, const struct hca_port_info *info)
{
	struct hca_link_rate supported = hca_link_rate_supported(info);
	struct hca_link_rate enabled = hca_link_rate_enabled(info);
	struct hca_link_rate active = hca_link_rate_active(info);

	return hca_rate_fill(skb, HCA_NL_PORT_SUPPORTED, &supported) ?:
	       hca_rate_fill(skb, HCA_NL_PORT_ENABLED, &enabled) ?:
	       (info->state > IB_PORT_DOWN ? hca_rate_fill(skb, HCA_NL_PORT_ACTIVE, &active) : 0);
}

static int show_fill_buffer(struct sk_buff *skb, u8 vl, s32 reserved, s32 outstanding)
{
	struct nlattr *nest = nla_nest_start(skb, HCA_NL_PORT_BUFFER);

	if (!nest || nla_put_u32(skb, HCA_NL_BUFFER_VL, vl) ||
	    nla_put_s32(skb, HCA_NL_BUFFER_RESERVED, reserved) ||
	    nla_put_s32(skb, HCA_NL_BUFFER_OUTSTANDING, outstanding))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

/* Add each VL whose buffer is in use. */
static int show_fill_buffers(struct sk_buff *skb, struct hca_port *port, u8 state)
{
	const struct hca_port *peer = hca_registry_peer(port);
	s32 reserved, outstanding;
	int err = 0;
	u8 vl;

	if (!peer && !hca_network_noun(port))
		return 0;
	for (vl = 0; vl < HCA_NUM_VLS && !err; vl++) {
		outstanding = peer && state > IB_PORT_DOWN && vl < HCA_DATA_VLS ?
				      hca_tx_outstanding(port, peer, vl) : 0;
		reserved = hca_rx_buffer_reserved(port, vl);
		if (reserved || outstanding)
			err = show_fill_buffer(skb, vl, reserved, outstanding);
	}
	return err;
}

static int show_fill_port(struct sk_buff *skb, struct hca_port *port)
{
	struct nlattr *nest = nla_nest_start(skb, HCA_NL_DEVICE_PORT);
	struct hca_port_info info;
	__be64 guid;

	if (!nest)
		return -EMSGSIZE;

	spin_lock_bh(&port->lock);
	info = port->info;
	guid = port->tables.guid[0];
	spin_unlock_bh(&port->lock);

	if (nla_put_u32(skb, HCA_NL_PORT_NUMBER, port->num) ||
	    nla_put_u64_64bit(skb, HCA_NL_PORT_GUID, be64_to_cpu(guid), HCA_NL_PORT_PAD) ||
	    nla_put_u32(skb, HCA_NL_PORT_STATE, info.state) ||
	    nla_put_u32(skb, HCA_NL_PORT_PHYS_STATE, info.phys_state) ||
	    nla_put_u32(skb, HCA_NL_PORT_LID, info.lid) ||
	    nla_put_u32(skb, HCA_NL_PORT_LMC, info.lmc) ||
	    nla_put_u32(skb, HCA_NL_PORT_SM_LID, info.sm_lid) ||
	    nla_put_u32(skb, HCA_NL_PORT_MTU, hca_mtu_bytes(info.neighbor_mtu)) ||
	    show_fill_peer(skb, port) ||
	    hca_network_fill(skb, HCA_NL_PORT_NETWORK, port) ||
	    hca_fault_fill(skb, HCA_NL_PORT_FAULT, port) ||
	    hca_shape_fill(skb, HCA_NL_PORT_SHAPE, port) || show_fill_rates(skb, &info) ||
	    show_fill_buffers(skb, port, info.state) ||
	    (port->recovery.admin_down && nla_put_flag(skb, HCA_NL_PORT_ADMIN_DOWN)))
		return -EMSGSIZE;

	nla_nest_end(skb, nest);
	return 0;
}

static int show_fill_identity(struct sk_buff *skb, const struct hca_entry *entry)
{
	return nla_put_string(skb, HCA_NL_DEVICE_NAME, hca_registry_name(entry)) ?:
	       nla_put_u32(skb, HCA_NL_DEVICE_TYPE, entry->kind->type) ?:
	       nla_put_string(skb, HCA_NL_DEVICE_DRIVER_VERSION, THIS_MODULE->version) ?:
	       (entry->going ? nla_put_flag(skb, HCA_NL_DEVICE_GOING) : 0) ?:
	       entry->kind->describe(skb, entry);
}

/*
 * Add the parts of a device to a message: first each port, then the attributes of the kind of
 * device. *step is the number of parts in this message and the messages before it. If a part does
 * not fit, all of it is removed from the message again. Return: 0 or -EMSGSIZE.
 */
static int show_fill_parts(struct sk_buff *skb, const struct hca_entry *entry, long *step)
{
	u32 num_ports = hca_registry_num_ports(entry);
	struct hca_port *port;
	void *mark;
	int err;

	for (; *step <= num_ports + 1; (*step)++) {
		mark = skb_tail_pointer(skb);
		port = hca_registry_port(entry, *step);
		if (port)
			err = show_fill_port(skb, port);
		else if (*step > num_ports && entry->kind->fill)
			err = entry->kind->fill(skb, entry);
		else
			err = 0;
		if (err) {
			nlmsg_trim(skb, mark);
			return err;
		}
	}
	return 0;
}

static int show_reply(struct sk_buff *reply, struct sk_buff *skb, struct genl_info *info)
{
	void *header = genlmsg_put_reply(reply, info, &hca_genl_family, 0, HCA_CMD_DEVICE_GET);
	struct hca_entry *entry;
	long step = 0;
	int err;

	mutex_lock(&hca_control_mutex);
	err = hca_device_named(skb, info, &entry) ?:
	      show_fill_identity(reply, entry) ?:
	      show_fill_parts(reply, entry, &step);
	mutex_unlock(&hca_control_mutex);
	genlmsg_end(reply, header);
	return err;
}

/* Try larger and larger replies until the device fits. All ports of a switch need about 32 KiB. */
int hca_device_get_command(struct sk_buff *skb, struct genl_info *info)
{
	size_t size = NLMSG_GOODSIZE;
	struct sk_buff *reply;
	int err;

	if (GENL_REQ_ATTR_CHECK(info, HCA_NL_DEVICE_NAME))
		return -EINVAL;

	do {
		reply = nlmsg_new(size, GFP_KERNEL);
		if (!reply)
			return -ENOMEM;
		err = show_reply(reply, skb, info);
		if (!err)
			return genlmsg_reply(reply, info);
		nlmsg_free(reply);
		size *= 2;
	} while (err == -EMSGSIZE && size <= MAX_REPLY);
	return err;
}

int hca_device_dump_start(struct netlink_callback *cb)
{
	if (!nlmsg_attrlen(cb->nlh, GENL_HDRLEN))
		return 0;
	NL_SET_ERR_MSG(cb->extack, "a dump takes no attributes");
	return -EINVAL;
}

/*
 * Add a message about a device. Only the first message in @skb may contain an incomplete device,
 * because a message in another @skb would not have more room. Return: 0 if the device is complete;
 * otherwise -EMSGSIZE.
 */
static int show_dump_device(struct sk_buff *skb, struct netlink_callback *cb,
			    const struct hca_entry *entry)
{
	bool alone = !skb->len;
	void *header = hca_dump_message(skb, cb, HCA_CMD_DEVICE_GET);
	long step = cb->args[1];
	int err;

	err = header ? show_fill_identity(skb, entry) ?: show_fill_parts(skb, entry, &step) :
		       -EMSGSIZE;
	if (err && (!alone || step == cb->args[1])) {
		genlmsg_cancel(skb, header);
		return err;
	}
	genlmsg_end(skb, header);
	cb->args[1] = step;
	return err;
}

/* cb->args[1] is the number of the device's parts that have been reported (show_fill_parts()). */
int hca_device_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	return hca_dump_devices(skb, cb, show_dump_device);
}

/* Return whether @port, not @peer, reports their cable. Only one end of a cable reports it. */
static bool show_reports_cable(const struct hca_port *port, const struct hca_port *peer)
{
	unsigned long id = port->node->entry->id, peer_id = peer->node->entry->id;

	return id != peer_id ? id < peer_id : port->num < peer->num;
}

static struct hca_port_info show_port_info(struct hca_port *port)
{
	struct hca_port_info info;

	spin_lock_bh(&port->lock);
	info = port->info;
	spin_unlock_bh(&port->lock);
	return info;
}

static int show_fill_training(struct sk_buff *skb, struct hca_port *a, struct hca_port *b)
{
	struct hca_port_info info_a = show_port_info(a), info_b = show_port_info(b);
	struct hca_link_rate enabled_a = hca_link_rate_enabled(&info_a);
	struct hca_link_rate enabled_b = hca_link_rate_enabled(&info_b);
	struct hca_link_rate active = hca_link_rate_active(&info_a);
	bool up = info_a.state > IB_PORT_DOWN && info_b.state > IB_PORT_DOWN;

	return hca_rate_fill(skb, HCA_NL_LINK_ENABLED_A, &enabled_a) ?:
	       hca_rate_fill(skb, HCA_NL_LINK_ENABLED_B, &enabled_b) ?:
	       (up ? hca_rate_fill(skb, HCA_NL_LINK_ACTIVE, &active) : 0);
}

/* Add the other end of a cable, its faults and shapes, and its enabled and active rates. */
static int show_fill_cable(struct sk_buff *skb, struct hca_port *port, struct hca_port *peer)
{
	return nla_put_string(skb, HCA_NL_LINK_DEVICE_B, hca_registry_port_device(peer)) ?:
	       nla_put_u32(skb, HCA_NL_LINK_PORT_B, peer->num) ?:
	       hca_fault_fill(skb, HCA_NL_LINK_FAULT_A, port) ?:
	       hca_fault_fill(skb, HCA_NL_LINK_FAULT_B, peer) ?:
	       hca_shape_fill(skb, HCA_NL_LINK_SHAPE_A, port) ?:
	       hca_shape_fill(skb, HCA_NL_LINK_SHAPE_B, peer) ?:
	       show_fill_training(skb, port, peer);
}

static int show_fill_link(struct sk_buff *skb, struct netlink_callback *cb, struct hca_port *port)
{
	struct hca_port *peer = hca_registry_peer(port);
	void *header;

	if (peer ? !show_reports_cable(port, peer) : !hca_network_noun(port))
		return 0;

	header = hca_dump_message(skb, cb, HCA_CMD_LINK_GET);
	if (!header)
		return -EMSGSIZE;
	if (nla_put_string(skb, HCA_NL_LINK_DEVICE_A, hca_registry_port_device(port)) ||
	    nla_put_u32(skb, HCA_NL_LINK_PORT_A, port->num) ||
	    (port->recovery.admin_down && nla_put_u32(skb, HCA_NL_LINK_ADMIN_DOWN, 1)) ||
	    (peer ? show_fill_cable(skb, port, peer) :
		    hca_network_fill(skb, HCA_NL_LINK_NETWORK, port) ?:
		    hca_fault_fill(skb, HCA_NL_LINK_FAULT_A, port) ?:
		    hca_shape_fill(skb, HCA_NL_LINK_SHAPE_A, port))) {
		genlmsg_cancel(skb, header);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, header);
	return 0;
}

/* Add the links of a device's ports. cb->args[1] is the number of ports that are done. */
static int show_dump_links(struct sk_buff *skb, struct netlink_callback *cb,
			   const struct hca_entry *entry)
{
	int err = 0;

	while (!err && cb->args[1] < hca_registry_num_ports(entry)) {
		err = show_fill_link(skb, cb, hca_registry_port(entry, cb->args[1] + 1));
		if (!err)
			cb->args[1]++;
	}
	return err;
}

int hca_link_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	return hca_dump_devices(skb, cb, show_dump_links);
}
