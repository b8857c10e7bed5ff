// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The protocol of one connection: its setup, and the messages that are sent. */
#include "sdp/protocol/conn.h"
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/string.h>

void sdp_conn_init(struct sdp_conn *conn, u32 bufs, u32 size, u32 max_adverts, u32 peer_bufs,
		   u32 peer_size, u32 peer_adverts)
{
	*conn = (struct sdp_conn){
		.size = size,
		.peer_size = peer_size,
		.max_adverts = max_adverts,
		.peer_adverts = peer_adverts,
		.modes = { .send = SDP_MODE_COMBINED, .recv = SDP_MODE_COMBINED },
	};
	sdp_credits_init(&conn->credits, bufs, peer_bufs);
	sdp_resize_init(&conn->resize, size, peer_size);
}

/*
 * If this end has sent DisConn before the suspension, DisConn has arrived, and is not repeated. A
 * peer that has not sent DisConn can send it on the new connection.
 */
enum sdp_fault sdp_conn_resume(struct sdp_conn *conn, u32 bufs, u32 size, u32 max_adverts,
			       u32 peer_bufs, u32 peer_size, u32 peer_adverts)
{
	const struct sdp_conn before = *conn;

	if (peer_size < before.peer_size)
		return SDP_FAULT_FIELD;
	sdp_conn_init(conn, bufs, size, max_adverts, peer_bufs, peer_size, peer_adverts);
	conn->resize.connects = true;
	conn->resize.peer_began = min(before.resize.peer_began, peer_size);
	conn->urgent = before.urgent;
	conn->end.more = before.end.more;
	/* A call that waits for the answer to SrcAvail may read the members of source later. */
	conn->source = before.source;
	conn->room.written = before.room.written;
	conn->octets_sent = before.octets_sent;
	conn->octets_received = before.octets_received;
	conn->suspend.kept = before.suspend.kept;
	conn->end.disconn = before.end.disconn;
	conn->end.disconn_sent = before.end.disconn_sent;
	conn->end.disconn_received = before.end.disconn_received;
	return SDP_OK;
}

u32 sdp_conn_payload_max(const struct sdp_conn *conn)
{
	if (conn->end.disconn_sent || conn->end.abort || conn->suspend.received ||
	    conn->source.left || sdp_write_has_answer(&conn->write) ||
	    !sdp_credits_may_send(&conn->credits, true))
		return 0;
	return sdp_conn_message_max(conn) - SDP_BSDH_SIZE;
}

/*
 * Account for a message that is sent, whose length is set. SuspCommAck does not announce an
 * out-of-band octet, because the new connection announces and sends this octet.
 */
static void conn_sent(struct sdp_conn *conn, u32 payload, struct sdp_bsdh *bsdh)
{
	u32 written = bsdh->mid == SDP_MID_RDMA_WR_COMPL ? conn->write.written : 0;

	if (!conn->suspend.acked)
		bsdh->flags |= sdp_urgent_sent(&conn->urgent, payload + written);
	if (payload)
		sdp_write_payload(&conn->write);
	conn->octets_sent += payload;
	sdp_credits_sent(&conn->credits, bsdh);
	if (conn->resize.flush)
		conn->resize.flush--;
}

/* Set the length of a message that is sent, and account for the message. */
static void conn_sent_message(struct sdp_conn *conn, u32 payload, struct sdp_bsdh *bsdh)
{
	bsdh->len = sdp_header_size(bsdh->mid) + payload;
	conn_sent(conn, payload, bsdh);
}

void sdp_conn_data(struct sdp_conn *conn, u32 payload, bool oob, struct sdp_bsdh *bsdh)
{
	*bsdh = (struct sdp_bsdh){
		.mid = SDP_MID_DATA,
		.flags = oob ? SDP_FLAG_OOB_PRES : 0,
		.len = SDP_BSDH_SIZE + payload,
	};
	conn_sent(conn, payload, bsdh);
	sdp_resize_sent(&conn->resize, conn->peer_size, bsdh->len);
}

/* The peer limits the number of our unanswered SrcAvail and SinkAvail. */
static bool conn_may_advertise_more(const struct sdp_conn *conn)
{
	return (conn->source.left > 0) + (conn->room.len > 0) < (int)conn->peer_adverts;
}

bool sdp_conn_may_advertise(const struct sdp_conn *conn, u32 *payload)
{
	u32 most = sdp_conn_payload_max(conn), headers = sdp_header_size(SDP_MID_SRC_AVAIL);

	*payload = 0;
	if (conn->modes.send == SDP_MODE_BUFFERED || conn->end.disconn || !most ||
	    !conn_may_advertise_more(conn))
		return false;
	if (conn->modes.send == SDP_MODE_PIPELINED)
		return !conn->write.count; /* Write Zcopy to the peer's memory comes first */
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
	conn_sent_message(conn, payload, &message->bsdh);
}

