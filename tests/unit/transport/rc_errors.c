// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Errors on a reliable connection: which end reports them, what they end, and what continues. */
#include <check.h>
#include <string.h>
#include <linux/bottom_half.h>
#include <linux/err.h>
#include <linux/slab.h>
#include "link/tx/tx.h"
#include "shim.h"
#include "tests/consumer/consumer.h"
#include "tests/unit/fixture/trace.h"
#include "tests/unit/suites.h"
#include "transport/iba_qp.h"

struct bad_request {
	const char *name;
	u8 opcode;
	u32 key_change;
	u32 remote_offset;
	u32 length, recv_length;
	u8 status; /* the requester's completion status */
	/*
	 * the responder's completion status; SUCCESS: it has no completion, except those of flushes
	 */
	u8 recv_status;
	u8 event; /* the responder's event, if no completion reports the error */
};

static const struct bad_request bad_requests[] = {
	{ "wrong rkey", IB_UVERBS_WR_RDMA_WRITE, 1, DST, 100, 0, IB_WC_REM_ACCESS_ERR,
	  IB_WC_SUCCESS, HCA_QP_ACCESS_ERROR },
	{ "unknown rkey", IB_UVERBS_WR_RDMA_WRITE, 0x7fffff00, DST, 100, 0, IB_WC_REM_ACCESS_ERR,
	  IB_WC_SUCCESS, HCA_QP_ACCESS_ERROR },
	{ "write beyond", IB_UVERBS_WR_RDMA_WRITE, 0, PAIR_MEMORY - 99, 100, 0,
	  IB_WC_REM_ACCESS_ERR, IB_WC_SUCCESS, HCA_QP_ACCESS_ERROR },
	{ "write before", IB_UVERBS_WR_RDMA_WRITE, 0, -1u, 1, 0, IB_WC_REM_ACCESS_ERR,
	  IB_WC_SUCCESS, HCA_QP_ACCESS_ERROR },
	{ "read beyond", IB_UVERBS_WR_RDMA_READ, 0, PAIR_MEMORY - 1999, 2000, 0,
	  IB_WC_REM_ACCESS_ERR, IB_WC_SUCCESS, HCA_QP_ACCESS_ERROR },
	{ "receive too short", IB_UVERBS_WR_SEND, 0, 0, 3000, 2999, IB_WC_REM_INV_REQ_ERR,
	  IB_WC_LOC_LEN_ERR, 0 },
};

/*
 * B4-046: a fatal NAK ends the request at once, with its own status. B4-269, R0-174, R0-444: the
 * responder's consumer receives one report: a completion, or an event if there is none.
 */
START_TEST(refused)
{
	const struct bad_request *bad = &bad_requests[_i];
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_send_wqe *wqe;

	if (bad->recv_length)
		pair_recv(b, 9, DST, bad->recv_length);
	pair_send(a, 1, HCA_WQE_SIGNALED | HCA_WQE_SOLICITED, SRC, 0);
	if (!bad->recv_length)
		pair_recv(b, 8, DST, 0);
	else
		pair_recv(b, 8, DST, bad->recv_length);
	pair_wait(20);
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	wqe = pair_wqe(a, 2, bad->opcode, HCA_WQE_SIGNALED);
	wqe->rdma.remote_addr = pair_addr(b, 0) + (s32)bad->remote_offset;
	wqe->rdma.rkey = b->entry->key + bad->key_change;
	pair_sge(a, wqe, SRC, bad->length);
	pair_post(a);
	pair_send(a, 3, 0, SRC, 1);
	pair_settle();
	pair_expect(&a->send_cq, 2, bad->status); /* R0-457 */
	pair_expect(&a->send_cq, 3, IB_WC_WR_FLUSH_ERR);
	ck_assert_uint_eq(a->qp->common.state, IB_QPS_ERR); /* B4-237 */
	ck_assert_uint_eq(b->qp->common.state, IB_QPS_ERR); /* R0-160 */
	if (!bad->recv_status)
		ck_assert_uint_eq(b->events[bad->event], 1); /* R0-008, R0-465 */
	ck_assert_uint_eq(b->events[HCA_QP_REQUEST_ERROR] + b->events[HCA_QP_ACCESS_ERROR] +
				  b->events[HCA_QP_FATAL],
			  !bad->recv_status);
	pair_expect(&b->recv_cq, bad->recv_length ? 9 : 8, IB_WC_SUCCESS);
	if (bad->recv_status)
		pair_expect(&b->recv_cq, 8, bad->recv_status); /* R0-383 */
	pair_expect_none(&b->recv_cq);
	pair_free(pair);
}
END_TEST

