// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Corking: messages that wait for more data. */
#include "sdp/socket/cork.h"
#include "sdp/link/fill.h"
#include "sdp/link/lock.h"
#include "sdp/link/transfer.h"

#define CORK_DELAY (HZ / 5) /* maximum time for which a message waits, as in TCP */

void sdp_cork_flush(struct sdp_sock *ssk)
{
	if (!ssk->ep.corked)
		return;
	ssk->ep.corked = false;
	sdp_link_push(&ssk->ep);
}

void sdp_cork_wait(struct sdp_sock *ssk)
{
	if (ssk->ep.link && sdp_fill_last_waits(&ssk->ep) &&
	    queue_delayed_work(sdp_wq, &ssk->cork_work, CORK_DELAY))
		sock_hold(sdp_sock(ssk));
}

void sdp_cork_set(struct sdp_sock *ssk, int value)
{
	ssk->cork = value;
	if (!ssk->cork)
		sdp_cork_flush(ssk);
}

/* A process may hold the socket lock without bound. The work then runs again later. */
static void cork_timeout(struct work_struct *work)
{
	struct sdp_sock *ssk = container_of(to_delayed_work(work), struct sdp_sock, cork_work);
	struct sock *sk = sdp_sock(ssk);
	bool again = false;

	spin_lock_bh(&sk->sk_lock.slock);
	if (sock_owned_by_user(sk))
		again = queue_delayed_work(sdp_wq, &ssk->cork_work, CORK_DELAY);
	else
		sdp_cork_flush(ssk);
	spin_unlock_bh(&sk->sk_lock.slock);
	if (!again)
		sock_put(sk);
}

void sdp_cork_init(struct sdp_sock *ssk)
{
	INIT_DELAYED_WORK(&ssk->cork_work, cork_timeout);
}
