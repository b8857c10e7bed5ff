// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* MPA's receiver: from octets of a stream to checked FPDUs. */
#include "iwarp/mpa_rx.h"
#include "iwarp/wire/ddp.h"

#define MPA_RX_DISCARD_RANGES 4 /* that cost as much as an FPDU */

static void mpa_rx_skip(struct hca_stream *s, u32 octets)
{
	s->ops->consume(s, octets);
	s->received += octets;
}

/* Whether all octets of an FPDU have arrived. If its length is known by then, @fpdu has it. */
static bool mpa_rx_whole(const struct hca_mpa_rx *rx, struct hca_stream *s,
			 struct hca_mpa_fpdu *fpdu)
{
	u32 there = s->ops->peek(s, 0, fpdu->range, HCA_STREAM_RANGES);
	u32 needed, ranges = 0, sum = 0;

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
	bool whole = mpa_rx_whole(rx, s, fpdu);

	/* No message has a header that is so short: this is not the beginning of an FPDU. */
	if (fpdu->rx.bytes && fpdu->rx.length < HCA_DDP_TAGGED_BYTES) {
		*error = HCA_ERR_MPA_MARKER;
		return true;
	}
	if (whole)
		*error = hca_fpdu_check(&fpdu->rx, rx->crc);
	return whole;
}

void hca_mpa_rx_consume(struct hca_stream *s, const struct hca_mpa_fpdu *fpdu)
{
	mpa_rx_skip(s, fpdu->rx.bytes);
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
		mpa_rx_skip(s, octets);
	}
	return false;
}
