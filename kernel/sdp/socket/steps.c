// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* A transfer that continues while no call waits for it: its state, its time, and its task. */
#include "sdp/socket/steps.h"
#include <net/sock.h>
#include "compat.h"
#include "sdp/socket/sock.h"

void sdp_steps_begin(struct sdp_steps *steps)
{
	if (!steps->referenced)
		sock_hold(sdp_sock(steps->ssk));
	steps->referenced = true;
}

void sdp_steps_wait(struct sdp_steps *steps, u8 state, unsigned long delay)
{
	WRITE_ONCE(steps->state, state);
	steps->until = jiffies + delay;
	sk_reset_timer(sdp_sock(steps->ssk), &steps->timer, steps->until);
}

void sdp_steps_end(struct sdp_steps *steps)
{
	sk_stop_timer(sdp_sock(steps->ssk), &steps->timer);
	WRITE_ONCE(steps->state, 0);
}

/*
 * Remove the task's reference to the socket if the task will not run again. The timer and the
 * completions can queue the task even while this work owns the socket lock, but only under the
 * spinlock of the socket lock.
 */
static bool steps_remove_reference(struct sdp_steps *steps)
{
	struct sock *sk = sdp_sock(steps->ssk);
	bool removed;

	spin_lock_bh(&sk->sk_lock.slock);
	removed = steps->referenced && !steps->state && !work_pending(&steps->task.work);
	if (removed)
		steps->referenced = false;
	spin_unlock_bh(&sk->sk_lock.slock);
	return removed;
}

static void steps_run(struct work_struct *work)
{
	struct sdp_steps *steps = container_of(work, struct sdp_steps, task.work);
	struct sdp_sock *ssk = steps->ssk;
	struct sock *sk = sdp_sock(ssk);
	bool removed;

	if (!sdp_task_lock(&ssk->ep, &steps->task))
		return;
	while (steps->state && steps->table[steps->state](ssk)) {
	}
	removed = steps_remove_reference(steps);
	release_sock(sk);
	if (removed)
		sock_put(sk);
}

static void steps_timed_out(struct timer_list *timer)
{
	struct sdp_steps *steps = timer_container_of(steps, timer, timer);
	struct sock *sk = sdp_sock(steps->ssk);

	bh_lock_sock(sk);
	sdp_steps_kick(steps);
	bh_unlock_sock(sk);
	sock_put(sk);
}

void sdp_steps_init(struct sdp_steps *steps, struct sdp_sock *ssk, const sdp_step *table)
{
	steps->ssk = ssk;
	steps->table = table;
	timer_setup(&steps->timer, steps_timed_out, 0);
	sdp_task_init(&steps->task, steps_run);
}
