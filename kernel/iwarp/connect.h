/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The connection manager's part of start-up: it connects, listens, accepts and rejects. */
#ifndef HCA_IWARP_CONNECT_H
#define HCA_IWARP_CONNECT_H

#include "iwarp/iwarp_qp.h"

/* The wishes of a ULP for a connection. */
struct hca_connect {
	u16 ird, ord; /* Read Requests that it serves, and that it issues, at a time */
	u16 private_length;
	const void *private_data; /* copied */
};

/**
 * hca_startup_connect() - begin a connection as the initiator
 * @ep: an endpoint that was not used before; its stream may still be connecting
 * @it: a queue pair in Init without a stream; the caller has a reference to it
 * @connect: what the ULP wants
 *
 * HCA_ENDPOINT_CONNECT_REPLY tells the result. If that is an error, HCA_ENDPOINT_CLOSE follows. The
 * queue pair then is in Init, or in Error if the peer has accepted or the consumer has aborted the
 * connection.
 *
 * Context: process; takes send_lock and ep->lock.
 * Return: 0; -EINVAL: the state of the queue pair, a number, or the length of the private data;
 * -ENOMEM. After an error, the endpoint is not used, and reports no event.
 */
int hca_startup_connect(struct hca_endpoint *ep, struct hca_iwarp_qp *it,
			const struct hca_connect *connect);

/**
 * hca_startup_listen() - await a request on a stream that a peer has opened
 * @ep: an endpoint that was not used before
 *
 * HCA_ENDPOINT_CONNECT_REQUEST follows, or HCA_ENDPOINT_CLOSE. The time of the peer is limited, but
 * not that of the ULP: it accepts or rejects each request, also one of which iw_cm cannot be told.
 *
 * Context: process.
 */
void hca_startup_listen(struct hca_endpoint *ep);

/**
 * hca_startup_accept() - accept a request
 * @ep: an endpoint that has reported HCA_ENDPOINT_CONNECT_REQUEST
 * @it: a queue pair in Init without a stream; the caller has a reference to it
 * @connect: what the ULP wants
 *
 * The queue pair is in RTR afterwards; it sends nothing before the peer's first FPDU has arrived,
 * at which it goes to RTS (RFC 5044, 7.1.2). HCA_ENDPOINT_ESTABLISHED follows in any case.
 *
 * After an error the endpoint ends by itself, because iw_cm neither accepts nor rejects again: the
 * request is rejected, or the stream is reset, and HCA_ENDPOINT_CLOSE alone follows. It may have
 * been reported when this function returns.
 *
 * Context: any context in which spin_lock_bh() may be called; takes send_lock and ep->lock.
 * Return: 0; -EINVAL: the state of the queue pair, a number, or the length of the private data, or
 * the endpoint does not await an answer; -ENOMEM: also if the peer wants to issue more Read
 * Requests than an RNIC can serve; -ECONNRESET: the stream has gone.
 */
int hca_startup_accept(struct hca_endpoint *ep, struct hca_iwarp_qp *it,
		       const struct hca_connect *connect);

/**
 * hca_startup_reject() - reject a request
 * @ep: an endpoint that has reported HCA_ENDPOINT_CONNECT_REQUEST
 * @connect: private data; ird and ord are not used
 *
 * HCA_ENDPOINT_CLOSE follows, unless the result is -EINVAL; it may have been reported when this
 * function returns.
 *
 * Context: any context in which spin_lock_bh() may be called; takes ep->lock.
 * Return: 0; -EINVAL: the length of the private data, or the endpoint does not await an answer;
 * -ECONNRESET: the stream has gone.
 */
int hca_startup_reject(struct hca_endpoint *ep, const struct hca_connect *connect);

#endif
