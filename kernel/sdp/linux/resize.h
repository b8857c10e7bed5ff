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
 * Buffers of the size that the peer has asked for are allocated at once, for all that there are,
 * and charged as those were; without memory the size stays.
 *
 * Context: any.
 */
void sdp_resize(struct sdp_sock *ssk, const struct sdp_delivery *delivery);

/**
 * sdp_resize_exchange() - find the buffer to be posted in place of one that was used
 * @link: the link
 * @buf: buffer to receive into, in no list but that of all; it may be freed
 *
 * Context: any.
 * Return: @buf, or one of the size that buffers are to have.
 */
struct sdp_buf *sdp_resize_exchange(struct sdp_link *link, struct sdp_buf *buf);

/**
 * sdp_resize_limit() - fill buffers as far as the peer has room for
 * @ssk: the socket, whose lock is held; it has a link
 *
 * Context: any.
 */
static inline void sdp_resize_limit(struct sdp_sock *ssk)
{
	ssk->link->send_size = min(ssk->link->size, sdp_conn_message_max(&ssk->conn));
	sdp_resize_sends(&ssk->conn.resize, ssk->link->size);
}

#endif
