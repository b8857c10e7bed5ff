// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Shared receive queues: the assignment of requests, the keys that apply, the limit, and the end of
 * one of the queue pairs.
 */
#include <check.h>
#include <string.h>
#include <linux/bottom_half.h>
#include <linux/errno.h>
#include "tests/unit/fixture/pair.h"
#include "tests/unit/suites.h"
#include "wire/opcode.h"

#define USERS 3

/* Several connections between the two ends; those at @b share one receive queue. */
struct shared {
	struct pair *pair;
	struct pair_end *a, *b;
	struct hca_srq srq;
	struct hca_qp *from[USERS], *to[USERS];
};

static void srq_make(struct shared *s, u32 max_wr, u32 limit, const void *pd)
{
	memset(&s->srq, 0, sizeof(s->srq));
	s->srq.notify = pair_srq_event;
	s->srq.pd = pd;
	s->srq.context = s->b;
	ck_assert_int_eq(hca_srq_init(&s->srq, max_wr, 4, limit), 0);
}

static void shared_new(struct shared *s, const struct pair_qp *how, u32 max_wr, u32 limit)
{
	unsigned int i;

	s->pair = pair_new(how);
	s->a = &s->pair->end[0];
	s->b = &s->pair->end[1];
	srq_make(s, max_wr, limit, s->b);
	for (i = 0; i < USERS; i++) {
		s->from[i] = pair_qp_new(s->a, how, NULL);
		s->to[i] = pair_qp_new(s->b, how, &s->srq);
		pair_connect(s->from[i], how, s->to[i]->qpn, 2, 100 * i, 0);
		pair_connect(s->to[i], how, s->from[i]->qpn, 1, 0, 100 * i);
	}
}

static void shared_free(struct shared *s)
{
	unsigned int i;

	for (i = 0; i < USERS; i++) {
		if (s->from[i])
			hca_qp_destroy(s->from[i]);
		if (s->to[i])
			hca_qp_destroy(s->to[i]);
	}
	hca_srq_destroy(&s->srq);
	pair_free(s->pair);
}

/* Send by the connection @i. */
static void shared_send(struct shared *s, unsigned int i, u64 wr_id, u32 length)
{
	struct hca_qp *own = s->a->qp;

	s->a->qp = s->from[i];
	s->a->to_qpn = s->to[i]->qpn; /* reliable datagrams require it */
	if (own->type == IB_QPT_UD) {
		struct hca_send_wqe *wqe = pair_wqe(s->a, wr_id, IB_UVERBS_WR_SEND,
						    HCA_WQE_SIGNALED);

		wqe->ud.av.dlid = 2;
		wqe->ud.av.port_num = 1;
		wqe->ud.remote_qpn = s->to[i]->qpn;
		wqe->ud.remote_qkey = 0x1111;
		pair_sge(s->a, wqe, SRC, length);
		pair_post(s->a);
	} else {
		pair_send(s->a, wr_id, HCA_WQE_SIGNALED, SRC, length);
	}
	s->a->qp = own;
}

static void received(struct shared *s, unsigned int i, u64 wr_id)
{
	struct hca_cqe cqe;

	ck_assert(pair_poll(&s->b->recv_cq, &cqe));
	ck_assert_uint_eq(cqe.status, IB_WC_SUCCESS);
	ck_assert_uint_eq(cqe.wr_id, wr_id);
	ck_assert_uint_eq(cqe.qp_num, s->to[i]->qpn);
}

static const struct pair_qp *const kinds[] = { &pair_rc, &pair_ud, &pair_rd };

/*
 * R0-210, R0-228: any queue pair consumes any request, in the order of posting; its own CQ reports
 * it.
 */
START_TEST(anybody_takes)
{
	static const unsigned int order[] = { 0, 1, 2, 2, 1, 0, 1, 1, 1 };
	struct shared s;
	unsigned int n;

	shared_new(&s, kinds[_i], 16, 0);
	pair_fill(s.a, SRC, 4000, 7);
	for (n = 0; n < sizeof(order) / sizeof(order[0]); n++)
		pair_srq_recv(s.b, &s.srq, n, DST + n * 8192, 8192);
	for (n = 0; n < sizeof(order) / sizeof(order[0]); n++) {
		shared_send(&s, order[n], n, 4000);
		received(&s, order[n], n);
		pair_expect(&s.a->send_cq, n, IB_WC_SUCCESS);
		ck_assert(pair_same(s.a, SRC, s.b,
				    DST + n * 8192 + (kinds[_i] == &pair_ud ? 40 : 0), 4000));
	}
	ck_assert_uint_eq(s.srq.rq.ring->consumer, n);
	shared_free(&s);
}
END_TEST

