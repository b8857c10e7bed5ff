/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Reception of a stream that is a socket: the operations of struct hca_stream_ops. */
#ifndef HCA_IWARP_TCP_TCP_RECEIVE_H
#define HCA_IWARP_TCP_TCP_RECEIVE_H

#include "iwarp/tcp/tcp_stream.h"

u32 hca_tcp_peek(struct hca_stream *s, u32 offset, struct hca_octets *range, int max);
void hca_tcp_consume(struct hca_stream *s, u32 octets);
void hca_tcp_want(struct hca_stream *s, u32 octets);

/**
 * hca_tcp_receive_end() - end reception; octets that were consumed are no unread ones of TCP
 * @ts: the stream, whose operations are not called any more, and whose socket the caller has locked
 *
 * Context: process.
 */
void hca_tcp_receive_end(struct hca_tcp_stream *ts);

#endif
