/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Records of packets on their way to a reader: a ring that any number of CPUs write to
 * at once and one reader reads. Room is taken under a lock, what goes there is written
 * without it, and is seen once it is committed.
 */
#ifndef HCA_LINK_CAPTURE_H
#define HCA_LINK_CAPTURE_H

#include <linux/hca_tap.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#define HCA_CAPTURE_MIN_OCTETS (1u << 16)
#define HCA_CAPTURE_MAX_OCTETS (1u << 28)

struct hca_capture {
	u8 *ring;
	u32 octets; /* of the ring; a power of two */
	u32 snap_length;
	/* There is something to read. BH disabled; locks of senders may be held. */
	void (*notify)(struct hca_capture *capture);

	spinlock_t lock; /* BH; leaf; guards head and the counts */
	u32 head; /* octets ever taken, modulo 2^32 */
	u32 lost_since; /* packets, since the last one that found room */
	u64 captured;
	u64 lost;

	u32 tail; /* octets ever given back; the reader's own */
};

/**
 * hca_capture_init() - an empty ring
 * @capture: what it is
 * @ring: its memory, zeroed, aligned to 8; stays the caller's
 * @octets: of @ring; a power of two, HCA_CAPTURE_MIN_OCTETS to HCA_CAPTURE_MAX_OCTETS
 * @snap_length: at most so many octets of each packet
 * @notify: see struct hca_capture
 */
void hca_capture_init(struct hca_capture *capture, void *ring, u32 octets, u32 snap_length,
		      void (*notify)(struct hca_capture *capture));

/**
 * hca_capture_reserve() - room for a record
 * @capture: the ring
 * @octets: at most so many of a packet are going to follow the record
 *
 * Its time and @lost are filled in. hca_capture_commit() must follow soon.
 * Context: BH disabled. Return: NULL: there is none, and the packet is counted as lost.
 */
struct hca_tap_record *hca_capture_reserve(struct hca_capture *capture, u32 octets);

/**
 * hca_capture_commit() - the record is complete
 * @capture: the ring
 * @record: from hca_capture_reserve(); not to be touched any more
 *
 * Context: BH disabled.
 */
void hca_capture_commit(struct hca_capture *capture, struct hca_tap_record *record);

/**
 * hca_capture_first() - the oldest record that is there
 * @capture: the ring
 *
 * Context: any; one reader at a time. Return: it, with its octets behind it, until
 * hca_capture_drop(); NULL: none.
 */
const struct hca_tap_record *hca_capture_first(struct hca_capture *capture);

/* The oldest record has been read. Context: as above. */
void hca_capture_drop(struct hca_capture *capture);

/* Of a record, with what follows it. */
static inline u32 hca_record_octets(u32 captured)
{
	return sizeof(struct hca_tap_record) + ((captured + 7) & ~7u);
}

#endif
