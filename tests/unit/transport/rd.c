// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Reliable datagrams: many queue pairs share one or two EE contexts. */
#include <check.h>
#include <string.h>
#include "shim.h"
#include "tests/unit/fixture/operations.h"
#include "tests/unit/suites.h"
#include "tests/unit/transport/rd_clients.h"

static void check_received(struct pair *pair, const struct hca_cqe *cqe)
{
	ck_assert_uint_eq(cqe->src_qp, pair->end[0].qp->qpn);
	ck_assert_uint_eq(cqe->eecn, pair->end[1].rd_eec->eecn);
}

/* Each operation, size and MTU; the addressing fields of packets; no end-to-end credits. */
START_TEST(all_operations_all_sizes)
{
	struct pair_qp how = operations_with_mtu(&pair_rd, _i);
	struct pair *pair = pair_new(&how);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct trace *trace = trace_on(pair);
	u32 psn = pair_rd.psn[0];
	unsigned int i;

	operations_run(pair, true, check_received); /* B4-384, B4-388, C4-004, C4-009, V3-018 */
	for (i = 0; i < trace->n; i++) {
		const struct hca_headers *h = &trace->packet[i].h;
		u32 flags = hca_opcodes[h->bth.opcode].flags;

		/* C4-019 */
		ck_assert_uint_eq(hca_opcode_transport(h->bth.opcode), HCA_TRANSPORT_RD);
		if (trace->packet[i].receiver == 0) {
			ck_assert_uint_eq(h->rdeth_eecn, a->rd_eec->eecn);
			ck_assert_uint_eq(h->bth.destqp, a->qp->qpn);
			/* C4-023 */
			if (flags & HCA_HAS_AETH)
				ck_assert_uint_eq(h->aeth.syndrome, HCA_ACK_NO_CREDITS);
			continue;
		}
		ck_assert_uint_eq(h->rdeth_eecn, b->rd_eec->eecn);
		ck_assert_uint_eq(h->bth.destqp, b->qp->qpn); /* B4-389 */
		ck_assert_uint_eq(h->deth.srcqp, a->qp->qpn);
		ck_assert_uint_eq(h->deth.qkey, PAIR_QKEY); /* C4-017 */
		ck_assert_uint_eq(h->bth.psn, psn); /* B4-200, B4-201, B4-202, B4-386, C4-018 */
		psn = hca_psn_add(psn, flags & HCA_IS_READ && h->reth.length ?
					       (h->reth.length - 1) / (128u << _i) + 1 :
					       1);
	}
	pair_free(pair);
}
END_TEST

#define EACH 6

/* B4-398, C4-024: one message at a time, and each queue pair in its turn. */
START_TEST(in_turn)
{
	struct rd rd = rd_new(&pair_rd);
	u32 turn[RD_QPS * EACH], n = 0, i, q, done[RD_QPS] = {};
	bool open = false;
	struct hca_cqe cqe;

	/*
	 * Packets are dropped until all queue pairs have posted, before the first message is
	 * through.
	 */
	rd.trace->lose = trace_cut;
	for (q = 0; q < RD_QPS; q++) {
		pair_fill(rd.a, SRC + q * 65536, 65536, q);
		for (i = 0; i < EACH; i++)
			rd_recv(&rd, q, i, 10000);
		for (i = 0; i < EACH; i++)
			rd_send(&rd, q, i, 1000 * (q + 1) + i);
	}
	rd.trace->lose = NULL;
	rd.trace->n = 0;
	pair_wait(2000);
	for (i = 0; i < rd.trace->n; i++) {
		const struct traced *t = &rd.trace->packet[i];
		u32 flags = hca_opcodes[t->h.bth.opcode].flags;

		if (t->receiver == 0) {
			open = false;
			continue;
		}
		if (!(flags & HCA_IS_FIRST))
			continue;
		ck_assert(!open);
		open = true;
		ck_assert_uint_lt(n, RD_QPS * EACH);
		turn[n++] = t->h.deth.srcqp;
	}
	ck_assert_uint_eq(n, RD_QPS * EACH);
	for (i = RD_QPS; i < n; i++)
		ck_assert_uint_eq(turn[i], turn[i - RD_QPS]);
	while (pair_poll(&rd.a->send_cq, &cqe)) {
		ck_assert_uint_eq(cqe.status, IB_WC_SUCCESS);
		for (q = 0; rd.qa[q]->qpn != cqe.qp_num; q++)
			;
		ck_assert_uint_eq(cqe.wr_id, done[q]++);
	}
	memset(done, 0, sizeof(done));
	while (pair_poll(&rd.b->recv_cq, &cqe)) {
		ck_assert_uint_eq(cqe.status, IB_WC_SUCCESS);
		for (q = 0; rd.qb[q]->qpn != cqe.qp_num; q++)
			;
		ck_assert_uint_eq(cqe.wr_id, done[q]++);
		ck_assert_uint_eq(cqe.src_qp, rd.qa[q]->qpn); /* B4-055 */
		ck_assert_uint_eq(cqe.byte_len, 1000 * (q + 1) + cqe.wr_id);
	}
	for (q = 0; q < RD_QPS; q++) {
		ck_assert_uint_eq(done[q], EACH); /* B4-387, C4-008 */
		ck_assert(pair_same(rd.a, SRC + q * 65536, rd.b, DST + q * 65536,
				    1000 * (q + 1) + EACH - 1));
	}
	rd_free(&rd);
}
END_TEST

