/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The protocol of one connection, from the exchange of Hello and HelloAck to its end, without any
 * input or output: what a received message means, and which message is to be sent next. Data goes
 * by Buffered copy, by Read Zcopy in Combined and Pipelined mode, and by Write Zcopy in the latter.
 *
 * Callers serialize the calls for one connection.
 */
#ifndef HCA_SDP_CONN_H
#define HCA_SDP_CONN_H

#include "sdp/credits.h"
#include "sdp/resize.h"
#include "sdp/room.h"
#include "sdp/sink.h"
#include "sdp/source.h"
#include "sdp/urgent.h"
#include "sdp/wire.h"
#include "sdp/write.h"

struct sdp_conn {
	struct sdp_credits credits;
	struct sdp_urgent urgent;
	struct sdp_source source; /* what we advertise to be read */
	struct sdp_sink sink; /* what the peer does */
	struct sdp_room room; /* what we advertise to be written into */
	struct sdp_write write; /* what the peer does */
	struct sdp_resize resize;
	u32 size; /* octets of our private buffers, as the peer knows them */
	u32 peer_size; /* octets of the peer's */
	u32 max_adverts; /* advertisements that we accept at a time */
	u32 peer_adverts; /* that the peer does */
	u64 octets_sent; /* of payload, and read by the peer of what was advertised */
	u64 octets_received; /* of payload, and read of what the peer has advertised */
	u8 send_mode; /* an enum sdp_mode */
	u8 recv_mode;
	bool peer_pipelined; /* the peer prefers that we send in Pipelined mode */
	bool pipelined; /* so do we of the peer */
	bool left_pipelined; /* we have, and the peer does not know yet */
	u32 change_mseq; /* of the ModeChange that said so */
	/* Suspension. */
	bool suspend; /* SuspComm was received */
	bool suspended; /* SuspCommAck was sent, and is the last message */
	u16 suspend_port; /* TCP port to connect to anew */
	u32 kept; /* buffers of the connection before that the program has not read */
	/* The end. */
	bool disconn; /* DisConn is wanted, once all data has gone */
	bool more; /* there is data that is not queued yet */
	bool disconn_sent;
	u32 disconn_mseq;
	bool ends; /* this end, which closes second, ends the connection; both if DisConns cross */
	bool abort; /* AbortConn is wanted */
	bool abort_sent;
	bool disconn_received;
	bool abort_received;
};

/* What a received message brings. */
struct sdp_delivery {
	u32 offset; /* octets of headers before the payload */
	u32 payload; /* octets */
	bool oob_pend; /* an octet out of band will follow, or is here */
	bool oob_pres; /* the last octet of the payload is out of band */
	bool disconn; /* no data follows */
	bool abort; /* the peer has ended the connection by AbortConn */
	bool advertised; /* there is something to read in conn.sink */
	bool answered; /* what we advertised to be read was, in part or whole, or refused */
	bool released; /* so was what we advertised to be written into, in conn.room */
	u32 written; /* octets of it that were */
	u32 resize; /* octets that private buffers are to have (sdp_conn_resized()); 0: they stay */
	bool peer_resized; /* messages to the peer may have another size */
};

/**
 * sdp_conn_init() - begin a connection
 * @conn: structure to fill
 * @bufs: private buffers that this end's Hello or HelloAck said were posted
 * @size: octets of each
 * @max_adverts: advertisements it said were accepted, at most SDP_ADVERTS
 * @peer_bufs: private buffers that the peer said were posted
 * @peer_size: octets of each
 * @peer_adverts: advertisements that it said were accepted
 *
 * Context: any.
 */
void sdp_conn_init(struct sdp_conn *conn, u32 bufs, u32 size, u32 max_adverts, u32 peer_bufs,
		   u32 peer_size, u32 peer_adverts);

/**
 * sdp_conn_resume() - begin anew after a suspension
 * @conn: a connection that is suspended
 * @bufs: private buffers that this end's Hello said were posted
 * @size: octets of each
 * @max_adverts: advertisements it said were accepted
 * @peer_bufs: private buffers that the peer's HelloAck said were posted
 * @peer_size: octets of each
 * @peer_adverts: advertisements that it said were accepted
 *
 * The streams, octets out of band, and what either end has closed go on; credits, numbers of
 * messages and modes are those of a new connection.
 *
 * Context: any.
 * Return: SDP_OK; SDP_FAULT_FIELD: the peer's buffers are smaller than before, which they may not
 * be: messages that wait could be too long.
 */
enum sdp_fault sdp_conn_resume(struct sdp_conn *conn, u32 bufs, u32 size, u32 max_adverts,
			       u32 peer_bufs, u32 peer_size, u32 peer_adverts);

/**
 * sdp_conn_receive() - receive a message
 * @conn: the connection
 * @buf: what was received; headers are read from it once
 * @received: octets, payload included
 * @delivery: structure to fill
 *
 * Context: any.
 * Return: SDP_OK; else the peer has violated the protocol: the connection is to be aborted, and
 * @delivery is empty.
 */
enum sdp_fault sdp_conn_receive(struct sdp_conn *conn, const u8 *buf, u32 received,
				struct sdp_delivery *delivery);

/**
 * sdp_conn_posted() - account for private buffers that were posted
 * @conn: the connection
 * @bufs: how many
 *
 * Context: any.
 */
static inline void sdp_conn_posted(struct sdp_conn *conn, u32 bufs)
{
	conn->credits.posted += bufs;
}

