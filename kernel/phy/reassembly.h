/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Reassembly of packets that are received in several frames. Memory for HCA_REASSEMBLY_PACKETS
 * packets is allocated with the link. If all of it is in use, a new packet replaces the incomplete
 * packet that started first. Memory therefore cannot grow, and a timer is not needed.
 */
#ifndef HCA_PHY_REASSEMBLY_H
#define HCA_PHY_REASSEMBLY_H

#include <linux/spinlock.h>
#include <linux/types.h>
#include "packet/serialize.h"
#include "phy/frame.h"

/* Maximum number of incomplete packets, which limits how far the network may reorder frames. */
#define HCA_REASSEMBLY_PACKETS 8

struct hca_reassembly_slot {
	u64 first; /* number of the frame of segment 0; 0: the slot is free */
	u16 total; /* octets of the packet */
	u16 have; /* bitmap of the segments received */
	u8 segments;
	bool complete; /* the caller of hca_reassembly_add() uses the packet */
	u8 octets[HCA_MAX_WIRE_BYTES];
};

struct hca_reassembly {
	/* Leaf lock, BH disabled; guards the fields below, except octets of complete packets. */
	spinlock_t lock;
	u64 from, to; /* sessions of sender and receiver */
	unsigned int next; /* slot for the next packet that starts, modulo the number of slots */
	u64 incomplete; /* number of packets given up while segments were missing */
	struct hca_reassembly_slot *slots;
};

/**
 * hca_reassembly_init() - allocate the memory of a link for reassembly
 * @reassembly: zeroed memory
 *
 * Context: process.
 * Return: 0 or -ENOMEM.
 */
int hca_reassembly_init(struct hca_reassembly *reassembly);

/**
 * hca_reassembly_destroy() - free the memory of a link for reassembly
 * @reassembly: reassembly of the link, also after an error of hca_reassembly_init(); or zeroed
 *              memory
 *
 * Context: process.
 */
void hca_reassembly_destroy(struct hca_reassembly *reassembly);

/**
 * hca_reassembly_add() - receive a segment
 * @reassembly: reassembly of the link
 * @frame: header of the segment's frame, checked by hca_frame_parse(); frame->segments > 1
 * @payload: frame->length octets
 *
 * Context: BH disabled, no lock held.
 * Return: the complete packet, of frame->total octets, which the caller releases by
 * hca_reassembly_release(); NULL if segments are still missing; ERR_PTR(-EINVAL) if the segment is
 * a duplicate or contradicts other segments of the packet, or if no slot is free.
 */
const u8 *hca_reassembly_add(struct hca_reassembly *reassembly, const struct hca_frame *frame,
			     const u8 *payload);

/**
 * hca_reassembly_release() - release the memory of a complete packet
 * @reassembly: reassembly of the link
 * @packet: packet that hca_reassembly_add() has returned
 *
 * Context: BH disabled, no lock held.
 */
void hca_reassembly_release(struct hca_reassembly *reassembly, const u8 *packet);

#endif
