// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Why an RNIC's connection or request has ended: what a queue pair keeps of it, and completions. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include "shim.h"
#include "iwarp/view.h"
#include "tests/unit/iwarp/rnics.h"
#include "tests/unit/suites.h"
#include "tpt/key.h"

#define A (&rnics.end[0])
#define B (&rnics.end[1])

static void reasons_expect(struct hca_cq *cq, u64 wr_id, enum ib_wc_status status,
			      enum hca_vendor_err error)
{
	struct hca_cqe cqe = rnics_completion(cq);

	ck_assert_uint_eq(cqe.wr_id, wr_id);
	ck_assert_uint_eq(cqe.status, status);
	ck_assert_uint_eq(cqe.vendor_err, error);
}

/*
 * R0-123, R0-178, R0-183, T0-132: a message is kept with its origin, in Terminate and in Error.
 * R0-268: one that was not sent is only a reason. P1-127, P1-128: that of the peer needs no receive
 * request, and is delivered to the consumer.
 */
START_TEST(reason_is_kept)
{
	static const struct {
		const char *script;
		u16 error;
		u8 origin, state, message[4], bytes;
	} rows[] = {
		{ "reset", HCA_ERR_MPA_LOST, HCA_TERMINATE_UNSENT, IB_QPS_ERR },
		{ "send rv=0", HCA_ERR_RDMAP_VERSION, HCA_TERMINATE_LOCAL, IB_QPS_SQE,
		  { 0x02, 0x05, 0xc0 }, 24 },
		{ "send rv=0; reset", HCA_ERR_RDMAP_VERSION, HCA_TERMINATE_LOCAL, IB_QPS_ERR,
		  { 0x02, 0x05, 0xc0 }, 24 },
		{ "terminate error=0x1202", HCA_ERR_DDP_NO_BUFFER, HCA_TERMINATE_REMOTE,
		  IB_QPS_SQE, { 0x12, 0x02 }, 4 },
		{ "terminate error=0x1202; reset", HCA_ERR_DDP_NO_BUFFER, HCA_TERMINATE_REMOTE,
		  IB_QPS_ERR, { 0x12, 0x02 }, 4 },
	};
	static const struct hca_terminate_info none;
	struct hca_terminate_info info;

	rnics_serve_first(NULL);
	hca_iwarp_view_terminate(A->qp, &info);
	ck_assert_mem_eq(&info, &none, sizeof(none));
	rnics_peer(rows[_i].script);
	ck_assert_uint_eq(rnics_state(A), rows[_i].state);
	hca_iwarp_view_terminate(A->qp, &info);
	ck_assert_uint_eq(info.origin, rows[_i].origin);
	ck_assert_uint_eq(HCA_IWARP_ERROR(info.layer, info.error_type, info.error_code),
			  rows[_i].error);
	ck_assert_uint_eq(info.message_octets, rows[_i].bytes);
	ck_assert_mem_eq(info.message, rows[_i].message, sizeof(rows[_i].message));
	ck_assert_uint_eq(info.ddp_octets, rows[_i].bytes == 24 ? 18 : 0);
	ck_assert_mem_eq(info.ddp, info.message + 6, info.ddp_octets);
	rnics_end();
}
END_TEST

/* RFC 5044, 8: an invalid reply, or a lost stream, ends start-up without a message. */
START_TEST(reason_of_startup)
{
	rnics_setup();
	rnics_begin_peer(NULL);
	ck_assert_int_eq(hca_startup_connect(&A->ep, A->it, &rnics.connect), 0);
	rnics_settle();
	rnics_peer(_i ? "reply rev=3" : "reset");
	ck_assert_uint_eq(A->reported[HCA_ENDPOINT_CONNECT_REPLY], 1);
	ck_assert_uint_eq(A->it->origin, HCA_TERMINATE_UNSENT);
	ck_assert_uint_eq(A->it->terminate.error, _i ? HCA_ERR_MPA_FRAME : HCA_ERR_MPA_LOST);
	rnics_end();
}
END_TEST

/* R0-207: Error by the consumer sends no Terminate, so that none is kept; removal sends 0/2/08. */
START_TEST(error_without_reason)
{
	rnics_serve_first(NULL);
	if (_i)
		hca_rnic_fail(&A->rnic);
	else
		ck_assert_int_eq(rnics_modify(A, IB_QPS_ERR), 0);
	rnics_settle();
	ck_assert_uint_eq(A->it->origin, _i ? HCA_TERMINATE_LOCAL : HCA_TERMINATE_NONE);
	if (_i)
		ck_assert_uint_eq(A->it->terminate.error, HCA_ERR_RDMAP_GLOBAL);
	rnics_end();
}
END_TEST