/**
 * sdp_conn_wants() - another number of private buffers is to be posted while the program reads
 * @conn: the connection
 * @bufs: how many
 *
 * Context: any.
 */
static inline void sdp_conn_wants(struct sdp_conn *conn, u32 bufs)
{
	conn->credits.full = bufs;
}

/**
 * sdp_conn_resized() - private buffers that are posted from now on have another size
 * @conn: the connection
 * @size: octets, what sdp_delivery.resize was
 *
 * Without this call the peer is answered that the size stays.
 *
 * Context: any.
 */
static inline void sdp_conn_resized(struct sdp_conn *conn, u32 size)
{
	sdp_resize_adopted(&conn->resize, size, conn->size, conn->credits.posted);
}

/**
 * sdp_conn_message_max() - octets that a Data message can have, if it may be sent
 * @conn: the connection
 *
 * Context: any.
 * Return: the size of the peer's private buffers, or the smaller one that it will be asked for, but
 * without the BSDH at most SDP_URGENT_AHEAD, so that an octet out of band can be announced by the
 * message that it ends.
 */
static inline u32 sdp_conn_message_max(const struct sdp_conn *conn)
{
	const u32 most = SDP_BSDH_SIZE + SDP_URGENT_AHEAD;
	const u32 room = sdp_resize_room(&conn->resize, conn->peer_size);

	return room < most ? room : most;
}

/**
 * sdp_conn_payload_max() - octets of payload that a Data message can have now
 * @conn: the connection
 *
 * Context: any.
 * Return: sdp_conn_message_max() without the BSDH; 0 if no payload may be sent.
 */
u32 sdp_conn_payload_max(const struct sdp_conn *conn);

/**
 * sdp_conn_data() - make the header of a Data message
 * @conn: the connection; sdp_conn_payload_max() has allowed it
 * @payload: octets, 1 to what was allowed
 * @oob: whether the last of them is out of band
 * @bsdh: header to fill
 *
 * Context: any.
 */
void sdp_conn_data(struct sdp_conn *conn, u32 payload, bool oob, struct sdp_bsdh *bsdh);

/**
 * sdp_conn_may_advertise() - whether payload can be advertised to be read
 * @conn: the connection; no payload is queued
 * @payload: set to the octets that can go as payload of SrcAvail: in Combined mode one at least, of
 * which one at least must, in Pipelined mode 0
 *
 * Context: any.
 */
bool sdp_conn_may_advertise(const struct sdp_conn *conn, u32 *payload);

/**
 * sdp_conn_advertise() - make a SrcAvail
 * @conn: the connection; sdp_conn_may_advertise() has allowed it
 * @advert: what the peer may read from now on, the octets of @payload included
 * @payload: octets that go with SrcAvail: as was allowed, and fewer than are advertised
 * @message: message to fill
 *
 * Context: any.
 */
void sdp_conn_advertise(struct sdp_conn *conn, const struct sdp_advert *advert, u32 payload,
			struct sdp_message *message);

/**
 * sdp_conn_read_end() - an RDMA Read that sdp_sink_read_begin() has begun has come to its end
 * @conn: the connection
 * @octets: how much was read; 0 if the read was not tried after all
 *
 * Context: any.
 */
void sdp_conn_read_end(struct sdp_conn *conn, u32 octets);

/**
 * sdp_conn_may_make_room() - whether memory can be advertised to be written into
 * @conn: the connection; what was received has been read
 *
 * Context: any.
 */
bool sdp_conn_may_make_room(const struct sdp_conn *conn);

/**
 * sdp_conn_make_room() - make a SinkAvail
 * @conn: the connection; sdp_conn_may_make_room() has allowed it
 * @advert: where the peer may write from now on; non_discards is set here
 * @payload: octets that this end sends with it, a Transaction: as many as a Data message could have
 * with 20 octets more of headers; or 0
 * @message: message to fill
 *
 * Context: any.
 */
void sdp_conn_make_room(struct sdp_conn *conn, const struct sdp_advert *advert, u32 payload,
			struct sdp_message *message);

/**
 * sdp_conn_may_write() - whether the peer waits for an RDMA Write
 * @conn: the connection; no payload is queued
 *
 * Context: any.
 * Return: where to write to, or NULL.
 */
const struct sdp_advert *sdp_conn_may_write(const struct sdp_conn *conn);

/**
 * sdp_conn_wrote() - an RDMA Write was posted
 * @conn: the connection; sdp_conn_may_write() has allowed it
 * @octets: how much it writes, at most what was advertised
 *
 * RdmaWrCompl is due, and goes before all other payload.
 *
 * Context: any.
 */
void sdp_conn_wrote(struct sdp_conn *conn, u32 octets);

/**
 * sdp_conn_is_quiet() - whether sdp_conn_next() has nothing to send, as it has most of the time
 * @conn: the connection
 *
 * Context: any.
 * Return: true: there is no such message; false: there may be one.
 */
bool sdp_conn_is_quiet(const struct sdp_conn *conn);

/**
 * sdp_conn_next() - make the next message without payload
 * @conn: the connection
 * @queued: whether payload waits to be sent
 * @message: message to fill
 *
 * If payload can be sent now, it says what an empty Data message would.
 *
 * Context: any.
 * Return: whether there is a message that is to be sent, and may be.
 */
bool sdp_conn_next(struct sdp_conn *conn, bool queued, struct sdp_message *message);

#endif
