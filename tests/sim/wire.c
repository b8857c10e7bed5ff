// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The network: a hub that copies each packet, applies the faults that the seed chooses, and
 * forwards it by its DLID when it is due. The links' credits are honored in both directions.
 */
#include <stdlib.h>
#include <linux/bottom_half.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "link/port/port_init.h"
#include "link/state/state.h"
#include "link/tx/tx.h"
#include "packet/batch.h"
#include "phy/cable.h"
#include "sim.h"
#include "transport/aeth.h"
#include "wire/opcode.h"

/* A packet in transit. */
struct sim_held {
	u64 due;
	/* of two packets with one due time, the one with the lower number goes first */
	u64 sequence;
	bool stale; /* the packet is delayed, or a duplicate */
	struct hca_packet *pkt;
};

/* Packets towards one node that wait for credits. */
struct sim_hub_port {
	struct llist_node *first, **last;
	struct hca_blocked_sender blocked;
	struct hca_runnable run;
	struct hca_port *port;
	bool stalled;
};

/* More blocks than any buffer has. */
#define STALL_BLOCKS (1u << 20)

/*
 * The faults that the transport services allow of a network (unreliable services cannot detect
 * some).
 */
static const u8 faults_of[8] = {
	[HCA_TRANSPORT_RC] = BIT(SIM_DROP) | BIT(SIM_DUP) | BIT(SIM_REORDER) | BIT(SIM_CORRUPT),
	[HCA_TRANSPORT_XRC] = BIT(SIM_DROP) | BIT(SIM_DUP) | BIT(SIM_REORDER) | BIT(SIM_CORRUPT),
	[HCA_TRANSPORT_UC] = BIT(SIM_DROP) | BIT(SIM_CORRUPT),
	[HCA_TRANSPORT_RD] = BIT(SIM_DROP) | BIT(SIM_DUP) | BIT(SIM_REORDER) | BIT(SIM_CORRUPT),
	[HCA_TRANSPORT_UD] = BIT(SIM_DROP) | BIT(SIM_REORDER) | BIT(SIM_CORRUPT),
};

static bool fault(const struct hca_packet *pkt, enum sim_fault which)
{
	bool happens = (s64)(rng_next(&sim.faults) >> 32) < sim.how.chance[which];

	return happens && (faults_of[hca_opcode_transport(pkt->h.bth.opcode)] & BIT(which));
}

static bool before(const struct sim_held *a, const struct sim_held *b)
{
	return a->due != b->due ? a->due < b->due : a->sequence < b->sequence;
}

static void hub_enqueue(struct hca_packet *pkt, u64 due, bool stale)
{
	struct sim_hub *hub = &sim.hub;
	struct sim_held *held = malloc(sizeof(*held));
	u32 i = hub->num_held++;

	*held = (struct sim_held){
		.due = due, .sequence = hub->sequence++, .pkt = pkt, .stale = stale
	};
	if (hub->num_held > hub->room) {
		hub->room = hub->room ? hub->room * 2 : 64;
		hub->held = realloc(hub->held, hub->room * sizeof(*hub->held));
	}
	for (; i && before(held, hub->held[(i - 1) / 2]); i = (i - 1) / 2)
		hub->held[i] = hub->held[(i - 1) / 2];
	hub->held[i] = held;
}

static struct sim_held *hub_dequeue(void)
{
	struct sim_hub *hub = &sim.hub;
	struct sim_held *first = hub->held[0], *last = hub->held[--hub->num_held];
	u32 i = 0, child;

	for (; (child = 2 * i + 1) < hub->num_held; i = child) {
		if (child + 1 < hub->num_held && before(hub->held[child + 1], hub->held[child]))
			child++;
		if (!before(hub->held[child], last))
			break;
		hub->held[i] = hub->held[child];
	}
	hub->held[i] = last;
	return first;
}

u64 sim_hub_next_ns(void)
{
	return sim.hub.num_held ? sim.hub.held[0]->due : U64_MAX;
}

