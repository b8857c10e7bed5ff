/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Suspension: the peer asks by SuspComm for a new connection at another port, because another
 * address space is to have its socket. This end answers by SuspCommAck once it has nothing in
 * process, and connects anew. It never asks itself.
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
 * @delivery: what it brings: what we advertised is as if it had been refused
 *
 * The peer sends and reads nothing from now on, so no advertisement survives: of what it had
 * advertised an RDMA Read that is under way is finished.
 *
 * Context: any.
 * Return: SDP_OK; SDP_FAULT_STATE: the peer is to end the connection, both having closed it.
 */
enum sdp_fault sdp_suspend_receive(struct sdp_conn *conn, const struct sdp_message *message,
				   struct sdp_delivery *delivery);

/**
 * sdp_suspend_is_quiet() - whether SuspCommAck can be sent
 * @conn: the connection, of which SuspComm was received; no answer to another message waits
 *
 * Buffers that the program has not read of a connection before must be gone, so that a peer which
 * suspends again and again cannot fill memory.
 *
 * Context: any.
 */
static inline bool sdp_suspend_is_quiet(const struct sdp_conn *conn)
{
	return !conn->sink.reading && !conn->kept;
}

#endif
