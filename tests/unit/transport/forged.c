// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Packets that no conforming peer sends: requests out of sequence, responses without a request, and
 * too many.
 */
#include <check.h>
#include <linux/bottom_half.h>
#include "tests/unit/fixture/trace.h"
#include "tests/unit/suites.h"
#include "transport/iba_qp.h"

#define MTU 256u

static struct pair_qp small_rc(void)
{
	struct pair_qp how = pair_rc;

	how.mtu = IB_MTU_256;
	how.timeout = 10;
	return how;
}

/* --- requests, to the responder */

struct request {
	u8 before; /* the opcode of a valid First that is sent before it; 0xff: none is */
	u8 operation;
	u32 payload;
	u32 dma_length;
	u8 syndrome; /* the AETH syndrome of the response */
	u8 event;
};

#define NOTHING 0xff

/* The path MTU is 256. */
static const struct request requests[] = {
	/* not allowed between messages */
	{ NOTHING, IB_OPCODE_SEND_MIDDLE, MTU, 0, HCA_NAK_INVALID_REQUEST, HCA_QP_REQUEST_ERROR },
	{ NOTHING, IB_OPCODE_SEND_LAST, 10, 0, HCA_NAK_INVALID_REQUEST, HCA_QP_REQUEST_ERROR },
	{ NOTHING, IB_OPCODE_RDMA_WRITE_MIDDLE, MTU, 0, HCA_NAK_INVALID_REQUEST,
	  HCA_QP_REQUEST_ERROR },
	{ NOTHING, IB_OPCODE_RDMA_WRITE_LAST, 10, 0, HCA_NAK_INVALID_REQUEST,
	  HCA_QP_REQUEST_ERROR },
	/* B4-098: with a length that its opcode or its RETH contradicts */
	{ NOTHING, IB_OPCODE_SEND_FIRST, MTU - 1, 0, HCA_NAK_INVALID_REQUEST,
	  HCA_QP_REQUEST_ERROR },
	{ NOTHING, IB_OPCODE_RDMA_WRITE_FIRST, 4, 400, HCA_NAK_INVALID_REQUEST,
	  HCA_QP_REQUEST_ERROR },
	{ NOTHING, IB_OPCODE_RDMA_WRITE_ONLY, 100, 99, HCA_NAK_INVALID_REQUEST,
	  HCA_QP_REQUEST_ERROR },
	{ NOTHING, IB_OPCODE_RDMA_WRITE_ONLY, 100, 101, HCA_NAK_INVALID_REQUEST,
	  HCA_QP_REQUEST_ERROR },
	{ NOTHING, IB_OPCODE_RDMA_WRITE_FIRST, MTU, MTU, HCA_NAK_INVALID_REQUEST,
	  HCA_QP_REQUEST_ERROR },
	{ NOTHING, IB_OPCODE_RDMA_WRITE_ONLY, 100, HCA_MAX_MESSAGE + 1, HCA_NAK_INVALID_REQUEST,
	  HCA_QP_REQUEST_ERROR },
	{ NOTHING, IB_OPCODE_RDMA_READ_REQUEST, 0, HCA_MAX_MESSAGE + 1, HCA_NAK_INVALID_REQUEST,
	  HCA_QP_REQUEST_ERROR },
	/* far outside of the MR */
	{ NOTHING, IB_OPCODE_RDMA_READ_REQUEST, 0, HCA_MAX_MESSAGE, HCA_NAK_REMOTE_ACCESS,
	  HCA_QP_ACCESS_ERROR },
	/* not allowed within a message */
	{ IB_OPCODE_SEND_FIRST, IB_OPCODE_SEND_ONLY, 10, 0, HCA_NAK_INVALID_REQUEST,
	  HCA_QP_REQUEST_ERROR },
	{ IB_OPCODE_SEND_FIRST, IB_OPCODE_RDMA_WRITE_MIDDLE, MTU, 0, HCA_NAK_INVALID_REQUEST,
	  HCA_QP_REQUEST_ERROR },
	{ IB_OPCODE_SEND_FIRST, IB_OPCODE_RDMA_READ_REQUEST, 0, 10, HCA_NAK_INVALID_REQUEST,
	  HCA_QP_REQUEST_ERROR },
	{ IB_OPCODE_SEND_FIRST, IB_OPCODE_FETCH_ADD, 0, 0, HCA_NAK_INVALID_REQUEST,
	  HCA_QP_REQUEST_ERROR },
	{ IB_OPCODE_SEND_FIRST, IB_OPCODE_SEND_LAST, 0, 0, HCA_NAK_INVALID_REQUEST,
	  HCA_QP_REQUEST_ERROR },
	{ IB_OPCODE_RDMA_WRITE_FIRST, IB_OPCODE_SEND_MIDDLE, MTU, 0, HCA_NAK_INVALID_REQUEST,
	  HCA_QP_REQUEST_ERROR },
	{ IB_OPCODE_RDMA_WRITE_FIRST, IB_OPCODE_RDMA_WRITE_MIDDLE, MTU, 0, HCA_NAK_INVALID_REQUEST,
	  HCA_QP_REQUEST_ERROR },
	{ IB_OPCODE_RDMA_WRITE_FIRST, IB_OPCODE_RDMA_WRITE_LAST, 143, 0, HCA_NAK_INVALID_REQUEST,
	  HCA_QP_REQUEST_ERROR },
	/* B4-091, B4-093: reserved opcodes; only RD defines the first one */
	{ NOTHING, IB_OPCODE_RESYNC, 0, 0, HCA_NAK_INVALID_REQUEST, HCA_QP_REQUEST_ERROR },
	{ NOTHING, 0x18, 100, 0, HCA_NAK_INVALID_REQUEST, HCA_QP_REQUEST_ERROR },
	{ NOTHING, 0x1f, 0, 0, HCA_NAK_INVALID_REQUEST, HCA_QP_REQUEST_ERROR },
	{ IB_OPCODE_SEND_FIRST, 0x1b, MTU, 0, HCA_NAK_INVALID_REQUEST, HCA_QP_REQUEST_ERROR },
};

