// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The effects of requests on memory, and the moment from which they are known. */
#include <stdlib.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "ops.h"
#include "sim.h"

#define ID(x) ((unsigned long long)(x)->wr_id)

static bool op_is(const struct sim_op *op, enum sim_op_flags flag)
{
	return op->kind->flags & flag;
}

static void wrong(const struct sim_op *op, const char *why)
{
	sim_fail("node%d #%llu (%s of %u octets): %s", op->qp->node->index, ID(op), op->kind->name,
		 op->length, why);
}

static bool reliable(const struct sim_flow *flow)
{
	return sim_is_reliable(flow->from);
}

/* The effect of the request on the memory that it names. */
static struct sim_likeness remote_likeness(const struct sim_op *op)
{
	return sim_spans_compare(&op->remote, 1, 0, op_is(op, SIM_ATOMIC) ? op->result :
				 op->payload,
				 op_is(op, SIM_ATOMIC) ? 8 : op->length);
}

/* The oldest request that is not known to be executed. */
struct sim_op *sim_flow_next(struct sim_flow *flow)
{
	return flow->done->next == &flow->ops ? NULL :
		list_entry(flow->done->next, struct sim_op, in_flow);
}

/* The request that consumes the receive request of this index. */
struct sim_op *sim_flow_op(struct sim_flow *flow, u32 recv_index)
{
	struct sim_op *op;

	list_for_each_entry(op, &flow->ops, in_flow)
		if (op_is(op, SIM_CONSUMES_RECV) && op->recv_index == recv_index)
			return op;
	return NULL;
}

/* The next request that consumes a receive request. */
struct sim_op *sim_flow_awaited(const struct sim_flow *flow)
{
	struct list_head *at = flow->done->next;

	for (; at != &flow->ops; at = at->next)
		if (op_is(list_entry(at, struct sim_op, in_flow), SIM_CONSUMES_RECV))
			return list_entry(at, struct sim_op, in_flow);
	return NULL;
}

/* Check that a request and the receive request that it consumes match. */
void sim_flow_match(struct sim_flow *flow, struct sim_op *op, struct sim_recv *recv)
{
	u32 may = op->may;

	if (!recv || !op_is(op, SIM_SENDS) || !reliable(flow))
		return;
	if (op->length > recv->capacity) {
		op->may |= BIT(IB_WC_REM_INV_REQ_ERR);
		op->must = true;
		recv->may |= BIT(IB_WC_LOC_LEN_ERR);
	}
	if (recv->may & BIT(IB_WC_LOC_PROT_ERR))
		op->may |= BIT(IB_WC_REM_OP_ERR);
	if (op_is(op, SIM_INVALIDATES) && (op->may & BIT(IB_WC_REM_ACCESS_ERR)))
		recv->may |= BIT(IB_WC_REM_INV_REQ_ERR);
	if (op->may != may) {
		flow->from->may_error = true;
		flow->to->may_error = true;
	}
}

/* The request is known to be executed completely. */
void sim_executed(struct sim_op *op)
{
	struct sim_flow *flow = op->qp->out;

	if (op->must || op->astray)
		wrong(op, "was executed, which it should not have been");
	if (op_is(op, SIM_WRITES | SIM_ATOMIC) && op->length && !remote_likeness(op).fresh)
		wrong(op, "is said to be executed, but the memory it names does not show it");
	if (op_is(op, SIM_INVALIDATES) && !sim_victim_is_dead(op->victim))
		wrong(op, "was executed, but the key is as good as before");
	op->executed = true;
	flow->done = &op->in_flow;
	if (!op_is(op, SIM_READS))
		sim_span_drop(&op->remote);
}

static void check_fetched(const struct sim_op *op)
{
	if (!sim_spans_compare(op->local, SIM_MAX_SGE, 0, op->payload, op->length).fresh)
		wrong(op, "has succeeded, but brought wrong data");
}

/* The sender's memory belongs to the application again. */
void sim_local_end(struct sim_op *op)
{
	const u8 *data = op_is(op, SIM_READS | SIM_ATOMIC) ? op->payload : NULL;

	if (op->local[0].area &&
	    !sim_spans_compare(op->local, SIM_MAX_SGE, 0, data, data ? op->length : 0).either)
		wrong(op, "has left something else than its data in its own memory");
	sim_spans_drop(op->local, SIM_MAX_SGE);
	if (op_is(op, SIM_READS))
		sim_span_drop(&op->remote);
	list_del(&op->in_queue);
}

