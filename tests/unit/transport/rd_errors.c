// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Errors of reliable datagrams: which object they end, and which continue. */
#include <check.h>
#include <string.h>
#include "tests/unit/suites.h"
#include "tests/unit/transport/rd_clients.h"

enum bad_dest {
	WRONG_QKEY,
	WRONG_DOMAIN,
	WRONG_BOTH,
	NO_SUCH_QP,
	OTHER_TYPE,
	NOT_READY,
	IN_ERROR,
	NUM_BAD_DESTS,
};

static const u8 requests[] = { IB_UVERBS_WR_SEND, IB_UVERBS_WR_RDMA_WRITE,
			       IB_UVERBS_WR_RDMA_WRITE_WITH_IMM, IB_UVERBS_WR_RDMA_READ,
			       IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD };
#define NUM_REQUESTS sizeof(requests)

/*
 * The destination queue pair is not valid for the message: the request fails, its queue pair enters
 * SQE, the EE context continues.
 */
START_TEST(invalid_request)
{
	struct rd rd = rd_new(&pair_rd);
	enum bad_dest bad = _i / NUM_REQUESTS;
	struct hca_qp *dest = rd.qb[0], *ud;
	struct hca_send_wqe *wqe;
	u16 violations = rd.b->ports[1].info.q_key_violations;
	static int other;

	rd_recv(&rd, 0, 7, 3000);
	rd.a->more[0] = ud = pair_create_qp(rd.a, &pair_ud);
	rd.b->more[0] = ud = pair_create_qp(rd.b, &pair_ud);
	switch (bad) {
	case WRONG_BOTH:
	case WRONG_DOMAIN:
		hca_iba_qp(dest)->rdd = &other;
		break;
	case NOT_READY:
		rd_qp_to(dest, IB_QPS_RESET);
		break;
	case IN_ERROR:
		rd_qp_to(dest, IB_QPS_ERR);
		pair_expect(&rd.b->recv_cq, 7, IB_WC_WR_FLUSH_ERR);
		break;
	default:
		break;
	}
	rd_use(&rd, 0);
	wqe = pair_wqe(rd.a, 1, requests[_i % NUM_REQUESTS], 0);
	if (bad == WRONG_QKEY || bad == WRONG_BOTH)
		wqe->rdma.remote_qkey++;
	if (bad == NO_SUCH_QP)
		wqe->rdma.remote_qpn = 0x123456;
	if (bad == OTHER_TYPE)
		wqe->rdma.remote_qpn = ud->qpn;
	wqe->rdma.remote_addr = pair_addr(rd.b, DST + 8) & ~7ull;
	wqe->rdma.rkey = rd.b->entry->key;
	pair_sge(rd.a, wqe, SRC, requests[_i % NUM_REQUESTS] == IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD ?
					 8 : 3000);
	rd.a->qp->sq.ring->producer++;
	rd_send(&rd, 0, 2, 10);
	pair_settle();
	pair_expect(&rd.a->send_cq, 1, IB_WC_REM_INV_RD_REQ_ERR); /* B4-306, B4-395 */
	pair_expect(&rd.a->send_cq, 2, IB_WC_WR_FLUSH_ERR);
	pair_expect_none(&rd.b->recv_cq); /* V3-013 */
	ck_assert_uint_eq(rd.qa[0]->common.state, IB_QPS_SQE); /* C4-022 */
	/* B4-323, B4-325, C4-035 */
	ck_assert_uint_eq(rd.b->ports[1].info.q_key_violations, violations + (bad == WRONG_QKEY));
	rd_expect_works(&rd, 1); /* B4-391, C4-014 */
	if (bad == WRONG_QKEY || bad == NO_SUCH_QP || bad == OTHER_TYPE) {
		rd_qp_to(rd.qa[0], IB_QPS_RTS);
		rd_send(&rd, 0, 3, 3000);
		pair_expect(&rd.a->send_cq, 3, IB_WC_SUCCESS);
		pair_expect(&rd.b->recv_cq, 7, IB_WC_SUCCESS);
	}
	rd_free(&rd);
}
END_TEST

enum bad_eec {
	NO_SUCH_EEC,
	OTHER_DOMAIN,
	EEC_RESET,
	EEC_RTR,
	EEC_ERROR,
	NUM_BAD_EECS,
};