/*
 * The packets of several messages are interleaved: each queue pair keeps the request that it has
 * consumed.
 */
START_TEST(messages_interleave)
{
	struct shared s;
	struct hca_cqe cqe;
	unsigned int n, i;

	shared_new(&s, &pair_rc, 64, 0);
	pair_fill(s.a, SRC, 100000, 3);
	for (n = 0; n < USERS; n++)
		pair_srq_recv(s.b, &s.srq, n, DST + n * 100000, 100000);
	for (i = 0; i < USERS; i++) {
		/* doorbells are rung only after all have been posted */
		s.from[i]->sq.ring->need_wakeup = 0;
		shared_send(&s, i, i, 100000);
	}
	local_bh_disable();
	for (i = 0; i < USERS; i++)
		hca_qp_kick(s.from[i]);
	hca_engine_run();
	local_bh_enable();
	pair_settle();
	ck_assert_uint_eq(s.srq.rq.ring->consumer, USERS);
	for (n = 0; n < USERS; n++) {
		ck_assert(pair_poll(&s.b->recv_cq, &cqe));
		ck_assert_uint_eq(cqe.wqes, 0); /* its entry was freed when it was consumed */
		ck_assert_uint_eq(cqe.status, IB_WC_SUCCESS);
		ck_assert(pair_same(s.a, SRC, s.b, DST + cqe.wr_id * 100000, 100000));
	}
	shared_free(&s);
}
END_TEST

/* R0-229: while the queue is empty the receiver is not ready. */
START_TEST(empty_is_rnr)
{
	struct shared s;

	shared_new(&s, kinds[2 * _i], 4, 0);
	shared_send(&s, 1, 9, 5000);
	pair_wait(5);
	pair_expect_none(&s.a->send_cq);
	pair_srq_recv(s.b, &s.srq, 77, DST, 5000);
	pair_wait(50);
	received(&s, 1, 77);
	pair_expect(&s.a->send_cq, 9, IB_WC_SUCCESS);
	shared_free(&s);
}
END_TEST

/* R0-221, R0-227: an entry is free as soon as its request has been consumed. */
START_TEST(wraps)
{
	struct shared s;
	unsigned int n;

	shared_new(&s, &pair_rc, 4, 0);
	for (n = 0; n < 3; n++)
		pair_srq_recv(s.b, &s.srq, n, DST, 64);
	for (n = 0; n < 100; n++) {
		pair_srq_recv(s.b, &s.srq, n + 3, DST, 64);
		shared_send(&s, n % USERS, n, 64);
		received(&s, n % USERS, n);
	}
	shared_free(&s);
}
END_TEST

/* R0-212: the send queue of a queue pair with an SRQ is as any other. */
START_TEST(sends_too)
{
	struct shared s;
	struct hca_qp *own_a, *own_b;
	unsigned int i;

	shared_new(&s, kinds[2 * _i], 4, 0);
	own_a = s.a->qp;
	own_b = s.b->qp;
	pair_fill(s.b, SRC, 3000, 5);
	for (i = 0; i < USERS; i++) {
		s.a->qp = s.from[i];
		s.b->qp = s.to[i];
		s.b->to_qpn = s.from[i]->qpn; /* reliable datagrams require it */
		pair_recv(s.a, i, DST, 3000);
		pair_send(s.b, 10 + i, HCA_WQE_SIGNALED, SRC, 3000);
		pair_settle();
		pair_expect(&s.b->send_cq, 10 + i, IB_WC_SUCCESS);
		pair_expect(&s.a->recv_cq, i, IB_WC_SUCCESS);
		ck_assert(pair_same(s.b, SRC, s.a, DST, 3000));
	}
	s.a->qp = own_a;
	s.b->qp = own_b;
	shared_free(&s);
}
END_TEST

#define MESSAGES 8

static u32 length_of(unsigned int user, unsigned int n)
{
	return (n * 1777 + user * 600) % 5000;
}

/* All are posted before the first one is sent. */
static void send_at_once(struct shared *s)
{
	unsigned int i, n;

	for (i = 0; i < USERS; i++) {
		s->from[i]->sq.ring->need_wakeup = 0;
		for (n = 0; n < MESSAGES; n++)
			shared_send(s, i, n, length_of(i, n));
	}
	local_bh_disable();
	for (i = 0; i < USERS; i++)
		hca_qp_kick(s->from[i]);
	hca_engine_run();
	local_bh_enable();
	pair_settle();
}

