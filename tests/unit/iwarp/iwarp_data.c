// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* An RNIC's transfer of data at its limits: long streams, full queues, a peer that never rests. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <linux/bottom_half.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include "shim.h"
#include "iwarp/view.h"
#include "qp/view.h"
#include "tests/unit/iwarp/rnics.h"
#include "tests/unit/suites.h"
#include "tpt/key.h"

#define A (&rnics.end[0])
#define B (&rnics.end[1])
#define RUN_BUDGET 64 /* of a run function */

static void data_begin(const struct sim_stream_options *options)
{
	rnics_setup();
	rnics_begin(options);
	rnics_connect();
}

static void data_respond(u32 offset, u32 length)
{
	char script[100];

	snprintf(script, sizeof(script), "response stag=%u to=%u payload=%u", A->mr->key,
		 RNICS_BASE + offset, length);
	rnics_peer(script);
}

/* Expect that the peer has a Terminate message, and no FPDU behind it. Return: M, D and R of it. */
static u8 data_expect_terminate(u16 error)
{
	const u8 *control = rnics.peer->fpdu.terminate.control;
	u8 parts;

	do
		ck_assert_msg(rnics_peer_fpdu(), "no Terminate");
	while (rnics.peer->fpdu.header.opcode != 7);
	ck_assert_uint_eq(control[0] << 8 | control[1], error);
	parts = control[2];
	ck_assert(!rnics_peer_fpdu());
	return parts;
}

/* The octets of the peer arrive. Nothing of them is looked at before BH are enabled. */
static void data_arrive(void)
{
	sim_stream_write(&rnics.pair.end[1], rnics.peer->out, rnics.peer->out_length);
	rnics.peer->out_length = 0;
	sim_stream_settle(&rnics.pair);
}

/* Octets that have arrived and are not consumed. */
static u32 data_unread(void)
{
	return rnics.pair.end[1].carried - rnics.pair.end[0].consumed;
}

/* The operations of a stream, of which a test replaces send(). */
static struct hca_stream_ops data_ops;
static int (*data_send)(struct hca_stream *s, const struct hca_tx_buffer *b, bool more);

static void data_replace_send(struct hca_stream *stream,
			      int (*send)(struct hca_stream *s, const struct hca_tx_buffer *b,
					  bool more))
{
	data_ops = *stream->ops;
	data_send = data_ops.send;
	data_ops.send = send;
	stream->ops = &data_ops;
}

static int data_refusing_send(struct hca_stream *s, const struct hca_tx_buffer *b, bool more)
{
	return -EAGAIN;
}

/* The stream takes buffers again. */
static void data_accept(struct hca_stream *stream)
{
	data_ops.send = data_send;
	hca_stream_event(stream, HCA_STREAM_WRITABLE);
	rnics_settle();
}

/* P1-146: a Write behind a Read completes, however many octets the stream has taken meanwhile. */
START_TEST(sent_is_long)
{
	static const u64 octets[] = { 0, 1ull << 31, (1ull << 31) + 1024, 1ull << 32, 1ull << 40 };

	rnics_setup();
	rnics_begin_peer(NULL);
	rnics_connect_peer();
	rnics_rdma(A, IB_UVERBS_WR_RDMA_READ, 1, 0, 16, 5, 0);
	rnics_rdma(A, IB_UVERBS_WR_RDMA_WRITE, 2, 100, 20, 5, 0);
	rnics_send(A, 3, 100, 20);
	A->stream->sent += octets[_i];
	ck_assert(rnics_none(&A->send_cq));
	data_respond(0, 16);
	rnics_expect(&A->send_cq, 1, IB_WC_SUCCESS);
	rnics_expect(&A->send_cq, 2, IB_WC_SUCCESS);
	rnics_expect(&A->send_cq, 3, IB_WC_SUCCESS);
	rnics_end();
}
END_TEST

/* A peer that has always more FPDUs than a run may process does not stop sending. */
START_TEST(peer_never_rests)
{
	int i, budget = RUN_BUDGET;
	u64 sent;

	rnics_serve_first(NULL);
	for (i = 0; i < 4 * RUN_BUDGET; i++)
		peer_run(rnics.peer, "write");
	rnics_wqe(A, IB_UVERBS_WR_SEND, 1, 0, 10);
	A->qp->sq.ring->producer++;
	local_bh_disable();
	data_arrive();
	sent = A->stream->sent;
	ck_assert(A->qp->common.run.run(&A->qp->common.run, &budget));
	ck_assert_uint_gt(A->stream->sent, sent);
	ck_assert_uint_gt(data_unread(), 0);
	local_bh_enable();
	rnics_settle();
	ck_assert_uint_eq(data_unread(), 0);
	rnics_expect(&A->send_cq, 1, IB_WC_SUCCESS);
	rnics_end();
}
END_TEST

