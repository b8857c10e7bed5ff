// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* SDP's suspension, at the end that answers: when SuspCommAck goes, and what goes on after it. */
#include <check.h>
#include "tests/unit/sdp/sdp_end.h"
#include "tests/unit/suites.h"

#define PORT 7003

static void suspend(void)
{
	const struct sdp_message susp_comm = { .bsdh.mid = SDP_MID_SUSP_COMM, .port = PORT };

	ck_assert_int_eq(end_receive(&susp_comm, 0), SDP_OK);
	ck_assert(conn.suspend.received && !conn.suspend.acked);
	ck_assert_uint_eq(conn.suspend.port, PORT); /* S2-091 */
}

/* S2-092, S2-290: SuspCommAck, and nothing after it, whatever waits. */
static void acknowledges(void)
{
	ck_assert_uint_eq(end_next(true), SDP_MID_SUSP_COMM_ACK);
	ck_assert_uint_eq(message.bsdh.len, 16);
	ck_assert(sdp_is_solicited(&message.bsdh)); /* S2-298 */
	ck_assert(conn.suspend.acked);
	conn.resize.size = END_SIZE;
	conn.end.disconn = conn.end.abort = true;
	conn.credits.posted += 4;
	ck_assert_uint_eq(end_next(false), END_NOTHING);
	ck_assert_uint_eq(end_next(true), END_NOTHING);
	ck_assert_uint_eq(sdp_conn_payload_max(&conn), 0);
	conn.resize.size = 0;
	conn.end.disconn = conn.end.abort = false;
}

static enum sdp_fault resume(void)
{
	return sdp_conn_resume(&conn, END_BUFS, END_SIZE, END_ADVERTS, END_BUFS, END_PEER_SIZE,
			       END_ADVERTS);
}

/* S2-287, S2-290, S2-T41: payload that was not sent waits for the new connection. */
START_TEST(at_once)
{
	u32 payload;

	ck_assert_int_eq(sdp_urgent_queue(&conn.urgent, 100, false), 0);
	suspend();
	ck_assert_uint_eq(sdp_conn_payload_max(&conn), 0);
	ck_assert(!sdp_conn_may_advertise(&conn, &payload));
	acknowledges();
}
END_TEST

/* S2-289: the peer sends nothing after it, before or after SuspCommAck. */
START_TEST(nothing_follows)
{
	suspend();
	if (_i)
		acknowledges();
	ck_assert_int_eq(end_receive_mid(SDP_MID_DATA, 1), SDP_FAULT_STATE);
	ck_assert_int_eq(end_receive_mid(SDP_MID_DATA, 0), SDP_FAULT_STATE);
}
END_TEST

/* Answers to what came before go before. */
START_TEST(answers_first)
{
	ck_assert_int_eq(end_receive_mid(SDP_MID_CH_RCV_BUF, 0), SDP_OK);
	ck_assert_int_eq(end_receive_mid(SDP_MID_SRC_AVAIL, 1), SDP_OK);
	suspend();
	ck_assert_uint_eq(end_next(false), SDP_MID_SEND_SM); /* S2-286 */
	ck_assert_uint_eq(end_next(false), SDP_MID_CH_RCV_BUF_ACK);
	acknowledges();
}
END_TEST

/* Without credit for both, SuspCommAck stands for SendSm: the peer tells of no more buffers. */
START_TEST(with_two_credits)
{
	ck_assert_int_eq(end_receive_mid(SDP_MID_SRC_AVAIL, 1), SDP_OK);
	suspend();
	conn.credits.peer_bufs = 2;
	acknowledges();
}
END_TEST

/* S2-290: an RDMA Read is in process until it has ended, and its RdmaRdCompl was sent. */
START_TEST(while_read)
{
	struct sdp_advert part;

	ck_assert_int_eq(end_receive_mid(SDP_MID_SRC_AVAIL, 10), SDP_OK);
	sdp_sink_read_begin(&conn.sink, 100, &part);
	if (_i) /* the peer asks for an answer first */
		ck_assert_int_eq(end_receive_mid(SDP_MID_SRC_AVAIL_CANCEL, 0), SDP_OK);
	suspend();
	ck_assert_uint_eq(end_next(false), END_NOTHING);
	ck_assert(!conn.suspend.acked);
	sdp_conn_read_end(&conn, 100);
	ck_assert_uint_eq(end_next(false), SDP_MID_RDMA_RD_COMPL);
	ck_assert_uint_eq(message.size, 100);
	ck_assert_uint_eq(end_next(false), SDP_MID_SEND_SM);
	acknowledges();
	/* S2-286: nothing of it is left. */
	ck_assert_int_eq(resume(), SDP_OK);
	ck_assert_uint_eq(sdp_sink_outstanding(&conn.sink), 0);
	ck_assert_int_eq(end_receive_mid(SDP_MID_DATA, 100), SDP_OK);
}
END_TEST

