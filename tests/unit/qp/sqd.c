// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Send queue drain: requests that have begun are finished, and no other one begins. */
#include <check.h>
#include <string.h>
#include <linux/bottom_half.h>
#include "link/tx/tx.h"
#include "tests/unit/fixture/trace.h"
#include "tests/unit/suites.h"
#include "transport/iba_qp.h"

#define LONG_BYTES 20000 /* 20 packets */

static const struct pair_qp *const services[] = { &pair_rc, &pair_uc, &pair_rd, &pair_xrc };

static void to_state(struct hca_qp *qp, u8 state)
{
	struct hca_qp_attr attr = { .state = state };

	ck_assert_int_eq(hca_qp_modify(qp, &attr, IB_QP_STATE), 0);
}

static void to_sqd(struct hca_qp *qp, bool notify)
{
	struct hca_qp_attr attr = { .state = IB_QPS_SQD, .en_sqd_async_notify = notify };

	ck_assert_int_eq(hca_qp_modify(qp, &attr, IB_QP_STATE | IB_QP_EN_SQD_ASYNC_NOTIFY), 0);
}

static bool draining(struct hca_qp *qp)
{
	struct hca_qp_attr attr;

	hca_qp_query(qp, &attr);
	ck_assert_uint_eq(attr.state, IB_QPS_SQD);
	return attr.sq_draining;
}

/* Post three messages, let @n of their packets arrive, and then enter SQD. */
static struct trace *begin(struct pair *pair, unsigned int n, bool notify, u8 opcode)
{
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct trace *trace = trace_on(pair);
	u32 i;

	trace->lose = trace_pass_n;
	trace->nth = n;
	pair_fill(a, SRC, 3 * LONG_BYTES, n);
	for (i = 0; i < 3; i++)
		pair_recv(b, i, DST + i * LONG_BYTES, LONG_BYTES);
	for (i = 0; i < 3; i++) {
		if (opcode == IB_UVERBS_WR_SEND)
			pair_send(a, i, HCA_WQE_SIGNALED, SRC + i * LONG_BYTES, LONG_BYTES);
		else
			pair_rdma(a, b, i, opcode, HCA_WQE_SIGNALED, SRC + i * LONG_BYTES,
				  DST + i * LONG_BYTES, LONG_BYTES);
	}
	to_sqd(a->qp, notify);
	trace->lose = NULL;
	return trace;
}

/*
 * B4-226, B4-229, B4-235, B4-239, B4-268: SQD begins in the middle of long messages, after n
 * packets. Requests that have begun succeed, then the event comes, once and if requested; requests
 * posted meanwhile wait.
 */
static void check_drained(const struct pair_qp *how, unsigned int n, bool notify, u8 opcode)
{
	struct pair *pair = pair_new(how);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct trace *trace = begin(pair, n, notify, opcode);
	u32 sent, done = 0, i;
	struct hca_cqe cqe;

	ck_assert_uint_eq(a->events[HCA_QP_SQ_DRAINED], notify && !draining(a->qp));
	pair_wait(2000);
	ck_assert(!draining(a->qp));
	ck_assert_uint_eq(a->events[HCA_QP_SQ_DRAINED], notify);
	while (pair_poll(&a->send_cq, &cqe)) {
		ck_assert_uint_eq(cqe.wr_id, done++);
		ck_assert_uint_eq(cqe.status, IB_WC_SUCCESS);
	}
	sent = trace_count(trace, 1, -1);
	pair_recv(b, 3, DST, 10);
	pair_send(a, 3, HCA_WQE_SIGNALED, SRC, 10);
	pair_wait(2000);
	pair_expect_none(&a->send_cq);
	ck_assert_uint_eq(trace_count(trace, 1, -1), sent);
	ck_assert_uint_eq(a->events[HCA_QP_SQ_DRAINED], notify);

	to_state(a->qp, IB_QPS_RTS);
	pair_wait(2000);
	for (i = done; i <= 3; i++)
		pair_expect(&a->send_cq, i, IB_WC_SUCCESS);
	pair_expect_none(&a->send_cq);
	if (opcode == IB_UVERBS_WR_RDMA_READ)
		ck_assert(pair_same(a, SRC, b, DST, 3 * LONG_BYTES));
	else if (how->type != IB_QPT_UC)
		ck_assert(pair_same(a, SRC + 10, b, DST + 10, 3 * LONG_BYTES - 10));
	ck_assert_uint_eq(a->events[HCA_QP_SQ_DRAINED], notify);
	pair_free(pair);
}