/* Octets that nobody looks at any more are consumed within the budget. */
START_TEST(discards_within_budget)
{
	int budget = RUN_BUDGET / 8;
	u32 unread;

	rnics_serve_first(&(struct sim_stream_options){ .mss = 100 });
	rnics_peer("send rv=0");
	ck_assert_uint_eq(rnics_state(A), IB_QPS_SQE);
	peer_run(rnics.peer, "write payload=60000");
	local_bh_disable();
	data_arrive();
	unread = data_unread();
	ck_assert(A->qp->common.run.run(&A->qp->common.run, &budget));
	ck_assert_uint_lt(data_unread(), unread);
	ck_assert_uint_gt(data_unread(), 0);
	local_bh_enable();
	rnics_settle();
	ck_assert_uint_eq(data_unread(), 0);
	rnics_end();
}
END_TEST

/* R0-447, R0-471: an invalid index of a receive queue has one event, and Terminate 0/2/07. */
START_TEST(invalid_recv_index)
{
	rnics_setup();
	rnics.with_srq = _i;
	rnics_begin_peer(NULL);
	rnics_serve_peer();
	(_i ? A->srq.rq.ring : A->qp->rq.ring)->producer = 1000;
	rnics_peer("send payload=4");
	ck_assert_uint_eq(rnics_state(A), IB_QPS_ERR);
	data_expect_terminate(HCA_ERR_RDMAP_STREAM);
	rnics_peer("fin");
	ck_assert_uint_eq(A->events[HCA_QP_FATAL], 1);
	ck_assert_uint_eq(A->events[HCA_QP_REQUEST_ERROR], 0);
	rnics_end();
}
END_TEST

static int data_checked_send(struct hca_stream *s, const struct hca_tx_buffer *b, bool more)
{
	int i;

	for (i = 0; i < 2; i++)
		ck_assert_uint_eq(refcount_read(&rnics.end[i].mr->users), 1);
	return data_send(s, b, more);
}

/* A key can be revoked while the stream sends: no reference to its memory is held then. */
START_TEST(no_reference_while_sending)
{
	data_begin(&(struct sim_stream_options){ .buffer = 3000, .again = 3 });
	data_replace_send(A->stream, data_checked_send);
	B->stream->ops = A->stream->ops;
	rnics_recv(B, 1, 0, 50000);
	rnics_send(A, 2, 50000, 50000);
	rnics_rdma(A, IB_UVERBS_WR_RDMA_READ, 3, 0, 50000, B->mr->key, 50000);
	rnics_settle();
	rnics_expect(&A->send_cq, 2, IB_WC_SUCCESS);
	rnics_expect(&A->send_cq, 3, IB_WC_SUCCESS);
	rnics_expect(&B->recv_cq, 1, IB_WC_SUCCESS);
	ck_assert(rnics_same(0, 50000, 50000));
	rnics_end();
}
END_TEST

/*
 * A stream may keep back what it was to send with others. A message whose last segment, not a whole
 * one, has used up the budget arrives all the same.
 */
START_TEST(nothing_is_kept_back)
{
	u32 length = 1428 * (RUN_BUDGET / 2 + _i) - 1000;

	data_begin(&(struct sim_stream_options){ .keeps_more = true });
	rnics_rdma(A, IB_UVERBS_WR_RDMA_WRITE, 1, 0, length, B->mr->key, 0);
	rnics_settle();
	rnics_expect(&A->send_cq, 1, IB_WC_SUCCESS);
	ck_assert(rnics_same(0, 0, length));
	rnics_end();
}
END_TEST

/* Completions for which a CQ of one entry, which is in use, has no room. */
enum data_full {
	FULL_SEND, FULL_WRITE, FULL_READ, FULL_LOCAL, FULL_FAILED, FULL_TERMINATED, FULL_RECV,
	FULL_RECV_TOO_LONG, FULL_RECV_INVALIDATE, FULL_CASES,
};

