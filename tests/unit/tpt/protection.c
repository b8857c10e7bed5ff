// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Memory regions: each way to use one, and each reason for which that is refused. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <linux/slab.h>
#include "tests/consumer/consumer.h"
#include "tests/unit/fixture/trace.h"
#include "tests/unit/suites.h"

#define LENGTH 2000 /* of the MR that is tried */
#define BYTES 900 /* of a message: one packet */
#define AROUND (LENGTH + 2 * BYTES) /* what is compared: the MR, and octets around it */
#define LW IB_UVERBS_ACCESS_LOCAL_WRITE
#define RW IB_UVERBS_ACCESS_REMOTE_WRITE
#define RR IB_UVERBS_ACCESS_REMOTE_READ
#define RA IB_UVERBS_ACCESS_REMOTE_ATOMIC

/* How a message of end 0 to end 1 uses the MR. */
static const struct use {
	u8 opcode;
	bool of_receiver; /* the MR is that of end 1 */
	bool remote; /* a packet names it, not a work request */
	u32 right; /* that it takes */
	u32 length;
	u8 status; /* of the request if it is refused */
} uses[] = {
	{ IB_UVERBS_WR_SEND, false, false, 0, BYTES, IB_WC_LOC_PROT_ERR },
	{ IB_UVERBS_WR_RDMA_WRITE, false, false, 0, BYTES, IB_WC_LOC_PROT_ERR }, /* R0-387 */
	{ IB_UVERBS_WR_RDMA_READ, false, false, LW, BYTES, IB_WC_LOC_PROT_ERR },
	{ IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD, false, false, LW, 8, IB_WC_LOC_PROT_ERR },
	{ IB_UVERBS_WR_SEND, true, false, LW, BYTES, IB_WC_REM_OP_ERR }, /* R0-316 */
	/* R0-319, R0-389 */
	{ IB_UVERBS_WR_RDMA_WRITE, true, true, RW, BYTES, IB_WC_REM_ACCESS_ERR },
	/* R0-320, R0-389 */
	{ IB_UVERBS_WR_RDMA_READ, true, true, RR, BYTES, IB_WC_REM_ACCESS_ERR },
	{ IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD, true, true, RA, 8, IB_WC_REM_ACCESS_ERR },
};

enum fault {
	FINE,
	LAST_OCTET, /* fine, too */
	OTHER_PD, /* B4-298, R0-059 */
	WITHOUT_RIGHT, /* B4-276, R0-312, R0-317 */
	BEFORE, /* B4-282 */
	BEHIND, /* B4-282 */
	WRAPS, /* R0-327 */
	GONE, /* B4-278, R0-285 */
	NUM_FAULTS,
};

/* The MR, and how a request names it. */
static struct {
	struct pair *pair;
	struct pair_end *a, *b, *of;
	struct hca_tpt_entry *mr;
	u32 key, length;
	u64 addr;
	u8 before[2][AROUND];
} t;

/* Octets of the end's memory from DST on, beginning at a multiple of 8. */
static u32 at(const struct pair_end *end)
{
	return DST + 8 - (u32)(pair_addr(end, DST) % 8);
}

static struct hca_tpt_entry part_of(struct pair_end *end, u32 access)
{
	struct hca_tpt_entry mr = *end->entry;
	u32 offset = mr.first_offset + at(end);

	mr.page += offset / PAGE_SIZE;
	mr.first_offset = offset % PAGE_SIZE;
	mr.iova = pair_addr(end, at(end));
	mr.length = LENGTH;
	mr.access = access;
	return mr;
}

/* Only the right that it takes, so that no other one can stand for it. */
static u32 rights(const struct use *use, enum fault fault)
{
	if (fault == WITHOUT_RIGHT)
		return (LW | RW | RR | RA) & ~use->right;
	return use->right | (use->right & (RW | RA) ? LW : 0);
}

