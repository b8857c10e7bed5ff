// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Types of queue pairs: the provider's rows agree with the kernel's, and these with each other. */
#include <check.h>
#include <string.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include "iwarp/qp.h"
#include "libhca/qp_type.h"
#include "qp/type.h"
#include "shim.h"
#include "tests/unit/suites.h"
#include "transport/ca.h"
#include "transport/modify.h"
#include "transport/qp_create.h"
#include "transport/qp_type.h"
#include "transport/wr.h"

#define NUM_TYPES 256 /* of an octet, as the kernel's queue pairs have it */

static const struct {
	u8 kernel; /* enum ib_qp_type */
	u8 lib; /* enum ibv_qp_type */
	u8 driver; /* enum hca_driver_qp_type; 0: none */
} rows[] = {
	{ IB_QPT_RC, IB_UVERBS_QPT_RC, 0 },
	{ IB_QPT_UC, IB_UVERBS_QPT_UC, 0 },
	{ IB_QPT_UD, IB_UVERBS_QPT_UD, 0 },
	{ IB_QPT_XRC_INI, IB_UVERBS_QPT_XRC_INI, 0 },
	{ IB_QPT_XRC_TGT, IB_UVERBS_QPT_XRC_TGT, 0 },
	{ HCA_QPT_RD, IB_UVERBS_QPT_DRIVER, HCA_DRIVER_QP_RD },
	{ IB_QPT_RAW_IPV6, IB_UVERBS_QPT_DRIVER, HCA_DRIVER_QP_RAW_IPV6 },
	{ IB_QPT_RAW_ETHERTYPE, IB_UVERBS_QPT_DRIVER, HCA_DRIVER_QP_RAW_ETHERTYPE },
};

/* The requests that a process may post. */
static u64 opcodes_of_processes(const struct hca_qp_type *type)
{
	u64 opcodes = type->opcodes;
	int i;

	for (i = 0; i < HCA_NUM_WR; i++)
		if (hca_iba_wr[i].flags & HCA_WR_KERNEL)
			opcodes &= ~BIT_ULL(i);
	return opcodes;
}

/* B4-243, V3-179 */
START_TEST(agree)
{
	const struct hca_iba_type *iba = hca_iba_type(rows[_i].kernel);
	const struct hca_lib_qp_type *lib = hca_lib_qp_type(rows[_i].lib, rows[_i].driver);
	int state;

	ck_assert_ptr_nonnull(iba);
	ck_assert_int_eq(iba->type.driver, !!rows[_i].driver);
	ck_assert_uint_eq(lib->opcodes, opcodes_of_processes(&iba->type));
	for (state = 0; state < HCA_NUM_QPS; state++) {
		const struct hca_state_kind *kind = &hca_iba_states[state];

		ck_assert_int_eq(lib->send_states >> state & 1,
				 iba->type.sends && kind->post_send);
		ck_assert_int_eq(lib->recv_states >> state & 1,
				 iba->type.receives && kind->post_recv);
	}
}
END_TEST

/* An RNIC has reliable connections alone. */
START_TEST(rnic_agrees)
{
	const struct hca_qp_type *type = hca_iwarp_ci_ops.qp_type(IB_QPT_RC);
	const struct hca_lib_qp_type *lib = hca_lib_rnic_qp_type(IB_UVERBS_QPT_RC);
	u64 opcodes = type->opcodes;
	int i;

	for (i = 0; i < HCA_NUM_WR; i++)
		if (type->ops->wr[i].flags & HCA_WR_KERNEL)
			opcodes &= ~BIT_ULL(i);
	ck_assert_uint_eq(lib->opcodes, opcodes);
	for (i = 0; i < HCA_NUM_QPS; i++) {
		ck_assert_int_eq(lib->send_states >> i & 1, type->ops->states[i].post_send);
		ck_assert_int_eq(lib->recv_states >> i & 1, type->ops->states[i].post_recv);
	}
	for (i = 0; i < NUM_TYPES; i++)
		if (i != IB_UVERBS_QPT_RC)
			ck_assert_uint_eq(hca_lib_rnic_qp_type(i)->opcodes, 0);
}
END_TEST

static bool is_row_of_lib(unsigned int type, unsigned int driver)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].lib == type &&
		    (type != IB_UVERBS_QPT_DRIVER || rows[i].driver == driver))
			return true;
	return false;
}

static void expect_empty(unsigned int type, unsigned int driver)
{
	const struct hca_lib_qp_type *lib = hca_lib_qp_type(type, driver);

	if (is_row_of_lib(type, driver))
		return;
	ck_assert_uint_eq(lib->opcodes, 0);
	ck_assert_uint_eq(lib->send_states, 0);
	ck_assert_uint_eq(lib->recv_states, 0);
}

