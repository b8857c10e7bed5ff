// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The streams of the simulator: what a user of a stream may rely on, and that a seed decides. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <linux/bottom_half.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include "shim.h"
#include "tests/sim/iwarp/stream.h"
#include "tests/unit/suites.h"

#define MESSAGE 5000 /* octets */
#define ENDLESS 1000000 /* steps that nothing here needs */

/* A user of one end: it reads @unit octets at a time, and counts its events. */
struct user {
	struct hca_runnable run;
	struct sim_stream *end;
	u32 unit;
	u8 read[2 * MESSAGE];
	u32 length;
	u32 runs, readable, writable, peer_closed, closed, lost;
	u32 shown; /* octets that one peek() has shown when READABLE came */
	u64 closed_at; /* octets that were read when PEER_CLOSED came */
};

static struct sim_stream_pair pair;
static struct user user;
static u8 message[MESSAGE];

/* Copies the next octets, at most as many as one unit has. Returns their number. */
static u32 user_copy(struct user *u, u32 offset)
{
	struct hca_stream *s = &u->end->stream;
	struct hca_octets range[8];
	u32 there = s->ops->peek(s, offset, range, ARRAY_SIZE(range)), i, done;

	there = min(there, u->unit - offset);
	for (i = 0, done = 0; done < there; done += range[i++].length)
		memcpy(u->read + u->length + offset + done, range[i].data,
		       min(range[i].length, there - done));
	return there;
}

static void user_read(struct user *u)
{
	struct hca_stream *s = &u->end->stream;
	struct hca_octets range[HCA_STREAM_RANGES];
	u32 done;

	u->shown = s->ops->peek(s, 0, range, HCA_STREAM_RANGES);
	while (s->ops->peek(s, u->unit - 1, range, 1)) {
		for (done = 0; done < u->unit; )
			done += user_copy(u, done);
		u->length += done;
		s->ops->consume(s, done);
	}
	s->ops->want(s, u->unit);
}

static bool user_run(struct hca_runnable *r, int *budget)
{
	struct user *u = container_of(r, struct user, run);
	int events = atomic_xchg(&u->end->stream.events, 0);

	u->runs++;
	u->readable += !!(events & HCA_STREAM_READABLE);
	u->writable += !!(events & HCA_STREAM_WRITABLE);
	u->closed += !!(events & HCA_STREAM_CLOSED);
	u->lost += !!(events & HCA_STREAM_LOST);
	if (events & HCA_STREAM_READABLE)
		user_read(u);
	if (events & HCA_STREAM_PEER_CLOSED) {
		u->peer_closed++;
		u->closed_at = u->length;
	}
	return false;
}

static void setup(void)
{
	u32 i;

	shim_reset(1);
	ck_assert_int_eq(hca_engine_start(), 0);
	for (i = 0; i < MESSAGE; i++)
		message[i] = i * 31 + i / 256;
}

static void teardown(void)
{
	hca_engine_stop();
}

static void begin(const struct sim_stream_options *options, u32 unit)
{
	sim_stream_open(&pair, options);
	memset(&user, 0, sizeof(user));
	hca_run_init(&user.run, user_run);
	user.end = &pair.end[1];
	user.unit = unit;
	user.end->stream.run = &user.run;
	user.end->stream.ops->want(&user.end->stream, unit);
}

static void end(void)
{
	hca_run_stop(&user.run);
	user.end->stream.ops->release(&user.end->stream);
	sim_stream_free(&pair);
}

static int send_buffer(struct sim_stream *s, const void *octets, u32 length)
{
	struct hca_tx_buffer b;
	int ret;

	local_bh_disable();
	ck_assert(hca_tx_buffer_alloc(&b, length, length));
	memcpy(b.data + b.used, octets, length);
	b.used += length;
	ret = s->stream.ops->send(&s->stream, &b, false);
	hca_tx_buffer_free(&b);
	local_bh_enable();
	return ret;
}

static const struct sim_stream_options several[] = {
	{ .segment = 0 },
	{ .segment = 1 },
	{ .segment = 100 },
	{ .segment = 100, .delay = 5, .window = 77 },
	{ .segment = 3, .window = 1 },
	{ .window = 1, .contiguous = true },
	{ .segment = 100, .contiguous = true, .early = true },
	{ .segment = 2000, .delay = 3, .window = 4096, .mss = 536, .early = true },
};

