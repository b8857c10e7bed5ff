// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Faults of what an RNIC sends, and the errors that its peer, another RNIC, finds. */
#include <check.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include "iwarp/fault_install.h"
#include "iwarp/qp.h"
#include "shim.h"
#include "tests/consumer/consumer.h"
#include "tests/unit/iwarp/rnics.h"
#include "tests/unit/suites.h"

#define A (&rnics.end[0])
#define B (&rnics.end[1])
#define SENDS 6
#define STALL_MS 50

static struct hca_iwarp_fault *fault_set(struct rnic_end *e,
					 const struct hca_iwarp_fault_spec *spec)
{
	struct hca_iwarp_fault *fault = kmalloc(sizeof(*fault), GFP_KERNEL);

	ck_assert_ptr_nonnull(fault);
	hca_iwarp_fault_init(fault, spec);
	hca_iwarp_set_fault(e->qp, fault);
	return fault;
}

static struct hca_iwarp_fault *fault_begin(const struct hca_iwarp_fault_spec *spec)
{
	rnics_setup();
	rnics_begin(NULL);
	B->rnic.options.markers = spec->seed & 1;
	rnics_connect();
	return fault_set(A, spec);
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

/* A receiver that does not check the CRC gets all octets of the message. */
START_TEST(bad_crc_alone)
{
	const struct hca_iwarp_fault_spec spec = { .kind = HCA_IWARP_FAULT_BAD_CRC, .seed = _i };
	int i;

	rnics_setup();
	rnics_begin(NULL);
	for (i = 0; i < 2; i++)
		rnics.end[i].rnic.options.crc = false;
	rnics_connect();
	fault_set(A, &spec);
	rnics_recv(B, 1, 0, 100);
	if (_i & 1)
		rnics_rdma(A, IB_UVERBS_WR_RDMA_WRITE, 2, 1000, 100, B->mr->key, 0);
	else
		rnics_send(A, 2, 1000, 100);
	rnics_settle();
	if (!(_i & 1))
		rnics_expect(&B->recv_cq, 1, IB_WC_SUCCESS);
	ck_assert(rnics_same(1000, 0, 100));
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

/*
 * A marker that points elsewhere is found if the CRC is right. The first FPDU, which is short, has
 * no marker, so that it is not selected.
 */
START_TEST(bad_marker)
{
	const struct hca_iwarp_fault_spec spec = {
		.kind = HCA_IWARP_FAULT_BAD_MARKER, .seed = 1,
		.has_opcode = _i, .opcode = HCA_RDMAP_SEND,
	};
	struct hca_iwarp_fault *fault = fault_begin(&spec);
	int i;

	for (i = 0; i < 2; i++)
		rnics_recv(B, i, i * 1000, 1000);
	rnics_send(A, 2, 1000, 10);
	rnics_settle();
	ck_assert_uint_eq(fault->selected, 0);
	rnics_expect(&B->recv_cq, 0, IB_WC_SUCCESS);
	rnics_send(A, 3, 1000, 600);
	rnics_settle();
	ck_assert_uint_eq(fault->selected, 1);
	ck_assert_uint_eq(fault->happened, 1);
	ck_assert_uint_eq(A->it->origin, HCA_TERMINATE_REMOTE);
	ck_assert_uint_eq(A->it->terminate.error, HCA_ERR_MPA_MARKER);
	ck_assert_uint_eq(atomic64_read(&B->rnic.count[HCA_RNIC_MARKER_ERRORS]), 1);
	rnics_end();
}
END_TEST

/* Without markers, or of another opcode, nothing is wrong. */
START_TEST(no_bad_marker)
{
	const struct hca_iwarp_fault_spec spec = {
		.kind = HCA_IWARP_FAULT_BAD_MARKER, .seed = _i,
		.has_opcode = true, .opcode = _i ? HCA_RDMAP_WRITE : HCA_RDMAP_SEND,
	};
	struct hca_iwarp_fault *fault = fault_begin(&spec);

	rnics_recv(B, 1, 0, 1000);
	rnics_send(A, 2, 1000, 600);
	rnics_settle();
	rnics_expect(&B->recv_cq, 1, IB_WC_SUCCESS);
	ck_assert_uint_eq(fault->selected, 0);
	rnics_end();
}
END_TEST

/* Octets behind which the second Send is cut; the last value is more than the FPDU has. */
static const u32 cuts[] = { 0, 1, 2, 19, 100, 123, 124, 5000 };

START_TEST(cut)
{
	const struct hca_iwarp_fault_spec spec = {
		.kind = HCA_IWARP_FAULT_CUT, .value = cuts[_i], .nth = 2,
	};
	bool is_whole = cuts[_i] >= 124;
	u64 before;
	int i;

	fault_begin(&spec);
	before = rnics.pair.end[0].sent;
	for (i = 0; i < 3; i++) {
		rnics_recv(B, i, i * 100, 100);
		rnics_wqe(A, IB_UVERBS_WR_SEND, i, 1000 + i * 100, 100);
		A->qp->sq.ring->producer++;
	}
	A->qp->sq.ring->producer--;
	rnics_publish(A);
	rnics_settle();
	/* Nothing follows the cut, neither the third Send nor a Terminate message. */
	ck_assert_uint_eq(rnics.pair.end[0].sent - before, 124 + min(cuts[_i], 124u));
	rnics_expect(&B->recv_cq, 0, IB_WC_SUCCESS);
	rnics_expect(&B->recv_cq, 1, is_whole ? IB_WC_SUCCESS : IB_WC_WR_FLUSH_ERR);
	rnics_expect(&B->recv_cq, 2, IB_WC_WR_FLUSH_ERR);
	for (i = 0; i < 2; i++) {
		ck_assert_uint_eq(rnics_state(&rnics.end[i]), IB_QPS_ERR);
		ck_assert_uint_eq(rnics.end[i].reported[HCA_ENDPOINT_CLOSE], 1);
		ck_assert_int_eq(rnics.end[i].close_status, -ECONNRESET);
	}
	rnics_end();
}
END_TEST

/* A stream that takes few octets at a time gets those before the cut all the same. */
START_TEST(cut_waits)
{
	const struct hca_iwarp_fault_spec spec = { .kind = HCA_IWARP_FAULT_CUT, .value = 1000 };
	const struct sim_stream_options options = { .window = 100, .buffer = 100, .mss = 400 };

	rnics_setup();
	rnics_begin(&options);
	rnics_connect();
	fault_set(A, &spec);
	rnics_recv(B, 1, 0, 900);
	rnics_send(A, 2, 1000, 300);
	rnics_send(A, 3, 1000, 300);
	rnics_settle();
	rnics_expect(&B->recv_cq, 1, IB_WC_SUCCESS);
	ck_assert_uint_eq(rnics_state(A), IB_QPS_ERR);
	ck_assert_uint_eq(rnics_state(B), IB_QPS_ERR);
	ck_assert(rnics_none(&B->recv_cq));
	rnics_end();
}
END_TEST

static void stall_check(bool is_over)
{
	struct hca_cqe cqe;

	rnics_settle();
	ck_assert_int_eq(consumer_poll_cq(&A->recv_cq, &cqe), is_over);
	ck_assert_int_eq(consumer_poll_cq(&B->recv_cq, &cqe), is_over);
}

/* The FPDU that is selected goes; then nothing goes or comes until the time is over. */
START_TEST(stall)
{
	const struct hca_iwarp_fault_spec spec = {
		.kind = HCA_IWARP_FAULT_STALL, .value = STALL_MS, .once = true,
	};

	fault_begin(&spec);
	rnics_recv(B, 1, 0, 100);
	rnics_recv(B, 2, 100, 100);
	rnics_recv(A, 3, 0, 100);
	rnics_send(A, 4, 1000, 100);
	rnics_settle();
	rnics_expect(&B->recv_cq, 1, IB_WC_SUCCESS);
	rnics_send(A, 5, 1000, 100);
	rnics_send(B, 6, 1000, 100);
	stall_check(false);
	shim_advance((STALL_MS - 20) * 1000000ull);
	stall_check(false);
	shim_advance(40 * 1000000ull);
	stall_check(true);
	ck_assert_uint_eq(rnics_state(A), IB_QPS_RTS);
	rnics_end();
}
END_TEST

/* Nothing comes from the peer that could show that the time is over. */
START_TEST(stall_alone)
{
	const struct hca_iwarp_fault_spec spec = {
		.kind = HCA_IWARP_FAULT_STALL, .value = STALL_MS, .once = true,
	};

	fault_begin(&spec);
	rnics_recv(B, 1, 0, 100);
	rnics_recv(B, 2, 100, 100);
	rnics_send(A, 4, 1000, 100);
	rnics_settle();
	rnics_expect(&B->recv_cq, 1, IB_WC_SUCCESS);
	rnics_send(A, 5, 1000, 100);
	rnics_settle();
	ck_assert(rnics_none(&B->recv_cq));
	shim_advance((STALL_MS + 20) * 1000000ull);
	rnics_settle();
	rnics_expect(&B->recv_cq, 2, IB_WC_SUCCESS);
	rnics_end();
}
END_TEST

/* The consumer of a queue pair that stalls can end its stream, and so can the peer. */
START_TEST(stall_ends)
{
	const struct hca_iwarp_fault_spec spec = {
		.kind = HCA_IWARP_FAULT_STALL, .value = 3600 * 1000,
	};

	fault_begin(&spec);
	rnics_recv(B, 1, 0, 100);
	rnics_send(A, 4, 1000, 100);
	rnics_settle();
	ck_assert_int_eq(rnics_modify(_i ? B : A, IB_QPS_ERR), 0);
	rnics_settle();
	ck_assert_uint_eq(A->reported[HCA_ENDPOINT_CLOSE], 1);
	ck_assert_uint_eq(B->reported[HCA_ENDPOINT_CLOSE], 1);
	rnics_end();
}
END_TEST

/* A peer that stalls does not close: Closing ends by its time limit. */
START_TEST(stall_closing)
{
	const struct hca_iwarp_fault_spec spec = {
		.kind = HCA_IWARP_FAULT_STALL, .value = 3600 * 1000,
	};

	fault_begin(&spec);
	rnics_recv(B, 1, 0, 100);
	rnics_send(A, 4, 1000, 100);
	rnics_settle();
	ck_assert_int_eq(rnics_modify(B, _i ? IB_QPS_SQE : IB_QPS_SQD), 0);
	rnics_settle();
	ck_assert_uint_eq(B->reported[HCA_ENDPOINT_CLOSE], 0);
	shim_advance((B->rnic.options.timeout * 1000 - 100) * 1000000ull);
	rnics_settle();
	ck_assert_uint_eq(B->reported[HCA_ENDPOINT_CLOSE], 0);
	shim_advance(200 * 1000000ull);
	rnics_settle();
	ck_assert_uint_eq(B->reported[HCA_ENDPOINT_CLOSE], 1);
	ck_assert_int_eq(B->close_status, -ECONNRESET);
	ck_assert_uint_eq(rnics_state(B), IB_QPS_ERR);
	rnics_end();
}
END_TEST

/* A request that is not valid: the responder ends the stream, and its ULP learns nothing. */
START_TEST(refuse_request)
{
	const struct hca_iwarp_fault_spec spec = { .kind = HCA_IWARP_FAULT_REFUSE, .value = _i };
	struct hca_iwarp_fault *fault;

	rnics_setup();
	rnics_begin(NULL);
	fault = fault_set(A, &spec);
	hca_startup_listen(&B->ep);
	ck_assert_int_eq(hca_startup_connect(&A->ep, A->it, &rnics.connect), 0);
	rnics_settle();
	ck_assert_uint_eq(fault->happened, 1);
	ck_assert_uint_eq(B->reported[HCA_ENDPOINT_CONNECT_REQUEST], 0);
	ck_assert_uint_eq(atomic64_read(&B->rnic.count[HCA_RNIC_STARTUP_ERRORS]), 1);
	ck_assert_uint_eq(A->reported[HCA_ENDPOINT_CONNECT_REPLY], 1);
	ck_assert_int_eq(A->reply_status, -ECONNRESET);
	rnics_end();
}
END_TEST

/* A reply that is not valid: the initiator ends the stream. */
START_TEST(refuse_reply)
{
	const struct hca_iwarp_fault_spec spec = { .kind = HCA_IWARP_FAULT_REFUSE, .value = _i };

	rnics_setup();
	rnics_begin(NULL);
	fault_set(B, &spec);
	rnics_request();
	ck_assert_int_eq(hca_startup_accept(&B->ep, B->it, &rnics.accept), 0);
	rnics_settle();
	ck_assert_int_eq(A->reply_status, -EPROTO);
	ck_assert_uint_eq(A->it->terminate.error, HCA_ERR_MPA_FRAME);
	ck_assert_uint_eq(B->reported[HCA_ENDPOINT_ESTABLISHED], 1);
	ck_assert_uint_eq(B->reported[HCA_ENDPOINT_CLOSE], 1);
	rnics_end();
}
END_TEST

/* The frames of a queue pair whose faults are those of FPDUs are right, and the other way round. */
START_TEST(refuse_nothing)
{
	const struct hca_iwarp_fault_spec spec = {
		.kind = _i ? HCA_IWARP_FAULT_CUT : HCA_IWARP_FAULT_REFUSE, .nth = 2,
		.has_opcode = true, .opcode = HCA_RDMAP_TERMINATE,
	};
	struct hca_iwarp_fault *fault;

	rnics_setup();
	rnics_begin(NULL);
	fault = fault_set(A, &spec);
	rnics_connect();
	rnics_recv(B, 1, 0, 100);
	rnics_send(A, 2, 1000, 100);
	rnics_settle();
	rnics_expect(&B->recv_cq, 1, IB_WC_SUCCESS);
	ck_assert_uint_eq(fault->selected, !_i);
	ck_assert_uint_eq(fault->happened, 0);
	rnics_end();
}
END_TEST

static void add_streams(TCase *tc)
{
	tcase_add_loop_test(tc, cut, 0, ARRAY_SIZE(cuts));
	tcase_add_test(tc, cut_waits);
	tcase_add_test(tc, stall);
	tcase_add_test(tc, stall_alone);
	tcase_add_loop_test(tc, stall_ends, 0, 2);
	tcase_add_loop_test(tc, stall_closing, 0, 2);
	tcase_add_loop_test(tc, refuse_request, 0, HCA_IWARP_REFUSALS);
	tcase_add_loop_test(tc, refuse_reply, 0, HCA_IWARP_REFUSALS);
	tcase_add_loop_test(tc, refuse_nothing, 0, 2);
}

Suite *iwarp_fault_suite(void)
{
	Suite *suite = suite_create("iwarp_fault");
	TCase *tc = tcase_create("fault");

	tcase_add_loop_test(tc, errors, 0, ARRAY_SIZE(rows));
	tcase_add_loop_test(tc, bad_crc_alone, 0, 4);
	tcase_add_test(tc, last);
	tcase_add_loop_test(tc, without_effect, 0, 3);
	tcase_add_loop_test(tc, nth, 0, 3);
	tcase_add_loop_test(tc, bad_marker, 0, 2);
	tcase_add_loop_test(tc, no_bad_marker, 0, 2);
	add_streams(tc);
	suite_add_tcase(suite, tc);
	return suite;
}
