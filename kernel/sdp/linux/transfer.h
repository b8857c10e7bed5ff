/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What the queue pair of a connection calls, and what it is given. */
#ifndef HCA_SDP_LINUX_TRANSFER_H
#define HCA_SDP_LINUX_TRANSFER_H

#include "sdp/linux/link.h"

/**
 * sdp_link_post_recv() - give a buffer to the receive queue
 * @link: the link
 * @buf: buffer, empty
 *
 * Context: any.
 * Return: 0 or what ib_post_recv() returns.
 */
int sdp_link_post_recv(struct sdp_link *link, struct sdp_buf *buf);

/**
 * sdp_link_advertise() - send a SrcAvail
 * @ssk: the socket, whose lock is held; sdp_conn_may_advertise() has allowed it
 * @buf: buffer with payload, behind the headers of SrcAvail; NULL: without payload, for which there
 * is a buffer (sdp_link_has_control())
 * @advert: what is advertised
 *
 * Context: any.
 */
void sdp_link_advertise(struct sdp_sock *ssk, struct sdp_buf *buf,
			const struct sdp_advert *advert);

/**
 * sdp_link_has_control() - whether a message without payload can be sent now
 * @link: the link
 *
 * Context: any.
 */
static inline bool sdp_link_has_control(const struct sdp_link *link)
{
	return !list_empty(&link->control);
}

/**
 * sdp_link_make_room() - send a SinkAvail
 * @ssk: the socket, whose lock is held; sdp_conn_may_make_room() has allowed it, and there is a
 * buffer (sdp_link_has_control())
 * @advert: what is advertised
 *
 * Context: any.
 */
void sdp_link_make_room(struct sdp_sock *ssk, const struct sdp_advert *advert);

/**
 * sdp_link_probe() - send what only the peer's queue pair notices
 * @ssk: the socket, whose lock is held; it has a link that is ready
 *
 * Context: any.
 */
void sdp_link_probe(struct sdp_sock *ssk);

/**
 * sdp_receive_payload() - put payload where the program reads it
 * @ssk: the socket, whose lock is held
 * @buf: buffer with the message
 * @delivery: what it brings, with payload
 *
 * Context: any.
 * Return: true if the buffer is kept until it is read, false if it can be used again.
 */
bool sdp_receive_payload(struct sdp_sock *ssk, struct sdp_buf *buf,
			 const struct sdp_delivery *delivery);

/**
 * sdp_receive_urgent() - the peer announces an octet out of band
 * @ssk: the socket, whose lock is held
 *
 * Context: any.
 */
void sdp_receive_urgent(struct sdp_sock *ssk);

#endif
