// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The null MR: requests that name its key read zeroes, and discard what they would write. */
#include <check.h>
#include <string.h>
#include <linux/slab.h>
#include "tests/unit/fixture/trace.h"
#include "tests/unit/suites.h"
#include "tpt/entry.h"
#include "tpt/key.h"

static const struct pair_qp *const services[] = { &pair_rc, &pair_uc, &pair_rd, &pair_xrc };
static const u32 lengths[] = { 1, 256, 257, 1024, 5000, 20000 };

#define NUM_LENGTHS ARRAY_SIZE(lengths)
#define PART 100 /* octets of a real MR on each side of those of the null MR */

static void expect_all(struct pair_end *end, u32 offset, u32 length, u8 value)
{
	u8 got;

	for (; length; length--) {
		pair_read(end, offset++, &got, 1);
		ck_assert_uint_eq(got, value);
	}
}

static void set_all(struct pair_end *end, u32 offset, u32 length, u8 value)
{
	for (; length; length--)
		pair_write(end, offset++, &value, 1);
}

/* An SGE of the null MR, at an address that nobody else has. */
static void null_sge(struct pair_end *end, struct hca_send_wqe *wqe, u32 length)
{
	struct hca_sge *sge = (void *)((u8 *)wqe + HCA_SEND_WQE_HEADER);

	pair_sge(end, wqe, 0, length);
	sge[wqe->num_sge - 1].lkey = HCA_NULL_KEY;
	sge[wqe->num_sge - 1].addr = ~0ull - length;
}

static struct hca_send_wqe *rdma_wqe(struct pair_end *from, struct pair_end *to, u8 opcode)
{
	struct hca_send_wqe *wqe = pair_wqe(from, 1, opcode, HCA_WQE_SIGNALED);

	wqe->rdma.remote_addr = pair_addr(to, DST);
	wqe->rdma.rkey = to->entry->key;
	return wqe;
}

/* A Write of a real MR, the null MR, and the real one again. */
START_TEST(zeroes_are_read)
{
	const struct pair_qp *service = services[_i / NUM_LENGTHS];
	struct pair *pair = pair_new(service);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_send_wqe *wqe = rdma_wqe(a, b, IB_UVERBS_WR_RDMA_WRITE);
	u32 n = lengths[_i % NUM_LENGTHS];

	set_all(a, SRC, 2 * PART, 0x11);
	set_all(b, DST, n + 2 * PART + 1, 0x22);
	pair_sge(a, wqe, SRC, PART);
	null_sge(a, wqe, n);
	pair_sge(a, wqe, SRC, PART);
	pair_post(a);
	pair_settle();
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	expect_all(b, DST, PART, 0x11);
	expect_all(b, DST + PART, n, 0);
	expect_all(b, DST + PART + n, PART, 0x11);
	expect_all(b, DST + 2 * PART + n, 1, 0x22);
	pair_free(pair);
}
END_TEST

/* A Read into a real MR, the null MR, and the real one again. */
START_TEST(what_is_read_is_discarded)
{
	struct pair *pair = pair_new(_i < NUM_LENGTHS ? &pair_rc : &pair_rd);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_send_wqe *wqe = rdma_wqe(a, b, IB_UVERBS_WR_RDMA_READ);
	u32 n = lengths[_i % NUM_LENGTHS];

	pair_fill(b, DST, n + 2 * PART, 7);
	set_all(a, SRC, 3 * PART, 0x33);
	pair_sge(a, wqe, SRC, PART);
	null_sge(a, wqe, n);
	pair_sge(a, wqe, SRC + PART, PART);
	pair_post(a);
	pair_settle();
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	ck_assert(pair_same(a, SRC, b, DST, PART));
	ck_assert(pair_same(a, SRC + PART, b, DST + PART + n, PART));
	expect_all(a, SRC + 2 * PART, PART, 0x33);
	pair_free(pair);
}
END_TEST

static void null_recv(struct pair_end *end, u64 wr_id, u32 length)
{
	u32 key = end->entry->key;

	end->entry->key = HCA_NULL_KEY;
	pair_recv(end, wr_id, DST, length);
	end->entry->key = key;
}

/* From the null MR to it; no memory changes. */
static void null_to_null(struct pair_end *a, struct pair_end *b, u32 n)
{
	struct hca_send_wqe *wqe = pair_wqe(a, 1, IB_UVERBS_WR_SEND, HCA_WQE_SIGNALED);

	null_sge(a, wqe, n);
	null_recv(b, 2, n);
	pair_post(a);
	pair_settle();
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	pair_expect(&b->recv_cq, 2, IB_WC_SUCCESS);
}

START_TEST(messages)
{
	const struct pair_qp *service = services[_i / NUM_LENGTHS];
	struct pair *pair = pair_new(service);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	u32 n = lengths[_i % NUM_LENGTHS];
	struct hca_cqe cqe;

	set_all(b, DST, n, 0x44);
	null_to_null(a, b, n);
	null_recv(b, 3, n);
	pair_fill(a, SRC, n, 1);
	pair_send(a, 4, HCA_WQE_SIGNALED, SRC, n);
	pair_settle();
	pair_expect(&a->send_cq, 4, IB_WC_SUCCESS);
	ck_assert(pair_poll(&b->recv_cq, &cqe));
	ck_assert_uint_eq(cqe.status, IB_WC_SUCCESS);
	ck_assert_uint_eq(cqe.byte_len, n);
	expect_all(b, DST, n, 0x44);
	pair_free(pair);
}
END_TEST