/* A request of the connection from end 0 to end 1. */
static struct hca_headers header(const struct pair *pair, u8 operation, u32 psn)
{
	const struct pair_end *b = &pair->end[1];

	return (struct hca_headers){
		.lrh = { .dlid = 2, .slid = 1, .lnh = IB_LNH_IBA_LOCAL },
		.bth = { .opcode = operation,
			 .pkey = 0xffff,
			 .destqp = b->qp->qpn,
			 .psn = psn,
			 .flags = HCA_BTH_ACKREQ | HCA_BTH_MIGREQ },
		.reth = { .va = pair_addr(b, DST), .rkey = b->entry->key, .length = 400 },
	};
}

/*
 * R0-464: the request is refused with one NAK that has its PSN; an event reports the error, and the
 * connection ends.
 */
START_TEST(request_refused)
{
	const struct request *r = &requests[_i];
	const struct pair_qp how = small_rc();
	struct pair *pair = pair_new(&how);
	struct pair_end *b = &pair->end[1];
	struct trace *trace = trace_on(pair);
	const struct traced *answer;
	struct hca_headers h;
	u32 psn = how.psn[0];

	pair_recv(b, 1, DST, 4096);
	if (r->before != NOTHING) {
		h = header(pair, r->before, psn++);
		h.bth.flags = HCA_BTH_MIGREQ;
		trace_inject(pair, 1, &h, MTU);
	}
	h = header(pair, r->operation, psn);
	h.reth.length = r->dma_length;
	trace_inject(pair, 1, &h, r->payload);
	ck_assert_uint_eq(trace->n, 1);
	answer = trace_find(trace, 0, HCA_OPCODE(RC, ACKNOWLEDGE), 0);
	ck_assert_ptr_nonnull(answer);
	ck_assert_uint_eq(answer->h.aeth.syndrome, r->syndrome); /* B4-348 */
	ck_assert_uint_eq(answer->h.bth.psn, psn);
	ck_assert_uint_eq(answer->h.aeth.msn, 0);
	ck_assert_uint_eq(b->qp->common.state, IB_QPS_ERR);
	ck_assert_uint_eq(b->events[r->event], 1); /* B4-353 */
	pair_expect(&b->recv_cq, 1, IB_WC_WR_FLUSH_ERR);
	pair_free(pair);
}
END_TEST

