// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* What completions say, and whether it is their turn to say it. */
#include <arpa/inet.h>
#include "round.h"
#include "verdict.h"

#define TOLD_BY_FLAGS (IBV_WC_WITH_IMM | IBV_WC_WITH_INV)

bool request_takes_receive(const struct request *request)
{
	return request->verb->flags & VERB_RECEIVES;
}

static bool unknown(const struct end *end, const char *queue, const struct ibv_wc *wc)
{
	return wrong(
		"%s: a completion of the %s queue of queue pair %#x has wr_id %#llx (status %s), which "
		"nothing that is outstanding has",
		end->label, queue, wc->qp_num, (unsigned long long)wc->wr_id,
		ibv_wc_status_str(wc->status));
}

static bool stray(const struct end *end, const struct ibv_wc *wc)
{
	return wrong(
		"%s: a completion with wr_id %#llx is of queue pair %#x, which is none of the round's",
		end->label, (unsigned long long)wc->wr_id, wc->qp_num);
}

/* --- requests ----------------------------------------------------------------------------- */

static struct lane *lane_from(struct round *round, unsigned int end, uint32_t qpn)
{
	struct lane *lane;

	for (lane = round->lanes; lane < round->lanes + round->num_lanes; lane++)
		if (lane->from == &round->task->ends[end] && lane->qp->qp_num == qpn)
			return lane;
	return NULL;
}

/*
 * Some have no completion of their own: they are done when a later one is, which cannot be if they
 * should have one.
 */
static bool finish_before(struct lane *lane, const struct request *until)
{
	while (lane->requests + lane->done != until) {
		struct request *request = &lane->requests[lane->done++];

		if (request->is_signaled || lane->has_failed)
			return wrong("%s: message %u is complete, but message %u before it is not",
				     lane->from->label, shown(until), shown(request));
		request->is_done = true;
		if (!deliver_request(lane, request))
			return false;
	}
	return true;
}

static bool fail(struct round *round, struct lane *lane, struct request *request,
		 enum ibv_wc_status status)
{
	enum ibv_wc_status should = lane->has_failed ? IBV_WC_WR_FLUSH_ERR :
						       expected_status(round)->status;

	if (status != should)
		return wrong("%s: message %u ends with '%s' instead of '%s'", lane->from->label,
			     shown(request), status_name(status), status_name(should));
	lane->has_failed = request->has_failed = true;
	lose(lane, request);
	return true;
}

bool complete_request(struct round *round, unsigned int end, const struct ibv_wc *wc)
{
	struct lane *lane = lane_from(round, end, wc->qp_num);
	struct request *request;

	if (!lane)
		return stray(&round->task->ends[end], wc);
	for (request = lane->requests + lane->done; request < lane->requests + lane->posted;
	     request++)
		if (request->wr_id == wc->wr_id)
			break;
	if (request == lane->requests + lane->posted)
		return unknown(lane->from, "send", wc);
	if (!finish_before(lane, request))
		return false;
	lane->done++;
	request->is_done = true;
	if (wc->status != IBV_WC_SUCCESS && expected_status(round))
		return fail(round, lane, request, wc->status);
	if (wc->status != IBV_WC_SUCCESS || lane->has_failed)
		return wrong("%s: message %u (%u octets) ends with '%s', vendor_err %#x",
			     lane->from->label, shown(request), request->length,
			     status_name(wc->status), wc->vendor_err);
	if (!request->is_signaled)
		return wrong("%s: message %u has a completion, and was not to", lane->from->label,
			     shown(request));
	if (round->no_event)
		return wrong("%s: message %u is complete, and there was no event",
			     lane->from->label, shown(request));
	if (wc->opcode != request->verb->completion)
		return wrong("%s: message %u: the completion's opcode is %d instead of %d",
			     lane->from->label, shown(request), wc->opcode,
			     request->verb->completion);
	return deliver_request(lane, request);
}

/* --- receives ----------------------------------------------------------------------------- */

static struct lane *lane_to(struct round *round, unsigned int end, uint32_t qpn)
{
	struct lane *lane;

	for (lane = round->lanes; lane < round->lanes + round->num_lanes; lane++)
		if (lane->to == &round->task->ends[end] && lane->peer->qp_num == qpn)
			return lane;
	return NULL;
}

/* NULL: that is wrong. */
static struct receive *take_receive(struct inbox *inbox, const struct ibv_wc *wc)
{
	unsigned int i, first = inbox->posted;

	for (i = 0; i < inbox->posted; i++) {
		if (inbox->receives[i].is_used)
			continue;
		if (first == inbox->posted)
			first = i;
		if (inbox->receives[i].wr_id == wc->wr_id)
			break;
	}
	if (i == inbox->posted) {
		unknown(inbox->end, "receive", wc);
		return NULL;
	}
	if (i != first && !inbox->is_shared) {
		wrong("%s: receive %u is complete before receive %u", inbox->end->label, i + 1,
		      first + 1);
		return NULL;
	}
	inbox->receives[i].is_used = true;
	inbox->used++;
	return &inbox->receives[i];
}