bool sdp_conn_may_make_room(const struct sdp_conn *conn)
{
	return conn->modes.recv == SDP_MODE_PIPELINED && sdp_room_is_free(&conn->room) &&
	       !sdp_sink_outstanding(&conn->sink) && !conn->end.disconn_received &&
	       !conn->end.abort && !conn->suspend.received && conn_may_advertise_more(conn) &&
	       sdp_credits_may_send(&conn->credits, false);
}

void sdp_conn_make_room(struct sdp_conn *conn, const struct sdp_advert *advert, u32 payload,
			struct sdp_message *message)
{
	*message = (struct sdp_message){ .bsdh.mid = SDP_MID_SINK_AVAIL, .advert = *advert };
	message->advert.non_discards = conn->room.non_discards;
	sdp_room_begin(&conn->room, advert->len);
	conn_sent_message(conn, payload, &message->bsdh);
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
 * This end enters and leaves Pipelined mode as the peer prefers, while no SrcAvail of this end is
 * outstanding. It does not enter Pipelined mode again before the peer has acknowledged the
 * ModeChange that left it.
 */
static bool conn_change_is_due(const struct sdp_conn *conn)
{
	const struct sdp_modes *modes = &conn->modes;

	if (conn->source.left || modes->left_pipelined || conn->end.disconn ||
	    conn->suspend.received)
		return false;
	return modes->send == (modes->peer_pipelined ? SDP_MODE_COMBINED : SDP_MODE_PIPELINED);
}

static void conn_report_read(struct sdp_conn *conn, struct sdp_message *message)
{
	message->bsdh.mid = SDP_MID_RDMA_RD_COMPL;
	message->bsdh.flags = conn->modes.pipelined ? SDP_FLAG_REQ_PIPE : 0;
	message->last = sdp_sink_is_read(&conn->sink);
	message->rkey = conn->sink.advert.rkey;
	message->size = sdp_sink_report(&conn->sink);
}

static void conn_report_written(struct sdp_conn *conn, struct sdp_message *message)
{
	conn->write.written_due = false;
	message->bsdh.mid = SDP_MID_RDMA_WR_COMPL;
	message->bsdh.flags = conn->modes.pipelined ? SDP_FLAG_REQ_PIPE : 0;
	message->size = conn->write.written;
	message->last = true;
	message->rkey = conn->write.written_rkey;
}

static void conn_change_mode(struct sdp_conn *conn, struct sdp_message *message)
{
	conn->modes.left_pipelined = conn->modes.send == SDP_MODE_PIPELINED;
	if (conn->modes.left_pipelined)
		sdp_write_mode_left(&conn->write);
	conn->modes.send = conn->modes.peer_pipelined ? SDP_MODE_PIPELINED : SDP_MODE_COMBINED;
	message->bsdh.mid = SDP_MID_MODE_CHANGE;
	message->change.mode = conn->modes.send;
}

/*
 * During a suspension the peer does not return credits, so the last two are kept for SuspCommAck.
 * SuspCommAck also serves as refusal of all advertisements (S2-286).
 */
static bool conn_may_refuse(const struct sdp_conn *conn)
{
	return !conn->suspend.received || sdp_credits_available(&conn->credits) > 2;
}

/*
 * Return whether SuspCommAck may be sent. The program must have read all buffers of an earlier
 * connection, so that a peer that suspends repeatedly cannot fill memory.
 */
static bool conn_may_suspend(const struct sdp_conn *conn)
{
	return !conn->sink.reading && !conn->suspend.kept;
}

/*
 * Return whether to send an empty message, which uses up one of the peer's buffers of the former
 * size.
 */
static bool conn_flush_is_due(const struct sdp_conn *conn)
{
	return conn->resize.flush && !conn->end.disconn &&
	       sdp_credits_may_send(&conn->credits, true);
}

static void conn_answer_resize(struct sdp_conn *conn, struct sdp_message *message)
{
	conn->size = sdp_resize_ack(&conn->resize);
	message->bsdh.mid = SDP_MID_CH_RCV_BUF_ACK;
	message->size = conn->size;
}

/* Choose the message that is due, and clear the state that made it due. */
static bool conn_choose(struct sdp_conn *conn, bool queued, struct sdp_message *message)
{
	bool follows = queued && sdp_conn_payload_max(conn);

	if (conn->end.abort) {
		if (conn->end.abort_sent || !conn->end.disconn_sent)
			return false;
		conn->end.abort_sent = true;
		message->bsdh.mid = SDP_MID_ABORT_CONN;
	} else if (conn->sink.read) {
		conn_report_read(conn, message);
	} else if (conn->write.written_due) {
		conn_report_written(conn, message);
	} else if (conn->sink.refused && !conn->sink.reading && conn_may_refuse(conn)) {
		message->bsdh.mid = SDP_MID_SEND_SM;
	} else if (sdp_source_cancel_is_due(&conn->source)) {
		conn->source.canceled = true;
		message->bsdh.mid = SDP_MID_SRC_AVAIL_CANCEL;
	} else if (sdp_room_cancel_is_due(&conn->room)) {
		message->bsdh.mid = SDP_MID_SINK_AVAIL_CANCEL;
	} else if (conn->write.cancel_ack) {
		conn->write.cancel_ack = false;
		message->bsdh.mid = SDP_MID_SINK_CANCEL_ACK;
	} else if (conn_change_is_due(conn)) {
		conn_change_mode(conn, message);
	} else if (sdp_resize_ack_is_due(&conn->resize) && conn_may_refuse(conn)) {
		conn_answer_resize(conn, message);
	} else if (conn->suspend.received) {
		conn->suspend.acked = conn_may_suspend(conn);
		message->bsdh.mid = SDP_MID_SUSP_COMM_ACK;
		return conn->suspend.acked;
	} else if (sdp_resize_is_due(&conn->resize) && !conn->end.disconn) {
		message->bsdh.mid = SDP_MID_CH_RCV_BUF;
		message->size = conn->resize.wanted;
	} else if (!follows &&
		   (sdp_urgent_is_due(&conn->urgent) || sdp_credits_update_due(&conn->credits) ||
		    conn_flush_is_due(conn))) {
		message->bsdh.mid = SDP_MID_DATA;
	} else if (conn->end.disconn && !queued && !conn->end.more && !conn->source.left &&
		   !conn->end.disconn_sent) {
		conn->end.disconn_sent = true;
		message->bsdh.mid = SDP_MID_DISCONN;
	} else {
		return false;
	}
	return true;
}

/* Return whether an empty Data message is the only message that conn_choose() can choose. */
static bool conn_is_plain(const struct sdp_conn *conn)
{
	u32 due = conn->end.abort | conn->suspend.received | conn->end.disconn |
		  conn->urgent.count | conn->sink.read | conn->sink.refused |
		  conn->source.cancel | conn->room.cancel | conn->write.written_due |
		  conn->write.cancel_ack | conn->resize.size | conn->resize.wanted |
		  conn->resize.flush | conn->modes.peer_pipelined;

	return !due && conn->modes.send != SDP_MODE_PIPELINED;
}

bool sdp_conn_is_quiet(const struct sdp_conn *conn)
{
	return conn_is_plain(conn) && !sdp_credits_update_due(&conn->credits);
}

bool sdp_conn_is_payload_next(const struct sdp_conn *conn)
{
	return conn_is_plain(conn) && !conn->source.left &&
	       sdp_credits_may_send(&conn->credits, true);
}

/* Record a message that was sent, and its MSeq, if a later answer can refer to it. */
static void conn_note_sent(struct sdp_conn *conn, const struct sdp_message *message)
{
	switch (message->bsdh.mid) {
	case SDP_MID_DISCONN:
		conn->end.disconn_mseq = message->bsdh.mseq;
		conn->end.ours = conn->end.disconn_received;
		break;
	case SDP_MID_CH_RCV_BUF:
		sdp_resize_begin(&conn->resize, &conn->peer_size, message->bsdh.mseq);
		break;
	case SDP_MID_SEND_SM:
		sdp_sink_refused(&conn->sink);
		break;
	case SDP_MID_SINK_AVAIL_CANCEL:
		sdp_room_canceled(&conn->room, message->bsdh.mseq);
		break;
	case SDP_MID_MODE_CHANGE:
		conn->modes.change_mseq = message->bsdh.mseq;
		break;
	default:
		break;
	}
}

bool sdp_conn_next(struct sdp_conn *conn, bool queued, struct sdp_message *message)
{
	if (conn->suspend.acked || !sdp_credits_may_send(&conn->credits, false))
		return false;
	*message = (struct sdp_message){};
	if (!conn_choose(conn, queued, message))
		return false;
	conn_sent_message(conn, 0, &message->bsdh);
	conn_note_sent(conn, message);
	return true;
}
