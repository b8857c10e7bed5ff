// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Posting: work requests at random, right ones mostly. What the model must know of each is noted here. */
#include <stdlib.h>
#include <linux/bottom_half.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "ops.h"
#include "sim.h"

/* What a receive request for reliable datagrams has room for. */
#define RD_CAPACITY 9000

/* A request that is being written. */
struct draft {
	struct sim_op *op;
	struct hca_send_wqe *wqe;
	struct hca_sge *sge;
};

u64 sim_next_id(void)
{
	return sim.next_id++;
}

/* Where implementations err: around nothing, and around packets' ends. */
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

static bool takes(const struct sim_op *op, enum sim_op_flags flag)
{
	return op->kind->flags & flag;
}

/* Parts of memory, that together have @length octets. */
int sim_spans_take(struct sim_node *node, struct sim_span *span, u32 length, u32 access)
{
	int n = 0, most = 1 + (sim_chance(1, 3) ? sim_below(SIM_MAX_SGE) : 0);

	while (length) {
		u32 part = n == most - 1 ? length : 1 + sim_below(length);

		if (!sim_span_take(&span[n], node, part, access, 1)) {
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

static bool fill_local(struct draft *d)
{
	struct sim_op *op = d->op;
	bool fetches = takes(op, SIM_READS | SIM_ATOMIC);
	u8 *at = op->payload;
	int n, i;

	if (!fetches && op->length <= SIM_MAX_INLINE && sim_chance(1, 3)) {
		op->flags |= HCA_WQE_INLINE;
		sim_fill(op->payload, op->length);
		memcpy((u8 *)d->wqe + HCA_SEND_WQE_HEADER, op->payload, op->length);
		d->wqe->inline_length = op->length;
		return true;
	}
	n = sim_spans_take(op->qp->node, op->local, op->length, fetches ? IB_UVERBS_ACCESS_LOCAL_WRITE : 0);
	if (n < 0)
		return false;
	sim_spans_write(d->sge, op->local, n);
	d->wqe->num_sge = n;
	for (i = 0; i < n && !fetches; at += op->local[i++].length)
		sim_span_read(&op->local[i], at);
	if (n < SIM_MAX_SGE && sim_chance(1, 8)) { /* of no octets nothing is checked */
		d->sge[n].lkey = sim_below(1 << 30);
		d->wqe->num_sge++;
	}
	return true;
}

static bool fill_remote(struct draft *d)
{
	struct sim_op *op = d->op;
	u64 old;

	d->wqe->rdma.rkey = sim_below(1 << 30);
	d->wqe->rdma.remote_addr = sim_random(&sim.program);
	if (!op->length)
		return true;
	if (!sim_span_take(&op->remote, op->flow_to->node, op->length, op->kind->remote_access,
			   takes(op, SIM_ATOMIC) ? 8 : 1))
		return false;
	d->wqe->rdma.rkey = op->remote.area->key;
	d->wqe->rdma.remote_addr = sim_span_addr(&op->remote);
	if (takes(op, SIM_READS | SIM_ATOMIC))
		sim_span_read(&op->remote, op->payload);
	if (takes(op, SIM_ATOMIC)) {
		u64 compare_add = sim_random(&sim.program), swap = sim_random(&sim.program), become;

		memcpy(&old, op->payload, sizeof(old));
		op->kind->result(old, &compare_add, &swap, &become);
		memcpy(op->result, &become, sizeof(become));
		d->wqe->rdma.compare_add = compare_add;
		d->wqe->rdma.swap = swap;
	}
	return true;
}

/* Ways to be wrong. Each says what must come of it. */

static void spoil_rkey(struct draft *d)
{
	d->wqe->rdma.rkey ^= 1 << sim_below(32);
	d->op->may = BIT(HCA_WC_REM_ACCESS_ERR);
}

static void spoil_end(struct draft *d)
{
	const struct sim_area *area = d->op->remote.area;

	d->wqe->rdma.remote_addr = area->iova + area->length - d->op->length + 1 + sim_below(100);
	d->op->may = BIT(HCA_WC_REM_ACCESS_ERR);
}

static void spoil_begin(struct draft *d)
{
	d->wqe->rdma.remote_addr = d->op->remote.area->iova - 1 - sim_below(d->op->length);
	d->op->may = BIT(HCA_WC_REM_ACCESS_ERR);
}

/* Memory that is there, but not for this. */
static void spoil_right(struct draft *d)
{
	const struct sim_node *node = d->op->flow_to->node;
	int i;

	for (i = 0; i < SIM_MAX_AREAS; i++) {
		const struct sim_area *area = node->area[i];

		if (!area->region || (area->access & d->op->kind->remote_access))
			continue;
		d->wqe->rdma.rkey = area->key;
		d->wqe->rdma.remote_addr = area->iova;
		d->op->may = BIT(HCA_WC_REM_ACCESS_ERR);
	}
}

static void spoil_lkey(struct draft *d)
{
	d->sge[0].lkey ^= 1 << sim_below(32);
	d->op->may = BIT(HCA_WC_LOC_PROT_ERR);
}

static void spoil_local_end(struct draft *d)
{
	const struct sim_span *span = &d->op->local[0];

	d->sge[0].addr = span->area->iova + span->area->length - span->length + 1;
	d->op->may = BIT(HCA_WC_LOC_PROT_ERR);
}

/* A key that a message has invalidated. */
static void spoil_dead(struct draft *d)
{
	const struct sim_op *op;

	list_for_each_entry(op, &d->op->qp->out->ops, in_flow) {
		if (!op->victim || !op->executed)
			continue;
		d->wqe->rdma.rkey = op->victim->key;
		d->wqe->rdma.remote_addr = op->victim->region->iova;
		d->op->may = BIT(HCA_WC_REM_ACCESS_ERR);
	}
}

/* The first area is not to be invalidated. */
static void spoil_victim(struct draft *d)
{
	d->wqe->invalidate_rkey = sim_chance(1, 2) ? d->op->flow_to->node->area[0]->key :
						     d->wqe->invalidate_rkey ^ 1 << sim_below(32);
	d->op->may = BIT(HCA_WC_REM_ACCESS_ERR);
}

static void spoil_opcode(struct draft *d)
{
	d->wqe->opcode = 100 + sim_below(100);
	d->op->may = BIT(HCA_WC_LOC_QP_OP_ERR);
}

static void spoil_sges(struct draft *d)
{
	d->wqe->num_sge = SIM_MAX_SGE + 1;
	d->op->may = BIT(HCA_WC_LOC_QP_OP_ERR);
}

static const struct spoiler {
	void (*spoil)(struct draft *d);
	bool remote; /* needs memory that the request names */
	bool local; /* needs a scatter list */
	bool victim; /* needs a key to be invalidated */
} spoilers[] = {
	{ spoil_rkey, .remote = true },
	{ spoil_end, .remote = true },
	{ spoil_begin, .remote = true },
	{ spoil_right, .remote = true },
	{ spoil_dead, .remote = true },
	{ spoil_victim, .victim = true },
	{ spoil_lkey, .local = true },
	{ spoil_local_end, .local = true },
	{ spoil_sges, .local = true },
	{ spoil_opcode },
};

static void spoil(struct draft *d)
{
	const struct spoiler *s = &spoilers[sim_below(ARRAY_SIZE(spoilers))];

	if ((s->remote && !d->op->remote.area) || (s->local && !d->op->local[0].area) ||
	    (s->victim && !d->op->victim))
		return;
	s->spoil(d);
	d->op->must = d->op->may;
	if (takes(d->op, SIM_ATOMIC) && s->remote) /* it may be misaligned as well */
		d->op->may |= BIT(HCA_WC_REM_INV_REQ_ERR);
}

/* What the connection's ends have agreed on, or should have. */
static void judge_depth(struct sim_op *op)
{
	const struct sim_qp *qp = op->qp, *to = qp->peer;

	if (!takes(op, SIM_READS | SIM_ATOMIC))
		return;
	if (!qp->attr.max_rd_atomic) {
		op->may |= BIT(HCA_WC_LOC_QP_OP_ERR);
		op->must = true;
	}
	if (qp->attr.max_rd_atomic > to->attr.max_dest_rd_atomic)
		op->may |= BIT(HCA_WC_REM_INV_REQ_ERR);
	op->must |= !to->attr.max_dest_rd_atomic;
}

static void judge_access(struct sim_op *op)
{
	const struct sim_qp *to = op->flow_to;

	if (takes(op, SIM_INVALIDATES) && !(to->attr.access & HCA_REMOTE_ACCESS)) {
		op->may |= BIT(HCA_WC_REM_ACCESS_ERR);
		op->must = true;
	}
	if (to->attr.access & op->kind->remote_access || !op->kind->remote_access)
		return;
	op->may |= BIT(HCA_WC_REM_ACCESS_ERR);
	if (op->channel)
		op->frail = op->length > 0; /* it may be another's right by then */
	else
		op->must |= op->length > 0;
}

/* Of two that look the same we cannot tell which was lost. */
static bool looks_like_others(const struct sim_op *op)
{
	return takes(op, SIM_SENDS) && op->length < 8 && !takes(op, SIM_IMM);
}

/* Nobody answers on an unreliable connection. */
static void judge_unreliable(struct sim_op *op)
{
	static const u32 remote = BIT(HCA_WC_REM_ACCESS_ERR);

	if (op->qp->type != HCA_QPT_UC)
		return;
	op->slips = (op->may & remote) || looks_like_others(op);
	op->astray = op->must && (op->may & remote);
	op->may &= ~remote;
	op->must = op->may;
}

static struct sim_recv *recv_at(struct sim_qp *qp, u32 index)
{
	struct sim_recv *recv;

	list_for_each_entry(recv, &qp->recvs, in_queue)
		if (recv->index == index)
			return recv;
	return NULL;
}

/* How long it may be, for the receive request that waits for it. */
static u32 length_limit(const struct sim_qp *qp, const struct sim_op *op)
{
	struct sim_recv *recv;

	if (qp->type == HCA_QPT_UD)
		return HCA_MAX_MTU_BYTES;
	if (qp->peer && qp->peer->srq && takes(op, SIM_SENDS))
		return min_t(u32, SIM_SRQ_CAPACITY, 4 * sim_mtu(qp));
	if (qp->type == HCA_QPT_UC)
		return 4 * sim_mtu(qp);
	if (qp->type == HCA_QPT_RD)
		return takes(op, SIM_SENDS) ? RD_CAPACITY : SIM_MAX_LENGTH;
	recv = takes(op, SIM_SENDS) ? recv_at(qp->peer, qp->out->takes_recv) : NULL;
	return recv && sim_chance(15, 16) ? recv->capacity : SIM_MAX_LENGTH;
}

static struct sim_qp *random_datagram_peer(void)
{
	struct sim_qp *qp, *found = NULL;
	u32 n = 0;

	list_for_each_entry(qp, &sim.qps, in_world)
		if (qp->type == HCA_QPT_UD && qp->qp && !sim_below(++n))
			found = qp;
	return found;
}

/* How many receive requests there are for each datagram under way; 0 or less: too few. */
static int room_for(const struct sim_qp *to, u32 length)
{
	const struct sim_recv *recv;
	const struct sim_flow *flow;
	const struct sim_op *other;
	int room = 0;

	list_for_each_entry(recv, &to->recvs, in_queue) {
		if (recv->may || recv->capacity < HCA_GRH_BYTES + length)
			return 0;
		room++;
	}
	list_for_each_entry(flow, &sim.flows, in_world)
		list_for_each_entry(other, &flow->ops, in_flow)
			room -= (other->to == to && !other->executed) || sim_group_awaits(other, to);
	return room;
}

static bool receives(const struct sim_qp *qp)
{
	return qp->state == HCA_QPS_RTS || qp->state == HCA_QPS_SQD;
}

/* Will it surely arrive, if the network lets it? If not, it may take another's place. */
bool sim_datagram_slips(const struct sim_qp *to, u32 length)
{
	bool slips = to->srq || !receives(to) || to->may_error || room_for(to, length) <= 0;
	struct sim_flow *flow;
	struct sim_op *other;

	if (!slips)
		return false;
	list_for_each_entry(flow, &sim.flows, in_world)
		list_for_each_entry(other, &flow->ops, in_flow)
			other->slips |= other->to == to;
	sim_groups_unwell(to);
	return true;
}

static void fill_datagram(struct draft *d)
{
	struct sim_op *op = d->op;

	if (sim_chance(1, 4)) {
		sim_group_address(op, d->wqe);
		return;
	}
	op->to = random_datagram_peer();
	op->to_qpn = op->to->qp->qpn;
	op->from_qpn = op->qp->qp->qpn;
	op->grh = sim_chance(1, 3);
	d->wqe->ud.av = (struct hca_av){ .dlid = SIM_FIRST_LID + op->to->node->index,
					 .sl = sim_below(8), .port_num = 1, .has_grh = op->grh,
					 .hop_limit = 3 };
	d->wqe->ud.remote_qpn = op->to_qpn;
	d->wqe->ud.remote_qkey = op->to->attr.qkey;
	op->slips = sim_datagram_slips(op->to, op->length) || looks_like_others(op);
	if (sim_chance(1, 20)) {
		d->wqe->ud.remote_qkey ^= 1;
		op->slips = true;
		op->to_qpn = 0;
	}
}

static bool fill(struct draft *d)
{
	struct sim_op *op = d->op;
	struct sim_qp *qp = op->qp;

	if (qp->type == HCA_QPT_RD && !sim_rd_address(op, d->wqe))
		return false;
	if (takes(op, SIM_ATOMIC))
		op->length = 8;
	else
		op->length = sim_random_length(sim_mtu(qp), length_limit(qp, op));
	if (qp->type == HCA_QPT_RD && looks_like_others(op))
		op->length = 8; /* who receives it must see whose it is */
	op->payload = malloc(op->length + 1);
	if (!fill_local(d))
		return false;
	if (qp->type == HCA_QPT_UD)
		fill_datagram(d);
	else if (op->kind->remote_access && !fill_remote(d))
		return false;
	if (takes(op, SIM_IMM))
		op->imm = cpu_to_be32((u32)op->wr_id);
	if (takes(op, SIM_INVALIDATES)) {
		op->victim = sim_victim_new(op->flow_to->node);
		d->wqe->invalidate_rkey = op->victim->key;
	}
	return true;
}

static void judge(struct draft *d)
{
	struct sim_op *op = d->op;
	struct sim_qp *qp = op->qp;

	if (sim_chance(1, 60))
		spoil(d);
	if (qp->type == HCA_QPT_UD) {
		op->slips |= op->must;
		if (op->must || looks_like_others(op))
			op->sure = 0;
		return;
	}
	if (qp->type == HCA_QPT_RD) {
		judge_access(op);
		sim_rd_judge(op, d->wqe);
		return;
	}
	op->psn = qp->out->next_psn;
	op->packets = max(1u, DIV_ROUND_UP(op->length, sim_mtu(qp)));
	qp->out->next_psn = hca_psn_add(op->psn, op->packets);
	judge_depth(op);
	judge_access(op);
	judge_unreliable(op);
	if (takes(op, SIM_TAKES_RECV)) {
		op->recv_index = qp->out->takes_recv++;
		op->unready = qp->peer->srq || op->recv_index >= qp->peer->recvs_posted;
		if (!qp->peer->srq)
			sim_flow_match(qp->out, op, recv_at(qp->peer, op->recv_index));
	}
	op->slips |= qp->out->uneasy || op->unready;
	op->harm = qp->out->harm;
	if (op->may) {
		qp->may_error = true;
		qp->peer->may_error = true;
	}
	qp->out->repeats |= op->unready;
}

static u8 random_flags(void)
{
	return (sim_chance(2, 3) ? HCA_WQE_SIGNALED : 0) | (sim_chance(1, 4) ? HCA_WQE_SOLICITED : 0) |
	       (sim_chance(1, 8) ? HCA_WQE_FENCE : 0);
}

/* False: nothing was posted, there is no room or no memory. The doorbell is not rung. */
bool sim_post_send(struct sim_qp *qp)
{
	struct hca_queue *sq = &qp->qp->sq;
	struct hca_ring *ring = sq->ring;
	struct draft d = { .wqe = hca_queue_entry(sq, ring->producer) };
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
	if (!fill(&d)) {
		sim_spans_drop(op->local, SIM_MAX_SGE);
		free(op->payload);
		free(op);
		return false;
	}
	judge(&d);
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
		  op->flags & HCA_WQE_SIGNALED ? " signalled" : "",
		  op->flags & HCA_WQE_FENCE ? " fenced" : "",
		  op->flags & HCA_WQE_INLINE ? " inline" : "", op->must ? ", WRONG: " : "",
		  op->must ? sim_status_name(__builtin_ctz(op->may)) : "");
	return true;
}

/* @sound: nothing shall be wrong with it, and it shall be no longer than needed. */
bool sim_post_recv(struct sim_qp *qp, bool sound)
{
	struct hca_queue *rq = &qp->qp->rq;
	struct hca_ring *ring = rq->ring;
	struct hca_recv_wqe *wqe;
	struct sim_recv *recv;
	struct sim_op *op;
	int n;

	if (qp->srq)
		return sim_srq_post(qp->srq);
	if (ring->producer - ring->consumer >= rq->entries)
		return false;
	wqe = hca_queue_entry(rq, ring->producer);
	recv = calloc(1, sizeof(*recv));
	op = qp->in ? sim_flow_op(qp->in, qp->recvs_posted) : NULL;
	recv->wr_id = sim_next_id();
	recv->index = qp->recvs_posted;
	recv->capacity = sim_random_length(sim_mtu(qp), sound ? 0 : SIM_MAX_LENGTH);
	if (op && takes(op, SIM_SENDS) && (sound || sim_chance(15, 16)))
		recv->capacity = max(recv->capacity, op->length);
	if (qp->type == HCA_QPT_UD)
		recv->capacity = HCA_GRH_BYTES + (sim_chance(1, 20) ? sim_below(4096) : 4096);
	if (qp->type == HCA_QPT_RD) {
		recv->capacity = RD_CAPACITY + sim_below(100);
		if (!sound && sim_chance(1, 100)) {
			recv->capacity = sim_below(100);
			recv->may = BIT(HCA_WC_LOC_LEN_ERR);
		}
	}
	if (qp->type == HCA_QPT_UC)
		recv->capacity = 4 * sim_mtu(qp) + sim_below(100);
	n = sim_spans_take(qp->node, recv->local, recv->capacity, IB_UVERBS_ACCESS_LOCAL_WRITE);
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
		recv->may |= BIT(HCA_WC_LOC_PROT_ERR);
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

/* The doorbell, if this queue wants it rung. */
void sim_ring(struct sim_qp *qp, const struct hca_queue *queue)
{
	if (!queue->ring || !queue->ring->need_wakeup)
		return;
	local_bh_disable();
	hca_qp_kick(qp->qp);
	hca_engine_drain();
	local_bh_enable();
	shim_run_until_idle();
}
