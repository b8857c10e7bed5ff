// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * An RNIC judged by the end of its streams: states of the queue pair, FIN, RST, Terminate, the time
 * that the end may have, and who is told.
 */
#include <check.h>
#include <stdio.h>
#include <string.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include "shim.h"
#include "tests/unit/iwarp/judge_state.h"
#include "tests/unit/suites.h"

static const struct sim_stream_options plain = { .segment = 0 };

static void end_begin(void)
{
	judge_begin(&plain);
	judge_establish("request crc");
}

/* The events of a queue pair that tell of an error. */
static u32 end_errors(void)
{
	return judge.qp_events[HCA_QP_FATAL] + judge.qp_events[HCA_QP_ACCESS_ERROR] +
	       judge.qp_events[HCA_QP_REQUEST_ERROR];
}

/* P1-170, R0-169: a FIN follows the Terminate, so that the peer gets it. */
static void end_assert_terminate(u16 error)
{
	const u8 *control = judge.peer.fpdu.terminate.control;

	ck_assert(peer_next_fpdu(&judge.peer));
	ck_assert_uint_eq(judge.peer.fpdu.header.opcode, 7);
	ck_assert_uint_eq(control[0] << 8 | control[1], error);
	/* P1-175, R0-204: without headers, unless a segment of the peer is the cause. */
	ck_assert_uint_eq(control[2], error == 0x1100 ? 0xc0 : 0);
	ck_assert(!peer_next_fpdu(&judge.peer));
	ck_assert(judge_fin());
}

/*
 * A graceful end, begun by either side (req R0-187 to R0-197; R0-012, R0-262). It is the consumer's
 * choice when, and TCP's own close (P1-166). R0-157: nobody is told of an error.
 */
START_TEST(graceful)
{
	bool is_idle = _i & 1, is_first = _i & 2;

	judge_begin(&plain);
	judge.rnic.options.idle_after_close = is_idle;
	judge_establish("request crc");
	/* The connection keeps the options that it has begun with. */
	judge.rnic.options.idle_after_close = !is_idle;
	judge_recv(1, 0, 64, judge.mr[JUDGE_RW]->key);
	if (is_first) {
		ck_assert_int_eq(judge_modify_settled(IB_QPS_SQD), 0);
		ck_assert(judge_fin());
		ck_assert_uint_eq(judge.qp->common.state, IB_QPS_SQD);
		ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 0);
		judge_recv(2, 0, 64, judge.mr[JUDGE_RW]->key);
	}
	judge_run("fin");
	ck_assert(judge_fin() && !judge_reset()); /* R0-193 */
	ck_assert(!peer_next_fpdu(&judge.peer));
	ck_assert_uint_eq(judge.qp->common.state, is_idle ? IB_QPS_INIT : IB_QPS_ERR);
	/* R0-477, R0-515: TCP keeps what is left of the connection without the queue pair. */
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 1);
	ck_assert_int_eq(judge.close_status, 0);
	ck_assert_ptr_null(judge.it->ep);
	if (!is_first)
		ck_assert_uint_eq(judge.events[HCA_ENDPOINT_DISCONNECT], 1);
	ck_assert_uint_eq(end_errors(), 0);
	judge_expect(&judge.recv_cq, 1, IB_WC_WR_FLUSH_ERR);
	if (is_first)
		judge_expect(&judge.recv_cq, 2, IB_WC_WR_FLUSH_ERR); /* R0-192: posted in Closing */
	judge_expect_none(&judge.recv_cq);
	judge_end();
}
END_TEST

/*
 * In Closing a segment is an error, a Terminate is kept: a RST, and the event (req R0-191, R0-466).
 * R0-190: none is executed, nor answered.
 */
START_TEST(segment_in_closing)
{
	static const char *const scripts[] = {
		"write", "send", "terminate error=0x1202",
		"write stag=$rw to=0x70000 payload=8", "read src=$rw srcto=0x70000 size=8",
	};

	end_begin();
	ck_assert_int_eq(judge_modify_settled(IB_QPS_SQD), 0);
	judge_run(scripts[_i]);
	ck_assert(judge_is_untouched());
	ck_assert(!peer_next_fpdu(&judge.peer));
	ck_assert(judge_reset());
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_ERR);
	ck_assert_uint_eq(judge.qp_events[HCA_QP_FATAL], 1);
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 1);
	ck_assert_int_eq(judge.close_status, -ECONNRESET);
	judge_end();
}
END_TEST