struct needed_right {
	u8 opcode;
	u32 right; /* access flags of the responder's queue pair */
};

#define ALL_RIGHTS \
	(IB_UVERBS_ACCESS_REMOTE_WRITE | IB_UVERBS_ACCESS_REMOTE_READ | \
	 IB_UVERBS_ACCESS_REMOTE_ATOMIC)

static const struct needed_right needed_rights[] = {
	{ IB_UVERBS_WR_RDMA_WRITE, IB_UVERBS_ACCESS_REMOTE_WRITE },
	{ IB_UVERBS_WR_RDMA_WRITE_WITH_IMM, IB_UVERBS_ACCESS_REMOTE_WRITE },
	{ IB_UVERBS_WR_RDMA_READ, IB_UVERBS_ACCESS_REMOTE_READ },
	{ IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD, IB_UVERBS_ACCESS_REMOTE_ATOMIC },
	{ IB_UVERBS_WR_ATOMIC_CMP_AND_SWP, IB_UVERBS_ACCESS_REMOTE_ATOMIC },
};
#define NUM_NEEDED_RIGHTS (int)(sizeof(needed_rights) / sizeof(needed_rights[0]))

/* Access eight octets at DST + 8, which are aligned for an atomic. */
static void access_by(struct pair *pair, u64 wr_id, u8 opcode)
{
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_send_wqe *wqe = pair_wqe(a, wr_id, opcode, HCA_WQE_SIGNALED);

	wqe->rdma.remote_addr = (pair_addr(b, DST) + 8) & ~7ull;
	wqe->rdma.rkey = b->entry->key;
	pair_sge(a, wqe, SRC, 8);
	pair_post(a);
	pair_settle();
}

/*
 * B4-279, B4-348, R0-390: an access that the queue pair's access flags deny is an invalid request,
 * whatever the MR permits (rxe and hfi1 do so, too); with that single flag it is executed.
 */
START_TEST(rights_of_queue_pair)
{
	const struct needed_right *needed = &needed_rights[_i % NUM_NEEDED_RIGHTS];
	struct pair *pair = pair_new(_i < NUM_NEEDED_RIGHTS ? &pair_rc : &pair_rd);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	bool rd_eec = b->rd_eec;
	u8 before[24], after[24];

	pair_recv(b, 1, DST + 100, 8);
	pair_recv(b, 2, DST + 100, 8);
	hca_qp_eec(b->qp)->attr.access = needed->right;
	access_by(pair, 1, needed->opcode);
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);

	hca_qp_eec(b->qp)->attr.access = ALL_RIGHTS & ~needed->right;
	pair_read(b, DST, before, sizeof(before));
	pair_fill(a, SRC, 8, 3);
	access_by(pair, 2, needed->opcode);
	pair_expect(&a->send_cq, 2, IB_WC_REM_INV_REQ_ERR);
	pair_read(b, DST, after, sizeof(after));
	ck_assert_mem_eq(before, after, sizeof(before));
	ck_assert_uint_eq(b->events[HCA_QP_REQUEST_ERROR], !rd_eec);
	ck_assert_uint_eq(b->events[HCA_QP_ACCESS_ERROR], 0);
	ck_assert_uint_eq(b->qp->common.state, rd_eec ? IB_QPS_RTS : IB_QPS_ERR);
	pair_free(pair);
}
END_TEST

struct bad_local {
	u8 opcode;
	u32 offset, length, key_change;
	u8 status;
};

static const struct bad_local bad_locals[] = {
	{ IB_UVERBS_WR_SEND, PAIR_MEMORY, 1, 0, IB_WC_LOC_PROT_ERR },
	{ IB_UVERBS_WR_SEND, 0, 10, 1, IB_WC_LOC_PROT_ERR },
	{ IB_UVERBS_WR_SEND, 0, 10, 0x12345600, IB_WC_LOC_PROT_ERR },
	{ IB_UVERBS_WR_TSO, 0, 8, 0, IB_WC_LOC_QP_OP_ERR },
	{ 200, 0, 8, 0, IB_WC_LOC_QP_OP_ERR },
};

