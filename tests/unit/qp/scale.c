// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Thousands of objects of an adapter at a time. */
#include <check.h>
#include <stdlib.h>
#include <linux/err.h>
#include <linux/slab.h>
#include "tests/consumer/consumer.h"
#include "tests/unit/fixture/trace.h"
#include "tests/unit/suites.h"

#define CONNECTIONS 2048
#define WINDOWS 1000
#define BYTES 100

/* Queue pair @i of an end, its CQ and its MR. */
struct object {
	struct hca_cq cq;
	struct hca_qp *qp;
	struct hca_tpt_entry *mr;
};

static struct object objects[2][CONNECTIONS];

static void make(struct pair_end *end, struct object *o)
{
	struct hca_qp_init init = {
		.type = IB_QPT_RC,
		.max_send_wr = 1,
		.max_recv_wr = 1,
		.max_send_sge = 1,
		.max_recv_sge = 1,
		.pd = end,
		.send_cq = &o->cq,
		.recv_cq = &o->cq,
		.owner = end,
		.context = end,
	};

	o->cq = (struct hca_cq){ .notify = end->send_cq.notify, .error = end->send_cq.error,
				 .context = end };
	ck_assert_int_eq(hca_cq_init(&o->cq, 4, false), 0);
	o->qp = consumer_create_qp(end->ci, &init);
	ck_assert(!IS_ERR(o->qp));
	o->mr = consumer_reg_mr(end->ci, end->entry);
	ck_assert_ptr_nonnull(o->mr);
}

static void destroy(struct pair_end *end, struct object *o)
{
	hca_qp_destroy(o->qp);
	hca_cq_destroy(&o->cq);
	ck_assert_int_eq(hca_tpt_entry_remove(&end->ci->tpt, o->mr), 0);
}

/* One message from a to b, from and to memory by the keys of MRs of their own. */
static void message(struct pair *pair, unsigned int i)
{
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_tpt_entry *own[] = { a->entry, b->entry };
	struct hca_cqe cqe;

	a->qp = objects[0][i].qp;
	b->qp = objects[1][i].qp;
	a->entry = objects[0][i].mr;
	b->entry = objects[1][i].mr;
	pair_recv(b, i, DST + i * BYTES, BYTES);
	pair_send(a, i, HCA_WQE_SIGNALED, SRC + i * BYTES, BYTES);
	pair_settle();
	pair_expect(&objects[0][i].cq, i, IB_WC_SUCCESS);
	ck_assert(pair_poll(&objects[1][i].cq, &cqe));
	ck_assert_uint_eq(cqe.wr_id, i);
	ck_assert_uint_eq(cqe.status, IB_WC_SUCCESS);
	ck_assert_uint_eq(cqe.qp_num, b->qp->qpn);
	a->entry = own[0];
	b->entry = own[1];
}

static int by_value(const void *a, const void *b)
{
	u32 x = *(const u32 *)a, y = *(const u32 *)b;

	return (x > y) - (x < y);
}

static void expect_different(unsigned int end)
{
	static u32 number[CONNECTIONS];
	unsigned int i;

	for (i = 0; i < CONNECTIONS; i++)
		number[i] = objects[end][i].qp->qpn;
	qsort(number, CONNECTIONS, sizeof(number[0]), by_value);
	for (i = 1; i < CONNECTIONS; i++)
		ck_assert_uint_ne(number[i], number[i - 1]);
}

/* B4-037, R0-005, R0-118, T0-148: as many queue pairs, CQs and MRs; each connection delivers. */
START_TEST(connections)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_qp *own[] = { a->qp, b->qp };
	unsigned int i;

	for (i = 0; i < CONNECTIONS; i++) {
		make(a, &objects[0][i]);
		make(b, &objects[1][i]);
		pair_connect(objects[0][i].qp, &pair_rc, objects[1][i].qp->qpn, 2, i, i);
		pair_connect(objects[1][i].qp, &pair_rc, objects[0][i].qp->qpn, 1, i, i);
	}
	expect_different(0);
	expect_different(1);
	pair_fill(a, SRC, CONNECTIONS * BYTES, 1);
	for (i = 0; i < CONNECTIONS; i++)
		message(pair, i * 101 % CONNECTIONS);
	ck_assert(pair_same(a, SRC, b, DST, CONNECTIONS * BYTES));
	a->qp = own[0];
	b->qp = own[1];
	for (i = 0; i < CONNECTIONS; i++) {
		destroy(a, &objects[0][i]);
		destroy(b, &objects[1][i]);
	}
	pair_free(pair);
}
END_TEST