static bool is_row_of_kernel(unsigned int type)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].kernel == type)
			return true;
	return false;
}

/* Neither side has a type that the other lacks, except for QP0 and QP1, which are the kernel's. */
START_TEST(no_others)
{
	const struct hca_iba_type *iba;
	unsigned int type;

	for (type = 0; type < NUM_TYPES; type++) {
		expect_empty(type, 0);
		expect_empty(IB_UVERBS_QPT_DRIVER, type);
		iba = hca_iba_type(type);
		if (iba && !iba->type.special)
			ck_assert_msg(is_row_of_kernel(type), "type %u", type);
	}
	ck_assert(hca_iba_type(IB_QPT_SMI)->type.special);
	ck_assert(hca_iba_type(IB_QPT_GSI)->type.special);
}
END_TEST

/* The requests of all types are those that have a row in the table of requests. */
START_TEST(requests)
{
	const struct hca_iba_type *iba;
	unsigned int type, i;
	u64 used = 0;

	for (type = 0; type < NUM_TYPES; type++) {
		iba = hca_iba_type(type);
		if (iba)
			used |= iba->type.opcodes;
	}
	for (i = 0; i < 64; i++)
		ck_assert_msg((used >> i & 1) == (i < HCA_NUM_WR && hca_iba_wr[i].flags),
			      "opcode %u", i);
}
END_TEST

/* A queue that does not exist has no requests, and no SRQ either. */
START_TEST(queues)
{
	unsigned int i;

	for (i = 0; i < NUM_TYPES; i++) {
		const struct hca_iba_type *iba = hca_iba_type(i);

		if (!iba)
			continue;
		ck_assert_int_eq(iba->type.sends, iba->type.opcodes != 0);
		ck_assert(iba->type.receives || !iba->type.srq);
		ck_assert(!iba->type.srq || !iba->type.ignores_srq);
	}
}
END_TEST

/* Verbs check a queue pair of such a type by the row of RD, before they know which type it is. */
START_TEST(driver_types)
{
	const struct hca_qp_type *rd = &hca_iba_type(HCA_QPT_RD)->type, *other;
	unsigned int i;

	for (i = 0; i < NUM_TYPES; i++) {
		if (!hca_iba_type(i) || !hca_iba_type(i)->type.driver)
			continue;
		other = &hca_iba_type(i)->type;
		ck_assert_uint_eq(other->create_flags, rd->create_flags);
		ck_assert_int_eq(other->sends, rd->sends);
		ck_assert_int_eq(other->receives, rd->receives);
		ck_assert_int_eq(other->srq, rd->srq);
		ck_assert_int_eq(other->ignores_srq, rd->ignores_srq);
		ck_assert_int_eq(other->special, rd->special);
		ck_assert_int_eq(other->user, rd->user);
		ck_assert_int_eq(other->outlives, rd->outlives);
	}
}
END_TEST

/* The carrier finds the rows, and refuses to create what it does not have. */
START_TEST(carrier_rows)
{
	static struct hca_ca ca;
	struct hca_qp_init init = {};
	const struct hca_ci_ops *ops;
	unsigned int i, refused = 0;
	u32 create_flags = 0;

	shim_reset(1);
	memset(&ca, 0, sizeof(ca));
	ck_assert_int_eq(hca_ca_init(&ca), 0);
	ops = ca.ci.ops;
	for (i = 0; i < NUM_TYPES; i++) {
		if (hca_iba_type(i)) {
			ck_assert_ptr_eq(ops->qp_type(i), &hca_iba_type(i)->type);
			create_flags |= ops->qp_type(i)->create_flags;
			continue;
		}
		refused++;
		init.type = i;
		ck_assert_ptr_null(ops->qp_type(i));
		ck_assert_int_eq(PTR_ERR(ops->create_qp(&ca.ci, &init)), -EINVAL);
	}
	ck_assert_uint_eq(refused, NUM_TYPES - ARRAY_SIZE(rows) - 2);
	ck_assert_uint_eq(create_flags, ops->create_flags);
	hca_ca_destroy(&ca);
	shim_quiesce();
	ck_assert_uint_eq(shim_live_allocations(), 0);
}
END_TEST

Suite *qp_types_suite(void)
{
	Suite *suite = suite_create("qp_types");
	TCase *tcase = tcase_create("qp_types");

	tcase_add_loop_test(tcase, agree, 0, ARRAY_SIZE(rows));
	tcase_add_test(tcase, rnic_agrees);
	tcase_add_test(tcase, no_others);
	tcase_add_test(tcase, requests);
	tcase_add_test(tcase, queues);
	tcase_add_test(tcase, driver_types);
	tcase_add_test(tcase, carrier_rows);
	suite_add_tcase(suite, tcase);
	return suite;
}
