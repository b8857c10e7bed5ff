// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Unreliable connection: messages arrive in order or not at all, and are not acknowledged. */
#include <check.h>
#include <string.h>
#include <linux/slab.h>
#include "link/tap/tap.h"
#include "shim.h"
#include "tests/unit/fixture/operations.h"
#include "tests/unit/fixture/trace.h"
#include "tests/unit/suites.h"
#include "transport/iba_qp.h"

#define PACKET 256

static void expect_message(struct pair_end *b, u64 wr_id, u8 opcode, u32 imm, u32 length)
{
	struct hca_cqe cqe;

	operations_expect_message(b, &cqe, wr_id, opcode, imm, length);
}

/* B4-365, B4-366, B4-370, B4-371: each operation, size and MTU; there is no response. */
START_TEST(all_operations_all_sizes)
{
	struct pair_qp how = operations_with_mtu(&pair_uc, _i);
	struct pair *pair = pair_new(&how);
	struct trace *trace = trace_on(pair);
	unsigned int i;

	operations_run(pair, false, NULL); /* B4-052, B4-364, B4-369 */
	ck_assert_uint_eq(trace_count(trace, 0, -1), 0); /* B4-054 */
	for (i = 0; i < trace->n; i++) {
		/* B4-200, B4-201 */
		ck_assert_uint_eq(trace->packet[i].h.bth.psn, (pair_uc.psn[0] + i) & HCA_PSN_MASK);
		ck_assert_uint_eq(trace->packet[i].h.bth.flags & HCA_BTH_ACKREQ, 0);
	}
	pair_free(pair);
}
END_TEST

#define MESSAGES 6
#define MESSAGE_BYTES (4 * 1024 - 10)

/*
 * B4-367, B4-377, B4-378, V3-016: whichever packet is lost, exactly its message is lost; its
 * receive request serves the next one. Sends and writes alternate; each loss is of another packet.
 */
START_TEST(lose_each_packet)
{
	unsigned int nth, i, received;

	for (nth = 0; nth < 4 * MESSAGES; nth++) {
		struct pair *pair = pair_new(&pair_uc);
		struct pair_end *a = &pair->end[0], *b = &pair->end[1];
		struct trace *trace = trace_on(pair);

		trace->lose = trace_lose_nth;
		trace->nth = nth;
		pair_fill(a, SRC, MESSAGES * MESSAGE_BYTES, nth);
		for (i = 0; i < MESSAGES; i++)
			pair_recv(b, i, DST + i * MESSAGE_BYTES, MESSAGE_BYTES);
		for (i = 0; i < MESSAGES; i++) {
			u32 at = i * MESSAGE_BYTES;

			if ((i + _i) % 2)
				pair_send(a, 100 + i, HCA_WQE_SIGNALED, SRC + at, MESSAGE_BYTES);
			else
				pair_rdma(a, b, 100 + i, IB_UVERBS_WR_RDMA_WRITE_WITH_IMM,
					  HCA_WQE_SIGNALED, SRC + at, PAIR_MEMORY * 3 / 4 + at,
					  MESSAGE_BYTES);
			pair_expect(&a->send_cq, 100 + i, IB_WC_SUCCESS); /* B4-074 */
		}
		for (i = received = 0; i < MESSAGES; i++) {
			bool sends = (i + _i) % 2;
			u32 at = i * MESSAGE_BYTES;

			if (i == nth / 4)
				continue;
			expect_message(b, received, sends ? IB_WC_RECV : IB_WC_RECV_RDMA_WITH_IMM,
				       100 + i, MESSAGE_BYTES);
			ck_assert(pair_same(a, SRC + at, b,
					    sends ? DST + received * MESSAGE_BYTES :
						    PAIR_MEMORY * 3 / 4 + at,
					    MESSAGE_BYTES));
			received++;
		}
		pair_expect_none(&b->recv_cq);
		received = b->qp->rq_consumed - b->qp->recv.valid;
		ck_assert_uint_eq(b->qp->rq.ring->producer - received, 1);
		ck_assert_uint_eq(trace_count(trace, 0, -1), 0);
		ck_assert_uint_eq(b->qp->common.state, IB_QPS_RTS);
		pair_free(pair);
	}
}
END_TEST

