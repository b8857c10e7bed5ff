// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Checks the contents and the order of completions. */
#include <arpa/inet.h>
#include "iteration.h"
#include "outcome.h"

#define DATA_FLAGS (IBV_WC_WITH_IMM | IBV_WC_WITH_INV)

static bool complete_unknown(const struct end *end, const char *queue, const struct ibv_wc *wc)
{
	return wrong(
		"%s: a completion of the %s queue of queue pair %#x has wr_id %#llx (status %s), "
		"which nothing that is outstanding has",
		end->label, queue, wc->qp_num, (unsigned long long)wc->wr_id,
		ibv_wc_status_str(wc->status));
}

static bool complete_stray(const struct end *end, const struct ibv_wc *wc)
{
	return wrong(
		"%s: a completion with wr_id %#llx is of queue pair %#x, which is none of the "
		"iteration's",
		end->label, (unsigned long long)wc->wr_id, wc->qp_num);
}

/* --- requests ------------------------------------------------------------------------------ */

static struct flow *flow_from(struct iteration *iteration, unsigned int end, uint32_t qpn)
{
	struct flow *flow;

	for (flow = iteration->flows; flow < iteration->flows + iteration->num_flows; flow++)
		if (flow->from == &iteration->task->ends[end] && flow->qp->qp_num == qpn)
			return flow;
	return NULL;
}

/* Checks the data of a request that is complete, unless the peer is to refuse it afterwards. */
static bool complete_delivered(struct iteration *iteration, struct flow *flow,
			       struct request *request)
{
	if (!is_refused_late(iteration, request))
		return deliver_request(flow, request);
	request->has_failed = true;
	lose(flow, request);
	return true;
}

/*
 * Finishes the unfinished requests before @until. All of these must be unsignaled, because an
 * unsignaled request does not have a completion, and finishes when a later request completes.
 */
static bool finish_before(struct iteration *iteration, struct flow *flow,
			  const struct request *until)
{
	while (flow->requests + flow->done != until) {
		struct request *request = &flow->requests[flow->done++];

		if (request->is_signaled || flow->has_failed)
			return wrong("%s: message %u is complete, but message %u before it is not",
				     flow->from->label, shown_number(until), shown_number(request));
		request->is_done = true;
		if (!complete_delivered(iteration, flow, request))
			return false;
	}
	return true;
}

static bool complete_fail(struct iteration *iteration, struct flow *flow, struct request *request,
			  enum ibv_wc_status status)
{
	enum ibv_wc_status should = flow->has_failed ? IBV_WC_WR_FLUSH_ERR :
						       expected_status(iteration)->status;

	if (status != should && !(is_iwarp(iteration) &&
				  expected_status(iteration)->iwarp & IWARP_STATUS(status)))
		return wrong("%s: message %u ends with '%s' instead of '%s'", flow->from->label,
			     shown_number(request), status_name(status), status_name(should));
	flow->has_failed = request->has_failed = true;
	lose(flow, request);
	return true;
}

bool complete_request(struct iteration *iteration, unsigned int end, const struct ibv_wc *wc)
{
	struct flow *flow = flow_from(iteration, end, wc->qp_num);
	struct request *request;

	if (!flow)
		return complete_stray(&iteration->task->ends[end], wc);
	for (request = flow->requests + flow->done; request < flow->requests + flow->posted;
	     request++)
		if (request->wr_id == wc->wr_id)
			break;
	if (request == flow->requests + flow->posted)
		return complete_unknown(flow->from, "send", wc);
	if (!finish_before(iteration, flow, request))
		return false;
	flow->done++;
	request->is_done = true;
	if (wc->status != IBV_WC_SUCCESS && expected_status(iteration))
		return complete_fail(iteration, flow, request, wc->status);
	if (wc->status != IBV_WC_SUCCESS || flow->has_failed)
		return wrong("%s: message %u (%u octets) ends with '%s', vendor_err %#x",
			     flow->from->label, shown_number(request), request->length,
			     status_name(wc->status), wc->vendor_err);
	if (!request->is_signaled)
		return wrong("%s: message %u has a completion, and was not to", flow->from->label,
			     shown_number(request));
	if (iteration->no_event)
		return wrong("%s: message %u is complete, and there was no event",
			     flow->from->label, shown_number(request));
	if (wc->opcode != request->verb->completion)
		return wrong("%s: message %u: the completion's opcode is %d instead of %d",
			     flow->from->label, shown_number(request), wc->opcode,
			     request->verb->completion);
	return complete_delivered(iteration, flow, request);
}

