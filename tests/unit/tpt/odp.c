// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * On-demand paging: the second end's memory has pages that are absent until a pager, for which this
 * test stands, brings them, and that go away and come back elsewhere at any time.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <linux/bottom_half.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/slab.h>
#include "shim.h"
#include "tests/unit/fixture/operations.h"
#include "tests/unit/fixture/trace.h"
#include "tests/unit/suites.h"
#include "tpt/odp.h"

/* The pager of one end. The "process" has its memory at address 3 GiB less a few pages. */
#define BASE (3ull << 30)
#define PAGES (PAIR_MEMORY / PAGE_SIZE + 1)
#define BAD 5 /* a page that the process does not have, if bad is set */

struct pager {
	struct hca_odp odp; /* first */
	struct pair_end *end;
	void **page; /* where each page is now */
	bool asked, bad, read_only;
	unsigned int brought, evicted, written;
};

static struct pager *current_pager;

static void ask(struct hca_odp *odp)
{
	((struct pager *)odp)->asked = true;
}

static void written(void *page)
{
	current_pager->written++;
}

/* Bring what was asked for. Return: whether anything was. */
static bool bring(struct pager *pager)
{
	struct hca_odp_want want;
	bool any = false;
	u64 i;

	pager->asked = false;
	while (hca_odp_next(&pager->odp, &want)) {
		for (i = 0; i < want.pages; i++) {
			u64 addr = want.addr + i * PAGE_SIZE, n = (addr - BASE) / PAGE_SIZE;
			struct hca_odp_chunk *spare = kzalloc(sizeof(*spare), GFP_KERNEL);
			void *page = n < PAGES && !(pager->bad && n == BAD) ? pager->page[n] : NULL;

			if (page)
				hca_odp_set(&pager->odp, addr, page, !pager->read_only, &spare);
			else
				hca_odp_refuse(&pager->odp, &want, addr, &spare);
			kfree(spare);
			pager->brought++;
		}
		any = true;
	}
	return any;
}

/* Take a page away, and let it come back elsewhere. */
static void evict(struct pager *pager, u64 n)
{
	u64 addr = BASE + n * PAGE_SIZE;
	void *to = aligned_alloc(PAGE_SIZE, PAGE_SIZE), *from = pager->page[n];

	hca_odp_clear(&pager->odp, addr, addr + PAGE_SIZE - 1);
	hca_odp_wait();
	memcpy(to, from, PAGE_SIZE);
	free(from); /* who accesses it yet is found out */
	pager->page[n] = to;
	pager->evicted++;
}

/*
 * Make the pages of an end's MR on demand. Tests look at memory by end->entry->page, so that is the
 * pager's table, and the entry that the adapter has is another one.
 */
static struct hca_tpt_entry *pager_new(struct pager *pager, struct pair_end *end)
{
	struct hca_tpt_entry mr = *end->entry, *entry;
	u32 i;

	memset(pager, 0, sizeof(*pager));
	current_pager = pager;
	pager->end = end;
	pager->odp.ask = ask;
	pager->odp.written = written;
	pager->odp.start = BASE + end->entry->first_offset;
	pager->odp.length = end->entry->length;
	ck_assert_int_eq(hca_odp_init(&pager->odp), 0);
	pager->page = calloc(PAGES, sizeof(*pager->page));
	for (i = 0; i < PAGES; i++) {
		pager->page[i] = aligned_alloc(PAGE_SIZE, PAGE_SIZE);
		memcpy(pager->page[i], end->entry->page[i], PAGE_SIZE);
	}
	entry = kzalloc(sizeof(*entry), GFP_KERNEL);
	entry->pd = mr.pd;
	entry->access = mr.access;
	entry->iova = mr.iova;
	entry->length = mr.length;
	entry->odp = &pager->odp;
	ck_assert_int_eq(hca_tpt_entry_add(&end->ci->tpt, entry), 0);
	return entry;
}

/* Requests of the tests name end->entry: have it stand for the one with pages on demand. */
static struct pager *page_by(struct pager *pager, struct pair_end *end,
			     struct hca_tpt_entry **pinned, struct hca_tpt_entry *seen)
{
	struct hca_tpt_entry *entry = pager_new(pager, end);

	*pinned = end->entry;
	*seen = *entry;
	seen->page = pager->page;
	seen->mr = entry;
	end->entry = seen;
	return pager;
}

