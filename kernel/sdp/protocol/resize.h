/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Changes of the size of private buffers by ChRcvBuf and ChRcvBufAck (SDP 10.6). Each end is the
 * requester for the peer's buffers, and the responder for its own buffers.
 *
 * Callers serialize the calls for one connection.
 */
#ifndef HCA_SDP_PROTOCOL_RESIZE_H
#define HCA_SDP_PROTOCOL_RESIZE_H

#include "sdp/protocol/wire.h"

#define SDP_RESIZE_LEAST 4096u /* minimum octets to which a peer can reduce a private buffer */
#define SDP_RESIZE_MOST (256u << 10) /* maximum octets to which a peer can enlarge a buffer */
#define SDP_RESIZE_CHANGES 16 /* changes of size that a peer may request per connection */
#define SDP_RESIZE_OCTETS 16384 /* octets of received payload that allow one more change */
#define SDP_RESIZE_REQUESTS 4 /* maximum requests of this end per connection */
#define SDP_RESIZE_FILLED 8 /* full messages in a row after which this end sends a request */

struct sdp_resize {
	/* State of the responder. */
	u32 size; /* octets in the pending ChRcvBufAck; 0: no answer is pending */
	u32 earlier; /* number of smaller buffers that must be used up before the answer */
	u32 changes; /* number of changes of size that were tried */
	/* State of the requester. */
	bool connects; /* this end has sent the Hello: its request is void if two requests cross */
	u32 most; /* maximum octets of a message that this end would send */
	u32 wanted; /* size to request; 0: no request is due */
	u32 asked; /* size in the outstanding request; 0: no request is outstanding */
	u32 mseq; /* MSeq of the outstanding request */
	u32 before; /* octets of a buffer of the peer when the request was sent */
	u32 peer_began; /* octets of a buffer of the peer when the connection began */
	u8 requests; /* number of requests that were sent */
	u8 filled; /* number of full messages in a row */
	u32 flush; /* number of empty messages to send, which use up buffers of the former size */
	bool pushed; /* empty messages were queued to speed the answer up */
	bool no_larger; /* the peer has refused a larger size */
	bool no_smaller; /* the peer has refused a smaller size */
};

/**
 * sdp_resize_init() - initialize the state to the sizes in Hello and HelloAck
 * @resize: structure to fill
 * @size: octets of a private buffer of this end
 * @peer_size: octets of a private buffer of the peer
 *
 * Context: any.
 */
void sdp_resize_init(struct sdp_resize *resize, u32 size, u32 peer_size);

/**
 * sdp_resize_sends() - set the size of send buffers, if it differs from that of receive buffers
 * @resize: state of the connection
 * @size: octets of a send buffer
 *
 * Context: any.
 */
void sdp_resize_sends(struct sdp_resize *resize, u32 size);

/**
 * sdp_resize_requested() - receive ChRcvBuf
 * @resize: state of the connection
 * @message: the message
 * @size: octets of a private buffer of this end
 * @peer_size: octets of a private buffer of the peer; set to the former size if this makes our
 * outstanding request void
 * @octets: octets of payload that this end has received
 * @adopt: set to the size that this end is to adopt by sdp_resize_adopted(); 0 if the size stays
 *
 * Without a call of sdp_resize_adopted() the answer is the present size.
 *
 * Context: any.
 * Return: SDP_OK; SDP_FAULT_STATE: the previous request was not answered yet.
 */
enum sdp_fault sdp_resize_requested(struct sdp_resize *resize, const struct sdp_message *message,
				    u32 size, u32 *peer_size, u64 octets, u32 *adopt);

/**
 * sdp_resize_adopted() - accept a request of the peer: further buffers have the new size
 * @resize: state of the connection
 * @size: octets of a further buffer, at most @adopt of sdp_resize_requested()
 * @before: octets of a present buffer
 * @posted: number of present buffers that are posted
 *
 * ChRcvBufAck for a smaller size is due at once; for a larger size, it is due when all posted
 * buffers have been used.
 *
 * Context: any.
 */
void sdp_resize_adopted(struct sdp_resize *resize, u32 size, u32 before, u32 posted);

/**
 * sdp_resize_used() - account for a private buffer that a received message has used
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
 * sdp_resize_ack() - account for a ChRcvBufAck that is sent
 * @resize: state of the connection, in which ChRcvBufAck is due
 *
 * Context: any.
 * Return: the size in ChRcvBufAck. The peer's further messages may have this size.
 */
