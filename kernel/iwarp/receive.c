// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Reception: each FPDU that arrives is checked, delivered, and consumed. */
#include "iwarp/receive.h"
#include "compat.h"
#include "iwarp/complete.h"
#include "iwarp/count.h"
#include "iwarp/deliver.h"
#include "iwarp/requester.h"
#include "iwarp/startup.h"
#include "iwarp/state.h"
#include "iwarp/tap.h"
#include "iwarp/terminate.h"

#define RECEIVE_OCTETS_A_UNIT 4096 /* that cost as much as an FPDU */

static bool receive_is_first(const struct hca_iwarp_qp *it)
{
	return it->ep->state == HCA_STARTUP_REP_SENT;
}

static void receive_error(struct hca_iwarp_qp *it, enum hca_iwarp_error error,
			  const struct hca_rx_segment *segment)
{
	/* In Closing any segment is an error, whose event follows the reset (req R0-195). */
	if (it->qp.common.state == IB_QPS_SQD) {
		hca_state_event(it, HCA_IWARP_SEGMENT);
		return;
	}
	if (receive_is_first(it))
		hca_startup_first(it, NULL);
	hca_terminate_raise(it, error, segment, false);
}

static void receive_terminate(struct hca_iwarp_qp *it, struct hca_rx_segment *segment)
{
	hca_terminate_receive(it, segment);
	if (it->qp.common.state == IB_QPS_RTS)
		hca_complete_terminated(it);
	hca_state_event(it, HCA_IWARP_TERMINATE);
}

/* Process a segment whose headers are right. */
static void receive_segment(struct hca_iwarp_qp *it, struct hca_rx_segment *segment)
{
	bool is_rtr = receive_is_first(it) && hca_startup_first(it, segment);

	if (segment->s.opcode == HCA_RDMAP_TERMINATE)
		receive_terminate(it, segment);
	else if (it->qp.common.state == IB_QPS_SQD)
		hca_state_event(it, HCA_IWARP_SEGMENT);
	else if (!is_rtr)
		hca_deliver(it, segment);
	it->rtr_expected = 0;
	hca_ddp_rx_done(&it->ddp, segment);
}

static void receive_fpdu(struct hca_iwarp_qp *it, const struct hca_mpa_fpdu *fpdu)
{
	struct hca_rx_segment segment HCA_UNINITIALIZED;
	enum hca_iwarp_error error;

	hca_iwarp_count(it, HCA_RNIC_FPDUS_IN, 1);
	hca_iwarp_count(it, HCA_RNIC_OCTETS_IN, fpdu->rx.bytes);
	error = hca_ddp_rx_segment(&it->ddp, &fpdu->rx, &segment);
	if (error == HCA_IWARP_OK)
		receive_segment(it, &segment);
	else
		receive_error(it, error, &segment);
}

/* Whether octets have arrived that the last look at the stream did not show. */
static bool receive_is_behind(const struct hca_stream *s)
{
	return s->is_short || (atomic_read(&s->events) & HCA_STREAM_READABLE);
}

/*
 * The peer has closed its half. That is an error if there is work for it, or if an FPDU is not
 * complete (req R0-156).
 */
static void receive_end(struct hca_iwarp_qp *it)
{
	struct hca_octets range;
	bool is_cut;

	if (receive_is_behind(it->ep->stream))
		return;
	is_cut = it->ep->stream->ops->peek(it->ep->stream, 0, &range, 1);
	if (is_cut && it->qp.common.state == IB_QPS_SQD)
		hca_state_event(it, HCA_IWARP_SEGMENT);
	else if (is_cut || (it->qp.common.state != IB_QPS_SQD &&
			    (hca_requester_is_busy(it) || it->responder.count)))
		hca_terminate_raise(it, HCA_ERR_RDMAP_STREAM, NULL, false);
	else
		hca_state_event(it, HCA_IWARP_PEER_CLOSED);
}

static bool receive_may(const struct hca_iwarp_qp *it)
{
	return !it->has_failed && hca_state_receives(it);
}

/* Receive FPDUs until none is whole, or the budget is used up. */
static enum hca_progress receive_fpdus(struct hca_iwarp_qp *it, struct hca_mpa_fpdu *fpdu,
				       int *budget)
{
	struct hca_stream *s = it->ep->stream;
	enum hca_iwarp_error error;

	while (receive_may(it)) {
		if (*budget <= 0)
			return HCA_BUDGET;
		if (!hca_mpa_rx_next(&it->rx, s, fpdu, &error)) {
			it->ep->is_readable = false;
			if (it->ep->is_peer_closed && !hca_endpoint_is_cut(it->ep))
				receive_end(it);
			break;
		}
		*budget -= 1 + fpdu->rx.length / RECEIVE_OCTETS_A_UNIT;
		hca_iwarp_tap_rx(it, fpdu);
		if (error == HCA_IWARP_OK) {
			receive_fpdu(it, fpdu);
			hca_mpa_rx_consume(s, fpdu);
		} else {
			receive_error(it, error, NULL);
		}
	}
	return HCA_DONE;
}

enum hca_progress hca_receive(struct hca_iwarp_qp *it, int *budget)
{
	struct hca_stream *s = it->ep->stream;
	struct hca_mpa_fpdu fpdu HCA_UNINITIALIZED;
	enum hca_progress progress;

	/* The first FPDU may overtake the reply, which must be sent before it is answered. */
	if (it->ep->is_frame_due)
		return HCA_DONE;
	hca_mpa_rx_begin(&fpdu);
	progress = receive_fpdus(it, &fpdu, budget);
	hca_mpa_rx_end(s, &fpdu);
	if (progress == HCA_DONE && !receive_may(it) && !hca_mpa_rx_discard(s, budget))
		return HCA_BUDGET;
	return progress;
}
