// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The model of completions: their request, order and status. */
#include <stdlib.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "ops.h"
#include "sim.h"
#include "tests/consumer/consumer.h"

#define ID(cqe) ((unsigned long long)(cqe)->wr_id)

static void gone_wrong(const struct sim_qp *qp, const struct hca_cqe *cqe, const char *why)
{
	sim_fail("node%d qp %06x: completion of #%llu (%s): %s", qp->node->index, cqe->qp_num,
		 ID(cqe),
		 sim_status_name(cqe->status), why);
}

static bool core_in(const struct sim_qp *qp, u32 states)
{
	return qp->qp && (BIT(sim_core_state(qp)) & states);
}

/* Whether a request may need retries that are useless, whatever the network does. */
bool sim_flow_uneasy(const struct sim_flow *flow)
{
	return flow->uneasy || !core_in(flow->to, BIT(IB_QPS_RTR) | BIT(IB_QPS_RTS) |
					BIT(IB_QPS_SQD));
}

/* Packets of the flow may be lost or reordered. */
void sim_flow_disturb(struct sim_flow *flow)
{
	struct sim_op *op;

	flow->harm++;
	if (flow->from->type != IB_QPT_UC)
		return;
	list_for_each_entry(op, &flow->ops, in_flow)
		op->slips |= !op->executed;
}

/* Earlier faults no longer count as reasons for exhausted retries. */
void sim_flow_retries_anew(struct sim_flow *flow)
{
	struct sim_op *op;

	list_for_each_entry(op, &flow->ops, in_flow)
		op->harm = flow->harm;
}

static u32 statuses(const struct sim_op *op)
{
	const struct sim_qp *qp = op->qp;
	u32 may = op->may;

	if (qp->type == HCA_QPT_RD)
		return sim_rd_statuses(op);
	if (!sim_is_reliable(qp))
		return may;
	if (op->srq && op->srq->spoiled && (op->kind->flags & SIM_SENDS))
		may |= BIT(IB_WC_REM_OP_ERR);
	/* Whether a fault explains the failure of each attempt. */
	if (sim_flow_uneasy(qp->out) || qp->out->harm - op->harm > qp->attr.iba.retry_cnt)
		may |= BIT(IB_WC_RETRY_EXC_ERR);
	if (op->unready && qp->attr.iba.rnr_retry != 7 && op->rnrs > qp->attr.iba.rnr_retry)
		may |= BIT(IB_WC_RNR_RETRY_EXC_ERR);
	return may;
}

static struct sim_op *posted_send(struct sim_qp *qp, u64 wr_id)
{
	struct sim_op *op;

	list_for_each_entry(op, &qp->sends, in_queue)
		if (op->wr_id == wr_id)
			return op;
	return NULL;
}

/*
 * Earlier requests have succeeded, or an error completion would have come first. This completion
 * frees their entries, too (R0-408).
 */
static void pass_to(struct sim_qp *qp, struct sim_op *op, const struct hca_cqe *cqe)
{
	struct sim_op *first;
	u32 wqes = 1;

	while ((first = list_first_entry(&qp->sends, struct sim_op, in_queue)) != op) {
		if ((first->flags & HCA_WQE_SIGNALED) || qp->sends_ended)
			gone_wrong(qp, cqe, "one that was posted before it has not completed");
		sim_succeeded(first);
		wqes++;
	}
	if (cqe->wqes != wqes)
		gone_wrong(qp, cqe, "it frees another number of entries");
}

static void send_failed(struct sim_qp *qp, struct sim_op *op, const struct hca_cqe *cqe)
{
	if (qp->sends_ended)
		gone_wrong(qp, cqe, "an earlier one has failed, so this one should be flushed");
	if (!(statuses(op) & BIT(cqe->status)))
		gone_wrong(qp, cqe, "there was no reason for it to fail so");
	/*
	 * If completions are polled immediately, the state is the one that was current when they
	 * were made.
	 */
	if (cqe->status == IB_WC_RETRY_EXC_ERR && sim_is_reliable(qp) && !sim.laziness)
		sim_migration_gave_up(&qp->migration);
	qp->sends_ended = true;
	if (qp->state != IB_QPS_ERR)
		qp->state = sim_is_reliable(qp) ? IB_QPS_ERR : IB_QPS_SQE;
	sim_qp_unwell(qp);
	op->state = SIM_FAILED;
	sim_local_end(op);
}