static void page_end(struct pager *pager, struct hca_tpt_entry *pinned)
{
	struct hca_tpt_entry *entry = pager->end->entry->mr;
	u32 i;

	ck_assert_int_eq(hca_tpt_entry_remove(&pager->end->ci->tpt, entry), 0);
	ck_assert_uint_eq(hca_odp_accesses.running, 0); /* each that has begun has ended */
	hca_odp_destroy(&pager->odp);
	for (i = 0; i < PAGES; i++)
		free(pager->page[i]);
	free(pager->page);
	pager->end->entry = pinned;
}

/* Run until nothing happens any more, bringing pages as they are asked for. */
static void run(struct pager *pager)
{
	int i;

	for (i = 0; i < 400; i++) {
		pair_settle();
		if (!bring(pager) && i > 50)
			break;
		pair_wait(5);
	}
}

static const struct pair_qp *const services[] = { &pair_rc, &pair_xrc };

static const struct {
	u8 opcode;
	u32 length;
} works[] = {
	{ IB_UVERBS_WR_SEND_WITH_IMM, 10 },	      { IB_UVERBS_WR_SEND_WITH_IMM, 100000 },
	{ IB_UVERBS_WR_RDMA_WRITE, 10 },	      { IB_UVERBS_WR_RDMA_WRITE, 100000 },
	{ IB_UVERBS_WR_RDMA_WRITE_WITH_IMM, 100000 }, { IB_UVERBS_WR_RDMA_READ, 10 },
	{ IB_UVERBS_WR_RDMA_READ, 100000 },	      { IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD, 8 },
};

#define NUM_WORKS ((int)ARRAY_SIZE(works))

static void post(struct pair *pair, u8 opcode, u32 length)
{
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	u32 aligned = 8 - pair_addr(b, DST) % 8;

	if (opcode == IB_UVERBS_WR_SEND_WITH_IMM)
		pair_send(a, 2, HCA_WQE_SIGNALED, SRC, length);
	else
		pair_rdma(a, b, 2, opcode, HCA_WQE_SIGNALED, SRC, DST + aligned, length);
}

static bool receives(u8 opcode)
{
	return opcode == IB_UVERBS_WR_SEND_WITH_IMM || opcode == IB_UVERBS_WR_RDMA_WRITE_WITH_IMM;
}

/*
 * Each operation succeeds although no page is there at first, at the responder or at the requester,
 * and while pages come and go.
 */
START_TEST(pages_come)
{
	u8 opcode = works[_i % NUM_WORKS].opcode;
	u32 length = works[_i % NUM_WORKS].length;
	bool requester = _i / NUM_WORKS % 2, restless = _i / NUM_WORKS / 2 % 2;
	struct pair *pair = pair_new(services[_i / NUM_WORKS / 4]);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_tpt_entry *pinned, seen;
	struct pager pager;
	u32 i, aligned;

	pair_fill(a, SRC, 200000, 3);
	pair_fill(b, DST, 200000, 4);
	page_by(&pager, requester ? a : b, &pinned, &seen);
	aligned = 8 - pair_addr(b, DST) % 8;
	if (receives(opcode))
		pair_recv(b, 1, DST + aligned, length);
	post(pair, opcode, length);
	for (i = 0; restless && i < 30; i++) {
		pair_settle();
		bring(&pager);
		evict(&pager, ((requester ? SRC : DST) + i % 3 * 30000) / PAGE_SIZE + i % 2);
		pair_wait(i % 7);
	}
	run(&pager);
	pair_expect(&a->send_cq, 2, IB_WC_SUCCESS);
	if (receives(opcode))
		pair_expect(&b->recv_cq, 1, IB_WC_SUCCESS);
	if (opcode != IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD)
		ck_assert(pair_same(a, SRC, b, DST + aligned, length));
	ck_assert_uint_gt(pager.brought, 0);
	ck_assert_uint_gt(pager.odp.faults, 0);
	ck_assert_uint_gt(hca_counter_read(&pager.end->ports[1], HCA_CTR_ODP_FAULTS), 0);
	ck_assert_uint_eq(hca_counter_read(&(requester ? b : a)->ports[1], HCA_CTR_ODP_FAULTS), 0);
	page_end(&pager, pinned);
	pair_free(pair);
}
END_TEST

