// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * An RNIC judged by what happens at each stage of a connection: destruction, Error, the removal of
 * the device, silence, FIN, RST, and memory that is short. The judge of order.h watches the events
 * in all tests.
 */
#include <check.h>
#include <string.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include "shim.h"
#include "tests/unit/iwarp/judge_state.h"
#include "tests/unit/suites.h"

#define WITH_RTR "request " JUDGE_ENHANCED
#define WITHOUT_RTR "request crc"

static const struct sim_stream_options plain = { .segment = 0 };

/* The stream of the RNIC has no room until order_unblock(). */
static struct hca_stream_ops blocked;
static const struct hca_stream_ops *usual;

static u32 order_no_room(struct hca_stream *s)
{
	return 0;
}

static void order_block(void)
{
	usual = judge.core->stream.ops;
	blocked = *usual;
	blocked.room = order_no_room;
	judge.core->stream.ops = &blocked;
}

static void order_unblock(void)
{
	judge.core->stream.ops = usual;
	hca_stream_event(&judge.core->stream, HCA_STREAM_WRITABLE);
	hca_engine_raise();
	shim_run_until_idle();
	judge_exchange();
}

/* The ULP has to answer a request before an endpoint can end. */
static void order_end(void)
{
	const struct hca_connect connect = { .private_length = 0 };

	if (judge.ep.state == HCA_STARTUP_WAIT_ULP)
		hca_startup_reject(&judge.ep, &connect);
	judge_end();
}

/* The request is not sent yet. */
static void order_connecting(void)
{
	order_block();
	ck_assert_int_eq(judge_connect(4, 4), 0);
	ck_assert_uint_eq(judge.ep.state, HCA_STARTUP_CONNECTING);
}

/* The RTR message is not sent yet. */
static void order_rtr_due(void)
{
	judge_request();
	order_block();
	judge_run("reply " JUDGE_ENHANCED);
	peer_agree(&judge.peer);
	ck_assert_uint_eq(judge.ep.state, HCA_STARTUP_RTR_DUE);
}

/* The initiator has ended the connection, since the peer offers no RTR message. */
static void order_terminated(void)
{
	judge_request();
	judge_run("reply crc enhanced rev=2 p2p ird=4 ord=4");
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CONNECT_REPLY], 1);
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_SQE);
}

static void order_refused(void)
{
	judge_request();
	judge_run("reply reject " JUDGE_ENHANCED);
	ck_assert_int_eq(judge.reply_status, -ECONNREFUSED);
	ck_assert_uint_eq(judge.ep.state, HCA_STARTUP_ENDING);
}

static void order_wait_req(void)
{
	judge_listen("");
	ck_assert_uint_eq(judge.ep.state, HCA_STARTUP_WAIT_REQ);
}

static void order_wait_ulp(void)
{
	judge_listen(WITH_RTR);
	ck_assert_uint_eq(judge.ep.state, HCA_STARTUP_WAIT_ULP);
}

static void order_rejected(void)
{
	const struct hca_connect connect = { .private_length = 0 };

	order_wait_ulp();
	ck_assert_int_eq(hca_startup_reject(&judge.ep, &connect), 0);
	judge_exchange();
	ck_assert_uint_eq(judge.ep.state, HCA_STARTUP_ENDING);
}

static void order_accept(const char *request)
{
	judge_listen(request);
	ck_assert_int_eq(judge_accept(4, 4), 0);
	ck_assert_uint_eq(judge.ep.state, HCA_STARTUP_REP_SENT);
}

/* The reply is not sent yet. R0-150: nobody waits for that. */
static void order_reply_due(void)
{
	judge_listen(WITHOUT_RTR);
	order_block();
	ck_assert_int_eq(judge_accept(4, 4), 0);
	ck_assert(judge.ep.is_frame_due);
	ck_assert_uint_eq(judge.ep.state, HCA_STARTUP_REP_SENT);
}

static void order_await_rtr(void)
{
	order_accept(WITH_RTR);
	judge_agree();
}

static void order_await_first(void)
{
	order_accept(WITHOUT_RTR);
	judge_agree();
}

static void order_busy(void)
{
	judge_respond();
	judge_post(IB_UVERBS_WR_RDMA_READ, 2, 0, 16, 5, 0);
	ck_assert(peer_next_fpdu(&judge.peer));
}