START_TEST(drained)
{
	unsigned int n;

	for (n = 0; n < 64; n += n < 22 ? 1 : 5)
		check_drained(services[_i / 2], n, _i % 2, IB_UVERBS_WR_SEND);
}
END_TEST

START_TEST(reads_drained)
{
	unsigned int n;

	for (n = 0; n < 64; n += n < 22 ? 1 : 5)
		check_drained(_i / 2 ? &pair_rd : &pair_rc, n, _i % 2, IB_UVERBS_WR_RDMA_READ);
}
END_TEST

static void run_once(struct hca_eec *eec)
{
	int budget = HCA_RUN_BUDGET;

	eec->common->run.run(&eec->common->run, &budget);
}

/* Lack of credit stops the first message in the middle: it is finished, and no other one begins. */
START_TEST(only_what_was_begun)
{
	struct pair *pair = pair_new(services[_i]);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct trace *trace = trace_on(pair);
	struct hca_send_wqe *wqe;
	u32 i;

	for (i = 0; i < 3; i++)
		pair_recv(b, i, DST, LONG_BYTES);
	for (i = 0; i < 3; i++) {
		wqe = pair_wqe(a, i, IB_UVERBS_WR_SEND, HCA_WQE_SIGNALED);
		pair_sge(a, wqe, SRC, LONG_BYTES);
		a->qp->sq.ring->producer++;
	}
	/*
	 * There is buffer space for some five packets; the receiver, which would release more, does
	 * not run yet.
	 */
	b->ports[1].rx_buffer.fccl[0] = a->ports[1].tx.fctbs[0] + 5 * 18;
	pair_queue_is_full(a, true);
	local_bh_disable();
	run_once(hca_qp_eec(a->qp));
	if (a->rd_eec)
		run_once(&a->rd_eec->eec);
	local_bh_enable();
	pair_queue_is_full(a, false);
	to_sqd(a->qp, true);
	pair_wait(100);
	ck_assert_uint_eq(a->events[HCA_QP_SQ_DRAINED], 1);
	pair_expect(&a->send_cq, 0, IB_WC_SUCCESS);
	pair_expect_none(&a->send_cq);
	pair_expect(&b->recv_cq, 0, IB_WC_SUCCESS);
	ck_assert_uint_eq(trace_count(trace, 1, -1), 20);
	to_state(a->qp, IB_QPS_RTS);
	pair_wait(100);
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	pair_expect(&a->send_cq, 2, IB_WC_SUCCESS);
	pair_free(pair);
}
END_TEST

/* No request is outstanding: the queue is drained at once. Datagrams have this state, too. */
/*
 * The last packet sent does not request an acknowledgement, as another request was to follow; it is
 * acknowledged before the timer expires.
 */
