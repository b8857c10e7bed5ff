// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The program: the choice of actions, and the advance of time. */
#include <linux/kernel.h>
#include "ops.h"
#include "sim.h"

/* More packets than this in one run are a packet storm. */
#define MAX_PACKETS 400000
#define END_NS (3600ull * 1000000000)

static u64 random_pause_ns(void)
{
	static const u32 up_to[] = { 1, 2000, 20000, 200000, 4000000, 100000000 };

	return sim_below(up_to[sim_below(ARRAY_SIZE(up_to))]);
}

static void poll_state(void)
{
	int i;

	if (!sim.laziness || !sim_below(sim.laziness))
		sim_poll();
	for (i = 0; i < sim.how.nodes; i++)
		sim_srqs_check(&sim.node[i]);
	if (sim.thorough)
		sim_check_memory();
	if (sim.hub.packets > MAX_PACKETS)
		sim_fail("the network is busy for ever: %llu packets",
			 (unsigned long long)sim.hub.packets);
}

/* Advance to @until, or to the next event that is later than now; false: there is none. */
static bool pass(u64 until)
{
	u64 next = min3(until, sim_hub_next_ns(), shim_next_timer_ns());
	u64 now = shim_now_ns();

	if (next == U64_MAX)
		return false;
	shim_advance(next > now ? next - now : 0);
	while (sim_hub_next_ns() <= shim_now_ns()) {
		sim_hub_deliver();
		poll_state();
	}
	poll_state();
	return true;
}

static void pause_ns(u64 ns)
{
	u64 until = shim_now_ns() + ns;

	while (shim_now_ns() < until)
		pass(until);
}

static struct sim_qp *random_qp(void)
{
	u32 n = sim_below(sim.num_qps);
	struct sim_qp *qp;

	list_for_each_entry(qp, &sim.qps, in_world)
		if (!n--)
			return qp;
	return NULL;
}

/* In state Error, requests may still be posted, and are flushed. */
static bool sends(const struct sim_qp *qp)
{
	return qp->qp && (sim_is_datagram(qp) || (qp->peer && qp->peer->qp)) &&
	       !hca_qp_post_send_ok(qp->qp);
}

/* The requests of an XRC connection are at one end of it, the receive requests at the other. */
static struct sim_qp *requester_of(struct sim_qp *qp)
{
	return qp->type == IB_QPT_XRC_TGT ? qp->peer : qp;
}

static struct sim_qp *responder_of(struct sim_qp *qp)
{
	return qp->type == IB_QPT_XRC_INI ? qp->peer : qp;
}

static void send_some(struct sim_qp *qp)
{
	u32 n = sim_chance(1, 2) ? 1 : 1 + sim_below(12);

	qp = requester_of(qp);
	if (!sends(qp))
		return;
	while (n-- && sim_post_send(qp))
		if (sim_chance(1, 3))
			sim_ring(qp, &qp->qp->sq);
	sim_ring(qp, &qp->qp->sq);
}

static void receive_some(struct sim_qp *qp)
{
	u32 n = 1 + sim_below(8);

	qp = responder_of(qp);
	if (!qp->qp || hca_qp_post_recv_ok(qp->qp))
		return;
	if (qp->srq)
		sim_srq_resize(qp->srq);
	while (n-- && sim_post_recv(qp, false))
		;
	sim_ring(qp, &qp->qp->rq);
}

static void to_error(struct sim_qp *qp)
{
	if (qp->qp && (qp->state == IB_QPS_RTS || qp->state == IB_QPS_SQD) && sim_chance(1, 4))
		sim_qp_to_error(qp);
}

static void to_sqd(struct sim_qp *qp)
{
	if (qp->qp && sim_core_state(qp) == IB_QPS_RTS)
		sim_qp_drain(qp);
}

static void go_on(struct sim_qp *qp)
{
	if (qp->qp && sim_core_state(qp) == IB_QPS_SQD)
		sim_qp_again(qp);
}

static void to_reset(struct sim_qp *qp)
{
	if (qp->qp && qp->state != IB_QPS_RESET && sim_chance(1, 3))
		sim_qp_to_reset(qp);
}

static void destroy(struct sim_qp *qp)
{
	if (qp->qp && sim_chance(1, 4))
		sim_qp_destroy(qp);
}

static bool is_quiet(const struct sim_qp *qp)
{
	return !qp->qp || (qp->state == IB_QPS_RESET && !sim_hub_carries(qp));
}

