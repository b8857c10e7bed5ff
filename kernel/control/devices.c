// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Commands that create, change and delete devices of all kinds. */
#include <linux/bits.h>
#include <linux/hca_netlink.h>
#include <linux/netdevice.h>
#include <linux/string.h>
#include <linux/utsname.h>
#include <linux/workqueue.h>
#include <net/genetlink.h>
#include "control/handlers.h"
#include "control/kinds.h"
#include "control/networks.h"
#include "control/refuse.h"
#include "control/registry.h"
#include "control/rnic_faults.h"
#include "control/rnics.h"
#include "control/tap.h"
#include "fabric/node.h"
#include "link/port/port.h"
#include "phy/cable.h"
#include "verbs/core/device.h"
#include "verbs/rnic/rnic.h"

/*
 * Workqueue that deletes devices. A deletion may have to wait for a process, but not for another
 * deletion. NULL, when the module ends: all devices are deleted then. Guarded by the control mutex.
 */
static struct workqueue_struct *ends;

/* The group bit of an EUI-64: bit 0 of its first octet. */
#define GUID_GROUP_BIT BIT_ULL(56)

/*
 * Check the name of a new device. The name is used as a directory in sysfs, as an argument in
 * shells and in "DEVICE/PORT"; the RDMA core replaces '%' by a number. Return: a message with the
 * rule that the name breaks; NULL if the name is valid.
 */
static const char *device_name_fault(const char *name)
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

/* Return the end of a message about a device: empty unless the device is being deleted. */
static const char *device_fate(const struct hca_entry *entry)
{
	return entry->going ? ", which is being deleted" : "";
}

static int device_check_name(struct sk_buff *skb, struct genl_info *info, const struct nlattr *attr)
{
	const char *name = nla_data(attr), *fault = device_name_fault(name);
	const struct hca_entry *other;

	if (fault)
		return hca_refuse(skb, info, attr, -EINVAL, "%s", fault);
	other = hca_registry_find_reserved(name);
	if (other)
		return hca_refuse(skb, info, attr, -EEXIST, "there is a %s of this name%s",
				  other->kind->noun, device_fate(other));
	return 0;
}

static int device_refuse_in_use(struct sk_buff *skb, struct genl_info *info,
				const struct nlattr *attr, const struct hca_entry *other)
{
	const struct hca_guids *guids = &other->guids;

	if (guids->first == guids->last)
		return hca_refuse(skb, info, attr, -EEXIST, "%s%s has GUID 0x%016llx",
				  hca_registry_name(other), device_fate(other), guids->first);
	return hca_refuse(skb, info, attr, -EEXIST, "%s%s has GUIDs 0x%016llx to 0x%016llx",
			  hca_registry_name(other), device_fate(other), guids->first, guids->last);
}

static int device_refuse_group(struct sk_buff *skb, struct genl_info *info,
			       const struct nlattr *attr)
{
	return hca_refuse(skb, info, attr, -EINVAL,
			  "is a group's: bit 56 (0x%016llx) must not be set", GUID_GROUP_BIT);
}

static int device_check_guids(struct sk_buff *skb, struct genl_info *info,
			      const struct nlattr *attr, const struct hca_guids *guids)
{
	const struct hca_entry *other;

	if (!guids->first)
		return hca_refuse(skb, info, attr, -EINVAL, "must not be 0");
	if (guids->first & GUID_GROUP_BIT)
		return device_refuse_group(skb, info, attr);
	if (guids->last < guids->first || guids->last & GUID_GROUP_BIT)
		return hca_refuse(skb, info, attr, -EINVAL,
				  "leaves no room behind it for the ports' GUIDs");

	other = hca_registry_find_guids(*guids);
	return other ? device_refuse_in_use(skb, info, attr, other) : 0;
}

/* Check the attribute SYSTEM_IMAGE_GUID. All devices of one system may have one value. */
static int device_check_system_image(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *attr = info->attrs[HCA_NL_DEVICE_SYSTEM_IMAGE_GUID];

	if (!attr)
		return 0;
	if (!nla_get_u64(attr))
		return hca_refuse(skb, info, attr, -EINVAL, "must not be 0");
	if (nla_get_u64(attr) & GUID_GROUP_BIT)
		return device_refuse_group(skb, info, attr);
	return 0;
}

