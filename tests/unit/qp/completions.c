// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Contents of completions, requests that have one, and the fate of requests after an error. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <linux/err.h>
#include <linux/slab.h>
#include "tests/consumer/consumer.h"
#include "tests/unit/fixture/trace.h"
#include "tests/unit/suites.h"
#include "transport/iba_qp.h"

#define BYTES 100

/* --- contents of a completion --- */

#define MANY 32

static struct hca_qp *on_one_cq(struct pair_end *end, struct hca_cq *cq)
{
	struct hca_qp_init init = {
		.type = IB_QPT_RC,
		.max_send_wr = 8,
		.max_recv_wr = 8,
		.max_send_sge = 1,
		.max_recv_sge = 1,
		.pd = end,
		.send_cq = cq,
		.recv_cq = cq,
		.owner = end,
		.context = end,
	};
	struct hca_qp *qp = consumer_create_qp(end->ci, &init);

	ck_assert(!IS_ERR(qp));
	return qp;
}

/* The CQ contains exactly one completion of each queue pair, which is of @opcode. */
static void expect_one_of_each(struct hca_cq *cq, struct hca_qp *const *qp, u8 opcode)
{
	bool seen[MANY] = {};
	struct hca_cqe cqe;
	unsigned int n, i;

	for (n = 0; n < MANY; n++) {
		ck_assert(pair_poll(cq, &cqe));
		ck_assert_uint_eq(cqe.status, IB_WC_SUCCESS);
		ck_assert_uint_eq(cqe.opcode, opcode);
		i = cqe.wr_id & 0xff;
		ck_assert_uint_lt(i, MANY);
		ck_assert_uint_eq(cqe.qp_num, qp[i]->qpn);
		ck_assert(!seen[i]);
		seen[i] = true;
	}
	pair_expect_none(cq);
}

/*
 * R0-066, R0-082, R0-084, R0-091: the send and receive queues of many queue pairs report to one
 * CQ, each completion by the number of its own queue pair, also when that is in Error.
 */
START_TEST(one_queue_for_all)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_qp *qp_a[MANY], *qp_b[MANY], *own_a = a->qp, *own_b = b->qp;
	struct hca_qp_attr error = { .state = IB_QPS_ERR };
	unsigned int i, way;

	for (i = 0; i < MANY; i++) {
		qp_a[i] = on_one_cq(a, &a->send_cq);
		qp_b[i] = on_one_cq(b, &b->send_cq);
		pair_connect(qp_a[i], &pair_rc, qp_b[i]->qpn, pair_lid(1, 1), i, i);
		pair_connect(qp_b[i], &pair_rc, qp_a[i]->qpn, pair_lid(0, 1), i, i);
	}
	for (way = 0; way < 2; way++) {
		for (i = 0; i < MANY; i++) {
			a->qp = qp_a[i];
			b->qp = qp_b[i];
			pair_recv(way ? a : b, 0x100 + i, DST, BYTES);
			pair_send(way ? b : a, 0x200 + i, HCA_WQE_SIGNALED, SRC, BYTES);
		}
		pair_settle();
		if (way)
			for (i = 0; i < MANY; i++)
				ck_assert_int_eq(hca_qp_modify(qp_a[i], &error, IB_QP_STATE), 0);
		expect_one_of_each(&a->send_cq, qp_a, way ? IB_WC_RECV : IB_UVERBS_WC_SEND);
		expect_one_of_each(&b->send_cq, qp_b, way ? IB_UVERBS_WC_SEND : IB_WC_RECV);
	}
	for (i = 0; i < MANY; i++) {
		hca_qp_destroy(qp_a[i]);
		hca_qp_destroy(qp_b[i]);
	}
	a->qp = own_a;
	b->qp = own_b;
	pair_free(pair);
}
END_TEST

