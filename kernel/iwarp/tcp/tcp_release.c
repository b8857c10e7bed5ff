// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The end of the use of a stream that is a socket. */
#include "iwarp/tcp/tcp_release.h"
#include <linux/jiffies.h>
#include <linux/memcontrol.h>
#include <net/tcp.h>
#include "iwarp/tcp/tcp_push.h"
#include "iwarp/tcp/tcp_receive.h"

#define RELEASE_LINGER_SECONDS 5 /* to send what is left */
#define RELEASE_LINGER_MS 20 /* between looks whether it is sent */

/* Take the callbacks of a socket back. */
static void release_callbacks(struct hca_tcp_stream *ts)
{
	struct sock *sk = ts->sock->sk;

	lock_sock(sk);
	write_lock_bh(&sk->sk_callback_lock);
	sk->sk_user_data = NULL;
	sk->sk_state_change = ts->saved.state_change;
	sk->sk_data_ready = ts->saved.data_ready;
	sk->sk_write_space = ts->saved.write_space;
	sk->sk_error_report = ts->saved.error_report;
	write_unlock_bh(&sk->sk_callback_lock);
	release_sock(sk);
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
}

void hca_tcp_release_free(struct work_struct *work)
{
	struct hca_tcp_stream *ts = container_of(to_rcu_work(work), struct hca_tcp_stream, free);

	timer_delete_sync(&ts->retry);
	hca_run_stop(&ts->push);
	/* The last push may have started the timer anew. */
	timer_delete_sync(&ts->retry);
	cancel_work_sync(&ts->work);
	release_finish(ts);
	timer_delete_sync(&ts->retry);
	hca_tx_buffer_free(ts->tail);
	sock_release(ts->sock);
	mem_cgroup_put(ts->memcg);
	ts->released(ts);
}

/* Whether octets that were sent before close() are still to be given to TCP. */
static bool release_lingers(const struct hca_tcp_stream *ts)
{
	return test_bit(HCA_TCP_CLOSING, &ts->flags) && !test_bit(HCA_TCP_ENDED, &ts->flags) &&
	       !test_bit(HCA_TCP_ABORTED, &ts->flags) && READ_ONCE(ts->tail) &&
	       time_before(jiffies, ts->linger);
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
