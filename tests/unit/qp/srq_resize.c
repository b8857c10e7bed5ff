// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Shared receive queues that get another ring: requests, limit and errors stay what they are, also
 * while queue pairs consume requests, and a process meddles.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <linux/bottom_half.h>
#include <linux/errno.h>
#include <linux/irqflags.h>
#include "shim.h"
#include "tests/unit/fixture/pair.h"
#include "tests/unit/suites.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define SGES 4
#define NONE 0xffffffffu

/* A queue pair of a, connected to one at b that uses the SRQ; XRC has them without help. */
static struct {
	struct pair *pair;
	struct pair_end *a, *b;
	struct hca_srq own, *srq;
	struct hca_qp *from, *to; /* NULL: XRC */
	u64 next, expected; /* wr_ids: of the next request that is posted, or completes */
} t;

/* An action before a packet arrives at the SRQ's end, and packets that are dropped. */
static struct {
	unsigned int packet; /* the number of the packet before which act() is called */
	void (*act)(void);
	unsigned int drop; /* the number of a packet that is dropped; 0: none */
	unsigned int silence; /* the number of the first packet of an endless loss; 0: none */
	unsigned int n; /* packets so far */
} then;

static const struct pair_qp *const kinds[] = { &pair_rc, &pair_rd, &pair_xrc };

static void connect(const struct pair_qp *how, u32 max_wr, u32 limit)
{
	t.srq = &t.own;
	t.own.notify = pair_srq_event;
	t.own.pd = t.b;
	t.own.context = t.b;
	ck_assert_int_eq(hca_srq_init(&t.own, max_wr, SGES, limit), 0);
	t.from = pair_qp_new(t.a, how, NULL);
	t.to = pair_qp_new(t.b, how, &t.own);
	pair_connect(t.from, how, t.to->qpn, 2, 0, 0);
	pair_connect(t.to, how, t.from->qpn, 1, 0, 0);
}

static void begin(const struct pair_qp *how, u32 max_wr, u32 limit)
{
	struct pair_qp sized = *how;

	memset(&t, 0, sizeof(t));
	memset(&then, 0, sizeof(then));
	sized.recv_wr = how == &pair_xrc ? max_wr : how->recv_wr;
	t.pair = pair_new(&sized);
	t.a = &t.pair->end[0];
	t.b = &t.pair->end[1];
	pair_fill(t.a, SRC, 8192, 5);
	if (how != &pair_xrc) {
		connect(how, max_wr, limit);
		return;
	}
	t.srq = &t.b->srq;
	ck_assert_int_eq(hca_srq_arm(t.srq, 0), 0);
	t.srq->limit = limit;
}

static void end(void)
{
	if (t.from) {
		hca_qp_destroy(t.from);
		hca_qp_destroy(t.to);
		hca_srq_destroy(&t.own);
	}
	pair_free(t.pair);
}

static void post(u32 n)
{
	for (; n--; t.next++)
		pair_srq_recv(t.b, t.srq, t.next, DST + t.next % 8 * 8192, 8192);
}

/* Posts @n messages of @length octets. */
static void send(u32 n, u32 length)
{
	struct hca_qp *own = t.a->qp;

	if (t.from) {
		t.a->qp = t.from;
		t.a->to_qpn = t.to->qpn; /* reliable datagrams require it */
	}
	while (n--)
		pair_send(t.a, 0, HCA_WQE_SIGNALED, SRC, length);
	t.a->qp = own;
}

/* Expects that the next @n requests receive messages of @length octets. */
static void received(u32 n, u32 length)
{
	for (; n--; t.expected++) {
		pair_expect(&t.b->recv_cq, t.expected, IB_WC_SUCCESS);
		pair_expect(&t.a->send_cq, 0, IB_WC_SUCCESS);
		ck_assert(pair_same(t.a, SRC, t.b, DST + t.expected % 8 * 8192, length));
	}
}

static void consume(u32 n)
{
	while (n--) {
		send(1, 100);
		received(1, 100);
	}
}

/* Returns what hca_srq_resize() does. @limit: NONE: it stays as it is */
static int resize(u32 entries, u32 limit)
{
	struct hca_queue queue = {};
	int ret;

	ck_assert_int_eq(hca_queue_alloc(&queue, entries, t.srq->rq.stride, false), 0);
	ret = hca_srq_resize(t.srq, &queue, limit == NONE ? NULL : &limit);
	hca_queue_free(&queue);
	ck_assert(ret || t.srq->rq.entries == entries);
	return ret;
}

