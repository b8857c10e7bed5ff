// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Queue pairs, SRQs and CQs of a carrier that is not InfiniBand's: kernel/qp by itself. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <linux/bottom_half.h>
#include <linux/err.h>
#include "qp/limits.h"
#include "qp/srq.h"
#include "qp/vendor_err.h"
#include "qp/view.h"
#include "shim.h"
#include "tests/consumer/consumer.h"
#include "tests/unit/qp/toy_carrier.h"
#include "tests/unit/suites.h"

#define BASE 0x70000u /* address of the MR */
#define PAGES 4
#define ENTRIES 8
#define NO_SRQ NULL

static struct {
	struct toy toy;
	struct hca_qp *a, *b;
	struct hca_cq send_cq, recv_cq;
	struct hca_srq srq;
	u8 *memory;
	struct hca_tpt_entry *mr;
	unsigned int cq_errors, srq_events;
} t;

static void carrier_notify(struct hca_cq *cq) { }
static void carrier_cq_error(struct hca_cq *cq) { t.cq_errors++; }
static void carrier_srq_event(struct hca_srq *srq, enum hca_srq_event event) { t.srq_events++; }

static void carrier_cq(struct hca_cq *cq, u32 cqe)
{
	cq->notify = carrier_notify;
	cq->error = carrier_cq_error;
	ck_assert_int_eq(hca_cq_init(cq, cqe, false), 0);
}

static void carrier_register(void)
{
	struct hca_tpt_entry mr = {
		.iova = BASE,
		.length = PAGES * PAGE_SIZE,
		.pd = &t,
		.access = IB_UVERBS_ACCESS_LOCAL_WRITE | IB_UVERBS_ACCESS_REMOTE_WRITE |
			  IB_UVERBS_ACCESS_REMOTE_READ,
	};
	u32 i;

	t.memory = aligned_alloc(PAGE_SIZE, PAGES * PAGE_SIZE);
	mr.page = calloc(PAGES, sizeof(*mr.page));
	for (i = 0; i < PAGES; i++)
		mr.page[i] = t.memory + i * PAGE_SIZE;
	for (i = 0; i < PAGES * PAGE_SIZE; i++)
		t.memory[i] = i * 2654435761u >> 13;
	t.mr = consumer_reg_mr(&t.toy.ci, &mr);
	ck_assert_ptr_nonnull(t.mr);
}

static struct hca_qp *carrier_qp(struct hca_srq *srq)
{
	struct hca_qp_init init = {
		.type = IB_QPT_RC,
		.max_send_wr = ENTRIES,
		.max_recv_wr = ENTRIES,
		.max_send_sge = 2,
		.max_recv_sge = 2,
		.max_inline = 64,
		.pd = &t,
		.srq = srq,
		.send_cq = &t.send_cq,
		.recv_cq = &t.recv_cq,
		.owner = &t,
	};
	struct hca_qp *qp = consumer_create_qp(&t.toy.ci, &init);

	ck_assert(!IS_ERR(qp));
	return qp;
}

static int carrier_modify(struct hca_qp *qp, enum ib_qp_state state)
{
	struct hca_qp_attr attr = { .state = state };

	return hca_qp_modify(qp, &attr, IB_QP_STATE);
}

static void carrier_begin(u32 cqe, bool with_srq)
{
	memset(&t, 0, sizeof(t));
	shim_reset(1);
	ck_assert_int_eq(hca_engine_start(), 0);
	ck_assert_int_eq(toy_init(&t.toy), 0);
	carrier_cq(&t.send_cq, cqe);
	carrier_cq(&t.recv_cq, cqe);
	carrier_register();
	t.srq.notify = carrier_srq_event;
	t.srq.pd = &t;
	if (with_srq)
		ck_assert_int_eq(hca_srq_init(&t.srq, ENTRIES, 2, 0), 0);
	t.a = carrier_qp(NO_SRQ);
	t.b = carrier_qp(with_srq ? &t.srq : NO_SRQ);
	ck_assert_int_eq(carrier_modify(t.a, IB_QPS_INIT), 0);
	ck_assert_int_eq(carrier_modify(t.b, IB_QPS_INIT), 0);
	toy_qp(t.a)->dest_qpn = t.b->qpn;
	toy_qp(t.b)->dest_qpn = t.a->qpn;
}