/* The request has succeeded: its completion, or that of a later request, says so. */
void sim_succeeded(struct sim_op *op)
{
	struct sim_flow *flow = op->qp->out;
	struct sim_op *next;

	if (op->must || (op->frail && !op->rough && !op->slips))
		wrong(op, "has succeeded, which it cannot");
	while (reliable(flow) && !op->executed && (next = sim_flow_next(flow))) {
		if (op_is(next, SIM_CONSUMES_RECV))
			wrong(next, "has succeeded, but was never delivered");
		sim_executed(next);
	}
	if (op->rd_eec && !op->executed) {
		if (op_is(op, SIM_CONSUMES_RECV))
			wrong(op, "has succeeded, but was never delivered");
		sim_executed(op);
	}
	if (op_is(op, SIM_READS | SIM_ATOMIC))
		check_fetched(op);
	op->state = SIM_SUCCEEDED;
	sim_local_end(op);
}

static void recv_wrong(const struct sim_qp *qp, const struct sim_recv *recv, const char *why)
{
	sim_fail("node%d qp %06x: receive #%llu: %s", qp->node->index, qp->qpn, ID(recv), why);
}

static bool brings(const struct sim_op *op, const struct hca_cqe *cqe, u32 before)
{
	bool imm = op_is(op, SIM_IMM);

	return op_is(op, SIM_CONSUMES_RECV) && cqe->byte_len == op->length + before &&
	       !!(cqe->flags & HCA_CQE_WITH_IMM) == imm && (!imm || cqe->imm_data == op->imm) &&
	       !!(cqe->flags & HCA_CQE_WITH_INV) == op_is(op, SIM_INVALIDATES) &&
	       (!op_is(op, SIM_INVALIDATES) || cqe->invalidated_rkey == op->victim->key) &&
	       !!(cqe->flags & HCA_CQE_SOLICITED) == !!(op->flags & HCA_WQE_SOLICITED) &&
	       cqe->opcode == (op_is(op, SIM_WRITES) ? 129 : 128);
}

/* Another SRQ may be in the place of one that was destroyed: the SRQ number tells them apart. */
static bool names(const struct sim_op *op, const struct sim_srq *srq)
{
	return op->srq == srq && (!srq || !srq->xrc || op->srqn == srq->xrc->srqn);
}

/* The next request that consumes a receive request; all before it have been executed. */
static void deliver_reliable(struct sim_qp *qp, struct sim_recv *recv, const struct hca_cqe *cqe)
{
	struct sim_likeness like;
	struct sim_op *op;

	while ((op = sim_flow_next(qp->in)) && !op_is(op, SIM_CONSUMES_RECV))
		sim_executed(op);
	if (!op)
		recv_wrong(qp, recv, "a message has arrived that nobody sent, or a second time");
	if (cqe->src_qp != qp->peer->qpn)
		recv_wrong(qp, recv, "it is said to come from another queue pair");
	if (!names(op, recv->srq))
		recv_wrong(qp, recv, "the message names another SRQ");
	if (!brings(op, cqe, 0))
		recv_wrong(qp, recv, "another message was to be next, or it is described wrongly");
	like = sim_spans_compare(recv->local, SIM_MAX_SGE, 0, op->payload,
				 op_is(op, SIM_SENDS) ? op->length : 0);
	if (!like.fresh)
		recv_wrong(qp, recv, "wrong data");
	if (!like.rest)
		recv_wrong(qp, recv, "memory behind the message was written");
	sim_executed(op);
}

static bool same_data(const struct sim_recv *recv, const struct sim_op *op, u32 skip)
{
	return op_is(op, SIM_WRITES) ||
	       sim_spans_compare(recv->local, SIM_MAX_SGE, skip, op->payload, op->length).fresh;
}

/*
 * UC: the next request that consumes a receive request; earlier ones may have been lost. Of two
 * equal messages it is the one that may arrive.
 */
