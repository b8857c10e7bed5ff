/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Changes of the size and number of private buffers. */
#ifndef HCA_SDP_LINUX_RESIZE_H
#define HCA_SDP_LINUX_RESIZE_H

#include "sdp/linux/link.h"

/**
 * sdp_resize() - apply a received message to the sizes of private buffers
 * @ssk: the socket, whose lock is held; it has a link
 * @delivery: effects of the message
 *
 * Buffers of the size that the peer has requested are allocated and charged at once, for all posted
 * buffers. If memory is exhausted, the size stays.
 *
 * Context: any.
 */
void sdp_resize(struct sdp_sock *ssk, const struct sdp_delivery *delivery);

/**
 * sdp_resize_exchange() - get the buffer to post in place of a used receive buffer
 * @ssk: the socket, whose lock is held; it has a link
 * @buf: receive buffer, which is only in the list of all mapped buffers; it may be freed
 *
 * Context: any.
 * Return: @buf, or a buffer of the present size, or NULL if enough buffers are posted or a new one
 * cannot be allocated.
 */
struct sdp_buf *sdp_resize_exchange(struct sdp_sock *ssk, struct sdp_buf *buf);

/**
 * sdp_resize_post_more() - post receive buffers up to the intended number
 * @ssk: the socket, whose lock is held; it has a link
 * @full: a message of the maximum length was received, so that more buffers are useful
 *
 * Buffers with unread payload count against SO_RCVBUF, by their size. Under memory pressure at most
 * SDP_RECV_BUFS_MIN buffers are posted.
 *
 * Context: any.
 */
void sdp_resize_post_more(struct sdp_sock *ssk, bool full);

/**
 * sdp_resize_replenish() - post more buffers if few are left, or more are useful
 * @ssk: as for sdp_resize_post_more()
 * @full: as for sdp_resize_post_more()
 *
 * Context: any.
 */
static inline void sdp_resize_replenish(struct sdp_sock *ssk, bool full)
{
	if (full || ssk->conn.credits.posted <= ssk->link->recv_bufs / 2)
		sdp_resize_post_more(ssk, full);
}

/**
 * sdp_resize_limit() - limit messages to the size of the peer's buffers
 * @ssk: the socket, whose lock is held; it has a link
 *
 * Context: any.
 */
static inline void sdp_resize_limit(struct sdp_sock *ssk)
{
	ssk->link->send_size = min_t(u32, SDP_BUF_SIZE, sdp_conn_message_max(&ssk->conn));
	sdp_resize_sends(&ssk->conn.resize, SDP_BUF_SIZE);
}

#endif
