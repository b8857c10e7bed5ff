// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* States of a queue pair that two causes change at about the same time, and what they permit. */
#include <check.h>
#include <stdio.h>
#include <linux/errno.h>
#include "shim.h"
#include "tests/consumer/consumer.h"
#include "tests/unit/iwarp/judge_state.h"
#include "tests/unit/iwarp/judge_stream.h"
#include "tests/unit/iwarp/rnics.h"
#include "tests/unit/suites.h"

static const struct sim_stream_options plain = { .segment = 0 };

/* Error, which the consumer has set, is not undone by a reply that was there before. */
START_TEST(error_stays)
{
	judge_begin(&plain);
	judge_request();
	judge_stream_hide();
	judge_run("reply " JUDGE_ENHANCED);
	ck_assert_int_eq(judge_modify(IB_QPS_ERR), 0);
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_ERR);
	judge_stream_show();
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_ERR);
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CONNECT_REPLY], 1);
	ck_assert_int_eq(judge.reply_status, -ECONNRESET);
	judge_end();
}
END_TEST

/* R0-447: both FINs without a close of the queue pair's are an end that an event tells of. */
START_TEST(closed_unasked)
{
	judge_begin(&plain);
	judge_respond();
	hca_stream_event(&judge.core->stream, HCA_STREAM_CLOSED);
	hca_engine_raise();
	shim_run_until_idle();
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_ERR);
	ck_assert_uint_eq(judge.qp_events[HCA_QP_FATAL], 1);
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 1);
	judge_end();
}
END_TEST

/* A completion has told of an error: the loss of the stream behind it has an event of its own. */
START_TEST(lost_in_terminate)
{
	judge_begin(&plain);
	judge_respond();
	judge_post_key(IB_UVERBS_WR_SEND, 1, 0, 8, 0, 0, 0x1234);
	judge_expect(&judge.send_cq, 1, IB_WC_LOC_PROT_ERR);
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_SQE);
	ck_assert_uint_eq(judge.qp_events[HCA_QP_FATAL], 0);
	judge_run("reset");
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_ERR);
	ck_assert_uint_eq(judge.qp_events[HCA_QP_FATAL], 1);
	judge_end();
}
END_TEST

/* Requests are posted in Init, and receive messages of the connection to come. */
START_TEST(posted_in_init)
{
	judge_begin(&plain);
	ck_assert_int_eq(hca_qp_post_send_ok(judge.qp), 0);
	ck_assert_int_eq(hca_qp_post_recv_ok(judge.qp), 0);
	judge_recv(1, 0, 64, judge.mr[JUDGE_RW]->key);
	judge_respond();
	judge_run("send payload=4");
	judge_expect(&judge.recv_cq, 1, IB_WC_SUCCESS);
	judge_end();
}
END_TEST

/* Make the script of a Terminate message, 0/1/00, that names the Read Request of these octets. */
static void changes_terminate_read(const u8 *octets, char *script)
{
	u32 i;

	script += sprintf(script, "send opcode=7 qn=2 hex=0100e000002e");
	for (i = 0; i < 46; i++)
		script += sprintf(script, "%02x", octets[i]);
}

/* R0-190: in Closing a Terminate message is kept, and names no request any more. */
START_TEST(terminate_in_closing)
{
	char script[128];

	judge_begin(&plain);
	judge_respond();
	judge_post(IB_UVERBS_WR_RDMA_READ, 1, 0, 16, 5, 0);
	ck_assert(peer_next_fpdu(&judge.peer));
	changes_terminate_read(judge.peer.fpdu.ulpdu, script);
	judge_stream_hide();
	judge_run(script);
	ck_assert_int_eq(judge_modify(IB_QPS_SQD), 0);
	judge_stream_show();
	ck_assert(judge_reset());
	ck_assert_uint_eq(judge.it->origin, HCA_TERMINATE_REMOTE);
	judge_expect(&judge.send_cq, 1, IB_WC_WR_FLUSH_ERR);
	judge_end();
}
END_TEST

static void changes_post(u8 opcode, u64 wr_id, u32 key)
{
	struct rnic_end *a = &rnics.end[0];
	struct hca_send_wqe *wqe = rnics_wqe(a, opcode, wr_id, 0, 0);

	wqe->invalidate_rkey = key;
	a->qp->sq.ring->producer++;
}

/* A completion that its CQ has no room for sets Error, in which no request begins any more. */
START_TEST(overflow)
{
	struct rnic_end *a = &rnics.end[0];
	int i;

	rnics_setup();
	rnics.cqe = 1;
	rnics_begin_peer(NULL);
	rnics_serve_peer();
	rnics_peer("write");
	a->mr->kind = HCA_TPT_FAST_MR;
	changes_post(IB_UVERBS_WR_SEND, 1, 0);
	if (_i)
		changes_post(IB_UVERBS_WR_SEND, 2, 0);
	changes_post(IB_UVERBS_WR_LOCAL_INV, 3, a->mr->key);
	changes_post(IB_UVERBS_WR_SEND, 4, 0);
	consumer_ring(a->qp, a->qp->sq.ring);
	ck_assert_uint_eq(rnics_state(a), IB_QPS_ERR);
	/* The completion of the local request overflows, or that of a Send before it. */
	ck_assert_int_eq(!a->mr->generation, !_i);
	for (i = 0; i < 1 + _i; i++) {
		ck_assert(rnics_peer_fpdu());
		ck_assert_uint_eq(rnics.peer->fpdu.header.opcode, 3);
	}
	ck_assert(rnics_peer_fpdu());
	ck_assert_uint_eq(rnics.peer->fpdu.header.opcode, 7);
	rnics_end();
}
END_TEST

/* R0-162: a Terminate is not answered, though a completion that it causes sets Error. */
START_TEST(overflow_by_terminate)
{
	struct rnic_end *a = &rnics.end[0];
	char script[128];

	rnics_setup();
	rnics.cqe = 1;
	rnics_begin_peer(NULL);
	rnics_serve_peer();
	rnics_peer("write");
	rnics_send(a, 1, 0, 0);
	ck_assert(rnics_peer_fpdu());
	rnics_rdma(a, IB_UVERBS_WR_RDMA_READ, 2, 0, 16, 5, 0);
	ck_assert(rnics_peer_fpdu());
	changes_terminate_read(rnics.peer->fpdu.ulpdu, script);
	rnics_peer(script);
	ck_assert_uint_eq(rnics_state(a), IB_QPS_ERR);
	ck_assert_uint_eq(a->it->origin, HCA_TERMINATE_REMOTE);
	ck_assert_uint_eq(a->it->terminate.error, HCA_ERR_RDMAP_STAG);
	ck_assert(!rnics_peer_fpdu());
	rnics_end();
}
END_TEST

Suite *iwarp_changes_suite(void)
{
	Suite *suite = suite_create("iwarp_changes");
	TCase *tc = tcase_create("changes");

	tcase_add_test(tc, error_stays);
	tcase_add_test(tc, closed_unasked);
	tcase_add_test(tc, lost_in_terminate);
	tcase_add_test(tc, posted_in_init);
	tcase_add_test(tc, terminate_in_closing);
	tcase_add_loop_test(tc, overflow, 0, 2);
	tcase_add_test(tc, overflow_by_terminate);
	suite_add_tcase(suite, tc);
	return suite;
}
