/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A switch: its forwarding tables and its ports. Port 0 is the management port of the switch's
 * agents. Port 0 has no link; the switch relays packets to and from it internally.
 */
#ifndef HCA_FABRIC_SWITCH_H
#define HCA_FABRIC_SWITCH_H

#include <linux/spinlock.h>
#include <linux/types.h>
#include "fabric/node.h"
#include "packet/packet.h"

#define HCA_MAX_SWITCH_PORTS 254
#define HCA_LFT_CAP 0xc000 /* entries of the LinearForwardingTable: all unicast LIDs */
#define HCA_RFT_CAP 1024 /* entries of the RandomForwardingTable */
#define HCA_MFT_CAP 4096 /* entries of the MulticastForwardingTable: LIDs from 0xc000 */
#define HCA_NO_PORT 255 /* entry of a forwarding table: packets to the LID are dropped */
#define HCA_MFT_POSITION_PORTS 16 /* ports of a PortMask of the MFT */
/* All bits of hca_port_info.partition_enforcement, which a switch supports. */
#define HCA_SWITCH_FILTERS 0xf
#define HCA_PARTITION_ENFORCEMENT_CAP HCA_PKEYS /* P_Keys of each external port */

/*
 * Components of SwitchInfo that can change, in host byte order. All other components are constant
 * or not supported.
 */
struct hca_switch_info {
	u16 linear_fdb_top; /* the last LID that is looked up (req C4-162) */
	u8 default_port;
	u8 default_multicast_primary;
	u8 default_multicast_not_primary;
	u8 life_time; /* LifeTimeValue n: 4.096 us * 2^n; 20 and above: infinite */
	bool port_state_change;
	bool enhanced_port0;
	u16 multicast_fdb_top;
};

/* An entry of a RandomForwardingTable: the output port of 2^lmc LIDs. */
struct hca_rft_entry {
	u16 lid;
	u8 lmc;
	u8 port; /* output port, or HCA_NO_PORT */
	bool valid;
};

struct hca_switch {
	struct hca_node node;
	struct hca_packet_pool pool; /* pool of packets that its agents send */
	/*
	 * Leaf lock, taken with BH disabled; guards info, and serializes writers of the tables.
	 * Forwarding reads single entries without the lock (READ_ONCE()) and gets the old value or
	 * the new one.
	 */
	spinlock_t lock;
	struct hca_switch_info info;
	u8 *lft; /* array of HCA_LFT_CAP entries: output port by LID, or HCA_NO_PORT */
	/*
	 * Array of HCA_RFT_CAP entries; NULL: the switch has a LinearForwardingTable. If not NULL,
	 * subnet managers write this table, @lft is computed from this table, and packets to LIDs
	 * without an entry leave by default_port (req C4-192, C4-245).
	 */
	struct hca_rft_entry *rft;
	/*
	 * Bitmap of the output ports of each multicast LID: HCA_MFT_CAP * mft_positions elements.
	 */
	u16 *mft;
	u8 mft_positions; /* number of elements, of 16 ports each, for one LID in @mft */
	/* VL by input port, output port and SL: [(in * (num_ports + 1) + out) * 16 + SL] */
	u8 *sl2vl;
};

/**
 * hca_node_switch() - get the switch of a node
 * @node: node of type RDMA_NODE_IB_SWITCH
 *
 * Context: any.
 * Return: the switch.
 */
static inline struct hca_switch *hca_node_switch(struct hca_node *node)
{
	return container_of(node, struct hca_switch, node);
}

/**
 * hca_switch_sl2vl() - find the SL to VL mapping of an input and an output port
 * @sw: switch
 * @in: number of the input port
 * @out: number of the output port
 *
 * Context: any.
 * Return: 16 VLs, indexed by the SL.
 */
static inline u8 *hca_switch_sl2vl(const struct hca_switch *sw, u8 in, u8 out)
{
	return sw->sl2vl + ((size_t)in * (sw->node.num_ports + 1) + out) * 16;
}

/**
 * hca_switch_new() - allocate a switch with empty forwarding tables
 * @ports: number of external ports, 1 to HCA_MAX_SWITCH_PORTS
 * @guid: GUID of the node, its system image and all its ports
 * @description: NodeDescription
 * @enhanced: whether port 0 is an enhanced port 0
 * @agent: operations of its agent
 *
 * Context: process, may sleep.
 * Return: the switch, or ERR_PTR(-ENOMEM).
 */
struct hca_switch *hca_switch_new(u8 ports, __be64 guid, const char *description, bool enhanced,
				  const struct hca_agent_ops *agent);

/**
 * hca_switch_use_random_forwarding_table() - give a new switch a RandomForwardingTable
 * @sw: the switch, without cables
 *
 * The table replaces the LinearForwardingTable.
 * Context: process, may sleep.
 * Return: 0 or -ENOMEM.
 */
int hca_switch_use_random_forwarding_table(struct hca_switch *sw);

/**
 * hca_switch_free() - free a switch
 * @sw: the switch, without cables
 *
 * Context: process, may sleep.
 */
void hca_switch_free(struct hca_switch *sw);

#endif
