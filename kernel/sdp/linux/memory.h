/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Memory of connections, counted as TCP counts it: for all sockets against net.sdp.mem, and for
 * each user against half of that. Above the second of the three numbers there is pressure, until
 * less than the first is used. Under pressure a connection gets no more than it needs to go on.
 */
#ifndef HCA_SDP_LINUX_MEMORY_H
#define HCA_SDP_LINUX_MEMORY_H

#include <linux/atomic.h>
#include <linux/percpu.h>
#include <linux/types.h>

struct sdp_sock;
struct sock;

/* The uses of memory that are counted apart. */
enum sdp_memory {
	SDP_MEMORY_LINK, /* queue pair, rings, and all else that each connection needs */
	SDP_MEMORY_RECEIVE, /* buffers to receive into, or with payload that was not read */
	SDP_MEMORY_SEND, /* buffers to send from */
	SDP_MEMORIES
};

/* For struct proto. */
extern atomic_long_t sdp_memory_allocated; /* pages */
extern unsigned long sdp_memory_pressure; /* not 0: there is pressure */
extern long sdp_memory_limits[3]; /* net.sdp.mem, in pages */
DECLARE_PER_CPU(int, sdp_memory_per_cpu);

/**
 * sdp_memory_begin_pressure() - begin to give connections only what they need
 * @sk: any socket
 *
 * Context: any.
 */
void sdp_memory_begin_pressure(struct sock *sk);

/**
 * sdp_memory_end_pressure() - end what sdp_memory_begin_pressure() has begun
 * @sk: any socket
 *
 * Context: any.
 */
void sdp_memory_end_pressure(struct sock *sk);

/**
 * sdp_memory_charge() - count memory before it is allocated
 * @ssk: the socket, whose lock is held
 * @use: what it is for
 * @octets: how much, rounded up to pages
 *
 * Context: any.
 * Return: whether it may be allocated.
 */
bool sdp_memory_charge(struct sdp_sock *ssk, enum sdp_memory use, u32 octets);

/**
 * sdp_memory_uncharge() - count memory no longer that is freed
 * @ssk: the socket, whose lock is held, or which nobody has
 * @use: as it was for sdp_memory_charge()
 * @octets: as it was for sdp_memory_charge()
 *
 * Context: any.
 */
void sdp_memory_uncharge(struct sdp_sock *ssk, enum sdp_memory use, u32 octets);

/**
 * sdp_memory_add_link() - count a connection, and what it has beside buffers
 * @ssk: the socket, whose lock is held
 *
 * Context: any.
 * Return: whether the user may have one more.
 */
bool sdp_memory_add_link(struct sdp_sock *ssk);

/**
 * sdp_memory_remove_link() - count a connection no longer
 * @ssk: the socket, whose lock is held
 *
 * Context: any.
 */
void sdp_memory_remove_link(struct sdp_sock *ssk);

/**
 * sdp_memory_most() - the most memory that buffers of a socket may have
 * @sk: the socket
 * @use: SDP_MEMORY_RECEIVE or SDP_MEMORY_SEND
 *
 * Context: any.
 * Return: octets, as SO_RCVBUF or SO_SNDBUF and the network namespace have it.
 */
u32 sdp_memory_most(const struct sock *sk, enum sdp_memory use);

/**
 * sdp_memory_init_sock() - give a new socket the sizes that its network namespace has
 * @sk: the socket
 *
 * Context: any.
 */
void sdp_memory_init_sock(struct sock *sk);

/**
 * sdp_memory_register() - make the limits, and show them in /proc/sys/net/sdp
 *
 * Context: process.
 * Return: 0 or a negative errno.
 */
int sdp_memory_register(void);

/**
 * sdp_memory_unregister() - remove them
 *
 * Context: process; no socket is left.
 */
void sdp_memory_unregister(void);

#endif
