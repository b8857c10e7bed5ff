// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* DDP's receiver: the checks of a segment's headers, and the order of segments and messages. */
#include "iwarp/ddp_rx.h"
#include <linux/kernel.h>
#include <linux/string.h>

void hca_ddp_rx_init(struct hca_ddp_rx *rx)
{
	u32 qn;

	memset(rx, 0, sizeof(*rx));
	for (qn = 0; qn < HCA_QN_COUNT; qn++)
		rx->msn[qn] = HCA_DDP_FIRST_MSN;
}

/* A tagged message may not begin before the one that has begun ends (RFC 5041, 5.3). */
static enum hca_iwarp_error ddp_rx_check_tagged(const struct hca_ddp_rx *rx,
						const struct hca_rdmap_segment *s)
{
	return rx->is_in_tagged && rx->tagged != s->opcode ? HCA_ERR_RDMAP_OPCODE : HCA_IWARP_OK;
}

/*
 * Send messages are the only ones of several segments. A Read Request may not come between them,
 * and all of them are of one kind; a Terminate message may come at any time.
 */
static enum hca_iwarp_error ddp_rx_check_send(const struct hca_ddp_rx *rx,
					      const struct hca_rdmap_segment *s)
{
	if (!rx->is_in_send || s->ddp.qn == HCA_QN_TERMINATE)
		return HCA_IWARP_OK;
	if (rx->send != s->opcode || (s->op->invalidates && rx->invalidate != s->ddp.ulp_tail))
		return HCA_ERR_RDMAP_OPCODE;
	return HCA_IWARP_OK;
}

static enum hca_iwarp_error ddp_rx_check_untagged(const struct hca_ddp_rx *rx,
						  const struct hca_rdmap_segment *s)
{
	u32 mo = s->ddp.qn == HCA_QN_SEND ? rx->mo : 0;

	if (s->ddp.msn != rx->msn[s->ddp.qn])
		return HCA_ERR_DDP_MSN;
	if (s->ddp.mo != mo)
		return HCA_ERR_DDP_MO;
	/* A message has fewer than 2^32 octets. */
	if (s->length > U32_MAX - mo)
		return HCA_ERR_DDP_TOO_LONG;
	/* Read Requests and Terminate messages have one segment. */
	if (s->ddp.qn != HCA_QN_SEND && !s->ddp.last)
		return HCA_ERR_DDP_TOO_LONG;
	return ddp_rx_check_send(rx, s);
}

enum hca_iwarp_error hca_ddp_rx_segment(const struct hca_ddp_rx *rx,
					const struct hca_fpdu_rx *fpdu,
					struct hca_rx_segment *segment)
{
	struct hca_rdmap_segment *s = &segment->s;
	enum hca_iwarp_error error;
	struct hca_ulpdu place;

	hca_ulpdu_begin(&place, fpdu);
	segment->payload = place;
	segment->length = fpdu->length;
	segment->head_octets = hca_ulpdu_copy(&place, segment->head, sizeof(segment->head));
	error = hca_rdmap_parse(s, segment->head, segment->length);
	if (error != HCA_IWARP_OK)
		return error;
	hca_ulpdu_skip(&segment->payload, s->header_bytes);
	return s->ddp.tagged ? ddp_rx_check_tagged(rx, s) : ddp_rx_check_untagged(rx, s);
}

static void ddp_rx_done_send(struct hca_ddp_rx *rx, const struct hca_rdmap_segment *s)
{
	rx->is_in_send = !s->ddp.last;
	rx->mo = s->ddp.last ? 0 : rx->mo + s->length;
	rx->send = s->opcode;
	rx->invalidate = s->ddp.ulp_tail;
}

void hca_ddp_rx_done(struct hca_ddp_rx *rx, const struct hca_rx_segment *segment)
{
	const struct hca_rdmap_segment *s = &segment->s;

	if (s->ddp.tagged) {
		rx->is_in_tagged = !s->ddp.last;
		rx->tagged = s->opcode;
		return;
	}
	if (s->ddp.qn == HCA_QN_SEND)
		ddp_rx_done_send(rx, s);
	if (s->ddp.last)
		rx->msn[s->ddp.qn]++;
}