/* Stages of a connection, and the result that the ULP gets, if this side ends the connection. */
static const struct {
	void (*reach)(void);
	bool has_qp;
	bool is_initiator; /* CONNECT_REPLY is reported */
	bool is_accepted; /* ESTABLISHED is reported */
	bool is_closing; /* the FIN was sent, behind all that the peer is to get */
} stages[] = {
	{ order_connecting, .has_qp = true, .is_initiator = true },
	{ judge_request, .has_qp = true, .is_initiator = true },
	{ order_rtr_due, .has_qp = true, .is_initiator = true },
	{ judge_initiate, .has_qp = true, .is_initiator = true },
	{ order_terminated, .has_qp = true, .is_initiator = true,
	  .is_closing = true },
	{ order_refused, .is_initiator = true },
	{ order_wait_req },
	{ order_wait_ulp },
	{ order_rejected },
	{ order_reply_due, .has_qp = true, .is_accepted = true },
	{ order_await_rtr, .has_qp = true, .is_accepted = true },
	{ order_await_first, .has_qp = true, .is_accepted = true },
	{ judge_respond, .has_qp = true, .is_accepted = true },
	{ order_busy, .has_qp = true, .is_accepted = true },
	{ judge_close_in_rts, .has_qp = true, .is_accepted = true,
	  .is_closing = true },
	{ judge_terminate_in_rts, .has_qp = true, .is_accepted = true,
	  .is_closing = true },
};

/* The endpoint has ended, without a FIN of the peer. */
static void order_assert_gone(int stage)
{
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 1);
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CONNECT_REPLY], stages[stage].is_initiator);
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_ESTABLISHED], stages[stage].is_accepted);
	ck_assert_uint_eq(judge.ep.state, HCA_STARTUP_CLOSED);
}

static void order_assert_ended(int stage)
{
	order_assert_gone(stage);
	ck_assert(judge_reset());
}

/*
 * The destruction of a queue pair ends the connection before it waits for iw_cm's reference. A
 * close or a Terminate that was begun reaches the peer, without a RST (R0-126).
 */
START_TEST(destroyed)
{
	judge_begin(&plain);
	stages[_i].reach();
	judge_destroy();
	judge_exchange();
	if (stages[_i].has_qp)
		order_assert_gone(_i);
	if (stages[_i].has_qp)
		ck_assert(judge_reset() == !stages[_i].is_closing);
	judge_run("fin");
	order_end();
}
END_TEST

/* Error by the consumer ends the connection at once, start-up included. */
START_TEST(error_by_modify)
{
	judge_begin(&plain);
	stages[_i].reach();
	if (judge.qp->common.state == IB_QPS_SQE) {
		judge_end();
		return;
	}
	ck_assert_int_eq(judge_modify_settled(IB_QPS_ERR), 0);
	if (stages[_i].has_qp)
		order_assert_ended(_i);
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_ERR);
	order_end();
}
END_TEST

/* The removal of the device ends the connection at once, with or without a queue pair. */
START_TEST(removed)
{
	judge_begin(&plain);
	stages[_i].reach();
	hca_rnic_fail(&judge.rnic);
	judge_exchange();
	order_assert_ended(_i);
	judge_end();
}
END_TEST

/* A removal tells the peer if that is possible at once: 0/2/08. */
START_TEST(removed_with_terminate)
{
	judge_begin(&plain);
	judge_respond();
	judge.pair.options.overtakes = false;
	hca_rnic_fail(&judge.rnic);
	judge_exchange();
	ck_assert(peer_next_fpdu(&judge.peer));
	ck_assert_uint_eq(judge.peer.fpdu.header.opcode, 7);
	ck_assert_uint_eq(judge.peer.fpdu.terminate.control[0], 0x02);
	ck_assert_uint_eq(judge.peer.fpdu.terminate.control[1], 0x08);
	judge_end();
}
END_TEST

/* RST or FIN of the peer, and nothing at all, at each stage. */
static const char *const ends[] = { "reset", "fin", "" };

START_TEST(peer_ends)
{
	int stage = _i / ARRAY_SIZE(ends), i;
	bool is_endless;
	const char *end = ends[_i % ARRAY_SIZE(ends)];

	judge_begin(&plain);
	stages[stage].reach();
	judge_run(end);
	/* There is no limit for the ULP's decision, the first FPDU of others, and messages. */
	for (i = 0; i < 12; i++)
		judge_wait(1);
	is_endless = stages[stage].reach == order_wait_ulp ||
		     (!*end && (stages[stage].reach == judge_initiate ||
				stages[stage].reach == order_await_first ||
				stages[stage].reach == judge_respond ||
				stages[stage].reach == order_busy));
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], !is_endless);
	order_end();
}
END_TEST

