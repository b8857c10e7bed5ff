/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Live streams: streams that have carried octets of another protocol before they become those of a
 * queue pair (RDMA verbs, 6.6.1).
 */
#ifndef HCA_IWARP_LIVE_H
#define HCA_IWARP_LIVE_H

#include "iwarp/iwarp_qp.h"

#define HCA_LIVE_MESSAGE_MAX 4096 /* octets of the last message before MPA */

/* How a live stream becomes that of a queue pair. */
struct hca_live_start {
	bool is_initiator; /* this end sends the request of MPA */
	bool is_immediate; /* there are no frames of MPA: Full Operation begins at once */
	u16 message_length; /* 0: there is no message */
	u16 private_length;
	const void *message; /* the last octets before MPA; copied */
	const void *private_data; /* of the own frame; copied */
};

/**
 * hca_live_may_attach() - return whether a queue pair can get a stream
 * @it: the queue pair
 *
 * Context: process; takes send_lock.
 * Return: true if it is in Init, without a stream.
 */
bool hca_live_may_attach(struct hca_iwarp_qp *it);

/**
 * hca_live_attach() - make a live stream that of a queue pair
 * @ep: an endpoint that was not used before, whose stream is connected
 * @it: a queue pair in Init without a stream, which stays valid during the call
 * @start: how it begins
 *
 * The message is sent before all that follows, and before the request of the peer is read. Octets
 * that have arrived already are the beginning of MPA (req R0-149, R0-259). The limits of Read
 * Requests are those that were set by modify (req R0-260).
 *
 * HCA_QP_COMM_ESTABLISHED tells that the stream has begun. HCA_QP_FATAL tells that it has not: the
 * queue pair is in Error then, and keeps the reason as a Terminate message that was not sent.
 *
 * Context: process, may sleep; takes send_lock and ep->lock.
 * Return: 0; -EINVAL: the state of the queue pair, or a length; -ENOMEM. After an error, the
 * endpoint is not used, and reports no event.
 */
int hca_live_attach(struct hca_endpoint *ep, struct hca_iwarp_qp *it,
		    const struct hca_live_start *start);

#endif
