// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* A memory region moves to other pages, or ends, while a peer writes to it all the time. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <linux/bottom_half.h>
#include <linux/slab.h>
#include "tests/consumer/consumer.h"
#include "tests/unit/fixture/trace.h"
#include "tests/unit/suites.h"

#define PAGES 3
#define FIRST 123 /* offset of the MR in its first page */
#define ADDR (0x6000000ull + FIRST)
#define BYTES (PAGES * (u32)PAGE_SIZE - 2 * FIRST) /* 12 packets */
#define MAPPINGS 3
#define WRITES 300

static struct {
	struct pair *pair;
	struct hca_tpt_entry *entry;
	u8 *memory[MAPPINGS];
	void *page[MAPPINGS][PAGES];
	u8 copy[MAPPINGS][PAGES * PAGE_SIZE]; /* as a mapping was when it was left */
	unsigned int now; /* the mapping of the MR */
	bool cut; /* packets are lost, until the MR has other pages */
	unsigned int cuts; /* how often the write may still be stopped */
	unsigned int changes, in_a_write, landed, refused;
} t;

static struct hca_tpt_entry mapping(unsigned int which)
{
	return (struct hca_tpt_entry){
		.page = t.page[which],
		.first_offset = FIRST,
		.iova = ADDR,
		.length = BYTES,
		.pd = &t.pair->end[1],
		.access = IB_UVERBS_ACCESS_LOCAL_WRITE | IB_UVERBS_ACCESS_REMOTE_WRITE,
	};
}

static void remember(unsigned int which)
{
	memcpy(t.copy[which], t.memory[which], PAGES * PAGE_SIZE);
}

/* No octet of a mapping changes while it is not the MR's. */
static void others_rest(void)
{
	unsigned int which;

	for (which = 0; which < MAPPINGS; which++)
		if (which != t.now)
			ck_assert_mem_eq(t.copy[which], t.memory[which], PAGES * PAGE_SIZE);
}

static void change(void)
{
	unsigned int next = (t.now + 1 + rand() % (MAPPINGS - 1)) % MAPPINGS;
	struct hca_tpt_entry to = mapping(next);

	others_rest();
	ck_assert_int_eq(hca_tpt_entry_change(&t.pair->end[1].ci->tpt, t.entry, &to, true), 0);
	remember(t.now);
	t.now = next;
	t.changes++;
}

/* A write stops at any packet: then the MR changes, and retries continue the write. */
static bool stop_somewhere(struct pair *pair, int receiver, const struct hca_packet *pkt)
{
	(void)pair;
	if (receiver == 0)
		return true; /* a NAK is not lost */
	if (t.cuts && rand() % 8 == 0) {
		t.cuts--;
		t.cut = true;
		t.in_a_write += !(hca_opcodes[pkt->h.bth.opcode].flags & HCA_IS_FIRST);
	}
	return !t.cut;
}

static void reconnect(void)
{
	struct hca_qp_attr reset = { .state = IB_QPS_RESET };
	struct pair_end *a = &t.pair->end[0], *b = &t.pair->end[1];
	struct hca_cqe cqe;

	ck_assert_int_eq(hca_qp_modify(a->qp, &reset, IB_QP_STATE), 0);
	ck_assert_int_eq(hca_qp_modify(b->qp, &reset, IB_QP_STATE), 0);
	pair_connect(a->qp, &pair_rc, b->qp->qpn, pair_lid(1, 1), 7, 7);
	pair_connect(b->qp, &pair_rc, a->qp->qpn, pair_lid(0, 1), 7, 7);
	while (pair_poll(&a->send_cq, &cqe) || pair_poll(&b->recv_cq, &cqe))
		;
}

/* Whether a mapping contains what was written last, in whole. */
static bool holds(unsigned int which, const u8 *written)
{
	return !memcmp(t.memory[which] + FIRST, written, BYTES);
}

