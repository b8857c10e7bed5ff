// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* SDP's Pipelined mode at one end: memory to write into, stale advertisements, changes of mode. */
#include <check.h>
#include "tests/unit/sdp/sdp_end.h"
#include "tests/unit/suites.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define ADDRESS 0x123456789abcull
#define KEY 0xdeadbeef
#define PIPE SDP_FLAG_REQ_PIPE

static const struct sdp_advert thousand = { .len = 1000, .rkey = KEY, .addr = ADDRESS };

/* Receives a message with 32 bits of contents, or, for SinkAvail, its NonDiscards. */
static enum sdp_fault receive(enum sdp_mid mid, u8 flags, u32 value, u32 payload)
{
	struct sdp_message m = { .bsdh = { .mid = mid, .flags = flags } };

	if (mid == SDP_MID_SINK_AVAIL) {
		m.advert = thousand;
		m.advert.non_discards = value;
	} else {
		m.size = value;
	}
	return end_receive(&m, payload);
}

/* --- what this end advertises */

/* S2-250, S2-253: the peer sends in Pipelined mode. */
static void pipelined(void)
{
	ck_assert(!sdp_conn_may_make_room(&conn)); /* S2-252 */
	ck_assert_int_eq(end_receive_change(SDP_MODE_PIPELINED, false), SDP_OK);
	ck_assert(sdp_conn_may_make_room(&conn));
}

static void make_room(u32 payload)
{
	sdp_conn_make_room(&conn, &thousand, payload, &message);
	ck_assert_uint_eq(message.bsdh.mid, SDP_MID_SINK_AVAIL);
	ck_assert_uint_eq(message.bsdh.len, 36 + payload);
	ck_assert_uint_eq(message.advert.addr, ADDRESS);
	ck_assert_uint_eq(message.advert.rkey, KEY);
	ck_assert(!sdp_conn_may_make_room(&conn));
}

/* S2-182, S2-186, S2-187: all that is written is all of it, even if there was room for more. */
START_TEST(written)
{
	static const u32 octets[] = { 1000, 999, 1, 0 };

	pipelined();
	make_room(0);
	ck_assert_int_eq(receive(SDP_MID_RDMA_WR_COMPL, 0, octets[_i], 0), SDP_OK);
	ck_assert(delivery.released);
	ck_assert_uint_eq(delivery.written, octets[_i]);
	ck_assert_uint_eq(delivery.payload, 0);
	ck_assert_uint_eq(conn.octets_received, octets[_i]);
	ck_assert_int_eq(receive(SDP_MID_RDMA_WR_COMPL, 0, 1, 0), SDP_FAULT_STATE);
	end_begin();
	pipelined();
	make_room(0);
	ck_assert_int_eq(receive(SDP_MID_RDMA_WR_COMPL, 0, 1001, 0), SDP_FAULT_FIELD);
}
END_TEST

/* S2-077, S2-188, S2-194: payload discards what is advertised, and is counted if it does not. */
START_TEST(discarded)
{
	pipelined();
	ck_assert_int_eq(receive(SDP_MID_DATA, 0, 0, 10), SDP_OK);
	ck_assert(!delivery.released);
	ck_assert_int_eq(receive(SDP_MID_DATA, 0, 0, 0), SDP_OK);
	make_room(0);
	ck_assert_uint_eq(message.advert.non_discards, 1);
	ck_assert_int_eq(receive(SDP_MID_DATA, 0, 0, 0), SDP_OK);
	ck_assert(!delivery.released);
	conn.credits.posted += 4;
	ck_assert_int_eq(receive(SDP_MID_DATA, 0, 0, 10), SDP_OK);
	ck_assert(delivery.released);
	ck_assert_uint_eq(delivery.written, 0);
	make_room(0);
	ck_assert_uint_eq(message.advert.non_discards, 1);
}
END_TEST

