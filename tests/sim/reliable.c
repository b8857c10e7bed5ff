// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Messages of reliable datagrams: their destination, possible outcome, and identification on
 * arrival.
 */
#include <linux/kernel.h>
#include "ops.h"
#include "sim.h"

static bool op_is(const struct sim_op *op, enum sim_op_flags flag)
{
	return op->kind->flags & flag;
}

static struct sim_qp *dest_pick(const struct sim_node *node)
{
	struct sim_qp *qp, *found = NULL;
	u32 n = 0;

	list_for_each_entry(qp, &sim.qps, in_world)
		if (qp->type == HCA_QPT_RD && qp->node == node && qp->qp && !sim_below(++n))
			found = qp;
	return found;
}

/* False: there is no destination. */
bool sim_rd_address(struct sim_op *op, struct hca_send_wqe *wqe)
{
	op->rd_eec = sim_rd_eec_pick(op->qp->node);
	op->to = op->rd_eec ? dest_pick(op->rd_eec->peer->node) : NULL;
	if (!op->to)
		return false;
	op->flow_to = op->to;
	op->to_qpn = op->to->qpn;
	op->from_qpn = op->qp->qpn;
	wqe->rdma.eecn = op->rd_eec->eecn;
	wqe->rdma.remote_qpn = op->to_qpn;
	wqe->rdma.remote_qkey = op->to->attr.iba.qkey;
	return true;
}

static void fails(struct sim_op *op, enum ib_wc_status status)
{
	op->may |= BIT(status);
	op->must = true;
}

/*
 * A queue pair that is unknown to the peer EE context, or in another RD domain, is refused; other
 * messages are not affected.
 */
static void misaddress(struct sim_op *op, struct hca_send_wqe *wqe)
{
	switch (sim_below(3)) {
	case 0:
		wqe->rdma.remote_qkey ^= 1;
		fails(op, IB_WC_REM_INV_RD_REQ_ERR);
		break;
	case 1:
		wqe->rdma.remote_qpn ^= 0x800000;
		fails(op, IB_WC_REM_INV_RD_REQ_ERR);
		break;
	default:
		wqe->rdma.eecn ^= 0x800000;
		fails(op, IB_WC_INV_EECN_ERR);
	}
}

/* The present state of both EE contexts: they may be connected anew. */
static void judge_depth(struct sim_op *op)
{
	const struct sim_rd_eec *c = op->rd_eec;

	if (!c->attr.max_rd_atomic)
		op->may |= BIT(IB_WC_LOC_EEC_OP_ERR);
	if (!c->peer->attr.max_dest_rd_atomic)
		op->may |= BIT(IB_WC_REM_INV_REQ_ERR);
	op->frail |= !c->attr.max_rd_atomic || !c->peer->attr.max_dest_rd_atomic;
}

void sim_rd_judge(struct sim_op *op, struct hca_send_wqe *wqe)
{
	const struct sim_rd_eec *c = op->rd_eec;
	const struct sim_qp *to = op->to;

	if (sim_chance(1, 40))
		misaddress(op, wqe);
	if (op->qp->other_rdd)
		fails(op, IB_WC_LOC_RDD_VIOL_ERR);
	if (to->other_rdd)
		fails(op, IB_WC_REM_INV_RD_REQ_ERR);
	if (op_is(op, SIM_READS | SIM_ATOMIC))
		judge_depth(op);
	if (op_is(op, SIM_CONSUMES_RECV) && c->attr.iba.rnr_retry != 7)
		op->may |= BIT(IB_WC_RNR_RETRY_EXC_ERR);
	op->rough = c->rough || !c->rd_eec || !c->peer->rd_eec;
	op->slips = to->unwell || (to->state != IB_QPS_RTS && to->state != IB_QPS_SQD);
}

/* Further statuses that are possible because of events since the request was posted. */
u32 sim_rd_statuses(const struct sim_op *op)
{
	u32 may = op->may;

	if (op->slips)
		may |= BIT(IB_WC_REM_INV_RD_REQ_ERR) | BIT(IB_WC_REM_INV_REQ_ERR) |
		       BIT(IB_WC_REM_OP_ERR) | BIT(IB_WC_REM_ACCESS_ERR);
	if (op->rough)
		may |= BIT(IB_WC_RNR_RETRY_EXC_ERR) | BIT(IB_WC_LOC_EEC_OP_ERR) |
		       BIT(IB_WC_REM_INV_REQ_ERR) | BIT(IB_WC_RETRY_EXC_ERR) |
		       BIT(IB_WC_INV_EEC_STATE_ERR) | BIT(IB_WC_INV_EECN_ERR);
	return may;
}

static bool is_for(const struct sim_op *op, const struct sim_qp *qp, const struct hca_cqe *cqe)
{
	const struct sim_rd_eec *c = sim_rd_eec_find(qp->node, cqe->eecn);

	return c && op->rd_eec == c->peer && op->to == qp && op->to_qpn == qp->qpn &&
	       op->from_qpn == cqe->src_qp && !op->executed && op_is(op, SIM_CONSUMES_RECV);
}

/*
 * The next message from this sender to this receiver by this EE context. One that has failed may
 * have arrived nevertheless.
 */
struct sim_op *sim_rd_arrived(const struct sim_qp *qp, const struct sim_recv *recv,
			      const struct hca_cqe *cqe)
{
	struct sim_flow *flow;
	struct sim_op *op;

	list_for_each_entry(flow, &sim.flows, in_world) {
		if (flow->from->type != HCA_QPT_RD)
			continue;
		list_for_each_entry(op, &flow->ops, in_flow) {
			if (!is_for(op, qp, cqe))
				continue;
			if (sim_recv_holds(recv, op, cqe))
				return op;
			if (op->state == SIM_POSTED || op->state == SIM_SUCCEEDED)
				break;
		}
	}
	return NULL;
}

static bool is_abandoned(const struct sim_op *op)
{
	const struct sim_qp *from = op->qp;
	u8 state;

	if (op->state != SIM_POSTED)
		return op->state != SIM_SUCCEEDED;
	state = from->qp ? sim_core_state(from) : IB_QPS_RESET;
	return state != IB_QPS_RTS && state != IB_QPS_SQD;
}

/*
 * A receive ends for a reason that is not the queue pair's: check that there was one. A message
 * that was suspended by an RNR NAK may have begun to arrive again.
 */
bool sim_rd_may_end(const struct sim_qp *qp, u8 status)
{
	struct sim_flow *flow;
	struct sim_op *op;

	if (status == IB_WC_LOC_EEC_OP_ERR)
		return qp->node->troubled;
	if (status != IB_WC_REM_ABORT_ERR)
		return false;
	list_for_each_entry(flow, &sim.flows, in_world)
		list_for_each_entry(op, &flow->ops, in_flow)
			if (op->rd_eec && op->to == qp && op_is(op, SIM_CONSUMES_RECV) &&
			    (op->rough || op->rd_eec->harm || is_abandoned(op)))
				return true;
	return false;
}
