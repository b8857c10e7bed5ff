/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Rings of work requests and completions, shared with a process or the kernel's own. */
#ifndef HCA_QP_RING_H
#define HCA_QP_RING_H

#include <linux/atomic.h>
#include <linux/errno.h>
#include <linux/kref.h>
#include <linux/types.h>
#include <rdma/hca-abi.h>

struct mm_struct;

/* Kernel memory that is accounted as pinned memory of a process. */
struct hca_charge {
	struct mm_struct *mm; /* accounted in mm->pinned_vm; NULL: not accounted */
	unsigned long pages;
};

/*
 * The memory of a ring, or device memory. It exists, and counts as pinned, until the object and all
 * mappings have released it.
 */
struct hca_ring_memory {
	struct hca_ring own; /* first member, so that it begins a cache line */
	struct kref ref;
	struct hca_charge charge;
	size_t size; /* octets; whole pages if it can be mapped */
	/* vmalloc memory with the entries behind the ring; or @own, if entry is set */
	struct hca_ring *ring;
	u8 *entry; /* first entry of a kernel consumer's ring, which cannot be mapped; or NULL */
};

struct hca_queue {
	struct hca_ring *ring; /* memory->ring */
	u8 *entry; /* first entry */
	size_t size; /* octets of the memory; 0: no queue */
	u32 entries; /* power of two */
	u32 stride; /* octets */
	struct hca_ring_memory *memory;
};

/**
 * hca_charge() - account memory as pinned memory of the current process
 * @charge: zeroed
 * @octets: size of the memory, rounded up to whole pages
 *
 * Context: process.
 * Return: 0; -ENOMEM if RLIMIT_MEMLOCK is exceeded and the process has no CAP_IPC_LOCK.
 */
int hca_charge(struct hca_charge *charge, size_t octets);

/**
 * hca_uncharge() - undo hca_charge()
 * @charge: the charge; nothing is done if it is zeroed, or hca_charge() has failed
 *
 * Context: any process.
 */
void hca_uncharge(struct hca_charge *charge);

/**
 * hca_queue_alloc() - allocate a zeroed ring
 * @q: the queue
 * @entries: minimum number of entries; rounded up to a power of two
 * @stride: octets per entry
 * @kernel: the ring belongs to a kernel consumer; otherwise it is accounted as pinned memory of the
 *          current process, limited by RLIMIT_MEMLOCK unless the process has CAP_IPC_LOCK
 *
 * The memory is charged to the current memory cgroup.
 *
 * Context: process.
 * Return: 0; -EINVAL if @entries or @stride is out of range; -ENOMEM if there is no memory or the
 * limit is exceeded.
 */
int hca_queue_alloc(struct hca_queue *q, u32 entries, u32 stride, bool kernel);

/**
 * hca_queue_free() - release the queue's reference to its memory
 * @q: the queue; nothing is done if its size is 0
 *
 * Context: process, may sleep.
 */
void hca_queue_free(struct hca_queue *q);

/**
 * hca_queue_posted() - return the number of posted entries that were not fetched
 * @q: the ring, whose producer index another process may write at any time
 * @fetched: index up to which the engine has copied entries
 * @in_use: number of fetched entries that are not complete, so that their slots are not free
 *
 * The caller may read the counted entries: their owner has written them before the index.
 *
 * Context: any.
 * Return: the number, or -EINVAL if the index is invalid: behind @fetched, or further ahead than
 * there are free slots. No entry may be fetched then.
 */
static inline int hca_queue_posted(const struct hca_queue *q, u32 fetched, u32 in_use)
{
	u32 n = smp_load_acquire(&q->ring->producer) - fetched;

	return likely(n <= q->entries - in_use) ? n : -EINVAL;
}

/**
 * hca_ring_memory_alloc() - allocate zeroed memory that a process can map
 * @size: octets, whole pages
 *
 * The memory is accounted and charged like a ring of a process (hca_queue_alloc()).
 *
 * Context: process.
 * Return: the memory with a reference, or NULL.
 */
struct hca_ring_memory *hca_ring_memory_alloc(size_t size);

/**
 * hca_ring_memory_get() - get a reference to the memory of a ring
 * @memory: the memory
 *
 * Context: any.
 */
static inline void hca_ring_memory_get(struct hca_ring_memory *memory)
{
	kref_get(&memory->ref);
}

/**
 * hca_ring_memory_put() - release a reference to the memory of a ring; the last one frees it
 * @memory: the memory
 *
 * Context: process, may sleep.
 */
void hca_ring_memory_put(struct hca_ring_memory *memory);

/**
 * hca_queue_entry() - return an entry of a ring
 * @q: the ring
 * @index: any number, whose lower bits select the entry
 *
 * Context: any.
 * Return: the entry, which is in memory that another process may write at any time.
 */
static inline void *hca_queue_entry(const struct hca_queue *q, u32 index)
{
	return q->entry + (size_t)(index & (q->entries - 1)) * q->stride;
}

#endif
