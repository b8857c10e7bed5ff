// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The reliable connection: data arrive, once, in order, whatever the cable loses. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <linux/slab.h>
#include "pair.h"
#include "suites.h"
#include "transport/aeth.h"
#include "wire/opcode.h"

#define SRC 0u
#define DST (PAIR_MEMORY / 2)

static void fill(struct pair_end *end, u32 offset, u32 length, unsigned int seed)
{
	u8 *data = malloc(length);
	u32 i;

	for (i = 0; i < length; i++)
		data[i] = (i * 2654435761u + seed * 40503u) >> 13;
	pair_write(end, offset, data, length);
	free(data);
}

static bool same(struct pair_end *a, u32 at_a, struct pair_end *b, u32 at_b, u32 length)
{
	u8 *one = malloc(length + 1), *two = malloc(length + 1);
	bool equal;

	pair_read(a, at_a, one, length);
	pair_read(b, at_b, two, length);
	equal = !memcmp(one, two, length);
	free(one);
	free(two);
	return equal;
}

static void expect(struct hca_cq *cq, u64 wr_id, enum hca_status status)
{
	struct hca_cqe cqe;

	ck_assert(pair_poll(cq, &cqe));
	ck_assert_uint_eq(cqe.wr_id, wr_id);
	ck_assert_uint_eq(cqe.status, status);
}

static void expect_none(struct hca_cq *cq)
{
	struct hca_cqe cqe;

	ck_assert(!pair_poll(cq, &cqe));
}

static void post_rdma(struct pair_end *from, struct pair_end *to, u64 wr_id, u8 opcode, u8 flags,
		      u32 local, u32 remote, u32 length)
{
	struct hca_send_wqe *wqe = pair_wqe(from, wr_id, opcode, flags);

	wqe->rdma.remote_addr = pair_addr(to, remote);
	wqe->rdma.rkey = to->region->key;
	wqe->imm_data = cpu_to_be32((u32)wr_id);
	pair_sge(from, wqe, local, length);
	pair_post(from);
}

static void post_send(struct pair_end *from, u64 wr_id, u8 flags, u32 local, u32 length)
{
	struct hca_send_wqe *wqe = pair_wqe(from, wr_id, IB_UVERBS_WR_SEND_WITH_IMM, flags);

	wqe->imm_data = cpu_to_be32((u32)wr_id);
	pair_sge(from, wqe, local, length);
	pair_post(from);
}

static const u32 sizes[] = { 0,	   1,	 3,    255,  256,  257,	 1023,	 1024,
			     1025, 4095, 4096, 4097, 8192, 65536, 100001 };
#define NUM_SIZES (sizeof(sizes) / sizeof(sizes[0]))

static struct pair_qp with_mtu(int mtu)
{
	struct pair_qp how = pair_rc;

	how.mtu = mtu;
	return how;
}

