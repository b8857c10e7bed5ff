// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* A stream at awkward moments: it takes nothing, is short of memory, or ends meanwhile. */
#include <check.h>
#include <string.h>
#include <linux/err.h>
#include "shim.h"
#include "tests/consumer/consumer.h"
#include "tests/unit/iwarp/judge_state.h"
#include "tests/unit/iwarp/judge_stream.h"
#include "tests/unit/suites.h"

#define MOMENTS_RECVS 8

static const struct sim_stream_options plain = { .segment = 0 };

static void moments_respond(void)
{
	judge_begin(&plain);
	judge_respond();
	judge_stream_hook();
}

static void moments_expect_opcode(u8 opcode)
{
	ck_assert(peer_next_fpdu(&judge.peer));
	ck_assert_uint_eq(judge.peer.fpdu.header.opcode, opcode);
}

static void moments_expect_terminate(u16 error)
{
	const u8 *control = judge.peer.fpdu.terminate.control;

	moments_expect_opcode(7);
	ck_assert_uint_eq(control[0] << 8 | control[1], error);
}

/* Nobody waits for octets that would be discarded, if memory is short when a stream is lost. */
START_TEST(short_and_ending)
{
	static const char *const scripts[] = {
		"terminate error=0x1202; reset", "send rv=0; reset", "send",
	};

	moments_respond();
	if (_i == 2)
		ck_assert_int_eq(judge_modify_settled(IB_QPS_SQD), 0);
	judge_stream.is_short = true;
	judge_run(scripts[_i]);
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 1);
	judge_end();
}
END_TEST

/* A stream that is lost before its reply was sent shows no FPDU. */
START_TEST(short_before_reply)
{
	judge_begin(&plain);
	judge_stream_hook();
	judge_stream.is_short = true;
	judge_listen("request crc");
	judge_stream.is_full = true;
	ck_assert_int_eq(judge_accept(4, 4), 0);
	judge_run("reset");
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 1);
	judge_end();
}
END_TEST

/* R0-156: octets that arrive after the look at the stream, and before its FIN is seen, count. */
START_TEST(fin_behind_unseen_octets)
{
	moments_respond();
	judge_recv(1, 0, 64, judge.mr[JUDGE_RW]->key);
	judge_stream_hide();
	judge_run("send payload=4; fin");
	judge_stream.hides = 1;
	judge_stream_show();
	judge_expect(&judge.recv_cq, 1, IB_WC_SUCCESS);
	ck_assert(!peer_next_fpdu(&judge.peer));
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_DISCONNECT], 1);
	judge_end();
}
END_TEST

/* R0-466: a FIN while a Read Request of the peer is not answered is an error. */
START_TEST(fin_before_response)
{
	moments_respond();
	judge_stream.is_full = true;
	judge_run("read sink=1 src=$rw srcto=0x70000 size=8; fin");
	judge_stream_ready();
	moments_expect_terminate(0x0207);
	judge_end();
}
END_TEST

/* R0-447: a request that is posted when the stream is lost has not begun: an event tells. */
START_TEST(posted_when_lost)
{
	moments_respond();
	judge_stream_hide();
	judge_run("reset");
	judge_post(IB_UVERBS_WR_SEND, 1, 0, 8, 0, 0);
	judge_expect(&judge.send_cq, 1, IB_WC_WR_FLUSH_ERR);
	ck_assert_uint_eq(judge.qp_events[HCA_QP_FATAL], 1);
	judge_end();
}
END_TEST

static void moments_post_recv(u64 wr_id)
{
	struct hca_queue *rq = &judge.qp->rq;
	struct hca_recv_wqe *wqe = hca_queue_entry(rq, rq->ring->producer);

	memset(wqe, 0, sizeof(*wqe));
	wqe->wr_id = wr_id;
	rq->ring->producer++;
}

/* R0-196: receive requests are flushed before a queue pair is in Idle, however many there are. */
START_TEST(flushed_before_idle)
{
	int i, runs = 0;

	judge_begin(&plain);
	judge.rnic.options.idle_after_close = true;
	judge_close_in_rts();
	judge_stream_hook();
	judge_stream_hide();
	judge_run("fin");
	for (i = 0; i < MOMENTS_RECVS; i++)
		moments_post_recv(i);
	while (judge_run_qp(MOMENTS_RECVS / 2))
		runs++;
	ck_assert_int_ge(runs, 1);
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_INIT);
	for (i = 0; i < MOMENTS_RECVS; i++)
		judge_expect(&judge.recv_cq, i, IB_WC_WR_FLUSH_ERR);
	judge_exchange();
	ck_assert_int_eq(judge.close_status, 0);
	judge_end();
}
END_TEST

