/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What the peer advertises by SinkAvail: Write Zcopy as the data source, in Pipelined mode. An RDMA
 * Write and the RdmaWrCompl for it are sent one after the other, so that none is under way when a
 * message arrives.
 *
 * Callers serialize the calls for one connection.
 */
#ifndef HCA_SDP_WRITE_H
#define HCA_SDP_WRITE_H

#include "sdp/wire.h"

struct sdp_write {
	struct sdp_advert adverts[SDP_ADVERTS]; /* the oldest first */
	u32 count;
	/*
	 * Messages with payload that were sent, less the advertisements that these have discarded
	 * (PotentialNonDiscards), modulo 2^32.
	 */
	u32 non_discards;
	u32 non_discards_left; /* what it would be without messages sent since the mode was left */
	u32 written; /* octets that RdmaWrCompl has to tell */
	u32 written_rkey; /* where they were written */
	bool written_due; /* RdmaWrCompl is to be sent */
	bool cancel_ack; /* SinkCancelAck is to be sent */
};

/**
 * sdp_write_is_stale() - receive SinkAvail: whether payload that was sent discards it
 * @write: state of the connection
 * @advert: what SinkAvail says
 *
 * To be called once for each.
 *
 * Context: any.
 */
bool sdp_write_is_stale(struct sdp_write *write, const struct sdp_advert *advert);

/**
 * sdp_write_ignore() - receive a SinkAvail that was sent before the peer knew that the mode is left
 * @write: state of the connection
 * @advert: what SinkAvail says
 *
 * If payload has discarded it, that is accounted for; else the peer forgets it by itself.
 *
 * Context: any.
 */
void sdp_write_ignore(struct sdp_write *write, const struct sdp_advert *advert);

/**
 * sdp_write_mode_left() - leave Pipelined mode
 * @write: state of the connection
 *
 * Both ends forget what is advertised.
 *
 * Context: any.
 */
void sdp_write_mode_left(struct sdp_write *write);

/**
 * sdp_write_advertised() - keep what SinkAvail says
 * @write: state of the connection, with fewer than SDP_ADVERTS advertisements
 * @advert: what it says, not stale
 *
 * Context: any.
 */
void sdp_write_advertised(struct sdp_write *write, const struct sdp_advert *advert);

/**
 * sdp_write_payload() - a message with payload is sent
 * @write: state of the connection
 *
 * It discards the oldest advertisement, if there is one.
 *
 * Context: any.
 */
void sdp_write_payload(struct sdp_write *write);

/**
 * sdp_write_done() - the oldest advertisement was written into
 * @write: state of the connection, with an advertisement, and no RdmaWrCompl to be sent
 * @octets: how much was written, at most what is advertised
 *
 * Context: any.
 */
void sdp_write_done(struct sdp_write *write, u32 octets);

/**
 * sdp_write_has_answer() - whether an answer to a SinkAvail or SinkAvailCancel is to be sent
 * @write: state of the connection
 *
 * Payload waits for that: it would discard what the peer advertises.
 *
 * Context: any.
 */
static inline bool sdp_write_has_answer(const struct sdp_write *write)
{
	return write->written_due || write->cancel_ack;
}

/**
 * sdp_write_cancel() - receive SinkAvailCancel
 * @write: state of the connection
 *
 * Context: any.
 */
void sdp_write_cancel(struct sdp_write *write);

#endif
