// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Faults of what an RNIC sends, and the errors that its peer, another RNIC, finds. */
#include <check.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include "iwarp/fault.h"
#include "iwarp/qp.h"
#include "tests/unit/iwarp/rnics.h"
#include "tests/unit/suites.h"

#define A (&rnics.end[0])
#define B (&rnics.end[1])
#define SENDS 6

static struct hca_iwarp_fault *fault_begin(const struct hca_iwarp_fault_spec *spec)
{
	struct hca_iwarp_fault *fault;

	rnics_setup();
	rnics_begin(NULL);
	B->rnic.options.markers = spec->seed & 1;
	rnics_connect();
	fault = kmalloc(sizeof(*fault), GFP_KERNEL);
	ck_assert_ptr_nonnull(fault);
	hca_iwarp_fault_init(fault, spec);
	hca_iwarp_set_fault(A->qp, fault);
	return fault;
}

#define FIELD(name, number) \
	.kind = HCA_IWARP_FAULT_FIELD, .field = HCA_IWARP_FIELD_##name, .value = (number)

/* The answers of the peer to a Send, or to a Write, with a fault. */
static const struct {
	struct hca_iwarp_fault_spec spec;
	bool is_write;
	u16 error;
} rows[] = {
	{ { .kind = HCA_IWARP_FAULT_BAD_CRC }, false, HCA_ERR_MPA_CRC },
	{ { .kind = HCA_IWARP_FAULT_BAD_CRC, .seed = 7 }, true, HCA_ERR_MPA_CRC },
	{ { .kind = HCA_IWARP_FAULT_CORRUPT }, false, HCA_ERR_MPA_CRC },
	{ { .kind = HCA_IWARP_FAULT_CORRUPT, .seed = 3 }, true, HCA_ERR_MPA_CRC },
	{ { FIELD(DV, 2) }, false, HCA_ERR_DDP_UNTAGGED_VERSION },
	{ { FIELD(DV, 0) }, true, HCA_ERR_DDP_TAGGED_VERSION },
	{ { FIELD(RV, 0) }, false, HCA_ERR_RDMAP_VERSION },
	{ { FIELD(OPCODE, 9) }, false, HCA_ERR_RDMAP_OPCODE },
	{ { FIELD(TAGGED, 1) }, false, HCA_ERR_RDMAP_OPCODE },
	{ { FIELD(QN, 3) }, false, HCA_ERR_DDP_QN },
	{ { FIELD(MSN, 5) }, false, HCA_ERR_DDP_MSN },
	{ { FIELD(MO, 4) }, false, HCA_ERR_DDP_MO },
	{ { FIELD(STAG, 0x12345678) }, true, HCA_ERR_DDP_STAG },
	{ { FIELD(TO, RNICS_BASE - 1) }, true, HCA_ERR_DDP_BOUNDS },
};

START_TEST(errors)
{
	struct hca_iwarp_fault *fault = fault_begin(&rows[_i].spec);

	rnics_recv(B, 1, 0, 100);
	if (rows[_i].is_write)
		rnics_rdma(A, IB_UVERBS_WR_RDMA_WRITE, 2, 1000, 100, B->mr->key, 0);
	else
		rnics_send(A, 2, 1000, 100);
	rnics_settle();
	ck_assert_uint_eq(fault->happened, 1);
	ck_assert_uint_eq(A->it->origin, HCA_TERMINATE_REMOTE);
	ck_assert_uint_eq(A->it->terminate.error, rows[_i].error);
	ck_assert(!rnics_same(1000, 0, 100));
	rnics_end();
}
END_TEST

/* L is a field as well: without it the message does not end. */
START_TEST(last)
{
	fault_begin(&(struct hca_iwarp_fault_spec){ FIELD(LAST, 0) });
	rnics_recv(B, 1, 0, 100);
	rnics_send(A, 2, 1000, 100);
	rnics_settle();
	ck_assert(rnics_none(&B->recv_cq));
	ck_assert(rnics_same(1000, 0, 100));
	ck_assert_uint_eq(rnics_state(B), IB_QPS_RTS);
	rnics_end();
}
END_TEST

/* A field of the other form of a segment, or another opcode, changes nothing. */
START_TEST(without_effect)
{
	static const struct hca_iwarp_fault_spec specs[] = {
		{ FIELD(STAG, 5) },
		{ FIELD(RV, 0), .has_opcode = true, .opcode = HCA_RDMAP_WRITE },
		{ .kind = HCA_IWARP_FAULT_NONE },
	};
	int i;

	fault_begin(&specs[_i]);
	for (i = 0; i < SENDS; i++) {
		rnics_recv(B, i, i * 100, 100);
		rnics_send(A, i, 1000 + i * 100, 100);
	}
	rnics_settle();
	for (i = 0; i < SENDS; i++)
		rnics_expect(&B->recv_cq, i, IB_WC_SUCCESS);
	ck_assert(rnics_same(1000, 0, SENDS * 100));
	rnics_end();
}
END_TEST

/* Every third one of the selected FPDUs, or one of them alone; the fault can be removed. */
START_TEST(nth)
{
	const struct hca_iwarp_fault_spec spec = {
		/* SE is a Send as well, which no error follows. */
		FIELD(OPCODE, HCA_RDMAP_SEND_SE), .has_opcode = true, .opcode = HCA_RDMAP_SEND,
		.nth = 3, .once = _i == 1,
	};
	struct hca_cqe cqe;
	int i;

	fault_begin(&spec);
	if (_i == 2)
		hca_iwarp_set_fault(A->qp, NULL);
	rnics_rdma(A, IB_UVERBS_WR_RDMA_WRITE, 9, 1000, 100, B->mr->key, 9000);
	for (i = 0; i < SENDS; i++) {
		rnics_recv(B, i, i * 100, 100);
		rnics_send(A, i, 1000 + i * 100, 100);
	}
	rnics_settle();
	for (i = 1; i <= SENDS; i++) {
		cqe = rnics_completion(&B->recv_cq);
		ck_assert_int_eq(!!(cqe.flags & HCA_CQE_SOLICITED),
				 (i == 3 || (i == 6 && _i != 1)) && _i != 2);
	}
	rnics_end();
}
END_TEST

Suite *iwarp_fault_suite(void)
{
	Suite *suite = suite_create("iwarp_fault");
	TCase *tc = tcase_create("fault");

	tcase_add_loop_test(tc, errors, 0, ARRAY_SIZE(rows));
	tcase_add_test(tc, last);
	tcase_add_loop_test(tc, without_effect, 0, 3);
	tcase_add_loop_test(tc, nth, 0, 3);
	suite_add_tcase(suite, tc);
	return suite;
}
