// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Waiting and trying again. One kernel timer a queue pair, set when none is pending;
 * what moves is the deadline, which the timer looks at when it goes off.
 */
#include <linux/bottom_half.h>
#include <linux/jiffies.h>
#include <linux/timer.h>
#include "compat.h"
#include "transport/send.h"

static void hca_retry_set(struct hca_qp *qp, unsigned long deadline)
{
	if (!timer_pending(&qp->timer) || time_before(deadline, qp->timer.expires))
		mod_timer(&qp->timer, deadline);
}

/* Start anew to wait for an acknowledgement (C9-139); timeout 0 waits for ever. */
void hca_retry_arm(struct hca_qp *qp)
{
	struct hca_eec *eec = &qp->eec;

	if (!eec->ack_timeout)
		return;
	eec->timer_on = true;
	eec->deadline = jiffies + eec->ack_timeout;
	hca_retry_set(qp, eec->deadline);
}

/* RNR timer codes in microseconds (IBA 9.7.5.2.8). */
static const u32 hca_rnr_usecs[32] = {
	655360, 10,   20,   30,	  40,	60,   80,   120,   160,	  240,	 320,
	480,	640,  960,  1280, 1920, 2560, 3840, 5120,  7680,  10240, 15360,
	20480,	30720, 40960, 61440, 81920, 122880, 163840, 245760, 327680, 491520,
};

void hca_retry_wait_rnr(struct hca_qp *qp, u8 code)
{
	struct hca_eec *eec = &qp->eec;

	eec->rnr_wait = true;
	eec->timer_on = true;
	eec->deadline = jiffies + 1 + usecs_to_jiffies(hca_rnr_usecs[code & 31]);
	hca_retry_set(qp, eec->deadline);
}

/* No memory for a packet: look again at the next tick. */
void hca_retry_soon(struct hca_qp *qp)
{
	hca_retry_set(qp, jiffies + 1);
}

void hca_retry_timed_out(struct hca_qp *qp)
{
	struct hca_eec *eec = &qp->eec;

	if (!eec->timer_on)
		return;
	if (time_before(jiffies, eec->deadline)) {
		hca_retry_set(qp, eec->deadline);
		return;
	}
	eec->timer_on = false;
	if (eec->rnr_wait) {
		eec->rnr_wait = false;
		return;
	}
	if (eec->una_psn == eec->sent_psn)
		return;
	if (!eec->retries_left) {
		hca_requester_fail(qp, HCA_WC_RETRY_EXC_ERR);
		return;
	}
	eec->retries_left--;
	hca_requester_rewind(qp);
}

void hca_retry_timer(struct timer_list *timer)
{
	struct hca_qp *qp = from_timer(qp, timer, timer);

	WRITE_ONCE(qp->timed_out, true);
	hca_qp_kick(qp);
	hca_engine_drain();
}
