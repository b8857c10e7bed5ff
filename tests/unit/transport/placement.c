// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Memory placement extensions (IBA annex A19): Flush and Atomic Write are executed once, whatever
 * is lost, and a response of their own completes them.
 */
#include <check.h>
#include <string.h>
#include "compat.h"
#include "tests/unit/fixture/trace.h"
#include "tests/unit/suites.h"
#include "transport/iba_qp.h"

#define FLUSH IB_UVERBS_WR_FLUSH
#define ATOMIC_WRITE IB_UVERBS_WR_ATOMIC_WRITE
/* DST rounded up to a multiple of 8; the MR's first octet is at an odd address. */
#define AT (DST + 8 - (u32)(pair_addr(b, DST) % 8))

static struct hca_eec *responder(struct pair_end *end)
{
	return hca_qp_eec(end->tgt ? end->tgt : end->qp);
}

/* A connected pair whose second end permits a Flush for global visibility. */
static struct pair *placement_pair(const struct pair_qp *how)
{
	struct pair *pair = pair_new(how);
	struct pair_end *b = &pair->end[1];

	b->entry->access |= IB_UVERBS_ACCESS_FLUSH_GLOBAL;
	responder(b)->attr.access |= IB_UVERBS_ACCESS_FLUSH_GLOBAL;
	return pair;
}

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

/* Compose a request and do not post it. */
static struct hca_send_wqe *remote(struct pair_end *from, struct pair_end *to, u64 wr_id, u8 opcode,
				   u32 offset)
{
	struct hca_send_wqe *wqe = pair_wqe(from, wr_id, opcode, HCA_WQE_SIGNALED);

	wqe->rdma.remote_addr = pair_addr(to, offset);
	wqe->rdma.rkey = to->entry->key;
	return wqe;
}

static struct hca_send_wqe *flush(struct pair_end *from, struct pair_end *to, u64 wr_id,
				  u8 selectivity, u32 offset, u32 length)
{
	struct hca_send_wqe *wqe = remote(from, to, wr_id, FLUSH, offset);

	wqe->rdma.flush.length = length;
	wqe->rdma.flush.placement = IB_FLUSH_GLOBAL;
	wqe->rdma.flush.selectivity = selectivity;
	return wqe;
}

/* The value is inline, or taken from the sender's memory. */
static struct hca_send_wqe *atomic_write(struct pair_end *from, struct pair_end *to, u64 wr_id,
					 u32 offset, u64 value, bool is_inline)
{
	struct hca_send_wqe *wqe = remote(from, to, wr_id, ATOMIC_WRITE, offset);

	if (is_inline) {
		wqe->flags |= HCA_WQE_INLINE;
		wqe->inline_length = sizeof(value);
		memcpy((u8 *)wqe + HCA_SEND_WQE_HEADER, &value, sizeof(value));
	} else {
		put(from, SRC + 16 * wr_id, value);
		pair_sge(from, wqe, SRC + 16 * wr_id, 3);
		pair_sge(from, wqe, SRC + 16 * wr_id + 3, 5);
	}
	return wqe;
}

static const struct pair_qp *const services[] = { &pair_rc, &pair_xrc };

/* Assert that the only answer to @request was a Read response without payload. */
static void answered(const struct trace *trace, const struct traced *request)
{
	u8 transport = hca_opcode_transport(request->h.bth.opcode) << 5;
	const struct traced *response =
		trace_find(trace, 0, transport | IB_OPCODE_RDMA_READ_RESPONSE_ONLY, 0);

	ck_assert_ptr_nonnull(response);
	ck_assert_uint_eq(response->payload, 0);
	ck_assert_uint_eq(response->h.bth.psn, request->h.bth.psn);
	ck_assert_uint_eq(response->h.aeth.syndrome & HCA_SYNDROME_KIND, HCA_SYNDROME_ACK);
	ck_assert_uint_eq(response->h.aeth.msn, 1);
	ck_assert_uint_eq(trace->n, 2);
}