/* C4-005, C4-006, C4-029, B4-385: any packet may be lost. */
START_TEST(lose_each_packet)
{
	unsigned int nth, i;

	for (nth = 0; nth < 26; nth++) {
		struct rd rd = rd_new(&pair_rd);

		rd.trace->lose = trace_lose_nth;
		rd.trace->towards = _i;
		rd.trace->nth = nth;
		pair_fill(rd.a, SRC, RD_QPS * 65536, nth);
		for (i = 0; i < 2 * RD_QPS; i++)
			rd_recv(&rd, i % RD_QPS, i, 3000);
		for (i = 0; i < 2 * RD_QPS; i++) {
			rd_send(&rd, i % RD_QPS, i, 3000);
			rd_use(&rd, i % RD_QPS);
			pair_rdma(rd.a, rd.b, 100 + i, IB_UVERBS_WR_RDMA_READ, HCA_WQE_SIGNALED,
				  SRC + (i % RD_QPS) * 65536 + 10000, SRC + i * 5000, 3000);
		}
		pair_wait(3000);
		ck_assert_uint_eq(rd.a->send_cq.queue.ring->producer, 4 * RD_QPS);
		ck_assert_uint_eq(rd.b->recv_cq.queue.ring->producer, 2 * RD_QPS);
		for (i = 0; i < RD_QPS; i++)
			ck_assert(pair_same(rd.a, SRC + i * 65536, rd.b, DST + i * 65536, 3000));
		rd.a->send_cq.queue.ring->consumer += 4 * RD_QPS;
		rd.b->recv_cq.queue.ring->consumer += 2 * RD_QPS;
		for (i = 0; i < RD_QPS; i++)
			rd_expect_works(&rd, i);
		rd_free(&rd);
	}
}
END_TEST

/* B4-399, C4-027, C4-028: one receiver is not ready; the messages of the others continue. */
START_TEST(one_is_not_ready)
{
	struct rd rd = rd_new(&pair_rd);
	u32 i;

	for (i = 0; i < 10; i++)
		rd_recv(&rd, 1, i, 3000);
	rd_send(&rd, 0, 100, 3000);
	for (i = 0; i < 10; i++)
		rd_send(&rd, 1, i, 3000);
	pair_settle();
	for (i = 0; i < 10; i++) {
		pair_expect(&rd.a->send_cq, i, IB_WC_SUCCESS);
		pair_expect(&rd.b->recv_cq, i, IB_WC_SUCCESS);
	}
	pair_expect_none(&rd.a->send_cq);
	pair_wait(100);
	ck_assert_uint_gt(trace_count_kind(rd.trace, 0, HCA_SYNDROME_RNR), 3);
	rd_recv(&rd, 0, 100, 3000);
	pair_wait(20);
	pair_expect(&rd.a->send_cq, 100, IB_WC_SUCCESS);
	pair_expect(&rd.b->recv_cq, 100, IB_WC_SUCCESS);
	rd_expect_works(&rd, 0);
	rd_free(&rd);
}
END_TEST

/*
 * B4-398, C4-010: one queue pair may send by several EE contexts, and receive from several
 * concurrently; its receive requests complete in the order in which their messages end.
 */
