// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* SDP's protocol of one connection: each message in each state. */
#include <check.h>
#include <string.h>
#include "tests/unit/sdp/sdp_end.h"
#include "tests/unit/suites.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define PEND SDP_FLAG_OOB_PEND
#define PRES SDP_FLAG_OOB_PRES

static void nothing(void)
{
}

static void pipelined(void)
{
	ck_assert_int_eq(end_receive_change(SDP_MODE_PIPELINED, false), SDP_OK);
}

static void buffered(void)
{
	ck_assert_int_eq(end_receive_change(SDP_MODE_BUFFERED, false), SDP_OK);
}

static void sending_buffered(void)
{
	conn.modes.send = SDP_MODE_BUFFERED;
}

static void sending_pipelined(void)
{
	conn.modes.send = SDP_MODE_PIPELINED;
}

static void advertised(void)
{
	ck_assert_int_eq(end_receive_mid(SDP_MID_SRC_AVAIL, 1), SDP_OK);
}

static void reading(void)
{
	struct sdp_advert part;

	advertised();
	sdp_sink_read_begin(&conn.sink, 10, &part);
}

static void reading_pipelined(void)
{
	reading();
	pipelined();
}

static void refused(void)
{
	advertised();
	sdp_sink_refuse(&conn.sink);
}

static void advertising(void)
{
	sdp_conn_advertise(&conn, &(struct sdp_advert){ .len = 1000 }, 1, &message);
}

static void advertised_pipelined(void)
{
	advertised();
	pipelined();
}

static void advertised_twice(void)
{
	pipelined();
	ck_assert_int_eq(end_receive_mid(SDP_MID_SRC_AVAIL, 0), SDP_OK);
	ck_assert_int_eq(end_receive_mid(SDP_MID_SRC_AVAIL, 0), SDP_OK);
}

static void advertising_pipelined(void)
{
	sending_pipelined();
	sdp_conn_advertise(&conn, &(struct sdp_advert){ .len = 1000 }, 0, &message);
}

static void room(void)
{
	pipelined();
	sdp_conn_make_room(&conn, &(struct sdp_advert){ .len = 1000 }, 0, &message);
}

static void room_canceled(void)
{
	room();
	sdp_room_cancel(&conn.room);
	ck_assert_uint_eq(end_next(false), SDP_MID_SINK_AVAIL_CANCEL);
}

static void two_rooms_of_the_peer(void)
{
	sending_pipelined();
	ck_assert_int_eq(end_receive_mid(SDP_MID_SINK_AVAIL, 0), SDP_OK);
	ck_assert_int_eq(end_receive_mid(SDP_MID_SINK_AVAIL, 0), SDP_OK);
}

static void resizing(void)
{
	ck_assert_int_eq(end_receive_mid(SDP_MID_CH_RCV_BUF, 0), SDP_OK);
}

static void asking(void)
{
	ck_assert(sdp_resize_ask(&conn.resize, END_PEER_SIZE, END_SIZE));
	ck_assert_uint_eq(end_next(false), SDP_MID_CH_RCV_BUF);
}

static void disconn_sent(void)
{
	conn.end.disconn = true;
	ck_assert_uint_eq(end_next(false), SDP_MID_DISCONN);
}

static void disconn_received(void)
{
	ck_assert_int_eq(end_receive_mid(SDP_MID_DISCONN, 0), SDP_OK);
}

static void both(void)
{
	disconn_sent();
	disconn_received();
}

static void aborted(void)
{
	disconn_received();
	ck_assert_int_eq(end_receive_mid(SDP_MID_ABORT_CONN, 0), SDP_OK);
}

/* S2-254 */
static void buffered_and_sending_pipelined(void)
{
	buffered();
	sending_pipelined();
}

static void both_buffered(void)
{
	buffered();
	sending_buffered();
}

static void both_pipelined(void)
{
	pipelined();
	sending_pipelined();
}

