// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The responder: it queues the peer's Read Requests, and answers them in order. */
#include "iwarp/responder.h"
#include <linux/kernel.h>
#include "iwarp/access.h"
#include "iwarp/count.h"
#include "iwarp/terminate.h"

static struct hca_read *responder_oldest(struct hca_iwarp_qp *it)
{
	return &it->responder.read[it->responder.head];
}

enum hca_iwarp_error hca_responder_queue(struct hca_iwarp_qp *it,
					 const struct hca_rx_segment *segment)
{
	struct hca_responder *responder = &it->responder;
	/* An RTR message does not count: it may come though no Read Request was agreed. */
	u16 limit = it->rtr_expected & HCA_RTR_READ ? responder->size : responder->ird;
	struct hca_read *read;

	if (responder->count >= limit)
		return HCA_ERR_RDMAP_STREAM;
	read = &responder->read[(responder->head + responder->count) % responder->size];
	hca_read_request_parse(&read->request, segment->head + segment->s.header_bytes);
	read->msn = segment->s.ddp.msn;
	responder->count++;
	hca_iwarp_count(it, HCA_RNIC_READS_IN, 1);
	return HCA_IWARP_OK;
}

void hca_responder_begin(struct hca_iwarp_qp *it)
{
	const struct hca_read_request *request = &responder_oldest(it)->request;

	it->message = (struct hca_message){ .length = request->size };
	hca_rdmap_header(&it->message.ddp, HCA_RDMAP_READ_RESPONSE, 0);
	it->message.ddp.stag = request->sink_stag;
	it->message.ddp.to = request->sink_to;
	it->sending = HCA_SENDING_RESPONSE;
}

/*
 * Get the memory of a segment. All of the source is checked before the first segment is sent, but
 * nothing if it has no octets (req P1-107, P1-108).
 */
static enum hca_vendor_err responder_get(struct hca_iwarp_qp *it, u32 octets,
					 struct hca_segment *segment)
{
	const struct hca_read_request *request = &responder_oldest(it)->request;
	enum hca_vendor_err refusal = HCA_VENDOR_ERR_NONE;

	if (!octets)
		return HCA_VENDOR_ERR_NONE;
	if (!it->message.is_begun)
		refusal = hca_access_check(it, request->source_stag, IB_UVERBS_ACCESS_REMOTE_READ,
					   request->source_to, request->size);
	if (refusal)
		return refusal;
	return hca_access_get(it, request->source_stag, IB_UVERBS_ACCESS_REMOTE_READ,
			      request->source_to, octets, segment);
}

/*
 * The source cannot be read. The Terminate message counts on what is written of the response (req
 * P1-067), which the stream gets first.
 */
static int responder_refuse(struct hca_iwarp_qp *it, enum hca_vendor_err refusal)
{
	const struct hca_read *read = responder_oldest(it);
	int ret = hca_mpa_tx_push(&it->tx, it->ep->stream, false);

	if (ret)
		return ret;
	it->sending = HCA_SENDING_NOTHING;
	hca_terminate_raise_read(it, hca_access_error(refusal, read->request.source_to,
						      read->request.size, false), read);
	return 0;
}

static void responder_sent(struct hca_iwarp_qp *it)
{
	struct hca_responder *responder = &it->responder;

	it->sending = HCA_SENDING_NOTHING;
	it->was_request = false;
	responder->head = (responder->head + 1) % responder->size;
	responder->count--;
}

int hca_responder_segment(struct hca_iwarp_qp *it)
{
	u32 octets = hca_ddp_tx_octets(&it->message,
				       hca_mpa_tx_mulpdu(&it->tx, it->ep->stream));
	struct hca_read *read = responder_oldest(it);
	struct hca_segment segment = { .entry = NULL };
	enum hca_vendor_err refusal;
	int ret;

	ret = hca_ddp_tx_reserve(&it->tx, it->ep->stream, &it->message, octets);
	if (ret)
		return ret;
	refusal = responder_get(it, octets, &segment);
	if (refusal)
		return responder_refuse(it, refusal);
	hca_ddp_tx_segment(&it->tx, it->ep->stream, &it->message, &segment, octets);
	if (octets)
		hca_segments_put(&segment, 1);
	hca_read_request_advance(&read->request, octets);
	if (hca_message_is_done(&it->message))
		responder_sent(it);
	return 0;
}
