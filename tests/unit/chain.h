/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A sender, a relay of two ports and a receiver: from - relay[0], relay[1] - to. */
#ifndef HCA_TESTS_CHAIN_H
#define HCA_TESTS_CHAIN_H

#include "fabric/node.h"
#include "link/port/port.h"

#define CHAIN_PACKETS 1024
#define CHAIN_BYTES 256 /* of payload of each packet */
#define CHAIN_BLOCKS 5u /* LRH, BTH, DETH, payload, ICRC and VCRC */

struct chain {
	struct hca_node node;
	struct hca_packet_pool pool;
	struct hca_port from, relay[2], to;
	u32 got[CHAIN_PACKETS]; /* PSNs of the latest packets, in the order of their arrival */
	u8 got_vl[CHAIN_PACKETS];
	unsigned int num_got;
	struct hca_packet *kept[CHAIN_PACKETS]; /* packets that the relay has not forwarded */
	unsigned int num_kept;
	bool keep;
	u8 out_vl; /* the VL on which the relay forwards */
};

extern struct chain c;

/*
 * For tcase_add_checked_fixture(): setup makes all links Active; teardown asserts that nothing
 * leaked.
 */
void chain_setup(void);
void chain_teardown(void);

/* Cable two ports and make them Active. */
void chain_join(struct hca_port *a, struct hca_port *b);

/* Send a packet to the receiver's LID and run until idle. Return: whether the port accepted it. */
bool chain_send(struct hca_port *port, u8 sl, u32 psn, struct hca_blocked_sender *blocked);

/* Limit a sender's credit on a VL to so many blocks. */
void chain_credit(struct hca_port *sender, struct hca_port *receiver, u8 vl, u32 blocks);

/* Whether the receiver keeps all packets in its buffer, and therefore returns no credits. */
void chain_stall(bool stalls);

#endif