static void data_fill(enum data_full full)
{
	if (full < FULL_RECV) {
		rnics_rdma(A, IB_UVERBS_WR_RDMA_WRITE, 1, 0, 10, 5, 0);
		return;
	}
	rnics_recv(A, 1, 0, 10);
	rnics_recv(A, 2, 0, 10);
	rnics_peer("send payload=1");
}

static void data_overflow(enum data_full full)
{
	if (full == FULL_SEND)
		rnics_send(A, 2, 0, 10);
	else if (full == FULL_WRITE)
		rnics_rdma(A, IB_UVERBS_WR_RDMA_WRITE, 2, 0, 10, 5, 0);
	else if (full == FULL_READ || full == FULL_TERMINATED)
		rnics_rdma(A, IB_UVERBS_WR_RDMA_READ, 2, 0, 8, 5, 0);
	if (full == FULL_READ)
		data_respond(0, 8);
	else if (full == FULL_TERMINATED)
		rnics_peer("send opcode=7 qn=2 hex=0100c000002e414100000000000000010000000100000000");
	if (full == FULL_LOCAL || full == FULL_FAILED) {
		A->mr->kind = HCA_TPT_FAST_MR;
		rnics_wqe(A, IB_UVERBS_WR_LOCAL_INV, 2, 0, 0)->invalidate_rkey =
			full == FULL_LOCAL ? A->mr->key : 5;
		rnics_publish(A);
	}
	if (full == FULL_RECV)
		rnics_peer("send payload=1");
	else if (full == FULL_RECV_TOO_LONG)
		rnics_peer("send payload=11");
	else if (full == FULL_RECV_INVALIDATE)
		rnics_peer("send-inv inval=5");
	rnics_settle();
}

/*
 * V3-284, R0-447: the CQ is full: one event, Error, and a Terminate of the first error. R0-204: one
 * that no segment has caused has no headers.
 */
START_TEST(cq_is_full)
{
	static const u16 errors[FULL_CASES] = {
		[FULL_SEND ... FULL_LOCAL] = HCA_ERR_RDMAP_STREAM,
		[FULL_FAILED] = HCA_ERR_RDMAP_LOCAL,
		[FULL_RECV] = HCA_ERR_RDMAP_STREAM,
		[FULL_RECV_TOO_LONG] = HCA_ERR_DDP_TOO_LONG,
		[FULL_RECV_INVALIDATE] = HCA_ERR_RDMAP_CANNOT_INVALIDATE,
	};

	rnics_setup();
	rnics.cqe = 1;
	rnics_begin_peer(NULL);
	rnics_connect_peer();
	data_fill(_i);
	ck_assert_uint_eq(rnics_state(A), IB_QPS_RTS);
	data_overflow(_i);
	ck_assert_uint_eq(rnics_state(A), IB_QPS_ERR);
	if (_i == FULL_TERMINATED)
		while (rnics_peer_fpdu())
			ck_assert_uint_ne(rnics.peer->fpdu.header.opcode, 7);
	else
		ck_assert_uint_eq(data_expect_terminate(errors[_i]),
				  _i > FULL_RECV ? HCA_TERMINATE_M | HCA_TERMINATE_D : 0);
	rnics_peer("fin");
	ck_assert_uint_eq(A->reported[HCA_ENDPOINT_CLOSE], 1);
	ck_assert_uint_eq(A->events[HCA_QP_FATAL], 1);
	ck_assert_uint_eq(A->events[HCA_QP_REQUEST_ERROR] + A->events[HCA_QP_ACCESS_ERROR], 0);
	rnics_end();
}
END_TEST

/* A CQ without room for receive requests that a close flushes: one event, and no other harm. */
START_TEST(cq_is_full_at_close)
{
	rnics_setup();
	rnics.cqe = 1;
	rnics_begin_peer(NULL);
	rnics_connect_peer();
	rnics_recv(A, 1, 0, 10);
	rnics_recv(A, 2, 0, 10);
	ck_assert_int_eq(rnics_modify(A, IB_QPS_SQD), 0);
	rnics_peer("fin");
	ck_assert_uint_eq(rnics_state(A), IB_QPS_ERR);
	ck_assert_uint_eq(A->events[HCA_QP_FATAL], 1);
	ck_assert_uint_eq(A->reported[HCA_ENDPOINT_CLOSE], 1);
	ck_assert_int_eq(A->close_status, 0);
	ck_assert_uint_eq(A->it->origin, HCA_TERMINATE_NONE);
	rnics_end();
}
END_TEST

