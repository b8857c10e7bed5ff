// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Fast registration: MRs of kernel consumers, made valid by one request and invalid by another. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <linux/bottom_half.h>
#include <linux/slab.h>
#include "compat.h"
#include "qp/wr.h"
#include "tests/unit/fixture/trace.h"
#include "tests/unit/suites.h"
#include "tpt/key.h"

#define PAGES 4
#define FIRST 1000 /* offset of the MR in its first page */
#define ADDR (0x5000000ull + FIRST)
#define BYTES (PAGES * (u32)PAGE_SIZE - FIRST)
#define RIGHTS (IB_UVERBS_ACCESS_LOCAL_WRITE | HCA_REMOTE_ACCESS)

static struct pair *fast_pair(void)
{
	struct pair_qp how = pair_rc;

	how.kernel = true;
	return pair_new(&how);
}

/* R0-291: map the pages of the end's own memory in another order, as a kernel consumer does. */
static struct hca_tpt_entry *fast_new(struct pair_end *end)
{
	struct hca_tpt_entry *entry = kzalloc(sizeof(*entry), GFP_KERNEL);
	u32 i;

	entry->kind = HCA_TPT_FAST_MR;
	entry->pd = end;
	entry->num_next_pages = PAGES;
	entry->page = calloc(PAGES, sizeof(*entry->page));
	entry->next_page = calloc(PAGES, sizeof(*entry->page));
	for (i = 0; i < PAGES; i++)
		entry->next_page[i] = end->entry->page[(PAGES - i) * 10];
	ck_assert_int_eq(hca_tpt_entry_add(&end->ci->tpt, entry), 0);
	ck_assert_uint_eq(entry->generation, 0);
	return entry;
}

static void fast_free(struct pair_end *end, struct hca_tpt_entry *entry)
{
	void **page = entry->page, **next = entry->next_page;

	ck_assert_int_eq(hca_tpt_entry_remove(&end->ci->tpt, entry), 0);
	free(page);
	free(next);
}

static struct hca_send_wqe *reg_wqe(struct pair_end *end, u64 wr_id, u32 key, u32 length)
{
	struct hca_send_wqe *wqe = pair_wqe(end, wr_id, IB_WR_REG_MR, HCA_WQE_SIGNALED);

	wqe->memory.key = key;
	wqe->memory.addr = ADDR;
	wqe->memory.length = length;
	wqe->memory.access = RIGHTS;
	return wqe;
}

/* The key that ib_update_fast_reg_key() makes: the low octet is the consumer's. */
static u32 next_key(const struct hca_tpt_entry *entry)
{
	return (entry->key & ~0xffu) | ((entry->key + 1) & 0xff);
}

/* Send a message from the MR's memory. */
static void send_of(struct pair_end *from, u64 wr_id, u32 lkey, u32 length)
{
	struct hca_send_wqe *wqe = pair_wqe(from, wr_id, IB_UVERBS_WR_SEND, HCA_WQE_SIGNALED);
	struct hca_sge *sge = (void *)((u8 *)wqe + HCA_SEND_WQE_HEADER);

	pair_sge(from, wqe, 0, length);
	sge->addr = ADDR;
	sge->lkey = lkey;
	pair_post(from);
}

static u8 octet(const struct hca_tpt_entry *entry, u32 offset)
{
	u32 at = FIRST + offset;

	return ((u8 *)entry->next_page[at / PAGE_SIZE])[at % PAGE_SIZE];
}

