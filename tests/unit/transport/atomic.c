// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Atomics: they are executed once, whatever is lost, and return their results. */
#include <check.h>
#include <string.h>
#include "tests/unit/fixture/trace.h"
#include "tests/unit/suites.h"
#include "transport/iba_qp.h"

#define ADD IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD
#define SWAP IB_UVERBS_WR_ATOMIC_CMP_AND_SWP
/* DST rounded up to a multiple of 8; the MR's first octet is at an odd address. */
#define AT (DST + 8 - (u32)(pair_addr(b, DST) % 8))

static u64 get(struct pair_end *end, u32 offset)
{
	u64 value;

	pair_read(end, offset, &value, sizeof(value));
	return value;
}

static void put(struct pair_end *end, u32 offset, u64 value)
{
	pair_write(end, offset, &value, sizeof(value));
}

/* Compose a request whose result is to be placed at @local, and do not post it. */
static struct hca_send_wqe *prepare(struct pair_end *from, struct pair_end *to, u64 wr_id,
				    u8 opcode, u32 local, u32 remote, u64 compare_add, u64 swap)
{
	struct hca_send_wqe *wqe = pair_wqe(from, wr_id, opcode, HCA_WQE_SIGNALED);

	wqe->rdma.remote_addr = pair_addr(to, remote);
	wqe->rdma.rkey = to->entry->key;
	wqe->rdma.compare_add = compare_add;
	wqe->rdma.swap = swap;
	pair_sge(from, wqe, local, sizeof(u64));
	return wqe;
}

static void atomic(struct pair_end *from, struct pair_end *to, u64 wr_id, u8 opcode, u32 local,
		   u32 remote, u64 compare_add, u64 swap)
{
	prepare(from, to, wr_id, opcode, local, remote, compare_add, swap);
	pair_post(from);
}

static const struct {
	u8 opcode;
	u64 before, compare_add, swap, after;
} operations[] = {
	{ ADD, 0, 1, 0, 1 },
	{ ADD, 0x00000000ffffffff, 1, 77, 0x0000000100000000 },
	{ ADD, 0x0123456789abcdef, 0x1000000000000001, 0, 0x1123456789abcdf0 },
	{ ADD, ~0ull, 1, 0, 0 },
	{ ADD, 5, ~0ull, 0, 4 },
	{ SWAP, 5, 5, 0x0123456789abcdef, 0x0123456789abcdef },
	{ SWAP, 5, 6, 0x0123456789abcdef, 5 },
	{ SWAP, 0x0123456789abcdef, 0x0123456789abcdef, 0, 0 },
	{ SWAP, 0x0123456789abcdef, 0x0123456700000000, 1, 0x0123456789abcdef },
	{ SWAP, 0, 0, ~0ull, ~0ull },
};

/*
 * B4-072, B4-333, B4-337, V3-266: both operations; operands and result are in the host's byte
 * order.
 */