/* A page that the process does not have is an error of the access, not a wait for ever. */
START_TEST(no_such_page)
{
	u8 opcode = works[_i].opcode;
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_tpt_entry *pinned, seen;
	struct pager pager;
	struct hca_cqe cqe;
	u32 at = BAD * PAGE_SIZE;

	page_by(&pager, b, &pinned, &seen);
	pager.bad = true;
	at += 8 - pair_addr(b, at) % 8;
	if (receives(opcode))
		pair_recv(b, 1, at, 8000);
	if (opcode == IB_UVERBS_WR_SEND_WITH_IMM)
		pair_send(a, 2, HCA_WQE_SIGNALED, SRC, 8);
	else
		pair_rdma(a, b, 2, opcode, HCA_WQE_SIGNALED, SRC, at, 8);
	run(&pager);
	ck_assert(pair_poll(&a->send_cq, &cqe));
	ck_assert_uint_eq(cqe.status, opcode == IB_UVERBS_WR_SEND_WITH_IMM ? IB_WC_REM_OP_ERR :
									     IB_WC_REM_ACCESS_ERR);
	if (opcode == IB_UVERBS_WR_SEND_WITH_IMM)
		pair_expect(&b->recv_cq, 1, IB_WC_LOC_PROT_ERR);
	ck_assert(!bring(&pager)); /* nobody waits for it any more */
	page_end(&pager, pinned);
	pair_free(pair);
}
END_TEST

/* At the requester it is a local error. */
START_TEST(no_such_page_here)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_tpt_entry *pinned, seen;
	struct pager pager;

	page_by(&pager, a, &pinned, &seen);
	pager.bad = true;
	pair_rdma(a, b, 2, _i ? IB_UVERBS_WR_RDMA_READ : IB_UVERBS_WR_RDMA_WRITE, HCA_WQE_SIGNALED,
		  BAD * PAGE_SIZE + 100, DST, 3000);
	run(&pager);
	pair_expect(&a->send_cq, 2, IB_WC_LOC_PROT_ERR);
	page_end(&pager, pinned);
	pair_free(pair);
}
END_TEST

/* A Read of pages that are present gets all responses at once: its request is sent only once. */
START_TEST(read_of_present_pages)
{
	struct pair *pair = pair_new(services[_i]);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_tpt_entry *pinned, seen;
	struct pager pager;
	struct trace *trace;
	unsigned int i, requests = 0;

	page_by(&pager, b, &pinned, &seen);
	pair_fill(a, SRC, 100000, 5);
	pair_rdma(a, b, 1, IB_UVERBS_WR_RDMA_WRITE, HCA_WQE_SIGNALED, SRC, DST, 100000);
	run(&pager);
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	trace = trace_on(pair);
	pair_fill(a, SRC, 100000, 6);
	pair_rdma(a, b, 2, IB_UVERBS_WR_RDMA_READ, HCA_WQE_SIGNALED, SRC, DST, 100000);
	run(&pager);
	pair_expect(&a->send_cq, 2, IB_WC_SUCCESS);
	ck_assert(pair_same(a, SRC, b, DST, 100000));
	for (i = 0; i < trace->n; i++)
		requests += trace->packet[i].receiver == 1 &&
			    hca_opcodes[trace->packet[i].h.bth.opcode].flags & HCA_IS_READ;
	ck_assert_uint_eq(requests, 1);
	page_end(&pager, pinned);
	pair_free(pair);
}
END_TEST

/* A page that may only be read is asked for again when it is to be written. */
START_TEST(reading_then_writing)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_tpt_entry *pinned, seen;
	struct pager pager;

	page_by(&pager, b, &pinned, &seen);
	pager.read_only = true;
	pair_rdma(a, b, 1, IB_UVERBS_WR_RDMA_READ, HCA_WQE_SIGNALED, SRC, DST, 100);
	run(&pager);
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	pager.read_only = false;
	evict(&pager, DST / PAGE_SIZE);
	ck_assert_uint_eq(pager.written, 0);
	pair_rdma(a, b, 2, IB_UVERBS_WR_RDMA_WRITE, HCA_WQE_SIGNALED, SRC, DST, 100);
	run(&pager);
	pair_expect(&a->send_cq, 2, IB_WC_SUCCESS);
	evict(&pager, DST / PAGE_SIZE);
	evict(&pager, DST / PAGE_SIZE + 1);
	ck_assert_uint_gt(pager.written, 0);
	page_end(&pager, pinned);
	pair_free(pair);
}
END_TEST