static void begin(const struct use *use, enum fault fault)
{
	u32 step = use->length == 8 ? 8 : 1;
	struct hca_tpt_entry mr;

	t.pair = pair_new(&pair_rc);
	t.a = &t.pair->end[0];
	t.b = &t.pair->end[1];
	t.of = use->of_receiver ? t.b : t.a;
	mr = part_of(t.of, rights(use, fault));
	if (fault == OTHER_PD)
		mr.pd = &t;
	t.mr = consumer_reg_mr(t.of->ci, &mr);
	ck_assert_ptr_nonnull(t.mr); /* R0-293 */
	t.key = t.mr->key;
	t.length = use->length;
	t.addr = mr.iova + 8;
	if (fault == LAST_OCTET)
		t.addr = mr.iova + LENGTH - use->length;
	if (fault == BEFORE)
		t.addr = mr.iova - step;
	if (fault == BEHIND)
		t.addr = mr.iova + LENGTH - use->length + step;
	if (fault == WRAPS)
		t.addr = -(u64)step;
	if (fault == GONE) {
		ck_assert_int_eq(hca_tpt_entry_remove(&t.of->ci->tpt, t.mr), 0);
		t.mr = NULL;
	}
	pair_fill(t.a, DST - BYTES, AROUND, 1);
	pair_fill(t.b, DST - BYTES, AROUND, 2);
	pair_read(t.a, DST - BYTES, t.before[0], AROUND);
	pair_read(t.b, DST - BYTES, t.before[1], AROUND);
}

static void end(void)
{
	if (t.mr)
		ck_assert_int_eq(hca_tpt_entry_remove(&t.of->ci->tpt, t.mr), 0);
	pair_free(t.pair);
}

static bool unchanged(struct pair_end *of)
{
	u8 now[AROUND];

	pair_read(of, DST - BYTES, now, AROUND);
	return !memcmp(now, t.before[of - t.pair->end], AROUND);
}

static void name(struct hca_sge *sge)
{
	sge->addr = t.addr;
	sge->length = t.length;
	sge->lkey = t.key;
}

static void run(const struct use *use)
{
	struct hca_send_wqe *wqe;

	pair_recv(t.b, 1, at(t.b), t.length);
	if (use->of_receiver && !use->remote)
		name(((struct hca_recv_wqe *)hca_queue_entry(&t.b->qp->rq, 0))->sge);
	wqe = pair_wqe(t.a, 2, use->opcode, HCA_WQE_SIGNALED);
	wqe->rdma.remote_addr = use->remote ? t.addr : pair_addr(t.b, at(t.b));
	wqe->rdma.rkey = use->remote ? t.key : t.b->entry->key;
	pair_sge(t.a, wqe, at(t.a), t.length);
	if (!use->of_receiver)
		name((void *)((u8 *)wqe + HCA_SEND_WQE_HEADER));
	pair_post(t.a);
	pair_settle();
}

static void expect_refused(const struct use *use)
{
	pair_expect(&t.a->send_cq, 2, use->status); /* R0-451 */
	ck_assert_uint_eq(t.a->qp->common.state, IB_QPS_ERR);
	if (use->of_receiver && !use->remote)
		pair_expect(&t.b->recv_cq, 1, IB_WC_LOC_PROT_ERR); /* R0-448 */
	ck_assert_uint_eq(t.b->events[HCA_QP_ACCESS_ERROR], use->remote); /* R0-465 */
	ck_assert(unchanged(t.a) && unchanged(t.b));
}

/*
 * R0-269, R0-336: the PD, the right and the bounds, to the octet; what is refused moves no octet.
 * B4-283, R0-315: sources need no right, as local read cannot be denied.
 */
START_TEST(used)
{
	const struct use *use = &uses[_i];
	enum fault fault;

	for (fault = 0; fault < NUM_FAULTS; fault++) {
		if (fault == WITHOUT_RIGHT && !use->right)
			continue;
		begin(use, fault);
		run(use);
		if (fault > LAST_OCTET) {
			expect_refused(use);
		} else {
			pair_expect(&t.a->send_cq, 2, IB_WC_SUCCESS);
			ck_assert(!unchanged(t.a) || !unchanged(t.b));
		}
		end();
	}
}
END_TEST

/* B4-285, B4-298, B4-299, R0-273, R0-514: each bit of a key counts. */
START_TEST(each_bit_of_a_key)
{
	const struct use *use = &uses[_i];
	unsigned int bit;

	for (bit = 0; bit < 32; bit++) {
		begin(use, FINE);
		t.key ^= 1u << bit;
		run(use);
		expect_refused(use);
		end();
	}
}
END_TEST

/* R0-337, R0-402, R0-442: of no octets nothing is checked, and an RDMA Read goes to the peer. */
START_TEST(no_octets)
{
	const struct use *use = &uses[_i];
	struct trace *trace;
	enum fault fault;

	for (fault = 0; fault < NUM_FAULTS && use->length != 8; fault++) {
		begin(use, fault);
		trace = trace_on(t.pair);
		t.key ^= 0x5500;
		t.length = 0;
		run(use);
		pair_expect(&t.a->send_cq, 2, IB_WC_SUCCESS);
		ck_assert_uint_eq(trace_count(trace, 1, -1), 1);
		ck_assert_uint_eq(trace_count(trace, 0, -1), 1);
		ck_assert(unchanged(t.a) && unchanged(t.b));
		end();
	}
}
END_TEST

