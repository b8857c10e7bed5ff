// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Single fields: those that faults change, reserved ones, error codes, and those of views. */
#include <check.h>
#include <string.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include "iwarp/access.h"
#include "iwarp/fault_install.h"
#include "iwarp/view.h"
#include "iwarp/wire/ddp.h"
#include "iwarp/wire/error.h"
#include "qp/view.h"
#include "tests/consumer/consumer.h"
#include "tests/unit/iwarp/judge_state.h"
#include "tests/unit/iwarp/judge_stream.h"
#include "tests/unit/suites.h"

static const struct sim_stream_options plain = { .segment = 0 };

/* RFC 5041, 4: each octet of a field of a header can be set, and no other one. */
START_TEST(faults_of_fields)
{
	static const struct {
		enum hca_iwarp_field field;
		u64 value;
		bool is_write;
	} rows[] = {
		{ HCA_IWARP_FIELD_STAG, 0x91a2b3c4, true },
		{ HCA_IWARP_FIELD_TO, 0x91a2b3c4d5e6f708, true },
		{ HCA_IWARP_FIELD_QN, 0x91a2b3c4 },
		{ HCA_IWARP_FIELD_MSN, 0x91a2b3c4 },
		{ HCA_IWARP_FIELD_MO, 0x91a2b3c4 },
	};
	const struct hca_iwarp_fault_spec spec = {
		.kind = HCA_IWARP_FAULT_FIELD, .field = rows[_i].field, .value = rows[_i].value,
	};
	u32 at = rows[_i].is_write ? rows[_i].field == HCA_IWARP_FIELD_STAG ? 2 : 6 :
		 6 + 4 * (rows[_i].field - HCA_IWARP_FIELD_QN), octets, i;
	u8 usual[18];

	judge_begin(&plain);
	judge_respond();
	judge_post(rows[_i].is_write ? IB_UVERBS_WR_RDMA_WRITE : IB_UVERBS_WR_SEND, 1, 0, 8, 5, 9);
	ck_assert(peer_next_fpdu(&judge.peer));
	memcpy(usual, judge.peer.fpdu.ulpdu, sizeof(usual));
	ck_assert_int_eq(hca_rnic_set_qp_faults(&judge.rnic, judge.qp->qpn, &spec), 0);
	judge_post(rows[_i].is_write ? IB_UVERBS_WR_RDMA_WRITE : IB_UVERBS_WR_SEND, 2, 0, 8, 5, 9);
	ck_assert(peer_next_fpdu(&judge.peer));
	if (!rows[_i].is_write)
		usual[13] = 2; /* the next MSN */
	octets = rows[_i].field == HCA_IWARP_FIELD_TO ? 8 : 4;
	for (i = 0; i < octets; i++)
		usual[at + i] = rows[_i].value >> 8 * (octets - 1 - i);
	ck_assert_mem_eq(judge.peer.fpdu.ulpdu, usual, rows[_i].is_write ? 14 : 18);
	judge_end();
}
END_TEST

/* Faults are removed from a queue pair that has none, though no other one may have any. */
START_TEST(none_are_removed)
{
	const struct hca_iwarp_fault_spec crc = { .kind = HCA_IWARP_FAULT_BAD_CRC };
	const struct hca_iwarp_fault_spec none = { .kind = HCA_IWARP_FAULT_NONE };
	struct hca_qp *qps[HCA_RNIC_QP_FAULTS];
	u32 i;

	judge_begin(&plain);
	for (i = 0; i < ARRAY_SIZE(qps); i++) {
		qps[i] = judge_create_qp();
		ck_assert_int_eq(hca_rnic_set_qp_faults(&judge.rnic, qps[i]->qpn, &crc), 0);
	}
	ck_assert_int_eq(hca_rnic_set_qp_faults(&judge.rnic, judge.qp->qpn, &crc), -ENOSPC);
	ck_assert_int_eq(hca_rnic_set_qp_faults(&judge.rnic, judge.qp->qpn, &none), 0);
	for (i = 0; i < ARRAY_SIZE(qps); i++)
		hca_qp_destroy(qps[i]);
	judge_end();
}
END_TEST

