/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* VL arbitration by the tables of high and low priority (IBA 7.6.9). */
#ifndef HCA_LINK_TX_ARBITER_H
#define HCA_LINK_TX_ARBITER_H

#include <linux/types.h>

#define HCA_VLARB_ENTRIES 64
#define HCA_NO_VL 0xff

struct hca_port;

/* A VLArbitrationTable. Writers hold the port's lock; readers need no lock. */
struct hca_vlarb_table {
	u8 entry[HCA_VLARB_ENTRIES][2]; /* VL, weight */
	u16 vls; /* bit n: VL n has an entry whose weight is not 0 */
};

/* State of the weighted round robin of one table. */
struct hca_vlarb_round {
	u8 entry; /* the entry whose turn it is */
	/* Blocks of 64 octets that each entry may still send; negative: excess of its last turn. */
	s16 left[HCA_VLARB_ENTRIES];
};

/* State of the VL arbiter of a port, guarded by the port's tx.lock. */
struct hca_arbiter {
	struct hca_vlarb_round high, low;
	/* the round that chose the last VL (&high or &low); NULL: neither */
	struct hca_vlarb_round *turn;
	s32 high_left; /* blocks that high priority may still send before VLHighLimit is reached */
};

/**
 * hca_vlarb_set() - change an entry of a table
 * @table: the table
 * @index: number of the entry, less than HCA_VLARB_ENTRIES
 * @vl: VL, 0 to 15
 * @weight: blocks of 64 octets in a turn; 0: the entry is skipped
 *
 * Context: the port's lock held, or the port not in use yet.
 */
void hca_vlarb_set(struct hca_vlarb_table *table, unsigned int index, u8 vl, u8 weight);

/**
 * hca_arbiter_choose() - choose the VL that sends next
 * @port: the port, with its tables and VLHighLimit
 * @ready: bit n: VL n has a packet and credit for it
 *
 * The IBA does not say (req B4-444) what happens to a packet that is longer than the rest of its
 * entry's turn. Here an entry may send while any block of its turn is left, and the excess is
 * subtracted from its next turn. The shares therefore follow the weights with packets of any
 * length.
 * An entry without a packet loses the rest of its turn. A VL in neither table sends when no other
 * VL can.
 *
 * Context: tx.lock held; hca_arbiter_sent() follows.
 * Return: the VL, or HCA_NO_VL if @ready is 0.
 */
u8 hca_arbiter_choose(struct hca_port *port, u16 ready);

/* Subtract @blocks of 64 octets, sent on the chosen VL, from its turn. Context: tx.lock held. */
void hca_arbiter_sent(struct hca_port *port, u16 blocks);

#endif