/*
 * R0-447: of a lost stream the oldest request under way tells; an event does if there is none.
 * P1-168, P1-169: though no Terminate has come, all requests complete in error.
 */
START_TEST(stream_is_lost)
{
	rnics_setup();
	rnics_begin_peer(NULL);
	rnics_connect_peer();
	rnics_send(A, 1, 0, 10);
	if (_i) {
		rnics_rdma(A, IB_UVERBS_WR_RDMA_READ, 2, 0, 10, 5, 0);
		rnics_rdma(A, IB_UVERBS_WR_RDMA_WRITE, 3, 0, 10, 5, 0);
	}
	rnics_peer("reset");
	rnics_expect(&A->send_cq, 1, IB_WC_SUCCESS);
	if (_i) {
		reasons_expect(&A->send_cq, 2, IB_WC_RETRY_EXC_ERR, HCA_VENDOR_ERR_STREAM_LOST);
		reasons_expect(&A->send_cq, 3, IB_WC_WR_FLUSH_ERR, HCA_VENDOR_ERR_FLUSH_ERROR);
	}
	ck_assert(rnics_none(&A->send_cq));
	ck_assert_uint_eq(rnics_state(A), IB_QPS_ERR);
	ck_assert_uint_eq(A->events[HCA_QP_FATAL], !_i);
	rnics_end();
}
END_TEST

/* R0-158, R0-191, R0-194: requests in Closing are flushed as those of a bad close. */
START_TEST(bad_close)
{
	rnics_setup();
	rnics_begin_peer(NULL);
	rnics_connect_peer();
	if (!_i)
		rnics_rdma(A, IB_UVERBS_WR_RDMA_READ, 1, 0, 10, 5, 0);
	ck_assert_int_eq(rnics_modify(A, IB_QPS_SQD), 0);
	if (_i)
		rnics_send(A, 1, 0, 10);
	rnics_settle();
	reasons_expect(&A->send_cq, 1, IB_WC_WR_FLUSH_ERR, HCA_VENDOR_ERR_BAD_CLOSE);
	ck_assert_uint_eq(A->events[HCA_QP_FATAL], 1);
	ck_assert_int_eq(rnics_modify(A, IB_QPS_RESET), 0);
	ck_assert_uint_eq(A->qp->sq_flush_error, HCA_VENDOR_ERR_NONE);
	rnics_end();
}
END_TEST

/* R0-282, R0-388: a Read Request can name one range of memory, whose STag is not 0. */
START_TEST(refused_sink)
{
	struct hca_send_wqe *wqe;
	struct hca_sge *sge;

	rnics_setup();
	rnics.kernel = true;
	rnics_begin(NULL);
	rnics_connect();
	wqe = rnics_wqe(A, IB_UVERBS_WR_RDMA_READ, 1, 0, 10);
	sge = (struct hca_sge *)((u8 *)wqe + HCA_SEND_WQE_HEADER);
	if (_i) {
		sge[1] = sge[0];
		wqe->num_sge = 2;
	} else {
		sge->lkey = HCA_LOCAL_DMA_KEY;
	}
	rnics_publish(A);
	rnics_settle();
	reasons_expect(&A->send_cq, 1, IB_WC_LOC_QP_OP_ERR,
			  _i ? HCA_VENDOR_ERR_SINK_SGES : HCA_VENDOR_ERR_SINK_KEY);
	ck_assert_uint_eq(B->it->terminate.error, HCA_ERR_RDMAP_LOCAL);
	rnics_end();
}
END_TEST

/* P1-003: a message has fewer than 2^32 octets. Both requests fail, but one by its second key. */
START_TEST(longest_message)
{
	struct hca_send_wqe *wqe;
	struct hca_sge *sge;

	rnics_setup();
	rnics.kernel = true;
	rnics_begin(NULL);
	rnics_connect();
	wqe = rnics_wqe(A, IB_UVERBS_WR_RDMA_WRITE, 1, 0, U32_MAX - 8);
	sge = (struct hca_sge *)((u8 *)wqe + HCA_SEND_WQE_HEADER);
	sge[0].lkey = HCA_LOCAL_DMA_KEY;
	sge[1] = (struct hca_sge){ .addr = RNICS_BASE, .length = 8 + _i, .lkey = 5 };
	wqe->num_sge = 2;
	rnics_publish(A);
	rnics_settle();
	reasons_expect(&A->send_cq, 1, _i ? IB_WC_LOC_LEN_ERR : IB_WC_LOC_PROT_ERR,
		       _i ? HCA_VENDOR_ERR_MESSAGE_LENGTH : HCA_VENDOR_ERR_LKEY);
	rnics_end();
}
END_TEST

