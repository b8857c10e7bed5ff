/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Another size of private buffers, by ChRcvBuf and ChRcvBufAck: as the end that is asked, and as
 * the end that asks (SDP 10.6).
 *
 * Callers serialize the calls for one connection.
 */
#ifndef HCA_SDP_RESIZE_H
#define HCA_SDP_RESIZE_H

#include "sdp/wire.h"

#define SDP_RESIZE_LEAST 4096u /* octets of a private buffer, however small a peer wants it */
#define SDP_RESIZE_MOST (256u << 10) /* and however large */
#define SDP_RESIZE_CHANGES 16 /* of a connection, that a peer gets */
#define SDP_RESIZE_OCTETS 16384 /* of payload, for which it gets one more */
#define SDP_RESIZE_REQUESTS 4 /* of a connection, by this end */
#define SDP_RESIZE_FILLED 8 /* full messages in a row, after which this end asks */

struct sdp_resize {
	/* As the end that is asked. */
	u32 size; /* octets that the answer has; 0: no request waits for one */
	u32 earlier; /* smaller buffers that are posted, which the answer waits for */
	u32 changes; /* that were tried */
	/* As the end that asks. */
	bool connects; /* this end has sent the Hello: its request is void if two cross */
	u32 most; /* octets of a message that this end would send */
	u32 wanted; /* to be asked for; 0: nothing */
	u32 asked; /* that waits for its answer; 0: nothing */
	u32 mseq; /* of that request */
	u32 before; /* octets of a buffer of the peer when it was sent */
	u32 peer_began; /* octets of one when the connection began */
	u8 requests; /* that were sent */
	u8 filled; /* full messages in a row */
	u32 flush; /* empty messages that are to use up larger buffers of the peer */
	bool pushed; /* empty messages were to bring the answer about */
	bool no_larger; /* the peer has refused */
	bool no_smaller;
};

/**
 * sdp_resize_init() - begin with the sizes that Hello and HelloAck have
 * @resize: structure to fill
 * @size: octets of a private buffer of this end
 * @peer_size: of the peer
 *
 * Context: any.
 */
void sdp_resize_init(struct sdp_resize *resize, u32 size, u32 peer_size);

/**
 * sdp_resize_sends() - messages are sent from buffers of another size than they are received into
 * @resize: state of the connection
 * @size: octets of a buffer that is sent from
 *
 * Context: any.
 */
void sdp_resize_sends(struct sdp_resize *resize, u32 size);

/**
 * sdp_resize_requested() - receive ChRcvBuf
 * @resize: state of the connection
 * @message: the message
 * @size: octets of a private buffer of this end
 * @peer_size: of the peer, which is what it was if a request of ours has become void
 * @octets: of payload that this end has received
 * @adopt: set to the size that this end is to adopt by sdp_resize_adopted(); 0 if it stays
 *
 * As long as no other size is adopted, the answer is that it stays.
 *
 * Context: any.
 * Return: SDP_OK; SDP_FAULT_STATE: the request before waits for its answer.
 */
enum sdp_fault sdp_resize_requested(struct sdp_resize *resize, const struct sdp_message *message,
				    u32 size, u32 *peer_size, u64 octets, u32 *adopt);

/**
 * sdp_resize_adopted() - buffers that are posted from now on have the size that was proposed
 * @resize: state of the connection
 * @size: octets, as sdp_resize_requested() has set
 * @before: octets of those before
 * @posted: buffers that are posted
 *
 * The answer says so: at once, or if the size is larger, when all that are posted were used.
 *
 * Context: any.
 */
void sdp_resize_adopted(struct sdp_resize *resize, u32 size, u32 before, u32 posted);

/**
 * sdp_resize_used() - a received message has used a private buffer
 * @resize: state of the connection
 *
 * Context: any.
 */
static inline void sdp_resize_used(struct sdp_resize *resize)
{
	if (resize->earlier)
		resize->earlier--;
}

/**
 * sdp_resize_ack_is_due() - whether ChRcvBufAck is to be sent
 * @resize: state of the connection
 *
 * Context: any.
 */
static inline bool sdp_resize_ack_is_due(const struct sdp_resize *resize)
{
	return resize->size && !resize->earlier;
}