/* Any octet of the key, several pages, both directions. */
START_TEST(registered)
{
	struct pair *pair = fast_pair();
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_tpt_entry *entry = fast_new(b);
	u32 key = (entry->key & ~0xffu) | ((entry->key + 100) & 0xff), i; /* R0-006, R0-270 */
	struct hca_cqe cqe;
	u8 sent[BYTES], got[BYTES];

	reg_wqe(b, 1, key, BYTES); /* V3-248, V3-341 */
	pair_post(b);
	pair_settle();
	ck_assert(pair_poll(&b->send_cq, &cqe));
	ck_assert_uint_eq(cqe.status, IB_WC_SUCCESS); /* R0-304, R0-308 */
	ck_assert_uint_eq(cqe.opcode, IB_WC_REG_MR); /* R0-394 */
	pair_fill(a, SRC, BYTES, 3);
	pair_read(a, SRC, sent, BYTES);
	pair_rdma_by_key(a, 1, IB_UVERBS_WR_RDMA_WRITE, key, ADDR, BYTES); /* V3-247 */
	pair_settle();
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS); /* R0-305, R0-311 */
	for (i = 0; i < BYTES; i++)
		/* B4-280, B4-289 */
		ck_assert_uint_eq(octet(entry, i), sent[i]); /* R0-328, R0-330, V3-076, V3-243 */
	pair_fill(a, SRC, BYTES, 4);
	pair_rdma_by_key(a, 2, IB_UVERBS_WR_RDMA_READ, key, ADDR, BYTES);
	pair_settle();
	pair_expect(&a->send_cq, 2, IB_WC_SUCCESS);
	pair_read(a, SRC, got, BYTES);
	ck_assert_mem_eq(got, sent, BYTES);
	pair_rdma_by_key(a, 3, IB_UVERBS_WR_RDMA_READ, _i ? key : next_key(entry), ADDR + _i,
			 BYTES);
	pair_settle();
	pair_expect(&a->send_cq, 3, IB_WC_REM_ACCESS_ERR);
	fast_free(b, entry);
	pair_free(pair);
}
END_TEST

/* The MR is registered again and again, smaller and with another key. */
START_TEST(recycled)
{
	struct pair *pair = fast_pair();
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_tpt_entry *entry = fast_new(b);
	u32 i, key = entry->key;

	for (i = 0; i < 5; i++) {
		u32 length = BYTES - 500 * i;

		pair_fill(b, DST, 100, i);
		key = (key & ~0xffu) | ((key + 1) & 0xff);
		pair_recv(a, i, DST, BYTES);
		reg_wqe(b, 10 + i, key, length);
		pair_post(b);
		send_of(b, 20 + i, key, length);
		pair_invalidate(b, 30 + i, key); /* R0-443 */
		pair_invalidate(b, 40 + i, key); /* it is invalid already */
		pair_settle();
		pair_expect(&b->send_cq, 10 + i, IB_WC_SUCCESS); /* R0-342, V3-252, V3-345 */
		pair_expect(&b->send_cq, 20 + i, IB_WC_SUCCESS); /* R0-434 */
		pair_expect(&b->send_cq, 30 + i, IB_WC_SUCCESS);
		pair_expect(&b->send_cq, 40 + i, IB_WC_SUCCESS); /* R0-344 */
		pair_expect(&a->recv_cq, i, IB_WC_SUCCESS);
	}
	/* the length of the latest registration */
	ck_assert_uint_eq(entry->length, BYTES - 500 * 4);
	send_of(b, 50, key, 100);
	pair_settle();
	pair_expect(&b->send_cq, 50, IB_WC_LOC_PROT_ERR); /* R0-341, R0-343, R0-436 */
	fast_free(b, entry);
	pair_free(pair);
}
END_TEST

/*
 * R0-440, R0-087: a message in progress is sent completely before the MR becomes invalid, whatever
 * has to be repeated.
 */
START_TEST(waits_for_what_is_sent)
{
	struct pair *pair = fast_pair();
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_tpt_entry *entry = fast_new(b);
	struct trace *trace = trace_on(pair);
	u32 key = next_key(entry);

	trace->lose = trace_lose_nth;
	trace->nth = _i;
	pair_recv(a, 1, DST, BYTES);
	reg_wqe(b, 1, key, BYTES);
	pair_post(b);
	send_of(b, 2, key, BYTES);
	pair_invalidate(b, 3, key);
	pair_wait(300);
	pair_expect(&b->send_cq, 1, IB_WC_SUCCESS);
	pair_expect(&b->send_cq, 2, IB_WC_SUCCESS);
	pair_expect(&b->send_cq, 3, IB_WC_SUCCESS);
	pair_expect(&a->recv_cq, 1, IB_WC_SUCCESS);
	fast_free(b, entry);
	pair_free(pair);
}
END_TEST