/* R0-243, P1-161, P1-198: each end has its own number of Reads at a time. */
START_TEST(one_read_against_many)
{
	u32 i;

	rnics_setup();
	rnics.connect = (struct hca_connect){ .ird = 1, .ord = HCA_IWARP_MAX_READS };
	rnics.accept = (struct hca_connect){ .ird = HCA_IWARP_MAX_READS,
					     .ord = HCA_IWARP_MAX_READS };
	rnics_begin(NULL);
	rnics_connect();
	ck_assert_uint_eq(A->it->requester.ord, HCA_IWARP_MAX_READS);
	ck_assert_uint_eq(B->it->requester.ord, 1);
	for (i = 0; i < RNICS_ENTRIES; i++) {
		rnics_rdma(A, IB_UVERBS_WR_RDMA_READ, i, i * 100, 100, B->mr->key, 3000 + i * 100);
		rnics_rdma(B, IB_UVERBS_WR_RDMA_READ, i, i * 100, 100, A->mr->key, 3000 + i * 100);
	}
	ck_assert_uint_eq(A->it->requester.reads, RNICS_ENTRIES);
	while (sim_stream_step(&rnics.pair))
		ck_assert_uint_le(B->it->requester.reads, 1);
	rnics_settle();
	for (i = 0; i < RNICS_ENTRIES; i++) {
		rnics_expect(&A->send_cq, i, IB_WC_SUCCESS);
		rnics_expect(&B->send_cq, i, IB_WC_SUCCESS);
	}
	ck_assert(rnics_same(0, 3000, RNICS_ENTRIES * 100));
	ck_assert(rnics_same(3000, 0, RNICS_ENTRIES * 100));
	rnics_end();
}
END_TEST

/* R0-013, P1-164, P1-198: a second Read of the peer at a time, though one was agreed: 0/2/07. */
START_TEST(one_read_too_many)
{
	rnics_setup();
	rnics.accept = (struct hca_connect){ .ird = 1, .ord = HCA_IWARP_MAX_READS };
	rnics_begin_peer(NULL);
	rnics_serve_peer();
	rnics_peer("write");
	rnics_peer("read");
	ck_assert(rnics_peer_fpdu());
	ck_assert_uint_eq(rnics.peer->fpdu.header.opcode, 2);
	rnics_peer("read; read");
	data_expect_terminate(HCA_ERR_RDMAP_STREAM);
	rnics_end();
}
END_TEST

/* RFC 5041, 5.1: behind the MSN 2^32 - 1 follows 0. */
START_TEST(msn_wraps)
{
	u32 qn, i;

	data_begin(NULL);
	for (qn = HCA_QN_SEND; qn <= HCA_QN_READ_REQUEST; qn++) {
		A->it->next_msn[qn] = U32_MAX - 1;
		B->it->ddp.msn[qn] = U32_MAX - 1;
	}
	for (i = 0; i < 4; i++) {
		rnics_recv(B, i, i * 100, 100);
		rnics_send(A, 2 * i, 1000 + i * 100, 100);
		rnics_rdma(A, IB_UVERBS_WR_RDMA_READ, 2 * i + 1, 2000 + i * 100, 100, B->mr->key,
			   3000 + i * 100);
	}
	rnics_settle();
	for (i = 0; i < 8; i++)
		rnics_expect(&A->send_cq, i, IB_WC_SUCCESS);
	for (i = 0; i < 4; i++)
		rnics_expect(&B->recv_cq, i, IB_WC_SUCCESS);
	ck_assert(rnics_same(1000, 0, 400));
	ck_assert(rnics_same(2000, 3000, 400));
	ck_assert_uint_eq(A->it->next_msn[HCA_QN_SEND], 2);
	rnics_end();
}
END_TEST

