// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The states of a queue pair: which allow posting, sending and receiving; flushes and events. */
#include <check.h>
#include <linux/bottom_half.h>
#include <linux/errno.h>
#include <linux/jiffies.h>
#include <linux/string.h>
#include "packet/batch.h"
#include "packet/flight.h"
#include "packet/payload.h"
#include "tests/unit/fixture/trace.h"
#include "tests/unit/suites.h"
#include "transport/iba_qp.h"
#include "transport/time_wait.h"

static const struct pair_qp *const services[] = { &pair_rc, &pair_uc };

struct allowed {
	u8 state;
	bool post_send, post_recv, sends, receives;
};

static const struct allowed allowed[] = {
	{ IB_QPS_RESET, false, false, false, false }, /* B4-231, R0-119 */
	{ IB_QPS_INIT, false, true, false, false }, /* B4-232, R0-141, R0-152 */
	{ IB_QPS_RTR, false, true, false, true }, /* B4-233 */
	{ IB_QPS_RTS, true, true, true, true }, /* B4-234, R0-153 */
	{ IB_QPS_SQD, true, true, false, true },
	{ IB_QPS_SQE, true, true, false, true }, /* B4-240 */
	{ IB_QPS_ERR, true, true, false, false },
};

#define STATES ((int)(sizeof(allowed) / sizeof(allowed[0])))

/* Move a queue pair that is in RTS; to states before RTS by way of Reset. */
static void go(struct hca_qp *qp, u8 state)
{
	struct hca_qp_attr attr = { .state = state };

	if (state < IB_QPS_RTS) {
		attr = hca_qp_eec(qp)->attr;
		attr.state = IB_QPS_RESET;
		ck_assert_int_eq(hca_qp_modify(qp, &attr, IB_QP_STATE), 0);
	}
	if (state == IB_QPS_INIT || state == IB_QPS_RTR) {
		attr.state = IB_QPS_INIT;
		ck_assert_int_eq(hca_qp_modify(qp, &attr,
					       IB_QP_STATE | IB_QP_PKEY_INDEX | IB_QP_PORT |
						       IB_QP_ACCESS_FLAGS),
				 0);
	}
	if (state == IB_QPS_RTR) {
		attr.state = IB_QPS_RTR;
		ck_assert_int_eq(hca_qp_modify(qp, &attr,
					       IB_QP_STATE | IB_QP_AV | IB_QP_PATH_MTU |
						       IB_QP_DEST_QPN | IB_QP_RQ_PSN |
						       (qp->type == IB_QPT_RC ?
								IB_QP_MAX_DEST_RD_ATOMIC |
									IB_QP_MIN_RNR_TIMER :
								0)),
				 0);
	}
	if (state >= IB_QPS_RTS && state != IB_QPS_RTS)
		ck_assert_int_eq(hca_qp_modify(qp, &attr, IB_QP_STATE), 0);
	ck_assert_uint_eq(qp->common.state, state);
}

/* Cause an error by a request with an invalid opcode. */
static void go_sqe(struct pair_end *end)
{
	pair_wqe(end, 99, 200, 0);
	pair_post(end);
	pair_expect(&end->send_cq, 99, IB_WC_LOC_QP_OP_ERR);
	ck_assert_uint_eq(end->qp->common.state, IB_QPS_SQE);
}

/*
 * C4-011: in each state, whether posting is valid, whether requests leave and whether packets are
 * received. RC has no SQE.
 */
