/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Completion queues: adding and polling completions, arming, notification and resizing. */
#ifndef HCA_QP_CQ_H
#define HCA_QP_CQ_H

#include <linux/spinlock.h>
#include <rdma/ib_verbs.h>
#include "engine/run.h"
#include "qp/moderation.h"
#include "qp/ring.h"

struct hca_cq {
	spinlock_t lock; /* leaf lock, taken with interrupts disabled */
	struct hca_queue queue;
	/* producer index; the producer index in the ring is a copy for the consumer */
	u32 producer;
	/*
	 * kernel CQ: consumer index. For the CQ of a process, the process writes the consumer index
	 * in the ring.
	 */
	u32 consumer;
	u32 cqe; /* capacity: the requested number of entries, rounded up */
	/* during a resize: the former ring, which can still be armed; otherwise NULL */
	struct hca_ring *former;
	bool kernel; /* the CQ belongs to a kernel consumer */
	bool timestamps; /* completions contain the time when they were added; not for kernel CQs */
	/*
	 * A completion that is added to a full CQ replaces the oldest one. The ring has cqe + 1
	 * entries, because one entry may be written while it is read.
	 */
	bool ignore_overrun;
	bool overflow; /* a completion was lost; the CQ is in error */
	bool fired; /* kernel CQs: run has to call notify() */
	bool error_raised; /* error() has been called */
	struct hca_moderation moderation;
	/*
	 * Runnable that calls error(). It also calls notify() for a kernel CQ, and for a CQ whose
	 * event was delayed by moderation.
	 */
	struct hca_runnable run;
	/* Calls the consumer's handler. BH are disabled; for kernel CQs no lock is held. */
	void (*notify)(struct hca_cq *cq);
	/*
	 * Kernel CQs: called when a completion with a queue pair's cookie is polled; or NULL. The
	 * queue pair still exists, because the CQ's lock is held: before a queue pair is freed, its
	 * completions are purged with this lock held.
	 */
	void (*reap)(const struct hca_cqe *cqe);
	/*
	 * Reports the affiliated asynchronous event "CQ error". BH are disabled; no lock is held.
	 */
	void (*error)(struct hca_cq *cq);
	void *context;
};

/**
 * hca_cq_init() - initialize a completion queue
 * @cq: zeroed; notify, error, reap (or NULL), timestamps, ignore_overrun and context are set
 * @cqe: minimum number of entries
 * @kernel: true if the CQ belongs to a kernel consumer, which calls hca_cq_poll() and whose handler
 *          is called by the CQ's run function
 *
 * Context: process.
 * Return: 0; -EINVAL if @cqe is out of range; -ENOMEM.
 */
int hca_cq_init(struct hca_cq *cq, u32 cqe, bool kernel);

/**
 * hca_cq_resize() - replace the ring of a completion queue (req R0-077)
 * @cq: a completion queue of a process; the process polls no completion during the resize
 * @queue: the new ring, never used; on success, set to the former ring
 *
 * Completions that were not polled keep their indices in the new ring. Completions may be added
 * during the resize. Until hca_cq_resized(), both rings can be armed, and the indices of the former
 * ring show at least one completion. The caller frees the former ring after hca_cq_resized(). A CQ
 * that has overflowed stays in error.
 *
 * Context: process, may sleep.
 * Return: 0; -EINVAL if there are more completions than entries in the new ring or in the current
 * one (req R0-079); -EBUSY if completions are added faster than they are copied. After an error,
 * @cq is unchanged.
 */
int hca_cq_resize(struct hca_cq *cq, struct hca_queue *queue);

/**
 * hca_cq_resized() - end a resize; the former ring is not used any more
 * @cq: the queue; the process uses the new ring already. Nothing is done if no resize is in
 *      progress
 *
 * The new ring is also armed for the events that the former ring is armed for.
 *
 * Context: process.
 */
void hca_cq_resized(struct hca_cq *cq);

/**
 * hca_cq_moderate() - set how long an event waits for further completions
 * @cq: the queue
 * @count: number of completions that cause an event at once
 * @period: microseconds that an event waits at most
 *
 * If @count is 0 or 1, or @period is 0, events do not wait. An event that is already waiting is
 * raised at once.
 *
 * Context: any.
 */
void hca_cq_moderate(struct hca_cq *cq, u16 count, u16 period);

/**
 * hca_cq_destroy() - wait until a completion queue's handler has returned, and free the ring
 * @cq: the queue, which no queue pair uses any more
 *
 * Context: process, may sleep.
 */
void hca_cq_destroy(struct hca_cq *cq);

/**
 * hca_cq_push() - add a completion and notify the consumer if the CQ is armed for it
 * @cq: the queue
 * @cqe: the completion; solicited if HCA_CQE_SOLICITED is set or the status is an error
 *
 * If the queue is full and ignore_overrun is not set, the completion is lost, and the queue is in
 * error from then on. The existing entries can still be polled (IBA C11-39).
 *
 * Context: BH disabled.
 * Return: false if the completion is lost; the caller must then set the queue pair to Error.
 */
bool hca_cq_push(struct hca_cq *cq, const struct hca_cqe *cqe);

/**
 * hca_cq_poll() - remove completions from a kernel CQ
 * @cq: the queue
 * @cqe: array for @n completions
 * @n: maximum number of completions to remove
 *
 * Context: any.
 * Return: the number of completions that were removed.
 */
int hca_cq_poll(struct hca_cq *cq, struct hca_cqe *cqe, int n);

/**
 * hca_cq_arm() - arm a kernel CQ
 * @cq: the queue
 * @flags: HCA_CQ_ARM_SOLICITED or HCA_CQ_ARM_NEXT
 *
 * Context: any.
 * Return: true if there are completions to poll.
 */
bool hca_cq_arm(struct hca_cq *cq, u32 flags);

/**
 * hca_cq_purge() - remove a queue pair's completions that were not polled from a kernel CQ
 * @cq: a CQ of the queue pair; nothing is done if it is not a kernel CQ
 * @cookie: cookie of the queue pair, which is being reset or destroyed
 *
 * The removed completions still occupy their entries until hca_cq_poll() skips them.
 *
 * Context: any; the queue pair adds no completion. Interrupts are disabled only for short times.
 */
void hca_cq_purge(struct hca_cq *cq, u64 cookie);

#endif