/* B4-047, B4-051, B4-085, B4-095: each operation, each size, each path MTU. */
START_TEST(all_operations_all_sizes)
{
	struct pair_qp how = with_mtu(_i);
	struct pair *pair = pair_new(&how);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_cqe cqe;
	unsigned int i;

	for (i = 0; i < NUM_SIZES; i++) {
		u32 n = sizes[i];

		fill(a, SRC, n, i);
		fill(b, DST, n, i + 99);
		pair_recv(b, i, DST, n);
		post_send(a, 100 + i, HCA_WQE_SIGNALED, SRC, n);
		pair_settle();
		expect(&a->send_cq, 100 + i, HCA_WC_SUCCESS);
		ck_assert(pair_poll(&b->recv_cq, &cqe));
		ck_assert_uint_eq(cqe.wr_id, i);
		ck_assert_uint_eq(cqe.status, HCA_WC_SUCCESS);
		ck_assert_uint_eq(cqe.byte_len, n);
		ck_assert_uint_eq(cqe.opcode, HCA_WC_RECV);
		ck_assert_uint_eq(cqe.flags, HCA_CQE_RECV | HCA_CQE_WITH_IMM);
		ck_assert_uint_eq(be32_to_cpu(cqe.imm_data), 100 + i);
		ck_assert(same(a, SRC, b, DST, n));

		fill(a, SRC, n, i + 7);
		post_rdma(a, b, 200 + i, IB_UVERBS_WR_RDMA_WRITE, HCA_WQE_SIGNALED, SRC, DST + 5,
			  n);
		pair_settle();
		expect(&a->send_cq, 200 + i, HCA_WC_SUCCESS);
		ck_assert(same(a, SRC, b, DST + 5, n));

		fill(a, SRC, n, i + 8);
		pair_recv(b, 50 + i, 0, 0);
		post_rdma(a, b, 300 + i, IB_UVERBS_WR_RDMA_WRITE_WITH_IMM, HCA_WQE_SIGNALED, SRC,
			  DST, n);
		pair_settle();
		expect(&a->send_cq, 300 + i, HCA_WC_SUCCESS);
		ck_assert(pair_poll(&b->recv_cq, &cqe));
		ck_assert_uint_eq(cqe.wr_id, 50 + i);
		ck_assert_uint_eq(cqe.byte_len, n);
		ck_assert_uint_eq(cqe.opcode, HCA_WC_RECV_RDMA_WITH_IMM);
		ck_assert(same(a, SRC, b, DST, n));

		fill(b, DST, n, i + 9);
		post_rdma(a, b, 400 + i, IB_UVERBS_WR_RDMA_READ, HCA_WQE_SIGNALED, SRC + 3, DST,
			  n);
		pair_settle();
		expect(&a->send_cq, 400 + i, HCA_WC_SUCCESS);
		ck_assert(same(a, SRC + 3, b, DST, n));
	}
	expect_none(&a->send_cq);
	expect_none(&b->recv_cq);
	pair_free(pair);
}
END_TEST

/* Several scatter entries, odd lengths, across pages. */
START_TEST(gather_and_scatter)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_send_wqe *wqe;
	u32 i;

	for (i = 0; i < 50; i++) {
		u32 n1 = i * 37 % 5000, n2 = i * 101 % 3000 + 1, n3 = i * 7 % 9000;

		fill(a, 0, 64 * 1024, i);
		pair_recv(b, i, DST, n1 + n2 + n3);
		wqe = pair_wqe(a, i, IB_UVERBS_WR_SEND, HCA_WQE_SIGNALED);
		pair_sge(a, wqe, 11, n1);
		pair_sge(a, wqe, 20000, n2);
		pair_sge(a, wqe, 40003, n3);
		pair_post(a);
		pair_settle();
		expect(&a->send_cq, i, HCA_WC_SUCCESS);
		expect(&b->recv_cq, i, HCA_WC_SUCCESS);
		ck_assert(same(a, 11, b, DST, n1));
		ck_assert(same(a, 20000, b, DST + n1, n2));
		ck_assert(same(a, 40003, b, DST + n1 + n2, n3));
	}
	pair_free(pair);
}
END_TEST

START_TEST(inline_data)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_send_wqe *wqe;
	u8 got[200];

	pair_recv(b, 1, DST, 200);
	wqe = pair_wqe(a, 1, IB_UVERBS_WR_SEND, HCA_WQE_SIGNALED | HCA_WQE_INLINE);
	wqe->inline_length = 200;
	memset((u8 *)wqe + HCA_SEND_WQE_HEADER, 0x5a, 200);
	pair_post(a);
	pair_settle();
	expect(&a->send_cq, 1, HCA_WC_SUCCESS);
	expect(&b->recv_cq, 1, HCA_WC_SUCCESS);
	pair_read(b, DST, got, 200);
	ck_assert(got[0] == 0x5a && !memcmp(got, got + 1, 199));
	pair_free(pair);
}
END_TEST

/*
 * An exchange of 64 packets and more from either side, and the reading of them: for the
 * tests of loss. Both ends send, write, read.
 */
#define EXCHANGE_MESSAGES 8
#define EXCHANGE_BYTES 4000 /* 4 packets of 1024 */

