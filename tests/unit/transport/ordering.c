// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The order of requests on the wire, of their completions, and of their accesses to memory. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include "tests/unit/fixture/trace.h"
#include "tests/unit/suites.h"
#include "transport/iba_qp.h"

#define BYTES 3000 /* 3 packets */
#define ROUNDS 500

static struct {
	struct pair *pair;
	struct pair_end *a, *b;
	unsigned int percent; /* of packets that are lost */
	unsigned int seen; /* receive completions */
} t;

static void begin(const struct pair_qp *how)
{
	memset(&t, 0, sizeof(t));
	t.pair = pair_new(how);
	t.a = &t.pair->end[0];
	t.b = &t.pair->end[1];
}

static bool lose_some(struct pair *pair, int receiver, const struct hca_packet *pkt)
{
	(void)pair;
	(void)receiver;
	(void)pkt;
	return (unsigned int)rand() % 100 >= t.percent;
}

/* Wait, for as long as retries may take, until the last of these requests has completed. */
static void await_done(u32 requests)
{
	unsigned int tries;

	pair_settle();
	for (tries = 0; tries < 400 && t.a->qp->sq_done != requests; tries++)
		pair_wait(100);
}

static const u8 kinds[] = {
	IB_UVERBS_WR_SEND, IB_UVERBS_WR_RDMA_WRITE, IB_UVERBS_WR_RDMA_READ,
	IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD,
};
#define NUM_KINDS ((int)(sizeof(kinds) / sizeof(kinds[0])))

static struct hca_send_wqe *prepare(u64 wr_id, u8 opcode, u8 flags, u32 local, u32 remote)
{
	struct hca_send_wqe *wqe = pair_wqe(t.a, wr_id, opcode, HCA_WQE_SIGNALED | flags);
	bool atomic = opcode == IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD;

	wqe->rdma.remote_addr = pair_addr(t.b, remote);
	if (atomic)
		wqe->rdma.remote_addr &= ~7ull;
	wqe->rdma.rkey = t.b->entry->key;
	pair_sge(t.a, wqe, local, atomic ? 8 : BYTES);
	return wqe;
}

static void post(u64 wr_id, u8 opcode, u8 flags, u32 local, u32 remote)
{
	prepare(wr_id, opcode, flags, local, remote);
	pair_post(t.a);
}

/*
 * R0-082, R0-380, R0-413, R0-414: whatever is lost, requests of all kinds complete in the order of
 * posting, and a Send takes one receive request. @_i: a seed
 */
START_TEST(completed_in_order)
{
	u32 posted = 0, done = 0, received = 0;
	struct hca_cqe cqe;

	srand(_i);
	begin(&pair_rc);
	t.percent = _i % 4;
	t.pair->filter = lose_some;
	while (done < ROUNDS) {
		while (posted < ROUNDS && posted - done < 16) {
			u8 opcode = kinds[rand() % NUM_KINDS];

			if (opcode == IB_UVERBS_WR_SEND)
				pair_recv(t.b, posted, DST, BYTES);
			post(posted++, opcode, 0, SRC, DST + BYTES);
		}
		await_done(posted);
		for (; pair_poll(&t.a->send_cq, &cqe); done++) {
			ck_assert_uint_eq(cqe.wr_id, done);
			ck_assert_uint_eq(cqe.status, IB_WC_SUCCESS);
			if (cqe.opcode != IB_UVERBS_WC_SEND)
				continue;
			ck_assert(pair_poll(&t.b->recv_cq, &cqe));
			ck_assert_uint_eq(cqe.wr_id, done);
			received++;
		}
		pair_expect_none(&t.b->recv_cq);
		ck_assert_uint_eq(done, posted);
	}
	ck_assert_uint_gt(received, ROUNDS / 8);
	pair_free(t.pair);
}
END_TEST

static u8 operation_of(u8 opcode)
{
	static const u8 first[] = { IB_OPCODE_SEND_FIRST, IB_OPCODE_RDMA_WRITE_FIRST,
				    IB_OPCODE_RDMA_READ_REQUEST, IB_OPCODE_FETCH_ADD };

	return first[(const u8 *)memchr(kinds, opcode, NUM_KINDS) - kinds];
}