/* Several packets are lost: messages that arrive are complete and in order. */
START_TEST(lose_many)
{
	struct pair *pair = pair_new(&pair_uc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct trace *trace = trace_on(pair);
	unsigned int i, got = 0, last = 0;
	struct hca_cqe cqe;

	trace->lose = trace_lose_nth;
	pair_fill(a, SRC, 100000, 1);
	for (i = 1; i <= 300; i++) {
		if (i - got <= 100)
			pair_recv(b, i, DST, 5000);
		trace->nth = trace->seen + i * 7 % 11;
		pair_send(a, i, 0, SRC + i, i * 41 % 5000);
		while (pair_poll(&b->recv_cq, &cqe)) {
			u32 imm = be32_to_cpu(cqe.imm_data);

			ck_assert_uint_eq(cqe.status, IB_WC_SUCCESS);
			ck_assert_uint_gt(imm, last);
			ck_assert_uint_eq(cqe.byte_len, imm * 41 % 5000);
			ck_assert(pair_same(a, SRC + imm, b, DST, cqe.byte_len));
			last = imm;
			got++;
		}
	}
	ck_assert_uint_gt(got, 150);
	ck_assert_uint_lt(got, 300);
	pair_free(pair);
}
END_TEST

/* Headers of a packet from end 0 to end 1. */
static struct hca_headers from_a(struct pair *pair, u8 operation, u32 psn)
{
	struct pair_end *b = &pair->end[1];

	return (struct hca_headers){
		.lrh = { .lnh = IB_LNH_IBA_LOCAL, .dlid = 2, .slid = 1 },
		.bth = { .opcode = HCA_TRANSPORT_UC << 5 | operation,
			 .flags = HCA_BTH_MIGREQ,
			 .pkey = 0xffff,
			 .destqp = b->qp->qpn,
			 .psn = psn & HCA_PSN_MASK },
		.reth = { .va = pair_addr(b, DST), .rkey = b->entry->key, .length = 2 * PACKET },
	};
}

#define SF IB_OPCODE_SEND_FIRST
#define SM IB_OPCODE_SEND_MIDDLE
#define SL IB_OPCODE_SEND_LAST
#define SLI IB_OPCODE_SEND_LAST_WITH_IMMEDIATE
#define SO IB_OPCODE_SEND_ONLY
#define SOI IB_OPCODE_SEND_ONLY_WITH_IMMEDIATE
#define WF IB_OPCODE_RDMA_WRITE_FIRST
#define WM IB_OPCODE_RDMA_WRITE_MIDDLE
#define WL IB_OPCODE_RDMA_WRITE_LAST
#define WLI IB_OPCODE_RDMA_WRITE_LAST_WITH_IMMEDIATE
#define END 0xff

static const struct {
	u8 operation[8];
	u32 completions, bytes; /* length of the last packet's payload */
} sequences[] = {
	{ { SO, END }, 1, PACKET }, /* B4-372 */
	{ { SF, SL, END }, 1, 2 * PACKET },
	{ { SF, SM, SM, SLI, END }, 1, 4 * PACKET },
	{ { WF, WLI, END }, 1, 2 * PACKET },
	{ { WF, WL, SO, END }, 1, PACKET },
	/* B4-372, B4-375: the first packet ever, or one behind a Last, is no First */
	{ { SM, SL, END }, 0, 0 },
	{ { SL, END }, 0, 0 },
	{ { WM, WLI, END }, 0, 0 },
	{ { WLI, END }, 0, 0 },
	{ { SO, SL, SM, SL, END }, 1, PACKET },
	{ { SF, SL, WLI, SO, END }, 2, PACKET },
	/* B4-373, B4-374: a wrong kind within a message: dropped up to the next First */
	{ { SF, WLI, END }, 0, 0 },
	{ { SF, WM, SL, END }, 0, 0 },
	{ { SF, WL, SM, SLI, SO, END }, 1, PACKET },
	{ { WF, SL, WLI, END }, 0, 0 },
	{ { WF, SM, WLI, SOI, END }, 1, PACKET },
	/* First or Only within a message: the old message is dropped, the new one begins */
	{ { SF, SM, SO, END }, 1, PACKET },
	{ { SF, SF, SL, END }, 1, 2 * PACKET },
	{ { SF, WF, WLI, END }, 1, 2 * PACKET },
	{ { WF, SF, SM, SL, END }, 1, 3 * PACKET },
	{ { WF, WF, WLI, END }, 1, 2 * PACKET },
	/* B4-379: more data than the RETH announces */
	{ { WF, WM, WLI, END }, 0, 0 },
	{ { WF, WM, WLI, SO, END }, 1, PACKET },
};

/* The valid sequences of opcodes, and others. */
START_TEST(sequence)
{
	struct pair_qp how = operations_with_mtu(&pair_uc, IB_MTU_256);
	struct pair *pair = pair_new(&how);
	struct pair_end *b = &pair->end[1];
	u32 i, n = 0, bytes = 0;
	struct hca_cqe cqe;

	for (i = 0; i < 4; i++)
		pair_recv(b, i, DST, 4 * PACKET);
	for (i = 0; sequences[_i].operation[i] != END; i++) {
		struct hca_headers h = from_a(pair, sequences[_i].operation[i], 1000 + i);

		trace_inject(pair, 1, &h, PACKET);
	}
	while (pair_poll(&b->recv_cq, &cqe)) {
		ck_assert_uint_eq(cqe.wr_id, n++);
		ck_assert_uint_eq(cqe.status, IB_WC_SUCCESS);
		bytes = cqe.byte_len;
	}
	ck_assert_uint_eq(n, sequences[_i].completions);
	ck_assert_uint_eq(bytes, sequences[_i].bytes);
	ck_assert_uint_eq(b->qp->common.state, IB_QPS_RTS);
	pair_free(pair);
}
END_TEST

struct numbered {
	u8 operation;
	u32 psn;
	u32 payload;
};

/* Each sequence follows an Only with PSN ffffffh; the last entry has no payload. */
static const struct {
	struct numbered packet[8];
	u32 bytes[4]; /* wr_ids of the messages that arrive, from 1; 0 ends the list */
} resyncs[] = {
	/* the expected PSN, and a gap */
	{ { { SO, 0, 10 }, { SO, 1, 11 } }, { 10, 11 } },
	{ { { SO, 5, 10 }, { SO, 0x7fffff, 11 } }, { 10, 11 } },
	/* behind the expected PSN, by little and by nearly half of all PSNs */
	{ { { SO, 0xffffff, 10 }, { SO, 0, 11 } }, { 10, 11 } },
	{ { { SO, 0xfffff0, 10 }, { SO, 0xfffff1, 11 } }, { 10, 11 } },
	{ { { SO, 0x800001, 10 }, { SOI, 0x800002, 11 } }, { 10, 11 } },
	{ { { SF, 0x900000, PACKET }, { SL, 0x900001, 11 } }, { PACKET + 11 } },
	{ { { WF, 0xfff000, PACKET }, { WLI, 0xfff001, PACKET } }, { 2 * PACKET } },
	/* within a message: that one is dropped, the new one begins */
	{ { { SF, 0, PACKET }, { SO, 0xffff00, 10 }, { SL, 1, 11 } }, { 10 } },
	{ { { SF, 0, PACKET }, { SF, 0xffff00, PACKET }, { SL, 0xffff01, 11 } }, { PACKET + 11 } },
	{ { { SF, 0, PACKET }, { WF, 0xffff00, PACKET }, { SL, 1, 11 }, { SO, 2, 12 } }, { 12 } },
	/* Middle and Last do not resynchronize, and end a message that they do not continue */
	{ { { SM, 0xffff00, PACKET }, { SL, 0xffff01, 11 }, { SO, 0xffff02, 12 } }, { 12 } },
	{ { { SF, 0, PACKET }, { SM, 0xffff00, PACKET }, { SL, 1, 11 } }, { } },
	{ { { SF, 0, PACKET }, { SL, 0xffff00, 10 }, { SM, 1, PACKET }, { SL, 2, 11 } }, { } },
	{ { { SF, 0, PACKET }, { SL, 2, 11 }, { SO, 3, 12 } }, { 12 } },
};

/*
 * B4-367, B4-377: the first packet defines the expected PSN. A First or an Only begins a message
 * with any PSN; any other packet with an unexpected PSN is dropped.
 */
START_TEST(numbers_learned)
{
	struct pair_qp how = operations_with_mtu(&pair_uc, IB_MTU_256);
	struct pair *pair = pair_new(&how);
	struct pair_end *b = &pair->end[1];
	const struct numbered *packet;
	struct hca_headers h;
	struct hca_cqe cqe;
	u32 i;

	for (i = 0; i < 5; i++)
		pair_recv(b, i, DST, 4 * PACKET);
	h = from_a(pair, SO, 0xffffff);
	trace_inject(pair, 1, &h, 10);
	pair_expect(&b->recv_cq, 0, IB_WC_SUCCESS);
	for (packet = resyncs[_i].packet; packet->payload; packet++) {
		h = from_a(pair, packet->operation, packet->psn);
		trace_inject(pair, 1, &h, packet->payload);
	}
	for (i = 0; resyncs[_i].bytes[i]; i++) {
		ck_assert(pair_poll(&b->recv_cq, &cqe));
		ck_assert_uint_eq(cqe.wr_id, i + 1);
		ck_assert_uint_eq(cqe.status, IB_WC_SUCCESS);
		ck_assert_uint_eq(cqe.byte_len, resyncs[_i].bytes[i]);
	}
	pair_expect_none(&b->recv_cq);
	ck_assert_uint_eq(b->qp->common.state, IB_QPS_RTS);
	pair_free(pair);
}
END_TEST

static unsigned int without_receive;

static void watch_drop(const struct hca_port *port, const struct hca_packet *pkt,
		       enum hca_drop_reason reason)
{
	(void)port;
	(void)pkt;
	without_receive += reason == HCA_DROP_NO_RECEIVE;
}

/*
 * B4-380: no receive request is posted; the message is dropped, the next one is not. Each message
 * counts once, however many packets it has; the reason is reported.
 */
START_TEST(no_receive)
{
	struct pair *pair = pair_new(&pair_uc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct trace *trace = trace_on(pair);

	without_receive = 0;
	shim_watch_drops = watch_drop;
	pair_send(a, 1, HCA_WQE_SIGNALED, SRC, 5000);
	pair_rdma(a, b, 2, IB_UVERBS_WR_RDMA_WRITE_WITH_IMM, HCA_WQE_SIGNALED, SRC, DST, 5000);
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	pair_expect(&a->send_cq, 2, IB_WC_SUCCESS);
	pair_expect_none(&b->recv_cq);
	shim_watch_drops = NULL;
	ck_assert_uint_ge(without_receive, 2);
	ck_assert_uint_eq(hca_counter_read(&b->ports[1], HCA_CTR_OUT_OF_BUFFER), 2);
	ck_assert_uint_eq(hca_counter_read(&a->ports[1], HCA_CTR_OUT_OF_BUFFER), 0);
	pair_recv(b, 7, DST, 5000);
	pair_send(a, 3, HCA_WQE_SIGNALED, SRC, 5000);
	expect_message(b, 7, IB_WC_RECV, 3, 5000);
	ck_assert_uint_eq(trace_count(trace, 0, -1), 0);
	pair_free(pair);
}
END_TEST

/*
 * The receive request is too short: that is its owner's error, which the sender does not learn of.
 */
START_TEST(receive_too_short)
{
	struct pair *pair = pair_new(&pair_uc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct trace *trace = trace_on(pair);

	pair_recv(b, 1, DST, 2999);
	pair_recv(b, 2, DST, 5000);
	pair_send(a, 1, HCA_WQE_SIGNALED, SRC, 3000);
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	pair_expect(&b->recv_cq, 1, IB_WC_LOC_LEN_ERR);
	pair_expect(&b->recv_cq, 2, IB_WC_WR_FLUSH_ERR);
	ck_assert_uint_eq(b->qp->common.state, IB_QPS_ERR);
	ck_assert_uint_eq(a->qp->common.state, IB_QPS_RTS);
	ck_assert_uint_eq(trace_count(trace, 0, -1), 0);
	pair_free(pair);
}
END_TEST

/* A write without access rights is dropped: nothing is written, and neither end is notified. */
START_TEST(write_refused)
{
	struct pair *pair = pair_new(&pair_uc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct trace *trace = trace_on(pair);
	u8 before[100], after[100];

	pair_recv(b, 1, 0, 0);
	pair_fill(a, SRC, 3000, 5);
	pair_read(b, PAIR_MEMORY - 100, before, 100);
	pair_rdma(a, b, 1, IB_UVERBS_WR_RDMA_WRITE_WITH_IMM, 0, SRC, PAIR_MEMORY - 2999, 3000);
	pair_read(b, PAIR_MEMORY - 100, after, 100);
	ck_assert_mem_eq(before, after, 100);
	pair_expect_none(&b->recv_cq);
	pair_rdma(a, b, 2, IB_UVERBS_WR_RDMA_WRITE_WITH_IMM, 0, SRC, PAIR_MEMORY - 3000, 3000);
	expect_message(b, 1, IB_WC_RECV_RDMA_WITH_IMM, 2, 3000);
	ck_assert(pair_same(a, SRC, b, PAIR_MEMORY - 3000, 3000));
	ck_assert_uint_eq(trace_count(trace, 0, -1), 0);
	pair_free(pair);
}
END_TEST

/*
 * The queue pair denies remote writes: the message is dropped silently, and its receive request
 * stays posted.
 */
START_TEST(write_without_right)
{
	struct pair *pair = pair_new(&pair_uc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct trace *trace = trace_on(pair);
	u8 before[100], after[100];

	hca_qp_eec(b->qp)->attr.access = IB_UVERBS_ACCESS_REMOTE_READ |
					  IB_UVERBS_ACCESS_REMOTE_ATOMIC;
	pair_recv(b, 1, DST, 100);
	pair_fill(a, SRC, 100, 5);
	pair_read(b, DST, before, 100);
	pair_rdma(a, b, 1, IB_UVERBS_WR_RDMA_WRITE_WITH_IMM, HCA_WQE_SIGNALED, SRC, DST, 100);
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	pair_read(b, DST, after, 100);
	ck_assert_mem_eq(before, after, 100);
	pair_expect_none(&b->recv_cq);
	ck_assert_uint_eq(b->qp->common.state, IB_QPS_RTS);
	ck_assert_uint_eq(b->events[HCA_QP_REQUEST_ERROR] + b->events[HCA_QP_ACCESS_ERROR], 0);
	pair_send(a, 2, HCA_WQE_SIGNALED, SRC, 100);
	expect_message(b, 1, IB_WC_RECV, 2, 100);
	ck_assert_uint_eq(trace_count(trace, 0, -1), 0);
	pair_free(pair);
}
END_TEST

/* The n-th packet cannot be allocated: it is sent when memory is available again, not omitted. */
START_TEST(no_memory)
{
	unsigned int n;
	bool failed = true;

	for (n = 1; failed; n++) {
		struct pair *pair = pair_new(&pair_uc);
		struct pair_end *a = &pair->end[0], *b = &pair->end[1];

		shim_fail_alloc(n);
		pair_recv(b, 1, DST, 20000);
		pair_send(a, 1, HCA_WQE_SIGNALED, SRC, 20000);
		pair_wait(10);
		failed = shim_alloc_failed();
		shim_fail_alloc(0);
		pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
		pair_expect(&b->recv_cq, 1, IB_WC_SUCCESS);
		pair_free(pair);
	}
	ck_assert_uint_ge(n, 10);
}
END_TEST

static const u8 wrong_requests[] = { IB_UVERBS_WR_RDMA_READ, IB_UVERBS_WR_ATOMIC_CMP_AND_SWP,
				     IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD, IB_UVERBS_WR_SEND_WITH_INV,
				     IB_UVERBS_WR_SEND };

static void to_rts(struct hca_qp *qp)
{
	struct hca_qp_attr attr = { .state = IB_QPS_RTS, .cur_state = IB_QPS_SQE };

	ck_assert_int_eq(hca_qp_modify(qp, &attr, IB_QP_STATE | IB_QP_CUR_STATE), 0);
}

/*
 * B4-376: an error ends the request and flushes those behind it, and receiving continues; then the
 * queue pair returns to RTS.
 */
START_TEST(send_queue_error)
{
	struct pair *pair = pair_new(&pair_uc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_send_wqe *wqe;
	struct hca_sge *sge;
	int round;

	for (round = 0; round < 3; round++) {
		pair_recv(b, 1, DST, 5000);
		pair_send(a, 1, HCA_WQE_SIGNALED, SRC, 5000);
		wqe = pair_wqe(a, 2, wrong_requests[_i], 0);
		pair_sge(a, wqe, SRC, 8);
		sge = (void *)((u8 *)wqe + HCA_SEND_WQE_HEADER);
		sge->lkey += 1;
		a->qp->sq.ring->producer++;
		pair_send(a, 3, 0, SRC, 10);
		pair_settle();
		pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
		expect_message(b, 1, IB_WC_RECV, 1, 5000);
		/* B4-074, B4-076, B4-365 */
		pair_expect(&a->send_cq, 2,
			    wrong_requests[_i] == IB_UVERBS_WR_SEND ? IB_WC_LOC_PROT_ERR :
								      IB_WC_LOC_QP_OP_ERR);
		pair_expect(&a->send_cq, 3, IB_WC_WR_FLUSH_ERR);
		ck_assert_uint_eq(a->qp->common.state, IB_QPS_SQE); /* B4-236, C4-012 */

		pair_send(a, 4, 0, SRC, 10);
		pair_expect(&a->send_cq, 4, IB_WC_WR_FLUSH_ERR);
		pair_recv(a, 5, DST, 100);
		pair_send(b, 6, HCA_WQE_SIGNALED, SRC, 100);
		pair_expect(&b->send_cq, 6, IB_WC_SUCCESS);
		expect_message(a, 5, IB_WC_RECV, 6, 100); /* B4-240 */

		to_rts(a->qp); /* B4-224 */
		pair_recv(b, 7, DST, 5000);
		pair_fill(a, SRC, 5000, round);
		pair_send(a, 8, HCA_WQE_SIGNALED, SRC, 5000);
		pair_expect(&a->send_cq, 8, IB_WC_SUCCESS);
		expect_message(b, 7, IB_WC_RECV, 8, 5000);
		ck_assert(pair_same(a, SRC, b, DST, 5000));
	}
	pair_expect_none(&a->send_cq);
	pair_free(pair);
}
END_TEST

static struct hca_tpt_entry *vanishing;

static bool vanish(struct trace *trace, const struct traced *t)
{
	(void)t;
	if (trace->n == trace->nth)
		vanishing->generation = 0;
	return false;
}

/*
 * C4-012: the memory is deregistered in the middle of a long message; the next message has PSNs of
 * its own.
 */
START_TEST(memory_gone)
{
	struct pair *pair = pair_new(&pair_uc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct trace *trace = trace_on(pair);
	struct hca_send_wqe *wqe;
	struct hca_sge *sge;

	vanishing = kmalloc(sizeof(*vanishing), GFP_KERNEL);
	memcpy(vanishing, a->entry, sizeof(*vanishing));
	ck_assert_int_eq(hca_tpt_entry_add(&a->ci->tpt, vanishing), 0);
	trace->lose = vanish;
	trace->nth = _i;
	pair_recv(b, 1, DST, 400000);
	wqe = pair_wqe(a, 1, IB_UVERBS_WR_SEND, 0);
	pair_sge(a, wqe, SRC, 400000);
	sge = (void *)((u8 *)wqe + HCA_SEND_WQE_HEADER);
	sge->lkey = vanishing->key;
	pair_post(a);
	pair_settle();
	pair_expect(&a->send_cq, 1, IB_WC_LOC_PROT_ERR);
	ck_assert_uint_eq(a->qp->common.state, IB_QPS_SQE);
	to_rts(a->qp);
	pair_send(a, 2, HCA_WQE_SIGNALED, SRC, 5000);
	pair_settle();
	pair_expect(&a->send_cq, 2, IB_WC_SUCCESS);
	expect_message(b, 1, IB_WC_RECV, 2, 5000);
	pair_expect_none(&b->recv_cq);
	hca_tpt_entry_remove(&a->ci->tpt, vanishing);
	pair_free(pair);
}
END_TEST

Suite *uc_suite(void)
{
	Suite *suite = suite_create("uc");
	TCase *tc = tcase_create("data");

	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, all_operations_all_sizes, IB_MTU_256, IB_MTU_4096 + 1);
	tcase_add_loop_test(tc, lose_each_packet, 0, 2);
	tcase_add_test(tc, lose_many);
	suite_add_tcase(suite, tc);

	tc = tcase_create("rules");
	tcase_add_loop_test(tc, sequence, 0, sizeof(sequences) / sizeof(sequences[0]));
	tcase_add_loop_test(tc, numbers_learned, 0, sizeof(resyncs) / sizeof(resyncs[0]));
	tcase_add_test(tc, no_receive);
	tcase_add_test(tc, receive_too_short);
	tcase_add_test(tc, write_refused);
	tcase_add_test(tc, write_without_right);
	tcase_add_test(tc, no_memory);
	tcase_add_loop_test(tc, send_queue_error, 0, sizeof(wrong_requests));
	tcase_add_loop_test(tc, memory_gone, 1, 5);
	suite_add_tcase(suite, tc);
	return suite;
}
