/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A ring of captured packets that several CPUs write at once and one reader reads. A writer
 * reserves space under a lock, and writes a record without the lock. The reader sees the record
 * after hca_capture_commit().
 */
#ifndef HCA_CAPTURE_CAPTURE_H
#define HCA_CAPTURE_CAPTURE_H

#include <linux/hca_tap.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#define HCA_CAPTURE_MIN_OCTETS (1u << 16)
#define HCA_CAPTURE_MAX_OCTETS (1u << 28)

struct hca_capture {
	u8 *ring;
	u32 octets; /* size of the ring; a power of two */
	u32 snap_length;
	/*
	 * Called when a record can be read. Context: BH disabled; a port's tx.lock, or send_lock of
	 * a queue pair and a lock of an endpoint, may be held.
	 */
	void (*notify)(struct hca_capture *capture);

	spinlock_t lock; /* leaf lock, BH disabled; guards the four fields below */
	u32 head; /* octets ever reserved, modulo 2^32 */
	u32 lost_since; /* packets lost since the last record */
	u64 captured; /* packets captured since hca_capture_init() */
	u64 lost; /* packets lost since hca_capture_init() */

	u32 tail; /* octets ever released, modulo 2^32; written by the reader */
};

/**
 * hca_capture_init() - initialize an empty ring
 * @capture: the ring
 * @ring: memory of the ring, zeroed, aligned to 8 octets; the caller frees it
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
 * The fields time_ns and lost are filled in. hca_capture_commit() must follow soon, since the
 * reader does not read later records before this one.
 * Context: BH disabled.
 * Return: the record; NULL if there is no space, in which case the packet is counted as lost.
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
 * Return: the record, followed by the octets of the packet, valid until hca_capture_drop(); NULL if
 * there is no complete record.
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
 * @captured: number of octets of the packet in the record
 *
 * Context: any.
 * Return: octets, a multiple of 8.
 */
static inline u32 hca_record_octets(u32 captured)
{
	return sizeof(struct hca_tap_record) + ((captured + 7) & ~7u);
}

#endif
