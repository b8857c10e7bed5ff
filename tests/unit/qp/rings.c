// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Rings of a hostile process: indices that jump ahead or go back, entries that change while they
 * are used.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <linux/bottom_half.h>
#include <linux/err.h>
#include <linux/slab.h>
#include "shim.h"
#include "tests/unit/fixture/pair.h"
#include "tests/unit/suites.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define MARK 0x41
#define SECRET (1u << 16)

static struct hca_sge *sges(struct hca_send_wqe *wqe)
{
	return (void *)((u8 *)wqe + HCA_SEND_WQE_HEADER);
}

static void ring(struct hca_qp *qp)
{
	local_bh_disable();
	hca_qp_kick(qp);
	hca_engine_run();
	local_bh_enable();
}

/* --- invalid producer indices of a send queue */

static const struct {
	const struct pair_qp *how;
	s32 leap; /* deviation of the producer index, in a ring of 4 entries */
} leaps[] = {
	{ &pair_rc, 5 }, { &pair_rc, -1 }, { &pair_rc, 0x40000000 }, { &pair_rc, (s32)0x80000000 },
	{ &pair_uc, 5 }, { &pair_uc, -1 }, { &pair_ud, 5 },	     { &pair_ud, -1 },
	{ &pair_rd, 5 }, { &pair_rd, -1 },
};

/*
 * R0-471, R0-511: the queue pair enters Error, which is reported once; no other queue pair is
 * affected.
 */
START_TEST(send_index)
{
	struct pair_qp how = *leaps[_i].how;
	struct pair_end *a;
	struct pair *pair;

	how.send_wr = 4;
	pair = pair_new(&how);
	a = &pair->end[0];
	a->qp->sq.ring->producer += leaps[_i].leap;
	ring(a->qp);
	pair_settle();
	ck_assert_uint_eq(a->qp->common.state, IB_QPS_ERR);
	ck_assert_uint_eq(a->events[HCA_QP_FATAL], 1);
	ck_assert_uint_eq(pair->end[1].events[HCA_QP_FATAL], 0);
	pair_expect_none(&a->send_cq); /* no valid request was posted that could be flushed */
	pair_free(pair);
}
END_TEST

struct attack {
	unsigned int responses; /* number seen so far */
	bool loses; /* responses are dropped until the read is repeated */
	s32 leap;
	u8 *secret;
};

static bool rewrite(struct pair *pair, int receiver, const struct hca_packet *pkt)
{
	struct attack *attack = pair->data;
	struct hca_qp *qp = pair->end[0].qp;
	struct hca_send_wqe *wqe = hca_queue_entry(&qp->sq, 0);

	if (receiver)
		attack->loses = false;
	if (receiver || ++attack->responses != 10)
		return !attack->loses;
	wqe->opcode = IB_UVERBS_WR_RDMA_READ;
	wqe->num_sge = 1;
	sges(wqe)->lkey = HCA_LOCAL_DMA_KEY;
	sges(wqe)->length = 0xffffffff;
	sges(wqe)->addr = (u64)(uintptr_t)attack->secret + SECRET - (1ull << 32);
	qp->sq.ring->producer += attack->leap;
	/* the requester reads its ring before it repeats the read, which is not complete */
	attack->loses = true;
	return false;
}

/* R0-510: while a request is in progress its slot is not rewritten, whatever the ring contains. */
START_TEST(request_under_way)
{
	static const s32 by[] = { 1, 2, -1 };
	struct attack attack = { .leap = by[_i], .secret = calloc(1, SECRET) };
	struct pair_qp how = pair_rc;
	struct pair_end *a;
	struct pair *pair;
	u32 i;

	how.send_wr = 1;
	how.mtu = IB_MTU_256;
	pair = pair_new(&how);
	a = &pair->end[0];
	pair->filter = rewrite;
	pair->data = &attack;
	memset(pair->end[1].backing, MARK, PAIR_MEMORY);
	pair_rdma(a, &pair->end[1], 1, IB_UVERBS_WR_RDMA_READ, HCA_WQE_SIGNALED, DST, SRC,
		  PAIR_MEMORY / 2);
	pair_wait(100);
	ck_assert_uint_gt(attack.responses, 10);
	for (i = 0; i < SECRET; i++)
		ck_assert_uint_ne(attack.secret[i], MARK);
	pair_expect(&a->send_cq, 1, IB_WC_WR_FLUSH_ERR);
	ck_assert_uint_eq(a->qp->common.state, IB_QPS_ERR);
	ck_assert_uint_eq(a->events[HCA_QP_FATAL], 1);
	pair_free(pair);
	free(attack.secret);
}
END_TEST

