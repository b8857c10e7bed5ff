// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Completion queues that several connections share are resized while messages are on their way. */
#include <check.h>
#include <stdlib.h>
#include <linux/slab.h>
#include "tests/unit/fixture/pair.h"
#include "tests/unit/suites.h"

#define QPS 4
#define WINDOW 8 /* requests of a queue pair that are posted and not polled */
#define RESIZES 1000
#define BYTES 3000 /* 3 packets */

/* One of the two CQs: the senders' or the receivers'. */
struct side {
	struct pair_end *end;
	struct hca_cq *cq;
	struct hca_qp *qp[QPS];
	u32 posted[QPS], polled[QPS];
	struct hca_queue former; /* between the two steps of a resize */
	bool resizing;
};

static struct {
	struct side send, recv;
	unsigned int resizes, grown, shrunk, refused, under_way;
	bool cut; /* packets are lost, until the CQs have been resized */
	unsigned int pass; /* packets that are not lost, so that retries get on */
	bool quiet; /* nothing is resized any more */
} t;

/* The sum of what is posted fits into the smallest size, so that no CQ can overflow. */
static u32 some_size(void)
{
	return QPS * WINDOW << rand() % 6;
}

static u32 unpolled(const struct side *s)
{
	return s->cq->queue.ring->producer - s->cq->queue.ring->consumer;
}

static void second_step(struct side *s)
{
	hca_cq_resized(s->cq);
	hca_queue_free(&s->former);
	s->resizing = false;
}

static void first_step(struct side *s, u32 cqe)
{
	u32 before = s->cq->cqe, present = unpolled(s);

	memset(&s->former, 0, sizeof(s->former));
	ck_assert_int_eq(hca_queue_alloc(&s->former, cqe, sizeof(struct hca_cqe), false), 0);
	/* R0-485: the outcome follows from the sizes alone, whatever is outstanding. */
	ck_assert_int_eq(hca_cq_resize(s->cq, &s->former), 0);
	ck_assert_uint_eq(s->cq->cqe, cqe);
	ck_assert_uint_eq(unpolled(s), present);
	s->resizing = true;
	t.resizes++;
	t.grown += cqe > before;
	t.shrunk += cqe < before;
}

/* R0-079, R0-445: fewer entries than completions: refused, and the size stays. */
static void too_few(struct side *s)
{
	struct hca_queue queue = {};
	u32 before = s->cq->cqe, present = unpolled(s), cqe = 1;

	if (present < 2 || s->resizing)
		return;
	while (cqe * 2 < present)
		cqe *= 2;
	ck_assert_int_eq(hca_queue_alloc(&queue, cqe, sizeof(struct hca_cqe), false), 0);
	ck_assert_int_eq(hca_cq_resize(s->cq, &queue), -EINVAL);
	hca_queue_free(&queue);
	ck_assert_uint_eq(s->cq->cqe, before);
	ck_assert_uint_eq(unpolled(s), present);
	t.refused++;
}

static void maybe_resize(struct side *s)
{
	if (s->resizing)
		second_step(s);
	else if (rand() % 4)
		first_step(s, some_size());
	else
		too_few(s);
}

/* A message stops at any packet: then the process resizes, and retries continue the message. */
static bool stop_somewhere(struct pair *pair, int receiver, const struct hca_packet *pkt)
{
	(void)pair;
	(void)receiver;
	(void)pkt;
	if (t.pass)
		t.pass--;
	else
		t.cut |= !t.quiet && rand() % 16 == 0;
	return !t.cut;
}

static void resize_some(void)
{
	t.under_way += t.cut;
	maybe_resize(rand() % 2 ? &t.send : &t.recv);
	if (!t.cut)
		return;
	t.cut = false;
	t.pass = 40;
	pair_wait(100);
}

static void use(struct side *s, unsigned int i)
{
	s->end->qp = s->qp[i];
}

static u64 wr_id(unsigned int i, u32 n) { return (u64)i << 32 | n; }