/* Ranges: the last octet of the address space, and one that wraps, have no pages. */
START_TEST(edges)
{
	struct hca_odp odp = { .ask = ask, .start = 0, .length = U64_MAX };
	struct pager pager = {};
	struct hca_odp_want want;
	struct hca_odp_chunk *spare;

	shim_reset(1);
	pager.odp = odp;
	ck_assert_int_eq(hca_odp_init(&pager.odp), 0);
	local_bh_disable();
	ck_assert_int_eq(hca_odp_check(&pager.odp, U64_MAX - 1, 1, true), -EAGAIN);
	ck_assert_int_eq(hca_odp_check(&pager.odp, U64_MAX - 100, 4096, true), -EAGAIN);
	local_bh_enable();
	ck_assert(pager.asked);
	ck_assert(hca_odp_next(&pager.odp, &want));
	ck_assert_uint_eq(want.addr, round_down(U64_MAX - 100, PAGE_SIZE));
	ck_assert_uint_eq(want.pages, 2);
	ck_assert(hca_odp_next(&pager.odp, &want));
	ck_assert_uint_eq(want.pages, 1);
	ck_assert(!hca_odp_next(&pager.odp, &want));
	spare = kzalloc(sizeof(*spare), GFP_KERNEL);
	hca_odp_refuse(&pager.odp, &want, want.addr, &spare);
	ck_assert_ptr_null(spare);
	local_bh_disable();
	ck_assert_int_eq(hca_odp_check(&pager.odp, U64_MAX - 1, 1, true), -EFAULT);
	ck_assert_int_eq(hca_odp_check(&pager.odp, U64_MAX - 1, 1, true), -EAGAIN);
	local_bh_enable();
	hca_odp_destroy(&pager.odp);
}
END_TEST

static int check(struct pager *pager, u64 n)
{
	int ret;

	local_bh_disable();
	ret = hca_odp_check(&pager->odp, n * PAGE_SIZE, 1, true);
	local_bh_enable();
	return ret;
}

static void refuse(struct pager *pager, const struct hca_odp_want *want)
{
	struct hca_odp_chunk *spare = kzalloc(sizeof(*spare), GFP_KERNEL);

	hca_odp_refuse(&pager->odp, want, want->addr, &spare);
	kfree(spare);
}

/*
 * An access that has asked several times for a page that is not there is refused once: what it has
 * asked for is no answer to a later access, at whose time the page may be there.
 */
START_TEST(refused_once)
{
	struct pager pager = { .odp = { .ask = ask, .start = 0, .length = U64_MAX } };
	struct hca_odp_want want, late;

	shim_reset(1);
	ck_assert_int_eq(hca_odp_init(&pager.odp), 0);
	ck_assert_int_eq(check(&pager, 7), -EAGAIN);
	ck_assert_int_eq(check(&pager, 7), -EAGAIN);
	ck_assert_int_eq(check(&pager, 7), -EAGAIN);
	ck_assert(hca_odp_next(&pager.odp, &want));
	ck_assert(hca_odp_next(&pager.odp, &late));
	refuse(&pager, &want);
	ck_assert_int_eq(check(&pager, 7), -EFAULT);
	refuse(&pager, &late);
	ck_assert(hca_odp_next(&pager.odp, &late));
	refuse(&pager, &late);
	ck_assert_int_eq(check(&pager, 7), -EAGAIN);
	ck_assert(hca_odp_next(&pager.odp, &want));
	refuse(&pager, &want);
	ck_assert_int_eq(check(&pager, 7), -EFAULT);
	hca_odp_destroy(&pager.odp);
}
END_TEST

