/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* MPA's receiver: from octets of a stream to checked FPDUs. */
#ifndef HCA_IWARP_MPA_RX_H
#define HCA_IWARP_MPA_RX_H

#include "iwarp/stream.h"
#include "iwarp/wire/error.h"
#include "iwarp/wire/fpdu.h"

/* The agreement of the start-up frames for the octets that arrive. */
struct hca_mpa_rx {
	bool crc;
	bool markers;
};

/* An FPDU that has arrived, and the ranges of the stream in which it lies. */
struct hca_mpa_fpdu {
	struct hca_fpdu_rx rx;
	/*
	 * Octets of FPDUs before it that were read, but not consumed yet: the stream shows several
	 * FPDUs at once, and is told of them at once.
	 */
	u32 behind;
	struct hca_octets range[HCA_STREAM_RANGES];
};

/**
 * hca_mpa_rx_begin() - begin to read FPDUs of a stream
 * @fpdu: initialized
 *
 * Context: BH disabled, until hca_mpa_rx_end().
 */
static inline void hca_mpa_rx_begin(struct hca_mpa_fpdu *fpdu)
{
	fpdu->behind = 0;
	fpdu->range[0].length = 0;
}

/**
 * hca_mpa_rx_next() - find the next FPDU, if all of it has arrived
 * @rx: the receiver
 * @s: the stream, in Full Operation
 * @fpdu: begun; filled in, and valid until hca_mpa_rx_consume() or hca_mpa_rx_end()
 * @error: set to HCA_IWARP_OK, or to the error of an FPDU that must not be looked at:
 *         HCA_ERR_MPA_CRC or HCA_ERR_MPA_MARKER
 *
 * A CRC is checked before anything of the FPDU but its length is looked at (RFC 5044, 6).
 *
 * Context: BH disabled, as for the operations of the stream.
 * Return: whether there is an FPDU or an error; otherwise the stream raises READABLE later, and has
 * been told of all that was read.
 */
bool hca_mpa_rx_next(const struct hca_mpa_rx *rx, struct hca_stream *s, struct hca_mpa_fpdu *fpdu,
		     enum hca_iwarp_error *error);

/**
 * hca_mpa_rx_consume() - go behind an FPDU
 * @s: the stream
 * @fpdu: result of hca_mpa_rx_next(), whose octets are not used any more
 *
 * Context: BH disabled.
 */
void hca_mpa_rx_consume(struct hca_stream *s, struct hca_mpa_fpdu *fpdu);

/**
 * hca_mpa_rx_end() - tell a stream of all FPDUs that were read
 * @s: the stream
 * @fpdu: begun, not used any more
 *
 * Context: BH disabled.
 */
void hca_mpa_rx_end(struct hca_stream *s, struct hca_mpa_fpdu *fpdu);

/**
 * hca_mpa_rx_discard() - consume octets that have arrived, unread
 * @s: the stream
 * @budget: reduced by what this costs
 *
 * Context: BH disabled.
 * Return: true: all of them, and the stream raises READABLE later; false: the budget is used up.
 */
bool hca_mpa_rx_discard(struct hca_stream *s, int *budget);

#endif