/* --- receives ------------------------------------------------------------------------------ */

static struct flow *flow_to(struct iteration *iteration, unsigned int end, uint32_t qpn)
{
	struct flow *flow;

	for (flow = iteration->flows; flow < iteration->flows + iteration->num_flows; flow++)
		if (flow->to == &iteration->task->ends[end] && flow->peer->qp_num == qpn)
			return flow;
	return NULL;
}

/*
 * Returns the receive queue that contains a receive with the wr_id of a completion. Only a flow of
 * XRC has a second receive queue. If it does not contain the wr_id, the first one is returned.
 */
static struct receive_queue *find_rq(const struct flow *flow, const struct ibv_wc *wc)
{
	unsigned int i;

	for (i = 0; flow->rq[1] && i < flow->rq[1]->posted; i++)
		if (flow->rq[1]->receives[i].wr_id == wc->wr_id)
			return flow->rq[1];
	return flow->rq[0];
}

/* Finds the receive of a completion, and marks it as used. Return: NULL after an error. */
static struct receive *consume_receive(struct receive_queue *rq, const struct ibv_wc *wc)
{
	unsigned int i, first = rq->posted;

	for (i = 0; i < rq->posted; i++) {
		if (rq->receives[i].is_used)
			continue;
		if (first == rq->posted)
			first = i;
		if (rq->receives[i].wr_id == wc->wr_id)
			break;
	}
	if (i == rq->posted) {
		complete_unknown(rq->end, "receive", wc);
		return NULL;
	}
	if (i != first && !rq->is_shared) {
		wrong("%s: receive %u is complete before receive %u", rq->end->label, i + 1,
		      first + 1);
		return NULL;
	}
	rq->receives[i].is_used = true;
	rq->used++;
	return &rq->receives[i];
}

static struct request *next_to_receive(const struct flow *flow, struct request *request)
{
	for (; request < flow->requests + flow->posted; request++)
		if (request_consumes_receive(request) && !request->is_received)
			return request;
	return NULL;
}

/*
 * Finds a message that is no longer awaited and matches the completion: a lost message that arrives
 * late, or a datagram that is received twice. Only an overdue message can be late on a connection.
 * Return: NULL if no message matches.
 */
static struct request *find_passed(struct iteration *iteration, struct flow *flow,
				   const struct receive *receive, const struct ibv_wc *wc)
{
	struct request *request, *repeated = NULL;

	for (request = flow->requests; request < flow->requests + flow->posted; request++) {
		if (!request->is_received || !(is_datagram(iteration) || request->is_overdue) ||
		    !could_be(iteration, flow, request, receive, wc))
			continue;
		if (request->is_lost)
			return request;
		if (is_datagram(iteration))
			repeated = request;
	}
	return repeated;
}

/*
 * Finds the message of a receive completion: the next message of the flow or, if messages may be
 * lost, the first one that matches. The messages before that one are marked as lost.
 */
static struct request *find_message(struct iteration *iteration, struct flow *flow,
				    const struct receive *receive, const struct ibv_wc *wc)
{
	struct request *first = next_to_receive(flow, flow->requests + flow->received), *request,
		       *lost;

	if (!may_lose(iteration))
		return first;
	for (request = first; request; request = next_to_receive(flow, request + 1))
		if (could_be(iteration, flow, request, receive, wc))
			break;
	if (!request)
		return find_passed(iteration, flow, receive, wc) ?: first;
	for (lost = first; lost != request; lost = next_to_receive(flow, lost + 1))
		lose(flow, lost);
	return request;
}

/*
 * Checks whether a message is received a second time, or after a later message. Both are errors on
 * any connection, even an unreliable one. Return: true after recording the error.
 */
static bool out_of_order(const struct iteration *iteration, const struct flow *flow,
			 const struct receive *receive, const struct ibv_wc *wc)
{
	const struct request *request;

	for (request = flow->requests; request < flow->requests + flow->posted; request++)
		if (request_consumes_receive(request) && request->is_received &&
		    could_be(iteration, flow, request, receive, wc))
			return !wrong("%s: message %u (%u octets) is received %s", flow->to->label,
				      shown_number(request), request->length,
				      request->is_lost ? "after a later one" : "twice");
	return false;
}