/* R0-249: ORD is reduced while Reads are outstanding, which all complete; 0 permits none. */
START_TEST(ord_is_reduced_meanwhile)
{
	struct hca_qp_attr attr = { .max_rd_atomic = _i };
	u32 i;

	data_begin(NULL);
	for (i = 0; i < 7; i++)
		rnics_rdma(A, IB_UVERBS_WR_RDMA_READ, i, i * 100, 100, B->mr->key, 3000 + i * 100);
	ck_assert_uint_eq(A->it->requester.reads, 4);
	ck_assert_int_eq(hca_qp_modify(A->qp, &attr, IB_QP_MAX_QP_RD_ATOMIC), 0);
	while (sim_stream_step(&rnics.pair)) {
		ck_assert(A->qp->sq_current <= 4 || A->it->requester.reads <= _i);
		shim_run_until_idle();
	}
	rnics_settle();
	for (i = 0; i < (_i ? 7 : 4); i++)
		rnics_expect(&A->send_cq, i, IB_WC_SUCCESS);
	ck_assert(rnics_same(0, 3000, i * 100));
	if (!_i) {
		rnics_expect(&A->send_cq, 4, IB_WC_LOC_QP_OP_ERR);
		rnics_expect(&A->send_cq, 5, IB_WC_WR_FLUSH_ERR);
		rnics_expect(&A->send_cq, 6, IB_WC_WR_FLUSH_ERR);
	}
	rnics_end();
}
END_TEST

/*
 * The memory of a Send becomes invalid while it is sent: the Send fails between two segments (req
 * R0-199). The Write before it, whose octets the peer gets, does not fail with it.
 */
START_TEST(source_is_revoked)
{
	struct hca_send_wqe *wqe;
	struct hca_cqe cqe;

	data_begin(NULL);
	data_replace_send(A->stream, data_refusing_send);
	A->mr->kind = HCA_TPT_FAST_MR;
	rnics_recv(B, 1, 0, 60000);
	/* Both are published at once: the Write waits in a buffer with a part of the Send. */
	wqe = rnics_wqe(A, IB_UVERBS_WR_RDMA_WRITE, 2, 70000, 100);
	wqe->rdma.remote_addr = RNICS_BASE + 80000;
	wqe->rdma.rkey = B->mr->key;
	A->qp->sq.ring->producer++;
	rnics_send(A, 3, 60000, 60000);
	ck_assert_uint_eq(A->qp->sq_done, 0);
	local_bh_disable();
	ck_assert_uint_eq(hca_key_invalidate(&A->rnic.ci.tpt, A->mr->key, A, A->qp->qpn, false), 0);
	local_bh_enable();
	data_accept(A->stream);
	rnics_expect(&A->send_cq, 2, IB_WC_SUCCESS);
	cqe = rnics_completion(&A->send_cq);
	ck_assert_uint_eq(cqe.wr_id, 3);
	ck_assert_uint_eq(cqe.vendor_err, HCA_VENDOR_ERR_LKEY_CHANGED);
	ck_assert(rnics_same(70000, 80000, 100));
	rnics_expect(&B->recv_cq, 1, IB_WC_WR_FLUSH_ERR);
	ck_assert_uint_eq(B->it->terminate.error, HCA_ERR_RDMAP_LOCAL);
	ck_assert_uint_eq(A->events[HCA_QP_FATAL], 0);
	rnics_end();
}
END_TEST

/* Requests that are flushed are not sent: those in a buffer that the stream has not taken. */
START_TEST(flushed_is_not_sent)
{
	data_begin(NULL);
	data_replace_send(A->stream, data_refusing_send);
	rnics_rdma(A, IB_UVERBS_WR_RDMA_WRITE, 1, 0, 100, B->mr->key, 1000);
	ck_assert_uint_eq(A->qp->sq_done, 0); /* P1-145 */
	ck_assert_int_eq(rnics_modify(A, IB_QPS_SQE), 0);
	data_accept(A->stream);
	rnics_expect(&A->send_cq, 1, IB_WC_WR_FLUSH_ERR);
	ck_assert(!rnics_same(0, 1000, 100));
	ck_assert_uint_eq(B->it->origin, HCA_TERMINATE_REMOTE);
	rnics_end();
}
END_TEST

/* A message that the stream never takes is not one that was sent. */
START_TEST(unsent_terminate)
{
	rnics_serve_first(NULL);
	data_replace_send(A->stream, data_refusing_send);
	rnics_peer("send rv=0");
	ck_assert_uint_eq(rnics_state(A), IB_QPS_SQE);
	ck_assert_uint_eq(A->it->origin, HCA_TERMINATE_UNSENT);
	if (_i)
		rnics_peer("reset");
	else
		data_accept(A->stream);
	ck_assert_uint_eq(A->it->origin, _i ? HCA_TERMINATE_UNSENT : HCA_TERMINATE_LOCAL);
	ck_assert_uint_eq(A->it->terminate.error, HCA_ERR_RDMAP_VERSION);
	rnics_end();
}
END_TEST

