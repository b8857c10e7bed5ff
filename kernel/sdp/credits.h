/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Credits of a connection. Each message needs a private buffer at its receiver, which says in each
 * message of its own how many it has posted and which message it received last. Two credits are
 * reserved: the last but one is for messages without payload, the last for those of them that
 * provide credit to the peer, so that two ends without credit cannot wait for each other.
 *
 * Callers serialize the calls for one connection.
 */
#ifndef HCA_SDP_CREDITS_H
#define HCA_SDP_CREDITS_H

#include "sdp/wire.h"

struct sdp_credits {
	/* As a sender. Hello and HelloAck count as message 0. */
	u32 sent; /* MSeq of the last message */
	u32 acked; /* the highest MSeqAck received */
	u32 peer_bufs; /* posted at the peer when it had received @acked */
	/* As a receiver. */
	u32 received; /* MSeq of the last message */
	u32 count; /* messages received */
	bool began; /* there was a first message */
	bool empty; /* the last was Data for nothing but its credits */
	u32 posted; /* private buffers that are posted and not filled */
	u32 full; /* as many as are posted while the program reads */
	bool delayed; /* MSeqAck stays before a SrcAvailCancel that is not processed */
	u32 delayed_ack;
	/* What the peer knows since our last message. */
	u32 known_bufs;
	u32 known_count;
};

/**
 * sdp_credits_init() - begin with what Hello and HelloAck said
 * @credits: structure to fill
 * @own: private buffers that this end said were posted
 * @peer: private buffers that the peer said were posted
 *
 * Context: any.
 */
void sdp_credits_init(struct sdp_credits *credits, u32 own, u32 peer);

/**
 * sdp_credits_available() - messages that the peer has buffers for
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
 * @payload: whether it has payload
 *
 * Context: any.
 */
bool sdp_credits_may_send(const struct sdp_credits *credits, bool payload);

/**
 * sdp_credits_update_due() - whether an empty Data message is worth sending
 * @credits: credits of the connection
 *
 * It is if the peer would learn of at least two buffers and half of all, or has one credit at most.
 * Fewer would let two idle ends tell each other of the buffer that the other's message used,
 * without end. Nor is one empty Data message a reason by itself: two ends whose programs do not
 * read, and whose peers have one credit, would answer each other without end.
 *
 * Context: any.
 */
bool sdp_credits_update_due(const struct sdp_credits *credits);

/**
 * sdp_credits_sent() - fill in what a message to be sent says of credits
 * @credits: credits of the connection, of which there is one at least
 * @bsdh: header of the message, whose bufs, mseq and mseq_ack are set
 *
 * Context: any.
 */
void sdp_credits_sent(struct sdp_credits *credits, struct sdp_bsdh *bsdh);

/**
 * sdp_credits_delay_ack() - acknowledge neither the last received message nor those behind it
 * @credits: credits of the connection
 *
 * Has no effect if others are held already.
 *
 * Context: any.
 */
void sdp_credits_delay_ack(struct sdp_credits *credits);

/**
 * sdp_credits_resume_ack() - acknowledge what was held
 * @credits: credits of the connection
 *
 * Context: any.
 */
static inline void sdp_credits_resume_ack(struct sdp_credits *credits)
{
	credits->delayed = false;
}

/**
 * sdp_credits_received() - use what a received message says of credits
 * @credits: credits of the connection
 * @bsdh: header of the message
 *
 * Context: any.
 * Return: SDP_OK; SDP_FAULT_CREDIT: the peer knew of no buffer for it; SDP_FAULT_MSEQ: not the
 * successor of the last message; SDP_FAULT_MSEQ_ACK: of a message that was not sent, or older than
 * before, or with fewer buffers than messages that are under way.
 */
enum sdp_fault sdp_credits_received(struct sdp_credits *credits, const struct sdp_bsdh *bsdh);

#endif
