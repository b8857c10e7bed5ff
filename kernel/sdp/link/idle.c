// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Idle connections, which free memory. The peer must keep a posted buffer until a message has used
 * it. So an end without data to send requests that the peer's buffers get their initial size, and
 * then sends empty messages, which use up the peer's larger buffers.
 */
#include "sdp/link/idle.h"
#include "sdp/link/resize.h"
#include "sdp/link/transfer.h"
#include "sdp/link/watch.h"

static bool idle_may_ask(const struct sdp_ep *ep)
{
	const struct sdp_conn *conn = &ep->conn;

	return list_empty(&ep->tx) && !ep->advertising && !conn->end.disconn &&
	       !conn->suspend.received && !conn->source.left;
}

static void idle_ask(struct sdp_ep *ep)
{
	struct sdp_conn *conn = &ep->conn;

	if (!sdp_resize_ask_back(&conn->resize, conn->peer_size,
				 sdp_credits_available(&conn->credits)))
		return;
	sdp_link_push(ep);
	sdp_resize_limit(ep);
}

/* Free all unused send buffers. The loop visits the buffers of the link. */
static void idle_free(struct sdp_ep *ep)
{
	struct sdp_link *link = ep->link;
	struct sdp_buf *buf, *next;

	list_for_each_entry_safe(buf, next, &link->free, list) {
		list_del(&buf->list);
		sdp_buf_discard(ep, link->pd, buf);
	}
}

static bool idle_has_more(const struct sdp_ep *ep)
{
	return ep->memory[SDP_MEMORY_SEND] ||
	       sdp_resize_may_ask_back(&ep->conn.resize, ep->conn.peer_size);
}

/*
 * The completion of a probe implies completion of all unsignaled messages before it. If payload
 * waits for credits, the probe also detects that the peer is gone, as TCP's window probes do: the
 * peer's DisConn or DREQ may have been lost.
 */
static void idle_trim(struct sdp_ep *ep)
{
	struct sdp_link *link = ep->link;

	if (link->unsignaled || !list_empty(&ep->tx)) {
		sdp_link_probe(ep);
	} else if (!link->outstanding && !list_empty(&link->free) && sdp_gate_get(&link->objects)) {
		idle_free(ep);
		sdp_gate_put(&link->objects);
	}
	if (idle_may_ask(ep))
		idle_ask(ep);
}

/* Free memory of an idle connection. Return: whether the socket is to be checked again. */
static bool idle_check(struct sdp_ep *ep)
{
	u64 moved = ep->conn.octets_sent + ep->conn.octets_received;
	bool still = moved == ep->idle_moved;

	ep->idle_moved = moved;
	if (!ep->link || !ep->link->ready || ep->link->stopped)
		return false;
	if (still)
		idle_trim(ep);
	return !still || idle_has_more(ep);
}

void sdp_idle_register(void)
{
	sdp_watch_register(idle_check);
}
