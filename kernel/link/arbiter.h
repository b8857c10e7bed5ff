/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Which VL sends next: the two tables of VL arbitration (IBA 7.6.9). */
#ifndef HCA_LINK_ARBITER_H
#define HCA_LINK_ARBITER_H

#include <linux/types.h>

#define HCA_VLARB_ENTRIES 64
#define HCA_NO_VL 0xff

struct hca_port;

/* Where a table's round is. */
struct hca_vlarb_round {
	u8 entry; /* whose turn it is */
	s16 left[HCA_VLARB_ENTRIES]; /* blocks its turn has left; less than 0: what it sent too much */
};

/* Guarded by the port's tx_lock. */
struct hca_arbiter {
	struct hca_vlarb_round high, low;
	struct hca_vlarb_round *turn; /* the table that was chosen from; NULL: neither */
	s32 high_left; /* blocks of high priority before one of low priority has an opportunity */
};

/**
 * hca_arbiter_choose() - whose turn it is
 * @port: the port; its tables and VLHighLimit are followed
 * @ready: bit n: VL n has a packet and credit for it
 *
 * The specification leaves open (B4-444) what this is: a packet may leave while something is left of
 * its turn, and what it takes beyond that is missing from the entry's next turn, so that shares are
 * those of the weights, whatever the packets' lengths. Who has nothing to send loses the rest of the
 * turn. A VL that neither table has sends when those that they have do not.
 *
 * Context: tx_lock held; hca_arbiter_sent() follows. Return: the VL; HCA_NO_VL if @ready is 0.
 */
u8 hca_arbiter_choose(struct hca_port *port, u16 ready);

/* What was chosen has sent so many blocks. */
void hca_arbiter_sent(struct hca_port *port, u16 blocks);

#endif
