// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The operations of its stream that an RNIC uses: nothing is sent behind a reset or a close, each
 * of which comes once, and what the stream has not taken yet is sent before.
 */
#include <check.h>
#include <linux/bottom_half.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include "iwarp/fault_install.h"
#include "shim.h"
#include "tests/unit/iwarp/judge_state.h"
#include "tests/unit/suites.h"

static const struct sim_stream_options plain = { .segment = 0 };

static struct hca_stream_ops border_ops;
static const struct hca_stream_ops *border_usual;
static struct {
	bool is_full; /* the stream takes nothing, though it has said that it has room */
	bool is_wanted; /* want() was called behind the last consume() */
	u32 closes, resets;
} border;

static int border_send(struct hca_stream *s, const struct hca_tx_buffer *b, bool more)
{
	ck_assert_uint_eq(border.closes + border.resets, 0);
	ck_assert_uint_le(b->used, b->size);
	return border.is_full ? -EAGAIN : border_usual->send(s, b, more);
}

/* A stream that has ended may say that it has room. */
static u32 border_room(struct hca_stream *s)
{
	return border.closes + border.resets ? 1 : border_usual->room(s);
}

static void border_consume(struct hca_stream *s, u32 octets)
{
	border.is_wanted = false;
	border_usual->consume(s, octets);
}

static void border_want(struct hca_stream *s, u32 octets)
{
	border.is_wanted = true;
	border_usual->want(s, octets);
}

static void border_close(struct hca_stream *s)
{
	border.closes++;
	border_usual->close(s);
}

static void border_reset(struct hca_stream *s)
{
	border.resets++;
	border_usual->reset(s);
}

static void border_begin(void)
{
	judge_begin(&plain);
	border_usual = judge.core->stream.ops;
	border_ops = *border_usual;
	border_ops.send = border_send;
	border_ops.room = border_room;
	border_ops.consume = border_consume;
	border_ops.want = border_want;
	border_ops.close = border_close;
	border_ops.reset = border_reset;
	judge.core->stream.ops = &border_ops;
	border.is_full = false;
	border.closes = 0;
	border.resets = 0;
}

/* The user of the stream runs once more, before anything arrives. */
static void border_run(void)
{
	hca_stream_event(&judge.core->stream, HCA_STREAM_WRITABLE);
	hca_engine_raise();
	shim_run_until_idle();
}

static void border_set_full(bool is_full)
{
	border.is_full = is_full;
	if (is_full)
		return;
	border_run();
	judge_exchange();
}

/* A frame of start-up that has waited for the stream is not sent behind a reset. */
START_TEST(no_frame_behind_reset)
{
	border_begin();
	if (_i)
		judge_listen("request crc");
	border.is_full = true;
	ck_assert_int_eq(_i ? judge_accept(4, 4) : judge_connect(4, 4), 0);
	ck_assert(judge.ep.is_frame_due);
	ck_assert_int_eq(judge_modify(IB_QPS_ERR), 0);
	ck_assert_uint_eq(border.resets, 1);
	border.is_full = false;
	border_run();
	judge_exchange();
	ck_assert_uint_eq(judge.peer.in_length, 0);
	ck_assert_uint_eq(border.resets, 1);
	judge_end();
}
END_TEST

/* R0-196: the end of an orderly close is one FIN, however often the queue pair runs. */
START_TEST(one_close)
{
	border_begin();
	judge_establish("request crc");
	ck_assert_int_eq(judge_modify(IB_QPS_SQD), 0);
	border_run();
	judge_exchange();
	border_run();
	ck_assert_uint_eq(border.closes, 1);
	judge_run("fin");
	ck_assert_uint_eq(border.closes, 1);
	ck_assert_uint_eq(border.resets, 0);
	ck_assert_int_eq(judge.close_status, 0);
	judge_end();
}
END_TEST

/* P1-131: one Terminate message, though the queue pair runs before and after it is sent. */
START_TEST(one_terminate)
{
	border_begin();
	judge_establish("request crc");
	border.is_full = true;
	ck_assert_int_eq(judge_modify(IB_QPS_SQE), 0);
	border_run();
	border_set_full(false);
	border_run();
	judge_exchange();
	ck_assert(peer_next_fpdu(&judge.peer));
	ck_assert_uint_eq(judge.peer.fpdu.header.opcode, 7);
	ck_assert(!peer_next_fpdu(&judge.peer));
	ck_assert_int_eq(atomic64_read(&judge.rnic.count[HCA_RNIC_TERMINATES_OUT]), 1);
	ck_assert_uint_eq(border.closes, 1);
	judge_end();
}
END_TEST

