// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Memory windows: a request binds them to a part of an MR, and another one invalidates them. */
#include <check.h>
#include <string.h>
#include <linux/bottom_half.h>
#include <linux/slab.h>
#include "compat.h"
#include "tests/unit/fixture/trace.h"
#include "tests/unit/suites.h"
#include "tpt/key.h"
#include "transport/iba_qp.h"

#define REMOTE_ALL HCA_REMOTE_ACCESS
#define BYTES 9000

static const struct pair_qp *const services[] = { &pair_rc, &pair_uc, &pair_rd,
							&pair_xrc };

/* A window of end 1, whose MR permits remote access by windows only (R0-361). */
static struct hca_tpt_entry *window_new(struct pair_end *end, u8 kind)
{
	struct hca_tpt_entry *window = kzalloc(sizeof(*window), GFP_KERNEL);

	window->kind = kind;
	window->pd = end;
	ck_assert_int_eq(hca_tpt_entry_add(&end->ci->tpt, window), 0);
	end->entry->access = IB_UVERBS_ACCESS_LOCAL_WRITE | IB_UVERBS_ACCESS_MW_BIND;
	return window;
}

static void window_free(struct pair_end *end, struct hca_tpt_entry *window)
{
	ck_assert_int_eq(hca_tpt_entry_remove(&end->ci->tpt, window), 0);
}

static u32 next_key(u32 key)
{
	return (key & ~0xffu) | ((key + 1) & 0xff);
}

static struct hca_send_wqe *bind_wqe(struct pair_end *end, u64 wr_id, u32 key, u32 offset,
				     u32 length, u32 access)
{
	struct hca_send_wqe *wqe = pair_wqe(end, wr_id, IB_UVERBS_WR_BIND_MW, HCA_WQE_SIGNALED);

	wqe->memory.key = key;
	wqe->memory.lkey = end->entry->key;
	wqe->memory.addr = pair_addr(end, offset);
	wqe->memory.length = length;
	wqe->memory.access = access;
	return wqe;
}

/* R0-271: return: the window's key. */
static u32 bind(struct pair_end *end, const struct hca_tpt_entry *window, u32 offset, u32 length,
		u32 access)
{
	u32 key = next_key(window->key);
	struct hca_cqe cqe;

	bind_wqe(end, 77, key, offset, length, access);
	pair_post(end);
	pair_settle();
	ck_assert(pair_poll(&end->send_cq, &cqe));
	ck_assert_uint_eq(cqe.wr_id, 77);
	ck_assert_uint_eq(cqe.status, IB_WC_SUCCESS);
	ck_assert_uint_eq(cqe.opcode, IB_UVERBS_WC_BIND_MW);
	ck_assert_uint_eq(window->key, key);
	return key;
}

static void write_to(struct pair_end *from, u64 wr_id, u32 key, u64 addr, u32 length)
{
	pair_rdma_by_key(from, wr_id, IB_UVERBS_WR_RDMA_WRITE, key, addr, length);
}

/* B4-071, B4-369, B4-388, C4-009, V3-264: on each service, with each type of window. */
START_TEST(bound)
{
	struct pair *pair = pair_new(services[_i / 2]);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_tpt_entry *window = window_new(b, _i % 2 ? HCA_TPT_MW_2 : HCA_TPT_MW_1);
	struct trace *trace = trace_on(pair);
	u32 key, stale = window->key;

	key = bind(b, window, DST + 100, BYTES, IB_UVERBS_ACCESS_REMOTE_WRITE);
	ck_assert_uint_eq(trace->n, 0); /* B4-079, R0-393 */
	ck_assert_uint_eq(b->entry->windows, 1); /* R0-358 */
	pair_fill(a, SRC, BYTES, _i + 1);
	write_to(a, 1, key, pair_addr(b, DST + 100), BYTES);
	pair_settle();
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS); /* B4-077, R0-361, V3-259 */
	ck_assert(pair_same(a, SRC, b, DST + 100, BYTES));
	/* No octet before the window is accessible, and its earlier key is invalid (V3-262). */
	pair_fill(a, SRC, BYTES, 99);
	write_to(a, 2, key, pair_addr(b, DST + 99), BYTES);
	write_to(a, 3, stale, pair_addr(b, DST + 100), BYTES);
	pair_settle();
	ck_assert(!pair_same(a, SRC, b, DST + 99, BYTES)); /* B4-080 */
	ck_assert(!pair_same(a, SRC, b, DST + 100, BYTES)); /* R0-364 */
	if (services[_i / 2] != &pair_uc)
		pair_expect(&a->send_cq, 2, IB_WC_REM_ACCESS_ERR);
	window_free(b, window);
	ck_assert_uint_eq(b->entry->windows, 0);
	ck_assert(hlist_empty(&b->qp->windows));
	pair_free(pair);
}
END_TEST