/* R0-161, R0-450: a request that is invalid by itself ends after those before it, which succeed. */
START_TEST(refused_locally)
{
	const struct bad_local *bad = &bad_locals[_i];
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_send_wqe *wqe;
	struct hca_sge *sge;

	pair_recv(b, 1, DST, 5000);
	pair_send(a, 1, 0, SRC, 5000);
	wqe = pair_wqe(a, 2, bad->opcode, 0);
	pair_sge(a, wqe, bad->offset, bad->length);
	sge = (void *)((u8 *)wqe + HCA_SEND_WQE_HEADER);
	sge->lkey += bad->key_change;
	pair_post(a);
	pair_send(a, 3, 0, SRC, 1);
	pair_settle();
	pair_expect(&b->recv_cq, 1, IB_WC_SUCCESS);
	pair_expect(&a->send_cq, 2, bad->status);
	pair_expect(&a->send_cq, 3, IB_WC_WR_FLUSH_ERR);
	pair_expect_none(&a->send_cq);
	pair_free(pair);
}
END_TEST

/*
 * V3-026: the first request has not asked for an acknowledgement, but the second must learn of its
 * end.
 */
START_TEST(refused_behind_unsignaled)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_send_wqe *wqe;

	pair_recv(b, 1, DST, 10);
	wqe = pair_wqe(a, 1, IB_UVERBS_WR_SEND, 0);
	pair_sge(a, wqe, SRC, 10);
	a->qp->sq.ring->producer++;
	pair_wqe(a, 2, 200, HCA_WQE_SIGNALED);
	pair_post(a);
	pair_expect(&b->recv_cq, 1, IB_WC_SUCCESS);
	pair_expect(&a->send_cq, 2, IB_WC_LOC_QP_OP_ERR);
	pair_free(pair);
}
END_TEST

/*
 * R0-245, R0-450: an unsignaled request precedes a read that the connection does not allow,
 * because its read depth is 0.
 */
START_TEST(refused_read_behind_unsignaled)
{
	struct pair_qp how = pair_rc;
	struct hca_send_wqe *wqe;
	struct pair *pair;
	struct pair_end *a, *b;

	how.rd_atomic = 0;
	pair = pair_new(&how);
	a = &pair->end[0];
	b = &pair->end[1];
	pair_recv(b, 1, DST, 10);
	wqe = pair_wqe(a, 1, IB_UVERBS_WR_SEND, 0);
	pair_sge(a, wqe, SRC, 10);
	a->qp->sq.ring->producer++;
	pair_rdma(a, b, 2, IB_UVERBS_WR_RDMA_READ, HCA_WQE_SIGNALED, SRC, DST, 10);
	pair_expect(&b->recv_cq, 1, IB_WC_SUCCESS);
	pair_expect(&a->send_cq, 2, IB_WC_LOC_QP_OP_ERR);
	pair_free(pair);
}
END_TEST

struct naks {
	unsigned int rnr, sequence;
};

static bool count_naks(struct pair *pair, int receiver, const struct hca_packet *pkt)
{
	struct naks *naks = pair->data;

	if (receiver == 0 && pkt->h.bth.opcode == HCA_OPCODE(RC, ACKNOWLEDGE)) {
		naks->rnr += (pkt->h.aeth.syndrome & HCA_SYNDROME_KIND) == HCA_SYNDROME_RNR;
		naks->sequence += pkt->h.aeth.syndrome == HCA_NAK_PSN_SEQUENCE;
	}
	return true;
}

/* B4-352: the requests that follow an RNR NAK do not cause a PSN sequence error. */
START_TEST(silent_after_rnr)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0];
	struct naks naks = {};

	pair->filter = count_naks;
	pair->data = &naks;
	pair_send(a, 1, HCA_WQE_SIGNALED, SRC, 8000);
	pair_settle();
	ck_assert_uint_eq(naks.rnr, 1);
	ck_assert_uint_eq(naks.sequence, 0);
	pair_recv(&pair->end[1], 1, DST, 8000);
	pair_wait(50);
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	ck_assert_uint_eq(naks.sequence, 0);
	pair_free(pair);
}
END_TEST

