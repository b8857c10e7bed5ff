// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Requests and receives, as libibverbs takes them. */
#include <arpa/inet.h>
#include <errno.h>
#include "round.h"
#include "verdict.h"

#define MULTICAST_QPN 0xffffff
#define WRONG_KEY_BITS 0x5a5a5a00

static int fill_list(const struct end *end, const struct pieces *pieces, uint32_t lkey,
		     struct ibv_sge *list)
{
	unsigned int i;

	for (i = 0; i < pieces->n; i++)
		list[i] = (struct ibv_sge){
			.addr = (uintptr_t)end->arena.memory + pieces->piece[i].offset,
			.length = pieces->piece[i].length,
			.lkey = lkey,
		};
	return pieces->n;
}

bool post_receives(struct inbox *inbox, unsigned int more)
{
	struct ibv_recv_wr wr = {}, *bad;
	struct ibv_sge list[MAX_PIECES];
	int error;

	while (more-- && inbox->posted < inbox->num_receives) {
		const struct receive *receive = &inbox->receives[inbox->posted++];

		wr.wr_id = receive->wr_id;
		wr.sg_list = list;
		wr.num_sge = fill_list(inbox->end, &receive->pieces, inbox->end->mr->lkey, list);
		error = inbox->srq ? ibv_post_srq_recv(inbox->srq, &wr, &bad) :
				     ibv_post_recv(inbox->qp, &wr, &bad);
		if (error)
			return wrong("%s: posting receive %u, of %d pieces: %s", inbox->end->label,
				     inbox->posted, wr.num_sge, error_name(error));
	}
	return true;
}

static void fill_remote(const struct lane *lane, const struct request *request, uint32_t wrong_bits,
			struct ibv_send_wr *wr)
{
	uint64_t addr = (uintptr_t)lane->to->arena.memory + request->remote.piece[0].offset;
	uint32_t rkey = lane->to->mr->rkey ^ wrong_bits;

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
	wr->wr.rdma.rkey = request->has_window ? lane->windows[request->window].mw->rkey : rkey;
}

static void fill_datagram(const struct round *round, const struct lane *lane,
			  const struct request *request, struct ibv_send_wr *wr)
{
	wr->wr.ud.ah = lane->ah[request->is_global];
	wr->wr.ud.remote_qkey = QKEY;
	wr->wr.ud.remote_qpn = round->task->service->flags & SERVICE_MULTICAST ? MULTICAST_QPN :
										 lane->peer->qp_num;
}

static void fill(const struct round *round, const struct lane *lane, const struct request *request,
		 struct ibv_sge *list, struct ibv_send_wr *wr)
{
	uint32_t lkey = lane->from->mr->lkey;

	/* Nobody looks at it when the data are taken at once. */
	if (request->is_inline || provocation(round) == PROVOKE_WRONG_LKEY)
		lkey ^= WRONG_KEY_BITS;
	*wr = (struct ibv_send_wr){
		.wr_id = request->wr_id,
		.sg_list = list,
		.num_sge = fill_list(lane->from, &request->local, lkey, list),
		.opcode = request->verb->opcode,
		.send_flags = (request->is_signaled ? IBV_SEND_SIGNALED : 0) |
			      (request->is_solicited ? IBV_SEND_SOLICITED : 0) |
			      (request->is_fenced ? IBV_SEND_FENCE : 0) |
			      (request->is_inline ? IBV_SEND_INLINE : 0),
	};
	if (request->verb->flags & VERB_IMM)
		wr->imm_data = htonl(request->imm);
	if (request->verb->flags & VERB_INVALIDATES)
		wr->invalidate_rkey = lane->windows[request->window].mw->rkey;
	if (is_datagram(round))
		fill_datagram(round, lane, request, wr);
	else if (request->remote.n)
		fill_remote(lane, request,
			    provocation(round) == PROVOKE_WRONG_RKEY ? WRONG_KEY_BITS : 0, wr);
}

/* The data were taken when it was posted: what is there now must not matter. */
static void scribble(const struct lane *lane, const struct request *request)
{
	struct origin origin = { ORIGIN_SCRIBBLE, request->number, 0 };

	arena_write(&lane->from->arena, &request->local, 0, request->length, origin);
}

static bool not_posted(const struct round *round, const struct lane *lane,
		       const struct request *request, int error)
{
	if (round->shape.is_plain && (error == EINVAL || error == EOPNOTSUPP))
		return lacking(VERDICT_NO_OPERATION, "%s: posting it: %s", lane->from->name,
			       error_name(error));
	return wrong("%s: posting message %u (%u octets, %u pieces%s): %s", lane->from->label,
		     shown(request), request->length, request->local.n,
		     request->is_inline ? ", inline" : "", error_name(error));
}

/* May the next one be posted, after @ahead that will have been? */
static bool has_room(const struct round *round, const struct lane *lane, unsigned int ahead)
{
	unsigned int depth = round->task->options->depth;

	return lane->posted + ahead < lane->num_requests &&
	       lane->posted + ahead - lane->done < depth && lane->receiving < depth;
}

/* One call for requests that follow one another. */
static bool post_chain(struct round *round, struct lane *lane, unsigned int n)
{
	struct ibv_send_wr wr[MAX_CHAIN], *bad = NULL;
	struct ibv_sge lists[MAX_CHAIN][MAX_PIECES];
	struct request *first = &lane->requests[lane->posted];
	unsigned int i;
	int error;

	for (i = 0; i < n; i++) {
		fill(round, lane, &first[i], lists[i], &wr[i]);
		wr[i].next = i + 1 < n ? &wr[i + 1] : NULL;
		first[i].is_posted = true;
	}
	error = ibv_post_send(lane->qp, wr, &bad);
	if (error)
		return not_posted(round, lane, &first[bad ? bad - wr : 0], error);
	lane->posted += n;
	for (i = 0; i < n; i++)
		if (first[i].is_inline)
			scribble(lane, &first[i]);
	return true;
}

static bool supply(struct round *round, struct inbox *inbox)
{
	unsigned int waiting = inbox->posted - inbox->used;

	if (provocation(round) == PROVOKE_NO_RECEIVE || waiting >= inbox->owed)
		return true;
	return post_receives(inbox, inbox->owed - waiting);
}

bool post_requests(struct round *round, struct lane *lane, bool *progress)
{
	unsigned int n, most;

	while (has_room(round, lane, 0)) {
		/*
		 * Not drawn: when this happens is the device's affair, and would be in everything
		 * drawn after it.
		 */
		most = 1 + lane->requests[lane->posted].imm % MAX_CHAIN;
		for (n = 0; n < most && has_room(round, lane, n); n++) {
			bool receives = request_takes_receive(&lane->requests[lane->posted + n]);

			lane->receiving += receives;
			lane->inbox->owed += receives;
		}
		if (!round->shape.late_receives && !supply(round, lane->inbox))
			return false;
		if (!post_chain(round, lane, n) || !supply(round, lane->inbox))
			return false;
		*progress = true;
	}
	return true;
}
