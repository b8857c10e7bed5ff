/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Memory that this end advertises by SinkAvail for the peer to write into: Write Zcopy as the data
 * sink, in Pipelined mode. One SinkAvail is outstanding at a time.
 *
 * A message with payload that the peer sent before it received SinkAvail discards the
 * advertisement. Both ends count messages with payload that have discarded nothing. By this count
 * the peer recognizes a SinkAvail that was discarded before it arrived (SDP 9.5.1).
 *
 * Callers serialize the calls for one connection.
 */
#ifndef HCA_SDP_PROTOCOL_ROOM_H
#define HCA_SDP_PROTOCOL_ROOM_H

#include "sdp/protocol/wire.h"

struct sdp_room {
	u32 len; /* octets of the unanswered advertisement; 0: none */
	u32 written; /* octets that the peer has written into the last advertisement */
	u32 non_discards; /* messages with payload that have discarded nothing, modulo 2^32 */
	bool cancel; /* SinkAvailCancel is to be sent, or was sent */
	bool canceled; /* SinkAvailCancel was sent */
	u32 cancel_mseq; /* MSeq of SinkAvailCancel */
	bool ack_follows; /* the advertisement has ended, but SinkCancelAck may follow */
};

/**
 * sdp_room_is_free() - whether memory may be advertised
 * @room: state of the connection
 *
 * Context: any.
 */
static inline bool sdp_room_is_free(const struct sdp_room *room)
{
	return !room->len && !room->ack_follows;
}

/**
 * sdp_room_begin() - account for a SinkAvail that is sent
 * @room: state of the connection, in which sdp_room_is_free() is true
 * @octets: octets advertised; not 0
 *
 * Context: any.
 */
void sdp_room_begin(struct sdp_room *room, u32 octets);

/**
 * sdp_room_payload() - receive a message with payload
 * @room: state of the connection
 *
 * Context: any.
 * Return: true if the message has discarded the advertisement.
 */
bool sdp_room_payload(struct sdp_room *room);

/**
 * sdp_room_written() - receive RdmaWrCompl
 * @room: state of the connection
 * @octets: octets written according to RdmaWrCompl
 * @mseq_ack: MSeqAck of the message
 *
 * A peer that had received SinkAvailCancel may have written a part only. It discards the rest of
 * the advertisement, and SinkCancelAck follows (S2-213, S2-214).
 *
 * Context: any.
 * Return: SDP_OK; SDP_FAULT_STATE: nothing is advertised; SDP_FAULT_FIELD: @octets exceeds the
 * advertisement.
 */
enum sdp_fault sdp_room_written(struct sdp_room *room, u32 octets, u32 mseq_ack);

/**
 * sdp_room_cancel_ack() - receive SinkCancelAck
 * @room: state of the connection
 * @released: on success, set to true if the message ends the advertisement; to false if the
 * advertisement had ended before
 *
 * Context: any.
 * Return: SDP_OK; SDP_FAULT_STATE: no SinkCancelAck is expected.
 */
enum sdp_fault sdp_room_cancel_ack(struct sdp_room *room, bool *released);

/**
 * sdp_room_canceled() - account for a SinkAvailCancel that is sent
 * @room: state of the connection
 * @mseq: MSeq of SinkAvailCancel
 *
 * Context: any.
 */
void sdp_room_canceled(struct sdp_room *room, u32 mseq);

/**
 * sdp_room_end() - end the advertisement, for example because the peer has left Pipelined mode
 * @room: state of the connection
 *
 * Context: any.
 * Return: true if there was an advertisement to end.
 */
bool sdp_room_end(struct sdp_room *room);

/**
 * sdp_room_close() - end the advertisement because the peer sends no more payload
 * @room: state of the connection
 *
 * The advertisement counts as canceled (S2-151). SinkCancelAck may follow if SinkAvailCancel was
 * sent before.
 *
 * Context: any.
 * Return: true if memory was advertised.
 */
bool sdp_room_close(struct sdp_room *room);

/**
 * sdp_room_cancel() - make SinkAvailCancel due, so that the peer answers SinkAvail now
 * @room: state of the connection
 *
 * The call has no effect if nothing is advertised.
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