static void send_flushed(struct sim_qp *qp, struct sim_op *op, const struct hca_cqe *cqe)
{
	if (!qp->sends_ended && !core_in(qp, BIT(IB_QPS_ERR)))
		gone_wrong(qp, cqe, "the queue pair is not in Error");
	qp->sends_ended = true;
	op->state = SIM_FLUSHED;
	sim_local_end(op);
}

static void complete_send(struct sim_qp *qp, const struct hca_cq *cq, const struct hca_cqe *cqe)
{
	struct sim_op *op = posted_send(qp, cqe->wr_id);

	if (!op)
		gone_wrong(qp, cqe, "no such request is outstanding");
	if (cq != qp->send_cq)
		gone_wrong(qp, cqe, "it comes to another completion queue");
	pass_to(qp, op, cqe);
	sim_check_error(qp, cqe, op->error);
	if (cqe->status == IB_WC_WR_FLUSH_ERR) {
		send_flushed(qp, op, cqe);
	} else if (cqe->status) {
		send_failed(qp, op, cqe);
	} else {
		if (qp->sends_ended)
			gone_wrong(qp, cqe, "an earlier one has failed, so this one should be flushed");
		if (!(op->flags & HCA_WQE_SIGNALED))
			gone_wrong(qp, cqe, "nobody asked for it");
		if (cqe->opcode != op->kind->wc_opcode || (cqe->flags & HCA_CQE_RECV))
			gone_wrong(qp, cqe, "it says that it was another operation");
		sim_succeeded(op);
	}
}

static struct sim_recv *recv_find(struct list_head *recvs, u64 wr_id)
{
	struct sim_recv *recv;

	list_for_each_entry(recv, recvs, in_queue)
		if (recv->wr_id == wr_id)
			return recv;
	return NULL;
}

/* Whether the SRQ is one that the queue pair may use is seen later. */
static struct sim_recv *posted_recv(struct sim_qp *qp, u64 wr_id)
{
	struct sim_recv *recv = NULL;
	int i;

	if (!qp->xrcd)
		return recv_find(qp->srq ? &qp->srq->recvs : &qp->recvs, wr_id);
	for (i = 0; i < SIM_SRQS && !recv; i++)
		recv = recv_find(&qp->node->srq[i].recvs, wr_id);
	return recv;
}

/*
 * Others are consumed in order, too, but each EE context, or user of an SRQ, has one in progress.
 */
static bool may_be_next(const struct sim_qp *qp, const struct sim_recv *recv)
{
	if (recv->srq)
		return (s32)(recv->index - recv->srq->core.rq.ring->consumer) < 0;
	if (qp->type != HCA_QPT_RD)
		return recv->in_queue.prev == &qp->recvs;
	return (s32)(recv->index - qp->qp->rq.ring->consumer) < 0;
}

static void complete_recv(struct sim_qp *qp, const struct hca_cq *cq, const struct hca_cqe *cqe)
{
	struct sim_recv *recv = posted_recv(qp, cqe->wr_id);

	if (!recv || !may_be_next(qp, recv))
		gone_wrong(qp, cqe, "another receive request was to be next");
	if (recv->srq && !sim_uses_srq(qp, recv->srq))
		gone_wrong(qp, cqe, "the queue pair may not use the SRQ");
	if (cq != (recv->srq && recv->srq->cq ? recv->srq->cq : qp->recv_cq))
		gone_wrong(qp, cqe, "it comes to another completion queue");
	if (cqe->wqes != !recv->srq)
		gone_wrong(qp, cqe, "it frees another number of entries");
	sim_check_error(qp, cqe, recv->error);
	if (cqe->status == IB_WC_WR_FLUSH_ERR) {
		if (!core_in(qp, BIT(IB_QPS_ERR)))
			gone_wrong(qp, cqe, "the queue pair is not in Error");
	} else if (qp->recvs_ended) {
		gone_wrong(qp, cqe, "an earlier one has failed, so this one should be flushed");
	} else if (qp->type == HCA_QPT_RD && sim_rd_may_end(qp, cqe->status)) {
		sim_recv_give_up(qp, recv);
		return;
	} else if (cqe->status) {
		if (!(sim_recv_statuses(qp, recv) & BIT(cqe->status)))
			gone_wrong(qp, cqe, "there was no reason for it to fail so");
		qp->state = IB_QPS_ERR;
		sim_qp_unwell(qp);
	}
	if (cqe->status) {
		qp->recvs_ended = true;
		sim_recv_give_up(qp, recv);
	} else {
		sim_recv_deliver(qp, recv, cqe);
		sim_recv_end(recv);
	}
}