static void exchange_post(struct pair *pair)
{
	int end, i;

	for (end = 0; end < 2; end++)
		for (i = 0; i < EXCHANGE_MESSAGES; i++)
			pair_recv(&pair->end[end], i, DST + i * EXCHANGE_BYTES, EXCHANGE_BYTES);
	for (i = 0; i < EXCHANGE_MESSAGES; i++) {
		for (end = 0; end < 2; end++) {
			struct pair_end *from = &pair->end[end], *to = &pair->end[!end];
			u32 write = DST + (EXCHANGE_MESSAGES + i) * EXCHANGE_BYTES;
			u32 read = SRC + (2 * EXCHANGE_MESSAGES + i) * EXCHANGE_BYTES;

			post_send(from, i, HCA_WQE_SIGNALED, SRC + i * EXCHANGE_BYTES,
				  EXCHANGE_BYTES);
			post_rdma(from, to, 100 + i, IB_UVERBS_WR_RDMA_WRITE, 0,
				  SRC + (EXCHANGE_MESSAGES + i) * EXCHANGE_BYTES, write,
				  EXCHANGE_BYTES);
			/* the peer's source region, which nobody writes */
			post_rdma(from, to, 200 + i, IB_UVERBS_WR_RDMA_READ, HCA_WQE_SIGNALED,
				  read, SRC + i * EXCHANGE_BYTES, EXCHANGE_BYTES);
		}
	}
}

static void exchange_check(struct pair *pair)
{
	int end, i;

	for (end = 0; end < 2; end++) {
		struct pair_end *from = &pair->end[end], *to = &pair->end[!end];
		struct hca_cqe cqe;

		for (i = 0; i < EXCHANGE_MESSAGES; i++) {
			u32 write = (EXCHANGE_MESSAGES + i) * EXCHANGE_BYTES;

			expect(&from->send_cq, i, HCA_WC_SUCCESS);
			expect(&from->send_cq, 200 + i, HCA_WC_SUCCESS);
			ck_assert(pair_poll(&to->recv_cq, &cqe));
			ck_assert_uint_eq(cqe.wr_id, i);
			ck_assert_uint_eq(cqe.status, HCA_WC_SUCCESS);
			ck_assert_uint_eq(cqe.byte_len, EXCHANGE_BYTES);
			ck_assert(same(from, SRC + i * EXCHANGE_BYTES, to,
				       DST + i * EXCHANGE_BYTES, EXCHANGE_BYTES));
			ck_assert(same(from, SRC + write, to, DST + write, EXCHANGE_BYTES));
			ck_assert(same(from, SRC + (2 * EXCHANGE_MESSAGES + i) * EXCHANGE_BYTES,
				       to, SRC + i * EXCHANGE_BYTES, EXCHANGE_BYTES));
		}
		expect_none(&from->send_cq);
		expect_none(&to->recv_cq);
		ck_assert_uint_eq(from->qp->state, HCA_QPS_RTS);
	}
}

struct loss {
	int receiver; /* whose packets are counted; -1: both */
	unsigned int nth; /* is lost */
	unsigned int seen;
	unsigned int lost;
	unsigned int seed, percent;
};

static bool lose_nth(struct pair *pair, int receiver, const struct hca_packet *pkt)
{
	struct loss *loss = pair->data;

	(void)pkt;
	if (receiver != loss->receiver || loss->seen++ != loss->nth)
		return true;
	loss->lost++;
	return false;
}

static bool lose_some(struct pair *pair, int receiver, const struct hca_packet *pkt)
{
	struct loss *loss = pair->data;

	(void)receiver;
	(void)pkt;
	loss->seed = loss->seed * 1103515245u + 12345u;
	loss->seen++;
	if ((loss->seed >> 16) % 100 >= loss->percent)
		return true;
	loss->lost++;
	return false;
}

static void exchange(pair_filter filter, struct loss *loss)
{
	struct pair *pair = pair_new(&pair_rc);
	int i;

	fill(&pair->end[0], SRC, DST, 1);
	fill(&pair->end[1], SRC, DST, 2);
	pair->filter = filter;
	pair->data = loss;
	exchange_post(pair);
	pair_settle();
	for (i = 0; i < 400 && pair->end[0].qp->sq_done + pair->end[1].qp->sq_done <
				       6 * EXCHANGE_MESSAGES;
	     i++)
		pair_wait(100);
	exchange_check(pair);
	pair_free(pair);
}