u32 sdp_resize_ack(struct sdp_resize *resize);

/**
 * sdp_resize_ask() - request another size of the peer's buffers
 * @resize: state of the connection
 * @peer_size: octets of a buffer of the peer
 * @size: requested octets, at least SDP_SIZE_MIN, at most SDP_SIZE_MAX
 *
 * After this call, a queued message may not exceed a requested smaller size (sdp_resize_room()).
 *
 * Context: any.
 * Return: whether ChRcvBuf will be sent; false if a request is outstanding, if the peer's buffers
 * have this size, if the peer has refused a change in this direction before (S2-240), or if
 * SDP_RESIZE_REQUESTS were sent.
 */
bool sdp_resize_ask(struct sdp_resize *resize, u32 peer_size, u32 size);

/**
 * sdp_resize_ask_back() - ask the peer to reduce its buffers to their initial size
 * @resize: state of the connection, which is idle
 * @peer_size: octets of a buffer of the peer
 * @peer_bufs: number of buffers of the peer
 *
 * Only a peer that has granted a larger size is asked. After its answer, empty messages use up the
 * larger buffers, so that the peer can free them. The limit SDP_RESIZE_REQUESTS applies anew.
 *
 * If a request for a larger size is outstanding, the call only makes empty messages due: the peer
 * answers the request after these messages have used up its smaller buffers. Their number is twice
 * @peer_bufs, because the peer may have more buffers than it has advertised.
 *
 * Context: any.
 * Return: whether there is a message to send.
 */
bool sdp_resize_ask_back(struct sdp_resize *resize, u32 peer_size, u32 peer_bufs);

/**
 * sdp_resize_may_ask_back() - whether sdp_resize_ask_back() has an effect now or later
 * @resize: state of the connection
 * @peer_size: octets of a buffer of the peer
 *
 * Context: any.
 */
bool sdp_resize_may_ask_back(const struct sdp_resize *resize, u32 peer_size);

/**
 * sdp_resize_room() - maximum octets of a message that is made now and sent later
 * @resize: state of the connection
 * @peer_size: octets of a buffer of the peer
 *
 * Context: any.
 * Return: the peer's size, or a smaller size, which is requested before the message is sent.
 */
static inline u32 sdp_resize_room(const struct sdp_resize *resize, u32 peer_size)
{
	return resize->wanted && resize->wanted < peer_size ? resize->wanted : peer_size;
}

/**
 * sdp_resize_sent() - account for a Data message that was sent
 * @resize: state of the connection
 * @peer_size: octets of a buffer of the peer
 * @octets: octets of the message
 *
 * The function requests larger buffers if SDP_RESIZE_FILLED messages in a row were as long as the
 * peer allows, and this end's messages can be at least twice as long.
 *
 * Context: any.
 */
void sdp_resize_sent(struct sdp_resize *resize, u32 peer_size, u32 octets);

/**
 * sdp_resize_is_due() - whether ChRcvBuf is to be sent
 * @resize: state of the connection
 *
 * ChRcvBuf waits until this end has answered the peer's request. Two requests can therefore cross
 * only if each end sends its request before the peer's request arrives.
 *
 * Context: any.
 */
static inline bool sdp_resize_is_due(const struct sdp_resize *resize)
{
	return resize->wanted && !resize->size;
}

/**
 * sdp_resize_begin() - account for a ChRcvBuf that is sent
 * @resize: state of the connection, in which ChRcvBuf is due
 * @peer_size: octets of a buffer of the peer; set to the requested size if that is smaller
 * @mseq: MSeq of the message
 *
 * Context: any.
 */
void sdp_resize_begin(struct sdp_resize *resize, u32 *peer_size, u32 mseq);

/**
 * sdp_resize_answered() - receive ChRcvBufAck
 * @resize: state of the connection
 * @size: octets in ChRcvBufAck
 * @peer_size: octets of a buffer of the peer, set to @size
 * @peer_bufs: number of the peer's buffers that may be larger than @size until messages use them up
 *
 * Context: any.
 * Return: SDP_OK; SDP_FAULT_STATE: no request is outstanding; SDP_FAULT_FIELD: a larger size was
 * requested, and @size is smaller than before; or a smaller size was requested, and @size is larger
 * than before, or even smaller than requested.
 */
enum sdp_fault sdp_resize_answered(struct sdp_resize *resize, u32 size, u32 *peer_size,
				   u32 peer_bufs);

#endif
