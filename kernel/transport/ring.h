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

static inline void *hca_queue_entry(const struct hca_queue *q, u32 index)
{
	return (u8 *)q->ring + HCA_RING_ENTRIES + (size_t)(index & (q->entries - 1)) * q->stride;
}

#endif
