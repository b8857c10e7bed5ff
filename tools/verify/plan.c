// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* What a round is to be like, and what is to be requested in it. */
#include <stdlib.h>
#include <string.h>
#include "round.h"

#define MAX_SLACK 64 /* octets of a receive beyond its message */
#define MAX_INLINE 220
#define MAX_READS 16
#define PLAIN_LENGTH 64

static uint32_t min_of(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static uint32_t least(const struct task *task, uint32_t (*of)(const struct end *end))
{
	return min_of(of(&task->ends[0]), of(&task->ends[1]));
}

static uint32_t max_sge(const struct end *end)
{
	return end->attr.max_sge;
}

static uint32_t max_srq_sge(const struct end *end)
{
	return end->attr.max_srq_sge;
}

static uint32_t max_reads(const struct end *end)
{
	return min_of(end->attr.max_qp_rd_atom, end->attr.max_qp_init_rd_atom);
}

/* Receives are not where the message is that they will receive, or messages may be missing. */
static bool any_receive(const struct task *task)
{
	return task->service->flags & (SERVICE_SRQ | SERVICE_DATAGRAM) ||
	       (task->options->tolerate_loss && !(task->service->flags & SERVICE_RELIABLE));
}

static void plain_shape(struct shape *shape)
{
	shape->is_plain = shape->one_way = shape->signal_all = true;
	shape->connections = shape->max_sge = shape->reads = 1;
	shape->max_inline = 0;
	shape->waiting = WAIT_POLL;
	shape->late_receives = false;
}

static struct shape draw_shape(struct task *task, bool is_plain, uint32_t messages)
{
	struct chance *chance = &task->chance;
	const struct options *options = task->options;
	uint32_t mtu = least(task, end_mtu);
	struct shape shape = {
		.one_way = options->expect || task->service->flags & SERVICE_MULTICAST,
		.connections = chance_between(chance, 1, MAX_CONNECTIONS),
		.waiting = chance_below(chance, 3),
		.signal_all = chance_once_in(chance, 4),
		.late_receives = task->service->flags & SERVICE_RELIABLE &&
				 chance_once_in(chance, 6),
		.any_receive = any_receive(task),
		.mtu = options->mtu ? min_of(options->mtu, mtu) : mtu,
		.max_length = options->max_size,
		.max_sge = min_of(least(task, max_sge), MAX_PIECES),
		.max_inline = chance_once_in(chance, 4) ? 0 : chance_between(chance, 1, MAX_INLINE),
		.psn = (chance_once_in(chance, 2) ? chance_next(chance) :
						    -chance_below(chance, 32)) &
		       0xffffff, /* so that it wraps soon */
		.reads = chance_between(chance, 1, min_of(least(task, max_reads), MAX_READS) ?: 1),
		.grh = task->ends[0].is_ethernet || chance_once_in(chance, 4),
	};

	if (!options->mtu && chance_once_in(chance, 2))
		shape.mtu = 256u << chance_below(chance, task->ends[0].port.active_mtu);
	if (shape.mtu > mtu)
		shape.mtu = mtu;
	if (task->service->flags & SERVICE_SRQ)
		shape.max_sge = min_of(shape.max_sge, least(task, max_srq_sge) ?: 1);
	if (chance_once_in(chance, 3))
		shape.max_sge = chance_between(chance, 1, shape.max_sge);
	/* All queue pairs of a group would receive what is sent to it. */
	if (shape.one_way)
		shape.connections = 1;
	if (is_plain)
		plain_shape(&shape);
	if (task->service->flags & SERVICE_DATAGRAM)
		shape.max_length = min_of(shape.max_length, mtu);
	else if (shape.any_receive)
		shape.max_length =
			min_of(shape.max_length, task->ends[0].arena.size / 4 / messages);
	if (shape.max_length < options->min_size)
		shape.max_length = options->min_size;
	return shape;
}

/* --- places ------------------------------------------------------------------------------- */

/* Not yet one of the lane; that is lane_add(). */
static struct request request_of(struct round *round, const struct verb *verb, uint32_t length)
{
	struct task *task = round->task;
	uint32_t number = task->group << ORIGIN_GROUP_SHIFT | ++task->last_number;

	return (struct request){
		.number = number,
		.wr_id = pattern_name(task->pattern, number),
		.verb = verb,
		.origin = { ORIGIN_MESSAGE, number, 0 },
		.length = verb->flags & VERB_ATOMIC ? sizeof(uint64_t) : length,
		.imm = chance_next(&task->chance),
		.is_global = task->ends[0].is_ethernet ||
			     task->service->flags & SERVICE_MULTICAST ||
			     chance_once_in(&task->chance, 2),
	};
}

/* Data that leave from here. */
static bool plan_source(struct round *round, struct lane *lane, struct request *request)
{
	struct chance *chance = &round->task->chance;

	if (!arena_take_pieces(&lane->from->arena, chance, request->length, round->shape.max_sge,
			       &request->local))
		return false;
	arena_write(&lane->from->arena, &request->local, 0, request->length, request->origin);
	request->is_inline = request->length <= round->shape.max_inline &&
			     round->shape.max_inline && provocation(round) != PROVOKE_WRONG_LKEY &&
			     chance_once_in(chance, 2);
	return true;
}

static bool plan_remote(struct round *round, struct lane *lane, struct request *request)
{
	struct piece place;

	if (!arena_take(&lane->to->arena, &round->task->chance, request->length, 1, &place))
		return false;
	request->remote = one_piece(place.offset, place.length);
	arena_name(&lane->to->arena, &request->remote, 0, request->length, request->origin);
	return true;
}

/* Data that come to here. */
static bool plan_target(struct round *round, struct lane *lane, struct request *request)
{
	unsigned int most = request->verb->flags & VERB_ATOMIC ? 1 : round->shape.max_sge;

	if (!arena_take_pieces(&lane->from->arena, &round->task->chance, request->length, most,
			       &request->local))
		return false;
	arena_name(&lane->from->arena, &request->local, 0, request->length, request->origin);
	return true;
}

static bool plan_write(struct round *round, struct lane *lane, struct request *request)
{
	return plan_source(round, lane, request) && plan_remote(round, lane, request);
}

static bool plan_read(struct round *round, struct lane *lane, struct request *request)
{
	if (!plan_target(round, lane, request) || !plan_remote(round, lane, request))
		return false;
	arena_write(&lane->to->arena, &request->remote, 0, request->length, request->origin);
	return true;
}

/*
 * Of all that a lane's atomics are about, the value behind those planned so far is in
 * request->result of the last.
 */
static uint64_t word_value(const struct lane *lane, const struct piece *word)
{
	const struct request *request;
	uint64_t value;

	for (request = lane->requests + lane->num_requests; request-- > lane->requests;)
		if (request->verb->flags & VERB_ATOMIC &&
		    request->remote.piece[0].offset == word->offset)
			return request->result;
	memcpy(&value, lane->to->arena.expected + word->offset, sizeof(value));
	return value;
}

static bool plan_words(struct round *round, struct lane *lane)
{
	struct origin origin = { ORIGIN_MESSAGE, 0, 0 };
	struct pieces pieces;
	unsigned int i;

	for (i = 0; i < WORDS && !lane->has_words; i++) {
		if (!arena_take(&lane->to->arena, &round->task->chance, sizeof(uint64_t),
				sizeof(uint64_t), &lane->words[i]))
			return false;
		pieces = one_piece(lane->words[i].offset, sizeof(uint64_t));
		origin.number = round->task->group << ORIGIN_GROUP_SHIFT |
				++round->task->last_number;
		arena_write(&lane->to->arena, &pieces, 0, sizeof(uint64_t), origin);
	}
	return lane->has_words = true;
}

static bool plan_atomic(struct round *round, struct lane *lane, struct request *request)
{
	struct chance *chance = &round->task->chance;
	const struct piece *word = &lane->words[chance_below(chance, WORDS)];

	if (!plan_words(round, lane) || !plan_target(round, lane, request))
		return false;
	request->remote = one_piece(word->offset, word->length);
	request->old = word_value(lane, word);
	request->operand = chance_next(chance);
	if (request->verb->opcode == IBV_WR_ATOMIC_FETCH_AND_ADD) {
		request->result = request->old + request->operand;
		return true;
	}
	/* Half of them swap; of the others some differ in one bit only. */
	request->compare = request->old;
	if (chance_once_in(chance, 2))
		request->compare ^= chance_once_in(chance, 2) ? 1ull << chance_below(chance, 64) :
								chance_next(chance) | 1;
	request->result = request->compare == request->old ? request->operand : request->old;
	return true;
}

static bool plan_receive(struct round *round, struct lane *lane, const struct request *request)
{
	struct chance *chance = &round->task->chance;
	struct inbox *inbox = lane->inbox;
	struct receive receive = {
		.wr_id = ~request->wr_id,
	};

	receive.capacity = round->shape.any_receive	       ? round->shape.max_length :
			   request->verb->flags & VERB_MESSAGE ? request->length :
								 0;
	if (provocation(round) == PROVOKE_SHORT_RECEIVE)
		receive.capacity = round->shape.any_receive ? 0 : request->length - 1;
	else if (!round->shape.is_plain)
		receive.capacity += chance_below(chance, MAX_SLACK);
	if (is_datagram(round))
		receive.capacity += GRH_LENGTH;
	if (!arena_take_pieces(&lane->to->arena, chance, receive.capacity, round->shape.max_sge,
			       &receive.pieces))
		return false;
	inbox->receives[inbox->num_receives++] = receive;
	return true;
}

static bool plan_place(struct round *round, struct lane *lane, struct request *request)
{
	if (request->verb->flags & VERB_ATOMIC)
		return plan_atomic(round, lane, request);
	if (request->verb->flags & VERB_READS)
		return plan_read(round, lane, request);
	if (request->verb->flags & VERB_WRITES)
		return plan_write(round, lane, request);
	return plan_source(round, lane, request);
}

/* --- messages ----------------------------------------------------------------------------- */

/* The second request of an operation of two, given the first. */
static bool plan_second(struct round *round, struct lane *lane, const struct operation *operation,
			struct request *first, struct request *second)
{
	if (operation->flags & OPERATION_FENCE) {
		second->is_fenced = true;
		second->origin = first->origin;
		second->local = first->local;
		return plan_remote(round, lane, second);
	}
	if (operation->flags & OPERATION_SAME_PLACE) {
		second->origin = first->origin;
		second->remote = first->remote;
		return plan_target(round, lane, second);
	}
	first->has_window = second->has_window = true;
	first->window = second->window = lane->num_windows;
	lane->windows[lane->num_windows].piece = first->remote.piece[0];
	return plan_place(round, lane, second);
}

/*
 * So that whoever waits is woken, at least each half of what may be outstanding has a completion,
 * and an event.
 */
static void plan_flags(struct round *round, struct lane *lane, struct request *request)
{
	unsigned int most = (round->task->options->depth + 1) / 2;

	request->is_signaled = round->shape.signal_all || ++lane->unsignaled >= most ||
			       chance_once_in(&round->task->chance, 4);
	if (request->is_signaled)
		lane->unsignaled = 0;
	if (!request_takes_receive(request))
		return;
	request->is_solicited = ++lane->unsolicited >= most ||
				chance_once_in(&round->task->chance, 4);
	if (request->is_solicited)
		lane->unsolicited = 0;
}

static void lane_add(struct round *round, struct lane *lane, const struct request *request)
{
	lane->requests[lane->num_requests] = *request;
	plan_flags(round, lane, &lane->requests[lane->num_requests]);
	lane->num_requests++;
}

static const struct operation *draw_operation(struct round *round)
{
	struct task *task = round->task;
	unsigned int i;

	if (!(task->operation->flags & OPERATION_ANY))
		return task->operation;
	do {
		i = chance_below(&task->chance, num_operations);
	} while (!(task->able >> i & 1));
	return &operations[i];
}

static uint32_t draw_length(struct round *round, const struct operation *operation)
{
	const struct options *options = round->task->options;
	uint32_t min = options->min_size;

	/*
	 * What has no octets is in no window, and cannot fail for its key or for where it goes to.
	 */
	if (!min && (operation->flags & OPERATION_WINDOW || options->expect))
		min = 1;
	if (round->shape.is_plain && PLAIN_LENGTH >= min && PLAIN_LENGTH <= round->shape.max_length)
		return PLAIN_LENGTH;
	return chance_length(&round->task->chance, min, round->shape.max_length, round->shape.mtu);
}

static bool plan_message(struct round *round)
{
	struct lane *lane = &round->lanes[chance_below(&round->task->chance, round->num_lanes)];
	const struct operation *operation = draw_operation(round);
	uint32_t length = draw_length(round, operation);
	struct request requests[OPERATION_REQUESTS];
	unsigned int i, n;

	if (round->shape.one_way)
		lane = &round->lanes[(lane - round->lanes) & ~1];
	if (lane->num_requests + OPERATION_REQUESTS > MAX_REQUESTS)
		return false;
	for (n = 0; n < OPERATION_REQUESTS && operation->requests[n]; n++) {
		requests[n] = request_of(round, operation->requests[n], length);
		if (n ? !plan_second(round, lane, operation, &requests[0], &requests[n]) :
			!plan_place(round, lane, &requests[n]))
			return false;
		if (request_takes_receive(&requests[n]) && !plan_receive(round, lane, &requests[n]))
			return false;
	}
	lane->num_windows += !!(operation->flags & OPERATION_WINDOW);
	for (i = 0; i < n; i++)
		lane_add(round, lane, &requests[i]);
	return true;
}

static bool make_lanes(struct round *round)
{
	bool is_shared = round->task->service->flags & SERVICE_SRQ;
	struct end *ends = round->task->ends;
	unsigned int i, to;

	round->num_lanes = 2 * round->shape.connections;
	for (i = 0; i < round->num_lanes; i++) {
		struct lane *lane = &round->lanes[i];
		struct inbox *inbox;

		to = (i + 1) % 2;
		lane->from = &ends[i % 2];
		lane->to = &ends[to];
		inbox = lane->inbox = &round->inboxes[is_shared ? to : i];
		inbox->end = lane->to;
		inbox->is_shared = is_shared;
		if (!inbox->receives)
			inbox->receives =
				calloc(MAX_LANES * MAX_REQUESTS, sizeof(*inbox->receives));
		lane->requests = calloc(MAX_REQUESTS, sizeof(*lane->requests));
		lane->windows = calloc(MAX_REQUESTS, sizeof(*lane->windows));
		if (!inbox->receives || !lane->requests || !lane->windows)
			return false;
	}
	return true;
}

/* Nobody comes behind it. */
static void end_lane(struct lane *lane)
{
	struct request *request;

	if (lane->num_requests)
		lane->requests[lane->num_requests - 1].is_signaled = true;
	for (request = lane->requests + lane->num_requests; request-- > lane->requests;) {
		if (request_takes_receive(request)) {
			request->is_solicited = true;
			break;
		}
	}
}

uint32_t round_plan(struct round *round, struct task *task, uint32_t messages)
{
	bool is_plain = !task->planned;
	uint32_t most = is_plain ? 1 : chance_between(&task->chance, 1, MAX_REQUESTS / 4), n = 0;
	unsigned int i;

	if (messages > most)
		messages = most;
	*round = (struct round){ .task = task };
	round->shape = draw_shape(task, is_plain, messages);
	for (i = 0; i < 2; i++)
		arena_begin(&task->ends[i].arena);
	if (!make_lanes(round))
		abort();
	while (n < messages && plan_message(round))
		n++;
	for (i = 0; i < round->num_lanes; i++)
		end_lane(&round->lanes[i]);
	task->planned += n;
	return n;
}

void round_free(struct round *round)
{
	unsigned int i;

	for (i = 0; i < MAX_LANES; i++) {
		free(round->inboxes[i].receives);
		free(round->lanes[i].requests);
		free(round->lanes[i].windows);
	}
}
