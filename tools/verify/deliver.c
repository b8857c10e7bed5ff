// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* What a message that has come should have left in memory. */
#include <arpa/inet.h>
#include <inttypes.h>
#include <string.h>
#include "round.h"
#include "verdict.h"

static uint32_t header_length(const struct round *round)
{
	return is_datagram(round) ? GRH_LENGTH : 0;
}

static bool deliver_atomic(struct lane *lane, struct request *request)
{
	uint8_t octets[sizeof(uint64_t)];
	uint64_t old;

	arena_read(&lane->from->arena, &request->local, 0, sizeof(octets), octets);
	memcpy(&old, octets, sizeof(old));
	if (old != request->old)
		return wrong("%s: message %u: the atomic has found %#" PRIx64
			     " instead of %#" PRIx64,
			     lane->from->label, shown(request), old, request->old);
	arena_model(&lane->from->arena, &request->local, 0, sizeof(octets), octets);
	memcpy(octets, &request->result, sizeof(octets));
	arena_model(&lane->to->arena, &request->remote, 0, sizeof(octets), octets);
	return true;
}

/* Its own completion says that it is done. */
bool deliver_request(struct lane *lane, struct request *request)
{
	if (request->verb->flags & VERB_ATOMIC)
		return deliver_atomic(lane, request);
	if (request->verb->flags & VERB_READS) {
		arena_expect(&lane->from->arena, &request->local, 0, request->length,
			     request->origin);
		return arena_check(&lane->from->arena, &request->local, 0, request->length);
	}
	/* Memory is looked at when the round is over: no completion says when it can be seen. */
	if (request->verb->flags & VERB_WRITES && !(request->verb->flags & VERB_RECEIVES))
		arena_expect(&lane->to->arena, &request->remote, 0, request->length,
			     request->origin);
	return true;
}

static bool check_header(struct round *round, struct lane *lane, const struct request *request,
			 struct receive *receive, const struct ibv_wc *wc)
{
	uint8_t grh[GRH_LENGTH];

	/* Without a GRH the octets may hold anything. */
	arena_read(&lane->to->arena, &receive->pieces, 0, GRH_LENGTH, grh);
	arena_accept(&lane->to->arena, &receive->pieces, 0, GRH_LENGTH);
	return !(wc->wc_flags & IBV_WC_GRH) || grh_check(round, lane, request, grh);
}

/* The completion of a receive says that it has come. */
bool deliver_message(struct round *round, struct lane *lane, struct request *request,
		     struct receive *receive, const struct ibv_wc *wc)
{
	struct arena *arena = &lane->to->arena;
	uint32_t skip = header_length(round);

	if (request->verb->flags & VERB_WRITES) {
		arena_expect(arena, &request->remote, 0, request->length, request->origin);
		return arena_check(arena, &request->remote, 0, request->length);
	}
	receive->filled = skip + request->length;
	arena_expect(arena, &receive->pieces, skip, request->length, request->origin);
	return (!skip || check_header(round, lane, request, receive, wc)) &&
	       arena_check(arena, &receive->pieces, skip, request->length);
}

bool could_be(const struct round *round, const struct lane *lane, const struct request *request,
	      const struct receive *receive, const struct ibv_wc *wc)
{
	uint32_t skip = header_length(round);
	bool has_imm = request->verb->flags & VERB_IMM;

	if (wc->opcode != request->verb->receive_completion ||
	    wc->byte_len != skip + request->length ||
	    has_imm != !!(wc->wc_flags & IBV_WC_WITH_IMM) ||
	    (has_imm && ntohl(wc->imm_data) != request->imm) ||
	    (skip && request->is_global != !!(wc->wc_flags & IBV_WC_GRH)))
		return false;
	if (request->verb->flags & VERB_WRITES)
		return arena_has(&lane->to->arena, &request->remote, 0, request->length,
				 request->origin);
	return arena_has(&lane->to->arena, &receive->pieces, skip, request->length,
			 request->origin);
}

/*
 * A message of which only the beginning has come leaves that in a receive, which another message
 * may then get.
 */
static void allow_in_receives(struct lane *lane, const struct request *request)
{
	struct inbox *inbox = lane->inbox;
	struct origin origin;
	unsigned int i;

	for (i = 0; i < inbox->posted; i++) {
		struct receive *receive = &inbox->receives[i];

		if (receive->filled >= request->length)
			continue;
		origin = request->origin;
		origin.offset += receive->filled;
		arena_allow(&inbox->end->arena, &receive->pieces, receive->filled,
			    request->length - receive->filled, origin);
	}
}

static void allow_request(struct round *round, struct lane *lane, const struct request *request)
{
	if (request->verb->flags & VERB_WRITES)
		arena_allow(&lane->to->arena, &request->remote, 0, request->length,
			    request->origin);
	else if (request->verb->flags & VERB_READS)
		arena_allow(&lane->from->arena, &request->local, 0, request->length,
			    request->origin);
	else if (!is_datagram(round)) /* which come whole or not at all */
		allow_in_receives(lane, request);
}

void lose(struct lane *lane, struct request *request)
{
	request->is_lost = true;
	if (request_takes_receive(request) && !request->is_received) {
		request->is_received = true;
		lane->receiving--;
		lane->inbox->owed--;
	}
}

/* Nobody has told whether it has come: memory does. */
static void look_for_write(struct lane *lane, struct request *request)
{
	if (!(request->verb->flags & VERB_WRITES) || request->verb->flags & VERB_RECEIVES ||
	    arena_has(&lane->to->arena, &request->remote, 0, request->length, request->origin))
		return;
	arena_forget(&lane->to->arena, &request->remote, 0, request->length);
	lose(lane, request);
}

void allow_remains(struct round *round)
{
	bool leaves_data = !expected_status(round) || expected_status(round)->leaves_data;
	struct request *request;
	struct lane *lane;

	for (lane = round->lanes; lane < round->lanes + round->num_lanes; lane++) {
		for (request = lane->requests; request < lane->requests + lane->num_requests;
		     request++) {
			if (may_lose(round))
				look_for_write(lane, request);
			if (leaves_data && (request->is_lost || request->has_failed))
				allow_request(round, lane, request);
		}
	}
}