/* Time is limited in Closing and Terminate: a RST then (4.2; R0-170, R0-177, R0-515). */
START_TEST(peer_does_not_close)
{
	end_begin();
	ck_assert_int_eq(judge_modify_settled(_i ? IB_QPS_SQE : IB_QPS_SQD), 0);
	ck_assert_uint_eq(judge.qp->common.state, _i ? IB_QPS_SQE : IB_QPS_SQD);
	if (_i)
		end_assert_terminate(0x0000);
	judge_wait(4);
	ck_assert(!judge_reset());
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 0);
	judge_wait(2);
	ck_assert(judge_reset());
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_ERR);
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 1);
	ck_assert_ptr_null(judge.it->ep);
	ck_assert_uint_eq(judge.qp_events[HCA_QP_FATAL], 1); /* R0-173, R0-189, T0-133 */
	judge_end();
}
END_TEST

/* R0-189: the loss of the stream in Closing leads to Error, and to an event. */
START_TEST(lost_in_closing)
{
	end_begin();
	ck_assert_int_eq(judge_modify_settled(IB_QPS_SQD), 0);
	judge_run("reset");
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_ERR);
	ck_assert_uint_eq(judge.qp_events[HCA_QP_FATAL], 1);
	ck_assert_uint_eq(end_errors(), 1);
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 1);
	ck_assert_int_eq(judge.close_status, -ECONNRESET);
	judge_end();
}
END_TEST

/*
 * SQE by the consumer: Terminate 0/0/00, then the end, of which it is not told (req R0-166, R0-168,
 * R0-263). R0-177: segments are ignored until the stream is closed, which leads to Error. R0-172:
 * receive requests are flushed meanwhile.
 */
START_TEST(terminate_by_modify)
{
	end_begin();
	judge_recv(1, 0, 64, judge.mr[JUDGE_RW]->key);
	ck_assert_int_eq(judge_modify_settled(IB_QPS_SQE), 0);
	end_assert_terminate(0x0000);
	judge_expect(&judge.recv_cq, 1, IB_WC_WR_FLUSH_ERR);
	judge_run("write stag=$rw to=0x70000 payload=9; fin");
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_ERR);
	ck_assert(judge_is_untouched());
	ck_assert_uint_eq(end_errors(), 0);
	judge_end();
}
END_TEST

/*
 * R0-167: behind a Terminate goes nothing of Reads and requests that were at work, and nothing that
 * comes has an effect. P1-130: requests that are not sent are flushed.
 */
START_TEST(stopped_by_terminate)
{
	const struct peer_fpdu *fpdu = &judge.peer.fpdu;
	u32 octets = 0;

	judge_begin(&(struct sim_stream_options){ .mss = 536, .window = 500, .buffer = 600 });
	judge_establish("request crc");
	judge.is_stalled = true;
	judge_run("read sink=5 src=$rw srcto=0x70000 size=8000;"
		  "read sink=6 src=$rw srcto=0x70000 size=8");
	judge_post(IB_UVERBS_WR_SEND, 7, 0, 100, 0, 0);
	ck_assert_int_eq(judge_modify_settled(IB_QPS_SQE), 0);
	judge_run("write stag=$rw to=0x70000 payload=16; read sink=7");
	judge.is_stalled = false;
	judge_exchange();
	while (peer_next_fpdu(&judge.peer) && fpdu->header.opcode == 2) {
		ck_assert_uint_eq(fpdu->header.stag, 5);
		ck_assert(fpdu->has_crc); /* R0-198: the last FPDU is whole */
		octets += fpdu->payload_length;
	}
	ck_assert_uint_lt(octets, 8000);
	ck_assert_uint_eq(fpdu->header.opcode, 7);
	ck_assert(!peer_next_fpdu(&judge.peer));
	ck_assert(judge_fin());
	ck_assert(judge_is_untouched());
	judge_expect(&judge.send_cq, 7, IB_WC_WR_FLUSH_ERR);
	judge_end();
}
END_TEST