/* B4-045, B4-049, B4-050: each packet of the exchange in turn, in both directions. */
START_TEST(lose_each_packet)
{
	struct loss loss = { .receiver = _i, .nth = ~0u };
	unsigned int packets, nth;

	exchange(lose_nth, &loss);
	packets = loss.seen;
	ck_assert_uint_ge(packets, 64);
	for (nth = 0; nth < packets; nth++) {
		loss = (struct loss){ .receiver = _i, .nth = nth };
		exchange(lose_nth, &loss);
		ck_assert_uint_eq(loss.lost, 1);
	}
}
END_TEST

START_TEST(lose_some_packets)
{
	unsigned int seed;

	for (seed = 1; seed <= 60; seed++) {
		struct loss loss = { .seed = seed * 7919 + _i, .percent = 1 + _i * 5 };

		exchange(lose_some, &loss);
	}
}
END_TEST

static bool lose_all(struct pair *pair, int receiver, const struct hca_packet *pkt)
{
	(void)pkt;
	return receiver != *(int *)pair->data;
}

/* B4-044, V3-187: nobody answers; the request ends in error, those behind it are flushed. */
START_TEST(retries_end)
{
	struct pair_qp how = pair_rc;
	struct pair *pair;
	int receiver = 1;

	how.retry = 2;
	how.timeout = 10;
	pair = pair_new(&how);
	pair->filter = lose_all;
	pair->data = &receiver;
	pair_recv(&pair->end[0], 77, DST, 10);
	post_send(&pair->end[0], 1, 0, SRC, 10);
	post_send(&pair->end[0], 2, 0, SRC, 10);
	pair_settle();
	expect_none(&pair->end[0].send_cq);
	pair_wait(100);
	expect(&pair->end[0].send_cq, 1, HCA_WC_RETRY_EXC_ERR);
	expect(&pair->end[0].send_cq, 2, HCA_WC_WR_FLUSH_ERR);
	expect(&pair->end[0].recv_cq, 77, HCA_WC_WR_FLUSH_ERR);
	ck_assert_uint_eq(pair->end[0].qp->state, HCA_QPS_ERR);
	/* What is posted later is flushed too. */
	post_send(&pair->end[0], 3, 0, SRC, 10);
	pair_recv(&pair->end[0], 78, DST, 10);
	expect(&pair->end[0].send_cq, 3, HCA_WC_WR_FLUSH_ERR);
	expect(&pair->end[0].recv_cq, 78, HCA_WC_WR_FLUSH_ERR);
	pair_free(pair);
}
END_TEST

/* B4-044: not ready, then ready; and never ready. */
START_TEST(receiver_not_ready)
{
	struct pair_qp how = pair_rc;
	struct pair *pair = pair_new(&how);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];

	post_send(a, 1, HCA_WQE_SIGNALED, SRC, 3000);
	post_rdma(a, b, 2, IB_UVERBS_WR_RDMA_WRITE_WITH_IMM, HCA_WQE_SIGNALED, SRC, DST, 3000);
	pair_settle();
	pair_wait(50);
	expect_none(&a->send_cq);
	pair_recv(b, 11, DST + 10000, 3000);
	pair_wait(50);
	expect(&a->send_cq, 1, HCA_WC_SUCCESS);
	expect(&b->recv_cq, 11, HCA_WC_SUCCESS);
	expect_none(&a->send_cq);
	pair_recv(b, 12, 0, 0);
	pair_wait(50);
	expect(&a->send_cq, 2, HCA_WC_SUCCESS);
	expect(&b->recv_cq, 12, HCA_WC_SUCCESS);
	pair_free(pair);

	how.rnr_retry = 3;
	pair = pair_new(&how);
	a = &pair->end[0];
	post_send(a, 1, HCA_WQE_SIGNALED, SRC, 10);
	pair_wait(200);
	expect(&a->send_cq, 1, HCA_WC_RNR_RETRY_EXC_ERR);
	pair_free(pair);
}
END_TEST