static void carrier_start(u32 cqe, bool with_srq)
{
	carrier_begin(cqe, with_srq);
	ck_assert_int_eq(carrier_modify(t.a, IB_QPS_RTS), 0);
	ck_assert_int_eq(carrier_modify(t.b, IB_QPS_RTS), 0);
}

static void carrier_end(void)
{
	void **page = t.mr->page;

	hca_qp_destroy(t.a);
	hca_qp_destroy(t.b);
	if (t.srq.rq.size)
		hca_srq_destroy(&t.srq);
	ck_assert_int_eq(hca_tpt_entry_remove(&t.toy.ci.tpt, t.mr), 0);
	hca_cq_destroy(&t.send_cq);
	hca_cq_destroy(&t.recv_cq);
	hca_ci_destroy(&t.toy.ci);
	hca_engine_stop();
	shim_quiesce();
	ck_assert_uint_eq(shim_live_allocations(), 0);
	free(page);
	free(t.memory);
}

static void carrier_write_sge(struct hca_sge *sge, u32 offset, u32 length)
{
	*sge = (struct hca_sge){ .addr = BASE + offset, .length = length, .lkey = t.mr->key };
}

/* Write a request into a's ring, but do not publish it. */
static struct hca_send_wqe *carrier_write(u8 opcode, u64 wr_id, u32 offset, u32 length)
{
	struct hca_send_wqe *wqe = hca_queue_entry(&t.a->sq, t.a->sq.ring->producer);

	memset(wqe, 0, sizeof(*wqe));
	wqe->wr_id = wr_id;
	wqe->opcode = opcode;
	wqe->flags = HCA_WQE_SIGNALED;
	wqe->num_sge = 1;
	carrier_write_sge((struct hca_sge *)((u8 *)wqe + HCA_SEND_WQE_HEADER), offset, length);
	return wqe;
}

static void carrier_publish(void)
{
	t.a->sq.ring->producer++;
	consumer_ring(t.a, t.a->sq.ring);
}

static void carrier_post(u8 opcode, u64 wr_id, u32 offset, u32 length, u32 remote)
{
	struct hca_send_wqe *wqe = carrier_write(opcode, wr_id, offset, length);

	wqe->rdma.remote_addr = BASE + remote;
	wqe->rdma.rkey = t.mr->key;
	carrier_publish();
}

static void carrier_recv(struct hca_queue *rq, u64 wr_id, u32 offset, u32 length)
{
	struct hca_recv_wqe *wqe = hca_queue_entry(rq, rq->ring->producer);

	wqe->wr_id = wr_id;
	wqe->num_sge = 1;
	carrier_write_sge(&wqe->sge[0], offset, length);
	rq->ring->producer++;
	consumer_ring(t.b, rq->ring);
}

static void carrier_expect(struct hca_cq *cq, u64 wr_id, enum ib_wc_status status, u8 vendor_err)
{
	struct hca_cqe cqe;

	ck_assert(consumer_poll_cq(cq, &cqe));
	ck_assert_uint_eq(cqe.wr_id, wr_id);
	ck_assert_uint_eq(cqe.status, status);
	ck_assert_uint_eq(cqe.vendor_err, vendor_err);
}

static void carrier_expect_ok(struct hca_cq *cq, u64 wr_id)
{
	carrier_expect(cq, wr_id, IB_WC_SUCCESS, HCA_VENDOR_ERR_NONE);
}

static void carrier_expect_none(void)
{
	struct hca_cqe cqe;

	ck_assert(!consumer_poll_cq(&t.send_cq, &cqe));
	ck_assert(!consumer_poll_cq(&t.recv_cq, &cqe));
}

static bool carrier_same(u32 a, u32 b, u32 length)
{
	return !memcmp(t.memory + a, t.memory + b, length);
}