/* Whoever takes pages away waits for accesses: each counts until its reference is dropped. */
START_TEST(accesses_count)
{
	struct pager pager = { .odp = { .ask = ask, .start = BASE, .length = 100 } };
	struct hca_tpt_entry *got, *entry;
	struct hca_tpt tpt;
	unsigned int ended;

	shim_reset(1);
	ended = hca_odp_accesses.ended;
	ck_assert_int_eq(hca_tpt_init(&tpt, 8), 0);
	ck_assert_int_eq(hca_odp_init(&pager.odp), 0);
	entry = kzalloc(sizeof(*entry), GFP_KERNEL);
	entry->pd = &tpt;
	entry->length = pager.odp.length;
	entry->odp = &pager.odp;
	ck_assert_int_eq(hca_tpt_entry_add(&tpt, entry), 0);
	local_bh_disable();
	got = hca_tpt_entry_get_odp(&tpt, entry->key, &tpt, 0, 0, 10);
	ck_assert_ptr_eq(got, entry);
	ck_assert_uint_eq(hca_odp_accesses.running, 1);
	/* Its page is absent: it begins, and ends. */
	ck_assert_int_eq(PTR_ERR(hca_tpt_entry_get(&tpt, entry->key, &tpt, HCA_CONSUMER, 0, 0, 10)),
			 -EAGAIN);
	ck_assert_uint_eq(hca_odp_accesses.running, 1);
	ck_assert_ptr_null(hca_tpt_entry_get_generation(&tpt, entry->key, entry->generation + 2));
	ck_assert_uint_eq(hca_odp_accesses.ended, ended);
	hca_tpt_entry_put(got);
	ck_assert_uint_eq(hca_odp_accesses.running, 0);
	ck_assert_uint_eq(hca_odp_accesses.ended, ended + 1);
	local_bh_enable();
	ck_assert_int_eq(hca_tpt_entry_remove(&tpt, entry), 0);
	ck_assert_uint_eq(hca_odp_accesses.running, 0);
	hca_odp_destroy(&pager.odp);
	hca_tpt_destroy(&tpt);
	shim_quiesce();
	ck_assert_uint_eq(shim_live_allocations(), 0);
}
END_TEST

/* An access of another CPU that has found its pages present, and copies them now, page by page. */
static struct {
	struct hca_tpt_entry *entry; /* with a reference */
	u8 *pages;
	u64 length;
} copy;

static void copy_continues(void)
{
	u64 addr;

	local_bh_disable();
	/* An access that begins now does not find the pages that are about to go. */
	ck_assert(!hca_odp_is_present(copy.entry->odp, 0, 1, true));
	for (addr = 0; addr < copy.length; addr += PAGE_SIZE)
		ck_assert_ptr_eq(hca_tpt_entry_map(copy.entry, addr), copy.pages + addr);
	hca_tpt_entry_put(copy.entry);
	local_bh_enable();
	copy.entry = NULL;
}

/*
 * A chunk goes while another CPU copies from its pages. Each page is looked for anew, so that the
 * chunk is found until that copy has ended, and whoever takes the pages away waits for it.
 */
START_TEST(evicted_during_copy)
{
	static u8 pages[2 * PAGE_SIZE];
	struct hca_odp odp = { .ask = ask, .start = BASE, .length = sizeof(pages) };
	struct hca_tpt_entry *entry;
	struct hca_odp_chunk *spare;
	struct hca_tpt tpt;

	shim_reset(1);
	shim_on_relax(copy_continues);
	ck_assert_int_eq(hca_tpt_init(&tpt, 8), 0);
	ck_assert_int_eq(hca_odp_init(&odp), 0);
	spare = kzalloc(sizeof(*spare), GFP_KERNEL);
	ck_assert(hca_odp_set(&odp, BASE, pages, true, &spare));
	ck_assert(hca_odp_set(&odp, BASE + PAGE_SIZE, pages + PAGE_SIZE, true, &spare));
	entry = kzalloc(sizeof(*entry), GFP_KERNEL);
	entry->pd = &tpt;
	entry->length = odp.length;
	entry->odp = &odp;
	ck_assert_int_eq(hca_tpt_entry_add(&tpt, entry), 0);
	local_bh_disable();
	copy.entry = hca_tpt_entry_get(&tpt, entry->key, &tpt, HCA_CONSUMER, 0, 0, sizeof(pages));
	copy.pages = pages;
	copy.length = sizeof(pages);
	ck_assert_ptr_eq(copy.entry, entry);
	local_bh_enable();
	ck_assert(hca_odp_evict(&odp));
	ck_assert_ptr_null(copy.entry); /* the copy was waited for */
	ck_assert_uint_eq(hca_odp_missing(&odp, BASE, 2), 1);
	ck_assert_int_eq(hca_tpt_entry_remove(&tpt, entry), 0);
	hca_odp_destroy(&odp);
	hca_tpt_destroy(&tpt);
	shim_quiesce();
	ck_assert_uint_eq(shim_live_allocations(), 0);
}
END_TEST

/*
 * One chunk more than an MR may have: the oldest one goes, while a reader of RCU is there, for whom
 * nobody waits, since the MMU notifier would wait as well.
 */
