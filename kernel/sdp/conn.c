// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The protocol of one connection: what is received, and what is sent. */
#include "sdp/conn.h"
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include "sdp/modes.h"

void sdp_conn_init(struct sdp_conn *conn, u32 bufs, u32 size, u32 max_adverts, u32 peer_bufs,
		   u32 peer_size, u32 peer_adverts)
{
	*conn = (struct sdp_conn){
		.size = size,
		.peer_size = peer_size,
		.max_adverts = max_adverts,
		.peer_adverts = peer_adverts,
		.send_mode = SDP_MODE_COMBINED,
		.recv_mode = SDP_MODE_COMBINED,
	};
	sdp_credits_init(&conn->credits, bufs, peer_bufs);
}

/*
 * Received messages, one function for each. The headers are legal by themselves; credits are
 * accounted for.
 */

static enum sdp_fault receive_disconn(struct sdp_conn *conn, const struct sdp_message *message,
				      struct sdp_delivery *delivery)
{
	if (conn->disconn_received || sdp_sink_is_advertised(&conn->sink))
		return SDP_FAULT_STATE;
	conn->disconn_received = true;
	sdp_room_cancel(&conn->room); /* nothing will be written into it */
	conn->ends = conn->disconn_sent && (s32)(message->bsdh.mseq_ack - conn->disconn_mseq) < 0;
	delivery->disconn = true;
	return SDP_OK;
}

/* AbortConn withdraws a DisConn that was sent before. */
static enum sdp_fault receive_abort(struct sdp_conn *conn, const struct sdp_message *message,
				    struct sdp_delivery *delivery)
{
	if (!conn->disconn_received)
		return SDP_FAULT_STATE;
	conn->abort_received = true;
	delivery->abort = true;
	return SDP_OK;
}

/* In Pipelined mode, what a refused SrcAvail had advertised can come while others wait. */
static enum sdp_fault receive_data(struct sdp_conn *conn, const struct sdp_message *message,
				   struct sdp_delivery *delivery)
{
	if (!delivery->payload)
		return SDP_OK;
	if (conn->disconn_received)
		return SDP_FAULT_STATE;
	if (sdp_sink_is_advertised(&conn->sink))
		return SDP_FAULT_MODE;
	return conn->sink.refused && conn->recv_mode != SDP_MODE_PIPELINED ? SDP_FAULT_MODE :
									     SDP_OK;
}

/*
 * The peer forgets what it has advertised to be read once it gets our SinkAvail, which it had not
 * when it sent this. What it has refused us to read before comes first, so this is refused too.
 */
static void receive_pipelined(struct sdp_conn *conn, const struct sdp_message *message,
			      struct sdp_delivery *delivery)
{
	if (conn->room.len)
		return;
	if (sdp_sink_has_refused(&conn->sink, message->bsdh.mseq_ack)) {
		conn->sink.refused++;
		return;
	}
	sdp_sink_advertised(&conn->sink, &message->advert, 0);
	delivery->advertised = conn->sink.advert.len;
}

/* In Combined mode there is one, with payload; in Pipelined mode there are several, without. */
static enum sdp_fault receive_src_avail(struct sdp_conn *conn, const struct sdp_message *message,
					struct sdp_delivery *delivery)
{
	u32 outstanding = sdp_sink_outstanding(&conn->sink);

	if (conn->disconn_received)
		return SDP_FAULT_STATE;
	switch (conn->recv_mode) {
	case SDP_MODE_COMBINED:
		if (outstanding || !delivery->payload)
			return SDP_FAULT_MODE;
		/* The payload is the beginning of what is advertised. */
		if (delivery->payload > message->advert.len)
			return SDP_FAULT_FIELD;
		sdp_sink_advertised(&conn->sink, &message->advert, delivery->payload);
		delivery->advertised = conn->sink.advert.len;
		return SDP_OK;
	case SDP_MODE_PIPELINED:
		if (outstanding >= conn->max_adverts || delivery->payload)
			return SDP_FAULT_MODE;
		receive_pipelined(conn, message, delivery);
		return SDP_OK;
	default:
		return SDP_FAULT_MODE;
	}
}