/* R0-413: they leave in the order of posting, all in one list. @_i: a seed */
START_TEST(sent_in_order)
{
	u8 opcode[24];
	struct trace *trace;
	u32 i, n = 0;

	srand(_i);
	begin(&pair_rc);
	trace = trace_on(t.pair);
	for (i = 0; i < sizeof(opcode); i++) {
		opcode[i] = kinds[rand() % NUM_KINDS];
		pair_recv(t.b, i, DST, BYTES);
	}
	for (i = 0; i < sizeof(opcode); i++) {
		prepare(i, opcode[i], 0, SRC, DST + BYTES);
		t.a->qp->sq.ring->producer += i + 1 < sizeof(opcode);
	}
	pair_post(t.a);
	await_done(sizeof(opcode));
	for (i = 0; i < trace->n; i++) {
		const struct hca_headers *h = &trace->packet[i].h;

		if (!trace->packet[i].receiver ||
		    !(hca_opcodes[h->bth.opcode].flags & HCA_IS_FIRST))
			continue;
		ck_assert_uint_lt(n, sizeof(opcode));
		ck_assert_uint_eq(h->bth.opcode, operation_of(opcode[n++]));
	}
	ck_assert_uint_eq(n, sizeof(opcode));
	pair_free(t.pair);
}
END_TEST

/* Both are in memory at the moment when the receive request completes. */
static void received(struct hca_cq *cq)
{
	(void)cq;
	ck_assert(pair_same(t.a, SRC, t.b, DST, BYTES)); /* of the Write */
	ck_assert(pair_same(t.a, SRC + BYTES, t.b, DST + BYTES, BYTES)); /* of the Send */
	t.seen++;
}

/*
 * R0-418, R0-423, R0-424: a Write and the Send behind it are in memory, in whole, when the Send's
 * receive request completes, whatever is lost. @_i: a seed
 */
START_TEST(visible_when_received)
{
	u32 i;

	srand(_i);
	begin(&pair_rc);
	t.percent = _i % 4 * 3;
	t.pair->filter = lose_some;
	t.b->recv_cq.notify = received;
	for (i = 0; i < ROUNDS; i++) {
		pair_fill(t.a, SRC, 2 * BYTES, i);
		pair_recv(t.b, i, DST + BYTES, BYTES);
		t.b->recv_cq.queue.ring->arm = HCA_CQ_ARM_NEXT;
		post(2 * i, IB_UVERBS_WR_RDMA_WRITE, 0, SRC, DST);
		post(2 * i + 1, IB_UVERBS_WR_SEND, 0, SRC + BYTES, 0);
		await_done(2 * i + 2);
		pair_expect(&t.a->send_cq, 2 * i, IB_WC_SUCCESS);
		pair_expect(&t.a->send_cq, 2 * i + 1, IB_WC_SUCCESS);
		pair_expect(&t.b->recv_cq, i, IB_WC_SUCCESS);
		ck_assert_uint_eq(t.seen, i + 1);
	}
	pair_free(t.pair);
}
END_TEST

/*
 * R0-267, R0-419, R0-427: a Read of what the Write and the Send before it have written returns
 * that, and is in memory when it completes, whatever is lost. @_i: a seed
 */
START_TEST(read_back)
{
	u32 i;

	srand(_i);
	begin(&pair_rc);
	t.percent = _i % 4 * 3;
	t.pair->filter = lose_some;
	for (i = 0; i < ROUNDS; i++) {
		u8 first = i % 2 ? IB_UVERBS_WR_RDMA_WRITE : IB_UVERBS_WR_SEND;

		pair_fill(t.a, SRC, BYTES, i);
		if (first == IB_UVERBS_WR_SEND)
			pair_recv(t.b, i, DST, BYTES);
		post(2 * i, first, 0, SRC, DST);
		post(2 * i + 1, IB_UVERBS_WR_RDMA_READ, 0, SRC + BYTES, DST);
		await_done(2 * i + 2);
		pair_expect(&t.a->send_cq, 2 * i, IB_WC_SUCCESS);
		pair_expect(&t.a->send_cq, 2 * i + 1, IB_WC_SUCCESS);
		ck_assert(pair_same(t.a, SRC, t.a, SRC + BYTES, BYTES));
		if (first == IB_UVERBS_WR_SEND)
			pair_expect(&t.b->recv_cq, i, IB_WC_SUCCESS);
	}
	pair_free(t.pair);
}
END_TEST

/*
 * R0-426, R0-439, R0-441: of two requests the later one leaves before the earlier one has been
 * answered, unless it is fenced behind a Read or an atomic. @_i: both kinds, and whether it is
 * fenced
 */
