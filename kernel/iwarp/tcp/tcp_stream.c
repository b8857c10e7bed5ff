// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* A stream that is a TCP socket: its callbacks, and its worker. */
#include "iwarp/tcp/tcp_stream.h"
#include <linux/bottom_half.h>
#include <linux/delay.h>
#include <linux/file.h>
#include <linux/net.h>
#include <net/tcp.h>
#include "compat.h"
#include "iwarp/tcp/tcp_claim.h"
#include "iwarp/tcp/tcp_push.h"
#include "iwarp/tcp/tcp_receive.h"
#include "iwarp/tcp/tcp_release.h"
#include "iwarp/tcp/tcp_retry.h"
#include "iwarp/tcp/tcp_send.h"

#define STREAM_CLAIM_TRIES 100 /* of a process's socket that is in use */

static struct workqueue_struct *stream_queue;

int hca_tcp_start(void)
{
	stream_queue = alloc_workqueue("hca-iwarp", WQ_UNBOUND | WQ_MEM_RECLAIM, 0);
	return stream_queue ? 0 : -ENOMEM;
}

void hca_tcp_stop(void)
{
	destroy_workqueue(stream_queue);
	hca_tx_buffer_stop();
}

void hca_tcp_queue(struct work_struct *work)
{
	queue_work(stream_queue, work);
}

void hca_tcp_queue_later(struct delayed_work *work, unsigned int ms)
{
	mod_delayed_work(stream_queue, work, msecs_to_jiffies(ms));
}

void hca_tcp_queue_rcu(struct rcu_work *work)
{
	queue_rcu_work(stream_queue, work);
}

static void stream_end(struct hca_tcp_stream *ts, int event, int error)
{
	if (test_and_set_bit(HCA_TCP_ENDED, &ts->flags))
		return;
	ts->stream.error = test_bit(HCA_TCP_ABORTED, &ts->flags) ? 0 : error;
	hca_stream_event(&ts->stream, event);
}

void hca_tcp_stream_lost(struct hca_tcp_stream *ts, int error)
{
	stream_end(ts, HCA_STREAM_LOST, error);
}

static void stream_retries(struct timer_list *timer)
{
	struct hca_tcp_stream *ts = timer_container_of(ts, timer, retry);

	hca_run_schedule(&ts->push);
	hca_engine_raise();
}

bool hca_tcp_stream_is_held(struct hca_tcp_stream *ts)
{
	struct sock *sk = ts->sock->sk;
	bool is_held;

	if (!ts->is_live)
		return false;
	spin_lock_bh(&sk->sk_lock.slock);
	is_held = sock_owned_by_user(sk);
	spin_unlock_bh(&sk->sk_lock.slock);
	return is_held;
}

/* Queue the worker for a FIN that nothing is in the way of any more, or for a reset. */
static void stream_go_on(struct hca_tcp_stream *ts)
{
	bool is_closing = test_bit(HCA_TCP_CLOSING, &ts->flags) &&
			  !test_bit(HCA_TCP_FIN_SENT, &ts->flags);

	if (is_closing || test_bit(HCA_TCP_ABORTED, &ts->flags))
		hca_tcp_queue(&ts->work);
}

/* Send what is left of a buffer, and have the user go on. */
static bool stream_push(struct hca_runnable *r, int *budget)
{
	struct hca_tcp_stream *ts = container_of(r, struct hca_tcp_stream, push);
	struct sock *sk = ts->sock->sk;
	bool is_empty = false;

	(*budget)--;
	bh_lock_sock(sk);
	if (sock_owned_by_user(sk))
		hca_tcp_retry(ts);
	else
		is_empty = hca_tcp_push(ts);
	bh_unlock_sock(sk);
	/* Reception does not wait for transmission: the peer may wait for it. */
	if (test_and_clear_bit(HCA_TCP_NO_MEMORY, &ts->flags) || is_empty)
		hca_stream_event(&ts->stream, HCA_STREAM_READABLE);
	if (is_empty)
		hca_stream_event(&ts->stream, HCA_STREAM_WRITABLE);
	if (is_empty || test_bit(HCA_TCP_ABORTED, &ts->flags))
		stream_go_on(ts);
	return false;
}

/* Whether a process has ended the sending half of its socket. */
static bool stream_is_shut(const struct hca_tcp_stream *ts, const struct sock *sk)
{
	return ts->is_live && (sk->sk_shutdown & SEND_SHUTDOWN) &&
	       !test_bit(HCA_TCP_FIN_SENT, &ts->flags);
}

