// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Counters and views of the queue pairs of RNICs, and operations that a state refuses. */
#include <check.h>
#include <linux/bottom_half.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include "shim.h"
#include "iwarp/tx_buffer.h"
#include "qp/view.h"
#include "tests/unit/iwarp/rnics.h"
#include "tests/unit/suites.h"

#define A (&rnics.end[0])
#define B (&rnics.end[1])
#define MSS 1000

static u64 view_count(const struct rnic_end *e, enum hca_rnic_counter counter)
{
	return atomic64_read(&e->rnic.count[counter]);
}

static void view_get(const struct rnic_end *e, struct hca_qp_view *view)
{
	e->rnic.ci.ops->view(e->qp, view);
}

/* A Read without its response is outstanding, though nothing of it is left to be sent. */
START_TEST(outstanding)
{
	struct hca_qp_view view;

	rnics_setup();
	rnics_begin_peer(NULL);
	rnics_connect_peer();
	rnics_rdma(A, IB_UVERBS_WR_RDMA_READ, 1, 0, 8, 5, 0);
	rnics_recv(A, 2, 0, 100);
	rnics_settle();
	view_get(A, &view);
	ck_assert_uint_eq(view.parts, HCA_VIEW_ANY | HCA_VIEW_SQ | HCA_VIEW_RQ);
	ck_assert_uint_eq(view.state, IB_QPS_RTS);
	ck_assert_uint_eq(view.sq_current, 1);
	ck_assert_uint_eq(view.sq_done, 0);
	ck_assert_uint_eq(view.sq_outstanding, 1);
	ck_assert_uint_eq(view.rq_posted, 1);
	ck_assert_uint_eq(view.attr.max_rd_atomic, rnics.connect.ord);
	ck_assert_uint_eq(view.attr.max_dest_rd_atomic, rnics.connect.ird);
	/* A Terminate message names the Read. */
	rnics_peer("send opcode=7 qn=2 hex=0100c000002e414100000000000000010000000100000000");
	view_get(A, &view);
	ck_assert(view.parts & HCA_VIEW_ERROR);
	rnics_end();
}
END_TEST

/* Each message is counted once at either end, however many segments it has. */
START_TEST(messages)
{
	const struct sim_stream_options options = { .mss = MSS };
	int i;

	rnics_setup();
	rnics_begin(&options);
	rnics_connect();
	for (i = 0; i < 3; i++) {
		rnics_recv(B, i, i * 3000, 3000);
		rnics_send(A, i, 0, 3000);
	}
	for (i = 0; i < 2; i++)
		rnics_rdma(A, IB_UVERBS_WR_RDMA_WRITE, i, 0, 3000, B->mr->key, 20000);
	rnics_rdma(A, IB_UVERBS_WR_RDMA_READ, i, 0, 3000, B->mr->key, 20000);
	rnics_settle();
	ck_assert_uint_eq(view_count(A, HCA_RNIC_SENDS_OUT), 3);
	ck_assert_uint_eq(view_count(B, HCA_RNIC_SENDS_IN), 3);
	ck_assert_uint_eq(view_count(A, HCA_RNIC_WRITES_OUT), 2);
	/* One more Write is the RTR message. */
	ck_assert_uint_eq(view_count(B, HCA_RNIC_WRITES_IN), 3);
	ck_assert_uint_eq(view_count(A, HCA_RNIC_READS_OUT), 1);
	ck_assert_uint_eq(view_count(B, HCA_RNIC_READS_IN), 1);
	ck_assert_uint_eq(view_count(B, HCA_RNIC_FPDUS_IN), view_count(A, HCA_RNIC_FPDUS_OUT));
	ck_assert_uint_eq(view_count(B, HCA_RNIC_OCTETS_IN), view_count(A, HCA_RNIC_OCTETS_OUT));
	ck_assert_uint_eq(view_count(A, HCA_RNIC_CONNECTS), 1);
	ck_assert_uint_eq(view_count(B, HCA_RNIC_ACCEPTS), 1);
	rnics_end();
}
END_TEST

