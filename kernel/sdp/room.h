/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What this end advertises by SinkAvail, for the peer to write into: Write Zcopy as the data sink,
 * in Pipelined mode. There is one at a time.
 *
 * A message with payload that the peer has sent before it knew of the advertisement discards it.
 * Both ends count messages with payload that have discarded nothing, so that the peer can see which
 * advertisements are discarded when it gets them (SDP 9.5.1).
 *
 * Callers serialize the calls for one connection.
 */
#ifndef HCA_SDP_ROOM_H
#define HCA_SDP_ROOM_H

#include "sdp/wire.h"

struct sdp_room {
	u32 len; /* octets that are advertised, and not answered; 0: none */
	u32 written; /* octets that the peer has written into the last one */
	u32 non_discards; /* messages with payload that have discarded nothing, modulo 2^32 */
	bool cancel; /* SinkAvailCancel is wanted */
	bool canceled; /* it was sent */
	u32 cancel_mseq; /* its MSeq */
	bool ack_follows; /* nothing is advertised any more, but SinkCancelAck may come yet */
};

/**
 * sdp_room_is_free() - whether something may be advertised
 * @room: state of the connection
 *
 * Context: any.
 */
static inline bool sdp_room_is_free(const struct sdp_room *room)
{
	return !room->len && !room->ack_follows;
}

/**
 * sdp_room_begin() - something is advertised
 * @room: state of the connection; sdp_room_is_free()
 * @octets: how much; not 0
 *
 * Context: any.
 */
void sdp_room_begin(struct sdp_room *room, u32 octets);

/**
 * sdp_room_payload() - receive a message with payload
 * @room: state of the connection
 *
 * Context: any.
 * Return: true if it has discarded what was advertised.
 */
bool sdp_room_payload(struct sdp_room *room);

/**
 * sdp_room_written() - receive RdmaWrCompl
 * @room: state of the connection
 * @octets: how much it says was written
 * @mseq_ack: MSeqAck of the message
 *
 * A peer that knew of SinkAvailCancel has written a part, and discards the rest: SinkCancelAck
 * follows (S2-213, S2-214).
 *
 * Context: any.
 * Return: SDP_OK; SDP_FAULT_STATE: nothing is advertised; SDP_FAULT_FIELD: more than there was.
 */
enum sdp_fault sdp_room_written(struct sdp_room *room, u32 octets, u32 mseq_ack);

/**
 * sdp_room_cancel_ack() - receive SinkCancelAck
 * @room: state of the connection
 * @released: set to whether something was advertised
 *
 * Context: any.
 * Return: SDP_OK; SDP_FAULT_STATE: no SinkAvailCancel waits for that.
 */
enum sdp_fault sdp_room_cancel_ack(struct sdp_room *room, bool *released);

/**
 * sdp_room_canceled() - SinkAvailCancel is sent
 * @room: state of the connection
 * @mseq: its MSeq
 *
 * Context: any.
 */
void sdp_room_canceled(struct sdp_room *room, u32 mseq);

/**
 * sdp_room_end() - the peer will write no more into what is advertised
 * @room: state of the connection
 *
 * It has left Pipelined mode.
 *
 * Context: any.
 * Return: true if something was advertised.
 */
bool sdp_room_end(struct sdp_room *room);

/**
 * sdp_room_close() - the peer sends no more payload
 * @room: state of the connection
 *
 * The advertisement counts as canceled (S2-151). SinkCancelAck may follow if SinkAvailCancel was
 * sent before.
 *
 * Context: any.
 * Return: true if something was advertised.
 */
bool sdp_room_close(struct sdp_room *room);

/**
 * sdp_room_cancel() - ask the peer to answer now
 * @room: state of the connection
 *
 * Has no effect if nothing is advertised.
 *
 * Context: any.
 */
void sdp_room_cancel(struct sdp_room *room);

/**
 * sdp_room_cancel_is_due() - whether SinkAvailCancel is to be sent
 * @room: state of the connection
 *
 * Context: any.
 */
static inline bool sdp_room_cancel_is_due(const struct sdp_room *room)
{
	return room->cancel && !room->canceled;
}

#endif
