// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* MPA's receiver: from octets of a stream to checked FPDUs. */
#include "iwarp/mpa_rx.h"
#include <linux/kernel.h>
#include "iwarp/wire/ddp.h"

#define MPA_RX_DISCARD_RANGES 4 /* that cost as much as an FPDU */

void hca_mpa_rx_end(struct hca_stream *s, struct hca_mpa_fpdu *fpdu)
{
	if (fpdu->behind)
		s->ops->consume(s, fpdu->behind);
	hca_mpa_rx_begin(fpdu);
}

/* Whether the next FPDU is whole in the first of the ranges that the stream has shown. */
static bool mpa_rx_is_shown(const struct hca_mpa_rx *rx, const struct hca_stream *s,
			    struct hca_mpa_fpdu *fpdu)
{
	const struct hca_octets *first = fpdu->range;

	return first->length &&
	       hca_fpdu_parse(&fpdu->rx, first, 1, s->received, rx->markers) <= first->length;
}

/* Whether all octets of an FPDU have arrived. If its length is known by then, @fpdu has it. */
static bool mpa_rx_whole(const struct hca_mpa_rx *rx, struct hca_stream *s,
			 struct hca_mpa_fpdu *fpdu)
{
	u32 needed, there, ranges = 0, sum = 0;

	hca_mpa_rx_end(s, fpdu);
	there = s->ops->peek(s, 0, fpdu->range, HCA_STREAM_RANGES);
	while (sum < there && ranges < HCA_STREAM_RANGES)
		sum += fpdu->range[ranges++].length;
	fpdu->rx.bytes = 0;
	needed = hca_fpdu_parse(&fpdu->rx, fpdu->range, ranges, s->received, rx->markers);
	if (there >= needed)
		return true;
	s->ops->want(s, needed);
	return false;
}

bool hca_mpa_rx_next(const struct hca_mpa_rx *rx, struct hca_stream *s, struct hca_mpa_fpdu *fpdu,
		     enum hca_iwarp_error *error)
{
	bool whole = mpa_rx_is_shown(rx, s, fpdu) || mpa_rx_whole(rx, s, fpdu);

	/* No message has a header that is so short: this is not the beginning of an FPDU. */
	if (fpdu->rx.bytes && fpdu->rx.length < HCA_DDP_TAGGED_BYTES) {
		*error = HCA_ERR_MPA_MARKER;
		return true;
	}
	if (whole)
		*error = hca_fpdu_check(&fpdu->rx, rx->crc);
	return whole;
}

void hca_mpa_rx_consume(struct hca_stream *s, struct hca_mpa_fpdu *fpdu)
{
	struct hca_octets *first = fpdu->range;
	u32 octets = min(first->length, fpdu->rx.bytes);

	fpdu->behind += fpdu->rx.bytes;
	s->received += fpdu->rx.bytes;
	first->data += octets;
	first->length -= octets;
}

bool hca_mpa_rx_discard(struct hca_stream *s, int *budget)
{
	struct hca_octets range[MPA_RX_DISCARD_RANGES];
	u32 octets;

	for (; *budget > 0; (*budget)--) {
		octets = s->ops->peek(s, 0, range, MPA_RX_DISCARD_RANGES);
		if (!octets) {
			s->ops->want(s, 1);
			return true;
		}
		s->ops->consume(s, octets);
		s->received += octets;
	}
	return false;
}