/* The cancel is not acknowledged until what is being read was read. */
static enum sdp_fault receive_src_cancel(struct sdp_conn *conn, const struct sdp_message *message,
					 struct sdp_delivery *delivery)
{
	sdp_sink_cancel(&conn->sink);
	if (conn->sink.canceled)
		sdp_credits_delay_ack(&conn->credits);
	return SDP_OK;
}

/* What RdmaRdCompl and RdmaWrCompl say of the mode that we send in; the source decides. */
static void note_preference(struct sdp_conn *conn, const struct sdp_message *message)
{
	if (conn->send_mode != SDP_MODE_BUFFERED)
		conn->peer_pipelined = message->bsdh.flags & SDP_FLAG_REQ_PIPE;
}

static enum sdp_fault receive_rdma_rd_compl(struct sdp_conn *conn,
					    const struct sdp_message *message,
					    struct sdp_delivery *delivery)
{
	enum sdp_fault fault = sdp_source_read(&conn->source, message->size);

	if (fault)
		return fault;
	note_preference(conn, message);
	sdp_urgent_passed(&conn->urgent, message->size);
	conn->octets_sent += message->size;
	delivery->answered = true;
	return SDP_OK;
}

static enum sdp_fault receive_send_sm(struct sdp_conn *conn, const struct sdp_message *message,
				      struct sdp_delivery *delivery)
{
	delivery->answered = true;
	conn->peer_pipelined = false;
	return sdp_source_refused(&conn->source);
}

static enum sdp_fault receive_rdma_wr_compl(struct sdp_conn *conn,
					    const struct sdp_message *message,
					    struct sdp_delivery *delivery)
{
	enum sdp_fault fault = sdp_room_written(&conn->room, message->size);

	if (fault)
		return fault;
	note_preference(conn, message);
	conn->octets_received += message->size;
	delivery->written = message->size;
	delivery->released = true;
	return SDP_OK;
}

static enum sdp_fault receive_sink_cancel(struct sdp_conn *conn, const struct sdp_message *message,
					  struct sdp_delivery *delivery)
{
	sdp_write_cancel(&conn->write);
	return SDP_OK;
}

static enum sdp_fault receive_sink_cancel_ack(struct sdp_conn *conn,
					      const struct sdp_message *message,
					      struct sdp_delivery *delivery)
{
	delivery->released = true;
	return sdp_room_cancel_ack(&conn->room);
}

/*
 * What was advertised in Combined mode comes before all in Pipelined mode, and is refused. The
 * source that leaves Pipelined mode advertises anew what it had advertised, and forgets where it
 * could have written.
 */
static enum sdp_fault change_recv_mode(struct sdp_conn *conn, enum sdp_mode mode,
				       struct sdp_delivery *delivery)
{
	if (mode == SDP_MODE_BUFFERED && sdp_sink_outstanding(&conn->sink))
		return SDP_FAULT_MODE;
	if (conn->recv_mode == SDP_MODE_PIPELINED) {
		if (conn->sink.reading)
			return SDP_FAULT_MODE;
		sdp_sink_remove(&conn->sink);
		delivery->released = sdp_room_end(&conn->room);
	}
	if (mode == SDP_MODE_PIPELINED)
		sdp_sink_refuse(&conn->sink);
	return SDP_OK;
}

static enum sdp_fault receive_mode_change(struct sdp_conn *conn, const struct sdp_message *message,
					  struct sdp_delivery *delivery)
{
	u8 *mode = message->change.send ? &conn->send_mode : &conn->recv_mode;

	if (!sdp_mode_may_change(!message->change.send, *mode, message->change.mode))
		return SDP_FAULT_MODE;
	if (!message->change.send) {
		enum sdp_fault fault = change_recv_mode(conn, message->change.mode, delivery);

		if (fault)
			return fault;
	}
	*mode = message->change.mode;
	return SDP_OK;
}

/* The answer is that the size stays as it is. One request may be outstanding. */
static enum sdp_fault receive_ch_rcv_buf(struct sdp_conn *conn, const struct sdp_message *message,
					 struct sdp_delivery *delivery)
{
	if (conn->size_ack)
		return SDP_FAULT_STATE;
	conn->size_ack = true;
	return SDP_OK;
}