START_TEST(two_channels)
{
	struct rd rd = rd_new(&pair_rd);
	struct hca_rd_eec *a = pair_create_rd_eec(rd.a), *b = pair_create_rd_eec(rd.b);
	struct hca_rd_eec *of[] = { rd.a->rd_eec, a };
	u32 i;

	pair_connect_rd_eec(a, &pair_rd, b->eecn, 2, 77, 99);
	pair_connect_rd_eec(b, &pair_rd, a->eecn, 1, 99, 77);
	for (i = 0; i < 10; i++)
		rd_recv(&rd, 0, i, 3000);
	for (i = 0; i < 10; i++) {
		rd.a->to_eecn = of[i % 2]->eecn;
		rd_send(&rd, 0, i, 3000);
	}
	pair_settle();
	for (i = 0; i < 10; i++) {
		struct hca_cqe cqe;

		pair_expect(&rd.a->send_cq, i, IB_WC_SUCCESS);
		ck_assert(pair_poll(&rd.b->recv_cq, &cqe));
		ck_assert_uint_eq(cqe.wr_id, i);
		ck_assert_uint_eq(cqe.eecn, i % 2 ? b->eecn : rd.b->rd_eec->eecn);
	}
	/* Two messages for one receiver are both in progress. */
	for (i = 0; i < 4; i++)
		rd_recv(&rd, 0, i, 6000);
	for (i = 0; i < 2; i++) {
		rd_use(&rd, i);
		rd.a->to_qpn = rd.qb[0]->qpn;
		rd.a->to_eecn = of[i]->eecn;
		rd.trace->lose = trace_pass_n;
		rd.trace->n = 0;
		rd.trace->nth = 2;
		pair_send(rd.a, 100 + i, HCA_WQE_SIGNALED, SRC, 6000);
	}
	ck_assert(rd.b->rd_eec->recv.valid && b->recv.valid);
	if (_i) {
		rd_qp_to(rd.qb[0], IB_QPS_ERR);
		rd.trace->lose = NULL;
		for (i = 0; i < 4; i++)
			pair_expect(&rd.b->recv_cq, i, IB_WC_WR_FLUSH_ERR);
		pair_wait(500);
		pair_expect(&rd.a->send_cq, 100, IB_WC_REM_INV_RD_REQ_ERR);
		pair_expect(&rd.a->send_cq, 101, IB_WC_REM_INV_RD_REQ_ERR);
	} else {
		rd.trace->lose = NULL;
		pair_wait(500);
		pair_expect(&rd.a->send_cq, 100, IB_WC_SUCCESS);
		pair_expect(&rd.a->send_cq, 101, IB_WC_SUCCESS);
		pair_expect(&rd.b->recv_cq, 0, IB_WC_SUCCESS);
		pair_expect(&rd.b->recv_cq, 1, IB_WC_SUCCESS);
	}
	pair_expect_none(&rd.b->recv_cq);
	hca_rd_eec_destroy(a);
	hca_rd_eec_destroy(b);
	rd_free(&rd);
}
END_TEST

/* The n-th packet cannot be allocated: all messages continue, a Resync among them. */
START_TEST(no_memory)
{
	unsigned int n, i;
	bool failed = true;

	for (n = 1; failed; n++) {
		struct rd rd = rd_new(&pair_rd);

		shim_fail_alloc(n);
		rd_recv(&rd, 1, 1, 3000);
		rd_send(&rd, 0, 0, 3000);
		rd_send(&rd, 1, 1, 3000);
		pair_rdma(rd.a, rd.b, 2, IB_UVERBS_WR_RDMA_READ, HCA_WQE_SIGNALED, SRC, DST, 5000);
		pair_wait(10);
		rd_recv(&rd, 0, 0, 3000);
		pair_wait(500);
		failed = shim_alloc_failed();
		shim_fail_alloc(0);
		ck_assert_uint_eq(rd.a->send_cq.queue.ring->producer, 3);
		for (i = 0; i < 3; i++) {
			struct hca_cqe cqe;

			ck_assert(pair_poll(&rd.a->send_cq, &cqe));
			ck_assert_uint_eq(cqe.status, IB_WC_SUCCESS);
		}
		ck_assert_uint_eq(rd.b->recv_cq.queue.ring->producer, 2);
		rd_free(&rd);
	}
	ck_assert_uint_gt(n, 3);
}
END_TEST

