// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Posts requests and receives through libibverbs. */
#include <arpa/inet.h>
#include <errno.h>
#include "iteration.h"
#include "outcome.h"

#define MULTICAST_QPN 0xffffff
#define WRONG_KEY_BITS 0x5a5a5a00

static int fill_list(const struct end *end, const struct segments *segments, uint32_t lkey,
		     struct ibv_sge *list)
{
	unsigned int i;

	for (i = 0; i < segments->n; i++)
		list[i] = (struct ibv_sge){
			.addr = (uintptr_t)end->arena.memory + segments->segment[i].offset,
			.length = segments->segment[i].length,
			.lkey = lkey,
		};
	return segments->n;
}

bool post_receives(struct receive_queue *rq, unsigned int more)
{
	struct ibv_recv_wr wr = {}, *bad;
	struct ibv_sge list[MAX_SEGMENTS];
	int error;

	while (more-- && rq->posted < rq->num_receives) {
		const struct receive *receive = &rq->receives[rq->posted++];

		wr.wr_id = receive->wr_id;
		wr.sg_list = list;
		wr.num_sge = fill_list(rq->end, &receive->segments, rq->end->mr->lkey, list);
		error = rq->srq ? ibv_post_srq_recv(rq->srq, &wr, &bad) :
				  ibv_post_recv(rq->qp, &wr, &bad);
		if (error)
			return wrong("%s: posting receive %u, of %d segments: %s", rq->end->label,
				     rq->posted, wr.num_sge, error_name(error));
	}
	return true;
}

static void fill_remote(const struct flow *flow, const struct request *request, uint32_t wrong_bits,
			struct ibv_send_wr *wr)
{
	uint64_t addr = (uintptr_t)flow->to->arena.memory + request->remote.segment[0].offset;
	uint32_t rkey = flow->to->mr->rkey ^ wrong_bits;

	if (request->verb->flags & VERB_ATOMIC) {
		wr->wr.atomic.remote_addr = addr;
		wr->wr.atomic.rkey = rkey;
		wr->wr.atomic.swap = request->operand;
		wr->wr.atomic.compare_add = request->compare;
		if (request->verb->opcode == IBV_WR_ATOMIC_FETCH_AND_ADD) {
			wr->wr.atomic.swap = 0;
			wr->wr.atomic.compare_add = request->operand;
		}
		return;
	}
	wr->wr.rdma.remote_addr = addr;
	wr->wr.rdma.rkey = request->has_window ? flow->windows[request->window].mw->rkey : rkey;
}

static void fill_datagram(const struct iteration *iteration, const struct flow *flow,
			  const struct request *request, struct ibv_send_wr *wr)
{
	wr->wr.ud.ah = flow->ah[request->is_global];
	wr->wr.ud.remote_qkey = QKEY;
	wr->wr.ud.remote_qpn = iteration->task->service->flags & SERVICE_MULTICAST ?
				       MULTICAST_QPN :
				       flow->peer->qp_num;
}

static void post_fill(const struct iteration *iteration, const struct flow *flow,
		      const struct request *request, struct ibv_sge *list, struct ibv_send_wr *wr)
{
	uint32_t lkey = flow->from->mr->lkey;

	/* The L_Key of inline data is not used, so a wrong one must not matter. */
	if (request->is_inline || provocation_of(iteration) == PROVOKE_WRONG_LKEY)
		lkey ^= WRONG_KEY_BITS;
	*wr = (struct ibv_send_wr){
		.wr_id = request->wr_id,
		.sg_list = list,
		.num_sge = fill_list(flow->from, &request->local, lkey, list),
		.opcode = request->verb->opcode,
		.send_flags = (request->is_signaled ? IBV_SEND_SIGNALED : 0) |
			      (request->is_solicited ? IBV_SEND_SOLICITED : 0) |
			      (request->is_fenced ? IBV_SEND_FENCE : 0) |
			      (request->is_inline ? IBV_SEND_INLINE : 0),
	};
	if (request->verb->flags & VERB_IMM)
		wr->imm_data = htonl(request->imm);
	if (request->verb->flags & VERB_INVALIDATES)
		wr->invalidate_rkey = flow->windows[request->window].mw->rkey;
	if (is_xrc(iteration))
		wr->qp_type.xrc.remote_srqn = request->rq->srq_num;
	if (is_datagram(iteration))
		fill_datagram(iteration, flow, request, wr);
	else if (request->remote.n)
		fill_remote(flow, request,
			    provocation_of(iteration) == PROVOKE_WRONG_RKEY ? WRONG_KEY_BITS : 0,
			    wr);
}

