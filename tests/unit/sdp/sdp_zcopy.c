// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* SDP's Read Zcopy at one end: what is advertised, read, refused and canceled. */
#include <check.h>
#include "tests/unit/sdp/sdp_end.h"
#include "tests/unit/suites.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define ADDRESS 0x123456789abcull
#define KEY 0xdeadbeef

static struct sdp_advert part;

/* The peer advertises 1,000 octets, of which 10 come with SrcAvail. */
static void advertised(void)
{
	struct sdp_message src_avail = { .bsdh.mid = SDP_MID_SRC_AVAIL,
					 .advert = { .len = 1000, .rkey = KEY, .addr = ADDRESS } };

	ck_assert_int_eq(end_receive(&src_avail, 10), SDP_OK);
	ck_assert(delivery.advertised);
	ck_assert_uint_eq(delivery.payload, 10);
}

static void begin(u32 octets, u32 expected)
{
	sdp_sink_read_begin(&conn.sink, octets, &part);
	ck_assert_uint_eq(part.len, expected);
	ck_assert_uint_eq(part.rkey, KEY);
}

/* @last: there is no other for that SrcAvail, so that its R_Key may be invalidated (S2-176). */
static void rd_compl(u32 octets, bool last)
{
	ck_assert_uint_eq(end_next(false), SDP_MID_RDMA_RD_COMPL);
	ck_assert_uint_eq(message.size, octets);
	ck_assert(message.last == last);
	ck_assert_uint_eq(message.rkey, KEY);
	ck_assert_uint_eq(message.bsdh.len, 20);
}

/* S2-074, S2-081, S2-170, S2-171, S2-172: what came with SrcAvail is not read again. */
START_TEST(read_whole)
{
	advertised();
	ck_assert_uint_eq(end_next(false), END_NOTHING);
	begin(5000, 990);
	ck_assert_uint_eq(part.addr, ADDRESS + 10);
	ck_assert_uint_eq(end_next(false), END_NOTHING);
	sdp_conn_read_end(&conn, 990);
	rd_compl(990, true);
	ck_assert_uint_eq(end_next(false), END_NOTHING);
	ck_assert_int_eq(end_receive_mid(SDP_MID_DATA, 100), SDP_OK);
}
END_TEST

/* S2-172, S2-173: several RdmaRdCompl, and SendSm for the rest; then it comes as Data. */
START_TEST(read_in_parts)
{
	advertised();
	begin(100, 100);
	sdp_conn_read_end(&conn, 100);
	rd_compl(100, false);
	begin(200, 200);
	ck_assert_uint_eq(part.addr, ADDRESS + 110);
	sdp_conn_read_end(&conn, 200);
	begin(50, 50);
	sdp_conn_read_end(&conn, 50);
	rd_compl(250, false);
	sdp_sink_refuse(&conn.sink);
	ck_assert_uint_eq(end_next(false), SDP_MID_SEND_SM);
	sdp_sink_refuse(&conn.sink);
	ck_assert_uint_eq(end_next(false), END_NOTHING);
	ck_assert_int_eq(end_receive_mid(SDP_MID_DATA, 100), SDP_OK);
}
END_TEST

/* S2-179: who refuses while it reads tells of what was read first. */
START_TEST(refused_while_read)
{
	advertised();
	begin(100, 100);
	sdp_sink_refuse(&conn.sink);
	ck_assert_uint_eq(end_next(false), END_NOTHING);
	sdp_conn_read_end(&conn, _i ? 100 : 0);
	if (_i)
		rd_compl(100, false);
	ck_assert_uint_eq(end_next(false), SDP_MID_SEND_SM);
	ck_assert_uint_eq(end_next(false), END_NOTHING);
}
END_TEST

/* An SrcAvail may contain all octets that it advertises. */
START_TEST(nothing_left)
{
	struct sdp_message src_avail = { .bsdh.mid = SDP_MID_SRC_AVAIL, .advert.len = 10 };

	ck_assert_int_eq(end_receive(&src_avail, 10), SDP_OK);
	ck_assert(!delivery.advertised);
	ck_assert_uint_eq(end_next(false), SDP_MID_SEND_SM);
	ck_assert_uint_eq(end_next(false), END_NOTHING);
}
END_TEST

