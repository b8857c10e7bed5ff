/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Early retries. The packets behind a lost one tell the peer of it, but nothing is behind the last
 * one, and the ACK timeout is far longer than a round trip: two seconds of what the CM computes
 * from OpenSM's packet lifetime. So a peer that is silent is sent again what it has not
 * acknowledged, with growing distances, until the ACK timeout expires.
 *
 * The clock is read only when a timer is started or has expired, which is not for each packet:
 * beside a timer that is pending, that of the watch (watch.h) or its own for the shortest time that
 * there is, the peer counts as silent from its expiry on. Of a peer that needs more each
 * acknowledgement is timed.
 *
 * What has been sent again may be acknowledged for either time, so that nothing is learned from it
 * (Karn's algorithm): the distance that the retries have grown to stays until something is
 * acknowledged that was sent once.
 *
 * For all functions: BH are disabled and send_lock is held, unless stated otherwise.
 */
#ifndef HCA_TRANSPORT_EARLY_H
#define HCA_TRANSPORT_EARLY_H

#include <linux/hrtimer.h>
#include <linux/jiffies.h>
#include <linux/types.h>

struct hca_eec;

struct hca_early {
	struct hrtimer timer;
	bool is_far; /* the peer is given more than the shortest time: arming reads the clock */
	bool is_soon; /* the timer was set for the shortest time */
	bool resent; /* the packets before resent_psn were sent again */
	u8 retries; /* number of early retries since an acknowledgement of what was sent once */
	u32 resent_psn;
	unsigned long armed_at; /* jiffies at which the oldest packet became the oldest */
	u64 since; /* ns; since then, or a later time; 0: the clock has not been read since then */
	u64 due; /* ns; time of the next retry; valid if since is not 0 */
	u64 silence; /* ns that the peer has lately needed for an acknowledgement */
};

/* Whether there are early retries (a module parameter). */
extern bool hca_early_retries;

/*
 * hca_early_init() - initialise the early retries of an EE context
 * @early: the early retries
 * @expired: function of the timer, which has the EE context's run call hca_early_due()
 *
 * Context: process; send_lock is not held.
 */
void hca_early_init(struct hca_early *early,
		    enum hrtimer_restart (*expired)(struct hrtimer *timer));

/* Stop the timer. Context: process, may sleep; send_lock is not held. */
void hca_early_stop(struct hca_early *early);

/* The next connection is with a peer of which nothing is known. */
void hca_early_reset(struct hca_early *early);

/* Packets are outstanding, and the oldest of them has just been sent, or become the oldest. */
void hca_early_arm(struct hca_eec *eec);

/* The same, and the time in ns is known. */
void hca_early_begin(struct hca_eec *eec, u64 now);

/* Return whether the timer, if it is wanted, will expire in time for what is outstanding. */
bool hca_early_is_set(struct hca_eec *eec);

/* The part of hca_early_acknowledged() for a peer that has needed some time. */
void hca_early_measure(struct hca_early *early);

/* The oldest packet has been acknowledged, or refused. */
static inline void hca_early_acknowledged(struct hca_early *early)
{
	if (early->since || early->retries || jiffies - early->armed_at > 1)
		hca_early_measure(early);
}

/*
 * hca_early_due() - count an early retry, if one is due
 * @eec: the EE context, one of whose timers has expired
 * @silent: packets are on their way, and nothing of the peer waits
 *
 * Return: whether what is outstanding is to be sent again.
 */
bool hca_early_due(struct hca_eec *eec, bool silent);

#endif