START_TEST(allows)
{
	const struct allowed *a = &allowed[_i % STATES];
	bool sqe = a->state == IB_QPS_SQE;
	struct pair *pair = pair_new(sqe ? &pair_uc : services[_i / STATES]);
	struct pair_end *one = &pair->end[0], *two = &pair->end[1];

	if (sqe)
		go_sqe(one);
	else
		go(one->qp, a->state);
	/* R0-411, V3-179 */
	ck_assert_int_eq(hca_qp_post_send_ok(one->qp), a->post_send ? 0 : -EINVAL);
	ck_assert_int_eq(hca_qp_post_recv_ok(one->qp), a->post_recv ? 0 : -EINVAL);
	pair_recv(one, 1, DST, 100);
	pair_recv(two, 2, DST, 100);
	pair_send(two, 3, 0, SRC, 100);
	if (a->state != IB_QPS_ERR) {
		if (a->receives)
			pair_expect(&one->recv_cq, 1, IB_WC_SUCCESS);
		pair_expect_none(&one->recv_cq);
	}
	pair_send(one, 4, HCA_WQE_SIGNALED, SRC, 100);
	pair_settle();
	if (a->sends)
		pair_expect(&two->recv_cq, 2, IB_WC_SUCCESS);
	pair_expect_none(&two->recv_cq);
	pair_free(pair);
}
END_TEST

/*
 * R0-180, R0-182, R0-186, B4-237, B4-241: in Error all requests are flushed, in order, those posted
 * before and those posted after.
 */
START_TEST(flushes)
{
	struct pair *pair = pair_new(services[_i]);
	struct pair_end *a = &pair->end[0];
	unsigned int i;

	go(pair->end[1].qp, IB_QPS_RESET); /* the responder does not answer */
	for (i = 0; i < 3; i++) {
		pair_recv(a, i, DST, 100);
		pair_send(a, i, 0, SRC, 5000);
	}
	if (services[_i]->type == IB_QPT_UC) /* those are sent, and not acknowledged */
		pair_expect_none(&a->send_cq);
	go(a->qp, IB_QPS_ERR);
	pair_settle();
	for (i = 0; i < 3; i++) {
		if (services[_i]->type == IB_QPT_RC)
			pair_expect(&a->send_cq, i, IB_WC_WR_FLUSH_ERR);
		pair_expect(&a->recv_cq, i, IB_WC_WR_FLUSH_ERR);
	}
	for (i = 3; i < 6; i++) {
		pair_recv(a, i, DST, 100);
		pair_send(a, i, 0, SRC, 100);
		pair_settle();
		pair_expect(&a->send_cq, i, IB_WC_WR_FLUSH_ERR);
		pair_expect(&a->recv_cq, i, IB_WC_WR_FLUSH_ERR);
	}
	pair_expect_none(&a->send_cq);
	pair_expect_none(&a->recv_cq);
	pair_free(pair);
}
END_TEST

static const struct pair_qp *const sqe_services[] = { &pair_uc, &pair_ud, &pair_rd };

/* Post one message to the peer's receive queue, by whichever service. */
static void send_to(struct pair *pair, u64 wr_id)
{
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_send_wqe *wqe = pair_wqe(a, wr_id, IB_UVERBS_WR_SEND, HCA_WQE_SIGNALED);

	if (a->qp->type == IB_QPT_UD) {
		wqe->ud.av.port_num = 1;
		wqe->ud.av.dlid = pair_lid(1, 1);
		wqe->ud.remote_qpn = b->qp->qpn;
		wqe->ud.remote_qkey = PAIR_QKEY;
	}
	pair_sge(a, wqe, SRC, 100);
	a->qp->sq.ring->producer++;
}

/*
 * B4-240, C10-40: the consumer knows of the error and leaves SQE before the flush has begun.
 * Requests posted behind the failed one are flushed all the same; those posted afterwards are sent.
 */