/*
 * Its payload is of the other half-connection (a Transaction). It is legal in Pipelined mode, and
 * ignored until the peer knows that this end has left that (SDP 12.4). What it advertises is
 * written into even if it was advertised to be read before: the peer has forgotten that.
 */
static enum sdp_fault receive_sink_avail(struct sdp_conn *conn, const struct sdp_message *message,
					 struct sdp_delivery *delivery)
{
	enum sdp_fault fault = receive_data(conn, message, delivery);

	if (fault)
		return fault;
	if (conn->left_pipelined) {
		sdp_write_ignore(&conn->write, &message->advert);
		return SDP_OK;
	}
	if (conn->send_mode != SDP_MODE_PIPELINED)
		return SDP_FAULT_MODE;
	if (sdp_write_is_stale(&conn->write, &message->advert))
		return SDP_OK;
	if (conn->write.count >= conn->max_adverts)
		return SDP_FAULT_MODE;
	sdp_write_advertised(&conn->write, &message->advert);
	delivery->answered = sdp_source_override(&conn->source);
	return SDP_OK;
}

/* Answers to messages that this end does not send, and requests that it does not know yet. */
static enum sdp_fault receive_unexpected(struct sdp_conn *conn, const struct sdp_message *message,
					 struct sdp_delivery *delivery)
{
	return SDP_FAULT_STATE;
}

static enum sdp_fault (*const receivers[])(struct sdp_conn *conn,
					   const struct sdp_message *message,
					   struct sdp_delivery *delivery) = {
	[SDP_MID_DISCONN] = receive_disconn,
	[SDP_MID_ABORT_CONN] = receive_abort,
	[SDP_MID_SEND_SM] = receive_send_sm,
	[SDP_MID_RDMA_WR_COMPL] = receive_rdma_wr_compl,
	[SDP_MID_RDMA_RD_COMPL] = receive_rdma_rd_compl,
	[SDP_MID_MODE_CHANGE] = receive_mode_change,
	[SDP_MID_SRC_AVAIL_CANCEL] = receive_src_cancel,
	[SDP_MID_SINK_AVAIL_CANCEL] = receive_sink_cancel,
	[SDP_MID_SINK_CANCEL_ACK] = receive_sink_cancel_ack,
	[SDP_MID_CH_RCV_BUF] = receive_ch_rcv_buf,
	[SDP_MID_CH_RCV_BUF_ACK] = receive_unexpected,
	[SDP_MID_SUSP_COMM] = receive_unexpected,
	[SDP_MID_SUSP_COMM_ACK] = receive_unexpected,
	[SDP_MID_SINK_AVAIL] = receive_sink_avail,
	[SDP_MID_SRC_AVAIL] = receive_src_avail,
	[SDP_MID_DATA] = receive_data,
};

enum sdp_fault sdp_conn_receive(struct sdp_conn *conn, const u8 *buf, u32 received,
				struct sdp_delivery *delivery)
{
	struct sdp_message message;
	enum sdp_fault fault;

	*delivery = (struct sdp_delivery){};
	fault = sdp_message_parse(&message, buf, received);
	if (fault)
		return fault;
	fault = sdp_credits_received(&conn->credits, &message.bsdh);
	if (fault)
		return fault;
	if (conn->abort_received)
		return SDP_FAULT_STATE;
	delivery->offset = sdp_header_size(message.bsdh.mid);
	delivery->payload = received - delivery->offset;
	delivery->oob_pres = message.bsdh.flags & SDP_FLAG_OOB_PRES;
	delivery->oob_pend = message.bsdh.flags & SDP_FLAG_OOB_PEND;
	if (conn->left_pipelined && (s32)(message.bsdh.mseq_ack - conn->change_mseq) >= 0)
		conn->left_pipelined = false;
	fault = receivers[message.bsdh.mid](conn, &message, delivery);
	if (fault)
		*delivery = (struct sdp_delivery){};
	if (delivery->payload)
		delivery->released |= sdp_room_payload(&conn->room);
	conn->octets_received += delivery->payload;
	return fault;
}

