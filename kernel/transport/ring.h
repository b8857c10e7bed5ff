/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Rings of work requests and completions, shared with a process or the kernel's own. */
#ifndef HCA_TRANSPORT_RING_H
#define HCA_TRANSPORT_RING_H

#include <linux/types.h>
#include <rdma/hca-abi.h>

struct hca_queue {
	struct hca_ring *ring; /* vmalloc_user() memory, for remap_vmalloc_range() */
	size_t size; /* octets, whole pages; 0: there is no such queue */
	u32 entries; /* power of two */
	u32 stride; /* octets */
};

/**
 * hca_queue_alloc() - make a ring, zeroed
 * @q: the queue
 * @entries: at least so many; rounded up to a power of two
 * @stride: octets of an entry
 *
 * Context: process. Return: 0, -EINVAL (too large), -ENOMEM.
 */
int hca_queue_alloc(struct hca_queue *q, u32 entries, u32 stride);

/* Context: process. Mappings of the memory stay valid until they are unmapped. */
void hca_queue_free(struct hca_queue *q);

/**
 * hca_queue_posted() - how many entries of a ring wait for the engine
 * @q: the ring, whose producer index another process may write at any time
 * @fetched: index up to which the engine has copied entries
 * @held: how many of those copied are still at work, so that their slots are not free
 *
 * The entries counted may be read: their owner has written them before the index.
 * Return: the number, or -EINVAL: the index is behind @fetched, or further ahead than there are
 * free slots. Its owner cannot have meant that, and no entry may be fetched.
 */
int hca_queue_posted(const struct hca_queue *q, u32 fetched, u32 held);

static inline void *hca_queue_entry(const struct hca_queue *q, u32 index)
{
	return (u8 *)q->ring + HCA_RING_ENTRIES + (size_t)(index & (q->entries - 1)) * q->stride;
}

#endif