static void deliver_unreliable(struct sim_qp *qp, struct sim_recv *recv, const struct hca_cqe *cqe)
{
	struct list_head *at = qp->in->done->next;

	for (; at != &qp->in->ops; at = at->next) {
		struct sim_op *op = list_entry(at, struct sim_op, in_flow);

		if (!op->must && !op->astray && brings(op, cqe, 0) && same_data(recv, op, 0)) {
			sim_executed(op);
			return;
		}
	}
	recv_wrong(qp, recv, "a message has arrived that nobody sent, or again, or too late");
}

static bool is_for(const struct sim_op *op, const struct sim_qp *qp)
{
	return op->group ? sim_group_awaits(op, qp) :
			   op->to == qp && op->to_qpn == qp->qp->qpn && !op->executed;
}

/* UD: any datagram sent to this queue pair that has not arrived. */
static void deliver_datagram(struct sim_qp *qp, struct sim_recv *recv, const struct hca_cqe *cqe)
{
	struct sim_flow *flow;
	struct sim_op *op;

	list_for_each_entry(flow, &sim.flows, in_world) {
		list_for_each_entry(op, &flow->ops, in_flow) {
			if (!is_for(op, qp) || op->must || !brings(op, cqe, HCA_GRH_BYTES) ||
			    !same_data(recv, op, HCA_GRH_BYTES) ||
			    op->from_qpn != cqe->src_qp || op->grh != !!(cqe->flags & HCA_CQE_GRH))
				continue;
			if (op->group)
				sim_group_got(op, qp);
			else
				op->executed = true;
			return;
		}
	}
	recv_wrong(qp, recv, "a datagram has arrived that nobody sent, or a second time");
}

bool sim_recv_holds(const struct sim_recv *recv, const struct sim_op *op, const struct hca_cqe *cqe)
{
	return brings(op, cqe, 0) && same_data(recv, op, 0);
}

static void deliver_by_rd_eec(struct sim_qp *qp, struct sim_recv *recv, const struct hca_cqe *cqe)
{
	struct sim_op *op = sim_rd_arrived(qp, recv, cqe);

	if (!op)
		recv_wrong(qp, recv, "a message has arrived that nobody sent, or again, or out of turn");
	sim_executed(op);
}

void sim_recv_deliver(struct sim_qp *qp, struct sim_recv *recv, const struct hca_cqe *cqe)
{
	if (sim_is_reliable(qp))
		deliver_reliable(qp, recv, cqe);
	else if (qp->type == IB_QPT_UC)
		deliver_unreliable(qp, recv, cqe);
	else if (qp->type == HCA_QPT_RD)
		deliver_by_rd_eec(qp, recv, cqe);
	else
		deliver_datagram(qp, recv, cqe);
}

void sim_recv_end(struct sim_recv *recv)
{
	list_del(&recv->in_queue);
	sim_spans_drop(recv->local, SIM_MAX_SGE);
	free(recv);
}

/* The message that would have arrived next. */
static struct sim_op *awaited(const struct sim_qp *qp, const struct sim_recv *recv)
{
	return recv->srq ? sim_flow_awaited(qp->in) : sim_flow_op(qp->in, recv->index);
}

/* Which message consumes which request of an SRQ cannot be predicted. */
u32 sim_recv_statuses(const struct sim_qp *qp, const struct sim_recv *recv)
{
	const struct sim_op *op = recv->srq && qp->in ? awaited(qp, recv) : NULL;

	return recv->may | (op && op_is(op, SIM_INVALIDATES) && op->must ?
			    BIT(IB_WC_REM_INV_REQ_ERR) : 0);
}

/*
 * The receive request ends without a message: the beginning of the next message may be in its
 * memory.
 */
void sim_recv_give_up(struct sim_qp *qp, struct sim_recv *recv)
{
	const struct sim_op *op = qp->in ? awaited(qp, recv) : NULL;
	bool sends = op && op_is(op, SIM_SENDS);

	if (sim_is_reliable(qp) && recv->srq && (!op || !names(op, recv->srq)))
		recv_wrong(qp, recv, "was taken from an SRQ that the message does not name");
	if (sim_is_reliable(qp) &&
	    !sim_spans_compare(recv->local, SIM_MAX_SGE, 0, sends ? op->payload : NULL,
			       sends ? op->length : 0).either)
		recv_wrong(qp, recv, "has got something else than the message it waited for");
	sim_recv_end(recv);
}

