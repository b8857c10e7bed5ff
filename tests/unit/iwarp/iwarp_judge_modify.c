// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * An RNIC judged by the modifies of its consumers: those of rdma_cm, those of the RDMA verbs'
 * tables, and those that come when a connection ends or has ended.
 */
#include <check.h>
#include <string.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include "shim.h"
#include "tests/unit/iwarp/judge_state.h"
#include "tests/unit/suites.h"

static const struct sim_stream_options plain = { .segment = 0 };

/* The modifies that rdma_cm makes: cma.c and iwcm.c of Linux, and librdmacm's rdma_accept(). */
static int modify_rdma_cm(enum ib_qp_state state, u32 access, int mask)
{
	const struct hca_qp_attr attr = { .state = state, .access = access };

	return hca_qp_modify(judge.qp, &attr, mask | IB_QP_PORT);
}

#define RDMA_CM_RIGHTS (IB_UVERBS_ACCESS_REMOTE_WRITE | IB_UVERBS_ACCESS_REMOTE_READ)

/* rdma_create_qp() without an identifier of iw_cm. */
static void modify_create(void)
{
	struct hca_qp_attr attr = { .state = IB_QPS_RESET };

	judge_begin(&plain);
	ck_assert_int_eq(hca_qp_modify(judge.qp, &attr, IB_QP_STATE), 0);
	ck_assert_int_eq(modify_rdma_cm(IB_QPS_INIT, 0, IB_QP_STATE | IB_QP_ACCESS_FLAGS), 0);
}

/* cma_modify_qp_rtr() of a connect or an accept: Init, then RTR. */
static void modify_rtr(void)
{
	ck_assert_int_eq(modify_rdma_cm(IB_QPS_INIT, RDMA_CM_RIGHTS,
				       IB_QP_STATE | IB_QP_ACCESS_FLAGS), 0);
	ck_assert_int_eq(modify_rdma_cm(IB_QPS_RTR, RDMA_CM_RIGHTS,
				       IB_QP_STATE | IB_QP_ACCESS_FLAGS), 0);
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_INIT);
}

START_TEST(rdma_cm_accepts)
{
	modify_create();
	judge_listen("request crc");
	modify_rtr();
	ck_assert_int_eq(modify_rdma_cm(IB_QPS_RTS, 0, 0), 0); /* librdmacm alone */
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_INIT);
	ck_assert_int_eq(judge_accept(4, 4), 0);
	judge_agree();
	judge_run("write stag=$rw to=0x70000 payload=8");
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_RTS);
	ck_assert(!judge_is_untouched());
	judge_end();
}
END_TEST

/* The connecting side: a kernel consumer, and a process, which makes no other modify. */
START_TEST(rdma_cm_connects)
{
	modify_create();
	if (_i)
		modify_rtr();
	judge_initiate();
	ck_assert_uint_eq(judge.it->access, RDMA_CM_RIGHTS);
	judge_run("write stag=$rw to=0x70000 payload=8");
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_RTS);
	ck_assert(!judge_is_untouched());
	judge_end();
}
END_TEST

/* A consumer that sets no rights itself, without rdma_cm, has none. */
START_TEST(no_rights)
{
	struct hca_qp_attr attr = { .state = IB_QPS_INIT, .access = 0 };

	judge_begin(&plain);
	ck_assert_int_eq(hca_qp_modify(judge.qp, &attr, IB_QP_STATE | IB_QP_ACCESS_FLAGS), 0);
	judge_initiate();
	ck_assert_uint_eq(judge.it->access, 0);
	judge_run("write stag=$rw to=0x70000 payload=8");
	ck_assert(judge_is_untouched());
	judge_end();
}
END_TEST

/*
 * Modifies to states that only start-up enters. P1-159, R0-146: there is no RTS without a stream.
 * R0-155: ORD changes in RTS.
 */
START_TEST(modify_to_states_of_startup)
{
	struct hca_qp_attr attr = { .state = IB_QPS_RTS, .max_rd_atomic = 2 };

	judge_begin(&plain);
	ck_assert_int_eq(judge_modify_settled(IB_QPS_RTS), -EINVAL);
	judge_respond();
	ck_assert_int_eq(judge_modify_settled(IB_QPS_RTR), -EINVAL);
	ck_assert_int_eq(hca_qp_modify(judge.qp, &attr, IB_QP_STATE | IB_QP_MAX_QP_RD_ATOMIC), 0);
	ck_assert_uint_eq(judge.it->requester.ord, 2);
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_RTS);
	ck_assert_int_eq(judge_modify_settled(IB_QPS_SQD), 0);
	ck_assert_int_eq(judge_modify_settled(IB_QPS_RTS), -EINVAL);
	judge_end();
}
END_TEST

#define MODIFY_VALUES (IB_QP_ACCESS_FLAGS | IB_QP_MAX_QP_RD_ATOMIC | IB_QP_MAX_DEST_RD_ATOMIC)

static void modify_init(void) { }

static void modify_err(void)
{
	ck_assert_int_eq(judge_modify_settled(IB_QPS_ERR), 0);
}

/* The values that a modify may set beside the next state (RDMA verbs, figure 4). */
static const struct {
	void (*reach)(void);
	enum ib_qp_state next;
	int values;
} modify_attributes[] = {
	{ modify_init, IB_QPS_INIT, MODIFY_VALUES }, /* R0-133 */
	{ judge_respond, IB_QPS_RTS, IB_QP_ACCESS_FLAGS | IB_QP_MAX_QP_RD_ATOMIC }, /* R0-155 */
	/* R0-134 */
	{ modify_init, IB_QPS_ERR, 0 }, { modify_err, IB_QPS_RESET, 0 },
	{ judge_respond, IB_QPS_SQD, 0 }, { judge_respond, IB_QPS_SQE, 0 },
	{ judge_respond, IB_QPS_ERR, 0 },
};

