// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Posting of requests. */
#include <stdlib.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "tests/consumer/consumer.h"
#include "tests/sim/iwarp/iwsim.h"

static void post_sges(const struct iwsim_buffer *b, u32 lkey, struct hca_sge *sge)
{
	u32 i;

	for (i = 0; i < b->count; i++)
		sge[i] = (struct hca_sge){
			.addr = IWSIM_BASE + b->span[i]->offset,
			.length = b->span[i]->length,
			.lkey = lkey,
		};
}

static u32 *post_load(struct iwsim_node *node, const struct hca_cq *cq)
{
	return &node->cq_load[cq - node->cq];
}

/* A request of an SRQ may complete to any CQ. */
static bool post_recv_fits(const struct iwsim_end *end)
{
	struct iwsim_node *node = end->node;
	int i;

	if (!end->with_srq)
		return *post_load(node, end->recv_cq) < end->recv_cq->cqe &&
		       hca_recvs_posted(&end->qp->rq, end->qp->rq.ring->consumer) < IWSIM_ENTRIES;
	for (i = 0; i < IWSIM_CQS; i++)
		if (node->cq_load[i] >= node->cq[i].cqe)
			return false;
	return node->srq_posted < IWSIM_ENTRIES;
}

static void post_recv_count(struct iwsim_end *end)
{
	int i;

	if (!end->with_srq) {
		++*post_load(end->node, end->recv_cq);
		end->recvs_posted++;
		return;
	}
	end->node->srq_posted++;
	for (i = 0; i < IWSIM_CQS; i++)
		end->node->cq_load[i]++;
}

bool iwsim_post_recv(struct iwsim_end *end, u32 length)
{
	struct hca_queue *rq = end->with_srq ? &end->node->srq.rq : &end->qp->rq;
	struct hca_recv_wqe *wqe = hca_queue_entry(rq, rq->ring->producer);
	struct iwsim_recv *recv = calloc(1, sizeof(*recv));

	if (end->with_srq)
		length = IWSIM_SRQ_OCTETS;
	if (!post_recv_fits(end) ||
	    !iwsim_buffer_new(&recv->buffer, end->node, length, IWSIM_SGES)) {
		free(recv);
		return false;
	}
	recv->id = sim.next_id++;
	list_add_tail(&recv->in_queue, end->with_srq ? &end->node->srq_recvs : &end->recvs);
	wqe->wr_id = recv->id;
	wqe->num_sge = recv->buffer.count;
	post_sges(&recv->buffer, end->node->mr->key, wqe->sge);
	post_recv_count(end);
	sim_trace(end->node->index, "post qp %06x #%llu receive of %u octets", end->qpn,
		  (unsigned long long)recv->id, length);
	rq->ring->producer++;
	consumer_ring(end->qp, rq->ring);
	return true;
}

void iwsim_recv_free(struct iwsim_recv *recv)
{
	list_del(&recv->in_queue);
	iwsim_buffer_free(&recv->buffer);
	free(recv);
}

s64 iwsim_send_capacity(const struct iwsim_end *end)
{
	const struct iwsim_end *peer = end->peer;
	u32 behind = peer->recvs_posted - end->sends;
	struct iwsim_recv *recv;

	if (peer->with_srq)
		return peer->node->srq_reserved < peer->node->srq_posted ? IWSIM_SRQ_OCTETS : -1;
	if (!peer->qp || (s32)behind <= 0)
		return -1;
	list_for_each_entry_reverse(recv, &peer->recvs, in_queue)
		if (!--behind)
			return recv->buffer.length;
	return -1;
}

bool iwsim_is_send(u8 opcode)
{
	return opcode == IB_UVERBS_WR_SEND || opcode == IB_UVERBS_WR_SEND_WITH_INV;
}

bool iwsim_is_read(u8 opcode)
{
	return opcode == IB_UVERBS_WR_RDMA_READ || opcode == IB_UVERBS_WR_RDMA_READ_WITH_INV;
}

bool iwsim_is_grant(u8 opcode)
{
	return opcode == IB_UVERBS_WR_BIND_MW || opcode == IB_WR_REG_MR;
}

