// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The content of a request: its local and remote memory, its length and its destination. */
#include <stdlib.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "compat.h"
#include "draft.h"

static bool fill_local(struct sim_draft *d)
{
	struct sim_op *op = d->op;
	bool fetches = sim_op_is(op, SIM_READS | SIM_ATOMIC);
	u8 *at = op->payload;
	int n, i;

	if (sim_op_is(op, SIM_FLUSHES))
		return true;
	if (!fetches && op->length <= SIM_MAX_INLINE && sim_chance(1, 3)) {
		op->flags |= HCA_WQE_INLINE;
		sim_fill(op->payload, op->length);
		memcpy((u8 *)d->wqe + HCA_SEND_WQE_HEADER, op->payload, op->length);
		d->wqe->inline_length = op->length;
		return true;
	}
	n = sim_spans_alloc(op->qp->process, op->local, op->length, fetches ?
			    IB_UVERBS_ACCESS_LOCAL_WRITE : 0);
	if (n < 0)
		return false;
	sim_spans_write(d->sge, op->local, n);
	d->wqe->num_sge = n;
	for (i = 0; i < n && !fetches; at += op->local[i++].length)
		sim_span_read(&op->local[i], at);
	if (n < SIM_MAX_SGE && sim_chance(1, 8)) { /* segments of length 0 are not checked */
		d->sge[n].lkey = sim_below(1 << 30);
		d->wqe->num_sge++;
	}
	return true;
}

static bool fill_remote(struct sim_draft *d)
{
	struct sim_op *op = d->op;
	u64 old;

	d->wqe->rdma.rkey = sim_below(1 << 30);
	d->wqe->rdma.remote_addr = rng_next(&sim.program);
	if (!op->length)
		return true;
	if (!sim_span_alloc(&op->remote, sim_op_process(op), op->length, op->kind->remote_access,
			    sim_op_is(op, SIM_ATOMIC | SIM_ATOMIC_WRITES) ? 8 : 1))
		return false;
	d->wqe->rdma.rkey = op->remote.area->key;
	d->wqe->rdma.remote_addr = sim_span_addr(&op->remote);
	if (sim_op_is(op, SIM_READS | SIM_ATOMIC))
		sim_span_read(&op->remote, op->payload);
	if (sim_op_is(op, SIM_ATOMIC)) {
		u64 compare_add = rng_next(&sim.program), swap = rng_next(&sim.program), become;

		memcpy(&old, op->payload, sizeof(old));
		op->kind->result(old, &compare_add, &swap, &become);
		memcpy(op->result, &become, sizeof(become));
		d->wqe->rdma.compare_add = compare_add;
		d->wqe->rdma.swap = swap;
	}
	return true;
}

/* A Flush of the whole MR ignores the address and the length, which are random here. */
static void fill_flush(struct sim_draft *d)
{
	d->wqe->rdma.flush.placement =
		d->op->kind->remote_access == IB_UVERBS_ACCESS_FLUSH_PERSISTENT ?
			IB_FLUSH_PERSISTENT : IB_FLUSH_GLOBAL;
	d->wqe->rdma.flush.length = d->op->length;
	if (!d->op->remote.area || sim_chance(1, 2))
		return;
	d->wqe->rdma.flush.selectivity = IB_FLUSH_MR;
	d->wqe->rdma.flush.length = sim_below(HCA_MAX_MESSAGE);
	d->wqe->rdma.remote_addr = rng_next(&sim.program);
}

/* The maximum length, which the receive request that waits for it limits. */
static u32 length_limit(const struct sim_qp *qp, const struct sim_op *op)
{
	struct sim_recv *recv;

	if (qp->type == IB_QPT_UD)
		return HCA_MAX_MTU_BYTES;
	if (op->srq && sim_op_is(op, SIM_SENDS))
		return qp->type == HCA_QPT_RD ? SIM_SRQ_CAPACITY : min_t(u32, SIM_SRQ_CAPACITY,
									 4 * sim_mtu(qp));
	if (qp->type == IB_QPT_UC)
		return 4 * sim_mtu(qp);
	if (qp->type == HCA_QPT_RD)
		return sim_op_is(op, SIM_SENDS) ? SIM_RD_CAPACITY : SIM_MAX_LENGTH;
	recv = sim_op_is(op, SIM_SENDS) ? sim_recv_at(qp->peer, qp->out->consumes_recv) : NULL;
	return recv && sim_chance(15, 16) ? recv->capacity : SIM_MAX_LENGTH;
}

bool sim_fill_request(struct sim_draft *d)
{
	struct sim_op *op = d->op;
	struct sim_qp *qp = op->qp;

	if (qp->type == HCA_QPT_RD && !sim_rd_address(op, d->wqe))
		return false;
	op->srq = op->flow_to ? op->flow_to->srq : NULL;
	if (qp->type == IB_QPT_XRC_INI)
		sim_xrc_address(op, d->wqe);
	if (sim_op_is(op, SIM_ATOMIC | SIM_ATOMIC_WRITES))
		op->length = 8;
	else
		op->length = sim_random_length(sim_mtu(qp), length_limit(qp, op));
	if (qp->type == HCA_QPT_RD && sim_looks_like_others(op))
		op->length = 8; /* the payload identifies the message to its receiver */
	op->payload = malloc(op->length + 1);
	if (!fill_local(d))
		return false;
	if (qp->type == IB_QPT_UD)
		sim_fill_datagram(d);
	else if (op->kind->remote_access && !fill_remote(d))
		return false;
	if (sim_op_is(op, SIM_FLUSHES))
		fill_flush(d);
	if (sim_op_is(op, SIM_IMM))
		op->imm = cpu_to_be32((u32)op->wr_id);
	if (sim_op_is(op, SIM_INVALIDATES)) {
		op->victim = sim_victim_new(sim_op_process(op));
		d->wqe->invalidate_rkey = op->victim->key;
	}
	return true;
}
