/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * An asynchronous read continues after the call of the program has returned. The read gets the next
 * octets of the stream as payload, by an RDMA Read, or by the peer's RDMA Write.
 *
 * Callers serialize the calls for one connection.
 */
#ifndef HCA_SDP_PROTOCOL_ASYNC_H
#define HCA_SDP_PROTOCOL_ASYNC_H

#include <linux/types.h>

struct sdp_conn;

/* The next action of an asynchronous read. */
enum sdp_async_next {
	SDP_ASYNC_WAIT, /* wait for the next event */
	SDP_ASYNC_READ, /* post an RDMA Read from the memory that the peer advertises */
	SDP_ASYNC_REFUSE, /* refuse the advertisement, so that the peer sends payload */
	SDP_ASYNC_ADVERTISE, /* send SinkAvail, so that the peer writes into the memory */
	SDP_ASYNC_COMPLETE, /* complete the read */
};

/* A read that has copied all received payload, or is filled. */
struct sdp_async {
	u32 octets; /* octets of the memory */
	u32 filled; /* octets of the memory that are filled */
	u32 lowat; /* minimum octets before the end of the stream; at least 1 */
	bool stopped; /* the next octet is out of band, and ends the read */
	bool ended; /* end of file or an error: further payload is not expected */
	bool canceled; /* the program has canceled the read */
	bool registers; /* the memory can be registered for an RDMA operation */
	bool advertises; /* the memory may be advertised to the peer */
};

/**
 * sdp_async_next() - the next action of an asynchronous read
 * @async: the read, whose memory is not registered
 * @conn: state of the connection
 *
 * Context: any.
 * Return: the action.
 */
enum sdp_async_next sdp_async_next(const struct sdp_async *async, const struct sdp_conn *conn);

#endif