static void device_set_system_image(struct hca_entry *entry, const struct genl_info *info)
{
	const struct nlattr *attr = info->attrs[HCA_NL_DEVICE_SYSTEM_IMAGE_GUID];

	if (attr)
		entry->kind->set_system_image_guid(entry, cpu_to_be64(nla_get_u64(attr)));
}

static int device_check_kind(struct sk_buff *skb, struct genl_info *info,
			     const struct hca_kind *kind)
{
	const struct nlattr *ports = info->attrs[HCA_NL_DEVICE_PORTS];
	const struct nlattr *enhanced = info->attrs[HCA_NL_DEVICE_ENHANCED];
	const struct nlattr *random = info->attrs[HCA_NL_DEVICE_RANDOM];
	u32 count = nla_get_u32(ports);

	if (!count || count > kind->max_ports)
		return hca_refuse(skb, info, ports, -ERANGE, "must be 1 to %u", kind->max_ports);
	if (enhanced && !kind->is_switch)
		return hca_refuse(skb, info, enhanced, -EINVAL, "a %s has no port 0", kind->noun);
	if (random && !kind->is_switch)
		return hca_refuse(skb, info, random, -EINVAL, "a %s does not forward", kind->noun);
	return 0;
}

/* Check the attribute RNIC, and read it. The caller releases the interface in @config. */
static int device_read_rnic(struct sk_buff *skb, struct genl_info *info,
			    const struct hca_kind *kind, struct hca_rnic_config *config)
{
	const struct nlattr *rnic = info->attrs[HCA_NL_DEVICE_RNIC];

	if (kind->needs_interface)
		return rnic ? hca_rnic_parse(skb, info, rnic, config) :
			      hca_refuse(skb, info, info->attrs[HCA_NL_DEVICE_TYPE], -EINVAL,
					 "the interface of the %s is missing", kind->noun);
	return rnic ? hca_refuse(skb, info, rnic, -EINVAL, "a %s has no interface", kind->noun) : 0;
}

static int device_refuse_make(struct sk_buff *skb, struct genl_info *info,
			      const struct hca_kind *kind, int err)
{
	if (err == -EADDRINUSE)
		return hca_refuse(skb, info, info->attrs[HCA_NL_DEVICE_RNIC], err,
				  "an rnic of this interface serves the same addresses; several "
				  "need an address each");
	if (err == -ENODEV && kind->needs_interface)
		return hca_refuse(skb, info, info->attrs[HCA_NL_DEVICE_RNIC], err,
				  "the interface is being removed");
	/* The RDMA core returns ENFILE for a name in use, or EEXIST from sysfs. */
	if (err == -ENFILE || err == -EEXIST)
		return hca_refuse(skb, info, info->attrs[HCA_NL_DEVICE_NAME], -EEXIST,
				  "there is an RDMA device of this name, of another driver");
	if (kind->has_verbs)
		return hca_refuse(skb, info, NULL, err, "the device could not be registered");
	return err;
}

/*
 * Set the NodeDescription to @given. If @given is NULL, set it to the host name and @name.
 */
static void device_describe(char *description, size_t size, const char *name,
			    const struct nlattr *given)
{
	if (given)
		nla_strscpy(description, given, size);
	else
		snprintf(description, size, "%s %s", init_utsname()->nodename, name);
}

/* Free a reserved entry. New devices can then use its name and GUIDs. */
static void device_release_entry(struct hca_entry *entry)
{
	mutex_lock(&hca_control_mutex);
	hca_registry_del(entry);
	mutex_unlock(&hca_control_mutex);
}

