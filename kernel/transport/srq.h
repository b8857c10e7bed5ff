/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Shared receive queues: receive requests that any of several queue pairs may take. */
#ifndef HCA_TRANSPORT_SRQ_H
#define HCA_TRANSPORT_SRQ_H

#include <linux/spinlock.h>
#include "engine/run.h"
#include "transport/ca.h"
#include "transport/ring.h"

struct hca_recv;

struct hca_srq {
	struct hca_ca *ca;
	const void *pd; /* its requests' keys are of this one, whoever takes them (R0-064) */
	bool kernel;
	void *context; /* for events */
	spinlock_t lock; /* BH; leaf, inside recv_lock */
	spinlock_t post_lock; /* irqsave; leaf: kernel consumers' posting */
	struct hca_queue rq;
	u32 max_sge;
	u32 consumed; /* the ring's consumer */
	u32 limit; /* armed: fewer than so many left is an event, once; 0: not armed */
	bool failed; /* its index could not be: nothing is taken any more */
	atomic_t events; /* bits: enum hca_srq_event, not told yet */
	struct hca_runnable run; /* tells the events, where no lock is held */
};

/**
 * hca_srq_init() - make a shared receive queue
 * @srq: zeroed; ca, pd, kernel and context set
 * @max_wr: at least so many entries; srq->rq.entries says how many
 * @max_sge: of each
 * @limit: armed from the beginning (R0-236); 0: not
 *
 * Context: process. Return: 0, -EINVAL (a number out of range), -ENOMEM.
 */
int hca_srq_init(struct hca_srq *srq, u32 max_wr, u32 max_sge, u32 limit);

/**
 * hca_srq_destroy() - give up the queue, and what is posted with it (R0-219)
 * @srq: the queue; no queue pair has it any more
 *
 * Context: process, may sleep: waits for the event's handler.
 */
void hca_srq_destroy(struct hca_srq *srq);

/**
 * hca_srq_arm() - arm the limit, or arm it anew (R0-237)
 * @srq: the queue
 * @limit: at most as many as there are entries; 0 disarms. If fewer are left already, the event
 *         follows at once
 *
 * Context: process. Return: 0 or -EINVAL.
 */
int hca_srq_arm(struct hca_srq *srq, u32 limit);

/**
 * hca_srq_consume() - take the next receive request for a queue pair
 * @srq: the queue
 * @recv: where to
 *
 * An index that cannot be is the end of the queue: HCA_SRQ_ERROR is told once (R0-473).
 * Context: BH disabled; recv_lock of the queue pair held. Return: how many there were, of which
 * one is taken; 0: none is posted; -EINVAL: the queue has failed, and no request can be had.
 */
int hca_srq_consume(struct hca_srq *srq, struct hca_recv *recv);

#endif
