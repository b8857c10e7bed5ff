/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Work of a stream that is tried again after a while. */
#ifndef HCA_IWARP_TCP_TCP_RETRY_H
#define HCA_IWARP_TCP_TCP_RETRY_H

#include <linux/jiffies.h>
#include "iwarp/tcp/tcp_stream.h"

#define HCA_TCP_RETRY_MS 10

/**
 * hca_tcp_retry() - schedule the push of a stream after a while
 * @ts: the stream, whose socket is in use elsewhere, or for which memory was short
 *
 * Context: any.
 */
static inline void hca_tcp_retry(struct hca_tcp_stream *ts)
{
	if (!test_bit(HCA_TCP_RELEASED, &ts->flags))
		mod_timer(&ts->retry, jiffies + msecs_to_jiffies(HCA_TCP_RETRY_MS));
}

#endif
