// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The order of what a queue pair sends: the RTR message, Read Responses and requests. */
#include "iwarp/transmit.h"
#include <linux/errno.h>
#include "iwarp/complete.h"
#include "iwarp/count.h"
#include "iwarp/requester.h"
#include "iwarp/responder.h"
#include "iwarp/tap.h"

#define TRANSMIT_OCTETS_A_UNIT 4096 /* that cost as much as a segment */

/*
 * Begin the next message. Responses and requests take turns, so that neither kind waits for ever;
 * responses also go if the next request waits.
 */
static enum hca_step transmit_begin(struct hca_iwarp_qp *it)
{
	enum hca_step step = HCA_STEP_IDLE;

	if (it->requester.rtr) {
		it->sending = HCA_SENDING_RTR;
		return HCA_STEP_BEGUN;
	}
	if (!it->responder.count || !it->was_request) {
		if (it->qp.sq.size)
			step = hca_requester_begin(it);
		if (step == HCA_STEP_BEGUN)
			return step;
	}
	if (!it->responder.count)
		return step;
	hca_responder_begin(it);
	return HCA_STEP_BEGUN;
}

static int transmit_segment(struct hca_iwarp_qp *it)
{
	int ret;

	switch (it->sending) {
	case HCA_SENDING_REQUEST:
		return hca_requester_segment(it);
	case HCA_SENDING_RESPONSE:
		return hca_responder_segment(it);
	default:
		ret = hca_requester_rtr(it);
		if (!ret)
			it->sending = HCA_SENDING_NOTHING;
		return ret;
	}
}

/* Send one segment. Return: the octets that it has taken of the stream, or an error. */
static int transmit_counted(struct hca_iwarp_qp *it)
{
	u64 before = hca_mpa_tx_position(&it->tx, it->ep->stream);
	int ret = transmit_segment(it);
	int octets = hca_mpa_tx_position(&it->tx, it->ep->stream) - before;

	if (ret)
		return ret;
	hca_iwarp_count(it, HCA_RNIC_FPDUS_OUT, !!octets);
	hca_iwarp_count(it, HCA_RNIC_OCTETS_OUT, octets);
	hca_iwarp_tap_tx(it, octets);
	return octets;
}

/* Whether a fault keeps a queue pair from sending. The retry timer finds the end of a stall. */
static bool transmit_has_fault(struct hca_iwarp_qp *it)
{
	if (likely(!it->fault) || it->tx.is_cut || !hca_iwarp_fault_stalls(it->fault))
		return it->tx.is_cut;
	hca_endpoint_retry(it->ep);
	return true;
}

/* Write segments until none is left, or none can be written. */
static enum hca_progress transmit_write(struct hca_iwarp_qp *it, int *budget)
{
	enum hca_step step;
	int octets;

	while (*budget > 0 && !it->has_failed && it->qp.common.state == IB_QPS_RTS) {
		if (transmit_has_fault(it))
			return HCA_WAITING;
		if (it->sending == HCA_SENDING_NOTHING) {
			step = transmit_begin(it);
			(*budget)--;
			if (step != HCA_STEP_BEGUN)
				return step == HCA_STEP_IDLE ? HCA_DONE : HCA_WAITING;
			continue;
		}
		octets = transmit_counted(it);
		if (octets == -ENOMEM)
			hca_endpoint_retry(it->ep);
		if (octets < 0)
			return HCA_WAITING;
		*budget -= 1 + octets / TRANSMIT_OCTETS_A_UNIT;
	}
	return *budget > 0 ? HCA_DONE : HCA_BUDGET;
}

/*
 * Hand what is written to the stream. Only the rest of a message is sure to follow at once. A
 * stream that waits for other octets might keep these back.
 */
static int transmit_push(struct hca_iwarp_qp *it, enum hca_progress progress)
{
	bool more = progress == HCA_BUDGET && it->sending != HCA_SENDING_NOTHING;

	return hca_mpa_tx_push(&it->tx, it->ep->stream, more);
}

enum hca_progress hca_iwarp_transmit(struct hca_qp *qp, int *budget)
{
	struct hca_iwarp_qp *it = hca_iwarp_qp_of(qp);
	enum hca_progress progress;
	bool any;

	/* A request may wait for the completion of those that the stream takes now. */
	do {
		progress = transmit_write(it, budget);
		if (!transmit_push(it, progress) && progress == HCA_DONE && it->has_failed)
			progress = HCA_WAITING;
		any = hca_complete_requests(it);
	} while (any && progress == HCA_WAITING && !it->has_failed);
	return progress;
}
