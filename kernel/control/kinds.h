/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Kinds of devices, with the operations to create, name, report and delete them. */
#ifndef HCA_CONTROL_KINDS_H
#define HCA_CONTROL_KINDS_H

#include <linux/hca_netlink.h>
#include <linux/types.h>

struct hca_node;
struct sk_buff;

struct hca_kind {
	u32 type; /* enum hca_nl_type */
	const char *noun; /* name of the kind in messages */
	u32 max_ports;
	bool one_guid; /* all ports have the node GUID; otherwise port n has the node GUID + n */
	bool is_switch; /* HCA_NL_DEVICE_ENHANCED and _RANDOM are allowed */

	/*
	 * Create a node. @guid: node GUID; @description: NodeDescription. Process context; the
	 * control mutex is not held. Return: the node or an ERR_PTR().
	 */
	struct hca_node *(*make)(const char *name, u8 ports, __be64 guid, const char *description,
				 bool enhanced, bool random);
	/*
	 * Unregister a node, which may have links, from its consumers. Process context; the control
	 * mutex is not held, since a process can delay this function. NULL: nodes of this kind have
	 * no consumers.
	 */
	void (*unregister)(struct hca_node *node);
	/* Free an unregistered node without links. Process context; control mutex not held. */
	void (*free)(struct hca_node *node);
	void (*set_system_image_guid)(struct hca_node *node, __be64 guid);
	/* Return the current name of a node. NULL: nodes of this kind cannot be renamed. */
	const char *(*name)(const struct hca_node *node);
	/*
	 * Add the attributes that only devices of this kind have to a message. Return: 0 or
	 * -EMSGSIZE. NULL: there are no such attributes.
	 */
	int (*fill)(struct sk_buff *skb, struct hca_node *node);
};

extern const struct hca_kind hca_kinds[HCA_NL_TYPE_MAX + 1];

#endif