/* Raise what the state of a socket, which is locked, says. */
static void stream_update(struct hca_tcp_stream *ts, struct sock *sk)
{
	if (sk->sk_state == TCP_CLOSE && sk->sk_err) {
		stream_end(ts, HCA_STREAM_LOST, -sk->sk_err);
		return;
	}
	if (sk->sk_state == TCP_ESTABLISHED || sk->sk_state == TCP_CLOSE_WAIT)
		if (!test_and_set_bit(HCA_TCP_CONNECTED, &ts->flags))
			hca_stream_event(&ts->stream, HCA_STREAM_WRITABLE);
	if (!test_bit(HCA_TCP_CONNECTED, &ts->flags))
		return;
	if ((sk->sk_shutdown & RCV_SHUTDOWN) &&
	    !test_and_set_bit(HCA_TCP_PEER_CLOSED, &ts->flags))
		hca_stream_event(&ts->stream, HCA_STREAM_PEER_CLOSED);
	if (stream_is_shut(ts, sk))
		stream_end(ts, HCA_STREAM_LOST, -EPIPE);
	if (sk->sk_state == TCP_CLOSE)
		stream_end(ts, test_bit(HCA_TCP_FIN_SENT, &ts->flags) ? HCA_STREAM_CLOSED :
				HCA_STREAM_LOST, -ECONNRESET);
}

/*
 * Return: the stream of a socket, which stays valid until stream_exit(); or NULL. The callbacks are
 * called with the socket locked, also by a process that has bottom halves enabled; they stay on one
 * processor, whose run list and softirq belong together.
 */
static struct hca_tcp_stream *stream_enter(struct sock *sk) __acquires(RCU)
{
	local_bh_disable();
	rcu_read_lock();
	return READ_ONCE(sk->sk_user_data);
}

static void stream_exit(void) __releases(RCU)
{
	hca_engine_raise();
	rcu_read_unlock();
	local_bh_enable();
}

static void stream_state_change(struct sock *sk)
{
	struct hca_tcp_stream *ts = stream_enter(sk);

	if (ts) {
		WRITE_ONCE(ts->rx.is_current, false);
		stream_update(ts, sk);
	}
	stream_exit();
}

static void stream_data_ready(struct sock *sk)
{
	struct hca_tcp_stream *ts = stream_enter(sk);

	if (ts) {
		WRITE_ONCE(ts->rx.is_current, false);
		hca_stream_event(&ts->stream, HCA_STREAM_READABLE);
	}
	stream_exit();
}

static void stream_write_space(struct sock *sk)
{
	struct hca_tcp_stream *ts = stream_enter(sk);

	/* TCP calls this in a send that has failed, too, which has its retry already. */
	if (ts && !ts->is_sending && sk_stream_is_writeable(sk)) {
		clear_bit(SOCK_NOSPACE, &sk->sk_socket->flags);
		hca_run_schedule(&ts->push);
	}
	stream_exit();
}

/* Queue the worker for what close() or reset() has noted. */
static void stream_note(struct hca_stream *s, enum hca_tcp_flag flag)
{
	struct hca_tcp_stream *ts = hca_tcp_stream_of(s);

	set_bit(flag, &ts->flags);
	hca_tcp_queue(&ts->work);
}

static void stream_close(struct hca_stream *s)
{
	stream_note(s, HCA_TCP_CLOSING);
}

static void stream_reset(struct hca_stream *s)
{
	stream_note(s, HCA_TCP_ABORTED);
}

static const struct hca_stream_ops stream_ops = {
	.peek = hca_tcp_peek,
	.consume = hca_tcp_consume,
	.want = hca_tcp_want,
	.room = hca_tcp_room,
	.mss = hca_tcp_mss,
	.send = hca_tcp_send,
	.close = stream_close,
	.reset = stream_reset,
	.release = hca_tcp_release,
};

/* Schedule the user of a stream from process context. */
static void stream_run(struct hca_tcp_stream *ts)
{
	local_bh_disable();
	hca_stream_event(&ts->stream, HCA_STREAM_READABLE | HCA_STREAM_WRITABLE);
	hca_engine_run();
	local_bh_enable();
}

/* Send the FIN, when TCP has all that was sent before. */
static void stream_shut(struct hca_tcp_stream *ts)
{
	struct sock *sk = ts->sock->sk;
	bool is_empty;

	lock_sock(sk);
	is_empty = hca_tcp_push(ts);
	release_sock(sk);
	if (!is_empty || test_and_set_bit(HCA_TCP_FIN_SENT, &ts->flags))
		return;
	kernel_sock_shutdown(ts->sock, SHUT_WR);
	/* The socket was locked, so that a run may have gone without octets that were there. */
	stream_run(ts);
}