START_TEST(messages)
{
	carrier_start(ENTRIES, false);
	carrier_recv(&t.b->rq, 1, 8192, 5000);
	carrier_post(IB_UVERBS_WR_SEND, 2, 100, 4500, 0);
	carrier_expect_ok(&t.recv_cq, 1);
	carrier_expect_ok(&t.send_cq, 2);
	ck_assert(carrier_same(100, 8192, 4500));
	ck_assert(!carrier_same(100 + 4500, 8192 + 4500, 500));

	carrier_post(IB_UVERBS_WR_RDMA_WRITE, 3, 0, 4000, 12000);
	carrier_expect_ok(&t.send_cq, 3);
	ck_assert(carrier_same(0, 12000, 4000));
	carrier_post(IB_UVERBS_WR_RDMA_READ, 4, 4096, 1000, 12000);
	carrier_expect_ok(&t.send_cq, 4);
	ck_assert(carrier_same(4096, 12000, 1000));
	carrier_expect_none();
	carrier_end();
}
END_TEST

/* The ring is used several times over. */
START_TEST(many)
{
	u64 i;

	carrier_start(ENTRIES, false);
	for (i = 0; i < 5 * ENTRIES; i++) {
		carrier_recv(&t.b->rq, i, 8192, 64);
		carrier_post(IB_UVERBS_WR_SEND, i, i, 64, 0);
		carrier_expect_ok(&t.recv_cq, i);
		carrier_expect_ok(&t.send_cq, i);
		ck_assert(carrier_same(i, 8192, 64));
	}
	carrier_end();
}
END_TEST

/* The carrier has no atomics: the request fails, and those behind it are flushed. */
START_TEST(unknown_request)
{
	carrier_start(ENTRIES, false);
	carrier_recv(&t.b->rq, 1, 8192, 64);
	carrier_write(IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD, 2, 0, 8);
	t.a->sq.ring->producer++;
	carrier_write(IB_UVERBS_WR_SEND, 3, 0, 8);
	carrier_publish();
	carrier_expect(&t.send_cq, 2, IB_WC_LOC_QP_OP_ERR, HCA_VENDOR_ERR_OPCODE);
	carrier_expect(&t.send_cq, 3, IB_WC_WR_FLUSH_ERR, HCA_VENDOR_ERR_FLUSH_ERROR);
	carrier_expect_none();
	ck_assert_uint_eq(t.a->common.state, IB_QPS_ERR);
	ck_assert_uint_eq(t.b->common.state, IB_QPS_RTS);
	carrier_end();
}
END_TEST

/* The longest message is the carrier's, not InfiniBand's. */
START_TEST(message_length)
{
	carrier_start(ENTRIES, false);
	carrier_post(IB_UVERBS_WR_RDMA_WRITE, 1, 0, TOY_MAX_MESSAGE, 8192);
	carrier_expect_ok(&t.send_cq, 1);
	carrier_post(IB_UVERBS_WR_RDMA_WRITE, 2, 0, TOY_MAX_MESSAGE + 1, 8192);
	carrier_expect(&t.send_cq, 2, hca_vendor_err_status(HCA_VENDOR_ERR_MESSAGE_LENGTH),
		       HCA_VENDOR_ERR_MESSAGE_LENGTH);
	carrier_end();
}
END_TEST

/* The carrier says that the sink of a Read needs another right, which the MR lacks. */
START_TEST(sink_of_read)
{
	carrier_start(ENTRIES, false);
	t.mr->access &= ~IB_UVERBS_ACCESS_REMOTE_WRITE;
	carrier_post(IB_UVERBS_WR_RDMA_READ, 1, 0, 100, 8192);
	carrier_expect(&t.send_cq, 1, IB_WC_LOC_PROT_ERR, HCA_VENDOR_ERR_LKEY_ACCESS);
	carrier_end();
}
END_TEST

static const struct {
	enum ib_qp_state state;
	bool post_send, post_recv;
	u8 flush_send, flush_recv; /* enum hca_vendor_err; 0: not flushed */
} meanings[] = {
	{ IB_QPS_SQD, false, false, 0, HCA_VENDOR_ERR_FLUSH_ERROR },
	{ IB_QPS_SQE, false, false, HCA_VENDOR_ERR_FLUSH_SQE, HCA_VENDOR_ERR_FLUSH_ERROR },
	{ IB_QPS_ERR, true, true, HCA_VENDOR_ERR_FLUSH_ERROR, HCA_VENDOR_ERR_FLUSH_ERROR },
};

