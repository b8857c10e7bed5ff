// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Resumption of a suspended connection. */
#include "sdp/linux/resume.h"
#include "sdp/linux/link.h"
#include "sdp/linux/route.h"

bool sdp_resume_is_due(const struct sdp_sock *ssk)
{
	return ssk->link->suspended && ssk->inet.sk.sk_state != TCP_CLOSE;
}

void sdp_resume_keep(struct sdp_sock *ssk)
{
	struct sdp_buf *buf;

	ssk->send_used = 0;
	list_for_each_entry(buf, &ssk->tx, list) {
		buf->kept = true;
		ssk->send_used++;
	}
	ssk->conn.kept = 0;
	list_for_each_entry(buf, &ssk->rx, list) {
		ssk->conn.kept++;
	}
}

/* The timeout of a close that is in progress stays as it is. */
void sdp_resume_begin(struct sdp_sock *ssk)
{
	int err;

	ssk->resume_port = ssk->conn.suspend_port;
	if (!ssk->fin_at)
		sdp_sock_timeout(ssk, SDP_SETUP_TIMEOUT);
	err = sdp_route_resolve(ssk);
	if (err)
		sdp_sock_end(ssk, -err);
}

int sdp_resume_adopt(struct sdp_sock *ssk)
{
	struct sdp_link *link = ssk->link;
	struct sdp_buf *buf;

	list_for_each_entry(buf, &ssk->tx, list) {
		if (!sdp_buf_map(link->pd, buf))
			return -ENOMEM;
		buf->kept = false;
		list_add(&buf->all, &link->bufs);
	}
	return 0;
}

void sdp_resume_purge(struct sdp_sock *ssk)
{
	struct sdp_buf *buf, *next;

	list_for_each_entry_safe(buf, next, &ssk->tx, list) {
		if (!buf->kept)
			continue;
		list_del(&buf->list);
		sdp_buf_free(ssk, buf);
		ssk->send_used--;
	}
}