/* S2-267: what the peer advertised to be read it forgets when it gets our SinkAvail. */
START_TEST(crossed_by_src_avail)
{
	pipelined();
	make_room(0);
	ck_assert_int_eq(end_receive_mid(SDP_MID_SRC_AVAIL, 0), SDP_OK);
	ck_assert(!delivery.advertised);
	ck_assert_uint_eq(sdp_sink_outstanding(&conn.sink), 0);
	ck_assert_uint_eq(end_next(false), END_NOTHING);
	ck_assert_int_eq(receive(SDP_MID_RDMA_WR_COMPL, 0, 1000, 0), SDP_OK);
	/* Memory that it advertises afterwards is to be read: there is no room meanwhile. */
	ck_assert_int_eq(end_receive_mid(SDP_MID_SRC_AVAIL, 0), SDP_OK);
	ck_assert(delivery.advertised);
	ck_assert(!sdp_conn_may_make_room(&conn));
}
END_TEST

/*
 * Answers to a SinkAvailCancel. Who has written a part of 1,000 octets when the cancel comes says
 * how much, and then that the rest is discarded (S2-213, S2-214); who has said how much before the
 * cancel comes says no more.
 */
static const struct cancel_answer {
	enum sdp_mid mid;
	u32 payload;
	u32 written;
	u32 unaware; /* messages that the peer has not received: the cancel */
	bool ack_follows;
} cancel_answers[] = {
	{ SDP_MID_SINK_CANCEL_ACK },
	{ SDP_MID_DATA, .payload = 10 },
	{ SDP_MID_RDMA_WR_COMPL, .written = 1000 },
	{ SDP_MID_RDMA_WR_COMPL, .written = 5, .unaware = 1 },
	{ SDP_MID_RDMA_WR_COMPL, .written = 5, .ack_follows = true },
	{ SDP_MID_RDMA_WR_COMPL, .written = 0, .ack_follows = true },
};

/* S2-087, S2-211, S2-215, S2-T30: one SinkAvailCancel, and nothing new until it was answered. */
START_TEST(cancels)
{
	const struct cancel_answer *answer = &cancel_answers[_i];
	struct sdp_message m = { .bsdh = { .mid = answer->mid, .mseq_ack = answer->unaware },
				 .size = answer->written };

	pipelined();
	sdp_room_cancel(&conn.room);
	ck_assert_uint_eq(end_next(false), END_NOTHING);
	make_room(0);
	ck_assert_int_eq(receive(SDP_MID_SINK_CANCEL_ACK, 0, 0, 0), SDP_FAULT_STATE);
	end_begin();
	pipelined();
	make_room(0);
	sdp_room_cancel(&conn.room);
	ck_assert_uint_eq(end_next(false), SDP_MID_SINK_AVAIL_CANCEL);
	ck_assert_uint_eq(message.bsdh.len, 16);
	sdp_room_cancel(&conn.room);
	ck_assert_uint_eq(end_next(false), END_NOTHING);
	ck_assert(!sdp_conn_may_make_room(&conn));
	ck_assert_int_eq(end_receive(&m, answer->payload), SDP_OK);
	ck_assert(delivery.released);
	ck_assert_uint_eq(delivery.written, answer->written);
	if (answer->ack_follows) {
		ck_assert(!sdp_conn_may_make_room(&conn));
		ck_assert_int_eq(receive(SDP_MID_SINK_CANCEL_ACK, 0, 0, 0), SDP_OK);
		ck_assert(!delivery.released);
	}
	ck_assert(sdp_conn_may_make_room(&conn));
	ck_assert_int_eq(receive(SDP_MID_SINK_CANCEL_ACK, 0, 0, 0), SDP_FAULT_STATE);
}
END_TEST

/* S2-215: payload instead of SinkCancelAck says as well that the cancel was processed. */
START_TEST(payload_for_ack)
{
	pipelined();
	make_room(0);
	sdp_room_cancel(&conn.room);
	ck_assert_uint_eq(end_next(false), SDP_MID_SINK_AVAIL_CANCEL);
	ck_assert_int_eq(receive(SDP_MID_RDMA_WR_COMPL, 0, 5, 0), SDP_OK);
	ck_assert(!sdp_conn_may_make_room(&conn));
	ck_assert_int_eq(receive(SDP_MID_DATA, 0, 0, 10), SDP_OK);
	ck_assert(sdp_conn_may_make_room(&conn));
}
END_TEST

