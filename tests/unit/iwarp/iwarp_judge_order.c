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
#include "tests/unit/iwarp/judge.h"
#include "tests/unit/suites.h"

#define ENHANCED "crc enhanced rev=2 p2p rtr-write ird=4 ord=4"
#define WITH_RTR "request " ENHANCED
#define WITHOUT_RTR "request crc"

static const struct sim_stream_options plain = { .segment = 0 };

static int order_modify(enum ib_qp_state state)
{
	struct hca_qp_attr attr = { .state = state };
	int ret = hca_qp_modify(judge.qp, &attr, IB_QP_STATE);

	judge_exchange();
	return ret;
}

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

static void order_req_sent(void)
{
	ck_assert_int_eq(judge_connect(4, 4), 0);
	ck_assert(peer_next_start(&judge.peer));
	ck_assert_uint_eq(judge.ep.state, HCA_STARTUP_REQ_SENT);
}

/* The RTR message is not sent yet. */
static void order_rtr_due(void)
{
	order_req_sent();
	order_block();
	judge_run("reply " ENHANCED);
	peer_agree(&judge.peer);
	ck_assert_uint_eq(judge.ep.state, HCA_STARTUP_RTR_DUE);
}

static void order_initiator(void)
{
	order_req_sent();
	judge_run("reply " ENHANCED);
	peer_agree(&judge.peer);
	ck_assert(peer_next_fpdu(&judge.peer));
	ck_assert_uint_eq(judge.ep.state, HCA_STARTUP_FULL);
}

/* The initiator has ended the connection, since the peer offers no RTR message. */
static void order_terminated(void)
{
	order_req_sent();
	judge_run("reply crc enhanced rev=2 p2p ird=4 ord=4");
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CONNECT_REPLY], 1);
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_SQE);
}

static void order_refused(void)
{
	order_req_sent();
	judge_run("reply reject " ENHANCED);
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

static void order_rts(void)
{
	judge_establish(WITHOUT_RTR);
}

static void order_busy(void)
{
	order_rts();
	judge_post(IB_UVERBS_WR_RDMA_READ, 2, 0, 16, 5, 0);
	ck_assert(peer_next_fpdu(&judge.peer));
}

static void order_closing(void)
{
	order_rts();
	ck_assert_int_eq(order_modify(IB_QPS_SQD), 0);
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_SQD);
}

static void order_terminating(void)
{
	order_rts();
	ck_assert_int_eq(order_modify(IB_QPS_SQE), 0);
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_SQE);
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
	{ order_req_sent, .has_qp = true, .is_initiator = true },
	{ order_rtr_due, .has_qp = true, .is_initiator = true },
	{ order_initiator, .has_qp = true, .is_initiator = true },
	{ order_terminated, .has_qp = true, .is_initiator = true,
	  .is_closing = true },
	{ order_refused, .is_initiator = true },
	{ order_wait_req },
	{ order_wait_ulp },
	{ order_rejected },
	{ order_reply_due, .has_qp = true, .is_accepted = true },
	{ order_await_rtr, .has_qp = true, .is_accepted = true },
	{ order_await_first, .has_qp = true, .is_accepted = true },
	{ order_rts, .has_qp = true, .is_accepted = true },
	{ order_busy, .has_qp = true, .is_accepted = true },
	{ order_closing, .has_qp = true, .is_accepted = true,
	  .is_closing = true },
	{ order_terminating, .has_qp = true, .is_accepted = true,
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
	ck_assert_int_eq(order_modify(IB_QPS_ERR), 0);
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
	order_rts();
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
		     (!*end && (stages[stage].reach == order_initiator ||
				stages[stage].reach == order_await_first ||
				stages[stage].reach == order_rts ||
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
		ck_assert_int_eq(order_modify(IB_QPS_SQE), 0);
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
	ck_assert_int_eq(order_modify(IB_QPS_SQD), 0);
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
	ck_assert_int_eq(order_modify(IB_QPS_SQD), 0);
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
	order_closing();
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
		order_modify(IB_QPS_ERR);
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
		order_req_sent();
		shim_fail_alloc(1);
		judge_run("reply " ENHANCED);
		ck_assert(shim_alloc_failed());
		peer_agree(&judge.peer);
		judge_wait(1);
		ck_assert(peer_next_fpdu(&judge.peer));
		ck_assert_int_eq(judge.reply_status, 0);
		break;
	default:
		order_rts();
		shim_fail_alloc(1);
		ck_assert_int_eq(order_modify(IB_QPS_SQE), 0);
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
	order_req_sent();
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
		order_req_sent();
		judge_run("reply rev=3");
	} else {
		order_rts();
		ck_assert_int_eq(order_modify(IB_QPS_SQD), 0);
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

/* The modifies that rdma_cm makes: cma.c and iwcm.c of Linux, and librdmacm's rdma_accept(). */
static int order_rdma_cm(enum ib_qp_state state, u32 access, int mask)
{
	const struct hca_qp_attr attr = { .state = state, .access = access };

	return hca_qp_modify(judge.qp, &attr, mask | IB_QP_PORT);
}

#define RDMA_CM_RIGHTS (IB_UVERBS_ACCESS_REMOTE_WRITE | IB_UVERBS_ACCESS_REMOTE_READ)

/* rdma_create_qp() without an identifier of iw_cm. */
static void order_create(void)
{
	struct hca_qp_attr attr = { .state = IB_QPS_RESET };

	judge_begin(&plain);
	ck_assert_int_eq(hca_qp_modify(judge.qp, &attr, IB_QP_STATE), 0);
	ck_assert_int_eq(order_rdma_cm(IB_QPS_INIT, 0, IB_QP_STATE | IB_QP_ACCESS_FLAGS), 0);
}

/* cma_modify_qp_rtr() of a connect or an accept: Init, then RTR. */
static void order_modify_rtr(void)
{
	ck_assert_int_eq(order_rdma_cm(IB_QPS_INIT, RDMA_CM_RIGHTS,
				       IB_QP_STATE | IB_QP_ACCESS_FLAGS), 0);
	ck_assert_int_eq(order_rdma_cm(IB_QPS_RTR, RDMA_CM_RIGHTS,
				       IB_QP_STATE | IB_QP_ACCESS_FLAGS), 0);
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_INIT);
}

START_TEST(rdma_cm_accepts)
{
	order_create();
	judge_listen(WITHOUT_RTR);
	order_modify_rtr();
	ck_assert_int_eq(order_rdma_cm(IB_QPS_RTS, 0, 0), 0); /* librdmacm alone */
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_INIT);
	ck_assert_int_eq(judge_accept(4, 4), 0);
	judge_agree();
	judge_run("write stag=$rw to=0x70000 payload=8");
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_RTS);
	ck_assert(!judge_is_untouched());
	judge_end();
}
END_TEST

