// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The protocol of one connection: the effects of received messages. */
#include <linux/kernel.h>
#include "sdp/protocol/conn.h"
#include "sdp/protocol/modes.h"
#include "sdp/protocol/suspend.h"

/*
 * Each MID has one function for received messages, which is called after sdp_message_parse() and
 * sdp_credits_received() have checked the headers.
 */

static enum sdp_fault receive_disconn(struct sdp_conn *conn, const struct sdp_message *message,
				      struct sdp_delivery *delivery)
{
	struct sdp_end *end = &conn->end;

	if (end->disconn_received || sdp_sink_is_advertised(&conn->sink))
		return SDP_FAULT_STATE;
	end->disconn_received = true;
	delivery->released = sdp_room_close(&conn->room);
	end->ours = end->disconn_sent && (s32)(message->bsdh.mseq_ack - end->disconn_mseq) < 0;
	delivery->disconn = true;
	return SDP_OK;
}

/* AbortConn is legal only after DisConn, which it withdraws. */
static enum sdp_fault receive_abort(struct sdp_conn *conn, const struct sdp_message *message,
				    struct sdp_delivery *delivery)
{
	if (!conn->end.disconn_received)
		return SDP_FAULT_STATE;
	conn->end.abort_received = true;
	delivery->abort = true;
	return SDP_OK;
}

static enum sdp_fault receive_data(struct sdp_conn *conn, const struct sdp_message *message,
				   struct sdp_delivery *delivery)
{
	if (!delivery->payload)
		return SDP_OK;
	if (conn->end.disconn_received)
		return SDP_FAULT_STATE;
	if (conn->sink.refused && !conn->sink.expected && conn->modes.recv != SDP_MODE_PIPELINED)
		return SDP_FAULT_MODE;
	if (!sdp_sink_payload(&conn->sink, delivery->payload))
		return SDP_FAULT_MODE;
	/* An advertisement that waited for this payload may be readable now. */
	delivery->advertised = sdp_sink_is_readable(&conn->sink);
	return SDP_OK;
}

/*
 * In Combined mode, one SrcAvail may be outstanding, and it has payload. In Pipelined mode, several
 * may be outstanding, and they do not have payload.
 */
static enum sdp_fault receive_src_avail(struct sdp_conn *conn, const struct sdp_message *message,
					struct sdp_delivery *delivery)
{
	u32 outstanding = sdp_sink_outstanding(&conn->sink);

	if (conn->end.disconn_received)
		return SDP_FAULT_STATE;
	switch (conn->modes.recv) {
	case SDP_MODE_COMBINED:
		if (outstanding || !delivery->payload)
			return SDP_FAULT_MODE;
		/* The payload is the beginning of the advertised data. */
		if (delivery->payload > message->advert.len)
			return SDP_FAULT_FIELD;
		sdp_sink_advertised(&conn->sink, &message->advert, delivery->payload);
		delivery->advertised = sdp_sink_is_readable(&conn->sink);
		return SDP_OK;
	case SDP_MODE_PIPELINED:
		if (outstanding >= conn->max_adverts || delivery->payload)
			return SDP_FAULT_MODE;
		/* The peer discards this SrcAvail when it receives our SinkAvail (S2-267). */
		if (conn->room.len)
			return SDP_OK;
		sdp_sink_advertised(&conn->sink, &message->advert, 0);
		delivery->advertised = sdp_sink_is_readable(&conn->sink);
		return SDP_OK;
	default:
		return SDP_FAULT_MODE;
	}
}

/* SrcAvailCancel is not acknowledged before the end of an RDMA Read that is under way. */
static enum sdp_fault receive_src_cancel(struct sdp_conn *conn, const struct sdp_message *message,
					 struct sdp_delivery *delivery)
{
	sdp_sink_cancel(&conn->sink);
	if (conn->sink.canceled)
		sdp_credits_delay_ack(&conn->credits);
	return SDP_OK;
}

/* Store the peer's preference, in RdmaRdCompl or RdmaWrCompl, for the mode in which we send. */
static void receive_note_preference(struct sdp_conn *conn, const struct sdp_message *message)
{
	if (conn->modes.send != SDP_MODE_BUFFERED)
		conn->modes.peer_pipelined = message->bsdh.flags & SDP_FLAG_REQ_PIPE;
}

static enum sdp_fault receive_rdma_rd_compl(struct sdp_conn *conn,
					    const struct sdp_message *message,
					    struct sdp_delivery *delivery)
{
	enum sdp_fault fault = sdp_source_read(&conn->source, message->size);

	if (fault)
		return fault;
	receive_note_preference(conn, message);
	sdp_urgent_passed(&conn->urgent, message->size);
	conn->octets_sent += message->size;
	delivery->answered = true;
	return SDP_OK;
}

static enum sdp_fault receive_send_sm(struct sdp_conn *conn, const struct sdp_message *message,
				      struct sdp_delivery *delivery)
{
	delivery->answered = true;
	conn->modes.peer_pipelined = false;
	return sdp_source_refused(&conn->source);
}

static enum sdp_fault receive_rdma_wr_compl(struct sdp_conn *conn,
					    const struct sdp_message *message,
					    struct sdp_delivery *delivery)
{
	enum sdp_fault fault = sdp_room_written(&conn->room, message->size, message->bsdh.mseq_ack);

	if (fault)
		return fault;
	receive_note_preference(conn, message);
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
	return sdp_room_cancel_ack(&conn->room, &delivery->released);
}