static void post(unsigned int i)
{
	if (t.recv.posted[i] - t.recv.polled[i] >= WINDOW ||
	    t.send.posted[i] - t.send.polled[i] >= WINDOW)
		return;
	use(&t.recv, i);
	pair_recv(t.recv.end, wr_id(i, t.recv.posted[i]++), DST + i * BYTES, BYTES);
	use(&t.send, i);
	pair_send(t.send.end, wr_id(i, t.send.posted[i]++), HCA_WQE_SIGNALED, SRC, BYTES);
}

/*
 * R0-077, R0-088, R0-090: of each queue pair the next one, and no other. A process that resizes its
 * queue polls nothing meanwhile.
 */
static void poll_some(struct side *s, u32 n)
{
	struct hca_cqe cqe;

	if (s->resizing)
		second_step(s);
	while (n-- && pair_poll(s->cq, &cqe)) {
		unsigned int i = cqe.wr_id >> 32;

		ck_assert_uint_lt(i, QPS);
		/* B4-250, R0-088, R0-090 */
		ck_assert_uint_eq(cqe.wr_id, wr_id(i, s->polled[i]++));
		ck_assert_uint_eq(cqe.status, IB_WC_SUCCESS);
		ck_assert_uint_eq(cqe.qp_num, s->qp[i]->qpn);
	}
}

static void connect(struct pair *pair)
{
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	unsigned int i;

	t.send = (struct side){ .end = a, .cq = &a->send_cq, .qp = { a->qp } };
	t.recv = (struct side){ .end = b, .cq = &b->recv_cq, .qp = { b->qp } };
	for (i = 1; i < QPS; i++) {
		t.send.qp[i] = a->more[i] = pair_create_qp(a, &pair_rc);
		t.recv.qp[i] = b->more[i] = pair_create_qp(b, &pair_rc);
		pair_connect(a->more[i], &pair_rc, b->more[i]->qpn, pair_lid(1, 1), i, i);
		pair_connect(b->more[i], &pair_rc, a->more[i]->qpn, pair_lid(0, 1), i, i);
	}
}

static void all_polled(struct side *s)
{
	unsigned int i;

	poll_some(s, ~0u);
	for (i = 0; i < QPS; i++) {
		ck_assert_uint_eq(s->polled[i], s->posted[i]);
		ck_assert_uint_eq(s->qp[i]->common.state, IB_QPS_RTS);
	}
	use(s, 0);
}

/*
 * R0-077, R0-485, T0-012: both CQs of four connections are resized, up and down, a thousand times,
 * in the middle of messages, too: each request completes once, in order, and no error comes of it.
 * @_i: a seed
 */
START_TEST(resized)
{
	struct pair *pair = pair_new(&pair_rc);
	unsigned int i;

	srand(_i);
	memset(&t, 0, sizeof(t));
	connect(pair);
	pair->filter = stop_somewhere;
	while (t.resizes < RESIZES) {
		post(rand() % QPS);
		if (t.cut || rand() % 2)
			resize_some();
		if (rand() % 8 == 0)
			poll_some(&t.send, rand() % (2 * WINDOW));
		if (rand() % 8 == 0)
			poll_some(&t.recv, rand() % (2 * WINDOW));
	}
	t.quiet = true;
	t.cut = false;
	for (i = 0; i < 50; i++)
		pair_wait(100);
	all_polled(&t.send);
	all_polled(&t.recv);
	ck_assert_uint_gt(t.grown, RESIZES / 4);
	ck_assert_uint_gt(t.shrunk, RESIZES / 4);
	ck_assert_uint_gt(t.refused, 10);
	ck_assert_uint_gt(t.under_way, RESIZES / 8);
	for (i = 0; i < 2; i++) {
		ck_assert_uint_eq(pair->end[i].cq_errors, 0); /* R0-078 */
		ck_assert_uint_eq(pair->end[i].events[HCA_QP_FATAL], 0);
	}
	pair_free(pair);
}
END_TEST

Suite *cq_traffic_suite(void)
{
	Suite *suite = suite_create("cq_traffic");
	TCase *tc = tcase_create("cq_traffic");

	tcase_add_loop_test(tc, resized, 0, 16);
	suite_add_tcase(suite, tc);
	return suite;
}