/* The connecting side: a kernel consumer, and a process, which makes no other modify. */
START_TEST(rdma_cm_connects)
{
	order_create();
	if (_i)
		order_modify_rtr();
	order_initiator();
	ck_assert_uint_eq(judge.it->access, RDMA_CM_RIGHTS);
	judge_run("write stag=$rw to=0x70000 payload=8");
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_RTS);
	ck_assert(!judge_is_untouched());
	judge_end();
}
END_TEST

/* A consumer that sets no rights itself, without rdma_cm, has none. */
START_TEST(no_rights)
{
	struct hca_qp_attr attr = { .state = IB_QPS_INIT, .access = 0 };

	judge_begin(&plain);
	ck_assert_int_eq(hca_qp_modify(judge.qp, &attr, IB_QP_STATE | IB_QP_ACCESS_FLAGS), 0);
	order_initiator();
	ck_assert_uint_eq(judge.it->access, 0);
	judge_run("write stag=$rw to=0x70000 payload=8");
	ck_assert(judge_is_untouched());
	judge_end();
}
END_TEST

/*
 * Modifies to states that only start-up enters. P1-159, R0-146: there is no RTS without a stream.
 * R0-155: ORD changes in RTS.
 */
START_TEST(modify_to_states_of_startup)
{
	struct hca_qp_attr attr = { .state = IB_QPS_RTS, .max_rd_atomic = 2 };

	judge_begin(&plain);
	ck_assert_int_eq(order_modify(IB_QPS_RTS), -EINVAL);
	order_rts();
	ck_assert_int_eq(order_modify(IB_QPS_RTR), -EINVAL);
	ck_assert_int_eq(hca_qp_modify(judge.qp, &attr, IB_QP_STATE | IB_QP_MAX_QP_RD_ATOMIC), 0);
	ck_assert_uint_eq(judge.it->requester.ord, 2);
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_RTS);
	ck_assert_int_eq(order_modify(IB_QPS_SQD), 0);
	ck_assert_int_eq(order_modify(IB_QPS_RTS), -EINVAL);
	judge_end();
}
END_TEST

#define ORDER_VALUES (IB_QP_ACCESS_FLAGS | IB_QP_MAX_QP_RD_ATOMIC | IB_QP_MAX_DEST_RD_ATOMIC)

static void order_init(void) { }

static void order_err(void)
{
	ck_assert_int_eq(order_modify(IB_QPS_ERR), 0);
}

/* The values that a modify may set beside the next state (RDMA verbs, figure 4). */
static const struct {
	void (*reach)(void);
	enum ib_qp_state next;
	int values;
} order_attributes[] = {
	{ order_init, IB_QPS_INIT, ORDER_VALUES }, /* R0-133 */
	{ order_rts, IB_QPS_RTS, IB_QP_ACCESS_FLAGS | IB_QP_MAX_QP_RD_ATOMIC }, /* R0-155 */
	/* R0-134 */
	{ order_init, IB_QPS_ERR, 0 }, { order_rts, IB_QPS_SQD, 0 }, { order_rts, IB_QPS_SQE, 0 },
	{ order_rts, IB_QPS_ERR, 0 }, { order_err, IB_QPS_RESET, 0 },
};

