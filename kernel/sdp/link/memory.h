/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Memory of connections, counted as in TCP. The limit for all sockets is the third number of
 * net.sdp.mem; the limit for a user other than root is half of it. Memory pressure begins above the
 * second number, and ends when the use falls to the first. Under pressure a connection gets only
 * the memory that it needs to make progress.
 */
#ifndef HCA_SDP_LINK_MEMORY_H
#define HCA_SDP_LINK_MEMORY_H

#include <linux/atomic.h>
#include <linux/percpu.h>
#include <linux/types.h>
#include "sdp/link/ep.h"

struct sock;

/* Variables to which members of sdp_prot, SDP's struct proto, point. */
extern atomic_long_t sdp_memory_allocated; /* pages */
extern unsigned long sdp_memory_pressure; /* not 0: memory pressure */
extern long sdp_memory_limits[3]; /* net.sdp.mem, in pages */
DECLARE_PER_CPU(int, sdp_memory_per_cpu);

/**
 * sdp_memory_begin_pressure() - begin memory pressure
 * @sk: any socket
 *
 * Context: any.
 */
void sdp_memory_begin_pressure(struct sock *sk);

/**
 * sdp_memory_end_pressure() - end memory pressure
 * @sk: any socket
 *
 * Context: any.
 */
void sdp_memory_end_pressure(struct sock *sk);

/**
 * sdp_memory_charge() - count memory before it is allocated
 * @ep: the endpoint, whose lock is held
 * @use: use of the memory
 * @octets: size of the memory, which is rounded up to pages
 *
 * Context: any.
 * Return: true if the memory may be allocated; false if a limit is reached: nothing was counted.
 */
bool sdp_memory_charge(struct sdp_ep *ep, enum sdp_memory use, u32 octets);

/**
 * sdp_memory_uncharge() - subtract freed memory from the counts
 * @ep: the endpoint, whose lock is held, or which has no reference left
 * @use: use with which the memory was charged
 * @octets: size of the memory
 *
 * Context: any.
 */
void sdp_memory_uncharge(struct sdp_ep *ep, enum sdp_memory use, u32 octets);

/**
 * sdp_memory_add_link() - count a connection, and its memory other than buffers
 * @ep: the endpoint, whose lock is held
 *
 * Context: any.
 * Return: true if the connection was counted; false if a limit is reached.
 */
bool sdp_memory_add_link(struct sdp_ep *ep);

/**
 * sdp_memory_remove_link() - subtract a connection from the counts
 * @ep: the endpoint, whose lock is held
 *
 * Context: any.
 */
void sdp_memory_remove_link(struct sdp_ep *ep);

/**
 * sdp_memory_most() - maximum memory of a socket's buffers
 * @sk: the socket
 * @use: SDP_MEMORY_RECEIVE or SDP_MEMORY_SEND
 *
 * Context: any.
 * Return: octets: SO_RCVBUF or SO_SNDBUF, but not more than the limit of the network namespace.
 */
u32 sdp_memory_most(const struct sock *sk, enum sdp_memory use);

/**
 * sdp_memory_init_sock() - set the buffer sizes of a new socket to those of its network namespace
 * @sk: the socket
 *
 * Context: any.
 */
void sdp_memory_init_sock(struct sock *sk);

/**
 * sdp_memory_register() - initialize the limits, and create /proc/sys/net/sdp
 *
 * Context: process.
 * Return: 0 or a negative errno.
 */
int sdp_memory_register(void);

/**
 * sdp_memory_unregister() - remove /proc/sys/net/sdp
 *
 * Context: process; no socket is left.
 */
void sdp_memory_unregister(void);

#endif
