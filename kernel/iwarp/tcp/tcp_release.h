/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The end of the use of a stream that is a socket: what is left is sent, for a limited time; the
 * callbacks are taken back; and when none of them runs any more, the socket is released.
 */
#ifndef HCA_IWARP_TCP_TCP_RELEASE_H
#define HCA_IWARP_TCP_TCP_RELEASE_H

#include "iwarp/tcp/tcp_stream.h"

/* The operation of struct hca_stream_ops. */
void hca_tcp_release(struct hca_stream *s);

/* Functions of @release and @free of struct hca_tcp_stream. */
void hca_tcp_release_work(struct work_struct *work);
void hca_tcp_release_free(struct work_struct *work);

#endif
