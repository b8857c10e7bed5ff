// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * End-to-end credits: a requester sends only what the peer has a receive request for, and is never
 * stalled for good.
 */
#include <check.h>
#include "tests/unit/fixture/trace.h"
#include "tests/unit/suites.h"
#include "transport/credit.h"
#include "transport/iba_qp.h"

#define CODES 31

/* The values of B4-356: 0, 1, 2, 3, then 2^n and 1.5 times 2^n, up to 32768. */
static u32 credits_of(unsigned int code)
{
	if (code < 4)
		return code;
	return code % 2 ? 3u << (code / 2 - 1) : 1u << code / 2;
}

static u8 code_of(u32 n)
{
	u8 code = CODES - 1;

	while (credits_of(code) > n)
		code--;
	return code;
}

/*
 * B4-356, B4-358: the advertised credits never exceed the posted receive requests, and are the
 * nearest code.
 */
START_TEST(codes)
{
	struct pair *pair = pair_new(&pair_rc);
	struct hca_qp *qp = pair->end[0].qp;
	u32 entries = qp->rq.entries, n;
	u8 code;

	ck_assert_uint_eq(credits_of(9), 24);
	ck_assert_uint_eq(credits_of(CODES - 1), 32768);
	for (code = 0; code < CODES; code++)
		ck_assert_uint_eq(hca_credits_of(code), credits_of(code));
	qp->rq.entries = 1u << 17;
	for (n = 0; n <= 1u << 17; n++) {
		qp->rq.ring->producer = n;
		code = hca_credits_offered(hca_qp_eec(qp));
		ck_assert_uint_eq(code, code_of(n));
	}
	qp->rq.entries = entries;
	qp->rq.ring->producer = 0;
	pair_free(pair);
}
END_TEST

static const struct traced *last_ack(const struct trace *trace)
{
	const struct traced *t, *last = NULL;
	unsigned int from = 0;

	while ((t = trace_find(trace, 0, HCA_OPCODE(RC, ACKNOWLEDGE), from))) {
		last = t;
		from = t - trace->packet + 1;
	}
	ck_assert_ptr_nonnull(last);
	return last;
}

/* B4-355: each acknowledgement advertises how many receive requests are posted. */
START_TEST(told_in_each_ack)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct trace *trace = trace_on(pair);
	u32 posted = 0, i;

	for (; posted < 50; posted++)
		pair_recv(b, posted, DST, 3000);
	for (i = 0; posted; i++) {
		pair_send(a, i, HCA_WQE_SIGNALED, SRC, i % 3000);
		pair_expect(&a->send_cq, i, IB_WC_SUCCESS);
		ck_assert_uint_eq(last_ack(trace)->h.aeth.syndrome, code_of(--posted)); /* B4-332 */
		ck_assert_uint_eq(last_ack(trace)->h.aeth.msn, i + 1); /* B4-043 */
	}
	/* A request that consumes no receive request is acknowledged with that number unchanged. */
	pair_recv(b, 1, DST, 3000);
	pair_recv(b, 1, DST, 3000);
	pair_rdma(a, b, i, IB_UVERBS_WR_RDMA_WRITE, HCA_WQE_SIGNALED, SRC, DST, 3000);
	ck_assert_uint_eq(last_ack(trace)->h.aeth.syndrome, 2);
	pair_free(pair);
}
END_TEST

/*
 * B4-354: a responder without a receive queue of its own advertises no credits, and does not limit
 * the requester.
 */
START_TEST(no_queue)
{
	struct pair_qp how = pair_rc;
	struct pair *pair;
	struct pair_end *a;
	struct trace *trace;

	how.recv_wr = 0;
	pair = pair_new(&how);
	a = &pair->end[0];
	trace = trace_on(pair);
	pair_rdma(a, &pair->end[1], 1, IB_UVERBS_WR_RDMA_WRITE, HCA_WQE_SIGNALED, SRC, DST, 10);
	ck_assert_uint_eq(last_ack(trace)->h.aeth.syndrome, HCA_ACK_NO_CREDITS);
	trace->n = 0;
	pair_send(a, 2, HCA_WQE_SIGNALED, SRC, 5000);
	ck_assert_uint_eq(trace_count(trace, 1, -1), 5);
	pair_free(pair);
}
END_TEST

/* All receive requests are consumed, and the requester has received that credit count. */
static struct pair *credit_stalled(struct trace **trace)
{
	struct pair *pair = pair_new(&pair_rc);

