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
#include "tests/unit/iwarp/judge.h"
#include "tests/unit/suites.h"

static const struct sim_stream_options plain = { .segment = 0 };

static int end_modify(enum ib_qp_state state)
{
	struct hca_qp_attr attr = { .state = state };
	int ret = hca_qp_modify(judge.qp, &attr, IB_QP_STATE);

	judge_exchange();
	return ret;
}

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

static void end_assert_terminate(u16 error)
{
	const u8 *control = judge.peer.fpdu.terminate.control;

	ck_assert(peer_next_fpdu(&judge.peer));
	ck_assert_uint_eq(judge.peer.fpdu.header.opcode, 7);
	ck_assert_uint_eq(control[0] << 8 | control[1], error);
	ck_assert(!peer_next_fpdu(&judge.peer));
	ck_assert(judge_fin());
}

/* A graceful end, begun by either side (req R0-187 to R0-197). */
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
		ck_assert_int_eq(end_modify(IB_QPS_SQD), 0);
		ck_assert(judge_fin());
		ck_assert_uint_eq(judge.qp->common.state, IB_QPS_SQD);
		ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 0);
	}
	judge_run("fin");
	ck_assert(judge_fin());
	ck_assert(!peer_next_fpdu(&judge.peer));
	ck_assert_uint_eq(judge.qp->common.state, is_idle ? IB_QPS_INIT : IB_QPS_ERR);
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 1);
	ck_assert_int_eq(judge.close_status, 0);
	if (!is_first)
		ck_assert_uint_eq(judge.events[HCA_ENDPOINT_DISCONNECT], 1);
	ck_assert_uint_eq(end_errors(), 0);
	judge_expect(&judge.recv_cq, 1, IB_WC_WR_FLUSH_ERR);
	judge_end();
}
END_TEST

/* In Closing a segment is an error, a Terminate is kept: a RST, and the event (req R0-191). */
START_TEST(segment_in_closing)
{
	static const char *const scripts[] = { "write", "send", "terminate error=0x1202" };

	end_begin();
	ck_assert_int_eq(end_modify(IB_QPS_SQD), 0);
	judge_run(scripts[_i]);
	ck_assert(judge_reset());
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_ERR);
	ck_assert_uint_eq(judge.qp_events[HCA_QP_FATAL], 1);
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 1);
	ck_assert_int_eq(judge.close_status, -ECONNRESET);
	judge_end();
}
END_TEST

/* Time is limited in Closing and Terminate: a RST then (4.2). */
START_TEST(peer_does_not_close)
{
	end_begin();
	ck_assert_int_eq(end_modify(_i ? IB_QPS_SQE : IB_QPS_SQD), 0);
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
	judge_end();
}
END_TEST

/* SQE by the consumer: Terminate 0/0/00, then the end, of which it is not told (req R0-166). */
START_TEST(terminate_by_modify)
{
	end_begin();
	judge_recv(1, 0, 64, judge.mr[JUDGE_RW]->key);
	ck_assert_int_eq(end_modify(IB_QPS_SQE), 0);
	end_assert_terminate(0x0000);
	judge_expect(&judge.recv_cq, 1, IB_WC_WR_FLUSH_ERR);
	judge_run("write stag=$rw to=0x70000 payload=9; fin");
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_ERR);
	ck_assert(judge_is_untouched());
	ck_assert_uint_eq(end_errors(), 0);
	judge_end();
}
END_TEST

/* Error by the consumer: a RST, all is flushed, nobody is told but the owner of the endpoint. */
START_TEST(abort_by_modify)
{
	end_begin();
	judge_recv(1, 0, 64, judge.mr[JUDGE_RW]->key);
	judge_post(IB_UVERBS_WR_RDMA_READ, 2, 0, 16, 5, 0);
	ck_assert_int_eq(end_modify(IB_QPS_ERR), 0);
	ck_assert(judge_reset());
	judge_expect(&judge.recv_cq, 1, IB_WC_WR_FLUSH_ERR);
	judge_expect(&judge.send_cq, 2, IB_WC_WR_FLUSH_ERR);
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 1);
	ck_assert_uint_eq(end_errors(), 0);
	ck_assert_int_eq(end_modify(IB_QPS_ERR), 0);
	judge_end();
}
END_TEST

/* A FIN while a Read is outstanding: Terminate 0/2/07 (req P1-089). */
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

/* SQD while a Read is outstanding is no graceful end: a RST (4.2). */
START_TEST(closing_while_busy)
{
	end_begin();
	judge_post(IB_UVERBS_WR_RDMA_READ, 2, 0, 16, 5, 0);
	end_modify(IB_QPS_SQD);
	judge_run("");
	ck_assert(judge_reset());
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_ERR);
	judge_end();
}
END_TEST

/*
 * A Read whose source becomes invalid in its middle: the Terminate has the request as it would have
 * to be to continue (req P1-067).
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

/* A Send with Invalidate makes a key invalid for what follows (req P1-189, R0-341). */
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
	tcase_add_loop_test(tc, segment_in_closing, 0, 3);
	tcase_add_loop_test(tc, peer_does_not_close, 0, 2);
	tcase_add_test(tc, terminate_by_modify);
	tcase_add_test(tc, abort_by_modify);
	tcase_add_test(tc, fin_while_busy);
	tcase_add_test(tc, closing_while_busy);
	tcase_add_test(tc, read_is_partly_answered);
	tcase_add_test(tc, invalidated);
	tcase_add_loop_test(tc, sink_rights, 0, 6);
	tcase_add_loop_test(tc, terminated_requests, 0, 8);
	suite_add_tcase(suite, tc);
	return suite;
}
