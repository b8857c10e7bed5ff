// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Adapters, memory and queue pairs: made, connected, taken down, for the core and for the model. */
#include <stdlib.h>
#include <linux/bottom_half.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "sim.h"
#include "transport/aeth.h"
#include "wire/opcode.h"

#define ALL_RIGHTS (IB_UVERBS_ACCESS_LOCAL_WRITE | IB_UVERBS_ACCESS_REMOTE_WRITE | \
		    IB_UVERBS_ACCESS_REMOTE_READ | IB_UVERBS_ACCESS_REMOTE_ATOMIC)
#define CQ_ENTRIES 2048

static struct sim_node *node_of(const struct hca_port *port)
{
	return container_of(port->node, struct sim_node, ca.node);
}

static bool is_rnr(const struct hca_packet *pkt)
{
	return (hca_opcodes[pkt->h.bth.opcode].flags & HCA_HAS_AETH) &&
	       (pkt->h.aeth.syndrome & HCA_SYNDROME_KIND) == HCA_SYNDROME_RNR;
}

static void node_receive(struct hca_port *port, struct hca_packet *pkt)
{
	struct sim_flow *flow = is_rnr(pkt) ? sim_flow_of(pkt) : NULL;
	struct sim_op *op = flow ? sim_flow_psn(flow, pkt->h.bth.psn) : NULL;

	sim_trace_packet(node_of(port)->index, "gets", pkt, "");
	if (op)
		op->rnrs++;
	hca_transport_receive(port, pkt);
}

static void port_event(struct hca_port *port, enum hca_port_event event)
{
	if (event == HCA_EVENT_PORT_ERROR)
		sim_trace(node_of(port)->index, "port error");
}

static const struct hca_port_ops node_ops = {
	.receive = node_receive,
	.receive_smp = node_receive,
	.event = port_event,
};

static void qp_event(struct hca_qp *core, enum hca_qp_event event)
{
	static const char *const names[] = { "fatal error", "request error", "access error",
					     "communication established", "send queue drained" };
	struct sim_qp *qp = core->context;

	sim_trace(qp->node->index, "qp %06x event: %s", core->qpn,
		  event < ARRAY_SIZE(names) ? names[event] : "?");
	if (event == HCA_QP_FATAL)
		sim_fail("node%d qp %06x: a fatal error, for no reason", qp->node->index, core->qpn);
	if (event == HCA_QP_SQ_DRAINED)
		sim_qp_drained(qp);
	if (event == HCA_QP_LAST_WQE_REACHED) {
		if (!qp->srq || qp->last_wqe || core->eec.state != HCA_QPS_ERR)
			sim_fail("node%d qp %06x leaves its SRQ, for no reason", qp->node->index, core->qpn);
		qp->last_wqe = true;
	}
	if ((event == HCA_QP_REQUEST_ERROR || event == HCA_QP_ACCESS_ERROR) && !qp->may_error)
		sim_fail("node%d qp %06x: %s, but nothing wrong was asked of it", qp->node->index,
			 core->qpn, names[event]);
}

static void cq_notify(struct hca_cq *cq)
{
	(void)cq;
}

static void cq_error(struct hca_cq *cq)
{
	sim_fail("node%d: a completion queue has overflowed", ((struct sim_node *)cq->context)->index);
}

/* The first area has all rights, so that something is always possible. */
static u32 random_rights(int area)
{
	static const u32 rights[] = {
		ALL_RIGHTS,
		0,
		IB_UVERBS_ACCESS_LOCAL_WRITE,
		IB_UVERBS_ACCESS_LOCAL_WRITE | IB_UVERBS_ACCESS_REMOTE_WRITE,
		IB_UVERBS_ACCESS_REMOTE_READ,
		IB_UVERBS_ACCESS_LOCAL_WRITE | IB_UVERBS_ACCESS_REMOTE_ATOMIC,
	};

	return area ? rights[sim_below(ARRAY_SIZE(rights))] : ALL_RIGHTS;
}