START_TEST(back_before_the_flush)
{
	struct pair *pair = pair_new(sqe_services[_i]);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	const struct hca_qp_attr rts = { .state = IB_QPS_RTS };
	int i, budget = HCA_RUN_BUDGET;

	for (i = 0; i < 4; i++)
		pair_recv(b, i, DST, 200);
	pair_wqe(a, 1, 200, 0);
	a->qp->sq.ring->producer++;
	send_to(pair, 2);
	send_to(pair, 3);
	local_bh_disable();
	a->qp->common.run.run(&a->qp->common.run, &budget); /* once */
	local_bh_enable();
	pair_expect(&a->send_cq, 1, IB_WC_LOC_QP_OP_ERR);
	pair_expect_none(&a->send_cq);
	ck_assert_uint_eq(a->qp->common.state, IB_QPS_SQE);
	ck_assert_int_eq(hca_qp_modify(a->qp, &rts, IB_QP_STATE), 0);
	pair_settle();
	pair_expect(&a->send_cq, 2, IB_WC_WR_FLUSH_ERR);
	pair_expect(&a->send_cq, 3, IB_WC_WR_FLUSH_ERR);
	pair_expect_none(&b->recv_cq);
	for (i = 0; i < 3; i++) {
		send_to(pair, 4 + i);
		a->qp->sq.ring->producer--;
		pair_post(a);
		pair_settle();
		pair_expect(&a->send_cq, 4 + i, IB_WC_SUCCESS);
		pair_expect(&b->recv_cq, i, IB_WC_SUCCESS);
	}
	pair_free(pair);
}
END_TEST

/* B4-265, B4-267, V3-089: the first packet in RTR causes one event, and no state change. */
START_TEST(established)
{
	struct pair *pair = pair_new(services[_i]);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	unsigned int i;

	go(a->qp, IB_QPS_RTR);
	for (i = 0; i < 3; i++) {
		pair_recv(a, i, DST, 100);
		pair_send(b, i, 0, SRC, 100);
		pair_settle();
		pair_expect(&a->recv_cq, i, IB_WC_SUCCESS);
		ck_assert_uint_eq(a->events[HCA_QP_COMM_ESTABLISHED], 1);
		ck_assert_uint_eq(a->qp->common.state, IB_QPS_RTR);
	}
	ck_assert_uint_eq(b->events[HCA_QP_COMM_ESTABLISHED], 0);
	pair_free(pair);
}
END_TEST

/*
 * B4-196, B4-198, B4-199: packets from before a Reset do not reach the queue pair's next
 * connection.
 */
START_TEST(stale)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct trace *trace = trace_on(pair);
	struct hca_headers request, ack;
	struct hca_cqe cqe;

	pair_recv(b, 1, DST, 100);
	pair_send(a, 1, HCA_WQE_SIGNALED, SRC, 100);
	pair_settle();
	request = trace_find(trace, 1, HCA_OPCODE(RC, SEND_ONLY_WITH_IMMEDIATE), 0)->h;
	ack = trace_find(trace, 0, HCA_OPCODE(RC, ACKNOWLEDGE), 0)->h;
	go(a->qp, IB_QPS_RESET);
	go(b->qp, IB_QPS_RESET);
	pair_connect(a->qp, &pair_rc, b->qp->qpn, 2, 0x400000, 0x600000);
	pair_connect(b->qp, &pair_rc, a->qp->qpn, 1, 0x600000, 0x400000);
	while (pair_poll(&a->send_cq, &cqe) || pair_poll(&b->recv_cq, &cqe))
		;
	pair_recv(b, 2, DST, 100);
	trace->lose = trace_cut;
	pair_send(a, 2, HCA_WQE_SIGNALED, SRC, 100);
	trace_inject(pair, 1, &request, 100);
	trace_inject(pair, 0, &ack, 0);
	pair_expect_none(&a->send_cq);
	pair_expect_none(&b->recv_cq);
	trace->lose = NULL;
	pair_wait(300);
	pair_expect(&a->send_cq, 2, IB_WC_SUCCESS);
	pair_expect(&b->recv_cq, 2, IB_WC_SUCCESS);
	pair_free(pair);
}
END_TEST

static const int to_rtr = IB_QP_STATE | IB_QP_AV;

/* The time-wait of a modify that would begin now. */
static unsigned long time_wait_left(struct hca_eec *eec, const struct hca_qp_attr *attr, int mask)
{
	struct hca_time_wait wait;

	return hca_time_wait_start(&wait, eec, attr, mask) ? hca_time_wait_left(&wait) : 0;
}

static struct hca_packet *packet_new(struct hca_packet_pool *pool)
{
	struct hca_packet *pkt;

	local_bh_disable();
	pkt = hca_packet_alloc(pool);
	local_bh_enable();
	ck_assert_ptr_nonnull(pkt);
	return pkt;
}