bool iwsim_is_local(u8 opcode)
{
	return opcode == IB_UVERBS_WR_LOCAL_INV || iwsim_is_grant(opcode);
}

static bool post_memory(struct iwsim_end *end, struct iwsim_op *op)
{
	bool is_remote = iwsim_is_read(op->opcode) || op->opcode == IB_UVERBS_WR_RDMA_WRITE;

	if (iwsim_is_local(op->opcode))
		return true;
	if (!(op->flags & HCA_WQE_INLINE) &&
	    !iwsim_buffer_new(&op->local, end->node, op->length,
			      iwsim_is_read(op->opcode) ? 1 : IWSIM_SGES))
		return false;
	return !is_remote || iwsim_buffer_new(&op->remote, end->peer->node, op->length, 1);
}

static bool post_fits(const struct iwsim_end *end)
{
	const struct hca_queue *sq = &end->qp->sq;

	return *post_load(end->node, end->send_cq) < end->send_cq->cqe &&
	       sq->ring->producer + end->unrung - sq->ring->consumer < sq->entries;
}

/* Whether requests of the peer that use the grant of an end may not be executed yet. */
static bool post_grant_is_used(const struct iwsim_end *end)
{
	const struct iwsim_op *op;

	list_for_each_entry(op, &end->peer->ops, in_flow)
		if (op->by_grant)
			return true;
	return false;
}

/* A request that ends a grant gets its key, if it can be posted. */
static bool post_ends_grant(struct iwsim_end *owner, const struct iwsim_end *end,
			    struct iwsim_op *op)
{
	if (!owner->grant.mr || !post_fits(end) || sim_chance(1, 2))
		return false;
	op->key = owner->grant;
	owner->grant.mr = NULL;
	owner->is_granting = false;
	return true;
}

/*
 * The keys of a request. A Send that ends a grant waits for the Reads that use it; Writes are
 * executed before it anyway.
 */
static void post_keys(struct iwsim_end *end, struct iwsim_op *op)
{
	switch (op->opcode) {
	case IB_UVERBS_WR_SEND_WITH_INV:
		if (post_ends_grant(end->peer, end, op))
			op->flags |= HCA_WQE_FENCE;
		else
			iwsim_key_new(&op->key, end->peer->node);
		break;
	case IB_UVERBS_WR_LOCAL_INV:
		if (post_grant_is_used(end) || !post_ends_grant(end, end, op))
			iwsim_key_new(&op->key, end->node);
		break;
	case IB_UVERBS_WR_RDMA_READ_WITH_INV:
		iwsim_key_new(&op->key, end->node);
		break;
	case IB_UVERBS_WR_BIND_MW:
	case IB_WR_REG_MR:
		iwsim_grant_new(&op->key, end->node, op->opcode == IB_UVERBS_WR_BIND_MW);
		break;
	default:
		op->by_grant = op->remote.count && end->peer->grant.mr && sim_chance(1, 2);
	}
}

struct iwsim_op *iwsim_op_new(struct iwsim_end *end, u8 opcode, u32 length, u8 flags)
{
	struct iwsim_op *op = calloc(1, sizeof(*op));

	op->id = sim.next_id++;
	op->opcode = opcode;
	op->flags = flags;
	op->length = length;
	op->data = malloc(length + 1);
	INIT_LIST_HEAD(&op->in_flow);
	if (!post_memory(end, op)) {
		iwsim_op_free(op);
		return NULL;
	}
	if (flags & HCA_WQE_INLINE)
		sim_fill(op->data, length);
	else
		iwsim_buffer_get(iwsim_is_read(opcode) ? &op->remote : &op->local, op->data, true);
	post_keys(end, op);
	return op;
}

void iwsim_op_free(struct iwsim_op *op)
{
	iwsim_key_free(&op->key);
	iwsim_buffer_free(&op->local);
	iwsim_buffer_free(&op->remote);
	list_del(&op->in_flow);
	free(op->data);
	free(op);
}