/* --- invalid producer indices of a receive queue */

static const struct {
	const struct pair_qp *how;
	s32 leap; /* deviation of the index, in a ring of 4 entries */
	u8 status; /* completion status of the sender's request */
} recv_leaps[] = {
	{ &pair_rc, 5, IB_WC_REM_OP_ERR },  { &pair_rc, -1, IB_WC_REM_OP_ERR },
	{ &pair_rd, 5, IB_WC_REM_OP_ERR },  { &pair_rd, -1, IB_WC_REM_OP_ERR },
	{ &pair_uc, -1, IB_WC_SUCCESS },
};

/* R0-471: the sender of a reliable service does not retry for ever. */
START_TEST(recv_index)
{
	struct pair_qp how = *recv_leaps[_i].how;
	struct pair_end *a, *b;
	struct pair *pair;

	how.recv_wr = 4;
	how.rnr_retry = 7;
	pair = pair_new(&how);
	a = &pair->end[0];
	b = &pair->end[1];
	b->qp->rq.ring->producer += recv_leaps[_i].leap;
	pair_send(a, 1, HCA_WQE_SIGNALED, SRC, 100);
	pair_wait(100);
	pair_expect(&a->send_cq, 1, recv_leaps[_i].status);
	ck_assert_uint_eq(b->qp->common.state, IB_QPS_ERR);
	ck_assert_uint_eq(b->events[HCA_QP_FATAL], 1);
	pair_expect_none(&b->recv_cq);
	pair_free(pair);
}
END_TEST

/*
 * R0-231: L_Key 0 is reserved to kernel consumers. A process's request with it fails, as a send or
 * as a receive.
 */
START_TEST(reserved_key)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_send_wqe *wqe;

	pair_recv(b, 1, DST, 100);
	((struct hca_recv_wqe *)hca_queue_entry(&b->qp->rq, 0))->sge[0].lkey = HCA_LOCAL_DMA_KEY;
	pair_send(a, 2, HCA_WQE_SIGNALED, SRC, 100);
	pair_settle();
	pair_expect(&b->recv_cq, 1, IB_WC_LOC_PROT_ERR);
	pair_expect(&a->send_cq, 2, IB_WC_REM_OP_ERR);
	pair_free(pair);

	pair = pair_new(&pair_rc);
	a = &pair->end[0];
	wqe = pair_wqe(a, 3, IB_UVERBS_WR_SEND, HCA_WQE_SIGNALED);
	pair_sge(a, wqe, SRC, 100);
	sges(wqe)->lkey = HCA_LOCAL_DMA_KEY;
	pair_post(a);
	pair_settle();
	pair_expect(&a->send_cq, 3, IB_WC_LOC_PROT_ERR);
	pair_free(pair);
}
END_TEST

/* More inline data than the queue pair permits would be read from beyond the entry. */
START_TEST(inline_too_long)
{
	static const u32 over[] = { 1, 57, 0x7fffffff, 0xffffffff };
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0];
	struct hca_send_wqe *wqe = pair_wqe(a, 1, IB_UVERBS_WR_SEND,
					    HCA_WQE_SIGNALED | HCA_WQE_INLINE);

	pair_recv(&pair->end[1], 2, DST, 4096);
	wqe->inline_length = over[_i] == 0xffffffff ? over[_i] : a->qp->max_inline + over[_i];
	pair_post(a);
	pair_settle();
	pair_expect(&a->send_cq, 1, IB_WC_LOC_QP_OP_ERR);
	pair_expect_none(&pair->end[1].recv_cq);
	pair_free(pair);
}
END_TEST

