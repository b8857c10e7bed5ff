// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Id tables: allocation of the numbers of queue pairs, EE contexts and SRQs. */
#include <linux/errno.h>
#include <linux/jiffies.h>
#include <linux/slab.h>
#include "transport/id_table.h"
#include "wire/headers.h"

/* Longer than the time that a packet is in flight: queued packets are sent or dropped sooner. */
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
 * Return the most recently freed index whose time-wait has ended; otherwise an index that was never
 * used.
 */
static int id_alloc_index(struct hca_id_table *ids)
{
	bool fresh = ids->next < 1u << ids->bits;
	u32 i, index;

	for (i = ids->num_free; i-- > 0;) {
		if (time_before(jiffies, ids->free_since[i] + HCA_TIME_WAIT)) {
			if (fresh)
				break; /* an unused index costs less than a search */
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

/* Return the next number of an index. All ones is the multicast QPN, not that of a queue pair. */
static u32 id_of(struct hca_id_table *ids, u32 index)
{
	u32 number;

	do
		number = (index | (u32)ids->use[index]++ << ids->bits) & HCA_QPN_MASK;
	while (number == HCA_QPN_MULTICAST);
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
