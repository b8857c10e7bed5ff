// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Reassembly of packets that are received in several frames. */
#include "phy/reassembly.h"
#include <linux/build_bug.h>
#include <linux/container_of.h>
#include <linux/err.h>
#include <linux/minmax.h>
#include <linux/slab.h>
#include <linux/string.h>

int hca_reassembly_init(struct hca_reassembly *reassembly)
{
	spin_lock_init(&reassembly->lock);
	reassembly->slots = kvzalloc(HCA_REASSEMBLY_PACKETS * sizeof(*reassembly->slots),
				     GFP_KERNEL);
	return reassembly->slots ? 0 : -ENOMEM;
}

void hca_reassembly_destroy(struct hca_reassembly *reassembly)
{
	kvfree(reassembly->slots);
}

static void reassembly_abandon(struct hca_reassembly *reassembly, struct hca_reassembly_slot *slot)
{
	if (!slot->first || slot->complete)
		return;
	slot->first = 0;
	reassembly->incomplete++;
}

static void reassembly_begin_session(struct hca_reassembly *reassembly,
				     const struct hca_frame *frame)
{
	unsigned int i;

	for (i = 0; i < HCA_REASSEMBLY_PACKETS; i++)
		reassembly_abandon(reassembly, &reassembly->slots[i]);
	reassembly->from = frame->from;
	reassembly->to = frame->to;
}

static struct hca_reassembly_slot *reassembly_find(struct hca_reassembly *reassembly, u64 first)
{
	unsigned int i;

	for (i = 0; i < HCA_REASSEMBLY_PACKETS; i++)
		if (reassembly->slots[i].first == first)
			return &reassembly->slots[i];
	return NULL;
}

/*
 * Start a packet in the next slot in turn. Slots with a complete packet are skipped, because that
 * packet is still in use. Return: the slot; NULL if all slots are in use.
 */
static struct hca_reassembly_slot *reassembly_begin(struct hca_reassembly *reassembly,
						    const struct hca_frame *frame, u64 first)
{
	struct hca_reassembly_slot *slot;
	unsigned int i;

	for (i = 0; i < HCA_REASSEMBLY_PACKETS; i++) {
		slot = &reassembly->slots[reassembly->next++ % HCA_REASSEMBLY_PACKETS];
		if (slot->complete)
			continue;
		reassembly_abandon(reassembly, slot);
		slot->first = first;
		slot->total = frame->total;
		slot->segments = frame->segments;
		slot->have = 0;
		return slot;
	}
	return NULL;
}

static struct hca_reassembly_slot *reassembly_slot_of(struct hca_reassembly *reassembly,
						      const struct hca_frame *frame)
{
	u64 first = frame->number - frame->segment;

	/* The numbers of a session begin at 1. */
	if (frame->number <= frame->segment)
		return NULL;
	if (frame->from != reassembly->from || frame->to != reassembly->to)
		reassembly_begin_session(reassembly, frame);
	return reassembly_find(reassembly, first) ?: reassembly_begin(reassembly, frame, first);
}

static bool reassembly_is_wanted(const struct hca_reassembly_slot *slot,
				 const struct hca_frame *frame)
{
	return slot && !slot->complete && slot->total == frame->total &&
	       slot->segments == frame->segments && !(slot->have & 1u << frame->segment);
}

/* Store a segment. Return: whether the packet is complete. */
static bool reassembly_put(struct hca_reassembly_slot *slot, const struct hca_frame *frame,
			   const u8 *payload)
{
	unsigned int at = frame->segment * frame->length;

	memcpy(slot->octets + at, payload, min_t(unsigned int, frame->length, frame->total - at));
	slot->have |= 1u << frame->segment;
	slot->complete = slot->have == (1u << slot->segments) - 1;
	return slot->complete;
}

const u8 *hca_reassembly_add(struct hca_reassembly *reassembly, const struct hca_frame *frame,
			     const u8 *payload)
{
	const u8 *packet = ERR_PTR(-EINVAL);
	struct hca_reassembly_slot *slot;

	BUILD_BUG_ON(HCA_FRAME_SEGMENTS > 16); /* slot->have has 16 bits */
	spin_lock(&reassembly->lock);
	slot = reassembly_slot_of(reassembly, frame);
	if (reassembly_is_wanted(slot, frame))
		packet = reassembly_put(slot, frame, payload) ? slot->octets : NULL;
	spin_unlock(&reassembly->lock);
	return packet;
}

void hca_reassembly_release(struct hca_reassembly *reassembly, const u8 *packet)
{
	struct hca_reassembly_slot *slot =
		container_of(packet, struct hca_reassembly_slot, octets[0]);

	spin_lock(&reassembly->lock);
	slot->complete = false;
	slot->first = 0;
	spin_unlock(&reassembly->lock);
}