/* R0-171, T0-157: requests that are posted in Terminate, and in Error, are flushed, each once. */
START_TEST(posted_in_terminate)
{
	u32 key;
	int i;

	end_begin();
	key = judge.mr[JUDGE_RW]->key;
	ck_assert_int_eq(judge_modify_settled(IB_QPS_SQE), 0);
	end_assert_terminate(0x0000);
	for (i = 0; i < 2; i++) {
		judge_recv(1, 0, 64, key);
		judge_post(IB_UVERBS_WR_SEND, 2, 0, 16, 0, 0);
		judge_expect(&judge.recv_cq, 1, IB_WC_WR_FLUSH_ERR);
		judge_expect(&judge.send_cq, 2, IB_WC_WR_FLUSH_ERR);
		judge_run(i ? "" : "fin");
		ck_assert_uint_eq(judge.qp->common.state, IB_QPS_ERR);
		judge_expect_none(&judge.recv_cq);
		judge_expect_none(&judge.send_cq);
	}
	judge_end();
}
END_TEST

/*
 * R0-202, T0-131: in place of a request that cannot be sent there is a Terminate, and nothing
 * before it. T0-133: the completion tells of that alone.
 */
START_TEST(failed_request)
{
	static const struct {
		u8 opcode;
		u32 key;
	} rows[] = {
		{ IB_UVERBS_WR_RDMA_WRITE, 0x12345678 }, { IB_UVERBS_WR_SEND, 0x12345678 },
		{ IB_UVERBS_WR_RDMA_READ, HCA_LOCAL_DMA_KEY }, /* not for processes */
	};

	end_begin();
	judge_post_key(rows[_i].opcode, 2, 0, 16, 5, 0, rows[_i].key);
	end_assert_terminate(0x0000);
	judge_expect(&judge.send_cq, 2, IB_WC_LOC_PROT_ERR);
	ck_assert_uint_eq(end_errors(), 0);
	judge_end();
}
END_TEST

/*
 * Error by the consumer: a RST (R0-012), all is flushed (P1-169), nobody is told but the owner of
 * the endpoint.
 */
START_TEST(abort_by_modify)
{
	end_begin();
	judge_recv(1, 0, 64, judge.mr[JUDGE_RW]->key);
	judge_post(IB_UVERBS_WR_RDMA_READ, 2, 0, 16, 5, 0);
	ck_assert_int_eq(judge_modify_settled(IB_QPS_ERR), 0);
	ck_assert(judge_reset());
	judge_expect(&judge.recv_cq, 1, IB_WC_WR_FLUSH_ERR);
	judge_expect(&judge.send_cq, 2, IB_WC_WR_FLUSH_ERR);
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 1);
	ck_assert_uint_eq(end_errors(), 0);
	ck_assert_int_eq(judge_modify_settled(IB_QPS_ERR), 0);
	judge_end();
}
END_TEST

/* A FIN while a Read is outstanding: Terminate 0/2/07 (req P1-089, R0-165, R0-466). */
START_TEST(fin_while_busy)
{
	end_begin();
	judge_post(IB_UVERBS_WR_RDMA_READ, 2, 0, 16, 5, 0);
	ck_assert(peer_next_fpdu(&judge.peer));
	judge_run("fin");
	end_assert_terminate(0x0207);
	judge_run("");
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_ERR);
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 1);
	judge_end();
}
END_TEST

/* SQD while a Read is outstanding is no graceful end: a RST (4.2, R0-158). */
START_TEST(closing_while_busy)
{
	end_begin();
	judge_post(IB_UVERBS_WR_RDMA_READ, 2, 0, 16, 5, 0);
	ck_assert_int_eq(judge_modify_settled(IB_QPS_SQD), 0);
	judge_run("");
	ck_assert(judge_reset());
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_ERR);
	judge_end();
}
END_TEST

/*
 * A Read whose source becomes invalid in its middle: the Terminate takes the place of the segment
 * (req R0-203), and has the request as it would have to be to continue (req P1-067, P1-T15). The
 * Send that revokes the source completes before the Response is complete (P1-149).
 */