static void node_new(struct sim_node *node, int index)
{
	int i;

	memset(node, 0, sizeof(*node));
	node->index = index;
	if (hca_ca_init(&node->ca))
		sim_fail("no adapter");
	node->ca.qp_event = qp_event;
	node->ca.srq_event = sim_srq_event;
	node->ca.channel_event = sim_channel_event;
	node->ca.node.type = HCA_NODE_CA;
	node->ca.node.num_ports = 1;
	node->ca.node.ports = node->ports;
	if (hca_port_init(&node->ports[1], &node->ca.node, 1, &node_ops, cpu_to_be64(index + 1)))
		sim_fail("no port");
	node->ports[1].info.lid = SIM_FIRST_LID + index;
	for (i = 0; i < 2; i++) {
		node->cq[i].notify = cq_notify;
		node->cq[i].error = cq_error;
		node->cq[i].context = node;
		if (hca_cq_init(&node->cq[i], CQ_ENTRIES, sim_chance(1, 2)))
			sim_fail("no completion queue");
	}
	sim_srq_new(node);
	for (i = 0; i < SIM_MAX_AREAS; i++)
		node->area[i] = sim_area_new(node, i ? 3000 + sim_below(100000) : 400000,
					     random_rights(i));
}

void sim_world_new(void)
{
	int i;

	INIT_LIST_HEAD(&sim.qps);
	INIT_LIST_HEAD(&sim.flows);
	INIT_LIST_HEAD(&sim.channels);
	sim.num_qps = 0;
	sim.next_id = 1;
	sim.completions = 0;
	if (hca_engine_start())
		sim_fail("no engine");
	for (i = 0; i < sim.how.nodes; i++)
		node_new(&sim.node[i], i);
	sim_hub_new(sim.how.nodes);
}

static void flow_free(struct sim_flow *flow)
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

static void node_free(struct sim_node *node)
{
	int i;

	sim_srq_free(node);
	for (i = 0; i < 2; i++)
		hca_cq_destroy(&node->cq[i]);
	for (i = 0; i < SIM_MAX_AREAS; i++)
		sim_area_free(node->area[i]);
	hca_port_destroy(&node->ports[1]);
	if (node->ca.pool.in_use)
		sim_fail("node%d: %u packets never came home", node->index, node->ca.pool.in_use);
	hca_ca_destroy(&node->ca);
}

void sim_world_free(void)
{
	struct sim_flow *flow, *next_flow;
	struct sim_qp *qp, *next;
	int i;

	list_for_each_entry(qp, &sim.qps, in_world)
		if (qp->qp)
			sim_qp_destroy(qp);
	list_for_each_entry_safe(flow, next_flow, &sim.flows, in_world)
		flow_free(flow);
	list_for_each_entry_safe(qp, next, &sim.qps, in_world)
		free(qp);
	sim_channels_free();
	sim_hub_free();
	shim_run_until_idle();
	for (i = 0; i < sim.how.nodes; i++)
		node_free(&sim.node[i]);
	hca_engine_stop();
	shim_quiesce();
	if (shim_live_allocations())
		sim_fail("%lu allocations are left", shim_live_allocations());
}

struct sim_qp *sim_qp_find(const struct sim_node *node, u32 qpn)
{
	struct sim_qp *qp;

	list_for_each_entry(qp, &sim.qps, in_world)
		if (qp->node == node && qp->qp && qp->qp->qpn == qpn)
			return qp;
	return NULL;
}

/* Connected to nobody. */
bool sim_is_datagram(const struct sim_qp *qp)
{
	return qp->type == HCA_QPT_UD || qp->type == HCA_QPT_RD;
}

/* Where the core has it. */
u8 sim_core_state(const struct sim_qp *qp)
{
	struct hca_qp_attr attr;

	hca_qp_query(qp->qp, &attr);
	return attr.state;
}