/* The segments of a long message are work, after which other queue pairs have their turn. */
START_TEST(long_message_by_turns)
{
	moments_respond();
	judge_stream.is_full = true;
	judge_post(IB_UVERBS_WR_SEND, 1, 0, 12000, 0, 0);
	judge_stream.is_full = false;
	ck_assert(judge_run_qp(4));
	judge_expect_none(&judge.send_cq);
	judge_stream_ready();
	judge_expect(&judge.send_cq, 1, IB_WC_SUCCESS);
	judge_end();
}
END_TEST

/* A stream gets no more at once than it takes best, markers included. */
START_TEST(room)
{
	int i;

	judge_begin(&plain);
	judge_establish("request crc markers");
	judge_stream_hook();
	judge_stream.room = 248; /* two FPDUs of these Sends, if none of them has a marker */
	for (i = 0; i < 30; i += 3) {
		judge_stream.is_full = true;
		judge_post(IB_UVERBS_WR_SEND, i, 0, 100, 0, 0);
		judge_post(IB_UVERBS_WR_SEND, i + 1, 0, 100, 0, 0);
		judge_post(IB_UVERBS_WR_SEND, i + 2, 0, 100, 0, 0);
		judge_stream_ready();
		judge_expect(&judge.send_cq, i, IB_WC_SUCCESS);
		judge_expect(&judge.send_cq, i + 1, IB_WC_SUCCESS);
		judge_expect(&judge.send_cq, i + 2, IB_WC_SUCCESS);
		ck_assert_uint_le(judge_stream.most_sent, 248);
	}
	judge_end();
}
END_TEST

/* R0-434: a local request waits until the stream has taken the Send before it. */
START_TEST(local_behind_written_send)
{
	moments_respond();
	judge_stream.refuses = true;
	judge_post(IB_UVERBS_WR_SEND, 1, 0, 8, 0, 0);
	judge_post_invalidate(2, judge.mr[JUDGE_FAST]->key);
	judge_expect_none(&judge.send_cq);
	ck_assert_uint_ne(judge.mr[JUDGE_FAST]->generation, 0);
	judge_stream_ready();
	judge_expect(&judge.send_cq, 1, IB_WC_SUCCESS);
	judge_expect(&judge.send_cq, 2, IB_WC_SUCCESS);
	ck_assert_uint_eq(judge.mr[JUDGE_FAST]->generation, 0);
	judge_end();
}
END_TEST

/*
 * R0-202: a Send whose memory is revoked while it is written fails alone. The one before it, which
 * the stream does not have yet, is sent and completes.
 */
START_TEST(send_before_revoked)
{
	moments_respond();
	judge_stream.is_full = true;
	judge_post(IB_UVERBS_WR_SEND, 1, 0, 8, 0, 0);
	judge_post_key(IB_UVERBS_WR_SEND, 2, 0, 4000, 0, 0, judge.mr[JUDGE_FAST]->key);
	judge_stream.revoke_at = 3;
	judge_stream_ready();
	judge_expect(&judge.send_cq, 1, IB_WC_SUCCESS);
	judge_expect(&judge.send_cq, 2, IB_WC_LOC_PROT_ERR);
	moments_expect_opcode(3);
	ck_assert(judge.peer.fpdu.header.last);
	while (peer_next_fpdu(&judge.peer) && judge.peer.fpdu.header.opcode == 3)
		ck_assert(!judge.peer.fpdu.header.last);
	ck_assert_uint_eq(judge.peer.fpdu.header.opcode, 7);
	judge_end();
}
END_TEST

/*
 * P1-067: the Terminate message counts on the part of the response that is written, and follows it,
 * even if the stream does not take that part at once.
 */
