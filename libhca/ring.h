/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Access to the rings that the provider shares with the engine (<rdma/hca-abi.h>). Each function
 * is one step of the protocol described there, with the memory ordering of that step. No other
 * code accesses an index. Indices increase without bound and are masked at use.
 */
#ifndef HCA_RING_H
#define HCA_RING_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <rdma/hca-abi.h>

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
	size_t size; /* octets mapped */
	pthread_spinlock_t lock;
	/*
	 * SQ, RQ: end of the entries that polled completions released; the CQ's lock protects
	 * writes.
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
 * hca_queue_retire() - unmap a ring whose indices threads may still read and write
 * @former: the ring; unmapped except for one page, whose indices show completions
 * @retired: list to which the page is added
 */
void hca_queue_retire(struct hca_queue *former, void **retired);

/* Unmap the pages of a list of hca_queue_retire(). No thread accesses these pages any more. */
void hca_queue_free_retired(void *retired);

/* Unmap the ring, if there is one and it is mapped. */
void hca_queue_unmap(struct hca_queue *queue);

/* The ring, for a thread that does not hold the lock (hca_queue_replace()). */
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
 * SRQ: the end of the entries that may be overwritten. The engine has read these entries before it
 * wrote the index.
 */
static inline uint32_t hca_ring_freed(const struct hca_ring *ring)
{
	return __atomic_load_n(&ring->consumer, __ATOMIC_ACQUIRE);
}

/*
 * SQ, RQ: the end of the entries that may be overwritten, because their completions or later ones
 * were polled (req R0-408). The engine has read the entries before it added the completions.
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
 * Whether the queue is full. A full queue refuses requests, and nothing changes (req V3-191,
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
 * Whether the doorbell must be rung after publishing. The producer index is written before
 * need_wakeup is read; an engine that goes to sleep writes need_wakeup before it reads the
 * producer index. So at least one of the two sees the other's write.
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

/* The end of the filled entries. Their contents are visible to a thread that reads the index. */
static inline uint32_t hca_ring_filled(const struct hca_ring *ring)
{
	return __atomic_load_n(&ring->producer, __ATOMIC_ACQUIRE);
}

/* Return the entries before @consumer to the engine. They are read before the index is written. */
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