START_TEST(operation)
{
	struct pair *pair = pair_new(_i % 2 ? &pair_rd : &pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	typeof(operations[0]) *op = &operations[_i / 2];
	struct trace *trace = trace_on(pair);
	const struct traced *request, *response;
	u8 transport = hca_qp_eec(a->qp)->transport << 5;
	struct hca_cqe cqe;

	put(b, AT - 8, 0x5555555555555555);
	put(b, AT, op->before);
	put(b, AT + 8, 0xaaaaaaaaaaaaaaaa);
	put(a, SRC + 13, 0x3333333333333333);
	atomic(a, b, 1, op->opcode, SRC + 13, AT, op->compare_add, op->swap);
	ck_assert(pair_poll(&a->send_cq, &cqe));
	ck_assert_uint_eq(cqe.wr_id, 1);
	ck_assert_uint_eq(cqe.status, IB_WC_SUCCESS);
	ck_assert_uint_eq(cqe.byte_len, 8);
	ck_assert_uint_eq(cqe.opcode,
			  op->opcode == ADD ? IB_UVERBS_WC_FETCH_ADD : IB_UVERBS_WC_COMP_SWAP);
	ck_assert_uint_eq(get(a, SRC + 13), op->before);
	ck_assert_uint_eq(get(b, AT), op->after);
	ck_assert_uint_eq(get(b, AT - 8), 0x5555555555555555);
	ck_assert_uint_eq(get(b, AT + 8), 0xaaaaaaaaaaaaaaaa);
	pair_expect_none(&b->recv_cq);

	request = trace_find(trace, 1,
			     transport | (op->opcode == ADD ? IB_OPCODE_FETCH_ADD :
							      IB_OPCODE_COMPARE_SWAP),
			     0);
	ck_assert_ptr_nonnull(request);
	ck_assert_uint_eq(request->h.atomiceth.swap_add,
			  op->opcode == ADD ? op->compare_add : op->swap);
	if (op->opcode == SWAP)
		ck_assert_uint_eq(request->h.atomiceth.compare, op->compare_add);
	response = trace_find(trace, 0, transport | IB_OPCODE_ATOMIC_ACKNOWLEDGE, 0);
	ck_assert_ptr_nonnull(response);
	ck_assert_uint_eq(response->h.atomicack_original, op->before);
	ck_assert_uint_eq(response->h.bth.psn, request->h.bth.psn);
	ck_assert_uint_eq(trace->n, 2); /* B4-048 */
	pair_free(pair);
}
END_TEST

/* The result may be scattered to several SGEs. */
START_TEST(scattered_result)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_send_wqe *wqe;
	u8 original[8];

	put(b, AT, 0x0807060504030201);
	wqe = pair_wqe(a, 1, ADD, HCA_WQE_SIGNALED);
	wqe->rdma.remote_addr = pair_addr(b, AT);
	wqe->rdma.rkey = b->entry->key;
	pair_sge(a, wqe, SRC, 3);
	pair_sge(a, wqe, SRC + 100, 0);
	pair_sge(a, wqe, SRC + 200, 5);
	pair_post(a);
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	pair_read(a, SRC, original, 3);
	pair_read(a, SRC + 200, original + 3, 5);
	put(b, AT + 8, 0);
	pair_write(b, AT + 8, original, 8);
	ck_assert_uint_eq(get(b, AT + 8), 0x0807060504030201);
	pair_free(pair);
}
END_TEST

enum wrong {
	MISALIGNED,
	BEYOND,
	NO_SUCH_KEY,
	MR_RIGHTS,
	QP_RIGHTS,
	TOO_SHORT,
	TOO_LONG,
	NO_PLACE,
	IS_INLINE,
	NO_DEPTH,
	NUM_WRONG,
};

static const struct {
	u8 status;
	bool remote; /* false: the request does not leave */
} wrongs[NUM_WRONG] = {
	[MISALIGNED] = { IB_WC_REM_INV_REQ_ERR, true },
	[BEYOND] = { IB_WC_REM_ACCESS_ERR, true },
	[NO_SUCH_KEY] = { IB_WC_REM_ACCESS_ERR, true },
	[MR_RIGHTS] = { IB_WC_REM_ACCESS_ERR, true },
	[QP_RIGHTS] = { IB_WC_REM_INV_REQ_ERR, true },
	[TOO_SHORT] = { IB_WC_LOC_LEN_ERR, false },
	[TOO_LONG] = { IB_WC_LOC_LEN_ERR, false },
	[NO_PLACE] = { IB_WC_LOC_PROT_ERR, false },
	[IS_INLINE] = { IB_WC_LOC_QP_OP_ERR, false },
	[NO_DEPTH] = { IB_WC_LOC_QP_OP_ERR, false },
};

static void spoil(enum wrong wrong, struct pair *pair, struct hca_send_wqe *wqe)
{
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_sge *sge = (void *)((u8 *)wqe + HCA_SEND_WQE_HEADER);

	switch (wrong) {
	case MISALIGNED:
		wqe->rdma.remote_addr += 4;
		break;
	case BEYOND:
		wqe->rdma.remote_addr = (pair_addr(b, PAIR_MEMORY) - 1) & ~7ull;
		break;
	case NO_SUCH_KEY:
		wqe->rdma.rkey++;
		break;
	case MR_RIGHTS:
		b->entry->access &= ~IB_UVERBS_ACCESS_REMOTE_ATOMIC;
		break;
	case QP_RIGHTS:
		hca_qp_eec(b->qp)->attr.access &= ~IB_UVERBS_ACCESS_REMOTE_ATOMIC;
		break;
	case TOO_SHORT:
		sge->length = 7;
		break;
	case TOO_LONG:
		sge->length = 9;
		break;
	case NO_PLACE:
		a->entry->access &= ~IB_UVERBS_ACCESS_LOCAL_WRITE;
		break;
	case IS_INLINE:
		wqe->flags |= HCA_WQE_INLINE;
		wqe->inline_length = 8;
		break;
	case NO_DEPTH:
		hca_qp_eec(a->qp)->attr.max_rd_atomic = 0;
		break;
	case NUM_WRONG:
		break;
	}
}

