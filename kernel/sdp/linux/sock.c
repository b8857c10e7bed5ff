// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The life of a socket, and of its connection. */
#include "sdp/linux/sock.h"
#include <linux/memcontrol.h>
#include <net/inet_common.h>
#include <net/ipv6.h>
#include "compat.h"
#include "sdp/linux/cork.h"
#include "sdp/linux/idle.h"
#include "sdp/linux/keepalive.h"
#include "sdp/linux/link.h"
#include "sdp/linux/list.h"
#include "sdp/linux/lock.h"
#include "sdp/linux/options.h"
#include "sdp/linux/pages.h"
#include "sdp/linux/port.h"
#include "sdp/linux/resume.h"
#include "sdp/linux/route.h"
#include "sdp/linux/user.h"
#include "sdp/linux/zcopy.h"

#define END_TIMEOUT (10 * HZ) /* for the peer to end a connection that both have closed */
#define RENEW_TIMEOUT (5 * HZ) /* for what is left of an earlier one */

static void time_out(struct sdp_sock *ssk)
{
	switch (sdp_sock(ssk)->sk_state) {
	case TCP_LISTEN:
		break;
	case TCP_CLOSE:
		sdp_link_stop(ssk);
		break;
	case TCP_SYN_SENT:
	case TCP_SYN_RECV:
		sdp_sock_end(ssk, ETIMEDOUT);
		break;
	default:
		if (ssk->conn.disconn_sent && ssk->conn.disconn_received)
			sdp_link_stop(ssk);
		else
			sdp_sock_abort(ssk, ETIMEDOUT);
	}
}

/* What was put off, or cancelled, since the work was queued is not due. */
static void fin_timeout(struct work_struct *work)
{
	struct sdp_sock *ssk = container_of(to_delayed_work(work), struct sdp_sock, fin_work);
	struct sock *sk = sdp_sock(ssk);

	if (!sdp_lock_or_delay(sk, &ssk->fin_work, HZ))
		return;
	if (ssk->fin_at && time_after_eq(jiffies, ssk->fin_at)) {
		ssk->fin_at = 0;
		time_out(ssk);
	}
	release_sock(sk);
	sock_put(sk);
}

void sdp_sock_timeout(struct sdp_sock *ssk, unsigned long delay)
{
	ssk->fin_at = (jiffies + delay) | 1;
	if (!mod_delayed_work(sdp_wq, &ssk->fin_work, delay + 1))
		sock_hold(sdp_sock(ssk));
}

static void fin_timer_cancel(struct sdp_sock *ssk)
{
	ssk->fin_at = 0;
	if (cancel_delayed_work(&ssk->fin_work))
		__sock_put(sdp_sock(ssk));
}

void sdp_sock_purge(struct sdp_sock *ssk)
{
	struct sdp_buf *buf;

	while ((buf = list_first_entry_or_null(&ssk->rx, struct sdp_buf, list))) {
		list_del_init(&buf->list);
		sdp_link_repost(ssk, buf);
	}
	ssk->copied_seq = ssk->rcv_nxt;
	ssk->urg_data = 0;
}

static void destruct(struct sock *sk)
{
	struct sdp_sock *ssk = sdp_sk(sk);

	sdp_list_del(ssk);
	sdp_sock_purge(ssk);
	sdp_pages_free(ssk->source_pages);
	sdp_pages_free(ssk->sink_pages);
	sdp_user_put(ssk->user);
	sock_prot_inuse_add(sock_net(sk), sk->sk_prot, -1);
	inet_sock_destruct(sk);
}

/* siw locks sockets of TCP while one of SDP is locked, which lockdep has to know apart. */
static struct lock_class_key lock_keys[2];

static int sdp_sock_init_for(struct sock *sk, struct sdp_user *user)
{
	struct sdp_sock *ssk = sdp_sk(sk);

	sock_lock_init_class_and_name(sk, "slock-SDP", &lock_keys[0], "sk_lock-SDP", &lock_keys[1]);
	ssk->user = user;
#if IS_ENABLED(CONFIG_IPV6)
	/* bpf_bind() looks for it in any socket whose peer has an IPv6 address. */
	if (!ssk->inet.pinet6)
		ssk->inet.pinet6 = &ssk->inet6;
#endif
	sdp_memory_init_sock(sk);
	ssk->v6only = sk->sk_ipv6only; /* as net.ipv6.bindv6only has it, or false of IPv4 */
	INIT_LIST_HEAD(&ssk->port_node);
	spin_lock_init(&ssk->accept_lock);
	INIT_LIST_HEAD(&ssk->accept_queue);
	INIT_LIST_HEAD(&ssk->accept_node);
	INIT_LIST_HEAD(&ssk->tasks);
	INIT_LIST_HEAD(&ssk->idle_node);
	INIT_LIST_HEAD(&ssk->tx);
	INIT_LIST_HEAD(&ssk->rx);
	init_completion(&ssk->answered);
	init_completion(&ssk->released);
	INIT_DELAYED_WORK(&ssk->fin_work, fin_timeout);
	sdp_cork_init(ssk);
	sdp_keepalive_init(ssk);
	sdp_options_init(ssk);
	sdp_zsend_init(ssk);
	if (sk->sk_socket)
		sdp_custom_sockopt(sk->sk_socket);
	sk->sk_destruct = destruct;
	sock_prot_inuse_add(sock_net(sk), sk->sk_prot, 1);
	return sdp_list_add(ssk);
}