/* Access through a window: rights and bounds. */
static const struct access {
	u8 opcode;
	u32 rights;
	s32 shift; /* of the address, octets */
	u32 length;
	bool ok;
} accesses[] = {
	{ IB_UVERBS_WR_RDMA_WRITE, IB_UVERBS_ACCESS_REMOTE_WRITE, 0, BYTES, true },
	{ IB_UVERBS_WR_RDMA_WRITE, IB_UVERBS_ACCESS_REMOTE_WRITE, 1, BYTES, false },
	{ IB_UVERBS_WR_RDMA_WRITE, IB_UVERBS_ACCESS_REMOTE_WRITE, -1, 10, false },
	{ IB_UVERBS_WR_RDMA_WRITE, IB_UVERBS_ACCESS_REMOTE_READ, 0, 10, false },
	{ IB_UVERBS_WR_RDMA_READ, IB_UVERBS_ACCESS_REMOTE_READ, 0, BYTES, true },
	{ IB_UVERBS_WR_RDMA_READ, IB_UVERBS_ACCESS_REMOTE_READ, BYTES - 1, 1, true },
	{ IB_UVERBS_WR_RDMA_READ, IB_UVERBS_ACCESS_REMOTE_READ, BYTES, 1, false },
	{ IB_UVERBS_WR_RDMA_READ, IB_UVERBS_ACCESS_REMOTE_WRITE, 0, 10, false },
	{ IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD, IB_UVERBS_ACCESS_REMOTE_ATOMIC, 0, 8, true },
	{ IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD, IB_UVERBS_ACCESS_REMOTE_WRITE, 0, 8, false },
	/* R0-374: accesses of length 0 are not checked. */
	{ IB_UVERBS_WR_RDMA_WRITE, IB_UVERBS_ACCESS_REMOTE_READ, -1, 0, true },
};

#define NUM_ACCESSES (sizeof(accesses) / sizeof(accesses[0]))

/* R0-357, R0-360, R0-373: windows with the MR's addresses, and zero-based ones. */
START_TEST(allowed)
{
	const struct access *access = &accesses[_i / 2];
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_tpt_entry *window = window_new(b, HCA_TPT_MW_2);
	u32 at = DST + 7 - (pair_addr(b, DST) & 7) + 1; /* aligned for atomics */
	bool zero = _i % 2;
	u32 key;

	key = bind(b, window, at, BYTES,
		   access->rights | (zero ? IB_UVERBS_ACCESS_ZERO_BASED : 0));
	pair_fill(a, SRC, BYTES, 5);
	pair_fill(b, at, BYTES, 6);
	pair_rdma_by_key(a, 1, access->opcode, key, (zero ? 0 : pair_addr(b, at)) + access->shift,
	     access->length);
	pair_settle();
	pair_expect(&a->send_cq, 1, access->ok ? IB_WC_SUCCESS : IB_WC_REM_ACCESS_ERR);
	if (access->ok && access->length == BYTES)
		ck_assert(pair_same(a, SRC, b, at, BYTES));
	window_free(b, window);
	pair_free(pair);
}
END_TEST

/*
 * A window grants a Flush, of a range or of all that it names, if it has the right. That to make
 * data persist needs an MR that has it.
 */