static bool is_for_qp(const struct hca_packet *pkt, const void *arg)
{
	const struct sim_qp *qp = arg;
	const struct hca_headers *h = &pkt->h;

	return sim_node_of(h->lrh.dlid) == qp->node && h->bth.destqp == qp->qp->qpn;
}

static bool is_for_rd_eec(const struct hca_packet *pkt, const void *arg)
{
	return sim_rd_eec_of(pkt) == arg;
}

static u32 port_queued(const struct hca_port *port,
		       bool (*is)(const struct hca_packet *pkt, const void *arg), const void *arg)
{
	const struct llist_node *node;
	u32 count = 0;
	int vl;

	for (vl = 0; vl < HCA_DATA_VLS; vl++)
		for (node = port->tx.vl_queue[vl].first; node; node = node->next)
			count += is(llist_entry(node, struct hca_packet, node), arg);
	return count;
}

/* A packet in the hub, or in a queue before or behind it. */
static bool is_on_its_way(bool (*is)(const struct hca_packet *pkt, const void *arg),
			  const void *arg)
{
	u32 i;

	for (i = 0; i < sim.hub.num_held; i++)
		if (is(sim.hub.held[i]->pkt, arg))
			return true;
	for (i = 0; i < sim.how.nodes * SIM_PORTS; i++)
		if (port_queued(&sim.node[i / SIM_PORTS].ports[1 + i % SIM_PORTS], is, arg) ||
		    port_queued(sim.hub.port[i].port, is, arg))
			return true;
	return false;
}

/* Whether any packet for this queue pair is in transit. */
bool sim_hub_carries(const struct sim_qp *qp)
{
	return is_on_its_way(is_for_qp, qp);
}

/* Whether any packet for this EE context is in transit. */
bool sim_hub_carries_rd_eec(const struct sim_rd_eec *c)
{
	return is_on_its_way(is_for_rd_eec, c);
}

bool sim_is_response(const struct hca_packet *pkt)
{
	return hca_opcodes[pkt->h.bth.opcode].flags & HCA_IS_RESPONSE;
}

bool sim_is_rnr(const struct hca_packet *pkt)
{
	return (hca_opcodes[pkt->h.bth.opcode].flags & HCA_HAS_AETH) &&
	       (pkt->h.aeth.syndrome & HCA_SYNDROME_KIND) == HCA_SYNDROME_RNR;
}

/* Find the flow of a packet; NULL: there is none. */
struct sim_flow *sim_flow_of(const struct hca_packet *pkt)
{
	const struct hca_headers *h = &pkt->h;
	u8 transport = hca_opcode_transport(h->bth.opcode);
	struct sim_node *node = sim_node_of(h->lrh.dlid);
	struct sim_qp *to;

	if (!node || (transport != HCA_TRANSPORT_RC && transport != HCA_TRANSPORT_XRC))
		return NULL;
	to = sim_qp_find(node, h->bth.destqp);
	if (!to)
		return NULL;
	return sim_is_response(pkt) ? to->out : to->in;
}

/* The NAK ends the request: it is not one for a PSN sequence error. */
static bool is_refusal(const struct hca_packet *pkt)
{
	return hca_opcode_operation(pkt->h.bth.opcode) == IB_OPCODE_ACKNOWLEDGE &&
	       (pkt->h.aeth.syndrome & HCA_SYNDROME_KIND) == HCA_SYNDROME_NAK &&
	       pkt->h.aeth.syndrome != HCA_NAK_PSN_SEQUENCE;
}

static bool begins_response(u8 operation)
{
	return operation == IB_OPCODE_RDMA_READ_RESPONSE_FIRST ||
	       operation == IB_OPCODE_RDMA_READ_RESPONSE_ONLY ||
	       operation == IB_OPCODE_ATOMIC_ACKNOWLEDGE;
}

/*
 * A response leaves after an acknowledgement of its PSN or a later one, which is an implied NAK:
 * the sender asks for it again, and that is an attempt. Nothing needs to be lost for that: a
 * repeated Write is acknowledged with the latest PSN while that response waits to be sent.
 */