START_TEST(fences)
{
	u8 earlier = kinds[_i / 2 % NUM_KINDS], later = kinds[_i / 2 / NUM_KINDS];
	bool fence = _i % 2, returns = earlier == IB_UVERBS_WR_RDMA_READ ||
				       earlier == IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD;
	struct trace *trace;
	unsigned int sent;
	u32 i;

	begin(&pair_rc);
	for (i = 0; i < 3; i++)
		pair_recv(t.b, i, DST, BYTES);
	post(0, IB_UVERBS_WR_SEND, 0, SRC, 0); /* its acknowledgement brings credit */
	pair_expect(&t.a->send_cq, 0, IB_WC_SUCCESS);
	trace = trace_on(t.pair);
	trace->lose = trace_cut;
	trace->towards = 0; /* no answer arrives */
	prepare(1, earlier, 0, SRC, DST);
	t.a->qp->sq.ring->producer++; /* so that the earlier one asks for no acknowledgement */
	post(2, later, fence ? HCA_WQE_FENCE : 0, SRC, DST + BYTES);
	pair_settle();
	sent = trace_count(trace, 1, operation_of(earlier));
	if (earlier != later)
		sent = 1 + trace_count(trace, 1, operation_of(later));
	ck_assert_uint_eq(sent, fence && returns ? 1 : 2);
	trace->lose = NULL;
	await_done(3);
	pair_expect(&t.a->send_cq, 1, IB_WC_SUCCESS);
	pair_expect(&t.a->send_cq, 2, IB_WC_SUCCESS);
	pair_free(t.pair);
}
END_TEST

/*
 * R0-439: a fenced Write to where a Read reads from does not change what that returns, whatever is
 * lost. @_i: a seed
 */
START_TEST(fenced_write)
{
	u32 i;

	srand(_i);
	begin(&pair_rc);
	t.percent = _i % 4 * 3;
	t.pair->filter = lose_some;
	pair_fill(t.b, DST, BYTES, 0);
	for (i = 0; i < ROUNDS; i++) {
		pair_fill(t.a, SRC, BYTES, i); /* as the peer's is */
		pair_fill(t.a, SRC + BYTES, BYTES, i + 1);
		post(2 * i, IB_UVERBS_WR_RDMA_READ, 0, SRC + 2 * BYTES, DST);
		post(2 * i + 1, IB_UVERBS_WR_RDMA_WRITE, HCA_WQE_FENCE, SRC + BYTES, DST);
		await_done(2 * i + 2);
		pair_expect(&t.a->send_cq, 2 * i, IB_WC_SUCCESS);
		pair_expect(&t.a->send_cq, 2 * i + 1, IB_WC_SUCCESS);
		ck_assert(pair_same(t.a, SRC, t.a, SRC + 2 * BYTES, BYTES));
		ck_assert(pair_same(t.a, SRC + BYTES, t.b, DST, BYTES));
	}
	pair_free(t.pair);
}
END_TEST

static bool answers(const struct traced *p)
{
	return !p->receiver && hca_opcodes[p->h.bth.opcode].flags & HCA_IS_LAST;
}

/* At no time are more Reads outstanding. */
static void expect_depth(const struct trace *trace, int depth)
{
	int outstanding = 0;
	unsigned int i;

	for (i = 0; i < trace->n; i++) {
		const struct traced *p = &trace->packet[i];

		outstanding += p->h.bth.opcode == HCA_OPCODE(RC, RDMA_READ_REQUEST);
		outstanding -= answers(p) && outstanding;
		ck_assert_int_le(outstanding, depth);
	}
}

/*
 * R0-243, R0-244, R0-429: of 16 Reads 2 are outstanding, and the Send behind them waits for its
 * turn; all complete in order.
 */
START_TEST(depth)
{
	struct pair_qp how = pair_rc;
	struct trace *trace;
	u32 i;

	how.rd_atomic = 2;
	begin(&how);
	trace = trace_on(t.pair);
	trace->lose = trace_cut;
	trace->towards = 0;
	pair_recv(t.b, 9, DST, BYTES);
	for (i = 0; i < 16; i++)
		post(i, IB_UVERBS_WR_RDMA_READ, 0, SRC + i * BYTES, DST + i * BYTES);
	post(16, IB_UVERBS_WR_SEND, 0, SRC, 0);
	pair_settle();
	ck_assert_uint_eq(trace_count(trace, 1, -1), 2);
	pair_expect_none(&t.b->recv_cq);
	trace->lose = NULL;
	trace->n = 0;
	pair_wait(500); /* the two are repeated */
	await_done(17);
	for (i = 0; i < 17; i++)
		pair_expect(&t.a->send_cq, i, IB_WC_SUCCESS);
	pair_expect(&t.b->recv_cq, 9, IB_WC_SUCCESS);
	expect_depth(trace, 2);
	pair_free(t.pair);
}
END_TEST