/* Both selectivity levels: a Flush of the whole MR ignores the address and the length. */
START_TEST(flush_request)
{
	struct pair *pair = placement_pair(services[_i % 2]);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	u8 selectivity = _i / 2 ? IB_FLUSH_MR : IB_FLUSH_RANGE;
	struct trace *trace = trace_on(pair);
	const struct traced *request;
	struct hca_cqe cqe;

	flush(a, b, 1, selectivity, _i / 2 ? 2 * PAIR_MEMORY : DST, 1000);
	pair_post(a);
	ck_assert(pair_poll(&a->send_cq, &cqe));
	ck_assert_uint_eq(cqe.wr_id, 1);
	ck_assert_uint_eq(cqe.status, IB_WC_SUCCESS);
	ck_assert_uint_eq(cqe.opcode, IB_UVERBS_WC_FLUSH);
	pair_expect_none(&b->recv_cq);

	request = trace_find(trace, 1, responder(a)->transport << 5 | IB_OPCODE_FLUSH, 0);
	ck_assert_ptr_nonnull(request);
	ck_assert_uint_eq(request->payload, 0);
	ck_assert_uint_eq(request->h.feth.placement, IB_FLUSH_GLOBAL);
	ck_assert_uint_eq(request->h.feth.selectivity, selectivity);
	ck_assert_uint_eq(request->h.reth.va, pair_addr(b, _i / 2 ? 2 * PAIR_MEMORY : DST));
	ck_assert_uint_eq(request->h.reth.rkey, b->entry->key);
	ck_assert_uint_eq(request->h.reth.length, 1000);
	answered(trace, request);
	pair_free(pair);
}
END_TEST

/* Eight octets, inline or of several SGEs, lie at the peer in the order that they have here. */
START_TEST(atomic_write_request)
{
	struct pair *pair = placement_pair(services[_i % 2]);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct trace *trace = trace_on(pair);
	const struct traced *request;
	struct hca_cqe cqe;

	put(b, AT - 8, 0x5555555555555555);
	put(b, AT + 8, 0xaaaaaaaaaaaaaaaa);
	atomic_write(a, b, 1, AT, 0x0123456789abcdef, _i / 2);
	pair_post(a);
	ck_assert(pair_poll(&a->send_cq, &cqe));
	ck_assert_uint_eq(cqe.wr_id, 1);
	ck_assert_uint_eq(cqe.status, IB_WC_SUCCESS);
	ck_assert_uint_eq(cqe.opcode, IB_UVERBS_WC_ATOMIC_WRITE);
	ck_assert_uint_eq(get(b, AT), 0x0123456789abcdef);
	ck_assert_uint_eq(get(b, AT - 8), 0x5555555555555555);
	ck_assert_uint_eq(get(b, AT + 8), 0xaaaaaaaaaaaaaaaa);
	pair_expect_none(&b->recv_cq);

	request = trace_find(trace, 1, responder(a)->transport << 5 | IB_OPCODE_ATOMIC_WRITE, 0);
	ck_assert_ptr_nonnull(request);
	ck_assert_uint_eq(request->payload, 8);
	ck_assert_uint_eq(request->h.reth.va, pair_addr(b, AT));
	ck_assert_uint_eq(request->h.reth.length, 8);
	answered(trace, request);
	pair_free(pair);
}
END_TEST

enum wrong {
	NO_PLACEMENT,
	UNKNOWN_PLACEMENT,
	UNKNOWN_SELECTIVITY,
	BEYOND_2G,
	FLUSH_NO_DEPTH,
	FLUSH_BEYOND,
	FLUSH_NO_SUCH_KEY,
	FLUSH_MR_NO_SUCH_KEY,
	FLUSH_MR_RIGHTS,
	FLUSH_MR_ALL_RIGHTS,
	FLUSH_PERSISTENT,
	FLUSH_BOTH,
	FLUSH_QP_RIGHTS,
	FLUSH_QP_ALL_RIGHTS,
	FIRST_ATOMIC_WRITE,
	TOO_SHORT = FIRST_ATOMIC_WRITE,
	TOO_LONG,
	NO_DATA,
	NO_DEPTH,
	MISALIGNED,
	BEYOND,
	NO_SUCH_KEY,
	MR_RIGHTS,
	QP_RIGHTS,
	NUM_WRONG,
};