/* The carrier's rows say what SQD and SQE mean; InfiniBand flushes no receive in either. */
START_TEST(meaning)
{
	typeof(&meanings[0]) row = &meanings[_i];

	carrier_start(ENTRIES, false);
	carrier_recv(&t.b->rq, 1, 0, 8);
	ck_assert_int_eq(carrier_modify(t.b, row->state), 0);
	if (row->flush_recv)
		carrier_expect(&t.recv_cq, 1, IB_WC_WR_FLUSH_ERR, row->flush_recv);
	ck_assert_int_eq(hca_qp_post_send_ok(t.b), row->post_send ? 0 : -EINVAL);
	ck_assert_int_eq(hca_qp_post_recv_ok(t.b), row->post_recv ? 0 : -EINVAL);

	ck_assert_int_eq(carrier_modify(t.a, row->state), 0);
	carrier_write(IB_UVERBS_WR_SEND, 2, 0, 8);
	carrier_publish();
	if (row->flush_send)
		carrier_expect(&t.send_cq, 2, IB_WC_WR_FLUSH_ERR, row->flush_send);
	carrier_expect_none();
	carrier_end();
}
END_TEST

/* Requests that are posted early wait for RTS: this carrier accepts them in INIT. */
START_TEST(posted_early)
{
	carrier_begin(ENTRIES, false);
	ck_assert_int_eq(hca_qp_post_send_ok(t.a), 0);
	carrier_recv(&t.b->rq, 1, 8192, 8);
	carrier_post(IB_UVERBS_WR_SEND, 2, 0, 8, 0);
	carrier_expect_none();
	ck_assert_int_eq(carrier_modify(t.b, IB_QPS_RTS), 0);
	carrier_expect_none();
	ck_assert_int_eq(carrier_modify(t.a, IB_QPS_RTS), 0);
	carrier_expect_ok(&t.recv_cq, 1);
	carrier_expect_ok(&t.send_cq, 2);
	carrier_end();
}
END_TEST

START_TEST(reset)
{
	struct hca_qp_attr attr;

	carrier_start(ENTRIES, false);
	carrier_recv(&t.b->rq, 1, 8192, 8);
	ck_assert_int_eq(carrier_modify(t.b, IB_QPS_RESET), 0);
	hca_qp_query(t.b, &attr);
	ck_assert_uint_eq(attr.state, IB_QPS_RESET);
	ck_assert_uint_eq(t.b->rq.ring->producer, 0);
	ck_assert_int_eq(carrier_modify(t.b, IB_QPS_RTS), -EINVAL);
	carrier_expect_none();
	carrier_end();
}
END_TEST

START_TEST(shared_receives)
{
	struct hca_queue next = {};

	carrier_start(ENTRIES, true);
	carrier_recv(&t.srq.rq, 1, 8192, 64);
	carrier_recv(&t.srq.rq, 2, 8192 + 64, 64);
	carrier_post(IB_UVERBS_WR_SEND, 3, 0, 64, 0);
	carrier_expect_ok(&t.recv_cq, 1);
	carrier_expect_ok(&t.send_cq, 3);

	/* Request 2 stays in the SRQ that gets another ring. */
	ck_assert_int_eq(hca_queue_alloc(&next, 4 * ENTRIES, t.srq.rq.stride, false), 0);
	ck_assert_int_eq(hca_srq_resize(&t.srq, &next, NULL), 0);
	hca_queue_free(&next);
	ck_assert_uint_eq(t.srq.rq.entries, 4 * ENTRIES);
	carrier_post(IB_UVERBS_WR_SEND, 4, 64, 64, 0);
	carrier_expect_ok(&t.recv_cq, 2);
	carrier_expect_ok(&t.send_cq, 4);
	ck_assert(carrier_same(0, 8192, 128));

	/* The requests of an SRQ are not flushed; there is an event instead. */
	carrier_recv(&t.srq.rq, 5, 8192, 64);
	ck_assert_int_eq(carrier_modify(t.b, IB_QPS_ERR), 0);
	carrier_expect_none();
	ck_assert_uint_eq(t.toy.events[HCA_QP_LAST_WQE_REACHED], 1);
	carrier_end();
}
END_TEST

