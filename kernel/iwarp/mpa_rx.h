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
	struct hca_octets range[HCA_STREAM_RANGES];
};

/**
 * hca_mpa_rx_next() - find the next FPDU, if all of it has arrived
 * @rx: the receiver
 * @s: the stream, in Full Operation
 * @fpdu: filled in; valid until the octets are consumed
 * @error: set to HCA_IWARP_OK, or to the error of an FPDU that must not be looked at:
 *         HCA_ERR_MPA_CRC or HCA_ERR_MPA_MARKER
 *
 * A CRC is checked before anything of the FPDU but its length is looked at (RFC 5044, 6).
 *
 * Context: BH disabled, as for the operations of the stream.
 * Return: whether there is an FPDU or an error; otherwise the stream raises READABLE later.
 */
bool hca_mpa_rx_next(const struct hca_mpa_rx *rx, struct hca_stream *s, struct hca_mpa_fpdu *fpdu,
		     enum hca_iwarp_error *error);

/**
 * hca_mpa_rx_consume() - go behind an FPDU
 * @s: the stream
 * @fpdu: result of hca_mpa_rx_next(), not used any more
 *
 * Context: BH disabled.
 */
void hca_mpa_rx_consume(struct hca_stream *s, const struct hca_mpa_fpdu *fpdu);

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
