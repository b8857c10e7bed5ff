// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* A ring of captured packets. */
#include "capture/capture.h"
#include <asm/barrier.h>
#include <linux/build_bug.h>
#include <linux/ktime.h>

enum hca_entry_state {
	HCA_ENTRY_BUSY, /* reserved, still being written */
	HCA_ENTRY_READY,
	HCA_ENTRY_GAP, /* the end of the ring, unused because it is too short for the next entry */
};

/* The header of each entry of the ring. An entry's size is a multiple of 8, so a header fits. */
struct hca_entry_head {
	u32 octets; /* size of the entry, header included */
	u32 state; /* enum hca_entry_state */
};

void hca_capture_init(struct hca_capture *capture, void *ring, u32 octets, u32 snap_length,
		      void (*notify)(struct hca_capture *capture))
{
	BUILD_BUG_ON(sizeof(struct hca_entry_head) != 8 || sizeof(struct hca_tap_record) % 8);
	*capture = (struct hca_capture){
		.ring = ring,
		.octets = octets,
		.snap_length = snap_length,
		.notify = notify,
	};
	spin_lock_init(&capture->lock);
}

static struct hca_entry_head *capture_entry_at(const struct hca_capture *capture, u32 at)
{
	return (struct hca_entry_head *)(capture->ring + (at & (capture->octets - 1)));
}

static struct hca_tap_record *capture_entry_record(struct hca_entry_head *entry)
{
	return (struct hca_tap_record *)(entry + 1);
}

/* Reserve a contiguous entry; if the end of the ring is too short for it, a gap fills the end. */
static struct hca_entry_head *capture_entry_reserve(struct hca_capture *capture, u32 octets)
{
	u32 to_end = capture->octets - (capture->head & (capture->octets - 1));
	u32 gap = to_end < octets ? to_end : 0;
	struct hca_entry_head *entry;

	/* Do not write before the reader has read the space; pairs with hca_capture_drop(). */
	if (capture->octets - (capture->head - smp_load_acquire(&capture->tail)) < gap + octets)
		return NULL;
	if (gap)
		*capture_entry_at(capture, capture->head) =
			(struct hca_entry_head){ gap, HCA_ENTRY_GAP };
	entry = capture_entry_at(capture, capture->head + gap);
	*entry = (struct hca_entry_head){ octets, HCA_ENTRY_BUSY };
	/* Publish the entry headers before the new head. */
	smp_store_release(&capture->head, capture->head + gap + octets);
	return entry;
}

struct hca_tap_record *hca_capture_reserve(struct hca_capture *capture, u32 octets)
{
	struct hca_tap_record *record = NULL;
	struct hca_entry_head *entry;

	spin_lock(&capture->lock);
	entry = capture_entry_reserve(capture, sizeof(*entry) + hca_record_octets(octets));
	if (entry) {
		record = capture_entry_record(entry);
		record->time_ns = ktime_get_real_ns();
		record->lost = capture->lost_since;
		capture->lost_since = 0;
		capture->captured++;
	} else {
		capture->lost_since++;
		capture->lost++;
	}
	spin_unlock(&capture->lock);
	return record;
}

void hca_capture_commit(struct hca_capture *capture, struct hca_tap_record *record)
{
	struct hca_entry_head *entry = (struct hca_entry_head *)record - 1;

	smp_store_release(&entry->state, HCA_ENTRY_READY);
	capture->notify(capture);
}

const struct hca_tap_record *hca_capture_first(struct hca_capture *capture)
{
	while (capture->tail != smp_load_acquire(&capture->head)) {
		struct hca_entry_head *entry = capture_entry_at(capture, capture->tail);

		switch (smp_load_acquire(&entry->state)) {
		case HCA_ENTRY_READY:
			return capture_entry_record(entry);
		case HCA_ENTRY_BUSY:
			return NULL;
		}
		hca_capture_drop(capture);
	}
	return NULL;
}

bool hca_capture_is_readable(const struct hca_capture *capture)
{
	u32 at = READ_ONCE(capture->tail), head = smp_load_acquire(&capture->head);
	const struct hca_entry_head *entry;

	if (at == head)
		return false;
	entry = capture_entry_at(capture, at);
	/* A gap is followed by the entry that was reserved together with it. */
	if (smp_load_acquire(&entry->state) == HCA_ENTRY_GAP)
		entry = capture_entry_at(capture, at + READ_ONCE(entry->octets));
	return smp_load_acquire(&entry->state) == HCA_ENTRY_READY;
}

void hca_capture_drop(struct hca_capture *capture)
{
	u32 octets = capture_entry_at(capture, capture->tail)->octets;

	smp_store_release(&capture->tail, capture->tail + octets);
}