/* S2-283: a peer that leaves the mode writes no more. */
START_TEST(peer_leaves)
{
	pipelined();
	make_room(0);
	sdp_room_cancel(&conn.room);
	if (_i)
		ck_assert_uint_eq(end_next(false), SDP_MID_SINK_AVAIL_CANCEL);
	ck_assert_int_eq(end_receive_change(SDP_MODE_COMBINED, false), SDP_OK);
	ck_assert(delivery.released);
	ck_assert_uint_eq(end_next(false), END_NOTHING);
	ck_assert_int_eq(receive(SDP_MID_RDMA_WR_COMPL, 0, 1, 0), SDP_FAULT_STATE);
}
END_TEST

/* S2-151: who sends no more data does not write either; an answer to a cancel may yet come. */
START_TEST(peer_closes)
{
	pipelined();
	make_room(0);
	if (_i) {
		sdp_room_cancel(&conn.room);
		ck_assert_uint_eq(end_next(false), SDP_MID_SINK_AVAIL_CANCEL);
	}
	ck_assert_int_eq(end_receive_mid(SDP_MID_DISCONN, 0), SDP_OK);
	ck_assert(delivery.released);
	ck_assert(delivery.disconn);
	ck_assert_uint_eq(end_next(false), END_NOTHING);
	ck_assert(!sdp_conn_may_make_room(&conn));
	ck_assert_int_eq(end_receive_mid(SDP_MID_SINK_CANCEL_ACK, 0),
			 _i ? SDP_OK : SDP_FAULT_STATE);
}
END_TEST

/* S2-075, S2-190, S2-T27: what is asked goes with where the answer may be written. */
START_TEST(transaction)
{
	pipelined();
	ck_assert_int_eq(sdp_urgent_queue(&conn.urgent, 70, false), 0);
	make_room(70);
	ck_assert_uint_eq(conn.octets_sent, 70);
	ck_assert_uint_eq(conn.write.non_discards, 1);
}
END_TEST

/* S2-269, S2-A6: SrcAvail and SinkAvail count together. */
START_TEST(as_many_as_the_peer_accepts)
{
	u32 payload;

	pipelined();
	conn.peer_adverts = 1 + _i;
	make_room(0);
	ck_assert_int_eq(sdp_conn_may_advertise(&conn, &payload), _i);
	end_begin();
	ck_assert_int_eq(end_receive_change(SDP_MODE_PIPELINED, false), SDP_OK);
	conn.peer_adverts = 1 + _i;
	sdp_conn_advertise(&conn, &thousand, 1, &message);
	ck_assert_int_eq(sdp_conn_may_make_room(&conn), _i);
}
END_TEST

/* --- what the peer advertises */

static void advertised(u32 non_discards, u32 payload)
{
	ck_assert_int_eq(receive(SDP_MID_SINK_AVAIL, 0, non_discards, payload), SDP_OK);
	ck_assert_uint_eq(delivery.payload, payload);
}

static void send_payload(void)
{
	struct sdp_bsdh bsdh;

	ck_assert_uint_ne(sdp_conn_payload_max(&conn), 0);
	sdp_conn_data(&conn, 10, false, &bsdh);
}

static u32 count(void)
{
	return conn.write.count;
}

/* S2-080, S2-183, S2-184, S2-191: RdmaWrCompl follows what was written, and payload only then. */
START_TEST(writes)
{
	const struct sdp_advert *advert;

	conn.modes.send = SDP_MODE_PIPELINED;
	ck_assert_ptr_null(sdp_conn_may_write(&conn));
	advertised(0, _i ? 5 : 0);
	advert = sdp_conn_may_write(&conn);
	ck_assert_ptr_nonnull(advert);
	ck_assert_uint_eq(advert->addr, ADDRESS);
	ck_assert_uint_eq(advert->rkey, KEY);
	ck_assert_uint_eq(advert->len, 1000);
	sdp_conn_wrote(&conn, 400);
	ck_assert_uint_eq(sdp_conn_payload_max(&conn), 0);
	conn.modes.pipelined = _i;
	ck_assert_uint_eq(end_next(true), SDP_MID_RDMA_WR_COMPL);
	ck_assert_uint_eq(message.size, 400);
	ck_assert(message.last);
	ck_assert_uint_eq(message.rkey, KEY);
	ck_assert_uint_eq(message.bsdh.len, 20);
	ck_assert_uint_eq(message.bsdh.flags, _i ? PIPE : 0); /* S2-040, S2-042, S2-043 */
	ck_assert_uint_eq(conn.octets_sent, 400);
	ck_assert_uint_ne(sdp_conn_payload_max(&conn), 0);
	ck_assert_ptr_null(sdp_conn_may_write(&conn));
}
END_TEST

