/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The kinds of nodes: in what they differ when they are made, named, shown and deleted. */
#ifndef HCA_CONTROL_KINDS_H
#define HCA_CONTROL_KINDS_H

#include <linux/hca_netlink.h>
#include <linux/types.h>

struct hca_node;
struct sk_buff;

struct hca_kind {
	u32 type; /* enum hca_nl_type */
	const char *noun; /* for messages */
	u32 max_ports;
	bool one_guid; /* of node and ports; else port n has the node's + n */
	bool is_switch; /* and may be ENHANCED, and RANDOM */

	/*
	 * @description: NodeDescription. Context: process; the control mutex is held.
	 * Return: ERR_PTR() if it cannot be made.
	 */
	struct hca_node *(*make)(const char *name, u8 ports, __be64 guid, const char *description,
				 bool enhanced, bool random);
	/* Unplugged. Context: as make(). */
	void (*free)(struct hca_node *node);
	void (*set_system_image_guid)(struct hca_node *node, __be64 guid);
	/* Its name now; NULL: it has the one that it was made with, always. */
	const char *(*name)(const struct hca_node *node);
	/* Attributes that no other kind has; NULL: none. Return: 0 or -EMSGSIZE. */
	int (*fill)(struct sk_buff *skb, struct hca_node *node);
};

extern const struct hca_kind hca_kinds[HCA_NL_TYPE_MAX + 1];

#endif