/* B4-347, B4-348: an invalid request is refused, and no memory is changed. */
START_TEST(refused)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct trace *trace = trace_on(pair);
	u8 opcode = _i % 2 ? ADD : SWAP;
	enum wrong wrong = _i / 2;
	u8 before[64], after[64];

	pair_read(b, PAIR_MEMORY - 64, before, 64);
	spoil(wrong, pair, prepare(a, b, 1, opcode, SRC, AT, 0, 9));
	pair_post(a);
	pair_settle();
	pair_expect(&a->send_cq, 1, wrongs[wrong].status);
	pair_expect_none(&a->send_cq);
	ck_assert_uint_eq(a->qp->common.state, IB_QPS_ERR);
	ck_assert_uint_eq(b->qp->common.state, wrongs[wrong].remote ? IB_QPS_ERR : IB_QPS_RTS);
	ck_assert_uint_eq(trace->n, wrongs[wrong].remote ? 2 : 0);
	ck_assert_uint_eq(get(b, AT), 0);
	pair_read(b, PAIR_MEMORY - 64, after, 64);
	ck_assert_mem_eq(before, after, 64);
	pair_free(pair);
}
END_TEST

#define ROUNDS 12

/*
 * B4-049, B4-362: the n-th packet of requests or responses is lost; each atomic is executed once.
 */
START_TEST(lose_each_packet)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct trace *trace = trace_on(pair);
	unsigned int i;
	u64 counter;

	trace->lose = trace_lose_nth;
	trace->towards = _i % 2;
	trace->nth = _i / 2;
	for (i = 0; i < ROUNDS; i++) {
		prepare(a, b, 3 * i, ADD, SRC + 32 * i, AT, 10, 0);
		a->qp->sq.ring->producer++;
		prepare(a, b, 3 * i + 1, SWAP, SRC + 32 * i + 8, AT + 8, i, i + 1);
		a->qp->sq.ring->producer++;
		pair_rdma(a, b, 3 * i + 2, IB_UVERBS_WR_RDMA_READ,
			  HCA_WQE_SIGNALED | (i % 3 ? 0 : HCA_WQE_FENCE), SRC + 32 * i + 16, AT, 8);
	}
	pair_wait(2000);
	for (i = 0; i < 3 * ROUNDS; i++)
		pair_expect(&a->send_cq, i, IB_WC_SUCCESS);
	ck_assert_uint_eq(get(b, AT), 10 * ROUNDS);
	ck_assert_uint_eq(get(b, AT + 8), ROUNDS);
	for (i = 0; i < ROUNDS; i++) {
		ck_assert_uint_eq(get(a, SRC + 32 * i), 10 * i);
		ck_assert_uint_eq(get(a, SRC + 32 * i + 8), i);
		/* the requests behind it may have been executed, too */
		counter = get(a, SRC + 32 * i + 16);
		ck_assert_uint_ge(counter, 10 * (i + 1));
		ck_assert_uint_eq(counter % 10, 0);
	}
	pair_free(pair);
}
END_TEST

/* B4-258: a fenced request waits for the read, which returns the earlier value. */
START_TEST(ordered_by_fence)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	unsigned int i;

	for (i = 0; i < ROUNDS; i++) {
		pair_rdma(a, b, 2 * i, IB_UVERBS_WR_RDMA_READ, HCA_WQE_SIGNALED, SRC + 32 * i, AT,
			  8);
		prepare(a, b, 2 * i + 1, ADD, SRC + 32 * i + 8, AT, 1, 0)->flags |= HCA_WQE_FENCE;
		a->qp->sq.ring->producer++;
	}
	pair_rdma(a, b, 99, IB_UVERBS_WR_RDMA_WRITE, HCA_WQE_SIGNALED, SRC, DST + 100, 0);
	for (i = 0; i < ROUNDS; i++) {
		pair_expect(&a->send_cq, 2 * i, IB_WC_SUCCESS);
		pair_expect(&a->send_cq, 2 * i + 1, IB_WC_SUCCESS);
		ck_assert_uint_eq(get(a, SRC + 32 * i), i);
		ck_assert_uint_eq(get(a, SRC + 32 * i + 8), i);
	}
	pair_free(pair);
}
END_TEST

