/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Events that the state machine of a link handles in link_events.run. Lower layers raise events
 * instead of calling the state machine.
 */
#ifndef HCA_LINK_STATE_LINK_EVENT_H
#define HCA_LINK_STATE_LINK_EVENT_H

#include <linux/hrtimer.h>
#include <linux/types.h>
#include "engine/run.h"

struct hca_port;

enum hca_link_event {
	HCA_LINK_ERROR = 1 << 0, /* there were too many errors: the link is recovered */
	HCA_LINK_LOST = 1 << 1, /* one end has lost the link, which goes Down and is retrained */
	HCA_LINK_READY = 1 << 2, /* flow-control packets arrive again: training may begin */
};

struct hca_link_events {
	atomic_t raised; /* events that are not handled yet, bits of enum hca_link_event */
	struct hca_runnable run; /* handles the events */
	struct hrtimer timer; /* expires after training, LinkDownTimeout or Sleeping.Delay */
	bool listens; /* Sleeping.Delay is over; a peer that polls then wakes the port */
};

/* Initialize the events of a port. Context: process. */
void hca_link_events_init(struct hca_port *port, bool (*run)(struct hca_runnable *r, int *budget),
			  enum hrtimer_restart (*expired)(struct hrtimer *timer));

/*
 * Stop run and timer of link_events. Context: process, may sleep; the port is unlinked, and its
 * other runnables are stopped.
 */
void hca_link_events_stop(struct hca_port *port);

/*
 * Raise an event, which hca_link_run() handles after the calling runnable has returned. Context: in
 * hca_engine_run(); any lock may be held.
 */
void hca_link_event_raise(struct hca_port *port, enum hca_link_event event);

/* Start the timer, which expires at @when (ktime_get_ns()). Context: BH disabled. */
void hca_link_timer_start(struct hca_port *port, u64 when);

/* Begin Sleeping.Delay, during which the port ignores its peer. Context: BH disabled. */
void hca_link_sleep(struct hca_port *port);

#endif
