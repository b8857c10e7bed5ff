// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Send with Invalidate: the message arrives, and a key of the receiver becomes invalid. */
#include <check.h>
#include <string.h>
#include <linux/slab.h>
#include "tests/unit/fixture/trace.h"
#include "tests/unit/suites.h"

/* Register another MR over the same memory. */
static struct hca_tpt_entry *second(struct pair_end *end, bool may_invalidate)
{
	struct hca_tpt_entry *entry = kmalloc(sizeof(*entry), GFP_KERNEL);

	memcpy(entry, end->entry, sizeof(*entry));
	entry->kind = may_invalidate ? HCA_TPT_FAST_MR : HCA_TPT_MR;
	ck_assert_int_eq(hca_tpt_entry_add(&end->ci->tpt, entry), 0);
	return entry;
}

static void send_with(struct pair_end *from, u64 wr_id, u32 rkey, u32 length)
{
	struct hca_send_wqe *wqe = pair_wqe(from, wr_id, IB_UVERBS_WR_SEND_WITH_INV,
					    HCA_WQE_SIGNALED);

	wqe->invalidate_rkey = rkey;
	pair_sge(from, wqe, SRC, length);
	pair_post(from);
}

static void write_by(struct pair_end *from, struct pair_end *to, u64 wr_id, u32 rkey)
{
	struct hca_send_wqe *wqe = pair_wqe(from, wr_id, IB_UVERBS_WR_RDMA_WRITE,
					    HCA_WQE_SIGNALED);

	wqe->rdma.remote_addr = pair_addr(to, DST);
	wqe->rdma.rkey = rkey;
	pair_sge(from, wqe, SRC, 100);
	pair_post(from);
}

static const u32 lengths[] = { 0, 1, 1024, 1025, 5000 };

/* R0-283, R0-341: the completion reports the key, which is invalid from then on. */
START_TEST(invalidated)
{
	struct pair *pair = pair_new(_i < ARRAY_SIZE(lengths) ? &pair_rc : &pair_xrc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_tpt_entry *entry = second(b, true);
	struct hca_cqe cqe;
	u32 n = lengths[_i % ARRAY_SIZE(lengths)];

	write_by(a, b, 1, entry->key);
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	pair_fill(a, SRC, n, 3);
	pair_recv(b, 7, DST, n);
	send_with(a, 2, entry->key, n);
	pair_expect(&a->send_cq, 2, IB_WC_SUCCESS);
	ck_assert(pair_poll(&b->recv_cq, &cqe));
	ck_assert_uint_eq(cqe.wr_id, 7);
	ck_assert_uint_eq(cqe.status, IB_WC_SUCCESS);
	ck_assert_uint_eq(cqe.byte_len, n);
	ck_assert_uint_eq(cqe.flags, HCA_CQE_RECV | HCA_CQE_WITH_INV);
	ck_assert_uint_eq(cqe.invalidated_rkey, entry->key);
	ck_assert(pair_same(a, SRC, b, DST, n));
	/* The other key of that memory is still valid. */
	write_by(a, b, 3, b->entry->key);
	pair_expect(&a->send_cq, 3, IB_WC_SUCCESS);
	write_by(a, b, 4, entry->key);
	pair_expect(&a->send_cq, 4, IB_WC_REM_ACCESS_ERR);
	hca_tpt_entry_remove(&b->ci->tpt, entry);
	pair_free(pair);
}
END_TEST

/*
 * R0-431: the key is invalidated after the data is delivered; then it is invalid for local access,
 * too.
 */
START_TEST(local_too)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_tpt_entry *entry = second(b, true), *own = b->entry;

	b->entry = entry;
	pair_recv(b, 1, DST, 100); /* the message goes to the MR that it invalidates */
	pair_recv(b, 2, DST, 100);
	b->entry = own;
	send_with(a, 1, entry->key, 100);
	send_with(a, 2, entry->key, 100);
	pair_settle();
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	pair_expect(&b->recv_cq, 1, IB_WC_SUCCESS);
	pair_expect(&b->recv_cq, 2, IB_WC_LOC_PROT_ERR);
	pair_expect(&a->send_cq, 2, IB_WC_REM_OP_ERR);
	hca_tpt_entry_remove(&b->ci->tpt, entry);
	pair_free(pair);
}
END_TEST

enum not_for_it {
	NOT_ALLOWED,
	OTHER_DOMAIN,
	NO_SUCH_KEY,
	LOCAL_RIGHTS_ONLY, /* R0-322 */
	NUM_NOT_FOR_IT,
};

/* R0-345, R0-346, R0-449: a message cannot invalidate any key whatever. */
START_TEST(refused)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_tpt_entry *entry = second(b, _i != NOT_ALLOWED);

	if (_i == OTHER_DOMAIN)
		entry->pd = a;
	if (_i == LOCAL_RIGHTS_ONLY)
		entry->access = IB_UVERBS_ACCESS_LOCAL_WRITE;
	pair_recv(b, 1, DST, 3000);
	pair_recv(b, 2, DST, 3000);
	send_with(a, 1, entry->key + (_i == NO_SUCH_KEY), 3000);
	pair_settle();
	pair_expect(&a->send_cq, 1, IB_WC_REM_ACCESS_ERR);
	pair_expect(&b->recv_cq, 1, IB_WC_REM_INV_REQ_ERR);
	ck_assert_uint_eq(b->events[HCA_QP_ACCESS_ERROR] + b->events[HCA_QP_REQUEST_ERROR], 0);
	pair_expect(&b->recv_cq, 2, IB_WC_WR_FLUSH_ERR);
	ck_assert(entry->generation);
	ck_assert_uint_eq(b->qp->common.state, IB_QPS_ERR);
	hca_tpt_entry_remove(&b->ci->tpt, entry);
	pair_free(pair);
}
END_TEST

/*
 * B4-049, B4-362: whichever packet is lost, the key is invalidated once, and the repetition is no
 * error.
 */
START_TEST(lose_each_packet)
{
	unsigned int nth;

	for (nth = 0; nth < 6; nth++) {
		struct pair *pair = pair_new(&pair_rc);
		struct pair_end *a = &pair->end[0], *b = &pair->end[1];
		struct hca_tpt_entry *entry = second(b, true);
		struct trace *trace = trace_on(pair);

		trace->lose = trace_lose_nth;
		trace->nth = nth;
		pair_recv(b, 1, DST, 3000);
		send_with(a, 1, entry->key, 3000);
		pair_wait(300);
		pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
		pair_expect(&b->recv_cq, 1, IB_WC_SUCCESS);
		ck_assert(!entry->generation);
		ck_assert_uint_eq(b->qp->common.state, IB_QPS_RTS);
		hca_tpt_entry_remove(&b->ci->tpt, entry);
		pair_free(pair);
	}
}
END_TEST

Suite *invalidate_suite(void)
{
	Suite *suite = suite_create("invalidate");
	TCase *tc = tcase_create("invalidate");

	tcase_add_loop_test(tc, invalidated, 0, 2 * ARRAY_SIZE(lengths));
	tcase_add_test(tc, local_too);
	tcase_add_loop_test(tc, refused, 0, NUM_NOT_FOR_IT);
	tcase_add_test(tc, lose_each_packet);
	suite_add_tcase(suite, tc);
	return suite;
}
