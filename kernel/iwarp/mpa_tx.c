// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* MPA's sender: FPDUs are written into buffers, which are handed to the stream. */
#include "iwarp/mpa_tx.h"
#include <linux/errno.h>
#include <linux/kernel.h>

int hca_mpa_tx_push(struct hca_mpa_tx *tx, struct hca_stream *s, bool more)
{
	struct hca_tx_buffer *b = &tx->buffer;
	u32 octets = hca_mpa_tx_pending(tx);
	int ret = octets ? s->ops->send(s, b, more) : 0;

	if (ret)
		return ret;
	s->sent += octets;
	b->sent = b->used;
	/* A connection that may be idle keeps no memory. */
	if (!more)
		hca_tx_buffer_free(b);
	return 0;
}

/* Begin to write what the stream gets at once. @bytes: octets of the first FPDU. */
static int mpa_tx_start(struct hca_mpa_tx *tx, struct hca_stream *s, u32 bytes, u32 rest)
{
	struct hca_tx_buffer *b = &tx->buffer;
	u32 room = s->ops->room(s);

	if (!room)
		return -EAGAIN;
	if (b->size - b->used < bytes) {
		hca_tx_buffer_free(b);
		if (!hca_tx_buffer_alloc(b, bytes + min(rest, room), bytes))
			return -ENOMEM;
	}
	tx->limit = b->used + clamp_t(u32, room, bytes, b->size - b->used);
	return 0;
}

int hca_mpa_tx_reserve(struct hca_mpa_tx *tx, struct hca_stream *s, u16 length, u32 rest)
{
	u32 bytes = hca_fpdu_bytes(length, hca_mpa_tx_position(tx, s), tx->markers);
	int ret = 0;

	if (hca_mpa_tx_pending(tx) && tx->buffer.used + bytes > tx->limit)
		ret = hca_mpa_tx_push(tx, s, true);
	if (ret || hca_mpa_tx_pending(tx))
		return ret;
	return mpa_tx_start(tx, s, bytes, rest);
}

void hca_mpa_tx_begin(struct hca_mpa_tx *tx, const struct hca_stream *s, struct hca_fpdu_tx *fpdu,
		      u16 length)
{
	hca_fpdu_begin(fpdu, tx->buffer.data + tx->buffer.used, length,
		       hca_mpa_tx_position(tx, s), tx->markers);
}

/* Return: the last marker that is written of an FPDU; NULL: none. */
static u8 *mpa_tx_marker(const struct hca_fpdu_tx *fpdu)
{
	if (!fpdu->marker || fpdu->marker - fpdu->start < HCA_MARKER_INTERVAL)
		return NULL;
	return fpdu->marker - HCA_MARKER_INTERVAL;
}

/* End an FPDU that may get a fault. Return: its octets that are to be sent. */
static u32 mpa_tx_end_fault(struct hca_mpa_tx *tx, struct hca_fpdu_tx *fpdu)
{
	u32 length, sent;

	hca_iwarp_fault_marker(tx->fault, mpa_tx_marker(fpdu));
	length = hca_fpdu_end(fpdu, tx->crc);
	sent = length;
	tx->is_cut = hca_iwarp_fault_cuts(tx->fault, &sent);
	hca_iwarp_fault_end(tx->fault, fpdu->start, length);
	return sent;
}

void hca_mpa_tx_end(struct hca_mpa_tx *tx, struct hca_fpdu_tx *fpdu)
{
	tx->buffer.used += unlikely(tx->fault) ? mpa_tx_end_fault(tx, fpdu) :
						 hca_fpdu_end(fpdu, tx->crc);
}

u32 hca_mpa_tx_mulpdu(const struct hca_mpa_tx *tx, struct hca_stream *s)
{
	return hca_mulpdu(min_t(u32, s->ops->mss(s), HCA_TX_BUFFER_MAX), tx->markers);
}

void hca_mpa_tx_stop(struct hca_mpa_tx *tx)
{
	hca_tx_buffer_free(&tx->buffer);
}
