/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Id tables, which allocate the numbers of queue pairs, RD EE contexts and XRC SRQs. A number is
 * index | use count << bits. The use count distinguishes late packets for the last user of an index
 * from packets for the next user. A freed index is allocated again only after its time-wait (req
 * V3-180). Of several such indices, the one that was freed last is allocated first.
 */
#ifndef HCA_QP_ID_TABLE_H
#define HCA_QP_ID_TABLE_H

#include <linux/rcupdate.h>
#include <linux/spinlock.h>
#include <linux/types.h>

/* A number has 24 bits. The number with all bits set stays free, as the multicast QPN. */
#define HCA_ID_MASK 0xffffffu

struct hca_id_table {
	spinlock_t lock; /* leaf lock, taken with BH disabled */
	void __rcu **slot; /* objects by index */
	u16 *use; /* use count of each index */
	u32 *free; /* stack of the free indices */
	unsigned long *free_since; /* jiffies at which the time-wait of free[i] began */
	u32 bits; /* number of bits of an index */
	u32 num_free;
	u32 next; /* lowest index that was never used */
};

/**
 * hca_id_table_init() - initialize a table without objects
 * @ids: zeroed
 * @bits: number of bits of an index; the table has 2^bits indices
 * @first: lowest index that may be allocated
 *
 * Context: process.
 * Return: 0 or -ENOMEM.
 */
int hca_id_table_init(struct hca_id_table *ids, u32 bits, u32 first);

/**
 * hca_id_table_destroy() - free the memory of a table
 * @ids: the table, which has no objects any more
 *
 * Context: process.
 */
void hca_id_table_destroy(struct hca_id_table *ids);

/**
 * hca_id_alloc() - allocate a number for an object, and add the object to the table
 * @ids: the table
 * @object: initialized except for its number
 * @number: set to the number before the object is added
 *
 * Context: process.
 * Return: 0, or -ENOMEM if all indices are in use or in time-wait.
 */
int hca_id_alloc(struct hca_id_table *ids, void *object, u32 *number);

/**
 * hca_id_free() - remove an object from a table
 * @ids: the table
 * @number: the object's number, whose index begins its time-wait
 *
 * Context: process.
 */
void hca_id_free(struct hca_id_table *ids, u32 number);

/**
 * hca_id_find() - find the object at the index of a number, without a reference
 * @ids: the table
 * @number: the number
 *
 * Context: BH disabled.
 * Return: the object, whose own number may differ from @number; or NULL.
 */
static inline void *hca_id_find(const struct hca_id_table *ids, u32 number)
{
	return rcu_dereference_bh(ids->slot[number & ((1u << ids->bits) - 1)]);
}

#endif
