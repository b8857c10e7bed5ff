/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Changes of the size and number of private buffers. */
#ifndef HCA_SDP_LINK_RESIZE_H
#define HCA_SDP_LINK_RESIZE_H

#include "sdp/link/link.h"

/**
 * sdp_resize() - apply a received message to the sizes of private buffers
 * @ep: the endpoint, whose lock is held; it has a link
 * @delivery: effects of the message
 *
 * If the peer has requested another size, a new buffer is allocated and charged at once for each
 * posted buffer. If memory is exhausted, the size does not change.
 *
 * Context: any.
 */
void sdp_resize(struct sdp_ep *ep, const struct sdp_delivery *delivery);

/**
 * sdp_resize_exchange() - get the buffer to post in place of a used receive buffer
 * @ep: the endpoint, whose lock is held; it has a link
 * @buf: receive buffer, which is in no list except @bufs of the link; it may be freed
 *
 * Context: any.
 * Return: @buf, or a buffer of the present size, or NULL if enough buffers are posted or a new one
 * cannot be allocated.
 */
struct sdp_buf *sdp_resize_exchange(struct sdp_ep *ep, struct sdp_buf *buf);

/**
 * sdp_resize_post_more() - post receive buffers until recv_bufs of the link are posted
 * @ep: the endpoint, whose lock is held; it has a link
 * @full: true if a message of the maximum length was received: more buffers are then useful
 *
 * Buffers with unread payload count against SO_RCVBUF, by their size. Under memory pressure at most
 * SDP_RECV_BUFS_MIN buffers are posted.
 *
 * Context: any.
 */
void sdp_resize_post_more(struct sdp_ep *ep, bool full);

/**
 * sdp_resize_replenish() - post more buffers if few are left, or more are useful
 * @ep: the endpoint, whose lock is held; it has a link
 * @full: true if a message of the maximum length was received: more buffers are then useful
 *
 * Context: any.
 */
static inline void sdp_resize_replenish(struct sdp_ep *ep, bool full)
{
	if (full || ep->conn.credits.posted <= ep->link->recv_bufs / 2)
		sdp_resize_post_more(ep, full);
}

/**
 * sdp_resize_limit() - limit messages to the size of the peer's buffers
 * @ep: the endpoint, whose lock is held; it has a link
 *
 * Context: any.
 */
static inline void sdp_resize_limit(struct sdp_ep *ep)
{
	ep->link->send_size = min_t(u32, SDP_BUF_SIZE, sdp_conn_message_max(&ep->conn));
	sdp_resize_sends(&ep->conn.resize, SDP_BUF_SIZE);
}

#endif
