// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The view of a queue pair or EE context that works, waits, has failed, or is bound. */
#include <check.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include "shim.h"
#include "tests/unit/fixture/pair.h"
#include "tests/unit/suites.h"
#include "transport/iba_qp.h"
#include "transport/loss.h"
#include "transport/retry.h"
#include "transport/view.h"

static bool drops_all(struct pair *pair, int receiver, const struct hca_packet *pkt)
{
	return false;
}

static struct hca_qp_view view_of(struct hca_qp *qp)
{
	struct hca_qp_view view;

	memset(&view, 0xa5, sizeof(view));
	hca_qp_view(qp, &view);
	return view;
}

/* A connection after a message each way: what query says, and what the rings say. */
START_TEST(a_connection)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_qp_view view, peer;
	struct hca_qp_attr attr;

	pair_recv(b, 1, DST, 100);
	pair_recv(b, 2, DST, 100);
	pair_send(a, 1, HCA_WQE_SIGNALED, SRC, 100);
	pair_settle();
	view = view_of(a->qp);
	peer = view_of(b->qp);
	hca_qp_query(a->qp, &attr);
	ck_assert_uint_eq(view.parts, HCA_VIEW_ANY | HCA_VIEW_PACKETS | HCA_VIEW_PORT |
				      HCA_VIEW_SQ | HCA_VIEW_RQ | HCA_VIEW_CONNECTION |
				      HCA_VIEW_REQUESTER | HCA_VIEW_RETRIES | HCA_VIEW_TIMER |
				      HCA_VIEW_CREDITS | HCA_VIEW_RESPONDER | HCA_VIEW_RESPONSES |
				      HCA_VIEW_OFFER);
	ck_assert_uint_eq(view.state, IB_QPS_RTS);
	ck_assert_uint_eq(view.port, 1);
	ck_assert_uint_eq(view.attr.iba.dest_qpn, b->qp->qpn);
	ck_assert_uint_eq(view.attr.iba.av.dlid, pair_lid(1, 1));
	ck_assert_uint_eq(view.path_mtu, 128u << attr.iba.path_mtu);
	ck_assert_uint_eq(view.sq_entries, a->qp->sq.entries);
	ck_assert_uint_eq(view.sq_posted, 0);
	ck_assert_uint_eq(view.sq_outstanding, 0);
	ck_assert_uint_eq(view.next_psn, pair_rc.psn[0] + 1);
	ck_assert_uint_eq(view.sent_psn, pair_rc.psn[0] + 1);
	ck_assert_uint_eq(view.una_psn, pair_rc.psn[0] + 1);
	ck_assert_uint_eq(view.window, HCA_WINDOW);
	ck_assert_uint_eq(view.retries_left, pair_rc.retry);
	ck_assert_uint_eq(view.rnr_left, pair_rc.rnr_retry);
	ck_assert_uint_eq(view.credits, 1);
	ck_assert_uint_eq(view.credit_limit, 2);
	ck_assert_uint_eq(view.timer, HCA_VIEW_TIMER_NONE);
	ck_assert_uint_eq(view.timer_left, 0);
	ck_assert_uint_eq(peer.rq_entries, b->qp->rq.entries);
	ck_assert_uint_eq(peer.rq_posted, 1);
	ck_assert_uint_eq(peer.rq_consumed, 1);
	ck_assert_uint_eq(peer.credits_offered, 1);
	ck_assert_uint_eq(peer.expected_psn, pair_rc.psn[0] + 1);
	ck_assert_uint_eq(peer.msn, 1);
	pair_free(pair);
}
END_TEST

