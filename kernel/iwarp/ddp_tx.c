// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* DDP's sender: it cuts messages into segments. */
#include "iwarp/ddp_tx.h"
#include <linux/kernel.h>
#include "tpt/copy.h"

static u32 ddp_tx_header_bytes(const struct hca_message *message)
{
	return message->ddp.tagged ? HCA_DDP_TAGGED_BYTES : HCA_DDP_UNTAGGED_BYTES;
}

u32 hca_ddp_tx_octets(const struct hca_message *message, u32 mulpdu)
{
	return min(message->length - message->done, mulpdu - ddp_tx_header_bytes(message));
}

int hca_ddp_tx_reserve(struct hca_mpa_tx *tx, struct hca_stream *s,
		       const struct hca_message *message, u32 octets)
{
	return hca_mpa_tx_reserve(tx, s, ddp_tx_header_bytes(message) + octets,
				  message->length - message->done - octets);
}

/* Write the header of the message's next segment, which has @octets octets behind it. */
static u32 ddp_tx_header(const struct hca_message *message, u32 octets, u8 *head)
{
	struct hca_ddp ddp = message->ddp;

	ddp.last = message->done + octets == message->length;
	if (ddp.tagged)
		ddp.to += message->done;
	else
		ddp.mo = message->done;
	return hca_ddp_pack(&ddp, head);
}

static void ddp_tx_payload(struct hca_fpdu_tx *fpdu, const struct hca_segment *payload, u32 octets)
{
	struct hca_cursor from = { .segment = payload };
	u32 now;

	if (!fpdu->marker) {
		hca_copy_out(hca_fpdu_reserve(fpdu, &octets), payload, octets);
		return;
	}
	for (; octets; octets -= now) {
		struct hca_segment flat = { .entry = NULL };
		struct hca_cursor to = { .segment = &flat };

		now = octets;
		flat.addr = (uintptr_t)hca_fpdu_reserve(fpdu, &now);
		flat.length = now;
		hca_copy(&to, &from, now);
	}
}

void hca_ddp_tx_segment(struct hca_mpa_tx *tx, const struct hca_stream *s,
			struct hca_message *message, const struct hca_segment *payload,
			u32 octets)
{
	u8 head[HCA_DDP_BYTES_MAX];
	u32 header = ddp_tx_header(message, octets, head);
	struct hca_fpdu_tx fpdu;

	if (unlikely(tx->fault))
		hca_iwarp_fault_header(tx->fault, head);
	hca_mpa_tx_begin(tx, s, &fpdu, header + octets);
	hca_fpdu_put(&fpdu, head, header);
	ddp_tx_payload(&fpdu, payload, octets);
	hca_mpa_tx_end(tx, &fpdu);
	message->done += octets;
	message->is_begun = true;
}