u32 sim_mtu(const struct sim_qp *qp)
{
	return qp->type == HCA_QPT_UD ? HCA_MAX_MTU_BYTES : hca_mtu_bytes(qp->attr.path_mtu);
}

static struct hca_qp *core_qp_new(struct sim_qp *qp)
{
	struct sim_node *node = qp->node;
	struct hca_qp_init init = {
		.type = qp->type,
		.signal_all = qp->signal_all,
		.max_send_wr = 1 << sim_below(7),
		.max_recv_wr = 1 << sim_below(7),
		.max_send_sge = SIM_MAX_SGE,
		.max_recv_sge = SIM_MAX_SGE,
		.max_inline = SIM_MAX_INLINE,
		.pd = node,
		.rdd = qp->stranger ? (void *)node->cq : node,
		.send_cq = &node->cq[sim_below(2)],
		.recv_cq = &node->cq[sim_below(2)],
		.srq = qp->srq ? &qp->srq->core : NULL,
		.block_loopback = qp->blocks,
		.owner = node,
		.context = qp,
	};

	return hca_qp_create(&node->ca, &init);
}

bool sim_type_exists(u8 type)
{
	struct sim_qp probe = { .node = &sim.node[0], .type = type };
	struct hca_qp *core = core_qp_new(&probe);

	if (IS_ERR(core))
		return false;
	hca_qp_destroy(core);
	return true;
}

/* Room in a queue pair of the model for one of the core. */
static void qp_fill(struct sim_qp *qp)
{
	qp->signal_all = sim_chance(1, 8);
	qp->srq = qp->type != HCA_QPT_RD && qp->node->srq.exists && sim_chance(1, 2) ? &qp->node->srq : NULL;
	qp->blocks = sim_chance(1, 3);
	qp->stranger = qp->type == HCA_QPT_RD && sim_chance(1, 20);
	qp->qp = core_qp_new(qp);
	if (IS_ERR(qp->qp))
		sim_fail("no queue pair: %ld", PTR_ERR(qp->qp));
	qp->qpn = qp->qp->qpn;
	qp->state = HCA_QPS_RESET;
	sim_trace(qp->node->index, "create qp %06x%s", qp->qp->qpn,
		  qp->signal_all ? ", all signalled" : "");
}

struct sim_qp *sim_qp_new(struct sim_node *node, u8 type)
{
	struct sim_qp *qp = calloc(1, sizeof(*qp));

	qp->index = sim.num_qps++;
	qp->node = node;
	qp->type = type;
	INIT_LIST_HEAD(&qp->sends);
	INIT_LIST_HEAD(&qp->recvs);
	list_add_tail(&qp->in_world, &sim.qps);
	qp_fill(qp);
	return qp;
}

static void modify(struct sim_qp *qp, const struct hca_qp_attr *attr, int mask)
{
	int ret;

	sim_trace(qp->node->index, "modify qp %06x from %s to %s", qp->qp->qpn,
		  sim_state_name(sim_core_state(qp)), sim_state_name(attr->state));
	ret = hca_qp_modify(qp->qp, attr, mask);
	if (ret)
		sim_fail("node%d qp %06x: modify fails with %d", qp->node->index, qp->qp->qpn, ret);
	shim_run_until_idle();
}

/* Of work that was given up nothing more may be heard. */
void sim_qp_to_reset(struct sim_qp *qp)
{
	const struct hca_qp_attr attr = { .state = HCA_QPS_RESET };

	sim_poll();
	sim_qp_unwell(qp);
	modify(qp, &attr, HCA_QP_STATE);
	sim_qp_forget(qp);
	qp->state = HCA_QPS_RESET;
}

void sim_qp_to_error(struct sim_qp *qp)
{
	const struct hca_qp_attr attr = { .state = HCA_QPS_ERR };

	sim_poll();
	sim_qp_unwell(qp);
	qp->state = HCA_QPS_ERR;
	modify(qp, &attr, HCA_QP_STATE);
}