enum unfit {
	VALID, /* R0-307, R0-438 */
	OTHER_PD, /* R0-061, R0-306 */
	KEY_ZERO, /* R0-306 */
	NO_MR,
	A_WINDOW, /* R0-306 */
	ORDINARY,
	NO_OCTETS,
	TOO_LONG, /* R0-308 */
	TOO_FEW_PAGES,
	NO_PAGES,
	MUCH_TOO_LONG,
	AROUND_THE_END,
	NOT_WRITABLE_HERE, /* B4-279, B4-284 */
	PERSISTENT,
	NUM_UNFIT,
};

/* R0-452: a registration with one defect fails, and changes nothing. */
START_TEST(not_registered)
{
	struct pair *pair = fast_pair();
	struct pair_end *b = &pair->end[1];
	struct hca_tpt_entry *entry = fast_new(b);
	struct hca_send_wqe *wqe;
	u32 generation;

	if (_i == VALID) {
		reg_wqe(b, 9, next_key(entry), BYTES);
		pair_post(b);
		pair_settle();
		pair_expect(&b->send_cq, 9, IB_WC_SUCCESS);
	}
	generation = entry->generation;
	wqe = reg_wqe(b, 1, next_key(entry), BYTES);
	switch ((enum unfit)_i) {
	case OTHER_PD:
		entry->pd = pair;
		break;
	case KEY_ZERO:
		wqe->memory.key = HCA_LOCAL_DMA_KEY;
		break;
	case NO_MR:
		wqe->memory.key = 0xffffff01;
		break;
	case PERSISTENT: /* nobody knows of what kind the pages are */
		wqe->memory.access |= IB_UVERBS_ACCESS_FLUSH_PERSISTENT;
		break;
	case A_WINDOW:
		entry->kind = HCA_TPT_MW_2;
		break;
	case ORDINARY:
		wqe->memory.key = b->entry->key;
		break;
	case NO_OCTETS:
		wqe->memory.length = 0;
		break;
	case TOO_LONG:
		wqe->memory.length++;
		break;
	case TOO_FEW_PAGES:
		entry->num_next_pages--;
		break;
	case NO_PAGES:
		entry->num_next_pages = 0;
		break;
	case MUCH_TOO_LONG:
		wqe->memory.length = ~0ull;
		break;
	case AROUND_THE_END:
		wqe->memory.addr = -1000ull;
		wqe->memory.length = 2000;
		break;
	case NOT_WRITABLE_HERE:
		wqe->memory.access = IB_UVERBS_ACCESS_REMOTE_WRITE;
		break;
	default:
		break;
	}
	pair_post(b);
	pair_settle();
	pair_expect(&b->send_cq, 1, IB_WC_MW_BIND_ERR);
	ck_assert_uint_eq(b->qp->common.state, IB_QPS_ERR);
	ck_assert_uint_eq(entry->generation, generation);
	fast_free(b, entry);
	pair_free(pair);
}
END_TEST

/*
 * R0-027, R0-513, R0-116, R0-310: a process may write any request into its ring, but cannot name
 * pages in it.
 */
START_TEST(not_for_processes)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *b = &pair->end[1];
	struct hca_tpt_entry *entry = fast_new(b);

	reg_wqe(b, 1, next_key(entry), BYTES);
	pair_post(b);
	pair_settle();
	pair_expect(&b->send_cq, 1, IB_WC_LOC_QP_OP_ERR);
	ck_assert_uint_eq(entry->generation, 0);
	fast_free(b, entry);
	pair_free(pair);
}
END_TEST

