// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* SDP's private buffers of another size: what is answered, when, and what is asked for. */
#include <check.h>
#include "tests/unit/sdp/sdp_end.h"
#include "tests/unit/suites.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define SIZE 65536 /* octets of our private buffers */

static void begin(u32 size, u32 peer_size)
{
	sdp_conn_init(&conn, END_BUFS, size, END_ADVERTS, END_BUFS, peer_size, END_ADVERTS);
}

static void begin_equal(void)
{
	begin(SIZE, SIZE);
}

static enum sdp_fault receive_size(enum sdp_mid mid, u32 size)
{
	return end_receive(&(struct sdp_message){ .bsdh.mid = mid, .size = size }, 0);
}

/* A request that has crossed the last message of ours. */
static enum sdp_fault receive_crossing(u32 size)
{
	return end_receive(&(struct sdp_message){ .bsdh = { .mid = SDP_MID_CH_RCV_BUF,
							    .mseq_ack = 1 },
						  .size = size },
			   0);
}

/* The peer asks for a size. Returns the size that this end adopts; 0: it keeps its own. */
static u32 adopts(u32 asked)
{
	ck_assert_int_eq(receive_size(SDP_MID_CH_RCV_BUF, asked), SDP_OK);
	if (delivery.resize)
		sdp_conn_resized(&conn, delivery.resize);
	sdp_conn_posted(&conn, 1);
	return delivery.resize;
}

static void acks(u32 size)
{
	ck_assert_uint_eq(end_next(false), SDP_MID_CH_RCV_BUF_ACK);
	ck_assert_uint_eq(message.size, size);
	ck_assert_uint_eq(message.bsdh.len, 20);
	ck_assert(!sdp_is_solicited(&message.bsdh)); /* S2-299 */
	ck_assert_uint_eq(conn.size, size);
	ck_assert_uint_eq(end_next(false), END_NOTHING);
}

/* Receives so many messages, whose buffers are posted again, as the peer knows. */
static void receives(u32 messages)
{
	while (messages--) {
		ck_assert_int_eq(end_receive_mid(SDP_MID_DATA, 100), SDP_OK);
		sdp_conn_posted(&conn, 1);
		conn.credits.known_count = conn.credits.count;
	}
}

/* S2-236, S2-237: what is asked for, or as close to it as this end goes. */
START_TEST(what_is_adopted)
{
	static const u32 sizes[][3] = {
		{ SIZE, 0, SDP_RESIZE_LEAST },
		{ SIZE, 1, SDP_RESIZE_LEAST },
		{ SIZE, SDP_RESIZE_LEAST + 1, SDP_RESIZE_LEAST + 1 },
		{ SIZE, SIZE - 1, SIZE - 1 },
		{ SIZE, SIZE, 0 },
		{ SIZE, SIZE + 1, SIZE + 1 },
		{ SIZE, SDP_RESIZE_MOST, SDP_RESIZE_MOST },
		{ SIZE, SDP_SIZE_MAX, SDP_RESIZE_MOST },
		{ SIZE, 0xffffffff, SDP_RESIZE_MOST },
		{ SDP_RESIZE_MOST, SDP_SIZE_MAX, 0 },
		{ SDP_RESIZE_LEAST, 37, 0 },
		/* Beyond the bounds, and never in the other direction. */
		{ 100, 37, 0 },
		{ SDP_RESIZE_MOST + 100, SDP_SIZE_MAX, 0 },
	};
	int i;

	for (i = 0; i < COUNT(sizes); i++) {
		begin(sizes[i][0], SIZE);
		ck_assert_uint_eq(adopts(sizes[i][1]), sizes[i][2]);
		receives(END_BUFS);
		acks(sizes[i][2] ? sizes[i][2] : sizes[i][0]);
	}
}
END_TEST

/* S2-238, S2-239: a smaller size is answered at once, and is that of this end from then on. */
START_TEST(smaller)
{
	ck_assert_uint_eq(adopts(8192), 8192);
	ck_assert_uint_eq(conn.size, SIZE);
	acks(8192);
}
END_TEST

