// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Suspension of a connection on request of the peer. */
#include "sdp/protocol/suspend.h"
#include "sdp/protocol/conn.h"

enum sdp_fault sdp_suspend_receive(struct sdp_conn *conn, const struct sdp_message *message,
				   struct sdp_delivery *delivery)
{
	/* If SuspComm has crossed our DisConn, the end of the connection comes first. */
	if (conn->end.disconn_sent && conn->end.disconn_received)
		return conn->end.ours ? SDP_OK : SDP_FAULT_STATE;
	conn->suspend.received = true;
	conn->suspend.port = message->port;
	if (conn->source.left)
		delivery->answered = !sdp_source_refused(&conn->source);
	sdp_sink_refuse(&conn->sink);
	delivery->released = sdp_room_end(&conn->room);
	sdp_write_cancel(&conn->write);
	conn->write.cancel_ack = false;
	return SDP_OK;
}