/* A queue pair that a fault silences takes no notice of its next stream until that is over. */
START_TEST(silent_startup)
{
	const struct hca_iwarp_fault_spec stall = {
		.kind = HCA_IWARP_FAULT_STALL, .value = 3000, .once = true,
	};

	judge_begin(&plain);
	judge_respond();
	ck_assert_int_eq(hca_rnic_set_qp_faults(&judge.rnic, judge.qp->qpn, &stall), 0);
	judge_post(IB_UVERBS_WR_SEND, 1, 0, 8, 0, 0);
	judge_run("reset");
	judge_again();
	ck_assert_int_eq(judge_connect(4, 4), 0);
	ck_assert(!peer_next_start(&judge.peer));
	judge_run("reset");
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CONNECT_REPLY], 0);
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 0);
	judge_wait(4);
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CONNECT_REPLY], 1);
	ck_assert_int_eq(judge.reply_status, -ECONNRESET);
	judge_end();
}
END_TEST

/* RFC 5040, 4.8, RFC 5041, 8.2: the errors of accesses that are refused. */
START_TEST(errors_of_refusals)
{
	static const struct {
		enum hca_vendor_err refusal;
		u64 to;
		u16 tagged, read;
	} rows[] = {
		{ HCA_VENDOR_ERR_LKEY, 0, 0x1100, 0x0100 },
		{ HCA_VENDOR_ERR_LKEY_INVALID, 0, 0x1100, 0x0100 },
		{ HCA_VENDOR_ERR_LKEY_CHANGED, 0, 0x1100, 0x0100 },
		{ HCA_VENDOR_ERR_LKEY_PD, 0, 0x1102, 0x0103 },
		{ HCA_VENDOR_ERR_LKEY_WINDOW, 0, 0x1102, 0x0103 },
		{ HCA_VENDOR_ERR_LKEY_ACCESS, 0, 0x1102, 0x0102 },
		{ HCA_VENDOR_ERR_LKEY_BOUNDS, 0, 0x1101, 0x0101 },
		{ HCA_VENDOR_ERR_LKEY_BOUNDS, -7ull, 0x1103, 0x0104 },
	};

	ck_assert_uint_eq(hca_access_error(rows[_i].refusal, rows[_i].to, 8, true),
			  rows[_i].tagged);
	ck_assert_uint_eq(hca_access_error(rows[_i].refusal, rows[_i].to, 8, false),
			  rows[_i].read);
}
END_TEST

/* No octets are no header, wherever they are. */
START_TEST(no_header)
{
	struct hca_ddp ddp;

	ck_assert_uint_eq(hca_ddp_parse(&ddp, NULL, 0), 0);
}
END_TEST

/* RFC 5044, 4.3: the reserved half of a marker is ignored on receipt. */
START_TEST(reserved_marker)
{
	u8 octets[32] = { [5] = 22, [6] = 0x41, [7] = 0x43, [19] = 1 };
	const struct hca_octets range = { octets, sizeof(octets) };
	struct hca_fpdu_rx rx;

	octets[0] = _i >> 8;
	octets[1] = _i;
	ck_assert_uint_eq(hca_fpdu_parse(&rx, &range, 1, 0, true), sizeof(octets));
	ck_assert_uint_eq(hca_fpdu_check(&rx, false), HCA_IWARP_OK);
	octets[3] = 4;
	ck_assert_uint_eq(hca_fpdu_check(&rx, false), HCA_ERR_MPA_MARKER);
}
END_TEST

static void fields_ignore(struct hca_endpoint *ep, void *arg) { }

/* A connection shows whether it has CRCs, and its revision. */
START_TEST(agreement_is_shown)
{
	struct hca_iwarp_view view;

	judge_begin(&plain);
	judge.rnic.options.crc = _i;
	judge_establish(_i ? "request enhanced rev=2 ird=4 ord=4" : "request rev=1");
	ck_assert(hca_iwarp_view_connection(judge.qp, &view, fields_ignore, NULL));
	ck_assert_uint_eq(view.crc, _i);
	ck_assert_uint_eq(view.revision, _i ? 2 : 1);
	judge_end();
}
END_TEST

