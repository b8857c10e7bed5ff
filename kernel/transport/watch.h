/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Watching EE contexts that have sent packets. Most packets are acknowledged so soon that it would
 * be a waste to set a timer of each EE context. Instead, each CPU has one timer, which expires
 * every millisecond while the CPU has EE contexts to watch. An EE context that still waits for an
 * acknowledgement then sets its own timers. An EE context is not watched any more after this check,
 * until it sends the next packet.
 */
#ifndef HCA_TRANSPORT_WATCH_H
#define HCA_TRANSPORT_WATCH_H

#include <linux/list.h>
#include <linux/time64.h>
#include <linux/types.h>

/* Time in ns between two expiries of a CPU's timer. */
#define HCA_WATCH_NS ((u64)NSEC_PER_MSEC)

struct hca_eec;
struct hca_watch;

/*
 * Membership of an EE context in the list of a CPU's struct hca_watch. Writers hold the lock of the
 * struct hca_watch, and also send_lock if the EE context's run function may run.
 */
struct hca_watched {
	struct hlist_node node;
	/* the struct of the CPU that has last watched the EE context; or NULL */
	struct hca_watch *watch;
};

/* Return whether the EE context is being watched. send_lock held. */
static inline bool hca_is_watched(const struct hca_watched *watched)
{
	return !hlist_unhashed(&watched->node);
}

/**
 * hca_watch_add() - make this CPU watch an EE context
 * @eec: the EE context, which is not watched yet; send_lock held
 *
 * This CPU's timer expires within a millisecond. If eec->timer_armed is still set at that time, the
 * EE context's run function is scheduled, as if the EE context's own timer had expired.
 *
 * Context: BH disabled.
 * Return: the current time in ns if this call has started the CPU's timer; 0 if the timer was
 * running already.
 */
u64 hca_watch_add(struct hca_eec *eec);

/**
 * hca_watch_remove() - stop watching an EE context
 * @eec: the EE context; its run function has stopped
 *
 * Context: process.
 */
void hca_watch_remove(struct hca_eec *eec);

/**
 * hca_watch_start() - initialize the struct hca_watch of each CPU
 *
 * Context: process.
 * Return: 0.
 */
int hca_watch_start(void);

/**
 * hca_watch_stop() - stop the timer of each CPU
 *
 * All EE contexts have been destroyed.
 *
 * Context: process, may sleep.
 */
void hca_watch_stop(void);

#endif
