// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * /proc/net/sdp: a line for each socket of the network namespace. sdp(7) describes the columns.
 */
#include "sdp/socket/list.h"
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/seq_file_net.h>
#include <linux/xarray.h>
#include <net/net_namespace.h>
#include <net/netns/generic.h>
#include "sdp/link/address.h"
#include "sdp/link/link.h"
#include "sdp/socket/zsend.h"

/*
 * The sockets of a network namespace, indexed by number. The xarray's lock protects the list. It is
 * taken in process and softirq context, after socket locks; no lock is taken under it. It is held
 * for the time of one look-up.
 */
struct sdp_list {
	struct xarray sockets;
	u32 next; /* number that is tried first for the next socket */
};

static unsigned int list_id;

static const char *const states[] = {
	[TCP_ESTABLISHED] = "ESTAB", [TCP_SYN_SENT] = "SYN-SENT", [TCP_SYN_RECV] = "SYN-RECV",
	[TCP_FIN_WAIT1] = "FIN-WAIT", [TCP_CLOSE] = "UNCONN", [TCP_CLOSE_WAIT] = "CLOSE-WAIT",
	[TCP_LAST_ACK] = "LAST-ACK", [TCP_LISTEN] = "LISTEN",
};

static const char *const modes[] = {
	[SDP_MODE_BUFFERED] = "buffered",
	[SDP_MODE_COMBINED] = "combined",
	[SDP_MODE_PIPELINED] = "pipelined",
};

static struct sdp_list *sdp_list_of(struct net *net)
{
	return net_generic(net, list_id);
}

int sdp_list_add(struct sdp_sock *ssk)
{
	struct sdp_list *list = sdp_list_of(sock_net(sdp_sock(ssk)));
	int err = xa_alloc_cyclic_bh(&list->sockets, &ssk->number, ssk, xa_limit_31b, &list->next,
				     GFP_KERNEL_ACCOUNT);

	ssk->listed = err >= 0;
	return min(err, 0);
}

void sdp_list_del(struct sdp_sock *ssk)
{
	if (ssk->listed)
		xa_erase_bh(&sdp_list_of(sock_net(sdp_sock(ssk)))->sockets, ssk->number);
}

/* Return: the live socket with the lowest number from @number on, with a reference; or NULL. */
static struct sdp_sock *sdp_list_get(struct net *net, unsigned long number)
{
	struct xarray *sockets = &sdp_list_of(net)->sockets;
	struct sdp_sock *ssk;
	bool held = false;

	do {
		xa_lock_bh(sockets);
		ssk = xa_find(sockets, &number, ULONG_MAX, XA_PRESENT);
		if (ssk)
			held = refcount_inc_not_zero(&sdp_sock(ssk)->sk_refcnt);
		xa_unlock_bh(sockets);
		number++;
	} while (ssk && !held);
	return ssk;
}

/* @pos is 0 for the header line, and the number of a socket plus 1 for the socket's line. */
static void *sdp_list_at(struct seq_file *seq, loff_t *pos)
{
	struct sdp_sock *ssk = sdp_list_get(seq_file_net(seq), *pos - 1);

	if (ssk)
		*pos = (loff_t)ssk->number + 1;
	return ssk;
}

static void *sdp_list_start(struct seq_file *seq, loff_t *pos)
{
	return *pos ? sdp_list_at(seq, pos) : SEQ_START_TOKEN;
}

static void sdp_list_stop(struct seq_file *seq, void *v)
{
	if (v && v != SEQ_START_TOKEN)
		sock_put(sdp_sock(v));
}

static void *sdp_list_next(struct seq_file *seq, void *v, loff_t *pos)
{
	sdp_list_stop(seq, v);
	++*pos;
	return sdp_list_at(seq, pos);
}

static void sdp_list_show_name(struct seq_file *seq, const struct in6_addr *addr, u16 port)
{
	if (!port)
		seq_puts(seq, " -");
	else if (ipv6_addr_v4mapped(addr))
		seq_printf(seq, " %pI4:%u", &addr->s6_addr32[3], port);
	else
		seq_printf(seq, " [%pI6c]:%u", addr, port);
}

