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
	u32 cqe; /* capacity: the requested number of entries, rounded up */
	/* former ring between the steps of a resize, whose arm counts as well; otherwise NULL */
	struct hca_ring *former;
	bool kernel;
	bool timestamps; /* completions carry the time; not for kernel CQs */
	/*
	 * A completion that finds no room replaces the oldest one. The ring has one entry more than
	 * the capacity, because an entry may be written while it is read.
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
	 * Kernel CQs: called when a completion with a cookie is polled. The lock is held, so that
	 * the queue pair exists: it removes its cookie from completions before it is freed.
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
 * @queue: the new ring, never used; on success, set to the former ring
 *
 * Completions that were not polled are found in the new ring, at the same indices. Completions may
 * be added meanwhile. Until hca_cq_resized(), either ring can be armed, and the indices of the
 * former ring show that there are completions. The caller frees the former ring afterwards. A queue
 * in error stays in error.
 *
 * Context: process, may sleep.
 * Return: 0; -EINVAL if there are more completions than entries in the new ring or in the current
 * one (req R0-079); -EBUSY if completions are added faster than they are copied. Nothing has
 * changed after an error.
 */
int hca_cq_resize(struct hca_cq *cq, struct hca_queue *queue);

/**
 * hca_cq_resized() - end a resize, after which the former ring is not used any more
 * @cq: the queue, whose process uses the new ring; nothing is done if there is no former ring
 *
 * The new ring is then armed for all that the former ring was armed for.
 *
 * Context: process.
 */
void hca_cq_resized(struct hca_cq *cq);

/**
 * hca_cq_moderate() - set how long events wait for further completions
 * @cq: the queue
 * @count: number of completions that cause an event at once
 * @period: microseconds that an event waits at most
 *
 * If either is 0 or @count is 1, events do not wait; an event that waits already comes soon.
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
 * If there is no room, the queue is in error for good, and its existing entries stay (IBA C11-39),
 * unless it ignores overruns.
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
 * @cookie: cookie of the queue pair
 *
 * The entries of these completions stay occupied until the CQ is polled.
 *
 * Context: any; the queue pair adds no completion. Interrupts are enabled from time to time.
 */
void hca_cq_purge(struct hca_cq *cq, u64 cookie);

#endif
