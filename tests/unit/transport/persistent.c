// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Flush to persistence (IBA annex A19): the octets that it names, and no others, are written back
 * before its response leaves, a little at a time.
 */
#include <check.h>
#include <string.h>
#include <linux/bottom_half.h>
#include "compat.h"
#include "engine/run.h"
#include "packet/batch.h"
#include "shim.h"
#include "tests/unit/fixture/trace.h"
#include "tests/unit/suites.h"
#include "transport/access.h"
#include "transport/flush.h"
#include "transport/iba_qp.h"
#include "transport/responses.h"

#define FLUSH IB_UVERBS_WR_FLUSH
/* DST rounded up to a multiple of 8; the MR's first octet is at an odd address. */
#define AT (DST + 8 - (u32)(pair_addr(b, DST) % 8))
#define AT_ONCE (HCA_MAX_BATCH * HCA_FLUSH_TURN)
#define BOTH (IB_FLUSH_GLOBAL | IB_FLUSH_PERSISTENT)
#define RIGHTS (IB_UVERBS_ACCESS_FLUSH_GLOBAL | IB_UVERBS_ACCESS_FLUSH_PERSISTENT)

/* The write-back of an end's memory, in the order of its addresses. */
static struct {
	struct pair_end *end;
	const struct trace *trace; /* of packets, none of which is a response yet; or NULL */
	u64 next; /* the address that is to be written back next */
	u64 octets;
} back;

static u64 get(struct pair_end *end, u32 offset)
{
	u64 value;

	pair_read(end, offset, &value, sizeof(value));
	return value;
}

static void wrote_back(void *addr, size_t size)
{
	ck_assert_ptr_eq(addr, hca_tpt_entry_map(back.end->entry, back.next));
	ck_assert_uint_le(offset_in_page(addr) + size, PAGE_SIZE);
	if (back.trace)
		ck_assert_uint_eq(trace_count(back.trace, 0, -1), 0);
	ck_assert_uint_eq(get(back.end, DST + 8 - (u32)(pair_addr(back.end, DST) % 8)), 0);
	back.next += size;
	back.octets += size;
}

static struct hca_eec *responder(struct pair_end *end)
{
	return hca_qp_eec(end->tgt ? end->tgt : end->qp);
}

/* A connected pair whose second end has persistent memory, of which @first is flushed first. */
static struct pair *persistent_pair(const struct pair_qp *how, u32 first)
{
	struct pair *pair = pair_new(how);
	struct pair_end *b = &pair->end[1];

	b->entry->access |= RIGHTS;
	responder(b)->attr.access |= RIGHTS;
	memset(&back, 0, sizeof(back));
	back.end = b;
	back.next = pair_addr(b, first);
	shim_on_write_back(wrote_back);
	return pair;
}

static void persistent_free(struct pair *pair)
{
	shim_on_write_back(NULL);
	pair_free(pair);
}

/* Compose a Flush and do not post it. */
static struct hca_send_wqe *flush(struct pair_end *from, struct pair_end *to, u64 wr_id,
				  u8 placement, u8 selectivity, u32 offset, u32 length)
{
	struct hca_send_wqe *wqe = pair_wqe(from, wr_id, FLUSH, HCA_WQE_SIGNALED);

	wqe->rdma.remote_addr = pair_addr(to, offset);
	wqe->rdma.rkey = to->entry->key;
	wqe->rdma.flush.length = length;
	wqe->rdma.flush.placement = placement;
	wqe->rdma.flush.selectivity = selectivity;
	return wqe;
}

/* Compose an Atomic Write, or an addition, to memory that is 0. */
static void change(struct pair_end *a, struct pair_end *b, u64 wr_id, bool add)
{
	struct hca_send_wqe *wqe = pair_wqe(a, wr_id, add ? IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD :
							    IB_UVERBS_WR_ATOMIC_WRITE,
					    HCA_WQE_SIGNALED);
	u64 value = 1;

	wqe->rdma.remote_addr = pair_addr(b, AT);
	wqe->rdma.rkey = b->entry->key;
	if (add) {
		wqe->rdma.compare_add = value;
		pair_sge(a, wqe, SRC, sizeof(value));
		return;
	}
	wqe->flags |= HCA_WQE_INLINE;
	wqe->inline_length = sizeof(value);
	memcpy((u8 *)wqe + HCA_SEND_WQE_HEADER, &value, sizeof(value));
}

static const struct pair_qp *const services[] = { &pair_rc, &pair_xrc };
static const u32 lengths[] = { 1, 4095, 4096, 4097, AT_ONCE - 1, AT_ONCE, AT_ONCE + 1, 300000 };

#define LENGTHS (int)(sizeof(lengths) / sizeof(lengths[0]))

/* Each octet of the range is written back, and one response says so. */
START_TEST(range)
{
	u32 length = lengths[_i / 4];
	struct pair *pair = persistent_pair(services[_i % 2], DST + 77);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];

	back.trace = trace_on(pair);
	flush(a, b, 1, _i / 2 % 2 ? BOTH : IB_FLUSH_PERSISTENT, IB_FLUSH_RANGE, DST + 77, length);
	pair_post(a);
	pair_settle();
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	ck_assert_uint_eq(back.octets, length);
	ck_assert_uint_eq(trace_count(back.trace, 0, -1), 1);
	persistent_free(pair);
}
END_TEST

