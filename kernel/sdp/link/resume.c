// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Resumption of a suspended connection: the buffers that stay with the socket. */
#include "sdp/link/resume.h"
#include "sdp/link/link.h"

bool sdp_resume_is_due(const struct sdp_ep *ep)
{
	return ep->link->suspended && ep->inet.sk.sk_state != TCP_CLOSE;
}

void sdp_resume_keep(struct sdp_ep *ep)
{
	struct sdp_buf *buf;

	ep->send_used = 0;
	list_for_each_entry(buf, &ep->tx, list) {
		buf->kept = true;
		ep->send_used++;
	}
	ep->conn.suspend.kept = 0;
	list_for_each_entry(buf, &ep->rx, list) {
		ep->conn.suspend.kept++;
	}
}

int sdp_resume_adopt(struct sdp_ep *ep)
{
	struct sdp_link *link = ep->link;
	struct sdp_buf *buf;

	list_for_each_entry(buf, &ep->tx, list) {
		if (!sdp_buf_map(link->pd, buf))
			return -ENOMEM;
		buf->kept = false;
		list_add(&buf->all, &link->bufs);
	}
	return 0;
}

void sdp_resume_purge(struct sdp_ep *ep)
{
	struct sdp_buf *buf, *next;

	list_for_each_entry_safe(buf, next, &ep->tx, list) {
		if (!buf->kept)
			continue;
		list_del(&buf->list);
		sdp_buf_free(ep, buf);
		ep->send_used--;
	}
}