struct bad_request {
	const char *name;
	u8 opcode;
	u32 key_change;
	u32 remote_offset;
	u32 length, recv_length;
	u8 status; /* at the requester */
	u8 recv_status; /* at the responder; SUCCESS: no completion but flushes */
	u8 event; /* at the responder */
};

static const struct bad_request bad_requests[] = {
	{ "wrong rkey", IB_UVERBS_WR_RDMA_WRITE, 1, DST, 100, 0, HCA_WC_REM_ACCESS_ERR,
	  HCA_WC_SUCCESS, HCA_QP_ACCESS_ERROR },
	{ "unknown rkey", IB_UVERBS_WR_RDMA_WRITE, 0x7fffff00, DST, 100, 0, HCA_WC_REM_ACCESS_ERR,
	  HCA_WC_SUCCESS, HCA_QP_ACCESS_ERROR },
	{ "write beyond", IB_UVERBS_WR_RDMA_WRITE, 0, PAIR_MEMORY - 99, 100, 0,
	  HCA_WC_REM_ACCESS_ERR, HCA_WC_SUCCESS, HCA_QP_ACCESS_ERROR },
	{ "write before", IB_UVERBS_WR_RDMA_WRITE, 0, -1u, 1, 0, HCA_WC_REM_ACCESS_ERR,
	  HCA_WC_SUCCESS, HCA_QP_ACCESS_ERROR },
	{ "read beyond", IB_UVERBS_WR_RDMA_READ, 0, PAIR_MEMORY - 1999, 2000, 0,
	  HCA_WC_REM_ACCESS_ERR, HCA_WC_SUCCESS, HCA_QP_ACCESS_ERROR },
	{ "receive too short", IB_UVERBS_WR_SEND, 0, 0, 3000, 2999, HCA_WC_REM_INV_REQ_ERR,
	  HCA_WC_LOC_LEN_ERR, HCA_QP_REQUEST_ERROR },
};

/* B4-046: a fatal NAK ends the request at once, with its own status. */
START_TEST(refused)
{
	const struct bad_request *bad = &bad_requests[_i];
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_send_wqe *wqe;

	if (bad->recv_length)
		pair_recv(b, 9, DST, bad->recv_length);
	post_send(a, 1, HCA_WQE_SIGNALED | HCA_WQE_SOLICITED, SRC, 0);
	if (!bad->recv_length)
		pair_recv(b, 8, DST, 0);
	else
		pair_recv(b, 8, DST, bad->recv_length);
	pair_wait(20);
	expect(&a->send_cq, 1, HCA_WC_SUCCESS);
	wqe = pair_wqe(a, 2, bad->opcode, HCA_WQE_SIGNALED);
	wqe->rdma.remote_addr = pair_addr(b, 0) + (s32)bad->remote_offset;
	wqe->rdma.rkey = b->region->key + bad->key_change;
	pair_sge(a, wqe, SRC, bad->length);
	pair_post(a);
	post_send(a, 3, 0, SRC, 1);
	pair_settle();
	expect(&a->send_cq, 2, bad->status);
	expect(&a->send_cq, 3, HCA_WC_WR_FLUSH_ERR);
	ck_assert_uint_eq(a->qp->state, HCA_QPS_ERR);
	ck_assert_uint_eq(b->qp->state, HCA_QPS_ERR);
	ck_assert_uint_eq(b->events[bad->event], 1);
	expect(&b->recv_cq, bad->recv_length ? 9 : 8, HCA_WC_SUCCESS);
	if (bad->recv_status)
		expect(&b->recv_cq, 8, bad->recv_status);
	expect_none(&b->recv_cq);
	pair_free(pair);
}
END_TEST

struct bad_local {
	u8 opcode;
	u32 offset, length, key_change;
	u8 status;
};

