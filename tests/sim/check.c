// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Checks of memory and states, and of the end of everything that has begun. */
#include <linux/kernel.h>
#include "ops.h"
#include "sim.h"

void sim_check_memory(void)
{
	const struct sim_node *node;
	u32 i, j;

	for (node = sim.node; node < sim.node + sim.how.nodes; node++)
		for (i = 0; i < node->num_processes; i++)
			for (j = 0; j < SIM_MAX_AREAS; j++)
				sim_area_check(node->process[i].area[j]);
}

/* Find the request that a packet belongs to. */
struct sim_op *sim_flow_psn(const struct sim_flow *flow, u32 psn)
{
	struct sim_op *op;

	list_for_each_entry(op, &flow->ops, in_flow)
		if (((psn - op->psn) & HCA_PSN_MASK) < op->packets)
			return op;
	return NULL;
}

/*
 * A fenced request leaves only after earlier requests that have a response of their own have
 * got it (C10-101).
 */
static void check_fence(const struct sim_flow *flow, const struct sim_op *op)
{
	const struct hca_ring *ring = flow->from->qp->sq.ring;
	const struct sim_op *before;

	list_for_each_entry(before, &flow->ops, in_flow) {
		if (before == op)
			return;
		if ((before->kind->flags & SIM_RESOURCE) &&
		    (s32)(ring->consumer - before->index) <= 0)
			sim_fail("node%d qp %06x #%llu is fenced, and does not wait for #%llu",
				 flow->from->node->index, flow->from->qp->qpn,
				 (unsigned long long)op->wr_id, (unsigned long long)before->wr_id);
	}
}

/* A request packet crosses the hub: PSNs are in order, and none is repeated without a reason. */
void sim_check_request(struct sim_flow *flow, const struct hca_packet *pkt)
{
	u32 psn = pkt->h.bth.psn;
	struct sim_op *op = sim_flow_psn(flow, psn);

	/* A packet queued at a port outlives its queue pair, or the state in which it was made. */
	if (!flow->from->qp || flow->from->qp->common.state == IB_QPS_RESET)
		return;
	if (!op)
		sim_fail("node%d qp %06x sends PSN %06x, which no request has",
			 flow->from->node->index,
			 flow->from->qp->qpn, psn);
	if (flow->seen && hca_psn_diff(psn, flow->highest) <= 0) {
		if (!flow->harm && !flow->repeats && !flow->far && !sim_flow_uneasy(flow) &&
		    !flow->from->migration.mixed)
			sim_fail("node%d qp %06x sends PSN %06x again, without a cause",
				 flow->from->node->index, flow->from->qp->qpn, psn);
		return;
	}
	if (flow->from->state == IB_QPS_SQD && psn == op->psn &&
	    hca_psn_diff(psn, flow->from->sqd_psn) >= 0)
		sim_fail("node%d qp %06x #%llu begins in SQD", flow->from->node->index,
			 flow->from->qpn,
			 (unsigned long long)op->wr_id);
	if (psn != (flow->seen ? hca_psn_add(flow->highest, 1) : flow->from->attr.iba.sq_psn) &&
	    !flow->from->migration.mixed)
		sim_fail("node%d qp %06x sends PSN %06x out of turn", flow->from->node->index,
			 flow->from->qp->qpn, psn);
	if (op->flags & HCA_WQE_FENCE && psn == op->psn)
		check_fence(flow, op);
	sim_credit_spend(flow, op, psn);
	flow->seen = true;
	flow->highest = op->kind->flags & SIM_READS ? hca_psn_add(op->psn, op->packets - 1) : psn;
}

static void check_state(const struct sim_qp *qp)
{
	u8 state = sim_core_state(qp);
	bool ok = state == qp->state;

	if (qp->refused && state != IB_QPS_ERR && state != IB_QPS_RESET)
		sim_fail("node%d qp %06x has refused a request, and goes on", qp->node->index,
			 qp->qpn);
	/*
	 * Retries may be exhausted at any time if there are faults, but then a request has failed.
	 */
	if (!ok && qp->may_error && state == IB_QPS_ERR)
		ok = true;
	if (!ok)
		sim_fail("node%d qp %06x is in %s, and should be in %s", qp->node->index,
			 qp->qp->qpn,
			 sim_state_name(state), sim_state_name(qp->state));
}

