// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Reliable connection: data arrives exactly once and in order, whatever the cable loses. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include "tests/consumer/consumer.h"
#include "tests/unit/fixture/operations.h"
#include "tests/unit/fixture/trace.h"
#include "tests/unit/suites.h"
#include "transport/retry.h"

/*
 * B4-071, B4-194, B4-210, B4-333, V3-266: each operation, size and path MTU; the requester's PSNs
 * go through 0.
 */
START_TEST(all_operations_all_sizes)
{
	struct pair_qp how = operations_with_mtu(&pair_rc, _i);
	struct pair *pair = pair_new(&how);

	operations_run(pair, true, NULL); /* B4-052, B4-327 */
	pair_free(pair);
}
END_TEST

/* R0-385, R0-400, V3-007: several SGEs of odd lengths, across pages. */
START_TEST(gather_and_scatter)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_send_wqe *wqe;
	u32 i;

	for (i = 0; i < 50; i++) {
		u32 n1 = i * 37 % 5000, n2 = i * 101 % 3000 + 1, n3 = i * 7 % 9000;

		pair_fill(a, 0, 64 * 1024, i);
		pair_recv(b, i, DST, n1 + n2 + n3);
		wqe = pair_wqe(a, i, IB_UVERBS_WR_SEND, HCA_WQE_SIGNALED);
		pair_sge(a, wqe, 11, n1);
		pair_sge(a, wqe, 20000, n2);
		pair_sge(a, wqe, 40003, n3);
		pair_post(a);
		pair_settle();
		pair_expect(&a->send_cq, i, IB_WC_SUCCESS);
		pair_expect(&b->recv_cq, i, IB_WC_SUCCESS);
		ck_assert(pair_same(a, 11, b, DST, n1));
		ck_assert(pair_same(a, 20000, b, DST + n1, n2));
		ck_assert(pair_same(a, 40003, b, DST + n1 + n2, n3));
	}
	pair_free(pair);
}
END_TEST

START_TEST(inline_data)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_send_wqe *wqe;
	u8 got[200];

	pair_recv(b, 1, DST, 200);
	wqe = pair_wqe(a, 1, IB_UVERBS_WR_SEND, HCA_WQE_SIGNALED | HCA_WQE_INLINE);
	wqe->inline_length = 200;
	memset((u8 *)wqe + HCA_SEND_WQE_HEADER, 0x5a, 200);
	pair_post(a);
	pair_settle();
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	pair_expect(&b->recv_cq, 1, IB_WC_SUCCESS);
	pair_read(b, DST, got, 200);
	ck_assert(got[0] == 0x5a && !memcmp(got, got + 1, 199));
	pair_free(pair);
}
END_TEST

/*
 * An exchange of 64 packets and more from either end, for the tests of loss: both ends send, write
 * and read.
 */
#define EXCHANGE_MESSAGES 8
#define EXCHANGE_BYTES 4000 /* 4 packets of 1024 */

static void exchange_post(struct pair *pair)
{
	int end, i;

	for (end = 0; end < 2; end++)
		for (i = 0; i < EXCHANGE_MESSAGES; i++)
			pair_recv(&pair->end[end], i, DST + i * EXCHANGE_BYTES, EXCHANGE_BYTES);
	for (i = 0; i < EXCHANGE_MESSAGES; i++) {
		for (end = 0; end < 2; end++) {
			struct pair_end *from = &pair->end[end], *to = &pair->end[!end];
			u32 write = DST + (EXCHANGE_MESSAGES + i) * EXCHANGE_BYTES;
			u32 read = SRC + (2 * EXCHANGE_MESSAGES + i) * EXCHANGE_BYTES;

			pair_send(from, i, HCA_WQE_SIGNALED, SRC + i * EXCHANGE_BYTES,
				  EXCHANGE_BYTES);
			pair_rdma(from, to, 100 + i, IB_UVERBS_WR_RDMA_WRITE, 0,
				  SRC + (EXCHANGE_MESSAGES + i) * EXCHANGE_BYTES, write,
				  EXCHANGE_BYTES);
			/* the peer's source memory, which nobody writes */
			pair_rdma(from, to, 200 + i, IB_UVERBS_WR_RDMA_READ, HCA_WQE_SIGNALED,
				  read, SRC + i * EXCHANGE_BYTES, EXCHANGE_BYTES);
		}
	}
}