/* S2-195, S2-196, S2-T24: two messages were sent, and discard the first two of three. */
START_TEST(stale)
{
	conn.modes.send = SDP_MODE_PIPELINED;
	send_payload();
	send_payload();
	ck_assert_uint_eq(conn.write.non_discards, 2);
	advertised(0, 0);
	ck_assert_uint_eq(count(), 0);
	advertised(0, 5); /* S2-192, S2-T27: what comes with it is no less */
	ck_assert_uint_eq(count(), 0);
	advertised(0, 0);
	ck_assert_uint_eq(count(), 1);
	ck_assert_uint_eq(conn.write.non_discards, 0);
	/* S2-199: payload discards one that was not stale, and is not counted. */
	send_payload();
	ck_assert_uint_eq(count(), 0);
	ck_assert_uint_eq(conn.write.non_discards, 0);
}
END_TEST

/* The counts wrap. */
START_TEST(stale_wraps)
{
	conn.modes.send = SDP_MODE_PIPELINED;
	conn.write.non_discards = UINT32_MAX;
	send_payload();
	ck_assert_uint_eq(conn.write.non_discards, 0);
	advertised(UINT32_MAX, 0);
	ck_assert_uint_eq(count(), 0);
	advertised(UINT32_MAX, 0);
	ck_assert_uint_eq(count(), 1);
}
END_TEST

/* S2-264, S2-265, S2-266, S2-T26: what was advertised to be read is to be written. */
START_TEST(overrides)
{
	u32 payload = 1;

	conn.modes.send = SDP_MODE_PIPELINED;
	if (_i)
		send_payload();
	ck_assert(sdp_conn_may_advertise(&conn, &payload));
	ck_assert_uint_eq(payload, 0); /* S2-168, S2-262 */
	sdp_conn_advertise(&conn, &thousand, 0, &message);
	ck_assert_uint_eq(message.bsdh.len, 32);
	ck_assert_uint_eq(sdp_conn_payload_max(&conn), 0); /* S2-263 */
	advertised(0, 0);
	if (_i) {
		/* One that is stale changes nothing. */
		ck_assert_uint_eq(conn.source.left, 1000);
		return;
	}
	ck_assert(delivery.answered);
	ck_assert_uint_eq(conn.source.left, 0);
	ck_assert_uint_eq(conn.source.refused, 1000);
	ck_assert(conn.source.overridden);
	ck_assert(!sdp_conn_may_advertise(&conn, &payload));
	ck_assert_ptr_nonnull(sdp_conn_may_write(&conn));
	ck_assert_int_eq(end_receive_mid(SDP_MID_SEND_SM, 0), SDP_FAULT_STATE);
}
END_TEST

/* S2-088, S2-212, S2-213, S2-214: one SinkCancelAck for all, before any payload; or none. */
START_TEST(canceled)
{
	conn.modes.send = SDP_MODE_PIPELINED;
	conn.modes.peer_pipelined = true;
	ck_assert_int_eq(receive(SDP_MID_SINK_AVAIL_CANCEL, 0, 0, 0), SDP_OK);
	ck_assert_uint_eq(end_next(true), END_NOTHING);
	advertised(0, 0);
	advertised(0, 0);
	if (_i == 1)
		sdp_conn_wrote(&conn, 3);
	if (_i == 2) {
		send_payload();
		send_payload();
	}
	ck_assert_int_eq(receive(SDP_MID_SINK_AVAIL_CANCEL, 0, 0, 0), SDP_OK);
	ck_assert_ptr_null(sdp_conn_may_write(&conn));
	ck_assert_int_eq(sdp_conn_payload_max(&conn) != 0, _i == 2);
	if (_i == 1)
		ck_assert_uint_eq(end_next(true), SDP_MID_RDMA_WR_COMPL);
	if (_i != 2) {
		ck_assert_uint_eq(end_next(true), SDP_MID_SINK_CANCEL_ACK);
		ck_assert_uint_eq(message.bsdh.len, 16);
	}
	ck_assert_uint_eq(end_next(true), END_NOTHING);
}
END_TEST