/* A reserved opcode with an earlier PSN is no duplicate of a request: it gets no response. */
START_TEST(reserved_and_late)
{
	const struct pair_qp how = small_rc();
	struct pair *pair = pair_new(&how);
	struct pair_end *b = &pair->end[1];
	struct trace *trace = trace_on(pair);
	struct hca_headers h = header(pair, 0x18, (how.psn[0] - 1) & HCA_PSN_MASK);

	trace_inject(pair, 1, &h, 10);
	ck_assert_uint_eq(trace->n, 0);
	ck_assert_uint_eq(b->qp->common.state, IB_QPS_RTS);
	pair_free(pair);
}
END_TEST

/*
 * B4-362: a duplicate request is checked against the present rights, those of the queue pair, too.
 */
START_TEST(read_again_without_right)
{
	const struct pair_qp how = small_rc();
	struct pair *pair = pair_new(&how);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct trace *trace = trace_on(pair);
	struct hca_headers h = header(pair, IB_OPCODE_RDMA_READ_REQUEST, how.psn[0]);
	const struct traced *answer;

	pair_rdma(a, b, 1, IB_UVERBS_WR_RDMA_READ, HCA_WQE_SIGNALED, SRC, DST, 400);
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	trace->n = 0;
	trace_inject(pair, 1, &h, 0);
	ck_assert_uint_eq(trace_count(trace, 0, HCA_OPCODE(RC, RDMA_READ_RESPONSE_LAST)), 1);
	if (_i)
		hca_qp_eec(b->qp)->attr.access &= ~IB_UVERBS_ACCESS_REMOTE_READ;
	else
		b->entry->access &= ~IB_UVERBS_ACCESS_REMOTE_READ;
	trace->n = 0;
	trace_inject(pair, 1, &h, 0);
	ck_assert_uint_eq(trace->n, 1);
	answer = trace_find(trace, 0, HCA_OPCODE(RC, ACKNOWLEDGE), 0);
	ck_assert_ptr_nonnull(answer);
	ck_assert_uint_eq(answer->h.aeth.syndrome,
			  _i ? HCA_NAK_INVALID_REQUEST : HCA_NAK_REMOTE_ACCESS);
	ck_assert_uint_eq(answer->h.bth.psn, how.psn[0]);
	pair_free(pair);
}
END_TEST

/* C9-105, B4-362: a duplicate Send is acknowledged with the newest PSN that has been executed. */
START_TEST(acknowledged_again)
{
	const struct pair_qp how = small_rc();
	struct pair *pair = pair_new(&how);
	struct pair_end *b = &pair->end[1];
	struct trace *trace = trace_on(pair);
	const struct traced *answer;
	struct hca_headers h;
	u32 i;

	for (i = 0; i < 3; i++) {
		pair_recv(b, i, DST, 100);
		h = header(pair, IB_OPCODE_SEND_ONLY, hca_psn_add(how.psn[0], i));
		trace_inject(pair, 1, &h, 10);
		pair_expect(&b->recv_cq, i, IB_WC_SUCCESS);
	}
	for (i = 0; i < 3; i++) {
		trace->n = 0;
		h = header(pair, IB_OPCODE_SEND_ONLY, hca_psn_add(how.psn[0], i));
		trace_inject(pair, 1, &h, 10);
		answer = trace_find(trace, 0, HCA_OPCODE(RC, ACKNOWLEDGE), 0);
		ck_assert_ptr_nonnull(answer);
		ck_assert_uint_eq(answer->h.aeth.syndrome & HCA_SYNDROME_KIND, HCA_SYNDROME_ACK);
		ck_assert_uint_eq(answer->h.bth.psn, hca_psn_add(how.psn[0], 2));
		ck_assert_uint_eq(answer->h.aeth.msn, 3);
	}
	pair_expect_none(&b->recv_cq);
	pair_free(pair);
}
END_TEST

static void reserved_opcode(struct hca_headers *h)
{
	h->bth.opcode = HCA_TRANSPORT_UC << 5 | 0x18;
}

static void other_service(struct hca_headers *h)
{
	h->bth.opcode = HCA_OPCODE(UC, SEND_ONLY);
}

static void other_version(struct hca_headers *h)
{
	h->bth.tver = 1;
}

static void other_sender(struct hca_headers *h)
{
	h->lrh.slid = 3;
}

static void other_qp(struct hca_headers *h)
{
	h->bth.destqp ^= 1u << 20;
}

static void other_partition(struct hca_headers *h)
{
	h->bth.pkey = 0x8001;
}

static void to_many(struct hca_headers *h)
{
	h->lrh.dlid = 0xc000;
}