/* Check a command to add a device, and reserve its name and GUIDs. */
static int device_reserve(struct sk_buff *skb, struct genl_info *info, const struct hca_kind *kind,
			  struct hca_entry **entry)
{
	const struct nlattr *name = info->attrs[HCA_NL_DEVICE_NAME];
	const struct nlattr *guid = info->attrs[HCA_NL_DEVICE_GUID];
	u64 first = nla_get_u64(guid);
	u32 ports = nla_get_u32(info->attrs[HCA_NL_DEVICE_PORTS]);
	struct hca_guids guids = { first, kind->one_guid ? first : first + ports };
	int err;

	mutex_lock(&hca_control_mutex);
	err = device_check_kind(skb, info, kind) ?:
	      device_check_name(skb, info, name) ?:
	      device_check_guids(skb, info, guid, &guids) ?:
	      device_check_system_image(skb, info) ?:
	      hca_registry_reserve(kind, nla_data(name), guids, entry);
	mutex_unlock(&hca_control_mutex);
	return err;
}

/* Make a device live. It may have lost its interface since it was created. */
static void device_publish(struct hca_entry *entry)
{
	const struct hca_kind *kind = entry->kind;

	mutex_lock(&hca_control_mutex);
	hca_registry_publish(entry);
	if (kind->is_lost && kind->is_lost(entry->device))
		hca_device_end(entry);
	mutex_unlock(&hca_control_mutex);
}

static int device_make(struct sk_buff *skb, struct genl_info *info, const struct hca_kind *kind,
		       struct hca_rnic_config *rnic)
{
	char description[HCA_NODE_DESC_BYTES + 1];
	const struct hca_spec spec = {
		.ports = nla_get_u32(info->attrs[HCA_NL_DEVICE_PORTS]),
		.guid = cpu_to_be64(nla_get_u64(info->attrs[HCA_NL_DEVICE_GUID])),
		.description = description,
		.enhanced = nla_get_flag(info->attrs[HCA_NL_DEVICE_ENHANCED]),
		.random = nla_get_flag(info->attrs[HCA_NL_DEVICE_RANDOM]),
		.rnic = rnic,
	};
	struct hca_entry *entry;
	int err = device_reserve(skb, info, kind, &entry);

	if (err)
		return err;
	device_describe(description, sizeof(description),
			nla_data(info->attrs[HCA_NL_DEVICE_NAME]),
			info->attrs[HCA_NL_DEVICE_DESCRIPTION]);
	err = kind->make(entry, &spec);
	if (err) {
		device_release_entry(entry);
		return device_refuse_make(skb, info, kind, err);
	}
	device_set_system_image(entry, info);
	device_publish(entry);
	return 0;
}

static int device_reserve_new(const struct hca_kind *kind, const char *name, struct hca_guids guids,
			      struct hca_entry **entry)
{
	int err = -EEXIST;

	mutex_lock(&hca_control_mutex);
	if (!hca_registry_find_reserved(name) && !hca_registry_find_guids(guids))
		err = hca_registry_reserve(kind, name, guids, entry);
	mutex_unlock(&hca_control_mutex);
	return err;
}

static int device_new(const struct hca_kind *kind, const char *name, u64 guid,
		      struct hca_rnic_config *rnic)
{
	struct hca_guids guids = { guid, kind->one_guid ? guid : guid + 1 };
	char description[HCA_NODE_DESC_BYTES + 1];
	const struct hca_spec spec = {
		.ports = 1,
		.guid = cpu_to_be64(guid),
		.description = description,
		.rnic = rnic,
	};
	struct hca_entry *entry;
	int err;

	if (device_name_fault(name))
		return -EINVAL;
	err = device_reserve_new(kind, name, guids, &entry);
	if (err)
		return err;
	device_describe(description, sizeof(description), name, NULL);
	err = kind->make(entry, &spec);
	if (err) {
		device_release_entry(entry);
		return err;
	}
	device_publish(entry);
	return 0;
}

int hca_device_new(const char *name, u64 guid)
{
	return device_new(&hca_kinds[HCA_NL_TYPE_DEVICE], name, guid, NULL);
}

int hca_rnic_new(const char *name, u64 guid, struct hca_rnic_config *config)
{
	return device_new(&hca_kinds[HCA_NL_TYPE_RNIC], name, guid, config);
}

