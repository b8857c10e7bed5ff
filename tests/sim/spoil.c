// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Ways to make a request invalid. Each one predicts the resulting status. */
#include <linux/kernel.h>
#include "compat.h"
#include "draft.h"

static void spoil_rkey(struct sim_draft *d)
{
	d->wqe->rdma.rkey ^= 1 << sim_below(32);
	d->op->may = BIT(IB_WC_REM_ACCESS_ERR);
}

static void spoil_end(struct sim_draft *d)
{
	const struct sim_area *area = d->op->remote.area;

	d->wqe->rdma.remote_addr = area->iova + area->length - d->op->length + 1 + sim_below(100);
	d->op->may = BIT(IB_WC_REM_ACCESS_ERR);
}

static void spoil_begin(struct sim_draft *d)
{
	d->wqe->rdma.remote_addr = d->op->remote.area->iova - 1 - sim_below(d->op->length);
	d->op->may = BIT(IB_WC_REM_ACCESS_ERR);
}

/* Use memory that exists, but lacks the access rights. */
static void spoil_right(struct sim_draft *d)
{
	const struct sim_process *process = sim_op_process(d->op);
	int i;

	for (i = 0; i < SIM_MAX_AREAS; i++) {
		const struct sim_area *area = process->area[i];

		if (!area->mr || (area->access & d->op->kind->remote_access))
			continue;
		d->wqe->rdma.rkey = area->key;
		d->wqe->rdma.remote_addr = area->iova;
		d->op->may = BIT(IB_WC_REM_ACCESS_ERR);
	}
}

static void spoil_lkey(struct sim_draft *d)
{
	d->sge[0].lkey ^= 1 << sim_below(32);
	d->op->may = BIT(IB_WC_LOC_PROT_ERR);
	d->op->error = HCA_VENDOR_ERR_LKEY;
}

static void spoil_local_end(struct sim_draft *d)
{
	const struct sim_span *span = &d->op->local[0];

	d->sge[0].addr = span->area->iova + span->area->length - span->length + 1;
	d->op->may = BIT(IB_WC_LOC_PROT_ERR);
	d->op->error = HCA_VENDOR_ERR_LKEY_BOUNDS;
}

/* Use a key that a message has invalidated. */
static void spoil_dead(struct sim_draft *d)
{
	const struct sim_op *op;

	list_for_each_entry(op, &d->op->qp->out->ops, in_flow) {
		if (!op->victim || !op->executed)
			continue;
		d->wqe->rdma.rkey = op->victim->key;
		d->wqe->rdma.remote_addr = op->victim->mr->iova;
		d->op->may = BIT(IB_WC_REM_ACCESS_ERR);
	}
}

/* Name the first area, which must not be invalidated. */
static void spoil_victim(struct sim_draft *d)
{
	d->wqe->invalidate_rkey = sim_chance(1, 2) ? sim_op_process(d->op)->area[0]->key :
						     d->wqe->invalidate_rkey ^ 1 << sim_below(32);
	d->op->may = BIT(IB_WC_REM_ACCESS_ERR);
}

/* Only a Flush needs them: a placement type or a selectivity level that does not exist. */
static void spoil_placement(struct sim_draft *d)
{
	if (!sim_op_is(d->op, SIM_FLUSHES))
		return;
	if (sim_chance(1, 2))
		d->wqe->rdma.flush.placement = sim_chance(1, 2) ? 0 : 4 << sim_below(6);
	else
		d->wqe->rdma.flush.selectivity = 2 + sim_below(254);
	d->op->may = BIT(IB_WC_LOC_QP_OP_ERR);
	d->op->error = HCA_VENDOR_ERR_PLACEMENT;
}

static void spoil_opcode(struct sim_draft *d)
{
	d->wqe->opcode = 100 + sim_below(100);
	d->op->may = BIT(IB_WC_LOC_QP_OP_ERR);
	d->op->error = HCA_VENDOR_ERR_OPCODE;
}

static void spoil_sges(struct sim_draft *d)
{
	d->wqe->num_sge = SIM_MAX_SGE + 1;
	d->op->may = BIT(IB_WC_LOC_QP_OP_ERR);
	d->op->error = HCA_VENDOR_ERR_NUM_SGE;
}

static const struct spoiler {
	void (*spoil)(struct sim_draft *d);
	bool remote; /* needs memory that the request names */
	bool bounds; /* is wrong by the addresses alone */
	bool local; /* needs a scatter list */
	bool victim; /* needs a key to be invalidated */
} spoilers[] = {
	{ spoil_rkey, .remote = true },
	{ spoil_end, .remote = true, .bounds = true },
	{ spoil_begin, .remote = true, .bounds = true },
	{ spoil_right, .remote = true },
	{ spoil_dead, .remote = true },
	{ spoil_victim, .victim = true },
	{ spoil_lkey, .local = true },
	{ spoil_local_end, .local = true },
	{ spoil_sges, .local = true },
	{ spoil_opcode },
	{ spoil_placement },
};

/* A Flush of the whole MR ignores its address, so that only one of a range can be out of bounds. */
static void name_range(struct sim_draft *d)
{
	d->wqe->rdma.flush.selectivity = IB_FLUSH_RANGE;
	d->wqe->rdma.flush.length = d->op->length;
	d->wqe->rdma.remote_addr = sim_span_addr(&d->op->remote);
}

void sim_spoil(struct sim_draft *d)
{
	const struct spoiler *s = &spoilers[sim_below(ARRAY_SIZE(spoilers))];

	if ((s->remote && !d->op->remote.area) || (s->local && !d->op->local[0].area) ||
	    (s->victim && !d->op->victim))
		return;
	if (sim_op_is(d->op, SIM_FLUSHES) && s->bounds)
		name_range(d);
	s->spoil(d);
	d->op->must = d->op->may;
	/* The address may be misaligned, too. */
	if (sim_op_is(d->op, SIM_ATOMIC | SIM_ATOMIC_WRITES) && s->remote)
		d->op->may |= BIT(IB_WC_REM_INV_REQ_ERR);
}
