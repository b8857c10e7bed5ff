/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Sending and receiving of messages through the queue pair of a connection. */
#ifndef HCA_SDP_LINK_TRANSFER_H
#define HCA_SDP_LINK_TRANSFER_H

#include "sdp/link/link.h"

/**
 * sdp_link_advertise() - send a SrcAvail
 * @ep: the endpoint, whose lock is held; sdp_conn_may_advertise() has returned true
 * @buf: buffer with payload after the space for the headers; NULL for a SrcAvail without payload,
 * for which sdp_link_has_control() must be true
 * @advert: advertised memory, including the octets of the payload
 *
 * Context: any.
 */
void sdp_link_advertise(struct sdp_ep *ep, struct sdp_buf *buf, const struct sdp_advert *advert);

/**
 * sdp_link_make_room() - send a SinkAvail
 * @ep: the endpoint, whose lock is held; sdp_conn_may_make_room() and sdp_link_has_control() have
 * returned true
 * @advert: advertised memory
 *
 * Context: any.
 */
void sdp_link_make_room(struct sdp_ep *ep, const struct sdp_advert *advert);

/**
 * sdp_link_process_arrived() - process completions that came while a process owned the lock
 * @ep: the endpoint, whose lock is about to be released
 *
 * Context: any; the caller holds the spinlock of the socket (sk_lock.slock).
 */
void sdp_link_process_arrived(struct sdp_ep *ep);

/**
 * sdp_link_push() - send all messages that are due and may be sent
 * @ep: the endpoint, whose lock is held
 *
 * Context: any.
 */
void sdp_link_push(struct sdp_ep *ep);

/**
 * sdp_link_complete() - process a completion
 * @ep: the endpoint, whose lock is held
 * @buf: buffer that was sent or received into
 *
 * Context: any.
 */
void sdp_link_complete(struct sdp_ep *ep, struct sdp_buf *buf);

/**
 * sdp_link_ready() - begin to send, and process messages received earlier
 * @ep: the endpoint that is connected now, whose lock is held
 *
 * Context: any.
 */
void sdp_link_ready(struct sdp_ep *ep);

/**
 * sdp_link_repost() - post a receive buffer again after the program has read it
 * @ep: the endpoint, whose lock is held
 * @buf: the buffer; freed if the link is gone, or if enough buffers are posted
 *
 * The next sdp_link_push() can return the credit to the peer.
 *
 * Context: any.
 */
void sdp_link_repost(struct sdp_ep *ep, struct sdp_buf *buf);

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
 * sdp_link_put_buf() - return an unused buffer of sdp_link_send_buf()
 * @ep: the endpoint, whose lock is held
 * @buf: the buffer, in any list or none
 *
 * Context: any.
 */
void sdp_link_put_buf(struct sdp_ep *ep, struct sdp_buf *buf);

/**
 * sdp_link_may_fill() - whether a buffer may be filled, provided that memory is available
 * @ep: the endpoint
 *
 * Context: any; without the socket lock the result is a hint.
 */
bool sdp_link_may_fill(const struct sdp_ep *ep);

/**
 * sdp_link_done() - completion handler of messages, and of receive buffers
 * @cq: completion queue of the link
 * @wc: work completion
 *
 * The completion is processed at once, or put in a list if a process owns the socket lock.
 *
 * Context: softirq.
 */
void sdp_link_done(struct ib_cq *cq, struct ib_wc *wc);

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