START_TEST(flushed)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_tpt_entry *window = window_new(b, HCA_TPT_MW_2);
	u32 right = _i / 4 ? IB_UVERBS_ACCESS_FLUSH_PERSISTENT : IB_UVERBS_ACCESS_FLUSH_GLOBAL;
	bool granted = _i % 2;
	struct hca_send_wqe *wqe;
	u32 key;

	hca_qp_eec(b->qp)->attr.access |= right;
	b->entry->access |= right;
	key = bind(b, window, DST, BYTES,
		   IB_UVERBS_ACCESS_REMOTE_WRITE | (granted ? right : 0));
	wqe = pair_wqe(a, 1, IB_UVERBS_WR_FLUSH, HCA_WQE_SIGNALED);
	wqe->rdma.remote_addr = pair_addr(b, DST);
	wqe->rdma.rkey = key;
	wqe->rdma.flush.length = BYTES;
	wqe->rdma.flush.placement = _i / 4 ? IB_FLUSH_PERSISTENT : IB_FLUSH_GLOBAL;
	wqe->rdma.flush.selectivity = _i / 2 ? IB_FLUSH_MR : IB_FLUSH_RANGE;
	pair_post(a);
	pair_settle();
	pair_expect(&a->send_cq, 1, granted ? IB_WC_SUCCESS : IB_WC_REM_ACCESS_ERR);
	window_free(b, window);
	pair_free(pair);
}
END_TEST

enum unbindable {
	NO_WINDOW,
	AN_MR,
	WINDOW_OF_OTHER_PD, /* B4-297, R0-061, R0-355 */
	MR_OF_OTHER_PD,
	MR_ZERO, /* R0-279, R0-281, R0-375 */
	MR_STALE,
	MR_IS_WINDOW,
	MR_INVALID,
	MR_NOT_FOR_IT, /* B4-290, R0-288 */
	MR_READ_ONLY, /* R0-362 */
	MR_ZERO_BASED, /* R0-332, R0-359 */
	TOO_EARLY,
	TOO_LONG,
	AROUND_THE_END,
	NOTHING,
	UNKNOWN_RIGHTS,
	PERSISTENT,
	SAME_KEY,
	BOUND_ALREADY, /* R0-363, R0-438 */
	NUM_UNBINDABLE,
};

/* R0-372, R0-453: a bind with one defect fails, and changes nothing. */
START_TEST(not_bound)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *b = &pair->end[1];
	struct hca_tpt_entry *window = window_new(b, HCA_TPT_MW_2);
	u32 key = next_key(window->key);
	u64 generation;
	struct hca_send_wqe *wqe;

	if (_i == BOUND_ALREADY)
		key = next_key(bind(b, window, DST, 10, IB_UVERBS_ACCESS_REMOTE_READ));
	generation = window->generation;
	wqe = bind_wqe(b, 1, key, DST, BYTES, IB_UVERBS_ACCESS_REMOTE_WRITE);
	switch ((enum unbindable)_i) {
	case NO_WINDOW:
		wqe->memory.key = 0xffffff00;
		break;
	case AN_MR:
		wqe->memory.key = next_key(b->entry->key);
		break;
	case WINDOW_OF_OTHER_PD:
		window->pd = pair;
		break;
	case MR_OF_OTHER_PD:
		b->entry->pd = pair;
		break;
	case MR_ZERO:
		wqe->memory.lkey = 0;
		break;
	case MR_STALE:
		wqe->memory.lkey++;
		break;
	case MR_IS_WINDOW:
		wqe->memory.lkey = window->key;
		break;
	case MR_INVALID:
		b->entry->generation = 0;
		break;
	case MR_NOT_FOR_IT:
		b->entry->access = IB_UVERBS_ACCESS_LOCAL_WRITE;
		break;
	case MR_READ_ONLY:
		b->entry->access = IB_UVERBS_ACCESS_MW_BIND;
		break;
	case MR_ZERO_BASED:
		b->entry->access |= IB_UVERBS_ACCESS_ZERO_BASED;
		break;
	case TOO_EARLY:
		wqe->memory.addr = b->entry->iova - 1;
		break;
	case TOO_LONG:
		wqe->memory.length = b->entry->length - DST + 1;
		break;
	case AROUND_THE_END:
		wqe->memory.length = ~0ull;
		break;
	case NOTHING:
		wqe->memory.length = 0;
		break;
	case UNKNOWN_RIGHTS: /* R0-002 */
		wqe->memory.access |= IB_UVERBS_ACCESS_ON_DEMAND;
		break;
	case PERSISTENT: /* the MR is not */
		wqe->memory.access |= IB_UVERBS_ACCESS_FLUSH_PERSISTENT;
		break;
	case SAME_KEY:
		wqe->memory.key = window->key;
		break;
	default:
		break;
	}
	pair_post(b);
	pair_wqe(b, 2, IB_UVERBS_WR_SEND, 0);
	pair_post(b);
	pair_settle();
	pair_expect(&b->send_cq, 1, IB_WC_MW_BIND_ERR);
	pair_expect(&b->send_cq, 2, IB_WC_WR_FLUSH_ERR);
	ck_assert_uint_eq(b->qp->common.state, IB_QPS_ERR); /* R0-365 */
	ck_assert_uint_eq(window->generation, generation);
	ck_assert_uint_eq(b->entry->windows, _i == BOUND_ALREADY);
	window_free(b, window);
	pair_free(pair);
}
END_TEST