static const struct {
	u8 status;
	bool remote; /* false: the request does not leave */
} wrongs[NUM_WRONG] = {
	[NO_PLACEMENT] = { IB_WC_LOC_QP_OP_ERR, false },
	[UNKNOWN_PLACEMENT] = { IB_WC_LOC_QP_OP_ERR, false },
	[UNKNOWN_SELECTIVITY] = { IB_WC_LOC_QP_OP_ERR, false },
	[BEYOND_2G] = { IB_WC_LOC_LEN_ERR, false },
	[FLUSH_NO_DEPTH] = { IB_WC_LOC_QP_OP_ERR, false },
	[FLUSH_BEYOND] = { IB_WC_REM_ACCESS_ERR, true },
	[FLUSH_NO_SUCH_KEY] = { IB_WC_REM_ACCESS_ERR, true },
	[FLUSH_MR_NO_SUCH_KEY] = { IB_WC_REM_ACCESS_ERR, true },
	[FLUSH_MR_RIGHTS] = { IB_WC_REM_ACCESS_ERR, true },
	[FLUSH_MR_ALL_RIGHTS] = { IB_WC_REM_ACCESS_ERR, true },
	[FLUSH_PERSISTENT] = { IB_WC_REM_ACCESS_ERR, true },
	[FLUSH_BOTH] = { IB_WC_REM_ACCESS_ERR, true },
	[FLUSH_QP_RIGHTS] = { IB_WC_REM_INV_REQ_ERR, true },
	[FLUSH_QP_ALL_RIGHTS] = { IB_WC_REM_INV_REQ_ERR, true },
	[TOO_SHORT] = { IB_WC_LOC_LEN_ERR, false },
	[TOO_LONG] = { IB_WC_LOC_LEN_ERR, false },
	[NO_DATA] = { IB_WC_LOC_LEN_ERR, false },
	[NO_DEPTH] = { IB_WC_LOC_QP_OP_ERR, false },
	[MISALIGNED] = { IB_WC_REM_INV_REQ_ERR, true },
	[BEYOND] = { IB_WC_REM_ACCESS_ERR, true },
	[NO_SUCH_KEY] = { IB_WC_REM_ACCESS_ERR, true },
	[MR_RIGHTS] = { IB_WC_REM_ACCESS_ERR, true },
	[QP_RIGHTS] = { IB_WC_REM_INV_REQ_ERR, true },
};

static void spoil(enum wrong wrong, struct pair *pair, struct hca_send_wqe *wqe)
{
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];

	switch (wrong) {
	case NO_PLACEMENT:
		wqe->rdma.flush.placement = 0;
		break;
	case UNKNOWN_PLACEMENT:
		wqe->rdma.flush.placement |= 4;
		break;
	case UNKNOWN_SELECTIVITY:
		wqe->rdma.flush.selectivity = 2;
		break;
	case BEYOND_2G:
		wqe->rdma.flush.length = (1u << 31) + 1;
		break;
	case FLUSH_BEYOND:
		wqe->rdma.flush.length = PAIR_MEMORY - DST + 1;
		break;
	case FLUSH_MR_NO_SUCH_KEY:
		wqe->rdma.flush.selectivity = IB_FLUSH_MR;
		/* fallthrough */
	case FLUSH_NO_SUCH_KEY:
	case NO_SUCH_KEY:
		wqe->rdma.rkey++;
		break;
	case FLUSH_MR_ALL_RIGHTS:
		wqe->rdma.flush.selectivity = IB_FLUSH_MR;
		/* fallthrough */
	case FLUSH_MR_RIGHTS:
		b->entry->access &= ~IB_UVERBS_ACCESS_FLUSH_GLOBAL;
		break;
	case FLUSH_PERSISTENT:
		wqe->rdma.flush.placement = 0;
		/* fallthrough */
	case FLUSH_BOTH:
		wqe->rdma.flush.placement |= IB_FLUSH_PERSISTENT;
		responder(b)->attr.access |= IB_UVERBS_ACCESS_FLUSH_PERSISTENT;
		break;
	case FLUSH_QP_ALL_RIGHTS:
		wqe->rdma.flush.selectivity = IB_FLUSH_MR;
		/* fallthrough */
	case FLUSH_QP_RIGHTS:
		responder(b)->attr.access &= ~IB_UVERBS_ACCESS_FLUSH_GLOBAL;
		break;
	case TOO_SHORT:
		wqe->inline_length = 7;
		break;
	case TOO_LONG:
		wqe->inline_length = 9;
		break;
	case NO_DATA:
		wqe->flags &= ~HCA_WQE_INLINE;
		break;
	case FLUSH_NO_DEPTH:
	case NO_DEPTH:
		hca_qp_eec(a->qp)->attr.max_rd_atomic = 0;
		break;
	case MISALIGNED:
		wqe->rdma.remote_addr += 4;
		break;
	case BEYOND:
		wqe->rdma.remote_addr = (pair_addr(b, PAIR_MEMORY) - 1) & ~7ull;
		break;
	case MR_RIGHTS:
		b->entry->access &= ~IB_UVERBS_ACCESS_REMOTE_WRITE;
		break;
	case QP_RIGHTS:
		responder(b)->attr.access &= ~IB_UVERBS_ACCESS_REMOTE_WRITE;
		break;
	case NUM_WRONG:
		break;
	}
}