	*trace = trace_on(pair);
	pair_recv(&pair->end[1], 1000, DST, 3000);
	pair_send(&pair->end[0], 1000, HCA_WQE_SIGNALED, SRC, 100);
	pair_expect(&pair->end[0].send_cq, 1000, IB_WC_SUCCESS);
	pair_expect(&pair->end[1].recv_cq, 1000, IB_WC_SUCCESS);
	ck_assert_uint_eq(last_ack(*trace)->h.aeth.syndrome, 0);
	return pair;
}

/*
 * B4-355, B4-357: a connection begins without credit. Until the first acknowledgement advertises
 * credits, only one packet that consumes a receive request is sent, and it requests an
 * acknowledgement.
 */
START_TEST(begins_without)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct trace *trace = trace_on(pair);
	int i;

	trace->lose = trace_cut;
	trace->towards = 0;
	for (i = 0; i < 5; i++)
		pair_recv(b, i, DST, 3000);
	/*
	 * A request that consumes no receive request is sent at once; one that does is sent when no
	 * other is outstanding.
	 */
	if (_i)
		pair_rdma(a, b, 99, IB_UVERBS_WR_RDMA_WRITE, HCA_WQE_SIGNALED, SRC, DST, 3000);
	for (i = 0; i < 5; i++)
		pair_send(a, i, HCA_WQE_SIGNALED, SRC, 3000);
	ck_assert_uint_eq(trace_count(trace, 1, -1), _i ? 3 : 1);
	ck_assert_uint_ne(trace->packet[_i ? 2 : 0].h.bth.flags & HCA_BTH_ACKREQ, 0);
	trace->lose = NULL;
	pair_wait(500);
	if (_i)
		pair_expect(&a->send_cq, 99, IB_WC_SUCCESS);
	for (i = 0; i < 5; i++) {
		pair_expect(&a->send_cq, i, IB_WC_SUCCESS);
		pair_expect(&b->recv_cq, i, IB_WC_SUCCESS);
	}
	ck_assert_uint_eq(trace_count_kind(trace, 0, HCA_SYNDROME_RNR), 0);
	pair_free(pair);
}
END_TEST

/*
 * B4-355, B4-357: no receive request is posted for the first messages: only one packet is sent to
 * find out.
 */
START_TEST(first_is_refused_alone)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct trace *trace = trace_on(pair);
	struct hca_send_wqe *wqe;
	int i;

	for (i = 0; i < 20; i++) {
		wqe = pair_wqe(a, i, IB_UVERBS_WR_SEND, i < 19 ? 0 : HCA_WQE_SIGNALED);
		pair_sge(a, wqe, SRC, i % 2 ? 3000 : 10);
		a->qp->sq.ring->producer += i < 19;
	}
	pair_post(a);
	ck_assert_uint_eq(trace_count(trace, 1, -1), 1);
	ck_assert_uint_eq(trace_count_kind(trace, 0, HCA_SYNDROME_RNR), 1);
	for (i = 0; i < 20; i++)
		pair_recv(b, i, DST, 3000);
	pair_wait(100);
	pair_expect(&a->send_cq, 19, IB_WC_SUCCESS);
	for (i = 0; i < 20; i++)
		pair_expect(&b->recv_cq, i, IB_WC_SUCCESS);
	ck_assert_uint_eq(trace_count_kind(trace, 0, HCA_SYNDROME_RNR), 1);
	pair_free(pair);
}
END_TEST

/*
 * B4-208, B4-355: after zero credits, the next receive request is advertised by an unsolicited
 * acknowledgement.
 */
START_TEST(told_unasked)
{
	struct trace *trace;
	struct pair *pair = credit_stalled(&trace);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	u32 psn = last_ack(trace)->h.bth.psn;
	int i;

	trace->n = 0;
	for (i = 0; i < 3; i++)
		pair_recv(b, i, DST, 3000);
	ck_assert_uint_eq(trace->n, 1);
	ck_assert_uint_eq(last_ack(trace)->h.aeth.syndrome, 1);
	ck_assert_uint_eq(last_ack(trace)->h.bth.psn, psn);
	ck_assert_uint_eq(last_ack(trace)->h.aeth.msn, 1);
	/* One message may be sent at once, with all its packets. */
	trace->n = 0;
	trace->lose = trace_cut;
	trace->towards = 0;
	pair_send(a, 1, HCA_WQE_SIGNALED, SRC, 3000);
	pair_send(a, 2, HCA_WQE_SIGNALED, SRC, 3000);
	ck_assert_uint_eq(trace_count(trace, 1, -1), 3);
	trace->lose = NULL;
	pair_wait(500);
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	pair_expect(&a->send_cq, 2, IB_WC_SUCCESS);
	ck_assert_uint_eq(trace_count_kind(trace, 0, HCA_SYNDROME_RNR), 0);
	pair_free(pair);
}
END_TEST