static void exchange_check(struct pair *pair)
{
	int end, i;

	for (end = 0; end < 2; end++) {
		struct pair_end *from = &pair->end[end], *to = &pair->end[!end];
		struct hca_cqe cqe;

		for (i = 0; i < EXCHANGE_MESSAGES; i++) {
			u32 write = (EXCHANGE_MESSAGES + i) * EXCHANGE_BYTES;

			pair_expect(&from->send_cq, i, IB_WC_SUCCESS);
			pair_expect(&from->send_cq, 200 + i, IB_WC_SUCCESS);
			ck_assert(pair_poll(&to->recv_cq, &cqe));
			ck_assert_uint_eq(cqe.wr_id, i);
			ck_assert_uint_eq(cqe.status, IB_WC_SUCCESS);
			ck_assert_uint_eq(cqe.byte_len, EXCHANGE_BYTES);
			ck_assert(pair_same(from, SRC + i * EXCHANGE_BYTES, to,
				       DST + i * EXCHANGE_BYTES, EXCHANGE_BYTES));
			ck_assert(pair_same(from, SRC + write, to, DST + write, EXCHANGE_BYTES));
			ck_assert(pair_same(from,
					    SRC + (2 * EXCHANGE_MESSAGES + i) * EXCHANGE_BYTES, to,
					    SRC + i * EXCHANGE_BYTES, EXCHANGE_BYTES));
		}
		pair_expect_none(&from->send_cq);
		pair_expect_none(&to->recv_cq);
		ck_assert_uint_eq(from->qp->common.state, IB_QPS_RTS);
	}
}

struct loss {
	int receiver; /* the receiver whose packets are counted; -1: both */
	unsigned int nth; /* the packet that is lost */
	unsigned int seen;
	unsigned int lost;
	unsigned int seed, percent;
};

static bool lose_nth(struct pair *pair, int receiver, const struct hca_packet *pkt)
{
	struct loss *loss = pair->data;

	(void)pkt;
	if (receiver != loss->receiver || loss->seen++ != loss->nth)
		return true;
	loss->lost++;
	return false;
}

static bool lose_some(struct pair *pair, int receiver, const struct hca_packet *pkt)
{
	struct loss *loss = pair->data;

	(void)receiver;
	(void)pkt;
	loss->seed = loss->seed * 1103515245u + 12345u;
	loss->seen++;
	if ((loss->seed >> 16) % 100 >= loss->percent)
		return true;
	loss->lost++;
	return false;
}

static void exchange(pair_filter filter, struct loss *loss)
{
	struct pair *pair = pair_new(&pair_rc);
	int i;

	pair_fill(&pair->end[0], SRC, DST, 1);
	pair_fill(&pair->end[1], SRC, DST, 2);
	pair->filter = filter;
	pair->data = loss;
	exchange_post(pair);
	pair_settle();
	for (i = 0; i < 400 && pair->end[0].qp->sq_done + pair->end[1].qp->sq_done <
				       6 * EXCHANGE_MESSAGES;
	     i++)
		pair_wait(100);
	exchange_check(pair); /* B4-039, B4-049, B4-330, V3-015 */
	pair_free(pair);
}

/* Each packet of the exchange is lost in turn, in both directions. */
START_TEST(lose_each_packet)
{
	struct loss loss = { .receiver = _i, .nth = ~0u };
	unsigned int packets, nth;

	exchange(lose_nth, &loss);
	packets = loss.seen;
	ck_assert_uint_ge(packets, 64);
	for (nth = 0; nth < packets; nth++) {
		loss = (struct loss){ .receiver = _i, .nth = nth };
		exchange(lose_nth, &loss); /* B4-045, B4-050, V3-021 */
		ck_assert_uint_eq(loss.lost, 1); /* B4-344 */
	}
}
END_TEST