/* An invalid request is refused, and no memory is changed. */
START_TEST(refused)
{
	struct pair *pair = placement_pair(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct trace *trace = trace_on(pair);
	enum wrong wrong = _i;
	u8 before[64], after[64];

	pair_read(b, PAIR_MEMORY - 64, before, 64);
	spoil(wrong, pair, wrong < FIRST_ATOMIC_WRITE ?
				   flush(a, b, 1, IB_FLUSH_RANGE, DST, PAIR_MEMORY - DST) :
				   atomic_write(a, b, 1, AT, 9, true));
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

/* A range of no octets needs no key, as no other request of no octets does (IBA C9-99). */
START_TEST(flush_of_nothing)
{
	struct pair *pair = placement_pair(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];

	flush(a, b, 1, IB_FLUSH_RANGE, 0, 0)->rdma.rkey++;
	pair_post(a);
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	pair_free(pair);
}
END_TEST

#define ROUNDS 12

/* The n-th packet of requests or responses is lost; all ends as if it were not. */
START_TEST(lose_each_packet)
{
	struct pair *pair = placement_pair(services[_i / (2 * 4 * ROUNDS)]);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct trace *trace = trace_on(pair);
	unsigned int i;

	trace->lose = trace_lose_nth;
	trace->towards = _i % 2;
	trace->nth = _i / 2 % (4 * ROUNDS);
	pair_fill(a, SRC + 4096, 4096, 1);
	for (i = 0; i < ROUNDS; i++) {
		pair_rdma(a, b, 4 * i, IB_UVERBS_WR_RDMA_WRITE, HCA_WQE_SIGNALED,
			  SRC + 4096 + 100 * i, DST + 4096 + 100 * i, 100);
		flush(a, b, 4 * i + 1, i % 2 ? IB_FLUSH_MR : IB_FLUSH_RANGE, DST, 8192);
		a->qp->sq.ring->producer++;
		atomic_write(a, b, 4 * i + 2, AT, i + 1, true);
		a->qp->sq.ring->producer++;
		pair_rdma(a, b, 4 * i + 3, IB_UVERBS_WR_RDMA_READ,
			  HCA_WQE_SIGNALED | (i % 3 ? 0 : HCA_WQE_FENCE), SRC + 16 * i, AT, 8);
	}
	pair_wait(2000);
	for (i = 0; i < 4 * ROUNDS; i++)
		pair_expect(&a->send_cq, i, IB_WC_SUCCESS);
	ck_assert_uint_eq(get(b, AT), ROUNDS);
	ck_assert(pair_same(a, SRC + 4096, b, DST + 4096, 100 * ROUNDS));
	for (i = 0; i < ROUNDS; i++) /* the requests behind it may have been executed, too */
		ck_assert_uint_ge(get(a, SRC + 16 * i), i + 1);
	pair_free(pair);
}
END_TEST

static struct hca_headers header(struct pair *pair, u8 operation, u32 psn)
{
	struct pair_end *b = &pair->end[1];

	return (struct hca_headers){
		.lrh = { .lnh = IB_LNH_IBA_LOCAL, .dlid = 2, .slid = 1 },
		.bth = { .opcode = HCA_TRANSPORT_RC << 5 | operation,
			 .flags = HCA_BTH_MIGREQ,
			 .pkey = 0xffff,
			 .destqp = b->qp->qpn,
			 .psn = psn & HCA_PSN_MASK },
		.feth = { .placement = IB_FLUSH_GLOBAL },
		.reth = { .va = pair_addr(b, AT), .rkey = b->entry->key, .length = 8 },
	};
}

/*
 * A repeated request is answered, however old it is, and not executed again: what was written since
 * stays, and access rights may have changed.
 */
START_TEST(asked_again)
{
	struct pair *pair = placement_pair(&pair_rc);
	struct pair_end *b = &pair->end[1];
	struct trace *trace = trace_on(pair);
	u8 operation = _i ? IB_OPCODE_ATOMIC_WRITE : IB_OPCODE_FLUSH;
	u32 psn = pair_rc.psn[0], octets = _i ? 8 : 0, i;
	const struct traced *t;
	struct hca_headers h;
	u8 value[8];

	for (i = 0; i < HCA_MAX_RD_ATOMIC + 4; i++) {
		h = header(pair, operation, psn + i);
		trace_inject(pair, 1, &h, octets);
		memset(value, _i ? psn + i : 0, sizeof(value));
		ck_assert_uint_eq(!memcmp(value, &(u64){ get(b, AT) }, sizeof(value)), 1);
	}
	put(b, AT, 0x0123456789abcdef);
	b->entry->access &= ~(IB_UVERBS_ACCESS_FLUSH_GLOBAL | IB_UVERBS_ACCESS_REMOTE_WRITE);
	for (i = 0; i < HCA_MAX_RD_ATOMIC + 4; i++) {
		trace->n = 0;
		h = header(pair, operation, psn + i);
		trace_inject(pair, 1, &h, octets);
		t = trace_find(trace, 0, HCA_OPCODE(RC, RDMA_READ_RESPONSE_ONLY), 0);
		ck_assert_ptr_nonnull(t);
		ck_assert_uint_eq(t->h.bth.psn, (psn + i) & HCA_PSN_MASK);
		ck_assert_uint_eq(t->h.aeth.msn, HCA_MAX_RD_ATOMIC + 4);
		ck_assert_uint_eq(t->payload, 0);
		ck_assert_uint_eq(get(b, AT), 0x0123456789abcdef);
	}
	ck_assert_uint_eq(b->qp->common.state, IB_QPS_RTS);
	pair_free(pair);
}
END_TEST

/* Requests that no requester of ours sends. */
static const struct forged {
	u8 operation, placement, selectivity, payload;
	u32 length;
	u8 before; /* the operation of the packet before it, or 0 */
} forgeries[] = {
	{ IB_OPCODE_FLUSH, 0, IB_FLUSH_RANGE, 0, 8 },
	{ IB_OPCODE_FLUSH, 4, IB_FLUSH_RANGE, 0, 8 },
	{ IB_OPCODE_FLUSH, 8 | IB_FLUSH_GLOBAL, IB_FLUSH_MR, 0, 8 },
	{ IB_OPCODE_FLUSH, IB_FLUSH_GLOBAL, 2, 0, 8 },
	{ IB_OPCODE_FLUSH, IB_FLUSH_GLOBAL, 3, 0, 8 },
	{ IB_OPCODE_FLUSH, IB_FLUSH_GLOBAL, IB_FLUSH_RANGE, 0, (1u << 31) + 1 },
	{ IB_OPCODE_FLUSH, IB_FLUSH_GLOBAL, IB_FLUSH_MR, 0, 8, IB_OPCODE_RDMA_WRITE_FIRST },
	{ IB_OPCODE_ATOMIC_WRITE, 0, 0, 0, 8 },
	{ IB_OPCODE_ATOMIC_WRITE, 0, 0, 4, 8 },
	{ IB_OPCODE_ATOMIC_WRITE, 0, 0, 16, 8 },
	{ IB_OPCODE_ATOMIC_WRITE, 0, 0, 8, 0 },
	{ IB_OPCODE_ATOMIC_WRITE, 0, 0, 8, 16 },
	{ IB_OPCODE_ATOMIC_WRITE, 0, 0, 16, 16 },
	{ IB_OPCODE_ATOMIC_WRITE, 0, 0, 8, 8, IB_OPCODE_RDMA_WRITE_FIRST },
};

#define FORGERIES (int)(sizeof(forgeries) / sizeof(forgeries[0]))

START_TEST(forged_request)
{
	const struct forged *f = &forgeries[_i];
	const struct pair_qp how = { .type = IB_QPT_RC, .mtu = IB_MTU_256, .send_wr = 16,
				     .recv_wr = 16, .cqe = 64, .retry = 7, .rnr_retry = 7,
				     .timeout = 14, .rd_atomic = 4, .psn = { 5, 6 } };
	struct pair *pair = placement_pair(&how);
	struct pair_end *b = &pair->end[1];
	struct trace *trace = trace_on(pair);
	const struct traced *nak;
	struct hca_headers h;
	u32 psn = how.psn[0];

	if (f->before) {
		h = header(pair, f->before, psn++);
		h.reth.va = pair_addr(b, AT + 1024);
		h.reth.length = 600;
		trace_inject(pair, 1, &h, 256);
	}
	h = header(pair, f->operation, psn);
	h.feth.placement = f->placement;
	h.feth.selectivity = f->selectivity;
	h.reth.length = f->length;
	trace_inject(pair, 1, &h, f->payload);
	nak = trace_find(trace, 0, HCA_OPCODE(RC, ACKNOWLEDGE), 0);
	ck_assert_ptr_nonnull(nak);
	ck_assert_uint_eq(nak->h.aeth.syndrome, HCA_NAK_INVALID_REQUEST);
	ck_assert_uint_eq(nak->h.bth.psn, psn);
	ck_assert_uint_eq(b->events[HCA_QP_REQUEST_ERROR], 1);
	ck_assert_uint_eq(b->qp->common.state, IB_QPS_ERR);
	ck_assert_uint_eq(get(b, AT), 0);
	pair_free(pair);
}
END_TEST

static bool lose_requests(struct trace *trace, const struct traced *t)
{
	(void)trace;
	return t->receiver == 1;
}

/* A response that is not a Read response without payload ends the connection. */
START_TEST(forged_response)
{
	static const struct {
		u8 operation, payload;
	} responses[] = {
		{ IB_OPCODE_RDMA_READ_RESPONSE_ONLY, 8 },
		{ IB_OPCODE_RDMA_READ_RESPONSE_FIRST, 0 },
		{ IB_OPCODE_RDMA_READ_RESPONSE_MIDDLE, 0 },
		{ IB_OPCODE_RDMA_READ_RESPONSE_LAST, 0 },
		{ IB_OPCODE_ATOMIC_ACKNOWLEDGE, 0 },
	};
	struct pair *pair = placement_pair(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct trace *trace = trace_on(pair);
	struct hca_headers h;

	trace->lose = lose_requests;
	if (_i % 2)
		flush(a, b, 1, IB_FLUSH_RANGE, DST, 8);
	else
		atomic_write(a, b, 1, AT, 5, false);
	pair_post(a);
	pair_settle();
	h = header(pair, responses[_i / 2].operation, pair_rc.psn[0]);
	h.lrh.dlid = 1;
	h.lrh.slid = 2;
	h.bth.destqp = a->qp->qpn;
	h.aeth = (struct hca_aeth){ .syndrome = HCA_ACK_NO_CREDITS, .msn = 1 };
	trace_inject(pair, 0, &h, responses[_i / 2].payload);
	pair_expect(&a->send_cq, 1, IB_WC_BAD_RESP_ERR);
	pair_free(pair);
}
END_TEST

/* An acknowledgement of a later packet does not complete them: it says that responses were lost. */
START_TEST(implied_nak)
{
	struct pair *pair = placement_pair(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	u8 opcode = HCA_TRANSPORT_RC << 5 | (_i ? IB_OPCODE_FLUSH : IB_OPCODE_ATOMIC_WRITE);
	struct trace *trace = trace_on(pair);

	trace->lose = trace_lose_nth;
	trace->towards = 0;
	trace->nth = 0;
	if (_i)
		flush(a, b, 1, IB_FLUSH_RANGE, DST, 8);
	else
		atomic_write(a, b, 1, AT, 5, true);
	a->qp->sq.ring->producer++;
	pair_rdma(a, b, 2, IB_UVERBS_WR_RDMA_WRITE, HCA_WQE_SIGNALED, SRC, DST + 64, 100);
	pair_settle(); /* the clock stands still: the acknowledgement timeout does not help */
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	pair_expect(&a->send_cq, 2, IB_WC_SUCCESS);
	ck_assert_uint_eq(trace_count(trace, 1, opcode), 2);
	pair_free(pair);
}
END_TEST

static void compose_flush(struct pair_end *a, struct pair_end *b, int i)
{
	flush(a, b, i, IB_FLUSH_MR, DST, 8);
}

static void compose_placement(struct pair_end *a, struct pair_end *b, int i)
{
	if (i % 2)
		flush(a, b, i, IB_FLUSH_RANGE, DST, 8);
	else
		atomic_write(a, b, i, AT, i, true);
}

/* Outstanding requests are limited to the agreed depth; one that exceeds it is refused. */
START_TEST(depth)
{
	struct pair *pair = placement_pair(&pair_rc);
	struct pair_end *b = &pair->end[1];

	trace_expect_depth(trace_on(pair), pair, 1 + _i, compose_placement);
	ck_assert_uint_eq(get(b, AT), 38);
	trace_exceed_depth(pair, compose_flush);
	pair_free(pair);
}
END_TEST

/* A fenced request waits for a Flush and an Atomic Write (IBA C10-101). */
START_TEST(fence)
{
	struct pair *pair = placement_pair(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct trace *trace = trace_on(pair);

	trace->lose = trace_cut;
	trace->towards = 0;
	if (_i)
		flush(a, b, 1, IB_FLUSH_RANGE, DST, 8);
	else
		atomic_write(a, b, 1, AT, 5, true);
	a->qp->sq.ring->producer++;
	pair_rdma(a, b, 2, IB_UVERBS_WR_RDMA_WRITE, HCA_WQE_SIGNALED | HCA_WQE_FENCE, SRC, DST, 8);
	pair_settle();
	ck_assert_uint_eq(trace_count(trace, 1, HCA_OPCODE(RC, RDMA_WRITE_ONLY)), 0);
	trace->lose = NULL;
	pair_wait(2000);
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	pair_expect(&a->send_cq, 2, IB_WC_SUCCESS);
	pair_free(pair);
}
END_TEST

Suite *placement_suite(void)
{
	Suite *suite = suite_create("placement");
	TCase *tc = tcase_create("placement");

	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, flush_request, 0, 4);
	tcase_add_loop_test(tc, atomic_write_request, 0, 4);
	tcase_add_loop_test(tc, refused, 0, NUM_WRONG);
	tcase_add_test(tc, flush_of_nothing);
	tcase_add_loop_test(tc, lose_each_packet, 0, 2 * 2 * 4 * ROUNDS);
	tcase_add_loop_test(tc, asked_again, 0, 2);
	tcase_add_loop_test(tc, forged_request, 0, FORGERIES);
	tcase_add_loop_test(tc, forged_response, 0, 10);
	tcase_add_loop_test(tc, implied_nak, 0, 2);
	tcase_add_loop_test(tc, depth, 0, 4);
	tcase_add_loop_test(tc, fence, 0, 2);
	suite_add_tcase(suite, tc);
	return suite;
}
