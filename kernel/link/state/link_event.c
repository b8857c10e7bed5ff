// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Link events, and the timer of a link's state machine. */
#include "link/state/link_event.h"
#include <linux/ktime.h>
#include "compat.h"
#include "link/port/port.h"

/* Sleeping.Delay: the time for which a sleeping port ignores its peer (req C4-177). */
#define HCA_SLEEP_DELAY_NS 400000000ull

/*
 * This timer is pinned to the processor on which the signal was lost. The timer that ends a flap (a
 * short loss of the signal) is pinned to that processor, too. Both timers therefore expire in their
 * order even if the processor is late, and a flap that ends in time does not take the link Down.
 */
void hca_link_timer_start(struct hca_port *port, u64 when)
{
	hrtimer_start(&port->link_events.timer, ns_to_ktime(when), HRTIMER_MODE_ABS_PINNED_SOFT);
}

void hca_link_sleep(struct hca_port *port)
{
	WRITE_ONCE(port->link_events.listens, false);
	hca_link_timer_start(port, ktime_get_ns() + HCA_SLEEP_DELAY_NS);
}

void hca_link_event_raise(struct hca_port *port, enum hca_link_event event)
{
	atomic_or(event, &port->link_events.raised);
	hca_run_schedule(&port->link_events.run);
}

void hca_link_events_init(struct hca_port *port, bool (*run)(struct hca_runnable *r, int *budget),
			  enum hrtimer_restart (*expired)(struct hrtimer *timer))
{
	struct hca_link_events *events = &port->link_events;

	atomic_set(&events->raised, 0);
	hca_run_init(&events->run, run);
	hrtimer_setup(&events->timer, expired, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_PINNED_SOFT);
}

void hca_link_events_stop(struct hca_port *port)
{
	hca_run_stop(&port->link_events.run);
	hrtimer_cancel(&port->link_events.timer);
}
