/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What this end advertises by SrcAvail, for the peer to read: Read Zcopy as the data source, one at
 * a time. While it is not answered no payload is sent.
 *
 * Callers serialize the calls for one connection.
 */
#ifndef HCA_SDP_SOURCE_H
#define HCA_SDP_SOURCE_H

#include "sdp/wire.h"

struct sdp_source {
	u32 left; /* octets that the peer has not said were read; 0: nothing is advertised */
	u32 refused; /* octets of the last advertisement that are to be sent otherwise */
	bool overridden; /* not refused: the peer wants them by RDMA Write */
	bool cancel; /* SrcAvailCancel is wanted */
	bool canceled; /* it was sent */
};

/**
 * sdp_source_begin() - something is advertised
 * @source: state of the connection; nothing is advertised
 * @octets: how much, without what SrcAvail has as payload; not 0
 *
 * Context: any.
 */
void sdp_source_begin(struct sdp_source *source, u32 octets);

/**
 * sdp_source_read() - receive RdmaRdCompl
 * @source: state of the connection
 * @octets: what it says was read since the one before
 *
 * Context: any.
 * Return: SDP_OK; SDP_FAULT_STATE: nothing is advertised; SDP_FAULT_FIELD: more than there was.
 */
enum sdp_fault sdp_source_read(struct sdp_source *source, u32 octets);

/**
 * sdp_source_refused() - receive SendSm
 * @source: state of the connection
 *
 * What is left is to be sent by Buffered copy; the peer reads it no more.
 *
 * Context: any.
 * Return: SDP_OK; SDP_FAULT_STATE: nothing is advertised.
 */
enum sdp_fault sdp_source_refused(struct sdp_source *source);

/**
 * sdp_source_override() - receive SinkAvail, which the peer has sent before it knew of SrcAvail
 * @source: state of the connection
 *
 * The peer forgets what was advertised.
 *
 * Context: any.
 * Return: true if something was.
 */
bool sdp_source_override(struct sdp_source *source);

/**
 * sdp_source_cancel() - ask the peer to answer now
 * @source: state of the connection
 *
 * It reads what it has begun to read, and refuses the rest. Has no effect if nothing is advertised.
 *
 * Context: any.
 */
void sdp_source_cancel(struct sdp_source *source);

/**
 * sdp_source_cancel_is_due() - whether SrcAvailCancel is to be sent
 * @source: state of the connection
 *
 * Context: any.
 */
static inline bool sdp_source_cancel_is_due(const struct sdp_source *source)
{
	return source->cancel && !source->canceled;
}

#endif
