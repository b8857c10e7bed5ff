// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Transitions and attributes that a consumer can ask of an RNIC's queue pair, and their limits. */
#include <check.h>
#include <stdio.h>
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include "iwarp/modify.h"
#include "qp/type.h"
#include "tests/unit/iwarp/judge_state.h"
#include "tests/unit/suites.h"

static const struct sim_stream_options plain = { .segment = 0 };

static int modify_values(int mask, u8 max_rd_atomic, u8 max_dest_rd_atomic)
{
	struct hca_qp_attr attr = {
		.max_rd_atomic = max_rd_atomic, .max_dest_rd_atomic = max_dest_rd_atomic,
	};

	return hca_qp_modify(judge.qp, &attr, mask);
}

static void modify_query(struct hca_qp_attr *attr)
{
	spin_lock_bh(&judge.qp->common.send_lock);
	hca_iwarp_query(judge.qp, attr);
	spin_unlock_bh(&judge.qp->common.send_lock);
}

/* Bring the queue pair, which is in Init, to a state. Error is the one behind a connection. */
static void modify_reach(enum ib_qp_state state)
{
	if (state == IB_QPS_RESET)
		ck_assert_int_eq(judge_modify(IB_QPS_RESET), 0);
	if (state == IB_QPS_RTR) {
		judge_listen("request crc");
		ck_assert_int_eq(judge_accept(4, 4), 0);
	}
	if (state >= IB_QPS_RTS)
		judge_establish("request crc");
	if (state > IB_QPS_RTS)
		ck_assert_int_eq(judge_modify(state), 0);
	judge_exchange();
	ck_assert_uint_eq(judge.qp->common.state, state);
}

/* RDMA verbs, 6.2: the transitions. R0-175, R0-176: those out of the last states. */
START_TEST(transitions)
{
	static const char *const permitted[] = {
		[IB_QPS_RESET] = "RI    E", [IB_QPS_INIT] = "RIT   E", [IB_QPS_RTR] = "    CME",
		[IB_QPS_RTS] = "   SCME", [IB_QPS_SQD] = "    C E", [IB_QPS_SQE] = "      E",
		[IB_QPS_ERR] = "R   C E",
	};
	enum ib_qp_state from = _i / HCA_NUM_QPS, to = _i % HCA_NUM_QPS;
	bool is_permitted = permitted[from][to] != ' ';

	judge_begin(&plain);
	modify_reach(from);
	ck_assert_int_eq(judge_modify(to), is_permitted ? 0 : -EINVAL);
	/* Only start-up leads to RTR, and a close behind the end changes nothing. */
	if (!is_permitted || to == IB_QPS_RTR || (from == IB_QPS_ERR && to == IB_QPS_SQD))
		ck_assert_uint_eq(judge.qp->common.state, from);
	else
		ck_assert_uint_eq(judge.qp->common.state, to);
	judge_end();
}
END_TEST

/* R0-175: Reset waits for the end of the stream. */
START_TEST(reset_waits)
{
	judge_begin(&plain);
	judge_establish("request crc");
	ck_assert_int_eq(judge_modify(IB_QPS_ERR), 0);
	ck_assert_int_eq(judge_modify(IB_QPS_RESET), -EBUSY);
	ck_assert(hca_iwarp_is_ending(judge.qp));
	judge_exchange();
	ck_assert(!hca_iwarp_is_ending(judge.qp));
	ck_assert_int_eq(judge_modify(IB_QPS_RESET), 0);
	ck_assert_int_eq(atomic64_read(&judge.rnic.count[HCA_RNIC_RESETS]), 1);
	judge_end();
}
END_TEST

/* Only Error with a stream is ending. */
START_TEST(is_not_ending)
{
	judge_begin(&plain);
	ck_assert(!hca_iwarp_is_ending(judge.qp));
	modify_reach(_i ? IB_QPS_SQD : IB_QPS_RTS);
	ck_assert(!hca_iwarp_is_ending(judge.qp));
	judge_end();
}
END_TEST