/* A stream that is not closed in time is reset once. */
START_TEST(one_reset)
{
	border_begin();
	judge_establish("request crc");
	ck_assert_int_eq(judge_modify(_i ? IB_QPS_SQE : IB_QPS_SQD), 0);
	judge_exchange();
	shim_advance(6 * 1000000000ull);
	ck_assert_uint_eq(border.resets, 1);
	border_run();
	judge_exchange();
	ck_assert_uint_eq(border.resets, 1);
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 1);
	judge_end();
}
END_TEST

/* The removal of the device resets the stream of start-up once. */
START_TEST(one_reset_of_startup)
{
	border_begin();
	judge_listen(_i ? "request crc" : "");
	hca_rnic_fail(&judge.rnic);
	ck_assert_uint_eq(border.resets, 1);
	border_run();
	border_run();
	ck_assert_uint_eq(border.resets, 1);
	judge_exchange();
	ck_assert_uint_eq(border.resets, 1);
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 1);
	judge_end();
}
END_TEST

/*
 * Octets behind the Terminate message, which nobody looks at, are read to their end, so that the
 * FIN behind them can come though the window is small.
 */
START_TEST(all_is_discarded)
{
	border_begin();
	judge_establish("request crc");
	judge.pair.options.window = 100;
	ck_assert_int_eq(judge_modify(IB_QPS_SQE), 0);
	judge_exchange();
	judge_run("write stag=$rw to=0x70000 payload=3000");
	ck_assert(border.is_wanted);
	judge_run("fin");
	ck_assert(judge_is_untouched());
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 1);
	ck_assert_int_eq(judge.close_status, 0);
	judge_end();
}
END_TEST

/* The removal of the device ends a connection by one reset, behind which nothing is sent. */
START_TEST(one_reset_by_removal)
{
	border_begin();
	judge_establish("request crc");
	hca_rnic_fail(&judge.rnic);
	border_run();
	ck_assert_uint_eq(border.resets, 1);
	judge_exchange();
	ck_assert_uint_eq(border.resets, 1);
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 1);
	ck_assert_ptr_null(judge.ep.user);
	ck_assert_uint_eq(judge.qp_events[HCA_QP_FATAL], 0);
	judge_end();
}
END_TEST

/*
 * A fault cuts an FPDU behind ten octets, which the stream gets before the reset, however late. In
 * Terminate the stream gets nothing any more, and no Terminate message either.
 */
START_TEST(cut_waits)
{
	const struct hca_iwarp_fault_spec cut = { .kind = HCA_IWARP_FAULT_CUT, .value = 10 };

	border_begin();
	judge_establish("request crc");
	ck_assert_int_eq(hca_rnic_set_qp_faults(&judge.rnic, judge.qp->qpn, &cut), 0);
	border.is_full = true;
	judge_post(IB_UVERBS_WR_SEND, 1, 0, 64, 0, 0);
	if (_i)
		ck_assert_int_eq(judge_modify(IB_QPS_SQE), 0);
	border_run();
	ck_assert_uint_eq(border.resets, _i);
	border_set_full(false);
	ck_assert_uint_eq(judge.peer.in_length, _i ? 0 : 10);
	ck_assert_uint_eq(border.resets, 1);
	judge_end();
}
END_TEST

/* R0-126: the destruction of a queue pair resets its stream, and tells of the end. */
START_TEST(one_reset_by_destruction)
{
	border_begin();
	judge_establish("request crc");
	judge_destroy();
	ck_assert_uint_eq(border.resets, 1);
	ck_assert_uint_eq(border.closes, 0);
	judge_exchange();
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 1);
	ck_assert_int_eq(judge.close_status, -ECONNRESET);
	judge_end();
}
END_TEST

/* R0-126: a close that has begun is one in order, though the queue pair is destroyed. */
START_TEST(destroyed_while_closing)
{
	border_begin();
	judge_establish("request crc");
	ck_assert_int_eq(judge_modify(IB_QPS_SQD), 0);
	judge_destroy();
	judge_exchange();
	ck_assert_uint_eq(border.closes, 1);
	ck_assert_uint_eq(border.resets, 0);
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 1);
	ck_assert_int_eq(judge.close_status, 0);
	judge_end();
}
END_TEST

/* R0-195: an FPDU in Closing, or a part of one, is answered by a reset, and no error is kept. */
START_TEST(part_in_closing)
{
	border_begin();
	judge_establish("request crc");
	ck_assert_int_eq(judge_modify(IB_QPS_SQD), 0);
	judge_run(_i ? "raw 00; fin" : "write bad-crc");
	ck_assert_uint_eq(judge.it->origin, HCA_TERMINATE_NONE);
	ck_assert_uint_eq(judge.qp_events[HCA_QP_FATAL], 1);
	judge_end();
}
END_TEST

