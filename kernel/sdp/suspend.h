/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Suspension: the peer requests by SuspComm a new connection to another port, because another
 * address space is to have the peer's socket. This end answers by SuspCommAck when it has finished
 * all operations, and connects anew. This end never sends SuspComm.
 *
 * Callers serialize the calls for one connection.
 */
#ifndef HCA_SDP_SUSPEND_H
#define HCA_SDP_SUSPEND_H

#include "sdp/conn.h"

/**
 * sdp_suspend_receive() - receive SuspComm
 * @conn: the connection
 * @message: the message
 * @delivery: effects of the message: our advertisements end as if refused
 *
 * The peer sends and reads nothing from now on, so all advertisements end. An RDMA Read under way
 * of the peer's memory is finished.
 *
 * Context: any.
 * Return: SDP_OK; SDP_FAULT_STATE: both ends have sent DisConn, and the peer is to end the
 * connection instead.
 */
enum sdp_fault sdp_suspend_receive(struct sdp_conn *conn, const struct sdp_message *message,
				   struct sdp_delivery *delivery);

/**
 * sdp_suspend_is_quiet() - whether SuspCommAck can be sent
 * @conn: the connection, where SuspComm was received and no answer to another message is pending
 *
 * The program must have read all buffers of an earlier connection, so that a peer that suspends
 * repeatedly cannot fill memory.
 *
 * Context: any.
 */
static inline bool sdp_suspend_is_quiet(const struct sdp_conn *conn)
{
	return !conn->sink.reading && !conn->kept;
}

#endif
