// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Which request a Terminate message of the peer, or the loss of the stream, completes, and how. */
#include <check.h>
#include <stdio.h>
#include <linux/kernel.h>
#include "tests/unit/iwarp/judge.h"
#include "tests/unit/suites.h"

static const struct sim_stream_options plain = { .segment = 0 };

/* The peer takes no more than a part of a message of several kilobytes. */
static const struct sim_stream_options narrow = { .mss = 536, .window = 500, .buffer = 600 };

/* DDP headers: a Read Request of MSN 1, a Send of MSN 1, and a Write whose TO ends in 2. */
#define NAMED_READ "414100000000000000010000000100000000"
#define NAMED_SEND "414300000000000000000000000100000000"
#define NAMED_WRITE "c140000000050000000000000002"

static void named_expect(u64 wr_id, enum ib_wc_status status, enum hca_vendor_err error)
{
	ck_assert_uint_eq(judge_expect(&judge.send_cq, wr_id, status).vendor_err, error);
}

/* The peer sends a Terminate message with an error, and with the DDP header of a segment. */
static void named_terminate(u16 error, const char *header)
{
	char script[128];

	snprintf(script, sizeof(script), "send opcode=7 qn=2 hex=%04xc000002e%s", error, header);
	judge_run(script);
}

/* R0-447: the status of the request that the message names, by its error. */
START_TEST(status)
{
	static const struct {
		u16 error;
		enum ib_wc_status status;
		enum hca_vendor_err vendor;
	} rows[] = {
		{ 0x0100, IB_WC_REM_ACCESS_ERR, HCA_VENDOR_ERR_TERMINATE_ACCESS },
		{ 0x0101, IB_WC_REM_ACCESS_ERR, HCA_VENDOR_ERR_TERMINATE_ACCESS },
		{ 0x0102, IB_WC_REM_ACCESS_ERR, HCA_VENDOR_ERR_TERMINATE_ACCESS },
		{ 0x0103, IB_WC_REM_ACCESS_ERR, HCA_VENDOR_ERR_TERMINATE_ACCESS },
		{ 0x0104, IB_WC_REM_ACCESS_ERR, HCA_VENDOR_ERR_TERMINATE_ACCESS },
		{ 0x1100, IB_WC_REM_ACCESS_ERR, HCA_VENDOR_ERR_TERMINATE_ACCESS },
		{ 0x1101, IB_WC_REM_ACCESS_ERR, HCA_VENDOR_ERR_TERMINATE_ACCESS },
		{ 0x1102, IB_WC_REM_ACCESS_ERR, HCA_VENDOR_ERR_TERMINATE_ACCESS },
		{ 0x1103, IB_WC_REM_ACCESS_ERR, HCA_VENDOR_ERR_TERMINATE_ACCESS },
		{ 0x1202, IB_WC_REM_INV_REQ_ERR, HCA_VENDOR_ERR_TERMINATE_REQUEST },
		{ 0x1205, IB_WC_REM_INV_REQ_ERR, HCA_VENDOR_ERR_TERMINATE_REQUEST },
		{ 0x0109, IB_WC_REM_INV_REQ_ERR, HCA_VENDOR_ERR_TERMINATE_REQUEST },
		{ 0x0209, IB_WC_REM_INV_REQ_ERR, HCA_VENDOR_ERR_TERMINATE_REQUEST },
		{ 0x0205, IB_WC_REM_OP_ERR, HCA_VENDOR_ERR_TERMINATE_OPERATION },
		{ 0x1203, IB_WC_REM_OP_ERR, HCA_VENDOR_ERR_TERMINATE_OPERATION },
	};

	judge_begin(&plain);
	judge_establish("request crc");
	judge_post(IB_UVERBS_WR_RDMA_READ, 1, 0, 16, 5, 0);
	judge_post(IB_UVERBS_WR_RDMA_READ, 2, 0, 16, 5, 0);
	named_terminate(rows[_i].error, NAMED_READ);
	named_expect(1, rows[_i].status, rows[_i].vendor);
	named_expect(2, IB_WC_WR_FLUSH_ERR, HCA_VENDOR_ERR_FLUSH_SQE);
	judge_end();
}
END_TEST

/* A Terminate message that names a Write cannot say which one: the oldest request is completed. */
START_TEST(write_is_oldest)
{
	judge_begin(&plain);
	judge_establish("request crc");
	judge_post(IB_UVERBS_WR_RDMA_READ, 1, 0, 16, 5, 0);
	judge_post(IB_UVERBS_WR_RDMA_READ, 2, 0, 16, 5, 0);
	judge_post(IB_UVERBS_WR_SEND, 3, 0, 8, 0, 0);
	judge_post(IB_UVERBS_WR_SEND, 4, 0, 8, 0, 0);
	named_terminate(0x1100, NAMED_WRITE);
	named_expect(1, IB_WC_REM_ACCESS_ERR, HCA_VENDOR_ERR_TERMINATE_ACCESS);
	named_expect(2, IB_WC_WR_FLUSH_ERR, HCA_VENDOR_ERR_FLUSH_SQE);
	judge_end();
}
END_TEST

