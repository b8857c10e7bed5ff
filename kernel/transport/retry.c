// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * ACK timeout, RNR wait and retries. Each EE context has one kernel timer for them. A new deadline
 * does not move a pending timer that expires earlier; when that timer expires, it is set again for
 * the deadline. For an ACK timeout, the kernel timer is set only when the CPU's timer (watch.h)
 * finds that packets are outstanding.
 */
#include "transport/retry.h"
#include <linux/bottom_half.h>
#include <linux/jiffies.h>
#include <linux/timer.h>
#include "compat.h"
#include "qp/qp.h"

/*
 * Minimum window. After a loss, the requester repeats the lost packet and all later packets; with a
 * smaller window, fewer packets are repeated. Each acknowledged packet makes the window larger by
 * one.
 */
#define HCA_WINDOW_LEAST 8

static bool retry_is_set(const struct hca_eec *eec, unsigned long expires)
{
	return timer_pending(&eec->timer) && !time_before(expires, eec->timer.expires);
}

/* Make the timer expire no later than at @deadline (jiffies). */
static void retry_set(struct hca_eec *eec, unsigned long deadline)
{
	unsigned long expires = deadline - HCA_TIMER_ROUNDING;

	if (!retry_is_set(eec, expires))
		mod_timer(&eec->timer, expires);
}

/*
 * Make the CPU's timer (watch.h) check the EE context, so that the EE context's timers are set if
 * packets are then still outstanding. Nothing is done if these timers already expire early enough,
 * as is usual during long operations.
 */
static void retry_watch(struct hca_eec *eec)
{
	u64 now;

	if (retry_is_set(eec, eec->deadline - HCA_TIMER_ROUNDING) && hca_early_is_set(eec))
		return;
	now = hca_watch_add(eec);
	if (now)
		hca_early_begin(eec, now);
}

/* Restart the ACK timeout (IBA C9-139), unless ack_timeout is 0. */
void hca_retry_arm(struct hca_eec *eec)
{
	if (!eec->ack_timeout)
		return;
	eec->timer_armed = true;
	eec->deadline = jiffies + eec->ack_timeout;
	hca_early_arm(eec);
	if (!hca_is_watched(&eec->watched))
		retry_watch(eec);
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

/* Wait in microseconds for each RNR timer code (IBA 9.7.5.2.8). */
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
	hca_retry_acknowledged(eec);
	eec->rnr_wait = true;
	eec->timer_armed = true;
	eec->deadline = jiffies + 1 + usecs_to_jiffies(hca_rnr_usecs(code));
	retry_set(eec, eec->deadline);
}

/* Schedule the run function in @ticks jiffies, without counting a retry. */
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

/*
 * Return true if only the peer or the fabric can delay an acknowledgement, because no packet of
 * this EE context waits at the port and no received response waits to be processed.
 */
static bool retry_is_silent(const struct hca_eec *eec)
{
	return list_empty(&eec->blocked.node) && !hca_eec_has_responses(eec);
}

enum hca_expiry hca_retry_expired(struct hca_eec *eec)
{
	enum hca_expiry expiry = HCA_EXPIRY_TIMEOUT;

	if (!eec->timer_armed)
		return HCA_EXPIRY_NONE;
	if (time_before(jiffies, eec->deadline)) {
		retry_set(eec, eec->deadline);
		if (!hca_early_due(eec, retry_is_silent(eec)))
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
