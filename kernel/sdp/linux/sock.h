/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* An SDP socket. */
#ifndef HCA_SDP_LINUX_SOCK_H
#define HCA_SDP_LINUX_SOCK_H

#include <linux/completion.h>
#include <linux/ipv6.h>
#include <linux/list.h>
#include <linux/workqueue.h>
#include <net/inet_sock.h>
#include <net/sock.h>
#include <net/tcp_states.h>
#include "sdp/conn.h"
#include "sdp/share.h"
#include "sdp/linux/memory.h"
#include "sdp/linux/zsend.h"

#define IPPROTO_SDP 257 /* of AF_INET and AF_INET6, as Solaris numbers it */
#define AF_INET_SDP 27 /* the family that earlier implementations have on Linux */

#define SDP_OPTIONS 18 /* that have a value of their own */

struct rdma_cm_id;
struct sdp_link;
struct sdp_pages;
struct sdp_port_group;
struct sdp_route;
struct sdp_service;
struct sdp_user;

#define SDP_PORT_GROUPS 3

/* The groups of the table of ports that a bound socket is in. */
struct sdp_port_place {
	struct sdp_port_group *group[SDP_PORT_GROUPS];
	unsigned int used;
};

/* Calls that copy before the next tries not to: the more, the more often that was in vain. */
struct sdp_skip {
	u8 left;
	u8 all; /* how many these were */
};

/*
 * The state of a socket is sk_state, in the words of TCP: CLOSE, LISTEN, SYN_SENT (connect() has
 * begun), SYN_RECV (a Hello was accepted), ESTABLISHED, FIN_WAIT1 (DisConn is wanted), CLOSE_WAIT
 * (the peer's was received), LAST_ACK (both), and CLOSE again.
 *
 * The socket lock guards all of it, but what is said otherwise. Completions of the queue pair come
 * in softirq context. While a process owns the lock they are listed, and processed when the lock is
 * released.
 */
struct sdp_sock {
	struct inet_sock inet; /* first */
	u32 number; /* in /proc/net/sdp */
	bool listed; /* it is there by that number */
	struct sdp_user *user; /* whom it is counted to; does not change */
	u32 memory[SDP_MEMORIES]; /* octets that are counted */
	bool memory_exchanged; /* what is allocated takes the place of more: no limit forbids it */

	/* Names; IPv4 addresses are mapped (::ffff:a.b.c.d), ports in host byte order. */
	struct in6_addr saddr;
	struct in6_addr daddr;
	u16 sport;
	u16 dport;
	u16 resume_port; /* the peer's, while a suspended connection is set up anew; else 0 */
	bool v6only;
	bool chosen; /* saddr is what the program has bound: it stays for the next connection */
	/* In the table of ports, by its lock. */
	struct sdp_port_place port_place;
	struct sdp_sharer port_sharer; /* as it was counted there */
	struct list_head port_node; /* among those that listen at the name */

	/* Of a listening socket. */
	struct sdp_service *service;
	/* For devices that are not of InfiniBand, or NULL; by xchg(): rdma_cm may destroy it. */
	struct rdma_cm_id *rdma_id;
	spinlock_t accept_lock; /* of accept_queue, sk_ack_backlog; any context, taken last */
	struct list_head accept_queue; /* children that are set up; has a reference to each */
	/* Of a child until it is accepted. */
	struct sock *listener; /* holds a reference */
	struct list_head accept_node; /* by the listener's accept_lock */

	struct list_head tasks; /* that wait for the lock, by its spinlock */
	struct sdp_route *route; /* while the addresses of an attempt are resolved */
	/* Identifiers of a listen() that is over, that are not destroyed yet. */
	atomic_t earlier_ids;
	struct sdp_link *link; /* while there is a queue pair, or one is being made */
	struct sdp_conn conn; /* from the exchange of Hello and HelloAck on */

	u32 send_bufs; /* for payload, that there may be; 0 without link */
	u32 send_used; /* of these, that are filled or on their way */
	bool send_short; /* there was no memory for another: one of these is waited for */
	u32 emptying; /* calls that wait until tx is empty */
	struct list_head tx; /* buffers with payload that was not sent */
	bool cork; /* TCP_CORK is set */
	bool corked; /* the last call that has sent will send more */
	struct delayed_work cork_work; /* it has not done so for too long */
	bool tx_open; /* there is room in the last of them, or there is none */
	struct list_head rx; /* buffers with payload that was not read */
	/* Read and Write Zcopy: NULL until it is tried. */
	struct sdp_pages *source_pages;
	struct sdp_pages *sink_pages;
	struct completion answered; /* all that is advertised, or the connection is over */
	bool advertising; /* a call, or zsend, waits for that: nobody else sends */
	struct sdp_zsend zsend;
	struct completion released; /* what is advertised to be written into, or a reason to look */
	struct sdp_skip write_skip, read_skip;
	u32 rcv_nxt; /* octets received, modulo 2^32 */
	u32 copied_seq; /* octets read */
	u32 urg_seq; /* where the octet out of band is, in the count of octets received */
	u16 urg_data; /* 0, SDP_URG_PENDING, or SDP_URG_VALID with the octet, or SDP_URG_READ */

	int options[SDP_OPTIONS]; /* values that are only kept, see options.c */
	struct delayed_work fin_work; /* ends a setup or a graceful close that makes no progress */
	unsigned long fin_at; /* jiffies when it does; 0: never */
	struct list_head idle_node; /* among those that are watched, by a lock of idle.c */
	u64 idle_moved; /* octets that had been sent and received when it was looked at last */
	unsigned long alive_at; /* jiffies when the peer was last known to be there */

