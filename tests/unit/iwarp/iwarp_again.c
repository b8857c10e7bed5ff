// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The second connection of a queue pair, which keeps nothing of the first one (req R0-147). */
#include <check.h>
#include "iwarp/view.h"
#include "tests/unit/iwarp/judge.h"
#include "tests/unit/suites.h"

static const struct sim_stream_options plain = { .segment = 0 };

static void again_expect_terminate(u16 error)
{
	const u8 *control = judge.peer.fpdu.terminate.control;

	ck_assert(peer_next_fpdu(&judge.peer));
	ck_assert_uint_eq(judge.peer.fpdu.header.opcode, 7);
	ck_assert_uint_eq(control[0] << 8 | control[1], error);
}

/* R0-447: each connection that is lost without requests under way has its own event. */
START_TEST(told_again)
{
	judge_begin(&plain);
	judge_establish("request crc");
	judge_run("reset");
	ck_assert_uint_eq(judge.qp_events[HCA_QP_FATAL], 1);
	judge_again();
	judge_establish("request crc");
	judge_run("reset");
	ck_assert_uint_eq(judge.qp_events[HCA_QP_FATAL], 1);
	judge_end();
}
END_TEST

/*
 * P1-178: the first error of a connection counts, not the reason why start-up has failed before,
 * after which the queue pair has stayed in Init.
 */
START_TEST(fails_again)
{
	judge_begin(&plain);
	ck_assert_int_eq(judge_connect(4, 4), 0);
	judge_run("reset");
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_INIT);
	ck_assert_uint_eq(judge.it->origin, HCA_TERMINATE_UNSENT);
	judge_again();
	judge_establish("request crc");
	ck_assert_uint_eq(judge.it->origin, HCA_TERMINATE_NONE);
	judge_run("send rv=0");
	again_expect_terminate(0x0205);
	judge_end();
}
END_TEST

static u32 again_no_room(struct hca_stream *s)
{
	return 0;
}

/*
 * RFC 6581, 5: the RTR message is the initiator's. One that was not sent, since the connection was
 * lost before, is not sent by the responder of the next connection.
 */
START_TEST(rtr_is_dropped)
{
	struct hca_stream_ops full;

	judge_begin(&plain);
	full = *judge.core->stream.ops;
	full.room = again_no_room;
	ck_assert_int_eq(judge_connect(4, 4), 0);
	judge.core->stream.ops = &full;
	judge_run("reply crc enhanced rev=2 p2p rtr-write ird=4 ord=4");
	ck_assert_uint_eq(judge.it->requester.rtr, HCA_RTR_WRITE);
	judge_run("reset");
	judge_again();
	judge_establish("request crc");
	ck_assert(!peer_next_fpdu(&judge.peer));
	judge_end();
}
END_TEST

/* The response to an RTR message has not come: that of the next connection is one to a Read. */
START_TEST(rtr_read_is_dropped)
{
	judge_begin(&plain);
	judge.rnic.options.rtr = HCA_RTR_READ;
	ck_assert_int_eq(judge_connect(4, 4), 0);
	judge_run("reply crc enhanced rev=2 p2p rtr-read ird=4 ord=4");
	ck_assert_uint_eq(judge.it->requester.reads, 1);
	judge_run("reset");
	judge_again();
	judge_establish("request crc");
	judge_post(IB_UVERBS_WR_RDMA_READ, 1, 0, 16, 5, 0);
	judge_run("response stag=$rw to=0x70000 payload=16");
	judge_expect(&judge.send_cq, 1, IB_WC_SUCCESS);
	judge_end();
}
END_TEST

/* A message of which a part has come is not continued by the next connection. */
START_TEST(part_is_dropped)
{
	judge_begin(&plain);
	judge_establish("request crc");
	judge_recv(1, 0, 64, judge.mr[JUDGE_RW]->key);
	judge_run(_i ? "write more" : "send more payload=4");
	judge_run("reset");
	judge_expect(&judge.recv_cq, 1, IB_WC_WR_FLUSH_ERR);
	judge_again();
	judge_establish("request crc");
	judge_recv(2, 0, 64, judge.mr[JUDGE_RW]->key);
	judge_run("send payload=4");
	ck_assert_uint_eq(judge_expect(&judge.recv_cq, 2, IB_WC_SUCCESS).byte_len, 4);
	judge_post(IB_UVERBS_WR_RDMA_READ, 3, 0, 16, 5, 0);
	judge_run("response stag=$rw to=0x70000 payload=16");
	judge_expect(&judge.send_cq, 3, IB_WC_SUCCESS);
	judge_end();
}
END_TEST

/* R0-123: a queue pair that was reset keeps no Terminate message. */
START_TEST(message_is_dropped)
{
	static const struct hca_terminate_info none;
	struct hca_terminate_info info;

	judge_begin(&plain);
	judge_establish("request crc");
	judge_run("terminate error=0x1202; fin");
	hca_iwarp_view_terminate(judge.qp, &info);
	ck_assert_uint_eq(info.origin, HCA_TERMINATE_REMOTE);
	judge_again();
	hca_iwarp_view_terminate(judge.qp, &info);
	ck_assert_mem_eq(&info, &none, sizeof(none));
	judge_end();
}
END_TEST

Suite *iwarp_again_suite(void)
{
	Suite *suite = suite_create("iwarp_again");
	TCase *tc = tcase_create("again");

	tcase_add_test(tc, told_again);
	tcase_add_test(tc, fails_again);
	tcase_add_test(tc, rtr_is_dropped);
	tcase_add_test(tc, rtr_read_is_dropped);
	tcase_add_loop_test(tc, part_is_dropped, 0, 2);
	tcase_add_test(tc, message_is_dropped);
	suite_add_tcase(suite, tc);
	return suite;
}
