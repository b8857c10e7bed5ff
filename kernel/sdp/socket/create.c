// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Creation of sockets, and their reuse. */
#include "sdp/socket/create.h"
#include <linux/memcontrol.h>
#include <net/inet_common.h>
#include <net/ipv6.h>
#include "compat.h"
#include "sdp/link/memory.h"
#include "sdp/link/pages.h"
#include "sdp/link/user.h"
#include "sdp/socket/cork.h"
#include "sdp/socket/keepalive.h"
#include "sdp/socket/list.h"
#include "sdp/socket/options.h"
#include "sdp/socket/port.h"
#include "sdp/socket/state.h"
#include "sdp/socket/zcopy.h"
#include "sdp/socket/zread.h"
#include "sdp/socket/zsend.h"

#define RENEW_TIMEOUT (5 * HZ) /* time for the end of an earlier connection */

static void sdp_sock_destruct(struct sock *sk)
{
	struct sdp_sock *ssk = sdp_sk(sk);

	sdp_list_del(ssk);
	sdp_sock_purge(ssk);
	sdp_pages_free(ssk->ep.source_pages);
	sdp_pages_free(ssk->ep.sink_pages);
	sdp_user_put(ssk->ep.user);
	sock_prot_inuse_add(sock_net(sk), sk->sk_prot, -1);
	inet_sock_destruct(sk);
}

/* Lockdep classes of SDP's sockets: siw locks sockets of TCP while an SDP socket is locked. */
static struct lock_class_key lock_keys[2];

static int sdp_sock_init_for(struct sock *sk, struct sdp_user *user)
{
	struct sdp_sock *ssk = sdp_sk(sk);

	sock_lock_init_class_and_name(sk, "slock-SDP", &lock_keys[0], "sk_lock-SDP", &lock_keys[1]);
	sdp_ep_init(&ssk->ep, user);
#if IS_ENABLED(CONFIG_IPV6)
	/* bpf_bind() uses pinet6 of any socket whose peer has an IPv6 address. */
	if (!ssk->ep.inet.pinet6)
		ssk->ep.inet.pinet6 = &ssk->inet6;
#endif
	sdp_memory_init_sock(sk);
	ssk->ep.v6only = sk->sk_ipv6only; /* net.ipv6.bindv6only; false for IPv4 */
	INIT_LIST_HEAD(&ssk->port_node);
	spin_lock_init(&ssk->accept_lock);
	INIT_LIST_HEAD(&ssk->accept_queue);
	INIT_LIST_HEAD(&ssk->accept_node);
	init_completion(&ssk->answered);
	init_completion(&ssk->released);
	sdp_sock_timeout_init(ssk);
	sdp_cork_init(ssk);
	sdp_keepalive_init(ssk);
	sdp_options_init(ssk);
	sdp_zsend_init(ssk);
	sdp_zread_init(ssk);
	if (sk->sk_socket)
		sdp_custom_sockopt(sk->sk_socket);
	sk->sk_destruct = sdp_sock_destruct;
	sock_prot_inuse_add(sock_net(sk), sk->sk_prot, 1);
	return sdp_list_add(ssk);
}

int sdp_sock_init(struct sock *sk)
{
	struct sdp_user *user = sdp_user_get();

	return user ? sdp_sock_init_for(sk, user) : -ENOBUFS;
}

/*
 * Charge a child to the cgroup of its listener, because the worker that makes the child does not
 * have a cgroup. The core releases the reference to the cgroup with the socket.
 */
static void sdp_sock_inherit_cgroup(struct sock *sk, const struct sock *listener)
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
	if (sdp_sock_init_for(sk, sdp_user_add_ref(from->ep.user))) {
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
	sdp_sock_inherit_cgroup(sk, listener);
	ssk = sdp_sk(sk);
	ssk->ep.sport = from->ep.sport;
	ssk->ep.v6only = from->ep.v6only;
	memcpy(ssk->options, from->options, sizeof(ssk->options));
	ssk->cork = from->cork;
	ssk->keepalive_idle = from->keepalive_idle;
	ssk->listener = listener;
	sock_hold(listener);
	spin_lock_bh(&from->accept_lock);
	sk_acceptq_added(listener);
	spin_unlock_bh(&from->accept_lock);
	inet_sk_set_state(sk, TCP_SYN_RECV);
	sdp_sock_timeout(ssk, SDP_SETUP_TIMEOUT);
	return sk;
}

static bool sdp_sock_is_renewable(const struct sdp_sock *ssk)
{
	return !READ_ONCE(ssk->ep.link) && !READ_ONCE(ssk->zsend.steps.state) &&
	       !sdp_zread_goes_on(ssk) && !atomic_read(&ssk->earlier_ids);
}

static int sdp_sock_wait_for_earlier(struct sock *sk)
{
	struct sdp_sock *ssk = sdp_sk(sk);
	DEFINE_WAIT_FUNC(wait, woken_wake_function);
	long timeo = RENEW_TIMEOUT;
	int err = 0;

	add_wait_queue(sk_sleep(sk), &wait);
	while (!err && !sdp_sock_is_renewable(ssk)) {
		if (!timeo)
			err = -EALREADY;
		else if (signal_pending(current))
			err = sock_intr_errno(MAX_SCHEDULE_TIMEOUT);
		else
			sk_wait_event(sk, &timeo, sdp_sock_is_renewable(ssk), &wait);
	}
	remove_wait_queue(sk_sleep(sk), &wait);
	return err;
}

int sdp_sock_renew(struct sdp_sock *ssk)
{
	struct sock *sk = sdp_sock(ssk);
	int err = sdp_sock_wait_for_earlier(sk);

	if (err)
		return err;
	if (sk->sk_state != TCP_CLOSE || sk->sk_socket->state != SS_UNCONNECTED)
		return -EINVAL;
	if (sdp_zcopy_is_going_on(ssk))
		return -EALREADY;
	sdp_sock_purge(ssk);
	memset(&ssk->ep.conn, 0, sizeof(ssk->ep.conn));
	if (!ssk->chosen)
		err = sdp_port_readdress(ssk, NULL);
	if (err)
		return err;
	sk->sk_err = 0;
	sk->sk_shutdown = 0;
	sock_reset_flag(sk, SOCK_DONE);
	return 0;
}
