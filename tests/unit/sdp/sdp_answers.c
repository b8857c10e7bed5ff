// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* SDP's protocol of one connection: what is sent in answer, in which order, and how it ends. */
#include <check.h>
#include <string.h>
#include "tests/unit/sdp/sdp_end.h"
#include "tests/unit/suites.h"

#define PEND SDP_FLAG_OOB_PEND
#define PRES SDP_FLAG_OOB_PRES

/* It is not read. */
static void advertised(void)
{
	ck_assert_int_eq(end_receive_mid(SDP_MID_SRC_AVAIL, 1), SDP_OK);
	sdp_sink_refuse(&conn.sink);
}

static void advertised_twice(void)
{
	ck_assert_int_eq(end_receive_change(SDP_MODE_PIPELINED, false), SDP_OK);
	ck_assert_int_eq(end_receive_mid(SDP_MID_SRC_AVAIL, 0), SDP_OK);
	ck_assert_int_eq(end_receive_mid(SDP_MID_SRC_AVAIL, 0), SDP_OK);
}

/* S2-164, S2-170, S2-318, S2-T19: one SendSm for each SrcAvail. */
START_TEST(send_sm)
{
	advertised();
	ck_assert_uint_eq(end_next(false), SDP_MID_SEND_SM); /* S2-197 */
	ck_assert_uint_eq(message.bsdh.len, 16); /* S2-079 */
	ck_assert_uint_eq(message.bsdh.mseq_ack, 1);
	ck_assert_uint_eq(end_next(false), END_NOTHING);
	/* S2-178, S2-263: what remains comes as Data, and then there can be another. */
	ck_assert_int_eq(end_receive_mid(SDP_MID_DATA, 100), SDP_OK);
	conn.credits.posted += 2;
	advertised_twice();
	sdp_sink_refuse(&conn.sink);
	ck_assert_uint_eq(end_next(true), SDP_MID_SEND_SM);
	/* S2-263: data of the first comes, while the other is not answered. */
	ck_assert_int_eq(end_receive_mid(SDP_MID_DATA, 100), SDP_OK);
	ck_assert_uint_eq(end_next(true), SDP_MID_SEND_SM);
	ck_assert_uint_eq(end_next(true), END_NOTHING);
}
END_TEST

/* S2-086, S2-208, S2-209, S2-T29: one SendSm for all that is canceled, or none. */
START_TEST(cancel)
{
	ck_assert_int_eq(end_receive_mid(SDP_MID_SRC_AVAIL_CANCEL, 0), SDP_OK);
	ck_assert_uint_eq(end_next(false), END_NOTHING);
	advertised_twice();
	ck_assert_int_eq(end_receive_mid(SDP_MID_SRC_AVAIL_CANCEL, 0), SDP_OK);
	ck_assert_uint_eq(end_next(false), SDP_MID_SEND_SM);
	ck_assert_uint_eq(message.bsdh.mseq_ack, 5);
	ck_assert_uint_eq(end_next(false), END_NOTHING);
}
END_TEST

/*
 * S2-267, S2-283: a source that has advertised while a SinkAvail was on its way to it forgets that,
 * and advertises anew when it has left Pipelined mode.
 */
START_TEST(back_to_combined)
{
	ck_assert_int_eq(end_receive_change(SDP_MODE_PIPELINED, false), SDP_OK);
	sdp_conn_make_room(&conn, &(struct sdp_advert){ .len = 5000 }, 0, &message);
	ck_assert_int_eq(end_receive_mid(SDP_MID_SRC_AVAIL, 0), SDP_OK);
	ck_assert_int_eq(end_receive_change(SDP_MODE_COMBINED, false), SDP_OK);
	ck_assert(delivery.released);
	ck_assert_uint_eq(end_next(false), END_NOTHING);
	advertised();
	ck_assert_uint_eq(end_next(false), SDP_MID_SEND_SM);
	ck_assert_uint_eq(end_next(false), END_NOTHING);
}
END_TEST

/* S2-083, S2-246, S2-275, S2-276, S2-278: the half-connections change for themselves. */
START_TEST(modes)
{
	ck_assert_uint_eq(conn.modes.recv, SDP_MODE_COMBINED);
	ck_assert_uint_eq(conn.modes.send, SDP_MODE_COMBINED);
	ck_assert_int_eq(end_receive_change(SDP_MODE_PIPELINED, false), SDP_OK);
	ck_assert_uint_eq(conn.modes.recv, SDP_MODE_PIPELINED);
	ck_assert_uint_eq(conn.modes.send, SDP_MODE_COMBINED);
	conn.modes.send = SDP_MODE_BUFFERED;
	ck_assert_int_eq(end_receive_change(SDP_MODE_COMBINED, true), SDP_OK);
	ck_assert_uint_eq(conn.modes.recv, SDP_MODE_PIPELINED);
	ck_assert_uint_eq(conn.modes.send, SDP_MODE_COMBINED);
}
END_TEST