START_TEST(last_is_asked_for)
{
	struct pair_qp how = pair_rc;
	struct hca_send_wqe *wqe;
	struct pair_end *a, *b;
	struct pair *pair;
	u32 i;

	how.retry = 0;
	pair = pair_new(&how);
	a = &pair->end[0];
	b = &pair->end[1];
	for (i = 0; i < 2; i++) {
		pair_recv(b, i, DST, 1000);
		wqe = pair_wqe(a, i, IB_UVERBS_WR_SEND, 0);
		pair_sge(a, wqe, SRC, 1000);
		a->qp->sq.ring->producer++;
	}
	b->ports[1].rx_buffer.fccl[0] = a->ports[1].tx.fctbs[0] + 17;
	pair_queue_is_full(a, true);
	local_bh_disable();
	run_once(hca_qp_eec(a->qp));
	local_bh_enable();
	pair_queue_is_full(a, false);
	to_sqd(a->qp, true);
	pair_settle();
	pair_expect(&b->recv_cq, 0, IB_WC_SUCCESS);
	ck_assert_uint_eq(a->events[HCA_QP_SQ_DRAINED], 1);
	pair_expect_none(&b->recv_cq);
	to_state(a->qp, IB_QPS_RTS);
	pair_settle();
	pair_expect(&b->recv_cq, 1, IB_WC_SUCCESS);
	pair_free(pair);
}
END_TEST

START_TEST(nothing_to_drain)
{
	static const struct pair_qp *const all[] = { &pair_rc, &pair_uc, &pair_rd, &pair_ud };
	struct pair *pair = pair_new(all[_i]);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_send_wqe *wqe;
	int round;

	for (round = 1; round < 4; round++) {
		pair_recv(b, round, DST, 1000);
		wqe = pair_wqe(a, round, IB_UVERBS_WR_SEND, HCA_WQE_SIGNALED);
		if (_i == 3) {
			wqe->ud.av.dlid = 2;
			wqe->ud.av.port_num = 1;
			wqe->ud.remote_qpn = b->qp->qpn;
			wqe->ud.remote_qkey = PAIR_QKEY;
		}
		pair_sge(a, wqe, SRC, 100);
		pair_post(a);
		pair_expect(&a->send_cq, round, IB_WC_SUCCESS);
		to_sqd(a->qp, true);
		ck_assert_uint_eq(a->events[HCA_QP_SQ_DRAINED], round);
		ck_assert(!draining(a->qp));

		/* A request that is posted now waits; receiving continues. */
		wqe = pair_wqe(a, 10, IB_UVERBS_WR_SEND, HCA_WQE_SIGNALED);
		if (_i == 3) {
			wqe->ud.av.dlid = 2;
			wqe->ud.av.port_num = 1;
			wqe->ud.remote_qpn = b->qp->qpn;
			wqe->ud.remote_qkey = PAIR_QKEY;
		}
		pair_sge(a, wqe, SRC, 100);
		pair_post(a);
		pair_wait(100);
		pair_expect_none(&a->send_cq);
		pair_expect(&b->recv_cq, round, IB_WC_SUCCESS);
		if (_i != 3) {
			pair_recv(a, 5, DST, 100);
			pair_send(b, 5, HCA_WQE_SIGNALED, SRC, 100);
			pair_expect(&b->send_cq, 5, IB_WC_SUCCESS);
			pair_expect(&a->recv_cq, 5, IB_WC_SUCCESS);
		}
		pair_recv(b, 11, DST, 1000);
		to_state(a->qp, IB_QPS_RTS);
		pair_expect(&a->send_cq, 10, IB_WC_SUCCESS);
		pair_expect(&b->recv_cq, 11, IB_WC_SUCCESS);
	}
	pair_free(pair);
}
END_TEST

/* A request that is invalid by itself has not begun: it fails when its turn comes. */
START_TEST(bad_request_waits)
{
	struct pair *pair = pair_new(services[_i]);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct trace *trace = trace_on(pair);

	trace->lose = trace_pass_n;
	pair_recv(b, 1, DST, 3000);
	pair_send(a, 1, HCA_WQE_SIGNALED, SRC, 3000);
	pair_wqe(a, 2, 200, 0);
	pair_post(a);
	if (_i == 1) { /* UC does not wait for acknowledgements */
		pair_free(pair);
		return;
	}
	to_sqd(a->qp, true);
	trace->lose = NULL;
	pair_wait(500);
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	pair_expect_none(&a->send_cq);
	ck_assert_uint_eq(a->events[HCA_QP_SQ_DRAINED], 1);
	to_state(a->qp, IB_QPS_RTS);
	pair_expect(&a->send_cq, 2, IB_WC_LOC_QP_OP_ERR);
	pair_free(pair);
}
END_TEST

