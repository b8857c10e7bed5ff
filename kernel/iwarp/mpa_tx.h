/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * MPA's sender: FPDUs are written one behind another into a buffer, which is handed to the stream
 * when it is full or nothing is left to be sent.
 */
#ifndef HCA_IWARP_MPA_TX_H
#define HCA_IWARP_MPA_TX_H

#include "iwarp/fault.h"
#include "iwarp/stream.h"
#include "iwarp/wire/fpdu.h"

struct hca_mpa_tx {
	bool crc, markers; /* as the start-up frames have agreed for what is sent */
	u32 limit; /* octets of @buffer that are to be used before the stream gets them */
	struct hca_tx_buffer buffer; /* whole FPDUs, of which the stream has taken the first */
	struct hca_iwarp_fault *fault; /* NULL: FPDUs have no faults */
	bool is_cut; /* a fault: a reset is to follow what is written */
};

/**
 * hca_mpa_tx_reserve() - make room for an FPDU
 * @tx: the sender
 * @s: the stream
 * @length: octets of the ULPDU, at most hca_mpa_tx_mulpdu()
 * @rest: octets that are known to follow in other FPDUs
 *
 * FPDUs that are written already are handed to the stream first, if this one has no room behind
 * them.
 *
 * Context: BH disabled; the caller holds no reference to registered memory.
 * Return: 0; -EAGAIN: the stream raises WRITABLE later; -ENOMEM: the caller tries again after a
 * while; -EPIPE: nothing can be sent any more.
 */
int hca_mpa_tx_reserve(struct hca_mpa_tx *tx, struct hca_stream *s, u16 length, u32 rest);

/**
 * hca_mpa_tx_begin() - begin an FPDU
 * @tx: the sender
 * @s: the stream
 * @fpdu: the FPDU, whose ULPDU is to be written by hca_fpdu_put()
 * @length: octets of the ULPDU, for which hca_mpa_tx_reserve() was called
 *
 * Context: BH disabled.
 */
void hca_mpa_tx_begin(struct hca_mpa_tx *tx, const struct hca_stream *s, struct hca_fpdu_tx *fpdu,
		      u16 length);

/**
 * hca_mpa_tx_end() - end an FPDU
 * @tx: the sender
 * @fpdu: the FPDU, all of whose ULPDU is written
 *
 * Context: BH disabled.
 */
void hca_mpa_tx_end(struct hca_mpa_tx *tx, struct hca_fpdu_tx *fpdu);

/**
 * hca_mpa_tx_push() - hand the FPDUs that are written to the stream
 * @tx: the sender
 * @s: the stream
 * @more: whether other FPDUs follow at once
 *
 * Context: BH disabled.
 * Return: 0: the stream has all; -EAGAIN or -EPIPE, as of hca_mpa_tx_reserve().
 */
int hca_mpa_tx_push(struct hca_mpa_tx *tx, struct hca_stream *s, bool more);

/**
 * hca_mpa_tx_mulpdu() - octets of the longest ULPDU to be sent now
 * @tx: the sender
 * @s: the stream
 *
 * Context: BH disabled.
 * Return: the octets; the FPDU then fits into one TCP segment, as some peers demand.
 */
u32 hca_mpa_tx_mulpdu(const struct hca_mpa_tx *tx, struct hca_stream *s);

/**
 * hca_mpa_tx_pending() - octets that are written and that the stream has not taken
 * @tx: the sender
 *
 * Context: BH disabled.
 * Return: the octets.
 */
static inline u32 hca_mpa_tx_pending(const struct hca_mpa_tx *tx)
{
	return tx->buffer.used - tx->buffer.sent;
}

/**
 * hca_mpa_tx_position() - the position in the stream behind what is written
 * @tx: the sender
 * @s: the stream, which has taken s->sent octets of it
 *
 * Context: BH disabled.
 * Return: the position, counted from the first octet of Full Operation.
 */
static inline u64 hca_mpa_tx_position(const struct hca_mpa_tx *tx, const struct hca_stream *s)
{
	return s->sent + hca_mpa_tx_pending(tx);
}

/**
 * hca_mpa_tx_stop() - forget what the stream has not taken
 * @tx: the sender
 *
 * Context: BH disabled.
 */
void hca_mpa_tx_stop(struct hca_mpa_tx *tx);

#endif
