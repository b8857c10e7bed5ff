/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Early retries: retransmissions before the ACK timeout. The peer notices a lost packet when a
 * later packet arrives, but the peer cannot notice the loss of the last packet. The ACK timeout is
 * far longer than a round trip: two seconds with the value that the CM computes from OpenSM's
 * packet lifetime. Therefore, while the peer is silent, the unacknowledged packets are sent again
 * at growing intervals until the ACK timeout expires.
 *
 * The clock is not read for each packet, but only when a timer is started or has expired. There are
 * two timers: the CPU's timer (watch.h) and the EE context's timer. If one of them is already
 * pending with the interval HCA_EARLY_NS when a packet is sent, the peer's silence is measured from
 * the expiry of that timer. If the peer has recently needed more time than HCA_EARLY_NS (is_far),
 * the clock is read whenever a packet becomes the oldest unacknowledged one.
 *
 * If a packet was sent twice, the time until its acknowledgement is not measured, because the
 * acknowledgement may belong to either transmission (Karn's algorithm). Each retry makes the
 * interval longer. The interval becomes short again when a packet that was sent only once is
 * acknowledged.
 *
 * In all functions BH are disabled and send_lock is held, unless stated otherwise.
 */
#ifndef HCA_TRANSPORT_EARLY_RETRY_H
#define HCA_TRANSPORT_EARLY_RETRY_H

#include <linux/hrtimer.h>
#include <linux/jiffies.h>
#include <linux/types.h>

struct hca_eec;

struct hca_early {
	struct hrtimer timer;
	/* the interval is longer than HCA_EARLY_NS; hca_early_arm() therefore reads the clock */
	bool is_far;
	bool is_soon; /* the timer was set with the interval HCA_EARLY_NS */
	bool resent; /* the packets before resent_psn were sent again */
	/* number of early retries since a packet that was sent only once was last acknowledged */
	u8 retries;
	u32 resent_psn;
	/*
	 * time in jiffies at which the packet with PSN una_psn became the oldest unacknowledged one
	 */
	unsigned long armed_at;
	/* start of the peer's silence, in ns; 0: the clock was not read since armed_at */
	u64 since;
	u64 due; /* time of the next retry in ns; valid if @since is not 0 */
	u64 silence; /* time in ns that the peer has recently needed for an acknowledgement */
};

/* Module parameter: early retries are enabled. */
extern bool hca_early_retries;

/*
 * hca_early_init() - initialize the early retries of an EE context
 * @early: the early retries
 * @expired: function of the timer; schedules the EE context's run function, which calls
 *           hca_early_due()
 *
 * Context: process; send_lock is not held.
 */
void hca_early_init(struct hca_early *early,
		    enum hrtimer_restart (*expired)(struct hrtimer *timer));

/* Stop the timer. Context: process, may sleep; send_lock is not held. */
void hca_early_stop(struct hca_early *early);

/* Discard the measurements, because the next connection may have another peer. */
void hca_early_reset(struct hca_early *early);

/*
 * Note that a packet has just become the oldest outstanding one: either it was sent while no other
 * packet was outstanding, or all packets before it were acknowledged.
 */
void hca_early_arm(struct hca_eec *eec);

/* Record that the peer is silent from @now (in ns) on, and set the time of the next retry. */
void hca_early_begin(struct hca_eec *eec, u64 now);

/* Return whether the timer expires no later than the next retry is due, or is not needed. */
bool hca_early_is_set(struct hca_eec *eec);

/*
 * Measure the time until an acknowledgement. hca_early_acknowledged() calls this if the time was
 * long.
 */
void hca_early_measure(struct hca_early *early);

/* Note that the oldest outstanding packet was acknowledged or refused by the peer. */
static inline void hca_early_acknowledged(struct hca_early *early)
{
	if (early->since || early->retries || jiffies - early->armed_at > 1)
		hca_early_measure(early);
}

/*
 * hca_early_due() - count an early retry if one is due, and set the timer
 * @eec: the EE context; its timer or the CPU's timer has expired
 * @silent: true if no packet waits for room at the port, and no received response waits to be
 *          processed
 *
 * Return: true if the outstanding packets are to be sent again.
 */
bool hca_early_due(struct hca_eec *eec, bool silent);

#endif