/*
 * R0-226: messages of several queue pairs at a time: those of each one complete in the order of its
 * sender, and take one request each.
 */
START_TEST(in_order_of_each)
{
	bool consumed[USERS * MESSAGES] = {};
	unsigned int next[USERS] = {}, i;
	struct hca_cqe cqe;
	struct shared s;

	shared_new(&s, &pair_rc, 32, 0);
	for (i = 0; i < USERS * MESSAGES; i++)
		pair_srq_recv(s.b, &s.srq, i, DST, 5000);
	send_at_once(&s);
	while (pair_poll(&s.b->recv_cq, &cqe)) {
		for (i = 0; i < USERS && s.to[i]->qpn != cqe.qp_num; i++)
			;
		ck_assert_uint_lt(i, USERS);
		ck_assert_uint_eq(cqe.status, IB_WC_SUCCESS);
		ck_assert_uint_eq(be32_to_cpu(cqe.imm_data), next[i]);
		ck_assert_uint_eq(cqe.byte_len, length_of(i, next[i]++));
		ck_assert(!consumed[cqe.wr_id]);
		consumed[cqe.wr_id] = true;
	}
	for (i = 0; i < USERS; i++)
		ck_assert_uint_eq(next[i], MESSAGES);
	shared_free(&s);
}
END_TEST

/*
 * T0-154: as Linux's consumers expect, an entry is in use until its request is taken, not until
 * that is polled; so many requests are there at most as there are entries.
 */
START_TEST(free_when_consumed)
{
	unsigned int round, n;
	struct shared s;

	shared_new(&s, &pair_rc, 8, 0);
	for (round = 0; round < 3; round++) {
		for (n = 0; n < 8; n++)
			pair_srq_recv(s.b, &s.srq, 8 * round + n, DST, 64);
		for (n = 0; n < 8; n++) {
			ck_assert_uint_eq(s.srq.rq.ring->consumer, 8 * round + n);
			shared_send(&s, n % USERS, n, 64);
		}
	}
	for (n = 0; n < 24; n++) /* nothing was polled meanwhile */
		received(&s, n % 8 % USERS, n);
	pair_expect_none(&s.b->recv_cq);
	shared_free(&s);
}
END_TEST

/*
 * R0-058, R0-064, R0-336: the keys of a request are those of the SRQ's protection domain, not the
 * queue pair's.
 */
START_TEST(keys_of_its_domain)
{
	static const char other[] = "another protection domain";
	struct shared s;
	struct hca_cqe cqe;

	shared_new(&s, &pair_rc, 4, 0);
	s.b->entry->pd = other;
	s.srq.pd = other;
	s.to[0]->recv_pd = other; /* as if created with such an SRQ */
	pair_srq_recv(s.b, &s.srq, 1, DST, 64);
	pair_srq_recv(s.b, &s.srq, 2, DST, 64);
	shared_send(&s, 0, 1, 64);
	received(&s, 0, 1);
	shared_send(&s, 1, 2, 64);
	ck_assert(pair_poll(&s.b->recv_cq, &cqe));
	ck_assert_uint_eq(cqe.status, IB_WC_LOC_PROT_ERR);
	ck_assert_uint_eq(s.to[1]->common.state, IB_QPS_ERR);
	ck_assert_uint_eq(s.to[0]->common.state, IB_QPS_RTS);
	shared_free(&s);
}
END_TEST

/*
 * R0-236, R0-237: the event comes below the limit, not at it, and once for each arming; then the
 * limit is 0.
 */