/* Restore queue pairs that are out of use. */
static void revive(struct sim_qp *qp)
{
	if (qp->qp && sim_core_state(qp) == IB_QPS_SQE) {
		sim_qp_again(qp);
		return;
	}
	if (sim_is_datagram(qp)) {
		if (is_quiet(qp))
			sim_start_datagrams(qp);
		return;
	}
	if (!qp->qp || !qp->peer->qp || sim_core_state(qp) == IB_QPS_ERR ||
	    qp->state == IB_QPS_RESET) {
		if (qp->qp && qp->state != IB_QPS_RESET)
			sim_qp_to_reset(qp);
		if (qp->peer->qp && qp->peer->state != IB_QPS_RESET)
			sim_qp_to_reset(qp->peer);
	}
	if (is_quiet(qp) && is_quiet(qp->peer))
		sim_connect(qp, qp->peer);
}

/* Requests that use the memory may end with many statuses now. */
static void deregister(struct sim_qp *qp)
{
	static const u32 ways = BIT(IB_WC_LOC_PROT_ERR) | BIT(IB_WC_REM_ACCESS_ERR) |
				BIT(IB_WC_REM_OP_ERR) | BIT(IB_WC_RETRY_EXC_ERR);
	struct sim_area *area = qp->process->area[1 + sim_below(SIM_MAX_AREAS - 1)];
	struct sim_flow *flow;
	struct sim_recv *recv;
	struct sim_op *op;
	struct sim_qp *other;
	struct sim_srq *srq;

	if (!area->mr || sim_chance(3, 4))
		return;
	sim_poll();
	list_for_each_entry(flow, &sim.flows, in_world) {
		if (flow->from->type != HCA_QPT_RD && flow->from->node != area->node &&
		    (!flow->to || flow->to->node != area->node))
			continue;
		flow->uneasy = true;
		flow->from->may_error = true;
		if (flow->to)
			flow->to->may_error = true;
		list_for_each_entry(op, &flow->ops, in_flow) {
			op->may |= ways;
			op->error = 0;
		}
	}
	list_for_each_entry(other, &sim.qps, in_world) {
		if (other->node != area->node)
			continue;
		other->may_error = true;
		list_for_each_entry(recv, &other->recvs, in_queue)
			recv->may |= BIT(IB_WC_LOC_PROT_ERR);
		sim_qp_unwell(other);
	}
	for (srq = area->node->srq; srq < area->node->srq + SIM_SRQS; srq++) {
		srq->spoiled = true;
		list_for_each_entry(recv, &srq->recvs, in_queue)
			recv->may |= BIT(IB_WC_LOC_PROT_ERR);
	}
	sim_rd_eecs_trouble(area->node);
	sim_area_deregister(area);
}

/* A request that waits for credits may wait longer than its ACK timeout. */
static void stall(struct sim_qp *qp)
{
	struct sim_flow *flow;

	list_for_each_entry(flow, &sim.flows, in_world)
		if (flow->from->node == qp->node || (flow->to && flow->to->node == qp->node))
			flow->uneasy = true;
	sim_rd_eecs_trouble(qp->node);
	sim_hub_stall(qp->node);
}

static void relieve(struct sim_qp *qp)
{
	sim_hub_relieve(qp->node);
}

static void arm(struct sim_qp *qp)
{
	struct sim_srq *srq = &qp->node->srq[0];

	qp = responder_of(qp);
	if (qp->xrcd)
		srq = sim_xrc_srq_pick(qp);
	if (qp->xrcd && sim_chance(1, 2))
		sim_xrc_srq_renew(srq);
	else if (srq->exists)
		sim_srq_arm(srq);
}

static void regroup(struct sim_qp *qp)
{
	if (qp->qp && qp->type == IB_QPT_UD)
		sim_group_act(qp);
}

static void disturb(struct sim_qp *qp)
{
	(void)qp;
	sim_rd_eec_act();
}

static void migrate(struct sim_qp *qp)
{
	if (!sim_is_datagram(qp))
		sim_migration_act(&qp->migration);
}

static const struct action {
	void (*act)(struct sim_qp *qp);
	u32 weight;
} actions[] = {
	{ send_some, 50 }, { receive_some, 30 }, { revive, 8 }, { to_error, 2 },
	{ to_reset, 2 },   { destroy, 2 },	 { deregister, 2 }, { stall, 1 },
	{ relieve, 10 },   { to_sqd, 2 },	 { go_on, 6 },
	{ disturb, 6 },	 { arm, 2 },
	{ regroup, 6 },	 { migrate, 20 },
};

static void act(void)
{
	u32 total = 0, i, at;

	for (i = 0; i < ARRAY_SIZE(actions); i++)
		total += actions[i].weight;
	at = sim_below(total);
	for (i = 0; at >= actions[i].weight; i++)
		at -= actions[i].weight;
	actions[i].act(random_qp());
}

