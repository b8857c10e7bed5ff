// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Functions that describe a part of a segment batch, or split a segment batch. */
#include "packet/batch.h"
#include <linux/minmax.h>
#include <linux/slab.h>
#include <linux/string.h>

bool hca_batches = true;

/*
 * Set the fragments of @part to @length octets of the borrowed payload of @batch, starting at
 * offset @skip. @part may be @batch.
 */
static void batch_cut_fragments(const struct hca_packet *batch, u32 skip, u32 length,
				struct hca_packet *part)
{
	const struct hca_fragment *from = batch->fragment;
	u8 n = 0;

	for (; skip >= from->length; from++)
		skip -= from->length;
	for (; length; from++) {
		struct hca_fragment segment = *from;

		segment.addr += skip;
		segment.length = min(from->length - skip, length);
		length -= segment.length;
		skip = 0;
		part->fragment[n++] = segment;
	}
	part->num_fragments = n;
}

/* Set PSN, AckReq and packets of @part, which consists of @packets packets from index @first on. */
static void batch_number(const struct hca_packet *batch, u8 first, u8 packets,
			 struct hca_packet *part)
{
	if (first + packets < batch->packets)
		part->h.bth.flags &= ~HCA_BTH_ACKREQ;
	part->h.bth.psn = (batch->h.bth.psn + first) & HCA_PSN_MASK;
	part->packets = packets;
}

void hca_batch_view(const struct hca_packet *batch, u8 first, u8 packets, struct hca_packet *part)
{
	u32 skip = first * batch->payload_length;

	*part = *batch;
	part->reserved_at = NULL;
	batch_number(batch, first, packets, part);
	if (batch->payload_kind == HCA_PAYLOAD_GATHERED)
		part->buffer += skip;
	else
		batch_cut_fragments(batch, skip, packets * batch->payload_length, part);
}

struct hca_packet *hca_batch_split(struct hca_packet *batch, u8 packets)
{
	struct hca_packet *part = hca_packet_alloc_like(batch);
	u32 split = packets * batch->payload_length;
	u32 left = hca_batch_octets(batch) - split;
	u8 *buffer = NULL;

	if (!part)
		return NULL;
	if (batch->payload_kind == HCA_PAYLOAD_GATHERED) {
		buffer = kmemdup(batch->buffer, split, GFP_ATOMIC | __GFP_NOWARN);
		if (!buffer) {
			hca_packet_free(part);
			return NULL;
		}
	}
	hca_batch_view(batch, 0, packets, part);
	part->reserved_at = batch->reserved_at;
	if (buffer) {
		part->buffer = buffer;
		memmove(batch->buffer, batch->buffer + split, left);
	} else {
		batch_cut_fragments(batch, split, left, batch);
	}
	batch_number(batch, packets, batch->packets - packets, batch);
	return part;
}