/* B4-352: after progress the RNR retry counter has its full value again. */
START_TEST(rnr_attempts_anew)
{
	struct pair_qp how = pair_rc;
	struct pair_end *a, *b;
	struct pair *pair;
	unsigned int i;

	how.rnr_retry = 1;
	pair = pair_new(&how);
	a = &pair->end[0];
	b = &pair->end[1];
	for (i = 0; i < 5; i++) {
		pair_send(a, i, HCA_WQE_SIGNALED, SRC, 3000);
		ck_assert(hca_qp_eec(a->qp)->rnr_wait);
		pair_recv(b, i, DST, 3000);
		pair_wait(50);
		pair_expect(&a->send_cq, i, IB_WC_SUCCESS);
		pair_expect(&b->recv_cq, i, IB_WC_SUCCESS);
	}
	pair_send(a, i, HCA_WQE_SIGNALED, SRC, 3000);
	pair_wait(50);
	pair_expect(&a->send_cq, i, IB_WC_RNR_RETRY_EXC_ERR);
	pair_free(pair);
}
END_TEST

/*
 * R0-439, C10-101, B4-258: a fenced request does not leave while a read or an atomic is
 * outstanding.
 */
START_TEST(fenced)
{
	static const u8 fetches[] = { IB_UVERBS_WR_RDMA_READ, IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD };
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct trace *trace = trace_on(pair);
	u8 fence = _i / 2 ? HCA_WQE_FENCE : 0;

	trace->lose = trace_cut;
	trace->towards = 0;
	access_by(pair, 1, fetches[_i % 2]);
	pair_rdma(a, b, 2, IB_UVERBS_WR_RDMA_WRITE, HCA_WQE_SIGNALED | fence, SRC, DST + 100, 8);
	pair_settle();
	ck_assert_uint_eq(trace_count(trace, 1, HCA_OPCODE(RC, RDMA_WRITE_ONLY)), !fence);
	trace->lose = NULL;
	pair_wait(500);
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	pair_expect(&a->send_cq, 2, IB_WC_SUCCESS);
	pair_free(pair);
}
END_TEST

static const u32 too_many_sges[] = { 5, 6, 255, ~0u };
#define NUM_TOO_MANY_SGES (int)(sizeof(too_many_sges) / sizeof(too_many_sges[0]))

/*
 * No more SGEs of an entry are read than the queue was created with: a Send fails, a receive
 * request uses the first ones.
 */
START_TEST(more_sges_than_granted)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_recv_wqe *recv;
	struct hca_send_wqe *wqe;

	pair_recv(b, 1, DST, 100);
	recv = hca_queue_entry(&b->qp->rq, 0);
	memset(&recv->sge[1], 0, 3 * sizeof(recv->sge[1]));
	recv->num_sge = too_many_sges[_i];
	pair_send(a, 1, HCA_WQE_SIGNALED, SRC, 100);
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	pair_expect(&b->recv_cq, 1, IB_WC_SUCCESS);

	pair_recv(b, 2, DST, 100);
	wqe = pair_wqe(a, 2, IB_UVERBS_WR_SEND, HCA_WQE_SIGNALED);
	pair_sge(a, wqe, SRC, 10);
	wqe->num_sge = too_many_sges[_i]; /* it has eight bits */
	pair_post(a);
	pair_expect(&a->send_cq, 2, IB_WC_LOC_QP_OP_ERR);
	pair_expect_none(&b->recv_cq);
	pair_free(pair);
}
END_TEST

/* R0-246, R0-468: a requester that exceeds the agreed number of outstanding reads is refused. */
START_TEST(read_depth)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_cqe cqe;
	unsigned int i;

	hca_qp_eec(b->qp)->attr.max_dest_rd_atomic = 1;
	hca_qp_eec(a->qp)->attr.max_rd_atomic = 8;
	for (i = 0; i < 8; i++) {
		struct hca_send_wqe *wqe = pair_wqe(a, i, IB_UVERBS_WR_RDMA_READ, 0);

		wqe->rdma.remote_addr = pair_addr(b, DST);
		wqe->rdma.rkey = b->entry->key;
		pair_sge(a, wqe, SRC, 60000);
		a->qp->sq.ring->producer += i < 7;
	}
	pair_post(a);
	pair_wait(10);
	ck_assert(pair_poll(&a->send_cq, &cqe));
	ck_assert_uint_eq(cqe.status, IB_WC_REM_INV_REQ_ERR);
	pair_free(pair);
}
END_TEST

static bool only_acks_pass(struct pair *pair, int receiver, const struct hca_packet *pkt)
{
	(void)pair;
	return receiver == 0 || (hca_opcodes[pkt->h.bth.opcode].flags & HCA_IS_RESPONSE);
}