static const struct {
	void (*spoil)(struct hca_headers *h);
	unsigned int pkey_violations;
} rejected[] = {
	{ reserved_opcode, 0 }, { other_service, 0 },	{ other_version, 0 }, { other_sender, 0 },
	{ other_qp, 0 },	{ other_partition, 1 }, { to_many, 0 },
};

/*
 * B4-042, B4-300, B4-316, B4-318, C4-085: a packet that does not belong to the connection is
 * dropped silently, and counted if its partition is wrong. The connection's own packets are
 * accepted.
 */
START_TEST(request_dropped)
{
	const struct pair_qp how = small_rc();
	struct pair *pair = pair_new(&how);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_headers h = header(pair, IB_OPCODE_SEND_ONLY, how.psn[0]);

	pair_recv(b, 1, DST, 4096);
	rejected[_i].spoil(&h);
	trace_inject(pair, 1, &h, 10);
	ck_assert_uint_eq(a->received, 0);
	ck_assert_uint_eq(b->ports[1].info.p_key_violations, rejected[_i].pkey_violations);
	pair_expect_none(&b->recv_cq);
	pair_send(a, 1, HCA_WQE_SIGNALED, SRC, 100);
	pair_settle();
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	pair_expect(&b->recv_cq, 1, IB_WC_SUCCESS);
	pair_free(pair);
}
END_TEST

/* --- responses, to the requester */

struct response {
	u8 request; /* enum ib_uverbs_wr_opcode; its length is 700 octets, an atomic's 8 */
	u8 operation;
	u8 syndrome;
	s32 ahead; /* PSN relative to the request's first PSN */
	u32 payload;
	u8 status; /* SUCCESS: the requester ignores the response */
};

static const struct response responses[] = {
	/* of a kind that does not match the request */
	{ IB_UVERBS_WR_RDMA_READ, IB_OPCODE_ATOMIC_ACKNOWLEDGE, 0x1f, 0, 0, IB_WC_BAD_RESP_ERR },
	{ IB_UVERBS_WR_SEND, IB_OPCODE_RDMA_READ_RESPONSE_ONLY, 0x1f, 0, 0, IB_WC_BAD_RESP_ERR },
	{ IB_UVERBS_WR_SEND, IB_OPCODE_ATOMIC_ACKNOWLEDGE, 0x1f, 2, 0, IB_WC_BAD_RESP_ERR },
	{ IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD, IB_OPCODE_RDMA_READ_RESPONSE_ONLY, 0x1f, 0, 8,
	  IB_WC_BAD_RESP_ERR },
	/* out of sequence, or of a wrong length */
	{ IB_UVERBS_WR_RDMA_READ, IB_OPCODE_RDMA_READ_RESPONSE_ONLY, 0x1f, 0, MTU,
	  IB_WC_BAD_RESP_ERR },
	{ IB_UVERBS_WR_RDMA_READ, IB_OPCODE_RDMA_READ_RESPONSE_LAST, 0x1f, 0, 188,
	  IB_WC_BAD_RESP_ERR },
	{ IB_UVERBS_WR_RDMA_READ, IB_OPCODE_RDMA_READ_RESPONSE_FIRST, 0x1f, 0, MTU - 4,
	  IB_WC_BAD_RESP_ERR },
	/* NAKs that are reserved, or not defined for this service */
	{ IB_UVERBS_WR_SEND, IB_OPCODE_ACKNOWLEDGE, HCA_NAK_INVALID_RD_REQUEST, 0, 0,
	  IB_WC_BAD_RESP_ERR },
	{ IB_UVERBS_WR_SEND, IB_OPCODE_ACKNOWLEDGE, HCA_SYNDROME_NAK | 5, 0, 0,
	  IB_WC_BAD_RESP_ERR },
	{ IB_UVERBS_WR_SEND, IB_OPCODE_ACKNOWLEDGE, HCA_SYNDROME_NAK | 31, 0, 0,
	  IB_WC_BAD_RESP_ERR },
	/* B4-347, B4-348, B4-349: NAKs that are defined */
	{ IB_UVERBS_WR_SEND, IB_OPCODE_ACKNOWLEDGE, HCA_NAK_INVALID_REQUEST, 1, 0,
	  IB_WC_REM_INV_REQ_ERR },
	{ IB_UVERBS_WR_RDMA_WRITE, IB_OPCODE_ACKNOWLEDGE, HCA_NAK_REMOTE_ACCESS, 0, 0,
	  IB_WC_REM_ACCESS_ERR },
	{ IB_UVERBS_WR_SEND, IB_OPCODE_ACKNOWLEDGE, HCA_NAK_REMOTE_OPERATION, 2, 0,
	  IB_WC_REM_OP_ERR },
	/*
	 * B4-040, B4-206, B4-207, B4-209: for PSNs that were never sent, or are acknowledged
	 * already
	 */
	{ IB_UVERBS_WR_SEND, IB_OPCODE_ACKNOWLEDGE, 0x1f, 3, 0, IB_WC_SUCCESS },
	{ IB_UVERBS_WR_SEND, IB_OPCODE_ACKNOWLEDGE, 0x1f, 0x700000, 0, IB_WC_SUCCESS },
	{ IB_UVERBS_WR_SEND, IB_OPCODE_ACKNOWLEDGE, 0x1f, -1, 0, IB_WC_SUCCESS },
	{ IB_UVERBS_WR_SEND, IB_OPCODE_ACKNOWLEDGE, HCA_NAK_REMOTE_ACCESS, -1, 0, IB_WC_SUCCESS },
	{ IB_UVERBS_WR_RDMA_READ, IB_OPCODE_RDMA_READ_RESPONSE_FIRST, 0x1f, 3, MTU, IB_WC_SUCCESS },
	/* a reserved kind of syndrome */
	{ IB_UVERBS_WR_SEND, IB_OPCODE_ACKNOWLEDGE, 0x40, 0, 0, IB_WC_SUCCESS },
	/* data of the read is missing */
	{ IB_UVERBS_WR_RDMA_READ, IB_OPCODE_ACKNOWLEDGE, 0x1f, 2, 0, IB_WC_SUCCESS },
};