/* Without a receive request the requester waits as long as the RNR NAK has said, and says so. */
START_TEST(waits_for_a_receive_request)
{
	const struct hca_qp_attr attr = { .iba.min_rnr_timer = 20 }; /* 10.24 ms */
	struct pair_qp how = pair_rc;
	struct hca_qp_view view;
	struct pair_end *a, *b;
	struct pair *pair;

	how.rnr_retry = 3;
	pair = pair_new(&how);
	a = &pair->end[0];
	b = &pair->end[1];
	ck_assert_int_eq(hca_qp_modify(b->qp, &attr, IB_QP_MIN_RNR_TIMER), 0);
	pair_send(a, 1, HCA_WQE_SIGNALED, SRC, 100);
	pair_settle();
	view = view_of(a->qp);
	ck_assert_uint_eq(view.timer, HCA_VIEW_TIMER_RNR);
	ck_assert_uint_ge(view.timer_left, 10240);
	ck_assert_uint_le(view.timer_left, 10240 + 3 * USEC_PER_SEC / HZ);
	ck_assert_uint_eq(view.rnr_left, 2);
	ck_assert_uint_eq(view.retries_left, how.retry);
	ck_assert_uint_eq(view.sq_outstanding, 1);
	ck_assert_uint_eq(view.una_psn, how.psn[0]);
	ck_assert_uint_eq(view.sent_psn, how.psn[0] + 1);
	ck_assert_uint_eq(view_of(b->qp).rq_posted, 0);
	pair_wait(5);
	ck_assert_uint_eq(view_of(a->qp).timer_left, view.timer_left - 5000);
	pair_recv(b, 1, DST, 100);
	pair_wait(100);
	view = view_of(a->qp);
	ck_assert_uint_eq(view.timer, HCA_VIEW_TIMER_NONE);
	ck_assert_uint_eq(view.sq_outstanding, 0);
	pair_free(pair);
}
END_TEST

/* A cable that loses all: each ACK timeout uses up a retry; the last one is why it has failed. */
START_TEST(loses_all)
{
	struct pair_qp how = pair_rc;
	struct hca_qp_view view;
	struct pair_end *a;
	struct pair *pair;
	u32 timeout;

	how.retry = 2;
	pair = pair_new(&how);
	pair->filter = drops_all;
	a = &pair->end[0];
	pair_send(a, 1, HCA_WQE_SIGNALED, SRC, 100);
	pair_settle();
	view = view_of(a->qp);
	timeout = view.ack_timeout;
	ck_assert_uint_gt(timeout, 4096u << how.timeout >> 10);
	ck_assert_uint_eq(view.timer, HCA_VIEW_TIMER_ACK);
	ck_assert_uint_le(view.timer_left, timeout);
	ck_assert_uint_eq(view.retries_left, 2);
	ck_assert_uint_eq(view.parts & HCA_VIEW_ERROR, 0);
	pair_wait(timeout / 1000 + 1);
	ck_assert_uint_eq(view_of(a->qp).retries_left, 1);
	pair_wait(3 * (timeout / 1000 + 1));
	view = view_of(a->qp);
	ck_assert_uint_eq(view.state, IB_QPS_ERR);
	ck_assert_uint_eq(view.parts & HCA_VIEW_ERROR, HCA_VIEW_ERROR);
	ck_assert_uint_eq(view.vendor_err, HCA_VENDOR_ERR_TIMEOUT_RETRIES);
	/* Requests that are flushed afterwards do not hide the error; Reset clears it. */
	pair_send(a, 2, HCA_WQE_SIGNALED, SRC, 100);
	pair_settle();
	ck_assert_uint_eq(view_of(a->qp).vendor_err, HCA_VENDOR_ERR_TIMEOUT_RETRIES);
	ck_assert_int_eq(hca_qp_modify(a->qp, &(struct hca_qp_attr){ .state = IB_QPS_RESET },
				       IB_QP_STATE), 0);
	ck_assert_uint_eq(view_of(a->qp).parts & HCA_VIEW_ERROR, 0);
	pair_free(pair);
}
END_TEST

/* A message that does not fit is an error of the receiver's as well. */
START_TEST(a_receive_request_fails)
{
	struct pair *pair = pair_new(&pair_rc);

	pair_recv(&pair->end[1], 1, DST, 10);
	pair_send(&pair->end[0], 1, HCA_WQE_SIGNALED, SRC, 100);
	pair_settle();
	ck_assert_uint_eq(view_of(pair->end[1].qp).vendor_err, HCA_VENDOR_ERR_RECV_LENGTH);
	pair_free(pair);
}
END_TEST

/* Requests that the adapter has not begun are posted, those that it has begun are outstanding. */
START_TEST(requests_that_are_not_begun)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0];
	struct hca_qp_view view;
	int i;

	/* End-to-end credits let only one begin. */
	for (i = 0; i < 5; i++)
		pair_send(a, i, HCA_WQE_SIGNALED, SRC, 100);
	pair_settle();
	view = view_of(a->qp);
	ck_assert_uint_eq(view.sq_outstanding + view.sq_posted, 5);
	ck_assert_uint_ge(view.sq_outstanding, 1);
	ck_assert_uint_eq(view.credits, 0);
	a->qp->sq.ring->producer += 1000;
	ck_assert_uint_eq(view_of(a->qp).sq_posted, 0);
	a->qp->sq.ring->producer -= 1000;
	pair_free(pair);
}
END_TEST