START_TEST(oldest_goes)
{
	struct hca_odp odp = { .ask = ask, .start = 0, .length = U64_MAX };
	const u64 step = HCA_ODP_CHUNK_PAGES * PAGE_SIZE;
	static struct hca_odp_chunk *spare[HCA_ODP_MAX_CHUNKS + 1];
	static u8 page[PAGE_SIZE];
	u64 i;

	shim_reset(1);
	ck_assert_int_eq(hca_odp_init(&odp), 0);
	ck_assert(!hca_odp_evict(&odp));
	for (i = 0; i < ARRAY_SIZE(spare); i++)
		spare[i] = kzalloc(sizeof(*spare[i]), GFP_KERNEL);
	rcu_read_lock();
	ck_assert_uint_eq(hca_odp_missing(&odp, step - PAGE_SIZE, 2), 2);
	for (i = 0; i < ARRAY_SIZE(spare); i++) {
		ck_assert(hca_odp_set(&odp, i * step, page, true, &spare[i]));
		ck_assert_ptr_null(spare[i]);
	}
	rcu_read_unlock();
	ck_assert(!hca_odp_set(&odp, 0, page, true, &spare[0])); /* there is none for it */
	ck_assert_uint_eq(hca_odp_missing(&odp, step - PAGE_SIZE, 2), 1);
	ck_assert_uint_eq(odp.num_chunks, HCA_ODP_MAX_CHUNKS);
	local_bh_disable();
	ck_assert(!hca_odp_is_present(&odp, 0, 1, true));
	ck_assert(hca_odp_is_present(&odp, step, 1, true));
	ck_assert(hca_odp_is_present(&odp, HCA_ODP_MAX_CHUNKS * step, 1, true));
	local_bh_enable();
	hca_odp_destroy(&odp);
	shim_quiesce();
	ck_assert_uint_eq(shim_live_allocations(), 0);
}
END_TEST

/* An access that does not come again is not answered by the refusal of another one, later. */
START_TEST(refused_in_time)
{
	struct pager pager = { .odp = { .ask = ask, .start = 0, .length = U64_MAX } };
	struct hca_odp_want want;

	shim_reset(1);
	ck_assert_int_eq(hca_odp_init(&pager.odp), 0);
	ck_assert_int_eq(check(&pager, 7), -EAGAIN);
	ck_assert(hca_odp_next(&pager.odp, &want));
	refuse(&pager, &want);
	shim_advance(700ull * NSEC_PER_MSEC);
	ck_assert_int_eq(check(&pager, 7), -EFAULT);
	ck_assert_int_eq(check(&pager, 7), -EAGAIN);
	ck_assert(hca_odp_next(&pager.odp, &want));
	refuse(&pager, &want);
	shim_advance(4001ull * NSEC_PER_MSEC);
	ck_assert_int_eq(check(&pager, 7), -EAGAIN);
	ck_assert(hca_odp_next(&pager.odp, &want));
	/* Nor when another page of the chunk is refused. */
	refuse(&pager, &want);
	shim_advance(4001ull * NSEC_PER_MSEC);
	ck_assert_int_eq(check(&pager, 8), -EAGAIN);
	ck_assert(hca_odp_next(&pager.odp, &want));
	refuse(&pager, &want);
	ck_assert_int_eq(check(&pager, 7), -EAGAIN);
	ck_assert_int_eq(check(&pager, 8), -EFAULT);
	ck_assert(hca_odp_next(&pager.odp, &want));
	hca_odp_destroy(&pager.odp);
}
END_TEST

/*
 * B4-362: a Read that was sent again early, while it waited for a page that is not there, is
 * dropped when the first one is refused: it asks for nothing that would refuse a later access.
 */
START_TEST(refused_with_duplicates)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_tpt_entry *pinned, seen;
	struct pager pager;

	page_by(&pager, b, &pinned, &seen);
	pager.bad = true;
	pair_rdma(a, b, 1, IB_UVERBS_WR_RDMA_READ, HCA_WQE_SIGNALED, SRC, BAD * PAGE_SIZE, 8);
	pair_wait(20);
	ck_assert_uint_gt(hca_counter_read(&a->ports[1], HCA_CTR_RETRANSMITTED_PACKETS), 0);
	run(&pager);
	pair_expect(&a->send_cq, 1, IB_WC_REM_ACCESS_ERR);
	ck_assert_uint_eq(pager.odp.refusals, 1);
	ck_assert_int_eq(check(&pager, BAD), -EAGAIN);
	page_end(&pager, pinned);
	pair_free(pair);
}
END_TEST

