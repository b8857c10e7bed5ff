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

#define HCA_VENDOR_ID 0x000000 /* no OUI is ours */
#define HCA_DEVICE_ID 0x4843
#define HCA_REVISION 1

struct hca_node {
	u8 type; /* enum hca_node_type */
	u8 num_ports; /* external ones */
	u16 partition_cap;
	__be64 system_image_guid;
	__be64 node_guid;
	u32 vendor_id;
	u16 device_id;
	u32 revision;
	char description[HCA_NODE_DESC_BYTES]; /* guarded by desc_lock */
	spinlock_t desc_lock; /* BH; leaf */
	struct hca_port *ports; /* [0] is port 0: a switch's own, else unused; [1] to [num_ports] */
	struct hca_packet_pool *pool; /* for what its agents send */
	struct hca_entry *entry; /* what control/ knows of it */
};

static inline struct hca_port *hca_node_port(struct hca_node *node, u32 num)
{
	return num <= node->num_ports && (num || node->type == HCA_NODE_SWITCH) ?
		&node->ports[num] : NULL;
}

#endif
