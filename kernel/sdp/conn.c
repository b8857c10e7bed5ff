// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The protocol of one connection: what is received, and what is sent. */
#include "sdp/conn.h"
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include "sdp/modes.h"

void sdp_conn_init(struct sdp_conn *conn, u32 bufs, u32 size, u32 max_adverts, u32 peer_bufs,
		   u32 peer_size)
{
	*conn = (struct sdp_conn){
		.size = size,
		.peer_size = peer_size,
		.max_adverts = max_adverts,
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
	if (conn->disconn_received || conn->sink.advert.len)
		return SDP_FAULT_STATE;
	conn->disconn_received = true;
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
	if (conn->sink.advert.len)
		return SDP_FAULT_MODE;
	return conn->sink.refused && conn->recv_mode != SDP_MODE_PIPELINED ? SDP_FAULT_MODE :
									     SDP_OK;
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
		conn->sink.refused++;
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

static enum sdp_fault receive_rdma_rd_compl(struct sdp_conn *conn,
					    const struct sdp_message *message,
					    struct sdp_delivery *delivery)
{
	enum sdp_fault fault = sdp_source_read(&conn->source, message->size);

	if (fault)
		return fault;
	sdp_urgent_passed(&conn->urgent, message->size);
	conn->octets_sent += message->size;
	delivery->answered = true;
	return SDP_OK;
}

static enum sdp_fault receive_send_sm(struct sdp_conn *conn, const struct sdp_message *message,
				      struct sdp_delivery *delivery)
{
	delivery->answered = true;
	return sdp_source_refused(&conn->source);
}

/*
 * What was advertised in Combined mode comes before all in Pipelined mode, of which nothing is
 * read; there the source advertises anew what it had advertised when it leaves the mode.
 */
static enum sdp_fault change_recv_mode(struct sdp_conn *conn, enum sdp_mode mode)
{
	if (mode == SDP_MODE_BUFFERED && sdp_sink_outstanding(&conn->sink))
		return SDP_FAULT_MODE;
	if (conn->recv_mode == SDP_MODE_PIPELINED) {
		if (conn->sink.reading)
			return SDP_FAULT_MODE;
		conn->sink.refused = 0;
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
		enum sdp_fault fault = change_recv_mode(conn, message->change.mode);

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

/* SinkAvail is legal in Pipelined mode only, into which this end never puts what it sends. */
static enum sdp_fault receive_sink_avail(struct sdp_conn *conn, const struct sdp_message *message,
					 struct sdp_delivery *delivery)
{
	return SDP_FAULT_MODE;
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
	[SDP_MID_RDMA_WR_COMPL] = receive_unexpected,
	[SDP_MID_RDMA_RD_COMPL] = receive_rdma_rd_compl,
	[SDP_MID_MODE_CHANGE] = receive_mode_change,
	[SDP_MID_SRC_AVAIL_CANCEL] = receive_src_cancel,
	[SDP_MID_SINK_AVAIL_CANCEL] = receive_unexpected,
	[SDP_MID_SINK_CANCEL_ACK] = receive_unexpected,
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
	fault = receivers[message.bsdh.mid](conn, &message, delivery);
	if (fault)
		*delivery = (struct sdp_delivery){};
	conn->octets_received += delivery->payload;
	return fault;
}

u32 sdp_conn_payload_max(const struct sdp_conn *conn)
{
	if (conn->disconn_sent || conn->abort || conn->source.left ||
	    !sdp_credits_may_send(&conn->credits, true))
		return 0;
	return min(conn->peer_size - SDP_BSDH_SIZE, SDP_URGENT_AHEAD);
}

static void sent(struct sdp_conn *conn, u32 payload, struct sdp_bsdh *bsdh)
{
	bsdh->len = sdp_header_size(bsdh->mid) + payload;
	bsdh->flags |= sdp_urgent_sent(&conn->urgent, payload);
	conn->octets_sent += payload;
	sdp_credits_sent(&conn->credits, bsdh);
}

void sdp_conn_data(struct sdp_conn *conn, u32 payload, bool oob, struct sdp_bsdh *bsdh)
{
	*bsdh = (struct sdp_bsdh){ .mid = SDP_MID_DATA, .flags = oob ? SDP_FLAG_OOB_PRES : 0 };
	sent(conn, payload, bsdh);
}

u32 sdp_conn_may_advertise(const struct sdp_conn *conn)
{
	u32 most = sdp_conn_payload_max(conn), headers = sdp_header_size(SDP_MID_SRC_AVAIL);

	if (conn->send_mode != SDP_MODE_COMBINED || conn->disconn || !most)
		return 0;
	return conn->peer_size > headers ? min(most, conn->peer_size - headers) : 0;
}

void sdp_conn_advertise(struct sdp_conn *conn, const struct sdp_advert *advert, u32 payload,
			struct sdp_message *message)
{
	*message = (struct sdp_message){ .bsdh.mid = SDP_MID_SRC_AVAIL, .advert = *advert };
	sdp_source_begin(&conn->source, advert->len - payload);
	sdp_urgent_queue(&conn->urgent, payload, false);
	sent(conn, payload, &message->bsdh);
}

void sdp_conn_read_end(struct sdp_conn *conn, u32 octets)
{
	sdp_sink_read_end(&conn->sink, octets);
	conn->octets_received += octets;
	sdp_credits_resume_ack(&conn->credits);
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
		message->size = conn->sink.read;
		conn->sink.read = 0;
	} else if (conn->sink.refused && !conn->sink.reading) {
		conn->sink.refused--;
		message->bsdh.mid = SDP_MID_SEND_SM;
	} else if (sdp_source_cancel_is_due(&conn->source)) {
		conn->source.canceled = true;
		message->bsdh.mid = SDP_MID_SRC_AVAIL_CANCEL;
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

bool sdp_conn_next(struct sdp_conn *conn, bool queued, struct sdp_message *message)
{
	if (!sdp_credits_may_send(&conn->credits, false))
		return false;
	*message = (struct sdp_message){};
	if (!choose(conn, queued, message))
		return false;
	sent(conn, 0, &message->bsdh);
	if (message->bsdh.mid == SDP_MID_DISCONN) {
		conn->disconn_mseq = message->bsdh.mseq;
		conn->ends = conn->disconn_received;
	}
	return true;
}