static u64 data_count(const struct hca_qp_counters *own, enum hca_rnic_counter counter)
{
	return atomic64_read(own ? &own->count[counter] : &A->rnic.count[counter]);
}

/*
 * While a queue pair has counters of its own, it counts there and not in those of the RNIC. P1-206:
 * so one knows what each peer has taken of an SRQ.
 */
START_TEST(own_counters)
{
	struct hca_qp_counters own = { 0 };
	u64 sent;
	u32 i;

	rnics_setup();
	rnics.with_srq = _i;
	rnics_begin(NULL);
	rnics_connect();
	sent = rnics.pair.end[0].sent;
	A->rnic.ci.ops->bind_counters(A->qp, &own);
	memset(A->rnic.count, 0, sizeof(A->rnic.count));
	rnics_recv(A, 1, 0, 100);
	rnics_send(B, 2, 0, 100);
	rnics_send(A, 3, 0, 100);
	rnics_rdma(A, IB_UVERBS_WR_RDMA_WRITE, 4, 0, 100, B->mr->key, 0);
	rnics_rdma(B, IB_UVERBS_WR_RDMA_READ, 5, 0, 100, A->mr->key, 0);
	rnics_settle();
	for (i = 0; i < HCA_RNIC_COUNTERS; i++)
		ck_assert_uint_eq(data_count(NULL, i), 0);
	ck_assert_uint_eq(data_count(&own, HCA_RNIC_SENDS_OUT), 1);
	ck_assert_uint_eq(data_count(&own, HCA_RNIC_SENDS_IN), 1);
	ck_assert_uint_eq(data_count(&own, HCA_RNIC_WRITES_OUT), 1);
	ck_assert_uint_eq(data_count(&own, HCA_RNIC_READS_IN), 1);
	/* B has no receive request for the Send, and its Terminate ends the stream. */
	ck_assert_uint_eq(data_count(&own, HCA_RNIC_TERMINATES_IN), 1);
	ck_assert_uint_eq(data_count(&own, HCA_RNIC_OCTETS_OUT),
			  rnics.pair.end[0].sent - sent);
	ck_assert_uint_gt(data_count(&own, HCA_RNIC_FPDUS_IN), 0);
	A->rnic.ci.ops->bind_counters(A->qp, NULL);
	rnics_end();
}
END_TEST

/* All octets that are sent are counted, those of a Terminate message included. */
START_TEST(octets_are_counted)
{
	rnics_serve_first(NULL);
	rnics_peer("read; send rv=0");
	data_expect_terminate(HCA_ERR_RDMAP_VERSION);
	ck_assert_uint_eq(data_count(NULL, HCA_RNIC_OCTETS_OUT), A->stream->sent);
	ck_assert_uint_eq(data_count(NULL, HCA_RNIC_OCTETS_IN), A->stream->received);
	ck_assert_uint_eq(data_count(NULL, HCA_RNIC_TERMINATES_OUT), 1);
	rnics_end();
}
END_TEST

Suite *iwarp_data_suite(void)
{
	Suite *suite = suite_create("iwarp_data");
	TCase *tc = tcase_create("data");

	tcase_set_timeout(tc, 20);
	tcase_add_loop_test(tc, sent_is_long, 0, 5);
	tcase_add_test(tc, peer_never_rests);
	tcase_add_test(tc, discards_within_budget);
	tcase_add_loop_test(tc, invalid_recv_index, 0, 2);
	tcase_add_test(tc, no_reference_while_sending);
	tcase_add_loop_test(tc, nothing_is_kept_back, 0, RUN_BUDGET / 2 + 1);
	tcase_add_loop_test(tc, cq_is_full, 0, FULL_CASES);
	tcase_add_test(tc, cq_is_full_at_close);
	tcase_add_test(tc, one_read_against_many);
	tcase_add_test(tc, one_read_too_many);
	tcase_add_test(tc, msn_wraps);
	tcase_add_loop_test(tc, ord_is_reduced_meanwhile, 0, 3);
	tcase_add_test(tc, source_is_revoked);
	tcase_add_test(tc, flushed_is_not_sent);
	tcase_add_loop_test(tc, unsent_terminate, 0, 2);
	tcase_add_loop_test(tc, own_counters, 0, 2);
	tcase_add_test(tc, octets_are_counted);
	suite_add_tcase(suite, tc);
	return suite;
}
