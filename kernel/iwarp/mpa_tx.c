// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* MPA's sender: FPDUs are written into buffers, which are handed to the stream. */
#include "iwarp/mpa_tx.h"
#include <linux/errno.h>
#include <linux/kernel.h>

int hca_mpa_tx_push(struct hca_mpa_tx *tx, struct hca_stream *s, bool more)
{
	u32 used = tx->buffer ? tx->buffer->used : 0;
	int ret;

	tx->busy = more;
	if (!used) {
		hca_mpa_tx_stop(tx);
		return 0;
	}
	ret = s->ops->send(s, tx->buffer, more);
	if (ret)
		return ret;
	tx->buffer = NULL;
	s->sent += used;
	return 0;
}

/* Get a buffer for at least one FPDU of @bytes octets, and for those that may follow it. */
static int mpa_tx_alloc(struct hca_mpa_tx *tx, struct hca_stream *s, u32 bytes)
{
	u32 room = s->ops->room(s);

	if (!room)
		return -EAGAIN;
	tx->buffer = hca_tx_buffer_alloc(max(tx->busy ? room : 0, bytes), bytes);
	if (!tx->buffer)
		return -ENOMEM;
	tx->limit = clamp_t(u32, room, bytes, tx->buffer->size);
	return 0;
}

int hca_mpa_tx_reserve(struct hca_mpa_tx *tx, struct hca_stream *s, u16 length)
{
	u32 bytes = hca_fpdu_bytes(length, hca_mpa_tx_position(tx, s), tx->markers);
	int ret = 0;

	if (tx->buffer && tx->buffer->used + bytes > tx->limit)
		ret = hca_mpa_tx_push(tx, s, true);
	if (ret || tx->buffer)
		return ret;
	return mpa_tx_alloc(tx, s, bytes);
}

void hca_mpa_tx_begin(struct hca_mpa_tx *tx, const struct hca_stream *s, struct hca_fpdu_tx *fpdu,
		      u16 length)
{
	hca_fpdu_begin(fpdu, tx->buffer->data + tx->buffer->used, length,
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
	tx->buffer->used += unlikely(tx->fault) ? mpa_tx_end_fault(tx, fpdu) :
						  hca_fpdu_end(fpdu, tx->crc);
}

u32 hca_mpa_tx_mulpdu(const struct hca_mpa_tx *tx, struct hca_stream *s)
{
	return hca_mulpdu(min_t(u32, s->ops->mss(s), HCA_TX_BUFFER_MAX), tx->markers);
}

void hca_mpa_tx_stop(struct hca_mpa_tx *tx)
{
	hca_tx_buffer_free(tx->buffer);
	tx->buffer = NULL;
}