void sim_qp_again(struct sim_qp *qp)
{
	const struct hca_qp_attr attr = { .cur_state = sim_core_state(qp), .state = HCA_QPS_RTS };

	sim_poll();
	qp->state = HCA_QPS_RTS;
	qp->sends_ended = false;
	modify(qp, &attr, HCA_QP_STATE | HCA_QP_CUR_STATE);
}

/* What was sent last may have to be sent again, to be answered. */
void sim_qp_drain(struct sim_qp *qp)
{
	const struct hca_qp_attr attr = { .state = HCA_QPS_SQD, .en_sqd_async_notify = sim_chance(2, 3) };

	sim_poll();
	qp->state = HCA_QPS_SQD;
	qp->drained = false;
	qp->drain_psn = qp->qp->eec.sent_psn;
	qp->notify = attr.en_sqd_async_notify;
	qp->out->repeats = true;
	modify(qp, &attr, HCA_QP_STATE | HCA_QP_EN_SQD_ASYNC_NOTIFY);
}

void sim_qp_destroy(struct sim_qp *qp)
{
	sim_poll();
	sim_qp_unwell(qp);
	sim_trace(qp->node->index, "destroy qp %06x", qp->qp->qpn);
	hca_qp_destroy(qp->qp);
	sim_qp_forget(qp);
	sim_groups_leave(qp);
	qp->qp = NULL;
	qp->state = HCA_QPS_RESET;
}

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