START_TEST(limit)
{
	struct shared s;
	unsigned int n;

	shared_new(&s, &pair_rc, 16, 8);
	ck_assert_uint_eq(s.srq.limit, 8);
	for (n = 0; n < 16; n++)
		pair_srq_recv(s.b, &s.srq, n, DST, 64);
	for (n = 0; n < 8; n++)
		shared_send(&s, 0, n, 64);
	ck_assert_uint_eq(s.b->srq_events[HCA_SRQ_LIMIT_REACHED], 0);
	ck_assert_uint_eq(s.srq.limit, 8);
	shared_send(&s, 1, n++, 64);
	ck_assert_uint_eq(s.b->srq_events[HCA_SRQ_LIMIT_REACHED], 1);
	ck_assert_uint_eq(s.srq.limit, 0);
	shared_send(&s, 2, n++, 64); /* 6 requests are left */
	ck_assert_uint_eq(s.b->srq_events[HCA_SRQ_LIMIT_REACHED], 1);

	ck_assert_int_eq(hca_srq_arm(&s.srq, 6), 0);
	ck_assert_int_eq(hca_srq_arm(&s.srq, 5), 0);
	ck_assert_uint_eq(s.b->srq_events[HCA_SRQ_LIMIT_REACHED], 1);
	shared_send(&s, 0, n++, 64);
	ck_assert_uint_eq(s.b->srq_events[HCA_SRQ_LIMIT_REACHED], 1);
	shared_send(&s, 0, n++, 64); /* 4 requests are left */
	ck_assert_uint_eq(s.b->srq_events[HCA_SRQ_LIMIT_REACHED], 2);

	ck_assert_int_eq(hca_srq_arm(&s.srq, 4), 0);
	ck_assert_int_eq(hca_srq_arm(&s.srq, 0), 0);
	shared_send(&s, 0, n++, 64);
	ck_assert_uint_eq(s.b->srq_events[HCA_SRQ_LIMIT_REACHED], 2);
	/* If fewer requests are left when it is armed, the event follows at once. */
	ck_assert_int_eq(hca_srq_arm(&s.srq, 4), 0);
	ck_assert_uint_eq(s.b->srq_events[HCA_SRQ_LIMIT_REACHED], 3);
	ck_assert_uint_eq(s.srq.limit, 0);
	shared_free(&s);
}
END_TEST

/* R0-238, R0-031 and R0-214: sizes and limits that are invalid for creation or arming. */
START_TEST(out_of_range)
{
	static const struct {
		u32 wr, sge, limit;
	} wrong[] = {
		{ 0, 1, 0 }, { HCA_MAX_SRQ_WR + 1, 1, 0 }, { 1, HCA_MAX_SGE + 1, 0 }, { 8, 1, 9 },
	};
	struct hca_srq srq;
	struct shared s;
	unsigned int i;

	shared_new(&s, &pair_rc, 8, 8);
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		memset(&srq, 0, sizeof(srq));
		ck_assert_int_eq(hca_srq_init(&srq, wrong[i].wr, wrong[i].sge, wrong[i].limit),
				 -EINVAL);
	}
	ck_assert_int_eq(hca_srq_arm(&s.srq, 9), -EINVAL);
	ck_assert_uint_eq(s.srq.limit, 8);
	shared_free(&s);
}
END_TEST

/* R0-213, R0-220: such a queue pair has no receive queue, whatever size was requested. */
START_TEST(no_queue_of_its_own)
{
	struct shared s;

	shared_new(&s, &pair_rc, 8, 0);
	ck_assert_uint_eq(s.to[0]->rq.size, 0);
	ck_assert_uint_eq(s.to[0]->max_recv_sge, 0);
	shared_free(&s);
}
END_TEST

/*
 * R0-233, R0-235: one queue pair ends: the request that it has in progress is flushed, no other
 * one.
 */
START_TEST(one_ends)
{
	struct hca_qp_attr error = { .state = IB_QPS_ERR, .cur_state = IB_QPS_RTS };
	struct shared s;
	unsigned int i;

	shared_new(&s, kinds[_i], 8, 0);
	for (i = 0; i < 4; i++)
		pair_srq_recv(s.b, &s.srq, i, DST, 8192);
	ck_assert_int_eq(hca_qp_modify(s.to[1], &error, IB_QP_STATE), 0);
	pair_settle();
	ck_assert_uint_eq(s.b->events[HCA_QP_LAST_WQE_REACHED], 1);
	pair_expect_none(&s.b->recv_cq);
	ck_assert_uint_eq(s.srq.rq.ring->consumer, 0);

	/* The event comes once, however often a doorbell is rung. */
	local_bh_disable();
	hca_qp_kick(s.to[1]);
	hca_engine_run();
	local_bh_enable();
	ck_assert_uint_eq(s.b->events[HCA_QP_LAST_WQE_REACHED], 1);
	for (i = 0; i < 4; i++) {
		shared_send(&s, i & 2, i, 100);
		received(&s, i & 2, i);
	}
	shared_free(&s);
}
END_TEST

static bool lose_last(struct pair *pair, int receiver, const struct hca_packet *pkt)
{
	(void)pair;
	return receiver != 1 || !(hca_opcodes[pkt->h.bth.opcode].flags & HCA_IS_LAST);
}

/*
 * The queue pair ends in the middle of a message: the request that the message has consumed is
 * flushed.
 */