/* S2-254: one more than this end accepts. */
START_TEST(too_many)
{
	conn.modes.send = SDP_MODE_PIPELINED;
	advertised(0, 0);
	advertised(0, 0);
	ck_assert_int_eq(receive(SDP_MID_SINK_AVAIL, 0, 0, 0), SDP_FAULT_MODE);
}
END_TEST

/* --- modes */

/* This end advertises, and the peer reads, and says what mode it prefers. */
static void prefers(u8 flags)
{
	u32 payload = conn.modes.send == SDP_MODE_COMBINED ? 1 : 0;

	sdp_conn_advertise(&conn, &thousand, payload, &message);
	ck_assert_int_eq(receive(SDP_MID_RDMA_RD_COMPL, flags, conn.source.left, 0), SDP_OK);
}

static void changes(enum sdp_mode mode)
{
	ck_assert_uint_eq(end_next(true), SDP_MID_MODE_CHANGE);
	ck_assert_int_eq(message.change.mode, mode);
	ck_assert(!message.change.send); /* S2-084: the peer receives in it */
	ck_assert_uint_eq(message.bsdh.len, 20);
	ck_assert_int_eq(conn.modes.send, mode); /* S2-274 */
	ck_assert_uint_eq(end_next(true), END_NOTHING);
}

/* S2-042, S2-271, S2-272, S2-279, S2-281: as the peer prefers, and once only until it knows. */
START_TEST(follows)
{
	struct sdp_message unknowing = { .bsdh = { .mid = SDP_MID_DATA, .mseq_ack = 1 } };

	prefers(0);
	ck_assert_uint_eq(end_next(true), END_NOTHING);
	prefers(PIPE);
	changes(SDP_MODE_PIPELINED);
	prefers(PIPE);
	ck_assert_uint_eq(end_next(true), END_NOTHING);
	prefers(0);
	changes(SDP_MODE_COMBINED);
	conn.modes.peer_pipelined = true;
	ck_assert_int_eq(end_receive(&unknowing, 0), SDP_OK);
	ck_assert_uint_eq(end_next(true), END_NOTHING);
	ck_assert_int_eq(end_receive_mid(SDP_MID_DATA, 0), SDP_OK);
	changes(SDP_MODE_PIPELINED);
}
END_TEST

/* S2-041: in Buffered mode, which it leaves as the peer decides, the source does not look at it. */
START_TEST(ignores_preference)
{
	sdp_conn_advertise(&conn, &thousand, 1, &message);
	conn.modes.send = SDP_MODE_BUFFERED;
	ck_assert_int_eq(receive(SDP_MID_RDMA_RD_COMPL, PIPE, 999, 0), SDP_OK);
	ck_assert_uint_eq(end_next(true), END_NOTHING);
	ck_assert_int_eq(end_receive_change(SDP_MODE_COMBINED, true), SDP_OK);
	ck_assert_uint_eq(end_next(true), END_NOTHING);
	/* S2-042, S2-T35: nor in other messages. */
	ck_assert_int_eq(receive(SDP_MID_DATA, PIPE, 0, 0), SDP_OK);
	ck_assert_uint_eq(end_next(true), END_NOTHING);
}
END_TEST

/* S2-272: so does SendSm lead back to Combined mode, when all is answered. */
START_TEST(refused)
{
	conn.modes.send = SDP_MODE_PIPELINED;
	conn.modes.peer_pipelined = true;
	sdp_conn_advertise(&conn, &thousand, 0, &message);
	ck_assert_uint_eq(end_next(true), END_NOTHING);
	ck_assert_int_eq(end_receive_mid(SDP_MID_SEND_SM, 0), SDP_OK);
	changes(SDP_MODE_COMBINED);
}
END_TEST

