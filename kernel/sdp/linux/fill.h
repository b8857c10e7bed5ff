/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Buffered copy: buffers that payload is copied into. */
#ifndef HCA_SDP_LINUX_FILL_H
#define HCA_SDP_LINUX_FILL_H

#include "sdp/linux/link.h"

/**
 * sdp_fill_room() - octets of payload that a buffer has room for yet
 * @ssk: connected socket, whose lock is held; it has a link
 * @buf: buffer that was not sent
 *
 * Context: any.
 * Return: how many.
 */
static inline u32 sdp_fill_room(const struct sdp_sock *ssk, const struct sdp_buf *buf)
{
	u32 size = min(ssk->link->send_size, buf->size), used = SDP_BSDH_SIZE + buf->len;

	/* One that was filled before a suspension may have more than is usual after it. */
	return size > used ? size - used : 0;
}

/**
 * sdp_fill_at() - where the next octet of payload goes
 * @buf: buffer that was not sent
 *
 * Context: any.
 * Return: its address.
 */
static inline u8 *sdp_fill_at(const struct sdp_buf *buf)
{
	return (u8 *)sdp_buf_data(buf) + SDP_BSDH_SIZE + buf->len;
}

/**
 * sdp_fill_note() - note whether there is room in the last buffer that was not sent, or none
 * @ssk: connected socket, whose lock is held; it has a link
 *
 * To be called when buffers were queued, filled or sent: sdp_link_may_fill() depends on it.
 *
 * Context: any.
 */
void sdp_fill_note(struct sdp_sock *ssk);

/**
 * sdp_fill_buf() - get a buffer in which there is room for payload
 * @ssk: connected socket, whose lock is held; it has a link
 * @gfp: how memory for a new one is allocated: SDP_GFP, or SDP_GFP_NOWAIT in a worker
 *
 * Context: process; may sleep.
 * Return: the last that was not sent, if there is room in it, or a new one behind it; NULL if
 * there is none.
 */
struct sdp_buf *sdp_fill_buf(struct sdp_sock *ssk, gfp_t gfp);

#endif