/* Check remote write and read by this key against the rights; data is written at @at. */
static void may(struct pair *pair, u32 key, u32 at, bool write, bool read)
{
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];

	pair_rdma_by_key(a, 5, write ? IB_UVERBS_WR_RDMA_WRITE : IB_UVERBS_WR_RDMA_READ, key,
			 pair_addr(b, at), 100);
	pair_settle();
	pair_expect(&a->send_cq, 5, write || read ? IB_WC_SUCCESS : IB_WC_REM_ACCESS_ERR);
}

/*
 * Local access flags are no rights of a window, and are ignored, as other adapters do; without any
 * remote right the bind succeeds, and no access does.
 */
START_TEST(few_rights)
{
	static const u32 rights[] = {
		0,
		IB_UVERBS_ACCESS_LOCAL_WRITE,
		IB_UVERBS_ACCESS_LOCAL_WRITE | IB_UVERBS_ACCESS_REMOTE_READ,
		IB_UVERBS_ACCESS_LOCAL_WRITE | IB_UVERBS_ACCESS_REMOTE_WRITE,
	};
	u32 remote = rights[_i] & HCA_REMOTE_ACCESS;
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *b = &pair->end[1];
	struct hca_tpt_entry *window = window_new(b, _i % 2 ? HCA_TPT_MW_2 : HCA_TPT_MW_1);
	u32 key = bind(b, window, DST, BYTES, rights[_i]);

	ck_assert_uint_eq(window->access, remote);
	may(pair, key, DST, remote & IB_UVERBS_ACCESS_REMOTE_WRITE,
	    remote & IB_UVERBS_ACCESS_REMOTE_READ);
	window_free(b, window);
	pair_free(pair);
}
END_TEST

/* Make a second connection between the ends. */
static void second(struct pair *pair)
{
	int i;

	for (i = 0; i < 2; i++)
		pair->end[i].more[0] = pair_create_qp(&pair->end[i], &pair_rc);
	for (i = 0; i < 2; i++)
		pair_connect(pair->end[i].more[0], &pair_rc, pair->end[!i].more[0]->qpn,
			     pair_lid(!i, 1), 500, 500);
}

/* Post by the other connection from now on. */
static void change(struct pair_end *end)
{
	struct hca_qp *qp = end->qp;

	end->qp = end->more[0];
	end->more[0] = qp;
}

/*
 * R0-060, R0-355, R0-360: a type 2 window is usable by the queue pair that has bound it, a type 1
 * window by its protection domain.
 */
START_TEST(by_another)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	u8 kind = _i ? HCA_TPT_MW_2 : HCA_TPT_MW_1;
	struct hca_tpt_entry *window = window_new(b, kind);
	u32 key;

	second(pair);
	key = bind(b, window, DST, BYTES, REMOTE_ALL);
	change(a);
	write_to(a, 1, key, pair_addr(b, DST), BYTES);
	pair_settle();
	pair_expect(&a->send_cq, 1,
		    kind == HCA_TPT_MW_1 ? IB_WC_SUCCESS : IB_WC_REM_ACCESS_ERR);
	change(a);
	write_to(a, 2, key, pair_addr(b, DST), BYTES);
	pair_settle();
	pair_expect(&a->send_cq, 2, IB_WC_SUCCESS);
	window_free(b, window);
	pair_free(pair);
}
END_TEST