START_TEST(inline_in_full)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0];
	struct hca_send_wqe *wqe = pair_wqe(a, 1, IB_UVERBS_WR_SEND,
					    HCA_WQE_SIGNALED | HCA_WQE_INLINE);

	pair_recv(&pair->end[1], 2, DST, 4096);
	wqe->inline_length = a->qp->max_inline;
	pair_post(a);
	pair_settle();
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	pair_free(pair);
}
END_TEST

/* --- random content of rings, changed while packets are processed */

static struct pair *fuzzed;
static u64 state;

static u64 draw(void)
{
	state += 0x9e3779b97f4a7c15ull;
	return (state ^ state >> 29) * 0xbf58476d1ce4e5b9ull >> 16;
}

static bool one_in(unsigned int n)
{
	return draw() % n == 0;
}

static u32 edge(void)
{
	static const u32 edges[] = { 0,	   1,	 63,   64,    255,	  256,	      257,
				     4095, 4096, 4097, 65536, 0x7fffffff, 0x80000000, 0xffffffff };

	return one_in(3) ? draw() : edges[draw() % COUNT(edges)];
}

static u64 some_address(void)
{
	return one_in(8) ? draw() << 20 :
			   pair_addr(&fuzzed->end[draw() & 1], draw() % PAIR_MEMORY);
}

static u32 some_key(void)
{
	if (one_in(8))
		return one_in(2) ? HCA_LOCAL_DMA_KEY : edge();
	return fuzzed->end[draw() & 1].entry->key;
}

static void some_sges(struct hca_sge *sge, u32 n)
{
	for (; n--; sge++)
		*sge = (struct hca_sge){ .addr = some_address(),
					 .length = one_in(4) ? edge() : draw() % 70000,
					 .lkey = some_key() };
}

static void some_request(struct pair_end *end, u32 index)
{
	struct pair_end *other = &fuzzed->end[end == fuzzed->end];
	struct hca_send_wqe *wqe = hca_queue_entry(&end->qp->sq, index);
	u8 *octets = (u8 *)wqe;
	u32 i;

	if (one_in(8))
		for (i = 0; i < end->qp->sq.stride; i++)
			octets[i] = draw();
	wqe->wr_id = draw();
	wqe->opcode = one_in(20) ? draw() : draw() % 13;
	wqe->flags = one_in(8) ? draw() : draw() & (HCA_WQE_SIGNALED | HCA_WQE_FENCE);
	wqe->num_sge = one_in(16) ? edge() : draw() % 5;
	wqe->inline_length = one_in(4) ? edge() : draw() % 200;
	wqe->rdma.remote_addr = some_address();
	wqe->rdma.rkey = one_in(8) ? some_key() : other->entry->key;
	if (end->qp->type == HCA_QPT_RD) {
		wqe->rdma.eecn = end->to_eecn;
		wqe->rdma.remote_qpn = end->to_qpn;
		wqe->rdma.remote_qkey = end->to_qkey;
	} else if (end->qp->type == IB_QPT_UD) {
		wqe->ud.av = (struct hca_av){ .dlid = one_in(5) ? edge() : 1 + (draw() & 1),
					      .port_num = 1,
					      .has_grh = one_in(4) };
		wqe->ud.remote_qpn = other->qp->qpn;
		wqe->ud.remote_qkey = PAIR_QKEY;
	}
	some_sges(sges(wqe), 4);
}

static void some_receive(struct hca_qp *qp, u32 index)
{
	struct hca_recv_wqe *wqe = hca_queue_entry(&qp->rq, index);

	wqe->wr_id = draw();
	wqe->num_sge = one_in(8) ? edge() : draw() % 5;
	some_sges(wqe->sge, 4);
}