/*
 * B4-357: without credit one packet is sent, which requests an acknowledgement, and the rest waits.
 */
START_TEST(limited)
{
	struct trace *trace;
	struct pair *pair = credit_stalled(&trace);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	int i;

	trace->n = 0;
	if (_i)
		pair_rdma(a, b, 0, IB_UVERBS_WR_RDMA_WRITE_WITH_IMM, HCA_WQE_SIGNALED, SRC, DST,
			  5000);
	else
		pair_send(a, 0, HCA_WQE_SIGNALED, SRC, 3000);
	for (i = 1; i < 5; i++)
		pair_send(a, i, HCA_WQE_SIGNALED, SRC, 3000);
	if (!_i) {
		ck_assert_uint_eq(trace_count(trace, 1, -1), 1);
		ck_assert_uint_ne(trace->packet[0].h.bth.flags & HCA_BTH_ACKREQ, 0);
		ck_assert_uint_eq(trace_count_kind(trace, 0, HCA_SYNDROME_RNR), 1);
	} else {
		/* Each packet but the last is acknowledged: it consumes no receive request. */
		ck_assert_uint_eq(trace_count(trace, 1, -1), 5);
		ck_assert_uint_eq(trace_count(trace, 1,
					      HCA_OPCODE(RC, RDMA_WRITE_LAST_WITH_IMMEDIATE)), 1);
		ck_assert_uint_eq(trace_count_kind(trace, 0, HCA_SYNDROME_RNR), 1);
	}
	for (i = 0; i < 5; i++)
		pair_recv(b, i, DST, 3000);
	pair_wait(100);
	for (i = 0; i < 5; i++) {
		pair_expect(&a->send_cq, i, IB_WC_SUCCESS);
		pair_expect(&b->recv_cq, i, IB_WC_SUCCESS);
	}
	ck_assert_uint_eq(trace_count_kind(trace, 0, HCA_SYNDROME_RNR), 1);
	pair_free(pair);
}
END_TEST

static bool lose_two(struct trace *trace, const struct traced *t)
{
	(void)t;
	return trace->n <= 2;
}

/*
 * B4-357, B4-361: the limited packet is lost, and so is the unsolicited acknowledgement; the
 * limited packet is sent again and requests an acknowledgement again.
 */
START_TEST(limited_and_lost)
{
	struct trace *trace;
	struct pair *pair = credit_stalled(&trace);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];

	trace->n = 0;
	trace->lose = lose_two;
	pair_send(a, 1, HCA_WQE_SIGNALED, SRC, 3000);
	pair_recv(b, 1, DST, 3000);
	ck_assert_uint_eq(trace->n, 2);
	pair_wait(100); /* one timeout of 67 ms */
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	pair_expect(&b->recv_cq, 1, IB_WC_SUCCESS);
	pair_free(pair);
}
END_TEST

/* B4-356: a request that consumes no receive request needs no credit. */
START_TEST(free_of_charge)
{
	struct trace *trace;
	struct pair *pair = credit_stalled(&trace);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_send_wqe *wqe;

	trace->n = 0;
	pair_rdma(a, b, 1, IB_UVERBS_WR_RDMA_WRITE, HCA_WQE_SIGNALED, SRC, DST, 100000);
	pair_rdma(a, b, 2, IB_UVERBS_WR_RDMA_READ, HCA_WQE_SIGNALED, SRC, DST, 100000);
	wqe = pair_wqe(a, 3, IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD, HCA_WQE_SIGNALED);
	wqe->rdma.remote_addr = pair_addr(b, DST + 8) & ~7ull;
	wqe->rdma.rkey = b->entry->key;
	pair_sge(a, wqe, SRC, 8);
	pair_post(a);
	pair_settle();
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	pair_expect(&a->send_cq, 2, IB_WC_SUCCESS);
	pair_expect(&a->send_cq, 3, IB_WC_SUCCESS);
	/* The write's packets were sent in bursts, not one by one. */
	ck_assert_uint_lt(trace_count(trace, 0, HCA_OPCODE(RC, ACKNOWLEDGE)), 10);
	pair_free(pair);
}
END_TEST