/* R0-130: as many Reads as may be outstanding are answered in the order in which they came. */
START_TEST(answered_in_order)
{
	struct trace *trace;
	u32 i, next = ~0u, n = 0;

	begin(&pair_rc);
	trace = trace_on(t.pair);
	for (i = 0; i < pair_rc.rd_atomic; i++) {
		prepare(i, IB_UVERBS_WR_RDMA_READ, 0, SRC + i * BYTES, DST + i * BYTES);
		t.a->qp->sq.ring->producer += i + 1 < pair_rc.rd_atomic;
	}
	pair_fill(t.b, DST, 4 * BYTES, 5);
	pair_post(t.a);
	pair_settle();
	for (i = 0; i < trace->n; i++) {
		const struct traced *p = &trace->packet[i];

		if (p->receiver)
			continue;
		ck_assert(n == 0 || p->h.bth.psn == next);
		next = (p->h.bth.psn + 1) & 0xffffff;
		n++;
	}
	ck_assert_uint_eq(n, 3u * pair_rc.rd_atomic);
	ck_assert(pair_same(t.a, SRC, t.b, DST, 4 * BYTES));
	pair_free(t.pair);
}
END_TEST

/* R0-247, R0-248: another depth in SQD is for that queue pair; another one's Reads go on. */
START_TEST(depth_of_one)
{
	struct hca_qp_attr sqd = { .state = IB_QPS_SQD }, rts = { .state = IB_QPS_RTS },
			   one = { .max_rd_atomic = 1 };
	struct hca_qp *qp;
	struct trace *trace;
	u32 i;

	begin(&pair_rc);
	qp = t.a->more[0] = pair_create_qp(t.a, &pair_rc);
	t.b->more[0] = pair_create_qp(t.b, &pair_rc);
	pair_connect(qp, &pair_rc, t.b->more[0]->qpn, pair_lid(1, 1), 9, 9);
	pair_connect(t.b->more[0], &pair_rc, qp->qpn, pair_lid(0, 1), 9, 9);
	trace = trace_on(t.pair);
	trace->lose = trace_cut;
	trace->towards = 0;
	for (i = 0; i < 4; i++)
		post(i, IB_UVERBS_WR_RDMA_READ, 0, SRC + i * BYTES, DST + i * BYTES);
	ck_assert_int_eq(hca_qp_modify(qp, &sqd, IB_QP_STATE), 0);
	ck_assert_int_eq(hca_qp_modify(qp, &one, IB_QP_MAX_QP_RD_ATOMIC), 0);
	ck_assert_int_eq(hca_qp_modify(qp, &rts, IB_QP_STATE), 0);
	trace->lose = NULL;
	await_done(4);
	for (i = 0; i < 4; i++)
		pair_expect(&t.a->send_cq, i, IB_WC_SUCCESS);
	ck_assert_uint_eq(hca_qp_eec(t.a->qp)->attr.max_rd_atomic, pair_rc.rd_atomic);
	t.a->more[0] = t.a->qp;
	t.a->qp = qp;
	trace->n = 0;
	for (i = 0; i < 4; i++) {
		prepare(i, IB_UVERBS_WR_RDMA_READ, 0, SRC + i * BYTES, DST + i * BYTES);
		qp->sq.ring->producer += i < 3;
	}
	pair_post(t.a);
	await_done(4);
	for (i = 0; i < 4; i++)
		pair_expect(&t.a->send_cq, i, IB_WC_SUCCESS);
	expect_depth(trace, 1);
	pair_free(t.pair);
}
END_TEST

Suite *ordering_suite(void)
{
	Suite *suite = suite_create("ordering");
	TCase *tc = tcase_create("ordering");

	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, completed_in_order, 0, 8);
	tcase_add_loop_test(tc, sent_in_order, 0, 8);
	tcase_add_loop_test(tc, visible_when_received, 0, 4);
	tcase_add_loop_test(tc, read_back, 0, 4);
	tcase_add_loop_test(tc, fences, 0, 2 * NUM_KINDS * NUM_KINDS);
	tcase_add_loop_test(tc, fenced_write, 0, 4);
	tcase_add_test(tc, depth);
	tcase_add_test(tc, answered_in_order);
	tcase_add_test(tc, depth_of_one);
	suite_add_tcase(suite, tc);
	return suite;
}
