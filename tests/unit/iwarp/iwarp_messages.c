// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Messages between two RNICs: Send, Write and Read, their order, and their completions. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <linux/kernel.h>
#include "shim.h"
#include "tests/unit/iwarp/rnics.h"
#include "tests/unit/suites.h"

#define A (&rnics.end[0])
#define B (&rnics.end[1])
#define LARGE 100000 /* octets, more than a TX buffer or an FPDU has */

static void messages_begin(void)
{
	rnics_setup();
	rnics_begin(NULL);
	rnics_connect();
}

/* P1-116, P1-117, P1-182, P1-183: a Send fills one receive request, which may be longer. */
START_TEST(one_send)
{
	struct hca_cqe cqe;

	messages_begin();
	rnics_recv(B, 1, 0, 100);
	rnics_send(A, 2, 1000, 60);
	rnics_settle();
	rnics_expect(&A->send_cq, 2, IB_WC_SUCCESS);
	cqe = rnics_completion(&B->recv_cq);
	ck_assert_uint_eq(cqe.wr_id, 1);
	ck_assert_uint_eq(cqe.byte_len, 60);
	ck_assert_uint_eq(cqe.opcode, IB_WC_RECV);
	ck_assert(rnics_same(1000, 0, 60));
	ck_assert(!rnics_same(1000, 0, 61));
	rnics_end();
}
END_TEST

/* P1-123, P1-T11: a Send without octets takes a receive request as well. */
START_TEST(empty_send)
{
	messages_begin();
	rnics_recv(B, 1, 0, 100);
	rnics_recv(B, 2, 200, 100);
	rnics_send(A, 3, 0, 0);
	rnics_send(A, 4, 500, 10);
	rnics_settle();
	ck_assert_uint_eq(rnics_completion(&B->recv_cq).byte_len, 0);
	rnics_expect(&B->recv_cq, 2, IB_WC_SUCCESS);
	ck_assert(rnics_same(500, 200, 10));
	rnics_end();
}
END_TEST

/* P1-119, P1-122, P1-146: messages of many segments in both directions, delivered in order. */
START_TEST(many_sends)
{
	u32 i;

	messages_begin();
	for (i = 0; i < 3; i++) {
		rnics_recv(A, 10 + i, i * 30000, 30000);
		rnics_recv(B, 10 + i, i * 30000, 30000);
	}
	for (i = 0; i < 3; i++) {
		rnics_send(A, 20 + i, 100000 + i, 20000 + i);
		rnics_send(B, 20 + i, 100000 + i, 20000 + i);
	}
	rnics_settle();
	for (i = 0; i < 3; i++) {
		rnics_expect(&A->send_cq, 20 + i, IB_WC_SUCCESS);
		rnics_expect(&B->send_cq, 20 + i, IB_WC_SUCCESS);
		rnics_expect(&A->recv_cq, 10 + i, IB_WC_SUCCESS);
		rnics_expect(&B->recv_cq, 10 + i, IB_WC_SUCCESS);
		ck_assert(rnics_same(100000 + i, i * 30000, 20000 + i));
		ck_assert(rnics_same(i * 30000, 100000 + i, 20000 + i));
	}
	rnics_end();
}
END_TEST

/* P1-120, P1-T23: SE makes a completion solicited, which is all that it does. */
START_TEST(solicited)
{
	struct hca_cqe cqe;

	messages_begin();
	rnics_recv(B, 1, 0, 100);
	rnics_recv(B, 2, 0, 100);
	rnics_wqe(A, IB_UVERBS_WR_SEND, 3, 0, 10)->flags |= HCA_WQE_SOLICITED;
	rnics_publish(A);
	rnics_send(A, 4, 0, 10);
	rnics_settle();
	cqe = rnics_completion(&B->recv_cq);
	ck_assert(cqe.flags & HCA_CQE_SOLICITED);
	cqe = rnics_completion(&B->recv_cq);
	ck_assert(!(cqe.flags & HCA_CQE_SOLICITED));
	rnics_end();
}
END_TEST

/* Inline data are those of the moment of posting, and have no key. */
START_TEST(inline_data)
{
	struct hca_send_wqe *wqe;

	messages_begin();
	rnics_recv(B, 1, 0, 100);
	wqe = rnics_wqe(A, IB_UVERBS_WR_SEND, 2, 0, 0);
	wqe->flags |= HCA_WQE_INLINE;
	wqe->inline_length = 40;
	memcpy((u8 *)wqe + HCA_SEND_WQE_HEADER, A->memory + 300, 40);
	rnics_publish(A);
	rnics_settle();
	rnics_expect(&B->recv_cq, 1, IB_WC_SUCCESS);
	ck_assert(rnics_same(300, 0, 40));
	rnics_end();
}
END_TEST