/* A fault that silences a queue pair does not outlive the removal of the device. */
START_TEST(stall_ends)
{
	const struct hca_iwarp_fault_spec stall = {
		.kind = HCA_IWARP_FAULT_STALL, .value = 60000,
	};

	border_begin();
	judge_establish("request crc");
	ck_assert_int_eq(hca_rnic_set_qp_faults(&judge.rnic, judge.qp->qpn, &stall), 0);
	judge_post(IB_UVERBS_WR_SEND, 1, 0, 64, 0, 0);
	judge_run("write more");
	ck_assert(!judge.it->ddp.is_in_tagged);
	hca_rnic_fail(&judge.rnic);
	judge_exchange();
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 1);
	judge_end();
}
END_TEST

/* Memory for what is sent has a limit, however much the stream would take. */
START_TEST(largest_buffer)
{
	struct hca_tx_buffer b;

	border_begin();
	local_bh_disable();
	ck_assert(hca_tx_buffer_alloc(&b, 1 << 20, 100));
	ck_assert_uint_eq(b.size, HCA_TX_BUFFER_MAX);
	hca_tx_buffer_free(&b);
	local_bh_enable();
	judge_end();
}
END_TEST

/* RFC 5044, 4.5: an FPDU fits into a TCP segment, and into the memory that is reserved for it. */
START_TEST(segments)
{
	static const u32 sizes[] = { 536, 1448, 4104, 9000 };
	u32 mss = sizes[_i], octets = 0, length = _i < 2 ? 8000 : 4080;

	border_begin();
	judge.pair.options.mss = mss;
	judge_establish("request crc");
	judge_post(IB_UVERBS_WR_SEND, 1, 0, length, 0, 0);
	for (; octets < length; octets += judge.peer.fpdu.payload_length) {
		ck_assert(peer_next_fpdu(&judge.peer));
		ck_assert_uint_le(judge.peer.fpdu.octets, mss);
		ck_assert_uint_eq(judge.peer.fpdu.header.mo, octets);
	}
	ck_assert_uint_eq(octets, length);
	judge_end();
}
END_TEST

/* The connection exists when the stream has taken the RTR message, not before. */
START_TEST(rtr_is_taken)
{
	border_begin();
	ck_assert_int_eq(judge_connect(4, 4), 0);
	ck_assert(peer_next_start(&judge.peer));
	border.is_full = true;
	judge_run("reply crc enhanced rev=2 p2p rtr-write ird=4 ord=4");
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CONNECT_REPLY], 0);
	if (_i) {
		judge.core->stream.error = -EHOSTUNREACH;
		hca_stream_event(&judge.core->stream, HCA_STREAM_LOST);
		border_run();
		ck_assert_int_eq(judge.reply_status, -EHOSTUNREACH);
	} else {
		border_set_full(false);
		ck_assert_int_eq(judge.reply_status, 0);
	}
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CONNECT_REPLY], 1);
	judge_end();
}
END_TEST

/* A request that an error flushes is not sent, though the stream has room at the same moment. */
START_TEST(failed_is_not_sent)
{
	border_begin();
	judge_establish("request crc");
	border.is_full = true;
	judge_post(IB_UVERBS_WR_SEND, 1, 0, 8, 0, 0);
	border.is_full = false;
	judge_run("send rv=0");
	judge_expect(&judge.send_cq, 1, IB_WC_WR_FLUSH_ERR);
	ck_assert(peer_next_fpdu(&judge.peer));
	ck_assert_uint_eq(judge.peer.fpdu.header.opcode, 7);
	judge_end();
}
END_TEST

/* Markers count for the memory of several FPDUs, wherever each of these begins. */
START_TEST(markers_fit)
{
	u32 length, i;

	border_begin();
	judge_establish("request markers crc");
	for (length = 200; length < 700; length += 4) {
		border.is_full = true;
		for (i = 0; i < 12; i++)
			judge_post(IB_UVERBS_WR_SEND, i, 0, length, 0, 0);
		border_set_full(false);
		for (i = 0; i < 12; i++) {
			judge_expect(&judge.send_cq, i, IB_WC_SUCCESS);
			ck_assert(peer_next_fpdu(&judge.peer));
			ck_assert(judge.peer.fpdu.has_markers && judge.peer.fpdu.has_crc);
		}
	}
	judge_end();
}
END_TEST

/* Octets of a request that have come before anybody listened are read at once. */
START_TEST(early_request)
{
	border_begin();
	judge.is_begun = true;
	judge_run("request crc");
	hca_startup_listen(&judge.ep);
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CONNECT_REQUEST], 1);
	ck_assert_int_eq(judge_accept(4, 4), 0);
	judge_end();
}
END_TEST