/* R0-132: what is refused changes nothing. */
START_TEST(attributes)
{
	typeof(&modify_attributes[0]) row = &modify_attributes[_i / 3];
	const int value = (int[]){ IB_QP_ACCESS_FLAGS, IB_QP_MAX_QP_RD_ATOMIC,
				   IB_QP_MAX_DEST_RD_ATOMIC }[_i % 3];
	struct hca_qp_attr before, after, attr = {
		.state = row->next, .access = IB_UVERBS_ACCESS_REMOTE_READ, .max_rd_atomic = 3,
		.max_dest_rd_atomic = 3,
	};
	bool may = row->values & value;

	judge_begin(&plain);
	row->reach();
	hca_qp_query(judge.qp, &before);
	ck_assert_int_eq(hca_qp_modify(judge.qp, &attr, IB_QP_STATE | value), may ? 0 : -EINVAL);
	judge_exchange();
	hca_qp_query(judge.qp, &after);
	ck_assert_int_eq(!memcmp(&before, &after, sizeof(before)), !may);
	ck_assert_uint_eq(after.state, before.state);
	judge_end();
}
END_TEST

/*
 * T0-129: modifies in Closing and in Terminate are refused, and change nothing (R0-176, R0-188).
 * There are two exceptions. ib_drain_qp() of Linux sets Error in each state; librdmacm disconnects
 * though the peer was faster, which has no effect.
 */
START_TEST(modify_at_the_end)
{
	static const enum ib_qp_state states[] = {
		IB_QPS_RESET, IB_QPS_INIT, IB_QPS_RTR, IB_QPS_RTS, IB_QPS_SQE, IB_QPS_SQD,
	};
	struct hca_qp_attr before, after;
	int i, ret;

	judge_begin(&plain);
	if (_i)
		judge_terminate_in_rts();
	else
		judge_close_in_rts();
	hca_qp_query(judge.qp, &before);
	for (i = 0; i < ARRAY_SIZE(states); i++) {
		ret = judge_modify_settled(states[i]);
		ck_assert_int_eq(ret, states[i] == IB_QPS_SQD && !_i ? 0 : -EINVAL);
		hca_qp_query(judge.qp, &after);
		ck_assert_mem_eq(&before, &after, sizeof(before));
	}
	before.max_rd_atomic = 1;
	ck_assert_int_eq(hca_qp_modify(judge.qp, &before, IB_QP_MAX_QP_RD_ATOMIC), -EINVAL);
	ck_assert(judge_fin() && !judge_reset());
	judge_run("fin");
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_ERR);
	ck_assert_int_eq(judge.close_status, 0);
	judge_end();
}
END_TEST

/* R0-144: what is posted in Idle behind a close stays there until Error flushes it. */
START_TEST(posted_behind_the_close)
{
	struct hca_qp_attr attr = { .state = IB_QPS_INIT };

	judge_begin(&plain);
	judge.rnic.options.idle_after_close = true;
	judge_close_in_rts();
	judge_run("fin");
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_INIT);
	judge_recv(1, 0, 64, judge.mr[JUDGE_RW]->key);
	judge_post(IB_UVERBS_WR_SEND, 2, 0, 16, 0, 0);
	judge_expect_none(&judge.recv_cq);
	judge_expect_none(&judge.send_cq);
	ck_assert_int_eq(judge_modify_settled(IB_QPS_ERR), 0);
	judge_expect(&judge.recv_cq, 1, IB_WC_WR_FLUSH_ERR);
	judge_expect(&judge.send_cq, 2, IB_WC_WR_FLUSH_ERR);
	ck_assert_int_eq(judge_modify_settled(IB_QPS_RESET), 0);
	ck_assert_int_eq(hca_qp_modify(judge.qp, &attr, IB_QP_STATE), 0);
	judge_end();
}
END_TEST

/* A queue pair keeps nothing of a connection for the next one. */
START_TEST(nothing_is_left)
{
	judge_begin(&plain);
	judge.rnic.options.idle_after_close = true;
	judge.it->rtr_expected = HCA_RTR_READ;
	judge.it->was_request = true;
	judge_initiate();
	ck_assert_uint_eq(judge.it->rtr_expected, 0);
	ck_assert(!judge.it->was_request);
	judge.qp->last_wqe_reached = true;
	ck_assert_int_eq(judge_modify_settled(IB_QPS_SQD), 0);
	judge_run("fin");
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_INIT);
	ck_assert(!judge.qp->last_wqe_reached);
	judge_end();
}
END_TEST

Suite *iwarp_judge_modify_suite(void)
{
	Suite *suite = suite_create("iwarp_judge_modify");
	TCase *tc = tcase_create("modifies");

	tcase_add_test(tc, rdma_cm_accepts);
	tcase_add_loop_test(tc, rdma_cm_connects, 0, 2);
	tcase_add_test(tc, no_rights);
	tcase_add_test(tc, modify_to_states_of_startup);
	tcase_add_loop_test(tc, attributes, 0, 3 * ARRAY_SIZE(modify_attributes));
	tcase_add_loop_test(tc, modify_at_the_end, 0, 2);
	tcase_add_test(tc, posted_behind_the_close);
	tcase_add_test(tc, nothing_is_left);
	suite_add_tcase(suite, tc);
	return suite;
}