START_TEST(one_ends_in_a_message)
{
	struct hca_qp_attr error = { .state = IB_QPS_ERR, .cur_state = IB_QPS_RTS };
	struct hca_cqe cqe;
	struct shared s;

	shared_new(&s, &pair_rc, 8, 0);
	pair_srq_recv(s.b, &s.srq, 40, DST, 8192);
	pair_srq_recv(s.b, &s.srq, 41, DST, 8192);
	s.pair->filter = lose_last;
	shared_send(&s, 0, 1, 5000);
	s.pair->filter = NULL;
	ck_assert_int_eq(hca_qp_modify(s.to[0], &error, IB_QP_STATE), 0);
	pair_settle();
	ck_assert(pair_poll(&s.b->recv_cq, &cqe));
	ck_assert_uint_eq(cqe.wr_id, 40);
	ck_assert_uint_eq(cqe.status, IB_WC_WR_FLUSH_ERR);
	pair_expect_none(&s.b->recv_cq);
	ck_assert_uint_eq(s.b->events[HCA_QP_LAST_WQE_REACHED], 1);
	shared_send(&s, 2, 2, 5000);
	received(&s, 2, 41);
	shared_free(&s);
}
END_TEST

/*
 * R0-470: an invalid producer index: the SRQ fails, and so does each queue pair that needs an
 * entry.
 */
START_TEST(wild_index)
{
	static const u32 wild[] = { 1000, 0xffffffff };
	struct shared s;

	shared_new(&s, &pair_rc, 8, 0);
	s.srq.rq.ring->producer = wild[_i];
	shared_send(&s, 0, 1, 64);
	pair_wait(50);
	pair_expect(&s.a->send_cq, 1, IB_WC_REM_OP_ERR);
	ck_assert_uint_eq(s.b->srq_events[HCA_SRQ_ERROR], 1); /* R0-232, R0-473 */
	ck_assert_uint_eq(s.b->events[HCA_QP_FATAL], 1); /* R0-234 */
	ck_assert_uint_eq(s.to[0]->common.state, IB_QPS_ERR);
	ck_assert_uint_eq(s.to[1]->common.state, IB_QPS_RTS); /* it has not needed an entry yet */
	/* The SRQ remains failed, whatever value the index gets. */
	s.srq.rq.ring->producer = 1;
	shared_send(&s, 1, 2, 64);
	pair_wait(50);
	ck_assert_uint_eq(s.b->srq_events[HCA_SRQ_ERROR], 1);
	ck_assert_uint_eq(s.b->events[HCA_QP_FATAL], 2);
	ck_assert_uint_eq(s.to[1]->common.state, IB_QPS_ERR);
	pair_expect_none(&s.b->recv_cq);
	shared_free(&s);
}
END_TEST

/* SGEs beyond the granted number are ignored. */
START_TEST(hostile_entry)
{
	struct shared s;
	struct hca_recv_wqe *wqe;

	shared_new(&s, &pair_rc, 8, 0);
	shared_send(&s, 0, 1, 64);
	pair_wait(5);
	pair_srq_recv(s.b, &s.srq, 5, DST, 64);
	wqe = hca_queue_entry(&s.srq.rq, 0);
	wqe->num_sge = 0xffffffff;
	memset(&wqe->sge[1], 0, 3 * sizeof(wqe->sge[1]));
	pair_wait(50);
	received(&s, 0, 5);
	shared_free(&s);
}
END_TEST

Suite *srq_suite(void)
{
	Suite *suite = suite_create("srq");
	TCase *tc = tcase_create("srq");

	tcase_add_loop_test(tc, anybody_takes, 0, 3);
	tcase_add_test(tc, messages_interleave);
	tcase_add_loop_test(tc, empty_is_rnr, 0, 2);
	tcase_add_test(tc, wraps);
	tcase_add_loop_test(tc, sends_too, 0, 2);
	tcase_add_test(tc, in_order_of_each);
	tcase_add_test(tc, free_when_consumed);
	tcase_add_test(tc, keys_of_its_domain);
	tcase_add_test(tc, limit);
	tcase_add_test(tc, out_of_range);
	tcase_add_test(tc, no_queue_of_its_own);
	tcase_add_loop_test(tc, one_ends, 0, 3);
	tcase_add_test(tc, one_ends_in_a_message);
	tcase_add_loop_test(tc, wild_index, 0, 2);
	tcase_add_test(tc, hostile_entry);
	suite_add_tcase(suite, tc);
	return suite;
}