/*
 * S2-238, S2-239, S2-243: a larger size is answered when all buffers of the old size were used,
 * while those of the new one are posted behind them.
 */
START_TEST(larger)
{
	ck_assert_uint_eq(adopts(2 * SIZE), 2 * SIZE);
	receives(END_BUFS - 2);
	ck_assert_uint_eq(conn.size, SIZE);
	ck_assert_uint_eq(end_next(false), END_NOTHING);
	receives(1);
	acks(2 * SIZE);
}
END_TEST

/* S2-241: a request that waits for its answer is the only one. */
START_TEST(twice)
{
	ck_assert_uint_eq(adopts(_i ? 2 * SIZE : 8192), _i ? 2 * SIZE : 8192);
	ck_assert_int_eq(receive_size(SDP_MID_CH_RCV_BUF, SIZE), SDP_FAULT_STATE);
	ck_assert_uint_eq(delivery.resize, 0);
}
END_TEST

/* S2-238: what cannot be had is answered by the size that there is. */
START_TEST(no_memory)
{
	ck_assert_int_eq(receive_size(SDP_MID_CH_RCV_BUF, _i ? 2 * SIZE : 8192), SDP_OK);
	ck_assert_uint_eq(delivery.resize, _i ? 2 * SIZE : 8192);
	acks(SIZE);
}
END_TEST

/* After so many changes the size stays, whatever else is asked for: work that a peer can cause. */
START_TEST(enough_changes)
{
	u32 i;

	for (i = 0; i < SDP_RESIZE_CHANGES + 3; i++) {
		u32 before = conn.size, size = i % 2 ? SIZE : 8192;

		ck_assert_uint_eq(adopts(size), i < SDP_RESIZE_CHANGES ? size : 0);
		receives(END_BUFS);
		acks(i < SDP_RESIZE_CHANGES ? size : before);
	}
}
END_TEST

/* S2-290: SuspCommAck does not wait for buffers that nothing will use any more. */
START_TEST(suspended_meanwhile)
{
	ck_assert_uint_eq(adopts(2 * SIZE), 2 * SIZE);
	ck_assert_int_eq(end_receive(&(struct sdp_message){ .bsdh.mid = SDP_MID_SUSP_COMM,
							    .port = 1 },
				     0),
			 SDP_OK);
	ck_assert_uint_eq(end_next(false), SDP_MID_SUSP_COMM_ACK);
}
END_TEST

/* The last two credits are for SuspCommAck. */
START_TEST(suspended_without_credit)
{
	ck_assert_uint_eq(adopts(8192), 8192);
	ck_assert_int_eq(end_receive(&(struct sdp_message){ .bsdh.mid = SDP_MID_SUSP_COMM,
							    .port = 1 },
				     0),
			 SDP_OK);
	conn.credits.peer_bufs = 2;
	ck_assert_uint_eq(end_next(false), SDP_MID_SUSP_COMM_ACK);
}
END_TEST

/* --- the end that asks */

static void asks(u32 size)
{
	ck_assert(sdp_resize_ask(&conn.resize, conn.peer_size, size));
	ck_assert_uint_eq(end_next(false), SDP_MID_CH_RCV_BUF);
	ck_assert_uint_eq(message.size, size);
	ck_assert_uint_eq(message.bsdh.len, 20);
	ck_assert(!sdp_is_solicited(&message.bsdh)); /* S2-299 */
	ck_assert_uint_eq(end_next(false), END_NOTHING);
}

