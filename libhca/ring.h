/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Access to the rings that the provider shares with the engine, the part of hca.ko that executes
 * work requests. <rdma/hca-abi.h> describes the protocol. Each function is one step of the
 * protocol, with the memory ordering of that step. No other code accesses an index. Indices
 * increase without bound and are masked at use.
 */
#ifndef HCA_RING_H
#define HCA_RING_H

#include <pthread.h>
#include <rdma/hca-abi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ibv_context;

/*
 * A mapped ring. Its lock serializes the threads of this process; a thread never holds two such
 * locks.
 */
struct hca_queue {
	struct hca_ring *ring; /* NULL: the object has no such queue */
	uint8_t *entry;
	uint32_t entries; /* power of two */
	uint32_t stride; /* octets */
	size_t size; /* octets of the mapping at @ring */
	pthread_spinlock_t lock;
	/*
	 * SQ, RQ: index after the last entry that a polled completion has released. The CQ's lock
	 * protects writes.
	 */
	uint32_t reaped;
};

/**
 * hca_queue_map() - map a ring
 * @queue: zeroed structure to fill in
 * @context: context that owns the ring
 * @offset: offset for mmap(), from the kernel
 * @size: octets, from the kernel; 0: the queue does not exist and the function does nothing
 * @entries: number of entries, a power of two
 * @stride: octets of an entry
 *
 * Return: 0 or an errno.
 */
int hca_queue_map(struct hca_queue *queue, const struct ibv_context *context, uint64_t offset,
		  uint64_t size, uint32_t entries, uint32_t stride);

/**
 * hca_queue_replace() - exchange the ring of a queue
 * @queue: queue, whose lock the caller holds
 * @next: a mapped ring with the contents of the present one; set to the former ring
 *
 * Threads that read hca_queue_ring() without the lock may use either ring.
 */
void hca_queue_replace(struct hca_queue *queue, struct hca_queue *next);

/**
 * hca_queue_retire() - unmap a former ring, except for a page of indices
 * @former: the ring
 * @retired: list of pages, to which the page is added
 *
 * Threads without the lock may still read and write the indices of the former ring. The indices in
 * the page are those of a ring that is not empty. A thread that reads these indices therefore takes
 * the lock, and finds the new ring.
 */
void hca_queue_retire(struct hca_queue *former, void **retired);

/* Unmap the pages in a list of hca_queue_retire(), when no thread can access them any more. */
void hca_queue_free_retired(void *retired);

/* Unmap the ring of a queue, if it is mapped. */
void hca_queue_unmap(struct hca_queue *queue);

/* Return the ring to a thread without the lock; hca_queue_replace() may exchange it at any time. */
static inline struct hca_ring *hca_queue_ring(const struct hca_queue *queue)
{
	return __atomic_load_n(&queue->ring, __ATOMIC_SEQ_CST);
}

static inline void *hca_queue_entry(const struct hca_queue *queue, uint32_t index)
{
	return queue->entry + (size_t)(index & (queue->entries - 1)) * queue->stride;
}

/*
 * Posting: the provider is the producer. The caller holds the queue's lock, except for
 * hca_ring_must_wake().
 */

/* The index of the next entry to write. Only the provider writes this index. */
static inline uint32_t hca_ring_producer(const struct hca_ring *ring)
{
	return __atomic_load_n(&ring->producer, __ATOMIC_RELAXED);
}

/*
 * SRQ: the index after the last entry that may be overwritten. The engine wrote this index after
 * it had read the entries.
 */
static inline uint32_t hca_ring_freed(const struct hca_ring *ring)
{
	return __atomic_load_n(&ring->consumer, __ATOMIC_ACQUIRE);
}

/*
 * SQ, RQ: the index after the last entry that may be overwritten, because its completion or a later
 * one was polled (req R0-408). The engine has read the entry before it added the completion.
 */
static inline uint32_t hca_queue_reaped(const struct hca_queue *queue)
{
	return __atomic_load_n(&queue->reaped, __ATOMIC_ACQUIRE);
}

/* Release the @wqes entries of a polled completion. The caller holds the CQ's lock. */
static inline void hca_queue_reap(struct hca_queue *queue, uint32_t wqes)
{
	__atomic_store_n(&queue->reaped, queue->reaped + wqes, __ATOMIC_RELEASE);
}

/*
 * Return whether the queue is full. A full queue refuses requests, and nothing changes (req V3-191,
 * V3-272, R0-409). @freed is hca_ring_freed() of an SRQ or hca_queue_reaped() of an SQ or RQ.
 */
static inline bool hca_queue_full(const struct hca_queue *queue, uint32_t freed, uint32_t producer)
{
	return producer - freed >= queue->entries;
}

/* Pass the entries before @producer to the engine. The entries are written before the index. */
static inline void hca_ring_publish(struct hca_ring *ring, uint32_t producer)
{
	__atomic_store_n(&ring->producer, producer, __ATOMIC_RELEASE);
}

/*
 * Return whether the doorbell must be rung after publishing. The producer index is written before
 * need_wakeup is read; an engine that goes to sleep writes need_wakeup before it reads the producer
 * index. So at least one of the two sees the other's write.
 */
static inline bool hca_ring_must_wake(const struct hca_ring *ring)
{
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	return __atomic_load_n(&ring->need_wakeup, __ATOMIC_RELAXED);
}

/* Completions: the provider is the consumer. */

/* The index of the next entry to read. Only the provider writes this index. */
static inline uint32_t hca_ring_consumer(const struct hca_ring *ring)
{
	return __atomic_load_n(&ring->consumer, __ATOMIC_RELAXED);
}

/* The index after the last filled entry. After reading it, a thread sees the entries' contents. */
static inline uint32_t hca_ring_filled(const struct hca_ring *ring)
{
	return __atomic_load_n(&ring->producer, __ATOMIC_ACQUIRE);
}

/* Return the entries before @consumer to the engine, after all reads of these entries. */
static inline void hca_ring_release(struct hca_ring *ring, uint32_t consumer)
{
	__atomic_store_n(&ring->consumer, consumer, __ATOMIC_RELEASE);
}

/*
 * Request a completion event. Bits are only set, so a request for solicited completions does not
 * cancel one for any completion. The bits are written before any later read of the ring; the
 * engine adds an entry before it reads the bits. So either the later read finds a new entry or the
 * engine signals an event.
 */
static inline void hca_ring_arm(struct hca_ring *ring, uint32_t bits)
{
	__atomic_fetch_or(&ring->arm, bits, __ATOMIC_SEQ_CST);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

#endif