/*
 * B4-340: each response is compared with the request before it is accepted; one that cannot be
 * valid is dropped, and the valid response counts.
 */
START_TEST(response)
{
	const struct response *r = &responses[_i];
	bool atomic = r->request == IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD;
	const struct pair_qp how = small_rc();
	struct pair *pair = pair_new(&how);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct trace *trace = trace_on(pair);
	u32 psn = hca_psn_add(how.psn[0], 1);
	struct hca_headers h = header(pair, r->operation, psn);

	/* This message brings credits, so that all packets of the next one leave. */
	pair_recv(b, 0, DST, 10);
	pair_recv(b, 1, DST, 4096);
	pair_send(a, 0, HCA_WQE_SIGNALED, SRC, 10);
	pair_expect(&a->send_cq, 0, IB_WC_SUCCESS);
	trace->lose = trace_cut;
	trace->towards = 1;
	pair_rdma(a, b, 1, r->request, HCA_WQE_SIGNALED, SRC, DST, atomic ? 8 : 700);
	pair_settle();
	h.bth.psn = hca_psn_add(psn, r->ahead & HCA_PSN_MASK);
	h.bth.destqp = a->qp->qpn;
	h.lrh.slid = 2;
	h.lrh.dlid = 1;
	h.aeth.syndrome = r->syndrome;
	trace_inject(pair, 0, &h, r->payload);
	trace->lose = NULL;
	if (r->status) {
		pair_expect(&a->send_cq, 1, r->status);
		ck_assert_uint_eq(a->qp->common.state, IB_QPS_ERR);
	} else {
		pair_expect_none(&a->send_cq); /* B4-067 */
		pair_wait(100);
		pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	}
	pair_free(pair);
}
END_TEST

/* B4-348: an AETH of a reserved kind acknowledges no request, not even one before its PSN. */
START_TEST(reserved_acknowledges_nothing)
{
	const struct pair_qp how = small_rc();
	struct pair *pair = pair_new(&how);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct trace *trace = trace_on(pair);
	struct hca_headers h = header(pair, IB_OPCODE_ACKNOWLEDGE, hca_psn_add(how.psn[0], 1));

	pair_recv(b, 0, DST, 10);
	pair_recv(b, 1, DST, 10);
	trace->lose = trace_cut;
	trace->towards = 1;
	pair_send(a, 0, HCA_WQE_SIGNALED, SRC, 10);
	pair_send(a, 1, HCA_WQE_SIGNALED, SRC, 10);
	pair_settle();
	h.bth.destqp = a->qp->qpn;
	h.lrh.slid = 2;
	h.lrh.dlid = 1;
	h.aeth.syndrome = 0x40;
	trace_inject(pair, 0, &h, 0);
	trace->lose = NULL;
	pair_expect_none(&a->send_cq);
	pair_wait(100);
	pair_expect(&a->send_cq, 0, IB_WC_SUCCESS);
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	pair_free(pair);
}
END_TEST

