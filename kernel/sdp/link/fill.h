/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Buffered copy: buffers to fill with payload, and the room in those that are not sent. */
#ifndef HCA_SDP_LINK_FILL_H
#define HCA_SDP_LINK_FILL_H

#include "sdp/link/link.h"

/**
 * sdp_fill_room() - free space for payload in a buffer
 * @ep: connected socket, whose lock is held; it has a link
 * @buf: buffer that was not sent
 *
 * Context: any.
 * Return: octets.
 */
static inline u32 sdp_fill_room(const struct sdp_ep *ep, const struct sdp_buf *buf)
{
	u32 size = min(ep->link->send_size, buf->size), used = SDP_BSDH_SIZE + buf->len;

	/*
	 * After a suspension, messages may have to be smaller than a buffer that was filled
	 * earlier.
	 */
	return size > used ? size - used : 0;
}

/**
 * sdp_fill_at() - address in a buffer for the next octet of payload
 * @buf: buffer that was not sent
 *
 * Context: any.
 * Return: the address after the last octet of payload.
 */
static inline u8 *sdp_fill_at(const struct sdp_buf *buf)
{
	return (u8 *)sdp_buf_data(buf) + SDP_BSDH_SIZE + buf->len;
}

/**
 * sdp_fill_last_waits() - whether the only unsent message has to wait for more data
 * @ep: the endpoint, whose lock is held; it is corked and has a link
 *
 * A message does not wait if it is full, has an out-of-band octet, or ends the stream.
 *
 * Context: any.
 */
bool sdp_fill_last_waits(const struct sdp_ep *ep);

/**
 * sdp_fill_may_send() - whether there are messages that do not wait for more data
 * @ep: the endpoint, whose lock is held; it has a link
 *
 * Context: any.
 */
static inline bool sdp_fill_may_send(const struct sdp_ep *ep)
{
	return !list_empty(&ep->tx) && !(ep->corked && sdp_fill_last_waits(ep));
}

/**
 * sdp_fill_last() - get the last unsent buffer, if it has room for payload
 * @ep: the endpoint, whose lock is held; it has a link
 *
 * Context: any.
 * Return: the buffer, or NULL.
 */
struct sdp_buf *sdp_fill_last(struct sdp_ep *ep);

/**
 * sdp_fill_note() - update @tx_open of a socket
 * @ep: connected socket, whose lock is held; it has a link
 *
 * The function is called after buffers were queued, filled or sent. @tx_open becomes true if the
 * last unsent buffer has room for payload, or if all buffers were sent. sdp_link_may_fill() reads
 * @tx_open.
 *
 * Context: any.
 */
void sdp_fill_note(struct sdp_ep *ep);

/**
 * sdp_link_may_fill() - whether a buffer may be filled, provided that memory is available
 * @ep: the endpoint
 *
 * Context: any; without the socket lock the result is a hint.
 */
bool sdp_link_may_fill(const struct sdp_ep *ep);

/**
 * sdp_link_put_buf() - return an unused buffer of sdp_link_send_buf()
 * @ep: the endpoint, whose lock is held
 * @buf: the buffer, in any list or none
 *
 * Context: any.
 */
void sdp_link_put_buf(struct sdp_ep *ep, struct sdp_buf *buf);

/**
 * sdp_link_send_buf() - get a buffer to fill with payload
 * @ep: connected socket, whose lock is held
 * @gfp: flags for allocation of a new buffer: SDP_GFP, or SDP_GFP_NOWAIT in a worker, which must
 * not wait for a cgroup
 *
 * Context: process; may sleep.
 * Return: an empty buffer with room for the header; or NULL. NULL means that the buffers in use
 * have reached the limit of SO_SNDBUF and one of them is unsent, or that memory is exhausted. If
 * memory is exhausted, sdp_link_may_fill() returns false until a buffer in use, if any, completes.
 */
struct sdp_buf *sdp_link_send_buf(struct sdp_ep *ep, gfp_t gfp);

/**
 * sdp_link_fill_buf() - get a buffer that has room for payload
 * @ep: connected socket, whose lock is held; it has a link
 * @gfp: flags for allocation of a new buffer: SDP_GFP, or SDP_GFP_NOWAIT in a worker
 *
 * Context: process; may sleep.
 * Return: the last unsent buffer, if it has room, or a new one, which is queued; NULL if
 * sdp_link_send_buf() fails.
 */
struct sdp_buf *sdp_link_fill_buf(struct sdp_ep *ep, gfp_t gfp);

#endif