/* R0-091: a wr_id comes back as it was, whatever the status. */
START_TEST(wr_ids)
{
	static const u64 ids[] = { 0, 1, 1ull << 63, ~0ull };
	const u64 id = ids[_i];
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];

	pair_recv(b, id, DST, BYTES);
	pair_recv(b, id, DST, BYTES - 1);
	pair_recv(b, id, DST, BYTES);
	pair_send(a, id, HCA_WQE_SIGNALED, SRC, BYTES);
	pair_send(a, id, HCA_WQE_SIGNALED, SRC, BYTES);
	pair_send(a, id, HCA_WQE_SIGNALED, SRC, BYTES);
	pair_settle();
	pair_expect(&a->send_cq, id, IB_WC_SUCCESS);
	pair_expect(&a->send_cq, id, IB_WC_REM_INV_REQ_ERR);
	pair_expect(&a->send_cq, id, IB_WC_WR_FLUSH_ERR);
	pair_expect(&b->recv_cq, id, IB_WC_SUCCESS);
	pair_expect(&b->recv_cq, id, IB_WC_LOC_LEN_ERR);
	pair_expect(&b->recv_cq, id, IB_WC_WR_FLUSH_ERR);
	pair_free(pair);
}
END_TEST

static const struct {
	u8 opcode, sent, received;
} operations[] = {
	{ IB_UVERBS_WR_SEND, IB_UVERBS_WC_SEND, IB_WC_RECV },
	{ IB_UVERBS_WR_SEND_WITH_IMM, IB_UVERBS_WC_SEND, IB_WC_RECV },
	{ IB_UVERBS_WR_RDMA_WRITE, IB_UVERBS_WC_RDMA_WRITE, 0 },
	{ IB_UVERBS_WR_RDMA_WRITE_WITH_IMM, IB_UVERBS_WC_RDMA_WRITE, IB_WC_RECV_RDMA_WITH_IMM },
	{ IB_UVERBS_WR_RDMA_READ, IB_UVERBS_WC_RDMA_READ, 0 },
	{ IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD, IB_UVERBS_WC_FETCH_ADD, 0 },
	{ IB_UVERBS_WR_ATOMIC_CMP_AND_SWP, IB_UVERBS_WC_COMP_SWAP, 0 },
};
#define NUM_OPERATIONS ((int)(sizeof(operations) / sizeof(operations[0])))

static void post(struct pair *pair, u64 wr_id, u8 opcode, u8 flags)
{
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_send_wqe *wqe = pair_wqe(a, wr_id, opcode, flags);

	wqe->rdma.remote_addr = (pair_addr(b, DST) + 8) & ~7ull;
	wqe->rdma.rkey = b->entry->key;
	pair_sge(a, wqe, SRC, 8);
	pair_post(a);
}

/*
 * R0-015, R0-092, R0-386: each operation by its name, signaled or not; those which a receive
 * request belongs to take one, and no other does.
 */
START_TEST(named)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_cqe cqe;

	pair_recv(b, 1, DST, BYTES);
	pair_recv(b, 2, DST, BYTES);
	post(pair, 3, operations[_i].opcode, HCA_WQE_SIGNALED);
	pair_settle();
	ck_assert(pair_poll(&a->send_cq, &cqe));
	ck_assert_uint_eq(cqe.wr_id, 3);
	ck_assert_uint_eq(cqe.status, IB_WC_SUCCESS);
	ck_assert_uint_eq(cqe.opcode, operations[_i].sent);
	ck_assert_uint_eq(b->qp->rq.ring->consumer, !!operations[_i].received);
	if (operations[_i].received) {
		ck_assert(pair_poll(&b->recv_cq, &cqe));
		ck_assert_uint_eq(cqe.wr_id, 1);
		ck_assert_uint_eq(cqe.opcode, operations[_i].received);
	}
	pair_expect_none(&b->recv_cq);
	pair_free(pair);
}
END_TEST

static bool is_known(u8 opcode)
{
	int i;

	for (i = 0; i < NUM_OPERATIONS; i++)
		if (operations[i].opcode == opcode)
			return true;
	return opcode == IB_UVERBS_WR_SEND_WITH_INV || opcode == IB_UVERBS_WR_LOCAL_INV ||
	       opcode == IB_UVERBS_WR_BIND_MW || opcode == IB_UVERBS_WR_FLUSH ||
	       opcode == IB_UVERBS_WR_ATOMIC_WRITE;
}

