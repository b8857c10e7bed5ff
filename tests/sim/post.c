// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Posting: random work requests, most of them valid. The model records what it must know of each.
 */
#include <stdlib.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "draft.h"
#include "tests/consumer/consumer.h"

u64 sim_next_id(void)
{
	return sim.next_id++;
}

/* Lengths at which implementations err: near zero, and near multiples of the MTU. */
u32 sim_random_length(u32 mtu, u32 limit)
{
	const u32 edges[] = { 0, 1, mtu - 1, mtu, mtu + 1, 2 * mtu, 3 * mtu - 1, 3 * mtu + 1 };
	u32 length;

	switch (sim_below(16)) {
	case 0 ... 7:
		length = edges[sim_below(ARRAY_SIZE(edges))];
		break;
	case 8 ... 11:
		length = sim_below(300);
		break;
	case 12 ... 14:
		length = sim_below(5 * mtu);
		break;
	default:
		length = sim_chance(1, 4) ? SIM_MAX_LENGTH : sim_below(20 * mtu);
	}
	return min(length, limit);
}

/* Reserve segments of memory that have @length octets in total. */
int sim_spans_alloc(struct sim_process *process, struct sim_span *span, u32 length, u32 access)
{
	int n = 0, most = 1 + (sim_chance(1, 3) ? sim_below(SIM_MAX_SGE) : 0);

	while (length) {
		u32 part = n == most - 1 ? length : 1 + sim_below(length);

		if (!sim_span_alloc(&span[n], process, part, access, 1)) {
			sim_spans_drop(span, n);
			return -1;
		}
		length -= part;
		n++;
	}
	return n;
}

void sim_spans_write(struct hca_sge *sge, const struct sim_span *span, int n)
{
	for (; n--; span++, sge++) {
		sge->addr = sim_span_addr(span);
		sge->length = span->length;
		sge->lkey = span->area->key;
	}
}

/* The receive request of this index; NULL: it has completed, or is not posted yet. */
struct sim_recv *sim_recv_at(struct sim_qp *qp, u32 index)
{
	struct sim_recv *recv;

	list_for_each_entry(recv, &qp->recvs, in_queue)
		if (recv->index == index)
			return recv;
	return NULL;
}

static u8 random_flags(void)
{
	return (sim_chance(2, 3) ? HCA_WQE_SIGNALED : 0) | (sim_chance(1, 4) ? HCA_WQE_SOLICITED :
							    0) |
	       (sim_chance(1, 8) ? HCA_WQE_FENCE : 0);
}

/* False: nothing was posted, because there was no room or no memory. The doorbell is not rung. */
bool sim_post_send(struct sim_qp *qp)
{
	struct hca_queue *sq = &qp->qp->sq;
	struct hca_ring *ring = sq->ring;
	struct sim_draft d = { .wqe = hca_queue_entry(sq, ring->producer) };
	struct sim_op *op;

	if (ring->producer - ring->consumer >= sq->entries)
		return false;
	d.op = op = calloc(1, sizeof(*op));
	d.sge = (void *)((u8 *)d.wqe + HCA_SEND_WQE_HEADER);
	memset(d.wqe, 0, sq->stride);
	op->kind = sim_op_pick(qp->type);
	op->qp = qp;
	op->flow_to = qp->peer;
	op->wr_id = sim_next_id();
	op->index = ring->producer;
	op->flags = random_flags();
	d.wqe->opcode = op->kind->opcode;
	if (!sim_fill_request(&d)) {
		sim_spans_drop(op->local, SIM_MAX_SGE);
		free(op->payload);
		free(op);
		return false;
	}
	sim_judge(&d);
	d.wqe->wr_id = op->wr_id;
	d.wqe->flags = op->flags;
	d.wqe->imm_data = op->imm;
	if (qp->signal_all)
		op->flags |= HCA_WQE_SIGNALED;
	list_add_tail(&op->in_flow, &qp->out->ops);
	list_add_tail(&op->in_queue, &qp->sends);
	ring->producer++;
	sim_trace(qp->node->index, "post qp %06x #%llu %s of %u octets%s%s%s%s%s", qp->qp->qpn,
		  (unsigned long long)op->wr_id, op->kind->name, op->length,
		  op->flags & HCA_WQE_SIGNALED ? " signaled" : "",
		  op->flags & HCA_WQE_FENCE ? " fenced" : "",
		  op->flags & HCA_WQE_INLINE ? " inline" : "", op->must ? ", WRONG: " : "",
		  op->must ? sim_status_name(__builtin_ctz(op->may)) : "");
	return true;
}

