/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Transmission of a stream that is a socket: the operations of struct hca_stream_ops. */
#ifndef HCA_IWARP_TCP_TCP_SEND_H
#define HCA_IWARP_TCP_TCP_SEND_H

#include "iwarp/tcp/tcp_stream.h"

u32 hca_tcp_room(struct hca_stream *s);
u32 hca_tcp_mss(struct hca_stream *s);
int hca_tcp_send(struct hca_stream *s, const struct hca_tx_buffer *b, bool more);

#endif
