// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * SO_KEEPALIVE. A connection that was silent for TCP_KEEPIDLE is probed by an RDMA Write without
 * payload, as in other implementations on InfiniBand. The peer's queue pair acknowledges the probe
 * without help of a program. Our queue pair repeats an unacknowledged probe, so the first failed
 * probe ends the connection.
 */
#include "sdp/socket/keepalive.h"
#include <linux/jiffies.h>
#include "sdp/link/transfer.h"

static bool keepalive_is_watched(const struct sdp_sock *ssk)
{
	const struct sock *sk = &ssk->ep.inet.sk;

	return sock_flag(sk, SOCK_KEEPOPEN) && ssk->ep.link && ssk->ep.link->ready &&
	       sk->sk_state != TCP_CLOSE;
}

static unsigned long keepalive_idle_time(const struct sdp_sock *ssk)
{
	return ssk->keepalive_idle * HZ;
}

static void keepalive_watch(struct sdp_sock *ssk, unsigned long delay)
{
	struct sock *sk = sdp_sock(ssk);

	sk_reset_timer(sk, &sk->sk_timer, jiffies + delay);
}

/* A process may hold the socket lock without bound. The timer then runs again after a second. */
static void keepalive_timeout(struct timer_list *timer)
{
	struct sock *sk = container_of(timer, struct sock, sk_timer);
	struct sdp_sock *ssk = sdp_sk(sk);
	unsigned long idle, silent;

	bh_lock_sock(sk);
	if (sock_owned_by_user(sk)) {
		keepalive_watch(ssk, HZ);
	} else if (keepalive_is_watched(ssk)) {
		idle = keepalive_idle_time(ssk);
		silent = jiffies - ssk->ep.alive_at;
		if (silent >= idle) {
			sdp_link_probe(&ssk->ep);
			silent = 0;
		}
		keepalive_watch(ssk, idle - silent);
	}
	bh_unlock_sock(sk);
	sock_put(sk);
}

void sdp_keepalive_init(struct sdp_sock *ssk)
{
	ssk->keepalive_idle = SDP_KEEPALIVE_IDLE;
	timer_setup(&sdp_sock(ssk)->sk_timer, keepalive_timeout, 0);
}

void sdp_keepalive_restart(struct sdp_sock *ssk)
{
	ssk->ep.alive_at = jiffies;
	if (keepalive_is_watched(ssk))
		keepalive_watch(ssk, keepalive_idle_time(ssk));
}

void sdp_keepalive_set_idle(struct sdp_sock *ssk, int value)
{
	ssk->keepalive_idle = value;
	sdp_keepalive_restart(ssk);
}

void sdp_keepalive_end(struct sdp_sock *ssk)
{
	struct sock *sk = sdp_sock(ssk);

	sk_stop_timer(sk, &sk->sk_timer);
}

/* The core sets or clears SOCK_KEEPOPEN after this call. */
void sdp_keepalive_set(struct sock *sk, int on)
{
	struct sdp_sock *ssk = sdp_sk(sk);

	if (!on)
		sdp_keepalive_end(ssk);
	else if (ssk->ep.link && ssk->ep.link->ready && sk->sk_state != TCP_CLOSE)
		keepalive_watch(ssk, keepalive_idle_time(ssk));
}