static void write_once(u32 n)
{
	struct pair_end *a = &t.pair->end[0];
	static u8 written[BYTES];
	unsigned int which, whole = 0;
	struct hca_cqe cqe;

	pair_fill(a, SRC, BYTES, n);
	pair_read(a, SRC, written, BYTES);
	t.cuts = rand() % 3;
	pair_rdma_by_key(a, n, IB_UVERBS_WR_RDMA_WRITE, t.entry->key, ADDR, BYTES);
	pair_settle();
	while (!pair_poll(&a->send_cq, &cqe)) {
		change();
		t.cut = false;
		pair_wait(100);
	}
	t.cut = false;
	ck_assert_uint_eq(cqe.wr_id, n);
	for (which = 0; which < MAPPINGS; which++)
		whole += holds(which, written);
	if (cqe.status == IB_WC_SUCCESS) {
		ck_assert_uint_eq(whole, 1);
		t.landed++;
	} else {
		ck_assert_uint_eq(cqe.status, IB_WC_REM_ACCESS_ERR);
		ck_assert_uint_eq(whole, 0);
		t.refused++;
		reconnect();
	}
	others_rest();
}

static void begin(void)
{
	struct hca_tpt_entry mr;
	unsigned int which, i;

	memset(&t, 0, sizeof(t));
	t.pair = pair_new(&pair_rc);
	for (which = 0; which < MAPPINGS; which++) {
		t.memory[which] = aligned_alloc(PAGE_SIZE, PAGES * PAGE_SIZE);
		memset(t.memory[which], 0, PAGES * PAGE_SIZE);
		remember(which);
		for (i = 0; i < PAGES; i++)
			t.page[which][i] = t.memory[which] + i * PAGE_SIZE;
	}
	mr = mapping(0);
	t.entry = consumer_reg_mr(t.pair->end[1].ci, &mr);
	ck_assert_ptr_nonnull(t.entry);
	t.pair->filter = stop_somewhere;
}

static void end(void)
{
	unsigned int which;

	if (t.entry)
		hca_tpt_entry_remove(&t.pair->end[1].ci->tpt, t.entry);
	pair_free(t.pair);
	for (which = 0; which < MAPPINGS; which++)
		free(t.memory[which]);
}

/*
 * R0-294, R0-299, R0-349, T0-071: between any two packets the MR gets other pages, and another
 * key. A write that succeeds is in one mapping, in whole; else it is refused. Once the MR has
 * left a mapping, no octet of that changes. @_i: a seed
 */
START_TEST(hammered)
{
	u32 n;

	srand(_i);
	begin();
	for (n = 0; n < WRITES; n++)
		write_once(n);
	ck_assert_uint_gt(t.changes, WRITES / 8);
	ck_assert_uint_gt(t.in_a_write, WRITES / 16);
	ck_assert_uint_gt(t.landed, WRITES / 8);
	ck_assert_uint_gt(t.refused, WRITES / 8);
	end();
}
END_TEST

static bool pass_n(struct pair *pair, int receiver, const struct hca_packet *pkt)
{
	unsigned int *left = pair->data;

	(void)pkt;
	return receiver == 0 || (*left && (*left)--);
}

/*
 * R0-347, R0-349, R0-350: the MR is deregistered behind the n-th packet of a write: it is refused,
 * and from then on no octet of the memory changes (P1-193, P1-T28). @_i: n
 */
START_TEST(deregistered)
{
	unsigned int left = _i;
	struct pair_end *a;
	u32 key;

	begin();
	a = &t.pair->end[0];
	key = t.entry->key;
	t.pair->filter = pass_n;
	t.pair->data = &left;
	pair_fill(a, SRC, BYTES, 1);
	pair_rdma_by_key(a, 1, IB_UVERBS_WR_RDMA_WRITE, key, ADDR, BYTES);
	pair_settle();
	ck_assert_int_eq(hca_tpt_entry_remove(&t.pair->end[1].ci->tpt, t.entry), 0);
	t.entry = NULL;
	remember(0);
	t.pair->filter = NULL;
	pair_wait(100);
	pair_expect(&a->send_cq, 1, IB_WC_REM_ACCESS_ERR);
	ck_assert_mem_eq(t.copy[0], t.memory[0], PAGES * PAGE_SIZE);
	reconnect();
	pair_rdma_by_key(a, 2, IB_UVERBS_WR_RDMA_WRITE, key, ADDR, 10);
	pair_settle();
	pair_expect(&a->send_cq, 2, IB_WC_REM_ACCESS_ERR);
	ck_assert_mem_eq(t.copy[0], t.memory[0], PAGES * PAGE_SIZE);
	end();
}
END_TEST

Suite *reregister_suite(void)
{
	Suite *suite = suite_create("reregister");
	TCase *tc = tcase_create("reregister");

	tcase_add_loop_test(tc, hammered, 0, 16);
	tcase_add_loop_test(tc, deregistered, 0, 12);
	suite_add_tcase(suite, tc);
	return suite;
}
