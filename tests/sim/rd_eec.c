// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* EE contexts between nodes: created, connected, broken, and the errors that each may see. */
#include <stdlib.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include "sim.h"
#include "tests/consumer/consumer.h"
#include "wire/opcode.h"

static struct sim_rd_eec *rd_eec_find(const struct sim_node *node, u32 eecn)
{
	struct sim_rd_eec *c;

	list_for_each_entry(c, &sim.rd_eecs, in_world)
		if (c->node == node && c->rd_eec && c->eecn == eecn)
			return c;
	return NULL;
}

struct sim_rd_eec *sim_rd_eec_find(const struct sim_node *node, u32 eecn)
{
	return rd_eec_find(node, eecn);
}

/* Find the EE context that a packet is for; NULL: there is none. */
struct sim_rd_eec *sim_rd_eec_of(const struct hca_packet *pkt)
{
	struct sim_node *node = sim_node_of(pkt->h.lrh.dlid);

	if (!node || hca_opcode_transport(pkt->h.bth.opcode) != HCA_TRANSPORT_RD)
		return NULL;
	return rd_eec_find(node, pkt->h.rdeth_eecn);
}

/*
 * Each packet of it that is dropped, duplicated, delayed or corrupted may cost either end a retry.
 */
void sim_rd_eec_harm(struct sim_rd_eec *c)
{
	c->harm++;
	c->peer->harm++;
}

/*
 * One EE context is or may be in Error: any request that uses either of the two may see an error.
 */
void sim_rd_eec_trouble(struct sim_rd_eec *c)
{
	struct sim_flow *flow;
	struct sim_op *op;

	c->rough = true;
	c->peer->rough = true;
	c->node->troubled = true;
	c->peer->node->troubled = true;
	list_for_each_entry(flow, &sim.flows, in_world)
		list_for_each_entry(op, &flow->ops, in_flow)
			if (op->rd_eec && (op->rd_eec == c || op->rd_eec == c->peer))
				op->rough = true;
}

/*
 * Count this for all EE contexts of a node, because its memory is deregistered or its link is
 * stalled.
 */
void sim_rd_eecs_trouble(const struct sim_node *node)
{
	struct sim_rd_eec *c;

	list_for_each_entry(c, &sim.rd_eecs, in_world)
		if (c->node == node)
			sim_rd_eec_trouble(c);
}

/* The state in the core. */
u8 sim_rd_eec_state(const struct sim_rd_eec *c)
{
	struct hca_qp_attr attr;

	if (!c->rd_eec)
		return IB_QPS_RESET;
	hca_rd_eec_query(c->rd_eec, &attr);
	return attr.state;
}

/* The peer does not answer: check that faults explain all exhausted retries. */
void sim_rd_eec_event(struct hca_rd_eec *core, enum hca_qp_event event)
{
	struct sim_rd_eec *c = core->context;

	sim_trace(c->node->index, "eec %06x event %d", c->eecn, event);
	if (event == HCA_QP_PATH_MIG || event == HCA_QP_PATH_MIG_ERROR)
		sim_migration_event(&c->migration, event);
	if (event == HCA_QP_SQ_DRAINED)
		sim_rd_eec_drained(c);
	if (event != HCA_QP_FATAL)
		return;
	sim_migration_gave_up(&c->migration);
	if (!c->rough && c->harm <= c->attr.iba.retry_cnt)
		sim_fail("node%d eec %06x: a fatal error, for no reason", c->node->index,
			 c->eecn);
	sim_rd_eec_trouble(c);
}

void sim_rd_eec_modify(struct sim_rd_eec *c, const struct hca_qp_attr *attr, int mask)
{
	int ret;

	sim_trace(c->node->index, "modify eec %06x from %s to %s", c->eecn,
		  sim_state_name(sim_rd_eec_state(c)), sim_state_name(attr->state));
	ret = hca_rd_eec_modify(c->rd_eec, attr, mask);
	if (ret)
		sim_fail("node%d eec %06x: modify fails with %d", c->node->index, c->eecn, ret);
	shim_run_until_idle();
}

