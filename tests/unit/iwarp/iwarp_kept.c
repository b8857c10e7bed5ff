// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* A queue pair shows the Terminate message that it keeps (req R0-123), and its connection. */
#include <check.h>
#include <linux/kernel.h>
#include "iwarp/view.h"
#include "tests/unit/iwarp/judge.h"
#include "tests/unit/suites.h"

static const struct sim_stream_options plain = { .segment = 0 };

static void kept_assert_error(const struct hca_terminate_info *info, u8 layer, u8 type, u8 code)
{
	ck_assert_uint_eq(info->layer, layer);
	ck_assert_uint_eq(info->error_type, type);
	ck_assert_uint_eq(info->error_code, code);
}

/* The message that was sent: the Read Request that is refused, with its headers. */
START_TEST(sent)
{
	const struct peer *peer = &judge.peer;
	struct hca_terminate_info info;

	judge_begin(&plain);
	judge_establish("request crc");
	judge_run("read sink=0x11121314 sinkto=0x2122232425262728 src=0x1234 srcto=9 size=8");
	ck_assert(peer_next_fpdu(&judge.peer));
	hca_iwarp_view_terminate(judge.qp, &info);
	ck_assert_uint_eq(info.origin, HCA_TERMINATE_LOCAL);
	kept_assert_error(&info, 0, 1, 0);
	ck_assert_uint_eq(judge.qp_events[HCA_QP_ACCESS_ERROR], 1);
	ck_assert_uint_eq(info.swapped, 0);
	ck_assert_uint_eq(info.segment_length, 46);
	ck_assert_uint_eq(info.ddp_octets, 18);
	ck_assert_mem_eq(info.ddp, peer->sent, 18);
	ck_assert_uint_eq(info.read_octets, 28);
	ck_assert_mem_eq(info.read, peer->sent + 18, 28);
	ck_assert_uint_eq(info.message_octets, peer->fpdu.payload_length);
	ck_assert_mem_eq(info.message, peer->fpdu.payload, info.message_octets);
	judge_end();
}
END_TEST

/* Messages of the peer: DDP's error of untagged segments, in both orders of the bits, and MPA's. */
START_TEST(received)
{
	static const struct {
		const char *script;
		u8 layer, type, code, swapped, control[4];
	} rows[] = {
		{ "send opcode=7 qn=2 hex=12030000", 1, 2, 3, 0, { 0x12, 0x03 } },
		{ "send opcode=7 qn=2 hex=21030000", 1, 2, 3, 1, { 0x21, 0x03 } },
		{ "send opcode=7 qn=2 hex=20020000", 2, 0, 2, 0, { 0x20, 0x02 } },
		{ "send opcode=7 qn=2 hex=20050100", 0, 2, 5, 1, { 0x20, 0x05, 0x01 } },
		{ "send opcode=7 qn=2 hex=20050101", 2, 0, 5, 0, { 0x20, 0x05, 0x01, 0x01 } },
	};
	struct hca_terminate_info info;

	judge_begin(&plain);
	judge_establish("request crc");
	judge_run(rows[_i].script);
	hca_iwarp_view_terminate(judge.qp, &info);
	ck_assert_uint_eq(info.origin, HCA_TERMINATE_REMOTE);
	kept_assert_error(&info, rows[_i].layer, rows[_i].type, rows[_i].code);
	ck_assert_uint_eq(info.swapped, rows[_i].swapped);
	ck_assert_uint_eq(info.ddp_octets + info.read_octets + info.segment_length, 0);
	ck_assert_uint_eq(info.message_octets, 4);
	ck_assert_mem_eq(info.message, rows[_i].control, 4);
	judge_end();
}
END_TEST

/* P1-178: the message that has come first is kept, whatever ends the stream afterwards. */
START_TEST(first)
{
	struct hca_terminate_info info;

	judge_begin(&plain);
	judge_establish("request crc");
	judge_run("terminate error=0x1202");
	hca_rnic_fail(&judge.rnic);
	judge_exchange();
	hca_iwarp_view_terminate(judge.qp, &info);
	ck_assert_uint_eq(info.origin, HCA_TERMINATE_REMOTE);
	kept_assert_error(&info, 1, 2, 2);
	judge_end();
}
END_TEST

/* R0-447: the event of each kind of error, and what is counted with it. */
START_TEST(event)
{
	static const struct {
		const char *script;
		enum hca_qp_event event;
		int marker_errors;
	} rows[] = {
		{ "write stag=0x1234 payload=1", HCA_QP_ACCESS_ERROR },
		{ "read sink=1 src=0x1234 size=1", HCA_QP_ACCESS_ERROR },
		{ "write dv=0", HCA_QP_REQUEST_ERROR },
		{ "send dv=0", HCA_QP_REQUEST_ERROR },
		{ "send qn=3", HCA_QP_REQUEST_ERROR },
		{ "send msn=2", HCA_QP_REQUEST_ERROR },
		{ "send rv=0", HCA_QP_REQUEST_ERROR },
		{ "send opcode=8", HCA_QP_REQUEST_ERROR },
		{ "write bad-crc", HCA_QP_FATAL },
		{ "raw 000d4140", HCA_QP_FATAL, 1 },
	};
	const atomic64_t *count = judge.rnic.count;

	judge_begin(&plain);
	judge_establish("request crc");
	judge_run(rows[_i].script);
	ck_assert_uint_eq(judge.qp_events[rows[_i].event], 1);
	ck_assert_uint_eq(judge.qp_events[HCA_QP_ACCESS_ERROR] +
			  judge.qp_events[HCA_QP_REQUEST_ERROR] +
			  judge.qp_events[HCA_QP_FATAL], 1);
	ck_assert_int_eq(atomic64_read(&count[HCA_RNIC_MARKER_ERRORS]), rows[_i].marker_errors);
	ck_assert_int_eq(atomic64_read(&count[HCA_RNIC_FPDUS_OUT]), 1);
	ck_assert_int_eq(atomic64_read(&count[HCA_RNIC_TERMINATES_OUT]), 1);
	judge_end();
}
END_TEST

