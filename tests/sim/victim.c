// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Keys that SEND with invalidate is to end: each message has a key of its own. */
#include <stdlib.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include "sim.h"

struct sim_victim *sim_victim_new(struct sim_process *process)
{
	struct sim_victim *victim = calloc(1, sizeof(*victim));
	struct hca_tpt_entry *mr = kzalloc(sizeof(*mr), GFP_KERNEL);

	victim->node = process->node;
	victim->page[0] = aligned_alloc(PAGE_SIZE, PAGE_SIZE);
	mr->page = victim->page;
	mr->iova = (u64)sim_below(1 << 20) << PAGE_SHIFT;
	mr->length = PAGE_SIZE;
	mr->pd = process;
	mr->access = IB_UVERBS_ACCESS_LOCAL_WRITE | IB_UVERBS_ACCESS_REMOTE_WRITE |
			 IB_UVERBS_ACCESS_REMOTE_READ | IB_UVERBS_ACCESS_REMOTE_ATOMIC;
	mr->kind = HCA_TPT_FAST_MR;
	if (hca_tpt_entry_add(&victim->node->ci->tpt, mr))
		sim_fail("no MR");
	victim->mr = mr;
	victim->key = mr->key;
	return victim;
}

bool sim_victim_is_dead(const struct sim_victim *victim)
{
	return !victim->mr->generation;
}

void sim_victim_free(struct sim_victim *victim)
{
	if (!victim)
		return;
	hca_tpt_entry_remove(&victim->node->ci->tpt, victim->mr);
	free(victim->page[0]);
	free(victim);
}
