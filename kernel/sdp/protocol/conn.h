/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The protocol of one connection, from the exchange of Hello and HelloAck to its end, without any
 * input or output. These functions interpret received messages and choose the next message to send.
 * Data is transferred by Buffered copy, by Read Zcopy in Combined and Pipelined mode, and by Write
 * Zcopy in Pipelined mode.
 *
 * Callers serialize the calls for one connection.
 */
#ifndef HCA_SDP_PROTOCOL_CONN_H
#define HCA_SDP_PROTOCOL_CONN_H

#include "sdp/protocol/credits.h"
#include "sdp/protocol/end.h"
#include "sdp/protocol/modes.h"
#include "sdp/protocol/resize.h"
#include "sdp/protocol/room.h"
#include "sdp/protocol/sink.h"
#include "sdp/protocol/source.h"
#include "sdp/protocol/suspend.h"
#include "sdp/protocol/urgent.h"
#include "sdp/protocol/wire.h"
#include "sdp/protocol/write.h"

struct sdp_conn {
	struct sdp_credits credits;
	struct sdp_urgent urgent;
	struct sdp_source source; /* memory that this end advertises for RDMA Read */
	struct sdp_sink sink; /* memory that the peer advertises for RDMA Read */
	struct sdp_room room; /* memory that this end advertises for RDMA Write */
	struct sdp_write write; /* memory that the peer advertises for RDMA Write */
	struct sdp_resize resize;
	u32 size; /* octets of this end's private buffers, as the peer knows them */
	u32 peer_size; /* octets of the peer's private buffers */
	u32 max_adverts; /* unanswered advertisements that this end accepts at a time */
	u32 peer_adverts; /* unanswered advertisements that the peer accepts at a time */
	/* Octets sent: payload, RDMA Writes, and RDMA Reads that the peer has reported. */
	u64 octets_sent;
	/* Octets received: payload, RDMA Reads, and RDMA Writes that the peer has reported. */
	u64 octets_received;
	struct sdp_modes modes;
	struct sdp_suspend suspend; /* suspension on request of the peer */
	struct sdp_end end;
};

/* The effects of a received message. */
struct sdp_delivery {
	u32 offset; /* octets of headers before the payload */
	u32 payload; /* octets of payload */
	bool oob_pend; /* an out-of-band octet is in this message or follows */
	bool oob_pres; /* the last octet of the payload is out of band */
	bool disconn; /* the peer has sent DisConn: it sends no more data */
	bool abort; /* the peer has ended the connection by AbortConn */
	bool advertised; /* conn.sink has memory for an RDMA Read */
	bool answered; /* our SrcAvail was read, in part or whole, or refused */
	bool released; /* our SinkAvail in conn.room was used, discarded or canceled */
	u32 written; /* octets that the peer has written into the memory of our SinkAvail */
	u32 resize; /* new octets of a private buffer (sdp_conn_resized()); 0: the size stays */
	bool peer_resized; /* the maximum size of messages to the peer may have changed */
};

/**
 * sdp_conn_init() - begin a connection
 * @conn: structure to fill
 * @bufs: posted private buffers in this end's Hello or HelloAck
 * @size: octets of each of this end's buffers
 * @max_adverts: accepted advertisements in this end's Hello or HelloAck, at most SDP_ADVERTS
 * @peer_bufs: posted private buffers in the peer's HelloAck or Hello
 * @peer_size: octets of each of the peer's buffers
 * @peer_adverts: accepted advertisements in the peer's HelloAck or Hello
 *
 * Context: any.
 */
void sdp_conn_init(struct sdp_conn *conn, u32 bufs, u32 size, u32 max_adverts, u32 peer_bufs,
		   u32 peer_size, u32 peer_adverts);