/* Other types have no more parts than they have. */
START_TEST(parts_of_types)
{
	static const u32 queues = HCA_VIEW_ANY | HCA_VIEW_PACKETS | HCA_VIEW_SQ | HCA_VIEW_RQ;
	static const struct {
		const struct pair_qp *how;
		u32 parts;
	} types[] = {
		{ &pair_ud, queues | HCA_VIEW_PORT },
		{ &pair_uc, queues | HCA_VIEW_PORT | HCA_VIEW_CONNECTION | HCA_VIEW_REQUESTER |
			    HCA_VIEW_RESPONDER },
		{ &pair_rd, queues | HCA_VIEW_TIMER },
		{ &pair_xrc, HCA_VIEW_ANY | HCA_VIEW_PACKETS | HCA_VIEW_PORT | HCA_VIEW_SQ |
			     HCA_VIEW_CONNECTION | HCA_VIEW_REQUESTER | HCA_VIEW_RETRIES |
			     HCA_VIEW_TIMER },
	};
	static const u32 both = HCA_VIEW_ANY | HCA_VIEW_PACKETS | HCA_VIEW_PORT |
				HCA_VIEW_CONNECTION;
	static const u32 responder = HCA_VIEW_RESPONDER | HCA_VIEW_RESPONSES;
	struct pair *pair = pair_new(types[_i].how);
	struct hca_qp_view view;

	ck_assert_uint_eq(view_of(pair->end[0].qp).parts, types[_i].parts);
	if (pair->end[0].tgt)
		ck_assert_uint_eq(view_of(pair->end[0].tgt).parts, both | responder);
	if (pair->end[0].rd_eec) {
		hca_rd_eec_view(pair->end[0].rd_eec, &view);
		ck_assert_uint_eq(view.parts, both | responder | HCA_VIEW_REQUESTER |
					      HCA_VIEW_RETRIES | HCA_VIEW_TIMER);
		ck_assert_uint_eq(view.attr.iba.dest_qpn, pair->end[1].rd_eec->eecn);
		ck_assert_uint_eq(view.next_psn, pair_rd.psn[0]);
	}
	pair_free(pair);
}
END_TEST

/* Counters are there while the queue pair is bound to some. */
START_TEST(counters)
{
	struct pair *pair = pair_new(&pair_rc);
	struct hca_qp_counters *losses = kzalloc(sizeof(*losses), GFP_KERNEL);
	struct hca_qp *qp = pair->end[1].qp;
	struct hca_qp_view view;

	ck_assert_uint_eq(view_of(qp).parts & HCA_VIEW_COUNTERS, 0);
	rcu_assign_pointer(hca_qp_eec(qp)->losses, losses);
	pair_send(&pair->end[0], 1, HCA_WQE_SIGNALED, SRC, 100);
	pair_settle();
	view = view_of(qp);
	ck_assert_uint_eq(view.parts & HCA_VIEW_COUNTERS, HCA_VIEW_COUNTERS);
	ck_assert_uint_eq(view.counters[HCA_CTR_RNR_NAKS_SENT - HCA_FIRST_LOSS_COUNTER], 1);
	ck_assert_uint_eq(view.counters[0], 0);
	RCU_INIT_POINTER(hca_qp_eec(qp)->losses, NULL);
	kfree(losses);
	pair_free(pair);
}
END_TEST

Suite *view_suite(void)
{
	Suite *suite = suite_create("view");
	TCase *tc = tcase_create("view");

	tcase_add_test(tc, a_connection);
	tcase_add_test(tc, waits_for_a_receive_request);
	tcase_add_test(tc, loses_all);
	tcase_add_test(tc, a_receive_request_fails);
	tcase_add_test(tc, requests_that_are_not_begun);
	tcase_add_loop_test(tc, parts_of_types, 0, 4);
	tcase_add_test(tc, counters);
	suite_add_tcase(suite, tc);
	return suite;
}
