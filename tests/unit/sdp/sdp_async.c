// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The next action of an asynchronous read of SDP. */
#include <check.h>
#include "sdp/protocol/async.h"
#include "tests/unit/sdp/sdp_end.h"
#include "tests/unit/suites.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define ROOM 1000000u /* octets of the memory of the read */

static struct sdp_async async;

static void async_begin(void)
{
	end_begin();
	async = (struct sdp_async){
		.octets = ROOM, .lowat = 1, .registers = true, .advertises = true
	};
}

static enum sdp_async_next next(void)
{
	return sdp_async_next(&async, &conn);
}

/* Receive SrcAvail for @octets, with 10 octets of payload, which are copied into the memory. */
static void advertised(u32 octets)
{
	struct sdp_message src_avail = { .bsdh.mid = SDP_MID_SRC_AVAIL, .advert.len = octets };

	ck_assert_int_eq(end_receive(&src_avail, 10), SDP_OK);
	async.filled = 10;
}

START_TEST(waits)
{
	ck_assert_int_eq(next(), SDP_ASYNC_WAIT);
	async.filled = 1;
	ck_assert_int_eq(next(), SDP_ASYNC_COMPLETE);
	async.lowat = 2;
	ck_assert_int_eq(next(), SDP_ASYNC_WAIT);
	async.filled = 2;
	ck_assert_int_eq(next(), SDP_ASYNC_COMPLETE);
	async.lowat = ROOM;
	async.stopped = true;
	ck_assert_int_eq(next(), SDP_ASYNC_COMPLETE);
	async.filled = 0;
	ck_assert_int_eq(next(), SDP_ASYNC_WAIT);
}
END_TEST

START_TEST(ends)
{
	async.lowat = 2;
	async.filled = _i / 2;
	async.ended = _i % 2;
	async.canceled = !async.ended;
	ck_assert_int_eq(next(), SDP_ASYNC_COMPLETE);
}
END_TEST

/* S2-170: the read gets the advertised octets after the payload of SrcAvail. */
START_TEST(reads)
{
	struct sdp_advert part;

	advertised(900000);
	ck_assert_int_eq(next(), SDP_ASYNC_READ);
	sdp_sink_read_begin(&conn.sink, ROOM, &part);
	sdp_conn_read_end(&conn, part.len);
	async.filled += part.len;
	ck_assert_int_eq(next(), SDP_ASYNC_COMPLETE);
	ck_assert_uint_eq(async.filled, 900000);
	ck_assert_uint_eq(end_next(false), SDP_MID_RDMA_RD_COMPL);
}
END_TEST

/* The minimum of an RDMA Read is 16 KiB, or the rest of the advertisement if that is shorter. */
START_TEST(reads_a_part)
{
	static const struct {
		u32 advertised, room;
		enum sdp_async_next next;
	} cases[] = {
		{ 900000, 10 + 16384, SDP_ASYNC_READ },
		{ 900000, 10 + 16383, SDP_ASYNC_COMPLETE },
		{ 1000, 1000, SDP_ASYNC_READ },
		{ 1000, 999, SDP_ASYNC_COMPLETE },
	};

	advertised(cases[_i].advertised);
	async.octets = cases[_i].room;
	ck_assert_int_eq(next(), cases[_i].next);
	ck_assert_uint_eq(end_next(false), END_NOTHING);
}
END_TEST

/* An advertisement is refused if it cannot be read, and the read needs its octets. */
START_TEST(refuses)
{
	advertised(900000);
	async.registers = false;
	ck_assert_int_eq(next(), SDP_ASYNC_COMPLETE);
	async.lowat = 11;
	ck_assert_int_eq(next(), SDP_ASYNC_REFUSE);
	sdp_sink_refuse(&conn.sink);
	ck_assert_uint_eq(end_next(false), SDP_MID_SEND_SM);
	ck_assert_int_eq(next(), SDP_ASYNC_WAIT);
}
END_TEST

/* The connection has ended before the advertisement is read: memory cannot be registered. */
START_TEST(ended_before_it_reads)
{
	advertised(900000);
	async.registers = false;
	async.lowat = 11;
	async.ended = true;
	ck_assert_int_eq(next(), SDP_ASYNC_COMPLETE);
}
END_TEST