/* A resize that fails with @error, after which the queue has the same ring. */
static void refused(u32 entries, u32 limit, int error)
{
	const struct hca_srq before = *t.srq;
	const struct hca_ring ring = *before.rq.ring;

	ck_assert_int_eq(resize(entries, limit), error);
	ck_assert_ptr_eq(t.srq->rq.ring, before.rq.ring);
	ck_assert_uint_eq(t.srq->rq.entries, before.rq.entries);
	ck_assert_uint_eq(t.srq->limit, before.limit);
	ck_assert_uint_eq(t.srq->consumed, before.consumed);
	ck_assert_uint_eq(t.srq->failed, before.failed);
	ck_assert_mem_eq(before.rq.ring, &ring, sizeof(ring));
}

/*
 * R0-215, R0-228: whatever the sizes, and wherever in the ring, requests stay, in their order, as
 * long as there are entries for them.
 */
START_TEST(keeps)
{
	u32 posted = 0, i;

	srand(_i);
	begin(kinds[_i % COUNT(kinds)], 16, 0);
	for (i = 0; i < 300; i++) {
		u32 more = rand() % (t.srq->rq.entries - posted + 1), fewer;
		u32 entries = 1 << rand() % 7;

		post(more);
		posted += more;
		fewer = rand() % (posted + 1);
		consume(fewer);
		posted -= fewer;
		if (posted <= entries)
			ck_assert_int_eq(resize(entries, NONE), 0);
		else
			refused(entries, NONE, -EINVAL); /* R0-217 */
		ck_assert_uint_eq(t.srq->rq.ring->need_wakeup, 0);
	}
	consume(posted);
	pair_expect_none(&t.b->recv_cq);
	ck_assert_uint_eq(t.b->srq_events[HCA_SRQ_LIMIT_REACHED], 0);
	ck_assert_uint_eq(t.b->srq_events[HCA_SRQ_ERROR], 0);
	end();
}
END_TEST

/* As many requests as there are entries, around the end of either ring: @_i are consumed before. */
START_TEST(exactly_full)
{
	begin(&pair_rc, 8, 0);
	post(8);
	consume(_i);
	post(_i);
	ck_assert_int_eq(resize(32, NONE), 0);
	post(24);
	ck_assert_uint_eq(t.srq->rq.ring->producer - t.srq->rq.ring->consumer, 32);
	refused(16, NONE, -EINVAL);
	consume(16);
	ck_assert_int_eq(resize(16, NONE), 0);
	consume(8);
	ck_assert_int_eq(resize(8, NONE), 0);
	consume(8);
	end();
}
END_TEST

/* Indices pass 2^32. */
START_TEST(indices_overflow)
{
	begin(&pair_rc, 8, 0);
	t.srq->consumed = -3;
	t.srq->rq.ring->consumer = -3;
	t.srq->rq.ring->producer = -3;
	post(6);
	ck_assert_int_eq(resize(16, NONE), 0);
	consume(5);
	post(7);
	ck_assert_int_eq(resize(8, NONE), 0);
	consume(8);
	ck_assert_uint_eq(t.srq->rq.ring->consumer, 10);
	end();
}
END_TEST

static bool count_packets(struct pair *pair, int receiver, const struct hca_packet *pkt)
{
	(void)pair;
	(void)pkt;
	if (receiver != 1)
		return true;
	if (++then.n == then.packet)
		then.act();
	return then.n != then.drop && (!then.silence || then.n < then.silence);
}

/* The ring is exchanged twice within a message, or between two. @_i: before which packet */
START_TEST(within_a_message)
{
	begin(kinds[_i % COUNT(kinds)], 16, 0);
	post(2);
	then.silence = 1 + _i / COUNT(kinds);
	t.pair->filter = count_packets;
	send(2, 8000);
	ck_assert_uint_ge(then.n, then.silence);
	ck_assert_int_eq(resize(64, NONE), 0);
	ck_assert_int_eq(resize(2, NONE), 0);
	t.pair->filter = NULL;
	pair_wait(2000);
	received(2, 8000);
	end();
}
END_TEST

/* R0-236, R0-237: what is armed stays armed, and what is not, is not; the event comes once. */
START_TEST(limit_stays)
{
	begin(kinds[_i], 16, 4);
	post(16);
	ck_assert_int_eq(resize(64, NONE), 0);
	ck_assert_uint_eq(t.srq->limit, 4);
	consume(12);
	ck_assert_int_eq(resize(4, NONE), 0);
	ck_assert_uint_eq(t.srq->limit, 4);
	ck_assert_uint_eq(t.b->srq_events[HCA_SRQ_LIMIT_REACHED], 0);
	consume(1);
	ck_assert_uint_eq(t.b->srq_events[HCA_SRQ_LIMIT_REACHED], 1);
	ck_assert_int_eq(resize(32, NONE), 0);
	ck_assert_uint_eq(t.srq->limit, 0);
	consume(3);
	ck_assert_uint_eq(t.b->srq_events[HCA_SRQ_LIMIT_REACHED], 1);
	end();
}
END_TEST

/*
 * A limit that was given at creation is not compared by a resize: the queue has no requests before
 * the first ones are posted.
 */