/* S2-208, S2-209, S2-T29 (b): nothing was begun, so all is refused. */
START_TEST(cancel_before)
{
	advertised();
	ck_assert_int_eq(end_receive_mid(SDP_MID_SRC_AVAIL_CANCEL, 0), SDP_OK);
	ck_assert_uint_eq(conn.sink.advert.len, 0);
	ck_assert_uint_eq(end_next(false), SDP_MID_SEND_SM);
	ck_assert_uint_eq(message.bsdh.mseq_ack, 2);
	ck_assert_uint_eq(end_next(false), END_NOTHING);
}
END_TEST

/*
 * S2-048, S2-208a, S2-T29 (c): what is being read is read. Meanwhile the cancel is not
 * acknowledged, and the peer has as many credits as it had.
 */
START_TEST(cancel_while_read)
{
	advertised();
	begin(100, 100);
	ck_assert_int_eq(end_receive_mid(SDP_MID_SRC_AVAIL_CANCEL, 0), SDP_OK);
	ck_assert_int_eq(end_receive_mid(SDP_MID_CH_RCV_BUF, 0), SDP_OK);
	ck_assert_uint_eq(end_next(false), SDP_MID_CH_RCV_BUF_ACK);
	ck_assert_uint_eq(message.bsdh.mseq_ack, 1);
	ck_assert_uint_eq(message.bsdh.bufs, END_BUFS - 3 + 2);
	ck_assert_uint_eq(end_next(false), END_NOTHING);
	sdp_conn_read_end(&conn, 100);
	rd_compl(100, false);
	ck_assert_uint_eq(message.bsdh.mseq_ack, 3);
	ck_assert_uint_eq(message.bsdh.bufs, END_BUFS - 3);
	ck_assert_uint_eq(end_next(false), SDP_MID_SEND_SM);
	ck_assert_uint_eq(end_next(false), END_NOTHING);
}
END_TEST

/* S2-208, S2-T29 (a): what is canceled has been read, or is read to its end. */
START_TEST(cancel_too_late)
{
	advertised();
	begin(1000, 990);
	if (_i)
		sdp_conn_read_end(&conn, 990);
	ck_assert_int_eq(end_receive_mid(SDP_MID_SRC_AVAIL_CANCEL, 0), SDP_OK);
	if (!_i)
		sdp_conn_read_end(&conn, 990);
	rd_compl(990, true);
	ck_assert_uint_eq(end_next(false), END_NOTHING);
}
END_TEST

/* S2-279: in Pipelined mode what was being read in Combined mode is answered first. */
START_TEST(pipelined_while_read)
{
	advertised();
	begin(100, 100);
	ck_assert_int_eq(end_receive_change(SDP_MODE_PIPELINED, false), SDP_OK);
	ck_assert_int_eq(end_receive_mid(SDP_MID_SRC_AVAIL, 0), SDP_OK);
	ck_assert_uint_eq(end_next(false), END_NOTHING);
	sdp_conn_read_end(&conn, 100);
	rd_compl(100, false);
	ck_assert_uint_eq(end_next(false), SDP_MID_SEND_SM);
	ck_assert_uint_eq(end_next(false), SDP_MID_SEND_SM);
	ck_assert_uint_eq(end_next(false), END_NOTHING);
}
END_TEST

/* S2-209: of all that is advertised then, the oldest is refused. */
START_TEST(pipelined_and_canceled)
{
	advertised();
	begin(100, 100);
	ck_assert_int_eq(end_receive_change(SDP_MODE_PIPELINED, false), SDP_OK);
	ck_assert_int_eq(end_receive_mid(SDP_MID_SRC_AVAIL, 0), SDP_OK);
	ck_assert_int_eq(end_receive_mid(SDP_MID_SRC_AVAIL_CANCEL, 0), SDP_OK);
	sdp_conn_read_end(&conn, 100);
	rd_compl(100, false);
	ck_assert_uint_eq(end_next(false), SDP_MID_SEND_SM);
	ck_assert_uint_eq(end_next(false), END_NOTHING);
}
END_TEST

