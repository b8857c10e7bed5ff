// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* RNICs, with memory, CQs and an SRQ. */
#include <stdlib.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "tests/consumer/consumer.h"
#include "tests/sim/iwarp/iwsim.h"
#include "tpt/key.h"

#define NODE_CQ_ENTRIES 63 /* few enough for indices that wrap */
#define NODE_SMALL_PAGES 4
#define NODE_OTHER_QPN 0xfffff0

struct iwsim iwsim;

static void node_cq_notify(struct hca_cq *cq) { }

static void node_cq_error(struct hca_cq *cq)
{
	sim_fail("node%d: a completion queue has overflowed",
		 ((struct iwsim_node *)cq->context)->index);
}

static void node_srq_event(struct hca_srq *srq, enum hca_srq_event event)
{
	sim_fail("an SRQ has reported event %d", event);
}

/* CQs of the kernel are polled by another function. */
static void node_cqs(struct iwsim_node *node)
{
	int i;

	for (i = 0; i < IWSIM_CQS; i++) {
		struct hca_cq *cq = &node->cq[i];

		cq->notify = node_cq_notify;
		cq->error = node_cq_error;
		cq->context = node;
		if (hca_cq_init(cq, NODE_CQ_ENTRIES, sim_chance(1, 3)))
			sim_fail("no completion queue");
	}
}

static void node_srq(struct iwsim_node *node)
{
	INIT_LIST_HEAD(&node->srq_recvs);
	node->has_srq = sim_chance(1, 3);
	if (!node->has_srq)
		return;
	node->srq.notify = node_srq_event;
	node->srq.pd = node;
	if (hca_srq_init(&node->srq, IWSIM_ENTRIES, IWSIM_SGES, 0))
		sim_fail("no SRQ");
}

static struct hca_tpt_entry *node_register(struct iwsim_node *node, const void *pd, u32 access)
{
	struct hca_tpt_entry mr = {
		.iova = IWSIM_BASE,
		.length = node->octets,
		.pd = pd,
		.access = access,
		.page = node->page,
	};
	struct hca_tpt_entry *entry = consumer_reg_mr(&node->rnic.ci, &mr);

	if (!entry)
		sim_fail("no MR");
	return entry;
}

/* A window that another queue pair has bound. */
static void node_window(struct iwsim_node *node, u32 access)
{
	struct hca_binding binding = {
		.pd = node, .qpn = NODE_OTHER_QPN, .windows = &node->windows,
		.lkey = node->mr->key, .access = access & ~IB_UVERBS_ACCESS_LOCAL_WRITE,
		.addr = IWSIM_BASE, .length = node->octets,
	};
	struct iwsim_key key;

	INIT_HLIST_HEAD(&node->windows);
	iwsim_grant_new(&key, node, true);
	binding.key = key.key;
	if (hca_key_bind(&node->rnic.ci.tpt, &binding))
		sim_fail("no window");
	node->window = key.mr;
}

static void node_memory(struct iwsim_node *node)
{
	u32 pages = iwsim.is_small ? NODE_SMALL_PAGES : IWSIM_PAGES, i;
	u32 all = IB_UVERBS_ACCESS_LOCAL_WRITE | IB_UVERBS_ACCESS_REMOTE_WRITE |
		  IB_UVERBS_ACCESS_REMOTE_READ;

	INIT_LIST_HEAD(&node->spans);
	node->octets = pages * PAGE_SIZE;
	node->memory = aligned_alloc(PAGE_SIZE, node->octets);
	node->model = malloc(node->octets);
	for (i = 0; i < pages; i++)
		node->page[i] = node->memory + i * PAGE_SIZE;
	sim_fill(node->memory, node->octets);
	memcpy(node->model, node->memory, node->octets);
	node->mr = node_register(node, node, all | IB_UVERBS_ACCESS_MW_BIND);
	node->read_only = node_register(node, node, IB_UVERBS_ACCESS_REMOTE_READ);
	node->foreign = node_register(node, &node->other_pd, all);
	node_window(node, all);
}

void iwsim_options_choose(struct hca_rnic_options *options)
{
	static const u8 rtr[] = { HCA_RTR_WRITE | HCA_RTR_READ, HCA_RTR_WRITE, HCA_RTR_READ,
				  HCA_RTR_SEND | HCA_RTR_READ, 0 };

	options->crc = sim_chance(1, 2);
	options->markers = sim_chance(1, 2);
	options->strict = sim_chance(1, 2);
	options->idle_after_close = sim_chance(1, 2);
	options->revision = sim_chance(1, 3) ? 1 : 2;
	options->rtr = rtr[sim_below(ARRAY_SIZE(rtr))];
}

static struct iwsim_node *node_new(int index)
{
	struct iwsim_node *node = calloc(1, sizeof(*node));

	node->index = index;
	node->rnic.ci.qp_event = iwsim_qp_event;
	if (hca_rnic_init(&node->rnic))
		sim_fail("no RNIC");
	iwsim_options_choose(&node->rnic.options);
	node_memory(node);
	node_cqs(node);
	node_srq(node);
	return node;
}

void iwsim_nodes_new(int nodes)
{
	if (hca_engine_start())
		sim_fail("no engine");
	for (iwsim.nodes = 0; iwsim.nodes < nodes; iwsim.nodes++)
		iwsim.node[iwsim.nodes] = node_new(iwsim.nodes);
}

static void node_free(struct iwsim_node *node)
{
	struct iwsim_recv *recv, *next;
	int i;

	list_for_each_entry_safe(recv, next, &node->srq_recvs, in_queue)
		iwsim_recv_free(recv);
	iwsim_memory_check(node);
	if (!list_empty(&node->spans))
		sim_fail("node%d: the model has lost memory", node->index);
	if (node->has_srq)
		hca_srq_destroy(&node->srq);
	for (i = 0; i < IWSIM_CQS; i++)
		hca_cq_destroy(&node->cq[i]);
	if (hca_tpt_entry_remove(&node->rnic.ci.tpt, node->window) ||
	    hca_tpt_entry_remove(&node->rnic.ci.tpt, node->mr) ||
	    hca_tpt_entry_remove(&node->rnic.ci.tpt, node->read_only) ||
	    hca_tpt_entry_remove(&node->rnic.ci.tpt, node->foreign))
		sim_fail("node%d: an MR is in use", node->index);
	hca_ci_destroy(&node->rnic.ci);
	free(node->memory);
	free(node->model);
	free(node);
}

void iwsim_nodes_free(void)
{
	int i;

	for (i = 0; i < iwsim.nodes; i++)
		node_free(iwsim.node[i]);
	hca_engine_stop();
	shim_quiesce();
	if (shim_live_allocations())
		sim_fail("%lu allocations are left", shim_live_allocations());
}