START_TEST(resized_cq)
{
	struct hca_queue next = {};

	carrier_start(2, false);
	carrier_post(IB_UVERBS_WR_RDMA_WRITE, 1, 0, 8, 8192);
	carrier_post(IB_UVERBS_WR_RDMA_WRITE, 2, 0, 8, 8192);
	ck_assert_int_eq(hca_queue_alloc(&next, 4, sizeof(struct hca_cqe), false), 0);
	ck_assert_int_eq(hca_cq_resize(&t.send_cq, &next), 0);
	hca_cq_resized(&t.send_cq);
	hca_queue_free(&next);
	carrier_post(IB_UVERBS_WR_RDMA_WRITE, 3, 0, 8, 8192);
	carrier_expect_ok(&t.send_cq, 1);
	carrier_expect_ok(&t.send_cq, 2);
	carrier_expect_ok(&t.send_cq, 3);
	carrier_end();
}
END_TEST

/* A full CQ ends the work of the queue pair, with an event of both. */
START_TEST(full_cq)
{
	carrier_start(2, false);
	carrier_post(IB_UVERBS_WR_RDMA_WRITE, 1, 0, 8, 8192);
	carrier_post(IB_UVERBS_WR_RDMA_WRITE, 2, 0, 8, 8192);
	ck_assert_uint_eq(t.toy.events[HCA_QP_FATAL], 0);
	carrier_post(IB_UVERBS_WR_RDMA_WRITE, 3, 0, 8, 8192);
	ck_assert_uint_eq(t.toy.events[HCA_QP_FATAL], 1);
	ck_assert_uint_eq(t.cq_errors, 1);
	ck_assert_uint_eq(t.a->common.state, IB_QPS_ERR);
	carrier_end();
}
END_TEST

/* The device is removed: queue pairs are found by their numbers, and set to Error. */
START_TEST(fails)
{
	carrier_start(ENTRIES, false);
	local_bh_disable();
	ck_assert_ptr_eq(hca_qp_find(&t.toy.ci, t.a->qpn), t.a);
	ck_assert_ptr_null(hca_qp_find(&t.toy.ci, t.a->qpn ^ 1u << HCA_QPN_INDEX_BITS));
	local_bh_enable();
	carrier_recv(&t.b->rq, 1, 8192, 8);
	hca_ci_fail(&t.toy.ci);
	carrier_expect(&t.recv_cq, 1, IB_WC_WR_FLUSH_ERR, HCA_VENDOR_ERR_FLUSH_ERROR);
	ck_assert_uint_eq(t.a->common.state, IB_QPS_ERR);
	carrier_end();
}
END_TEST

START_TEST(seen)
{
	struct hca_qp_counters counters = {};
	struct hca_qp_view view;
	int i;

	carrier_start(ENTRIES, false);
	for (i = 0; i < 3; i++) {
		t.toy.ci.ops->bind_counters(t.b, i == 1 ? &counters : NULL);
		carrier_recv(&t.b->rq, i, 8192, 8);
		carrier_post(IB_UVERBS_WR_SEND, i, 0, 8, 0);
		carrier_expect_ok(&t.recv_cq, i);
		carrier_expect_ok(&t.send_cq, i);
	}
	ck_assert_int_eq(atomic64_read(&counters.count[0]), 1);
	t.toy.ci.ops->view(t.a, &view);
	ck_assert_uint_eq(view.state, IB_QPS_RTS);
	ck_assert_uint_eq(view.sq_done, 3);
	carrier_end();
}
END_TEST

Suite *carrier_suite(void)
{
	Suite *suite = suite_create("carrier");
	TCase *tcase = tcase_create("carrier");

	tcase_add_test(tcase, messages);
	tcase_add_test(tcase, many);
	tcase_add_test(tcase, unknown_request);
	tcase_add_test(tcase, message_length);
	tcase_add_test(tcase, sink_of_read);
	tcase_add_loop_test(tcase, meaning, 0, sizeof(meanings) / sizeof(meanings[0]));
	tcase_add_test(tcase, posted_early);
	tcase_add_test(tcase, reset);
	tcase_add_test(tcase, shared_receives);
	tcase_add_test(tcase, resized_cq);
	tcase_add_test(tcase, full_cq);
	tcase_add_test(tcase, fails);
	tcase_add_test(tcase, seen);
	suite_add_tcase(suite, tcase);
	return suite;
}
