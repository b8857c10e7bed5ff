// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Buffered copy: buffers into which payload is copied. */
#include "sdp/linux/fill.h"

/* Return: the last unsent buffer, if it has room; otherwise NULL. */
static struct sdp_buf *last_buf(struct sdp_sock *ssk)
{
	struct sdp_buf *buf;

	if (list_empty(&ssk->tx))
		return NULL;
	buf = list_last_entry(&ssk->tx, struct sdp_buf, list);
	return !buf->oob && sdp_fill_room(ssk, buf) ? buf : NULL;
}

void sdp_fill_note(struct sdp_sock *ssk)
{
	WRITE_ONCE(ssk->tx_open, list_empty(&ssk->tx) || last_buf(ssk));
}

struct sdp_buf *sdp_fill_buf(struct sdp_sock *ssk, gfp_t gfp)
{
	struct sdp_buf *buf = last_buf(ssk);

	if (buf)
		return buf;
	buf = sdp_link_send_buf(ssk, gfp);
	if (buf)
		list_add_tail(&buf->list, &ssk->tx);
	return buf;
}