/*
 * R0-382, R0-450, R0-513: of all opcodes that a process may write into its ring, those of a send
 * queue that are for processes are executed, and no other.
 */
START_TEST(each_opcode)
{
	unsigned int opcode;

	for (opcode = _i * 32u; opcode < _i * 32u + 32; opcode++) {
		struct pair *pair = pair_new(&pair_rc);
		struct trace *trace = trace_on(pair);
		struct hca_cqe cqe;

		pair_recv(&pair->end[1], 1, DST, BYTES);
		post(pair, 2, opcode, HCA_WQE_SIGNALED);
		pair_settle();
		ck_assert(pair_poll(&pair->end[0].send_cq, &cqe));
		ck_assert_uint_eq(cqe.wr_id, 2);
		ck_assert_int_eq(cqe.vendor_err == HCA_VENDOR_ERR_OPCODE, !is_known(opcode));
		if (!is_known(opcode)) {
			ck_assert_int_eq(cqe.status, IB_WC_LOC_QP_OP_ERR);
			ck_assert_uint_eq(trace->n, 0);
		}
		pair_free(pair);
	}
}
END_TEST

/* R0-402, R0-404: four SGEs at either end, of odd lengths; one of no octets needs no key. */
START_TEST(four_sges)
{
	static const u32 from[] = { 7, 0, 1000, 333 }, to[] = { 501, 3, 0, 836 };
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_send_wqe *wqe;
	struct hca_recv_wqe *recv;
	struct hca_sge *sge;
	u32 i, at = 0;

	pair_fill(a, SRC, 10000, 1);
	pair_recv(b, 1, DST, 0);
	recv = hca_queue_entry(&b->qp->rq, 0);
	recv->num_sge = 4;
	wqe = pair_wqe(a, 2, IB_UVERBS_WR_SEND, HCA_WQE_SIGNALED);
	sge = (void *)((u8 *)wqe + HCA_SEND_WQE_HEADER);
	for (i = 0; i < 4; i++) {
		pair_sge(a, wqe, SRC + i * 2000, from[i]);
		sge[i].lkey ^= from[i] ? 0 : 0x12300;
		recv->sge[i] = (struct hca_sge){
			.addr = pair_addr(b, DST + at),
			.length = to[i],
			.lkey = b->entry->key ^ (to[i] ? 0 : 0x12300),
		};
		at += to[i];
	}
	pair_post(a);
	pair_settle();
	pair_expect(&a->send_cq, 2, IB_WC_SUCCESS);
	pair_expect(&b->recv_cq, 1, IB_WC_SUCCESS);
	for (i = 0, at = 0; i < 4; at += from[i++])
		ck_assert(pair_same(a, SRC + i * 2000, b, DST + at, from[i]));
	pair_free(pair);
}
END_TEST

static struct hca_cq *called;

static void note(struct hca_cq *cq)
{
	ck_assert_ptr_null(called);
	called = cq;
}

/* R0-101, R0-108: the handler of the CQ with the completion is called, once, with that CQ. */
START_TEST(own_handler)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_cq *all[] = { &a->send_cq, &a->recv_cq, &b->send_cq, &b->recv_cq };
	unsigned int i;

	called = NULL;
	for (i = 0; i < 4; i++) {
		all[i]->notify = note;
		all[i]->queue.ring->arm = HCA_CQ_ARM_NEXT;
	}
	pair_recv(b, 1, DST, BYTES);
	pair_send(a, 2, 0, SRC, BYTES);
	pair_settle();
	ck_assert_ptr_eq(called, &b->recv_cq);
	called = NULL;
	pair_rdma(a, b, 3, IB_UVERBS_WR_RDMA_WRITE, HCA_WQE_SIGNALED, SRC, DST, BYTES);
	pair_settle();
	ck_assert_ptr_eq(called, &a->send_cq);
	pair_free(pair);
}
END_TEST