/*
 * B4-291, R0-324, R0-339, R0-348: several MRs of the same memory have different keys, rights and
 * PDs, and one that is deregistered leaves the others.
 */
START_TEST(overlapping)
{
	const struct use *write = &uses[5], *read = &uses[6];
	struct hca_tpt_entry mr, *only_read, *foreign;
	const struct use *use = _i ? read : write;

	begin(write, FINE);
	mr = part_of(t.b, RR);
	only_read = consumer_reg_mr(t.b->ci, &mr);
	mr.pd = &t;
	foreign = consumer_reg_mr(t.b->ci, &mr);
	ck_assert_uint_ne(only_read->key >> 8, t.key >> 8);
	ck_assert_uint_ne(only_read->key >> 8, foreign->key >> 8);
	ck_assert_int_eq(hca_tpt_entry_remove(&t.b->ci->tpt, foreign), 0);
	if (_i == 1) {
		ck_assert_int_eq(hca_tpt_entry_remove(&t.b->ci->tpt, t.mr), 0);
		t.mr = only_read;
		t.key = only_read->key;
	} else {
		ck_assert_int_eq(hca_tpt_entry_remove(&t.b->ci->tpt, only_read), 0);
	}
	run(use);
	if (_i < 2)
		pair_expect(&t.a->send_cq, 2, IB_WC_SUCCESS);
	else
		expect_refused(use); /* the right that it takes was the other MR's */
	end();
}
END_TEST

static u8 kernel_memory[2][BYTES];

/*
 * R0-276, R0-277: a kernel consumer sends from all memory and receives into it, without a
 * protection domain. R0-278, R0-282: no peer can. R0-275, R0-281: no MR has that key.
 */
START_TEST(all_memory)
{
	struct pair_qp how = pair_rc;
	struct hca_send_wqe *wqe;
	struct hca_recv_wqe *recv;
	struct hca_sge *sge;
	u32 i;

	how.kernel = true;
	t.pair = pair_new(&how);
	t.a = &t.pair->end[0];
	t.b = &t.pair->end[1];
	for (i = 0; i < BYTES; i++)
		kernel_memory[0][i] = i * 7 + 1;
	memset(kernel_memory[1], 0, BYTES);
	pair_recv(t.b, 1, DST, BYTES);
	recv = hca_queue_entry(&t.b->qp->rq, 0);
	recv->sge[0].addr = (uintptr_t)kernel_memory[1];
	recv->sge[0].lkey = HCA_LOCAL_DMA_KEY;
	wqe = pair_wqe(t.a, 2, IB_UVERBS_WR_SEND, HCA_WQE_SIGNALED);
	pair_sge(t.a, wqe, SRC, BYTES);
	sge = (void *)((u8 *)wqe + HCA_SEND_WQE_HEADER);
	sge->addr = (uintptr_t)kernel_memory[0];
	sge->lkey = HCA_LOCAL_DMA_KEY;
	pair_post(t.a);
	pair_settle();
	pair_expect(&t.a->send_cq, 2, IB_WC_SUCCESS);
	pair_expect(&t.b->recv_cq, 1, IB_WC_SUCCESS);
	ck_assert_mem_eq(kernel_memory[0], kernel_memory[1], BYTES);
	pair_rdma_by_key(t.a, 3, _i ? IB_UVERBS_WR_RDMA_READ : IB_UVERBS_WR_RDMA_WRITE,
			 HCA_LOCAL_DMA_KEY, (uintptr_t)kernel_memory[1], BYTES);
	pair_settle();
	pair_expect(&t.a->send_cq, 3, IB_WC_REM_ACCESS_ERR);
	ck_assert_mem_eq(kernel_memory[0], kernel_memory[1], BYTES);
	ck_assert_uint_ne(t.b->entry->key >> 8, HCA_LOCAL_DMA_KEY);
	pair_free(t.pair);
}
END_TEST

#define NUM_USES ((int)(sizeof(uses) / sizeof(uses[0])))

Suite *protection_suite(void)
{
	Suite *suite = suite_create("protection");
	TCase *tc = tcase_create("protection");

	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, used, 0, NUM_USES);
	tcase_add_loop_test(tc, each_bit_of_a_key, 0, NUM_USES);
	tcase_add_loop_test(tc, no_octets, 0, NUM_USES);
	tcase_add_loop_test(tc, overlapping, 0, 3);
	tcase_add_loop_test(tc, all_memory, 0, 2);
	suite_add_tcase(suite, tc);
	return suite;
}
