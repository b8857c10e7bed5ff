// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The next action of an asynchronous read. */
#include "sdp/protocol/async.h"
#include "sdp/protocol/conn.h"

/*
 * If an advertisement exceeds the room of the read, the next read gets the rest. After the end of
 * the stream, the read does not wait for the payload that follows a refused advertisement.
 */
static enum sdp_async_next async_next_of_advertised(const struct sdp_async *async,
						    const struct sdp_conn *conn)
{
	if (async->registers && async->octets - async->filled >= sdp_sink_worth(&conn->sink))
		return SDP_ASYNC_READ;
	if (async->ended || async->filled >= async->lowat)
		return SDP_ASYNC_COMPLETE;
	return SDP_ASYNC_REFUSE;
}

enum sdp_async_next sdp_async_next(const struct sdp_async *async, const struct sdp_conn *conn)
{
	if (async->canceled || async->filled == async->octets || (async->stopped && async->filled))
		return SDP_ASYNC_COMPLETE;
	if (sdp_sink_is_readable(&conn->sink))
		return async_next_of_advertised(async, conn);
	if (async->ended || async->filled >= async->lowat)
		return SDP_ASYNC_COMPLETE;
	if (!async->filled && async->registers && async->advertises && sdp_conn_may_make_room(conn))
		return SDP_ASYNC_ADVERTISE;
	return SDP_ASYNC_WAIT;
}