/* S2-280, S2-282, S2-T34: what is advertised when the mode is left, or until the peer knows. */
START_TEST(leaves)
{
	struct sdp_message sink_avail = { .bsdh = { .mid = SDP_MID_SINK_AVAIL, .mseq_ack = 1 },
					  .advert = thousand };

	conn.modes.send = SDP_MODE_PIPELINED;
	advertised(0, 0);
	advertised(0, 0);
	sdp_conn_wrote(&conn, 1);
	ck_assert_uint_eq(end_next(true), SDP_MID_RDMA_WR_COMPL);
	changes(SDP_MODE_COMBINED);
	ck_assert_uint_eq(count(), 0);
	/* Payload that follows discards nothing that was advertised before. */
	sink_avail.bsdh.mseq_ack += _i;
	if (_i)
		send_payload();
	ck_assert_int_eq(end_receive(&sink_avail, 0), SDP_OK);
	ck_assert_uint_eq(count(), 0);
	ck_assert_uint_eq(conn.write.non_discards, _i);
	sink_avail.bsdh.mseq_ack = 0;
	ck_assert_int_eq(end_receive(&sink_avail, 0), SDP_FAULT_MODE);
}
END_TEST

/* The same of one that was stale before. */
START_TEST(leaves_with_stale)
{
	struct sdp_message sink_avail = { .bsdh = { .mid = SDP_MID_SINK_AVAIL, .mseq_ack = 1 },
					  .advert = thousand };

	conn.modes.send = SDP_MODE_PIPELINED;
	send_payload();
	changes(SDP_MODE_COMBINED);
	ck_assert_int_eq(end_receive(&sink_avail, 0), SDP_OK);
	ck_assert_uint_eq(conn.write.non_discards, 0);
	ck_assert_int_eq(end_receive(&sink_avail, 0), SDP_OK);
	ck_assert_uint_eq(conn.write.non_discards, 0);
}
END_TEST

/* --- Read Zcopy in Pipelined mode */

/* S2-172, S2-255, S2-268, S2-T16: two are read in order, and each is told of by itself. */
START_TEST(reads_two)
{
	struct sdp_message src_avail = { .bsdh.mid = SDP_MID_SRC_AVAIL, .advert = thousand };
	struct sdp_advert part;

	ck_assert_int_eq(end_receive_change(SDP_MODE_PIPELINED, false), SDP_OK);
	ck_assert_int_eq(end_receive(&src_avail, 0), SDP_OK);
	ck_assert(delivery.advertised);
	src_avail.advert = (struct sdp_advert){ .len = 50, .rkey = KEY, .addr = 5 };
	ck_assert_int_eq(end_receive(&src_avail, 0), SDP_OK);
	sdp_sink_read_begin(&conn.sink, 5000, &part);
	ck_assert_uint_eq(part.len, 1000);
	ck_assert_uint_eq(part.addr, ADDRESS);
	sdp_conn_read_end(&conn, 1000);
	ck_assert_uint_eq(conn.sink.advert.len, 0);
	ck_assert_uint_eq(end_next(false), SDP_MID_RDMA_RD_COMPL);
	ck_assert_uint_eq(message.size, 1000);
	sdp_sink_read_begin(&conn.sink, 5000, &part);
	ck_assert_uint_eq(part.len, 50);
	ck_assert_uint_eq(part.addr, 5);
	sdp_conn_read_end(&conn, 50);
	ck_assert_uint_eq(end_next(false), SDP_MID_RDMA_RD_COMPL);
	ck_assert_uint_eq(message.size, 50);
	ck_assert_uint_eq(sdp_sink_outstanding(&conn.sink), 0);
}
END_TEST

/*
 * S2-179, S2-198, S2-263: what comes behind one that was refused stays advertised, whether the peer
 * knew of the SendSm or not, and is read once the Data of the refused one has come: what was not
 * read of its 1,000 octets.
 */