#define RF IB_OPCODE_RDMA_READ_RESPONSE_FIRST
#define RM IB_OPCODE_RDMA_READ_RESPONSE_MIDDLE
#define RL IB_OPCODE_RDMA_READ_RESPONSE_LAST
#define RO IB_OPCODE_RDMA_READ_RESPONSE_ONLY

/* Responses to a read of 700 octets, one for each of its PSNs; the last one is wrong if @bad. */
static const struct {
	u8 operation[3];
	u8 n;
	bool bad;
	u8 again; /* number of responses that arrive before the read is repeated */
} answers[] = {
	{ { RF, RM, RL }, 3, false, 0 },
	/* out of sequence */
	{ { RM }, 1, true, 0 },
	{ { RL }, 1, true, 0 },
	{ { RO }, 1, true, 0 },
	{ { RF, RF }, 2, true, 0 },
	{ { RF, RL }, 2, true, 0 },
	{ { RF, RO }, 2, true, 0 },
	{ { RF, RM, RM }, 3, true, 0 },
	{ { RF, RM, RF }, 3, true, 0 },
	{ { RF, RM, RO }, 3, true, 0 },
	/* repeated: the sequence of responses begins anew at the repeated PSN */
	{ { RF, RF, RL }, 3, false, 1 },
	{ { RF, RM, RO }, 3, false, 2 },
	/* a response to the first request may still arrive, or arrive last */
	{ { RF, RM, RL }, 3, false, 1 },
	{ { RF, RM, RL }, 3, false, 2 },
	{ { RF, RM, RF }, 3, true, 1 },
	{ { RF, RM, RO }, 3, true, 1 },
};

/* B4-340: First, Middle, Last and Only are each valid only in their position. */
START_TEST(read_responses)
{
	const struct pair_qp how = small_rc();
	struct pair *pair = pair_new(&how);
	struct pair_end *a = &pair->end[0];
	struct trace *trace = trace_on(pair);
	struct hca_headers h = header(pair, 0, how.psn[0]);
	u8 i, n = answers[_i].n;

	trace->lose = trace_cut;
	trace->towards = 1;
	h.bth.destqp = a->qp->qpn;
	h.lrh.slid = 2;
	h.lrh.dlid = 1;
	h.aeth.syndrome = HCA_ACK_NO_CREDITS;
	pair_rdma(a, &pair->end[1], 1, IB_UVERBS_WR_RDMA_READ, HCA_WQE_SIGNALED, SRC, DST, 700);
	pair_settle();
	for (i = 0; i < n; i++) {
		if (i && i == answers[_i].again) {
			trace->n = 0;
			pair_wait(10); /* one ACK timeout is 4 ms */
			ck_assert_uint_ge(trace->n, 1);
			ck_assert_uint_eq(trace->packet[0].h.bth.psn, h.bth.psn);
		}
		pair_expect_none(&a->send_cq);
		h.bth.opcode = answers[_i].operation[i];
		trace_inject(pair, 0, &h, i < 2 && h.bth.opcode != RO ? MTU : 700 - 2 * MTU);
		h.bth.psn = hca_psn_add(h.bth.psn, 1);
	}
	pair_expect(&a->send_cq, 1, answers[_i].bad ? IB_WC_BAD_RESP_ERR : IB_WC_SUCCESS);
	pair_free(pair);
}
END_TEST

/*
 * More responses at once than requests could cause: some are dropped, and the connection continues.
 */
START_TEST(flood)
{
	const struct pair_qp how = small_rc();
	struct pair *pair = pair_new(&how);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_headers h = header(pair, IB_OPCODE_ACKNOWLEDGE, how.psn[0]);
	unsigned int i;

	h.bth.destqp = a->qp->qpn;
	h.lrh.slid = 2;
	h.aeth.syndrome = HCA_ACK_NO_CREDITS;
	local_bh_disable();
	for (i = 0; i < 5000; i++) {
		struct hca_packet *pkt = hca_packet_alloc(&b->ca.pool);

		pkt->h = h;
		hca_transport_receive(&a->ports[1], pkt);
	}
	ck_assert_int_lt(atomic_read(&hca_qp_eec(a->qp)->num_responses), 2000);
	hca_engine_run();
	/* one run has a budget */
	ck_assert_int_gt(atomic_read(&hca_qp_eec(a->qp)->num_responses), 0);
	local_bh_enable();
	pair_settle();
	ck_assert_int_eq(atomic_read(&hca_qp_eec(a->qp)->num_responses), 0);
	pair_recv(b, 1, DST, 4096);
	pair_send(a, 1, HCA_WQE_SIGNALED, SRC, 3000);
	pair_settle();
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	pair_free(pair);
}
END_TEST