/* @sound: the request shall be valid, and no larger than needed */
bool sim_post_recv(struct sim_qp *qp, bool sound)
{
	struct hca_queue *rq = &qp->qp->rq;
	struct hca_ring *ring = rq->ring;
	struct hca_recv_wqe *wqe;
	struct sim_recv *recv;
	struct sim_op *op;
	int n;

	if (sim_uses_srqs(qp))
		return sim_srq_post(qp->xrcd ? sim_xrc_srq_pick(qp) : qp->srq);
	if (ring->producer - ring->consumer >= rq->entries)
		return false;
	wqe = hca_queue_entry(rq, ring->producer);
	recv = calloc(1, sizeof(*recv));
	op = qp->in ? sim_flow_op(qp->in, qp->recvs_posted) : NULL;
	recv->wr_id = sim_next_id();
	recv->index = qp->recvs_posted;
	recv->capacity = sim_random_length(sim_mtu(qp), sound ? 0 : SIM_MAX_LENGTH);
	if (op && sim_op_is(op, SIM_SENDS) && (sound || sim_chance(15, 16)))
		recv->capacity = max(recv->capacity, op->length);
	if (qp->type == IB_QPT_UD)
		recv->capacity = HCA_GRH_BYTES + (sim_chance(1, 20) ? sim_below(4096) : 4096);
	if (qp->type == HCA_QPT_RD) {
		recv->capacity = SIM_RD_CAPACITY + sim_below(100);
		if (!sound && sim_chance(1, 100)) {
			recv->capacity = sim_below(100);
			recv->may = BIT(IB_WC_LOC_LEN_ERR);
		}
	}
	if (qp->type == IB_QPT_UC)
		recv->capacity = 4 * sim_mtu(qp) + sim_below(100);
	n = sim_spans_alloc(qp->process, recv->local, recv->capacity, IB_UVERBS_ACCESS_LOCAL_WRITE);
	if (n < 0) {
		free(recv);
		return false;
	}
	memset(wqe, 0, rq->stride);
	wqe->wr_id = recv->wr_id;
	wqe->num_sge = n;
	sim_spans_write(wqe->sge, recv->local, n);
	if (n && !sound && sim_chance(1, 80)) {
		wqe->sge[0].lkey ^= 1 << sim_below(32);
		recv->may |= BIT(IB_WC_LOC_PROT_ERR);
		recv->error = HCA_VENDOR_ERR_LKEY;
	}
	if (recv->may) {
		qp->may_error = true;
		sim_qp_unwell(qp);
	}
	list_add_tail(&recv->in_queue, &qp->recvs);
	qp->recvs_posted++;
	if (op)
		sim_flow_match(qp->in, op, recv);
	ring->producer++;
	sim_trace(qp->node->index, "post qp %06x #%llu receive of %u octets%s", qp->qp->qpn,
		  (unsigned long long)recv->wr_id, recv->capacity, recv->may ? ", WRONG: key" : "");
	return true;
}

/* Ring the doorbell if the queue has need_wakeup set. */
void sim_ring(struct sim_qp *qp, const struct hca_queue *queue)
{
	if (consumer_ring(qp->qp, queue->ring))
		shim_run_until_idle();
}