static struct hca_tpt_entry *windows[WINDOWS];

static void bind(struct pair_end *end, u64 wr_id, struct hca_tpt_entry *window, u32 access)
{
	struct hca_send_wqe *wqe = pair_wqe(end, wr_id, IB_UVERBS_WR_BIND_MW, HCA_WQE_SIGNALED);

	wqe->memory.key = (window->key & ~0xffu) | ((window->key + 1) & 0xff);
	wqe->memory.lkey = end->entry->key;
	wqe->memory.addr = pair_addr(end, DST + wr_id);
	wqe->memory.length = BYTES;
	wqe->memory.access = access;
	pair_post(end);
}

/* R0-353, R0-354, R0-366: windows, new ones invalid, bound to one MR by one queue pair, overlap. */
START_TEST(windows_of_one)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	unsigned int i;

	b->entry->access |= IB_UVERBS_ACCESS_MW_BIND;
	pair_fill(a, SRC, BYTES, 7);
	for (i = 0; i < WINDOWS; i++) {
		windows[i] = kzalloc(sizeof(*windows[i]), GFP_KERNEL);
		windows[i]->kind = HCA_TPT_MW_2;
		windows[i]->pd = b;
		ck_assert_int_eq(hca_tpt_entry_add(&b->ci->tpt, windows[i]), 0);
		ck_assert_uint_eq(windows[i]->generation, 0);
		bind(b, i, windows[i],
		     i % 2 ? IB_UVERBS_ACCESS_REMOTE_READ : IB_UVERBS_ACCESS_REMOTE_WRITE);
		pair_expect(&b->send_cq, i, IB_WC_SUCCESS);
	}
	ck_assert_uint_eq(b->entry->windows, WINDOWS);
	for (i = 0; i < WINDOWS; i++) {
		pair_rdma_by_key(a, i, i % 2 ? IB_UVERBS_WR_RDMA_READ : IB_UVERBS_WR_RDMA_WRITE,
				 windows[i]->key, pair_addr(b, DST + i), BYTES);
		pair_settle();
		pair_expect(&a->send_cq, i, IB_WC_SUCCESS);
		if (i % 2 == 0)
			ck_assert(pair_same(a, SRC, b, DST + i, BYTES));
	}
	for (i = 0; i < WINDOWS; i++)
		ck_assert_int_eq(hca_tpt_entry_remove(&b->ci->tpt, windows[i]), 0);
	ck_assert_uint_eq(b->entry->windows, 0);
	pair_free(pair);
}
END_TEST

/* R0-353: the key of a window that was never bound is refused. */
START_TEST(window_not_bound)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_tpt_entry *window = kzalloc(sizeof(*window), GFP_KERNEL);

	window->kind = _i ? HCA_TPT_MW_2 : HCA_TPT_MW_1;
	window->pd = b;
	ck_assert_int_eq(hca_tpt_entry_add(&b->ci->tpt, window), 0);
	pair_rdma_by_key(a, 1, IB_UVERBS_WR_RDMA_WRITE, window->key, pair_addr(b, DST), BYTES);
	pair_settle();
	pair_expect(&a->send_cq, 1, IB_WC_REM_ACCESS_ERR);
	ck_assert_int_eq(hca_tpt_entry_remove(&b->ci->tpt, window), 0);
	pair_free(pair);
}
END_TEST

Suite *scale_suite(void)
{
	Suite *suite = suite_create("scale");
	TCase *tc = tcase_create("scale");

	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, connections);
	tcase_add_test(tc, windows_of_one);
	tcase_add_loop_test(tc, window_not_bound, 0, 2);
	suite_add_tcase(suite, tc);
	return suite;
}
