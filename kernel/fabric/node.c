// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Initialization of a node of any type, of its ports, and of its GUIDs. */
#include "fabric/node.h"
#include <linux/errno.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "link/port/notice.h"
#include "link/port/port_init.h"

void hca_node_init(struct hca_node *node, u8 type, __be64 guid, const char *description,
		   struct hca_packet_pool *pool, const struct hca_agent_ops *agent)
{
	node->type = type;
	node->partition_cap = HCA_PKEYS;
	node->system_image_guid = guid;
	node->node_guid = guid;
	node->vendor_id = HCA_VENDOR_ID;
	node->device_id = HCA_DEVICE_ID;
	node->revision = HCA_REVISION;
	node->pool = pool;
	node->agent = agent;
	spin_lock_init(&node->desc_lock);
	/* A description of full length has no final 0. */
	memcpy(node->description, description,
	       strnlen(description, sizeof(node->description)));
}

/* Ports of a switch have the node GUID; port n of a CA has the node GUID + n (req C4-231). */
static __be64 node_port_guid(const struct hca_node *node, u8 num)
{
	return node->type == RDMA_NODE_IB_SWITCH ? node->node_guid :
					       cpu_to_be64(be64_to_cpu(node->node_guid) + num);
}

int hca_node_init_port(struct hca_port *port, struct hca_node *node, u8 num,
		       const struct hca_port_ops *ops, __be64 guid)
{
	port->node = node;
	port->node_type = node->type;
	port->pool = node->pool;
	port->home = hca_node_is_switch(node) ? &node->ports[0] : port;
	return hca_port_init(port, num, ops, guid);
}

int hca_node_add_ports(struct hca_node *node, u8 ports, const struct hca_port_ops *ops)
{
	unsigned int num;
	int ret;

	node->ports = kvcalloc(ports + 1, sizeof(*node->ports), GFP_KERNEL);
	if (!node->ports)
		return -ENOMEM;
	node->num_ports = ports;
	for (num = node->type == RDMA_NODE_IB_SWITCH ? 0 : 1; num <= ports; num++) {
		ret = hca_node_init_port(&node->ports[num], node, num, ops,
					 node_port_guid(node, num));
		if (!ret && hca_port_home(&node->ports[num]) == &node->ports[num])
			ret = node->agent->port_init(&node->ports[num]);
		if (ret) {
			hca_node_del_ports(node);
			return ret;
		}
	}
	return 0;
}

void hca_node_del_ports(struct hca_node *node)
{
	unsigned int num;

	for (num = 0; num <= node->num_ports; num++)
		node->agent->port_stop(&node->ports[num]);
	for (num = 0; num <= node->num_ports; num++)
		hca_port_destroy(&node->ports[num]);
	for (num = 0; num <= node->num_ports; num++)
		node->agent->port_free(&node->ports[num]);
	kvfree(node->ports);
	node->ports = NULL;
}

void hca_node_notice(struct hca_port *port, const struct hca_notice *notice)
{
	port->node->agent->notice(port, notice);
}

void hca_node_set_system_image_guid(struct hca_node *node, __be64 guid)
{
	struct hca_port *port;
	unsigned int num;

	if (node->system_image_guid == guid)
		return;
	WRITE_ONCE(node->system_image_guid, guid);
	for (num = 0; num <= node->num_ports; num++) {
		port = hca_node_port(node, num);
		if (port && hca_port_home(port) == port)
			hca_notice_system_image_guid(port, guid);
	}
}
