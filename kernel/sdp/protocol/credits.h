/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Credits of a connection. Each message needs a private buffer at its receiver. Each message
 * carries the number of buffers that its sender has posted, and the last message that its sender
 * has received. The last two credits are reserved. With two credits left, only messages without
 * payload are sent. With one credit left, such a message must also return credits to the peer. So
 * two ends without credits cannot wait for each other.
 *
 * Callers serialize the calls for one connection.
 */
#ifndef HCA_SDP_PROTOCOL_CREDITS_H
#define HCA_SDP_PROTOCOL_CREDITS_H

#include "sdp/protocol/wire.h"

struct sdp_credits {
	/* Credits of this end as sender. Hello and HelloAck count as message 0. */
	u32 sent; /* MSeq of the last message sent */
	u32 acked; /* highest MSeqAck received */
	u32 peer_bufs; /* buffers posted at the peer after it had received message @acked */
	/* Credits of the peer, which this end as receiver returns. */
	u32 received; /* MSeq of the last message received */
	u32 count; /* number of messages received */
	bool began; /* the first message was received */
	bool empty; /* the last message received was Data that only returned credits */
	u32 posted; /* private buffers that are posted and not filled */
	u32 full; /* number of private buffers posted while the program reads */
	bool delayed; /* a SrcAvailCancel and all later messages are not acknowledged yet */
	u32 delayed_ack; /* MSeqAck of messages sent while @delayed is set */
	u32 known_bufs; /* number of posted buffers that the last message sent has reported */
	u32 known_count; /* value of @count when the last message was sent */
};

/**
 * sdp_credits_init() - initialize the credits to the buffers in Hello and HelloAck
 * @credits: structure to fill
 * @own: posted private buffers in this end's Hello or HelloAck
 * @peer: posted private buffers in the peer's Hello or HelloAck
 *
 * Context: any.
 */
void sdp_credits_init(struct sdp_credits *credits, u32 own, u32 peer);

/**
 * sdp_credits_available() - number of messages for which the peer has buffers
 * @credits: credits of the connection
 *
 * Context: any.
 */
static inline u32 sdp_credits_available(const struct sdp_credits *credits)
{
	return credits->peer_bufs - (credits->sent - credits->acked);
}

/**
 * sdp_credits_may_send() - whether a message may be sent
 * @credits: credits of the connection
 * @payload: whether the message has payload
 *
 * Context: any.
 */
bool sdp_credits_may_send(const struct sdp_credits *credits, bool payload);

/**
 * sdp_credits_update_due() - whether an empty Data message is worth sending
 * @credits: credits of the connection
 *
 * An update is due in two cases. First, it returns at least two credits and at least half of all
 * buffers. With a lower limit, two idle ends would endlessly return the credit that the other's
 * update used. Second, it returns a credit to a peer that has at most one credit, unless it only
 * answers one empty Data message: two ends with one credit each would answer each other endlessly.
 *
 * Context: any.
 */
bool sdp_credits_update_due(const struct sdp_credits *credits);

/**
 * sdp_credits_sent() - fill in the credit fields of a message to be sent
 * @credits: credits of the connection, which allow the message
 * @bsdh: header of the message, whose bufs, mseq and mseq_ack are set
 *
 * Context: any.
 */
void sdp_credits_sent(struct sdp_credits *credits, struct sdp_bsdh *bsdh);

/**
 * sdp_credits_delay_ack() - stop acknowledging the last received message and later ones
 * @credits: credits of the connection
 *
 * The call has no effect if acknowledgements are delayed already.
 *
 * Context: any.
 */
void sdp_credits_delay_ack(struct sdp_credits *credits);

/**
 * sdp_credits_resume_ack() - acknowledge all received messages again
 * @credits: credits of the connection
 *
 * Context: any.
 */
static inline void sdp_credits_resume_ack(struct sdp_credits *credits)
{
	credits->delayed = false;
}

/**
 * sdp_credits_received() - account for the credit fields of a received message
 * @credits: credits of the connection
 * @bsdh: header of the message
 *
 * Context: any.
 * Return: SDP_OK; SDP_FAULT_CREDIT: the peer had no credit for the message; SDP_FAULT_MSEQ: MSeq
 * does not follow that of the last message; SDP_FAULT_MSEQ_ACK: MSeqAck belongs to a message that
 * was not sent, or is lower than before, or Bufs is lower than the number of messages under way.
 */
enum sdp_fault sdp_credits_received(struct sdp_credits *credits, const struct sdp_bsdh *bsdh);

#endif