/* The RTR message does not come: the time of the responder is limited (4.1). */
START_TEST(rtr_does_not_come)
{
	judge_begin(&plain);
	order_await_rtr();
	judge_wait(9);
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_ESTABLISHED], 0);
	judge_wait(2);
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_ESTABLISHED], 1);
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 1);
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_ERR);
	ck_assert_uint_eq(judge.qp_events[HCA_QP_FATAL], 1);
	ck_assert_int_eq(atomic64_read(&judge.rnic.count[HCA_RNIC_STARTUP_TIMEOUTS]), 1);
	ck_assert(judge_reset());
	judge_end();
}
END_TEST

/* RFC 5044, 7.1.2: a responder sends no FPDU, Terminate included, before the peer's first one. */
START_TEST(nothing_before_the_first)
{
	bool is_busy = _i & 1;

	judge_begin(&plain);
	if (_i & 4)
		order_await_rtr();
	else
		order_await_first();
	if (is_busy)
		judge_post(IB_UVERBS_WR_SEND, 7, 100, 24, 0, 0);
	if (_i & 2)
		ck_assert_int_eq(judge_modify_settled(IB_QPS_SQE), 0);
	else
		judge_run("raw 00; fin");
	judge_run("");
	ck_assert_uint_eq(judge.peer.in_length, 0);
	ck_assert(judge_reset());
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_ERR);
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_ESTABLISHED], 1);
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 1);
	if (is_busy)
		judge_expect(&judge.send_cq, 7, IB_WC_WR_FLUSH_ERR);
	judge_end();
}
END_TEST

/* The consumer closes in RTR: the first FPDU does not lead to RTS. */
START_TEST(closing_before_the_first)
{
	judge_begin(&plain);
	if (_i)
		order_await_rtr();
	else
		order_await_first();
	ck_assert_int_eq(judge_modify_settled(IB_QPS_SQD), 0);
	ck_assert(judge_fin());
	judge_run("write");
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_ERR);
	ck_assert(judge_reset());
	ck_assert_uint_eq(judge.qp_events[HCA_QP_FATAL], 1);
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_ESTABLISHED], 1);
	judge_end();
}
END_TEST

/* The FIN follows the reply, even if that has waited for room. */
START_TEST(closing_before_the_reply)
{
	judge_begin(&plain);
	order_reply_due();
	ck_assert_int_eq(judge_modify_settled(IB_QPS_SQD), 0);
	ck_assert(!judge_fin());
	order_unblock();
	ck_assert(judge_fin());
	judge_agree();
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_ESTABLISHED], 1);
	judge_run("fin");
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 1);
	ck_assert_int_eq(judge.close_status, 0);
	judge_end();
}
END_TEST

/* Bad FPDUs in Closing, and a part of one: one event, in Error (req R0-189, R0-195). */
START_TEST(bad_fpdu_in_closing)
{
	static const char *const scripts[] = {
		"write bad-crc", "send rv=0", "write stag=5 payload=4", "raw 00; fin",
	};

	judge_begin(&plain);
	judge_close_in_rts();
	judge_run(scripts[_i]);
	/* Behind both FINs there is nothing to reset. */
	ck_assert(judge_reset() || strstr(scripts[_i], "fin"));
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_ERR);
	ck_assert_uint_eq(judge.qp_events[HCA_QP_FATAL], 1);
	ck_assert_uint_eq(judge.qp_events[HCA_QP_ACCESS_ERROR], 0);
	ck_assert_uint_eq(judge.qp_events[HCA_QP_REQUEST_ERROR], 0);
	judge_end();
}
END_TEST

/* R0-148: octets that arrive before the reply is sent are looked at behind it. */
START_TEST(first_before_the_reply)
{
	judge_begin(&plain);
	judge_recv(1, 0, 64, judge.mr[JUDGE_RW]->key);
	order_reply_due();
	judge_run("agree; send payload=9");
	judge_expect_none(&judge.recv_cq);
	ck_assert(judge_is_untouched());
	order_unblock();
	ck_assert(peer_next_start(&judge.peer));
	ck_assert_uint_eq(judge_expect(&judge.recv_cq, 1, IB_WC_SUCCESS).byte_len, 9);
	judge_end();
}
END_TEST