/* Whether a request packet of the trace is the first of a message. */
static bool begins(const struct traced *t)
{
	return t->receiver == 1 && (hca_opcodes[t->h.bth.opcode].flags & HCA_IS_FIRST);
}

/*
 * B4-356, B4-357, V3-020: messages never exceed the credits by more than a single packet of one
 * more message; there is no RNR NAK as long as receive requests are posted fast enough.
 */
START_TEST(keeps_to_it)
{
	struct trace *trace;
	struct pair *pair = credit_stalled(&trace);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	u32 posted = 1, used = 1, sent = 0, done = 0, i;
	u32 allowed = 1, begun = 1, next = hca_psn_add(pair_rc.psn[0], 1);
	struct hca_cqe cqe;

	while (done < 300) {
		for (; posted - used < 1u + _i * 3; posted++)
			pair_recv(b, posted, DST, 5000);
		for (; sent < 300 && sent - done < 100; sent++)
			pair_send(a, sent, HCA_WQE_SIGNALED, SRC, sent * 37 % 5000);
		pair_settle();
		while (pair_poll(&b->recv_cq, &cqe)) {
			ck_assert_uint_eq(cqe.status, IB_WC_SUCCESS);
			ck_assert_uint_eq(cqe.wr_id, used++);
		}
		while (pair_poll(&a->send_cq, &cqe)) {
			ck_assert_uint_eq(cqe.wr_id, done++);
			ck_assert_uint_eq(cqe.status, IB_WC_SUCCESS);
		}
		if (hca_qp_eec(a->qp)->rnr_wait)
			pair_wait(1);
	}
	/* The first message, which starts the exchange, is in the trace, too. */
	for (i = 2; i < trace->n; i++) {
		const struct traced *t = &trace->packet[i];
		u8 syndrome = t->h.aeth.syndrome;

		if (t->receiver == 0) {
			if ((syndrome & HCA_SYNDROME_KIND) == HCA_SYNDROME_ACK)
				allowed = max(allowed, t->h.aeth.msn + credits_of(syndrome));
			continue;
		}
		if (hca_psn_diff(t->h.bth.psn, next) < 0)
			continue; /* a repeated packet */
		next = hca_psn_add(t->h.bth.psn, 1);
		begun += begins(t);
		if (begun > allowed) {
			ck_assert(begins(t));
			ck_assert_uint_eq(begun, allowed + 1);
			ck_assert_uint_ne(t->h.bth.flags & HCA_BTH_ACKREQ, 0);
		}
	}
	ck_assert_uint_eq(begun, 301);
	pair_free(pair);
}
END_TEST

/* A queue that is refilled at each completion: there is no RNR NAK at all. */
START_TEST(no_refusal)
{
	struct trace *trace;
	struct pair *pair = credit_stalled(&trace);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	u32 posted = 0, used = 0, sent;
	struct hca_cqe cqe;

	for (sent = 0; sent < 1000; sent++) {
		for (; posted - used < 1u + _i; posted++)
			pair_recv(b, posted, DST, 2000);
		pair_send(a, sent, sent % 5 ? 0 : HCA_WQE_SIGNALED, SRC, sent % 2000);
		while (pair_poll(&b->recv_cq, &cqe))
			ck_assert_uint_eq(cqe.wr_id, used++);
		while (pair_poll(&a->send_cq, &cqe))
			ck_assert_uint_eq(cqe.status, IB_WC_SUCCESS);
	}
	ck_assert_uint_eq(used, 1000);
	ck_assert_uint_eq(trace_count_kind(trace, 0, HCA_SYNDROME_RNR), 0);
	pair_free(pair);
}
END_TEST

/* B4-334: with one receive request at a time, a long message is not sent packet by packet. */
START_TEST(not_stop_and_wait)
{
	struct trace *trace;
	struct pair *pair = credit_stalled(&trace);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	int i;

	for (i = 0; i < 20; i++) {
		trace->n = 0;
		if (_i)
			pair_recv(b, i, DST, 64 * 1024);
		pair_send(a, i, HCA_WQE_SIGNALED, SRC, 64 * 1024);
		if (!_i)
			pair_recv(b, i, DST, 64 * 1024);
		pair_wait(_i ? 0 : 10);
		pair_expect(&a->send_cq, i, IB_WC_SUCCESS);
		pair_expect(&b->recv_cq, i, IB_WC_SUCCESS);
		ck_assert_uint_ge(trace_count(trace, 1, -1), 64); /* B4-038 */
		ck_assert_uint_le(trace_count(trace, 0, -1), 64 / 32 + 4); /* B4-203 */
	}
	pair_free(pair);
}
END_TEST

