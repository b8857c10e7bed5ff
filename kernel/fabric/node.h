/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A node of the fabric: a channel adapter, a switch, or an adapter that only
 * answers management. The agents in sma/ serve all of them through this.
 */
#ifndef HCA_FABRIC_NODE_H
#define HCA_FABRIC_NODE_H

#include <linux/types.h>
#include "link/port.h"

/* NodeInfo's node types. */
enum hca_node_type {
	HCA_NODE_CA = 1,
	HCA_NODE_SWITCH = 2,
	HCA_NODE_ROUTER = 3,
};

struct hca_entry;

#define HCA_NODE_DESC_BYTES 64
#define HCA_MAX_CA_PORTS 4

#define HCA_VENDOR_ID 0xffffff /* nobody has this OUI, group bit set; 0 is unknown to programs */
#define HCA_DEVICE_ID 0x4843
#define HCA_REVISION 1

struct hca_node {
	u8 type; /* enum hca_node_type */
	u8 num_ports; /* external ones */
	u16 partition_cap;
	__be64 system_image_guid; /* READ_ONCE; see hca_node_set_system_image_guid() */
	__be64 node_guid;
	u32 vendor_id;
	u16 device_id;
	u32 revision;
	char description[HCA_NODE_DESC_BYTES]; /* guarded by desc_lock */
	spinlock_t desc_lock; /* BH; leaf */
	bool led; /* it is on: LedInfo */
	struct hca_port *ports; /* [0] is port 0: a switch's own, else unused; [1] to [num_ports] */
	struct hca_packet_pool *pool; /* for what its agents send */
	struct hca_entry *entry; /* what control/ knows of it */
};

static inline bool hca_node_is_switch(const struct hca_node *node)
{
	return node->type == HCA_NODE_SWITCH;
}

static inline struct hca_port *hca_node_port(struct hca_node *node, u32 num)
{
	return num <= node->num_ports && (num || hca_node_is_switch(node)) ?
		&node->ports[num] : NULL;
}

/* Where a port is managed: a switch's are at port 0, an adapter's each for itself. */
static inline struct hca_port *hca_port_home(struct hca_port *port)
{
	return hca_node_is_switch(port->node) ? &port->node->ports[0] : port;
}

/**
 * hca_node_init() - a node without ports
 * @node: zeroed
 * @type: enum hca_node_type
 * @guid: of node and system image
 * @description: NodeDescription; what is longer is cut
 * @pool: for what its agents send
 */
void hca_node_init(struct hca_node *node, u8 type, __be64 guid, const char *description,
		   struct hca_packet_pool *pool);

/**
 * hca_node_add_ports() - give a node its ports, without cables
 * @node: initialised
 * @ports: how many, 1 to 254; a switch has port 0 besides
 * @ops: of all of them
 *
 * A switch's ports share its GUID, an adapter's port n has the node's + n.
 * Context: process, may sleep. Return: 0 or -ENOMEM.
 */
int hca_node_add_ports(struct hca_node *node, u8 ports, const struct hca_port_ops *ops);

/**
 * hca_node_del_ports() - take them away, with all packets that are still in their queues
 * @node: its cables are unplugged
 *
 * Context: process, may sleep.
 */
void hca_node_del_ports(struct hca_node *node);

/**
 * hca_node_set_system_image_guid() - make a node part of another system
 * @node: with ports
 * @guid: of the system's image
 *
 * Its managers are told, if that is news (trap 145). Context: as hca_notice_raise().
 */
void hca_node_set_system_image_guid(struct hca_node *node, __be64 guid);

#endif