/* Start to remove all cables of a device. hca_cable_sync() of @unlinked finishes the removal. */
static void device_unlink_cables(const struct hca_entry *entry, struct list_head *unlinked)
{
	struct hca_port *port;
	u32 num;

	for (num = 1; num <= hca_registry_num_ports(entry); num++) {
		port = hca_registry_port(entry, num);
		if (hca_registry_peer(port))
			hca_cable_unlink(port, unlinked);
	}
}

/* Remove all links over networks of a device. */
static void device_networks_del(const struct hca_entry *entry)
{
	u32 num;

	for (num = 1; num <= hca_registry_num_ports(entry); num++)
		hca_network_del(hca_registry_port(entry, num));
}

/* Detach a device from its verbs consumers, and wait until no process executes a verb on it. */
static void device_unregister_node(struct hca_entry *entry)
{
	if (entry->device)
		hca_device_unregister(entry->device);
}

/* Remove all links of an unregistered device, end its captures, and make its entry reserved. */
static void device_detach_node(struct hca_entry *entry)
{
	LIST_HEAD(unlinked);

	mutex_lock(&hca_control_mutex);
	device_unlink_cables(entry, &unlinked);
	hca_cable_sync(&unlinked);
	device_networks_del(entry);
	hca_taps_end(entry);
	hca_registry_withdraw(entry);
	mutex_unlock(&hca_control_mutex);
}

/* Free an unregistered device, after others have released its packets, and free its entry. */
static void device_free_node(struct hca_entry *entry)
{
	device_detach_node(entry);
	entry->kind->free(entry);
	device_release_entry(entry);
}

static void device_end_work(struct work_struct *work)
{
	struct hca_entry *entry = container_of(work, struct hca_entry, end);

	device_unregister_node(entry);
	device_free_node(entry);
}

void hca_device_end(struct hca_entry *entry)
{
	lockdep_assert_held(&hca_control_mutex);
	if (entry->going || !ends)
		return;
	entry->going = true;
	hca_registry_changed();
	INIT_WORK(&entry->end, device_end_work);
	queue_work(ends, &entry->end);
}

int hca_device_add_command(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *type = info->attrs[HCA_NL_DEVICE_TYPE];
	const struct hca_kind *kind = &hca_kinds[type ? nla_get_u32(type) : HCA_NL_TYPE_DEVICE];
	struct hca_rnic_config rnic = {};
	int err;

	if (GENL_REQ_ATTR_CHECK(info, HCA_NL_DEVICE_NAME) ||
	    GENL_REQ_ATTR_CHECK(info, HCA_NL_DEVICE_PORTS) ||
	    GENL_REQ_ATTR_CHECK(info, HCA_NL_DEVICE_GUID))
		return -EINVAL;

	err = device_read_rnic(skb, info, kind, &rnic);
	if (err)
		return err;
	err = device_make(skb, info, kind, &rnic);
	dev_put(rnic.netdev);
	return err;
}

/* A device of the RDMA core is of type DEVICE with any carrier. */
static bool device_is(const struct hca_entry *entry, const struct hca_kind *kind)
{
	return entry->kind == kind ||
	       (kind->type == HCA_NL_TYPE_DEVICE && entry->kind->has_verbs);
}

int hca_device_named(struct sk_buff *skb, struct genl_info *info, struct hca_entry **entry)
{
	const struct nlattr *name = info->attrs[HCA_NL_DEVICE_NAME];
	const struct nlattr *type = info->attrs[HCA_NL_DEVICE_TYPE];
	const struct hca_kind *kind = &hca_kinds[type ? nla_get_u32(type) : HCA_NL_TYPE_DEVICE];

	*entry = hca_registry_find_reserved(nla_data(name));
	if (!*entry)
		return hca_refuse(skb, info, name, -ENODEV, "there is no such %s", kind->noun);
	if (type && !device_is(*entry, kind))
		return hca_refuse(skb, info, name, -ENODEV, "it is a %s, not a %s",
				  (*entry)->kind->noun, kind->noun);
	if (!(*entry)->live)
		return hca_refuse(skb, info, name, -EBUSY, "it is being %s",
				  (*entry)->going ? "deleted" : "created");
	return 0;
}