/* R0-321: the sink's right of remote writing, by the options that the connection has begun with. */
START_TEST(sink_without_rights)
{
	rnics_setup();
	rnics_begin(NULL);
	A->rnic.options.strict = !_i;
	rnics_connect();
	A->rnic.options.strict = _i;
	A->mr->access &= ~IB_UVERBS_ACCESS_REMOTE_WRITE;
	rnics_rdma(A, IB_UVERBS_WR_RDMA_READ, 1, 0, 100, B->mr->key, 500);
	rnics_settle();
	if (_i)
		rnics_expect(&A->send_cq, 1, IB_WC_SUCCESS);
	else
		reasons_expect(&A->send_cq, 1, IB_WC_LOC_PROT_ERR, HCA_VENDOR_ERR_SINK_RIGHTS);
	ck_assert_int_eq(rnics_same(0, 500, 100), _i);
	rnics_end();
}
END_TEST

/* The time for the end of a stream is that of the options that the connection has begun with. */
START_TEST(timeout_is_kept)
{
	rnics_setup();
	rnics_begin_peer(NULL);
	A->rnic.options.timeout = 2;
	rnics_serve_peer();
	A->rnic.options.timeout = 60;
	rnics_peer("send rv=0");
	shim_advance(3 * 1000000000ull);
	rnics_settle();
	ck_assert_uint_eq(A->reported[HCA_ENDPOINT_CLOSE], 1);
	rnics_end();
}
END_TEST

/* The request that the peer's Terminate names, and why it has failed. */
START_TEST(terminated)
{
	static const struct {
		const char *control;
		enum ib_wc_status status;
		enum hca_vendor_err error;
	} rows[] = {
		{ "0100c000", IB_WC_REM_ACCESS_ERR, HCA_VENDOR_ERR_TERMINATE_ACCESS },
		{ "1205c000", IB_WC_REM_INV_REQ_ERR, HCA_VENDOR_ERR_TERMINATE_REQUEST },
		{ "0207c000", IB_WC_REM_OP_ERR, HCA_VENDOR_ERR_TERMINATE_OPERATION },
	};
	char script[128];

	rnics_setup();
	rnics_begin_peer(NULL);
	rnics_connect_peer();
	rnics_rdma(A, IB_UVERBS_WR_RDMA_READ, 1, 0, 8, 5, 0);
	snprintf(script, sizeof(script),
		 "send opcode=7 qn=2 hex=%s002e414100000000000000010000000100000000",
		 rows[_i].control);
	rnics_peer(script);
	reasons_expect(&A->send_cq, 1, rows[_i].status, rows[_i].error);
	rnics_end();
}
END_TEST

/* A Read and a Send may have the same MSN: the queue tells which of them a Terminate means. */
START_TEST(terminated_of_same_msn)
{
	rnics_setup();
	rnics_begin_peer(NULL);
	rnics_connect_peer();
	rnics_rdma(A, IB_UVERBS_WR_RDMA_READ, 1, 0, 8, 5, 0);
	rnics_send(A, 2, 1000, 8);
	rnics_peer("send opcode=7 qn=2 hex=1205c000001a414300000000000000000000000100000000");
	rnics_expect(&A->send_cq, 1, IB_WC_WR_FLUSH_ERR);
	reasons_expect(&A->send_cq, 2, IB_WC_REM_INV_REQ_ERR,
			  HCA_VENDOR_ERR_TERMINATE_REQUEST);
	rnics_end();
}
END_TEST

Suite *iwarp_reasons_suite(void)
{
	Suite *suite = suite_create("iwarp_reasons");
	TCase *tc = tcase_create("reasons");

	tcase_set_timeout(tc, 20);
	tcase_add_loop_test(tc, reason_is_kept, 0, 5);
	tcase_add_loop_test(tc, reason_of_startup, 0, 2);
	tcase_add_loop_test(tc, error_without_reason, 0, 2);
	tcase_add_loop_test(tc, stream_is_lost, 0, 2);
	tcase_add_loop_test(tc, bad_close, 0, 2);
	tcase_add_loop_test(tc, refused_sink, 0, 2);
	tcase_add_loop_test(tc, longest_message, 0, 2);
	tcase_add_loop_test(tc, sink_without_rights, 0, 2);
	tcase_add_test(tc, timeout_is_kept);
	tcase_add_loop_test(tc, terminated, 0, 3);
	tcase_add_test(tc, terminated_of_same_msn);
	suite_add_tcase(suite, tc);
	return suite;
}