/*
 * R0-349: the memory is deregistered while its packets are in transit: they are dropped, and the
 * retry fails.
 */
START_TEST(mr_gone)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_tpt_entry *copy = kmalloc(sizeof(*copy), GFP_KERNEL);
	struct hca_send_wqe *wqe;
	struct hca_sge *sge;
	u32 key;

	memcpy(copy, a->entry, sizeof(*copy));
	ck_assert_int_eq(hca_tpt_entry_add(&a->ci->tpt, copy), 0);
	key = copy->key;
	pair_recv(b, 1, DST, 3000);
	pair->filter = only_acks_pass;
	wqe = pair_wqe(a, 1, IB_UVERBS_WR_SEND, 0);
	pair_sge(a, wqe, SRC, 3000);
	sge = (void *)((u8 *)wqe + HCA_SEND_WQE_HEADER);
	sge->lkey = key;
	pair_post(a);
	hca_tpt_entry_remove(&a->ci->tpt, copy);
	pair->filter = NULL;
	pair_wait(1000);
	pair_expect(&a->send_cq, 1, IB_WC_LOC_PROT_ERR);
	pair_free(pair);
}
END_TEST

/* An invalid producer index in a ring harms only the ring's owner. */
START_TEST(wild_producer)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0];

	a->qp->rq.ring->producer += 1000000;
	pair_wqe(a, 1, IB_UVERBS_WR_SEND, 0);
	a->qp->sq.ring->producer += 4096;
	pair_post(a);
	pair_settle();
	ck_assert_uint_eq(a->qp->common.state, IB_QPS_ERR);
	pair_free(pair);
}
END_TEST

/* One arming causes one event; an arming for solicited completions waits for one. */
START_TEST(arming)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	unsigned int i;

	for (i = 0; i < 5; i++)
		pair_recv(b, i, DST, 10);
	pair_send(a, 0, 0, SRC, 10);
	ck_assert_uint_eq(b->notified, 0);
	b->recv_cq.queue.ring->arm = HCA_CQ_ARM_SOLICITED; /* V3-225, V3-283 */
	pair_send(a, 1, 0, SRC, 10);
	ck_assert_uint_eq(b->notified, 0); /* R0-103, V3-281 */
	pair_send(a, 2, HCA_WQE_SOLICITED, SRC, 10);
	ck_assert_uint_eq(b->notified, 1); /* R0-009, R0-104 */
	pair_send(a, 3, HCA_WQE_SOLICITED, SRC, 10);
	ck_assert_uint_eq(b->notified, 1); /* R0-100 */
	b->recv_cq.queue.ring->arm = HCA_CQ_ARM_NEXT | HCA_CQ_ARM_SOLICITED;
	pair_send(a, 4, 0, SRC, 10);
	ck_assert_uint_eq(b->notified, 2); /* B4-262, R0-105, R0-106, V3-282 */
	ck_assert_uint_eq(b->recv_cq.queue.ring->arm, 0);
	for (i = 0; i < 5; i++) /* R0-109: no event has polled any completion */
		pair_expect(&b->recv_cq, i, IB_WC_SUCCESS);
	pair_free(pair);
}
END_TEST

static const struct {
	u8 opcode;
	bool solicits;
} solicitations[] = {
	{ IB_UVERBS_WR_SEND, true },
	{ IB_UVERBS_WR_SEND_WITH_IMM, true },
	{ IB_UVERBS_WR_RDMA_WRITE_WITH_IMM, true },
	{ IB_UVERBS_WR_RDMA_WRITE, false },
	{ IB_UVERBS_WR_RDMA_READ, false },
	{ IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD, false },
	{ IB_UVERBS_WR_ATOMIC_CMP_AND_SWP, false },
};

/*
 * R0-009, B4-262: the SE bit is set in the last packet of a message that consumes a receive
 * request, and in no other.
 */
