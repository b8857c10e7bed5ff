// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Adding and deleting channel adapters. */
#include <linux/bits.h>
#include <linux/err.h>
#include <linux/hca_netlink.h>
#include <linux/string.h>
#include <net/genetlink.h>
#include "control/handlers.h"
#include "control/refuse.h"
#include "control/registry.h"
#include "fabric/node.h"
#include "link/port.h"
#include "phy/cable.h"
#include "verbs/device.h"

/* Bit 0 of an EUI-64's first octet: not one interface but a group. */
#define GUID_GROUP_BIT BIT_ULL(56)

/*
 * The name is a directory's in sysfs and a word in shells, DEVICE/PORT is how a
 * port is called, and a '%' would have the RDMA core choose a number.
 * Return: what would be right, NULL if the name is.
 */
static const char *name_fault(const char *name)
{
	const char *c;

	if (!*name)
		return "must not be empty";
	if (!strcmp(name, ".") || !strcmp(name, ".."))
		return "must not be . or ..";
	for (c = name; *c; c++)
		if (*c <= ' ' || *c > '~' || *c == '/' || *c == '%')
			return "must be printable ASCII without space, '/' and '%'";
	return NULL;
}

static u64 first_guid(struct hca_device *dev)
{
	return be64_to_cpu(hca_device_node(dev)->node_guid);
}

static u64 last_guid(struct hca_device *dev)
{
	return first_guid(dev) + hca_device_node(dev)->num_ports;
}

/* A device that has one of these GUIDs, as its own or as a port's. */
static struct hca_device *find_guids(u64 first, u64 last)
{
	struct hca_entry *entry;

	for (entry = hca_registry_from(0); entry; entry = hca_registry_from(entry->id + 1))
		if (first <= last_guid(entry->dev) && first_guid(entry->dev) <= last)
			return entry->dev;
	return NULL;
}

static int check_name(struct sk_buff *skb, struct genl_info *info, const struct nlattr *attr)
{
	const char *name = nla_data(attr), *fault = name_fault(name);

	if (fault)
		return hca_refuse(skb, info, attr, -EINVAL, "%s", fault);
	if (hca_registry_find(name))
		return hca_refuse(skb, info, attr, -EEXIST, "there is a device of this name");
	return 0;
}

static int check_guid(struct sk_buff *skb, struct genl_info *info, const struct nlattr *attr,
		      u32 ports)
{
	u64 first = nla_get_u64(attr), last = first + ports;
	struct hca_device *other;

	if (!first)
		return hca_refuse(skb, info, attr, -EINVAL, "must not be 0");
	if (first & GUID_GROUP_BIT)
		return hca_refuse(skb, info, attr, -EINVAL,
				  "is a group's: bit 56 (0x%016llx) must not be set",
				  GUID_GROUP_BIT);
	if (last & GUID_GROUP_BIT)
		return hca_refuse(skb, info, attr, -EINVAL,
				  "leaves no room behind it for the ports' GUIDs");

	other = find_guids(first, last);
	if (other)
		return hca_refuse(skb, info, attr, -EEXIST,
				  "%s has GUIDs 0x%016llx to 0x%016llx", hca_device_name(other),
				  first_guid(other), last_guid(other));
	return 0;
}

static int add(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *name = info->attrs[HCA_NL_DEVICE_NAME];
	const struct nlattr *guid = info->attrs[HCA_NL_DEVICE_GUID];
	u32 ports = nla_get_u32(info->attrs[HCA_NL_DEVICE_PORTS]);
	struct hca_device *dev;
	int err;

	err = check_name(skb, info, name);
	if (err)
		return err;
	err = check_guid(skb, info, guid, ports);
	if (err)
		return err;

	dev = hca_device_add(nla_data(name), ports, cpu_to_be64(nla_get_u64(guid)));
	if (IS_ERR(dev)) {
		err = PTR_ERR(dev);
		/* The core says ENFILE, its sysfs EEXIST. */
		if (err == -ENFILE || err == -EEXIST)
			return hca_refuse(skb, info, name, -EEXIST,
					  "there is an RDMA device of this name, of another driver");
		return hca_refuse(skb, info, NULL, err, "the device could not be registered");
	}

	err = hca_registry_add(dev);
	if (err)
		hca_device_del(dev);
	return err;
}

static void del(struct hca_entry *entry)
{
	struct hca_device *dev = entry->dev;
	struct hca_node *node = hca_device_node(dev);
	u32 num;

	for (num = 1; num <= node->num_ports; num++)
		if (hca_registry_peer(hca_node_port(node, num)))
			hca_cable_unplug(hca_node_port(node, num));
	hca_registry_del(entry);
	hca_device_del(dev);
}

int hca_device_add_command(struct sk_buff *skb, struct genl_info *info)
{
	int err;

	if (GENL_REQ_ATTR_CHECK(info, HCA_NL_DEVICE_NAME) ||
	    GENL_REQ_ATTR_CHECK(info, HCA_NL_DEVICE_PORTS) ||
	    GENL_REQ_ATTR_CHECK(info, HCA_NL_DEVICE_GUID))
		return -EINVAL;

	mutex_lock(&hca_control_mutex);
	err = add(skb, info);
	mutex_unlock(&hca_control_mutex);
	return err;
}

int hca_device_del_command(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *name = info->attrs[HCA_NL_DEVICE_NAME];
	struct hca_entry *entry;
	int err = 0;

	if (GENL_REQ_ATTR_CHECK(info, HCA_NL_DEVICE_NAME))
		return -EINVAL;

	mutex_lock(&hca_control_mutex);
	entry = hca_registry_find(nla_data(name));
	if (entry)
		del(entry);
	else
		err = hca_refuse(skb, info, name, -ENODEV, "there is no such device");
	mutex_unlock(&hca_control_mutex);
	return err;
}

void hca_devices_del_all(void)
{
	struct hca_entry *entry;

	mutex_lock(&hca_control_mutex);
	while ((entry = hca_registry_from(0)))
		del(entry);
	mutex_unlock(&hca_control_mutex);
}