/* P1-090, P1-091, P1-094, P1-184: a Write of a gather list, which completes nothing at the peer. */
START_TEST(write_list)
{
	struct hca_send_wqe *wqe;
	struct hca_sge *sge;

	messages_begin();
	rnics_recv(B, 1, 0, 100);
	wqe = rnics_wqe(A, IB_UVERBS_WR_RDMA_WRITE, 2, 1001, 3000);
	sge = (struct hca_sge *)((u8 *)wqe + HCA_SEND_WQE_HEADER);
	sge[1] = (struct hca_sge){ .addr = RNICS_BASE + 9000, .length = 5003, .lkey = A->mr->key };
	wqe->num_sge = 2;
	wqe->rdma.remote_addr = RNICS_BASE + 20001;
	wqe->rdma.rkey = B->mr->key;
	rnics_publish(A);
	rnics_settle();
	rnics_expect(&A->send_cq, 2, IB_WC_SUCCESS);
	ck_assert(rnics_same(1001, 20001, 3000));
	ck_assert(rnics_same(9000, 23001, 5003));
	ck_assert(!rnics_same(9000 + 5003, 23001 + 5003, 16));
	ck_assert(rnics_none(&B->recv_cq));
	rnics_end();
}
END_TEST

/* P1-098, RFC 5041, 5.2: nothing is checked of a Write without octets. */
START_TEST(empty_write)
{
	messages_begin();
	rnics_rdma(A, IB_UVERBS_WR_RDMA_WRITE, 1, 0, 0, 0x12345678, 0);
	rnics_settle();
	rnics_expect(&A->send_cq, 1, IB_WC_SUCCESS);
	ck_assert_uint_eq(rnics_state(B), IB_QPS_RTS);
	rnics_end();
}
END_TEST

/*
 * P1-099 to P1-111, P1-185: Reads of no octet (P1-106), of one, and of many segments, which read a
 * part of a buffer (P1-104), and are answered (P1-105).
 */
START_TEST(read_lengths)
{
	static const u32 lengths[] = { 0, 1, 1000, 1424, 1425, LARGE };
	u32 length = lengths[_i];

	messages_begin();
	/* P1-108, P1-T16: the source of a Read without octets is not looked at. */
	rnics_rdma(A, IB_UVERBS_WR_RDMA_READ, 1, 17, length, length ? B->mr->key : 0xdeadbeef, 5);
	rnics_settle();
	rnics_expect(&A->send_cq, 1, IB_WC_SUCCESS);
	ck_assert(rnics_same(17, 5, length));
	ck_assert(!rnics_same(17 + length, 5 + length, 16));
	ck_assert(rnics_none(&B->send_cq)); /* P1-101 */
	ck_assert(rnics_none(&B->recv_cq));
	rnics_end();
}
END_TEST

/* P1-146, P1-150, P1-T21: completions in the order of posting, each Read before what follows it. */
START_TEST(completions_in_order)
{
	u32 i;

	messages_begin();
	rnics_recv(B, 1, 0, 1000);
	rnics_rdma(A, IB_UVERBS_WR_RDMA_WRITE, 2, 0, 5000, B->mr->key, 10000);
	rnics_rdma(A, IB_UVERBS_WR_RDMA_READ, 3, 20000, 70000, B->mr->key, 10000);
	rnics_send(A, 4, 100, 1000);
	rnics_rdma(A, IB_UVERBS_WR_RDMA_READ, 5, 110000, 10, B->mr->key, 10000);
	rnics_rdma(A, IB_UVERBS_WR_RDMA_WRITE, 6, 0, 10, B->mr->key, 10000);
	rnics_settle();
	for (i = 2; i <= 6; i++)
		rnics_expect(&A->send_cq, i, IB_WC_SUCCESS);
	/* P1-155: the Read returns what the Write before it has written. */
	ck_assert(!memcmp(A->memory, A->memory + 20000, 5000));
	rnics_end();
}
END_TEST

