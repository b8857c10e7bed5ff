// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The end of the use of a stream that is a socket. */
#include "iwarp/tcp/tcp_release.h"
#include <linux/file.h>
#include <linux/jiffies.h>
#include <linux/memcontrol.h>
#include <net/tcp.h>
#include "iwarp/tcp/tcp_push.h"
#include "iwarp/tcp/tcp_receive.h"

#define RELEASE_LINGER_SECONDS 5 /* to send what is left */
#define RELEASE_LINGER_MS 20 /* between looks whether it is sent */

/* A process's socket is its own again. Those who wait at it learn that the connection has ended. */
static void release_restore(struct hca_tcp_stream *ts, struct sock *sk)
{
	sk->sk_allocation = ts->allocation;
	WRITE_ONCE(sk->sk_rcvlowat, 1);
	sk->sk_state_change(sk);
}

/* Take the callbacks of a socket back. The spin lock is enough, whoever has locked the socket. */
static void release_callbacks(struct hca_tcp_stream *ts)
{
	struct sock *sk = ts->sock->sk;

	spin_lock_bh(&sk->sk_lock.slock);
	write_lock(&sk->sk_callback_lock);
	sk->sk_user_data = NULL;
	sk->sk_state_change = ts->saved.state_change;
	sk->sk_data_ready = ts->saved.data_ready;
	sk->sk_write_space = ts->saved.write_space;
	sk->sk_error_report = ts->saved.error_report;
	write_unlock(&sk->sk_callback_lock);
	if (ts->is_live)
		release_restore(ts, sk);
	spin_unlock_bh(&sk->sk_lock.slock);
}

/* Send what is left, unless the stream has to end by a reset. */
static void release_finish(struct hca_tcp_stream *ts)
{
	struct sock *sk = ts->sock->sk;
	bool is_empty;

	lock_sock(sk);
	is_empty = test_bit(HCA_TCP_ENDED, &ts->flags) || hca_tcp_push(ts);
	hca_tcp_receive_end(ts);
	release_sock(sk);
	if (!is_empty || test_bit(HCA_TCP_ABORTED, &ts->flags) ||
	    !test_bit(HCA_TCP_CLOSING, &ts->flags))
		sock_no_linger(sk);
	sock_release(ts->sock);
}

/* Whether a connection has ended, or ends without this end's doing. */
static bool release_is_over(const struct sock *sk)
{
	int state = READ_ONCE(sk->sk_state);

	return state == TCP_CLOSE || state == TCP_FIN_WAIT2;
}

/*
 * End the use of a process's socket. Only messages of a queue pair may cross its connection, which
 * ends here whatever the process does (req R0-255). A connection that had still to be closed could
 * keep the kernel's worker waiting for as long as SO_LINGER says.
 */
static void release_live(struct hca_tcp_stream *ts)
{
	struct sock *sk = ts->sock->sk;

	__skb_queue_purge(&ts->rx.queue);
	if (!release_is_over(sk) && !hca_tcp_stream_is_held(ts))
		tcp_abort(sk, ECONNABORTED);
	fput(ts->sock->file);
}

void hca_tcp_release_free(struct work_struct *work)
{
	struct hca_tcp_stream *ts = container_of(to_rcu_work(work), struct hca_tcp_stream, free);

	timer_delete_sync(&ts->retry);
	hca_run_stop(&ts->push);
	/* The last push may have started the timer anew. */
	timer_delete_sync(&ts->retry);
	cancel_work_sync(&ts->work);
	if (ts->is_live)
		release_live(ts);
	else
		release_finish(ts);
	timer_delete_sync(&ts->retry);
	hca_tcp_push_drop(ts);
	mem_cgroup_put(ts->memcg);
	ts->released(ts);
}

/* Whether the end of a live stream in order needs more time, to send a FIN and have it received. */
static bool release_is_closing(const struct hca_tcp_stream *ts)
{
	return ts->is_live && !release_is_over(ts->sock->sk);
}

/* Whether octets that were sent before close() are still to be given to TCP. */
static bool release_lingers(struct hca_tcp_stream *ts)
{
	if (!time_before(jiffies, ts->linger))
		return false;
	if (hca_tcp_stream_is_held(ts))
		return true;
	return test_bit(HCA_TCP_CLOSING, &ts->flags) && !test_bit(HCA_TCP_ENDED, &ts->flags) &&
	       !test_bit(HCA_TCP_ABORTED, &ts->flags) &&
	       (READ_ONCE(ts->tail.data) || release_is_closing(ts));
}

void hca_tcp_release_work(struct work_struct *work)
{
	struct hca_tcp_stream *ts =
		container_of(to_delayed_work(work), struct hca_tcp_stream, release);

	if (release_lingers(ts)) {
		hca_tcp_queue_later(&ts->release, RELEASE_LINGER_MS);
		return;
	}
	set_bit(HCA_TCP_RELEASED, &ts->flags);
	release_callbacks(ts);
	hca_tcp_queue_rcu(&ts->free);
}

void hca_tcp_release(struct hca_stream *s)
{
	struct hca_tcp_stream *ts = hca_tcp_stream_of(s);

	ts->linger = jiffies + RELEASE_LINGER_SECONDS * HZ;
	hca_tcp_queue_later(&ts->release, 0);
}