/* R0-447: an error has one event, also if a RST follows the Terminate message. */
START_TEST(told_once)
{
	judge_begin(&plain);
	judge_establish("request crc");
	judge_run("send rv=0");
	ck_assert_uint_eq(judge.qp_events[HCA_QP_REQUEST_ERROR], 1);
	judge_run("reset");
	ck_assert_uint_eq(judge.qp_events[HCA_QP_REQUEST_ERROR], 1);
	ck_assert_uint_eq(judge.qp_events[HCA_QP_FATAL], 0);
	judge_end();
}
END_TEST

/* Pending requests of a stream that the peer has terminated and reset at once are only flushed. */
START_TEST(reset_behind_terminate)
{
	judge_begin(&(struct sim_stream_options){ .late = 4, .seed = _i });
	judge_establish("request crc");
	judge_post(IB_UVERBS_WR_RDMA_READ, 1, 0, 16, 5, 0);
	judge_run("terminate error=0x2002; reset");
	judge_expect(&judge.send_cq, 1, IB_WC_WR_FLUSH_ERR);
	ck_assert_uint_eq(judge.qp_events[HCA_QP_FATAL], 1);
	judge_end();
}
END_TEST

static void kept_is_shown(struct hca_endpoint *ep, void *shown)
{
	*(bool *)shown = true;
}

/* A connection is shown from the first octet of Full Operation on. */
START_TEST(startup_is_not_shown)
{
	struct hca_iwarp_view view;
	bool shown = false;

	judge_begin(&plain);
	ck_assert_int_eq(judge_connect(4, 4), 0);
	ck_assert(!hca_iwarp_view_connection(judge.qp, &view, kept_is_shown, &shown));
	ck_assert(!shown);
	judge_run("reply crc enhanced rev=2 ird=4 ord=4");
	ck_assert(hca_iwarp_view_connection(judge.qp, &view, kept_is_shown, &shown));
	ck_assert(shown);
	judge_end();
}
END_TEST

/* A connection shows the agreement of its ends, for each way, and how far they are. */
START_TEST(connection_is_shown)
{
	const struct hca_stream *s = &judge.pair.end[1].stream;
	struct hca_iwarp_view view;
	bool shown;

	judge_begin(&plain);
	judge.rnic.options.markers = true;
	judge_establish("request crc enhanced rev=2 ird=3 ord=2");
	judge_post(IB_UVERBS_WR_RDMA_READ, 1, 0, 16, 5, 0);
	ck_assert(hca_iwarp_view_connection(judge.qp, &view, kept_is_shown, &shown));
	ck_assert(!view.is_initiator && view.crc && view.markers_in && !view.markers_out);
	ck_assert_uint_eq(view.revision, 2);
	ck_assert_uint_eq(view.ird, 4);
	ck_assert_uint_eq(view.ord, 3);
	ck_assert_uint_eq(view.reads_in, 0);
	ck_assert_uint_eq(view.reads_out, 1);
	ck_assert_uint_ne(s->received, s->sent);
	ck_assert_uint_eq(view.octets_in, s->received);
	ck_assert_uint_eq(view.octets_out, s->sent);
	ck_assert_mem_eq(view.msn_in, ((u32[]){ 1, 1, 1 }), sizeof(view.msn_in));
	ck_assert_mem_eq(view.msn_out, ((u32[]){ 1, 2, 1 }), sizeof(view.msn_out));
	/* A Read that is flushed is not outstanding any more. */
	judge_run("send rv=0");
	judge_expect(&judge.send_cq, 1, IB_WC_WR_FLUSH_ERR);
	ck_assert(hca_iwarp_view_connection(judge.qp, &view, kept_is_shown, &shown));
	ck_assert_uint_eq(view.reads_out, 0);
	judge_end();
}
END_TEST

Suite *iwarp_kept_suite(void)
{
	Suite *suite = suite_create("iwarp_kept");
	TCase *tc = tcase_create("kept");

	tcase_add_test(tc, sent);
	tcase_add_loop_test(tc, received, 0, 5);
	tcase_add_test(tc, first);
	tcase_add_loop_test(tc, event, 0, 10);
	tcase_add_test(tc, told_once);
	tcase_add_loop_test(tc, reset_behind_terminate, 0, 20);
	tcase_add_test(tc, startup_is_not_shown);
	tcase_add_test(tc, connection_is_shown);
	suite_add_tcase(suite, tc);
	return suite;
}
