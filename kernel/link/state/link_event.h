/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Events that the state machine of a link handles in a run of its own. Lower layers raise events
 * instead of calling the state machine.
 */
#ifndef HCA_LINK_LINK_EVENT_H
#define HCA_LINK_LINK_EVENT_H

#include <linux/hrtimer.h>
#include <linux/types.h>
#include "engine/run.h"

struct hca_port;

enum hca_link_event {
	HCA_LINK_ERROR = 1 << 0, /* too many errors: the link is to be recovered */
	HCA_LINK_LOST = 1 << 1, /* one end has lost the link, which goes Down and is retrained */
	HCA_LINK_READY = 1 << 2, /* flow-control packets arrive again: training may begin */
};

struct hca_link_events {
	atomic_t raised; /* enum hca_link_event */
	struct hca_runnable run; /* handles the events */
	struct hrtimer timer; /* end of training, LinkDownTimeout, or end of Sleeping.Delay */
	bool listens; /* Sleeping.Delay is over: a peer that polls wakes the port */
};

/* Initialize the events of a port. Context: process. */
void hca_link_events_init(struct hca_port *port, bool (*run)(struct hca_runnable *r, int *budget),
			  enum hrtimer_restart (*expired)(struct hrtimer *timer));

/* Stop run and timer. Context: process, may sleep; the port is unlinked, its other runs stopped. */
void hca_link_events_stop(struct hca_port *port);

/*
 * Raise an event, which is handled after the caller's run. Context: a run; any lock may be held.
 */
void hca_link_event_raise(struct hca_port *port, enum hca_link_event event);

/* Start the timer; @when in ns. Context: BH disabled. */
void hca_link_timer_start(struct hca_port *port, u64 when);

/* Begin Sleeping.Delay, during which the port ignores its peer. Context: BH disabled. */
void hca_link_sleep(struct hca_port *port);

#endif
