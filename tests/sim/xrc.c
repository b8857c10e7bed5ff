// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Extended reliable connections: an initiator queue pair at one end, which has the requests, a
 * target queue pair at the other, and the SRQs of its node, one of which each request names.
 */
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "ops.h"
#include "sim.h"

static void srq_new(struct sim_srq *srq, struct sim_process *process)
{
	struct sim_node *node = process->node;

	srq->cq = sim_chance(1, 2) ? &node->cq[SIM_CQS - SIM_SRQS + (srq - node->srq)] :
				     &node->cq[sim_below(2)];
	sim_srq_new(srq, process);
	srq->xrc = hca_xrc_srq_publish(&node->ca, &srq->core, srq->cq, srq->xrcd);
	if (IS_ERR(srq->xrc))
		sim_fail("no number of an SRQ");
	sim_trace(node->index, "create SRQ %06x of XRC domain %d, process %d", srq->xrc->srqn,
		  srq->xrcd != node->xrcd, srq->process != node->process);
}

/* Each XRC domain has one at least; processes and completion queues are mixed. */
void sim_xrc_srqs_new(struct sim_node *node)
{
	u32 i;

	for (i = 0; i < SIM_XRC_SRQS; i++) {
		struct sim_srq *srq = &node->srq[SIM_SRQS - SIM_XRC_SRQS + i];

		srq->xrcd = &node->xrcd[i < 2 ? i : sim_below(2)];
		srq_new(srq, &node->process[sim_below(node->num_processes)]);
	}
}

/* Its process destroys it, and creates another one. */
void sim_xrc_srq_renew(struct sim_srq *srq)
{
	struct sim_flow *flow;

	sim_poll();
	sim_trace(srq->node->index, "destroy SRQ %06x", srq->xrc->srqn);
	hca_xrc_srq_withdraw(&srq->node->ca, srq->xrc);
	list_for_each_entry(flow, &sim.flows, in_world)
		if (flow->to && flow->to->xrcd == srq->xrcd)
			sim_flow_orphan(flow, srq);
	sim_srq_end(srq);
	hca_srq_destroy(&srq->core);
	memset(&srq->core, 0, sizeof(srq->core));
	srq->limit = 0;
	srq->lost = 0;
	srq_new(srq, srq->process);
}

void sim_xrc_srqs_withdraw(struct sim_node *node)
{
	struct sim_srq *srq;

	for (srq = node->srq; srq < node->srq + SIM_SRQS; srq++)
		if (srq->xrc)
			hca_xrc_srq_withdraw(&node->ca, srq->xrc);
}

/* One of an XRC domain of the node. */
static struct sim_srq *pick(struct sim_node *node, const void *xrcd)
{
	struct sim_srq *srq, *found = NULL;
	u32 n = 0;

	for (srq = node->srq; srq < node->srq + SIM_SRQS; srq++)
		if (srq->xrcd == xrcd && !sim_below(++n))
			found = srq;
	return found;
}

struct sim_srq *sim_xrc_srq_pick(const struct sim_qp *tgt)
{
	return pick(tgt->node, tgt->xrcd);
}

void sim_xrc_address(struct sim_op *op, struct hca_send_wqe *wqe)
{
	op->srq = sim_xrc_srq_pick(op->flow_to);
	op->srqn = op->srq->xrc->srqn;
	wqe->rdma.remote_srqn = op->srqn;
}

static void fails(struct sim_op *op, u32 statuses)
{
	op->may |= statuses;
	op->must = true;
}

/* A number that no SRQ has: neither so high an index nor so high a count of uses is reached. */
static u32 wrong_number(u32 srqn)
{
	return srqn ^ 1 << (sim_chance(1, 2) ? 5 + sim_below(8) : 18 + sim_below(6));
}

/* Memory of the process that the SRQ does not belong to. */
static void name_other_process(struct sim_op *op, struct hca_send_wqe *wqe)
{
	const struct sim_node *node = op->srq->node;
	const struct sim_area *area = node->process[op->srq->process == node->process].area[0];

	if (!op->remote.area)
		return;
	wqe->rdma.rkey = area->key;
	wqe->rdma.remote_addr = area->iova;
	fails(op, BIT(IB_WC_REM_ACCESS_ERR));
	/* The address may be misaligned, too. */
	if (op->kind->flags & (SIM_ATOMIC | SIM_ATOMIC_WRITES))
		op->may |= BIT(IB_WC_REM_INV_REQ_ERR);
}

/* Sometimes name what the target may not use. */
void sim_xrc_judge(struct sim_op *op, struct hca_send_wqe *wqe)
{
	struct sim_node *node = op->flow_to->node;

	if (!sim_chance(1, 60))
		return;
	switch (sim_below(3)) {
	case 0:
		wqe->rdma.remote_srqn = wrong_number(op->srqn);
		fails(op, BIT(IB_WC_REM_INV_REQ_ERR));
		break;
	case 1:
		wqe->rdma.remote_srqn =
			pick(node, &node->xrcd[op->flow_to->xrcd == node->xrcd])->xrc->srqn;
		fails(op, BIT(IB_WC_REM_INV_REQ_ERR));
		break;
	default:
		name_other_process(op, wqe);
	}
}
