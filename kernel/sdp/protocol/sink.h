/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Memory that the peer advertises by SrcAvail: Read Zcopy as the data sink. Advertisements are read
 * in order. SendSm refuses the rest of an advertisement and all later ones: the peer then sends
 * their data by Buffered copy.
 *
 * Callers serialize the calls for one connection.
 */
#ifndef HCA_SDP_PROTOCOL_SINK_H
#define HCA_SDP_PROTOCOL_SINK_H

#include <linux/compiler.h>
#include "sdp/protocol/wire.h"

#define SDP_READ_MIN (16u << 10) /* minimum octets of an RDMA Read, unless fewer are left */

struct sdp_sink {
	struct sdp_advert advert; /* unread rest of the advertisement; 0 octets: none */
	/* Pipelined mode: the advertisement that follows @advert; 0 octets: none */
	struct sdp_advert next;
	bool reading; /* an RDMA Read of the first octets of @advert is under way */
	bool refusing; /* all advertisements after the RDMA Read under way are refused */
	bool canceled; /* SrcAvailCancel was received: one SendSm refuses all advertisements */
	u32 read; /* octets to report in RdmaRdCompl */
	u32 refused; /* number of SendSm to be sent after the RDMA Read under way */
	u32 refused_left[SDP_ADVERTS]; /* unread octets that each SendSm refuses, in order */
	u64 expected; /* refused octets that the peer must send as payload before other data */
};

/**
 * sdp_sink_advertised() - receive SrcAvail
 * @sink: state of the connection, with fewer than SDP_ADVERTS advertisements that are not answered
 * @advert: advertisement in SrcAvail
 * @payload: octets of payload in SrcAvail, at most those of @advert
 *
 * Context: any.
 */
void sdp_sink_advertised(struct sdp_sink *sink, const struct sdp_advert *advert, u32 payload);

/**
 * sdp_sink_outstanding() - advertisements that are not answered
 * @sink: state of the connection
 *
 * Context: any.
 */
static inline u32 sdp_sink_outstanding(const struct sdp_sink *sink)
{
	return sink->refused + (sink->advert.len || sink->read) + !!sink->next.len;
}

/**
 * sdp_sink_is_advertised() - whether an advertisement has octets to read
 * @sink: state of the connection
 *
 * Context: any.
 */
static inline bool sdp_sink_is_advertised(const struct sdp_sink *sink)
{
	return sink->advert.len || sink->next.len;
}

/**
 * sdp_sink_is_readable() - whether an RDMA Read of the advertisement may begin now
 * @sink: state of the connection
 *
 * The octets of refused advertisements come first, as payload (S2-179).
 *
 * Context: any. While another thread changes @sink, the result may be out of date.
 */
static inline bool sdp_sink_is_readable(const struct sdp_sink *sink)
{
	return READ_ONCE(sink->advert.len) && !READ_ONCE(sink->reading) &&
	       !READ_ONCE(sink->expected) && !READ_ONCE(sink->refused);
}

/**
 * sdp_sink_worth() - minimum octets for which an RDMA Read is better than a copy
 * @sink: state of the connection, in which sdp_sink_is_readable() is true
 *
 * Context: any.
 * Return: octets.
 */
static inline u32 sdp_sink_worth(const struct sdp_sink *sink)
{
	return sink->advert.len < SDP_READ_MIN ? sink->advert.len : SDP_READ_MIN;
}

/**
 * sdp_sink_payload() - receive payload
 * @sink: state of the connection
 * @octets: octets of payload; not 0
 *
 * Context: any.
 * Return: true if the payload is legal, because it belongs to refused advertisements, or because
 * nothing is advertised.
 */
bool sdp_sink_payload(struct sdp_sink *sink, u32 octets);

/**
 * sdp_sink_is_read() - whether RdmaRdCompl is the last one for an advertisement
 * @sink: state of the connection, in which RdmaRdCompl is due
 *
 * Context: any.
 * Return: whether all octets of the advertisement were read, and none refused.
 */
static inline bool sdp_sink_is_read(const struct sdp_sink *sink)
{
	return !sink->advert.len && !sink->refused;
}

/**
 * sdp_sink_report() - account for an RdmaRdCompl that is sent
 * @sink: state of the connection
 *
 * Context: any.
 * Return: octets to report, which were read from one advertisement since the last RdmaRdCompl.
 */
u32 sdp_sink_report(struct sdp_sink *sink);

/**
 * sdp_sink_refused() - account for a SendSm that is sent
 * @sink: state of the connection, in which a SendSm is due
 *
 * Context: any.
 */
void sdp_sink_refused(struct sdp_sink *sink);

/**
 * sdp_sink_read_begin() - begin an RDMA Read of the advertisement
 * @sink: state of the connection, in which sdp_sink_is_readable() is true
 * @octets: maximum octets to read; not 0
 * @part: set to the part of the advertisement to read
 *
 * Context: any.
 */
void sdp_sink_read_begin(struct sdp_sink *sink, u32 octets, struct sdp_advert *part);

/**
 * sdp_sink_read_end() - account for the end of an RDMA Read
 * @sink: state of the connection
 * @octets: octets read; 0 if the read was not tried
 *
 * Context: any.
 */
void sdp_sink_read_end(struct sdp_sink *sink, u32 octets);

/**
 * sdp_sink_refuse() - refuse the rest of all advertisements
 * @sink: state of the connection
 *
 * An RDMA Read under way is finished first. The call has no effect if nothing is advertised.
 *
 * Context: any.
 */
void sdp_sink_refuse(struct sdp_sink *sink);

/**
 * sdp_sink_cancel() - receive SrcAvailCancel
 * @sink: state of the connection
 *
 * One SendSm becomes due for all unanswered advertisements. If there are none, SrcAvailCancel came
 * too late and is ignored. After a SrcAvailCancel the peer need not send the refused octets as
 * payload.
 *
 * Context: any.
 */
void sdp_sink_cancel(struct sdp_sink *sink);

#endif
