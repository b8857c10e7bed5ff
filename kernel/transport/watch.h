/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The watch over EE contexts that have sent packets. Most packets are acknowledged before the run
 * that has sent them ends, so that a timer for each EE context would be set in vain. Instead, one
 * timer of each CPU expires every millisecond while the CPU has EE contexts to watch. The EE
 * contexts that still wait for an acknowledgement then set timers of their own, and the others are
 * not watched any more until they send the next packet.
 */
#ifndef HCA_TRANSPORT_WATCH_H
#define HCA_TRANSPORT_WATCH_H

#include <linux/list.h>
#include <linux/time64.h>
#include <linux/types.h>

/* Maximum time in ns for which an EE context is watched, apart from the delay of the timer. */
#define HCA_WATCH_NS ((u64)NSEC_PER_MSEC)

struct hca_eec;
struct hca_watch;

/* Membership of an EE context in a watch; changed under send_lock and the lock of the watch. */
struct hca_watched {
	struct hlist_node node;
	struct hca_watch *watch; /* the last watch; or NULL */
};

/* Return whether the EE context is being watched. send_lock held. */
static inline bool hca_is_watched(const struct hca_watched *watched)
{
	return !hlist_unhashed(&watched->node);
}

/**
 * hca_watch_add() - have this CPU watch an EE context
 * @eec: the EE context, which is not being watched; send_lock held
 *
 * If timer_armed is set when this CPU's timer expires, within a millisecond, the EE context's run
 * is scheduled, as if its own timer had expired.
 *
 * Context: BH disabled.
 * Return: the time in ns if the watch has begun with this EE context; otherwise 0.
 */
u64 hca_watch_add(struct hca_eec *eec);

/**
 * hca_watch_remove() - end the watch over an EE context
 * @eec: the EE context, whose run has stopped
 *
 * Context: process.
 */
void hca_watch_remove(struct hca_eec *eec);

/**
 * hca_watch_start() - initialize the watch of each CPU
 *
 * Context: process.
 * Return: 0.
 */
int hca_watch_start(void);

/**
 * hca_watch_stop() - stop the timers
 *
 * All EE contexts have been destroyed.
 *
 * Context: process, may sleep.
 */
void hca_watch_stop(void);

#endif
