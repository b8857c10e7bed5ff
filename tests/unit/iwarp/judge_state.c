// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Ways of the judged RNIC into a state. */
#include "tests/unit/iwarp/judge_state.h"
#include <check.h>

int judge_modify(enum ib_qp_state state)
{
	struct hca_qp_attr attr = { .state = state };

	return hca_qp_modify(judge.qp, &attr, IB_QP_STATE);
}

int judge_modify_settled(enum ib_qp_state state)
{
	int ret = judge_modify(state);

	judge_exchange();
	return ret;
}

void judge_request(void)
{
	ck_assert_int_eq(judge_connect(4, 4), 0);
	ck_assert(peer_next_start(&judge.peer));
	ck_assert_uint_eq(judge.ep.state, HCA_STARTUP_REQ_SENT);
}

void judge_initiate(void)
{
	judge_request();
	judge_run("reply " JUDGE_ENHANCED);
	peer_agree(&judge.peer);
	ck_assert(peer_next_fpdu(&judge.peer));
	ck_assert_uint_eq(judge.ep.state, HCA_STARTUP_FULL);
}

void judge_respond(void)
{
	judge_establish("request crc");
}

void judge_close_in_rts(void)
{
	judge_respond();
	ck_assert_int_eq(judge_modify_settled(IB_QPS_SQD), 0);
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_SQD);
}

void judge_terminate_in_rts(void)
{
	judge_respond();
	ck_assert_int_eq(judge_modify_settled(IB_QPS_SQE), 0);
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_SQE);
}
