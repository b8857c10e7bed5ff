/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Rings of work requests and completions, which are shared with a process or a kernel consumer. */
#ifndef HCA_QP_RING_H
#define HCA_QP_RING_H

#include <linux/atomic.h>
#include <linux/errno.h>
#include <linux/kref.h>
#include <linux/types.h>
#include <rdma/hca-abi.h>

struct mm_struct;

/* A number of pages that are accounted as pinned memory of a process. */
struct hca_charge {
	/* the process, in whose pinned_vm the pages are counted; NULL: no page is counted */
	struct mm_struct *mm;
	unsigned long pages;
};

/*
 * The memory of a ring, or device memory. The memory exists, and counts as pinned, until the owner
 * and all mappings have released it. The ring of a process is one area of vmalloc memory that the
 * process can map. It begins with struct hca_ring, and the entries follow. The ring of a kernel
 * consumer consists of @own and of separately allocated entries, which cannot be mapped.
 */
struct hca_ring_memory {
	/* kernel consumer: the ring's indices; first member, because it must begin a cache line */
	struct hca_ring own;
	struct kref ref;
	struct hca_charge charge;
	size_t size; /* octets; whole pages if the memory can be mapped */
	struct hca_ring *ring; /* start of the vmalloc memory; kernel consumer: @own */
	u8 *entry; /* kernel consumer: first entry of the ring; otherwise NULL */
};

struct hca_queue {
	struct hca_ring *ring; /* a copy of memory->ring */
	u8 *entry; /* first entry */
	size_t size; /* octets of the memory; 0: the queue does not exist */
	u32 entries; /* power of two */
	u32 stride; /* octets */
	struct hca_ring_memory *memory;
};

/**
 * hca_charge() - account memory as pinned memory of the current process
 * @charge: structure that the caller has zeroed; set on success
 * @octets: size of the memory, which this function rounds up to whole pages
 *
 * Context: process.
 * Return: 0; -ENOMEM if RLIMIT_MEMLOCK is exceeded and the process lacks CAP_IPC_LOCK.
 */
int hca_charge(struct hca_charge *charge, size_t octets);

/**
 * hca_uncharge() - undo hca_charge()
 * @charge: the charge; nothing is done if @charge is zeroed or hca_charge() has failed
 *
 * Context: process; any process may call it, not only the one that called hca_charge().
 */
void hca_uncharge(struct hca_charge *charge);

/**
 * hca_queue_alloc() - allocate a zeroed ring
 * @q: the queue
 * @entries: minimum number of entries; rounded up to a power of two
 * @stride: octets per entry
 * @kernel: true if the ring belongs to a kernel consumer; false if it belongs to the current
 *          process, in which case it is accounted as pinned memory by hca_charge()
 *
 * The memory is charged to the current memory cgroup.
 *
 * Context: process.
 * Return: 0; -EINVAL if @entries or @stride is out of range; -ENOMEM if there is no memory or
 * RLIMIT_MEMLOCK is exceeded.
 */
int hca_queue_alloc(struct hca_queue *q, u32 entries, u32 stride, bool kernel);

/**
 * hca_queue_free() - release a queue's reference to the memory of the ring
 * @q: the queue; nothing is done if its size is 0
 *
 * Context: process, may sleep.
 */
void hca_queue_free(struct hca_queue *q);

/**
 * hca_queue_posted() - return the number of posted entries that were not fetched
 * @q: the ring; another process may write its producer index at any time
 * @fetched: index up to which the kernel has fetched entries
 * @in_use: number of fetched entries that are not complete and therefore not free
 *
 * The caller may read these entries, because they were written before the producer index.
 *
 * Context: any.
 * Return: the number, or -EINVAL if the producer index is below @fetched or more than the number of
 * free entries above it. After -EINVAL, no entry may be fetched.
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
 * The memory is accounted as pinned memory by hca_charge(), and charged to the memory cgroup.
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
 * @index: any number; its lower bits select the entry
 *
 * Context: any.
 * Return: the entry, which another process may write at any time.
 */
static inline void *hca_queue_entry(const struct hca_queue *q, u32 index)
{
	return q->entry + (size_t)(index & (q->entries - 1)) * q->stride;
}

#endif