static const struct bad_local bad_locals[] = {
	{ IB_UVERBS_WR_SEND, PAIR_MEMORY, 1, 0, HCA_WC_LOC_PROT_ERR },
	{ IB_UVERBS_WR_SEND, 0, 10, 1, HCA_WC_LOC_PROT_ERR },
	{ IB_UVERBS_WR_SEND, 0, 10, 0x12345600, HCA_WC_LOC_PROT_ERR },
	{ IB_UVERBS_WR_ATOMIC_CMP_AND_SWP, 0, 8, 0, HCA_WC_LOC_QP_OP_ERR },
	{ 200, 0, 8, 0, HCA_WC_LOC_QP_OP_ERR },
};

/* A request that is wrong in itself ends after those before it, which succeed. */
START_TEST(refused_locally)
{
	const struct bad_local *bad = &bad_locals[_i];
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_send_wqe *wqe;
	struct hca_sge *sge;

	pair_recv(b, 1, DST, 5000);
	post_send(a, 1, 0, SRC, 5000);
	wqe = pair_wqe(a, 2, bad->opcode, 0);
	pair_sge(a, wqe, bad->offset, bad->length);
	sge = (void *)((u8 *)wqe + HCA_SEND_WQE_HEADER);
	sge->lkey += bad->key_change;
	pair_post(a);
	post_send(a, 3, 0, SRC, 1);
	pair_settle();
	expect(&b->recv_cq, 1, HCA_WC_SUCCESS);
	expect(&a->send_cq, 2, bad->status);
	expect(&a->send_cq, 3, HCA_WC_WR_FLUSH_ERR);
	expect_none(&a->send_cq);
	pair_free(pair);
}
END_TEST

/* Nobody asked for the acknowledgement of the first, yet the second must learn of its end. */
START_TEST(refused_behind_unsignalled)
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
	expect(&b->recv_cq, 1, HCA_WC_SUCCESS);
	expect(&a->send_cq, 2, HCA_WC_LOC_QP_OP_ERR);
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

/* B4-352: behind a request that was not ready, the next ones are not out of sequence. */
START_TEST(silent_after_rnr)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0];
	struct naks naks = {};

	pair->filter = count_naks;
	pair->data = &naks;
	post_send(a, 1, HCA_WQE_SIGNALED, SRC, 8000);
	pair_settle();
	ck_assert_uint_eq(naks.rnr, 1);
	ck_assert_uint_eq(naks.sequence, 0);
	pair_recv(&pair->end[1], 1, DST, 8000);
	pair_wait(50);
	expect(&a->send_cq, 1, HCA_WC_SUCCESS);
	ck_assert_uint_eq(naks.sequence, 0);
	pair_free(pair);
}
END_TEST

/* A requester that reads deeper than was agreed is refused. */
START_TEST(read_depth)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_cqe cqe;
	unsigned int i;

	b->qp->attr.max_dest_rd_atomic = 1;
	a->qp->attr.max_rd_atomic = 8;
	for (i = 0; i < 8; i++) {
		struct hca_send_wqe *wqe = pair_wqe(a, i, IB_UVERBS_WR_RDMA_READ, 0);

		wqe->rdma.remote_addr = pair_addr(b, DST);
		wqe->rdma.rkey = b->region->key;
		pair_sge(a, wqe, SRC, 60000);
		a->qp->sq.ring->producer += i < 7;
	}
	pair_post(a);
	pair_wait(10);
	ck_assert(pair_poll(&a->send_cq, &cqe));
	ck_assert_uint_eq(cqe.status, HCA_WC_REM_INV_REQ_ERR);
	pair_free(pair);
}
END_TEST

static bool only_acks_pass(struct pair *pair, int receiver, const struct hca_packet *pkt)
{
	(void)pair;
	return receiver == 0 || (hca_opcodes[pkt->h.bth.opcode].flags & HCA_IS_RESPONSE);
}