static struct request *next_to_receive(const struct lane *lane, struct request *request)
{
	for (; request < lane->requests + lane->posted; request++)
		if (request_takes_receive(request) && !request->is_received)
			return request;
	return NULL;
}

/*
 * A datagram that is none of those awaited: it was given up, for others behind it came first, or it
 * comes a second time.
 */
static struct request *find_passed(struct round *round, struct lane *lane,
				   const struct receive *receive, const struct ibv_wc *wc)
{
	struct request *request, *repeated = NULL;

	if (!is_datagram(round))
		return NULL;
	for (request = lane->requests; request < lane->requests + lane->posted; request++) {
		if (!request->is_received || !could_be(round, lane, request, receive, wc))
			continue;
		if (request->is_lost)
			return request;
		repeated = request;
	}
	return repeated;
}

/* Which message it is: the next, or if some may be missing the first that fits. */
static struct request *find_message(struct round *round, struct lane *lane,
				    const struct receive *receive, const struct ibv_wc *wc)
{
	struct request *first = next_to_receive(lane, lane->requests + lane->received), *request,
		       *lost;

	if (!may_lose(round))
		return first;
	for (request = first; request; request = next_to_receive(lane, request + 1))
		if (could_be(round, lane, request, receive, wc))
			break;
	if (!request)
		return find_passed(round, lane, receive, wc) ?: first;
	for (lost = first; lost != request; lost = next_to_receive(lane, lost + 1))
		lose(lane, lost);
	return request;
}

static bool number_is(const struct lane *lane, const struct request *request, const char *what,
		      uint32_t actual, uint32_t expected)
{
	return actual == expected ||
	       wrong("%s: message %u (%u octets) is received with %s %#x instead of %#x",
		     lane->to->label, shown(request), request->length, what, actual, expected);
}

static bool check_datagram(const struct round *round, const struct lane *lane,
			   const struct request *request, const struct ibv_wc *wc)
{
	return number_is(lane, request, "src_qp", wc->src_qp, lane->qp->qp_num) &&
	       number_is(lane, request, "a GRH", !!(wc->wc_flags & IBV_WC_GRH),
			 request->is_global) &&
	       (lane->from->is_ethernet ||
		(number_is(lane, request, "slid", wc->slid, lane->from->port.lid) &&
		 number_is(lane, request, "sl", wc->sl, 0) &&
		 (round->task->service->flags & SERVICE_MULTICAST ||
		  number_is(lane, request, "dlid_path_bits", wc->dlid_path_bits, 0))));
}

static bool check_receive(const struct round *round, const struct lane *lane,
			  const struct request *request, const struct ibv_wc *wc)
{
	uint32_t flags = (request->verb->flags & VERB_IMM ? IBV_WC_WITH_IMM : 0) |
			 (request->verb->flags & VERB_INVALIDATES ? IBV_WC_WITH_INV : 0);

	if (!number_is(lane, request, "byte_len", wc->byte_len,
		       request->length + (is_datagram(round) ? GRH_LENGTH : 0)) ||
	    !number_is(lane, request, "opcode", wc->opcode, request->verb->receive_completion) ||
	    !number_is(lane, request, "wc_flags", wc->wc_flags,
		       (wc->wc_flags & ~TOLD_BY_FLAGS) | flags))
		return false;
	if (flags & IBV_WC_WITH_IMM &&
	    !number_is(lane, request, "imm_data", ntohl(wc->imm_data), request->imm))
		return false;
	if (flags & IBV_WC_WITH_INV) {
		lane->windows[request->window].is_invalid = true;
		if (!number_is(lane, request, "invalidated_rkey", wc->invalidated_rkey,
			       lane->windows[request->window].mw->rkey))
			return false;
	}
	return !is_datagram(round) || check_datagram(round, lane, request, wc);
}

bool complete_receive(struct round *round, unsigned int end, const struct ibv_wc *wc)
{
	struct lane *lane = lane_to(round, end, wc->qp_num);
	struct request *request;
	struct receive *receive;

	if (!lane)
		return stray(&round->task->ends[end], wc);
	receive = take_receive(lane->inbox, wc);
	if (!receive)
		return false;
	if (round->is_closed && wc->status == IBV_WC_WR_FLUSH_ERR)
		return true;
	if (wc->status != IBV_WC_SUCCESS)
		return expected_status(round) ||
		       wrong("%s: a receive ends with '%s', vendor_err %#x", lane->to->label,
			     status_name(wc->status), wc->vendor_err);
	request = find_message(round, lane, receive, wc);
	if (!request)
		return wrong(
			"%s: something is received (%u octets), and all that was sent had been",
			lane->to->label, wc->byte_len);
	if (request->is_received) {
		request->is_lost = false;
	} else {
		request->is_received = true;
		lane->received = request - lane->requests + 1;
		lane->receiving--;
		lane->inbox->owed--;
	}
	if (round->no_event && (round->shape.waiting == WAIT_EVENT || request->is_solicited))
		return wrong("%s: message %u is received, and there was no event", lane->to->label,
			     shown(request));
	return check_receive(round, lane, request, wc) &&
	       deliver_message(round, lane, request, receive, wc);
}