static const u8 bad_eec_status[] = {
	[NO_SUCH_EEC] = IB_WC_INV_EECN_ERR,
	[OTHER_DOMAIN] = IB_WC_LOC_RDD_VIOL_ERR,
	[EEC_RESET] = IB_WC_INV_EEC_STATE_ERR,
	[EEC_RTR] = IB_WC_INV_EEC_STATE_ERR,
	[EEC_ERROR] = IB_WC_INV_EEC_STATE_ERR,
};

/* B4-306, C4-010: the request names an EE context that is not valid for its queue pair. */
START_TEST(wrong_eec)
{
	struct rd rd = rd_new(&pair_rd);
	struct hca_rd_eec *other = pair_create_rd_eec(rd.a);
	static int domain;

	rd_recv(&rd, 0, 1, 100);
	rd.a->to_eecn = other->eecn;
	if (_i == NO_SUCH_EEC)
		rd.a->to_eecn += 1 << HCA_EEC_INDEX_BITS;
	else if (_i != EEC_RESET)
		pair_connect_rd_eec(other, &pair_rd, 99, 2, 1, 1);
	if (_i == OTHER_DOMAIN)
		other->rdd = &domain;
	else if (_i == EEC_RTR)
		other->common.state = IB_QPS_RTR;
	else if (_i == EEC_ERROR)
		rd_eec_to(other, IB_QPS_ERR);
	rd_send(&rd, 0, 1, 100);
	pair_settle();
	pair_expect(&rd.a->send_cq, 1, bad_eec_status[_i]);
	ck_assert_uint_eq(rd.qa[0]->common.state, IB_QPS_SQE);
	ck_assert_uint_eq(rd.trace->n, 0);
	/* The next request may name a valid one. */
	rd_qp_to(rd.qa[0], IB_QPS_RTS);
	rd.a->to_eecn = rd.a->rd_eec->eecn;
	rd_send(&rd, 0, 2, 100);
	pair_expect(&rd.a->send_cq, 2, IB_WC_SUCCESS);
	pair_expect(&rd.b->recv_cq, 1, IB_WC_SUCCESS);
	hca_rd_eec_destroy(other);
	rd_free(&rd);
}
END_TEST

static const struct {
	u8 opcode;
	s32 remote;
	u32 length, recv;
	u8 status, recv_status;
} remote_errors[] = {
	{ IB_UVERBS_WR_RDMA_WRITE, PAIR_MEMORY - 2999, 3000, 0, IB_WC_REM_ACCESS_ERR, 0 },
	{ IB_UVERBS_WR_RDMA_READ, PAIR_MEMORY - 2999, 3000, 0, IB_WC_REM_ACCESS_ERR, 0 },
	{ IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD, -16, 8, 0, IB_WC_REM_ACCESS_ERR, 0 },
	{ IB_UVERBS_WR_ATOMIC_CMP_AND_SWP, 3, 8, 0, IB_WC_REM_INV_REQ_ERR, 0 },
	{ IB_UVERBS_WR_SEND, 0, 3000, 2999, IB_WC_REM_INV_REQ_ERR, IB_WC_LOC_LEN_ERR },
	{ IB_UVERBS_WR_SEND, 0, 3000, 1, IB_WC_REM_INV_REQ_ERR, IB_WC_LOC_LEN_ERR },
};

/* B4-399, C4-027: a message to one queue pair is refused; the EE context continues. */
START_TEST(remote_error)
{
	struct rd rd = rd_new(&pair_rd);
	typeof(remote_errors[0]) *bad = &remote_errors[_i];
	struct hca_send_wqe *wqe;

	if (bad->recv)
		rd_recv(&rd, 0, 1, bad->recv);
	rd_use(&rd, 0);
	wqe = pair_wqe(rd.a, 1, bad->opcode, 0);
	wqe->rdma.remote_addr = (pair_addr(rd.b, 7) & ~7ull) + bad->remote;
	wqe->rdma.rkey = rd.b->entry->key;
	pair_sge(rd.a, wqe, SRC, bad->length);
	pair_post(rd.a);
	pair_settle();
	pair_expect(&rd.a->send_cq, 1, bad->status);
	ck_assert_uint_eq(rd.qa[0]->common.state, IB_QPS_SQE);
	if (bad->recv)
		pair_expect(&rd.b->recv_cq, 1, bad->recv_status);
	ck_assert_uint_eq(rd.qb[0]->common.state, bad->recv ? IB_QPS_ERR : IB_QPS_RTS);
	rd_expect_works(&rd, 1);
	rd_free(&rd);
}
END_TEST