START_TEST(crc_errors)
{
	rnics_setup();
	rnics_begin_peer(NULL);
	rnics_serve_peer();
	rnics_peer("send bad-crc");
	ck_assert_uint_eq(view_count(A, HCA_RNIC_CRC_ERRORS), 1);
	ck_assert_uint_eq(view_count(A, HCA_RNIC_TERMINATES_OUT), 1);
	ck_assert_uint_eq(view_count(A, HCA_RNIC_MARKER_ERRORS), 0);
	rnics_end();
}
END_TEST

/* Nobody answers an initiator, whose queue pair is free for another attempt. */
START_TEST(silent_responder)
{
	rnics_setup();
	rnics_begin(NULL);
	ck_assert_int_eq(hca_startup_connect(&A->ep, A->it, &rnics.connect), 0);
	rnics_settle();
	shim_advance(9900 * 1000000ull);
	rnics_settle();
	ck_assert_uint_eq(A->reported[HCA_ENDPOINT_CONNECT_REPLY], 0);
	shim_advance(200 * 1000000ull);
	rnics_settle();
	ck_assert_int_eq(A->reply_status, -ETIMEDOUT);
	ck_assert_uint_eq(view_count(A, HCA_RNIC_STARTUP_TIMEOUTS), 1);
	ck_assert_uint_eq(rnics_state(A), IB_QPS_INIT);
	ck_assert(!A->it->ep);
	rnics_end();
}
END_TEST

/* Nobody sends a request to a responder, whose ULP learns nothing of it. */
START_TEST(silent_initiator)
{
	rnics_setup();
	rnics_begin(NULL);
	hca_startup_listen(&B->ep);
	shim_advance(4900 * 1000000ull);
	rnics_settle();
	ck_assert_uint_eq(B->reported[HCA_ENDPOINT_CLOSE], 0);
	shim_advance(200 * 1000000ull);
	rnics_settle();
	ck_assert_uint_eq(B->reported[HCA_ENDPOINT_CLOSE], 1);
	ck_assert_uint_eq(B->reported[HCA_ENDPOINT_CONNECT_REQUEST], 0);
	ck_assert_uint_eq(view_count(B, HCA_RNIC_STARTUP_TIMEOUTS), 1);
	rnics_end();
}
END_TEST

START_TEST(rejects)
{
	rnics_setup();
	rnics_begin(NULL);
	rnics_request();
	ck_assert_int_eq(hca_startup_reject(&B->ep, &rnics.accept), 0);
	rnics_settle();
	ck_assert_int_eq(A->reply_status, -ECONNREFUSED);
	ck_assert_int_eq(A->close_status, 0);
	ck_assert_int_eq(B->close_status, 0);
	ck_assert_uint_eq(view_count(B, HCA_RNIC_REJECTS), 1);
	ck_assert_int_eq(hca_startup_reject(&B->ep, &rnics.accept), -EINVAL);
	ck_assert_uint_eq(view_count(B, HCA_RNIC_REJECTS), 1);
	rnics_end();
}
END_TEST

/* The connection manager learns what has ended the stream. */
START_TEST(lost_by_timeout)
{
	rnics_setup();
	rnics_begin(NULL);
	rnics_connect();
	local_bh_disable();
	A->stream->error = -ETIMEDOUT;
	hca_stream_event(A->stream, HCA_STREAM_LOST);
	hca_engine_run();
	local_bh_enable();
	ck_assert_int_eq(A->close_status, -ETIMEDOUT);
	ck_assert_uint_eq(rnics_state(A), IB_QPS_ERR);
	rnics_end();
}
END_TEST

/* A queue pair connects in Init, without another connection, with limits that it has. */
START_TEST(connect_refused)
{
	static const struct hca_connect wants[] = {
		{ .ird = 1, .ord = 1 },
		{ .ird = HCA_IWARP_MAX_READS + 1, .ord = 1 },
		{ .ird = 1, .ord = HCA_IWARP_MAX_READS + 1 },
	};

	rnics_setup();
	rnics_begin(NULL);
	if (!_i)
		ck_assert_int_eq(rnics_modify(A, IB_QPS_ERR), 0);
	ck_assert_int_eq(hca_startup_connect(&A->ep, A->it, &wants[_i]), -EINVAL);
	ck_assert_uint_eq(A->ep.state, HCA_STARTUP_IDLE);
	rnics_end();
}
END_TEST