static void some_index(struct hca_queue *q, u32 n)
{
	switch (draw() % 24) {
	case 0:
		q->ring->producer = draw();
		break;
	case 1:
		q->ring->producer = q->ring->consumer + q->entries + draw() % 4;
		break;
	case 2:
		q->ring->producer -= draw() % 8;
		break;
	case 3:
		q->ring->consumer = draw();
		break;
	case 4:
		q->ring->need_wakeup = draw();
		break;
	default:
		q->ring->producer += n;
	}
}

/* Changes that a process may make to its rings at any moment. */
static void disturb(void)
{
	struct pair_end *end = &fuzzed->end[draw() & 1];
	struct hca_qp *qp = end->qp;
	u32 i, n = draw() % 4;

	for (i = 0; i < n; i++) {
		some_request(end, qp->sq.ring->producer + i);
		some_receive(qp, qp->rq.ring->producer + i);
	}
	some_index(&qp->sq, n);
	some_index(&qp->rq, n);
	if (one_in(16))
		end->send_cq.queue.ring->arm = draw();
	end->send_cq.queue.ring->consumer = one_in(64) ? draw() : end->send_cq.producer;
	end->recv_cq.queue.ring->consumer = one_in(64) ? draw() : end->recv_cq.producer;
	hca_qp_kick(qp);
}

static bool disturb_and_lose(struct pair *pair, int receiver, const struct hca_packet *pkt)
{
	(void)pair;
	(void)receiver;
	(void)pkt;
	if (one_in(100))
		disturb();
	return !one_in(300);
}

static void fuzz(u64 seed)
{
	static const struct pair_qp *const kinds[] = { &pair_rc, &pair_rc, &pair_rc, &pair_uc,
						       &pair_ud, &pair_rd };
	const struct hca_qp_attr reset = { .state = IB_QPS_RESET };
	struct pair_qp how;
	unsigned int i;

	state = seed;
	how = *kinds[draw() % COUNT(kinds)];
	how.send_wr = 1u << draw() % 8;
	how.recv_wr = 1u << draw() % 8;
	if (how.type != IB_QPT_UD)
		how.mtu = IB_MTU_256 + draw() % 5;
	how.timeout = 8;
	how.retry = 1;
	how.cqe = 4096;
	fuzzed = pair_new(&how);
	fuzzed->filter = disturb_and_lose;
	for (i = 0; i < 40; i++) {
		local_bh_disable();
		disturb();
		hca_engine_run();
		local_bh_enable();
		if (one_in(6))
			shim_advance(draw() % 2000000);
	}
	fuzzed->filter = NULL;
	shim_advance(20000000);
	for (i = 0; i < 2; i++)
		ck_assert_int_eq(hca_qp_modify(fuzzed->end[i].qp, &reset, IB_QP_STATE), 0);
	pair_free(fuzzed);
}

/* R0-511, V3-309: no other memory is accessed, no loop is endless, and every request ends. */
START_TEST(anything)
{
	const char *first = getenv("RINGS_SEED"), *count = getenv("RINGS_SEEDS");
	u64 seed = first ? strtoull(first, NULL, 0) : 1000 * _i;
	u64 end = seed + (count ? strtoull(count, NULL, 0) : 40);

	for (; seed < end; seed++)
		fuzz(seed);
}
END_TEST

Suite *rings_suite(void)
{
	Suite *suite = suite_create("rings");
	TCase *tc = tcase_create("rings");

	tcase_set_timeout(tc, 0);
	tcase_add_loop_test(tc, send_index, 0, COUNT(leaps));
	tcase_add_loop_test(tc, request_under_way, 0, 3);
	tcase_add_loop_test(tc, recv_index, 0, COUNT(recv_leaps));
	tcase_add_test(tc, reserved_key);
	tcase_add_loop_test(tc, inline_too_long, 0, 4);
	tcase_add_test(tc, inline_in_full);
	tcase_add_loop_test(tc, anything, 0, 8);
	suite_add_tcase(suite, tc);
	return suite;
}
