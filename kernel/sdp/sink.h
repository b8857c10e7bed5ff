/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What the peer advertises by SrcAvail: Read Zcopy as the data sink. It is there to be read, in
 * order; what is not to be read is refused by SendSm, with all that is advertised behind it, so
 * that it comes by Buffered copy.
 *
 * Callers serialize the calls for one connection.
 */
#ifndef HCA_SDP_SINK_H
#define HCA_SDP_SINK_H

#include <linux/compiler.h>
#include "sdp/wire.h"

struct sdp_sink {
	struct sdp_advert advert; /* what was not read of it; no octets: there is none */
	/* Pipelined mode: the one after it, until RdmaRdCompl was sent; no octets: there is none */
	struct sdp_advert next;
	bool reading; /* an RDMA Read of its first octets is under way */
	bool refusing; /* what is not being read is refused afterwards */
	bool canceled; /* so is all else, together */
	u32 read; /* octets that RdmaRdCompl has to tell */
	u32 refused; /* SendSm that wait, behind what is being read */
	u32 refused_left[SDP_ADVERTS]; /* octets that were not read of those, the oldest first */
	u64 expected; /* octets of refused advertisements that come as payload, before all else */
};

/**
 * sdp_sink_advertised() - receive SrcAvail
 * @sink: state of the connection, with fewer than SDP_ADVERTS advertisements that are not answered
 * @advert: what SrcAvail says
 * @payload: octets of it that came with SrcAvail, at most all
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
 * sdp_sink_is_advertised() - whether something is advertised that may be read
 * @sink: state of the connection
 *
 * Context: any.
 */
static inline bool sdp_sink_is_advertised(const struct sdp_sink *sink)
{
	return sink->advert.len || sink->next.len;
}

/**
 * sdp_sink_is_readable() - whether some of what is advertised may be read now
 * @sink: state of the connection
 *
 * The octets of refused advertisements come first, as payload (S2-179).
 *
 * Context: any, also while another thread changes @sink: then it may have been so a moment ago.
 */
static inline bool sdp_sink_is_readable(const struct sdp_sink *sink)
{
	return READ_ONCE(sink->advert.len) && !READ_ONCE(sink->reading) &&
	       !READ_ONCE(sink->expected) && !READ_ONCE(sink->refused);
}

/**
 * sdp_sink_payload() - receive payload
 * @sink: state of the connection
 * @octets: how much; not 0
 *
 * Context: any.
 * Return: whether it may come: as what was refused, and no more than that if anything is
 * advertised, or because nothing is advertised.
 */
bool sdp_sink_payload(struct sdp_sink *sink, u32 octets);

/**
 * sdp_sink_is_read() - whether RdmaRdCompl is the last one for an advertisement
 * @sink: state of the connection, in which RdmaRdCompl is due
 *
 * Context: any.
 * Return: whether all was read of it, and nothing of it refused.
 */
static inline bool sdp_sink_is_read(const struct sdp_sink *sink)
{
	return !sink->advert.len && !sink->refused;
}

/**
 * sdp_sink_report() - RdmaRdCompl is sent
 * @sink: state of the connection
 *
 * Context: any.
 * Return: the octets that it has to tell: since the one before, of one advertisement.
 */
u32 sdp_sink_report(struct sdp_sink *sink);

/**
 * sdp_sink_refused() - SendSm is sent
 * @sink: state of the connection, in which one waits
 *
 * Context: any.
 */
void sdp_sink_refused(struct sdp_sink *sink);

/**
 * sdp_sink_read_begin() - begin to read what is advertised
 * @sink: state of the connection; sdp_sink_is_readable()
 * @octets: how much is to be read at most; not 0
 * @part: what to read
 *
 * Context: any.
 */
void sdp_sink_read_begin(struct sdp_sink *sink, u32 octets, struct sdp_advert *part);

/**
 * sdp_sink_read_end() - what was begun has been read
 * @sink: state of the connection
 * @octets: how much it was; 0 if the read was not tried after all
 *
 * Context: any.
 */
void sdp_sink_read_end(struct sdp_sink *sink, u32 octets);

/**
 * sdp_sink_refuse() - read no more of what is advertised
 * @sink: state of the connection
 *
 * What is being read is finished first. Has no effect if nothing is advertised.
 *
 * Context: any.
 */
void sdp_sink_refuse(struct sdp_sink *sink);

/**
 * sdp_sink_cancel() - receive SrcAvailCancel
 * @sink: state of the connection
 *
 * One SendSm is due for all that was not answered; if there is nothing, the cancel came too late.
 * Whether what was refused comes as payload is up to the peer then.
 *
 * Context: any.
 */
void sdp_sink_cancel(struct sdp_sink *sink);

#endif