static void overtaken(struct sim_flow *flow, const struct hca_packet *pkt)
{
	u8 operation = hca_opcode_operation(pkt->h.bth.opcode);
	u32 psn = pkt->h.bth.psn;

	if (operation == IB_OPCODE_ACKNOWLEDGE) {
		if ((pkt->h.aeth.syndrome & HCA_SYNDROME_KIND) == HCA_SYNDROME_ACK &&
		    hca_psn_diff(psn, flow->acknowledged) > 0)
			flow->acknowledged = psn;
	} else if (begins_response(operation) && hca_psn_diff(psn, flow->responded) > 0) {
		flow->responded = psn;
		flow->harm += hca_psn_diff(psn, flow->acknowledged) <= 0;
	}
}

/* A request leaves, perhaps again: from now on only answers to this one count. */
static void asked(struct sim_flow *flow, u32 psn)
{
	u32 before = hca_psn_add(psn, -1);

	if (hca_psn_diff(flow->acknowledged, before) > 0)
		flow->acknowledged = before;
	if (hca_psn_diff(flow->responded, before) > 0)
		flow->responded = before;
}

static void left(const struct hca_packet *pkt)
{
	bool request = hca_opcodes[pkt->h.bth.opcode].flags & HCA_IS_REQUEST;
	struct sim_migration *m = sim_migration_of(pkt);
	struct sim_rd_eec *rd_eec = sim_rd_eec_of(pkt);
	struct sim_flow *flow = sim_flow_of(pkt);

	if (m)
		sim_migration_leave(m->peer, pkt);
	if (flow && request) {
		sim_check_request(flow, pkt);
		asked(flow, pkt->h.bth.psn);
	}
	if (flow && sim_is_response(pkt))
		overtaken(flow, pkt);
	if (flow && is_refusal(pkt) && !flow->uneasy)
		flow->to->refused = true;
	if (flow && sim_is_rnr(pkt))
		sim_credit_refuse(flow, sim_flow_psn(flow, pkt->h.bth.psn));
	if (rd_eec && request)
		sim_rd_eec_check(pkt, rd_eec->peer);
}

/* A packet, or segment batch, has left, for the hub or for its sender's own LID. */
void sim_left(const struct hca_packet *pkt)
{
	struct hca_packet part;
	u8 i;

	if (pkt->packets == 1)
		left(pkt);
	else
		for (i = 0; i < pkt->packets; i++) {
			hca_batch_view(pkt, i, 1, &part);
			left(&part);
		}
}

/* Forward a packet, or a segment batch whose packets share one fate. */
static void hub_accept(struct hca_packet *pkt)
{
	u64 now = shim_now_ns(), extra = 1 + rng_next(&sim.faults) % (40 * sim.how.delay_ns + 2000);
	bool drop = fault(pkt, SIM_DROP), dup = fault(pkt, SIM_DUP);
	bool late = fault(pkt, SIM_REORDER), corrupt = fault(pkt, SIM_CORRUPT);
	s64 flip = corrupt ? (s64)(rng_next(&sim.faults) >> 33) : -1;
	struct sim_flow *flow = sim_flow_of(pkt);
	struct sim_rd_eec *rd_eec = sim_rd_eec_of(pkt);
	struct sim_migration *m = sim_migration_of(pkt);
	struct hca_packet *copy;

	sim.hub.packets += pkt->packets;
	sim_left(pkt);
	drop |= m && sim_migration_is_cut(m->peer, pkt);
	copy = drop ? NULL : sim_packet_copy(&sim.hub.pool, pkt, flip);
	sim_trace_packet(-1, "takes", pkt, drop ? ": DROPPED" : corrupt ? ": CORRUPTED" :
				 !copy ? ": memory gone" : dup ? ": DUPLICATED" :
				 late ? ": DELAYED" : "");
	hca_packet_free(pkt);
	if (flow)
		flow->harm += !copy || dup || late;
	if (rd_eec && (!copy || dup || late))
		sim_rd_eec_harm(rd_eec);
	if (!copy) {
		sim.hub.dropped++;
		return;
	}
	if (dup)
		hub_enqueue(sim_packet_copy_again(copy), now + sim.how.delay_ns + extra, true);
	hub_enqueue(copy, now + sim.how.delay_ns + (late ? extra : 0), late);
}

