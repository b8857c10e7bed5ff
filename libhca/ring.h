/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Access to the rings that the engine shares with us (<rdma/hca-abi.h>). Each function is one
 * step of the protocol there, with the ordering that the step needs; nothing else touches an
 * index. Indices run freely and are masked at use.
 */
#ifndef HCA_RING_H
#define HCA_RING_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <rdma/hca-abi.h>

struct ibv_context;

/* A ring in our memory. Its lock is for our own threads; no two of these locks are ever held. */
struct hca_queue {
	struct hca_ring *ring; /* NULL: there is no such queue */
	uint8_t *entry;
	uint32_t entries; /* power of two */
	uint32_t stride; /* octets */
	size_t size; /* octets mapped */
	pthread_spinlock_t lock;
	/* SQ, RQ: entries before it have been polled; written under the completion queue's lock. */
	uint32_t reaped;
};

/**
 * hca_queue_map() - map a ring of the engine's
 * @queue: zeroed
 * @context: its owner
 * @offset: for mmap, from the engine
 * @size: octets, from the engine; 0: there is no ring, and nothing is done
 * @entries: power of two
 * @stride: octets of an entry
 *
 * Return: 0 or an errno.
 */
int hca_queue_map(struct hca_queue *queue, const struct ibv_context *context, uint64_t offset,
		  uint64_t size, uint32_t entries, uint32_t stride);

/* Undo it. Does nothing if there is no ring, or none any more. */
void hca_queue_unmap(struct hca_queue *queue);

static inline void *hca_queue_entry(const struct hca_queue *queue, uint32_t index)
{
	return queue->entry + (size_t)(index & (queue->entries - 1)) * queue->stride;
}

/* Posting: we produce. The queue's lock is held, but for hca_ring_must_wake(). */

/* Where the next entry goes. Only we write it. */
static inline uint32_t hca_ring_producer(const struct hca_ring *ring)
{
	return __atomic_load_n(&ring->producer, __ATOMIC_RELAXED);
}

/* SRQ: up to where entries may be written over: the engine has read them before it said so. */
static inline uint32_t hca_ring_freed(const struct hca_ring *ring)
{
	return __atomic_load_n(&ring->consumer, __ATOMIC_ACQUIRE);
}

/*
 * SQ, RQ: up to where entries may be written over: their completions have been polled, or later
 * ones (R0-408). The engine has read them before it added those.
 */
static inline uint32_t hca_queue_reaped(const struct hca_queue *queue)
{
	return __atomic_load_n(&queue->reaped, __ATOMIC_ACQUIRE);
}

/* A completion of @wqes entries has been read. The completion queue's lock is held. */
static inline void hca_queue_reap(struct hca_queue *queue, uint32_t wqes)
{
	__atomic_store_n(&queue->reaped, queue->reaped + wqes, __ATOMIC_RELEASE);
}

/* No room before @freed, one of the two above: nothing changes (V3-191, V3-272, R0-409). */
static inline bool hca_queue_full(const struct hca_queue *queue, uint32_t freed, uint32_t producer)
{
	return producer - freed >= queue->entries;
}

/* Hand over the entries before @producer: they are written before the index is. */
static inline void hca_ring_publish(struct hca_ring *ring, uint32_t producer)
{
	__atomic_store_n(&ring->producer, producer, __ATOMIC_RELEASE);
}

/*
 * After publishing: must the doorbell be rung? The index is out before the word is read; the
 * engine, which goes to sleep, does the reverse. So one of the two sees the other.
 */
static inline bool hca_ring_must_wake(const struct hca_ring *ring)
{
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	return __atomic_load_n(&ring->need_wakeup, __ATOMIC_RELAXED);
}

/* Completing: we consume. */

/* The next entry to be taken. Only we write it. */
static inline uint32_t hca_ring_consumer(const struct hca_ring *ring)
{
	return __atomic_load_n(&ring->consumer, __ATOMIC_RELAXED);
}

/* Up to where there are entries: whoever sees the index sees what they say. */
static inline uint32_t hca_ring_filled(const struct hca_ring *ring)
{
	return __atomic_load_n(&ring->producer, __ATOMIC_ACQUIRE);
}

/* Give back the entries before @consumer: they are read before the index is written. */
static inline void hca_ring_release(struct hca_ring *ring, uint32_t consumer)
{
	__atomic_store_n(&ring->consumer, consumer, __ATOMIC_RELEASE);
}

/*
 * Ask for a signal. Bits are added, so that asking for less never undoes asking for more. They
 * are out before any later look at the ring; the engine, which adds entries, does the reverse.
 * So an entry is found by that look, or signalled.
 */
static inline void hca_ring_arm(struct hca_ring *ring, uint32_t bits)
{
	__atomic_fetch_or(&ring->arm, bits, __ATOMIC_SEQ_CST);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

#endif
