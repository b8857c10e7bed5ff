/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Memory that this end advertises by SrcAvail for the peer to read: Read Zcopy as the data source.
 * One SrcAvail is outstanding at a time. No payload is sent until the peer has answered SrcAvail.
 *
 * Callers serialize the calls for one connection.
 */
#ifndef HCA_SDP_PROTOCOL_SOURCE_H
#define HCA_SDP_PROTOCOL_SOURCE_H

#include "sdp/protocol/wire.h"

struct sdp_source {
	u32 left; /* advertised octets not reported as read; 0: nothing is advertised */
	u32 refused; /* octets of the last advertisement that the peer will not read */
	bool overridden; /* a SinkAvail has replaced SrcAvail: @refused octets go by RDMA Write */
	bool cancel; /* SrcAvailCancel is to be sent, or was sent */
	bool canceled; /* SrcAvailCancel was sent */
};

/**
 * sdp_source_begin() - account for a SrcAvail that is sent
 * @source: state of the connection; nothing is advertised
 * @octets: advertised octets, without the payload of SrcAvail; not 0
 *
 * Context: any.
 */
void sdp_source_begin(struct sdp_source *source, u32 octets);

/**
 * sdp_source_read() - receive RdmaRdCompl
 * @source: state of the connection
 * @octets: octets read since the last RdmaRdCompl, as the message reports
 *
 * Context: any.
 * Return: SDP_OK; SDP_FAULT_STATE: nothing is advertised; SDP_FAULT_FIELD: @octets exceeds the rest
 * of the advertisement.
 */
enum sdp_fault sdp_source_read(struct sdp_source *source, u32 octets);

/**
 * sdp_source_refused() - receive SendSm
 * @source: state of the connection
 *
 * The peer does not read the rest, which is to be sent by Buffered copy.
 *
 * Context: any.
 * Return: SDP_OK; SDP_FAULT_STATE: nothing is advertised.
 */
enum sdp_fault sdp_source_refused(struct sdp_source *source);

/**
 * sdp_source_override() - receive a SinkAvail that crossed SrcAvail
 * @source: state of the connection
 *
 * The peer discards our SrcAvail.
 *
 * Context: any.
 * Return: true if memory was advertised.
 */
bool sdp_source_override(struct sdp_source *source);

/**
 * sdp_source_cancel() - make SrcAvailCancel due, so that the peer answers SrcAvail now
 * @source: state of the connection
 *
 * The peer finishes an RDMA Read under way, and refuses the rest. The call has no effect if nothing
 * is advertised.
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