/* S2-234, S2-235: a smaller size is in force at once, a larger one once it was answered. */
START_TEST(asks_for_either)
{
	begin(SIZE, 10000);
	asks(20000);
	ck_assert_uint_eq(sdp_conn_payload_max(&conn), 10000 - SDP_BSDH_SIZE);
	ck_assert(!sdp_resize_ask(&conn.resize, conn.peer_size, 30000)); /* S2-241 */
	ck_assert_int_eq(receive_size(SDP_MID_CH_RCV_BUF_ACK, 25000), SDP_OK);
	ck_assert(delivery.peer_resized);
	ck_assert_uint_eq(sdp_conn_payload_max(&conn), 25000 - SDP_BSDH_SIZE);
	asks(100);
	ck_assert_uint_eq(sdp_conn_payload_max(&conn), 100 - SDP_BSDH_SIZE);
	ck_assert_int_eq(receive_size(SDP_MID_CH_RCV_BUF_ACK, 200), SDP_OK);
	ck_assert_uint_eq(sdp_conn_payload_max(&conn), 200 - SDP_BSDH_SIZE);
	ck_assert(!sdp_resize_ask(&conn.resize, conn.peer_size, 200));
}
END_TEST

/* S2-235: what is queued when a smaller size is to be asked for is sent after the request. */
START_TEST(smaller_before_it_is_sent)
{
	u32 size = conn.peer_size;

	ck_assert_uint_eq(sdp_resize_room(&conn.resize, size), size);
	ck_assert(sdp_resize_ask(&conn.resize, size, 100));
	ck_assert_uint_eq(sdp_resize_room(&conn.resize, size), 100);
	ck_assert_uint_eq(sdp_conn_payload_max(&conn), 100 - SDP_BSDH_SIZE);
	ck_assert_uint_eq(conn.peer_size, size);
	ck_assert_uint_eq(end_next(false), SDP_MID_CH_RCV_BUF);
	ck_assert_uint_eq(sdp_conn_payload_max(&conn), 100 - SDP_BSDH_SIZE);
}
END_TEST

/* S2-235: a larger one is not there before it was answered. */
START_TEST(larger_before_it_is_sent)
{
	ck_assert(sdp_resize_ask(&conn.resize, SIZE, 2 * SIZE));
	ck_assert_uint_eq(sdp_resize_room(&conn.resize, SIZE), SIZE);
	ck_assert_uint_eq(sdp_conn_payload_max(&conn), SIZE - SDP_BSDH_SIZE);
}
END_TEST

/* S2-237, S2-T40: answers that none may be. */
START_TEST(wrong_answers)
{
	static const struct {
		u32 asked, answer;
		enum sdp_fault fault;
	} answers[] = {
		{ 0, 10000, SDP_FAULT_STATE },	   { 20000, 9999, SDP_FAULT_FIELD },
		{ 20000, 10000, SDP_OK },	   { 20000, 10001, SDP_OK },
		{ 20000, SDP_SIZE_MAX, SDP_OK },   { 20000, SDP_SIZE_MAX + 1, SDP_FAULT_FIELD },
		{ 5000, 0, SDP_FAULT_FIELD },	   { 5000, 4999, SDP_FAULT_FIELD },
		{ 5000, 5000, SDP_OK },		   { 5000, 10000, SDP_OK },
		{ 5000, 10001, SDP_FAULT_FIELD },
	};
	int i;

	for (i = 0; i < COUNT(answers); i++) {
		begin(SIZE, 10000);
		if (answers[i].asked)
			asks(answers[i].asked);
		ck_assert_int_eq(receive_size(SDP_MID_CH_RCV_BUF_ACK, answers[i].answer),
				 answers[i].fault);
		if (answers[i].fault)
			continue;
		ck_assert_uint_eq(conn.peer_size, answers[i].answer);
		ck_assert_int_eq(receive_size(SDP_MID_CH_RCV_BUF_ACK, answers[i].answer),
				 SDP_FAULT_STATE);
	}
}
END_TEST

/* S2-240: nothing more is asked for in the direction that the peer has refused. */
START_TEST(refused)
{
	begin(SIZE, 10000);
	asks(_i ? 20000 : 5000);
	ck_assert_int_eq(receive_size(SDP_MID_CH_RCV_BUF_ACK, 10000), SDP_OK);
	ck_assert(!sdp_resize_ask(&conn.resize, conn.peer_size, _i ? 15000 : 9000));
	asks(_i ? 9000 : 15000);
}
END_TEST

