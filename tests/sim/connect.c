// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Connections: the attributes that both ends agree on, and the transitions to RTS. */
#include <stdlib.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include "sim.h"
#include "tests/consumer/consumer.h"
#include "transport/early_retry.h"

static struct sim_flow *flow_new(struct sim_qp *from, struct sim_qp *to)
{
	struct sim_flow *flow = calloc(1, sizeof(*flow));

	flow->from = from;
	flow->to = to;
	INIT_LIST_HEAD(&flow->ops);
	flow->done = &flow->ops;
	list_add_tail(&flow->in_world, &sim.flows);
	return flow;
}

void sim_flow_free(struct sim_flow *flow)
{
	struct sim_op *op, *next;

	list_del(&flow->in_world);
	list_for_each_entry_safe(op, next, &flow->ops, in_flow) {
		sim_victim_free(op->victim);
		free(op->payload);
		free(op);
	}
	free(flow);
}

/* Datagrams may still be in transit: the flow of a datagram queue pair is closed at the end. */
static void qp_renew(struct sim_qp *qp, struct sim_flow *out, struct sim_flow *in)
{
	if (qp->out && qp->out->to) {
		sim_flow_close(qp->out);
		sim_flow_free(qp->out);
	}
	qp->out = out;
	qp->in = in;
	qp->may_error = false;
	qp->sends_ended = false;
	qp->recvs_ended = false;
	qp->unwell = false;
	qp->last_wqe = false;
	qp->refused = false;
	qp->recvs_posted = 0;
}

static u32 random_psn(void)
{
	static const u32 edges[] = { 0, 0xffffff, 0x800000, 0x7fffff };

	return (sim_chance(1, 2) ? edges[sim_below(ARRAY_SIZE(edges))] - sim_below(100) + 10 :
				   sim_below(1 << 24)) & HCA_PSN_MASK;
}

static u8 random_depth(void)
{
	static const u8 depths[] = { 4, 1, 2, 16, 0 };

	return depths[min(sim_below(5), sim_below(5))];
}

/* Both ends of a connection agree on MTU and PSNs, and mostly on the depth of RDMA reads. */
void sim_random_attrs(struct sim_qp *a, struct sim_qp *b)
{
	static const u8 timeouts[] = { 14, 1, 8, 10, 12, 16, 0 };
	static const u8 mtus[] = { IB_MTU_256, IB_MTU_1024, IB_MTU_512, IB_MTU_2048, IB_MTU_4096 };
	u8 mtu = mtus[sim_below(5)], ports[2] = { 1 + sim_below(SIM_PORTS),
		1 + sim_below(SIM_PORTS) };
	struct sim_qp *qp = a;
	int i;

	for (i = 0; i < 2; i++, qp = b) {
		qp->attr = (struct hca_qp_attr){
			.iba.port_num = ports[i],
			.iba.qkey = 0x1111,
			.access = sim_chance(1, 16) ?
					  0 :
					  SIM_ALL_RIGHTS & ~IB_UVERBS_ACCESS_LOCAL_WRITE,
			.iba.path_mtu = mtu,
			.iba.sq_psn = random_psn(),
			.max_rd_atomic = random_depth(),
			.iba.min_rnr_timer = sim_below(32),
			.iba.timeout = timeouts[sim_below(sim.clean ? 6 : 7)],
			.iba.retry_cnt = sim_chance(1, 2) ? 7 : sim_below(8),
			.iba.rnr_retry = sim_chance(1, 2) ? 7 : sim_below(8),
			.iba.av = { .dlid = sim_lid((i ? a : b)->node, ports[!i]),
				    .port_num = ports[i], .sl = sim_below(8) },
		};
		sim_route(&qp->attr.iba.av, sim_chance(1, 8));
	}
	a->attr.iba.rq_psn = b->attr.iba.sq_psn;
	b->attr.iba.rq_psn = a->attr.iba.sq_psn;
	a->attr.max_dest_rd_atomic = sim_chance(1, 16) ? random_depth() : b->attr.max_rd_atomic;
	b->attr.max_dest_rd_atomic = sim_chance(1, 16) ? random_depth() : a->attr.max_rd_atomic;
}

/* The ACK timeout is shorter than a tick, or than a round trip: retries are useless. */
bool sim_is_impatient(const struct hca_qp_attr *attr, const struct sim_node *a,
		      const struct sim_node *b)
{
	if (sim_hub_is_stalled(a) || sim_hub_is_stalled(b))
		return true;
	return attr->iba.timeout && 4096ull << attr->iba.timeout < 1000 + 4 * (u64)sim.how.delay_ns;
}

/*
 * Early retries come after a millisecond of silence, at first, which a round trip may take: packets
 * are sent again without a fault.
 */
static bool sim_is_far(void)
{
	return hca_early_retries && 4 * (u64)sim.how.delay_ns >= NSEC_PER_MSEC;
}

static void step(struct sim_qp *qp, u8 state)
{
	qp->attr.cur_state = state - 1;
	qp->attr.state = state;
	qp->state = state;
	sim_qp_modify(qp, &qp->attr, consumer_qp_mask(qp->type, state));
}

/*
 * Choose two queue pairs that are in Reset, or destroyed, or both, and of which no packet is in
 * transit.
 */
void sim_connect(struct sim_qp *a, struct sim_qp *b)
{
	struct sim_flow *there = flow_new(a, b), *back = flow_new(b, a);
	u8 state;

	sim_check_memory();
	qp_renew(a, there, back);
	qp_renew(b, back, there);
	a->peer = b;
	b->peer = a;
	if (!a->qp)
		sim_qp_fill(a);
	if (!b->qp)
		sim_qp_fill(b);
	sim_random_attrs(a, b);
	there->far = sim_is_far();
	back->far = sim_is_far();
	there->uneasy = sim_is_impatient(&a->attr, a->node, b->node);
	back->uneasy = sim_is_impatient(&b->attr, a->node, b->node);
	there->next_psn = a->attr.iba.sq_psn;
	back->next_psn = b->attr.iba.sq_psn;
	there->acked = a->attr.iba.sq_psn;
	back->acked = b->attr.iba.sq_psn;
	there->acknowledged = there->responded = hca_psn_add(a->attr.iba.sq_psn, -1);
	back->acknowledged = back->responded = hca_psn_add(b->attr.iba.sq_psn, -1);
	a->attr.iba.dest_qpn = b->qp->qpn;
	b->attr.iba.dest_qpn = a->qp->qpn;
	sim_migration_begin_qps(a, b);
	for (state = IB_QPS_INIT; state <= IB_QPS_RTS; state++) {
		step(a, state);
		step(b, state);
	}
}

void sim_start_datagrams(struct sim_qp *qp)
{
	u8 state;

	qp_renew(qp, flow_new(qp, NULL), NULL);
	if (!qp->qp)
		sim_qp_fill(qp);
	sim_random_attrs(qp, qp);
	qp->attr.iba.port_num = 1;
	for (state = IB_QPS_INIT; state <= IB_QPS_RTS; state++)
		step(qp, state);
}
