/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A switch: forwarding tables, and what becomes of a packet that comes in by one of its
 * ports. Port 0 is its own: there its agents live, and as it has no link, what goes there or
 * comes from there does so inside of the switch.
 */
#ifndef HCA_FABRIC_SWITCH_H
#define HCA_FABRIC_SWITCH_H

#include <linux/spinlock.h>
#include <linux/types.h>
#include "fabric/node.h"
#include "link/packet.h"

#define HCA_MAX_SWITCH_PORTS 254
#define HCA_LFT_CAP 0xc000 /* every unicast LID */
#define HCA_RFT_CAP 1024 /* entries */
#define HCA_MFT_CAP 4096 /* multicast LIDs, from 0xc000 */
#define HCA_NO_PORT 255 /* an entry of the LFT: such packets are dropped */
#define HCA_MFT_POSITION_PORTS 16 /* ports of one block of the MFT, a bit each */

/* What SwitchInfo holds, in host byte order. What is not listed is constant, or not offered. */
struct hca_switch_info {
	u16 linear_fdb_top; /* the last LID that is looked up (C4-162) */
	u8 default_port;
	u8 default_multicast_primary;
	u8 default_multicast_not_primary;
	u8 life_time; /* 4.096 us * 2^n; 20 and above: without end */
	bool port_state_change;
	bool enhanced_port0;
	u16 multicast_fdb_top;
};

/* An entry of a random forwarding table: the exit of 2^lmc LIDs. */
struct hca_rft_entry {
	u16 lid;
	u8 lmc;
	u8 port; /* or HCA_NO_PORT */
	bool valid;
};

struct hca_switch {
	struct hca_node node;
	struct hca_packet_pool pool; /* for its agents */
	/*
	 * BH; leaf; guards info, and the tables against a second writer. Who forwards reads single
	 * entries without it (READ_ONCE): each is from before a write or after it.
	 */
	spinlock_t lock;
	struct hca_switch_info info;
	u8 *lft; /* [HCA_LFT_CAP], a port or HCA_NO_PORT */
	/*
	 * [HCA_RFT_CAP]; NULL: the manager writes the linear table. Else this one, and lft is what it
	 * comes to; what has no entry goes by default_port (C4-192, C4-245).
	 */
	struct hca_rft_entry *rft;
	u16 *mft; /* [HCA_MFT_CAP * mft_positions]: of each multicast LID, a bit for each port */
	u8 mft_positions; /* blocks of 16 ports, port 0 counted */
	/* SL to VL by input and output port: [(in * (num_ports + 1) + out) * 16 + SL]. */
	u8 *sl2vl;
};

static inline struct hca_switch *hca_node_switch(struct hca_node *node)
{
	return container_of(node, struct hca_switch, node);
}

/* The 16 octets for a way through the switch. */
static inline u8 *hca_switch_sl2vl(const struct hca_switch *sw, u8 in, u8 out)
{
	return sw->sl2vl + ((size_t)in * (sw->node.num_ports + 1) + out) * 16;
}

/**
 * hca_switch_new() - a switch without cables, its tables empty
 * @ports: external ports, 1 to HCA_MAX_SWITCH_PORTS
 * @guid: of node, system image and port 0; all its ports share it
 * @description: NodeDescription
 * @enhanced: port 0 is an enhanced one
 *
 * Context: process, may sleep. Return: the switch; ERR_PTR(-ENOMEM).
 */
struct hca_switch *hca_switch_new(u8 ports, __be64 guid, const char *description, bool enhanced);

/**
 * hca_switch_use_random_forwarding_table() - give a new switch a random forwarding table instead of the linear one
 * @sw: the switch, without cables
 *
 * Context: process, may sleep. Return: 0 or -ENOMEM.
 */
int hca_switch_use_random_forwarding_table(struct hca_switch *sw);

/**
 * hca_switch_free() - end of a switch
 * @sw: the switch, all cables unplugged
 *
 * Context: process, may sleep.
 */
void hca_switch_free(struct hca_switch *sw);

#endif
