// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * ACK timeout, RNR wait and retries. Each EE context has one kernel timer. A new deadline does not
 * move a pending timer that expires earlier; when it expires it is set again for the deadline.
 */
#include <linux/bottom_half.h>
#include <linux/jiffies.h>
#include <linux/timer.h>
#include "compat.h"
#include "qp/qp.h"
#include "transport/retry.h"

/*
 * The smallest window. A loss makes the requester repeat all packets that followed the lost one, so
 * that a smaller window repeats fewer of them. Each acknowledged packet makes the window larger by
 * one.
 */
#define HCA_WINDOW_LEAST 8

/* The time in jiffies before an early retry: 4 ms, and a tick, for the first one is not whole. */
#define HCA_EARLY_TICKS (1 + msecs_to_jiffies(4))

bool hca_early_retries = true;

static void retry_set(struct hca_eec *eec, unsigned long deadline)
{
	if (!timer_pending(&eec->timer) || time_before(deadline, eec->timer.expires))
		mod_timer(&eec->timer, deadline);
}

/*
 * Return the time of the next early retry, or that of the deadline if none comes before. The peer
 * is given twice the time that it has lately needed, and after each early retry twice as long.
 */
static unsigned long next_expiry(const struct hca_eec *eec)
{
	unsigned long interval = max(HCA_EARLY_TICKS, 2 * eec->silence);
	unsigned long early = eec->armed_at + (interval << (eec->early_retries + 1)) - interval;

	if (eec->rnr_wait || !READ_ONCE(hca_early_retries) || time_after(early, eec->deadline))
		return eec->deadline;
	return early;
}

/* Have the timer expire at the next expiry, no tick later. */
static void set_next(struct hca_eec *eec)
{
	retry_set(eec, next_expiry(eec) - HCA_TIMER_ROUNDING);
}

/* Start the ACK timeout anew (IBA C9-139). Timeout 0 is none. */
void hca_retry_arm(struct hca_eec *eec)
{
	if (!eec->ack_timeout)
		return;
	eec->timer_armed = true;
	eec->armed_at = jiffies;
	eec->early_retries = 0;
	eec->deadline = eec->armed_at + eec->ack_timeout;
	set_next(eec);
}

void hca_retry_set_timeout(struct hca_eec *eec, u8 code)
{
	bool sends = eec->common->state == IB_QPS_RTS || eec->common->state == IB_QPS_SQD;

	eec->ack_timeout = code ? 2 + nsecs_to_jiffies(4096ull << code) : 0;
	if (!sends || eec->una_psn == eec->sent_psn || eec->rnr_wait)
		return;
	eec->timer_armed = false;
	hca_retry_arm(eec);
}

/* RNR timer codes in microseconds (IBA 9.7.5.2.8). */
static const u32 rnr_usecs[32] = {
	655360, 10,   20,   30,	  40,	60,   80,   120,   160,	  240,	 320,
	480,	640,  960,  1280, 1920, 2560, 3840, 5120,  7680,  10240, 15360,
	20480,	30720, 40960, 61440, 81920, 122880, 163840, 245760, 327680, 491520,
};

u32 hca_rnr_usecs(u8 code)
{
	return rnr_usecs[code & 31];
}

void hca_retry_wait_rnr(struct hca_eec *eec, u8 code)
{
	eec->rnr_wait = true;
	eec->timer_armed = true;
	eec->deadline = jiffies + 1 + usecs_to_jiffies(hca_rnr_usecs(code));
	retry_set(eec, eec->deadline);
}

/* Schedule the run in @ticks jiffies, without counting a retry. */
void hca_retry_later(struct hca_eec *eec, unsigned long ticks)
{
	retry_set(eec, jiffies + ticks);
}

bool hca_retry_again(struct hca_eec *eec)
{
	if (!eec->retries_left)
		return false;
	eec->retries_left--;
	eec->window = max(eec->window / 2, HCA_WINDOW_LEAST);
	return true;
}

void hca_retry_rewind(struct hca_eec *eec)
{
	if (eec->resync) {
		eec->resync = HCA_RESYNC_DUE;
		return;
	}
	eec->qp->sq_current = eec->qp->sq_done;
	eec->next_psn = eec->una_psn;
	eec->reads_outstanding = 0;
	eec->rewound = true;
}

/* Return whether an early retry is due, before the deadline. */
static bool expired_early(struct hca_eec *eec)
{
	bool due = !time_before(jiffies, next_expiry(eec));

	if (due)
		eec->early_retries++;
	set_next(eec);
	return due;
}

enum hca_expiry hca_retry_expired(struct hca_eec *eec)
{
	enum hca_expiry expiry = HCA_EXPIRY_TIMEOUT;

	if (!eec->timer_armed)
		return HCA_EXPIRY_NONE;
	if (time_before(jiffies, eec->deadline)) {
		if (!expired_early(eec))
			return HCA_EXPIRY_NONE;
		expiry = HCA_EXPIRY_EARLY;
	} else {
		eec->timer_armed = false;
		if (eec->rnr_wait) {
			eec->rnr_wait = false;
			return HCA_EXPIRY_NONE;
		}
	}
	return eec->una_psn != eec->sent_psn ? expiry : HCA_EXPIRY_NONE;
}

void hca_retry_timer(struct timer_list *timer)
{
	struct hca_eec *eec = timer_container_of(eec, timer, timer);

	WRITE_ONCE(eec->timed_out, true);
	hca_eec_kick(eec);
	hca_engine_run();
}
