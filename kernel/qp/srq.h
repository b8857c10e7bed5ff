/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Shared receive queues: several queue pairs consume the receive requests of one queue. */
#ifndef HCA_QP_SRQ_H
#define HCA_QP_SRQ_H

#include <linux/spinlock.h>
#include "engine/run.h"
#include "qp/event.h"
#include "qp/ring.h"

struct hca_recv;

struct hca_srq {
	/* Reports an event. BH are disabled; no lock is held. */
	void (*notify)(struct hca_srq *srq, enum hca_srq_event event);
	/* PD of the keys in the requests, for any queue pair that consumes them (req R0-064) */
	const void *pd;
	bool kernel;
	void *context; /* argument of the consumer's event handler */
	spinlock_t lock; /* leaf lock, taken with BH disabled, inside recv_lock */
	/* leaf lock, taken with interrupts disabled; kernel consumers hold it while they post */
	spinlock_t post_lock;
	struct hca_queue rq;
	u32 max_sge;
	u32 consumed; /* the ring's consumer index */
	u32 limit; /* HCA_SRQ_LIMIT_REACHED is raised if fewer requests are posted; 0: not armed */
	bool failed; /* the ring's producer index was invalid; the queue is not used any more */
	atomic_t events; /* events to report, as bits 1 << enum hca_srq_event */
	struct hca_runnable run; /* runnable that reports the events; no lock is held */
};

/**
 * hca_srq_init() - initialize a shared receive queue
 * @srq: zeroed; notify, pd, kernel and context are set
 * @max_wr: minimum number of entries; srq->rq.entries is the actual number
 * @max_sge: SGEs per entry
 * @limit: initial limit (req R0-236); 0: the limit is not armed
 *
 * Context: process.
 * Return: 0; -EINVAL if a number is out of range; -ENOMEM.
 */
int hca_srq_init(struct hca_srq *srq, u32 max_wr, u32 max_sge, u32 limit);

/**
 * hca_srq_destroy() - free a shared receive queue and its posted requests (req R0-219)
 * @srq: the queue, which no queue pair uses any more
 *
 * Waits until the event handler has returned.
 *
 * Context: process, may sleep.
 */
void hca_srq_destroy(struct hca_srq *srq);

/**
 * hca_srq_arm() - arm the limit, or change it (req R0-237)
 * @srq: the queue
 * @limit: the limit, at most the number of entries; 0 disarms. If fewer than @limit requests are
 *         posted, HCA_SRQ_LIMIT_REACHED is raised at once
 *
 * Context: process.
 * Return: 0, or -EINVAL if @limit is out of range.
 */
int hca_srq_arm(struct hca_srq *srq, u32 limit);

/**
 * hca_srq_resize() - replace the ring of a shared receive queue (req R0-215 to R0-217)
 * @srq: a queue of a process; the process posts nothing during the resize, and the caller
 *       serializes resizes
 * @next: the new ring, never used, with the stride of the current one; on success, set to the
 *        former ring
 * @limit: limit to arm after the resize, as hca_srq_arm() does; NULL: the limit does not change
 *
 * Posted requests keep their indices in the new ring. Queue pairs may consume requests during the
 * resize.
 *
 * Context: process, may sleep.
 * Return: 0; -EINVAL if more requests are posted than the new or the current ring has entries, if
 * the limit is above the new number of entries (req R0-238), or if the queue has failed; -EBUSY if
 * the process posts during the resize in spite of the rule. After an error, @srq is unchanged.
 */
int hca_srq_resize(struct hca_srq *srq, struct hca_queue *next, const u32 *limit);

/**
 * hca_srq_consume() - consume the next receive request for a queue pair
 * @srq: the queue
 * @recv: set to the request
 *
 * If the producer index in the ring is invalid, the queue fails permanently, and HCA_SRQ_ERROR is
 * raised once (req R0-473).
 *
 * Context: BH disabled; recv_lock of the queue pair held.
 * Return: the number of requests that were posted before the call; 0 if none was consumed; -EINVAL
 * if the queue has failed.
 */
int hca_srq_consume(struct hca_srq *srq, struct hca_recv *recv);

#endif
