// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* CQ moderation. */
#include "qp/moderation.h"
#include <linux/ktime.h>
#include "compat.h"

/*
 * The timer is not stopped when the number of completions causes an event. The next completion that
 * waits restarts the timer. If the timer has expired just before, the run function also ends the
 * wait of that completion. A completion may thus wait for less than a period, but never for more.
 */
static enum hrtimer_restart moderation_expired(struct hrtimer *timer)
{
	hca_run_schedule(container_of(timer, struct hca_moderation, timer)->run);
	hca_engine_raise();
	return HRTIMER_NORESTART;
}

void hca_moderation_init(struct hca_moderation *moderation, struct hca_runnable *run)
{
	moderation->run = run;
	hrtimer_setup(&moderation->timer, moderation_expired, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS_SOFT);
}

void hca_moderation_stop(struct hca_moderation *moderation)
{
	hrtimer_cancel(&moderation->timer);
}

bool hca_moderation_add(struct hca_moderation *moderation)
{
	if (++moderation->waiting >= moderation->count) {
		moderation->waiting = 0;
		return false;
	}
	if (moderation->waiting == 1)
		hrtimer_start(&moderation->timer,
			      ktime_add_us(ktime_get(), moderation->period), HRTIMER_MODE_ABS_SOFT);
	return true;
}