static void to_state(struct sim_rd_eec *c, u8 state)
{
	const struct hca_qp_attr attr = { .state = state };

	sim_poll();
	sim_rd_eec_trouble(c);
	if (state == IB_QPS_RESET)
		c->migration.eec = NULL;
	sim_rd_eec_modify(c, &attr, IB_QP_STATE);
}

static void create(struct sim_rd_eec *c)
{
	const struct hca_rd_eec_init init = { .rdd = c->node, .owner = c->node, .context = c };

	c->rd_eec = hca_rd_eec_create(&c->node->ca, &init);
	if (IS_ERR(c->rd_eec))
		sim_fail("no EE context: %ld", PTR_ERR(c->rd_eec));
	c->eecn = c->rd_eec->eecn;
}

static void destroy(struct sim_rd_eec *c)
{
	sim_poll();
	sim_rd_eec_trouble(c);
	c->migration.eec = NULL;
	sim_trace(c->node->index, "destroy eec %06x", c->eecn);
	hca_rd_eec_destroy(c->rd_eec);
	shim_run_until_idle();
	c->rd_eec = NULL;
}

/* Both EE contexts are in Reset, and no packet of them is in transit. */
static void connect(struct sim_rd_eec *a)
{
	struct sim_qp ends[2] = { { .node = a->node }, { .node = a->peer->node } };
	struct sim_rd_eec *both[2] = { a, a->peer };
	u8 state;
	u32 j;

	for (j = 0; j < 2; j++)
		if (!both[j]->rd_eec)
			create(both[j]);
	sim_random_attrs(&ends[0], &ends[1]);
	for (j = 0; j < 2; j++) {
		both[j]->attr = ends[j].attr;
		both[j]->attr.iba.dest_qpn = both[!j]->eecn;
		both[j]->harm = 0;
		both[j]->seen = false;
		both[j]->rough = sim_is_impatient(&ends[j].attr, a->node, a->peer->node);
	}
	for (j = 0; j < 2; j++)
		both[j]->rough |= both[!j]->rough;
	sim_migration_begin_rd_eecs(a, a->peer);
	for (state = IB_QPS_INIT; state <= IB_QPS_RTS; state++)
		for (j = 0; j < 2; j++) {
			both[j]->attr.cur_state = state - 1;
			both[j]->attr.state = state;
			sim_rd_eec_modify(both[j], &both[j]->attr, consumer_rd_eec_mask(state));
		}
}

static struct sim_rd_eec *rd_eec_new(struct sim_node *node)
{
	struct sim_rd_eec *c = calloc(1, sizeof(*c));

	c->node = node;
	c->index = sim.num_rd_eecs++;
	list_add_tail(&c->in_world, &sim.rd_eecs);
	return c;
}

/* There are few EE contexts, so that queue pairs share them. */
void sim_rd_eecs_new(void)
{
	u32 n = 1 + sim_below(sim.how.nodes + 1);

	while (n--) {
		struct sim_rd_eec *a = rd_eec_new(&sim.node[sim_below(sim.how.nodes)]);
		struct sim_rd_eec *b = rd_eec_new(&sim.node[sim_below(sim.how.nodes)]);

		a->peer = b;
		b->peer = a;
		connect(a);
	}
}

void sim_rd_eecs_free(void)
{
	struct sim_rd_eec *c, *next;

	/*
	 * While an EE context is destroyed its queued packets are still handled, behind those of
	 * others.
	 */
	list_for_each_entry(c, &sim.rd_eecs, in_world)
		if (c->rd_eec)
			hca_rd_eec_destroy(c->rd_eec);
	list_for_each_entry_safe(c, next, &sim.rd_eecs, in_world)
		free(c);
	INIT_LIST_HEAD(&sim.rd_eecs);
}