/*
 * B4-357: a lost packet is sent again with or without credit, and at once: the clock does not
 * advance here.
 */
START_TEST(retry_needs_none)
{
	struct trace *trace;
	struct pair *pair = credit_stalled(&trace);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];

	pair_recv(b, 1, DST, 8000);
	trace->n = 0;
	trace->lose = trace_lose_nth;
	trace->towards = 1;
	trace->nth = _i;
	pair_send(a, 1, HCA_WQE_SIGNALED, SRC, 8000);
	pair_settle();
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	pair_expect(&b->recv_cq, 1, IB_WC_SUCCESS);
	ck_assert_uint_eq(trace_count_kind(trace, 0, HCA_SYNDROME_RNR), 0);
	pair_free(pair);
}
END_TEST

/* B4-360: whichever acknowledgement is lost, unsolicited ones among them, all messages arrive. */
START_TEST(lose_each_ack)
{
	unsigned int nth, i;

	for (nth = 0; nth < 16; nth++) {
		struct trace *trace;
		struct pair *pair = credit_stalled(&trace);
		struct pair_end *a = &pair->end[0], *b = &pair->end[1];

		trace->lose = trace_lose_nth;
		trace->towards = 0;
		trace->nth = nth;
		for (i = 0; i < 8; i++) {
			pair_send(a, i, HCA_WQE_SIGNALED, SRC, 3000);
			pair_recv(b, i, DST, 3000);
		}
		pair_wait(1000);
		for (i = 0; i < 8; i++) {
			pair_expect(&a->send_cq, i, IB_WC_SUCCESS);
			pair_expect(&b->recv_cq, i, IB_WC_SUCCESS);
		}
		pair_free(pair);
	}
}
END_TEST

/* After Reset nothing remains of earlier credits. */
START_TEST(forgotten)
{
	struct trace *trace;
	struct pair *pair = credit_stalled(&trace);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_qp_attr reset = { .state = IB_QPS_RESET };
	int i;

	ck_assert_int_eq(hca_qp_modify(a->qp, &reset, IB_QP_STATE), 0);
	ck_assert_int_eq(hca_qp_modify(b->qp, &reset, IB_QP_STATE), 0);
	pair_connect(a->qp, &pair_rc, b->qp->qpn, 2, 100, 200);
	pair_connect(b->qp, &pair_rc, a->qp->qpn, 1, 200, 100);
	trace->n = 0;
	for (i = 0; i < 5; i++)
		pair_recv(b, i, DST, 3000);
	ck_assert_uint_eq(trace->n, 0);
	for (i = 0; i < 5; i++) {
		pair_send(a, i, HCA_WQE_SIGNALED, SRC, 3000);
		pair_expect(&a->send_cq, i, IB_WC_SUCCESS);
	}
	ck_assert_uint_eq(last_ack(trace)->h.aeth.msn, 5);
	pair_free(pair);
}
END_TEST

Suite *credit_suite(void)
{
	Suite *suite = suite_create("credit");
	TCase *tc = tcase_create("credit");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, codes);
	tcase_add_test(tc, told_in_each_ack);
	tcase_add_test(tc, no_queue);
	tcase_add_loop_test(tc, begins_without, 0, 2);
	tcase_add_test(tc, first_is_refused_alone);
	tcase_add_test(tc, told_unasked);
	tcase_add_loop_test(tc, limited, 0, 2);
	tcase_add_test(tc, limited_and_lost);
	tcase_add_test(tc, free_of_charge);
	tcase_add_loop_test(tc, keeps_to_it, 0, 6);
	tcase_add_loop_test(tc, no_refusal, 0, 3);
	tcase_add_loop_test(tc, not_stop_and_wait, 0, 2);
	tcase_add_loop_test(tc, retry_needs_none, 0, 7);
	tcase_add_test(tc, lose_each_ack);
	tcase_add_test(tc, forgotten);
	suite_add_tcase(suite, tc);
	return suite;
}