/**
 * sdp_conn_resume() - begin a new connection after a suspension
 * @conn: a connection that is suspended
 * @bufs: posted private buffers in this end's Hello
 * @size: octets of each of this end's buffers
 * @max_adverts: accepted advertisements in this end's Hello
 * @peer_bufs: posted private buffers in the peer's HelloAck
 * @peer_size: octets of each of the peer's buffers
 * @peer_adverts: accepted advertisements in the peer's HelloAck
 *
 * The streams, the out-of-band octets and the closed directions are kept. Credits, message numbers
 * and modes start anew.
 *
 * Context: any.
 * Return: SDP_OK; SDP_FAULT_FIELD: the peer's buffers are smaller than before, so that queued
 * messages could be too long.
 */
enum sdp_fault sdp_conn_resume(struct sdp_conn *conn, u32 bufs, u32 size, u32 max_adverts,
			       u32 peer_bufs, u32 peer_size, u32 peer_adverts);

/**
 * sdp_conn_receive() - receive a message
 * @conn: the connection
 * @buf: the received octets; the headers are read from here once
 * @received: octets received, payload included
 * @delivery: structure to fill
 *
 * Context: any.
 * Return: SDP_OK; otherwise the peer has violated the protocol, the caller is to abort the
 * connection, and @delivery is empty.
 */
enum sdp_fault sdp_conn_receive(struct sdp_conn *conn, const u8 *buf, u32 received,
				struct sdp_delivery *delivery);

/**
 * sdp_conn_posted() - account for private buffers that were posted
 * @conn: the connection
 * @bufs: number of buffers
 *
 * Context: any.
 */
static inline void sdp_conn_posted(struct sdp_conn *conn, u32 bufs)
{
	conn->credits.posted += bufs;
}

/**
 * sdp_conn_wants() - set how many private buffers stay posted while the program reads
 * @conn: the connection
 * @bufs: number of buffers
 *
 * Context: any.
 */
static inline void sdp_conn_wants(struct sdp_conn *conn, u32 bufs)
{
	conn->credits.full = bufs;
}

/**
 * sdp_conn_resized() - accept the peer's request for another size of this end's private buffers
 * @conn: the connection
 * @size: octets of a buffer that is posted after this call, at most sdp_delivery.resize
 *
 * Without this call the answer to the peer's request is the present size.
 *
 * Context: any.
 */
static inline void sdp_conn_resized(struct sdp_conn *conn, u32 size)
{
	sdp_resize_adopted(&conn->resize, size, conn->size, conn->credits.posted);
}

/**
 * sdp_conn_message_max() - maximum octets of a Data message, if one may be sent
 * @conn: the connection
 *
 * Context: any.
 * Return: the size of the peer's private buffers, or the smaller size that this end is about to
 * request. The payload is at most SDP_URGENT_AHEAD, so that a message that ends with an out-of-band
 * octet can announce this octet.
 */
static inline u32 sdp_conn_message_max(const struct sdp_conn *conn)
{
	const u32 most = SDP_BSDH_SIZE + SDP_URGENT_AHEAD;
	const u32 room = sdp_resize_room(&conn->resize, conn->peer_size);

	return room < most ? room : most;
}

/**
 * sdp_conn_payload_max() - maximum octets of payload of a Data message that is sent now
 * @conn: the connection
 *
 * Context: any.
 * Return: sdp_conn_message_max() without the BSDH; 0 if no payload may be sent.
 */
u32 sdp_conn_payload_max(const struct sdp_conn *conn);

/**
 * sdp_conn_data() - make the header of a Data message
 * @conn: the connection
 * @payload: octets of payload, 1 to sdp_conn_payload_max()
 * @oob: whether the last octet is out of band
 * @bsdh: header to fill
 *
 * Context: any.
 */
void sdp_conn_data(struct sdp_conn *conn, u32 payload, bool oob, struct sdp_bsdh *bsdh);

/**
 * sdp_conn_may_advertise() - whether memory can be advertised for RDMA Read
 * @conn: the connection; no payload is queued
 * @payload: set to the maximum octets of payload in SrcAvail: 0 in Pipelined mode; at least 1 in
 * Combined mode, where SrcAvail must have payload
 *
 * Context: any.
 */