static struct hca_headers request(struct pair *pair, u32 psn, u64 add)
{
	struct pair_end *b = &pair->end[1];

	return (struct hca_headers){
		.lrh = { .lnh = IB_LNH_IBA_LOCAL, .dlid = 2, .slid = 1 },
		.bth = { .opcode = HCA_OPCODE(RC, FETCH_ADD),
			 .flags = HCA_BTH_MIGREQ,
			 .pkey = 0xffff,
			 .destqp = b->qp->qpn,
			 .psn = psn & HCA_PSN_MASK },
		.atomiceth = { .va = pair_addr(b, AT), .rkey = b->entry->key, .swap_add = add },
	};
}

/*
 * B4-362: a repeated request is answered with the saved result; one so old that its result is not
 * saved is a stale duplicate.
 */
START_TEST(asked_again)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *b = &pair->end[1];
	struct trace *trace = trace_on(pair);
	u32 psn = pair_rc.psn[0], i;
	const struct traced *t;
	struct hca_headers h;

	for (i = 0; i < HCA_MAX_RD_ATOMIC + 4; i++) {
		h = request(pair, psn + i, 1);
		trace_inject(pair, 1, &h, 0);
	}
	ck_assert_uint_eq(get(b, AT), HCA_MAX_RD_ATOMIC + 4);
	for (i = 0; i < HCA_MAX_RD_ATOMIC + 4; i++) {
		trace->n = 0;
		/* other fields of the repeated request may differ */
		h = request(pair, psn + i, 1000);
		trace_inject(pair, 1, &h, 0);
		t = trace_find(trace, 0, HCA_OPCODE(RC, ATOMIC_ACKNOWLEDGE), 0);
		ck_assert_uint_eq(!!t, i >= 4);
		if (t) {
			ck_assert_uint_eq(t->h.bth.psn, (psn + i) & HCA_PSN_MASK);
			ck_assert_uint_eq(t->h.atomicack_original, i);
		}
		ck_assert_uint_eq(get(b, AT), HCA_MAX_RD_ATOMIC + 4);
	}
	ck_assert_uint_eq(b->qp->common.state, IB_QPS_RTS);
	pair_free(pair);
}
END_TEST

static void compose_atomic(struct pair_end *a, struct pair_end *b, int i)
{
	prepare(a, b, i, ADD, SRC + 8 * i, AT, 1, 0);
}

static void compose_read_or_atomic(struct pair_end *a, struct pair_end *b, int i)
{
	prepare(a, b, i, i % 2 ? ADD : IB_UVERBS_WR_RDMA_READ, SRC + 8 * i, AT, 1, 0);
}

/*
 * B4-249: outstanding atomics are limited to the agreed depth; a requester that exceeds it is
 * refused (B4-348).
 */
START_TEST(depth)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *b = &pair->end[1];
	int done;

	trace_expect_depth(trace_on(pair), pair, 1 + _i, compose_read_or_atomic);
	ck_assert_uint_eq(get(b, AT), 20);
	done = trace_exceed_depth(pair, compose_atomic);
	ck_assert_uint_eq(get(b, AT), 20 + done);
	pair_free(pair);
}
END_TEST

/* Both ends change one number concurrently: no update is lost. */
START_TEST(both_ends)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	unsigned int i;

	for (i = 0; i < 100; i++) {
		atomic(a, b, i, ADD, SRC, AT, 1, 0);
		atomic(b, a, i, ADD, SRC, AT, 3, 0);
	}
	pair_settle();
	ck_assert_uint_eq(get(b, AT), 100);
	ck_assert_uint_eq(get(a, AT), 300);
	pair_free(pair);
}
END_TEST

Suite *atomic_suite(void)
{
	Suite *suite = suite_create("atomic");
	TCase *tc = tcase_create("atomic");

	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, operation, 0, 2 * sizeof(operations) / sizeof(operations[0]));
	tcase_add_test(tc, scattered_result);
	tcase_add_loop_test(tc, refused, 0, 2 * NUM_WRONG);
	tcase_add_loop_test(tc, lose_each_packet, 0, 2 * 3 * ROUNDS);
	tcase_add_test(tc, ordered_by_fence);
	tcase_add_test(tc, asked_again);
	tcase_add_loop_test(tc, depth, 0, 4);
	tcase_add_test(tc, both_ends);
	suite_add_tcase(suite, tc);
	return suite;
}
