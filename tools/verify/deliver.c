// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Checks the contents of memory after a message. */
#include <arpa/inet.h>
#include <inttypes.h>
#include <string.h>
#include "iteration.h"
#include "outcome.h"

static uint32_t header_length(const struct iteration *iteration)
{
	return is_datagram(iteration) ? GRH_LENGTH : 0;
}

static bool deliver_atomic(struct flow *flow, struct request *request)
{
	uint8_t octets[sizeof(uint64_t)];
	uint64_t old;

	arena_read(&flow->from->arena, &request->local, 0, sizeof(octets), octets);
	memcpy(&old, octets, sizeof(old));
	if (old != request->old)
		return wrong("%s: message %u: the atomic has found %#" PRIx64
			     " instead of %#" PRIx64,
			     flow->from->label, shown_number(request), old, request->old);
	arena_model(&flow->from->arena, &request->local, 0, sizeof(octets), octets);
	memcpy(octets, &request->result, sizeof(octets));
	arena_model(&flow->to->arena, &request->remote, 0, sizeof(octets), octets);
	return true;
}

/* Checks the data of a request that has completed at the requester. */
bool deliver_request(struct flow *flow, struct request *request)
{
	if (request->verb->flags & VERB_ATOMIC)
		return deliver_atomic(flow, request);
	if (request->verb->flags & VERB_READS) {
		arena_expect(&flow->from->arena, &request->local, 0, request->length,
			     request->origin);
		return arena_check(&flow->from->arena, &request->local, 0, request->length);
	}
	/*
	 * RDMA Writes are checked at the end of the iteration, because the responder does not get a
	 * completion when their data are visible.
	 */
	if (request->verb->flags & VERB_WRITES && !(request->verb->flags & VERB_RECEIVES))
		arena_expect(&flow->to->arena, &request->remote, 0, request->length,
			     request->origin);
	return true;
}

static bool check_header(struct iteration *iteration, struct flow *flow,
			 const struct request *request, struct receive *receive,
			 const struct ibv_wc *wc)
{
	uint8_t grh[GRH_LENGTH];

	/* The octets before a datagram may have any contents if it does not have a GRH. */
	arena_read(&flow->to->arena, &receive->segments, 0, GRH_LENGTH, grh);
	arena_accept(&flow->to->arena, &receive->segments, 0, GRH_LENGTH);
	return !(wc->wc_flags & IBV_WC_GRH) || grh_check(iteration, flow, request, grh);
}

/* Checks a message whose receive has completed. */
bool deliver_message(struct iteration *iteration, struct flow *flow, struct request *request,
		     struct receive *receive, const struct ibv_wc *wc)
{
	struct arena *arena = &flow->to->arena;
	uint32_t skip = header_length(iteration);

	if (request->verb->flags & VERB_WRITES) {
		arena_expect(arena, &request->remote, 0, request->length, request->origin);
		return arena_check(arena, &request->remote, 0, request->length);
	}
	receive->filled = skip + request->length;
	arena_expect(arena, &receive->segments, skip, request->length, request->origin);
	return (!skip || check_header(iteration, flow, request, receive, wc)) &&
	       arena_check(arena, &receive->segments, skip, request->length);
}

bool could_be(const struct iteration *iteration, const struct flow *flow,
	      const struct request *request, const struct receive *receive, const struct ibv_wc *wc)
{
	uint32_t skip = header_length(iteration);
	bool has_imm = request->verb->flags & VERB_IMM;

	if (wc->opcode != request->verb->receive_completion ||
	    wc->byte_len != skip + request->length ||
	    has_imm != !!(wc->wc_flags & IBV_WC_WITH_IMM) ||
	    (has_imm && ntohl(wc->imm_data) != request->imm) ||
	    (skip && request->is_global != !!(wc->wc_flags & IBV_WC_GRH)))
		return false;
	if (request->verb->flags & VERB_WRITES)
		return arena_has(&flow->to->arena, &request->remote, 0, request->length,
				 request->origin);
	return arena_has(&flow->to->arena, &receive->segments, skip, request->length,
			 request->origin);
}

/*
 * Allows octets of a lost message after the received contents of each receive. The message may have
 * been received in part before a later message used the receive.
 */
static void allow_in_receives(const struct request *request)
{
	struct receive_queue *rq = request->rq;
	struct origin origin;
	unsigned int i;

	for (i = 0; i < rq->posted; i++) {
		struct receive *receive = &rq->receives[i];

		if (receive->filled >= request->length)
			continue;
		origin = request->origin;
		origin.offset += receive->filled;
		arena_allow(&rq->end->arena, &receive->segments, receive->filled,
			    request->length - receive->filled, origin);
	}
}

static void allow_request(struct iteration *iteration, struct flow *flow,
			  const struct request *request)
{
	if (request->verb->flags & VERB_WRITES)
		arena_allow(&flow->to->arena, &request->remote, 0, request->length,
			    request->origin);
	else if (request->verb->flags & VERB_READS)
		arena_allow(&flow->from->arena, &request->local, 0, request->length,
			    request->origin);
	else if (!is_datagram(iteration)) /* a datagram is never received in part */
		allow_in_receives(request);
}

bool request_consumes_receive(const struct request *request)
{
	return request->verb->flags & VERB_RECEIVES;
}

void lose(struct flow *flow, struct request *request)
{
	request->is_lost = true;
	if (request_consumes_receive(request) && !request->is_received) {
		request->is_received = true;
		flow->receiving--;
		request->rq->pending--;
	}
}

/*
 * Checks in memory whether an RDMA Write has arrived, because the responder does not get a
 * completion. A Write that has not arrived counts as lost.
 */
static void check_for_write(struct flow *flow, struct request *request)
{
	if (!(request->verb->flags & VERB_WRITES) || request->verb->flags & VERB_RECEIVES ||
	    arena_has(&flow->to->arena, &request->remote, 0, request->length, request->origin))
		return;
	arena_remove(&flow->to->arena, &request->remote, 0, request->length);
	lose(flow, request);
}

void allow_remains(struct iteration *iteration)
{
	bool leaves_data = !expected_status(iteration) || expected_status(iteration)->leaves_data;
	struct request *request;
	struct flow *flow;

	for (flow = iteration->flows; flow < iteration->flows + iteration->num_flows; flow++) {
		for (request = flow->requests; request < flow->requests + flow->num_requests;
		     request++) {
			if (may_lose(iteration))
				check_for_write(flow, request);
			if (leaves_data && (request->is_lost || request->has_failed))
				allow_request(iteration, flow, request);
		}
	}
}
