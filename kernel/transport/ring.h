/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Rings of work requests and completions, shared with a process or the kernel's own. */
#ifndef HCA_TRANSPORT_RING_H
#define HCA_TRANSPORT_RING_H

#include <linux/atomic.h>
#include <linux/errno.h>
#include <linux/kref.h>
#include <linux/types.h>
#include <rdma/hca-abi.h>

struct mm_struct;

/* A ring's memory: it lives, and counts as pinned, until queue and mappings have released it. */
struct hca_ring_memory {
	struct kref ref;
	struct mm_struct *mm; /* mm->pinned_vm counts it; NULL: the kernel's own, not counted */
	size_t size; /* octets, whole pages */
	struct hca_ring *ring; /* vmalloc memory */
};

struct hca_queue {
	struct hca_ring *ring; /* memory->ring */
	size_t size; /* octets, whole pages; 0: there is no such queue */
	u32 entries; /* power of two */
	u32 stride; /* octets */
	struct hca_ring_memory *memory;
};

/**
 * hca_queue_alloc() - make a ring, zeroed
 * @q: the queue
 * @entries: at least so many; rounded up to a power of two
 * @stride: octets of an entry
 * @kernel: a kernel consumer's; otherwise the ring counts as pinned memory of the current process,
 *          which RLIMIT_MEMLOCK bounds unless it has CAP_IPC_LOCK
 *
 * The memory is charged to the current memory cgroup.
 * Context: process. Return: 0, -EINVAL (too large), -ENOMEM (no memory, or beyond the limit).
 */
int hca_queue_alloc(struct hca_queue *q, u32 entries, u32 stride, bool kernel);

/* Release the queue's reference to its memory. Context: process, may sleep. */
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
static inline int hca_queue_posted(const struct hca_queue *q, u32 fetched, u32 in_use)
{
	u32 n = smp_load_acquire(&q->ring->producer) - fetched;

	return likely(n <= q->entries - in_use) ? n : -EINVAL;
}

static inline void hca_ring_memory_get(struct hca_ring_memory *memory)
{
	kref_get(&memory->ref);
}

/* Context: process, may sleep. */
void hca_ring_memory_put(struct hca_ring_memory *memory);

static inline void *hca_queue_entry(const struct hca_queue *q, u32 index)
{
	return (u8 *)q->ring + HCA_RING_ENTRIES + (size_t)(index & (q->entries - 1)) * q->stride;
}

#endif
