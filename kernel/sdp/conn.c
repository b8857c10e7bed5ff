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
	if (conn->disconn_received)
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
	return conn->send_sms && conn->recv_mode != SDP_MODE_PIPELINED ? SDP_FAULT_MODE : SDP_OK;
}

/* In Combined mode there is one, with payload; in Pipelined mode there are several, without. */
static enum sdp_fault receive_src_avail(struct sdp_conn *conn, const struct sdp_message *message,
					struct sdp_delivery *delivery)
{
	if (conn->disconn_received)
		return SDP_FAULT_STATE;
	switch (conn->recv_mode) {
	case SDP_MODE_COMBINED:
		if (conn->send_sms || !delivery->payload)
			return SDP_FAULT_MODE;
		break;
	case SDP_MODE_PIPELINED:
		if (conn->send_sms >= conn->max_adverts || delivery->payload)
			return SDP_FAULT_MODE;
		break;
	default:
		return SDP_FAULT_MODE;
	}
	/* The payload is the beginning of what is advertised. */
	if (delivery->payload > message->advert.len)
		return SDP_FAULT_FIELD;
	conn->send_sms++;
	return SDP_OK;
}

/* One answer is due for all that were not answered; if there are none, the cancel came too late. */
static enum sdp_fault receive_src_cancel(struct sdp_conn *conn, const struct sdp_message *message,
					 struct sdp_delivery *delivery)
{
	if (conn->send_sms)
		conn->send_sms = 1;
	return SDP_OK;
}

static enum sdp_fault receive_mode_change(struct sdp_conn *conn, const struct sdp_message *message,
					  struct sdp_delivery *delivery)
{
	u8 *mode = message->change.send ? &conn->send_mode : &conn->recv_mode;

	if (!sdp_mode_may_change(!message->change.send, *mode, message->change.mode))
		return SDP_FAULT_MODE;
	if (!message->change.send && message->change.mode == SDP_MODE_BUFFERED && conn->send_sms)
		return SDP_FAULT_MODE;
	/* The source advertises anew what it had advertised in Pipelined mode. */
	if (*mode == SDP_MODE_PIPELINED)
		conn->send_sms = 0;
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
	[SDP_MID_SEND_SM] = receive_unexpected,
	[SDP_MID_RDMA_WR_COMPL] = receive_unexpected,
	[SDP_MID_RDMA_RD_COMPL] = receive_unexpected,
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
	return fault;
}

u32 sdp_conn_payload_max(const struct sdp_conn *conn)
{
	if (conn->disconn_sent || conn->abort || !sdp_credits_may_send(&conn->credits, true))
		return 0;
	return min(conn->peer_size - SDP_BSDH_SIZE, SDP_URGENT_AHEAD);
}

static void sent(struct sdp_conn *conn, u32 payload, struct sdp_bsdh *bsdh)
{
	bsdh->len = sdp_header_size(bsdh->mid) + payload;
	bsdh->flags |= sdp_urgent_sent(&conn->urgent, payload);
	sdp_credits_sent(&conn->credits, bsdh);
}

void sdp_conn_data(struct sdp_conn *conn, u32 payload, bool oob, struct sdp_bsdh *bsdh)
{
	*bsdh = (struct sdp_bsdh){ .mid = SDP_MID_DATA, .flags = oob ? SDP_FLAG_OOB_PRES : 0 };
	sent(conn, payload, bsdh);
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
	} else if (conn->send_sms) {
		conn->send_sms--;
		message->bsdh.mid = SDP_MID_SEND_SM;
	} else if (conn->size_ack) {
		conn->size_ack = false;
		message->bsdh.mid = SDP_MID_CH_RCV_BUF_ACK;
		message->size = conn->size;
	} else if (!follows && (sdp_urgent_is_due(&conn->urgent) ||
				sdp_credits_update_due(&conn->credits))) {
		message->bsdh.mid = SDP_MID_DATA;
	} else if (conn->disconn && !queued && !conn->disconn_sent) {
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