START_TEST(solicited_bit)
{
	u8 opcode = solicitations[_i].opcode, type;
	const struct pair_qp *const hows[] = { &pair_rc, &pair_uc, &pair_rd };

	for (type = 0; type < 3; type++) {
		struct pair *pair = pair_new(hows[type]);
		struct pair_end *a = &pair->end[0], *b = &pair->end[1];
		struct trace *trace = trace_on(pair);
		struct hca_send_wqe *wqe;
		unsigned int i;
		bool atomic = opcode == IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD ||
			      opcode == IB_UVERBS_WR_ATOMIC_CMP_AND_SWP;

		if (hows[type] != &pair_uc || (!atomic && opcode != IB_UVERBS_WR_RDMA_READ)) {
			pair_recv(b, 1, DST, 3000);
			wqe = pair_wqe(a, 1, opcode, HCA_WQE_SIGNALED | HCA_WQE_SOLICITED);
			wqe->rdma.remote_addr = (pair_addr(b, DST) + 8) & ~7ull;
			wqe->rdma.rkey = b->entry->key;
			pair_sge(a, wqe, SRC, atomic ? 8 : 2500);
			pair_post(a);
			pair_settle();
			pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
			ck_assert_uint_ge(trace_count(trace, 1, -1), 1);
		}
		for (i = 0; i < trace->n; i++) {
			const struct hca_headers *h = &trace->packet[i].h;
			bool last = hca_opcodes[h->bth.opcode].flags & HCA_IS_LAST;

			if (trace->packet[i].receiver)
				ck_assert_int_eq(!!(h->bth.flags & HCA_BTH_SOLICITED),
						 last && solicitations[_i].solicits);
		}
		pair_free(pair);
	}
}
END_TEST

/*
 * R0-070, R0-072, R0-472, V3-284, V3-089: an overflow is an error of the CQ and of the QP; the
 * completions in the CQ stay.
 */
START_TEST(completion_overflow)
{
	struct pair_qp how = pair_rc;
	struct pair *pair;
	struct pair_end *a, *b;
	unsigned int i;

	how.cqe = 4;
	pair = pair_new(&how);
	a = &pair->end[0];
	b = &pair->end[1];
	for (i = 0; i < 6; i++)
		pair_rdma(a, b, i, IB_UVERBS_WR_RDMA_WRITE, HCA_WQE_SIGNALED, SRC, DST, 10);
	pair_settle();
	ck_assert_uint_eq(a->cq_errors, 1);
	ck_assert_uint_eq(a->qp->common.state, IB_QPS_ERR);
	for (i = 0; i < 4; i++)
		pair_expect(&a->send_cq, i, IB_WC_SUCCESS);
	pair_expect_none(&a->send_cq);
	pair_free(pair);
}
END_TEST

/*
 * R0-084, V3-190, V3-193: Reset discards the work requests, not the completions; the QP is usable
 * again.
 */
START_TEST(reset_and_again)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_qp_attr reset = { .state = IB_QPS_RESET };
	unsigned int i;

	for (i = 0; i < 3; i++) {
		pair_recv(b, i, DST, 100);
		pair_recv(b, 90, DST, 100);
		pair_send(a, i, HCA_WQE_SIGNALED, SRC, 100);
		pair_settle();
		ck_assert_int_eq(hca_qp_modify(a->qp, &reset, IB_QP_STATE), 0);
		ck_assert_int_eq(hca_qp_modify(b->qp, &reset, IB_QP_STATE), 0);
		pair_expect(&a->send_cq, i, IB_WC_SUCCESS);
		pair_expect(&b->recv_cq, i, IB_WC_SUCCESS);
		pair_expect_none(&b->recv_cq);
		pair_connect(a->qp, &pair_rc, b->qp->qpn, 2, 100 + i, 200 + i);
		pair_connect(b->qp, &pair_rc, a->qp->qpn, 1, 200 + i, 100 + i);
	}
	pair_free(pair);
}
END_TEST

static void expect_freed(struct hca_cq *cq, u64 wr_id, enum ib_wc_status status, u32 wqes)
{
	struct hca_cqe cqe;

	ck_assert(pair_poll(cq, &cqe));
	ck_assert_uint_eq(cqe.wr_id, wr_id);
	ck_assert_uint_eq(cqe.status, status);
	ck_assert_uint_eq(cqe.wqes, wqes);
}

