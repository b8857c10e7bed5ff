/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Completion queues: adding and polling completions, arming, notification. */
#ifndef HCA_QP_CQ_H
#define HCA_QP_CQ_H

#include <rdma/ib_verbs.h>
#include <linux/spinlock.h>
#include "engine/run.h"
#include "qp/moderation.h"
#include "qp/ring.h"

struct hca_cq {
	spinlock_t lock; /* irqsave; leaf */
	struct hca_queue queue;
	u32 producer; /* producer index; the ring's is a copy for the consumer */
	/* kernel CQs: consumer index; other CQs use the ring's, which a process writes */
	u32 consumer;
	u32 cqe; /* the capacity: the requested one, rounded up */
	/* Between the steps of a resize: the former ring, whose arm counts as well; else NULL. */
	struct hca_ring *former;
	bool kernel;
	bool timestamps; /* completions carry the time; not for kernel CQs */
	/*
	 * A completion without room replaces the oldest one. The ring has one entry more than the
	 * capacity: that which may be written while it is read.
	 */
	bool ignore_overrun;
	bool overflow;
	bool fired; /* kernel CQs: a call of notify is pending */
	bool error_raised; /* error has been called */
	struct hca_moderation moderation;
	/* Calls error and, for a kernel CQ or after a wait for further completions, notify. */
	struct hca_runnable run;
	/* Calls the consumer's handler. BH are disabled; for kernel CQs no lock is held. */
	void (*notify)(struct hca_cq *cq);
	/*
	 * Kernel CQs: a completion with a cookie is polled. Called under the lock, so that its
	 * queue pair exists: a queue pair removes its cookie from completions before it is freed.
	 */
	void (*reap)(const struct hca_cqe *cqe);
	/* Reports the affiliated event CQ error. BH are disabled; no lock is held. */
	void (*error)(struct hca_cq *cq);
	void *context;
};

/**
 * hca_cq_init() - initialize a completion queue
 * @cq: zeroed; notify, error, reap (or NULL), timestamps, ignore_overrun and context are set
 * @cqe: minimum number of entries
 * @kernel: the CQ is polled by hca_cq_poll() and its handler is called from the engine's run
 *
 * Context: process.
 * Return: 0; -EINVAL if @cqe is out of range; -ENOMEM.
 */
int hca_cq_init(struct hca_cq *cq, u32 cqe, bool kernel);

/**
 * hca_cq_resize() - give a completion queue another ring (req R0-077)
 * @cq: a completion queue of a process, which polls no completion meanwhile
 * @queue: the new ring, never used; if this succeeds, the former one
 *
 * Completions that were not polled are found in the new ring, at the same indices. Completions may
 * be added meanwhile. Either ring can be armed until hca_cq_resized(), after which the caller frees
 * the former one, whose indices say meanwhile that there are completions. A queue in error stays in
 * error.
 *
 * Context: process, may sleep.
 * Return: 0; or, and nothing has changed, -EINVAL if there are more completions than entries in the
 * new ring, or than there can be (req R0-079); -EBUSY if they are added faster than they are
 * copied.
 */
int hca_cq_resize(struct hca_cq *cq, struct hca_queue *queue);

/**
 * hca_cq_resized() - forget the former ring of a completion queue
 * @cq: the queue, whose process knows the new ring; nothing is done if there is no former one
 *
 * What the former ring was armed for the new one is armed for.
 *
 * Context: process.
 */
void hca_cq_resized(struct hca_cq *cq);

/**
 * hca_cq_moderate() - set how long events wait for further completions
 * @cq: the queue
 * @count: number of completions that cause an event at once
 * @period: microseconds after which an event comes nevertheless
 *
 * If either is 0 or @count is 1 no event waits; one that waits already comes soon.
 *
 * Context: any.
 */
void hca_cq_moderate(struct hca_cq *cq, u16 count, u16 period);

/**
 * hca_cq_destroy() - free the ring and wait for the handler
 * @cq: the queue, which no queue pair uses any more
 *
 * Context: process, may sleep.
 */
void hca_cq_destroy(struct hca_cq *cq);

/**
 * hca_cq_push() - add a completion and notify the consumer if the CQ is armed for it
 * @cq: the queue
 * @cqe: the completion; errors and HCA_CQE_SOLICITED count as solicited
 *
 * Without room the queue is in error for good, and its existing entries stay (IBA C11-39), unless
 * it ignores overruns.
 *
 * Context: BH disabled.
 * Return: false on overflow, after which the queue pair must go to Error.
 */
bool hca_cq_push(struct hca_cq *cq, const struct hca_cqe *cqe);

/**
 * hca_cq_poll() - remove completions from a kernel CQ
 * @cq: the queue
 * @cqe: array of @n completions
 * @n: maximum number of completions
 *
 * Context: any.
 * Return: the number of completions.
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
 * hca_cq_purge() - remove the unpolled completions of a kernel queue pair
 * @cq: a CQ of a queue pair that is reset or destroyed; nothing is done if it is not a kernel CQ
 * @cookie: the queue pair's
 *
 * Their entries stay occupied until the CQ is polled.
 *
 * Context: any; the queue pair adds no completion. Interrupts are not disabled all the time.
 */
void hca_cq_purge(struct hca_cq *cq, u64 cookie);

#endif
