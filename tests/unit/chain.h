/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A sender, a relay of two ports, a receiver: from - relay[0], relay[1] - to. */
#ifndef HCA_TESTS_CHAIN_H
#define HCA_TESTS_CHAIN_H

#include "fabric/node.h"
#include "link/port.h"

#define CHAIN_PACKETS 1024
#define CHAIN_BYTES 256 /* of payload of each packet */
#define CHAIN_BLOCKS 5u /* LRH, BTH, DETH, those, ICRC and VCRC */

struct chain {
	struct hca_node node;
	struct hca_packet_pool pool;
	struct hca_port from, relay[2], to;
	u32 got[CHAIN_PACKETS]; /* PSNs, in the order of their arrival; the last ones */
	u8 got_vl[CHAIN_PACKETS];
	unsigned int num_got;
	struct hca_packet *kept[CHAIN_PACKETS]; /* what the relay has not passed on */
	unsigned int num_kept;
	bool keep;
	u8 out_vl; /* on which the relay passes on */
};

extern struct chain c;

/* For tcase_add_checked_fixture(): all links Active; nothing has leaked. */
void chain_setup(void);
void chain_teardown(void);

/* Cable two ports and make them Active. */
void chain_join(struct hca_port *a, struct hca_port *b);

/* Send a packet to the receiver's LID, let happen what does. Return: whether it was taken. */
bool chain_send(struct hca_port *port, u8 sl, u32 psn, struct hca_blocked_sender *blocked);

/* Have a sender have so many blocks of credit on a VL. */
void chain_credit(struct hca_port *sender, struct hca_port *receiver, u8 vl, u32 blocks);

/* Whether the receiver leaves all that arrives where it is, and so gives no credit back. */
void chain_stall(bool stalls);

#endif
