// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * SO_KEEPALIVE. A connection that was silent for TCP_KEEPIDLE is probed by an RDMA Write without
 * payload, as in other implementations on InfiniBand. The peer's queue pair acknowledges the probe
 * without its program. Our queue pair repeats an unacknowledged probe, so the first failed probe
 * ends the connection.
 */
#include "sdp/linux/keepalive.h"
#include <linux/jiffies.h>
#include <linux/tcp.h>
#include "sdp/linux/options.h"
#include "sdp/linux/transfer.h"

static bool is_watched(const struct sdp_sock *ssk)
{
	const struct sock *sk = &ssk->inet.sk;

	return sock_flag(sk, SOCK_KEEPOPEN) && ssk->link && ssk->link->ready &&
	       sk->sk_state != TCP_CLOSE;
}

static unsigned long idle_time(const struct sdp_sock *ssk)
{
	return sdp_options_value(ssk, SOL_TCP, TCP_KEEPIDLE) * HZ;
}

static void watch(struct sdp_sock *ssk, unsigned long delay)
{
	struct sock *sk = sdp_sock(ssk);

	sk_reset_timer(sk, &sk->sk_timer, jiffies + delay);
}

/* The timer does not wait for a process that owns the lock, and may hold it without bound. */
static void keep_timeout(struct timer_list *timer)
{
	struct sock *sk = container_of(timer, struct sock, sk_timer);
	struct sdp_sock *ssk = sdp_sk(sk);
	unsigned long idle, silent;

	bh_lock_sock(sk);
	if (sock_owned_by_user(sk)) {
		watch(ssk, HZ);
	} else if (is_watched(ssk)) {
		idle = idle_time(ssk);
		silent = jiffies - ssk->alive_at;
		if (silent >= idle) {
			sdp_link_probe(ssk);
			silent = 0;
		}
		watch(ssk, idle - silent);
	}
	bh_unlock_sock(sk);
	sock_put(sk);
}

void sdp_keepalive_init(struct sdp_sock *ssk)
{
	timer_setup(&sdp_sock(ssk)->sk_timer, keep_timeout, 0);
}

void sdp_keepalive_restart(struct sdp_sock *ssk)
{
	ssk->alive_at = jiffies;
	if (is_watched(ssk))
		watch(ssk, idle_time(ssk));
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
	else if (ssk->link && ssk->link->ready && sk->sk_state != TCP_CLOSE)
		watch(ssk, idle_time(ssk));
}