/* A Flush of the whole MR ignores the address and the length. */
START_TEST(whole)
{
	struct pair *pair = persistent_pair(services[_i % 2], 0);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];

	back.trace = trace_on(pair);
	flush(a, b, 1, _i / 2 ? BOTH : IB_FLUSH_PERSISTENT, IB_FLUSH_MR, 2 * PAIR_MEMORY, 1);
	pair_post(a);
	pair_settle();
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	ck_assert_uint_eq(back.octets, PAIR_MEMORY);
	ck_assert_uint_eq(trace_count(back.trace, 0, -1), 1);
	persistent_free(pair);
}
END_TEST

/* Neither visibility, nor a range of no octets, nor a request that is refused writes back. */
START_TEST(nothing)
{
	struct pair *pair = persistent_pair(&pair_rc, 0);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];

	flush(a, b, 1, IB_FLUSH_GLOBAL, IB_FLUSH_MR, 0, 0);
	pair_post(a);
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	flush(a, b, 2, IB_FLUSH_PERSISTENT, IB_FLUSH_RANGE, 0, 0)->rdma.rkey++;
	pair_post(a);
	pair_expect(&a->send_cq, 2, IB_WC_SUCCESS);
	b->entry->access &= ~(_i % 2 ? IB_UVERBS_ACCESS_FLUSH_GLOBAL :
				       IB_UVERBS_ACCESS_FLUSH_PERSISTENT);
	flush(a, b, 3, BOTH, _i / 2 ? IB_FLUSH_MR : IB_FLUSH_RANGE, 0, 100);
	pair_post(a);
	pair_expect(&a->send_cq, 3, IB_WC_REM_ACCESS_ERR);
	ck_assert_uint_eq(back.octets, 0);
	persistent_free(pair);
}
END_TEST

static struct hca_headers header(struct pair *pair, u32 psn)
{
	struct pair_end *b = &pair->end[1];

	return (struct hca_headers){
		.lrh = { .lnh = IB_LNH_IBA_LOCAL, .dlid = 2, .slid = 1 },
		.bth = { .opcode = HCA_OPCODE(RC, FLUSH),
			 .flags = HCA_BTH_MIGREQ,
			 .pkey = 0xffff,
			 .destqp = b->qp->qpn,
			 .psn = psn & HCA_PSN_MASK },
		.feth = { .placement = IB_FLUSH_PERSISTENT, .selectivity = IB_FLUSH_MR },
		.reth = { .rkey = b->entry->key },
	};
}

/* Execute a Flush of the whole MR as the receiving half does, without the run behind it. */
static void execute(struct pair *pair)
{
	struct hca_eec *eec = responder(&pair->end[1]);
	struct hca_packet pkt = { .h = header(pair, eec->expected_psn), .packets = 1 };

	spin_lock(&eec->common->recv_lock);
	ck_assert_uint_eq(hca_flush_execute(eec, eec->qp, &pkt), HCA_SYNDROME_ACK);
	spin_unlock(&eec->common->recv_lock);
}

static enum hca_progress send_responses(struct hca_eec *eec, int *budget)
{
	enum hca_progress progress;

	spin_lock(&eec->common->send_lock);
	progress = hca_responses_send(eec, budget);
	spin_unlock(&eec->common->send_lock);
	return progress;
}

/* A packet, and a run, write back no more than their share. */
START_TEST(turns)
{
	struct pair *pair = persistent_pair(&pair_rc, 0);
	struct hca_eec *eec = responder(&pair->end[1]);
	struct trace *trace = trace_on(pair);
	u64 expected = AT_ONCE;
	int budget;

	local_bh_disable();
	execute(pair);
	ck_assert_uint_eq(back.octets, expected);
	for (; expected + 64 * HCA_FLUSH_TURN < PAIR_MEMORY; expected = back.octets) {
		budget = 64;
		ck_assert_int_eq(send_responses(eec, &budget), HCA_BUDGET);
		ck_assert_uint_eq(back.octets, expected + 64 * HCA_FLUSH_TURN);
		ck_assert_int_eq(budget, 0);
	}
	ck_assert_uint_eq(eec->pending, 1);
	ck_assert_uint_eq(eec->deferred, 1);
	ck_assert_uint_eq(trace->n, 0);
	hca_engine_run();
	local_bh_enable();
	pair_settle();
	ck_assert_uint_eq(back.octets, PAIR_MEMORY);
	ck_assert_uint_eq(eec->pending, 0);
	ck_assert_uint_eq(eec->deferred, 0);
	ck_assert_uint_eq(trace->n, 1);
	ck_assert_ptr_nonnull(trace_find(trace, 0, HCA_OPCODE(RC, RDMA_READ_RESPONSE_ONLY), 0));
	persistent_free(pair);
}
END_TEST

