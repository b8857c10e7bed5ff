// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Early retries: the times at which unacknowledged packets are sent again before the ACK timeout.
 * The timer of an EE context is set when the CPU's timer (watch.h) finds that the EE context waits
 * for an acknowledgement. Sending a packet does not move the timer. When the timer expires, it is
 * set again if packets are outstanding.
 */
#include "transport/early_retry.h"
#include <linux/kernel.h>
#include <linux/ktime.h>
#include "compat.h"
#include "transport/eec.h"
#include "transport/retry.h"

/*
 * Minimum time in ns without an acknowledgement before an early retry. It is many times the round
 * trip between two machines. The timer of a busy connection expires at this interval.
 */
#define HCA_EARLY_NS NSEC_PER_MSEC

/* Maximum number of doublings of the interval between retries, which is then more than a minute. */
#define HCA_EARLY_DOUBLINGS 16

/*
 * Number of doublings of the interval if a packet still waits at the port, which many connections
 * may share, or if a received response still waits to be processed.
 */
#define HCA_EARLY_BLOCKED 4

bool hca_early_retries = true;

void hca_early_init(struct hca_early *early,
		    enum hrtimer_restart (*expired)(struct hrtimer *timer))
{
	hrtimer_setup(&early->timer, expired, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_SOFT);
}

void hca_early_stop(struct hca_early *early)
{
	hrtimer_cancel(&early->timer);
}

void hca_early_reset(struct hca_early *early)
{
	early->since = 0;
	early->silence = 0;
	early->retries = 0;
	early->resent = false;
	early->is_far = false;
}

static bool early_is_wanted(const struct hca_eec *eec)
{
	return !eec->is_rd_eec && READ_ONCE(hca_early_retries);
}

/*
 * Record that the peer is silent from @now on, and set the time of the next retry. The interval is
 * twice the time that the peer has recently needed for an acknowledgement, and at least
 * HCA_EARLY_NS. It is then doubled @doublings times.
 */
static void early_begin(struct hca_early *early, u64 now, u8 doublings)
{
	u64 patience = max_t(u64, HCA_EARLY_NS, 2 * early->silence) << doublings;

	early->since = now;
	early->due = now + patience;
	early->is_far = patience > HCA_EARLY_NS;
}

/* Return whether the timer is pending and expires at early->due or before. */
static bool early_is_in_time(struct hca_early *early)
{
	return hrtimer_is_queued(&early->timer) &&
	       ktime_to_ns(hrtimer_get_expires(&early->timer)) <= (s64)early->due;
}

/* Make the timer expire at early->due or before. */
static void early_set(struct hca_early *early)
{
	if (early_is_in_time(early))
		return;
	early->is_soon = !early->is_far;
	hrtimer_start(&early->timer, ns_to_ktime(early->due), HRTIMER_MODE_ABS_SOFT);
}

bool hca_early_is_set(struct hca_eec *eec)
{
	struct hca_early *early = &eec->early;

	if (!early_is_wanted(eec))
		return true;
	if (early->since)
		return early_is_in_time(early);
	return hrtimer_is_queued(&early->timer) && early->is_soon;
}

/*
 * Return the number of doublings of the interval before the first retry. If earlier packets were
 * retried, the interval is longer than all intervals of those retries together.
 */
static u8 early_first_doublings(const struct hca_early *early)
{
	return early->retries ? early->retries + 1 : 0;
}

void hca_early_begin(struct hca_eec *eec, u64 now)
{
	if (early_is_wanted(eec))
		early_begin(&eec->early, now, early_first_doublings(&eec->early));
}

void hca_early_arm(struct hca_eec *eec)
{
	struct hca_early *early = &eec->early;

	early->armed_at = jiffies;
	early->since = 0;
	early->resent = early->resent && hca_psn_diff(early->resent_psn, eec->una_psn) > 0;
	if (early->is_far)
		hca_early_begin(eec, ktime_get_ns());
}

void hca_early_measure(struct hca_early *early)
{
	unsigned long ticks = jiffies - early->armed_at;
	u64 silence;

	if (!early->resent) {
		/* The measured time may be shorter than the real one, but never longer. */
		silence = early->since ? ktime_get_ns() - early->since : 0;
		if (ticks > 1)
			silence = max_t(u64, silence, (u64)(ticks - 1) * TICK_NSEC);
		early->silence = max(early->silence * 7 / 8, silence);
		early->retries = 0;
	}
	early->since = 0;
}

/*
 * Return the PSN after the packets that are sent again. These are the outstanding packets, but
 * HCA_WINDOW packets at most, even if a long Read has more PSNs.
 */
static u32 early_resent_end(const struct hca_eec *eec)
{
	s32 outstanding = hca_psn_diff(eec->sent_psn, eec->una_psn);

	return hca_psn_add(eec->una_psn, min(outstanding, HCA_WINDOW));
}

/* If a retry is due, count it and set the time of the next one. Return: whether a retry is due. */
static bool early_retries(struct hca_eec *eec, u64 now, bool silent)
{
	struct hca_early *early = &eec->early;

	if (!early->since || !silent) {
		early_begin(early, now, silent ? early_first_doublings(early) : HCA_EARLY_BLOCKED);
		return false;
	}
	if (now < early->due)
		return false;
	early->retries = min(early->retries + 1, HCA_EARLY_DOUBLINGS);
	early->resent = true;
	early->resent_psn = early_resent_end(eec);
	early_begin(early, now, early->retries);
	return true;
}

bool hca_early_due(struct hca_eec *eec, bool silent)
{
	bool due;

	if (!early_is_wanted(eec) || eec->rnr_wait)
		return false;
	due = early_retries(eec, ktime_get_ns(), silent);
	early_set(&eec->early);
	return due;
}