START_TEST(read_is_partly_answered)
{
	const struct peer_fpdu *fpdu = &judge.peer.fpdu;
	u32 octets = 0;
	u8 expected[28];

	judge_begin(&(struct sim_stream_options){ .mss = 536, .window = 500, .buffer = 600 });
	judge_establish("request crc");
	judge_recv(1, 0x3000, 64, judge.mr[JUDGE_RW]->key);
	judge.is_stalled = true;
	judge_run("read sink=0x11121314 sinkto=0x2122232425262728 src=$fast srcto=0x70000"
		  " size=8000");
	judge_run("send-inv inval=$fast");
	judge_expect(&judge.recv_cq, 1, IB_WC_SUCCESS);
	judge.is_stalled = false;
	judge_exchange();
	while (peer_next_fpdu(&judge.peer) && fpdu->header.opcode == 2) {
		ck_assert_uint_eq(fpdu->header.to, 0x2122232425262728 + octets);
		ck_assert_mem_eq(fpdu->payload, judge.memory + octets, fpdu->payload_length);
		octets += fpdu->payload_length;
	}
	ck_assert_uint_gt(octets, 0);
	ck_assert_uint_lt(octets, 8000);
	ck_assert_uint_eq(fpdu->header.opcode, 7);
	ck_assert_mem_eq(fpdu->terminate.control, ((u8[]){ 0x01, 0x00, 0xe0, 0 }), 4);
	peer_read_pack(&(struct peer_read_request){
		.sink_stag = 0x11121314, .sink_to = 0x2122232425262728 + octets,
		.size = 8000 - octets, .source_stag = judge.mr[JUDGE_FAST]->key,
		.source_to = 0x70000 + octets,
	}, expected);
	ck_assert_mem_eq(fpdu->terminate.read, expected, 28);
	judge_end();
}
END_TEST

/* A Send with Invalidate makes a key invalid for what follows (req P1-013, P1-189, R0-341). */
START_TEST(invalidated)
{
	end_begin();
	judge_recv(1, 0x2000, 64, judge.mr[JUDGE_RW]->key);
	judge_run("write stag=$fast to=0x70000 payload=9; send-inv inval=$fast payload=3");
	ck_assert_uint_eq(judge_expect(&judge.recv_cq, 1, IB_WC_SUCCESS).invalidated_rkey,
			  judge.mr[JUDGE_FAST]->key);
	judge_is_untouched();
	judge_run("write stag=$fast to=0x70100 payload=9");
	end_assert_terminate(0x1100);
	ck_assert(judge_is_untouched());
	judge_end();
}
END_TEST

/* The sink of a Read: open to remote writes with the option, to local writes without it. */
START_TEST(sink_rights)
{
	static const struct {
		enum judge_mr mr;
		bool strict;
		enum ib_wc_status status;
	} rows[] = {
		{ JUDGE_RW, true, IB_WC_SUCCESS }, { JUDGE_WO, true, IB_WC_SUCCESS },
		{ JUDGE_LOCAL, true, IB_WC_LOC_PROT_ERR }, { JUDGE_LOCAL, false, IB_WC_SUCCESS },
		{ JUDGE_RO, false, IB_WC_LOC_PROT_ERR }, { JUDGE_OTHER, false, IB_WC_LOC_PROT_ERR },
	};
	char script[64];
	u32 key;

	judge_begin(&plain);
	judge.rnic.options.strict = rows[_i].strict;
	judge_establish("request crc");
	key = judge.mr[rows[_i].mr]->key;
	judge_post_key(IB_UVERBS_WR_RDMA_READ, 2, 0, 16, 5, 0, key);
	/* The rights are checked before the request, or when its response comes (4.3). */
	if (peer_next_fpdu(&judge.peer) && judge.peer.fpdu.header.opcode == 1) {
		ck_assert_uint_eq(judge.peer.fpdu.read.sink_stag, key);
		snprintf(script, sizeof(script), "response stag=%u to=0x70000 payload=16", key);
		judge_run(script);
	}
	judge_expect(&judge.send_cq, 2, rows[_i].status);
	ck_assert_int_eq(judge_is_untouched(), rows[_i].status != IB_WC_SUCCESS);
	judge_end();
}
END_TEST

/*
 * R0-175, T0-134: behind each kind of end, by way of Reset, or from Idle, the queue pair connects
 * again. In Init it has no stream. R0-147: MSNs and markers begin anew.
 */
