// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * /proc/net/sdp: a line for each socket of the network namespace, in columns that sdp(7) names.
 */
#include "sdp/linux/list.h"
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/seq_file_net.h>
#include <linux/xarray.h>
#include <net/net_namespace.h>
#include <net/netns/generic.h>
#include "sdp/linux/address.h"
#include "sdp/linux/link.h"

/*
 * The sockets of a network namespace, by number. The xarray's lock protects it. This lock is taken
 * in process and softirq context, after socket locks, and no lock is taken under it. Bound: one
 * look-up.
 */
struct sdp_list {
	struct xarray sockets;
	u32 next; /* number of the next socket, if it is free */
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

static struct sdp_list *list_of(struct net *net)
{
	return net_generic(net, list_id);
}

int sdp_list_add(struct sdp_sock *ssk)
{
	struct sdp_list *list = list_of(sock_net(sdp_sock(ssk)));
	int err = xa_alloc_cyclic_bh(&list->sockets, &ssk->number, ssk, xa_limit_31b, &list->next,
				     GFP_KERNEL_ACCOUNT);

	ssk->listed = err >= 0;
	return min(err, 0);
}

void sdp_list_del(struct sdp_sock *ssk)
{
	if (ssk->listed)
		xa_erase_bh(&list_of(sock_net(sdp_sock(ssk)))->sockets, ssk->number);
}

/* Return: the socket with the lowest number from @number on that is alive, with a reference. */
static struct sdp_sock *list_get(struct net *net, unsigned long number)
{
	struct xarray *sockets = &list_of(net)->sockets;
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

/* The position is 0 for the line of names, and the number of a socket plus 1 for its line. */
static void *list_at(struct seq_file *seq, loff_t *pos)
{
	struct sdp_sock *ssk = list_get(seq_file_net(seq), *pos - 1);

	if (ssk)
		*pos = (loff_t)ssk->number + 1;
	return ssk;
}

static void *start(struct seq_file *seq, loff_t *pos)
{
	return *pos ? list_at(seq, pos) : SEQ_START_TOKEN;
}

static void stop(struct seq_file *seq, void *v)
{
	if (v && v != SEQ_START_TOKEN)
		sock_put(sdp_sock(v));
}

static void *next(struct seq_file *seq, void *v, loff_t *pos)
{
	stop(seq, v);
	++*pos;
	return list_at(seq, pos);
}

static void show_name(struct seq_file *seq, const struct in6_addr *addr, u16 port)
{
	if (!port)
		seq_puts(seq, " -");
	else if (ipv6_addr_v4mapped(addr))
		seq_printf(seq, " %pI4:%u", &addr->s6_addr32[3], port);
	else
		seq_printf(seq, " [%pI6c]:%u", addr, port);
}

static void show_link(struct seq_file *seq, const struct sdp_sock *ssk)
{
	const struct sdp_link *link;

	rcu_read_lock();
	link = READ_ONCE(ssk->link);
	if (link)
		seq_printf(seq, " %s %u", link->device_name, link->qpn);
	else
		seq_puts(seq, " - -");
	rcu_read_unlock();
}

/*
 * Show the state of a connection, or "-" before Hello and HelloAck were exchanged. Advertised
 * memory waits for the peer's program to read it, offered memory waits for our program.
 */
static void show_conn(struct seq_file *seq, const struct sdp_conn *conn)
{
	const struct sdp_credits *credits = &conn->credits;
	/* The fields may be of different moments, so that their difference may be negative. */
	s32 available = READ_ONCE(credits->peer_bufs) + READ_ONCE(credits->acked) -
			READ_ONCE(credits->sent);

	if (!READ_ONCE(conn->size)) {
		seq_puts(seq, " - - - - - - - - -");
		return;
	}
	seq_printf(seq, " %s %s %d %u %u %u %u %llu %llu", modes[READ_ONCE(conn->send_mode)],
		   modes[READ_ONCE(conn->recv_mode)], max(available, 0),
		   READ_ONCE(credits->posted), READ_ONCE(conn->peer_size),
		   READ_ONCE(conn->source.left), READ_ONCE(conn->sink.advert.len),
		   READ_ONCE(conn->octets_sent), READ_ONCE(conn->octets_received));
}

/*
 * Show a socket. Fields that change meanwhile have the old or the new value. The socket lock is not
 * taken: a process may hold it without bound, and the reader of the list would wait.
 */
static int show(struct seq_file *seq, void *v)
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
			   READ_ONCE(ssk->conn.urgent.queued) - READ_ONCE(ssk->conn.urgent.sent) +
				   sdp_zsend_left(ssk));
	show_name(seq, &ssk->saddr, ssk->sport);
	show_name(seq, &ssk->daddr, ssk->dport);
	seq_printf(seq, " %u %llu", from_kuid_munged(seq_user_ns(seq), sk->sk_uid),
		   (u64)sock_i_ino(sk));
	show_link(seq, ssk);
	show_conn(seq, &ssk->conn);
	seq_putc(seq, '\n');
	return 0;
}

static const struct seq_operations operations = {
	.start = start,
	.next = next,
	.stop = stop,
	.show = show,
};

static int __net_init list_init(struct net *net)
{
	xa_init_flags(&list_of(net)->sockets, XA_FLAGS_ALLOC | XA_FLAGS_LOCK_BH);
	return proc_create_net("sdp", 0444, net->proc_net, &operations,
			       sizeof(struct seq_net_private)) ?
		       0 :
		       -ENOMEM;
}

static void __net_exit list_exit(struct net *net)
{
	remove_proc_entry("sdp", net->proc_net);
	xa_destroy(&list_of(net)->sockets);
}

static struct pernet_operations namespaces = {
	.init = list_init,
	.exit = list_exit,
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
