/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Suspension: by SuspComm, the peer requests a new connection to another port, because its socket
 * moves to another address space. This end answers by SuspCommAck when it has finished all
 * operations, and then connects to that port. This end never sends SuspComm.
 *
 * Callers serialize the calls for one connection.
 */
#ifndef HCA_SDP_PROTOCOL_SUSPEND_H
#define HCA_SDP_PROTOCOL_SUSPEND_H

#include "sdp/protocol/wire.h"

struct sdp_conn;
struct sdp_delivery;

struct sdp_suspend {
	bool received; /* SuspComm was received */
	bool acked; /* SuspCommAck, the last message, was sent */
	u16 port; /* TCP port for the new connection */
	u32 kept; /* number of unread receive buffers of the connection before the suspension */
};

/**
 * sdp_suspend_receive() - receive SuspComm
 * @conn: the connection
 * @message: the message
 * @delivery: effects of the message: our advertisements end as if refused
 *
 * After SuspComm the peer does not send or read data, so all advertisements end. If this end is
 * reading the peer's memory, it finishes this RDMA Read.
 *
 * Context: any.
 * Return: SDP_OK; SDP_FAULT_STATE: both ends have sent DisConn, and the peer is to end the
 * connection instead.
 */
enum sdp_fault sdp_suspend_receive(struct sdp_conn *conn, const struct sdp_message *message,
				   struct sdp_delivery *delivery);

#endif