/* Receive from a node. The packets of a segment batch often meet different fates. */
static void hub_receive(struct hca_port *port, struct hca_packet *pkt)
{
	bool whole = pkt->packets > 1 && rng_next(&sim.faults) % 2;

	(void)port;
	while (!whole && pkt->packets > 1)
		hub_accept(hca_batch_split(pkt, 1 + rng_next(&sim.faults) % (pkt->packets - 1)));
	hub_accept(pkt);
}

/*
 * A port accepts every LID of the hub's range when it receives, and no LID when it sends, which
 * would loop.
 */
static bool hub_port_send(struct sim_hub_port *to, struct hca_packet *pkt)
{
	bool polled;

	to->port->info.lid = 0;
	polled = hca_port_send(to->port, pkt, &to->blocked);
	to->port->info.lid = SIM_FIRST_LID & ~1;
	return polled;
}

static bool hub_port_run(struct hca_runnable *r, int *budget)
{
	struct sim_hub_port *to = container_of(r, struct sim_hub_port, run);

	while (to->first) {
		struct llist_node *next = to->first->next;

		if (!hub_port_send(to, llist_entry(to->first, struct hca_packet, node)))
			return false;
		to->first = next;
	}
	to->last = &to->first;
	return false;
}

static void hub_forward_to(struct hca_packet *pkt, u16 lid)
{
	struct sim_hub_port *to;

	if (!sim_node_of(lid)) {
		hca_packet_free(pkt);
		return;
	}
	to = &sim.hub.port[lid - SIM_FIRST_LID];
	if (!to->first && hub_port_send(to, pkt))
		return;
	pkt->node.next = NULL;
	if (!to->first)
		to->last = &to->first;
	*to->last = &pkt->node;
	to->last = &pkt->node.next;
}

/*
 * A multicast goes to the first port of all nodes but its sender, and may be lost for each of them.
 */
static void hub_forward(struct hca_packet *pkt)
{
	const struct sim_node *node;

	if (!hca_lid_is_multicast(pkt->h.lrh.dlid)) {
		hub_forward_to(pkt, pkt->h.lrh.dlid);
		return;
	}
	for (node = sim.node; node < sim.node + sim.how.nodes; node++)
		if (node != sim_node_of(pkt->h.lrh.slid) && !fault(pkt, SIM_DROP))
			hub_forward_to(sim_packet_copy_again(pkt), sim_lid(node, 1));
	hca_packet_free(pkt);
}

/* Forward packets that are due; sometimes several before the receivers run. */
void sim_hub_deliver(void)
{
	u32 burst = rng_next(&sim.faults) % 4 ? 1 : 20;

	local_bh_disable();
	while (burst-- && sim_hub_next_ns() <= shim_now_ns()) {
		struct sim_held *held = hub_dequeue();
		struct sim_flow *flow = held->stale ? sim_flow_of(held->pkt) : NULL;
		struct sim_rd_eec *rd_eec = held->stale ? sim_rd_eec_of(held->pkt) : NULL;

		if (flow)
			flow->harm++;
		if (rd_eec)
			sim_rd_eec_harm(rd_eec);
		hub_forward(held->pkt);
		free(held);
	}
	hca_engine_run();
	local_bh_enable();
	shim_run_until_idle();
}

static const struct hca_port_ops hub_ops = { .receive = hub_receive, .receive_smp = hub_receive };

/* The buffer is smaller than a port's default, but has room for the largest packet. */
static void shrink(struct hca_port *port)
{
	u32 vl, blocks = 70 + sim_below(400);

	for (vl = 0; vl < HCA_NUM_VLS; vl++)
		port->rx_buffer.fccl[vl] = min(port->rx_buffer.fccl[vl], blocks);
}