/* S2-286: what was advertised and not read is as if refused, and is sent anew by Data. */
START_TEST(while_advertising)
{
	sdp_conn_advertise(&conn, &(struct sdp_advert){ .len = 1000 }, 10, &message);
	if (_i) {
		sdp_source_cancel(&conn.source);
		ck_assert_uint_eq(end_next(false), SDP_MID_SRC_AVAIL_CANCEL);
	}
	ck_assert_int_eq(end_receive(&(struct sdp_message){ .bsdh.mid = SDP_MID_RDMA_RD_COMPL,
							    .size = 90 },
				     0),
			 SDP_OK);
	suspend();
	ck_assert(delivery.answered);
	ck_assert_uint_eq(conn.source.left, 0);
	acknowledges();
	/* A program that wakes up late still finds how much it is. */
	ck_assert_int_eq(resume(), SDP_OK);
	ck_assert_uint_eq(conn.source.refused, 900);
	ck_assert_uint_eq(conn.octets_sent, 100);
	ck_assert_uint_eq(end_next(false), END_NOTHING);
	ck_assert_uint_gt(sdp_conn_payload_max(&conn), 0);
}
END_TEST

/* Memory: of buffers that a program has not read there are those of two connections at most. */
START_TEST(while_buffers_are_kept)
{
	conn.suspend.kept = 1;
	suspend();
	ck_assert_uint_eq(end_next(false), END_NOTHING);
	conn.suspend.kept = 0;
	acknowledges();
}
END_TEST

/* With one credit SuspCommAck can go, because SuspComm has used a buffer that is posted anew. */
START_TEST(last_credit)
{
	suspend();
	conn.credits.peer_bufs = 1;
	ck_assert_uint_eq(end_next(false), END_NOTHING);
	conn.credits.posted++;
	acknowledges();
}
END_TEST

/* S2-288, S2-291, S2-294: credits, numbers and modes are new, and what is of the streams stays. */
START_TEST(resumes)
{
	struct sdp_bsdh bsdh;

	ck_assert_int_eq(end_receive_change(SDP_MODE_PIPELINED, false), SDP_OK);
	ck_assert_int_eq(sdp_urgent_queue(&conn.urgent, 10, false), 0);
	sdp_conn_data(&conn, 10, false, &bsdh);
	ck_assert_int_eq(sdp_urgent_queue(&conn.urgent, 20, true), 0);
	ck_assert_int_eq(end_receive_mid(SDP_MID_DATA, 0), SDP_OK);
	suspend();
	acknowledges();
	ck_assert_uint_eq(message.bsdh.flags, 0); /* the announcement is not lost with this end */
	conn.suspend.kept = 3;
	ck_assert_int_eq(resume(), SDP_OK);
	ck_assert(!conn.suspend.received && !conn.suspend.acked);
	ck_assert_uint_eq(conn.suspend.kept, 3);
	ck_assert_uint_eq(conn.modes.recv, SDP_MODE_COMBINED);
	ck_assert_uint_eq(conn.octets_sent, 10);
	ck_assert_uint_eq(sdp_credits_available(&conn.credits), END_BUFS);
	sdp_conn_data(&conn, 20, true, &bsdh);
	ck_assert_uint_eq(bsdh.mseq, 1);
	ck_assert_uint_eq(bsdh.mseq_ack, 0);
	ck_assert_uint_eq(bsdh.flags, SDP_FLAG_OOB_PEND | SDP_FLAG_OOB_PRES); /* S2-039 */
	ck_assert_int_eq(end_receive_mid(SDP_MID_DATA, 5), SDP_OK);
	/* S2-T41: it can be suspended again. */
	conn.suspend.kept = 0;
	suspend();
	acknowledges();
}
END_TEST

/* S2-293: buffers that are smaller might have no room for what waits. */
START_TEST(smaller_buffers)
{
	u32 size = END_PEER_SIZE;

	suspend();
	acknowledges();
	ck_assert_int_eq(sdp_conn_resume(&conn, 4, 100, 1, 4, size - 1, 1), SDP_FAULT_FIELD);
	ck_assert_int_eq(sdp_conn_resume(&conn, 4, 100, 1, 4, size + 1, 1), SDP_OK);
}
END_TEST

/* S2-146, S2-T37: who has closed stays closed, and who wants to does so by the new connection. */
START_TEST(closed_by_this_end)
{
	if (_i) {
		conn.end.disconn = true;
		ck_assert_uint_eq(end_next(false), SDP_MID_DISCONN);
		suspend();
		acknowledges();
		conn.end.disconn = true;
		ck_assert_int_eq(resume(), SDP_OK);
	} else {
		suspend();
		conn.end.disconn = true;
		acknowledges();
		conn.end.disconn = true;
		ck_assert_int_eq(resume(), SDP_OK);
		ck_assert_uint_eq(end_next(false), SDP_MID_DISCONN);
	}
	ck_assert_uint_eq(end_next(false), END_NOTHING);
	ck_assert_uint_eq(sdp_conn_payload_max(&conn), 0);
	ck_assert_int_eq(end_receive(&(struct sdp_message){ .bsdh = { .mid = SDP_MID_DISCONN,
								      .mseq_ack = !_i } },
				     0),
			 SDP_OK);
	ck_assert_int_eq(conn.end.ours, !_i); /* S2-154: these have crossed */
}
END_TEST