/* Some are pending when their queue pair is destroyed. */
START_TEST(destroyed_with_responses)
{
	const struct pair_qp how = small_rc();
	struct pair *pair = pair_new(&how);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_headers h = header(pair, IB_OPCODE_ACKNOWLEDGE, how.psn[0]);
	unsigned int i;

	h.bth.destqp = a->qp->qpn;
	h.lrh.slid = 2;
	hca_run_stop(&a->qp->common.run);
	local_bh_disable();
	for (i = 0; i < 5; i++) {
		struct hca_packet *pkt = hca_packet_alloc(&b->ca.pool);

		pkt->h = h;
		hca_transport_receive(&a->ports[1], pkt);
	}
	local_bh_enable();
	ck_assert_int_eq(atomic_read(&hca_qp_eec(a->qp)->num_responses), 5);
	pair_free(pair);
}
END_TEST

static const u8 overflowing[] = { IB_UVERBS_WR_SEND, IB_UVERBS_WR_RDMA_WRITE_WITH_IMM };

/*
 * R0-469, B4-270, B4-271, V3-284: there is no room for the receiver's completion: its queue pair
 * enters Error, and an event reports it. B4-349: the sender's request, which nobody has seen
 * complete, fails.
 */
START_TEST(receiver_overflow)
{
	struct pair_qp how = pair_rc;
	struct pair_end *a, *b;
	struct trace *trace;
	struct pair *pair;
	unsigned int i;

	how.cqe = 4;
	pair = pair_new(&how);
	trace = trace_on(pair);
	a = &pair->end[0];
	b = &pair->end[1];
	for (i = 0; i < 6; i++) {
		pair_recv(b, i, DST, 3000);
		pair_rdma(a, b, i, overflowing[_i], 0, SRC, DST, 3000);
	}
	pair_settle();
	ck_assert_uint_eq(b->cq_errors, 1);
	ck_assert_uint_eq(b->events[HCA_QP_FATAL], 1);
	ck_assert_uint_eq(b->events[HCA_QP_REQUEST_ERROR] + b->events[HCA_QP_ACCESS_ERROR], 0);
	ck_assert_uint_eq(b->qp->common.state, IB_QPS_ERR);
	for (i = 0; i < 4; i++)
		pair_expect(&b->recv_cq, i, IB_WC_SUCCESS);
	pair_expect_none(&b->recv_cq);
	ck_assert_uint_eq(trace_count_kind(trace, 0, HCA_SYNDROME_NAK), 1);
	pair_expect(&a->send_cq, 4, IB_WC_REM_OP_ERR);
	pair_expect(&a->send_cq, 5, IB_WC_WR_FLUSH_ERR);
	ck_assert_uint_eq(a->qp->common.state, IB_QPS_ERR);
	pair_free(pair);
}
END_TEST

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

Suite *forged_suite(void)
{
	Suite *suite = suite_create("forged");
	TCase *tc = tcase_create("forged");

	tcase_add_loop_test(tc, request_refused, 0, COUNT(requests));
	tcase_add_test(tc, reserved_and_late);
	tcase_add_loop_test(tc, read_again_without_right, 0, 2);
	tcase_add_test(tc, acknowledged_again);
	tcase_add_loop_test(tc, request_dropped, 0, COUNT(rejected));
	tcase_add_loop_test(tc, response, 0, COUNT(responses));
	tcase_add_test(tc, reserved_acknowledges_nothing);
	tcase_add_loop_test(tc, read_responses, 0, COUNT(answers));
	tcase_add_test(tc, flood);
	tcase_add_test(tc, destroyed_with_responses);
	tcase_add_loop_test(tc, receiver_overflow, 0, COUNT(overflowing));
	suite_add_tcase(suite, tc);
	return suite;
}