/* --- which requests have one --- */

/* Post a Send of BYTES octets to the peer. */
static void send_by(struct pair *pair, u64 wr_id, u8 flags)
{
	struct pair_end *a = &pair->end[0];
	struct hca_send_wqe *wqe = pair_wqe(a, wr_id, IB_UVERBS_WR_SEND, flags);
	const struct hca_av av = { .dlid = 2, .port_num = 1 };

	if (a->qp->type == IB_QPT_UD) {
		wqe->ud.av = av;
		wqe->ud.remote_qpn = pair->end[1].qp->qpn;
		wqe->ud.remote_qkey = PAIR_QKEY;
	} else if (a->qp->type == IB_QPT_RAW_IPV6 || a->qp->type == IB_QPT_RAW_ETHERTYPE) {
		wqe->raw.av = av;
	}
	pair_sge(a, wqe, SRC, BYTES);
	pair_post(a);
}

/* B4-254: on each type of queue pair the request says whether it has a completion. */
START_TEST(if_signaled)
{
	static const struct {
		const struct pair_qp *how;
		u8 type;
	} types[] = {
		{ &pair_rc, IB_QPT_RC },       { &pair_uc, IB_QPT_UC },
		{ &pair_rd, HCA_QPT_RD },      { &pair_ud, IB_QPT_UD },
		{ &pair_ud, IB_QPT_RAW_IPV6 }, { &pair_ud, IB_QPT_RAW_ETHERTYPE },
	};
	unsigned int i, n;

	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		struct pair_qp how = *types[i].how;
		struct pair *pair;

		how.type = types[i].type;
		pair = pair_new(&how);
		for (n = 0; n < 4; n++) {
			pair_recv(&pair->end[1], n, DST, 1000);
			send_by(pair, n, n == 2 ? HCA_WQE_SIGNALED : 0);
		}
		pair_settle();
		pair_expect(&pair->end[0].send_cq, 2, IB_WC_SUCCESS);
		pair_expect_none(&pair->end[0].send_cq);
		for (n = 0; n < 4; n++)
			pair_expect(&pair->end[1].recv_cq, n, IB_WC_SUCCESS);
		pair_free(pair);
	}
}
END_TEST

/* --- after an error --- */

#define REQUESTS 6

/*
 * The k-th request names memory that it may not: those before it succeed, it has its own status,
 * those behind it and all receive requests are flushed, whether signaled or not. R0-182: so is what
 * is posted afterwards. @_i: k, and whether they are signaled
 */
START_TEST(kth_fails)
{
	u32 k = _i / 2, i;
	u8 flags = _i % 2 ? HCA_WQE_SIGNALED : 0;
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_send_wqe *wqe;

	for (i = 0; i < REQUESTS; i++) {
		pair_recv(a, 100 + i, DST, BYTES);
		wqe = pair_wqe(a, i, IB_UVERBS_WR_RDMA_WRITE, flags);
		wqe->rdma.remote_addr = pair_addr(b, DST);
		wqe->rdma.rkey = b->entry->key;
		pair_sge(a, wqe, i == k ? PAIR_MEMORY - BYTES + 1 : SRC, BYTES);
		a->qp->sq.ring->producer += i + 1 < REQUESTS;
	}
	pair_post(a);
	pair_settle();
	for (i = 0; i < k && flags; i++)
		pair_expect(&a->send_cq, i, IB_WC_SUCCESS); /* R0-089 */
	pair_expect(&a->send_cq, k, IB_WC_LOC_PROT_ERR); /* R0-161, R0-447 */
	for (i = k + 1; i < REQUESTS; i++)
		pair_expect(&a->send_cq, i, IB_WC_WR_FLUSH_ERR); /* R0-398 */
	for (i = 0; i < REQUESTS; i++)
		pair_expect(&a->recv_cq, 100 + i, IB_WC_WR_FLUSH_ERR); /* R0-180 */
	ck_assert_uint_eq(a->qp->common.state, IB_QPS_ERR);
	ck_assert_uint_eq(a->events[HCA_QP_FATAL], 0);
	pair_send(a, 50, 0, SRC, BYTES);
	pair_recv(a, 51, DST, BYTES);
	pair_settle();
	pair_expect(&a->send_cq, 50, IB_WC_WR_FLUSH_ERR);
	pair_expect(&a->recv_cq, 51, IB_WC_WR_FLUSH_ERR);
	pair_expect_none(&a->send_cq); /* R0-181 */
	pair_expect_none(&a->recv_cq);
	pair_free(pair);
}
END_TEST

