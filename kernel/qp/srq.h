/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Shared receive queues: receive requests that several queue pairs consume. */
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
	/* PD of the keys in its requests, for every queue pair that consumes them (req R0-064) */
	const void *pd;
	bool kernel;
	void *context; /* event context */
	spinlock_t lock; /* BH; leaf, inside recv_lock */
	spinlock_t post_lock; /* irqsave; leaf; kernel consumers post under it */
	struct hca_queue rq;
	u32 max_sge;
	u32 consumed; /* the ring's consumer index */
	u32 limit; /* an event is raised once if fewer requests are posted; 0: not armed */
	bool failed; /* the ring's index was invalid: the queue is not used any more */
	atomic_t events; /* bits: enum hca_srq_event, not reported yet */
	struct hca_runnable run; /* reports the events, where no lock is held */
};

/**
 * hca_srq_init() - initialize a shared receive queue
 * @srq: zeroed; notify, pd, kernel and context are set
 * @max_wr: minimum number of entries; srq->rq.entries is the actual number
 * @max_sge: SGEs per entry
 * @limit: the limit that is armed from the beginning (req R0-236); 0: none
 *
 * Context: process.
 * Return: 0; -EINVAL if a number is out of range; -ENOMEM.
 */
int hca_srq_init(struct hca_srq *srq, u32 max_wr, u32 max_sge, u32 limit);

/**
 * hca_srq_destroy() - free a shared receive queue and its posted requests (req R0-219)
 * @srq: the queue, which no queue pair uses any more
 *
 * Waits for the event handler.
 *
 * Context: process, may sleep.
 */
void hca_srq_destroy(struct hca_srq *srq);

/**
 * hca_srq_arm() - arm the limit, or change it (req R0-237)
 * @srq: the queue
 * @limit: at most the number of entries; 0 disarms. If fewer requests are posted already, the event
 *         follows at once
 *
 * Context: process.
 * Return: 0, or -EINVAL if @limit is out of range.
 */
int hca_srq_arm(struct hca_srq *srq, u32 limit);

/**
 * hca_srq_resize() - give a shared receive queue another ring (req R0-215 to R0-217)
 * @srq: a queue of a process, which posts nothing meanwhile; the caller serializes resizes
 * @next: the new ring, of the same stride, never used; on success, set to the former ring
 * @limit: limit to arm afterwards, as by hca_srq_arm(); NULL: the armed limit stays
 *
 * Requests that are posted are found in the new ring, at the same indices. Queue pairs may consume
 * requests meanwhile.
 *
 * Context: process, may sleep.
 * Return: 0; -EINVAL if more requests are posted than the new ring or the current one has entries,
 * if the limit is above the new number of entries (req R0-238), or if the queue has failed; -EBUSY
 * if the process posts meanwhile after all. Nothing has changed after an error.
 */
int hca_srq_resize(struct hca_srq *srq, struct hca_queue *next, const u32 *limit);

/**
 * hca_srq_consume() - consume the next receive request for a queue pair
 * @srq: the queue
 * @recv: set to the request
 *
 * An invalid index of the ring ends the queue: HCA_SRQ_ERROR is raised once (req R0-473).
 *
 * Context: BH disabled; recv_lock of the queue pair held.
 * Return: the number of posted requests, one of which is consumed; 0 if none is posted; -EINVAL if
 * the queue has failed.
 */
int hca_srq_consume(struct hca_srq *srq, struct hca_recv *recv);

#endif
