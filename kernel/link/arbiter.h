/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* VL arbitration by the tables of high and low priority (IBA 7.6.9). */
#ifndef HCA_LINK_ARBITER_H
#define HCA_LINK_ARBITER_H

#include <linux/types.h>

#define HCA_VLARB_ENTRIES 64
#define HCA_NO_VL 0xff

struct hca_port;

/* A VLArbitrationTable, changed under the port's lock and read without. */
struct hca_vlarb_table {
	u8 entry[HCA_VLARB_ENTRIES][2]; /* VL, weight */
	u16 vls; /* bit n: an entry of VL n has a weight */
};

/* State of the weighted round robin of one table. */
struct hca_vlarb_round {
	u8 entry; /* the entry whose turn it is */
	s16 left[HCA_VLARB_ENTRIES]; /* blocks left of its turn; negative: sent too much */
};

/* Guarded by the port's tx.lock. */
struct hca_arbiter {
	struct hca_vlarb_round high, low;
	struct hca_vlarb_round *turn; /* the table that the VL was chosen from; NULL: neither */
	s32 high_left; /* blocks of high priority that are left of VLHighLimit */
};

/**
 * hca_vlarb_set() - change an entry of a table
 * @table: the table
 * @index: number of the entry, less than HCA_VLARB_ENTRIES
 * @vl: VL, 0 to 15
 * @weight: blocks of 64 octets in a turn; 0: the entry is skipped
 *
 * Context: the port's lock held, or nobody else has the port yet.
 */
void hca_vlarb_set(struct hca_vlarb_table *table, unsigned int index, u8 vl, u8 weight);

/**
 * hca_arbiter_choose() - choose the VL that sends next
 * @port: the port, with its tables and VLHighLimit
 * @ready: bit n: VL n has a packet and credit for it
 *
 * The IBA leaves open (req B4-444) what happens if a packet is longer than what is left of its
 * entry's turn. Here it leaves while anything is left, and what it exceeds is subtracted from the
 * entry's next turn, so that the shares follow the weights with packets of any length. An entry
 * without a packet loses the remainder of its turn. A VL in neither table sends when no other can.
 *
 * Context: tx.lock held; hca_arbiter_sent() follows.
 * Return: the VL, or HCA_NO_VL if @ready is 0.
 */
u8 hca_arbiter_choose(struct hca_port *port, u16 ready);

/* The chosen VL has sent @blocks of 64 octets. Context: tx.lock held. */
void hca_arbiter_sent(struct hca_port *port, u16 blocks);

#endif