/* C4-029: the peer does not answer: the EE context enters Error. */
START_TEST(retries_end)
{
	struct pair_qp how = pair_rd;
	struct rd rd;
	int i;

	how.retry = 2;
	how.timeout = 8;
	rd = rd_new(&how);
	rd.trace->lose = trace_cut;
	rd.trace->towards = _i;
	rd_recv(&rd, 0, 1, 5000);
	for (i = 0; i < RD_QPS; i++)
		rd_send(&rd, i, i, 5000);
	pair_wait(200);
	pair_expect(&rd.a->send_cq, 0, IB_WC_RETRY_EXC_ERR);
	for (i = 1; i < RD_QPS; i++)
		pair_expect(&rd.a->send_cq, i, IB_WC_INV_EEC_STATE_ERR);
	for (i = 0; i < RD_QPS; i++)
		ck_assert_uint_eq(rd.qa[i]->common.state, IB_QPS_SQE);
	ck_assert_uint_eq(rd.a->rd_eec->common.state, IB_QPS_ERR);
	ck_assert_uint_eq(rd.a->rd_eec_events[HCA_QP_FATAL], 1);
	ck_assert_uint_eq(rd.b->rd_eec->common.state, IB_QPS_RTS);
	/* Connect both EE contexts anew. */
	rd_eec_to(rd.a->rd_eec, IB_QPS_RESET);
	rd_eec_to(rd.b->rd_eec, IB_QPS_RESET);
	if (!_i) /* all data has arrived, but without an acknowledgement */
		pair_expect(&rd.b->recv_cq, 1, IB_WC_SUCCESS);
	rd.trace->lose = NULL;
	pair_connect_rd_eec(rd.a->rd_eec, &how, rd.b->rd_eec->eecn, 2, 100, 200);
	pair_connect_rd_eec(rd.b->rd_eec, &how, rd.a->rd_eec->eecn, 1, 200, 100);
	rd_qp_to(rd.qa[1], IB_QPS_RTS);
	rd_expect_works(&rd, 1);
	rd_free(&rd);
}
END_TEST

enum blow {
	QP_ERROR,
	QP_RESET,
	QP_DESTROY,
	EEC_TO_ERROR,
	EEC_TO_RESET,
	EEC_DESTROY,
	NUM_BLOWS,
};

static void strike(struct rd *rd, int end, enum blow blow)
{
	struct pair_end *hit = end ? rd->b : rd->a;
	struct hca_qp **qp = end ? &rd->qb[1] : &rd->qa[1];

	switch (blow) {
	case QP_ERROR:
		rd_qp_to(*qp, IB_QPS_ERR);
		break;
	case QP_RESET:
		rd_qp_to(*qp, IB_QPS_RESET);
		break;
	case QP_DESTROY:
		hca_qp_destroy(*qp);
		*qp = hit->more[1] = NULL;
		break;
	case EEC_TO_ERROR:
		rd_eec_to(hit->rd_eec, IB_QPS_ERR);
		break;
	case EEC_TO_RESET:
		rd_eec_to(hit->rd_eec, IB_QPS_RESET);
		break;
	case EEC_DESTROY:
		hca_rd_eec_destroy(hit->rd_eec);
		hit->rd_eec = NULL;
		break;
	case NUM_BLOWS:
		break;
	}
}

static void count(struct hca_cq *cq, u32 *done)
{
	struct hca_cqe cqe;

	while (pair_poll(cq, &cqe))
		done[cqe.wr_id]++;
}

/* The number of receive requests that wait for a message, or for the rest of one. */
static u32 still_posted(const struct pair_end *end, const struct hca_qp *qp)
{
	const struct hca_eec *eec = end->rd_eec ? &end->rd_eec->eec : NULL;

	return qp->rq.ring->producer - qp->rq_consumed +
	       (eec && eec->recv->valid && eec->message_dest == qp->qpn);
}

/*
 * B4-272: the peer does not answer, and the queue pair whose message was in progress has gone: no
 * completion can say that the EE context has failed, its event does.
 */