/* A view tells requests that are posted from those that have begun. */
START_TEST(requests_are_shown)
{
	struct hca_qp_view view;

	judge_begin(&plain);
	judge_respond();
	judge_stream_hook();
	judge_stream.is_full = true;
	judge_post(IB_UVERBS_WR_SEND, 1, 0, 8, 0, 0);
	judge_post(IB_UVERBS_WR_SEND, 2, 0, 8, 0, 0);
	judge_post(IB_UVERBS_WR_SEND, 3, 0, 8, 0, 0);
	judge_recv(4, 0, 64, judge.mr[JUDGE_RW]->key);
	judge_recv(5, 0, 64, judge.mr[JUDGE_RW]->key);
	hca_iwarp_view(judge.qp, &view);
	ck_assert_uint_eq(view.sq_posted, 2);
	ck_assert_uint_eq(view.sq_outstanding, 1);
	ck_assert_uint_eq(view.rq_posted, 2);
	ck_assert(!view.recv_in_progress);
	judge_run("send more payload=4");
	hca_iwarp_view(judge.qp, &view);
	ck_assert_uint_eq(view.rq_posted, 1);
	ck_assert(view.recv_in_progress);
	judge_end();
}
END_TEST

/* The completion of a bind says what it is. */
START_TEST(bind_is_named)
{
	struct hca_tpt_entry *window;
	struct hca_send_wqe *wqe;

	judge_begin(&plain);
	judge_respond();
	window = kzalloc(sizeof(*window), GFP_KERNEL);
	window->kind = HCA_TPT_MW_2;
	window->pd = &judge;
	ck_assert_int_eq(hca_tpt_entry_add(&judge.rnic.ci.tpt, window), 0);
	judge.mr[JUDGE_RW]->access = IB_UVERBS_ACCESS_LOCAL_WRITE | IB_UVERBS_ACCESS_MW_BIND;
	wqe = hca_queue_entry(&judge.qp->sq, 0);
	memset(wqe, 0, sizeof(*wqe));
	wqe->wr_id = 1;
	wqe->opcode = IB_UVERBS_WR_BIND_MW;
	wqe->flags = HCA_WQE_SIGNALED;
	wqe->memory.key = (window->key & ~0xffu) | ((window->key + 1) & 0xff);
	wqe->memory.lkey = judge.mr[JUDGE_RW]->key;
	wqe->memory.addr = JUDGE_BASE;
	wqe->memory.length = 64;
	wqe->memory.access = IB_UVERBS_ACCESS_REMOTE_READ;
	judge.qp->sq.ring->producer++;
	consumer_ring(judge.qp, judge.qp->sq.ring);
	ck_assert_uint_eq(judge_expect(&judge.send_cq, 1, IB_WC_SUCCESS).opcode,
			  IB_UVERBS_WC_BIND_MW);
	ck_assert_int_eq(hca_tpt_entry_remove(&judge.rnic.ci.tpt, window), 0);
	judge_end();
}
END_TEST

Suite *iwarp_fields_suite(void)
{
	Suite *suite = suite_create("iwarp_fields");
	TCase *tc = tcase_create("fields");

	tcase_add_loop_test(tc, faults_of_fields, 0, 5);
	tcase_add_test(tc, none_are_removed);
	tcase_add_test(tc, silent_startup);
	tcase_add_loop_test(tc, errors_of_refusals, 0, 8);
	tcase_add_test(tc, no_header);
	tcase_add_loop_test(tc, reserved_marker, 0, 2);
	tcase_add_loop_test(tc, agreement_is_shown, 0, 2);
	tcase_add_test(tc, requests_are_shown);
	tcase_add_test(tc, bind_is_named);
	suite_add_tcase(suite, tc);
	return suite;
}