/* R0-456: requests of each kind are flushed in Error, in order, and none is executed. */
START_TEST(all_kinds_are_flushed)
{
	static const u8 more[] = { IB_UVERBS_WR_SEND_WITH_INV, IB_UVERBS_WR_LOCAL_INV,
				   IB_UVERBS_WR_BIND_MW };
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0];
	struct hca_qp_attr error = { .state = IB_QPS_ERR };
	struct trace *trace = trace_on(pair);
	u64 id = 0, i;

	if (!_i)
		ck_assert_int_eq(hca_qp_modify(a->qp, &error, IB_QP_STATE), 0);
	trace->lose = trace_cut;
	for (i = 0; i < NUM_OPERATIONS; i++)
		post(pair, id++, operations[i].opcode, 0);
	for (i = 0; i < sizeof(more); i++)
		post(pair, id++, more[i], 0);
	if (_i) /* they wait for the first one */
		ck_assert_int_eq(hca_qp_modify(a->qp, &error, IB_QP_STATE), 0);
	else
		ck_assert_uint_eq(trace->n, 0);
	pair_settle();
	for (i = 0; i < id; i++)
		pair_expect(&a->send_cq, i, IB_WC_WR_FLUSH_ERR);
	pair_expect_none(&a->send_cq);
	pair_free(pair);
}
END_TEST

/* R0-151: receive requests of a queue pair in Init are flushed; what has completed stays so. */
START_TEST(flushed_in_init)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_qp_attr reset = { .state = IB_QPS_RESET }, error = { .state = IB_QPS_ERR };
	struct hca_qp_attr init = { .state = IB_QPS_INIT, .iba.port_num = 1 };
	u32 i;

	pair_recv(b, 9, DST, BYTES);
	pair_send(a, 1, 0, SRC, BYTES);
	pair_settle();
	ck_assert_int_eq(hca_qp_modify(b->qp, &reset, IB_QP_STATE), 0);
	ck_assert_int_eq(hca_qp_modify(b->qp, &init, consumer_qp_mask(IB_QPT_RC, IB_QPS_INIT)), 0);
	for (i = 0; i < 5; i++)
		pair_recv(b, i, DST, BYTES);
	ck_assert_int_eq(hca_qp_modify(b->qp, &error, IB_QP_STATE), 0);
	pair_settle();
	pair_expect(&b->recv_cq, 9, IB_WC_SUCCESS);
	for (i = 0; i < 5; i++)
		pair_expect(&b->recv_cq, i, IB_WC_WR_FLUSH_ERR);
	pair_expect_none(&b->recv_cq);
	pair_free(pair);
}
END_TEST

/*
 * R0-163, R0-164, R0-200, R0-201, R0-264: Modify QP to Error in the middle of a message: nothing
 * more of it leaves, nothing that arrives is executed, and the peer ends by its own retries.
 */