START_TEST(reads_behind_refused)
{
	struct sdp_message src_avail = { .bsdh = { .mid = SDP_MID_SRC_AVAIL, .mseq_ack = _i % 2 },
					 .advert = thousand };
	u32 read = _i < 2 ? 0 : 300;
	struct sdp_advert part;

	ck_assert_int_eq(end_receive_change(SDP_MODE_PIPELINED, false), SDP_OK);
	ck_assert_int_eq(end_receive_mid(SDP_MID_SRC_AVAIL, 0), SDP_OK);
	if (read) {
		sdp_sink_read_begin(&conn.sink, read, &part);
		sdp_conn_read_end(&conn, read);
		ck_assert_uint_eq(end_next(false), SDP_MID_RDMA_RD_COMPL);
	}
	sdp_sink_refuse(&conn.sink);
	ck_assert_uint_eq(end_next(false), SDP_MID_SEND_SM);
	ck_assert_int_eq(end_receive(&src_avail, 0), SDP_OK);
	ck_assert(!delivery.advertised);
	ck_assert(!sdp_sink_is_readable(&conn.sink));
	ck_assert_int_eq(end_receive_mid(SDP_MID_DATA, 400), SDP_OK);
	ck_assert(!delivery.advertised);
	ck_assert_int_eq(end_receive_mid(SDP_MID_DATA, 600 - read), SDP_OK);
	ck_assert(delivery.advertised);
	ck_assert(sdp_sink_is_readable(&conn.sink));
	ck_assert_uint_eq(end_next(false), END_NOTHING);
	/* No more of it is to come. */
	ck_assert_int_eq(end_receive_mid(SDP_MID_DATA, 1), SDP_FAULT_MODE);
}
END_TEST

/* S2-263: Data of the refused one that is longer than that would be of what is advertised. */
START_TEST(more_than_refused)
{
	ck_assert_int_eq(end_receive_change(SDP_MODE_PIPELINED, false), SDP_OK);
	ck_assert_int_eq(end_receive_mid(SDP_MID_SRC_AVAIL, 0), SDP_OK);
	sdp_sink_refuse(&conn.sink);
	ck_assert_uint_eq(end_next(false), SDP_MID_SEND_SM);
	if (_i)
		ck_assert_int_eq(end_receive_mid(SDP_MID_SRC_AVAIL, 0), SDP_OK);
	ck_assert_int_eq(end_receive_mid(SDP_MID_DATA, 1001), _i ? SDP_FAULT_MODE : SDP_OK);
}
END_TEST

/* S2-208: nothing is expected of what was canceled, whether it was refused before or not. */
START_TEST(canceled_behind_refused)
{
	ck_assert_int_eq(end_receive_change(SDP_MODE_PIPELINED, false), SDP_OK);
	ck_assert_int_eq(end_receive_mid(SDP_MID_SRC_AVAIL, 0), SDP_OK);
	sdp_sink_refuse(&conn.sink);
	ck_assert_uint_eq(end_next(false), SDP_MID_SEND_SM);
	ck_assert_int_eq(end_receive_mid(SDP_MID_SRC_AVAIL, 0), SDP_OK);
	ck_assert_int_eq(end_receive_mid(SDP_MID_SRC_AVAIL_CANCEL, 0), SDP_OK);
	ck_assert_uint_eq(end_next(false), SDP_MID_SEND_SM);
	ck_assert_int_eq(end_receive_mid(SDP_MID_SRC_AVAIL, 0), SDP_OK);
	ck_assert(delivery.advertised);
	ck_assert(sdp_sink_is_readable(&conn.sink));
}
END_TEST

/*
 * S2-282, S2-283: what the source had advertised when it leaves the mode is read or refused, unless
 * it has forgotten that because of a SinkAvail.
 */