/* Overwrites the source of inline data, which was copied when the request was posted. */
static void post_scribble(const struct flow *flow, const struct request *request)
{
	struct origin origin = { ORIGIN_SCRIBBLE, request->number, 0 };

	arena_write(&flow->from->arena, &request->local, 0, request->length, origin);
}

static bool not_posted(const struct iteration *iteration, const struct flow *flow,
		       const struct request *request, int error)
{
	if (iteration->shape.is_plain && (error == EINVAL || error == EOPNOTSUPP))
		return lacking(OUTCOME_NO_OPERATION, "%s: posting it: %s", flow->from->name,
			       error_name(error));
	return wrong("%s: posting message %u (%u octets, %u segments%s): %s", flow->from->label,
		     shown_number(request), request->length, request->local.n,
		     request->is_inline ? ", inline" : "", error_name(error));
}

/*
 * Returns whether one more request can be posted, in addition to @ahead requests that precede it.
 */
static bool has_room(const struct iteration *iteration, const struct flow *flow, unsigned int ahead)
{
	unsigned int depth = iteration->task->options->depth;

	return flow->posted + ahead < flow->num_requests &&
	       flow->posted + ahead - flow->done < depth && flow->receiving < depth;
}

/* Posts @n consecutive requests by one call. */
static bool post_chain(struct iteration *iteration, struct flow *flow, unsigned int n)
{
	struct ibv_send_wr wr[MAX_CHAIN], *bad = NULL;
	struct ibv_sge lists[MAX_CHAIN][MAX_SEGMENTS];
	struct request *first = &flow->requests[flow->posted];
	unsigned int i;
	int error;

	for (i = 0; i < n; i++) {
		post_fill(iteration, flow, &first[i], lists[i], &wr[i]);
		wr[i].next = i + 1 < n ? &wr[i + 1] : NULL;
		first[i].is_posted = true;
	}
	error = ibv_post_send(flow->qp, wr, &bad);
	if (error)
		return not_posted(iteration, flow, &first[bad ? bad - wr : 0], error);
	flow->posted += n;
	for (i = 0; i < n; i++)
		if (first[i].is_inline)
			post_scribble(flow, &first[i]);
	return true;
}

static bool post_supply(struct iteration *iteration, struct receive_queue *rq)
{
	unsigned int waiting = rq->posted - rq->used;

	if (provocation_of(iteration) == PROVOKE_NO_RECEIVE || waiting >= rq->pending)
		return true;
	return post_receives(rq, rq->pending - waiting);
}

static bool supply_all(struct iteration *iteration, const struct flow *flow)
{
	int i;

	for (i = 0; i < SRQS && flow->rq[i]; i++)
		if (!post_supply(iteration, flow->rq[i]))
			return false;
	return true;
}

bool post_requests(struct iteration *iteration, struct flow *flow, bool *progress)
{
	unsigned int n, most;

	while (has_room(iteration, flow, 0)) {
		/*
		 * This number is not drawn from the random numbers of the task. Otherwise the
		 * number of draws would depend on the device, and so would all later draws.
		 */
		most = 1 + flow->requests[flow->posted].imm % MAX_CHAIN;
		for (n = 0; n < most && has_room(iteration, flow, n); n++) {
			const struct request *request = &flow->requests[flow->posted + n];
			bool receives = request_consumes_receive(request);

			flow->receiving += receives;
			request->rq->pending += receives;
		}
		if (!iteration->shape.late_receives && !supply_all(iteration, flow))
			return false;
		if (!post_chain(iteration, flow, n) || !supply_all(iteration, flow))
			return false;
		*progress = true;
	}
	return true;
}