/* The memory goes while its packets are under way: they are lost, the retry finds out. */
START_TEST(region_gone)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_region *copy = kmalloc(sizeof(*copy), GFP_KERNEL);
	struct hca_send_wqe *wqe;
	struct hca_sge *sge;
	u32 key;

	memcpy(copy, a->region, sizeof(*copy));
	ck_assert_int_eq(hca_region_add(&a->ca.tpt, copy), 0);
	key = copy->key;
	pair_recv(b, 1, DST, 3000);
	pair->filter = only_acks_pass;
	wqe = pair_wqe(a, 1, IB_UVERBS_WR_SEND, 0);
	pair_sge(a, wqe, SRC, 3000);
	sge = (void *)((u8 *)wqe + HCA_SEND_WQE_HEADER);
	sge->lkey = key;
	pair_post(a);
	hca_region_remove(&a->ca.tpt, copy);
	pair->filter = NULL;
	pair_wait(1000);
	expect(&a->send_cq, 1, HCA_WC_LOC_PROT_ERR);
	pair_free(pair);
}
END_TEST

/* A ring's index that its owner cannot have meant harms only its owner. */
START_TEST(wild_producer)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0];

	a->qp->rq.ring->producer += 1000000;
	pair_wqe(a, 1, IB_UVERBS_WR_SEND, 0);
	a->qp->sq.ring->producer += 4096;
	pair_post(a);
	pair_settle();
	ck_assert_uint_eq(a->qp->state, HCA_QPS_ERR);
	pair_free(pair);
}
END_TEST

/* More than the window, the ring and the receiver's buffer hold. */
START_TEST(many_small)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	unsigned int posted = 0, done = 0;
	struct hca_cqe cqe;

	fill(a, SRC, 4000, 3);
	while (done < 4000) {
		while (posted < 4000 && posted - done < 128) {
			post_rdma(a, b, posted, IB_UVERBS_WR_RDMA_WRITE, HCA_WQE_SIGNALED, SRC, DST,
				  posted % 4000);
			posted++;
		}
		pair_settle();
		while (pair_poll(&a->send_cq, &cqe)) {
			ck_assert_uint_eq(cqe.wr_id, done++);
			ck_assert_uint_eq(cqe.status, HCA_WC_SUCCESS);
		}
	}
	ck_assert(same(a, SRC, b, DST, 3999));
	pair_free(pair);
}
END_TEST

/* V3-281, V3-282: armed for one, fires once; solicited waits for its kind or an error. */
START_TEST(arming)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	unsigned int i;

	for (i = 0; i < 5; i++)
		pair_recv(b, i, DST, 10);
	post_send(a, 0, 0, SRC, 10);
	ck_assert_uint_eq(b->notified, 0);
	b->recv_cq.queue.ring->arm = HCA_CQ_ARM_SOLICITED;
	post_send(a, 1, 0, SRC, 10);
	ck_assert_uint_eq(b->notified, 0);
	post_send(a, 2, HCA_WQE_SOLICITED, SRC, 10);
	ck_assert_uint_eq(b->notified, 1);
	post_send(a, 3, HCA_WQE_SOLICITED, SRC, 10);
	ck_assert_uint_eq(b->notified, 1);
	b->recv_cq.queue.ring->arm = HCA_CQ_ARM_NEXT | HCA_CQ_ARM_SOLICITED;
	post_send(a, 4, 0, SRC, 10);
	ck_assert_uint_eq(b->notified, 2);
	ck_assert_uint_eq(b->recv_cq.queue.ring->arm, 0);
	pair_free(pair);
}
END_TEST

/* V3-284: overflow is an error of the queue and of the QP; what is there stays. */
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
		post_rdma(a, b, i, IB_UVERBS_WR_RDMA_WRITE, HCA_WQE_SIGNALED, SRC, DST, 10);
	pair_settle();
	ck_assert_uint_eq(a->cq_errors, 1);
	ck_assert_uint_eq(a->qp->state, HCA_QPS_ERR);
	for (i = 0; i < 4; i++)
		expect(&a->send_cq, i, HCA_WC_SUCCESS);
	expect_none(&a->send_cq);
	pair_free(pair);
}
END_TEST

