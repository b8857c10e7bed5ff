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
 * sdp_link_done() - completion handler of messages, and of receive buffers
 * @cq: completion queue of the link
 * @wc: work completion
 *
 * The completion is processed at once, or put in a list if a process owns the socket lock.
 *
 * Context: softirq.
 */
void sdp_link_done(struct ib_cq *cq, struct ib_wc *wc);

#endif