/* All octets arrive, in order, in units that may be larger than the window. */
START_TEST(in_order)
{
	static const u32 units[] = { 1, 2, 500, MESSAGE };
	struct sim_stream_options options = several[_i / 4];
	u32 unit = units[_i % 4];

	options.seed = _i;
	begin(&options, unit);
	sim_stream_write(&pair.end[0], message, MESSAGE);
	ck_assert_uint_lt(sim_stream_settle(&pair), ENDLESS);
	ck_assert_uint_eq(user.length, MESSAGE);
	ck_assert_mem_eq(user.read, message, MESSAGE);
	if (!options.early) {
		ck_assert_uint_le(user.readable, MESSAGE / unit);
		ck_assert_uint_ge(user.shown, unit);
	}
	ck_assert_uint_eq(user.runs, user.readable);
	ck_assert_int_eq(!!user.end->most_staged, options.window && options.window < unit);
	end();
}
END_TEST

/* A cut of one octet's place, and a FIN or a RST at it. */
START_TEST(cut_at_each_octet)
{
	struct hca_octets range[4];
	u64 at;

	for (at = 1; at < 300; at++) {
		begin(&(struct sim_stream_options){ .cut = at }, 300);
		sim_stream_write(&pair.end[0], message, 300);
		ck_assert(sim_stream_step(&pair));
		ck_assert_uint_eq(user.end->stream.ops->peek(&user.end->stream, 0, range, 4), at);
		ck_assert_uint_eq(range[0].length, at);
		ck_assert_uint_eq(user.runs, 0);
		sim_stream_settle(&pair);
		ck_assert_uint_eq(user.runs, 1);
		ck_assert_uint_eq(user.length, 300);
		end();
	}
}
END_TEST

START_TEST(fin_at_each_octet)
{
	u64 at;

	for (at = 0; at <= 300; at++) {
		begin(&(struct sim_stream_options){ .seed = at, .segment = 50 }, 1);
		sim_stream_fin_at(&pair.end[0], at);
		sim_stream_write(&pair.end[0], message, 300);
		sim_stream_settle(&pair);
		ck_assert_uint_eq(user.length, at);
		ck_assert_uint_eq(user.closed_at, at);
		ck_assert_uint_eq(user.peer_closed, 1);
		ck_assert_uint_eq(user.closed + user.lost, 0);

		user.end->stream.ops->close(&user.end->stream);
		sim_stream_settle(&pair);
		ck_assert_uint_eq(user.closed, 1);
		ck_assert_uint_eq(user.lost, 0);
		end();
	}
}
END_TEST

START_TEST(reset_at_each_octet)
{
	struct hca_octets range;
	u64 at;

	for (at = 0; at <= 300; at++) {
		begin(&(struct sim_stream_options){ .seed = at, .segment = 50 }, 1);
		sim_stream_reset_at(&pair.end[0], at);
		sim_stream_write(&pair.end[0], message, 300);
		sim_stream_settle(&pair);
		ck_assert_uint_eq(user.length, at);
		ck_assert_uint_eq(user.lost, 1);
		ck_assert_uint_eq(user.closed + user.peer_closed, 0);
		ck_assert_int_eq(user.end->stream.error, -ECONNRESET);
		ck_assert_uint_eq(user.end->stream.ops->peek(&user.end->stream, 0, &range, 1), 0);
		ck_assert_int_eq(send_buffer(user.end, message, 1), -EPIPE);
		end();
	}
}
END_TEST

/* Both ends close, in either order; what was sent before arrives. */
START_TEST(close_both)
{
	begin(&(struct sim_stream_options){ .seed = _i, .segment = 10, .delay = 2 }, 1);
	ck_assert_int_eq(send_buffer(&pair.end[0], message, 200), 0);
	pair.end[_i % 2].stream.ops->close(&pair.end[_i % 2].stream);
	sim_stream_settle(&pair);
	ck_assert_uint_eq(user.length, 200);
	ck_assert_uint_eq(user.closed, 0);
	ck_assert_uint_eq(user.peer_closed, _i % 2 == 0);
	ck_assert_int_eq(send_buffer(&pair.end[_i % 2], message, 1), -EPIPE);

	pair.end[!(_i % 2)].stream.ops->close(&pair.end[!(_i % 2)].stream);
	sim_stream_settle(&pair);
	ck_assert_uint_eq(user.closed, 1);
	ck_assert_uint_eq(user.peer_closed, 1);
	/* An end that has been closed cannot be lost. */
	user.end->stream.ops->reset(&user.end->stream);
	sim_stream_settle(&pair);
	ck_assert_uint_eq(user.lost, 0);
	end();
}
END_TEST

/* reset() loses what has arrived, and what the peer sends; what was sent may arrive before. */
START_TEST(reset_by_either)
{
	struct sim_stream *resetter = &pair.end[_i & 1];
	bool overtakes = _i & 2;

	begin(&(struct sim_stream_options){ .segment = 10, .overtakes = overtakes }, 1);
	ck_assert_int_eq(send_buffer(&pair.end[0], message, 200), 0);
	resetter->stream.ops->reset(&resetter->stream);
	ck_assert_uint_eq(user.lost, 0);
	sim_stream_settle(&pair);
	ck_assert_uint_eq(user.lost, 1);
	ck_assert_int_eq(user.end->stream.error, _i & 1 ? 0 : -ECONNRESET);
	ck_assert_uint_eq(user.length, _i & 1 || overtakes ? 0 : 200);
	end();
}
END_TEST

