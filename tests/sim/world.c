// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Adapters and their memory, created and destroyed; the handlers of packets that their ports
 * receive.
 */
#include <stdlib.h>
#include <linux/bottom_half.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "link/port/port_init.h"
#include "sim.h"
#include "transport/watch.h"

#define CQ_ENTRIES 2048

static struct sim_node *node_of(const struct hca_port *port)
{
	return container_of(port->node, struct sim_node, ca.node);
}

/*
 * Count RNR NAKs, whose number is limited. Packets that waited on the way may arrive at the same
 * time, and count once.
 */
static void rnr_received(struct sim_op *op)
{
	const struct hca_qp_attr *attr = &op->qp->attr;

	op->rnrs++;
	if (attr->iba.rnr_retry != 7 && op->rnrs > attr->iba.rnr_retry + 1u && !op->qp->out->harm &&
	    !op->qp->out->far && !sim_flow_uneasy(op->qp->out))
		sim_fail("node%d qp %06x #%llu has come %u times to who is not ready",
			 op->qp->node->index,
			 op->qp->qpn, (unsigned long long)op->wr_id, op->rnrs);
}

static void node_receive(struct hca_port *port, struct hca_packet *pkt)
{
	struct sim_migration *m = sim_migration_of(pkt);
	struct sim_flow *flow = sim_flow_of(pkt);
	struct sim_op *op = flow && sim_is_rnr(pkt) ? sim_flow_psn(flow, pkt->h.bth.psn) : NULL;

	sim_trace_packet(node_of(port)->index, "gets", pkt, "");
	if (pkt->h.lrh.slid == pkt->h.lrh.dlid)
		sim_left(pkt);
	if (op)
		rnr_received(op);
	if (m && sim_migration_recv(m, port, pkt) && flow && sim_is_response(pkt))
		sim_credit_recv(flow, pkt);
	hca_transport_receive(port, pkt);
	if (m)
		sim_migration_done(m);
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

static void cq_notify(struct hca_cq *cq)
{
	(void)cq;
}

static void cq_error(struct hca_cq *cq)
{
	sim_fail("node%d: a completion queue has overflowed",
		 ((struct sim_node *)cq->context)->index);
}

/* The first area has all rights, so that some request is always possible. */
static u32 random_rights(int area)
{
	static const u32 rights[] = {
		SIM_ALL_RIGHTS,
		0,
		IB_UVERBS_ACCESS_LOCAL_WRITE,
		IB_UVERBS_ACCESS_LOCAL_WRITE | IB_UVERBS_ACCESS_REMOTE_WRITE,
		IB_UVERBS_ACCESS_REMOTE_READ,
		IB_UVERBS_ACCESS_LOCAL_WRITE | IB_UVERBS_ACCESS_REMOTE_ATOMIC,
	};

	return area ? rights[sim_below(ARRAY_SIZE(rights))] : SIM_ALL_RIGHTS;
}

static void cqs_new(struct sim_node *node, u32 n)
{
	for (; n--; node->num_cqs++) {
		struct hca_cq *cq = &node->cq[node->num_cqs];

		cq->notify = cq_notify;
		cq->error = cq_error;
		cq->context = node;
		if (hca_cq_init(cq, CQ_ENTRIES, sim_chance(1, 2)))
			sim_fail("no completion queue");
	}
}

static void process_new(struct sim_node *node)
{
	struct sim_process *process = &node->process[node->num_processes++];
	u32 i;

	process->node = node;
	for (i = 0; i < SIM_MAX_AREAS; i++) {
		/* drawn first, because C does not define the order of evaluation of arguments */
		u32 allowed = random_rights(i);

		process->area[i] = sim_area_new(process, i ? 3000 + sim_below(100000) : 400000,
						allowed);
	}
}

static void node_new(struct sim_node *node, int index)
{
	int i;

	memset(node, 0, sizeof(*node));
	node->index = index;
	if (hca_ca_init(&node->ca))
		sim_fail("no adapter");
	node->ci = &node->ca.ci;
	node->ci->qp_event = sim_qp_event;
	node->ca.rd_eec_event = sim_rd_eec_event;
	node->ca.node.type = RDMA_NODE_IB_CA;
	node->ca.node.num_ports = SIM_PORTS;
	node->ca.node.ports = node->ports;
	for (i = 1; i <= SIM_PORTS; i++) {
		if (hca_node_init_port(&node->ports[i], &node->ca.node, i, &node_ops,
				       cpu_to_be64(sim_lid(node, i))))
			sim_fail("no port");
		node->ports[i].info.lid = sim_lid(node, i);
	}
	for (i = 0; i < SIM_SRQS; i++)
		INIT_LIST_HEAD(&node->srq[i].recvs);
	cqs_new(node, 2);
	node->process[0].node = node;
	if (!sim_chance(1, 2))
		sim_srq_new(&node->srq[0], &node->process[0]);
	process_new(node);
	if (!(sim.how.types & BIT(IB_QPT_XRC_INI)))
		return;
	cqs_new(node, SIM_XRC_SRQS);
	process_new(node);
	sim_xrc_srqs_new(node);
}

void sim_world_new(void)
{
	int i;

	INIT_LIST_HEAD(&sim.qps);
	INIT_LIST_HEAD(&sim.flows);
	INIT_LIST_HEAD(&sim.rd_eecs);
	sim.num_qps = 0;
	sim.next_id = 1;
	sim.completions = 0;
	if (hca_engine_start() || hca_watch_start())
		sim_fail("no engine");
	for (i = 0; i < sim.how.nodes; i++)
		node_new(&sim.node[i], i);
	sim_hub_new();
}

static void node_free(struct sim_node *node)
{
	u32 i, j;

	sim_xrc_srqs_withdraw(node);
	sim_srqs_free(node);
	for (i = 0; i < node->num_cqs; i++)
		hca_cq_destroy(&node->cq[i]);
	for (i = 0; i < node->num_processes; i++)
		for (j = 0; j < SIM_MAX_AREAS; j++)
			sim_area_free(node->process[i].area[j]);
	for (i = 1; i <= SIM_PORTS; i++)
		hca_port_destroy(&node->ports[i]);
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
		sim_flow_free(flow);
	list_for_each_entry_safe(qp, next, &sim.qps, in_world)
		free(qp);
	sim_rd_eecs_free();
	sim_hub_free();
	shim_run_until_idle();
	for (i = 0; i < sim.how.nodes; i++)
		node_free(&sim.node[i]);
	hca_watch_stop();
	hca_engine_stop();
	shim_quiesce();
	if (shim_live_allocations())
		sim_fail("%lu allocations are left", shim_live_allocations());
}