/* Headers of the first packet that the second end expects. */
static struct hca_headers rd_headers(const struct rd *rd, u8 opcode)
{
	return (struct hca_headers){
		.lrh = { .lnh = IB_LNH_IBA_LOCAL, .dlid = 2, .slid = 1 },
		.bth = { .opcode = opcode,
			 .flags = HCA_BTH_MIGREQ,
			 .pkey = 0xffff,
			 .destqp = rd->qb[0]->qpn,
			 .psn = pair_rd.psn[0] },
		.rdeth_eecn = rd->b->rd_eec->eecn,
		.deth = { .qkey = PAIR_QKEY, .srcqp = 5 },
	};
}

/*
 * B4-383, C4-003: packets of another RD domain are rejected, and so are those of another or no EE
 * context.
 */
START_TEST(rejected)
{
	struct rd rd = rd_new(&pair_rd);
	struct hca_headers h = rd_headers(&rd, HCA_OPCODE(RD, SEND_ONLY));

	rd_recv(&rd, 0, 1, 100);
	h.lrh.slid = 3;
	trace_inject(rd.pair, 1, &h, 10);
	h.lrh.slid = 1;
	h.rdeth_eecn++;
	trace_inject(rd.pair, 1, &h, 10);
	h.rdeth_eecn = rd.b->rd_eec->eecn + (1 << HCA_EEC_INDEX_BITS);
	trace_inject(rd.pair, 1, &h, 10);
	h.rdeth_eecn = rd.b->rd_eec->eecn;
	h.bth.pkey = 0x1234;
	trace_inject(rd.pair, 1, &h, 10);
	h.bth.pkey = 0xffff;
	h.bth.opcode = HCA_OPCODE(RC, SEND_ONLY);
	trace_inject(rd.pair, 1, &h, 10);
	pair_expect_none(&rd.b->recv_cq);
	ck_assert_uint_eq(rd.trace->n, 0);
	h.bth.opcode = HCA_OPCODE(RD, SEND_ONLY);
	trace_inject(rd.pair, 1, &h, 10);
	pair_expect(&rd.b->recv_cq, 1, IB_WC_SUCCESS);
	rd_free(&rd);
}
END_TEST

/* C4-025: the Q_Key is that of the first packet of a message; in others it does not matter. */
START_TEST(first_has_the_q_key)
{
	const struct pair_qp how = operations_with_mtu(&pair_rd, IB_MTU_256);
	struct rd rd = rd_new(&how);
	u16 *violations = &rd.b->ports[1].info.q_key_violations, before = *violations;
	struct hca_headers h = rd_headers(&rd, HCA_OPCODE(RD, SEND_FIRST));

	rd_recv(&rd, 0, 1, 2000);
	rd_recv(&rd, 0, 2, 2000);
	trace_inject(rd.pair, 1, &h, 256);
	h.bth.opcode = HCA_OPCODE(RD, SEND_LAST);
	h.bth.psn = hca_psn_add(h.bth.psn, 1);
	h.deth.qkey++;
	trace_inject(rd.pair, 1, &h, 10);
	pair_expect(&rd.b->recv_cq, 1, IB_WC_SUCCESS);
	ck_assert_uint_eq(*violations, before);
	h.bth.opcode = HCA_OPCODE(RD, SEND_ONLY);
	h.bth.psn = hca_psn_add(h.bth.psn, 1);
	trace_inject(rd.pair, 1, &h, 10);
	pair_expect_none(&rd.b->recv_cq);
	ck_assert_uint_eq(*violations, before + 1);
	rd_free(&rd);
}
END_TEST

Suite *rd_suite(void)
{
	Suite *suite = suite_create("rd");
	TCase *tc = tcase_create("data");

	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, all_operations_all_sizes, IB_MTU_256, IB_MTU_4096 + 1);
	tcase_add_test(tc, in_turn);
	tcase_add_loop_test(tc, lose_each_packet, 0, 2);
	tcase_add_test(tc, one_is_not_ready);
	tcase_add_loop_test(tc, two_channels, 0, 2);
	tcase_add_test(tc, no_memory);
	tcase_add_test(tc, rejected);
	tcase_add_test(tc, first_has_the_q_key);
	suite_add_tcase(suite, tc);
	return suite;
}
