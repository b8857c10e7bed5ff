// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The Terminate message: which one is kept, and its sending. */
#include "iwarp/terminate.h"
#include <linux/kernel.h>
#include "iwarp/count.h"
#include "iwarp/ddp_tx.h"
#include "iwarp/tap.h"
#include "tpt/copy.h"

/* Errors of accesses to memory, for which a consumer gets another event than for others. */
static bool terminate_is_access(u16 error)
{
	u16 kind = error >> 8;

	return kind == HCA_ERR_RDMAP_STAG >> 8 ||
	       (kind == HCA_ERR_DDP_STAG >> 8 && error != HCA_ERR_DDP_TAGGED_VERSION);
}

/* Errors of headers that the peer has made. */
static bool terminate_is_header(u16 error)
{
	u16 kind = error >> 8;

	return kind == HCA_ERR_DDP_QN >> 8 || error == HCA_ERR_DDP_TAGGED_VERSION ||
	       error == HCA_ERR_RDMAP_VERSION || error == HCA_ERR_RDMAP_OPCODE ||
	       error == HCA_ERR_RDMAP_CANNOT_INVALIDATE;
}

static enum hca_qp_event terminate_event(u16 error)
{
	if (terminate_is_access(error))
		return HCA_QP_ACCESS_ERROR;
	return terminate_is_header(error) ? HCA_QP_REQUEST_ERROR : HCA_QP_FATAL;
}

/* Count an error of MPA. Return: whether this error is the first of the stream. */
static bool terminate_is_first(struct hca_iwarp_qp *it, enum hca_iwarp_error error,
			       bool is_completed)
{
	if (it->has_failed || it->origin != HCA_TERMINATE_NONE)
		return false;
	if (error == HCA_ERR_MPA_CRC)
		hca_iwarp_count(it, HCA_RNIC_CRC_ERRORS, 1);
	if (error == HCA_ERR_MPA_MARKER)
		hca_rnic_count(hca_rnic_of(it), HCA_RNIC_MARKER_ERRORS, 1);
	it->has_failed = true;
	it->origin = HCA_TERMINATE_UNSENT;
	if (is_completed)
		return true;
	hca_qp_common_raise(&it->qp.common, terminate_event(error));
	it->is_notified = true;
	return true;
}

void hca_terminate_raise(struct hca_iwarp_qp *it, enum hca_iwarp_error error,
			 const struct hca_rx_segment *segment, bool is_completed)
{
	if (!terminate_is_first(it, error, is_completed))
		return;
	if (segment)
		hca_terminate_set(&it->terminate, error, segment->head, segment->head_octets,
				  segment->length);
	else
		hca_terminate_set(&it->terminate, error, NULL, 0, 0);
}

void hca_terminate_raise_read(struct hca_iwarp_qp *it, enum hca_iwarp_error error,
			      const struct hca_read *read)
{
	u8 head[HCA_SEGMENT_HEAD_MAX];
	struct hca_ddp ddp;
	u32 octets;

	if (!terminate_is_first(it, error, false))
		return;
	hca_rdmap_header(&ddp, HCA_RDMAP_READ_REQUEST, 0);
	ddp.msn = read->msn;
	octets = hca_ddp_pack(&ddp, head);
	hca_read_request_pack(&read->request, head + octets);
	octets += HCA_READ_REQUEST_BYTES;
	hca_terminate_set(&it->terminate, error, head, octets, octets);
}

void hca_terminate_keep(struct hca_iwarp_qp *it, enum hca_iwarp_error error)
{
	if (it->origin != HCA_TERMINATE_NONE)
		return;
	it->origin = HCA_TERMINATE_UNSENT;
	hca_terminate_set(&it->terminate, error, NULL, 0, 0);
}

int hca_terminate_send(struct hca_iwarp_qp *it)
{
	u8 octets[HCA_TERMINATE_MAX];
	const struct hca_segment payload = {
		.addr = (uintptr_t)octets,
		.length = sizeof(octets),
	};
	u64 before = hca_mpa_tx_position(&it->tx, it->ep->stream);
	struct hca_message message = { 0 };
	u32 sent;
	int ret;

	hca_rdmap_header(&message.ddp, HCA_RDMAP_TERMINATE, 0);
	message.length = hca_terminate_pack(&it->terminate, octets);
	ret = hca_ddp_tx_reserve(&it->tx, it->ep->stream, &message, message.length);
	if (ret)
		return ret;
	hca_ddp_tx_segment(&it->tx, it->ep->stream, &message, &payload, message.length);
	sent = hca_mpa_tx_position(&it->tx, it->ep->stream) - before;
	hca_iwarp_count(it, HCA_RNIC_FPDUS_OUT, 1);
	hca_iwarp_count(it, HCA_RNIC_OCTETS_OUT, sent);
	hca_iwarp_tap_tx(it, sent);
	hca_iwarp_count(it, HCA_RNIC_TERMINATES_OUT, 1);
	return 0;
}

void hca_terminate_sent(struct hca_iwarp_qp *it)
{
	if (it->origin == HCA_TERMINATE_UNSENT)
		it->origin = HCA_TERMINATE_LOCAL;
}

void hca_terminate_receive(struct hca_iwarp_qp *it, struct hca_rx_segment *segment)
{
	u8 octets[HCA_TERMINATE_MAX];
	struct hca_ulpdu place = segment->payload;
	u32 length;

	hca_iwarp_count(it, HCA_RNIC_TERMINATES_IN, 1);
	if (it->origin != HCA_TERMINATE_NONE)
		return;
	length = hca_ulpdu_copy(&place, octets, sizeof(octets));
	if (hca_terminate_parse(&it->terminate, octets, length))
		it->origin = HCA_TERMINATE_REMOTE;
}