static bool number_is(const struct flow *flow, const struct request *request, const char *what,
		      uint32_t actual, uint32_t expected)
{
	return actual == expected ||
	       wrong("%s: message %u (%u octets) is received with %s %#x instead of %#x",
		     flow->to->label, shown_number(request), request->length, what, actual,
		     expected);
}

static bool check_datagram(const struct iteration *iteration, const struct flow *flow,
			   const struct request *request, const struct ibv_wc *wc)
{
	return number_is(flow, request, "src_qp", wc->src_qp, flow->qp->qp_num) &&
	       number_is(flow, request, "a GRH", !!(wc->wc_flags & IBV_WC_GRH),
			 request->is_global) &&
	       (flow->from->is_ethernet ||
		(number_is(flow, request, "slid", wc->slid, flow->from->port.lid) &&
		 number_is(flow, request, "sl", wc->sl, 0) &&
		 (iteration->task->service->flags & SERVICE_MULTICAST ||
		  number_is(flow, request, "dlid_path_bits", wc->dlid_path_bits, 0))));
}

static bool check_receive(const struct iteration *iteration, const struct flow *flow,
			  const struct request *request, const struct ibv_wc *wc)
{
	uint32_t flags = (request->verb->flags & VERB_IMM ? IBV_WC_WITH_IMM : 0) |
			 (request->verb->flags & VERB_INVALIDATES ? IBV_WC_WITH_INV : 0);

	if (!number_is(flow, request, "byte_len", wc->byte_len,
		       request->length + (is_datagram(iteration) ? GRH_LENGTH : 0)) ||
	    !number_is(flow, request, "opcode", wc->opcode, request->verb->receive_completion) ||
	    !number_is(flow, request, "wc_flags", wc->wc_flags,
		       (wc->wc_flags & ~DATA_FLAGS) | flags))
		return false;
	if (flags & IBV_WC_WITH_IMM &&
	    !number_is(flow, request, "imm_data", ntohl(wc->imm_data), request->imm))
		return false;
	if (flags & IBV_WC_WITH_INV) {
		flow->windows[request->window].is_invalid = true;
		if (!number_is(flow, request, "invalidated_rkey", wc->invalidated_rkey,
			       flow->windows[request->window].mw->rkey))
			return false;
	}
	return !is_datagram(iteration) || check_datagram(iteration, flow, request, wc);
}

bool complete_receive(struct iteration *iteration, unsigned int end, const struct ibv_wc *wc)
{
	struct flow *flow = flow_to(iteration, end, wc->qp_num);
	struct receive_queue *rq;
	struct request *request;
	struct receive *receive;

	if (!flow)
		return complete_stray(&iteration->task->ends[end], wc);
	rq = find_rq(flow, wc);
	receive = consume_receive(rq, wc);
	if (!receive)
		return false;
	if (iteration->is_closed && wc->status == IBV_WC_WR_FLUSH_ERR)
		return true;
	if (wc->status != IBV_WC_SUCCESS)
		return expected_status(iteration) ||
		       wrong("%s: a receive ends with '%s', vendor_err %#x", flow->to->label,
			     status_name(wc->status), wc->vendor_err);
	request = find_message(iteration, flow, receive, wc);
	if ((!request || !could_be(iteration, flow, request, receive, wc)) &&
	    out_of_order(iteration, flow, receive, wc))
		return false;
	if (!request)
		return wrong(
			"%s: something is received (%u octets), and all that was sent had been",
			flow->to->label, wc->byte_len);
	if (request->rq != rq)
		return wrong("%s: message %u is received by a shared receive queue that it does "
			     "not name", flow->to->label, shown_number(request));
	if (request->is_received) {
		request->is_lost = false;
	} else {
		request->is_received = true;
		flow->received = request - flow->requests + 1;
		flow->receiving--;
		request->rq->pending--;
	}
	if (iteration->no_event &&
	    (iteration->shape.waiting == WAIT_EVENT || request->is_solicited))
		return wrong("%s: message %u is received, and there was no event", flow->to->label,
			     shown_number(request));
	return check_receive(iteration, flow, request, wc) &&
	       deliver_message(iteration, flow, request, receive, wc);
}
