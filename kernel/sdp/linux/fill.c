// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Buffers for Buffered copy. */
#include "sdp/linux/fill.h"

struct sdp_buf *sdp_fill_buf(struct sdp_sock *ssk)
{
	struct sdp_buf *buf;

	if (!list_empty(&ssk->tx)) {
		buf = list_last_entry(&ssk->tx, struct sdp_buf, list);
		if (!buf->oob && sdp_fill_room(ssk, buf))
			return buf;
	}
	buf = sdp_link_send_buf(ssk);
	if (buf)
		list_add_tail(&buf->list, &ssk->tx);
	return buf;
}
