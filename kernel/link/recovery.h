/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A link whose physical layer fails for a moment: both ends are in Recovery, and in ActDefer, in
 * which nothing passes and nothing is dropped, until they have trained again or given up.
 */
#ifndef HCA_LINK_RECOVERY_H
#define HCA_LINK_RECOVERY_H

#include <linux/hrtimer.h>
#include <linux/types.h>

struct hca_port;

struct hca_recovery {
	struct hrtimer timer; /* when the ends have trained, or give up; when a sleeper listens */
	/* Guarded by the port's lock: */
	u64 until; /* LinkDownTimeout, ns */
	bool looked; /* there was no signal when it should have been trained */

	bool no_signal; /* nothing that the port sends reaches its peer */
	bool listens; /* asleep for long enough: a neighbour that polls wakes it */
};

void hca_recovery_init(struct hca_port *port);

/* The port falls asleep, and hears nobody for a while (Sleeping.Delay). Context: any; no lock held. */
void hca_recovery_sleep(struct hca_port *port);

/* No timer any more. Context: process; the port is unplugged. */
void hca_recovery_stop(struct hca_port *port);

/**
 * hca_link_recover() - a link has an error that training is to mend
 * @port: the end that found it
 *
 * If both ends are Active they are so again a millisecond later, LinkErrorRecovery counted; or
 * Down, if there is no signal for 10 ms. Else the link goes down, and trains at once (IBA 7.2.7).
 * Context: BH disabled, no lock held; the engine is drained later.
 */
void hca_link_recover(struct hca_port *port);

/**
 * hca_link_signal() - what a port sends reaches its peer no more, or again
 * @port: the sender
 * @there: whether it does
 *
 * Without signal the link has an error, as above, and does not train; one to elsewhere goes down.
 * Context: BH disabled, no lock held; the engine is drained later.
 */
void hca_link_signal(struct hca_port *port, bool there);

#endif