/* V3-278: a completion says how many entries it frees, earlier unsignaled ones included. */
START_TEST(entries_freed)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_qp_attr error = { .state = IB_QPS_ERR };
	unsigned int i;

	for (i = 0; i < 8; i++) {
		pair_recv(b, i, DST, 100);
		pair_send(a, i, i == 3 || i == 5 ? HCA_WQE_SIGNALED : 0, SRC, 100);
	}
	pair_settle();
	expect_freed(&a->send_cq, 3, IB_WC_SUCCESS, 4); /* R0-068, R0-086 */
	expect_freed(&a->send_cq, 5, IB_WC_SUCCESS, 2); /* R0-399, R0-408 */
	pair_expect_none(&a->send_cq); /* R0-085 */
	for (i = 0; i < 8; i++)
		expect_freed(&b->recv_cq, i, IB_WC_SUCCESS, 1); /* R0-397 */

	/*
	 * Two requests have completed, and the others are flushed, each with a completion of its
	 * own.
	 */
	ck_assert_int_eq(hca_qp_modify(b->qp, &error, IB_QP_STATE), 0);
	a->qp->sq.ring->need_wakeup = 0; /* the request is in the ring, and is not sent */
	for (i = 0; i < 3; i++)
		pair_send(a, 10 + i, 0, SRC, 100);
	ck_assert_int_eq(hca_qp_modify(a->qp, &error, IB_QP_STATE), 0);
	expect_freed(&a->send_cq, 10, IB_WC_WR_FLUSH_ERR, 3);
	expect_freed(&a->send_cq, 11, IB_WC_WR_FLUSH_ERR, 1);
	expect_freed(&a->send_cq, 12, IB_WC_WR_FLUSH_ERR, 1);
	pair_free(pair);
}
END_TEST

/* After a Reset a completion counts from the new beginning of the queue. */
START_TEST(entries_freed_after_reset)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_qp_attr reset = { .state = IB_QPS_RESET };

	pair_recv(b, 1, DST, 100);
	pair_send(a, 1, 0, SRC, 100);
	pair_settle();
	ck_assert_int_eq(hca_qp_modify(a->qp, &reset, IB_QP_STATE), 0);
	ck_assert_int_eq(hca_qp_modify(b->qp, &reset, IB_QP_STATE), 0);
	pair_connect(a->qp, &pair_rc, b->qp->qpn, 2, 100, 200);
	pair_connect(b->qp, &pair_rc, a->qp->qpn, 1, 200, 100);
	pair_recv(b, 2, DST, 100);
	pair_send(a, 2, HCA_WQE_SIGNALED, SRC, 100);
	pair_settle();
	expect_freed(&a->send_cq, 2, IB_WC_SUCCESS, 1);
	pair_free(pair);
}
END_TEST

/*
 * The adapter fails: a consumer that polls gets a flush for each posted request, and so learns of
 * it.
 */
START_TEST(adapter_fails)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0];

	pair_recv(a, 1, DST, 10);
	pair_send(a, 2, 0, SRC, 10);
	hca_ci_fail(a->ci);
	pair_expect(&a->recv_cq, 1, IB_WC_WR_FLUSH_ERR);
	pair_expect(&a->send_cq, 2, IB_WC_WR_FLUSH_ERR);
	ck_assert_uint_eq(pair->end[1].qp->common.state, IB_QPS_RTS);
	pair_free(pair);
}
END_TEST

/* The kernel's queue pairs stay as they are until their owners destroy them. */
START_TEST(adapter_fails_kernel)
{
	struct pair_qp how = pair_rc;
	struct pair *pair;

	how.kernel = true;
	pair = pair_new(&how);
	hca_ci_fail(pair->end[0].ci);
	ck_assert_uint_eq(pair->end[0].qp->common.state, IB_QPS_RTS);
	pair_free(pair);
}
END_TEST

/* V3-180, V3-189: the peer destroys its QP; a new one gets another number, and completions stay. */
START_TEST(destroyed_peer)
{
	struct pair_qp how = pair_rc;
	struct pair *pair;
	struct pair_end *a, *b;
	u32 qpn;

	how.retry = 1;
	how.timeout = 8;
	pair = pair_new(&how);
	a = &pair->end[0];
	b = &pair->end[1];
	pair_recv(b, 1, DST, 100);
	pair_send(a, 1, HCA_WQE_SIGNALED, SRC, 100);
	pair_settle();
	qpn = b->qp->qpn;
	hca_qp_destroy(b->qp);
	pair_expect(&b->recv_cq, 1, IB_WC_SUCCESS);
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	{
		struct hca_qp_init init = { .type = IB_QPT_RC,
					    .max_send_wr = 1,
					    .max_send_sge = 1,
					    .send_cq = &b->send_cq,
					    .recv_cq = &b->recv_cq };
		b->qp = consumer_create_qp(b->ci, &init);
		ck_assert(!IS_ERR(b->qp));
		ck_assert_uint_ne(b->qp->qpn, qpn);
	}
	pair_send(a, 2, HCA_WQE_SIGNALED, SRC, 100);
	pair_wait(100);
	pair_expect(&a->send_cq, 2, IB_WC_RETRY_EXC_ERR);
	pair_free(pair);
}
END_TEST