/* The queue pair is reset or destroyed: no further completion comes for what was posted. */
void sim_qp_discard(struct sim_qp *qp)
{
	struct sim_recv *recv, *next_recv;
	struct sim_op *op, *next;

	list_for_each_entry_safe(op, next, &qp->sends, in_queue) {
		op->state = SIM_DISCARDED;
		sim_local_end(op);
	}
	list_for_each_entry_safe(recv, next_recv, &qp->recvs, in_queue)
		sim_recv_give_up(qp, recv);
}

/* The queue pair no longer answers: its peers may see that as any error. */
void sim_qp_unwell(struct sim_qp *qp)
{
	struct sim_flow *flow;
	struct sim_op *op;

	qp->unwell = true;
	sim_groups_unwell(qp);
	if (qp->in)
		qp->in->uneasy = true;
	list_for_each_entry(flow, &sim.flows, in_world)
		list_for_each_entry(op, &flow->ops, in_flow)
			op->slips |= op->to == qp || flow->to == qp;
}

/*
 * The connection has ended and no packet is in transit. Of the requests that are not known to be
 * executed, the first ones may have been executed, then at most one in part, then none.
 */
static void close_reliable(struct sim_flow *flow)
{
	bool ended = false;
	struct sim_op *op;

	while ((op = sim_flow_next(flow))) {
		if (op_is(op, SIM_CONSUMES_RECV) && op_is(op, SIM_SENDS)) {
			ended = true; /* or its completion would have come */
			if (op_is(op, SIM_INVALIDATES) && sim_victim_is_dead(op->victim))
				wrong(op, "has ended a key, but not arrived");
		} else if (op->remote.area && op_is(op, SIM_WRITES | SIM_ATOMIC)) {
			struct sim_likeness like = remote_likeness(op);

			if (!(ended || op->must ? like.old : like.either))
				wrong(op, ended ? "has written, though one before it was not executed" :
						  "has written what it should not");
			ended |= !like.fresh || op_is(op, SIM_CONSUMES_RECV);
		}
		ended |= op->must;
		flow->done = &op->in_flow;
		sim_span_drop(&op->remote);
	}
}

static void close_unreliable(struct sim_flow *flow)
{
	struct sim_op *op;

	list_for_each_entry(op, &flow->ops, in_flow) {
		bool surely = op->state == SIM_SUCCEEDED && sim.clean && !op->slips;

		if (op->remote.area && op_is(op, SIM_WRITES)) {
			struct sim_likeness like = remote_likeness(op);

			if (!(surely ? like.fresh : op->must || op->astray ? like.old :
			      like.either))
				wrong(op, surely ? "was lost" : "has written what it should not");
		} else if (op->group) {
			if (surely && (op->sure & ~op->got))
				wrong(op, "was lost for a member");
		} else if (surely && !op->executed && op_is(op, SIM_CONSUMES_RECV)) {
			wrong(op, "was lost");
		}
		sim_span_drop(&op->remote);
	}
}

/* The memory that the request names shows that it was not executed, not even in part. */
static bool has_not_begun(const struct sim_op *op)
{
	struct sim_likeness like;

	if (!op_is(op, SIM_WRITES | SIM_ATOMIC) || !op->remote.area || !op->remote.area->mr)
		return false;
	like = remote_likeness(op);
	return like.old && !like.fresh;
}

/* An SRQ has been destroyed: what names it, and was not executed by now, will not be. */
void sim_flow_orphan(struct sim_flow *flow, const struct sim_srq *srq)
{
	struct sim_op *op;

	flow->uneasy = true;
	flow->from->may_error = true;
	flow->to->may_error = true;
	list_for_each_entry(op, &flow->ops, in_flow) {
		if (op->srq != srq || op->state != SIM_POSTED)
			continue;
		op->may |= BIT(IB_WC_REM_INV_REQ_ERR);
		if (op_is(op, SIM_READS)) /* some of its responses may have left */
			op->may |= BIT(IB_WC_REM_ACCESS_ERR);
		op->must |= !op->executed && (op_is(op, SIM_SENDS) || has_not_begun(op));
	}
}

void sim_flow_close(struct sim_flow *flow)
{
	if (reliable(flow))
		close_reliable(flow);
	else
		close_unreliable(flow);
}
