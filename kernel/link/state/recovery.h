/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Link error recovery: while the physical layer of a link fails, both ends are in Recovery and
 * ActDefer, in which data packets are queued, until the link is trained again or goes Down.
 */
#ifndef HCA_LINK_STATE_RECOVERY_H
#define HCA_LINK_STATE_RECOVERY_H

#include <linux/hrtimer.h>
#include <linux/types.h>
#include "engine/run.h"

struct hca_port;

/* State of the error recovery of a port's link. */
struct hca_recovery {
	/* The port's lock guards the fields until and missed. */
	u64 until; /* end of LinkDownTimeout, ns */
	bool missed; /* the signal has been found absent since this recovery began */

	bool no_signal; /* packets from the port do not reach its peer */
	/* The link is administratively down; equal at both ends. Guarded by the control mutex. */
	bool admin_down;
};

/* The function of link_events.run, which handles the events that have been raised. */
bool hca_link_run(struct hca_runnable *r, int *budget);

/* The function of link_events.timer, which checks a recovery, or ends Sleeping.Delay. */
enum hrtimer_restart hca_link_timer_expired(struct hrtimer *timer);

/**
 * hca_link_recover() - recover a link from an error of its physical layer
 * @port: the end that has found the error
 *
 * If both ends are Active, they are in ActDefer for a millisecond, and then Active again, and
 * LinkErrorRecovery is incremented. If the signal stays absent for 10 ms, both ends go Down. If an
 * end is not Active, the link goes Down and is trained at once (IBA 7.2.7).
 * Context: BH disabled; no lock held; hca_engine_run() must follow.
 */
void hca_link_recover(struct hca_port *port);

/**
 * hca_link_signal() - turn the signal from a port to its peer on or off
 * @port: the sender
 * @there: whether packets from @port reach its peer
 *
 * Loss of the signal is a link error (hca_link_recover()), and prevents training. A link to a
 * remote port goes Down.
 * Context: BH disabled; no lock held; hca_engine_run() must follow.
 */
void hca_link_signal(struct hca_port *port, bool there);

/**
 * hca_link_set_admin_down() - take a link administratively down, or up again
 * @port: either end; it has a cable, or a phy to a remote port
 * @down: whether the link is to be down
 *
 * The link goes Down at once, as if its cable were removed, but the cable keeps its faults, rates
 * and delays. The link is not trained again before it is taken up. Nothing happens if the link is
 * already in the requested state.
 * Context: process, BH disabled; the caller holds the control mutex; hca_engine_run() must follow.
 */
void hca_link_set_admin_down(struct hca_port *port, bool down);

/**
 * hca_link_reset_admin_down() - clear the administrative down state for the next link of a port
 * @port: the port, which has neither a cable nor a phy any more
 *
 * Context: process; the caller holds the control mutex.
 */
void hca_link_reset_admin_down(struct hca_port *port);

#endif