/* Datagrams may be under way still: theirs is closed at the end. */
static void qp_renew(struct sim_qp *qp, struct sim_flow *out, struct sim_flow *in)
{
	if (qp->out && qp->out->to) {
		sim_flow_close(qp->out);
		flow_free(qp->out);
	}
	qp->out = out;
	qp->in = in;
	qp->may_error = false;
	qp->sends_ended = false;
	qp->recvs_ended = false;
	qp->unwell = false;
	qp->last_wqe = false;
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

/* Both ends of a connection agree on MTU and PSNs, and mostly on the depth of reads. */
void sim_random_attrs(struct sim_qp *a, struct sim_qp *b)
{
	static const u8 timeouts[] = { 14, 1, 8, 10, 12, 16, 0 };
	static const u8 mtus[] = { HCA_MTU_256, HCA_MTU_1024, HCA_MTU_512, HCA_MTU_2048, HCA_MTU_4096 };
	u8 mtu = mtus[sim_below(5)];
	struct sim_qp *qp = a;
	int i;

	for (i = 0; i < 2; i++, qp = b) {
		qp->attr = (struct hca_qp_attr){
			.port_num = 1,
			.qkey = 0x1111,
			.access = sim_chance(1, 16) ? 0 : ALL_RIGHTS & ~IB_UVERBS_ACCESS_LOCAL_WRITE,
			.path_mtu = mtu,
			.sq_psn = random_psn(),
			.max_rd_atomic = random_depth(),
			.min_rnr_timer = sim_below(32),
			.timeout = timeouts[sim_below(sim.clean ? 6 : 7)],
			.retry_cnt = sim_chance(1, 2) ? 7 : sim_below(8),
			.rnr_retry = sim_chance(1, 2) ? 7 : sim_below(8),
			.av = { .dlid = SIM_FIRST_LID + (i ? a : b)->node->index, .port_num = 1,
				.sl = sim_below(8), .has_grh = sim_chance(1, 8) },
		};
	}
	a->attr.rq_psn = b->attr.sq_psn;
	b->attr.rq_psn = a->attr.sq_psn;
	a->attr.max_dest_rd_atomic = sim_chance(1, 16) ? random_depth() : b->attr.max_rd_atomic;
	b->attr.max_dest_rd_atomic = sim_chance(1, 16) ? random_depth() : a->attr.max_rd_atomic;
}

/* Its time is shorter than a tick, or than a packet's way and back: it will try again for nothing. */
bool sim_is_impatient(const struct hca_qp_attr *attr, const struct sim_node *a,
		      const struct sim_node *b)
{
	if (sim_hub_is_stalled(a) || sim_hub_is_stalled(b))
		return true;
	return attr->timeout && 4096ull << attr->timeout < 1000 + 4 * (u64)sim.how.delay_ns;
}

static const struct transition {
	u8 from, to;
	int rc, uc, ud, rd; /* masks */
} transitions[] = {
	{ HCA_QPS_RESET, HCA_QPS_INIT, HCA_QP_ACCESS_FLAGS | HCA_QP_PKEY_INDEX | HCA_QP_PORT,
	  HCA_QP_ACCESS_FLAGS | HCA_QP_PKEY_INDEX | HCA_QP_PORT,
	  HCA_QP_QKEY | HCA_QP_PKEY_INDEX | HCA_QP_PORT, HCA_QP_QKEY | HCA_QP_ACCESS_FLAGS },
	{ HCA_QPS_INIT, HCA_QPS_RTR,
	  HCA_QP_AV | HCA_QP_PATH_MTU | HCA_QP_DEST_QPN | HCA_QP_RQ_PSN |
		  HCA_QP_MAX_DEST_RD_ATOMIC | HCA_QP_MIN_RNR_TIMER,
	  HCA_QP_AV | HCA_QP_PATH_MTU | HCA_QP_DEST_QPN | HCA_QP_RQ_PSN, 0, 0 },
	{ HCA_QPS_RTR, HCA_QPS_RTS,
	  HCA_QP_SQ_PSN | HCA_QP_TIMEOUT | HCA_QP_RETRY_CNT | HCA_QP_RNR_RETRY |
		  HCA_QP_MAX_QP_RD_ATOMIC,
	  HCA_QP_SQ_PSN, HCA_QP_SQ_PSN, 0 },
};

static void step(struct sim_qp *qp, const struct transition *t)
{
	qp->attr.cur_state = t->from;
	qp->attr.state = t->to;
	qp->state = t->to;
	modify(qp, &qp->attr,
	       HCA_QP_STATE | (qp->type == HCA_QPT_RC ? t->rc :
			       qp->type == HCA_QPT_UC ? t->uc :
			       qp->type == HCA_QPT_RD ? t->rd : t->ud));
}

/* Two that are in Reset, or destroyed, or both the same, and of whom nothing is under way. */
void sim_connect(struct sim_qp *a, struct sim_qp *b)
{
	struct sim_flow *there = flow_new(a, b), *back = flow_new(b, a);
	u32 i;

	sim_check_memory();
	qp_renew(a, there, back);
	qp_renew(b, back, there);
	a->peer = b;
	b->peer = a;
	if (!a->qp)
		qp_fill(a);
	if (!b->qp)
		qp_fill(b);
	sim_random_attrs(a, b);
	there->uneasy = sim_is_impatient(&a->attr, a->node, b->node);
	back->uneasy = sim_is_impatient(&b->attr, a->node, b->node);
	there->next_psn = a->attr.sq_psn;
	back->next_psn = b->attr.sq_psn;
	a->attr.dest_qpn = b->qp->qpn;
	b->attr.dest_qpn = a->qp->qpn;
	for (i = 0; i < ARRAY_SIZE(transitions); i++) {
		step(a, &transitions[i]);
		step(b, &transitions[i]);
	}
}

void sim_start_datagrams(struct sim_qp *qp)
{
	u32 i;

	qp_renew(qp, flow_new(qp, NULL), NULL);
	if (!qp->qp)
		qp_fill(qp);
	sim_random_attrs(qp, qp);
	for (i = 0; i < ARRAY_SIZE(transitions); i++)
		step(qp, &transitions[i]);
}