	struct ipv6_pinfo inet6; /* last: the core finds it from the end of the structure */
};

#define SDP_URG_PENDING 0x100
#define SDP_URG_VALID 0x200
#define SDP_URG_READ 0x400

static inline struct sdp_sock *sdp_sk(const struct sock *sk)
{
	return (struct sdp_sock *)sk;
}

static inline struct sock *sdp_sock(struct sdp_sock *ssk)
{
	return &ssk->inet.sk;
}

extern struct proto sdp_prot;
extern const struct proto_ops sdp_proto_ops;
extern struct workqueue_struct *sdp_wq;
extern struct workqueue_struct *sdp_iwarp_wq; /* for what waits until a peer answers TCP */

/**
 * sdp_sock_init() - initialize what is ours of a new socket
 * @sk: the socket
 *
 * Context: process; may sleep.
 * Return: 0; -ENOBUFS: nothing has happened; -ENOMEM: all is initialized, but the socket is not
 * listed.
 * After either the caller releases the socket.
 */
int sdp_sock_init(struct sock *sk);

/**
 * sdp_sock_child() - make the socket of a connection that a peer wants
 * @listener: the listening socket
 *
 * Context: process; takes no lock.
 * Return: the socket with one reference, in SYN_RECV, or NULL if there is no memory.
 */
struct sock *sdp_sock_child(struct sock *listener);

/* Jiffies for a setup, whatever the peer's CM says: about the time that TCP tries for. */
#define SDP_SETUP_TIMEOUT (120 * HZ)

/**
 * sdp_sock_timeout() - limit the time for the end of a setup or of a graceful close
 * @ssk: the socket, whose lock is held
 * @delay: jiffies from now on; an earlier limit no longer counts
 *
 * Then it ends with ETIMEDOUT.
 *
 * Context: any.
 */
void sdp_sock_timeout(struct sdp_sock *ssk, unsigned long delay);

/**
 * sdp_sock_purge() - free what was received and not read
 * @ssk: the socket, in CLOSE, whose lock is held, or which nobody has
 *
 * Context: any.
 */
void sdp_sock_purge(struct sdp_sock *ssk);

/**
 * sdp_sock_renew() - forget an earlier connection, or attempt
 * @ssk: the socket, in CLOSE and unconnected, whose lock is held, and released meanwhile
 *
 * Waits for its queue pair and its identifiers to be destroyed. What was received and not read is
 * freed, and the local address, unless the program has chosen it, is any again.
 *
 * Context: process; sleeps.
 * Return: 0; -EINVAL: the state has changed meanwhile; -EALREADY: the earlier one has not ended
 * within five seconds; or what interrupted the wait.
 */
int sdp_sock_renew(struct sdp_sock *ssk);

/**
 * sdp_sock_id_gone() - an identifier that sdp_sock_renew() waits for is destroyed
 * @ssk: the socket, which has counted it in earlier_ids
 *
 * Context: any.
 */
void sdp_sock_id_gone(struct sdp_sock *ssk);

/**
 * sdp_sock_detach() - a connection is no longer its listener's
 * @ssk: the socket, whose lock is held; one that was accepted is left alone
 *
 * Context: any.
 */
void sdp_sock_detach(struct sdp_sock *ssk);

/**
 * sdp_sock_established() - a connection is set up
 * @ssk: a socket in SYN_SENT or SYN_RECV, whose lock is held
 *
 * A child is queued for accept(), or ended if its listener is closed.
 *
 * Context: any.
 */
void sdp_sock_established(struct sdp_sock *ssk);

/**
 * sdp_sock_resumed() - a connection that was suspended is set up anew
 * @ssk: the socket, whose lock is held
 *
 * Context: any.
 */
void sdp_sock_resumed(struct sdp_sock *ssk);

/**
 * sdp_sock_end() - a connection, or the attempt, is over
 * @ssk: the socket, whose lock is held; one that is closed already is left alone
 * @err: positive errno for the program, 0 after a graceful close; while a suspended connection is
 * set up anew it is ETIMEDOUT, or ECONNRESET for all else
 *
 * Context: any.
 */
void sdp_sock_end(struct sdp_sock *ssk, int err);

/**
 * sdp_sock_abort() - end a connection without regard for its data
 * @ssk: the socket, whose lock is held
 * @err: positive errno for the program
 *
 * Sends AbortConn if DisConn was sent.
 *
 * Context: any.
 */
void sdp_sock_abort(struct sdp_sock *ssk, int err);

/**
 * sdp_sock_progress() - look whether a close has come to its end
 * @ssk: the socket, whose lock is held
 *
 * Called after messages were received or sent: the end that closes second ends the connection.
 *
 * Context: any.
 */
void sdp_sock_progress(struct sdp_sock *ssk);

/**
 * sdp_sock_disconnect() - send no more data
 * @ssk: the socket, connected, whose lock is held
 *
 * Context: any.
 */
void sdp_sock_disconnect(struct sdp_sock *ssk);

/* Operations of struct proto_ops: see socket(2) and its relatives, and sdp(7). */
int sdp_release(struct socket *sock);
int sdp_listen(struct socket *sock, int backlog);
int sdp_shutdown(struct socket *sock, int how);
int sdp_ioctl(struct socket *sock, unsigned int cmd, unsigned long arg);
int sdp_sendmsg(struct socket *sock, struct msghdr *msg, size_t len);
int sdp_recvmsg(struct socket *sock, struct msghdr *msg, size_t len, int flags);
__poll_t sdp_poll(struct file *file, struct socket *sock, struct poll_table_struct *wait);

#endif