/* A queue pair with a stream is not reset; Reset forgets the Terminate message. */
START_TEST(reset)
{
	rnics_setup();
	rnics_begin_peer(NULL);
	ck_assert_int_eq(hca_startup_connect(&A->ep, A->it, &rnics.connect), 0);
	ck_assert_int_eq(rnics_modify(A, IB_QPS_RESET), -EBUSY);
	rnics_settle();
	rnics_peer("reset");
	ck_assert_int_eq(A->reply_status, -ECONNRESET);
	ck_assert_uint_eq(A->it->origin, HCA_TERMINATE_UNSENT);
	ck_assert_int_eq(rnics_modify(A, IB_QPS_RESET), 0);
	ck_assert_uint_eq(A->it->origin, HCA_TERMINATE_NONE);
	ck_assert_uint_eq(A->it->access, 0);
	rnics_end();
}
END_TEST

/* Each segment fits into one of TCP, with its markers. */
START_TEST(segments_fit)
{
	const struct sim_stream_options options = { .mss = MSS };
	u64 sent, fpdus;

	rnics_setup();
	rnics_begin(&options);
	B->rnic.options.markers = _i;
	rnics_connect();
	sent = rnics.pair.end[0].sent;
	fpdus = view_count(A, HCA_RNIC_FPDUS_OUT);
	rnics_recv(B, 1, 0, 9000);
	rnics_send(A, 2, 0, 9000);
	rnics_settle();
	rnics_expect(&B->recv_cq, 1, IB_WC_SUCCESS);
	sent = rnics.pair.end[0].sent - sent;
	fpdus = view_count(A, HCA_RNIC_FPDUS_OUT) - fpdus;
	ck_assert_uint_eq(fpdus, DIV_ROUND_UP(sent, MSS));
	ck_assert_uint_eq(hca_mpa_tx_mulpdu(&A->it->tx, A->stream), hca_mulpdu(MSS, _i));
	rnics_end();
}
END_TEST

/* The Terminate message repeats the header of the Read Request that was refused, not of another. */
START_TEST(second_read)
{
	const struct peer_fpdu *fpdu;

	rnics_setup();
	rnics_begin_peer(NULL);
	rnics_serve_peer();
	rnics_peer("read size=0");
	ck_assert(rnics_peer_fpdu());
	rnics_peer("read src=5 size=8");
	ck_assert(rnics_peer_fpdu());
	fpdu = &rnics.peer->fpdu;
	ck_assert_uint_eq(fpdu->header.opcode, HCA_RDMAP_TERMINATE);
	ck_assert_mem_eq(fpdu->terminate.ddp, rnics.peer->sent, HCA_DDP_UNTAGGED_BYTES);
	rnics_end();
}
END_TEST

/* Memory that is too fragmented for what must be written is no memory. */
START_TEST(fragmented)
{
	struct hca_tx_buffer b;

	shim_reset(1);
	local_bh_disable();
	shim_fail_alloc(1);
	ck_assert(!hca_tx_buffer_alloc(&b, HCA_TX_BUFFER_MAX, HCA_TX_BUFFER_MAX));
	shim_fail_alloc(1);
	ck_assert(hca_tx_buffer_alloc(&b, HCA_TX_BUFFER_MAX, HCA_TX_BUFFER_MAX / 2));
	ck_assert_uint_eq(b.size, HCA_TX_BUFFER_MAX / 2);
	hca_tx_buffer_free(&b);
	local_bh_enable();
	shim_fail_alloc(0);
	ck_assert_uint_eq(shim_live_allocations(), 0);
}
END_TEST

Suite *iwarp_view_suite(void)
{
	Suite *suite = suite_create("iwarp_view");
	TCase *tc = tcase_create("view");

	tcase_add_test(tc, outstanding);
	tcase_add_test(tc, messages);
	tcase_add_test(tc, crc_errors);
	tcase_add_test(tc, silent_responder);
	tcase_add_test(tc, silent_initiator);
	tcase_add_test(tc, rejects);
	tcase_add_test(tc, lost_by_timeout);
	tcase_add_loop_test(tc, connect_refused, 0, 3);
	tcase_add_test(tc, reset);
	tcase_add_loop_test(tc, segments_fit, 0, 2);
	tcase_add_test(tc, second_read);
	tcase_add_test(tc, fragmented);
	suite_add_tcase(suite, tc);
	return suite;
}