/* The original value goes nowhere; the sum is there. */
START_TEST(atomic)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_send_wqe *wqe = rdma_wqe(a, b, IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD);
	u32 at = DST + 8 - (pair_addr(b, DST) & 7);
	u64 value = 35;

	pair_write(b, at, &value, 8);
	wqe->rdma.remote_addr = pair_addr(b, at);
	wqe->rdma.compare_add = 7;
	null_sge(a, wqe, 8);
	pair_post(a);
	pair_settle();
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	pair_read(b, at, &value, 8);
	ck_assert_uint_eq(value, 42);
	pair_free(pair);
}
END_TEST

/* No peer reaches the null MR, whatever it wants of it: it is not exposed as an R_Key. */
START_TEST(not_remote)
{
	static const u8 opcodes[] = { IB_UVERBS_WR_RDMA_WRITE, IB_UVERBS_WR_RDMA_READ,
				      IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD };
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0];

	pair_rdma_by_key(a, 1, opcodes[_i], HCA_NULL_KEY, 0, 8);
	pair_settle();
	pair_expect(&a->send_cq, 1, IB_WC_REM_ACCESS_ERR);
	pair_free(pair);
}
END_TEST

/* Keys of the null MR's slot that are others, and an octet beyond its last address. */
static const struct {
	u32 lkey;
	u64 addr;
} misuses[] = {
	{ 0, 0 },
	{ HCA_NULL_KEY + 1, 0 },
	{ HCA_NULL_KEY | 1u << 31, 0 },
	{ HCA_NULL_KEY, ~0ull - 7 },
};

static void send_of(struct pair_end *from, u32 lkey, u64 addr)
{
	struct hca_send_wqe *wqe = pair_wqe(from, 1, IB_UVERBS_WR_SEND, HCA_WQE_SIGNALED);
	struct hca_sge *sge = (void *)((u8 *)wqe + HCA_SEND_WQE_HEADER);

	null_sge(from, wqe, 8);
	sge->lkey = lkey;
	sge->addr = addr;
	pair_post(from);
}

/* Other keys of its slot are invalid; it is no MR for windows, or that could be invalidated. */
START_TEST(hostile)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0];
	enum ib_wc_status status = _i < 4 ? IB_WC_LOC_PROT_ERR : IB_WC_MW_BIND_ERR;
	struct hca_send_wqe *wqe;

	if (_i < 4) {
		send_of(a, misuses[_i].lkey, misuses[_i].addr);
	} else if (_i == 4) {
		pair_invalidate(a, 1, HCA_NULL_KEY);
	} else { /* a "window" that is the null MR */
		wqe = pair_wqe(a, 1, IB_UVERBS_WR_BIND_MW, HCA_WQE_SIGNALED);
		wqe->memory.key = HCA_NULL_KEY + 1;
		wqe->memory.lkey = a->entry->key;
		wqe->memory.addr = pair_addr(a, SRC);
		wqe->memory.length = 100;
		pair_post(a);
	}
	pair_settle();
	pair_expect(&a->send_cq, 1, status);
	ck_assert_uint_eq(a->ci->tpt.null.key, HCA_NULL_KEY);
	ck_assert_uint_ne(a->ci->tpt.null.generation, 0);
	ck_assert_uint_eq(refcount_read(&a->ci->tpt.null.users), 1);
	pair_free(pair);
}
END_TEST

/* A window cannot be bound to it. */
START_TEST(no_window)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0];
	struct hca_tpt_entry *window = kzalloc(sizeof(*window), GFP_KERNEL);
	struct hca_send_wqe *wqe = pair_wqe(a, 1, IB_UVERBS_WR_BIND_MW, HCA_WQE_SIGNALED);

	window->kind = HCA_TPT_MW_2;
	window->pd = a;
	ck_assert_int_eq(hca_tpt_entry_add(&a->ci->tpt, window), 0);
	wqe->memory.key = (window->key & ~0xffu) | ((window->key + 1) & 0xff);
	wqe->memory.lkey = HCA_NULL_KEY;
	wqe->memory.addr = 0;
	wqe->memory.length = 100;
	wqe->memory.access = IB_UVERBS_ACCESS_REMOTE_READ;
	pair_post(a);
	pair_settle();
	pair_expect(&a->send_cq, 1, IB_WC_MW_BIND_ERR);
	ck_assert_int_eq(hca_tpt_entry_remove(&a->ci->tpt, window), 0);
	pair_free(pair);
}
END_TEST

Suite *null_mr_suite(void)
{
	Suite *suite = suite_create("null_mr");
	TCase *tc = tcase_create("null_mr");

	tcase_add_loop_test(tc, zeroes_are_read, 0, ARRAY_SIZE(services) * NUM_LENGTHS);
	tcase_add_loop_test(tc, what_is_read_is_discarded, 0, 2 * NUM_LENGTHS);
	tcase_add_loop_test(tc, messages, 0, ARRAY_SIZE(services) * NUM_LENGTHS);
	tcase_add_test(tc, atomic);
	tcase_add_loop_test(tc, not_remote, 0, 3);
	tcase_add_loop_test(tc, hostile, 0, 6);
	tcase_add_test(tc, no_window);
	suite_add_tcase(suite, tc);
	return suite;
}