/* R0-243, R0-247: IRD and ORD have limits, which are those of the RNIC as long as it is idle. */
START_TEST(limits_in_init)
{
	struct hca_qp_attr attr;

	judge_begin(&plain);
	ck_assert_int_eq(modify_values(IB_QP_MAX_QP_RD_ATOMIC, 129, 0), -EINVAL);
	ck_assert_int_eq(modify_values(IB_QP_MAX_DEST_RD_ATOMIC, 0, 129), -EINVAL);
	ck_assert_int_eq(modify_values(IB_QP_MAX_QP_RD_ATOMIC, 128, 0), 0);
	ck_assert_int_eq(modify_values(IB_QP_MAX_DEST_RD_ATOMIC, 0, 128), 0);
	modify_query(&attr);
	ck_assert_uint_eq(attr.max_rd_atomic, 128);
	ck_assert_uint_eq(attr.max_dest_rd_atomic, 128);
	ck_assert_uint_eq(attr.access,
			  IB_UVERBS_ACCESS_REMOTE_WRITE | IB_UVERBS_ACCESS_REMOTE_READ);
	ck_assert_int_eq(judge_modify(IB_QPS_RESET), 0);
	modify_query(&attr);
	ck_assert_uint_eq(attr.max_rd_atomic + attr.max_dest_rd_atomic, 0);
	ck_assert_uint_eq(attr.access, 0);
	judge_end();
}
END_TEST

/* R0-248 to R0-250: IRD is fixed by the connection, and ORD can be reduced alone. */
START_TEST(limits_in_rts)
{
	struct hca_qp_attr attr;

	judge_begin(&plain);
	judge_establish("request crc");
	ck_assert_int_eq(modify_values(IB_QP_MAX_DEST_RD_ATOMIC, 0, 4), -EINVAL);
	ck_assert_int_eq(modify_values(IB_QP_MAX_QP_RD_ATOMIC, 5, 0), -EINVAL);
	ck_assert_int_eq(modify_values(IB_QP_MAX_QP_RD_ATOMIC, 4, 0), 0);
	ck_assert_int_eq(modify_values(IB_QP_MAX_QP_RD_ATOMIC, 3, 0), 0);
	modify_query(&attr);
	ck_assert_uint_eq(attr.max_rd_atomic, 3);
	ck_assert_uint_eq(attr.max_dest_rd_atomic, 4);
	judge_end();
}
END_TEST

/* Values can be set in Init and in RTS alone, with or without a state. */
START_TEST(values_by_state)
{
	static const enum ib_qp_state states[] = {
		IB_QPS_RESET, IB_QPS_INIT, IB_QPS_RTR, IB_QPS_RTS, IB_QPS_SQD, IB_QPS_SQE,
		IB_QPS_ERR,
	};
	enum ib_qp_state state = states[_i];
	bool may = state == IB_QPS_INIT || state == IB_QPS_RTS;

	judge_begin(&plain);
	modify_reach(state);
	ck_assert_int_eq(modify_values(IB_QP_MAX_QP_RD_ATOMIC, 1, 0), may ? 0 : -EINVAL);
	ck_assert_int_eq(modify_values(0, 0, 0), may ? 0 : -EINVAL);
	judge_end();
}
END_TEST

/* Values cannot be set together with the end of a connection. */
START_TEST(values_at_the_end)
{
	struct hca_qp_attr attr = { .state = _i ? IB_QPS_ERR : IB_QPS_SQD };

	judge_begin(&plain);
	judge_establish("request crc");
	ck_assert_int_eq(hca_qp_modify(judge.qp, &attr, IB_QP_STATE | IB_QP_ACCESS_FLAGS), -EINVAL);
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_RTS);
	judge_end();
}
END_TEST

/* Attributes that an RNIC does not have, and a current state that is another one, are refused. */
START_TEST(refused)
{
	struct hca_qp_attr attr = { .cur_state = IB_QPS_RTS };

	judge_begin(&plain);
	ck_assert_int_eq(hca_qp_modify(judge.qp, &attr, IB_QP_QKEY), -EINVAL);
	ck_assert_int_eq(hca_qp_modify(judge.qp, &attr, IB_QP_CUR_STATE), -EINVAL);
	attr.cur_state = IB_QPS_INIT;
	ck_assert_int_eq(hca_qp_modify(judge.qp, &attr, IB_QP_CUR_STATE), 0);
	ck_assert_int_eq(hca_qp_modify(judge.qp, &attr, IB_QP_PORT | IB_QP_PKEY_INDEX), 0);
	attr.state = HCA_NUM_QPS;
	ck_assert_int_eq(hca_qp_modify(judge.qp, &attr, IB_QP_STATE), -EINVAL);
	judge_end();
}
END_TEST

