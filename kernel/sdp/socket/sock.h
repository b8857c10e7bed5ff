/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* An SDP socket. */
#ifndef HCA_SDP_SOCKET_SOCK_H
#define HCA_SDP_SOCKET_SOCK_H

#include <linux/completion.h>
#include <linux/ipv6.h>
#include <linux/list.h>
#include <linux/workqueue.h>
#include "sdp/link/ep.h"
#include "sdp/protocol/share.h"
#include "sdp/socket/transfers.h"

#define IPPROTO_SDP 257 /* protocol number in AF_INET and AF_INET6, as in Solaris */
#define AF_INET_SDP 27 /* address family of earlier SDP implementations on Linux */

#define SDP_OPTIONS 18 /* number of options in the table of options.c */

struct sdp_port_group;
struct sdp_service;

#define SDP_PORT_GROUPS 3

/* The groups in the table of ports (port.c) to which a bound socket belongs. */
struct sdp_port_place {
	struct sdp_port_group *group[SDP_PORT_GROUPS];
	unsigned int used; /* number of groups */
};

/*
 * After a failed attempt at Zcopy, a number of calls copy without an attempt. This number grows
 * with each further attempt that fails.
 */
struct sdp_skip {
	u8 left; /* number of calls that are still to copy */
	u8 all; /* number of calls that copy after the last attempt; 0: the attempt has succeeded */
};

/*
 * The state of a socket is sk_state, with the names of TCP: CLOSE, LISTEN, SYN_SENT (connect() has
 * begun), SYN_RECV (a Hello was accepted), ESTABLISHED, FIN_WAIT1 (this end has closed: DisConn is
 * due or sent), CLOSE_WAIT (the peer's DisConn was received), LAST_ACK (both), and CLOSE again.
 *
 * The socket lock protects all members, unless a comment says otherwise.
 */
struct sdp_sock {
	struct sdp_ep ep; /* must be the first member */
	u32 number; /* index in the list for /proc/net/sdp */
	bool listed; /* the socket is in the list for /proc/net/sdp */
	bool chosen; /* the program has bound ep.saddr: a later connection keeps this address */
	/* table_lock of port.c protects the next three members, ep.saddr and ep.sport. */
	struct sdp_port_place port_place;
	struct sdp_sharer port_sharer; /* sharing options that the table has counted */
	/* listening socket: entry in @listeners of port_place.group[0] */
	struct list_head port_node;

	/* Members of a listening socket. */
	struct sdp_service *service;
	/* Protects accept_queue and sk_ack_backlog. Any context; no lock is taken under it. */
	spinlock_t accept_lock;
	struct list_head accept_queue; /* connected children; holds a reference to each */
	/* Members of a child until it is accepted. */
	struct sock *listener; /* holds a reference */
	struct list_head accept_node; /* entry in accept_queue of the listener */

	/* Number of identifiers of an earlier listen() that are not destroyed yet. */
	atomic_t earlier_ids;
	bool cork; /* TCP_CORK is set */
	unsigned int keepalive_idle; /* TCP_KEEPIDLE: seconds */
	struct delayed_work cork_work; /* sends a message that has waited too long for more data */
	/* Completed when SrcAvail is answered in full, or the connection ends. */
	struct completion answered;
	struct sdp_zsend zsend;
	/*
	 * Completed to wake a read that waits for an RDMA Write: SinkAvail has ended, or the read
	 * must check the state of the socket again.
	 */
	struct completion released;
	/* attempts of calls that send; attempts of calls that read */
	struct sdp_skip write_skip, read_skip;
	struct sdp_zread zread; /* asynchronous read: other calls may not read during it */
	u32 rcv_nxt; /* octets received, modulo 2^32 */
	u32 copied_seq; /* octets read, modulo 2^32 */
	u32 urg_seq; /* position of the out-of-band octet in the stream, modulo 2^32 */
	u16 urg_data; /* 0, or one of SDP_URG_*; SDP_URG_VALID with the octet in the low bits */

	int options[SDP_OPTIONS]; /* stored values of the options in the table of options.c */
	struct delayed_work fin_work; /* ends a setup or a graceful close that makes no progress */
	unsigned long fin_at; /* jiffies at which fin_work is due; 0: never */

	struct ipv6_pinfo inet6; /* last member: the network core expects it at the end */
};

/* sdp_sk() and sdp_ep() rely on it. */
static_assert(!offsetof(struct sdp_sock, ep));

/* States of the out-of-band octet, in urg_data. */
#define SDP_URG_PENDING 0x100 /* the octet was announced */
#define SDP_URG_VALID 0x200 /* the octet was received */
#define SDP_URG_READ 0x400 /* the octet was read by MSG_OOB */

static inline struct sdp_sock *sdp_sk(const struct sock *sk)
{
	return (struct sdp_sock *)sk;
}

static inline struct sock *sdp_sock(struct sdp_sock *ssk)
{
	return &ssk->ep.inet.sk;
}

static inline struct sdp_sock *sdp_sock_of(const struct sdp_ep *ep)
{
	return container_of(ep, struct sdp_sock, ep);
}

extern struct proto sdp_prot;
extern const struct proto_ops sdp_proto_ops;

/* Operations of struct proto_ops: see socket(2) and its relatives, and sdp(7). */
int sdp_release(struct socket *sock);
int sdp_listen(struct socket *sock, int backlog);
int sdp_shutdown(struct socket *sock, int how);
int sdp_ioctl(struct socket *sock, unsigned int cmd, unsigned long arg);
int sdp_sendmsg(struct socket *sock, struct msghdr *msg, size_t len);
int sdp_recvmsg(struct socket *sock, struct msghdr *msg, size_t len, int flags);
__poll_t sdp_poll(struct file *file, struct socket *sock, struct poll_table_struct *wait);

#endif