/* R0-401: a window's key is invalid for local access. */
START_TEST(not_local)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_tpt_entry *window = window_new(b, _i % 2 ? HCA_TPT_MW_2 : HCA_TPT_MW_1);
	struct hca_send_wqe *wqe;
	u32 key, own = b->entry->key;

	key = bind(b, window, DST, BYTES, REMOTE_ALL);
	pair_recv(a, 1, DST, BYTES);
	if (_i < 2) {
		wqe = pair_wqe(b, 1, IB_UVERBS_WR_SEND, 0);
		pair_sge(b, wqe, DST, 100);
		((struct hca_sge *)((u8 *)wqe + HCA_SEND_WQE_HEADER))->lkey = key;
		pair_post(b);
		pair_settle();
		pair_expect(&b->send_cq, 1, IB_WC_LOC_PROT_ERR);
	} else {
		b->entry->key = key;
		pair_recv(b, 1, DST, BYTES);
		b->entry->key = own;
		pair_send(a, 2, 0, SRC, 100);
		pair_settle();
		pair_expect(&b->recv_cq, 1, IB_WC_LOC_PROT_ERR);
	}
	window_free(b, window);
	pair_free(pair);
}
END_TEST

/*
 * R0-370, R0-368 to R0-371: the window is invalidated by its own queue pair, then bound by another
 * one.
 */
START_TEST(invalidated)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_tpt_entry *window = window_new(b, HCA_TPT_MW_2);
	u32 key;

	second(pair);
	key = bind(b, window, DST, BYTES, REMOTE_ALL);
	ck_assert(!hlist_empty(&b->qp->windows));
	pair_invalidate(b, 1, key);
	pair_settle();
	pair_expect(&b->send_cq, 1, IB_WC_SUCCESS);
	ck_assert(hlist_empty(&b->qp->windows));
	ck_assert_uint_eq(b->entry->windows, 0);
	change(b);
	change(a);
	/*
	 * R0-344, R0-369: an invalid window may be bound by any queue pair of the protection
	 * domain.
	 */
	pair_invalidate(b, 2, key);
	pair_settle();
	pair_expect(&b->send_cq, 2, IB_WC_SUCCESS);
	key = bind(b, window, DST, BYTES, REMOTE_ALL);
	write_to(a, 3, key, pair_addr(b, DST), BYTES);
	pair_settle();
	pair_expect(&a->send_cq, 3, IB_WC_SUCCESS);
	pair_invalidate(b, 4, key);
	write_to(a, 5, key, pair_addr(b, DST), BYTES);
	pair_settle();
	pair_expect(&b->send_cq, 4, IB_WC_SUCCESS);
	pair_expect(&a->send_cq, 5, IB_WC_REM_ACCESS_ERR);
	window_free(b, window);
	pair_free(pair);
}
END_TEST

enum not_parsed {
	BY_ANOTHER, /* R0-368 */
	OF_TYPE_1,
	OF_OTHER_PD, /* R0-369: and invalid */
	STALE, /* R0-345 */
	OF_AN_MR,
	OF_ALL_MEMORY, /* R0-280, R0-281, R0-395 */
	NUM_NOT_PARSED,
};

/* A request that fails changes nothing. */
START_TEST(not_taken_back)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *b = &pair->end[1];
	struct hca_tpt_entry *window = window_new(b, _i == OF_TYPE_1 ? HCA_TPT_MW_1 : HCA_TPT_MW_2);
	u32 key;

	second(pair);
	key = bind(b, window, DST, BYTES, REMOTE_ALL);
	if (_i == BY_ANOTHER)
		change(b);
	if (_i == OF_OTHER_PD) {
		pair_invalidate(b, 9, key);
		pair_settle();
		pair_expect(&b->send_cq, 9, IB_WC_SUCCESS);
		window->pd = pair;
	}
	if (_i == STALE)
		key = next_key(key);
	if (_i == OF_AN_MR)
		key = b->entry->key;
	if (_i == OF_ALL_MEMORY)
		key = HCA_LOCAL_DMA_KEY;
	pair_invalidate(b, 1, key);
	pair_settle();
	pair_expect(&b->send_cq, 1, IB_WC_MW_BIND_ERR); /* R0-346, R0-454 */
	ck_assert_int_eq(!window->generation, _i == OF_OTHER_PD);
	ck_assert(b->entry->generation);
	window_free(b, window);
	pair_free(pair);
}
END_TEST