int sdp_sock_init(struct sock *sk)
{
	struct sdp_user *user = sdp_user_get();

	return user ? sdp_sock_init_for(sk, user) : -ENOBUFS;
}

/* A worker makes the child, and has no cgroup. The core releases what a socket has. */
static void inherit_cgroup(struct sock *sk, const struct sock *listener)
{
#ifdef CONFIG_MEMCG
	if (sk->sk_memcg || !listener->sk_memcg)
		return;
	css_get(&listener->sk_memcg->css);
	sk->sk_memcg = listener->sk_memcg;
#endif
}

struct sock *sdp_sock_child(struct sock *listener)
{
	struct sdp_sock *from = sdp_sk(listener), *ssk;
	struct sock *sk;

	sk = sk_alloc(sock_net(listener), listener->sk_family, GFP_KERNEL, &sdp_prot, 0);
	if (!sk)
		return NULL;
	sock_init_data(NULL, sk);
	sk->sk_protocol = IPPROTO_SDP;
	sk->sk_type = SOCK_STREAM;
	if (sdp_sock_init_for(sk, sdp_user_add_ref(from->user))) {
		sk_common_release(sk);
		return NULL;
	}
	sk->sk_rcvbuf = listener->sk_rcvbuf;
	sk->sk_sndbuf = listener->sk_sndbuf;
	sk->sk_rcvlowat = listener->sk_rcvlowat;
	sk->sk_rcvtimeo = listener->sk_rcvtimeo;
	sk->sk_sndtimeo = listener->sk_sndtimeo;
	sk->sk_lingertime = listener->sk_lingertime;
	sk->sk_flags |= listener->sk_flags & (BIT(SOCK_LINGER) | BIT(SOCK_URGINLINE) |
					      BIT(SOCK_KEEPOPEN) | BIT(SOCK_ZEROCOPY));
	sk->sk_reuse = listener->sk_reuse;
	sk->sk_reuseport = listener->sk_reuseport;
	sk->sk_mark = listener->sk_mark;
	inherit_cgroup(sk, listener);
	ssk = sdp_sk(sk);
	ssk->sport = from->sport;
	ssk->v6only = from->v6only;
	memcpy(ssk->options, from->options, sizeof(ssk->options));
	ssk->cork = from->cork;
	ssk->listener = listener;
	sock_hold(listener);
	spin_lock_bh(&from->accept_lock);
	sk_acceptq_added(listener);
	spin_unlock_bh(&from->accept_lock);
	inet_sk_set_state(sk, TCP_SYN_RECV);
	sdp_sock_timeout(ssk, SDP_SETUP_TIMEOUT);
	return sk;
}

void sdp_sock_detach(struct sdp_sock *ssk)
{
	struct sock *listener = ssk->listener;

	if (!listener)
		return;
	ssk->listener = NULL;
	spin_lock_bh(&sdp_sk(listener)->accept_lock);
	sk_acceptq_removed(listener);
	spin_unlock_bh(&sdp_sk(listener)->accept_lock);
	sock_put(listener);
}

/* Passes the reference to the queue. Return: false if the listener is closed. */
static bool queue_child(struct sdp_sock *ssk)
{
	struct sock *listener = ssk->listener;
	struct sdp_sock *to = sdp_sk(listener);
	bool listens;

	spin_lock_bh(&to->accept_lock);
	listens = listener->sk_state == TCP_LISTEN;
	if (listens) {
		list_add_tail(&ssk->accept_node, &to->accept_queue);
		listener->sk_data_ready(listener);
	}
	spin_unlock_bh(&to->accept_lock);
	return listens;
}

void sdp_sock_established(struct sdp_sock *ssk)
{
	struct sock *sk = sdp_sock(ssk);

	if (sk->sk_state == TCP_SYN_RECV && !queue_child(ssk)) {
		sdp_sock_end(ssk, ECONNABORTED);
		return;
	}
	fin_timer_cancel(ssk);
	inet_sk_set_state(sk, TCP_ESTABLISHED);
	sk->sk_state_change(sk);
	sk->sk_write_space(sk);
	sk_wake_async(sk, SOCK_WAKE_IO, POLL_OUT);
	sdp_link_ready(ssk);
	sdp_keepalive_restart(ssk);
}

/* Where nobody has the socket any more, the time that it has for its end goes on. */
void sdp_sock_resumed(struct sdp_sock *ssk)
{
	struct sock *sk = sdp_sock(ssk);

	ssk->resume_port = 0;
	if (!sock_flag(sk, SOCK_DEAD))
		fin_timer_cancel(ssk);
	sdp_link_ready(ssk);
	sdp_idle_watch(ssk);
	sdp_zsend_kick(&ssk->zsend);
	sk->sk_write_space(sk);
	sdp_keepalive_restart(ssk);
}

