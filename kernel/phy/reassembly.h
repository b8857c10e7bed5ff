/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Packets that come in several frames are put together here. Memory is allocated with the link, for
 * a few packets at once: where a further one begins, the one that began first is given up. So
 * nothing that comes, or does not, makes it grow or needs a timer.
 */
#ifndef HCA_PHY_REASSEMBLY_H
#define HCA_PHY_REASSEMBLY_H

#include <linux/spinlock.h>
#include <linux/types.h>
#include "link/serialize.h"
#include "phy/frame.h"

#define HCA_REASSEMBLY_PACKETS 8 /* at once: how far the network may reorder */

struct hca_reassembly_slot {
	u64 first; /* number of the frame of segment 0; 0: the slot is free */
	u16 total; /* octets */
	u16 have; /* a bit for each segment */
	u8 segments;
	bool complete; /* it is with hca_reassembly_add()'s caller */
	u8 octets[HCA_MAX_WIRE_BYTES];
};

struct hca_reassembly {
	spinlock_t lock; /* BH; leaf; guards all below, but for the octets of what is complete */
	u64 from, to; /* sessions */
	unsigned int next; /* slot for the next packet that begins */
	u64 incomplete; /* packets given up */
	struct hca_reassembly_slot *slots;
};

/* @reassembly: zeroed. Context: process. Return: 0 or -ENOMEM. */
int hca_reassembly_init(struct hca_reassembly *reassembly);

/* hca_reassembly_init() may have failed, or not been called. Context: process. */
void hca_reassembly_destroy(struct hca_reassembly *reassembly);

/**
 * hca_reassembly_add() - a segment has come
 * @reassembly: of the link
 * @frame: its header, found good by hca_frame_parse(); one of several segments
 * @payload: frame->length octets
 *
 * Context: BH disabled; no lock held. Return: the packet, frame->total octets, if this is its last
 * missing segment: to be given back with hca_reassembly_release(); NULL: others are missing;
 * ERR_PTR(-EINVAL): it has come before, or contradicts those that have.
 */
const u8 *hca_reassembly_add(struct hca_reassembly *reassembly, const struct hca_frame *frame,
			     const u8 *payload);

/* Context: as above. */
void hca_reassembly_release(struct hca_reassembly *reassembly, const u8 *packet);

#endif