/* A request that the end of the stream has overtaken is not sent (S2-A12). */
START_TEST(not_at_the_end)
{
	begin(SIZE, 10000);
	ck_assert(sdp_resize_ask(&conn.resize, conn.peer_size, 20000));
	conn.end.disconn = true;
	ck_assert_uint_eq(end_next(false), SDP_MID_DISCONN);
	ck_assert_uint_eq(end_next(false), END_NOTHING);
}
END_TEST

/* --- two requests that cross */

/* S2-242: the end that was connected to disregards it, and its own is answered. */
START_TEST(crossing_at_the_accepting_peer)
{
	begin(SIZE, 10000);
	asks(20000);
	ck_assert_int_eq(receive_crossing(8192), SDP_OK);
	ck_assert_uint_eq(delivery.resize, 0);
	ck_assert_uint_eq(end_next(false), END_NOTHING);
	ck_assert_int_eq(receive_size(SDP_MID_CH_RCV_BUF_ACK, 20000), SDP_OK);
	ck_assert_uint_eq(conn.peer_size, 20000);
	ck_assert_uint_eq(adopts(8192), 8192); /* The peer asks again. */
	acks(8192);
}
END_TEST

/* S2-242: the end that has connected answers, and then asks for a larger size again. */
START_TEST(crossing_at_the_connecting_peer)
{
	begin(SIZE, 10000);
	conn.resize.connects = true;
	asks(_i ? 20000 : 5000);
	ck_assert_int_eq(receive_crossing(8192), SDP_OK);
	ck_assert_uint_eq(delivery.resize, 8192);
	ck_assert(delivery.peer_resized == !_i);
	ck_assert_uint_eq(conn.peer_size, 10000);
	sdp_conn_resized(&conn, 8192);
	ck_assert_uint_eq(end_next(false), SDP_MID_CH_RCV_BUF_ACK);
	ck_assert_uint_eq(message.size, 8192);
	ck_assert_uint_eq(end_next(false), _i ? SDP_MID_CH_RCV_BUF : END_NOTHING);
	ck_assert_uint_eq(conn.resize.asked, _i ? 20000 : 0);
}
END_TEST

/* One that was sent when ours was known does not cross it, and both are answered. */
START_TEST(not_crossing)
{
	begin(SIZE, 10000);
	conn.resize.connects = _i;
	asks(20000);
	ck_assert_uint_eq(adopts(8192), 8192);
	acks(8192);
	ck_assert_int_eq(receive_size(SDP_MID_CH_RCV_BUF_ACK, 20000), SDP_OK);
}
END_TEST

/* This end does not ask while it has to answer. */
START_TEST(answers_first)
{
	begin(SIZE, 10000);
	ck_assert_uint_eq(adopts(2 * SIZE), 2 * SIZE);
	ck_assert(sdp_resize_ask(&conn.resize, conn.peer_size, 20000));
	ck_assert_uint_eq(end_next(true), END_NOTHING);
	receives(END_BUFS);
	ck_assert_uint_eq(end_next(true), SDP_MID_CH_RCV_BUF_ACK);
	ck_assert_uint_eq(end_next(true), SDP_MID_CH_RCV_BUF);
}
END_TEST

/* --- when this end asks */

static void send_data(u32 octets)
{
	struct sdp_bsdh bsdh;

	conn.credits.acked = conn.credits.sent; /* all credits are there */
	ck_assert_int_eq(sdp_urgent_queue(&conn.urgent, octets, false), 0);
	sdp_conn_data(&conn, octets, false, &bsdh);
}

static void send_full(u32 messages)
{
	while (messages--)
		send_data(sdp_conn_payload_max(&conn));
}

