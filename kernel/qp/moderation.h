/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * CQ moderation: an event waits for a given number of completions, or until the first of these
 * completions has waited for a given period. IBA does not define moderation. The interface is that
 * of ibv_modify_cq() and, for consumers in the kernel, rdma_set_cq_moderation().
 */
#ifndef HCA_QP_MODERATION_H
#define HCA_QP_MODERATION_H

#include <linux/hrtimer.h>
#include "engine/run.h"

/* The moderation of a CQ. All fields except for the timer are guarded by the lock of the CQ. */
struct hca_moderation {
	u16 count; /* number of completions that cause an event at once; 0: events do not wait */
	u16 period; /* microseconds that the first completion waits for others */
	u16 waiting; /* number of completions that wait for an event */
	struct hrtimer timer; /* schedules @run, whose function calls hca_moderation_end() */
	struct hca_runnable *run;
};

/**
 * hca_moderation_init() - initialize the moderation of a CQ, which is off at first
 * @moderation: the moderation, zeroed
 * @run: the CQ's runnable, which is scheduled when completions have waited for the period
 *
 * Context: process.
 */
void hca_moderation_init(struct hca_moderation *moderation, struct hca_runnable *run);

/* Stop the timer. May sleep. */
void hca_moderation_stop(struct hca_moderation *moderation);

/* Implement hca_moderation_waits() for a CQ that has moderation on. */
bool hca_moderation_add(struct hca_moderation *moderation);

/**
 * hca_moderation_waits() - decide whether the event for a completion waits
 * @moderation: the moderation of a CQ that is armed for the completion; the CQ's lock is held
 *
 * Context: BH disabled.
 * Return: true if the event waits for further completions; false if it is to be raised now.
 */
static inline bool hca_moderation_waits(struct hca_moderation *moderation)
{
	return unlikely(moderation->count) && hca_moderation_add(moderation);
}

/**
 * hca_moderation_end() - end the wait for further completions
 * @moderation: the moderation of the CQ; the CQ's lock is held
 *
 * Context: any.
 * Return: true if any completion was waiting for an event.
 */
static inline bool hca_moderation_end(struct hca_moderation *moderation)
{
	bool waited = moderation->waiting;

	moderation->waiting = 0;
	return waited;
}

#endif