/*
 * AbortConn has to arrive before the link ends: without it the peer would take DisConn for a
 * graceful end (S2-155, S2-159).
 */
static void end_link(struct sdp_sock *ssk)
{
	fin_timer_cancel(ssk);
	if (!ssk->conn.abort_sent) {
		sdp_link_stop(ssk);
		return;
	}
	sdp_link_stop_when_sent(ssk);
	if (ssk->link && !ssk->link->stopped)
		sdp_sock_timeout(ssk, END_TIMEOUT);
}

void sdp_sock_end(struct sdp_sock *ssk, int err)
{
	struct sock *sk = sdp_sock(ssk);

	end_link(ssk);
	if (sk->sk_state == TCP_CLOSE)
		return;
	sdp_keepalive_end(ssk);
	sdp_route_abandon(ssk);
	if (ssk->resume_port && err != ETIMEDOUT)
		err = ECONNRESET;
	ssk->resume_port = 0;
	sdp_resume_purge(ssk);
	/* Nobody will accept it: its reference goes with the link. */
	if (sk->sk_state == TCP_SYN_RECV) {
		sdp_sock_detach(ssk);
		sock_set_flag(sk, SOCK_DEAD);
		if (ssk->link)
			ssk->link->unborn = true;
	}
	sdp_zsend_kick(&ssk->zsend);
	sk->sk_shutdown = SHUTDOWN_MASK;
	if (err)
		sk->sk_err = err;
	else
		sock_set_flag(sk, SOCK_DONE);
	inet_sk_set_state(sk, TCP_CLOSE);
	complete(&ssk->answered);
	complete(&ssk->released);
	sk_error_report(sk);
	sk->sk_state_change(sk);
}

void sdp_sock_abort(struct sdp_sock *ssk, int err)
{
	if (ssk->link && ssk->conn.disconn_sent && !ssk->link->stopped &&
	    sdp_sock(ssk)->sk_state != TCP_CLOSE) {
		ssk->conn.abort = true;
		sdp_link_push(ssk);
	}
	sdp_sock_end(ssk, err);
}

void sdp_sock_disconnect(struct sdp_sock *ssk)
{
	struct sock *sk = sdp_sock(ssk);

	sk->sk_shutdown |= SEND_SHUTDOWN;
	if (sk->sk_state == TCP_ESTABLISHED)
		inet_sk_set_state(sk, TCP_FIN_WAIT1);
	else if (sk->sk_state == TCP_CLOSE_WAIT)
		inet_sk_set_state(sk, TCP_LAST_ACK);
	else
		return;
	ssk->conn.disconn = true;
	sdp_link_push(ssk);
	sdp_sock_progress(ssk);
}

void sdp_sock_progress(struct sdp_sock *ssk)
{
	if (!ssk->link || sdp_sock(ssk)->sk_state == TCP_CLOSE || !ssk->conn.disconn_sent ||
	    !ssk->conn.disconn_received)
		return;
	if (ssk->conn.ends)
		sdp_link_stop_when_sent(ssk);
	else if (!ssk->fin_at || time_after(ssk->fin_at, jiffies + END_TIMEOUT + 1))
		sdp_sock_timeout(ssk, END_TIMEOUT);
}

void sdp_sock_id_gone(struct sdp_sock *ssk)
{
	struct sock *sk = sdp_sock(ssk);

	atomic_dec(&ssk->earlier_ids);
	sk->sk_state_change(sk);
}

static bool is_renewable(const struct sdp_sock *ssk)
{
	return !READ_ONCE(ssk->link) && !READ_ONCE(ssk->zsend.state) &&
	       !atomic_read(&ssk->earlier_ids);
}

static int wait_for_earlier(struct sock *sk)
{
	struct sdp_sock *ssk = sdp_sk(sk);
	DEFINE_WAIT_FUNC(wait, woken_wake_function);
	long timeo = RENEW_TIMEOUT;
	int err = 0;

	add_wait_queue(sk_sleep(sk), &wait);
	while (!err && !is_renewable(ssk)) {
		if (!timeo)
			err = -EALREADY;
		else if (signal_pending(current))
			err = sock_intr_errno(MAX_SCHEDULE_TIMEOUT);
		else
			sk_wait_event(sk, &timeo, is_renewable(ssk), &wait);
	}
	remove_wait_queue(sk_sleep(sk), &wait);
	return err;
}

int sdp_sock_renew(struct sdp_sock *ssk)
{
	struct sock *sk = sdp_sock(ssk);
	int err = wait_for_earlier(sk);

	if (err)
		return err;
	if (sk->sk_state != TCP_CLOSE || sk->sk_socket->state != SS_UNCONNECTED)
		return -EINVAL;
	if (sdp_zcopy_is_going_on(ssk))
		return -EALREADY;
	sdp_sock_purge(ssk);
	memset(&ssk->conn, 0, sizeof(ssk->conn));
	if (!ssk->chosen)
		err = sdp_port_readdress(ssk, NULL);
	if (err)
		return err;
	sk->sk_err = 0;
	sk->sk_shutdown = 0;
	sock_reset_flag(sk, SOCK_DONE);
	return 0;
}
