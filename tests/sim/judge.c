// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The possible outcomes of a request, by the state of connection and peer when it is posted. */
#include <linux/kernel.h>
#include "draft.h"

/* Whether the ends of the connection agree on their attributes. */
static void judge_depth(struct sim_op *op)
{
	const struct sim_qp *qp = op->qp, *to = qp->peer;

	if (!sim_op_is(op, SIM_RESOURCE))
		return;
	if (!qp->attr.max_rd_atomic) {
		op->may |= BIT(IB_WC_LOC_QP_OP_ERR);
		op->must = true;
		if (!op->error)
			op->error = HCA_VENDOR_ERR_INITIATOR_DEPTH;
	}
	if (qp->attr.max_rd_atomic > to->attr.max_dest_rd_atomic)
		op->may |= BIT(IB_WC_REM_INV_REQ_ERR);
	op->must |= !to->attr.max_dest_rd_atomic;
}

static void judge_access(struct sim_op *op)
{
	const struct sim_qp *to = op->flow_to;

	if (sim_op_is(op, SIM_INVALIDATES) && !(to->attr.access & HCA_REMOTE_ACCESS)) {
		op->may |= BIT(IB_WC_REM_ACCESS_ERR);
		op->must = true;
	}
	if (to->attr.access & op->kind->remote_access || !op->kind->remote_access)
		return;
	op->may |= BIT(IB_WC_REM_INV_REQ_ERR);
	if (op->rd_eec)
		/* the memory may have another key and other rights by then */
		op->frail = op->length > 0;
	else
		op->must |= op->length > 0;
}

/* If one of two equal messages is lost, nothing shows which one it is. */
bool sim_looks_like_others(const struct sim_op *op)
{
	return sim_op_is(op, SIM_SENDS) && op->length < 8 && !sim_op_is(op, SIM_IMM);
}

/* On an unreliable connection no error is reported to the sender. */
static void judge_unreliable(struct sim_op *op)
{
	static const u32 remote = BIT(IB_WC_REM_ACCESS_ERR) | BIT(IB_WC_REM_INV_REQ_ERR);

	if (op->qp->type != IB_QPT_UC)
		return;
	op->slips = (op->may & remote) || sim_looks_like_others(op);
	op->astray = op->must && (op->may & remote);
	op->may &= ~remote;
	op->must = op->may;
}

void sim_judge(struct sim_draft *d)
{
	struct sim_op *op = d->op;
	struct sim_qp *qp = op->qp;

	if (sim_chance(1, 60))
		sim_spoil(d);
	if (qp->type == IB_QPT_UD) {
		op->slips |= op->must;
		if (op->must || sim_looks_like_others(op))
			op->sure = 0;
		return;
	}
	if (qp->type == HCA_QPT_RD) {
		judge_access(op);
		sim_rd_judge(op, d->wqe);
		return;
	}
	op->psn = qp->out->next_psn;
	op->packets = sim_op_is(op, SIM_FLUSHES) ? 1 :
						   max(1u, DIV_ROUND_UP(op->length, sim_mtu(qp)));
	qp->out->next_psn = hca_psn_add(op->psn, op->packets);
	if (qp->type == IB_QPT_XRC_INI)
		sim_xrc_judge(op, d->wqe);
	judge_depth(op);
	judge_access(op);
	judge_unreliable(op);
	op->recv_index = qp->out->consumes_recv;
	if (sim_op_is(op, SIM_CONSUMES_RECV)) {
		qp->out->consumes_recv++;
		op->unready = op->srq || op->recv_index >= qp->peer->recvs_posted;
		if (!op->srq)
			sim_flow_match(qp->out, op, sim_recv_at(qp->peer, op->recv_index));
	}
	op->slips |= qp->out->uneasy || op->unready || !sim_migration_agrees(&qp->migration);
	op->harm = qp->out->harm;
	if (op->may) {
		qp->may_error = true;
		qp->peer->may_error = true;
	}
	qp->out->repeats |= op->unready;
}
