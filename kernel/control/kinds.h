/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Kinds of devices, with the operations to create, name, report and delete them. */
#ifndef HCA_CONTROL_KINDS_H
#define HCA_CONTROL_KINDS_H

#include <linux/hca_netlink.h>
#include <linux/types.h>

struct hca_device;
struct hca_entry;
struct hca_rnic_config;
struct sk_buff;

/* The configuration of a device that is being created. */
struct hca_spec {
	u8 ports;
	__be64 guid; /* node GUID */
	const char *description; /* NodeDescription */
	bool enhanced, random; /* HCA_NL_DEVICE_ENHANCED and _RANDOM */
	struct hca_rnic_config *rnic; /* NULL, unless the kind needs an interface */
};

struct hca_kind {
	u32 type; /* enum hca_nl_type */
	const char *noun; /* name of the kind in messages */
	u32 max_ports;
	bool one_guid; /* all ports have the node GUID; otherwise port n has the node GUID + n */
	bool is_switch; /* HCA_NL_DEVICE_ENHANCED and _RANDOM are allowed */
	bool has_links; /* has a node, whose ports can have links */
	bool has_verbs; /* has a device, which the RDMA core knows */
	bool needs_interface; /* HCA_NL_DEVICE_RNIC is required; for other kinds it is refused */

	/*
	 * Create a device, and set the node and the device of the reserved @entry. Process context;
	 * the control mutex is not held. Return: 0 or an errno.
	 */
	int (*make)(struct hca_entry *entry, const struct hca_spec *spec);
	/*
	 * Free a device that has neither consumers nor links. Process context; control mutex not
	 * held.
	 */
	void (*free)(struct hca_entry *entry);
	void (*set_system_image_guid)(struct hca_entry *entry, __be64 guid);
	/* Return the current name of a device. NULL: devices of this kind cannot be renamed. */
	const char *(*name)(const struct hca_device *dev);
	/*
	 * Add the attributes that describe a device as a whole to a message. Return: 0 or
	 * -EMSGSIZE.
	 */
	int (*describe)(struct sk_buff *skb, const struct hca_entry *entry);
	/*
	 * Add the attributes that only devices of this kind have to a message. Return: 0 or
	 * -EMSGSIZE. NULL: there are no such attributes.
	 */
	int (*fill)(struct sk_buff *skb, const struct hca_entry *entry);
	/*
	 * Return whether a device has lost what it depends on, and is to be deleted. Process
	 * context; control mutex held. NULL: it depends on nothing.
	 */
	bool (*is_lost)(const struct hca_device *dev);
};

extern const struct hca_kind hca_kinds[HCA_NL_TYPE_MAX + 1];

#endif