static void stream_abort(struct hca_tcp_stream *ts)
{
	tcp_abort(ts->sock->sk, ECONNABORTED);
	local_bh_disable();
	hca_tcp_stream_lost(ts, 0);
	hca_engine_run();
	local_bh_enable();
}

static void stream_work(struct work_struct *work)
{
	struct hca_tcp_stream *ts = container_of(work, struct hca_tcp_stream, work);

	if (test_bit(HCA_TCP_ENDED, &ts->flags))
		return;
	if (hca_tcp_stream_is_held(ts))
		hca_tcp_retry(ts);
	else if (test_bit(HCA_TCP_ABORTED, &ts->flags))
		stream_abort(ts);
	else if (!test_bit(HCA_TCP_FIN_SENT, &ts->flags))
		stream_shut(ts);
}

void hca_tcp_prepare(struct sock *sk)
{
	lock_sock(sk);
	sk->sk_reuse = SK_CAN_REUSE;
	hca_tcp_claim_tune(sk);
	release_sock(sk);
	tcp_sock_set_nodelay(sk);
}

static void stream_setup(struct hca_tcp_stream *ts, struct socket *sock,
			 void (*released)(struct hca_tcp_stream *ts))
{
	ts->stream.ops = &stream_ops;
	ts->sock = sock;
	ts->released = released;
	__skb_queue_head_init(&ts->rx.queue);
	hca_run_init(&ts->push, stream_push);
	timer_setup(&ts->retry, stream_retries, 0);
	INIT_WORK(&ts->work, stream_work);
	INIT_DELAYED_WORK(&ts->release, hca_tcp_release_work);
	INIT_RCU_WORK(&ts->free, hca_tcp_release_free);
	ts->memcg = hca_memcg_get();
}

/* Take the callbacks of a socket, which is locked. */
static void stream_hook(struct hca_tcp_stream *ts, struct sock *sk)
{
	write_lock_bh(&sk->sk_callback_lock);
	ts->saved = (struct hca_tcp_callbacks){ sk->sk_state_change, sk->sk_data_ready,
						sk->sk_write_space, sk->sk_error_report };
	/*
	 * Small segments wait for their acknowledgment together. It comes before the peer takes
	 * them for lost: Linux sends a probe after two jiffies.
	 */
	inet_csk(sk)->icsk_delack_max = 1;
	sk->sk_user_data = ts;
	sk->sk_state_change = stream_state_change;
	sk->sk_data_ready = stream_data_ready;
	sk->sk_write_space = stream_write_space;
	sk->sk_error_report = stream_state_change;
	write_unlock_bh(&sk->sk_callback_lock);
	/* Events that have happened before are kept until the stream has a user. */
	if (sk->sk_state != TCP_CLOSE || sk->sk_err)
		stream_update(ts, sk);
}

void hca_tcp_stream_init(struct hca_tcp_stream *ts, struct socket *sock,
			 void (*released)(struct hca_tcp_stream *ts))
{
	stream_setup(ts, sock, released);
	lock_sock(sock->sk);
	stream_hook(ts, sock->sk);
	release_sock(sock->sk);
}

/* Claim the socket of a process, which may be using it. */
static int stream_claim(struct hca_tcp_stream *ts, struct hca_tcp_claim *claim)
{
	struct sock *sk = ts->sock->sk;
	int ret;

	spin_lock_bh(&sk->sk_lock.slock);
	ts->allocation = sk->sk_allocation;
	ret = hca_tcp_claim(sk, claim);
	if (!ret)
		stream_hook(ts, sk);
	spin_unlock_bh(&sk->sk_lock.slock);
	return ret;
}

int hca_tcp_stream_attach(struct hca_tcp_stream *ts, struct socket *sock,
			  struct hca_tcp_claim *claim,
			  void (*released)(struct hca_tcp_stream *ts))
{
	int ret, tries = 0;

	stream_setup(ts, sock, released);
	ts->is_live = true;
	get_file(sock->file);
	while ((ret = stream_claim(ts, claim)) == -EAGAIN && tries++ < STREAM_CLAIM_TRIES)
		usleep_range(500, 1000);
	if (!ret)
		return 0;
	mem_cgroup_put(ts->memcg);
	fput(sock->file);
	return ret == -EAGAIN ? -EBUSY : ret;
}
