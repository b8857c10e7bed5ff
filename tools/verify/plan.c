// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Draws the random properties of an iteration (struct shape), and plans the requests. */
#include <stdlib.h>
#include <string.h>
#include "iteration.h"
#include "length.h"

#define MAX_SLACK 64 /* a receive has fewer than this many octets more than its message */
#define MAX_INLINE 220
#define MAX_READS 16
#define PLAIN_LENGTH 64

static uint32_t min_of(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static uint32_t plan_least(const struct task *task, uint32_t (*of)(const struct end *end))
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

static uint32_t max_inline(const struct end *end)
{
	return end->max_inline;
}

static uint32_t max_reads(const struct end *end)
{
	return min_of(end->attr.max_qp_rd_atom, end->attr.max_qp_init_rd_atom);
}

/*
 * Returns whether each receive must be long enough for every message. This is necessary with an
 * SRQ, with datagrams, and if messages may be lost, because any message may then use the receive.
 */
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

/* Limits the length of messages to the room in datagrams and in the receivers' memory. */
static void limit_length(const struct task *task, struct shape *shape, uint32_t mtu,
			 uint32_t messages)
{
	if (task->service->flags & SERVICE_DATAGRAM)
		shape->max_length = min_of(shape->max_length, mtu);
	else if (shape->any_receive)
		shape->max_length =
			min_of(shape->max_length, task->ends[0].arena.size / 4 / messages);
	if (shape->max_length < task->options->min_size)
		shape->max_length = task->options->min_size;
}

static struct shape draw_shape(struct task *task, bool is_plain, uint32_t messages)
{
	struct rng *rng = &task->rng;
	const struct options *options = task->options;
	uint32_t mtu = plan_least(task, end_mtu);
	struct shape shape = {
		.one_way = options->expect || task->service->flags & SERVICE_MULTICAST,
		.connections = rng_between(rng, 1, MAX_CONNECTIONS),
		.waiting = rng_below(rng, 3),
		.signal_all = rng_one_in(rng, 4),
		.late_receives = task->service->flags & SERVICE_RELIABLE && rng_one_in(rng, 6),
		.any_receive = any_receive(task),
		.mtu = options->mtu ? min_of(options->mtu, mtu) : mtu,
		.max_length = options->max_size,
		.max_sge = min_of(plan_least(task, max_sge), options->segments),
		.max_inline = rng_one_in(rng, 4) ? 0 : rng_between(rng, 1, MAX_INLINE),
		/*
		 * Half of the iterations begin with a PSN close to 2^24, so that PSNs soon wrap
		 * around to 0.
		 */
		.psn = (rng_one_in(rng, 2) ? rng_next(rng) : -rng_below(rng, 32)) & 0xffffff,
		.reads = rng_between(rng, 1, min_of(plan_least(task, max_reads), MAX_READS) ?: 1),
		.grh = task->ends[0].is_ethernet || rng_one_in(rng, 4),
	};

	if (!options->mtu && rng_one_in(rng, 2))
		shape.mtu = 256u << rng_below(rng, task->ends[0].port.active_mtu);
	if (shape.mtu > mtu)
		shape.mtu = mtu;
	if (task->service->flags & SERVICE_SRQ)
		shape.max_sge = min_of(shape.max_sge, plan_least(task, max_srq_sge) ?: 1);
	if (rng_one_in(rng, 3))
		shape.max_sge = rng_between(rng, 1, shape.max_sge);
	/*
	 * A one-way test has one connection only, because a multicast message is received by all
	 * queue pairs that are attached to the group.
	 */
	if (shape.one_way)
		shape.connections = 1;
	shape.max_inline = min_of(shape.max_inline, plan_least(task, max_inline));
	/* A message that finds no receive ends a connection of iWARP: there is no RNR NAK. */
	if (task->ends[0].is_iwarp)
		shape.late_receives = false;
	if (is_plain)
		plain_shape(&shape);
	limit_length(task, &shape, mtu, messages);
	return shape;
}

/* --- memory -------------------------------------------------------------------------------- */

/* Draws the receive queue that a request uses at the responder. */
static struct receive_queue *draw_rq(struct iteration *iteration, const struct flow *flow)
{
	return flow->rq[is_xrc(iteration) ? rng_below(&iteration->task->rng, SRQS) : 0];
}

/* Returns a new request. The caller passes it to flow_add(). */
static struct request request_of(struct iteration *iteration, const struct flow *flow,
				 const struct verb *verb, uint32_t length)
{
	struct task *task = iteration->task;
	uint32_t number = task->group << ORIGIN_GROUP_SHIFT | ++task->last_number;
	struct receive_queue *rq = draw_rq(iteration, flow);

	return (struct request){
		.number = number,
		.wr_id = pattern_name(task->pattern, number),
		.verb = verb,
		.rq = rq,
		.origin = { ORIGIN_MESSAGE, number, 0 },
		.length = verb->flags & (VERB_ATOMIC | VERB_ATOMIC_WRITE) ? sizeof(uint64_t) :
									    length,
		.imm = rng_next(&task->rng),
		.is_global = task->ends[0].is_ethernet ||
			     task->service->flags & SERVICE_MULTICAST || rng_one_in(&task->rng, 2),
	};
}

/* Allocates the local segments that a request sends, and writes their contents. */
static bool plan_source(struct iteration *iteration, struct flow *flow, struct request *request)
{
	struct rng *rng = &iteration->task->rng;

	if (!arena_alloc_segments(&flow->from->arena, rng, request->length,
				  iteration->shape.max_sge, &request->local))
		return false;
	arena_write(&flow->from->arena, &request->local, 0, request->length, request->origin);
	request->is_inline = request->length <= iteration->shape.max_inline &&
			     iteration->shape.max_inline &&
			     provocation_of(iteration) != PROVOKE_WRONG_LKEY && rng_one_in(rng, 2);
	return true;
}

static bool plan_remote(struct iteration *iteration, struct flow *flow, struct request *request)
{
	bool aligned = request->verb->flags & VERB_ATOMIC_WRITE;
	struct segment place;

	if (!arena_alloc(&flow->to->arena, &iteration->task->rng, request->length,
			 aligned ? sizeof(uint64_t) : 1, &place))
		return false;
	request->remote = one_segment(place.offset, place.length);
	arena_name(&flow->to->arena, &request->remote, 0, request->length, request->origin);
	return true;
}

/* Allocates the only segment of an RDMA Read over iWARP, which it has even if it is empty. */
static bool plan_sink(struct iteration *iteration, struct flow *flow, struct request *request)
{
	struct segment place;

	if (!arena_alloc(&flow->from->arena, &iteration->task->rng, request->length, 1, &place))
		return false;
	request->local = one_segment(place.offset, place.length);
	return true;
}

/* Allocates the local segments that receive the data of an RDMA Read or an atomic. */
static bool plan_destination(struct iteration *iteration, struct flow *flow,
			     struct request *request)
{
	unsigned int most = request->verb->flags & VERB_ATOMIC ? 1 : iteration->shape.max_sge;

	if (!(is_iwarp(iteration) ? plan_sink(iteration, flow, request) :
				    arena_alloc_segments(&flow->from->arena, &iteration->task->rng,
							 request->length, most, &request->local)))
		return false;
	arena_name(&flow->from->arena, &request->local, 0, request->length, request->origin);
	return true;
}

static bool plan_write(struct iteration *iteration, struct flow *flow, struct request *request)
{
	return plan_source(iteration, flow, request) && plan_remote(iteration, flow, request);
}

static bool plan_read(struct iteration *iteration, struct flow *flow, struct request *request)
{
	if (!plan_destination(iteration, flow, request) || !plan_remote(iteration, flow, request))
		return false;
	arena_write(&flow->to->arena, &request->remote, 0, request->length, request->origin);
	return true;
}

/*
 * Returns the value that a 64-bit operand of atomics has after the requests planned so far: the
 * result of the last atomic on it, or its initial value.
 */
static uint64_t operand_value(const struct flow *flow, const struct segment *operand)
{
	const struct request *request;
	uint64_t value;

	for (request = flow->requests + flow->num_requests; request-- > flow->requests;)
		if (request->verb->flags & VERB_ATOMIC &&
		    request->remote.segment[0].offset == operand->offset)
			return request->result;
	memcpy(&value, flow->to->arena.expected + operand->offset, sizeof(value));
	return value;
}

static bool plan_operands(struct iteration *iteration, struct flow *flow)
{
	struct origin origin = { ORIGIN_MESSAGE, 0, 0 };
	struct segments segments;
	unsigned int i;

	for (i = 0; i < OPERANDS && !flow->has_operands; i++) {
		if (!arena_alloc(&flow->to->arena, &iteration->task->rng, sizeof(uint64_t),
				 sizeof(uint64_t), &flow->operands[i]))
			return false;
		segments = one_segment(flow->operands[i].offset, sizeof(uint64_t));
		origin.number = iteration->task->group << ORIGIN_GROUP_SHIFT |
				++iteration->task->last_number;
		arena_write(&flow->to->arena, &segments, 0, sizeof(uint64_t), origin);
	}
	return flow->has_operands = true;
}

static bool plan_atomic(struct iteration *iteration, struct flow *flow, struct request *request)
{
	struct rng *rng = &iteration->task->rng;
	const struct segment *operand = &flow->operands[rng_below(rng, OPERANDS)];

	if (!plan_operands(iteration, flow) || !plan_destination(iteration, flow, request))
		return false;
	request->remote = one_segment(operand->offset, operand->length);
	request->old = operand_value(flow, operand);
	request->operand = rng_next(rng);
	if (request->verb->opcode == IBV_WR_ATOMIC_FETCH_AND_ADD) {
		request->result = request->old + request->operand;
		return true;
	}
	/*
	 * Half of the compare values match, which makes the swap happen. Some of the others differ
	 * in a single bit.
	 */
	request->compare = request->old;
	if (rng_one_in(rng, 2))
		request->compare ^= rng_one_in(rng, 2) ? 1ull << rng_below(rng, 64) :
							 rng_next(rng) | 1;
	request->result = request->compare == request->old ? request->operand : request->old;
	return true;
}

static bool plan_receive(struct iteration *iteration, struct flow *flow,
			 const struct request *request)
{
	struct rng *rng = &iteration->task->rng;
	struct receive_queue *rq = request->rq;
	struct receive receive = {
		.wr_id = ~request->wr_id,
	};

	receive.capacity = iteration->shape.any_receive	       ? iteration->shape.max_length :
			   request->verb->flags & VERB_MESSAGE ? request->length :
								 0;
	if (provocation_of(iteration) == PROVOKE_SHORT_RECEIVE)
		receive.capacity = iteration->shape.any_receive ? 0 : request->length - 1;
	else if (!iteration->shape.is_plain)
		receive.capacity += rng_below(rng, MAX_SLACK);
	if (is_datagram(iteration))
		receive.capacity += GRH_LENGTH;
	if (!arena_alloc_segments(&flow->to->arena, rng, receive.capacity, iteration->shape.max_sge,
				  &receive.segments))
		return false;
	rq->receives[rq->num_receives++] = receive;
	return true;
}

static bool plan_place(struct iteration *iteration, struct flow *flow, struct request *request)
{
	if (request->verb->flags & VERB_ATOMIC)
		return plan_atomic(iteration, flow, request);
	if (request->verb->flags & VERB_READS)
		return plan_read(iteration, flow, request);
	if (request->verb->flags & VERB_WRITES)
		return plan_write(iteration, flow, request);
	return plan_source(iteration, flow, request);
}

/* --- messages ------------------------------------------------------------------------------ */

/* Plans the second request of an operation with two requests. */
static bool plan_second(struct iteration *iteration, struct flow *flow,
			const struct operation *operation, struct request *first,
			struct request *second)
{
	if (operation->flags & OPERATION_FENCE) {
		second->is_fenced = true;
		second->origin = first->origin;
		second->local = first->local;
		return plan_remote(iteration, flow, second);
	}
	if (operation->flags & OPERATION_SAME_PLACE) {
		second->origin = first->origin;
		second->remote = first->remote;
		return plan_destination(iteration, flow, second);
	}
	first->has_window = second->has_window = true;
	first->window = second->window = flow->num_windows;
	flow->windows[flow->num_windows].segment = first->remote.segment[0];
	return plan_place(iteration, flow, second);
}

/*
 * Sets the flags of a request. At least every @most-th request is signaled, and at least every
 * @most-th message is solicited, because otherwise both ends could wait for an event for ever.
 */
static void plan_flags(struct iteration *iteration, struct flow *flow, struct request *request)
{
	unsigned int most = (iteration->task->options->depth + 1) / 2;

	request->is_signaled = iteration->shape.signal_all || ++flow->unsignaled >= most ||
			       rng_one_in(&iteration->task->rng, 4);
	if (request->is_signaled)
		flow->unsignaled = 0;
	if (!request_consumes_receive(request))
		return;
	request->is_solicited = ++flow->unsolicited >= most || rng_one_in(&iteration->task->rng, 4);
	if (request->is_solicited)
		flow->unsolicited = 0;
}

static void flow_add(struct iteration *iteration, struct flow *flow, const struct request *request)
{
	flow->requests[flow->num_requests] = *request;
	plan_flags(iteration, flow, &flow->requests[flow->num_requests]);
	flow->num_requests++;
}

static const struct operation *draw_operation(struct iteration *iteration)
{
	struct task *task = iteration->task;
	unsigned int i;

	if (!(task->operation->flags & OPERATION_ANY))
		return task->operation;
	do {
		i = rng_below(&task->rng, num_operations);
	} while (!(task->able >> i & 1));
	return &operations[i];
}

static uint32_t draw_length(struct iteration *iteration, const struct operation *operation)
{
	const struct options *options = iteration->task->options;
	uint32_t min = options->min_size;

	/*
	 * An empty message does not access a window, and cannot fail because of its key or address.
	 */
	if (!min && (operation->flags & OPERATION_WINDOW || options->expect))
		min = 1;
	if (iteration->shape.is_plain && PLAIN_LENGTH >= min &&
	    PLAIN_LENGTH <= iteration->shape.max_length)
		return PLAIN_LENGTH;
	return length_draw(&iteration->task->rng, min, iteration->shape.max_length,
			   iteration->shape.mtu);
}

static bool plan_message(struct iteration *iteration)
{
	struct flow *flow =
		&iteration->flows[rng_below(&iteration->task->rng, iteration->num_flows)];
	const struct operation *operation = draw_operation(iteration);
	uint32_t length = draw_length(iteration, operation);
	struct request requests[OPERATION_REQUESTS];
	unsigned int i, n;

	if (iteration->shape.one_way)
		flow = &iteration->flows[(flow - iteration->flows) & ~1];
	if (flow->num_requests + OPERATION_REQUESTS > MAX_REQUESTS)
		return false;
	for (n = 0; n < OPERATION_REQUESTS && operation->requests[n]; n++) {
		requests[n] = request_of(iteration, flow, operation->requests[n], length);
		if (n ? !plan_second(iteration, flow, operation, &requests[0], &requests[n]) :
			!plan_place(iteration, flow, &requests[n]))
			return false;
		if (request_consumes_receive(&requests[n]) &&
		    !plan_receive(iteration, flow, &requests[n]))
			return false;
	}
	flow->num_windows += !!(operation->flags & OPERATION_WINDOW);
	for (i = 0; i < n; i++)
		flow_add(iteration, flow, &requests[i]);
	return true;
}

static bool make_rq(struct receive_queue *rq, struct end *end, bool is_shared)
{
	rq->end = end;
	rq->is_shared = is_shared;
	if (!rq->receives)
		rq->receives = calloc(MAX_FLOWS * MAX_REQUESTS, sizeof(*rq->receives));
	return rq->receives;
}

static bool make_flows(struct iteration *iteration)
{
	bool is_shared = iteration->task->service->flags & SERVICE_SRQ;
	struct end *ends = iteration->task->ends;
	unsigned int i, to;

	iteration->num_flows = 2 * iteration->shape.connections;
	for (i = 0; i < iteration->num_flows; i++) {
		struct flow *flow = &iteration->flows[i];

		to = (i + 1) % 2;
		flow->from = &ends[i % 2];
		flow->to = &ends[to];
		flow->rq[0] = &iteration->receive_queues[is_shared ? to : i];
		if (!make_rq(flow->rq[0], flow->to, is_shared))
			return false;
		flow->rq[1] = is_xrc(iteration) ? &iteration->receive_queues[2 + to] : NULL;
		if (flow->rq[1] && !make_rq(flow->rq[1], flow->to, is_shared))
			return false;
		flow->requests = calloc(MAX_REQUESTS, sizeof(*flow->requests));
		flow->windows = calloc(MAX_REQUESTS, sizeof(*flow->windows));
		if (!flow->requests || !flow->windows)
			return false;
	}
	return true;
}

/*
 * Ends the planning of a flow. The last request must be signaled, and the last one that consumes a
 * receive must be solicited.
 */
static void end_flow(struct flow *flow)
{
	struct request *request;

	if (flow->num_requests)
		flow->requests[flow->num_requests - 1].is_signaled = true;
	for (request = flow->requests + flow->num_requests; request-- > flow->requests;) {
		if (request_consumes_receive(request)) {
			request->is_solicited = true;
			break;
		}
	}
}

uint32_t iteration_plan(struct iteration *iteration, struct task *task, uint32_t messages)
{
	bool is_plain = !task->planned;
	uint32_t most = is_plain ? 1 : rng_between(&task->rng, 1, MAX_REQUESTS / 4), n = 0;
	unsigned int i;

	if (messages > most)
		messages = most;
	*iteration = (struct iteration){ .task = task };
	iteration->shape = draw_shape(task, is_plain, messages);
	for (i = 0; i < 2; i++)
		arena_begin(&task->ends[i].arena);
	if (!make_flows(iteration))
		abort();
	while (n < messages && plan_message(iteration))
		n++;
	for (i = 0; i < iteration->num_flows; i++)
		end_flow(&iteration->flows[i]);
	task->planned += n;
	return n;
}

void iteration_free(struct iteration *iteration)
{
	unsigned int i;

	for (i = 0; i < MAX_FLOWS; i++) {
		free(iteration->receive_queues[i].receives);
		free(iteration->flows[i].requests);
		free(iteration->flows[i].windows);
	}
}