/* The MSN says which one of several requests has failed; those before it are flushed. */
START_TEST(second_is_named)
{
	judge_begin(&plain);
	judge_establish("request crc");
	judge_post(IB_UVERBS_WR_RDMA_READ, 1, 0, 16, 5, 0);
	judge_post(IB_UVERBS_WR_RDMA_READ, 2, 0, 16, 5, 0);
	named_terminate(0x0100, "414100000000000000010000000200000000");
	judge_expect(&judge.send_cq, 1, IB_WC_WR_FLUSH_ERR);
	named_expect(2, IB_WC_REM_ACCESS_ERR, HCA_VENDOR_ERR_TERMINATE_ACCESS);
	judge_end();
}
END_TEST

/* A Read that waits for others has no MSN yet, so that none can name it. */
START_TEST(unbegun_is_not_named)
{
	int i;

	judge_begin(&plain);
	judge_establish("request crc");
	for (i = 1; i <= 5; i++)
		judge_post(IB_UVERBS_WR_RDMA_READ, i, 0, 16, 5, 0);
	ck_assert_uint_eq(judge.it->requester.reads, 4);
	named_terminate(0x0100, "414100000000000000010000000000000000");
	named_expect(1, IB_WC_REM_ACCESS_ERR, HCA_VENDOR_ERR_TERMINATE_ACCESS);
	for (i = 2; i <= 5; i++)
		named_expect(i, IB_WC_WR_FLUSH_ERR, HCA_VENDOR_ERR_FLUSH_SQE);
	judge_end();
}
END_TEST

/* A Terminate message that names a Read Response is about none of the requests of this end. */
START_TEST(response_is_named)
{
	judge_begin(&plain);
	judge_establish("request crc");
	judge_post(IB_UVERBS_WR_RDMA_READ, 1, 0, 16, 5, 0);
	named_terminate(0x1100, "c142000000050000000000000001");
	named_expect(1, IB_WC_WR_FLUSH_ERR, HCA_VENDOR_ERR_FLUSH_SQE);
	judge_end();
}
END_TEST

/* Without any request there is nothing to complete. */
START_TEST(nothing_is_named)
{
	judge_begin(&plain);
	judge_establish("request crc");
	judge_post(IB_UVERBS_WR_SEND, 1, 0, 8, 0, 0);
	named_expect(1, IB_WC_SUCCESS, HCA_VENDOR_ERR_NONE);
	named_terminate(0x1205, NAMED_SEND);
	judge_expect_none(&judge.send_cq);
	ck_assert_uint_eq(judge.qp->sq_done, judge.qp->sq_fetched);
	judge_end();
}
END_TEST

/* A Send of which a part is sent is a request that has begun, so that the message can name it. */
START_TEST(part_is_named)
{
	judge_begin(&narrow);
	judge_establish("request crc");
	judge.is_stalled = true;
	judge_post(IB_UVERBS_WR_SEND, 1, 0, 8000, 0, 0);
	judge_post(IB_UVERBS_WR_SEND, 2, 0, 8, 0, 0);
	named_terminate(0x1205, NAMED_SEND);
	named_expect(1, IB_WC_REM_INV_REQ_ERR, HCA_VENDOR_ERR_TERMINATE_REQUEST);
	named_expect(2, IB_WC_WR_FLUSH_ERR, HCA_VENDOR_ERR_FLUSH_SQE);
	judge_end();
}
END_TEST

/* R0-447: the completion of a Send of which a part is sent tells that the stream is lost. */
START_TEST(part_is_lost)
{
	judge_begin(&narrow);
	judge_establish("request crc");
	judge.is_stalled = true;
	judge_post(IB_UVERBS_WR_SEND, 1, 0, 8000, 0, 0);
	judge_post(IB_UVERBS_WR_SEND, 2, 0, 8, 0, 0);
	judge_run("reset");
	named_expect(1, IB_WC_RETRY_EXC_ERR, HCA_VENDOR_ERR_STREAM_LOST);
	named_expect(2, IB_WC_WR_FLUSH_ERR, HCA_VENDOR_ERR_FLUSH_ERROR);
	ck_assert_uint_eq(judge.qp_events[HCA_QP_FATAL], 0);
	judge_end();
}
END_TEST

/* P1-178: a Read whose response has come completes before the error behind it ends the stream. */
START_TEST(read_before_error)
{
	judge_begin(&plain);
	judge_establish("request crc");
	judge_post(IB_UVERBS_WR_RDMA_READ, 1, 0, 16, 5, 0);
	judge_run("response stag=$rw to=0x70000 payload=16; send rv=0");
	named_expect(1, IB_WC_SUCCESS, HCA_VENDOR_ERR_NONE);
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_SQE);
	judge_end();
}
END_TEST

Suite *iwarp_named_suite(void)
{
	Suite *suite = suite_create("iwarp_named");
	TCase *tc = tcase_create("named");

	tcase_add_loop_test(tc, status, 0, 15);
	tcase_add_test(tc, write_is_oldest);
	tcase_add_test(tc, second_is_named);
	tcase_add_test(tc, unbegun_is_not_named);
	tcase_add_test(tc, response_is_named);
	tcase_add_test(tc, nothing_is_named);
	tcase_add_test(tc, part_is_named);
	tcase_add_test(tc, part_is_lost);
	tcase_add_test(tc, read_before_error);
	suite_add_tcase(suite, tc);
	return suite;
}
