// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <linux/minmax.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "link/train.h"

bool hca_trains = true;

/* Of what a train borrows, @length octets behind the first @skip. May be done in place. */
static void hca_train_cut_fragments(const struct hca_packet *train, u32 skip, u32 length,
				    struct hca_packet *part)
{
	const struct hca_fragment *from = train->fragment;
	u8 n = 0;

	for (; skip >= from->length; from++)
		skip -= from->length;
	for (; length; from++) {
		struct hca_fragment piece = *from;

		piece.addr += skip;
		piece.length = min(from->length - skip, length);
		length -= piece.length;
		skip = 0;
		part->fragment[n++] = piece;
	}
	part->num_fragments = n;
}

/* What parts of a train differ in beside their payload. */
static void hca_train_number(const struct hca_packet *train, u8 first, u8 packets,
			     struct hca_packet *part)
{
	if (first + packets < train->packets)
		part->h.bth.flags &= ~HCA_BTH_ACKREQ;
	part->h.bth.psn = (train->h.bth.psn + first) & HCA_PSN_MASK;
	part->packets = packets;
}

void hca_train_part(const struct hca_packet *train, u8 first, u8 packets, struct hca_packet *part)
{
	u32 skip = first * train->payload_length;

	*part = *train;
	part->held = NULL;
	hca_train_number(train, first, packets, part);
	if (train->payload_kind == HCA_PAYLOAD_GATHERED)
		part->buffer += skip;
	else
		hca_train_cut_fragments(train, skip, packets * train->payload_length, part);
}

struct hca_packet *hca_train_take(struct hca_packet *train, u8 packets)
{
	struct hca_packet *part = hca_packet_alloc(train->pool);
	u32 taken = packets * train->payload_length;
	u32 left = hca_train_octets(train) - taken;
	u8 *buffer = NULL;

	if (!part)
		return NULL;
	if (train->payload_kind == HCA_PAYLOAD_GATHERED) {
		buffer = kmemdup(train->buffer, taken, GFP_ATOMIC | __GFP_NOWARN);
		if (!buffer) {
			hca_packet_free(part);
			return NULL;
		}
	}
	hca_train_part(train, 0, packets, part);
	part->held = train->held;
	if (buffer) {
		part->buffer = buffer;
		memmove(train->buffer, train->buffer + taken, left);
	} else {
		hca_train_cut_fragments(train, taken, left, train);
	}
	hca_train_number(train, packets, train->packets - packets, train);
	return part;
}