/*
 * Change the mode in which this end receives. When Pipelined mode begins, this end refuses the
 * SrcAvail of Combined mode. When Pipelined mode ends, this end's SinkAvail ends, but the peer's
 * SrcAvails stay valid. A SrcAvail that crossed a SinkAvail was already discarded by both ends
 * (S2-282, S2-283).
 */
static enum sdp_fault receive_change_mode(struct sdp_conn *conn, enum sdp_mode mode,
					  struct sdp_delivery *delivery)
{
	if (mode == SDP_MODE_BUFFERED && sdp_sink_outstanding(&conn->sink))
		return SDP_FAULT_MODE;
	if (conn->modes.recv == SDP_MODE_PIPELINED)
		delivery->released = sdp_room_end(&conn->room);
	if (mode == SDP_MODE_PIPELINED)
		sdp_sink_refuse(&conn->sink);
	return SDP_OK;
}

static enum sdp_fault receive_mode_change(struct sdp_conn *conn, const struct sdp_message *message,
					  struct sdp_delivery *delivery)
{
	u8 *mode = message->change.send ? &conn->modes.send : &conn->modes.recv;

	if (!sdp_mode_may_change(!message->change.send, *mode, message->change.mode))
		return SDP_FAULT_MODE;
	if (!message->change.send) {
		enum sdp_fault fault = receive_change_mode(conn, message->change.mode, delivery);

		if (fault)
			return fault;
	}
	*mode = message->change.mode;
	return SDP_OK;
}

static enum sdp_fault receive_ch_rcv_buf(struct sdp_conn *conn, const struct sdp_message *message,
					 struct sdp_delivery *delivery)
{
	u32 before = conn->peer_size;
	enum sdp_fault fault = sdp_resize_requested(&conn->resize, message, conn->size,
						    &conn->peer_size, conn->octets_received,
						    &delivery->resize);

	delivery->peer_resized = conn->peer_size != before;
	return fault;
}

static enum sdp_fault receive_ch_rcv_buf_ack(struct sdp_conn *conn,
					     const struct sdp_message *message,
					     struct sdp_delivery *delivery)
{
	delivery->peer_resized = true;
	return sdp_resize_answered(&conn->resize, message->size, &conn->peer_size,
				   sdp_credits_available(&conn->credits));
}

/*
 * The payload of SinkAvail belongs to the other half-connection (a Transaction). SinkAvail is legal
 * in Pipelined mode only. After this end has left that mode, it ignores SinkAvail until the peer
 * has acknowledged our ModeChange (SDP 12.4). SinkAvail overrides a SrcAvail of this end: the peer
 * has discarded this SrcAvail.
 */
static enum sdp_fault receive_sink_avail(struct sdp_conn *conn, const struct sdp_message *message,
					 struct sdp_delivery *delivery)
{
	enum sdp_fault fault = receive_data(conn, message, delivery);

	if (fault)
		return fault;
	if (conn->modes.left_pipelined) {
		sdp_write_ignore(&conn->write, &message->advert);
		return SDP_OK;
	}
	if (conn->modes.send != SDP_MODE_PIPELINED)
		return SDP_FAULT_MODE;
	if (sdp_write_is_stale(&conn->write, &message->advert))
		return SDP_OK;
	if (conn->write.count >= conn->max_adverts)
		return SDP_FAULT_MODE;
	sdp_write_advertised(&conn->write, &message->advert);
	delivery->answered = sdp_source_override(&conn->source);
	return SDP_OK;
}

/* SuspCommAck is never expected: it answers SuspComm, which this end does not send. */
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
	[SDP_MID_CH_RCV_BUF_ACK] = receive_ch_rcv_buf_ack,
	[SDP_MID_SUSP_COMM] = sdp_suspend_receive,
	[SDP_MID_SUSP_COMM_ACK] = receive_unexpected,
	[SDP_MID_SINK_AVAIL] = receive_sink_avail,
	[SDP_MID_SRC_AVAIL] = receive_src_avail,
	[SDP_MID_DATA] = receive_data,
};

enum sdp_fault sdp_conn_receive(struct sdp_conn *conn, const u8 *buf, u32 received,
				struct sdp_delivery *delivery)
{
	struct sdp_modes *modes = &conn->modes;
	struct sdp_message message;
	enum sdp_fault fault;

	*delivery = (struct sdp_delivery){};
	fault = sdp_message_parse(&message, buf, received);
	if (fault)
		return fault;
	fault = sdp_credits_received(&conn->credits, &message.bsdh);
	if (fault)
		return fault;
	sdp_resize_used(&conn->resize);
	if (conn->end.abort_received || conn->suspend.received)
		return SDP_FAULT_STATE;
	delivery->offset = sdp_header_size(message.bsdh.mid);
	delivery->payload = received - delivery->offset;
	delivery->oob_pres = message.bsdh.flags & SDP_FLAG_OOB_PRES;
	delivery->oob_pend = message.bsdh.flags & SDP_FLAG_OOB_PEND;
	if (modes->left_pipelined && (s32)(message.bsdh.mseq_ack - modes->change_mseq) >= 0)
		modes->left_pipelined = false;
	fault = receivers[message.bsdh.mid](conn, &message, delivery);
	if (fault)
		*delivery = (struct sdp_delivery){};
	if (delivery->payload)
		delivery->released |= sdp_room_payload(&conn->room);
	conn->octets_received += delivery->payload;
	return fault;
}