/* R0-132: what is refused changes nothing. */
START_TEST(attributes)
{
	typeof(&order_attributes[0]) row = &order_attributes[_i / 3];
	const int value = (int[]){ IB_QP_ACCESS_FLAGS, IB_QP_MAX_QP_RD_ATOMIC,
				   IB_QP_MAX_DEST_RD_ATOMIC }[_i % 3];
	struct hca_qp_attr before, after, attr = {
		.state = row->next, .access = IB_UVERBS_ACCESS_REMOTE_READ, .max_rd_atomic = 3,
		.max_dest_rd_atomic = 3,
	};
	bool may = row->values & value;

	judge_begin(&plain);
	row->reach();
	hca_qp_query(judge.qp, &before);
	ck_assert_int_eq(hca_qp_modify(judge.qp, &attr, IB_QP_STATE | value), may ? 0 : -EINVAL);
	judge_exchange();
	hca_qp_query(judge.qp, &after);
	ck_assert_int_eq(!memcmp(&before, &after, sizeof(before)), !may);
	ck_assert_uint_eq(after.state, before.state);
	judge_end();
}
END_TEST

/*
 * T0-129: modifies in Closing and in Terminate are refused, and change nothing (R0-176, R0-188).
 * There are two exceptions. ib_drain_qp() of Linux sets Error in each state; librdmacm disconnects
 * though the peer was faster, which has no effect.
 */
START_TEST(modify_at_the_end)
{
	static const enum ib_qp_state states[] = {
		IB_QPS_RESET, IB_QPS_INIT, IB_QPS_RTR, IB_QPS_RTS, IB_QPS_SQE, IB_QPS_SQD,
	};
	struct hca_qp_attr before, after;
	int i, ret;

	judge_begin(&plain);
	if (_i)
		order_terminating();
	else
		order_closing();
	hca_qp_query(judge.qp, &before);
	for (i = 0; i < ARRAY_SIZE(states); i++) {
		ret = order_modify(states[i]);
		ck_assert_int_eq(ret, states[i] == IB_QPS_SQD && !_i ? 0 : -EINVAL);
		hca_qp_query(judge.qp, &after);
		ck_assert_mem_eq(&before, &after, sizeof(before));
	}
	before.max_rd_atomic = 1;
	ck_assert_int_eq(hca_qp_modify(judge.qp, &before, IB_QP_MAX_QP_RD_ATOMIC), -EINVAL);
	ck_assert(judge_fin() && !judge_reset());
	judge_run("fin");
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_ERR);
	ck_assert_int_eq(judge.close_status, 0);
	judge_end();
}
END_TEST

/* R0-144: what is posted in Idle behind a close stays there until Error flushes it. */
START_TEST(posted_behind_the_close)
{
	struct hca_qp_attr attr = { .state = IB_QPS_INIT };

	judge_begin(&plain);
	judge.rnic.options.idle_after_close = true;
	order_closing();
	judge_run("fin");
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_INIT);
	judge_recv(1, 0, 64, judge.mr[JUDGE_RW]->key);
	judge_post(IB_UVERBS_WR_SEND, 2, 0, 16, 0, 0);
	judge_expect_none(&judge.recv_cq);
	judge_expect_none(&judge.send_cq);
	ck_assert_int_eq(order_modify(IB_QPS_ERR), 0);
	judge_expect(&judge.recv_cq, 1, IB_WC_WR_FLUSH_ERR);
	judge_expect(&judge.send_cq, 2, IB_WC_WR_FLUSH_ERR);
	ck_assert_int_eq(order_modify(IB_QPS_RESET), 0);
	ck_assert_int_eq(hca_qp_modify(judge.qp, &attr, IB_QP_STATE), 0);
	judge_end();
}
END_TEST

/* A queue pair keeps nothing of a connection for the next one. */
START_TEST(nothing_is_left)
{
	judge_begin(&plain);
	judge.rnic.options.idle_after_close = true;
	judge.it->rtr_expected = HCA_RTR_READ;
	judge.it->was_request = true;
	order_initiator();
	ck_assert_uint_eq(judge.it->rtr_expected, 0);
	ck_assert(!judge.it->was_request);
	judge.qp->last_wqe_reached = true;
	ck_assert_int_eq(order_modify(IB_QPS_SQD), 0);
	judge_run("fin");
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_INIT);
	ck_assert(!judge.qp->last_wqe_reached);
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

static TCase *order_modifies(void)
{
	TCase *tc = tcase_create("modifies");

	tcase_add_test(tc, rdma_cm_accepts);
	tcase_add_loop_test(tc, rdma_cm_connects, 0, 2);
	tcase_add_test(tc, no_rights);
	tcase_add_test(tc, modify_to_states_of_startup);
	tcase_add_loop_test(tc, attributes, 0, 3 * ARRAY_SIZE(order_attributes));
	tcase_add_loop_test(tc, modify_at_the_end, 0, 2);
	tcase_add_test(tc, posted_behind_the_close);
	tcase_add_test(tc, nothing_is_left);
	return tc;
}

Suite *iwarp_judge_order_suite(void)
{
	Suite *suite = suite_create("iwarp_judge_order");

	suite_add_tcase(suite, order_stages());
	suite_add_tcase(suite, order_startup());
	suite_add_tcase(suite, order_modifies());
	return suite;
}