/* RFC 5044, 8: a length that no ULPDU has is an error before the rest of the FPDU comes. */
START_TEST(short_length)
{
	border_begin();
	judge_establish("request crc");
	judge_run("raw 000d4140");
	ck_assert(peer_next_fpdu(&judge.peer));
	ck_assert_uint_eq(judge.peer.fpdu.header.opcode, 7);
	ck_assert_mem_eq(judge.peer.fpdu.terminate.control, ((u8[]){ 0x20, 0x03 }), 2);
	judge_end();
}
END_TEST

/* The reason why TCP has lost a connection is that of the result, and of the end. */
START_TEST(reason_of_stream)
{
	border_begin();
	if (_i)
		judge_establish("request crc");
	else
		ck_assert_int_eq(judge_connect(4, 4), 0);
	judge_run("reset");
	ck_assert_int_eq(_i ? judge.close_status : judge.reply_status, -ECONNRESET);
	judge_again();
	border_usual = judge.core->stream.ops;
	if (_i)
		judge_establish("request crc");
	else
		ck_assert_int_eq(judge_connect(4, 4), 0);
	judge.core->stream.error = -EHOSTUNREACH;
	hca_stream_event(&judge.core->stream, HCA_STREAM_LOST);
	hca_engine_raise();
	shim_run_until_idle();
	ck_assert_int_eq(judge.close_status, -EHOSTUNREACH);
	ck_assert_int_eq(judge.reply_status, _i ? 0 : -EHOSTUNREACH);
	judge_end();
}
END_TEST

/* A Read Response that is written is no work that a close has to wait for, and is still sent. */
START_TEST(response_before_close)
{
	border_begin();
	judge_establish("request crc");
	border.is_full = true;
	judge_run("read sink=1 sinkto=0 src=$rw srcto=0x70000 size=100");
	ck_assert_uint_eq(judge.it->responder.count, 0);
	ck_assert_int_eq(judge_modify(IB_QPS_SQD), 0);
	ck_assert_uint_eq(border.closes, 0);
	border_set_full(false);
	ck_assert(peer_next_fpdu(&judge.peer));
	ck_assert_uint_eq(judge.peer.fpdu.header.opcode, 2);
	ck_assert_mem_eq(judge.peer.fpdu.payload, judge.memory, 100);
	ck_assert_uint_eq(border.closes, 1);
	judge_run("fin");
	ck_assert_int_eq(judge.close_status, 0);
	judge_end();
}
END_TEST

/* The peer does not close: the time of a queue pair in Error is limited as well (R0-471). */
START_TEST(error_expires)
{
	border_begin();
	judge_establish("request crc");
	judge.qp->rq.ring->producer = 1000;
	judge_run("send payload=4");
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_ERR);
	ck_assert_uint_eq(border.closes, 1);
	ck_assert(peer_next_fpdu(&judge.peer));
	ck_assert_mem_eq(judge.peer.fpdu.terminate.control, ((u8[]){ 0x02, 0x07 }), 2);
	ck_assert_uint_eq(judge.qp_events[HCA_QP_FATAL], 1);
	ck_assert_uint_eq(judge.qp_events[HCA_QP_REQUEST_ERROR], 0);
	judge_wait(4);
	ck_assert_uint_eq(border.resets, 0);
	judge_wait(2);
	ck_assert_uint_eq(border.resets, 1);
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 1);
	judge_end();
}
END_TEST

Suite *iwarp_border_suite(void)
{
	Suite *suite = suite_create("iwarp_border");
	TCase *tc = tcase_create("border");

	tcase_add_loop_test(tc, no_frame_behind_reset, 0, 2);
	tcase_add_test(tc, one_close);
	tcase_add_test(tc, one_terminate);
	tcase_add_loop_test(tc, one_reset, 0, 2);
	tcase_add_loop_test(tc, one_reset_of_startup, 0, 2);
	tcase_add_test(tc, all_is_discarded);
	tcase_add_test(tc, one_reset_by_removal);
	tcase_add_loop_test(tc, cut_waits, 0, 2);
	tcase_add_test(tc, one_reset_by_destruction);
	tcase_add_test(tc, destroyed_while_closing);
	tcase_add_loop_test(tc, part_in_closing, 0, 2);
	tcase_add_test(tc, stall_ends);
	tcase_add_test(tc, largest_buffer);
	tcase_add_loop_test(tc, segments, 0, 4);
	tcase_add_loop_test(tc, rtr_is_taken, 0, 2);
	tcase_add_test(tc, failed_is_not_sent);
	tcase_add_test(tc, markers_fit);
	tcase_add_test(tc, early_request);
	tcase_add_test(tc, short_length);
	tcase_add_loop_test(tc, reason_of_stream, 0, 2);
	tcase_add_test(tc, response_before_close);
	tcase_add_test(tc, error_expires);
	suite_add_tcase(suite, tc);
	return suite;
}