/* A canceled read leaves the advertisement to the next read. */
START_TEST(canceled_before_it_reads)
{
	advertised(900000);
	async.canceled = true;
	ck_assert_int_eq(next(), SDP_ASYNC_COMPLETE);
	async.canceled = false;
	async.ended = true;
	ck_assert_int_eq(next(), SDP_ASYNC_READ);
}
END_TEST

/* S2-252: SinkAvail is sent in Pipelined mode, if no octet is filled. */
START_TEST(advertises)
{
	struct sdp_advert advert = { .len = ROOM };

	ck_assert_int_eq(next(), SDP_ASYNC_WAIT);
	ck_assert_int_eq(end_receive_change(SDP_MODE_PIPELINED, false), SDP_OK);
	ck_assert_int_eq(next(), SDP_ASYNC_ADVERTISE);
	async.lowat = 2;
	async.filled = 1;
	ck_assert_int_eq(next(), SDP_ASYNC_WAIT);
	async.filled = 0;
	async.advertises = false;
	ck_assert_int_eq(next(), SDP_ASYNC_WAIT);
	async.advertises = true;
	async.registers = false;
	ck_assert_int_eq(next(), SDP_ASYNC_WAIT);
	async.registers = true;
	sdp_conn_make_room(&conn, &advert, 0, &message);
	ck_assert_int_eq(next(), SDP_ASYNC_WAIT);
	sdp_room_end(&conn.room);
	ck_assert_int_eq(next(), SDP_ASYNC_ADVERTISE);
}
END_TEST

/* The action is possible, and the read neither ends without a reason nor waits for nothing. */
static void check_next(bool there)
{
	enum sdp_async_next what = next();
	bool may_end = async.filled || async.ended || async.canceled;

	ck_assert(what != SDP_ASYNC_COMPLETE || may_end);
	ck_assert(what != SDP_ASYNC_WAIT || !(there || async.ended || async.canceled));
	ck_assert(what != SDP_ASYNC_WAIT || async.filled < async.lowat);
	ck_assert(what != SDP_ASYNC_READ || (there && async.registers));
	ck_assert(what != SDP_ASYNC_REFUSE || (there && async.filled < async.lowat));
	/* The payload that a refused advertisement becomes is not awaited. */
	ck_assert(what != SDP_ASYNC_REFUSE || !async.ended);
	ck_assert(what != SDP_ASYNC_ADVERTISE || !(there || may_end));
}

START_TEST(all_states)
{
	static const u32 filled[] = { 0, 10, ROOM - 10, ROOM };
	bool there = _i / 2 % 2;
	int i;

	if (_i % 2)
		ck_assert_int_eq(end_receive_change(SDP_MODE_PIPELINED, false), SDP_OK);
	if (there)
		ck_assert_int_eq(end_receive_mid(SDP_MID_SRC_AVAIL, _i % 2 ? 0 : 10), SDP_OK);
	for (i = 0; i < 4 * 64; i++) {
		async.filled = filled[i % 4];
		async.stopped = i & 4;
		async.ended = i & 8;
		async.canceled = i & 16;
		async.registers = i & 32;
		async.advertises = i & 64;
		async.lowat = i & 128 ? 100 : 1;
		check_next(there);
	}
}
END_TEST

Suite *sdp_async_suite(void)
{
	Suite *suite = suite_create("sdp_async");
	TCase *tc = tcase_create("sdp_async");

	tcase_add_checked_fixture(tc, async_begin, NULL);
	tcase_add_test(tc, waits);
	tcase_add_loop_test(tc, ends, 0, 4);
	tcase_add_test(tc, reads);
	tcase_add_loop_test(tc, reads_a_part, 0, 4);
	tcase_add_test(tc, refuses);
	tcase_add_test(tc, ended_before_it_reads);
	tcase_add_test(tc, canceled_before_it_reads);
	tcase_add_test(tc, advertises);
	tcase_add_loop_test(tc, all_states, 0, 4);
	suite_add_tcase(suite, tc);
	return suite;
}