/* --- what this end advertises */

/* Octets that can go with SrcAvail in Combined mode, or 0. */
static u32 may_advertise(void)
{
	u32 payload;

	return sdp_conn_may_advertise(&conn, &payload) ? payload : 0;
}

static void advertise(void)
{
	ck_assert_uint_eq(may_advertise(), END_PEER_SIZE - 32); /* S2-166 */
	sdp_conn_advertise(&conn,
			   &(struct sdp_advert){ .len = 1000, .rkey = KEY, .addr = ADDRESS }, 10,
			   &message);
	ck_assert_uint_eq(message.bsdh.mid, SDP_MID_SRC_AVAIL);
	ck_assert_uint_eq(message.bsdh.len, 32 + 10); /* S2-071, S2-168, S2-261 */
	ck_assert_uint_eq(message.advert.len, 1000); /* S2-169: its payload included */
	ck_assert_uint_eq(message.advert.addr, ADDRESS);
}

static enum sdp_fault was_read(u32 octets)
{
	return end_receive(&(struct sdp_message){ .bsdh.mid = SDP_MID_RDMA_RD_COMPL,
						  .size = octets },
			   0);
}

/* S2-T15, S2-260: while it is not answered, no payload and no other SrcAvail goes. */
static void busy(void)
{
	ck_assert_uint_eq(sdp_conn_payload_max(&conn), 0);
	ck_assert(!sdp_conn_is_payload_next(&conn));
	ck_assert_uint_eq(may_advertise(), 0);
}

/* S2-174, S2-180, S2-T17, S2-A5: it is read in one or several parts. */
START_TEST(was_read_in_parts)
{
	static const u32 parts[][4] = { { 990 }, { 1, 989 }, { 400, 0, 590 }, { 330, 330, 330 } };
	u32 left = 990;
	int i;

	advertise();
	for (i = 0; left; i++) {
		busy();
		ck_assert_int_eq(was_read(parts[_i][i]), SDP_OK);
		ck_assert(delivery.answered);
		left -= parts[_i][i];
		ck_assert_uint_eq(conn.source.left, left);
	}
	ck_assert_uint_eq(conn.source.refused, 0);
	advertise();
}
END_TEST

/* S2-T17: more than there was; and nothing was advertised. */
START_TEST(too_much_was_read)
{
	ck_assert_int_eq(was_read(0), SDP_FAULT_STATE);
	advertise();
	ck_assert_int_eq(was_read(991), SDP_FAULT_FIELD);
	ck_assert_int_eq(was_read(500), SDP_OK);
	ck_assert_int_eq(was_read(491), SDP_FAULT_FIELD);
	ck_assert_int_eq(was_read(490), SDP_OK);
	ck_assert_int_eq(was_read(1), SDP_FAULT_STATE);
}
END_TEST

/* S2-178, S2-T18: the rest is to be sent by Data, and one SendSm is all. */
START_TEST(was_refused)
{
	advertise();
	if (_i)
		ck_assert_int_eq(was_read(100), SDP_OK);
	ck_assert_int_eq(end_receive_mid(SDP_MID_SEND_SM, 0), SDP_OK);
	ck_assert(delivery.answered);
	ck_assert_uint_eq(conn.source.left, 0);
	ck_assert_uint_eq(conn.source.refused, _i ? 890 : 990);
	ck_assert_uint_ne(sdp_conn_payload_max(&conn), 0);
	ck_assert_int_eq(end_receive_mid(SDP_MID_SEND_SM, 0), SDP_FAULT_STATE);
	ck_assert_int_eq(was_read(1), SDP_FAULT_STATE);
}
END_TEST