/* Only a Read without octets is an RTR message. */
START_TEST(read_is_no_rtr)
{
	judge_begin(&plain);
	judge_listen("request crc enhanced rev=2 p2p rtr-read ird=4 ord=4");
	ck_assert_int_eq(judge_accept(4, 4), 0);
	judge_agree();
	judge_run(_i ? "read src=$rw srcto=0x70000 size=4" : "read");
	ck_assert_int_eq(atomic64_read(&judge.rnic.count[HCA_RNIC_STARTUP_NO_RTR]), _i);
	ck_assert(peer_next_fpdu(&judge.peer));
	ck_assert_uint_eq(judge.peer.fpdu.payload_length, _i ? 4 : 0);
	judge_end();
}
END_TEST

/* An accept that fails ends the endpoint: the peer gets a rejection, and the ULP no event. */
START_TEST(accept_fails)
{
	const struct hca_connect connect = { .ird = _i == 1 ? 129 : 4, .private_length = 600 };
	int ret;

	judge_begin(&plain);
	judge_listen(_i ? WITH_RTR : WITHOUT_RTR);
	if (_i == 2)
		judge_modify_settled(IB_QPS_ERR);
	if (_i == 3) {
		shim_fail_alloc(1);
		ret = judge_accept(4, 4);
		ck_assert(shim_alloc_failed());
	} else {
		ret = hca_startup_accept(&judge.ep, judge.it, &connect);
		judge_exchange();
	}
	ck_assert_int_eq(ret, _i == 3 ? -ENOMEM : -EINVAL);
	ck_assert(peer_next_start(&judge.peer));
	ck_assert(judge.peer.start.rejected);
	ck_assert_uint_eq(judge.peer.start.private_length, 0);
	ck_assert(judge_fin());
	ck_assert_ptr_null(judge.it->ep);
	judge_run("fin");
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 1);
	ck_assert_int_eq(judge_accept(4, 4), -EINVAL);
	judge_end();
}
END_TEST

/* Memory that is short for a moment delays request, reply, RTR message and Terminate message. */
START_TEST(memory_is_short)
{
	judge_begin(&plain);
	switch (_i) {
	case 0:
		shim_fail_alloc(2);
		ck_assert_int_eq(judge_connect(4, 4), 0);
		ck_assert(shim_alloc_failed());
		judge_wait(1);
		ck_assert(peer_next_start(&judge.peer));
		break;
	case 1:
		judge_listen(WITHOUT_RTR);
		shim_fail_alloc(2);
		ck_assert_int_eq(judge_accept(4, 4), 0);
		ck_assert(shim_alloc_failed());
		judge_wait(1);
		judge_agree();
		ck_assert_uint_eq(judge.events[HCA_ENDPOINT_ESTABLISHED], 1);
		break;
	case 2:
		judge_request();
		shim_fail_alloc(1);
		judge_run("reply " JUDGE_ENHANCED);
		ck_assert(shim_alloc_failed());
		peer_agree(&judge.peer);
		judge_wait(1);
		ck_assert(peer_next_fpdu(&judge.peer));
		ck_assert_int_eq(judge.reply_status, 0);
		break;
	default:
		judge_respond();
		shim_fail_alloc(1);
		ck_assert_int_eq(judge_modify_settled(IB_QPS_SQE), 0);
		ck_assert(shim_alloc_failed());
		judge_wait(1);
		ck_assert(peer_next_fpdu(&judge.peer));
		ck_assert_uint_eq(judge.peer.fpdu.header.opcode, 7);
		ck_assert(judge_fin());
		break;
	}
	judge_end();
}
END_TEST

/* More Reads than there is memory for: Terminate, and a responder that takes no more. */
START_TEST(no_memory_for_reads)
{
	judge_begin(&plain);
	judge_request();
	shim_fail_alloc(1);
	judge_run("reply crc enhanced rev=2 p2p rtr-write ird=4 ord=100");
	ck_assert(shim_alloc_failed());
	ck_assert_int_eq(judge.reply_status, -ENOMEM);
	ck_assert_uint_le(judge.it->responder.ird, judge.it->responder.size);
	judge_run("fin");
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 1);
	judge_end();
}
END_TEST