START_TEST(connects_again)
{
	static const enum ib_qp_state ends[] = { IB_QPS_SQD, IB_QPS_SQE, IB_QPS_ERR, IB_QPS_SQD };
	bool is_idle = _i == 3;

	judge_begin(&plain);
	judge.rnic.options.idle_after_close = is_idle;
	judge.rnic.options.markers = true;
	judge_establish("request crc markers");
	judge_run("read sink=5 src=$rw srcto=0x70000 size=16");
	ck_assert_int_eq(judge_modify_settled(ends[_i]), 0);
	judge_run("fin");
	ck_assert_uint_eq(judge.qp->common.state, is_idle ? IB_QPS_INIT : IB_QPS_ERR);
	if (!is_idle) {
		ck_assert_int_eq(judge_modify_settled(IB_QPS_RESET), 0);
		ck_assert_int_eq(judge_modify_settled(IB_QPS_INIT), 0);
	}
	ck_assert_ptr_null(judge.it->ep);
	judge_reopen(&plain);
	judge_recv(1, 0x1000, 64, judge.mr[JUDGE_RW]->key);
	judge_establish("request crc markers");
	judge_run("send payload=9; read sink=6");
	ck_assert_uint_eq(judge_expect(&judge.recv_cq, 1, IB_WC_SUCCESS).byte_len, 9);
	judge_post(IB_UVERBS_WR_SEND, 2, 0, 16, 0, 0);
	judge_expect(&judge.send_cq, 2, IB_WC_SUCCESS);
	ck_assert(peer_next_fpdu(&judge.peer));
	ck_assert_uint_eq(judge.peer.fpdu.header.stag, 6);
	ck_assert_uint_eq(judge.peer.fpdu.markers, 1);
	ck_assert(judge.peer.fpdu.has_markers);
	ck_assert(peer_next_fpdu(&judge.peer));
	ck_assert_uint_eq(judge.peer.fpdu.header.msn, 1);
	ck_assert_uint_eq(end_errors(), 0);
	judge_end();
}
END_TEST

/* The request that a Terminate names has a status of its own; those behind it are flushed. */
START_TEST(terminated_requests)
{
	static const struct {
		const char *error;
		enum ib_wc_status status;
	} rows[] = {
		{ "0100e000", IB_WC_REM_ACCESS_ERR }, { "0101e000", IB_WC_REM_ACCESS_ERR },
		{ "0104e000", IB_WC_REM_ACCESS_ERR }, { "0207c000", IB_WC_REM_OP_ERR },
		{ "0206c000", IB_WC_REM_OP_ERR }, { "1202c000", IB_WC_REM_INV_REQ_ERR },
		{ "1205c000", IB_WC_REM_INV_REQ_ERR }, { "20020000", IB_WC_WR_FLUSH_ERR },
	};
	char script[256], *at = script;
	int i;

	end_begin();
	judge_post(IB_UVERBS_WR_RDMA_READ, 2, 0, 16, 5, 0);
	judge_post(IB_UVERBS_WR_RDMA_READ, 3, 0, 16, 5, 0);
	ck_assert(peer_next_fpdu(&judge.peer));
	at += sprintf(at, "send opcode=7 qn=2 hex=%s", rows[_i].error);
	if (rows[_i].error[4] != '0')
		at += sprintf(at, "002e");
	for (i = 0; i < (rows[_i].error[4] == 'e' ? 46 : rows[_i].error[4] == 'c' ? 18 : 0); i++)
		at += sprintf(at, "%02x", judge.peer.fpdu.ulpdu[i]);
	judge_run(script);
	judge_expect(&judge.send_cq, 2, rows[_i].status);
	judge_expect(&judge.send_cq, 3, IB_WC_WR_FLUSH_ERR);
	judge_run("fin");
	judge_end();
}
END_TEST

Suite *iwarp_judge_end_suite(void)
{
	Suite *suite = suite_create("iwarp_judge_end");
	TCase *tc = tcase_create("iwarp_judge_end");

	tcase_add_loop_test(tc, graceful, 0, 4);
	tcase_add_loop_test(tc, segment_in_closing, 0, 5);
	tcase_add_loop_test(tc, peer_does_not_close, 0, 2);
	tcase_add_test(tc, lost_in_closing);
	tcase_add_test(tc, terminate_by_modify);
	tcase_add_test(tc, stopped_by_terminate);
	tcase_add_test(tc, posted_in_terminate);
	tcase_add_loop_test(tc, failed_request, 0, 3);
	tcase_add_test(tc, abort_by_modify);
	tcase_add_test(tc, fin_while_busy);
	tcase_add_test(tc, closing_while_busy);
	tcase_add_test(tc, read_is_partly_answered);
	tcase_add_test(tc, invalidated);
	tcase_add_loop_test(tc, sink_rights, 0, 6);
	tcase_add_loop_test(tc, connects_again, 0, 4);
	tcase_add_loop_test(tc, terminated_requests, 0, 8);
	suite_add_tcase(suite, tc);
	return suite;
}