/*
 * Rights that a consumer has set count, also if it names the port as rdma_cm does; and none is left
 * of those that rdma_cm has not set, when the queue pair was reset.
 */
START_TEST(rights)
{
	struct hca_qp_attr attr = { .state = IB_QPS_INIT };
	int mask = IB_QP_STATE | IB_QP_ACCESS_FLAGS | (_i == 2 ? 0 : IB_QP_PORT);

	judge_begin(&plain);
	attr.access = _i ? 0 : IB_UVERBS_ACCESS_REMOTE_READ;
	ck_assert_int_eq(hca_qp_modify(judge.qp, &attr, mask), 0);
	ck_assert_int_eq(judge.it->is_access_open, _i == 1);
	if (_i == 1) {
		ck_assert_int_eq(judge_modify(IB_QPS_RESET), 0);
		ck_assert_int_eq(judge_modify(IB_QPS_INIT), 0);
	}
	judge_establish("request crc");
	ck_assert_uint_eq(judge.it->access, attr.access);
	judge_run("write stag=$rw to=0x70000 payload=4");
	ck_assert(peer_next_fpdu(&judge.peer));
	ck_assert_mem_eq(judge.peer.fpdu.terminate.control, ((u8[]){ 0x11, 0x02 }), 2);
	ck_assert(judge_is_untouched());
	judge_end();
}
END_TEST

/* R0-345: a queue pair without remote rights does not permit that the peer invalidates. */
START_TEST(no_rights)
{
	struct hca_qp_attr attr = { .access = IB_UVERBS_ACCESS_LOCAL_WRITE };

	judge_begin(&plain);
	judge_establish("request crc");
	ck_assert_int_eq(hca_qp_modify(judge.qp, &attr, IB_QP_ACCESS_FLAGS), 0);
	judge_recv(1, 0, 64, judge.mr[JUDGE_RW]->key);
	if (_i)
		judge_run("read sink=1 src=$rw srcto=0x70000 size=4");
	else
		judge_run("send-inv inval=$fast");
	ck_assert(peer_next_fpdu(&judge.peer));
	ck_assert_mem_eq(judge.peer.fpdu.terminate.control, ((u8[]){ 0x01, _i ? 2 : 9 }), 2);
	judge_end();
}
END_TEST

/* R0-322: the peer cannot invalidate an MR to which it has no rights. */
START_TEST(no_rights_of_memory)
{
	judge_begin(&plain);
	judge.mr[JUDGE_FAST]->access = IB_UVERBS_ACCESS_LOCAL_WRITE;
	judge_establish("request crc");
	judge_recv(1, 0, 64, judge.mr[JUDGE_RW]->key);
	judge_run("send-inv inval=$fast");
	judge_expect(&judge.recv_cq, 1, IB_WC_REM_INV_REQ_ERR);
	ck_assert(peer_next_fpdu(&judge.peer));
	ck_assert_mem_eq(judge.peer.fpdu.terminate.control, ((u8[]){ 0x01, 0x09 }), 2);
	ck_assert_uint_ne(judge.mr[JUDGE_FAST]->generation, 0);
	judge_end();
}
END_TEST

/* The rights of an MR that are needed, and no others: P1-105 for a Read, and those of a Write. */
START_TEST(rights_of_memory)
{
	judge_begin(&plain);
	judge_establish("request crc");
	judge_run("read sink=1 src=$ro srcto=0x70000 size=40");
	ck_assert(peer_next_fpdu(&judge.peer));
	ck_assert_uint_eq(judge.peer.fpdu.header.opcode, 2);
	ck_assert_mem_eq(judge.peer.fpdu.payload, judge.memory, 40);
	judge_run("write stag=$wo to=0x70000 payload=40 first=7");
	ck_assert_uint_eq(judge.memory[39], peer_pattern(7 + 39));
	ck_assert(!peer_next_fpdu(&judge.peer));
	judge_end();
}
END_TEST

