// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Keys that SEND with invalidate is to end: each message has a key of its own. */
#include <stdlib.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include "sim.h"

struct sim_victim *sim_victim_new(struct sim_node *node)
{
	struct sim_victim *victim = calloc(1, sizeof(*victim));
	struct hca_tpt_entry *region = kzalloc(sizeof(*region), GFP_KERNEL);

	victim->node = node;
	victim->page[0] = aligned_alloc(PAGE_SIZE, PAGE_SIZE);
	region->page = victim->page;
	region->iova = (u64)sim_below(1 << 20) << PAGE_SHIFT;
	region->length = PAGE_SIZE;
	region->pd = node;
	region->access = IB_UVERBS_ACCESS_LOCAL_WRITE | IB_UVERBS_ACCESS_REMOTE_WRITE |
			 IB_UVERBS_ACCESS_REMOTE_READ | IB_UVERBS_ACCESS_REMOTE_ATOMIC;
	region->kind = HCA_TPT_FAST_MR;
	if (hca_tpt_entry_add(&node->ca.tpt, region))
		sim_fail("no region");
	victim->region = region;
	victim->key = region->key;
	return victim;
}

bool sim_victim_is_dead(const struct sim_victim *victim)
{
	return !victim->region->generation;
}

void sim_victim_free(struct sim_victim *victim)
{
	if (!victim)
		return;
	hca_tpt_entry_remove(&victim->node->ca.tpt, victim->region);
	free(victim->page[0]);
	free(victim);
}
