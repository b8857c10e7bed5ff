/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * CQ moderation: an event waits until there are some completions, or until the first of them has a
 * certain age. IBA does not define moderation; the interface is that of ibv_modify_cq() and, for
 * consumers in the kernel, rdma_set_cq_moderation().
 */
#ifndef HCA_QP_MODERATION_H
#define HCA_QP_MODERATION_H

#include <linux/hrtimer.h>
#include "engine/run.h"

/* All but the timer is guarded by the lock of the CQ. */
struct hca_moderation {
	u16 count; /* completions until an event; 0: events do not wait */
	u16 period; /* microseconds that the first completion waits for others */
	u16 waiting; /* completions since the last event that the CQ was armed for */
	struct hrtimer timer; /* schedules run, which calls hca_moderation_end() */
	struct hca_runnable *run;
};

/**
 * hca_moderation_init() - initialize the moderation of a CQ, which is off at first
 * @moderation: the moderation
 * @run: scheduled when completions have waited for a period
 *
 * Context: process.
 */
void hca_moderation_init(struct hca_moderation *moderation, struct hca_runnable *run);

/* Stop the timer. May sleep. */
void hca_moderation_stop(struct hca_moderation *moderation);

/* The part of hca_moderation_waits() for a CQ whose moderation is on. */
bool hca_moderation_add(struct hca_moderation *moderation);

/**
 * hca_moderation_waits() - account for a completion that the CQ is armed for
 * @moderation: its CQ's lock is held
 *
 * Context: BH disabled.
 * Return: whether the event waits for further completions.
 */
static inline bool hca_moderation_waits(struct hca_moderation *moderation)
{
	return unlikely(moderation->count) && hca_moderation_add(moderation);
}

/**
 * hca_moderation_end() - end the wait for further completions
 * @moderation: its CQ's lock is held
 *
 * Context: any.
 * Return: whether completions have waited for an event.
 */
static inline bool hca_moderation_end(struct hca_moderation *moderation)
{
	bool waited = moderation->waiting;

	moderation->waiting = 0;
	return waited;
}

#endif