/*
 * R0-272, R0-341, R0-431: a message of the peer invalidates the window, and no other window over
 * that memory.
 */
START_TEST(taken_back_by_send)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_tpt_entry *window = window_new(b, HCA_TPT_MW_2);
	struct hca_tpt_entry *other = window_new(b, HCA_TPT_MW_2);
	struct hca_send_wqe *wqe;
	struct hca_cqe cqe;
	u32 key, other_key;

	key = bind(b, window, DST, BYTES, REMOTE_ALL);
	other_key = bind(b, other, DST, BYTES, REMOTE_ALL);
	pair_recv(b, 1, DST, 100);
	wqe = pair_wqe(a, 1, IB_UVERBS_WR_SEND_WITH_INV, HCA_WQE_SIGNALED);
	wqe->invalidate_rkey = key;
	pair_post(a);
	write_to(a, 2, other_key, pair_addr(b, DST), BYTES); /* R0-339 */
	write_to(a, 3, key, pair_addr(b, DST), BYTES);
	pair_settle();
	ck_assert(pair_poll(&b->recv_cq, &cqe));
	ck_assert_uint_eq(cqe.flags, HCA_CQE_RECV | HCA_CQE_WITH_INV);
	ck_assert_uint_eq(cqe.invalidated_rkey, key);
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	pair_expect(&a->send_cq, 2, IB_WC_SUCCESS);
	pair_expect(&a->send_cq, 3, IB_WC_REM_ACCESS_ERR);
	ck_assert(!hlist_empty(&b->qp->windows));
	window_free(b, window);
	window_free(b, other);
	pair_free(pair);
}
END_TEST

enum not_by_send {
	SEND_BY_ANOTHER, /* R0-368 */
	SEND_TYPE_1,
	SEND_NEVER_BOUND,
	QP_WITHOUT_RIGHTS, /* R0-345 */
	NUM_NOT_BY_SEND,
};

/* A peer's message that may not invalidate the window is refused, and changes nothing. */
START_TEST(not_taken_back_by_send)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_tpt_entry *window =
		window_new(b, _i == SEND_TYPE_1 ? HCA_TPT_MW_1 : HCA_TPT_MW_2);
	u64 generation;

	second(pair);
	if (_i != SEND_NEVER_BOUND)
		bind(b, window, DST, BYTES, REMOTE_ALL);
	generation = window->generation;
	if (_i == SEND_BY_ANOTHER) {
		change(a);
		change(b);
	}
	if (_i == QP_WITHOUT_RIGHTS)
		hca_qp_eec(b->qp)->attr.access = 0;
	pair_recv(b, 1, DST, 100);
	pair_wqe(a, 1, IB_UVERBS_WR_SEND_WITH_INV, 0)->invalidate_rkey = window->key;
	pair_post(a);
	pair_settle();
	pair_expect(&a->send_cq, 1, IB_WC_REM_ACCESS_ERR);
	pair_expect(&b->recv_cq, 1, IB_WC_REM_INV_REQ_ERR); /* R0-346, R0-449 */
	ck_assert_uint_eq(window->generation, generation);
	window_free(b, window);
	pair_free(pair);
}
END_TEST

/* V3-260, V3-262: a type 1 window is bound anew, and a bind of length 0 unbinds it. */
START_TEST(moves)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_tpt_entry *window = window_new(b, HCA_TPT_MW_1);
	u32 first, key;

	first = bind(b, window, DST, BYTES, REMOTE_ALL);
	key = bind(b, window, DST + BYTES, BYTES, REMOTE_ALL);
	ck_assert_uint_ne(key, first);
	ck_assert_uint_eq(b->entry->windows, 1);
	ck_assert(hlist_empty(&b->qp->windows)); /* it does not belong to the queue pair */
	write_to(a, 1, key, pair_addr(b, DST + BYTES), BYTES);
	pair_settle();
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	first = key;
	key = bind(b, window, 0, 0, 0);
	ck_assert_uint_eq(b->entry->windows, 0);
	write_to(a, 2, _i ? key : first, pair_addr(b, DST + BYTES), BYTES);
	pair_settle();
	pair_expect(&a->send_cq, 2, IB_WC_REM_ACCESS_ERR);
	window_free(b, window);
	pair_free(pair);
}
END_TEST