/* A random EE context of the node; NULL: it has none. */
struct sim_rd_eec *sim_rd_eec_pick(const struct sim_node *node)
{
	struct sim_rd_eec *c, *found = NULL;
	u32 n = 0;

	list_for_each_entry(c, &sim.rd_eecs, in_world)
		if (c->node == node && !sim_below(++n))
			found = c;
	return found;
}

static bool is_quiet(const struct sim_rd_eec *c)
{
	return (!c->rd_eec || sim_rd_eec_state(c) == IB_QPS_RESET) && !sim_hub_carries_rd_eec(c);
}

static bool is_well(const struct sim_rd_eec *c)
{
	u8 state = sim_rd_eec_state(c);

	return state == IB_QPS_RTS || state == IB_QPS_SQD;
}

/* Break one of the EE contexts, or mend those that are broken. */
void sim_rd_eec_act(void)
{
	u32 n = sim.num_rd_eecs ? sim_below(sim.num_rd_eecs) : 0;
	struct sim_rd_eec *c;

	list_for_each_entry(c, &sim.rd_eecs, in_world)
		if (!n--)
			break;
	if (!sim.num_rd_eecs)
		return;
	if (!is_well(c) || !is_well(c->peer)) {
		if (c->rd_eec && sim_rd_eec_state(c) != IB_QPS_RESET)
			to_state(c, IB_QPS_RESET);
		if (c->peer->rd_eec && sim_rd_eec_state(c->peer) != IB_QPS_RESET)
			to_state(c->peer, IB_QPS_RESET);
		if (is_quiet(c) && is_quiet(c->peer))
			connect(c);
		return;
	}
	if (sim_rd_eec_state(c) == IB_QPS_SQD && sim_chance(1, 2)) {
		sim_rd_eec_again(c);
		return;
	}
	switch (sim_below(16)) {
	case 0:
		to_state(c, IB_QPS_ERR);
		break;
	case 1:
		to_state(c, IB_QPS_RESET);
		break;
	case 2:
		destroy(c);
		break;
	case 3 ... 10:
		sim_migration_act(&c->migration);
		break;
	case 11 ... 12:
		if (sim_rd_eec_state(c) == IB_QPS_RTS)
			sim_rd_eec_drain(c);
		break;
	}
}

/*
 * Check a request packet that leaves: the PSNs of an EE context have no gaps, and a Resync skips
 * none.
 */
void sim_rd_eec_check(const struct hca_packet *pkt, struct sim_rd_eec *c)
{
	u32 flags = hca_opcodes[pkt->h.bth.opcode].flags, psn = pkt->h.bth.psn, mtu, packets = 1;
	bool begins = flags & (HCA_IS_FIRST | HCA_IS_READ | HCA_IS_ATOMIC) &&
		      pkt->h.bth.opcode != HCA_OPCODE(RD, RESYNC), again;

	if (flags & HCA_IS_READ) {
		mtu = hca_mtu_bytes(c->attr.iba.path_mtu);
		packets = max(1u, DIV_ROUND_UP(pkt->h.reth.length, mtu));
	}
	again = c->seen && hca_psn_diff(psn, c->highest) <= 0;
	sim_rd_eec_leave(c, begins && !again, again);
	if (again)
		return;
	if (psn != (c->seen ? hca_psn_add(c->highest, 1) : c->attr.iba.sq_psn) &&
	    !c->migration.mixed)
		sim_fail("node%d eec %06x sends PSN %06x out of turn", c->node->index, c->eecn,
			 psn);
	c->seen = true;
	c->highest = hca_psn_add(psn, packets - 1);
}

/* EE contexts that have drained may begin again. */
void sim_rd_eecs_go_on(void)
{
	struct sim_rd_eec *c;

	list_for_each_entry(c, &sim.rd_eecs, in_world)
		if (sim_rd_eec_state(c) == IB_QPS_SQD)
			sim_rd_eec_again(c);
}