START_TEST(fails_without_completion)
{
	struct pair_qp how = pair_rd;
	struct rd rd;

	how.retry = 2;
	how.timeout = 8;
	rd = rd_new(&how);
	rd.trace->lose = trace_cut;
	rd.trace->towards = _i;
	rd_recv(&rd, 1, 1, 5000);
	rd_send(&rd, 1, 1, 5000);
	strike(&rd, 0, QP_DESTROY);
	ck_assert_uint_eq(rd.a->rd_eec_events[HCA_QP_FATAL], 0);
	pair_wait(200);
	pair_expect_none(&rd.a->send_cq);
	ck_assert_uint_eq(rd.a->rd_eec->common.state, IB_QPS_ERR);
	ck_assert_uint_eq(rd.a->rd_eec_events[HCA_QP_FATAL], 1);
	rd_free(&rd);
}
END_TEST

#define STEPS 24

/*
 * B4-241, B4-242, C4-014, C4-027: a queue pair or EE context of either end fails, is reset or
 * destroyed when n packets have arrived. Each posted request ends, or is discarded with its queue
 * pair; the other queue pairs continue if their EE contexts do.
 */
START_TEST(struck_after_n_packets)
{
	enum blow blow = _i % NUM_BLOWS;
	int end = _i / NUM_BLOWS;
	bool qp_struck = blow <= QP_DESTROY;
	struct pair_qp how = pair_rd;
	u32 n;

	how.retry = 2;
	how.timeout = 8;
	for (n = 0; n < STEPS; n++) {
		u32 sent[RD_QPS * 3] = {}, received[RD_QPS] = {}, q;
		struct rd rd = rd_new(&how);

		rd.trace->lose = trace_pass_n;
		rd.trace->nth = n;
		for (q = 0; q < RD_QPS; q++)
			rd_recv(&rd, q, q, 5000);
		/*
		 * The queue pair in question has a message in progress, in the queue, or completed.
		 */
		for (q = 0; q < RD_QPS; q++) {
			u32 i = (q + 1) % RD_QPS;

			rd_send(&rd, i, i, 5000);
			pair_rdma(rd.a, rd.b, RD_QPS + i, IB_UVERBS_WR_RDMA_READ, HCA_WQE_SIGNALED,
				  SRC + i * 65536, SRC + i * 65536, 3000);
			pair_rdma(rd.a, rd.b, 2 * RD_QPS + i, IB_UVERBS_WR_RDMA_WRITE,
				  HCA_WQE_SIGNALED, SRC + i * 65536, DST + RD_QPS * 65536, 3000);
		}
		strike(&rd, end, blow);
		rd.trace->lose = NULL;
		pair_wait(1000);
		count(&rd.a->send_cq, sent);
		count(&rd.b->recv_cq, received);
		for (q = 0; q < RD_QPS; q++) {
			bool gone = q == 1 && qp_struck && blow != QP_ERROR;
			u32 i;

			for (i = q; i < 3 * RD_QPS; i += RD_QPS) {
				ck_assert_uint_le(sent[i], 1);
				if (!gone || end)
					ck_assert_msg(sent[i] == 1, "n %u: request %u", n, i);
			}
			if (!gone || !end)
				ck_assert_msg(received[q] + still_posted(rd.b, rd.qb[q]) == 1,
					      "n %u: receive %u", n, q);
		}
		if (qp_struck)
			rd_expect_works(&rd, 2);
		rd_free(&rd);
	}
}
END_TEST

/*
 * C4-027: the memory of a read is deregistered before the read is repeated: only the reader's queue
 * pair ends.
 */
START_TEST(read_again_refused)
{
	struct rd rd = rd_new(&pair_rd);

	rd.trace->lose = trace_cut;
	rd.trace->towards = 0;
	rd_use(&rd, 0);
	pair_rdma(rd.a, rd.b, 1, IB_UVERBS_WR_RDMA_READ, 0, SRC, DST, 3000);
	rd.b->entry->access &= ~IB_UVERBS_ACCESS_REMOTE_READ;
	rd.trace->lose = NULL;
	pair_wait(1000);
	pair_expect(&rd.a->send_cq, 1, IB_WC_REM_ACCESS_ERR);
	rd_expect_works(&rd, 1);
	rd_free(&rd);
}
END_TEST