static void packet_free(struct hca_packet *pkt)
{
	local_bh_disable();
	hca_packet_free(pkt);
	local_bh_enable();
}

/* Put the first packet of a batch of two, and a copy of that packet, in place of the batch. */
static void batch_divide(struct hca_packet *batch, struct hca_packet **first,
			 struct hca_packet **copy)
{
	memset(&batch->h, 0, sizeof(batch->h));
	batch->packets = 2;
	batch->payload_length = 100;
	batch->payload_kind = HCA_PAYLOAD_BORROWED;
	batch->num_fragments = 1;
	batch->fragment[0] = (struct hca_fragment){ .length = 200 };
	local_bh_disable();
	*first = hca_batch_split(batch, 1);
	ck_assert_ptr_nonnull(*first);
	hca_packet_free(batch);
	(*first)->payload_kind = HCA_PAYLOAD_INLINE;
	*copy = hca_packet_copy(*first);
	ck_assert_ptr_nonnull(*copy);
	local_bh_enable();
}

/*
 * V3-180: where no packet can be in a network, a queue pair that is connected to the same port
 * again waits for the packets that are in flight then, whoever has sent them; for parts of a
 * segment batch and copies as for the whole; not for later ones, not longer than the time-wait, and
 * not at all if there is none.
 */
START_TEST(last_packet)
{
	struct pair *pair = pair_new(&pair_rc);
	struct hca_packet_pool *pool = &pair->end[1].ca.pool;
	struct hca_qp *qp = pair->end[0].qp;
	struct hca_eec *eec = hca_qp_eec(qp);
	const struct hca_qp_attr rtr = { .state = IB_QPS_RTR, .iba.av = { .dlid = 2 } };
	const unsigned long most = msecs_to_jiffies(hca_time_wait_ms);
	struct hca_packet *batch, *first, *copy, *later;
	struct hca_time_wait wait;

	go(qp, IB_QPS_RESET);
	ck_assert_uint_eq(time_wait_left(eec, &rtr, to_rtr), 0);

	batch = packet_new(pool);
	ck_assert(hca_time_wait_start(&wait, eec, &rtr, to_rtr));
	ck_assert_uint_eq(hca_time_wait_left(&wait), most);
	later = packet_new(pool);
	batch_divide(batch, &first, &copy);
	ck_assert_uint_eq(hca_time_wait_left(&wait), most);
	packet_free(first);
	ck_assert_uint_eq(hca_time_wait_left(&wait), most);
	packet_free(copy);
	ck_assert_uint_eq(hca_time_wait_left(&wait), 0);

	ck_assert(hca_time_wait_start(&wait, eec, &rtr, to_rtr));
	pair_wait(hca_time_wait_ms - 1);
	ck_assert_uint_eq(hca_time_wait_left(&wait), 1);
	pair_wait(1);
	ck_assert_uint_eq(hca_time_wait_left(&wait), 0);
	packet_free(later);
	pair_free(pair);
}
END_TEST

/*
 * V3-180: where packets may be in a network, the verbs layer waits between the end of a connection
 * and the next one with the same port; it does not wait for other ports, for a change of attributes
 * alone, for a queue pair that was never connected, or if the delay is configured as 0.
 */
