/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The way of a buffer into TCP, by page. */
#ifndef HCA_IWARP_TCP_TCP_PUSH_H
#define HCA_IWARP_TCP_TCP_PUSH_H

#include "iwarp/tcp/tcp_stream.h"

/**
 * hca_tcp_push_pages() - hand what is written in a buffer, and not taken yet, to TCP
 * @ts: the stream, whose socket the caller has locked
 * @b: the buffer
 * @more: whether other octets follow at once
 *
 * Context: any that may hold the lock.
 * Return: octets that TCP has accepted, or a negative errno.
 */
int hca_tcp_push_pages(struct hca_tcp_stream *ts, const struct hca_tx_buffer *b, bool more);

/**
 * hca_tcp_push_later() - have a stream pushed again, of which TCP has not taken all octets
 * @ts: the stream, whose socket the caller has locked
 *
 * TCP calls sk_write_space() if it had no space. If memory was short, it does not: a timer does.
 *
 * Context: any that may hold the lock.
 */
void hca_tcp_push_later(struct hca_tcp_stream *ts);

/**
 * hca_tcp_push_drop() - release the memory of a buffer of which TCP has not taken all
 * @ts: the stream, whose socket the caller has locked, or whose socket nobody uses any more
 *
 * Context: any that may hold the lock.
 */
void hca_tcp_push_drop(struct hca_tcp_stream *ts);

/**
 * hca_tcp_push() - send what is left of a buffer of which TCP has taken a part
 * @ts: the stream, whose socket the caller has locked
 *
 * Context: any that may hold the lock.
 * Return: whether nothing is left.
 */
bool hca_tcp_push(struct hca_tcp_stream *ts);

#endif