static void suspending(void)
{
	ck_assert_int_eq(end_receive(&(struct sdp_message){ .bsdh.mid = SDP_MID_SUSP_COMM,
							    .port = 1 },
				     0),
			 SDP_OK);
}

static void suspended(void)
{
	suspending();
	ck_assert_uint_eq(end_next(false), SDP_MID_SUSP_COMM_ACK);
}

/* The messages; each is a column of what follows. */
static const struct {
	struct sdp_message message;
	u32 payload;
} messages[] = {
#define MID(name) .bsdh.mid = SDP_MID_##name
#define CHANGE(mode, send) { { MID(MODE_CHANGE), .change = { SDP_MODE_##mode, send } } }
	{ { MID(DATA) } },
	{ { MID(DATA), .bsdh.flags = PEND } },
	{ { MID(DATA), .bsdh.flags = PEND | PRES }, 7 },
	{ { MID(DISCONN) } },
	{ { MID(ABORT_CONN) } },
	/* 5 */
	{ { MID(SRC_AVAIL), .advert.len = 10 } },
	{ { MID(SRC_AVAIL), .advert.len = 10 }, 10 },
	{ { MID(SRC_AVAIL), .advert.len = 10 }, 11 },
	{ { MID(SRC_AVAIL_CANCEL) } },
	{ { MID(CH_RCV_BUF), .size = 100 } },
	/* 10 */
	/* S2-270, S2-271, S2-273, S2-A14, S2-T33 */
	CHANGE(BUFFERED, false), CHANGE(COMBINED, false), CHANGE(PIPELINED, false),
	CHANGE(BUFFERED, true), CHANGE(COMBINED, true), CHANGE(PIPELINED, true),
	/* 16 */
	{ { MID(SINK_AVAIL), .advert.len = 10 } },
	{ { MID(SINK_AVAIL), .advert.len = 10 }, 7 },
	{ { MID(SEND_SM) } },
	{ { MID(RDMA_WR_COMPL) } },
	{ { MID(RDMA_RD_COMPL) } },
	{ { MID(SINK_AVAIL_CANCEL) } },
	{ { MID(SINK_CANCEL_ACK) } },
	{ { MID(CH_RCV_BUF_ACK), .size = END_SIZE } },
	{ { MID(SUSP_COMM), .port = 1 } },
	{ { MID(SUSP_COMM_ACK) } },
	/* 26 */
	{ { MID(HELLO) } },
	{ { MID(HELLO_ACK) } },
};

/*
 * S2-245, S2-247, S2-T32: what becomes of the messages, in the columns' order: o is legal; the
 * others are faults: F of a field, I of the MID, M of the mode, S of the state.
 */