u32 sdp_conn_payload_max(const struct sdp_conn *conn)
{
	if (conn->disconn_sent || conn->abort || conn->source.left ||
	    sdp_write_has_answer(&conn->write) || !sdp_credits_may_send(&conn->credits, true))
		return 0;
	return min(conn->peer_size - SDP_BSDH_SIZE, SDP_URGENT_AHEAD);
}

static void sent(struct sdp_conn *conn, u32 payload, struct sdp_bsdh *bsdh)
{
	u32 written = bsdh->mid == SDP_MID_RDMA_WR_COMPL ? conn->write.written : 0;

	bsdh->len = sdp_header_size(bsdh->mid) + payload;
	bsdh->flags |= sdp_urgent_sent(&conn->urgent, payload + written);
	if (payload)
		sdp_write_payload(&conn->write);
	conn->octets_sent += payload;
	sdp_credits_sent(&conn->credits, bsdh);
}

void sdp_conn_data(struct sdp_conn *conn, u32 payload, bool oob, struct sdp_bsdh *bsdh)
{
	*bsdh = (struct sdp_bsdh){ .mid = SDP_MID_DATA, .flags = oob ? SDP_FLAG_OOB_PRES : 0 };
	sent(conn, payload, bsdh);
}

/* SrcAvail and SinkAvail that the peer has not answered, of which it says how many it accepts. */
static bool may_advertise_more(const struct sdp_conn *conn)
{
	return (conn->source.left > 0) + (conn->room.len > 0) < (int)conn->peer_adverts;
}

bool sdp_conn_may_advertise(const struct sdp_conn *conn, u32 *payload)
{
	u32 most = sdp_conn_payload_max(conn), headers = sdp_header_size(SDP_MID_SRC_AVAIL);

	*payload = 0;
	if (conn->send_mode == SDP_MODE_BUFFERED || conn->disconn || !most ||
	    !may_advertise_more(conn))
		return false;
	if (conn->send_mode == SDP_MODE_PIPELINED)
		return !conn->write.count; /* else it is to be written */
	if (conn->peer_size > headers)
		*payload = min(most, conn->peer_size - headers);
	return *payload;
}

void sdp_conn_advertise(struct sdp_conn *conn, const struct sdp_advert *advert, u32 payload,
			struct sdp_message *message)
{
	*message = (struct sdp_message){ .bsdh.mid = SDP_MID_SRC_AVAIL, .advert = *advert };
	sdp_source_begin(&conn->source, advert->len - payload);
	sdp_urgent_queue(&conn->urgent, payload, false);
	sent(conn, payload, &message->bsdh);
}

bool sdp_conn_may_make_room(const struct sdp_conn *conn)
{
	return conn->recv_mode == SDP_MODE_PIPELINED && !conn->room.len &&
	       !sdp_sink_outstanding(&conn->sink) && !conn->disconn_received && !conn->abort &&
	       may_advertise_more(conn) && sdp_credits_may_send(&conn->credits, false);
}

void sdp_conn_make_room(struct sdp_conn *conn, const struct sdp_advert *advert, u32 payload,
			struct sdp_message *message)
{
	*message = (struct sdp_message){ .bsdh.mid = SDP_MID_SINK_AVAIL, .advert = *advert };
	message->advert.non_discards = conn->room.non_discards;
	sdp_room_begin(&conn->room, advert->len);
	sent(conn, payload, &message->bsdh);
}

const struct sdp_advert *sdp_conn_may_write(const struct sdp_conn *conn)
{
	if (!conn->write.count || !sdp_conn_payload_max(conn))
		return NULL;
	return &conn->write.adverts[0];
}

void sdp_conn_wrote(struct sdp_conn *conn, u32 octets)
{
	sdp_write_done(&conn->write, octets);
	sdp_urgent_queue(&conn->urgent, octets, false);
	conn->octets_sent += octets;
}

void sdp_conn_read_end(struct sdp_conn *conn, u32 octets)
{
	sdp_sink_read_end(&conn->sink, octets);
	conn->octets_received += octets;
	sdp_credits_resume_ack(&conn->credits);
}

/*
 * Pipelined mode is entered and left as the peer prefers, while nothing is advertised to be read.
 * Once it was left there is no other change until the peer knows.
 */