START_TEST(time_wait)
{
	struct pair *pair = pair_new(services[_i]);
	struct pair_end *a = &pair->end[0];
	struct hca_eec *eec = hca_qp_eec(a->qp);
	struct hca_qp_attr rtr = { .state = IB_QPS_RTR, .iba.av = { .dlid = 2 } };
	const unsigned int most = hca_time_wait_ms;

	hca_flight_add_network();
	ck_assert_uint_eq(time_wait_left(eec, &rtr, to_rtr), 0);
	go(a->qp, IB_QPS_RESET);
	ck_assert_uint_eq(time_wait_left(eec, &rtr, to_rtr), msecs_to_jiffies(most));
	go(a->qp, IB_QPS_RESET); /* time-wait continues in Reset */
	pair_wait(100);
	ck_assert_uint_eq(time_wait_left(eec, &rtr, to_rtr), msecs_to_jiffies(most - 100));
	ck_assert_uint_eq(time_wait_left(eec, &rtr, IB_QP_AV), 0);
	rtr.iba.av.has_grh = 1; /* by another route */
	ck_assert_uint_eq(time_wait_left(eec, &rtr, to_rtr), msecs_to_jiffies(most - 100));
	rtr.iba.av.dlid = 3;
	ck_assert_uint_eq(time_wait_left(eec, &rtr, to_rtr), 0);
	rtr.iba.av.dlid = 2;
	hca_time_wait_ms = 0;
	ck_assert_uint_eq(time_wait_left(eec, &rtr, to_rtr), 0);
	hca_time_wait_ms = ~0u; /* the delay has a maximum */
	ck_assert_uint_le(time_wait_left(eec, &rtr, to_rtr), msecs_to_jiffies(60000));
	hca_time_wait_ms = most;
	pair_wait(most - 100);
	ck_assert_uint_eq(time_wait_left(eec, &rtr, to_rtr), 0);
	hca_flight_del_network();
	pair_free(pair);
}
END_TEST

/* V3-180: what has left by a network that is gone by now may still arrive by another one. */
START_TEST(network_gone)
{
	struct pair *pair = pair_new(&pair_rc);
	struct hca_qp *qp = pair->end[0].qp;
	const struct hca_qp_attr rtr = { .state = IB_QPS_RTR, .iba.av = { .dlid = 2 } };
	const unsigned long most = msecs_to_jiffies(hca_time_wait_ms);

	hca_flight_add_network();
	hca_flight_del_network();
	pair_wait(100);
	go(qp, IB_QPS_RESET);
	ck_assert_uint_eq(time_wait_left(hca_qp_eec(qp), &rtr, to_rtr), most);
	pair_wait(hca_time_wait_ms - 101);
	ck_assert_uint_eq(time_wait_left(hca_qp_eec(qp), &rtr, to_rtr), 101);
	pair_wait(1);
	ck_assert_uint_eq(time_wait_left(hca_qp_eec(qp), &rtr, to_rtr), 0);
	pair_free(pair);
}
END_TEST

/* V3-180: the last packet may have left by a network that came after the start of the wait. */
START_TEST(network_comes)
{
	struct pair *pair = pair_new(&pair_rc);
	struct hca_qp *qp = pair->end[0].qp;
	const struct hca_qp_attr rtr = { .state = IB_QPS_RTR, .iba.av = { .dlid = 2 } };
	const unsigned long most = msecs_to_jiffies(hca_time_wait_ms);
	struct hca_time_wait wait;
	struct hca_packet *pkt;

	go(qp, IB_QPS_RESET);
	pkt = packet_new(&pair->end[1].ca.pool);
	ck_assert(hca_time_wait_start(&wait, hca_qp_eec(qp), &rtr, to_rtr));
	hca_flight_add_network();
	packet_free(pkt);
	ck_assert_uint_eq(hca_time_wait_left(&wait), most);
	hca_flight_del_network();
	ck_assert_uint_eq(hca_time_wait_left(&wait), most);
	pair_wait(hca_time_wait_ms);
	ck_assert_uint_eq(hca_time_wait_left(&wait), 0);
	pair_free(pair);
}
END_TEST

Suite *states_suite(void)
{
	Suite *suite = suite_create("states");
	TCase *tc = tcase_create("states");

	tcase_add_loop_test(tc, allows, 0, 2 * STATES);
	tcase_add_loop_test(tc, flushes, 0, 2);
	tcase_add_loop_test(tc, back_before_the_flush, 0, 3);
	tcase_add_loop_test(tc, established, 0, 2);
	tcase_add_test(tc, stale);
	tcase_add_test(tc, last_packet);
	tcase_add_loop_test(tc, time_wait, 0, 2);
	tcase_add_test(tc, network_gone);
	tcase_add_test(tc, network_comes);
	suite_add_tcase(suite, tc);
	return suite;
}