/* A RST arrives behind a FIN, too. */
START_TEST(reset_after_close)
{
	struct hca_stream *s = &pair.end[0].stream;

	begin(&(struct sim_stream_options){ .seed = _i }, 1);
	ck_assert_int_eq(send_buffer(&pair.end[0], message, 200), 0);
	s->ops->close(s);
	sim_stream_settle(&pair);
	ck_assert_uint_eq(user.peer_closed, 1);
	s->ops->reset(s);
	sim_stream_settle(&pair);
	ck_assert_uint_eq(user.lost, 1);
	ck_assert_int_eq(user.end->stream.error, -ECONNRESET);
	ck_assert_uint_eq(user.length, 200);
	end();
}
END_TEST

/* A sender that has filled its memory is told when there is room again, and only then. */
START_TEST(backpressure)
{
	struct sim_stream *s;
	u32 sent = 0;

	begin(&(struct sim_stream_options){ .seed = _i, .segment = 40, .buffer = 100,
					    .again = _i ? 3 : 0 }, MESSAGE);
	s = user.end;
	while (sent < 2000) {
		if (!s->stream.ops->room(&s->stream) || send_buffer(s, message + sent, 80)) {
			u32 before = user.writable;

			while (user.writable == before)
				ck_assert(sim_stream_step(&pair));
			continue;
		}
		sent += 80;
		ck_assert_uint_lt(s->sent - s->carried, 100 + 80);
	}
	ck_assert_uint_gt(user.writable, 0);
	sim_stream_settle(&pair);
	ck_assert_uint_eq(sim_stream_read(&pair.end[0], user.read, MESSAGE), 2000);
	ck_assert_mem_eq(user.read, message, 2000);
	end();
}
END_TEST

/* The same seed makes the same steps, another one others. */
START_TEST(deterministic)
{
	struct sim_stream_options options = { .segment = 90, .delay = 7, .window = 500 };
	u64 steps[3];
	int i;

	for (i = 0; i < 3; i++) {
		options.seed = 5 + i / 2;
		begin(&options, 1);
		sim_stream_write(&pair.end[0], message, MESSAGE);
		sim_stream_write(&pair.end[1], message, MESSAGE);
		steps[i] = sim_stream_settle(&pair);
		end();
	}
	ck_assert_uint_eq(steps[0], steps[1]);
	ck_assert_uint_ne(steps[0], steps[2]);
}
END_TEST

/* peek() from an offset, and with fewer ranges than there are. */
START_TEST(ranges)
{
	struct hca_octets range[8];
	struct hca_stream *s;

	begin(&(struct sim_stream_options){ .segment = 1 }, MESSAGE);
	s = &user.end->stream;
	sim_stream_write(&pair.end[0], message, 6);
	sim_stream_settle(&pair);
	ck_assert_uint_eq(s->ops->peek(s, 0, range, 8), 6);
	ck_assert_uint_eq(s->ops->peek(s, 2, range, 3), 3);
	ck_assert_uint_eq(range[0].data[0], message[2]);
	ck_assert_uint_eq(range[2].data[0], message[4]);
	ck_assert_uint_eq(s->ops->peek(s, 6, range, 8), 0);
	s->ops->consume(s, 5);
	ck_assert_uint_eq(s->ops->peek(s, 0, range, 8), 1);
	ck_assert_uint_eq(range[0].data[0], message[5]);
	ck_assert_uint_eq(user.runs, 0);
	s->ops->want(s, 1);
	sim_stream_settle(&pair);
	ck_assert_uint_eq(user.readable, 1);
	end();
}
END_TEST

Suite *iwarp_stream_suite(void)
{
	Suite *suite = suite_create("iwarp_stream");
	TCase *tc = tcase_create("iwarp_stream");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, in_order, 0, 4 * ARRAY_SIZE(several));
	tcase_add_test(tc, cut_at_each_octet);
	tcase_add_test(tc, fin_at_each_octet);
	tcase_add_test(tc, reset_at_each_octet);
	tcase_add_loop_test(tc, close_both, 0, 4);
	tcase_add_loop_test(tc, reset_by_either, 0, 4);
	tcase_add_test(tc, reset_after_close);
	tcase_add_loop_test(tc, backpressure, 0, 3);
	tcase_add_test(tc, deterministic);
	tcase_add_test(tc, ranges);
	suite_add_tcase(suite, tc);
	return suite;
}