/* V3-190: Reset forgets the work, not the completions; the QP lives again. */
START_TEST(reset_and_again)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_qp_attr reset = { .state = HCA_QPS_RESET };
	unsigned int i;

	for (i = 0; i < 3; i++) {
		pair_recv(b, i, DST, 100);
		pair_recv(b, 90, DST, 100);
		post_send(a, i, HCA_WQE_SIGNALED, SRC, 100);
		pair_settle();
		ck_assert_int_eq(hca_qp_modify(a->qp, &reset, HCA_QP_STATE), 0);
		ck_assert_int_eq(hca_qp_modify(b->qp, &reset, HCA_QP_STATE), 0);
		expect(&a->send_cq, i, HCA_WC_SUCCESS);
		expect(&b->recv_cq, i, HCA_WC_SUCCESS);
		expect_none(&b->recv_cq);
		pair_connect(a->qp, &pair_rc, b->qp->qpn, 2, 100 + i, 200 + i);
		pair_connect(b->qp, &pair_rc, a->qp->qpn, 1, 200 + i, 100 + i);
	}
	pair_free(pair);
}
END_TEST

/* The adapter goes: who polls gets the flush of what he posted, and so learns of it. */
START_TEST(adapter_fails)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0];

	pair_recv(a, 1, DST, 10);
	post_send(a, 2, 0, SRC, 10);
	hca_ca_fail(&a->ca);
	expect(&a->recv_cq, 1, HCA_WC_WR_FLUSH_ERR);
	expect(&a->send_cq, 2, HCA_WC_WR_FLUSH_ERR);
	ck_assert_uint_eq(pair->end[1].qp->state, HCA_QPS_RTS);
	pair_free(pair);
}
END_TEST

/* V3-180, V3-189: gone at the peer; a new QP gets another number, completions stay. */
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
	post_send(a, 1, HCA_WQE_SIGNALED, SRC, 100);
	pair_settle();
	qpn = b->qp->qpn;
	hca_qp_destroy(b->qp);
	expect(&b->recv_cq, 1, HCA_WC_SUCCESS);
	expect(&a->send_cq, 1, HCA_WC_SUCCESS);
	{
		struct hca_qp_init init = { .type = HCA_QPT_RC,
					    .max_send_wr = 1,
					    .max_send_sge = 1,
					    .send_cq = &b->send_cq,
					    .recv_cq = &b->recv_cq };
		b->qp = hca_qp_create(&b->ca, &init);
		ck_assert(!IS_ERR(b->qp));
		ck_assert_uint_ne(b->qp->qpn, qpn);
	}
	post_send(a, 2, HCA_WQE_SIGNALED, SRC, 100);
	pair_wait(100);
	expect(&a->send_cq, 2, HCA_WC_RETRY_EXC_ERR);
	pair_free(pair);
}
END_TEST

Suite *rc_suite(void)
{
	Suite *suite = suite_create("rc");
	TCase *tc = tcase_create("data");

	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, all_operations_all_sizes, HCA_MTU_256, HCA_MTU_4096 + 1);
	tcase_add_test(tc, gather_and_scatter);
	tcase_add_test(tc, inline_data);
	tcase_add_test(tc, many_small);
	suite_add_tcase(suite, tc);

	tc = tcase_create("loss");
	tcase_set_timeout(tc, 300);
	tcase_add_loop_test(tc, lose_each_packet, 0, 2);
	tcase_add_loop_test(tc, lose_some_packets, 0, 4);
	tcase_add_test(tc, retries_end);
	tcase_add_test(tc, receiver_not_ready);
	suite_add_tcase(suite, tc);

	tc = tcase_create("errors");
	tcase_add_loop_test(tc, refused, 0, sizeof(bad_requests) / sizeof(bad_requests[0]));
	tcase_add_loop_test(tc, refused_locally, 0, sizeof(bad_locals) / sizeof(bad_locals[0]));
	tcase_add_test(tc, refused_behind_unsignalled);
	tcase_add_test(tc, silent_after_rnr);
	tcase_add_test(tc, read_depth);
	tcase_add_test(tc, region_gone);
	tcase_add_test(tc, wild_producer);
	tcase_add_test(tc, arming);
	tcase_add_test(tc, completion_overflow);
	tcase_add_test(tc, reset_and_again);
	tcase_add_test(tc, adapter_fails);
	tcase_add_test(tc, destroyed_peer);
	suite_add_tcase(suite, tc);
	return suite;
}
