// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Id tables, which allocate the numbers of queue pairs, RD EE contexts and XRC SRQs. */
#include "qp/id_table.h"
#include <linux/errno.h>
#include <linux/jiffies.h>
#include <linux/slab.h>

/*
 * Time-wait of an index in jiffies. A packet is in flight for a shorter time, because it is
 * delivered or dropped sooner.
 */
#define HCA_TIME_WAIT (HZ / 4)

int hca_id_table_init(struct hca_id_table *ids, u32 bits, u32 first)
{
	u32 size = 1u << bits;

	spin_lock_init(&ids->lock);
	ids->bits = bits;
	ids->next = first;
	ids->slot = kvcalloc(size, sizeof(*ids->slot), GFP_KERNEL);
	ids->use = kvcalloc(size, sizeof(*ids->use), GFP_KERNEL);
	ids->free = kvcalloc(size, sizeof(*ids->free), GFP_KERNEL);
	ids->free_since = kvcalloc(size, sizeof(*ids->free_since), GFP_KERNEL);
	if (!ids->slot || !ids->use || !ids->free || !ids->free_since) {
		hca_id_table_destroy(ids);
		return -ENOMEM;
	}
	return 0;
}

void hca_id_table_destroy(struct hca_id_table *ids)
{
	kvfree(ids->slot);
	kvfree(ids->use);
	kvfree(ids->free);
	kvfree(ids->free_since);
}

/*
 * Return the most recently freed index whose time-wait has ended. If there is none, return an index
 * that was never used, or -ENOMEM.
 */
static int id_alloc_index(struct hca_id_table *ids)
{
	bool fresh = ids->next < 1u << ids->bits;
	u32 i, index;

	for (i = ids->num_free; i-- > 0;) {
		if (time_before(jiffies, ids->free_since[i] + HCA_TIME_WAIT)) {
			if (fresh)
				break; /* using a new index is cheaper than searching */
			continue;
		}
		index = ids->free[i];
		ids->num_free--;
		for (; i < ids->num_free; i++) {
			ids->free[i] = ids->free[i + 1];
			ids->free_since[i] = ids->free_since[i + 1];
		}
		return index;
	}
	return fresh ? (int)ids->next++ : -ENOMEM;
}

/* Return the next number of an index. The number with all bits set is skipped. */
static u32 id_of(struct hca_id_table *ids, u32 index)
{
	u32 number;

	do
		number = (index | (u32)ids->use[index]++ << ids->bits) & HCA_ID_MASK;
	while (number == HCA_ID_MASK);
	return number;
}

int hca_id_alloc(struct hca_id_table *ids, void *object, u32 *number)
{
	int index;

	spin_lock_bh(&ids->lock);
	index = id_alloc_index(ids);
	if (index >= 0) {
		*number = id_of(ids, index);
		rcu_assign_pointer(ids->slot[index], object);
	}
	spin_unlock_bh(&ids->lock);
	return index < 0 ? index : 0;
}

void hca_id_free(struct hca_id_table *ids, u32 number)
{
	u32 index = number & ((1u << ids->bits) - 1);

	spin_lock_bh(&ids->lock);
	RCU_INIT_POINTER(ids->slot[index], NULL);
	ids->free[ids->num_free] = index;
	ids->free_since[ids->num_free++] = jiffies;
	spin_unlock_bh(&ids->lock);
}