static bool is_recv(struct sim_qp *qp, const struct hca_cqe *cqe)
{
	return posted_recv(qp, cqe->wr_id) || (cqe->flags & HCA_CQE_RECV);
}

/* A completion that was polled, and is not yet processed. */
struct polled {
	struct sim_node *node;
	struct hca_cq *cq;
	struct hca_cqe cqe;
	bool done;
};

static void completed(const struct polled *p)
{
	const struct hca_cqe *cqe = &p->cqe;
	struct sim_qp *qp = sim_qp_find(p->node, cqe->qp_num);
	int node = p->node->index;

	sim.completions++;
	sim_trace(node, "done qp %06x #%llu %s%s", cqe->qp_num, ID(cqe),
		  cqe->flags & HCA_CQE_RECV ? "receive " : "", sim_status_name(cqe->status));
	if (!qp)
		sim_fail("node%d: completion of #%llu for qp %06x, which does not exist", node,
			 ID(cqe), cqe->qp_num);
	if (is_recv(qp, cqe))
		complete_recv(qp, p->cq, cqe);
	else
		complete_send(qp, p->cq, cqe);
}

/*
 * The messages of one XRC target arrive by several completion queues, which do not show their
 * order: it is that of the sender, with a failure behind them. What is in one completion queue
 * stays in its order.
 */
static bool in_turn(const struct polled *first, const struct polled *p)
{
	struct sim_qp *qp = sim_qp_find(p->node, p->cqe.qp_num);
	const struct sim_recv *recv = qp ? posted_recv(qp, p->cqe.wr_id) : NULL;
	const struct sim_op *op;

	if (!recv || !qp->xrcd)
		return true;
	for (; first < p; first++)
		if (!first->done && first->cq == p->cq && first->cqe.qp_num == p->cqe.qp_num)
			return false;
	op = sim_flow_awaited(qp->in);
	return !p->cqe.status && op && op->srq == recv->srq;
}

/* The completion that is to be processed next; in doubt, it is the first one. */
static struct polled *next_polled(struct polled *first, struct polled *end)
{
	struct polled *p;

	for (p = first; p < end; p++)
		if (!p->done && in_turn(first, p))
			return p;
	return first;
}

static void process(struct polled *first, struct polled *end)
{
	while (first < end) {
		struct polled *p = next_polled(first, end);

		completed(p);
		p->done = true;
		while (first < end && first->done)
			first++;
	}
}

/*
 * Poll all completions. The receive completions come first: the sender may know of its message's
 * arrival only when the receiver can.
 */
void sim_poll(void)
{
	static struct polled recvs[4096], others[4096];
	u32 num_recvs = 0, num_others = 0, i;
	struct sim_node *node;
	struct polled p = {};

	if (sim.over)
		return;
	for (node = sim.node; node < sim.node + sim.how.nodes; node++)
		for (i = 0; i < node->num_cqs; i++) {
			p.node = node;
			p.cq = &node->cq[i];
			while (num_recvs < ARRAY_SIZE(recvs) && num_others < ARRAY_SIZE(others) &&
			       consumer_poll_cq(p.cq, &p.cqe)) {
				if (p.cqe.flags & HCA_CQE_RECV)
					recvs[num_recvs++] = p;
				else
					others[num_others++] = p;
			}
		}
	process(recvs, recvs + num_recvs);
	for (i = 0; i < num_others; i++)
		completed(&others[i]);
}