/* The seeds are such that no packet is lost as often as there are retries. */
START_TEST(lose_some_packets)
{
	unsigned int seed;

	for (seed = 1; seed <= 60; seed++) {
		struct loss loss = { .seed = seed * 7907 + _i, .percent = 1 + _i * 5 };

		exchange(lose_some, &loss);
	}
}
END_TEST

static void expect_count(const struct pair_end *end, enum hca_counter c, u64 count)
{
	ck_assert_uint_eq(hca_counter_read(&end->ports[1], c), count);
}

static bool lose_all(struct pair *pair, int receiver, const struct hca_packet *pkt)
{
	(void)pkt;
	return receiver != *(int *)pair->data;
}

/*
 * R0-407, R0-462, B4-343, B4-241: the responder does not answer; the request ends in error, and
 * later ones are flushed. Without early retries each packet is one that the ACK timeout counts.
 */
START_TEST(retries_end)
{
	struct pair_qp how = pair_rc;
	struct pair *pair;
	int receiver = 1;

	hca_early_retries = false;
	how.retry = 2;
	how.timeout = 10;
	pair = pair_new(&how);
	pair->filter = lose_all;
	pair->data = &receiver;
	pair_recv(&pair->end[0], 77, DST, 10);
	pair_send(&pair->end[0], 1, 0, SRC, 10);
	pair_send(&pair->end[0], 2, 0, SRC, 10);
	pair_settle();
	pair_expect_none(&pair->end[0].send_cq); /* B4-068, B4-331 */
	pair_wait(100);
	pair_expect(&pair->end[0].send_cq, 1, IB_WC_RETRY_EXC_ERR);
	pair_expect(&pair->end[0].send_cq, 2, IB_WC_WR_FLUSH_ERR);
	pair_expect(&pair->end[0].recv_cq, 77, IB_WC_WR_FLUSH_ERR);
	ck_assert_uint_eq(pair->end[0].qp->common.state, IB_QPS_ERR);
	/* A request that is posted later is flushed, too. */
	pair_send(&pair->end[0], 3, 0, SRC, 10);
	pair_recv(&pair->end[0], 78, DST, 10);
	pair_expect(&pair->end[0].send_cq, 3, IB_WC_WR_FLUSH_ERR);
	pair_expect(&pair->end[0].recv_cq, 78, IB_WC_WR_FLUSH_ERR);
	expect_count(&pair->end[0], HCA_CTR_ACK_TIMEOUTS, how.retry + 1);
	/* The second request has waited for credits. */
	expect_count(&pair->end[0], HCA_CTR_XMIT_PACKETS, 1 + how.retry);
	expect_count(&pair->end[0], HCA_CTR_RETRANSMITTED_PACKETS, how.retry);
	expect_count(&pair->end[0], HCA_CTR_RETRIES_EXCEEDED, 1);
	hca_early_retries = true;
	pair_free(pair);
}
END_TEST

/* R0-381, R0-519, B4-044, V3-020: the receiver is not ready and becomes ready; or it never is. */
START_TEST(receiver_not_ready)
{
	struct pair_qp how = pair_rc;
	struct pair *pair = pair_new(&how);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];

	pair_send(a, 1, HCA_WQE_SIGNALED, SRC, 3000);
	pair_rdma(a, b, 2, IB_UVERBS_WR_RDMA_WRITE_WITH_IMM, HCA_WQE_SIGNALED, SRC, DST, 3000);
	pair_settle();
	pair_wait(50);
	pair_expect_none(&a->send_cq);
	pair_recv(b, 11, DST + 10000, 3000);
	pair_wait(50);
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	pair_expect(&b->recv_cq, 11, IB_WC_SUCCESS);
	pair_expect_none(&a->send_cq);
	pair_recv(b, 12, 0, 0);
	pair_wait(50);
	pair_expect(&a->send_cq, 2, IB_WC_SUCCESS);
	pair_expect(&b->recv_cq, 12, IB_WC_SUCCESS);
	pair_free(pair);

	how.rnr_retry = 3;
	pair = pair_new(&how);
	a = &pair->end[0];
	pair_send(a, 1, HCA_WQE_SIGNALED, SRC, 10);
	pair_wait(200);
	pair_expect(&a->send_cq, 1, IB_WC_RNR_RETRY_EXC_ERR);
	expect_count(a, HCA_CTR_RNR_NAKS_RCVD, how.rnr_retry + 1);
	expect_count(a, HCA_CTR_RNR_RETRIES_EXCEEDED, 1);
	expect_count(&pair->end[1], HCA_CTR_RNR_NAKS_SENT, how.rnr_retry + 1);
	pair_free(pair);
}
END_TEST