/*
 * C4-026: a responder answers a read for a queue pair as long as that accepts requests. When the
 * queue pair is stopped or destroyed meanwhile, the read is abandoned, because its protection
 * domain may be freed next.
 */
START_TEST(read_of_one_that_goes)
{
	static const enum blow blows[] = { QP_ERROR, QP_RESET, QP_DESTROY };
	enum { BYTES = PAIR_MEMORY / 4, LAST = DST + BYTES - 1 };
	struct pair_qp how = pair_rd;
	struct rd rd;
	u8 last;

	how.timeout = 0; /* nothing is sent again */
	rd = rd_new(&how);
	pair_fill(rd.b, SRC, BYTES, 1);
	pair_write(rd.b, BYTES - 1, "!", 1);
	hca_port_set_rate(&rd.b->ports[1], 100);
	rd_use(&rd, 1);
	pair_rdma(rd.a, rd.b, 1, IB_UVERBS_WR_RDMA_READ, HCA_WQE_SIGNALED, DST, SRC, BYTES);
	pair_wait(5);
	ck_assert(pair_same(rd.a, DST, rd.b, SRC, 10000)); /* the read is in progress */
	pair_expect_none(&rd.a->send_cq);
	strike(&rd, 1, blows[_i]);
	pair_wait(100);
	pair_expect(&rd.a->send_cq, 1, IB_WC_REM_INV_RD_REQ_ERR);
	pair_read(rd.a, LAST, &last, 1);
	ck_assert_uint_ne(last, '!');
	ck_assert_uint_eq(rd.b->rd_eec->eec.pending, 0);
	rd_expect_works(&rd, 0);
	rd_free(&rd);
}
END_TEST

/* A receiver that is reset and used again gets no part of a message to its earlier state. */
START_TEST(reset_and_back)
{
	u32 n;

	for (n = 1; n < 5; n++) {
		struct rd rd = rd_new(&pair_rd);
		u8 before[5000], after[5000];

		pair_fill(rd.a, SRC, 5000, n);
		rd.trace->lose = trace_pass_n;
		rd.trace->nth = n;
		rd_recv(&rd, 0, 1, 5000);
		rd_send(&rd, 0, 1, 5000);
		rd_qp_to(rd.qb[0], IB_QPS_RESET);
		pair_connect(rd.qb[0], &pair_rd, 0, 0, 0, 0);
		pair_read(rd.b, DST, before, 5000);
		rd.trace->lose = NULL;
		pair_wait(1000);
		pair_read(rd.b, DST, after, 5000);
		ck_assert_mem_eq(before, after, 5000);
		pair_expect(&rd.a->send_cq, 1, IB_WC_REM_INV_RD_REQ_ERR);
		pair_expect_none(&rd.b->recv_cq);
		rd_qp_to(rd.qa[0], IB_QPS_RTS);
		rd_expect_works(&rd, 0);
		rd_free(&rd);
	}
}
END_TEST

/*
 * B4-399: the CQ overflows at the completion of a successful transfer: only that queue pair ends.
 */
START_TEST(completion_overflow)
{
	static const u8 opcodes[] = { IB_UVERBS_WR_RDMA_WRITE, IB_UVERBS_WR_RDMA_READ };
	struct pair_qp how = pair_rd;
	struct hca_cq ample = {};
	struct rd rd;
	int i;

	how.cqe = 4;
	rd = rd_new(&how);
	ample = rd.a->send_cq;
	ck_assert_int_eq(hca_cq_init(&ample, 64, false), 0);
	rd.qa[1]->send_cq = &ample;
	rd_use(&rd, 0);
	for (i = 0; i < 7; i++) {
		pair_rdma(rd.a, rd.b, i, opcodes[_i], HCA_WQE_SIGNALED, SRC, DST, 3000);
		rd_use(&rd, 1);
		pair_rdma(rd.a, rd.b, i, opcodes[!_i], HCA_WQE_SIGNALED, SRC, DST, 3000);
		rd_use(&rd, 0);
	}
	pair_settle();
	ck_assert_uint_eq(rd.a->cq_errors, 1);
	ck_assert_uint_eq(rd.qa[0]->common.state, IB_QPS_ERR);
	ck_assert_uint_eq(rd.a->events[HCA_QP_FATAL], 1);
	for (i = 0; i < 4; i++)
		pair_expect(&rd.a->send_cq, i, IB_WC_SUCCESS);
	for (i = 0; i < 7; i++)
		pair_expect(&ample, i, IB_WC_SUCCESS);
	ck_assert_uint_eq(rd.qa[1]->common.state, IB_QPS_RTS);
	ck_assert_uint_eq(rd.a->rd_eec->common.state, IB_QPS_RTS);
	hca_qp_destroy(rd.qa[1]);
	rd.a->more[1] = NULL;
	hca_cq_destroy(&ample);
	rd_free(&rd);
}
END_TEST

