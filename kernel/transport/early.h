/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Early retries: retransmissions before the ACK timeout. The packets behind a lost packet show the
 * peer that it was lost, but no packet is behind the last one, and the ACK timeout is far longer
 * than a round trip: two seconds with the value that the CM computes from OpenSM's packet lifetime.
 * Therefore the unacknowledged packets are sent to a silent peer again, at growing intervals, until
 * the ACK timeout expires.
 *
 * The clock is read only when a timer is started or has expired, not for each packet. While the
 * timer of the watch (watch.h) is pending, or the EE context's own timer with the shortest
 * interval, arming does not read the clock: the peer counts as silent from the expiry of that timer
 * on. Each acknowledgement of a peer that needs more time is timed.
 *
 * The acknowledgement of a packet that was sent twice may belong to either transmission and is not
 * measured (Karn's algorithm). The interval that the retries have grown to stays until a packet
 * that was sent once is acknowledged.
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
	bool is_far; /* the interval is longer than the shortest one: arming reads the clock */
	bool is_soon; /* the timer was set for the shortest time */
	bool resent; /* the packets before resent_psn were sent again */
	/* number of early retries since the last acknowledgement of a packet that was sent once */
	u8 retries;
	u32 resent_psn;
	unsigned long armed_at; /* jiffies at which the oldest packet became the oldest */
	/* ns; start of the silence, armed_at or later; 0: clock not read since armed_at */
	u64 since;
	u64 due; /* ns; time of the next retry; valid if since is not 0 */
	u64 silence; /* ns that the peer has lately needed for an acknowledgement */
};

/* Whether early retries are enabled (a module parameter). */
extern bool hca_early_retries;

/*
 * hca_early_init() - initialize the early retries of an EE context
 * @early: the early retries
 * @expired: function of the timer; it has the EE context's run call hca_early_due()
 *
 * Context: process; send_lock is not held.
 */
void hca_early_init(struct hca_early *early,
		    enum hrtimer_restart (*expired)(struct hrtimer *timer));

/* Stop the timer. Context: process, may sleep; send_lock is not held. */
void hca_early_stop(struct hca_early *early);

/* Discard the measurements, because the next connection has another peer. */
void hca_early_reset(struct hca_early *early);

/* Note that the oldest outstanding packet was just sent, or has just become the oldest one. */
void hca_early_arm(struct hca_eec *eec);

/* Let the peer's silence begin at @now, in ns, and set the time of the next retry. */
void hca_early_begin(struct hca_eec *eec, u64 now);

/* Return whether the timer expires in time for the outstanding packets, or is not needed. */
bool hca_early_is_set(struct hca_eec *eec);

/* The part of hca_early_acknowledged() for a peer whose answer took some time. */
void hca_early_measure(struct hca_early *early);

/* Note that the oldest packet was acknowledged or refused. */
static inline void hca_early_acknowledged(struct hca_early *early)
{
	if (early->since || early->retries || jiffies - early->armed_at > 1)
		hca_early_measure(early);
}

/*
 * hca_early_due() - count an early retry, if one is due
 * @eec: the EE context, one of whose timers has expired
 * @silent: no packet waits for the link, and no response of the peer waits to be processed
 *
 * Return: whether the outstanding packets are to be sent again.
 */
bool hca_early_due(struct hca_eec *eec, bool silent);

#endif