/* Drop the Send, twice. */
static bool lose_send_twice(struct pair *pair, int receiver, const struct hca_packet *pkt)
{
	unsigned int *lost = pair->data;

	(void)receiver;
	return pkt->h.bth.opcode != HCA_OPCODE(RC, SEND_ONLY_WITH_IMMEDIATE) || ++*lost > 2;
}

/* C9-86: reads that are repeated, because no response can leave, stay within the agreed depth. */
START_TEST(repeated_reads)
{
	struct pair_qp how = pair_rc;
	unsigned int lost = 0;
	struct pair_end *a, *b;
	struct pair *pair;

	how.rd_atomic = 2;
	how.timeout = 9;
	pair = pair_new(&how);
	a = &pair->end[0];
	b = &pair->end[1];
	pair_recv(b, 8, DST, 10);
	pair_recv(b, 9, DST, 10);
	/* its acknowledgement brings credit for the next one */
	pair_send(a, 0, HCA_WQE_SIGNALED, SRC, 10);
	pair_expect(&a->send_cq, 0, IB_WC_SUCCESS);
	pair->filter = lose_send_twice;
	pair->data = &lost;
	a->ports[1].rx_buffer.fccl[0] -= 100000;
	pair_rdma(a, b, 1, IB_UVERBS_WR_RDMA_READ, HCA_WQE_SIGNALED, SRC, DST, 1000);
	pair_send(a, 2, HCA_WQE_SIGNALED, SRC, 10);
	pair_rdma(a, b, 3, IB_UVERBS_WR_RDMA_READ, HCA_WQE_SIGNALED, SRC, DST, 1000);
	pair_wait(20);
	ck_assert_uint_gt(lost, 2);
	ck_assert_uint_eq(b->qp->common.state, IB_QPS_RTS);
	a->ports[1].rx_buffer.fccl[0] += 100000;
	local_bh_disable();
	hca_port_wake(&b->ports[1]);
	hca_engine_run();
	local_bh_enable();
	pair_wait(100);
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	pair_expect(&a->send_cq, 2, IB_WC_SUCCESS);
	pair_expect(&a->send_cq, 3, IB_WC_SUCCESS);
	pair_free(pair);
}
END_TEST

Suite *rc_errors_suite(void)
{
	Suite *suite = suite_create("rc_errors");
	TCase *tc;

	tc = tcase_create("errors");
	tcase_add_loop_test(tc, refused, 0, sizeof(bad_requests) / sizeof(bad_requests[0]));
	tcase_add_loop_test(tc, rights_of_queue_pair, 0, 2 * NUM_NEEDED_RIGHTS);
	tcase_add_loop_test(tc, refused_locally, 0, sizeof(bad_locals) / sizeof(bad_locals[0]));
	tcase_add_test(tc, refused_behind_unsignaled);
	tcase_add_test(tc, refused_read_behind_unsignaled);
	tcase_add_test(tc, silent_after_rnr);
	tcase_add_test(tc, rnr_attempts_anew);
	tcase_add_loop_test(tc, fenced, 0, 4);
	tcase_add_loop_test(tc, more_sges_than_granted, 0, NUM_TOO_MANY_SGES);
	tcase_add_test(tc, read_depth);
	tcase_add_test(tc, mr_gone);
	tcase_add_test(tc, wild_producer);
	tcase_add_test(tc, arming);
	tcase_add_loop_test(tc, solicited_bit, 0, sizeof(solicitations) / sizeof(solicitations[0]));
	tcase_add_test(tc, completion_overflow);
	tcase_add_test(tc, reset_and_again);
	tcase_add_test(tc, entries_freed);
	tcase_add_test(tc, entries_freed_after_reset);
	tcase_add_test(tc, adapter_fails);
	tcase_add_test(tc, adapter_fails_kernel);
	tcase_add_test(tc, destroyed_peer);
	tcase_add_test(tc, repeated_reads);
	suite_add_tcase(suite, tc);
	return suite;
}