/* A window has no local rights; an MR that may be written remotely has that of local writing. */
static void post_fill_grant(const struct iwsim_end *end, const struct iwsim_op *op,
			    struct hca_send_wqe *wqe)
{
	bool is_window = op->opcode == IB_UVERBS_WR_BIND_MW;

	wqe->memory.addr = IWSIM_BASE;
	wqe->memory.length = end->node->octets;
	wqe->memory.key = op->key.key;
	wqe->memory.lkey = is_window ? end->node->mr->key : 0;
	wqe->memory.access = IB_UVERBS_ACCESS_REMOTE_WRITE | IB_UVERBS_ACCESS_REMOTE_READ |
			     (is_window ? 0 : IB_UVERBS_ACCESS_LOCAL_WRITE);
}

static void post_fill(struct iwsim_end *end, const struct iwsim_op *op, struct hca_send_wqe *wqe)
{
	struct hca_sge *sge = (struct hca_sge *)((u8 *)wqe + HCA_SEND_WQE_HEADER);
	bool own_key = op->opcode == IB_UVERBS_WR_RDMA_READ_WITH_INV;

	memset(wqe, 0, sizeof(*wqe));
	wqe->wr_id = op->id;
	wqe->opcode = op->opcode;
	wqe->flags = op->flags;
	if (op->flags & HCA_WQE_INLINE) {
		wqe->inline_length = op->length;
		memcpy(sge, op->data, op->length);
	} else {
		wqe->num_sge = op->local.count;
		post_sges(&op->local, own_key ? op->key.key : end->node->mr->key, sge);
	}
	if (op->remote.count) {
		wqe->rdma.remote_addr = IWSIM_BASE + op->remote.span[0]->offset;
		wqe->rdma.rkey = op->by_grant ? end->peer->grant.key : end->peer->node->mr->key;
	}
	if (iwsim_is_grant(op->opcode))
		post_fill_grant(end, op, wqe);
	else if (op->key.mr && !own_key)
		wqe->invalidate_rkey = op->key.key;
}

static void post_trace(const struct iwsim_end *end, const struct iwsim_op *op)
{
	static const char *const names[] = {
		[IB_UVERBS_WR_RDMA_WRITE] = "WRITE", [IB_UVERBS_WR_SEND] = "SEND",
		[IB_UVERBS_WR_SEND_WITH_INV] = "SEND with invalidate",
		[IB_UVERBS_WR_RDMA_READ] = "READ", [IB_UVERBS_WR_LOCAL_INV] = "LOCAL_INV",
		[IB_UVERBS_WR_RDMA_READ_WITH_INV] = "READ with invalidate",
		[IB_UVERBS_WR_BIND_MW] = "BIND_MW", [IB_WR_REG_MR] = "REG_MR",
	};

	sim_trace(end->node->index, "post qp %06x #%llu %s of %u octets, flags %x%s%s", end->qpn,
		  (unsigned long long)op->id, names[op->opcode], op->length, op->flags,
		  op->by_grant ? ", by the grant" : "", op->spoiler ? " WRONG" : "");
}

bool iwsim_op_post(struct iwsim_end *end, struct iwsim_op *op)
{
	struct hca_queue *sq = &end->qp->sq;
	struct hca_send_wqe *wqe = hca_queue_entry(sq, sq->ring->producer + end->unrung);

	if (!post_fits(end)) {
		iwsim_op_free(op);
		return false;
	}
	post_fill(end, op, wqe);
	if (op->spoiler)
		iwsim_spoil(end, op, wqe);
	post_trace(end, op);
	list_add_tail(&op->in_flow, &end->ops);
	++*post_load(end->node, end->send_cq);
	end->unrung++;
	end->is_granting |= iwsim_is_grant(op->opcode);
	if (iwsim_is_send(op->opcode)) {
		end->sends++;
		end->peer->node->srq_reserved += end->peer->with_srq;
	}
	return true;
}

void iwsim_ring(struct iwsim_end *end)
{
	if (!end->qp || !end->unrung)
		return;
	end->qp->sq.ring->producer += end->unrung;
	end->unrung = 0;
	consumer_ring(end->qp, end->qp->sq.ring);
}
