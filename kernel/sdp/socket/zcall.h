/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Calls that transfer data without a copy: their limits and waits, and when they copy instead. */
#ifndef HCA_SDP_SOCKET_ZCALL_H
#define HCA_SDP_SOCKET_ZCALL_H

#include <linux/jiffies.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include "sdp/socket/sock.h"

struct ib_send_wr;
struct sdp_pages;

/* Minimum octets to advertise: a copy of fewer costs less than pinning and registration. */
#define SDP_ZCOPY_MIN (128u << 10)

/* Time from SrcAvail until SrcAvailCancel is sent, if the peer's program does not read. */
#define SDP_ZCOPY_ANSWER_TIMEOUT (HZ / 5)
#define SDP_ZCOPY_CANCEL_TIMEOUT (30 * HZ) /* time for the peer to answer a cancel message */

#define SDP_SKIP_MAX 63 /* maximum of sdp_skip.all */

/**
 * sdp_zcall_reduce() - subtract elapsed time from a timeout
 * @timeo: jiffies that the program may wait; MAX_SCHEDULE_TIMEOUT stays as it is
 * @began: jiffies when the wait began
 *
 * Context: any.
 */
static inline void sdp_zcall_reduce(long *timeo, unsigned long began)
{
	if (*timeo != MAX_SCHEDULE_TIMEOUT)
		*timeo -= min_t(unsigned long, *timeo, jiffies - began);
}

/**
 * sdp_skip_one() - whether a call is to copy, because earlier attempts at Zcopy have failed
 * @skip: counts of the socket; @left is decremented if it is not 0
 *
 * Context: any.
 */
static inline bool sdp_skip_one(struct sdp_skip *skip)
{
	if (!skip->left)
		return false;
	skip->left--;
	return true;
}

/**
 * sdp_skip_learn() - record whether an attempt at Zcopy has succeeded
 * @skip: counts of the socket
 * @in_vain: true if the attempt has transferred no octets
 *
 * Context: any.
 */
static inline void sdp_skip_learn(struct sdp_skip *skip, bool in_vain)
{
	skip->all = in_vain ? min(2 * skip->all + 1, SDP_SKIP_MAX) : 0;
	skip->left = skip->all;
}

/**
 * sdp_zcall_wait() - wait until the last request has completed, or the queue pair is gone
 * @ssk: the socket, whose lock is held; the lock is released during the wait
 * @pages: the pages; sdp_zcall_end() must follow
 *
 * Context: process; may sleep.
 */
void sdp_zcall_wait(struct sdp_sock *ssk, struct sdp_pages *pages);

/**
 * sdp_zcall_end() - invalidate the memory region, wait until it is invalid, and unpin the pages
 * @ssk: the socket, whose lock is held; the lock is released during the wait
 * @pages: the pages
 * @first: request to post before the invalidation, or NULL
 *
 * The peer cannot prolong the wait: after a timeout, or if the process is killed, the connection is
 * aborted.
 *
 * Context: process; may sleep.
 * Return: whether @first and the invalidation have succeeded.
 */
bool sdp_zcall_end(struct sdp_sock *ssk, struct sdp_pages *pages, struct ib_send_wr *first);

#endif
