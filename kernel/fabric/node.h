/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A node of the fabric: a host channel adapter, a switch, or a target channel adapter (TCA). One
 * management agent serves all of them through struct hca_node.
 */
#ifndef HCA_FABRIC_NODE_H
#define HCA_FABRIC_NODE_H

#include <linux/types.h>
#include <rdma/ib_verbs.h>
#include "fabric/agent.h"
#include "link/port/port.h"

struct hca_entry;

#define HCA_NODE_DESC_BYTES 64
#define HCA_MAX_CA_PORTS 4

/* a value with the group bit, which the IEEE never assigns; programs reject 0 */
#define HCA_VENDOR_ID 0xffffff
#define HCA_DEVICE_ID 0x4843
#define HCA_REVISION 1

struct hca_node {
	u8 type; /* enum rdma_node_type */
	u8 num_ports; /* external ports, without port 0 of a switch */
	u16 partition_cap;
	__be64 system_image_guid; /* read by READ_ONCE() */
	__be64 node_guid;
	u32 vendor_id;
	u16 device_id;
	u32 revision;
	char description[HCA_NODE_DESC_BYTES]; /* guarded by desc_lock */
	spinlock_t desc_lock; /* leaf lock, BH disabled; guards description */
	bool led; /* the LED is on (LedInfo:LedMask) */
	const struct hca_agent_ops *agent;
	struct hca_port *ports; /* array of ports, by number; [0] is used by switches only */
	struct hca_packet_pool *pool; /* pool of packets that the node's agent sends */
	struct hca_entry *entry; /* entry in the registry (control/registry.h) */
};

/**
 * hca_node_is_switch() - whether a node is a switch
 * @node: node
 *
 * Context: any.
 * Return: true for a switch.
 */
static inline bool hca_node_is_switch(const struct hca_node *node)
{
	return node->type == RDMA_NODE_IB_SWITCH;
}

/**
 * hca_node_port() - find a port of a node by its number
 * @node: node with ports
 * @num: number, 0 for the management port of a switch
 *
 * Context: any.
 * Return: the port; NULL if the node does not have this port.
 */
static inline struct hca_port *hca_node_port(struct hca_node *node, u32 num)
{
	return num <= node->num_ports && (num || hca_node_is_switch(node)) ?
		&node->ports[num] : NULL;
}

/**
 * hca_node_init() - initialize a node without ports
 * @node: zeroed memory
 * @type: enum rdma_node_type
 * @guid: node GUID, which is also its first SystemImageGUID
 * @description: NodeDescription; cut to HCA_NODE_DESC_BYTES octets
 * @pool: pool of packets that the node's agent sends
 * @agent: operations of the node's agent
 *
 * Context: process.
 */
void hca_node_init(struct hca_node *node, u8 type, __be64 guid, const char *description,
		   struct hca_packet_pool *pool, const struct hca_agent_ops *agent);

/**
 * hca_node_init_port() - initialize one port of a node
 * @port: zeroed memory
 * @node: the node; its type and pool are set, and its ports if it is a switch
 * @num: number of the port
 * @ops: operations of the port
 * @guid: port GUID
 *
 * Context: process.
 * Return: 0 or -ENOMEM.
 */
int hca_node_init_port(struct hca_port *port, struct hca_node *node, u8 num,
		       const struct hca_port_ops *ops, __be64 guid);

/**
 * hca_node_add_ports() - allocate the ports of a node
 * @node: the node, initialized
 * @ports: number of external ports, 1 to 254
 * @ops: operations of all ports
 *
 * A switch gets port 0 in addition. All ports of a switch have the node GUID; port n of a CA has
 * the node GUID + n.
 * Context: process, may sleep.
 * Return: 0 or -ENOMEM.
 */
int hca_node_add_ports(struct hca_node *node, u8 ports, const struct hca_port_ops *ops);

/**
 * hca_node_del_ports() - free the ports of a node and the packets in their queues
 * @node: the node, without cables and links over networks
 *
 * Context: process, may sleep.
 */
void hca_node_del_ports(struct hca_node *node);

/**
 * hca_node_notice() - pass a notice to the node's agent
 * @port: port that the notice is about
 * @notice: contents
 *
 * The function can be used as struct hca_port_ops.notice.
 * Context: any that may use spin_lock_bh(); no lock of a port held.
 */
void hca_node_notice(struct hca_port *port, const struct hca_notice *notice);

/**
 * hca_node_set_system_image_guid() - set the SystemImageGUID of a node
 * @node: the node, with ports
 * @guid: the new GUID
 *
 * Trap 145 notifies the subnet managers of a change.
 * Context: any that may use spin_lock_bh(); no lock of a port held.
 */
void hca_node_set_system_image_guid(struct hca_node *node, __be64 guid);

#endif