/* Register an MR of 2^31 octets, all of which are one page. */
static struct hca_tpt_entry *huge_mr(struct pair_end *end, void *page)
{
	struct hca_tpt_entry *entry = kzalloc(sizeof(*entry), GFP_KERNEL);
	u32 i, pages = HCA_MAX_MESSAGE / PAGE_SIZE;

	entry->page = calloc(pages, sizeof(*entry->page));
	for (i = 0; i < pages; i++)
		entry->page[i] = page;
	entry->length = HCA_MAX_MESSAGE;
	entry->iova = 1ull << 40;
	entry->pd = end;
	entry->access = IB_UVERBS_ACCESS_LOCAL_WRITE | IB_UVERBS_ACCESS_REMOTE_WRITE;
	ck_assert_int_eq(hca_tpt_entry_add(&end->ci->tpt, entry), 0);
	return entry;
}

/* R0-384, B4-051, B4-329: a message of 2^31 octets is valid; one octet more is not. */
START_TEST(largest_message)
{
	struct pair_qp how = operations_with_mtu(&pair_rc, IB_MTU_4096);
	struct pair *pair = pair_new(&how);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_tpt_entry *from = huge_mr(a, a->backing), *to = huge_mr(b, b->backing);
	void **pages[] = { from->page, to->page };
	struct hca_send_wqe *wqe;
	struct hca_sge *sge;
	u32 extra;

	memset(a->backing, 0x5a, PAGE_SIZE);
	for (extra = 0; extra < 2; extra++) {
		wqe = pair_wqe(a, extra, IB_UVERBS_WR_RDMA_WRITE, HCA_WQE_SIGNALED);
		wqe->rdma.remote_addr = to->iova;
		wqe->rdma.rkey = to->key;
		pair_sge(a, wqe, 0, HCA_MAX_MESSAGE);
		sge = (void *)((u8 *)wqe + HCA_SEND_WQE_HEADER);
		sge->addr = from->iova;
		sge->lkey = from->key;
		if (extra)
			pair_sge(a, wqe, 0, 1);
		pair_post(a);
		pair_settle();
		pair_expect(&a->send_cq, extra, extra ? IB_WC_LOC_LEN_ERR : IB_WC_SUCCESS);
	}
	ck_assert_mem_eq(a->backing, b->backing, PAGE_SIZE);
	hca_tpt_entry_remove(&a->ci->tpt, from);
	hca_tpt_entry_remove(&b->ci->tpt, to);
	free(pages[0]);
	free(pages[1]);
	pair_free(pair);
}
END_TEST

/* Post a read from one huge MR to another. */
static void huge_read(struct pair_end *a, struct hca_tpt_entry *to, struct hca_tpt_entry *from,
		      u32 length)
{
	struct hca_send_wqe *wqe = pair_wqe(a, 2, IB_UVERBS_WR_RDMA_READ, HCA_WQE_SIGNALED);
	struct hca_sge *sge = (void *)((u8 *)wqe + HCA_SEND_WQE_HEADER);

	wqe->rdma.remote_addr = from->iova;
	wqe->rdma.rkey = from->key;
	pair_sge(a, wqe, 0, length);
	sge->addr = to->iova;
	sge->lkey = to->key;
	pair_post(a);
}

/*
 * B4-204, B4-205: as many PSNs as 2^31 octets have in packets of 256 may be outstanding, and not
 * one more.
 */