/*
 * Bind, announce and invalidate in one list of requests, each after those before it, whatever the
 * cable loses.
 */
START_TEST(in_order)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_tpt_entry *window = window_new(b, HCA_TPT_MW_2);
	struct trace *trace = trace_on(pair);
	u32 key = next_key(window->key);
	int i;

	trace->lose = trace_lose_nth;
	trace->nth = _i;
	pair_fill(b, SRC, BYTES, 1);
	for (i = 0; i < 3; i++)
		pair_recv(a, 10 + i, DST, BYTES);
	pair_send(b, 1, 0, SRC, BYTES);
	bind_wqe(b, 2, key, DST, BYTES, REMOTE_ALL); /* B4-253, R0-392, V3-261 */
	pair_post(b);
	pair_send(b, 3, HCA_WQE_SIGNALED, SRC, BYTES);
	pair_rdma(b, a, 4, IB_UVERBS_WR_RDMA_READ, HCA_WQE_SIGNALED, DST, SRC, BYTES);
	pair_invalidate(b, 5, key);
	pair_send(b, 6, HCA_WQE_SIGNALED, SRC, BYTES);
	pair_wait(500);
	for (i = 2; i < 7; i++)
		pair_expect(&b->send_cq, i, IB_WC_SUCCESS);
	for (i = 0; i < 3; i++)
		pair_expect(&a->recv_cq, 10 + i, IB_WC_SUCCESS);
	ck_assert(!window->generation); /* R0-435 */
	ck_assert_uint_eq(window->key, key);
	window_free(b, window);
	pair_free(pair);
}
END_TEST

/*
 * B4-361: the request that a local request waits for requests an acknowledgement, and is sent once.
 */
START_TEST(asked_for_at_once)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_tpt_entry *window = window_new(b, HCA_TPT_MW_2);
	struct trace *trace = trace_on(pair);

	pair_recv(a, 1, DST, 100);
	pair_sge(b, pair_wqe(b, 1, IB_UVERBS_WR_SEND, 0), SRC, 100);
	b->qp->sq.ring->producer++; /* both are posted before the first one is processed */
	bind_wqe(b, 2, next_key(window->key), DST, BYTES, REMOTE_ALL);
	pair_post(b);
	pair_settle();
	pair_expect(&b->send_cq, 2, IB_WC_SUCCESS);
	pair_expect(&a->recv_cq, 1, IB_WC_SUCCESS);
	ck_assert_uint_eq(trace_count(trace, 0, HCA_OPCODE(RC, SEND_ONLY)), 1);
	window_free(b, window);
	pair_free(pair);
}
END_TEST

/* In SQD no bind begins; in Error all are flushed, and none is executed. */
START_TEST(not_begun)
{
	struct pair *pair = pair_new(services[_i / 2]);
	struct pair_end *b = &pair->end[1];
	struct hca_tpt_entry *window = window_new(b, HCA_TPT_MW_2);
	struct hca_qp_attr attr = { .state = _i % 2 ? IB_QPS_ERR : IB_QPS_SQD };
	u32 key = next_key(window->key);

	ck_assert_int_eq(hca_qp_modify(b->qp, &attr, IB_QP_STATE), 0);
	bind_wqe(b, 1, key, DST, BYTES, REMOTE_ALL);
	pair_post(b);
	pair_settle();
	ck_assert(!window->generation);
	if (_i % 2) {
		pair_expect(&b->send_cq, 1, IB_WC_WR_FLUSH_ERR);
	} else {
		pair_expect_none(&b->send_cq);
		attr.state = IB_QPS_RTS;
		ck_assert_int_eq(hca_qp_modify(b->qp, &attr, IB_QP_STATE), 0);
		pair_settle();
		pair_expect(&b->send_cq, 1, IB_WC_SUCCESS);
		ck_assert(window->generation);
	}
	window_free(b, window);
	pair_free(pair);
}
END_TEST