/* R0-249, B4-226: the attributes that may be changed in SQD, and that they apply from then on. */
START_TEST(attributes)
{
	struct pair_qp how = pair_rc;
	struct pair *pair;
	struct pair_end *a, *b;
	struct hca_qp_attr attr = {
		.state = IB_QPS_SQD,
		.iba.timeout = 8,
		.iba.retry_cnt = 1,
		.iba.rnr_retry = 2,
		.max_rd_atomic = 1,
		.iba.port_num = 2,
		.iba.av = { .dlid = 4, .port_num = 2, .sl = 0 },
	};
	struct trace *trace;
	u32 i;

	how.ports = 2;
	pair = pair_new(&how);
	a = &pair->end[0];
	b = &pair->end[1];
	trace = trace_on(pair);
	to_sqd(a->qp, false);
	to_sqd(b->qp, false);
	pair_recv(b, 1, DST, 5000);
	pair_send(a, 1, HCA_WQE_SIGNALED, SRC, 5000);
	ck_assert_int_eq(hca_qp_modify(a->qp, &attr,
				       IB_QP_AV | IB_QP_PORT | IB_QP_TIMEOUT |
					       IB_QP_RETRY_CNT | IB_QP_RNR_RETRY |
					       IB_QP_MAX_QP_RD_ATOMIC),
			 0);
	attr.iba.av.dlid = 3;
	ck_assert_int_eq(hca_qp_modify(b->qp, &attr, IB_QP_STATE | IB_QP_AV | IB_QP_PORT), 0);
	to_state(a->qp, IB_QPS_RTS);
	to_state(b->qp, IB_QPS_RTS);
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	pair_expect(&b->recv_cq, 1, IB_WC_SUCCESS);
	ck_assert_uint_gt(trace->n, 5);
	for (i = 0; i < trace->n; i++) {
		ck_assert_uint_ge(trace->packet[i].h.lrh.dlid, 3);
		ck_assert_uint_ge(trace->packet[i].h.lrh.slid, 3);
	}
	trace->lose = trace_cut;
	pair_send(a, 2, 0, SRC, 10);
	pair_wait(10); /* twice the ACK timeout of some 2 ms */
	pair_expect(&a->send_cq, 2, IB_WC_RETRY_EXC_ERR);
	pair_free(pair);
}
END_TEST

/*
 * R0-245, R0-249: the read depth is 0 now: a read that was posted before ends in error, instead of
 * waiting for ever.
 */
