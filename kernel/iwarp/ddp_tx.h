/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* DDP's sender: it cuts messages into segments. */
#ifndef HCA_IWARP_DDP_TX_H
#define HCA_IWARP_DDP_TX_H

#include "iwarp/mpa_tx.h"
#include "iwarp/wire/ddp.h"

struct hca_segment;

/* A message that is being sent. */
struct hca_message {
	struct hca_ddp ddp; /* header of its first segment */
	u32 length; /* octets behind the DDP headers */
	u32 done; /* octets of @length that were sent */
	bool is_begun; /* a segment was sent, perhaps one without octets */
};

static inline bool hca_message_is_done(const struct hca_message *message)
{
	return message->is_begun && message->done == message->length;
}

/**
 * hca_ddp_tx_octets() - octets behind the DDP header of a message's next segment
 * @message: the message
 * @mulpdu: result of hca_mpa_tx_mulpdu()
 *
 * Context: any.
 * Return: the octets.
 */
u32 hca_ddp_tx_octets(const struct hca_message *message, u32 mulpdu);

/**
 * hca_ddp_tx_reserve() - make room for the next segment of a message
 * @tx: the sender
 * @s: the stream
 * @message: the message
 * @octets: result of hca_ddp_tx_octets()
 *
 * Context: BH disabled; the caller holds no reference to registered memory.
 * Return: 0, or the error of hca_mpa_tx_reserve().
 */
int hca_ddp_tx_reserve(struct hca_mpa_tx *tx, struct hca_stream *s,
		       const struct hca_message *message, u32 octets);

/**
 * hca_ddp_tx_segment() - write the next segment of a message, for which there is room
 * @tx: the sender
 * @s: the stream
 * @message: the message, whose progress is noted
 * @payload: memory of the octets, which can be read now
 * @octets: as of hca_ddp_tx_reserve()
 *
 * Context: BH disabled.
 */
void hca_ddp_tx_segment(struct hca_mpa_tx *tx, const struct hca_stream *s,
			struct hca_message *message, const struct hca_segment *payload,
			u32 octets);

#endif
