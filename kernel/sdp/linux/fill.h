/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Buffered copy: buffers into which payload is copied. */
#ifndef HCA_SDP_LINUX_FILL_H
#define HCA_SDP_LINUX_FILL_H

#include "sdp/linux/link.h"

/**
 * sdp_fill_room() - free space for payload in a buffer
 * @ssk: connected socket, whose lock is held; it has a link
 * @buf: buffer that was not sent
 *
 * Context: any.
 * Return: octets.
 */
static inline u32 sdp_fill_room(const struct sdp_sock *ssk, const struct sdp_buf *buf)
{
	u32 size = min(ssk->link->send_size, buf->size), used = SDP_BSDH_SIZE + buf->len;

	/* A buffer filled before a suspension may exceed the size of messages after it. */
	return size > used ? size - used : 0;
}

/**
 * sdp_fill_at() - address at which the next octet of payload is written
 * @buf: buffer that was not sent
 *
 * Context: any.
 * Return: the address.
 */
static inline u8 *sdp_fill_at(const struct sdp_buf *buf)
{
	return (u8 *)sdp_buf_data(buf) + SDP_BSDH_SIZE + buf->len;
}

/**
 * sdp_fill_note() - update whether the last unsent buffer has room, or no buffer is unsent
 * @ssk: connected socket, whose lock is held; it has a link
 *
 * The function is called after buffers were queued, filled or sent, for sdp_link_may_fill().
 *
 * Context: any.
 */
void sdp_fill_note(struct sdp_sock *ssk);

/**
 * sdp_fill_buf() - get a buffer that has room for payload
 * @ssk: connected socket, whose lock is held; it has a link
 * @gfp: flags for allocation of a new buffer: SDP_GFP, or SDP_GFP_NOWAIT in a worker
 *
 * Context: process; may sleep.
 * Return: the last unsent buffer, if it has room, or a new one, which is queued; NULL if
 * sdp_link_send_buf() fails.
 */
struct sdp_buf *sdp_fill_buf(struct sdp_sock *ssk, gfp_t gfp);

#endif
