// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Reliable datagrams: messages that are suspended or abandoned, and RESYNC. */
#include <check.h>
#include "tests/unit/suites.h"
#include "tests/unit/transport/rd_clients.h"
#include "transport/iba_qp.h"

/*
 * B4-402: a write that is suspended in the middle begins anew. The EE context's retry counter
 * limits how often.
 */
START_TEST(never_ready)
{
	struct pair_qp how = pair_rd;
	struct rd rd;
	u32 i;

	how.rnr_retry = 3;
	rd = rd_new(&how);
	for (i = 0; i < 2; i++) {
		rd.trace->n = 0;
		rd_use(&rd, 0);
		if (i)
			rd_send(&rd, 0, 1, 3000);
		else
			pair_rdma(rd.a, rd.b, 1, IB_UVERBS_WR_RDMA_WRITE_WITH_IMM, 0, SRC, DST,
				  3000);
		rd_send(&rd, 0, 2, 3000);
		pair_wait(200);
		ck_assert_uint_eq(trace_count_kind(rd.trace, 0, HCA_SYNDROME_RNR), 4);
		ck_assert_uint_eq(trace_count(rd.trace, 1, HCA_OPCODE(RD, RESYNC)), 4);
		pair_expect(&rd.a->send_cq, 1, IB_WC_RNR_RETRY_EXC_ERR);
		pair_expect(&rd.a->send_cq, 2, IB_WC_WR_FLUSH_ERR);
		ck_assert_uint_eq(rd.qa[0]->common.state, IB_QPS_SQE);
		rd_expect_works(&rd, 1);
		rd_qp_to(rd.qa[0], IB_QPS_RTS);
		rd_expect_works(&rd, 0);
	}
	rd_free(&rd);
}
END_TEST

/* Each request has its own retries, not those left by an abandoned one. */
START_TEST(attempts_are_new)
{
	struct pair_qp how = pair_rd;
	struct hca_rd_eec *other;
	struct rd rd;

	how.rnr_retry = 3;
	rd = rd_new(&how);
	other = pair_create_rd_eec(rd.a);
	pair_connect_rd_eec(other, &how, rd.b->rd_eec->eecn, 2, 1, 1);
	rd_send(&rd, 0, 1, 100);
	while (trace_count_kind(rd.trace, 0, HCA_SYNDROME_RNR) < 3)
		pair_wait(1);
	rd_qp_to(rd.qa[0], IB_QPS_SQD);
	ck_assert(hca_qp_eec(rd.qa[0])->rnr_wait);
	rd_eec_to(rd.a->rd_eec, IB_QPS_ERR);
	rd_qp_to(rd.qa[0], IB_QPS_RTS);
	pair_wait(20);
	pair_expect(&rd.a->send_cq, 1, IB_WC_INV_EEC_STATE_ERR);
	rd_eec_to(rd.a->rd_eec, IB_QPS_RESET);
	rd_eec_to(rd.b->rd_eec, IB_QPS_RESET);
	pair_connect_rd_eec(rd.a->rd_eec, &how, rd.b->rd_eec->eecn, 2, 100, 200);
	pair_connect_rd_eec(rd.b->rd_eec, &how, rd.a->rd_eec->eecn, 1, 200, 100);
	rd_qp_to(rd.qa[0], IB_QPS_RTS);
	rd.trace->n = 0;
	rd_send(&rd, 0, 2, 100);
	pair_wait(100);
	pair_expect(&rd.a->send_cq, 2, IB_WC_RNR_RETRY_EXC_ERR);
	ck_assert_uint_eq(trace_count_kind(rd.trace, 0, HCA_SYNDROME_RNR), 4);
	hca_rd_eec_destroy(other);
	rd_free(&rd);
}
END_TEST

static bool lose_resync(struct trace *trace, const struct traced *t)
{
	return t->h.bth.opcode == HCA_OPCODE(RD, RESYNC) && trace->seen++ < trace->nth;
}

static bool lose_its_ack(struct trace *trace, const struct traced *t)
{
	const struct traced *resync = trace_find(trace, 1, HCA_OPCODE(RD, RESYNC), 0);

	return resync && t->receiver == 0 && t->h.bth.psn == resync->h.bth.psn &&
	       trace->seen++ < trace->nth;
}

/*
 * B4-244, B4-401, C4-033: the RESYNC has a PSN beyond all that were sent, requests an
 * acknowledgement and is repeated until that arrives; meanwhile nothing else is sent, and the next
 * request continues at its PSN.
 */