START_TEST(source_leaves)
{
	struct sdp_message src_avail = { .bsdh.mid = SDP_MID_SRC_AVAIL, .advert = thousand };
	struct sdp_advert part;

	ck_assert_int_eq(end_receive_change(SDP_MODE_PIPELINED, false), SDP_OK);
	ck_assert_int_eq(end_receive(&src_avail, 0), SDP_OK);
	ck_assert_int_eq(end_receive(&src_avail, 0), SDP_OK);
	if (_i) /* an RDMA Read is under way */
		sdp_sink_read_begin(&conn.sink, 5000, &part);
	ck_assert_int_eq(end_receive_change(SDP_MODE_COMBINED, false), SDP_OK);
	ck_assert_uint_eq(end_next(false), END_NOTHING);
	/* In Combined mode there is one more when both were answered. */
	ck_assert_uint_eq(sdp_sink_outstanding(&conn.sink), 2);
	if (!_i)
		sdp_sink_read_begin(&conn.sink, 5000, &part);
	sdp_conn_read_end(&conn, 1000);
	ck_assert_uint_eq(end_next(false), SDP_MID_RDMA_RD_COMPL);
	ck_assert_uint_eq(message.size, 1000);
	sdp_sink_refuse(&conn.sink);
	ck_assert_uint_eq(end_next(false), SDP_MID_SEND_SM);
	ck_assert_int_eq(end_receive_mid(SDP_MID_DATA, 1000), SDP_OK);
	ck_assert_int_eq(end_receive(&src_avail, 1), SDP_OK);
	ck_assert(delivery.advertised);
}
END_TEST

/* S2-179, S2-263: both are refused when the source has left the mode; Data follows each SendSm. */
START_TEST(source_leaves_refused)
{
	ck_assert_int_eq(end_receive_change(SDP_MODE_PIPELINED, false), SDP_OK);
	ck_assert_int_eq(end_receive_mid(SDP_MID_SRC_AVAIL, 0), SDP_OK);
	ck_assert_int_eq(end_receive_mid(SDP_MID_SRC_AVAIL, 0), SDP_OK);
	ck_assert_int_eq(end_receive_change(SDP_MODE_COMBINED, false), SDP_OK);
	sdp_sink_refuse(&conn.sink);
	ck_assert_uint_eq(end_next(false), SDP_MID_SEND_SM);
	ck_assert_int_eq(end_receive_mid(SDP_MID_DATA, 1000), SDP_OK);
	ck_assert_uint_eq(end_next(false), SDP_MID_SEND_SM);
	ck_assert_int_eq(end_receive_mid(SDP_MID_DATA, 1000), SDP_OK);
	ck_assert_int_eq(end_receive_mid(SDP_MID_SRC_AVAIL, 1), SDP_OK);
}
END_TEST

Suite *sdp_write_suite(void)
{
	Suite *suite = suite_create("sdp_write");
	TCase *tc = tcase_create("sdp_write");

	tcase_add_checked_fixture(tc, end_begin, NULL);
	tcase_add_loop_test(tc, written, 0, 4);
	tcase_add_test(tc, discarded);
	tcase_add_test(tc, crossed_by_src_avail);
	tcase_add_loop_test(tc, cancels, 0, COUNT(cancel_answers));
	tcase_add_test(tc, payload_for_ack);
	tcase_add_loop_test(tc, peer_leaves, 0, 2);
	tcase_add_loop_test(tc, peer_closes, 0, 2);
	tcase_add_test(tc, transaction);
	tcase_add_loop_test(tc, as_many_as_the_peer_accepts, 0, 2);
	tcase_add_loop_test(tc, writes, 0, 2);
	tcase_add_test(tc, stale);
	tcase_add_test(tc, stale_wraps);
	tcase_add_loop_test(tc, overrides, 0, 2);
	tcase_add_loop_test(tc, canceled, 0, 3);
	tcase_add_test(tc, too_many);
	tcase_add_test(tc, follows);
	tcase_add_test(tc, ignores_preference);
	tcase_add_test(tc, refused);
	tcase_add_loop_test(tc, leaves, 0, 2);
	tcase_add_test(tc, leaves_with_stale);
	tcase_add_test(tc, reads_two);
	tcase_add_loop_test(tc, reads_behind_refused, 0, 4);
	tcase_add_loop_test(tc, more_than_refused, 0, 2);
	tcase_add_test(tc, canceled_behind_refused);
	tcase_add_loop_test(tc, source_leaves, 0, 2);
	tcase_add_test(tc, source_leaves_refused);
	suite_add_tcase(suite, tc);
	return suite;
}