START_TEST(no_more_reads)
{
	struct pair *pair = pair_new(_i ? &pair_rd : &pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_qp_attr attr = { .max_rd_atomic = 0 };
	struct trace *trace = trace_on(pair);
	int i;

	trace->lose = trace_cut;
	pair_rdma(a, b, 0, IB_UVERBS_WR_RDMA_WRITE, HCA_WQE_SIGNALED, SRC, DST, 1000);
	for (i = 1; i < 7; i++)
		pair_rdma(a, b, i, IB_UVERBS_WR_RDMA_READ, HCA_WQE_SIGNALED | HCA_WQE_FENCE, SRC,
			  DST, 1000);
	to_sqd(a->qp, true);
	if (_i) {
		struct hca_qp_attr sqd = { .state = IB_QPS_SQD };

		ck_assert_int_eq(hca_rd_eec_modify(a->rd_eec, &sqd, IB_QP_STATE), 0);
	}
	trace->lose = NULL;
	pair_wait(500);
	ck_assert_uint_eq(a->events[HCA_QP_SQ_DRAINED], 1);
	if (_i) {
		struct hca_qp_attr rts = { .state = IB_QPS_RTS };

		ck_assert_int_eq(hca_rd_eec_modify(a->rd_eec, &attr, IB_QP_MAX_QP_RD_ATOMIC), 0);
		ck_assert_int_eq(hca_rd_eec_modify(a->rd_eec, &rts, IB_QP_STATE), 0);
	} else {
		ck_assert_int_eq(hca_qp_modify(a->qp, &attr, IB_QP_MAX_QP_RD_ATOMIC), 0);
	}
	to_state(a->qp, IB_QPS_RTS);
	pair_wait(500);
	pair_expect(&a->send_cq, 0, IB_WC_SUCCESS);
	for (i = 1; i < 7; i++) {
		struct hca_cqe cqe;

		ck_assert(pair_poll(&a->send_cq, &cqe));
		ck_assert_uint_eq(cqe.wr_id, i);
	}
	ck_assert_uint_eq(a->qp->sq_done, 7);
	pair_free(pair);
}
END_TEST

/* B4-239: a new timeout applies to outstanding requests, too. */
START_TEST(impatient_at_last)
{
	struct hca_qp_attr attr = { .iba.timeout = 8 }, sqd = { .state = IB_QPS_SQD };
	struct pair_qp how = _i ? pair_rd : pair_rc;
	struct pair *pair;
	struct pair_end *a;
	struct trace *trace;

	how.timeout = 0;
	pair = pair_new(&how);
	a = &pair->end[0];
	trace = trace_on(pair);
	trace->lose = trace_cut;
	pair_rdma(a, &pair->end[1], 1, IB_UVERBS_WR_RDMA_WRITE, HCA_WQE_SIGNALED, SRC, DST, 1000);
	trace->lose = NULL;
	to_sqd(a->qp, true);
	if (_i)
		ck_assert_int_eq(hca_rd_eec_modify(a->rd_eec, &sqd, IB_QP_STATE), 0);
	pair_wait(5000);
	pair_expect_none(&a->send_cq);
	if (_i)
		ck_assert_int_eq(hca_rd_eec_modify(a->rd_eec, &attr, IB_QP_TIMEOUT), 0);
	else
		ck_assert_int_eq(hca_qp_modify(a->qp, &attr, IB_QP_TIMEOUT), 0);
	pair_wait(300);
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	ck_assert_uint_eq(a->events[HCA_QP_SQ_DRAINED], 1);
	pair_free(pair);
}
END_TEST

/* B4-227: from SQD to Error and to Reset, drained or not; no event follows. */
START_TEST(leave_for_good)
{
	u8 state = _i % 2 ? IB_QPS_RESET : IB_QPS_ERR;
	struct pair *pair = pair_new(services[_i / 4]);
	struct pair_end *a = &pair->end[0];
	bool drained = _i / 2 % 2;
	int i, done = 0;
	struct hca_cqe cqe;

	begin(pair, 7, true, IB_UVERBS_WR_SEND);
	if (drained)
		pair_wait(2000);
	if (services[_i / 4] != &pair_uc)
		ck_assert_uint_eq(a->events[HCA_QP_SQ_DRAINED], drained);
	pair_send(a, 3, 0, SRC, 10);
	while (pair_poll(&a->send_cq, &cqe)) {
		ck_assert_uint_eq(cqe.status, IB_WC_SUCCESS);
		done++;
	}
	to_state(a->qp, state);
	pair_settle();
	for (i = done; i <= 3 && state == IB_QPS_ERR; i++)
		pair_expect(&a->send_cq, i, IB_WC_WR_FLUSH_ERR);
	pair_expect_none(&a->send_cq);
	i = a->events[HCA_QP_SQ_DRAINED];
	pair_wait(2000);
	ck_assert_int_eq(i, a->events[HCA_QP_SQ_DRAINED]);
	ck_assert_uint_eq(a->qp->common.state, state);
	pair_free(pair);
}
END_TEST

/* B4-236: a request that is being finished in SQD fails. */
START_TEST(error_while_draining)
{
	struct pair *pair = pair_new(services[_i]);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct trace *trace = trace_on(pair);

	trace->lose = trace_cut;
	if (services[_i] == &pair_uc) {
		pair_free(pair);
		return;
	}
	pair_rdma(a, b, 1, IB_UVERBS_WR_RDMA_WRITE, 0, SRC, PAIR_MEMORY - 2, 3000);
	pair_send(a, 2, 0, SRC, 10);
	to_sqd(a->qp, true);
	trace->lose = NULL;
	pair_wait(500);
	pair_expect(&a->send_cq, 1, IB_WC_REM_ACCESS_ERR);
	pair_expect(&a->send_cq, 2, IB_WC_WR_FLUSH_ERR);
	ck_assert_uint_eq(a->qp->common.state,
			  services[_i] == &pair_rd ? IB_QPS_SQE : IB_QPS_ERR);
	ck_assert_uint_eq(a->events[HCA_QP_SQ_DRAINED], 0);
	pair_free(pair);
}
END_TEST

static void eec_to(struct hca_rd_eec *rd_eec, u8 state)
{
	struct hca_qp_attr attr = { .state = state, .en_sqd_async_notify = true };

	ck_assert_int_eq(hca_rd_eec_modify(rd_eec, &attr,
					   IB_QP_STATE | (state == IB_QPS_SQD ?
								    IB_QP_EN_SQD_ASYNC_NOTIFY :
								    0)),
			 0);
}

/* C4-013: an EE context drains, too: its message ends, and the next one in the queue waits. */
START_TEST(channel_drained)
{
	struct pair *pair = pair_new(&pair_rd);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct trace *trace = trace_on(pair);
	u32 limit = b->ports[1].rx_buffer.fccl[0], i;

	for (i = 0; i < 3; i++)
		pair_recv(b, i, DST, 3000);
	if (_i) { /* none of its packets has left */
		b->ports[1].rx_buffer.fccl[0] = a->ports[1].tx.fctbs[0];
		pair_queue_is_full(a, true);
	} else {
		trace->lose = trace_pass_n;
		trace->nth = 2;
	}
	for (i = 0; i < 3; i++)
		pair_send(a, i, HCA_WQE_SIGNALED, SRC, 3000);
	eec_to(a->rd_eec, IB_QPS_SQD);
	ck_assert_uint_eq(a->rd_eec_events[HCA_QP_SQ_DRAINED], 0);
	trace->lose = NULL;
	if (_i) {
		b->ports[1].rx_buffer.fccl[0] = limit;
		pair_queue_is_full(a, false);
		local_bh_disable();
		hca_port_wake(&a->ports[1]);
		hca_engine_run();
		local_bh_enable();
	}
	pair_wait(500);
	ck_assert_uint_eq(a->rd_eec_events[HCA_QP_SQ_DRAINED], 1);
	pair_expect(&a->send_cq, 0, IB_WC_SUCCESS);
	pair_expect_none(&a->send_cq);
	eec_to(a->rd_eec, IB_QPS_RTS);
	pair_wait(500);
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	pair_expect(&a->send_cq, 2, IB_WC_SUCCESS);
	pair_free(pair);
}
END_TEST

Suite *sqd_suite(void)
{
	Suite *suite = suite_create("sqd");
	TCase *tc = tcase_create("sqd");

	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, drained, 0, 8);
	tcase_add_loop_test(tc, reads_drained, 0, 4);
	tcase_add_loop_test(tc, only_what_was_begun, 0, 4);
	tcase_add_test(tc, last_is_asked_for);
	tcase_add_loop_test(tc, nothing_to_drain, 0, 4);
	tcase_add_loop_test(tc, bad_request_waits, 0, 4);
	tcase_add_test(tc, attributes);
	tcase_add_loop_test(tc, no_more_reads, 0, 2);
	tcase_add_loop_test(tc, impatient_at_last, 0, 2);
	tcase_add_loop_test(tc, leave_for_good, 0, 16);
	tcase_add_loop_test(tc, error_while_draining, 0, 4);
	tcase_add_loop_test(tc, channel_drained, 0, 2);
	suite_add_tcase(suite, tc);
	return suite;
}