START_TEST(stops_in_a_message)
{
	struct pair_qp how = pair_rc;
	struct hca_qp_attr error = { .state = IB_QPS_ERR };
	struct pair_end *a, *b;
	struct trace *trace;
	struct pair *pair;
	unsigned int sent;

	how.retry = 1;
	how.timeout = 8;
	pair = pair_new(&how);
	a = &pair->end[0];
	b = &pair->end[1];
	trace = trace_on(pair);
	trace->lose = trace_pass_n;
	trace->nth = _i;
	pair_recv(a, 8, DST, BYTES);
	pair_recv(b, 9, DST, 20000);
	pair_send(a, 1, 0, SRC, 20000);
	ck_assert_int_eq(hca_qp_modify(a->qp, &error, IB_QP_STATE), 0);
	trace->lose = NULL;
	sent = trace_count(trace, 1, -1);
	pair_send(b, 2, 0, SRC, BYTES);
	pair_wait(100);
	ck_assert_uint_eq(trace_count(trace, 1, -1), sent);
	pair_expect(&a->send_cq, 1, IB_WC_WR_FLUSH_ERR);
	pair_expect(&a->recv_cq, 8, IB_WC_WR_FLUSH_ERR);
	pair_expect(&b->send_cq, 2, IB_WC_RETRY_EXC_ERR);
	pair_expect(&b->recv_cq, 9, IB_WC_WR_FLUSH_ERR);
	pair_free(pair);
}
END_TEST

/*
 * R0-071, R0-518: a CQ overflows, and so ends the queue pair that reports to it; one that reports
 * to another CQ goes on, and loses no completion (P1-197, P1-T29).
 */
START_TEST(overflow_is_confined)
{
	struct pair_qp how = pair_rc;
	struct hca_cq small = {};
	struct hca_qp *qp, *peer;
	struct pair_end *a, *b;
	struct pair *pair;
	u32 i;

	pair = pair_new(&how);
	a = &pair->end[0];
	b = &pair->end[1];
	small.notify = a->send_cq.notify;
	small.error = a->send_cq.error;
	small.context = a;
	ck_assert_int_eq(hca_cq_init(&small, 4, false), 0);
	qp = on_one_cq(a, &small);
	peer = on_one_cq(b, &b->send_cq);
	pair_connect(qp, &how, peer->qpn, pair_lid(1, 1), 9, 9);
	pair_connect(peer, &how, qp->qpn, pair_lid(0, 1), 9, 9);
	for (i = 0; i < 50; i++) {
		struct hca_qp *own = a->qp;

		pair_rdma(a, b, i, IB_UVERBS_WR_RDMA_WRITE, HCA_WQE_SIGNALED, SRC, DST, BYTES);
		if (i >= 6)
			continue;
		a->qp = qp;
		pair_rdma(a, b, i, IB_UVERBS_WR_RDMA_WRITE, HCA_WQE_SIGNALED, SRC, DST, BYTES);
		a->qp = own;
	}
	pair_settle();
	ck_assert_uint_eq(a->cq_errors, 1);
	ck_assert_uint_eq(qp->common.state, IB_QPS_ERR);
	ck_assert_uint_eq(a->qp->common.state, IB_QPS_RTS);
	for (i = 0; i < 50; i++)
		pair_expect(&a->send_cq, i, IB_WC_SUCCESS);
	pair_expect_none(&a->send_cq);
	hca_qp_destroy(qp);
	hca_qp_destroy(peer);
	hca_cq_destroy(&small);
	pair_free(pair);
}
END_TEST

Suite *completions_suite(void)
{
	Suite *suite = suite_create("completions");
	TCase *tc = tcase_create("completions");

	tcase_add_test(tc, one_queue_for_all);
	tcase_add_loop_test(tc, wr_ids, 0, 4);
	tcase_add_loop_test(tc, named, 0, NUM_OPERATIONS);
	tcase_add_loop_test(tc, each_opcode, 0, 8);
	tcase_add_test(tc, four_sges);
	tcase_add_test(tc, own_handler);
	tcase_add_test(tc, if_signaled);
	tcase_add_loop_test(tc, kth_fails, 0, 2 * REQUESTS);
	tcase_add_loop_test(tc, all_kinds_are_flushed, 0, 2);
	tcase_add_test(tc, flushed_in_init);
	tcase_add_loop_test(tc, stops_in_a_message, 0, 20);
	tcase_add_test(tc, overflow_is_confined);
	suite_add_tcase(suite, tc);
	return suite;
}