START_TEST(resync)
{
	struct rd rd = rd_new(&pair_rd);
	u32 last = hca_psn_add(pair_rd.psn[0], 2), n = 0, i;
	bool acked = false;

	rd.trace->lose = _i % 2 ? lose_its_ack : lose_resync;
	rd.trace->nth = _i / 2;
	rd_recv(&rd, 1, 1, 3000);
	rd_send(&rd, 0, 1, 3000); /* three packets, without a receive request */
	rd_send(&rd, 1, 1, 3000);
	pair_wait(900);
	for (i = 3; i < rd.trace->n && !acked; i++) {
		const struct traced *t = &rd.trace->packet[i];

		if (t->receiver == 1) {
			ck_assert_uint_eq(t->h.bth.opcode, HCA_OPCODE(RD, RESYNC));
			ck_assert_uint_eq(t->h.bth.psn, hca_psn_add(last, 1));
			ck_assert_uint_ne(t->h.bth.flags & HCA_BTH_ACKREQ, 0);
			ck_assert_uint_eq(t->h.rdeth_eecn, rd.b->rd_eec->eecn);
			n++;
		} else {
			acked = !t->lost && t->h.bth.psn == hca_psn_add(last, 1);
		}
	}
	ck_assert(acked);
	ck_assert_uint_eq(n, _i / 2 + 1);
	ck_assert_uint_eq(rd.trace->packet[i].h.bth.opcode, HCA_OPCODE(RD, SEND_FIRST));
	ck_assert_uint_eq(rd.trace->packet[i].h.bth.psn, hca_psn_add(last, 2));
	pair_expect(&rd.a->send_cq, 1, IB_WC_SUCCESS);
	pair_expect(&rd.b->recv_cq, 1, IB_WC_SUCCESS);
	ck_assert_uint_eq(rd.a->rd_eec->common.state, IB_QPS_RTS);
	rd_free(&rd);
}
END_TEST

/* B4-401: while a RESYNC is outstanding only its own acknowledgement counts. */
START_TEST(only_its_ack)
{
	struct rd rd = rd_new(&pair_rd);
	struct hca_headers h = {
		.lrh = { .lnh = IB_LNH_IBA_LOCAL, .dlid = 1, .slid = 2 },
		.bth = { .flags = HCA_BTH_MIGREQ, .pkey = 0xffff },
		.rdeth_eecn = rd.a->rd_eec->eecn,
	};
	static const u8 operations[] = { IB_OPCODE_ACKNOWLEDGE, IB_OPCODE_ATOMIC_ACKNOWLEDGE,
					 IB_OPCODE_RDMA_READ_RESPONSE_ONLY };
	static const u8 syndromes[] = { HCA_ACK_NO_CREDITS, HCA_SYNDROME_RNR | 1,
					HCA_NAK_PSN_SEQUENCE, HCA_NAK_REMOTE_ACCESS,
					HCA_NAK_INVALID_RD_REQUEST };
	u32 psn = hca_psn_add(pair_rd.psn[0], 3), op, syndrome;
	int at;

	rd.trace->lose = lose_resync;
	rd.trace->nth = 1000;
	rd_send(&rd, 0, 1, 3000);
	rd_recv(&rd, 1, 1, 3000);
	rd_send(&rd, 1, 1, 3000);
	ck_assert_uint_eq(rd.a->rd_eec->eec.resync, HCA_RESYNC_SENT);
	for (at = -5; at < 5; at++)
		for (op = 0; op < sizeof(operations); op++)
			for (syndrome = 0; syndrome < sizeof(syndromes); syndrome++) {
				if (!at && !op && !syndrome)
					continue; /* the acknowledgement of the RESYNC */
				h.bth.opcode = HCA_TRANSPORT_RD << 5 | operations[op];
				h.bth.psn = (psn + at) & HCA_PSN_MASK;
				h.aeth.syndrome = syndromes[syndrome];
				trace_inject(rd.pair, 0, &h, 0);
			}
	ck_assert_uint_eq(rd.a->rd_eec->eec.resync, HCA_RESYNC_SENT);
	ck_assert_uint_eq(rd.a->rd_eec->common.state, IB_QPS_RTS);
	pair_expect_none(&rd.a->send_cq);
	rd.trace->lose = NULL;
	pair_wait(200);
	pair_expect(&rd.a->send_cq, 1, IB_WC_SUCCESS);
	pair_expect(&rd.b->recv_cq, 1, IB_WC_SUCCESS);
	rd_free(&rd);
}
END_TEST