START_TEST(closed_by_the_peer)
{
	ck_assert_int_eq(end_receive_mid(SDP_MID_DISCONN, 0), SDP_OK);
	suspend();
	acknowledges();
	ck_assert_int_eq(resume(), SDP_OK);
	ck_assert_int_eq(end_receive_mid(SDP_MID_DATA, 1), SDP_FAULT_STATE);
	conn.end.disconn = true;
	ck_assert_uint_eq(end_next(false), SDP_MID_DISCONN);
	ck_assert(conn.end.ours);
}
END_TEST

/* It has crossed our DisConn, which ends the connection: there is nothing to go on with. */
START_TEST(closed_by_both)
{
	const struct sdp_message susp_comm = { .bsdh.mid = SDP_MID_SUSP_COMM, .port = PORT };

	ck_assert_int_eq(end_receive_mid(SDP_MID_DISCONN, 0), SDP_OK);
	conn.end.disconn = true;
	ck_assert_uint_eq(end_next(false), SDP_MID_DISCONN);
	ck_assert_int_eq(end_receive(&susp_comm, 0), SDP_OK);
	ck_assert(!conn.suspend.received && conn.end.ours);
	ck_assert_uint_eq(end_next(false), END_NOTHING);
}
END_TEST

/* S2-155: who aborts before SuspCommAck does so as ever. */
START_TEST(aborts)
{
	conn.end.disconn = true;
	ck_assert_uint_eq(end_next(false), SDP_MID_DISCONN);
	suspend();
	conn.end.abort = true;
	ck_assert_uint_eq(end_next(false), SDP_MID_ABORT_CONN);
	ck_assert_uint_eq(end_next(false), END_NOTHING);
}
END_TEST

/* S2-286: nor does memory to write into survive, at either end. */
START_TEST(rooms)
{
	struct sdp_message sink_avail = { .bsdh.mid = SDP_MID_SINK_AVAIL, .advert.len = 1000 };

	ck_assert_int_eq(end_receive_change(SDP_MODE_PIPELINED, false), SDP_OK);
	conn.modes.send = SDP_MODE_PIPELINED;
	ck_assert_int_eq(end_receive(&sink_avail, 0), SDP_OK);
	sdp_conn_make_room(&conn, &sink_avail.advert, 0, &message);
	if (_i)
		sdp_conn_wrote(&conn, 10);
	suspend();
	ck_assert(delivery.released);
	ck_assert(!sdp_conn_may_make_room(&conn));
	ck_assert_ptr_null(sdp_conn_may_write(&conn));
	/* S2-290: what was written before is told of. */
	if (_i)
		ck_assert_uint_eq(end_next(false), SDP_MID_RDMA_WR_COMPL);
	acknowledges();
}
END_TEST

/* A program that wakes up late still finds how much the peer has written. */
START_TEST(was_written)
{
	struct sdp_message sink_avail = { .bsdh.mid = SDP_MID_SINK_AVAIL, .advert.len = 1000 };

	ck_assert_int_eq(end_receive_change(SDP_MODE_PIPELINED, false), SDP_OK);
	sdp_conn_make_room(&conn, &sink_avail.advert, 0, &message);
	ck_assert_int_eq(end_receive(&(struct sdp_message){ .bsdh.mid = SDP_MID_RDMA_WR_COMPL,
							    .size = 600 },
				     0),
			 SDP_OK);
	suspend();
	acknowledges();
	ck_assert_int_eq(resume(), SDP_OK);
	ck_assert_uint_eq(conn.room.written, 600);
	ck_assert_uint_eq(conn.room.len, 0);
}
END_TEST

Suite *sdp_suspend_suite(void)
{
	Suite *suite = suite_create("sdp_suspend");
	TCase *tc = tcase_create("sdp_suspend");

	tcase_add_checked_fixture(tc, end_begin, NULL);
	tcase_add_test(tc, at_once);
	tcase_add_loop_test(tc, nothing_follows, 0, 2);
	tcase_add_test(tc, answers_first);
	tcase_add_loop_test(tc, while_read, 0, 2);
	tcase_add_loop_test(tc, while_advertising, 0, 2);
	tcase_add_test(tc, while_buffers_are_kept);
	tcase_add_test(tc, last_credit);
	tcase_add_test(tc, resumes);
	tcase_add_test(tc, smaller_buffers);
	tcase_add_loop_test(tc, closed_by_this_end, 0, 2);
	tcase_add_test(tc, closed_by_the_peer);
	tcase_add_test(tc, closed_by_both);
	tcase_add_test(tc, aborts);
	tcase_add_test(tc, with_two_credits);
	tcase_add_loop_test(tc, rooms, 0, 2);
	tcase_add_test(tc, was_written);
	suite_add_tcase(suite, tc);
	return suite;
}