START_TEST(limit_is_not_compared)
{
	begin(&pair_rc, 16, 4);
	ck_assert_int_eq(resize(8, NONE), 0);
	ck_assert_uint_eq(t.b->srq_events[HCA_SRQ_LIMIT_REACHED], 0);
	ck_assert_uint_eq(t.srq->limit, 4);
	end();
}
END_TEST

/* R0-238: no limit above the number of entries, old or new; a new one takes an old one's place. */
START_TEST(limit_and_size)
{
	begin(kinds[_i], 16, 9);
	post(8);
	refused(8, NONE, -EINVAL);
	refused(8, 9, -EINVAL);
	refused(8, NONE - 1, -EINVAL);
	ck_assert_int_eq(resize(8, 8), 0);
	ck_assert_uint_eq(t.srq->limit, 8);
	ck_assert_uint_eq(t.b->srq_events[HCA_SRQ_LIMIT_REACHED], 0);
	ck_assert_int_eq(hca_srq_arm(t.srq, 9), -EINVAL);
	/* If fewer requests are posted the event follows at once. */
	ck_assert_int_eq(resize(16, 9), 0);
	ck_assert_uint_eq(t.b->srq_events[HCA_SRQ_LIMIT_REACHED], 1);
	ck_assert_uint_eq(t.srq->limit, 0);
	ck_assert_int_eq(hca_srq_arm(t.srq, 4), 0);
	ck_assert_int_eq(resize(8, 0), 0); /* disarms */
	consume(8);
	ck_assert_uint_eq(t.b->srq_events[HCA_SRQ_LIMIT_REACHED], 1);
	end();
}
END_TEST

/* R0-216: a resize refuses an invalid index, and raises no error itself; the next packet does. */
START_TEST(wild_index)
{
	static const u32 wild[] = { 17, 1000, -1, 0x80000000 };

	begin(&pair_rc, 16, 0);
	t.srq->rq.ring->producer = wild[_i];
	refused(64, NONE, -EINVAL);
	refused(64, 1, -EINVAL);
	ck_assert_uint_eq(t.b->srq_events[HCA_SRQ_ERROR], 0);
	send(1, 100);
	pair_wait(50);
	pair_expect(&t.a->send_cq, 0, IB_WC_REM_OP_ERR);
	ck_assert_uint_eq(t.b->srq_events[HCA_SRQ_ERROR], 1);
	/* A queue that has failed stays so, whatever the index is now, and is not resized. */
	t.srq->rq.ring->producer = 0;
	refused(64, NONE, -EINVAL);
	refused(64, 1, -EINVAL);
	ck_assert_uint_eq(t.b->srq_events[HCA_SRQ_ERROR], 1);
	ck_assert_uint_eq(t.b->srq_events[HCA_SRQ_LIMIT_REACHED], 0);
	end();
}
END_TEST

/*
 * Indices that a process has written to a new ring before the resize are overwritten; those that
 * it writes afterwards have the effect that they have in any ring.
 */
START_TEST(hostile_ring)
{
	struct hca_queue queue = {}, former;

	begin(&pair_rc, 16, 0);
	post(3);
	ck_assert_int_eq(hca_queue_alloc(&queue, 4, t.srq->rq.stride, false), 0);
	memset(queue.ring, 0xa5, queue.size);
	former = t.srq->rq;
	ck_assert_int_eq(hca_srq_resize(t.srq, &queue, NULL), 0);
	ck_assert_ptr_eq(queue.ring, former.ring);
	ck_assert_uint_eq(queue.entries, former.entries);
	ck_assert_uint_eq(t.srq->rq.ring->producer, 3);
	ck_assert_uint_eq(t.srq->rq.ring->consumer, 0);
	memset(queue.ring, 0xa5, queue.size);
	hca_queue_free(&queue);
	consume(3);
	post(1);
	t.srq->rq.ring->consumer = 77; /* nobody else reads it */
	ck_assert_int_eq(resize(16, NONE), 0);
	consume(1);
	t.srq->rq.ring->producer += 17;
	send(1, 100);
	pair_wait(50);
	ck_assert_uint_eq(t.b->srq_events[HCA_SRQ_ERROR], 1);
	end();
}
END_TEST

/*
 * @n messages arrive as soon as bottom halves are enabled again: during the next resize. Raised
 * while interrupts are disabled the engine waits for that.
 */
static void send_during_resize(u32 n)
{
	u32 consumed = t.srq->consumed;
	unsigned long flags;

	t.from->sq.ring->need_wakeup = 0;
	send(n, 100);
	hca_qp_kick(t.from);
	local_irq_save(flags);
	hca_engine_raise();
	local_irq_restore(flags);
	ck_assert_uint_eq(t.srq->consumed, consumed);
}

