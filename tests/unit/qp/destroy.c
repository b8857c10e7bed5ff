// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* A queue pair is destroyed while it has outstanding work (V3-187, B4-242). */
#include <check.h>
#include "shim.h"
#include "tests/consumer/consumer.h"
#include "tests/unit/fixture/trace.h"
#include "tests/unit/suites.h"
#include "transport/iba_qp.h"

static const struct {
	const struct pair_qp *how;
	u8 opcode;
} works[] = {
	{ &pair_rc, IB_UVERBS_WR_SEND },       { &pair_rc, IB_UVERBS_WR_RDMA_WRITE },
	{ &pair_rc, IB_UVERBS_WR_RDMA_READ },  { &pair_uc, IB_UVERBS_WR_RDMA_WRITE },
	{ &pair_rd, IB_UVERBS_WR_RDMA_WRITE }, { &pair_xrc, IB_UVERBS_WR_SEND },
	{ &pair_xrc, IB_UVERBS_WR_RDMA_WRITE }, { &pair_xrc, IB_UVERBS_WR_RDMA_READ },
};

/*
 * V3-187: no posted request leaves any more, whatever it was waiting for, and the queue pair's
 * timers are gone; B4-242: no request completes, either.
 */
START_TEST(at_work)
{
	struct pair *pair = pair_new(works[_i].how);
	struct trace *trace = trace_on(pair);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	bool reliable = works[_i].how != &pair_uc;
	unsigned int sent;
	u32 i;

	trace->lose = trace_cut; /* the responder does not answer */
	trace->towards = reliable;
	pair_recv(a, 9, DST, 100);
	for (i = 0; i < 4; i++) {
		if (works[_i].opcode == IB_UVERBS_WR_SEND)
			pair_send(a, i, HCA_WQE_SIGNALED, SRC, 5000);
		else
			pair_rdma(a, b, i, works[_i].opcode, HCA_WQE_SIGNALED, SRC, DST, 5000);
		if (!reliable)
			pair_expect(&a->send_cq, i, IB_WC_SUCCESS);
	}
	pair_settle();
	sent = trace_count(trace, 1, -1);
	ck_assert_uint_gt(sent, 0);
	hca_qp_destroy(a->qp);
	a->qp = NULL;
	if (works[_i].how != &pair_rd) { /* an EE context announces by RESYNC that it skips PSNs */
		pair_wait(2); /* the processor's watch expires, and looks after nothing any more */
		ck_assert_uint_eq(shim_next_timer_ns(), U64_MAX);
		pair_wait(10000);
		ck_assert_uint_eq(trace_count(trace, 1, -1), sent);
	}
	pair_expect_none(&a->send_cq);
	pair_expect_none(&a->recv_cq);
	pair_free(pair);
}
END_TEST

/* Requests are posted to both queues of a queue pair in this state, which is then destroyed. */
static void in_state(u8 state)
{
	struct pair *pair = pair_new(&pair_rc);
	struct trace *trace = trace_on(pair);
	struct pair_end *a = &pair->end[0];
	struct hca_qp_attr attr = hca_qp_eec(a->qp)->attr;
	struct hca_qp *qp = a->more[0] = pair_create_qp(a, &pair_rc);
	struct hca_cqe cqe;
	u8 step;

	trace->lose = trace_cut;
	trace->towards = 1;
	for (step = IB_QPS_INIT; step <= state && step <= IB_QPS_RTS; step++) {
		attr.state = step;
		ck_assert_int_eq(hca_qp_modify(qp, &attr, consumer_qp_mask(IB_QPT_RC, step)), 0);
	}
	attr.state = state;
	if (state > IB_QPS_RTS)
		ck_assert_int_eq(hca_qp_modify(qp, &attr, IB_QP_STATE), 0);
	a->more[0] = a->qp;
	a->qp = qp;
	pair_recv(a, 9, DST, 100);
	pair_send(a, 1, 0, SRC, 5000);
	pair_send(a, 2, 0, SRC, 5000);
	hca_qp_destroy(qp);
	while (pair_poll(&a->send_cq, &cqe) || pair_poll(&a->recv_cq, &cqe))
		ck_assert_uint_eq(cqe.status, IB_WC_WR_FLUSH_ERR);
	a->qp = a->more[0];
	a->more[0] = NULL;
	pair_wait(10000);
	pair_expect_none(&a->send_cq);
	pair_expect_none(&a->recv_cq);
	pair_free(pair);
}

/* R0-126, R0-129, R0-494: in each state, with requests outstanding; then nothing completes. */
START_TEST(in_each_state)
{
	static const u8 states[] = { IB_QPS_RESET, IB_QPS_INIT, IB_QPS_RTR, IB_QPS_RTS, IB_QPS_SQD,
				     IB_QPS_ERR };

	in_state(states[_i]);
}
END_TEST

Suite *destroy_suite(void)
{
	Suite *suite = suite_create("destroy");
	TCase *tc = tcase_create("destroy");

	tcase_add_loop_test(tc, at_work, 0, sizeof(works) / sizeof(works[0]));
	tcase_add_loop_test(tc, in_each_state, 0, 6);
	suite_add_tcase(suite, tc);
	return suite;
}