/* The key octet of an STag is a part of it. */
START_TEST(other_key)
{
	char script[64];

	judge_begin(&plain);
	judge_establish("request crc");
	snprintf(script, sizeof(script), "%s=%u payload=4", "write to=0x70000 stag",
		 judge.mr[JUDGE_RW]->key ^ 1);
	judge_run(script);
	ck_assert(peer_next_fpdu(&judge.peer));
	ck_assert_mem_eq(judge.peer.fpdu.terminate.control, ((u8[]){ 0x11, 0x00 }), 2);
	judge_end();
}
END_TEST

/* RDMA verbs: an RNIC has one type of queue pair, with these requests, and these options. */
START_TEST(properties)
{
	const struct hca_ci *ci = &judge.rnic.ci;
	const struct hca_qp_type *type;

	judge_begin(&plain);
	type = ci->ops->qp_type(IB_QPT_RC);
	ck_assert_ptr_nonnull(type);
	ck_assert_ptr_null(ci->ops->qp_type(IB_QPT_UD));
	ck_assert_ptr_null(ci->ops->qp_type(IB_QPT_UC));
	ck_assert(type->opcodes & BIT_ULL(IB_UVERBS_WR_BIND_MW));
	ck_assert(type->opcodes & BIT_ULL(IB_UVERBS_WR_LOCAL_INV));
	ck_assert(type->opcodes & BIT_ULL(IB_WR_REG_MR));
	ck_assert(!(type->opcodes & BIT_ULL(IB_UVERBS_WR_ATOMIC_CMP_AND_SWP)));
	ck_assert(hca_rnic_defaults.crc && hca_rnic_defaults.strict);
	ck_assert(!hca_rnic_defaults.markers && !hca_rnic_defaults.idle_after_close);
	ck_assert_uint_eq(hca_rnic_defaults.revision, 2);
	ck_assert_uint_eq(hca_rnic_defaults.rtr, HCA_RTR_WRITE | HCA_RTR_READ);
	ck_assert_uint_eq(hca_rnic_defaults.timeout, 5);
	judge_end();
}
END_TEST

/* Only queue pairs that have a stream are connections. */
START_TEST(connections)
{
	judge_begin(&plain);
	judge_listen("request crc");
	ck_assert_uint_eq(hca_rnic_connections(&judge.rnic), 0);
	ck_assert_int_eq(judge_accept(4, 4), 0);
	ck_assert_uint_eq(hca_rnic_connections(&judge.rnic), 1);
	judge_run("reset");
	ck_assert_uint_eq(hca_rnic_connections(&judge.rnic), 0);
	judge_end();
}
END_TEST

/* P1-198: a peer to which no Read is permitted gets 0/2/07 for the first one. */
START_TEST(no_ird)
{
	judge_begin(&plain);
	judge_listen("request crc");
	ck_assert_int_eq(judge_accept(0, 4), 0);
	judge_agree();
	judge_run("write; read src=$rw srcto=0x70000 size=4");
	ck_assert(peer_next_fpdu(&judge.peer));
	ck_assert_uint_eq(judge.peer.fpdu.header.opcode, 7);
	ck_assert_mem_eq(judge.peer.fpdu.terminate.control, ((u8[]){ 0x02, 0x07 }), 2);
	judge_end();
}
END_TEST

Suite *iwarp_modify_suite(void)
{
	Suite *suite = suite_create("iwarp_modify");
	TCase *tc = tcase_create("modify");

	tcase_add_loop_test(tc, transitions, 0, HCA_NUM_QPS * HCA_NUM_QPS);
	tcase_add_test(tc, reset_waits);
	tcase_add_loop_test(tc, is_not_ending, 0, 2);
	tcase_add_test(tc, limits_in_init);
	tcase_add_test(tc, limits_in_rts);
	tcase_add_loop_test(tc, values_by_state, 0, 7);
	tcase_add_loop_test(tc, values_at_the_end, 0, 2);
	tcase_add_test(tc, refused);
	tcase_add_loop_test(tc, rights, 0, 3);
	tcase_add_loop_test(tc, no_rights, 0, 2);
	tcase_add_test(tc, no_rights_of_memory);
	tcase_add_test(tc, rights_of_memory);
	tcase_add_test(tc, other_key);
	tcase_add_test(tc, properties);
	tcase_add_test(tc, connections);
	tcase_add_test(tc, no_ird);
	suite_add_tcase(suite, tc);
	return suite;
}