bool sdp_conn_may_advertise(const struct sdp_conn *conn, u32 *payload);

/**
 * sdp_conn_advertise() - make a SrcAvail
 * @conn: the connection; sdp_conn_may_advertise() has allowed it
 * @advert: memory that the peer may read after this call; it begins with the octets of @payload
 * @payload: octets of payload in SrcAvail: at most the number from sdp_conn_may_advertise(), at
 * least one in Combined mode, and fewer than @advert has
 * @message: message to fill
 *
 * Context: any.
 */
void sdp_conn_advertise(struct sdp_conn *conn, const struct sdp_advert *advert, u32 payload,
			struct sdp_message *message);

/**
 * sdp_conn_read_end() - account for the end of an RDMA Read that sdp_sink_read_begin() began
 * @conn: the connection
 * @octets: octets read; 0 if the read was not tried
 *
 * Context: any.
 */
void sdp_conn_read_end(struct sdp_conn *conn, u32 octets);

/**
 * sdp_conn_may_make_room() - whether memory can be advertised for RDMA Write
 * @conn: the connection; the program has read all received payload
 *
 * Context: any.
 */
bool sdp_conn_may_make_room(const struct sdp_conn *conn);

/**
 * sdp_conn_make_room() - make a SinkAvail
 * @conn: the connection; sdp_conn_may_make_room() has allowed it
 * @advert: memory into which the peer may write after this call; its non_discards is ignored
 * @payload: octets of payload in SinkAvail, which is a Transaction if it has payload; 0 for none.
 * The maximum is that of a Data message, less 20 octets for the longer headers.
 * @message: message to fill
 *
 * Context: any.
 */
void sdp_conn_make_room(struct sdp_conn *conn, const struct sdp_advert *advert, u32 payload,
			struct sdp_message *message);

/**
 * sdp_conn_may_write() - find the peer's memory for the next RDMA Write
 * @conn: the connection; no payload is queued
 *
 * Context: any.
 * Return: the oldest SinkAvail of the peer, or NULL if there is none or if no payload may be sent.
 */
const struct sdp_advert *sdp_conn_may_write(const struct sdp_conn *conn);

/**
 * sdp_conn_wrote() - account for an RDMA Write that was posted
 * @conn: the connection; sdp_conn_may_write() has returned an advertisement
 * @octets: octets of the RDMA Write, at most the advertised number
 *
 * RdmaWrCompl becomes due, and is sent before any other payload.
 *
 * Context: any.
 */
void sdp_conn_wrote(struct sdp_conn *conn, u32 octets);

/**
 * sdp_conn_is_quiet() - quick check whether sdp_conn_next() has nothing to send
 * @conn: the connection
 *
 * Context: any.
 * Return: true: sdp_conn_next() would return false; false: it may return a message.
 */
bool sdp_conn_is_quiet(const struct sdp_conn *conn);

/**
 * sdp_conn_is_payload_next() - quick check whether a message with payload is to be sent next
 * @conn: the connection; the caller has payload to send
 *
 * Context: any.
 * Return: true: payload may be sent now, and sdp_conn_next() would return false; false: either may
 * be otherwise.
 */
bool sdp_conn_is_payload_next(const struct sdp_conn *conn);

/**
 * sdp_conn_next() - make the next message without payload, and account for it as sent
 * @conn: the connection
 * @queued: whether the caller has payload to send
 * @message: set to the message
 *
 * If @queued is true and payload may be sent now, the function does not make an empty Data message,
 * because a message with payload also returns credits.
 *
 * Context: any.
 * Return: true if @message is to be sent; false if no message is due, or none may be sent now.
 */
bool sdp_conn_next(struct sdp_conn *conn, bool queued, struct sdp_message *message);

#endif