/* The new ring contains no request that is consumed during the resize, and all others. */
START_TEST(consumed_meanwhile)
{
	begin(&pair_rc, 16, 2);
	post(16);
	consume(3);
	post(3);
	send_during_resize(_i);
	ck_assert_int_eq(resize(32, NONE), 0);
	ck_assert_uint_eq(t.srq->consumed, 3 + _i);
	pair_settle();
	received(_i, 100);
	post(16);
	consume(30 - _i);
	ck_assert_uint_eq(t.b->srq_events[HCA_SRQ_LIMIT_REACHED], 0);
	consume(1);
	ck_assert_uint_eq(t.b->srq_events[HCA_SRQ_LIMIT_REACHED], 1);
	end();
}
END_TEST

/* The limit is reached during the resize: the event has come then, and what replaces it stays. */
START_TEST(limit_meanwhile)
{
	begin(&pair_rc, 16, 4);
	post(4);
	send_during_resize(1);
	ck_assert_int_eq(resize(8, 3), 0);
	pair_settle();
	received(1, 100);
	ck_assert_uint_eq(t.b->srq_events[HCA_SRQ_LIMIT_REACHED], 1);
	ck_assert_uint_eq(t.srq->limit, 3);
	consume(1);
	ck_assert_uint_eq(t.b->srq_events[HCA_SRQ_LIMIT_REACHED], 2);
	end();
}
END_TEST

static void post_one(void)
{
	post(1);
}

/* The process posts during the resize after all: it is refused, and the request is not lost. */
START_TEST(posted_meanwhile)
{
	begin(&pair_rc, 16, 0);
	post(5);
	then.packet = 1 + _i;
	then.act = post_one;
	t.pair->filter = count_packets;
	send_during_resize(3);
	ck_assert_int_eq(resize(32, NONE), -EBUSY);
	ck_assert_uint_eq(t.srq->rq.entries, 16);
	pair_settle();
	received(3, 100);
	ck_assert_int_eq(resize(32, NONE), 0);
	consume(3);
	end();
}
END_TEST

static void back_to_two(void)
{
	t.srq->rq.ring->producer = 2;
}

static void post_two(void)
{
	post(2);
	then.packet = 5;
	then.act = back_to_two;
}

/*
 * The index is what it was, but more has been consumed than was copied. The packet before which the
 * process takes its index back is dropped, for the queue would fail.
 */
START_TEST(consumed_beyond)
{
	begin(&pair_rc, 4, 0);
	post(2);
	then.packet = 3;
	then.act = post_two;
	then.drop = 5;
	t.pair->filter = count_packets;
	send_during_resize(5);
	ck_assert_int_eq(resize(8, NONE), -EBUSY);
	ck_assert_uint_eq(t.srq->rq.entries, 4);
	ck_assert_uint_eq(t.srq->consumed, 4);
	refused(8, NONE, -EINVAL);
	t.srq->rq.ring->producer = 4;
	ck_assert_int_eq(resize(8, NONE), 0);
	post(1);
	pair_wait(1000);
	received(5, 100);
	end();
}
END_TEST

static void wild(void)
{
	t.srq->rq.ring->producer = 1000;
}

/* The queue fails during the resize. */
START_TEST(fails_meanwhile)
{
	begin(&pair_rc, 4, 0);
	post(2);
	then.packet = 1;
	then.act = wild;
	t.pair->filter = count_packets;
	send_during_resize(1);
	ck_assert_int_eq(resize(8, NONE), -EINVAL);
	ck_assert_uint_eq(t.srq->rq.entries, 4);
	pair_settle();
	ck_assert_uint_eq(t.b->srq_events[HCA_SRQ_ERROR], 1);
	end();
}
END_TEST

Suite *srq_resize_suite(void)
{
	Suite *suite = suite_create("srq_resize");
	TCase *tc = tcase_create("srq_resize");

	tcase_add_loop_test(tc, keeps, 0, 12);
	tcase_add_loop_test(tc, exactly_full, 0, 9);
	tcase_add_test(tc, indices_overflow);
	tcase_add_loop_test(tc, within_a_message, 0, 10 * COUNT(kinds));
	tcase_add_loop_test(tc, limit_stays, 0, COUNT(kinds));
	tcase_add_test(tc, limit_is_not_compared);
	tcase_add_loop_test(tc, limit_and_size, 0, COUNT(kinds));
	tcase_add_loop_test(tc, wild_index, 0, 4);
	tcase_add_test(tc, hostile_ring);
	tcase_add_loop_test(tc, consumed_meanwhile, 0, 14);
	tcase_add_test(tc, limit_meanwhile);
	tcase_add_loop_test(tc, posted_meanwhile, 0, 3);
	tcase_add_test(tc, consumed_beyond);
	tcase_add_test(tc, fails_meanwhile);
	suite_add_tcase(suite, tc);
	return suite;
}