static const struct {
	void (*reach)(void);
	const char *results;
} states[] = {
	{ nothing, "ooooS" "MoFoo" "oMoMMM" "MMSSSoSSoS" "II" }, /* S2-252 */
	{ pipelined, "ooooS" "oMMoo" "MoMMMM" "MMSSSoSSoS" "II" }, /* S2-253 */
	{ buffered, "ooooS" "MMMoo" "MMMMMM" "MMSSSoSSoS" "II" }, /* S2-251, S2-257 */
	{ sending_buffered, "ooooS" "MoFoo" "oMoMoM" "MMSSSoSSoS" "II" }, /* S2-249 */
	{ both_buffered, "ooooS" "MMMoo" "MMMMoM" "MMSSSoSSoS" "II" }, /* S2-248 */
	{ sending_pipelined, "ooooS" "MoFoo" "oMoMMM" "ooSSSoSSoS" "II" }, /* S2-255, S2-259 */
	{ buffered_and_sending_pipelined, "ooooS" "MMMoo" "MMMMMM" "ooSSSoSSoS" "II" }, /* S2-254 */
	{ both_pipelined, "ooooS" "oMMoo" "MoMMMM" "ooSSSoSSoS" "II" }, /* S2-256 */
	{ advertised, "ooMSS" "MMMoo" "MMoMMM" "MMSSSoSSoS" "II" }, /* S2-277 */
	{ reading, "ooMSS" "MMMoo" "MMoMMM" "MMSSSoSSoS" "II" },
	{ reading_pipelined, "ooMSS" "oMMoo" "MoMMMM" "MMSSSoSSoS" "II" },
	{ refused, "ooMoS" "MMMoo" "MMoMMM" "MMSSSoSSoS" "II" },
	{ advertising, "ooooS" "MoFoo" "oMoMMM" "MMoSooSSoS" "II" },
	{ advertising_pipelined, "ooooS" "MoFoo" "oMoMMM" "oooSooSSoS" "II" },
	{ advertised_pipelined, "ooooS" "oMMoo" "MoMMMM" "MMSSSoSSoS" "II" },
	{ advertised_twice, "ooMSS" "MMMoo" "MoMMMM" "MMSSSoSSoS" "II" },
	{ room, "ooooS" "oMMoo" "MoMMMM" "MMSoSoSSoS" "II" },
	{ room_canceled, "ooooS" "oMMoo" "MoMMMM" "MMSoSooSoS" "II" },
	{ two_rooms_of_the_peer, "ooooS" "MoFoo" "oMoMMM" "MMSSSoSSoS" "II" },
	{ resizing, "ooooS" "MoFoS" "oMoMMM" "MMSSSoSSoS" "II" },
	{ asking, "ooooS" "MoFoo" "oMoMMM" "MMSSSoSooS" "II" },
	{ disconn_sent, "ooooS" "MoFoo" "oMoMMM" "MMSSSoSSoS" "II" },
	{ disconn_received, "ooSSo" "SSSoo" "oMoMMM" "MSSSSoSSoS" "II" }, /* S2-068 */
	{ both, "ooSSo" "SSSoo" "oMoMMM" "MSSSSoSSSS" "II" },
	{ aborted, "SSSSS" "SSSSS" "SSSSSS" "SSSSSSSSSS" "II" },
	{ suspending, "SSSSS" "SSSSS" "SSSSSS" "SSSSSSSSSS" "II" }, /* S2-289 */
	{ suspended, "SSSSS" "SSSSS" "SSSSSS" "SSSSSSSSSS" "II" },
};

START_TEST(each)
{
	static const enum sdp_fault faults[128] = { ['o'] = SDP_OK, ['F'] = SDP_FAULT_FIELD,
						    ['I'] = SDP_FAULT_MID, ['M'] = SDP_FAULT_MODE,
						    ['S'] = SDP_FAULT_STATE };
	const char *results = states[_i].results;
	enum sdp_fault fault;
	int i;

	ck_assert_uint_eq(strlen(results), COUNT(messages));
	for (i = 0; i < COUNT(messages); i++) {
		end_begin();
		states[_i].reach();
		fault = end_receive(&messages[i].message, messages[i].payload);
		ck_assert_msg(fault == faults[(u8)results[i]], "message %d: %s", i,
			      sdp_fault_str(fault));
		if (fault) {
			static const struct sdp_delivery none;

			ck_assert_mem_eq(&delivery, &none, sizeof(none));
			continue;
		}
		ck_assert_uint_eq(delivery.payload, messages[i].payload);
		ck_assert_uint_eq(delivery.offset, sdp_header_size(messages[i].message.bsdh.mid));
		ck_assert_int_eq(delivery.oob_pend, !!(messages[i].message.bsdh.flags & PEND));
		ck_assert_int_eq(delivery.oob_pres, !!(messages[i].message.bsdh.flags & PRES));
		ck_assert_int_eq(delivery.disconn, i == 3);
		ck_assert_int_eq(delivery.abort, i == 4);
	}
}
END_TEST