/* R0-243, R0-244, P1-163, P1-T19: as many Reads at a time as were agreed; the others wait. */
START_TEST(ord_is_kept)
{
	u32 i;

	rnics_setup();
	rnics.connect.ord = 2;
	rnics_begin(NULL);
	rnics_connect();
	for (i = 0; i < 10; i++)
		rnics_rdma(A, IB_UVERBS_WR_RDMA_READ, i, i * 5000, 4000, B->mr->key, i * 5000 + 1);
	ck_assert_uint_eq(A->it->requester.reads, 2);
	ck_assert_uint_eq(A->qp->sq_current, 2);
	while (sim_stream_step(&rnics.pair))
		ck_assert_uint_le(A->it->requester.reads, 2);
	rnics_settle();
	for (i = 0; i < 10; i++) {
		rnics_expect(&A->send_cq, i, IB_WC_SUCCESS);
		ck_assert(rnics_same(i * 5000, i * 5000 + 1, 4000));
	}
	rnics_end();
}
END_TEST

/* R0-249: ORD can be reduced in RTS, and not be raised again above what was agreed. */
START_TEST(ord_is_reduced)
{
	struct hca_qp_attr attr = { .max_rd_atomic = 1 };
	u32 i;

	messages_begin();
	ck_assert_int_eq(hca_qp_modify(A->qp, &attr, IB_QP_MAX_QP_RD_ATOMIC), 0);
	for (i = 0; i < 3; i++)
		rnics_rdma(A, IB_UVERBS_WR_RDMA_READ, i, 0, 10, B->mr->key, 0);
	ck_assert_uint_eq(A->it->requester.reads, 1);
	attr.max_rd_atomic = 5;
	ck_assert_int_eq(hca_qp_modify(A->qp, &attr, IB_QP_MAX_QP_RD_ATOMIC), -EINVAL);
	rnics_settle();
	for (i = 0; i < 3; i++)
		rnics_expect(&A->send_cq, i, IB_WC_SUCCESS);
	rnics_end();
}
END_TEST

/* R0-439, P1-143: a fenced request waits for the responses to all Reads. */
START_TEST(fence)
{
	struct hca_send_wqe *wqe;

	messages_begin();
	rnics_rdma(A, IB_UVERBS_WR_RDMA_READ, 1, 0, 5000, B->mr->key, 10000);
	wqe = rnics_wqe(A, IB_UVERBS_WR_RDMA_WRITE, 2, 50000, 5000);
	wqe->flags |= HCA_WQE_FENCE;
	wqe->rdma.remote_addr = RNICS_BASE + 10000;
	wqe->rdma.rkey = B->mr->key;
	rnics_publish(A);
	ck_assert_uint_eq(A->qp->sq_current, 1);
	rnics_settle();
	rnics_expect(&A->send_cq, 1, IB_WC_SUCCESS);
	rnics_expect(&A->send_cq, 2, IB_WC_SUCCESS);
	ck_assert(!memcmp(B->memory + 10000, A->memory + 50000, 5000));
	ck_assert(memcmp(A->memory, A->memory + 50000, 5000));
	rnics_end();
}
END_TEST

/* R0-210, R0-235: queue pairs take receive requests from an SRQ. */
START_TEST(shared_receive_queue)
{
	rnics_setup();
	rnics.with_srq = true;
	rnics_begin(NULL);
	rnics_connect();
	rnics_recv(B, 1, 0, 100);
	rnics_recv(B, 2, 200, 100);
	rnics_send(A, 3, 1000, 50);
	rnics_settle();
	rnics_expect(&B->recv_cq, 1, IB_WC_SUCCESS);
	ck_assert(rnics_same(1000, 0, 50));
	ck_assert_int_eq(rnics_modify(B, IB_QPS_ERR), 0);
	rnics_settle();
	ck_assert_uint_eq(B->events[HCA_QP_LAST_WQE_REACHED], 1);
	ck_assert(rnics_none(&B->recv_cq));
	rnics_end();
}
END_TEST

/* P1-124, P1-125, P1-T22: the STag that a Send names is invalid when the Send is delivered. */
START_TEST(send_with_invalidate)
{
	struct hca_cqe cqe;

	messages_begin();
	B->mr->kind = HCA_TPT_FAST_MR;
	rnics_recv(B, 1, 0, 0);
	rnics_wqe(A, IB_UVERBS_WR_SEND_WITH_INV, 2, 0, 0)->invalidate_rkey = B->mr->key;
	rnics_publish(A);
	rnics_settle();
	cqe = rnics_completion(&B->recv_cq);
	ck_assert_uint_eq(cqe.status, IB_WC_SUCCESS);
	ck_assert(cqe.flags & HCA_CQE_WITH_INV);
	ck_assert_uint_eq(cqe.invalidated_rkey, B->mr->key);
	rnics_expect(&A->send_cq, 2, IB_WC_SUCCESS);
	rnics_rdma(A, IB_UVERBS_WR_RDMA_WRITE, 3, 0, 10, B->mr->key, 0);
	rnics_settle();
	ck_assert_uint_eq(B->it->terminate.error, HCA_ERR_DDP_STAG);
	rnics_end();
}
END_TEST