/* Chunks: as many as there may be, the oldest one goes; whole ranges are taken away. */
START_TEST(chunks)
{
	struct hca_odp odp = { .ask = ask, .start = 0, .length = U64_MAX };
	u64 step = (u64)HCA_ODP_CHUNK_PAGES * PAGE_SIZE, i;
	static u8 page[PAGE_SIZE];

	shim_reset(1);
	ck_assert_int_eq(hca_odp_init(&odp), 0);
	for (i = 0; i < HCA_ODP_MAX_CHUNKS + 3; i++) {
		struct hca_odp_chunk *spare = kzalloc(sizeof(*spare), GFP_KERNEL);

		hca_odp_set(&odp, i * step, page, true, &spare);
		ck_assert_ptr_null(spare);
	}
	ck_assert_uint_eq(odp.num_chunks, HCA_ODP_MAX_CHUNKS);
	ck_assert_uint_eq(hca_odp_clear(&odp, 0, 3 * step - 1), 0);
	ck_assert_uint_eq(hca_odp_clear(&odp, 3 * step, 3 * step), 1);
	ck_assert_uint_eq(hca_odp_clear(&odp, 3 * step, 4 * step - 1), 0);
	ck_assert_uint_eq(hca_odp_clear(&odp, 4 * step - 1, 4 * step), 1);
	ck_assert_uint_eq(hca_odp_clear(&odp, 0, U64_MAX), HCA_ODP_MAX_CHUNKS - 2);
	ck_assert_uint_eq(hca_odp_clear(&odp, 0, U64_MAX), 0);
	hca_odp_destroy(&odp);
	shim_quiesce();
	ck_assert_uint_eq(shim_live_allocations(), 0);
}
END_TEST

static u32 longest_bucket(const struct hca_odp *odp)
{
	u32 i, count, longest = 0;
	struct hlist_node *node;

	for (i = 0; i < odp->num_buckets; i++) {
		count = 0;
		for (node = odp->bucket[i].first; node; node = node->next)
			count++;
		longest = max(longest, count);
	}
	return longest;
}

/*
 * An owner that uses pages at equal distances, whichever, does not have all chunks in a few
 * buckets, which accesses look through with bottom halves disabled. A random factor spreads them.
 */
START_TEST(crowded)
{
	struct hca_odp odp = { .ask = ask, .start = 0, .length = U64_MAX };
	u64 step = ((u64)HCA_ODP_CHUNK_PAGES * PAGE_SIZE) << _i, i;
	static u8 page[PAGE_SIZE];

	shim_reset(_i + 1);
	ck_assert_int_eq(hca_odp_init(&odp), 0);
	for (i = 0; i < HCA_ODP_MAX_CHUNKS; i++) {
		struct hca_odp_chunk *spare = kzalloc(sizeof(*spare), GFP_KERNEL);

		hca_odp_set(&odp, i * step, page, true, &spare);
	}
	ck_assert_uint_eq(odp.num_chunks, HCA_ODP_MAX_CHUNKS);
	ck_assert_uint_le(longest_bucket(&odp), HCA_ODP_MAX_CHUNKS / 16);
	hca_odp_destroy(&odp);
	shim_quiesce();
	ck_assert_uint_eq(shim_live_allocations(), 0);
}
END_TEST

Suite *odp_suite(void)
{
	Suite *suite = suite_create("odp");
	TCase *tc = tcase_create("odp");

	tcase_add_loop_test(tc, pages_come, 0, 8 * NUM_WORKS);
	tcase_add_loop_test(tc, no_such_page, 0, NUM_WORKS);
	tcase_add_loop_test(tc, no_such_page_here, 0, 2);
	tcase_add_loop_test(tc, read_of_present_pages, 0, ARRAY_SIZE(services));
	tcase_add_test(tc, reading_then_writing);
	tcase_add_test(tc, edges);
	tcase_add_test(tc, refused_once);
	tcase_add_test(tc, refused_in_time);
	tcase_add_test(tc, accesses_count);
	tcase_add_test(tc, evicted_during_copy);
	tcase_add_test(tc, oldest_goes);
	tcase_add_test(tc, refused_with_duplicates);
	tcase_add_test(tc, chunks);
	tcase_add_loop_test(tc, crowded, 0, 14);
	suite_add_tcase(suite, tc);
	return suite;
}