/* S2-234: it does if messages are as long as may be, and could be much longer. */
START_TEST(full_messages)
{
	begin(SIZE, 8192);
	send_full(SDP_RESIZE_FILLED - 1);
	send_data(8192 - SDP_BSDH_SIZE - 1);
	send_full(SDP_RESIZE_FILLED - 1);
	ck_assert_uint_eq(end_next(true), END_NOTHING);
	send_full(1);
	ck_assert_uint_eq(end_next(true), SDP_MID_CH_RCV_BUF);
	ck_assert_uint_eq(message.size, SIZE);
	send_full(3 * SDP_RESIZE_FILLED);
	ck_assert_uint_eq(end_next(true), END_NOTHING);
	ck_assert_int_eq(receive_size(SDP_MID_CH_RCV_BUF_ACK, SIZE), SDP_OK);
	send_full(3 * SDP_RESIZE_FILLED);
	ck_assert_uint_eq(end_next(true), END_NOTHING);
}
END_TEST

/* Nobody asks where it is not worth it. */
START_TEST(nothing_to_ask_for)
{
	static const u32 sizes[][2] = {
		{ SIZE, SIZE }, { SIZE, SIZE + 1 }, { SIZE, SIZE / 2 + 1 },
		{ 4096, 4096 }, { 4096, SIZE }, { 4 * SIZE, SIZE },
	};
	int i;

	for (i = 0; i < COUNT(sizes); i++) {
		begin(sizes[i][0], sizes[i][1]);
		send_full(3 * SDP_RESIZE_FILLED);
		ck_assert_uint_eq(end_next(true), END_NOTHING);
	}
}
END_TEST

/* A peer whose answers are a little larger each time is not asked without end. */
START_TEST(enough_requests)
{
	u32 i;

	begin(SIZE, 100);
	for (i = 0; i < 20; i++) {
		send_full(SDP_RESIZE_FILLED);
		if (i >= SDP_RESIZE_REQUESTS) {
			ck_assert_uint_eq(end_next(true), END_NOTHING);
			continue;
		}
		ck_assert_uint_eq(end_next(true), SDP_MID_CH_RCV_BUF);
		ck_assert_int_eq(receive_size(SDP_MID_CH_RCV_BUF_ACK, 101 + i), SDP_OK);
	}
}
END_TEST

/* --- when this end is idle */

/* Empty messages are sent as there is credit, but for the last two, and no more than @count. */
static void uses_up(u32 count)
{
	ck_assert_uint_gt(count, 2);
	while (count--) {
		conn.credits.acked = conn.credits.sent;
		conn.credits.peer_bufs = 2;
		ck_assert_uint_eq(end_next(false), END_NOTHING);
		conn.credits.peer_bufs = 3;
		ck_assert_uint_eq(end_next(false), SDP_MID_DATA);
		ck_assert_uint_eq(message.bsdh.len, SDP_BSDH_SIZE);
	}
	conn.credits.acked = conn.credits.sent;
	ck_assert_uint_eq(end_next(false), END_NOTHING);
}

static bool asks_back(void)
{
	return sdp_resize_ask_back(&conn.resize, conn.peer_size,
				   sdp_credits_available(&conn.credits));
}

/*
 * An idle end asks its peer for the size of the beginning. Once the peer has agreed, empty messages
 * use up the larger buffers.
 */
START_TEST(gives_back)
{
	begin(SIZE, 4096);
	ck_assert(!asks_back());
	asks(SIZE);
	ck_assert_int_eq(receive_size(SDP_MID_CH_RCV_BUF_ACK, SIZE), SDP_OK);
	ck_assert(sdp_resize_may_ask_back(&conn.resize, conn.peer_size));
	ck_assert(asks_back());
	ck_assert_uint_eq(end_next(false), SDP_MID_CH_RCV_BUF);
	ck_assert_uint_eq(message.size, 4096);
	ck_assert_uint_eq(end_next(false), END_NOTHING);
	ck_assert_int_eq(receive_size(SDP_MID_CH_RCV_BUF_ACK, 4096), SDP_OK);
	uses_up(sdp_credits_available(&conn.credits));
	ck_assert(!sdp_resize_may_ask_back(&conn.resize, conn.peer_size));
	ck_assert(!asks_back());
	asks(SIZE);
}
END_TEST

