// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Buffered copy: buffers with unsent payload, and the room in them. */
#include "sdp/link/fill.h"

struct sdp_buf *sdp_fill_last(struct sdp_ep *ep)
{
	struct sdp_buf *buf;

	if (list_empty(&ep->tx))
		return NULL;
	buf = list_last_entry(&ep->tx, struct sdp_buf, list);
	return !buf->oob && sdp_fill_room(ep, buf) ? buf : NULL;
}

bool sdp_fill_last_waits(const struct sdp_ep *ep)
{
	const struct sdp_buf *buf;

	if (ep->conn.disconn || !list_is_singular(&ep->tx))
		return false;
	buf = list_first_entry(&ep->tx, struct sdp_buf, list);
	return !buf->oob && sdp_fill_room(ep, buf);
}

void sdp_fill_note(struct sdp_ep *ep)
{
	WRITE_ONCE(ep->tx_open, list_empty(&ep->tx) || sdp_fill_last(ep));
}