/* R0-391, R0-433: the sink of a Read with Invalidate is invalid when the Read completes. */
START_TEST(read_with_invalidate)
{
	rnics_setup();
	rnics.kernel = true;
	rnics_begin(NULL);
	rnics_connect();
	A->mr->kind = HCA_TPT_FAST_MR;
	rnics_rdma(A, IB_UVERBS_WR_RDMA_READ_WITH_INV, 1, 0, 3000, B->mr->key, 100);
	ck_assert_uint_ne(A->mr->generation, 0);
	rnics_settle();
	rnics_expect(&A->send_cq, 1, IB_WC_SUCCESS);
	ck_assert(rnics_same(0, 100, 3000));
	ck_assert_uint_eq(A->mr->generation, 0);
	rnics_end();
}
END_TEST

/* R0-434, R0-440: a local request takes effect when all requests before it have ended. */
START_TEST(local_invalidate)
{
	messages_begin();
	A->mr->kind = HCA_TPT_FAST_MR;
	rnics_rdma(A, IB_UVERBS_WR_RDMA_READ, 1, 0, 5000, B->mr->key, 100);
	rnics_rdma(A, IB_UVERBS_WR_RDMA_WRITE, 2, 6000, 100, B->mr->key, 90000);
	rnics_wqe(A, IB_UVERBS_WR_LOCAL_INV, 3, 0, 0)->invalidate_rkey = A->mr->key;
	rnics_publish(A);
	ck_assert_uint_ne(A->mr->generation, 0);
	rnics_settle();
	rnics_expect(&A->send_cq, 1, IB_WC_SUCCESS);
	rnics_expect(&A->send_cq, 2, IB_WC_SUCCESS);
	rnics_expect(&A->send_cq, 3, IB_WC_SUCCESS);
	ck_assert_uint_eq(A->mr->generation, 0);
	rnics_end();
}
END_TEST

/* Requests that are posted in Init are sent when the connection exists (req R0-141). */
START_TEST(posted_early)
{
	rnics_setup();
	rnics_begin(NULL);
	rnics_recv(A, 1, 0, 100);
	rnics_recv(B, 2, 0, 100);
	rnics_send(A, 3, 1000, 20);
	rnics_send(B, 4, 1000, 20);
	ck_assert(rnics_none(&A->send_cq));
	rnics_connect();
	rnics_expect(&A->send_cq, 3, IB_WC_SUCCESS);
	rnics_expect(&B->send_cq, 4, IB_WC_SUCCESS);
	rnics_expect(&A->recv_cq, 1, IB_WC_SUCCESS);
	rnics_expect(&B->recv_cq, 2, IB_WC_SUCCESS);
	rnics_end();
}
END_TEST

/* A short program of all kinds of messages, in both directions. */
static void messages_program(void)
{
	rnics_recv(A, 1, 0, 300);
	rnics_recv(B, 1, 0, 300);
	rnics_send(A, 2, 1000, 213);
	rnics_rdma(A, IB_UVERBS_WR_RDMA_WRITE, 3, 2000, 301, B->mr->key, 2000);
	rnics_rdma(A, IB_UVERBS_WR_RDMA_READ, 4, 3000, 299, B->mr->key, 3000);
	rnics_rdma(B, IB_UVERBS_WR_RDMA_READ, 5, 4000, 257, A->mr->key, 4000);
	rnics_send(B, 6, 5000, 203);
	rnics_settle();
	rnics_expect(&A->send_cq, 2, IB_WC_SUCCESS);
	rnics_expect(&A->send_cq, 3, IB_WC_SUCCESS);
	rnics_expect(&A->send_cq, 4, IB_WC_SUCCESS);
	rnics_expect(&B->send_cq, 5, IB_WC_SUCCESS);
	rnics_expect(&B->send_cq, 6, IB_WC_SUCCESS);
	rnics_expect(&A->recv_cq, 1, IB_WC_SUCCESS);
	rnics_expect(&B->recv_cq, 1, IB_WC_SUCCESS);
	ck_assert(rnics_same(1000, 0, 213));
	ck_assert(rnics_same(0, 5000, 203));
	ck_assert(rnics_same(2000, 2000, 301));
	ck_assert(rnics_same(3000, 3000, 299));
	ck_assert(rnics_same(4000, 4000, 257));
}