/* Answers come before all else, credits and announcements before the end. */
START_TEST(order)
{
	conn.end.disconn = true;
	ck_assert_int_eq(sdp_urgent_queue(&conn.urgent, 1, true), 0);
	advertised();
	ck_assert_int_eq(end_receive_mid(SDP_MID_CH_RCV_BUF, 0), SDP_OK);
	ck_assert_uint_eq(end_next(false), SDP_MID_SEND_SM);
	ck_assert_uint_eq(message.bsdh.flags, PEND); /* S2-039, S2-202 */
	ck_assert_uint_eq(end_next(false), SDP_MID_CH_RCV_BUF_ACK);
	ck_assert_uint_eq(message.bsdh.flags, 0);
	ck_assert_int_eq(sdp_urgent_queue(&conn.urgent, 1, true), 0);
	/* Payload that can be sent makes the announcement itself. */
	ck_assert_uint_eq(end_next(true), END_NOTHING);
	ck_assert_uint_eq(end_next(false), SDP_MID_DATA);
	ck_assert_uint_eq(message.bsdh.flags, PEND);
	ck_assert_uint_eq(message.bsdh.len, 16);
	ck_assert_uint_eq(end_next(true), END_NOTHING); /* S2-146: data is sent first. */
	/* Data that is not queued yet goes before the end, but does not suppress what is due. */
	conn.end.more = true;
	ck_assert_uint_eq(end_next(false), END_NOTHING);
	ck_assert_int_eq(sdp_urgent_queue(&conn.urgent, 1, true), 0);
	ck_assert_uint_eq(end_next(false), SDP_MID_DATA);
	conn.end.more = false;
	ck_assert_uint_eq(end_next(false), SDP_MID_DISCONN);
	ck_assert_uint_eq(end_next(false), END_NOTHING);
}
END_TEST

/* S2-204, S2-228 to S2-231, S2-A10: what the last three credits are for. */
START_TEST(last_credits)
{
	struct sdp_bsdh bsdh;
	int i;

	conn.end.disconn = true;
	ck_assert_uint_eq(sdp_conn_payload_max(&conn), END_PEER_SIZE - SDP_BSDH_SIZE); /* S2-166 */
	for (i = 0; i < END_BUFS - 2; i++) {
		ck_assert_uint_ne(sdp_conn_payload_max(&conn), 0);
		ck_assert_int_eq(sdp_urgent_queue(&conn.urgent, 496, false), 0);
		sdp_conn_data(&conn, 496, i == 2, &bsdh);
		ck_assert_uint_eq(bsdh.mid, SDP_MID_DATA);
		ck_assert_uint_eq(bsdh.len, 512);
		ck_assert_uint_eq(bsdh.mseq, i + 1);
		ck_assert_uint_eq(bsdh.flags, i == 2 ? PRES : 0);
	}
	ck_assert_uint_eq(sdp_conn_payload_max(&conn), 0);
	ck_assert_int_eq(sdp_urgent_queue(&conn.urgent, 1, true), 0);
	ck_assert_uint_eq(end_next(true), SDP_MID_DATA);
	ck_assert_uint_eq(message.bsdh.flags, PEND);
	/* With one credit, DisConn must provide credit itself. */
	ck_assert_uint_eq(end_next(false), END_NOTHING);
	conn.credits.posted++;
	ck_assert_uint_eq(end_next(false), SDP_MID_DISCONN);
	conn.credits.posted++;
	advertised();
	ck_assert_uint_eq(end_next(false), SDP_MID_SEND_SM);
}
END_TEST

/* S2-202, S2-203: a message can always announce the octet out of band that it ends with. */
START_TEST(long_payload)
{
	struct sdp_bsdh bsdh;
	u32 octets;

	sdp_conn_init(&conn, END_BUFS, END_SIZE, END_ADVERTS, END_BUFS, 100000,
		      END_ADVERTS);
	octets = sdp_conn_payload_max(&conn);
	ck_assert_uint_ge(octets, 60000);
	ck_assert_int_eq(sdp_urgent_queue(&conn.urgent, octets, true), 0);
	sdp_conn_data(&conn, octets, true, &bsdh);
	ck_assert_uint_eq(bsdh.flags, PEND | PRES);
	ck_assert_uint_eq(bsdh.len, SDP_BSDH_SIZE + octets);
}
END_TEST

/* S2-151, S2-229: credits that lack delay an answer, and do not lose it. */
START_TEST(delayed)
{
	conn.credits.peer_bufs = 1;
	ck_assert_int_eq(end_receive(&(struct sdp_message){ .bsdh.mid = SDP_MID_CH_RCV_BUF }, 0),
			 SDP_OK);
	conn.credits.peer_bufs = 0;
	ck_assert_uint_eq(end_next(false), END_NOTHING);
	ck_assert_int_eq(end_receive_mid(SDP_MID_DATA, 0), SDP_OK);
	ck_assert_uint_eq(end_next(false), SDP_MID_CH_RCV_BUF_ACK);
}
END_TEST

