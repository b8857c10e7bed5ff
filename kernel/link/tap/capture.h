/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A ring of captured packets that several CPUs write at once and one reader reads. Space is
 * reserved under a lock and written without it; the reader sees a record once it is committed.
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
	u32 octets; /* size of the ring; a power of two */
	u32 snap_length;
	/* Called when a record can be read, with BH disabled; locks of senders may be held. */
	void (*notify)(struct hca_capture *capture);

	spinlock_t lock; /* BH; leaf; guards head and the counts */
	u32 head; /* octets ever reserved, modulo 2^32 */
	u32 lost_since; /* packets lost since the last record */
	u64 captured; /* packets */
	u64 lost; /* packets */

	u32 tail; /* octets ever released, modulo 2^32; written by the reader */
};

/**
 * hca_capture_init() - initialize an empty ring
 * @capture: the ring
 * @ring: its memory, zeroed, aligned to 8 octets; stays the caller's
 * @octets: size of @ring: a power of two, HCA_CAPTURE_MIN_OCTETS to HCA_CAPTURE_MAX_OCTETS
 * @snap_length: maximum number of octets captured of each packet
 * @notify: called when a record can be read; see struct hca_capture
 *
 * Context: any.
 */
void hca_capture_init(struct hca_capture *capture, void *ring, u32 octets, u32 snap_length,
		      void (*notify)(struct hca_capture *capture));

/**
 * hca_capture_reserve() - reserve space for a record
 * @capture: the ring
 * @octets: maximum number of octets of the packet that follow the record
 *
 * The fields time_ns and lost are filled in. hca_capture_commit() must follow soon.
 * Context: BH disabled.
 * Return: the record; NULL without space, the packet is counted as lost then.
 */
struct hca_tap_record *hca_capture_reserve(struct hca_capture *capture, u32 octets);

/**
 * hca_capture_commit() - make a complete record visible to the reader
 * @capture: the ring
 * @record: result of hca_capture_reserve(); must not be accessed afterwards
 * Context: BH disabled.
 */
void hca_capture_commit(struct hca_capture *capture, struct hca_tap_record *record);

/**
 * hca_capture_first() - find the oldest record
 * @capture: the ring
 *
 * Context: any; one reader at a time.
 * Return: the record, followed by its octets, valid until hca_capture_drop(); NULL without one.
 */
const struct hca_tap_record *hca_capture_first(struct hca_capture *capture);

/**
 * hca_capture_is_readable() - whether there is a record to read
 * @capture: the ring
 *
 * Context: any. The result may be out of date while the reader reads and releases records.
 */
bool hca_capture_is_readable(const struct hca_capture *capture);

/**
 * hca_capture_drop() - release the oldest record, which has been read
 * @capture: the ring
 *
 * Context: any; one reader at a time.
 */
void hca_capture_drop(struct hca_capture *capture);

/**
 * hca_record_octets() - length of a record with its packet
 * @captured: octets of the packet that are captured
 *
 * Context: any.
 * Return: octets, a multiple of 8.
 */
static inline u32 hca_record_octets(u32 captured)
{
	return sizeof(struct hca_tap_record) + ((captured + 7) & ~7u);
}

#endif