/**
 * sdp_resize_ack() - ChRcvBufAck is sent
 * @resize: state of the connection, in which it is due
 *
 * Context: any.
 * Return: the size that it has, which is that of this end from now on.
 */
u32 sdp_resize_ack(struct sdp_resize *resize);

/**
 * sdp_resize_ask() - ask the peer for another size
 * @resize: state of the connection
 * @peer_size: octets of a buffer of the peer
 * @size: octets wanted, at least SDP_SIZE_MIN, at most SDP_SIZE_MAX
 *
 * If it is smaller, no payload that is longer may be queued, from now on (sdp_resize_room()).
 *
 * Context: any.
 * Return: whether ChRcvBuf will be sent; false if one is under way, if the size is that or the peer
 * has refused such a change before (S2-240), or if there were enough requests.
 */
bool sdp_resize_ask(struct sdp_resize *resize, u32 peer_size, u32 size);

/**
 * sdp_resize_ask_back() - ask the peer for buffers as small as those that it began with
 * @resize: state of the connection, which is idle
 * @peer_size: octets of a buffer of the peer
 * @peer_bufs: how many it has
 *
 * Only who has granted a larger size is asked. When it has answered, empty messages use up the
 * buffers that are larger, so that it can free them. If it has not answered yet to a request for a
 * larger size, which waits until the smaller buffers were used, they use up these first: the peer
 * may have more of them than it has said. This end may then ask for a larger size again, as often
 * as in the beginning.
 *
 * Context: any.
 * Return: whether there is something to be sent.
 */
bool sdp_resize_ask_back(struct sdp_resize *resize, u32 peer_size, u32 peer_bufs);

/**
 * sdp_resize_may_ask_back() - whether sdp_resize_ask_back() would be of use now or later
 * @resize: state of the connection
 * @peer_size: octets of a buffer of the peer
 *
 * Context: any.
 */
bool sdp_resize_may_ask_back(const struct sdp_resize *resize, u32 peer_size);

/**
 * sdp_resize_room() - octets of a message that is made now, and sent later
 * @resize: state of the connection
 * @peer_size: octets of a buffer of the peer
 *
 * Context: any.
 * Return: how many it can have: a smaller size is asked for before it is sent.
 */
static inline u32 sdp_resize_room(const struct sdp_resize *resize, u32 peer_size)
{
	return resize->wanted && resize->wanted < peer_size ? resize->wanted : peer_size;
}

/**
 * sdp_resize_sent() - a Data message was sent
 * @resize: state of the connection
 * @peer_size: octets of a buffer of the peer
 * @octets: of the message
 *
 * Asks for larger buffers if several messages in a row were as long as the peer allows, and could
 * have been twice as long.
 *
 * Context: any.
 */
void sdp_resize_sent(struct sdp_resize *resize, u32 peer_size, u32 octets);

/**
 * sdp_resize_is_due() - whether ChRcvBuf is to be sent
 * @resize: state of the connection
 *
 * It waits for the answer to a request of the peer, so that requests cross only on their way.
 *
 * Context: any.
 */
static inline bool sdp_resize_is_due(const struct sdp_resize *resize)
{
	return resize->wanted && !resize->size;
}

/**
 * sdp_resize_begin() - ChRcvBuf is sent
 * @resize: state of the connection, in which it is due
 * @peer_size: octets of a buffer of the peer: a smaller size is in force at once
 * @mseq: MSeq of the message
 *
 * Context: any.
 */
void sdp_resize_begin(struct sdp_resize *resize, u32 *peer_size, u32 mseq);

/**
 * sdp_resize_answered() - receive ChRcvBufAck
 * @resize: state of the connection
 * @size: octets that it has
 * @peer_size: octets of a buffer of the peer, to be set to that
 * @peer_bufs: buffers of the peer that may be larger: the more messages follow, the sooner it frees
 * them
 *
 * Context: any.
 * Return: SDP_OK; SDP_FAULT_STATE: nothing was asked; SDP_FAULT_FIELD: smaller though a larger size
 * was asked for, or vice versa, or smaller than that.
 */
enum sdp_fault sdp_resize_answered(struct sdp_resize *resize, u32 size, u32 *peer_size,
				   u32 peer_bufs);

#endif