/* --- the end */

static void send_disconn(void)
{
	conn.end.disconn = true;
	ck_assert_uint_eq(end_next(false), SDP_MID_DISCONN);
	ck_assert_uint_eq(message.bsdh.len, 16);
}

/* S2-067, S2-147, S2-148: the first to close receives on, and does not end the connection. */
START_TEST(closes_first)
{
	send_disconn();
	ck_assert(!conn.end.ours);
	ck_assert_uint_eq(sdp_conn_payload_max(&conn), 0);
	ck_assert_int_eq(end_receive_mid(SDP_MID_DATA, 100), SDP_OK);
	conn.credits.posted++;
	ck_assert_int_eq(end_receive_mid(SDP_MID_DISCONN, 0), SDP_OK);
	ck_assert(delivery.disconn && !conn.end.ours);
	ck_assert_uint_eq(end_next(false), END_NOTHING);
}
END_TEST

/* S2-151, S2-153, S2-154, S2-T37: the second sends on, and ends the connection. */
START_TEST(closes_second)
{
	struct sdp_bsdh bsdh;

	ck_assert_int_eq(end_receive_mid(SDP_MID_DISCONN, 0), SDP_OK);
	ck_assert(!conn.end.ours);
	ck_assert_uint_gt(sdp_conn_payload_max(&conn), 0);
	sdp_conn_data(&conn, 100, false, &bsdh);
	ck_assert(!conn.end.ours);
	send_disconn();
	ck_assert(conn.end.ours);
}
END_TEST

/* S2-154: if DisConns cross, at any MSeq, both ends end the connection. */
START_TEST(both_close)
{
	static const u32 origins[] = { 0, 1, 0x7fffffff, 0xfffffffd, 0xfffffffe, 0xffffffff };
	u32 origin = origins[_i];

	conn.credits.sent = conn.credits.acked = origin;
	send_disconn();
	ck_assert_int_eq(end_receive(&(struct sdp_message){ .bsdh = { .mid = SDP_MID_DISCONN,
								      .mseq_ack = 1 } },
				     0),
			 SDP_OK);
	ck_assert(conn.end.ours);
}
END_TEST

/* S2-068, S2-155, S2-158: a DisConn that was sent is withdrawn, once, and nothing else is sent. */
START_TEST(aborts_after_disconn)
{
	send_disconn();
	advertised();
	ck_assert_int_eq(sdp_urgent_queue(&conn.urgent, 1, true), 0);
	conn.end.abort = true;
	ck_assert_uint_eq(end_next(false), SDP_MID_ABORT_CONN);
	ck_assert_uint_eq(message.bsdh.len, 16);
	ck_assert_uint_eq(end_next(false), END_NOTHING);
	ck_assert_uint_eq(sdp_conn_payload_max(&conn), 0);
}
END_TEST

/* S2-068, S2-156, S2-T38: without DisConn, an abort sends nothing. */
START_TEST(aborts)
{
	advertised();
	conn.end.disconn = true;
	conn.end.abort = true;
	ck_assert_uint_eq(end_next(false), END_NOTHING);
	ck_assert_uint_eq(end_next(true), END_NOTHING);
	ck_assert_uint_eq(sdp_conn_payload_max(&conn), 0);
}
END_TEST

/* S2-068, S2-149, S2-157: AbortConn is an end that is not graceful. */
START_TEST(aborted)
{
	ck_assert_int_eq(end_receive_mid(SDP_MID_ABORT_CONN, 0), SDP_FAULT_STATE);
	ck_assert(!conn.end.abort_received && !delivery.abort);
	ck_assert_int_eq(end_receive_mid(SDP_MID_DISCONN, 0), SDP_OK);
	ck_assert_int_eq(end_receive_mid(SDP_MID_ABORT_CONN, 0), SDP_OK);
	ck_assert(conn.end.abort_received && delivery.abort);
}
END_TEST

Suite *sdp_answers_suite(void)
{
	Suite *suite = suite_create("sdp_answers");
	TCase *tc = tcase_create("sdp_answers");

	tcase_add_checked_fixture(tc, end_begin, NULL);
	tcase_add_test(tc, send_sm);
	tcase_add_test(tc, cancel);
	tcase_add_test(tc, back_to_combined);
	tcase_add_test(tc, modes);
	tcase_add_test(tc, order);
	tcase_add_test(tc, last_credits);
	tcase_add_test(tc, long_payload);
	tcase_add_test(tc, delayed);
	tcase_add_test(tc, closes_first);
	tcase_add_test(tc, closes_second);
	tcase_add_loop_test(tc, both_close, 0, 6);
	tcase_add_test(tc, aborts_after_disconn);
	tcase_add_test(tc, aborts);
	tcase_add_test(tc, aborted);
	suite_add_tcase(suite, tc);
	return suite;
}
