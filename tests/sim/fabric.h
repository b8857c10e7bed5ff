/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Several switches, joined by cables into a fabric with channel adapters at its edge. Packets with
 * numbers cross it, to one adapter or to a group, while cables, receivers and memory fail. Each of
 * them arrives where it belongs or is dropped with a reason, and no buffer stays occupied.
 */
#ifndef HCA_TESTS_SIM_FABRIC_H
#define HCA_TESTS_SIM_FABRIC_H

#include "fabric/switch.h"
#include "sim.h"

enum fabric_limits {
	FABRIC_SWITCHES = 6,
	FABRIC_ENDS = 10,
	FABRIC_PORTS = FABRIC_SWITCHES + FABRIC_ENDS + 1, /* of each switch: any shape fits */
	FABRIC_CABLES = FABRIC_SWITCHES + FABRIC_ENDS + 3,
	FABRIC_GROUPS = 4,
	FABRIC_FIRST_LID = 1,
	FABRIC_FIRST_MLID = 0xc001,
};

/* A channel adapter of one port. */
struct fabric_end {
	struct hca_node node;
	struct hca_port port;
	struct hca_packet_pool pool;
	u8 sw, sw_port; /* where its cable ends */
	u32 groups; /* bits: the groups that it is a member of */
	bool stalled; /* it takes no packet out of its buffer */
};

struct fabric_cable {
	struct hca_port *port[2];
	u8 sw[2]; /* of switches; FABRIC_SWITCHES and above: an end */
	bool connected, faulty;
};

/* A packet that has been sent, all of its copies together. */
struct fabric_message {
	u32 expected; /* bits: the ends that it is for */
	u32 got; /* bits: the ends that it has come to */
	u32 drops; /* copies that were dropped with a reason */
	bool uneasy; /* tables have changed while it was under way */
};

struct sim_fabric {
	struct hca_switch *sw[FABRIC_SWITCHES];
	u8 part[FABRIC_SWITCHES]; /* the first of the switches that the tables join with this one */
	struct fabric_end end[FABRIC_ENDS];
	struct fabric_cable cable[FABRIC_CABLES];
	struct fabric_message *message; /* by number, from 0 */
	u32 num_switches, num_ends, num_cables, num_messages, room;
	bool calm; /* nothing fails */
	bool doubles; /* some cable has doubled packets */
	bool damages; /* some cable has damaged packets, so that their numbers may be unknown */
};

extern struct sim_fabric fabric;

/* Run a seed: a fabric, what happens in it, and the judgement. */
void sim_fabric_run(void);

/* Make the switches, ends and cables of a seed, all of them connected, and the tables. */
void fabric_new(void);

/* Remove all of it; nothing may be left. */
void fabric_free(void);

/* Connect a cable, and make both of its ports Active. */
void fabric_connect(struct fabric_cable *cable);

/* Compute the tables of all switches anew, of the cables that are connected. */
void fabric_route(void);

/* Send a packet of @length octets from an end to a LID; without room it is dropped at once. */
void fabric_send(u32 from, u16 dlid, u32 length);

/* The handler of packets that an end's port receives. */
void fabric_receive(struct hca_port *port, struct hca_packet *pkt);

/* Note each packet that is dropped, and why. */
void fabric_watch(bool on);

/* Packets that are under way now may arrive twice, or not at all. */
void fabric_disturb(void);

/* Judge all messages and all buffers; the fabric is idle. */
void fabric_judge(void);

#endif
