// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <linux/errno.h>
#include <linux/jiffies.h>
#include <linux/slab.h>
#include "transport/numbers.h"
#include "wire/headers.h"

/* Longer than a packet lives here: what is queued is drained at once or dropped. */
#define HCA_TIME_WAIT (HZ / 4)

int hca_numbers_init(struct hca_numbers *numbers, u32 bits, u32 first)
{
	u32 size = 1u << bits;

	spin_lock_init(&numbers->lock);
	numbers->bits = bits;
	numbers->next = first;
	numbers->slot = kvcalloc(size, sizeof(*numbers->slot), GFP_KERNEL);
	numbers->use = kvcalloc(size, sizeof(*numbers->use), GFP_KERNEL);
	numbers->free = kvcalloc(size, sizeof(*numbers->free), GFP_KERNEL);
	numbers->free_since = kvcalloc(size, sizeof(*numbers->free_since), GFP_KERNEL);
	if (!numbers->slot || !numbers->use || !numbers->free || !numbers->free_since) {
		hca_numbers_destroy(numbers);
		return -ENOMEM;
	}
	return 0;
}

void hca_numbers_destroy(struct hca_numbers *numbers)
{
	kvfree(numbers->slot);
	kvfree(numbers->use);
	kvfree(numbers->free);
	kvfree(numbers->free_since);
}

/* The most recently freed index that is out of time-wait, else a fresh one. */
static int hca_index_take(struct hca_numbers *numbers)
{
	bool fresh = numbers->next < 1u << numbers->bits;
	u32 i, index;

	for (i = numbers->num_free; i-- > 0;) {
		if (time_before(jiffies, numbers->free_since[i] + HCA_TIME_WAIT)) {
			if (fresh)
				break; /* fresh ones are cheaper than a search */
			continue;
		}
		index = numbers->free[i];
		numbers->num_free--;
		for (; i < numbers->num_free; i++) {
			numbers->free[i] = numbers->free[i + 1];
			numbers->free_since[i] = numbers->free_since[i + 1];
		}
		return index;
	}
	return fresh ? (int)numbers->next++ : -ENOMEM;
}

/* All ones is nobody's number: that of multicast. */
static u32 hca_number_of(struct hca_numbers *numbers, u32 index)
{
	u32 number;

	do
		number = (index | (u32)numbers->use[index]++ << numbers->bits) & HCA_QPN_MASK;
	while (number == HCA_QPN_MULTICAST);
	return number;
}

int hca_number_take(struct hca_numbers *numbers, void *object, u32 *number)
{
	int index;

	spin_lock_bh(&numbers->lock);
	index = hca_index_take(numbers);
	if (index >= 0) {
		*number = hca_number_of(numbers, index);
		rcu_assign_pointer(numbers->slot[index], object);
	}
	spin_unlock_bh(&numbers->lock);
	return index < 0 ? index : 0;
}

void hca_number_release(struct hca_numbers *numbers, u32 number)
{
	u32 index = number & ((1u << numbers->bits) - 1);

	spin_lock_bh(&numbers->lock);
	RCU_INIT_POINTER(numbers->slot[index], NULL);
	numbers->free[numbers->num_free] = index;
	numbers->free_since[numbers->num_free++] = jiffies;
	spin_unlock_bh(&numbers->lock);
}
