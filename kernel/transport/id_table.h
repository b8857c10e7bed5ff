/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Id tables: the numbers of queue pairs and EE contexts, each index | use count << bits. Indices
 * are reused last in, first out, but not before the time-wait has passed (req V3-180). Even then
 * the use count distinguishes late packets for the last user of an index from packets for the next
 * user.
 */
#ifndef HCA_TRANSPORT_ID_TABLE_H
#define HCA_TRANSPORT_ID_TABLE_H

#include <linux/rcupdate.h>
#include <linux/spinlock.h>
#include <linux/types.h>

struct hca_id_table {
	spinlock_t lock; /* BH; leaf */
	void __rcu **slot; /* objects by index */
	u16 *use;
	u32 *free; /* free indices, a stack */
	unsigned long *free_since; /* jiffies at which the time-wait of free[i] began */
	u32 bits; /* bits of an index */
	u32 num_free;
	u32 next; /* lowest index that was never used */
};

/**
 * hca_id_table_init() - initialize a table without objects
 * @ids: zeroed
 * @bits: bits of an index; the table has 2^bits indices
 * @first: indices below are never allocated
 *
 * Context: process.
 * Return: 0 or -ENOMEM.
 */
int hca_id_table_init(struct hca_id_table *ids, u32 bits, u32 first);
void hca_id_table_destroy(struct hca_id_table *ids);

/**
 * hca_id_alloc() - allocate a number for an object and make the object findable
 * @ids: the table
 * @object: initialized except for its number
 * @number: set before the object can be found
 *
 * Context: process.
 * Return: 0, or -ENOMEM if all indices are in use or in time-wait.
 */
int hca_id_alloc(struct hca_id_table *ids, void *object, u32 *number);

/* Make an object unfindable; its number goes into time-wait. Context: process. */
void hca_id_free(struct hca_id_table *ids, u32 number);

/*
 * Find the object at the index of @number, or return NULL. The object's own number may differ from
 * @number. Context: BH disabled.
 */
static inline void *hca_id_find(const struct hca_id_table *ids, u32 number)
{
	return rcu_dereference_bh(ids->slot[number & ((1u << ids->bits) - 1)]);
}

#endif