/* A peer that has answered nothing is sent as many empty messages once, and is not asked. */
START_TEST(brings_about_an_answer)
{
	begin(SIZE, 4096);
	asks(SIZE);
	ck_assert(asks_back());
	uses_up(2 * sdp_credits_available(&conn.credits)); /* it may have more than it has said */
	ck_assert(!sdp_resize_may_ask_back(&conn.resize, conn.peer_size));
	ck_assert(!asks_back());
	ck_assert_int_eq(receive_size(SDP_MID_CH_RCV_BUF_ACK, SIZE), SDP_OK);
	ck_assert(asks_back());
	ck_assert_uint_eq(end_next(false), SDP_MID_CH_RCV_BUF);
}
END_TEST

/* Buffers that the peer began with, or does not make smaller, are left as they are. */
START_TEST(leaves_what_the_peer_chose)
{
	begin(SIZE, SIZE);
	ck_assert(!sdp_resize_may_ask_back(&conn.resize, conn.peer_size));
	ck_assert(!asks_back());
	begin(SIZE, 4096);
	asks(SIZE);
	ck_assert_int_eq(receive_size(SDP_MID_CH_RCV_BUF_ACK, SIZE), SDP_OK);
	ck_assert(asks_back());
	ck_assert_uint_eq(end_next(false), SDP_MID_CH_RCV_BUF);
	ck_assert_int_eq(receive_size(SDP_MID_CH_RCV_BUF_ACK, SIZE), SDP_OK);
	ck_assert(!sdp_resize_may_ask_back(&conn.resize, conn.peer_size));
	ck_assert(!asks_back());
	ck_assert_uint_eq(end_next(false), END_NOTHING);
	/* ... until it has granted a larger size. */
	conn.peer_size = 8192;
	asks(SIZE);
	ck_assert_int_eq(receive_size(SDP_MID_CH_RCV_BUF_ACK, SIZE), SDP_OK);
	ck_assert(asks_back());
}
END_TEST

/* Nothing is used up for the sake of memory once the stream ends. */
START_TEST(gives_nothing_back_at_the_end)
{
	begin(SIZE, 4096);
	asks(SIZE);
	ck_assert(asks_back());
	conn.end.disconn = true;
	ck_assert_uint_eq(end_next(false), SDP_MID_DISCONN);
	ck_assert_uint_eq(end_next(false), END_NOTHING);
}
END_TEST

Suite *sdp_resize_suite(void)
{
	Suite *suite = suite_create("sdp_resize");
	TCase *tc = tcase_create("sdp_resize");

	tcase_add_checked_fixture(tc, begin_equal, NULL);
	tcase_add_test(tc, what_is_adopted);
	tcase_add_test(tc, smaller);
	tcase_add_test(tc, larger);
	tcase_add_loop_test(tc, twice, 0, 2);
	tcase_add_loop_test(tc, no_memory, 0, 2);
	tcase_add_test(tc, enough_changes);
	tcase_add_test(tc, suspended_meanwhile);
	tcase_add_test(tc, suspended_without_credit);
	tcase_add_test(tc, asks_for_either);
	tcase_add_test(tc, smaller_before_it_is_sent);
	tcase_add_test(tc, larger_before_it_is_sent);
	tcase_add_test(tc, wrong_answers);
	tcase_add_loop_test(tc, refused, 0, 2);
	tcase_add_test(tc, not_at_the_end);
	tcase_add_test(tc, crossing_at_the_accepting_peer);
	tcase_add_loop_test(tc, crossing_at_the_connecting_peer, 0, 2);
	tcase_add_loop_test(tc, not_crossing, 0, 2);
	tcase_add_test(tc, answers_first);
	tcase_add_test(tc, full_messages);
	tcase_add_test(tc, nothing_to_ask_for);
	tcase_add_test(tc, enough_requests);
	tcase_add_test(tc, gives_back);
	tcase_add_test(tc, brings_about_an_answer);
	tcase_add_test(tc, leaves_what_the_peer_chose);
	tcase_add_test(tc, gives_nothing_back_at_the_end);
	suite_add_tcase(suite, tc);
	return suite;
}