/* Set the faults of an RNIC, if the command has any. */
static int device_set_faults(struct sk_buff *skb, struct genl_info *info,
			     const struct hca_entry *entry)
{
	const struct nlattr *fault = info->attrs[HCA_NL_DEVICE_RNIC_FAULT];

	if (!fault)
		return 0;
	if (!entry->kind->needs_interface)
		return hca_refuse(skb, info, fault, -EOPNOTSUPP,
				  "a %s sends no FPDUs; its faults are those of its links",
				  entry->kind->noun);
	return hca_rnic_fault_set(skb, info, fault, entry->device);
}

int hca_device_set_command(struct sk_buff *skb, struct genl_info *info)
{
	struct hca_entry *entry;
	int err;

	if (GENL_REQ_ATTR_CHECK(info, HCA_NL_DEVICE_NAME))
		return -EINVAL;
	if (!info->attrs[HCA_NL_DEVICE_SYSTEM_IMAGE_GUID] &&
	    !info->attrs[HCA_NL_DEVICE_RNIC_FAULT])
		return hca_refuse(skb, info, NULL, -EINVAL,
				  "nothing is to be set: neither a system image GUID nor faults");

	mutex_lock(&hca_control_mutex);
	err = hca_device_named(skb, info, &entry) ?:
	      device_check_system_image(skb, info) ?:
	      device_set_faults(skb, info, entry);
	if (!err)
		device_set_system_image(entry, info);
	mutex_unlock(&hca_control_mutex);
	return err;
}

int hca_device_del_command(struct sk_buff *skb, struct genl_info *info)
{
	struct hca_entry *entry;
	int err;

	if (GENL_REQ_ATTR_CHECK(info, HCA_NL_DEVICE_NAME))
		return -EINVAL;

	mutex_lock(&hca_control_mutex);
	err = hca_device_named(skb, info, &entry);
	if (!err && entry->going)
		err = hca_refuse(skb, info, info->attrs[HCA_NL_DEVICE_NAME], -EBUSY,
				 "it is being deleted");
	if (!err)
		hca_device_end(entry);
	mutex_unlock(&hca_control_mutex);
	return err;
}

static struct hca_entry *device_from(unsigned long id)
{
	struct hca_entry *entry;

	mutex_lock(&hca_control_mutex);
	entry = hca_registry_from(id);
	mutex_unlock(&hca_control_mutex);
	return entry;
}

/* Remove all cables in one RCU grace period. One grace period per node would take long. */
static void device_unlink_all_cables(void)
{
	struct hca_entry *entry;
	LIST_HEAD(unlinked);

	mutex_lock(&hca_control_mutex);
	for (entry = hca_registry_from(0); entry; entry = hca_registry_from(entry->id + 1))
		device_unlink_cables(entry, &unlinked);
	hca_cable_sync(&unlinked);
	mutex_unlock(&hca_control_mutex);
}

/* Delete all devices. Consumers can end their connections, because the cables exist until then. */
static void device_free_all(void)
{
	struct hca_entry *entry;

	for (entry = device_from(0); entry; entry = device_from(entry->id + 1))
		device_unregister_node(entry);
	device_unlink_all_cables();
	while ((entry = device_from(0)))
		device_free_node(entry);
}

int hca_devices_start(void)
{
	/*
	 * WQ_MEM_RECLAIM would not help, because a deletion waits for processes, which may wait for
	 * memory.
	 */
	ends = alloc_workqueue("hca_del", WQ_UNBOUND, 0);
	return ends ? 0 : -ENOMEM;
}

void hca_devices_stop(void)
{
	struct workqueue_struct *queue = ends;

	mutex_lock(&hca_control_mutex);
	ends = NULL;
	mutex_unlock(&hca_control_mutex);
	destroy_workqueue(queue);
	device_free_all();
}
