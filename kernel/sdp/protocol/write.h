/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Memory that the peer advertises by SinkAvail: Write Zcopy as the data source, in Pipelined mode.
 * An RDMA Write and its RdmaWrCompl are sent directly one after the other, so that no RDMA Write is
 * under way when a message arrives.
 *
 * Callers serialize the calls for one connection.
 */
#ifndef HCA_SDP_PROTOCOL_WRITE_H
#define HCA_SDP_PROTOCOL_WRITE_H

#include "sdp/protocol/wire.h"

struct sdp_write {
	struct sdp_advert adverts[SDP_ADVERTS]; /* unused advertisements, the oldest first */
	u32 count; /* number of @adverts */
	/*
	 * Number of messages with payload that were sent, minus the number of advertisements that
	 * these messages have discarded (PotentialNonDiscards), modulo 2^32.
	 */
	u32 non_discards;
	u32 non_discards_left; /* @non_discards when Pipelined mode ended, minus later discards */
	u32 written; /* octets to report in RdmaWrCompl */
	u32 written_rkey; /* R_Key of the RDMA Write that RdmaWrCompl reports */
	bool written_due; /* RdmaWrCompl is to be sent */
	bool cancel_ack; /* SinkCancelAck is to be sent */
};

/**
 * sdp_write_is_stale() - whether sent payload has discarded a SinkAvail that is received
 * @write: state of the connection
 * @advert: advertisement in SinkAvail
 *
 * The function is called once for each SinkAvail, and accounts for a discarded one.
 *
 * Context: any.
 */
bool sdp_write_is_stale(struct sdp_write *write, const struct sdp_advert *advert);

/**
 * sdp_write_ignore() - receive a SinkAvail that was sent before the peer received our ModeChange
 * @write: state of the connection
 * @advert: advertisement in SinkAvail
 *
 * If payload of this end has discarded the SinkAvail, the function accounts for that. Otherwise the
 * peer discards the SinkAvail when it receives ModeChange.
 *
 * Context: any.
 */
void sdp_write_ignore(struct sdp_write *write, const struct sdp_advert *advert);

/**
 * sdp_write_mode_left() - leave Pipelined mode
 * @write: state of the connection
 *
 * Both ends discard all SinkAvail advertisements.
 *
 * Context: any.
 */
void sdp_write_mode_left(struct sdp_write *write);

/**
 * sdp_write_advertised() - store the advertisement of a SinkAvail
 * @write: state of the connection, with fewer than SDP_ADVERTS advertisements
 * @advert: advertisement in SinkAvail, not stale
 *
 * Context: any.
 */
void sdp_write_advertised(struct sdp_write *write, const struct sdp_advert *advert);

/**
 * sdp_write_payload() - account for a message with payload that is sent
 * @write: state of the connection
 *
 * The message discards the oldest advertisement, if there is one.
 *
 * Context: any.
 */
void sdp_write_payload(struct sdp_write *write);

/**
 * sdp_write_done() - account for an RDMA Write into the oldest advertisement
 * @write: state of the connection; @count is not 0, and @written_due is false
 * @octets: octets written, at most those advertised
 *
 * Context: any.
 */
void sdp_write_done(struct sdp_write *write, u32 octets);

/**
 * sdp_write_has_answer() - whether an answer to a SinkAvail or SinkAvailCancel is to be sent
 * @write: state of the connection
 *
 * Payload waits for the answer, because payload discards the peer's advertisement.
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