static void sdp_list_show_link(struct seq_file *seq, const struct sdp_sock *ssk)
{
	const struct sdp_link *link;

	rcu_read_lock();
	link = READ_ONCE(ssk->ep.link);
	if (link)
		seq_printf(seq, " %s %u", link->device_name, link->qpn);
	else
		seq_puts(seq, " - -");
	rcu_read_unlock();
}

/*
 * Show the state of a connection, or "-" before Hello and HelloAck were exchanged. "Advertised" are
 * octets that the peer's program has yet to read from our memory; "Offered" are octets that our
 * program has yet to read from the peer's memory.
 */
static void sdp_list_show_conn(struct seq_file *seq, const struct sdp_conn *conn)
{
	const struct sdp_credits *credits = &conn->credits;
	/* The fields may be read at different moments, so that the difference may be negative. */
	s32 available = READ_ONCE(credits->peer_bufs) + READ_ONCE(credits->acked) -
			READ_ONCE(credits->sent);

	if (!READ_ONCE(conn->size)) {
		seq_puts(seq, " - - - - - - - - -");
		return;
	}
	seq_printf(seq, " %s %s %d %u %u %u %u %llu %llu", modes[READ_ONCE(conn->modes.send)],
		   modes[READ_ONCE(conn->modes.recv)], max(available, 0),
		   READ_ONCE(credits->posted), READ_ONCE(conn->peer_size),
		   READ_ONCE(conn->source.left), READ_ONCE(conn->sink.advert.len),
		   READ_ONCE(conn->octets_sent), READ_ONCE(conn->octets_received));
}

/*
 * Show a socket. Fields that change during the call have either value. The socket lock is not
 * taken: a process may hold it without bound, and the reader of the list would wait.
 */
static int sdp_list_show(struct seq_file *seq, void *v)
{
	struct sdp_sock *ssk = v;
	struct sock *sk = sdp_sock(ssk);
	int state;

	if (v == SEQ_START_TOKEN) {
		seq_puts(seq, "State Recv-Q Send-Q Local Peer UID Inode Device QPN Send-Mode "
			      "Recv-Mode Credits Buffers Peer-Size Advertised Offered Sent "
			      "Received\n");
		return 0;
	}
	state = READ_ONCE(sk->sk_state);
	if (state == TCP_LISTEN)
		seq_printf(seq, "%s %u %u", states[state], READ_ONCE(sk->sk_ack_backlog),
			   READ_ONCE(sk->sk_max_ack_backlog));
	else
		seq_printf(seq, "%s %u %u", states[state],
			   READ_ONCE(ssk->rcv_nxt) - READ_ONCE(ssk->copied_seq),
			   READ_ONCE(ssk->ep.conn.urgent.queued) -
				   READ_ONCE(ssk->ep.conn.urgent.sent) + sdp_zsend_left(ssk));
	sdp_list_show_name(seq, &ssk->ep.saddr, ssk->ep.sport);
	sdp_list_show_name(seq, &ssk->ep.daddr, ssk->ep.dport);
	seq_printf(seq, " %u %llu", from_kuid_munged(seq_user_ns(seq), sk->sk_uid),
		   (u64)sock_i_ino(sk));
	sdp_list_show_link(seq, ssk);
	sdp_list_show_conn(seq, &ssk->ep.conn);
	seq_putc(seq, '\n');
	return 0;
}

static const struct seq_operations operations = {
	.start = sdp_list_start,
	.next = sdp_list_next,
	.stop = sdp_list_stop,
	.show = sdp_list_show,
};

static int __net_init sdp_list_init(struct net *net)
{
	xa_init_flags(&sdp_list_of(net)->sockets, XA_FLAGS_ALLOC | XA_FLAGS_LOCK_BH);
	return proc_create_net("sdp", 0444, net->proc_net, &operations,
			       sizeof(struct seq_net_private)) ?
		       0 :
		       -ENOMEM;
}

static void __net_exit sdp_list_exit(struct net *net)
{
	remove_proc_entry("sdp", net->proc_net);
	xa_destroy(&sdp_list_of(net)->sockets);
}

static struct pernet_operations namespaces = {
	.init = sdp_list_init,
	.exit = sdp_list_exit,
	.id = &list_id,
	.size = sizeof(struct sdp_list),
};

int sdp_list_register(void)
{
	return register_pernet_subsys(&namespaces);
}

void sdp_list_unregister(void)
{
	unregister_pernet_subsys(&namespaces);
}