/* The key goes while memory is being written back: a NAK answers, and the connection ends. */
START_TEST(key_goes)
{
	struct pair *pair = persistent_pair(&pair_rc, 0);
	struct pair_end *b = &pair->end[1];
	struct trace *trace = trace_on(pair);
	const struct traced *nak;

	local_bh_disable();
	execute(pair);
	b->entry->access &= ~IB_UVERBS_ACCESS_FLUSH_PERSISTENT;
	hca_engine_run();
	local_bh_enable();
	pair_settle();
	ck_assert_uint_eq(back.octets, AT_ONCE);
	nak = trace_find(trace, 0, HCA_OPCODE(RC, ACKNOWLEDGE), 0);
	ck_assert_ptr_nonnull(nak);
	ck_assert_uint_eq(nak->h.aeth.syndrome, HCA_NAK_REMOTE_ACCESS);
	ck_assert_uint_eq(trace->n, 1);
	ck_assert_uint_eq(responder(b)->deferred, 0);
	ck_assert_uint_eq(b->qp->common.state, IB_QPS_ERR);
	ck_assert_uint_eq(b->events[HCA_QP_ACCESS_ERROR], 1);
	persistent_free(pair);
}
END_TEST

/*
 * An Atomic Write or an atomic behind a Flush is executed when all is written back, without being
 * sent again; wrote_back() sees that the memory is 0.
 */
START_TEST(before_atomics)
{
	struct pair *pair = persistent_pair(services[_i % 2], 0);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct trace *trace = trace_on(pair);
	u32 length = _i / 4 ? PAIR_MEMORY : AT_ONCE;

	flush(a, b, 1, IB_FLUSH_PERSISTENT, IB_FLUSH_RANGE, 0, length);
	a->qp->sq.ring->producer++;
	change(a, b, 2, _i / 2 % 2);
	pair_post(a);
	pair_settle();
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	pair_expect(&a->send_cq, 2, IB_WC_SUCCESS);
	ck_assert_uint_eq(back.octets, length);
	ck_assert_uint_eq(get(b, AT), 1);
	ck_assert_uint_eq(trace_count(trace, 1, -1), 2);
	ck_assert_uint_eq(trace_count(trace, 0, -1), 2);
	persistent_free(pair);
}
END_TEST

/* A repeated Flush is answered, and does not write back again. */
START_TEST(asked_again)
{
	struct pair *pair = persistent_pair(&pair_rc, 0);
	struct trace *trace = trace_on(pair);
	struct hca_headers h = header(pair, pair_rc.psn[0]);
	int i;

	for (i = 0; i < 3; i++)
		trace_inject(pair, 1, &h, 0);
	pair_settle();
	ck_assert_uint_eq(back.octets, PAIR_MEMORY);
	ck_assert_uint_eq(trace_count(trace, 0, HCA_OPCODE(RC, RDMA_READ_RESPONSE_ONLY)), 3);
	persistent_free(pair);
}
END_TEST

/* Responses stay in the order of requests: that of a Read comes behind that of a Flush. */
START_TEST(in_order)
{
	struct pair *pair = persistent_pair(&pair_rc, 0);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];

	back.trace = trace_on(pair);
	flush(a, b, 1, IB_FLUSH_PERSISTENT, IB_FLUSH_MR, 0, 0);
	a->qp->sq.ring->producer++;
	pair_rdma(a, b, 2, IB_UVERBS_WR_RDMA_READ, HCA_WQE_SIGNALED, SRC, AT, 8);
	pair_settle();
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	pair_expect(&a->send_cq, 2, IB_WC_SUCCESS);
	ck_assert_uint_eq(back.octets, PAIR_MEMORY);
	persistent_free(pair);
}
END_TEST

/* A queue pair that is reset while it writes back has nothing left to do. */
START_TEST(reset)
{
	struct pair *pair = persistent_pair(&pair_rc, 0);
	struct pair_end *b = &pair->end[1];
	struct hca_qp_attr attr = { .state = IB_QPS_RESET };

	local_bh_disable();
	execute(pair);
	local_bh_enable();
	ck_assert_int_eq(hca_qp_modify(b->qp, &attr, IB_QP_STATE), 0);
	pair_settle();
	ck_assert_uint_eq(back.octets, AT_ONCE);
	ck_assert_uint_eq(responder(b)->deferred, 0);
	persistent_free(pair);
}
END_TEST

Suite *persistent_suite(void)
{
	Suite *suite = suite_create("persistent");
	TCase *tc = tcase_create("persistent");

	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, range, 0, 4 * LENGTHS);
	tcase_add_loop_test(tc, whole, 0, 4);
	tcase_add_loop_test(tc, nothing, 0, 4);
	tcase_add_test(tc, turns);
	tcase_add_test(tc, key_goes);
	tcase_add_loop_test(tc, before_atomics, 0, 8);
	tcase_add_test(tc, asked_again);
	tcase_add_test(tc, in_order);
	tcase_add_test(tc, reset);
	suite_add_tcase(suite, tc);
	return suite;
}