static struct sim_hub_port *hub_port_of(const struct sim_node *node)
{
	return &sim.hub.port[node->index * SIM_PORTS];
}

static void hub_node_credit(const struct sim_node *node, u32 blocks)
{
	struct sim_hub_port *to = hub_port_of(node);
	u32 vl, i;

	for (i = 0; i < SIM_PORTS; i++, to++) {
		to->stalled = !to->stalled;
		for (vl = 0; vl < HCA_NUM_VLS; vl++)
			to->port->rx_buffer.fccl[vl] += blocks;
	}
}

bool sim_hub_is_stalled(const struct sim_node *node)
{
	return hub_port_of(node)->stalled;
}

/* The hub returns no credits to a node for a while. */
void sim_hub_stall(const struct sim_node *node)
{
	if (sim_hub_is_stalled(node))
		return;
	sim_trace(-1, "gives no credit to node%d", node->index);
	hub_node_credit(node, -STALL_BLOCKS);
}

void sim_hub_relieve(const struct sim_node *node)
{
	u32 i;

	if (!sim_hub_is_stalled(node))
		return;
	sim_trace(-1, "gives credit to node%d again", node->index);
	sim.hub.relieved_ns = shim_now_ns();
	local_bh_disable();
	hub_node_credit(node, STALL_BLOCKS);
	for (i = 0; i < SIM_PORTS; i++)
		hca_port_wake(rcu_dereference_bh(hub_port_of(node)[i].port->peer));
	hca_engine_run();
	local_bh_enable();
	shim_run_until_idle();
}

void sim_hub_new(void)
{
	struct sim_hub *hub = &sim.hub;
	int ports = sim.how.nodes * SIM_PORTS, i;
	bool small = sim_chance(1, 2);

	*hub = (struct sim_hub){ .node = { .type = RDMA_NODE_IB_SWITCH, .num_ports = ports } };
	hub->node.ports = hub->ports;
	hca_packet_pool_init(&hub->pool, NULL, 1 << 20);
	hub->port = calloc(ports, sizeof(*hub->port));
	for (i = 0; i < ports; i++) {
		struct sim_hub_port *to = &hub->port[i];
		struct hca_port *own = &hub->ports[i + 1];
		struct hca_port *peer = &sim.node[i / SIM_PORTS].ports[i % SIM_PORTS + 1];

		if (hca_node_init_port(own, &hub->node, i + 1, &hub_ops, 0))
			sim_fail("no port");
		own->info.lid = SIM_FIRST_LID & ~1;
		own->info.lmc = 14;
		to->port = own;
		to->last = &to->first;
		to->blocked.runnable = &to->run;
		INIT_LIST_HEAD(&to->blocked.node);
		hca_run_init(&to->run, hub_port_run);
		hca_cable_connect(own, peer);
		hca_port_set_state(own, IB_PORT_ARMED);
		hca_port_set_state(peer, IB_PORT_ARMED);
		hca_port_set_state(own, IB_PORT_ACTIVE);
		hca_port_set_state(peer, IB_PORT_ACTIVE);
		if (small) {
			shrink(own);
			shrink(peer);
		}
	}
}

void sim_hub_free(void)
{
	struct sim_hub *hub = &sim.hub;
	int i;

	local_bh_disable();
	while (hub->num_held) {
		struct sim_held *held = hub_dequeue();

		hca_packet_free(held->pkt);
		free(held);
	}
	local_bh_enable();
	for (i = 0; i < sim.how.nodes * SIM_PORTS; i++) {
		hca_cable_disconnect(&hub->ports[i + 1]);
		shim_run_until_idle();
		hca_run_stop(&hub->port[i].run);
		hca_port_destroy(&hub->ports[i + 1]);
	}
	if (hub->pool.in_use)
		sim_fail("%u of the hub's packets never came home", hub->pool.in_use);
	hca_packet_pool_destroy(&hub->pool);
	free(hub->held);
	free(hub->port);
}