/* R0-345: an MR cannot be invalidated while a window is bound to it. */
START_TEST(with_a_window)
{
	struct pair *pair = fast_pair();
	struct pair_end *b = &pair->end[1];
	struct hca_tpt_entry *entry = fast_new(b);
	u32 key = next_key(entry);

	reg_wqe(b, 1, key, BYTES);
	pair_post(b);
	pair_settle();
	pair_expect(&b->send_cq, 1, IB_WC_SUCCESS);
	entry->windows = 1;
	pair_invalidate(b, 2, key);
	pair_settle();
	pair_expect(&b->send_cq, 2, IB_WC_MW_BIND_ERR);
	ck_assert(entry->generation);
	entry->windows = 0;
	fast_free(b, entry);
	pair_free(pair);
}
END_TEST

/*
 * A packet that refers to the MR's earlier memory is dropped; it does not carry the present memory.
 */
START_TEST(generations)
{
	struct pair *pair = fast_pair();
	struct pair_end *b = &pair->end[1];
	struct hca_tpt_entry *entry = fast_new(b);
	const struct hca_binding binding = {
		.pd = b,
		.key = entry->key,
		.access = RIGHTS,
		.addr = ADDR,
		.length = BYTES,
	};
	u32 before;

	local_bh_disable();
	ck_assert(!hca_key_register(&b->ci->tpt, &binding));
	before = entry->generation;
	/* generations wrap to the first one, and skip 0 */
	b->ci->tpt.generation = _i ? ~0u : before;
	ck_assert(!hca_key_invalidate(&b->ci->tpt, entry->key, b, 0, false));
	ck_assert_ptr_null(hca_tpt_entry_get_generation(&b->ci->tpt, entry->key, before));
	ck_assert_ptr_null(hca_tpt_entry_get_generation(&b->ci->tpt, entry->key, 0));
	ck_assert(!hca_key_register(&b->ci->tpt, &binding));
	ck_assert(entry->generation);
	if (!_i)
		ck_assert_ptr_null(hca_tpt_entry_get_generation(&b->ci->tpt, entry->key, before));
	local_bh_enable();
	fast_free(b, entry);
	pair_free(pair);
}
END_TEST

/* T0-060, R0-287, R0-331: the first octet has address 0, wherever it is in its page. */
START_TEST(zero_based)
{
	static const struct {
		u64 addr;
		u32 length;
		bool ok;
	} accesses[] = {
		{ 0, BYTES, true },
		{ BYTES - 1, 1, true },
		{ BYTES, 1, false },
		{ 1, BYTES, false },
		{ ADDR, 1, false },
		{ ~0ull, 1, false },
	};
	struct pair *pair = fast_pair();
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_tpt_entry *entry = fast_new(b);
	u32 i;

	reg_wqe(b, 1, next_key(entry), BYTES)->memory.access |= IB_UVERBS_ACCESS_ZERO_BASED;
	pair_post(b);
	pair_settle();
	pair_expect(&b->send_cq, 1, IB_WC_SUCCESS);
	pair_fill(a, SRC, BYTES, 3);
	pair_rdma_by_key(a, 2, IB_UVERBS_WR_RDMA_READ, entry->key, accesses[_i].addr,
			 accesses[_i].length);
	pair_settle();
	pair_expect(&a->send_cq, 2, accesses[_i].ok ? IB_WC_SUCCESS : IB_WC_REM_ACCESS_ERR);
	for (i = 0; accesses[_i].ok && i < accesses[_i].length; i++) {
		u8 got;

		pair_read(a, SRC + i, &got, 1);
		ck_assert_uint_eq(got, octet(entry, accesses[_i].addr + i));
	}
	fast_free(b, entry);
	pair_free(pair);
}
END_TEST

Suite *fast_mr_suite(void)
{
	Suite *suite = suite_create("fast_mr");
	TCase *tc = tcase_create("fast_region");

	tcase_add_loop_test(tc, zero_based, 0, 6);
	tcase_add_loop_test(tc, registered, 0, 2);
	tcase_add_test(tc, recycled);
	tcase_add_loop_test(tc, waits_for_what_is_sent, 0, 20);
	tcase_add_loop_test(tc, not_registered, 0, NUM_UNFIT);
	tcase_add_test(tc, not_for_processes);
	tcase_add_test(tc, with_a_window);
	tcase_add_loop_test(tc, generations, 0, 2);
	suite_add_tcase(suite, tc);
	return suite;
}
