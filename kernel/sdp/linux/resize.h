/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Private buffers of another size. */
#ifndef HCA_SDP_LINUX_RESIZE_H
#define HCA_SDP_LINUX_RESIZE_H

#include "sdp/linux/link.h"

/**
 * sdp_resize() - do what a received message says of the sizes of private buffers
 * @ssk: the socket, whose lock is held; it has a link
 * @delivery: what the message brings
 *
 * Buffers of the size that the peer has asked for are allocated at once, for all that are posted,
 * and charged as those were; without memory the size stays.
 *
 * Context: any.
 */
void sdp_resize(struct sdp_sock *ssk, const struct sdp_delivery *delivery);

/**
 * sdp_resize_exchange() - find the buffer to be posted in place of one that was used
 * @ssk: the socket, whose lock is held; it has a link
 * @buf: buffer to receive into, in no list but that of all; it may be freed
 *
 * Context: any.
 * Return: @buf, or one of the size that buffers are to have, or NULL if enough are posted.
 */
struct sdp_buf *sdp_resize_exchange(struct sdp_sock *ssk, struct sdp_buf *buf);

/**
 * sdp_resize_post_more() - post buffers until there are as many as are wanted
 * @ssk: the socket, whose lock is held; it has a link
 * @full: a message was received that was as long as it may be, so that more are of use
 *
 * Buffers with payload that was not read count against SO_RCVBUF, by their size. Under pressure no
 * more are posted than a connection needs.
 *
 * Context: any.
 */
void sdp_resize_post_more(struct sdp_sock *ssk, bool full);

/**
 * sdp_resize_replenish() - post more buffers if few are left, or more are of use
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
 * sdp_resize_limit() - fill buffers as far as the peer has room for
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