START_TEST(half_of_all_psns)
{
	static const struct {
		bool another; /* is outstanding already */
		u32 length;
		unsigned int sent;
	} rows[] = {
		{ false, HCA_MAX_MESSAGE, 1 },
		{ true, HCA_MAX_MESSAGE - 256, 2 },
		{ true, HCA_MAX_MESSAGE - 255, 1 },
	};
	struct pair_qp how = operations_with_mtu(&pair_rc, IB_MTU_256);
	struct pair *pair = pair_new(&how);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_tpt_entry *to = huge_mr(a, a->backing), *from = huge_mr(b, b->backing);
	void **pages[] = { to->page, from->page };
	struct trace *trace = trace_on(pair);

	trace->lose = trace_cut;
	if (rows[_i].another)
		pair_rdma(a, b, 1, IB_UVERBS_WR_RDMA_WRITE, HCA_WQE_SIGNALED, SRC, DST, 1);
	huge_read(a, to, from, rows[_i].length);
	pair_settle();
	ck_assert_uint_eq(trace_count(trace, 1, -1), rows[_i].sent);
	hca_qp_destroy(a->qp);
	a->qp = NULL;
	hca_tpt_entry_remove(&a->ci->tpt, to);
	hca_tpt_entry_remove(&b->ci->tpt, from);
	free(pages[0]);
	free(pages[1]);
	pair_free(pair);
}
END_TEST

/* B4-195, B4-200: whichever PSN a send queue starts with is that of its first packet. */
START_TEST(any_first_psn)
{
	static const u32 psns[] = { 0, 1, 0x7fffff, 0x800000, 0xfffffe, 0xffffff };
	static const struct pair_qp *const services[] = { &pair_rc, &pair_uc, &pair_rd };
	unsigned int i;

	for (i = 0; i < sizeof(psns) / sizeof(psns[0]); i++) {
		struct pair_qp how = *services[_i];
		struct pair_end *a, *b;
		struct trace *trace;
		struct pair *pair;

		how.psn[0] = psns[i];
		pair = pair_new(&how);
		trace = trace_on(pair);
		a = &pair->end[0];
		b = &pair->end[1];
		pair_recv(b, 1, DST, 3000);
		pair_fill(a, SRC, 3000, i);
		pair_send(a, 1, HCA_WQE_SIGNALED, SRC, 3000);
		pair_settle();
		ck_assert_uint_eq(trace_find(trace, 1, -1, 0)->h.bth.psn, psns[i]);
		pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
		pair_expect(&b->recv_cq, 1, IB_WC_SUCCESS);
		ck_assert(pair_same(a, SRC, b, DST, 3000));
		pair_free(pair);
	}
}
END_TEST

static u32 consumer_seen;

static void see_consumer(struct hca_cq *cq)
{
	consumer_seen = ((struct pair_end *)cq->context)->qp->sq.ring->consumer;
}

/*
 * A consumer that polls a completion may post again at once: the entry is free before the
 * completion is made.
 */
START_TEST(entry_is_free_before_its_completion)
{
	struct pair_qp how = pair_rc;
	struct pair_end *a, *b;
	struct pair *pair;

	how.send_wr = 1;
	pair = pair_new(&how);
	a = &pair->end[0];
	b = &pair->end[1];
	a->send_cq.notify = see_consumer;
	a->send_cq.queue.ring->arm = HCA_CQ_ARM_NEXT;
	pair_rdma(a, b, 1, IB_UVERBS_WR_RDMA_WRITE, HCA_WQE_SIGNALED, SRC, DST, 10);
	ck_assert_uint_eq(consumer_seen, 1);
	pair_free(pair);
}
END_TEST

/* More messages than the window, the ring and the receiver's buffer have room for. */
START_TEST(many_small)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	unsigned int posted = 0, done = 0;
	struct hca_cqe cqe;

	pair_fill(a, SRC, 4000, 3);
	while (done < 4000) {
		while (posted < 4000 && posted - done < 128) {
			pair_rdma(a, b, posted, IB_UVERBS_WR_RDMA_WRITE, HCA_WQE_SIGNALED, SRC, DST,
				  posted % 4000);
			posted++;
		}
		pair_settle();
		while (pair_poll(&a->send_cq, &cqe)) {
			ck_assert_uint_eq(cqe.wr_id, done++);
			ck_assert_uint_eq(cqe.status, IB_WC_SUCCESS);
		}
	}
	ck_assert(pair_same(a, SRC, b, DST, 3999));
	pair_free(pair);
}
END_TEST