/* S2-207, S2-210: one SrcAvailCancel, and nothing new until it was answered. */
START_TEST(cancels)
{
	sdp_source_cancel(&conn.source);
	ck_assert_uint_eq(end_next(false), END_NOTHING);
	advertise();
	sdp_source_cancel(&conn.source);
	ck_assert_uint_eq(end_next(false), SDP_MID_SRC_AVAIL_CANCEL);
	ck_assert_uint_eq(message.bsdh.len, 16);
	sdp_source_cancel(&conn.source);
	ck_assert_uint_eq(end_next(false), END_NOTHING);
	busy();
	if (_i) {
		ck_assert_int_eq(was_read(990), SDP_OK);
	} else {
		ck_assert_int_eq(was_read(90), SDP_OK);
		busy();
		ck_assert_int_eq(end_receive_mid(SDP_MID_SEND_SM, 0), SDP_OK);
	}
	advertise();
	ck_assert_uint_eq(end_next(false), END_NOTHING);
}
END_TEST

/* A cancel that waits for credit is not sent any more if the answer was there before. */
START_TEST(cancels_too_late)
{
	advertise();
	sdp_source_cancel(&conn.source);
	ck_assert_int_eq(_i ? was_read(990) : end_receive_mid(SDP_MID_SEND_SM, 0), SDP_OK);
	ck_assert_uint_eq(end_next(false), END_NOTHING);
}
END_TEST

/* S2-146: DisConn waits for the answer. */
START_TEST(closes)
{
	advertise();
	conn.end.disconn = true;
	ck_assert_uint_eq(end_next(false), END_NOTHING);
	ck_assert_int_eq(was_read(990), SDP_OK);
	ck_assert_uint_eq(end_next(false), SDP_MID_DISCONN);
}
END_TEST

/* S2-158: an abort waits for nothing. */
START_TEST(aborts)
{
	advertise();
	sdp_source_cancel(&conn.source);
	conn.end.abort = true;
	ck_assert_uint_eq(end_next(false), END_NOTHING);
}
END_TEST

/* Nothing is advertised without credit, in Buffered mode (S2-257), or at the end. */
START_TEST(may_not)
{
	static const u32 sizes[][2] = { { 33, 1 }, { 32, 0 }, { 17, 0 } };
	int i;

	conn.modes.send = SDP_MODE_BUFFERED;
	ck_assert_uint_eq(may_advertise(), 0);
	conn.modes.send = SDP_MODE_COMBINED;
	conn.end.disconn = true;
	ck_assert_uint_eq(may_advertise(), 0);
	conn.end.disconn = false;
	conn.credits.peer_bufs = 2;
	ck_assert_uint_eq(may_advertise(), 0);
	conn.credits.peer_bufs = 3;
	for (i = 0; i < COUNT(sizes); i++) {
		conn.peer_size = sizes[i][0];
		ck_assert_uint_eq(may_advertise(), sizes[i][1]);
	}
}
END_TEST

Suite *sdp_zcopy_suite(void)
{
	Suite *suite = suite_create("sdp_zcopy");
	TCase *tc = tcase_create("sdp_zcopy");

	tcase_add_checked_fixture(tc, end_begin, NULL);
	tcase_add_test(tc, read_whole);
	tcase_add_test(tc, read_in_parts);
	tcase_add_loop_test(tc, refused_while_read, 0, 2);
	tcase_add_test(tc, nothing_left);
	tcase_add_test(tc, cancel_before);
	tcase_add_test(tc, cancel_while_read);
	tcase_add_loop_test(tc, cancel_too_late, 0, 2);
	tcase_add_test(tc, pipelined_while_read);
	tcase_add_test(tc, pipelined_and_canceled);
	tcase_add_loop_test(tc, was_read_in_parts, 0, 4);
	tcase_add_test(tc, too_much_was_read);
	tcase_add_loop_test(tc, was_refused, 0, 2);
	tcase_add_loop_test(tc, cancels, 0, 2);
	tcase_add_loop_test(tc, cancels_too_late, 0, 2);
	tcase_add_test(tc, closes);
	tcase_add_test(tc, aborts);
	tcase_add_test(tc, may_not);
	suite_add_tcase(suite, tc);
	return suite;
}