static void messages_options(struct rnic_end *e, u32 bits)
{
	e->rnic.options.crc = bits & 1;
	e->rnic.options.markers = bits & 2;
	e->rnic.options.revision = bits & 4 ? 1 : 2;
	e->rnic.options.rtr = bits & 8 ? HCA_RTR_READ : HCA_RTR_WRITE | HCA_RTR_READ;
}

/* The streams are cut at each octet, start-up frames included. */
START_TEST(cut_at_each_octet)
{
	const struct sim_stream_options options = { .cut = _i + 1, .mss = 200 };

	rnics_setup();
	rnics_begin(&options);
	messages_options(A, _i % 16);
	messages_options(B, _i / 3 % 16);
	rnics_connect();
	messages_program();
	rnics_end();
}
END_TEST

/* Any segments, delays, windows, markers and CRCs, with full memory now and then. */
START_TEST(any_stream)
{
	static const u32 windows[] = { 0, 1, 100, 70000 }, buffers[] = { 0, 1, 100, 5000 };
	const struct sim_stream_options options = {
		.seed = _i,
		.segment = _i % 3 ? 0 : 1 + _i % 37,
		.delay = _i % 5,
		.window = windows[_i % 4],
		.buffer = buffers[_i / 4 % 4],
		.mss = 100 + _i * 13 % 1500,
		.again = _i % 7,
		.early = _i & 1,
		.contiguous = _i & 2,
		.keeps_more = _i % 3 == 1,
	};

	rnics_setup();
	rnics_begin(&options);
	messages_options(A, _i * 7 % 16);
	messages_options(B, _i * 3 % 16);
	rnics_connect();
	messages_program();
	ck_assert_uint_eq(A->it->rx.crc, A->rnic.options.crc || B->rnic.options.crc);
	ck_assert_uint_eq(A->it->rx.markers, A->rnic.options.markers);
	ck_assert_uint_eq(A->it->tx.markers, B->rnic.options.markers);
	rnics_end();
}
END_TEST

/*
 * A request that cannot begin for want of memory begins later. The one before it leaves too little
 * of a page.
 */
START_TEST(memory_is_short)
{
	messages_begin();
	rnics_recv(B, 1, 0, 3000);
	rnics_recv(B, 2, 3000, 2000);
	rnics_send(A, 3, 10000, 3000);
	rnics_expect(&A->send_cq, 3, IB_WC_SUCCESS);
	shim_fail_alloc(1);
	rnics_send(A, 4, 13000, 2000);
	rnics_settle();
	ck_assert(shim_alloc_failed());
	ck_assert(rnics_none(&A->send_cq));
	shim_fail_alloc(0);
	shim_advance(20 * 1000000ull);
	rnics_settle();
	rnics_expect(&A->send_cq, 4, IB_WC_SUCCESS);
	rnics_expect(&B->recv_cq, 1, IB_WC_SUCCESS);
	rnics_expect(&B->recv_cq, 2, IB_WC_SUCCESS);
	ck_assert(rnics_same(10000, 0, 5000));
	rnics_end();
}
END_TEST

Suite *iwarp_messages_suite(void)
{
	Suite *suite = suite_create("iwarp_messages");
	TCase *tc = tcase_create("messages");

	tcase_set_timeout(tc, 20);
	tcase_add_test(tc, one_send);
	tcase_add_test(tc, empty_send);
	tcase_add_test(tc, many_sends);
	tcase_add_test(tc, solicited);
	tcase_add_test(tc, inline_data);
	tcase_add_test(tc, write_list);
	tcase_add_test(tc, empty_write);
	tcase_add_loop_test(tc, read_lengths, 0, 6);
	tcase_add_test(tc, completions_in_order);
	tcase_add_test(tc, ord_is_kept);
	tcase_add_test(tc, ord_is_reduced);
	tcase_add_test(tc, fence);
	tcase_add_test(tc, shared_receive_queue);
	tcase_add_test(tc, send_with_invalidate);
	tcase_add_test(tc, read_with_invalidate);
	tcase_add_test(tc, local_invalidate);
	tcase_add_test(tc, posted_early);
	tcase_add_loop_test(tc, cut_at_each_octet, 0, 200);
	tcase_add_loop_test(tc, any_stream, 0, 48);
	tcase_add_test(tc, memory_is_short);
	suite_add_tcase(suite, tc);
	return suite;
}