/* S2-319: what this end knows as the sender. */
static void check_sender(void)
{
	ck_assert_uint_eq(conn.credits.sent, 0);
	ck_assert_uint_eq(sdp_credits_available(&conn.credits), END_BUFS);
	ck_assert_uint_eq(conn.peer_size, END_PEER_SIZE);
	ck_assert_uint_eq(conn.peer_adverts, END_ADVERTS);
	ck_assert_uint_eq(conn.modes.send, SDP_MODE_COMBINED);
	ck_assert_uint_eq(conn.source.left, 0);
	ck_assert(!conn.source.cancel && !conn.source.canceled);
	ck_assert_uint_eq(conn.write.count, 0);
	ck_assert_uint_eq(conn.write.non_discards, 0);
	ck_assert(!conn.modes.left_pipelined);
	ck_assert_uint_eq(conn.urgent.count, 0);
	ck_assert_uint_eq(conn.resize.asked, 0);
	ck_assert(!conn.resize.no_larger && !conn.resize.no_smaller);
	ck_assert(!conn.end.disconn_sent && !conn.end.abort_sent);
}

/* S2-320: what this end knows as the receiver. Out-of-band octets that come are the caller's. */
static void check_receiver(void)
{
	ck_assert_uint_eq(conn.credits.received, 0);
	ck_assert(!conn.credits.delayed);
	ck_assert_uint_eq(conn.credits.posted, END_BUFS);
	ck_assert_uint_eq(conn.credits.known_bufs, END_BUFS);
	ck_assert_uint_eq(conn.size, END_SIZE);
	ck_assert_uint_eq(conn.resize.size, 0);
	ck_assert_uint_eq(conn.resize.earlier, 0);
	ck_assert_uint_eq(conn.modes.recv, SDP_MODE_COMBINED);
	ck_assert_uint_eq(sdp_sink_outstanding(&conn.sink), 0);
	ck_assert_uint_eq(conn.room.len, 0);
	ck_assert_uint_eq(conn.room.non_discards, 0);
	ck_assert(!conn.room.cancel && !conn.room.canceled);
	ck_assert(!conn.end.disconn_received && !conn.end.abort_received);
}

/*
 * S2-138, S2-141, S2-276: either end begins in Combined mode, and may send at once. After a
 * suspension it begins anew, as the end that has connected.
 */
START_TEST(begins)
{
	if (_i) {
		sdp_conn_advertise(&conn, &(struct sdp_advert){ .len = 1000 }, 1, &message);
		asking();
		suspended();
		conn.source = (struct sdp_source){}; /* as the caller does, which sends it */
		ck_assert_int_eq(sdp_conn_resume(&conn, END_BUFS, END_SIZE, END_ADVERTS, END_BUFS,
						 END_PEER_SIZE, END_ADVERTS),
				 SDP_OK);
	}
	check_sender();
	check_receiver();
	ck_assert(!conn.suspend.received && !conn.suspend.acked);
	ck_assert_int_eq(conn.resize.connects, _i);
	ck_assert_uint_eq(sdp_conn_payload_max(&conn), END_PEER_SIZE - SDP_BSDH_SIZE);
	ck_assert_uint_eq(end_next(false), END_NOTHING);
}
END_TEST

/* Payload is next if there is credit for it, and no other message is due. */
START_TEST(payload_is_next)
{
	ck_assert(sdp_conn_is_payload_next(&conn));
	ck_assert_uint_eq(end_next(true), END_NOTHING);
	conn.write.cancel_ack = true;
	ck_assert(!sdp_conn_is_payload_next(&conn));
	ck_assert_uint_eq(end_next(true), SDP_MID_SINK_CANCEL_ACK);
	ck_assert(sdp_conn_is_payload_next(&conn));
	conn.credits.peer_bufs = conn.credits.sent - conn.credits.acked + 2;
	ck_assert(!sdp_conn_is_payload_next(&conn));
}
END_TEST

Suite *sdp_conn_suite(void)
{
	Suite *suite = suite_create("sdp_conn");
	TCase *tc = tcase_create("sdp_conn");

	tcase_add_loop_test(tc, each, 0, COUNT(states));
	tcase_add_checked_fixture(tc, end_begin, NULL);
	tcase_add_loop_test(tc, begins, 0, 2);
	tcase_add_test(tc, payload_is_next);
	suite_add_tcase(suite, tc);
	return suite;
}