/* The request waits for a packet that never comes. */
static bool may_be_stuck(const struct sim_op *op)
{
	const struct sim_qp *qp = op->qp;

	if (op->rd_eec)
		return !op->rd_eec->attr.iba.timeout && (op->rd_eec->harm || op->rd_eec->rough);
	return sim_is_reliable(qp) && !qp->attr.iba.timeout && (qp->out->harm ||
							      sim_flow_uneasy(qp->out));
}

/* The first request that has not ended; NULL: there is none. */
static const struct sim_op *oldest(const struct sim_qp *qp)
{
	const struct hca_ring *ring = qp->qp->sq.ring;
	const struct sim_op *op;

	list_for_each_entry(op, &qp->sends, in_queue)
		if ((s32)(ring->consumer - op->index) <= 0)
			return op;
	return NULL;
}

/* A queue pair that was to drain has drained, and has reported it if it was asked to. */
void sim_check_drained(void)
{
	const struct sim_op *op;
	struct hca_qp_attr attr;
	struct sim_qp *qp;

	list_for_each_entry(qp, &sim.qps, in_world) {
		if (!qp->qp || sim_core_state(qp) != IB_QPS_SQD)
			continue;
		op = oldest(qp);
		if (op && may_be_stuck(op))
			continue;
		hca_qp_query(qp->qp, &attr);
		if (attr.sq_draining || qp->drained != qp->notify)
			sim_fail("node%d qp %06x %s", qp->node->index, qp->qpn,
				 attr.sq_draining ? "drains for ever" : "has not reported that it has drained");
	}
}

/*
 * An EE context that was to drain has drained. A queue pair that waits for a receive request does
 * not delay it.
 */
void sim_check_rd_eecs_drained(void)
{
	struct hca_qp_attr attr;
	struct sim_rd_eec *c;

	list_for_each_entry(c, &sim.rd_eecs, in_world) {
		if (sim_rd_eec_state(c) != IB_QPS_SQD ||
		    (!c->attr.iba.timeout && (c->harm || c->rough)))
			continue;
		hca_rd_eec_query(c->rd_eec, &attr);
		if (attr.sq_draining || c->drained != c->notify)
			sim_fail("node%d eec %06x %s", c->node->index, c->eecn,
				 attr.sq_draining ? "drains for ever" : "has not reported that it has drained");
	}
}

static void check_sends(struct sim_qp *qp)
{
	const struct hca_ring *ring = qp->qp->sq.ring;
	struct sim_op *op, *next;

	list_for_each_entry_safe(op, next, &qp->sends, in_queue) {
		bool ended = (s32)(ring->consumer - op->index) > 0;

		if (!ended && may_be_stuck(op))
			return;
		if (!ended || (op->flags & HCA_WQE_SIGNALED))
			sim_fail("node%d qp %06x #%llu (%s of %u octets) has never completed",
				 qp->node->index, qp->qp->qpn, (unsigned long long)op->wr_id,
				 op->kind->name, op->length);
		sim_succeeded(op);
	}
}

void sim_check_end(void)
{
	struct sim_flow *flow;
	struct sim_qp *qp;
	int i;

	for (i = 0; i < sim.how.nodes; i++)
		sim_srqs_end(&sim.node[i]);

	list_for_each_entry(qp, &sim.qps, in_world) {
		if (!qp->qp)
			continue;
		check_state(qp);
		if (qp->state == IB_QPS_RESET)
			continue;
		check_sends(qp);
		sim_migration_end(&qp->migration);
		if (sim_core_state(qp) == IB_QPS_ERR && !list_empty(&qp->recvs))
			sim_fail("node%d qp %06x is in Error, but a receive request was not flushed",
				 qp->node->index, qp->qp->qpn);
		if (sim_core_state(qp) == IB_QPS_ERR && sim_uses_srqs(qp) && !qp->last_wqe)
			sim_fail("node%d qp %06x is in Error, and has not reported that it has left its SRQ",
				 qp->node->index, qp->qp->qpn);
		sim_qp_discard(qp);
	}
	list_for_each_entry(flow, &sim.flows, in_world)
		sim_flow_close(flow);
	sim_check_memory();
	sim.over = true;
}
