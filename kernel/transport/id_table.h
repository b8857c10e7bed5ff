/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Numbers by which peers name queue pairs and EE contexts: index | uses << bits. An index is
 * used again last in, first out, and not before time-wait has passed (V3-180); the count
 * keeps late packets of the last user from the next one even then.
 */
#ifndef HCA_TRANSPORT_ID_TABLE_H
#define HCA_TRANSPORT_ID_TABLE_H

#include <linux/rcupdate.h>
#include <linux/spinlock.h>
#include <linux/types.h>

struct hca_id_table {
	spinlock_t lock; /* BH; leaf */
	void __rcu **slot; /* by index */
	u16 *use;
	u32 *free; /* a stack, last in first out */
	unsigned long *free_since; /* jiffies at which free[i] went into time-wait */
	u32 bits; /* of an index */
	u32 num_free;
	u32 next; /* the first index that never was used */
};

/**
 * hca_id_table_init() - no number is taken
 * @ids: zeroed
 * @bits: of an index; there are 2^bits of them
 * @first: indices below are never given
 *
 * Context: process. Return: 0 or -ENOMEM.
 */
int hca_id_table_init(struct hca_id_table *ids, u32 bits, u32 first);
void hca_id_table_destroy(struct hca_id_table *ids);

/**
 * hca_id_alloc() - give an object a number, by which it is found from then on
 * @ids: the table
 * @object: complete but for the number
 * @number: where it is written, before the object can be found
 *
 * Context: process. Return: 0, or -ENOMEM: none is out of time-wait.
 */
int hca_id_alloc(struct hca_id_table *ids, void *object, u32 *number);

/* No further look-up finds it; the number goes into time-wait. Context: process. */
void hca_id_free(struct hca_id_table *ids, u32 number);

/* Who has the index of a number, perhaps under another number; NULL: nobody. BH disabled. */
static inline void *hca_id_find(const struct hca_id_table *ids, u32 number)
{
	return rcu_dereference_bh(ids->slot[number & ((1u << ids->bits) - 1)]);
}

#endif