/*
 * R0-469, C4-027: the receiver's CQ overflows: its queue pair ends, the request fails, the EE
 * context continues.
 */
START_TEST(receiver_overflow)
{
	struct pair_qp how = pair_rd;
	struct rd rd;
	int i;

	how.cqe = 4;
	rd = rd_new(&how);
	rd_use(&rd, 0);
	for (i = 0; i < 5; i++) {
		pair_recv(rd.b, i, DST, 3000);
		pair_send(rd.a, i, 0, SRC, 3000);
	}
	pair_settle();
	pair_expect(&rd.a->send_cq, 4, IB_WC_REM_OP_ERR);
	for (i = 0; i < 4; i++)
		pair_expect(&rd.b->recv_cq, i, IB_WC_SUCCESS);
	pair_expect_none(&rd.b->recv_cq);
	ck_assert_uint_eq(rd.qb[0]->common.state, IB_QPS_ERR);
	ck_assert_uint_eq(rd.b->events[HCA_QP_FATAL], 1);
	ck_assert_uint_eq(rd.b->cq_errors, 1);
	rd_use(&rd, 1);
	pair_rdma(rd.a, rd.b, 9, IB_UVERBS_WR_RDMA_WRITE, HCA_WQE_SIGNALED, SRC, DST, 3000);
	pair_settle();
	pair_expect(&rd.a->send_cq, 9, IB_WC_SUCCESS);
	rd_free(&rd);
}
END_TEST

/* C4-287: no packet on VL15 reaches an EE context; on a data VL the request does. */
START_TEST(not_by_vl15)
{
	struct rd rd = rd_new(&pair_rd);
	struct hca_headers h = {
		.lrh = { .slid = 1, .dlid = 2, .lnh = IB_LNH_IBA_LOCAL, .vl = HCA_VL_MANAGEMENT },
		.bth = { .opcode = HCA_OPCODE(RD, SEND_ONLY), .pkey = 0xffff,
			 .destqp = rd.qb[0]->qpn, .psn = pair_rd.psn[0] },
		.rdeth_eecn = rd.b->rd_eec->eecn,
		.deth = { .qkey = PAIR_QKEY, .srcqp = rd.qa[0]->qpn },
	};

	rd_recv(&rd, 0, 7, 100);
	trace_inject(rd.pair, 1, &h, 20);
	pair_expect_none(&rd.b->recv_cq);
	h.lrh.vl = 0;
	trace_inject(rd.pair, 1, &h, 20);
	pair_expect(&rd.b->recv_cq, 7, IB_WC_SUCCESS);
	rd_free(&rd);
}
END_TEST

Suite *rd_errors_suite(void)
{
	Suite *suite = suite_create("rd_errors");
	TCase *tc = tcase_create("errors");

	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, invalid_request, 0, NUM_BAD_DESTS * NUM_REQUESTS);
	tcase_add_loop_test(tc, wrong_eec, 0, NUM_BAD_EECS);
	tcase_add_loop_test(tc, remote_error, 0, sizeof(remote_errors) / sizeof(remote_errors[0]));
	tcase_add_loop_test(tc, retries_end, 0, 2);
	tcase_add_loop_test(tc, fails_without_completion, 0, 2);
	tcase_add_loop_test(tc, struck_after_n_packets, 0, 2 * NUM_BLOWS);
	tcase_add_test(tc, read_again_refused);
	tcase_add_loop_test(tc, read_of_one_that_goes, 0, 3);
	tcase_add_test(tc, reset_and_back);
	tcase_add_test(tc, not_by_vl15);
	tcase_add_loop_test(tc, completion_overflow, 0, 2);
	tcase_add_test(tc, receiver_overflow);
	suite_add_tcase(suite, tc);
	return suite;
}