static bool change_is_due(const struct sdp_conn *conn)
{
	if (conn->source.left || conn->left_pipelined || conn->disconn)
		return false;
	return conn->send_mode == (conn->peer_pipelined ? SDP_MODE_COMBINED : SDP_MODE_PIPELINED);
}

static void change_mode(struct sdp_conn *conn, struct sdp_message *message)
{
	conn->left_pipelined = conn->send_mode == SDP_MODE_PIPELINED;
	if (conn->left_pipelined)
		sdp_write_mode_left(&conn->write);
	conn->send_mode = conn->peer_pipelined ? SDP_MODE_PIPELINED : SDP_MODE_COMBINED;
	message->bsdh.mid = SDP_MID_MODE_CHANGE;
	message->change.mode = conn->send_mode;
}

/* Which message is due, and that it is no longer. */
static bool choose(struct sdp_conn *conn, bool queued, struct sdp_message *message)
{
	bool follows = queued && sdp_conn_payload_max(conn);

	if (conn->abort) {
		if (conn->abort_sent || !conn->disconn_sent)
			return false;
		conn->abort_sent = true;
		message->bsdh.mid = SDP_MID_ABORT_CONN;
	} else if (conn->sink.read) {
		message->bsdh.mid = SDP_MID_RDMA_RD_COMPL;
		message->bsdh.flags = conn->pipelined ? SDP_FLAG_REQ_PIPE : 0;
		message->size = sdp_sink_report(&conn->sink);
	} else if (conn->write.written_due) {
		conn->write.written_due = false;
		message->bsdh.mid = SDP_MID_RDMA_WR_COMPL;
		message->bsdh.flags = conn->pipelined ? SDP_FLAG_REQ_PIPE : 0;
		message->size = conn->write.written;
	} else if (conn->sink.refused && !conn->sink.reading) {
		message->bsdh.mid = SDP_MID_SEND_SM;
	} else if (sdp_source_cancel_is_due(&conn->source)) {
		conn->source.canceled = true;
		message->bsdh.mid = SDP_MID_SRC_AVAIL_CANCEL;
	} else if (sdp_room_cancel_is_due(&conn->room)) {
		conn->room.canceled = true;
		message->bsdh.mid = SDP_MID_SINK_AVAIL_CANCEL;
	} else if (conn->write.cancel_ack) {
		conn->write.cancel_ack = false;
		message->bsdh.mid = SDP_MID_SINK_CANCEL_ACK;
	} else if (change_is_due(conn)) {
		change_mode(conn, message);
	} else if (conn->size_ack) {
		conn->size_ack = false;
		message->bsdh.mid = SDP_MID_CH_RCV_BUF_ACK;
		message->size = conn->size;
	} else if (!follows && (sdp_urgent_is_due(&conn->urgent) ||
				sdp_credits_update_due(&conn->credits))) {
		message->bsdh.mid = SDP_MID_DATA;
	} else if (conn->disconn && !queued && !conn->source.left && !conn->disconn_sent) {
		conn->disconn_sent = true;
		message->bsdh.mid = SDP_MID_DISCONN;
	} else {
		return false;
	}
	return true;
}

/* Of some messages their numbers matter later. */
static void note_sent(struct sdp_conn *conn, const struct sdp_message *message)
{
	switch (message->bsdh.mid) {
	case SDP_MID_DISCONN:
		conn->disconn_mseq = message->bsdh.mseq;
		conn->ends = conn->disconn_received;
		break;
	case SDP_MID_SEND_SM:
		sdp_sink_refused(&conn->sink, message->bsdh.mseq);
		break;
	case SDP_MID_MODE_CHANGE:
		conn->change_mseq = message->bsdh.mseq;
		break;
	default:
		break;
	}
}

bool sdp_conn_next(struct sdp_conn *conn, bool queued, struct sdp_message *message)
{
	if (!sdp_credits_may_send(&conn->credits, false))
		return false;
	*message = (struct sdp_message){};
	if (!choose(conn, queued, message))
		return false;
	sent(conn, 0, &message->bsdh);
	note_sent(conn, message);
	return true;
}