static struct hca_tpt *invalidated_tpt;
static struct hca_tpt_entry *invalidated_entry;
static u32 invalidated_qpn;

static bool invalidate_window(struct trace *trace, const struct traced *t)
{
	(void)t;
	if (trace->n == trace->nth)
		ck_assert(!hca_key_invalidate(invalidated_tpt, invalidated_entry->key,
					     invalidated_entry->pd, invalidated_qpn, false));
	return false;
}

/* R0-371: the window is invalidated in the middle of the peer's access, which ends there. */
START_TEST(taken_back_meanwhile)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_tpt_entry *window = window_new(b, HCA_TPT_MW_2);
	struct trace *trace;
	u32 key = bind(b, window, DST, 20000, REMOTE_ALL);

	trace = trace_on(pair);
	trace->lose = invalidate_window;
	trace->nth = 5;
	invalidated_tpt = &b->ci->tpt;
	invalidated_entry = window;
	invalidated_qpn = b->qp->qpn;
	pair_fill(a, SRC, 20000, 3);
	pair_rdma_by_key(a, 1, _i ? IB_UVERBS_WR_RDMA_READ : IB_UVERBS_WR_RDMA_WRITE, key,
			 pair_addr(b, DST),
	     20000);
	pair_wait(500);
	pair_expect(&a->send_cq, 1, IB_WC_REM_ACCESS_ERR);
	ck_assert(!pair_same(a, SRC, b, DST, 20000));
	window_free(b, window);
	pair_free(pair);
}
END_TEST

/* R0-127, R0-347, R0-351, R0-352: the MR that a window is bound to, and the end of either. */
START_TEST(whoever_goes_first)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_tpt_entry *window = window_new(b, HCA_TPT_MW_2);
	u32 key;

	second(pair);
	change(a);
	change(b);
	key = bind(b, window, DST, BYTES, REMOTE_ALL);
	ck_assert_int_eq(hca_tpt_entry_remove(&b->ci->tpt, b->entry), -EBUSY);
	write_to(a, 1, key, pair_addr(b, DST), BYTES);
	pair_settle();
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	ck_assert(!hlist_empty(&b->qp->windows));
	hca_qp_destroy(b->qp);
	b->qp = b->more[0];
	b->more[0] = NULL;
	ck_assert(!window->generation);
	ck_assert_uint_eq(b->entry->windows, 0);
	/* The window can be bound again. */
	bind(b, window, DST, BYTES, REMOTE_ALL);
	window_free(b, window);
	ck_assert(hlist_empty(&b->qp->windows));
	pair_free(pair);
}
END_TEST

Suite *window_suite(void)
{
	Suite *suite = suite_create("window");
	TCase *tc = tcase_create("window");

	/* The target of an XRC connection, which alone receives, cannot bind windows of type 2. */
	tcase_add_loop_test(tc, bound, 0, 7);
	tcase_add_loop_test(tc, allowed, 0, 2 * NUM_ACCESSES);
	tcase_add_loop_test(tc, flushed, 0, 8);
	tcase_add_loop_test(tc, not_bound, 0, NUM_UNBINDABLE);
	tcase_add_loop_test(tc, few_rights, 0, 4);
	tcase_add_loop_test(tc, by_another, 0, 2);
	tcase_add_loop_test(tc, not_local, 0, 4);
	tcase_add_test(tc, invalidated);
	tcase_add_loop_test(tc, not_taken_back, 0, NUM_NOT_PARSED);
	tcase_add_test(tc, taken_back_by_send);
	tcase_add_loop_test(tc, not_taken_back_by_send, 0, NUM_NOT_BY_SEND);
	tcase_add_loop_test(tc, moves, 0, 2);
	tcase_add_loop_test(tc, in_order, -1, 50);
	tcase_add_test(tc, asked_for_at_once);
	tcase_add_loop_test(tc, not_begun, 0, 8);
	tcase_add_loop_test(tc, taken_back_meanwhile, 0, 2);
	tcase_add_test(tc, whoever_goes_first);
	suite_add_tcase(suite, tc);
	return suite;
}