/* Posts a Write to the ring alone, as long as the engine is at work with the queue pair. */
static bool post_without_doorbell(struct pair *pair, int receiver, const struct hca_packet *pkt)
{
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	unsigned int *posted = pair->data;
	struct hca_send_wqe *wqe;

	(void)pkt;
	if (receiver != 1 || *posted == 8 || a->qp->sq.ring->need_wakeup)
		return true;
	wqe = pair_wqe(a, ++*posted, IB_UVERBS_WR_RDMA_WRITE, HCA_WQE_SIGNALED);
	wqe->rdma.remote_addr = pair_addr(b, DST);
	wqe->rdma.rkey = b->entry->key;
	pair_sge(a, wqe, SRC, 100);
	a->qp->sq.ring->producer++;
	return true;
}

/*
 * B4-003, V3-049, V3-186: while the engine is at work, a request needs no more than the ring that a
 * process shares with it. A receive request needs no more either, except where the peer was
 * advertised no credit. V3-276: once the engine rests, a send request waits for the doorbell.
 */
START_TEST(doorbell)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	unsigned int posted = 0, i;

	pair->data = &posted;
	pair->filter = post_without_doorbell;
	pair_rdma(a, b, 0, IB_UVERBS_WR_RDMA_WRITE, HCA_WQE_SIGNALED, SRC, DST, 400000);
	pair_settle();
	ck_assert_uint_eq(posted, 8);
	for (i = 0; i <= 8; i++)
		pair_expect(&a->send_cq, i, IB_WC_SUCCESS);
	ck_assert(a->qp->sq.ring->need_wakeup);
	pair_wqe(a, 9, IB_UVERBS_WR_SEND, HCA_WQE_SIGNALED | HCA_WQE_INLINE);
	pair_recv(b, 9, DST, 0);
	pair_settle();
	ck_assert(!b->qp->rq.ring->need_wakeup);
	pair_recv(b, 10, DST, 0);
	a->qp->sq.ring->producer++;
	pair_settle();
	pair_expect_none(&a->send_cq);
	ck_assert(consumer_ring(a->qp, a->qp->sq.ring));
	pair_settle();
	pair_expect(&a->send_cq, 9, IB_WC_SUCCESS);
	pair_send(a, 10, 0, SRC, 0);
	pair_settle();
	for (i = 9; i <= 10; i++)
		pair_expect(&b->recv_cq, i, IB_WC_SUCCESS);
	pair_free(pair);
}
END_TEST

Suite *rc_suite(void)
{
	Suite *suite = suite_create("rc");
	TCase *tc = tcase_create("data");

	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, all_operations_all_sizes, IB_MTU_256, IB_MTU_4096 + 1);
	tcase_add_test(tc, gather_and_scatter);
	tcase_add_test(tc, inline_data);
	tcase_add_test(tc, many_small);
	tcase_add_test(tc, largest_message);
	tcase_add_loop_test(tc, half_of_all_psns, 0, 3);
	tcase_add_loop_test(tc, any_first_psn, 0, 3);
	tcase_add_test(tc, entry_is_free_before_its_completion);
	suite_add_tcase(suite, tc);

	tc = tcase_create("doorbell");
	tcase_add_test(tc, doorbell);
	suite_add_tcase(suite, tc);

	tc = tcase_create("loss");
	tcase_set_timeout(tc, 300);
	tcase_add_loop_test(tc, lose_each_packet, 0, 2);
	tcase_add_loop_test(tc, lose_some_packets, 0, 4);
	tcase_add_test(tc, retries_end);
	tcase_add_test(tc, receiver_not_ready);
	suite_add_tcase(suite, tc);
	return suite;
}