static void populate(void)
{
	u32 pairs = 1 + sim_below(4), i, j;
	u8 types[4];
	u32 n = 0;

	for (i = 0; i < 32; i++)
		if ((sim.how.types & BIT(i)) && i != IB_QPT_UD && i != HCA_QPT_RD &&
		    sim_type_exists(i))
			types[n++] = i;
	for (i = 0; n && i < pairs; i++) {
		u8 type = types[sim_below(n)];
		struct sim_qp *a = sim_qp_new(&sim.node[sim_below(sim.how.nodes)], type);
		struct sim_qp *b = sim_qp_new(&sim.node[sim_below(sim.how.nodes)],
					      type == IB_QPT_XRC_INI ? IB_QPT_XRC_TGT : type);

		sim_connect(a, b);
	}
	if (sim.how.types & BIT(HCA_QPT_RD))
		sim_rd_eecs_new();
	for (j = 0; (sim.how.types & BIT(HCA_QPT_RD)) && j < 2 + sim_below(6); j++)
		sim_start_datagrams(sim_qp_new(&sim.node[sim_below(sim.how.nodes)], HCA_QPT_RD));
	for (j = 0; (sim.how.types & BIT(IB_QPT_UD)) && j < 1 + sim_below(3); j++)
		sim_start_datagrams(sim_qp_new(&sim.node[sim_below(sim.how.nodes)], IB_QPT_UD));
}

static bool is_full(const struct hca_queue *q)
{
	return q->ring->producer - q->ring->consumer == q->entries;
}

/* The number of receive requests that are needed is unknown. */
static void help_by_rd_eec(struct sim_qp *qp)
{
	const struct hca_ring *ring = qp->qp ? qp->qp->rq.ring : NULL;
	int n = 4;

	if (!ring || ring->producer != ring->consumer || hca_qp_post_recv_ok(qp->qp) ||
	    sim_core_state(qp) == IB_QPS_ERR)
		return;
	while (n-- && sim_post_recv(qp, true))
		;
	sim_ring(qp, &qp->qp->rq);
	if (n == 3)
		sim_qp_to_error(qp);
}

static void help_by_srq(struct sim_qp *qp, struct sim_srq *srq)
{
	const struct hca_ring *ring = srq->core.rq.ring;

	while (sim_srq_post(srq))
		;
	if (ring->producer == ring->consumer && qp->state == IB_QPS_RTS)
		sim_qp_to_error(qp);
}

static void help_by_srqs(struct sim_qp *qp)
{
	struct sim_srq *srq;

	for (srq = qp->node->srq; srq < qp->node->srq + SIM_SRQS; srq++)
		if (sim_uses_srq(qp, srq))
			help_by_srq(qp, srq);
}

/*
 * Post a receive request for each queue pair that waits for one; reset its peer if there is no
 * memory.
 */
static void help(void)
{
	struct sim_qp *qp;

	list_for_each_entry(qp, &sim.qps, in_world) {
		if (qp->type == HCA_QPT_RD && !qp->srq)
			help_by_rd_eec(qp);
		if (qp->qp && sim_uses_srqs(qp)) {
			help_by_srqs(qp);
			continue;
		}
		if (!qp->qp || !qp->in || (qp->state != IB_QPS_RTS && qp->state != IB_QPS_SQD))
			continue;
		while (qp->recvs_posted < qp->in->consumes_recv && sim_post_recv(qp, true))
			;
		sim_ring(qp, &qp->qp->rq);
		if (qp->recvs_posted < qp->in->consumes_recv && !is_full(&qp->qp->rq))
			sim_qp_to_error(qp);
	}
}

/* Run until no event is left. */
static void wind_down(void)
{
	do {
		help();
	} while (pass(U64_MAX) && shim_now_ns() < END_NS);
	shim_run_until_idle();
	sim_poll();
}

void sim_program_run(void)
{
	struct sim_qp *qp;
	s32 i;

	populate();
	for (i = 0; i < sim.how.ops; i++) {
		act();
		poll_state();
		if (sim_chance(1, 2))
			pause_ns(random_pause_ns());
	}
	for (i = 0; i < sim.how.nodes; i++)
		sim_hub_relieve(&sim.node[i]);
	sim.laziness = 0;
	wind_down();
	sim_check_rd_eecs_drained();
	sim_rd_eecs_go_on();
	wind_down();
	sim_check_drained();
	list_for_each_entry(qp, &sim.qps, in_world)
		go_on(qp);
	wind_down();
	sim_check_end();
}