/*
 * B4-401: a message that got an RNR NAK is being sent again when it is suspended, and now finds a
 * receive request. The peer's MSN shows that it was received: it is not sent again, which would
 * deliver it twice.
 */
START_TEST(arrives_while_suspended)
{
	struct rd rd = rd_new(&pair_rd);
	struct hca_headers h;

	rd.trace->lose = lose_resync;
	rd.trace->nth = 1000;
	rd_send(&rd, 0, 1, 10);
	ck_assert_uint_eq(rd.a->rd_eec->eec.resync, HCA_RESYNC_SENT);
	h = trace_find(rd.trace, 1, -1, 0)->h;
	rd_recv(&rd, 0, 1, 10);
	rd_recv(&rd, 0, 2, 10);
	trace_inject(rd.pair, 1, &h, 10);
	pair_expect(&rd.b->recv_cq, 1, IB_WC_SUCCESS);
	rd.trace->lose = NULL;
	pair_wait(500);
	pair_expect(&rd.a->send_cq, 1, IB_WC_SUCCESS);
	pair_expect_none(&rd.b->recv_cq);
	rd_free(&rd);
}
END_TEST

static bool delay_packet(struct trace *trace, const struct traced *t)
{
	return t->receiver == 1 && trace->n > trace->nth &&
	       t->h.bth.opcode != HCA_OPCODE(RD, RESYNC);
}

/*
 * B4-401, C4-033: a message is abandoned when some of its packets have arrived; those that arrive
 * after the RESYNC do not affect the next message, at any of its packets.
 */
START_TEST(late_packets)
{
	struct rd rd = rd_new(&pair_rd);
	struct traced late[8];
	u32 i, n = 0;

	rd_recv(&rd, 0, 1, 6000);
	rd_recv(&rd, 1, 2, 6000);
	rd.trace->lose = delay_packet;
	rd.trace->nth = _i;
	rd_send(&rd, 0, 1, 6000); /* six packets, _i of which arrive */
	for (i = 0; i < rd.trace->n; i++)
		if (rd.trace->packet[i].lost)
			late[n++] = rd.trace->packet[i];
	ck_assert_uint_eq(n, 6 - _i);
	rd_qp_to(rd.qa[0], IB_QPS_ERR);
	pair_expect(&rd.a->send_cq, 1, IB_WC_WR_FLUSH_ERR);
	if (_i)
		pair_expect(&rd.b->recv_cq, 1, IB_WC_REM_ABORT_ERR);
	rd.trace->lose = NULL;
	for (i = 0; i < n; i++) {
		late[i].h.bth.flags |= HCA_BTH_ACKREQ;
		trace_inject(rd.pair, 1, &late[i].h, 200);
	}
	pair_expect_none(&rd.b->recv_cq);
	pair_expect_none(&rd.a->send_cq);

	/* Also in the middle of the next message. */
	rd.trace->lose = delay_packet;
	rd.trace->n = 0;
	rd.trace->nth = 3;
	pair_fill(rd.a, SRC + 65536, 6000, 1);
	rd_send(&rd, 1, 2, 6000);
	for (i = 0; i < n; i++)
		trace_inject(rd.pair, 1, &late[i].h, 200);
	rd.trace->lose = NULL;
	pair_wait(500);
	pair_expect(&rd.a->send_cq, 2, IB_WC_SUCCESS);
	pair_expect(&rd.b->recv_cq, 2, IB_WC_SUCCESS);
	ck_assert(pair_same(rd.a, SRC + 65536, rd.b, DST + 65536, 6000));
	pair_expect_none(&rd.b->recv_cq);
	rd_free(&rd);
}
END_TEST

Suite *rd_resync_suite(void)
{
	Suite *suite = suite_create("rd_resync");
	TCase *tc = tcase_create("resync");

	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, never_ready);
	tcase_add_test(tc, attempts_are_new);
	tcase_add_loop_test(tc, resync, 0, 8);
	tcase_add_test(tc, only_its_ack);
	tcase_add_test(tc, arrives_while_suspended);
	tcase_add_loop_test(tc, late_packets, 0, 6);
	suite_add_tcase(suite, tc);
	return suite;
}
