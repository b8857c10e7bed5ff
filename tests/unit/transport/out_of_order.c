// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* A connection's responder receives requests before those that precede them (B4-345). */
#include <check.h>
#include "tests/unit/fixture/trace.h"
#include "tests/unit/suites.h"
#include "transport/iba_qp.h"
#include "transport/loss.h"

/* Inject a SEND Only of 10 octets to end 1. */
static void inject(struct pair *pair, u32 psn)
{
	const struct hca_headers h = {
		.lrh = { .dlid = 2, .slid = 1, .lnh = IB_LNH_IBA_LOCAL },
		.bth = { .opcode = HCA_OPCODE(RC, SEND_ONLY),
			 .pkey = 0xffff,
			 .destqp = pair->end[1].qp->qpn,
			 .psn = psn & HCA_PSN_MASK,
			 .flags = HCA_BTH_ACKREQ | HCA_BTH_MIGREQ },
	};

	trace_inject(pair, 1, &h, 10);
}

/* End 0 has received exactly so many responses, the last of which is this one. */
static void answered(const struct trace *trace, unsigned int n, u8 syndrome, u32 psn)
{
	const struct traced *last = &trace->packet[trace->n - 1];

	ck_assert_uint_eq(trace->n, n);
	ck_assert_int_eq(last->receiver, 0);
	ck_assert_uint_eq(last->h.bth.opcode, HCA_OPCODE(RC, ACKNOWLEDGE));
	if (syndrome == HCA_SYNDROME_ACK)
		ck_assert_uint_eq(last->h.aeth.syndrome & HCA_SYNDROME_KIND, syndrome);
	else
		ck_assert_uint_eq(last->h.aeth.syndrome, syndrome);
	ck_assert_uint_eq(last->h.bth.psn, psn & HCA_PSN_MASK);
}

/*
 * B4-069, B4-345, R0-467: a gap causes one NAK, with the expected PSN; later packets are dropped
 * without another NAK until that PSN arrives. The next gap causes its own NAK.
 */
START_TEST(one_nak)
{
	struct pair *pair = pair_new(&pair_rc);
	struct trace *trace = trace_on(pair);
	struct pair_end *b = &pair->end[1];
	u32 psn = pair_rc.psn[0], i;

	for (i = 0; i < 3; i++)
		pair_recv(b, i, DST, 100);
	for (i = 1; i < 20; i++) {
		inject(pair, psn + i);
		answered(trace, 1, HCA_NAK_PSN_SEQUENCE, psn);
	}
	pair_expect_none(&b->recv_cq);
	inject(pair, psn);
	answered(trace, 2, HCA_SYNDROME_ACK, psn);
	pair_expect(&b->recv_cq, 0, IB_WC_SUCCESS);
	inject(pair, psn + 1);
	answered(trace, 3, HCA_SYNDROME_ACK, psn + 1); /* B4-335 */
	pair_expect(&b->recv_cq, 1, IB_WC_SUCCESS);
	for (i = 3; i < 6; i++) {
		inject(pair, psn + i);
		answered(trace, 4, HCA_NAK_PSN_SEQUENCE, psn + 2);
	}
	pair_expect_none(&b->recv_cq);
	/* Each packet that is early counts, answered or not. */
	ck_assert_uint_eq(hca_counter_read(&b->ports[1], HCA_CTR_OUT_OF_SEQUENCE_REQUESTS), 22);
	inject(pair, psn);
	ck_assert_uint_eq(hca_counter_read(&b->ports[1], HCA_CTR_DUPLICATE_REQUESTS), 1);
	pair_free(pair);
}
END_TEST

/* B4-197: one half of all PSNs are duplicates, the other half are early. */
START_TEST(valid_psns)
{
	struct pair *pair = pair_new(&pair_rc);
	struct trace *trace = trace_on(pair);
	struct pair_end *b = &pair->end[1];
	u32 psn = pair_rc.psn[0], half = (HCA_PSN_MASK + 1) / 2;

	pair_recv(b, 1, DST, 100);
	inject(pair, psn - 1);
	answered(trace, 1, HCA_SYNDROME_ACK, psn - 1);
	inject(pair, psn - half);
	answered(trace, 2, HCA_SYNDROME_ACK, psn - 1);
	ck_assert_uint_eq(hca_counter_read(&b->ports[1], HCA_CTR_DUPLICATE_REQUESTS), 2);
	inject(pair, psn + half - 1);
	answered(trace, 3, HCA_NAK_PSN_SEQUENCE, psn);
	ck_assert_uint_eq(hca_counter_read(&b->ports[1], HCA_CTR_DUPLICATE_REQUESTS), 2);
	ck_assert_uint_eq(hca_counter_read(&b->ports[1], HCA_CTR_OUT_OF_SEQUENCE_REQUESTS), 1);
	pair_expect_none(&b->recv_cq);
	pair_free(pair);
}
END_TEST

/* While a queue pair has counters of its own, it counts there and not at the port. */
START_TEST(own_counters)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *b = &pair->end[1];
	struct hca_qp_counters *losses = kzalloc(sizeof(*losses), GFP_KERNEL);
	u32 psn = pair_rc.psn[0];

	rcu_assign_pointer(hca_qp_eec(b->qp)->losses, losses);
	inject(pair, psn + 1);
	inject(pair, psn + 2);
	ck_assert_uint_eq(hca_losses_read(losses, HCA_CTR_OUT_OF_SEQUENCE_REQUESTS), 2);
	ck_assert_uint_eq(hca_losses_read(losses, HCA_CTR_DUPLICATE_REQUESTS), 0);
	ck_assert_uint_eq(hca_counter_read(&b->ports[1], HCA_CTR_OUT_OF_SEQUENCE_REQUESTS), 0);
	RCU_INIT_POINTER(hca_qp_eec(b->qp)->losses, NULL);
	inject(pair, psn + 3);
	ck_assert_uint_eq(hca_losses_read(losses, HCA_CTR_OUT_OF_SEQUENCE_REQUESTS), 2);
	ck_assert_uint_eq(hca_counter_read(&b->ports[1], HCA_CTR_OUT_OF_SEQUENCE_REQUESTS), 1);
	kfree(losses);
	pair_free(pair);
}
END_TEST

Suite *out_of_order_suite(void)
{
	Suite *suite = suite_create("out_of_order");
	TCase *tc = tcase_create("out_of_order");

	tcase_add_test(tc, one_nak);
	tcase_add_test(tc, valid_psns);
	tcase_add_test(tc, own_counters);
	suite_add_tcase(suite, tc);
	return suite;
}
