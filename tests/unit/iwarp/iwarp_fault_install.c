// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Faults of an RNIC, of all its queue pairs or of single ones: their setting, and their counts. */
#include <check.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include "iwarp/fault_install.h"
#include "tests/unit/iwarp/rnics.h"
#include "tests/unit/suites.h"

#define A (&rnics.end[0])
#define B (&rnics.end[1])
#define SENDS 6

#define FIELD(name, number) \
	.kind = HCA_IWARP_FAULT_FIELD, .field = HCA_IWARP_FIELD_##name, .value = (number)

static struct hca_qp *fault_create_qp(void)
{
	const struct hca_qp_init init = {
		.type = IB_QPT_RC,
		.max_send_wr = 1,
		.max_recv_wr = 1,
		.max_send_sge = 1,
		.max_recv_sge = 1,
		.pd = A,
		.send_cq = &A->send_cq,
		.recv_cq = &A->recv_cq,
		.owner = A,
	};
	struct hca_qp *qp = A->rnic.ci.ops->create_qp(&A->rnic.ci, &init);

	ck_assert(!IS_ERR(qp));
	return qp;
}

static void fault_expect(u64 selected, u64 happened)
{
	struct hca_rnic_fault_view view;

	hca_rnic_view_faults(&A->rnic, &view);
	ck_assert_uint_eq(view.spec.kind, HCA_IWARP_FAULT_FIELD);
	ck_assert_uint_eq(view.selected, selected);
	ck_assert_uint_eq(view.happened, happened);
}

/* Faults that change nothing, so that a connection bears them. */
static const struct hca_iwarp_fault_spec fault_mild = { FIELD(LAST, 1) };
static const struct hca_iwarp_fault_spec fault_none;

/* Faults of an RNIC are those of all queue pairs, and count for all of them. */
START_TEST(common)
{
	struct hca_qp *other;
	int i;

	rnics_setup();
	rnics_begin(NULL);
	rnics_connect();
	ck_assert_int_eq(hca_rnic_set_faults(&A->rnic, &fault_mild), 0);
	ck_assert_ptr_nonnull(A->it->fault);
	ck_assert_ptr_null(B->it->fault);
	other = fault_create_qp();
	ck_assert_ptr_nonnull(hca_iwarp_qp_of(other)->fault);
	hca_iwarp_qp_of(other)->fault->selected = 5;
	hca_iwarp_qp_of(other)->fault->happened = 3;
	for (i = 0; i < SENDS; i++) {
		rnics_recv(B, i, i * 100, 100);
		rnics_send(A, i, 1000 + i * 100, 100);
	}
	rnics_settle();
	fault_expect(SENDS + 5, SENDS + 3);
	hca_qp_destroy(other);
	fault_expect(SENDS + 5, SENDS + 3);
	/* The same once more begins to count again. */
	ck_assert_int_eq(hca_rnic_set_faults(&A->rnic, &fault_mild), 0);
	fault_expect(0, 0);
	ck_assert_int_eq(hca_rnic_set_faults(&A->rnic, &fault_none), 0);
	ck_assert_ptr_null(A->it->fault);
	other = fault_create_qp();
	ck_assert_ptr_null(hca_iwarp_qp_of(other)->fault);
	hca_qp_destroy(other);
	rnics_end();
}
END_TEST

/* Faults of a single queue pair replace those of the RNIC, and the other way round. */
START_TEST(single)
{
	const struct hca_iwarp_fault_spec crc = { .kind = HCA_IWARP_FAULT_BAD_CRC, .nth = 1000 };
	struct hca_rnic *rnic = &A->rnic;
	struct hca_rnic_fault_view view;
	u32 qpn, index = 0;

	rnics_setup();
	rnics_begin(NULL);
	rnics_connect();
	qpn = A->qp->qpn;
	ck_assert(!hca_rnic_next_fault(rnic, &index, &view));
	ck_assert_int_eq(hca_rnic_set_faults(rnic, &fault_mild), 0);
	ck_assert_int_eq(hca_rnic_set_qp_faults(rnic, qpn, &crc), 0);
	rnics_recv(B, 1, 0, 100);
	rnics_send(A, 2, 1000, 100);
	rnics_settle();
	fault_expect(0, 0);
	index = 0;
	ck_assert(hca_rnic_next_fault(rnic, &index, &view));
	ck_assert_uint_eq(view.qpn, qpn);
	ck_assert_uint_eq(view.spec.kind, HCA_IWARP_FAULT_BAD_CRC);
	ck_assert_uint_eq(view.selected, 1);
	ck_assert_uint_eq(view.happened, 0);
	ck_assert(!hca_rnic_next_fault(rnic, &index, &view));
	ck_assert_int_eq(hca_rnic_set_qp_faults(rnic, qpn, &fault_none), 0);
	ck_assert_ptr_null(A->it->fault);
	ck_assert_int_eq(hca_rnic_set_qp_faults(rnic, qpn, &crc), 0);
	ck_assert_int_eq(hca_rnic_set_faults(rnic, &fault_mild), 0);
	ck_assert_uint_eq(A->it->fault->spec.kind, HCA_IWARP_FAULT_FIELD);
	index = 0;
	ck_assert(!hca_rnic_next_fault(rnic, &index, &view));
	ck_assert_int_eq(hca_rnic_set_qp_faults(rnic, qpn ^ 1, &crc), -ENOENT);
	rnics_end();
}
END_TEST

START_TEST(too_many)
{
	const struct hca_iwarp_fault_spec crc = { .kind = HCA_IWARP_FAULT_BAD_CRC };
	struct hca_qp *qps[HCA_RNIC_QP_FAULTS];
	int i, ret;

	rnics_setup();
	rnics_begin(NULL);
	rnics_connect();
	for (i = 0; i < HCA_RNIC_QP_FAULTS; i++) {
		qps[i] = fault_create_qp();
		ck_assert_int_eq(hca_rnic_set_qp_faults(&A->rnic, qps[i]->qpn, &crc), 0);
	}
	ret = hca_rnic_set_qp_faults(&A->rnic, A->qp->qpn, &crc);
	ck_assert_int_eq(ret, -ENOSPC);
	ck_assert_int_eq(hca_rnic_set_qp_faults(&A->rnic, qps[0]->qpn, &crc), 0);
	ck_assert_int_eq(hca_rnic_set_qp_faults(&A->rnic, qps[0]->qpn, &fault_none), 0);
	ck_assert_int_eq(hca_rnic_set_qp_faults(&A->rnic, A->qp->qpn, &crc), 0);
	for (i = 0; i < HCA_RNIC_QP_FAULTS; i++)
		hca_qp_destroy(qps[i]);
	rnics_end();
}
END_TEST

Suite *iwarp_fault_install_suite(void)
{
	Suite *suite = suite_create("iwarp_fault_install");
	TCase *tc = tcase_create("faults");

	tcase_add_test(tc, common);
	tcase_add_test(tc, single);
	tcase_add_test(tc, too_many);
	suite_add_tcase(suite, tc);
	return suite;
}