/* A reset of the peer while a request is awaited: the stream is not used after its release. */
START_TEST(released_once)
{
	judge_begin(&plain);
	judge_listen("request crc octets=10");
	judge_run("reset");
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 1);
	hca_run_schedule(&judge.ep.run);
	judge_exchange();
	judge_end();
}
END_TEST

/* A timer's handler that runs late, when another limit has begun, does not end that. */
START_TEST(limit_is_not_over)
{
	judge_begin(&plain);
	judge_listen("");
	judge_wait(4);
	judge.ep.timer.function(&judge.ep.timer);
	shim_run_until_idle();
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 0);
	judge_run(WITHOUT_RTR);
	judge.ep.timer.function(&judge.ep.timer);
	judge_wait(9);
	ck_assert_int_eq(judge_accept(4, 4), 0);
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 0);
	judge_end();
}
END_TEST

/* The lock of an endpoint is held as long as its next user may not see it. */
static void order_locked_reset(struct hca_stream *s)
{
	ck_assert(judge.ep.qp || spin_is_locked(&judge.ep.lock));
	usual->reset(s);
}

static void order_locked_release(struct hca_stream *s)
{
	ck_assert_ptr_null(judge.ep.qp);
	ck_assert(spin_is_locked(&judge.ep.lock));
	usual->release(s);
}

START_TEST(locked)
{
	judge_begin(&plain);
	usual = judge.core->stream.ops;
	blocked = *usual;
	blocked.reset = order_locked_reset;
	blocked.release = order_locked_release;
	judge.core->stream.ops = &blocked;
	if (_i) {
		judge_request();
		judge_run("reply rev=3");
	} else {
		judge_respond();
		ck_assert_int_eq(judge_modify_settled(IB_QPS_SQD), 0);
		judge_run("fin");
	}
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 1);
	judge_end();
}
END_TEST

static bool is_grace_over;

static void order_grace_period(struct rcu_head *head)
{
	is_grace_over = true;
}

/* An event that is being raised may use the run function until a grace period is over. */
START_TEST(destroyed_after_grace_period)
{
	static struct hca_endpoint ep;
	struct rcu_head head;

	judge_begin(&plain);
	hca_endpoint_init(&ep, &judge.rnic, &judge.core->stream, NULL);
	call_rcu(&head, order_grace_period);
	hca_endpoint_destroy(&ep);
	ck_assert(is_grace_over);
	judge_end();
}
END_TEST

static TCase *order_stages(void)
{
	TCase *tc = tcase_create("stages");

	tcase_add_loop_test(tc, destroyed, 0, ARRAY_SIZE(stages));
	tcase_add_loop_test(tc, error_by_modify, 0, ARRAY_SIZE(stages));
	tcase_add_loop_test(tc, removed, 0, ARRAY_SIZE(stages));
	tcase_add_test(tc, removed_with_terminate);
	tcase_add_loop_test(tc, peer_ends, 0, ARRAY_SIZE(stages) * ARRAY_SIZE(ends));
	tcase_add_test(tc, released_once);
	tcase_add_test(tc, limit_is_not_over);
	tcase_add_loop_test(tc, locked, 0, 2);
	tcase_add_test(tc, destroyed_after_grace_period);
	return tc;
}

static TCase *order_startup(void)
{
	TCase *tc = tcase_create("startup");

	tcase_add_test(tc, rtr_does_not_come);
	tcase_add_loop_test(tc, nothing_before_the_first, 0, 8);
	tcase_add_loop_test(tc, closing_before_the_first, 0, 2);
	tcase_add_test(tc, closing_before_the_reply);
	tcase_add_loop_test(tc, bad_fpdu_in_closing, 0, 4);
	tcase_add_test(tc, first_before_the_reply);
	tcase_add_loop_test(tc, read_is_no_rtr, 0, 2);
	tcase_add_loop_test(tc, accept_fails, 0, 4);
	tcase_add_loop_test(tc, memory_is_short, 0, 4);
	tcase_add_test(tc, no_memory_for_reads);
	return tc;
}

Suite *iwarp_judge_order_suite(void)
{
	Suite *suite = suite_create("iwarp_judge_order");

	suite_add_tcase(suite, order_stages());
	suite_add_tcase(suite, order_startup());
	return suite;
}