START_TEST(response_before_revoked)
{
	moments_respond();
	judge_stream.revoke_at = 2;
	judge_stream.refuses = _i;
	judge_run("read sink=1 src=$fast srcto=0x70000 size=4000");
	judge_stream_ready();
	moments_expect_opcode(2);
	ck_assert(!judge.peer.fpdu.header.last);
	moments_expect_terminate(0x0100);
	judge_end();
}
END_TEST

/* Judge another queue pair, in Init, whose memory can be read by the peer. */
static void moments_replace_qp(const struct hca_qp_init *init)
{
	struct hca_qp_attr attr = { .state = IB_QPS_INIT, .access = IB_UVERBS_ACCESS_REMOTE_READ };

	hca_qp_destroy(judge.qp);
	judge.qp = consumer_create_qp(&judge.rnic.ci, init);
	ck_assert(!IS_ERR(judge.qp));
	judge.it = hca_iwarp_qp_of(judge.qp);
	ck_assert_int_eq(hca_qp_modify(judge.qp, &attr, IB_QP_STATE | IB_QP_ACCESS_FLAGS), 0);
}

/* An inline message that is longer than a segment continues in the next one. */
START_TEST(inline_in_segments)
{
	const struct hca_qp_init init = {
		.type = IB_QPT_RC, .max_send_wr = 4, .max_recv_wr = 4, .max_send_sge = 1,
		.max_recv_sge = 1, .max_inline = 200, .pd = &judge, .send_cq = &judge.send_cq,
		.recv_cq = &judge.recv_cq, .owner = &judge,
	};
	struct hca_send_wqe *wqe;
	u8 octets[200];
	u32 done, i;

	judge_begin(&(struct sim_stream_options){ .mss = 64 });
	moments_replace_qp(&init);
	judge_respond();
	for (i = 0; i < sizeof(octets); i++)
		octets[i] = i * 7 + 1;
	wqe = hca_queue_entry(&judge.qp->sq, 0);
	memset(wqe, 0, sizeof(*wqe));
	wqe->opcode = IB_UVERBS_WR_SEND;
	wqe->flags = HCA_WQE_SIGNALED | HCA_WQE_INLINE;
	wqe->inline_length = sizeof(octets);
	memcpy((u8 *)wqe + HCA_SEND_WQE_HEADER, octets, sizeof(octets));
	judge.qp->sq.ring->producer++;
	consumer_ring(judge.qp, judge.qp->sq.ring);
	judge_exchange();
	for (done = 0; done < sizeof(octets); done += judge.peer.fpdu.payload_length) {
		moments_expect_opcode(3);
		ck_assert_uint_lt(judge.peer.fpdu.payload_length, sizeof(octets));
		ck_assert_mem_eq(judge.peer.fpdu.payload, octets + done,
				 judge.peer.fpdu.payload_length);
	}
	judge_end();
}
END_TEST

/* A queue pair without a send queue answers Reads all the same. */
START_TEST(responder_alone)
{
	const struct hca_qp_init init = {
		.type = IB_QPT_RC, .max_recv_wr = 4, .max_recv_sge = 1, .pd = &judge,
		.send_cq = &judge.send_cq, .recv_cq = &judge.recv_cq, .owner = &judge,
	};

	judge_begin(&plain);
	moments_replace_qp(&init);
	judge_respond();
	judge_run("read sink=1 src=$rw srcto=0x70000 size=8");
	moments_expect_opcode(2);
	ck_assert_uint_eq(judge.peer.fpdu.payload_length, 8);
	judge_end();
}
END_TEST

Suite *iwarp_moments_suite(void)
{
	Suite *suite = suite_create("iwarp_moments");
	TCase *tc = tcase_create("moments");

	tcase_add_loop_test(tc, short_and_ending, 0, 3);
	tcase_add_test(tc, short_before_reply);
	tcase_add_test(tc, fin_behind_unseen_octets);
	tcase_add_test(tc, fin_before_response);
	tcase_add_test(tc, posted_when_lost);
	tcase_add_test(tc, flushed_before_idle);
	tcase_add_test(tc, long_message_by_turns);
	tcase_add_test(tc, room);
	tcase_add_test(tc, local_behind_written_send);
	tcase_add_test(tc, send_before_revoked);
	tcase_add_loop_test(tc, response_before_revoked, 0, 2);
	tcase_add_test(tc, inline_in_segments);
	tcase_add_test(tc, responder_alone);
	suite_add_tcase(suite, tc);
	return suite;
}
