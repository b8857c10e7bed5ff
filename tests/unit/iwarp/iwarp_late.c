// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * An RNIC that looks at its stream late: octets, a FIN and a RST have come by then, or it could not
 * send before.
 */
#include <check.h>
#include <string.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include "iwarp/fault_install.h"
#include "shim.h"
#include "tests/consumer/consumer.h"
#include "tests/unit/iwarp/judge_state.h"
#include "tests/unit/iwarp/rnics.h"
#include "tests/unit/suites.h"

#define LATE_MANY 300 /* FPDUs, more than one run of a queue pair processes */

static const struct sim_stream_options plain = { .segment = 0 };

/* Events of the stream are kept, as if the queue pair could not run, until late_run(). */
static void late_hide(void)
{
	judge.core->stream.run = NULL;
}

static void late_run(void)
{
	judge.core->stream.run = &judge.qp->common.run;
	hca_stream_event(&judge.core->stream, 0);
	hca_engine_raise();
	shim_run_until_idle();
	judge_exchange();
}

static void late_expect_terminate(u16 error)
{
	const u8 *control = judge.peer.fpdu.terminate.control;

	ck_assert(peer_next_fpdu(&judge.peer));
	ck_assert_uint_eq(judge.peer.fpdu.header.opcode, 7);
	ck_assert_uint_eq(control[0] << 8 | control[1], error);
}

/* All that has come before a RST is received, however much it is. */
START_TEST(many_before_reset)
{
	int i;

	judge_begin(&plain);
	judge_establish("request crc");
	late_hide();
	for (i = 0; i < LATE_MANY; i++)
		peer_run(&judge.peer, "write");
	judge_run("write stag=$rw to=0x70000 payload=9; reset");
	ck_assert(judge_is_untouched());
	late_run();
	ck_assert(!judge_is_untouched());
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 1);
	judge_end();
}
END_TEST

/* R0-447: a FIN that a RST follows is a stream that is lost, as the oldest request tells. */
START_TEST(reset_behind_fin)
{
	judge_begin(&plain);
	judge_establish("request crc");
	judge_post(IB_UVERBS_WR_RDMA_READ, 1, 0, 16, 5, 0);
	late_hide();
	judge_run("fin");
	judge_run("reset");
	late_run();
	judge_expect(&judge.send_cq, 1, IB_WC_RETRY_EXC_ERR);
	ck_assert_uint_eq(judge.qp_events[HCA_QP_FATAL], 0);
	judge_end();
}
END_TEST

/* A request that has gone before the ULP answers it cannot be accepted. */
START_TEST(accepted_too_late)
{
	judge_begin(&plain);
	judge_listen("request crc");
	judge_run(_i ? "fin" : "reset");
	ck_assert_int_eq(judge_accept(4, 4), -ECONNRESET);
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_INIT);
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 1);
	judge_end();
}
END_TEST

/* RFC 5044, 7.1: why a connection has failed. */
START_TEST(reply_status)
{
	static const struct {
		const char *script;
		int status;
	} rows[] = {
		{ "fin", -ECONNRESET },
		{ "reset", -ECONNRESET },
		{ "reply crc enhanced rev=2 reject", -ECONNREFUSED },
		{ "reply crc enhanced rev=3", -EPROTO },
		{ "reply crc rev=1", -EPROTO },
		{ "reply crc enhanced rev=2 p2p ird=4 ord=4", -EPROTO },
		{ "reply crc enhanced rev=2 p2p rtr-write ird=4 ord=129", -ENOMEM },
		{ "reply crc enhanced rev=2 p2p rtr-write ird=4 ord=4", 0 },
	};

	judge_begin(&plain);
	ck_assert_int_eq(judge_connect(4, 4), 0);
	judge_run(rows[_i].script);
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CONNECT_REPLY], 1);
	ck_assert_int_eq(judge.reply_status, rows[_i].status);
	ck_assert_uint_eq(judge.qp_events[HCA_QP_FATAL], 0);
	judge_end();
}
END_TEST

static struct hca_stream_ops late_ops;
static const struct hca_stream_ops *late_usual;

static u32 late_no_room(struct hca_stream *s)
{
	return 0;
}

static void late_block(void)
{
	late_usual = judge.core->stream.ops;
	late_ops = *late_usual;
	late_ops.room = late_no_room;
	judge.core->stream.ops = &late_ops;
}

static void late_unblock(void)
{
	judge.core->stream.ops = late_usual;
	hca_stream_event(&judge.core->stream, HCA_STREAM_WRITABLE);
	hca_engine_raise();
	shim_run_until_idle();
	judge_exchange();
}

/* R0-434: a local request waits for the Send before it, and is executed when that has ended. */
START_TEST(local_behind_send)
{
	judge_begin(&plain);
	judge_establish("request crc");
	late_block();
	judge_post(IB_UVERBS_WR_SEND, 1, 0, 8, 0, 0);
	judge_post_invalidate(2, judge.mr[JUDGE_FAST]->key);
	judge_expect_none(&judge.send_cq);
	late_unblock();
	judge_expect(&judge.send_cq, 1, IB_WC_SUCCESS);
	judge_expect(&judge.send_cq, 2, IB_WC_SUCCESS);
	judge_end();
}
END_TEST

/* A queue pair that a fault has silenced behind an FPDU sends no other one meanwhile. */
START_TEST(silence)
{
	const struct hca_iwarp_fault_spec stall = {
		.kind = HCA_IWARP_FAULT_STALL, .value = _i ? 1ull << 32 : 1000, .once = true,
	};

	judge_begin(&plain);
	judge_establish("request crc");
	ck_assert_int_eq(hca_rnic_set_qp_faults(&judge.rnic, judge.qp->qpn, &stall), 0);
	late_block();
	judge_post(IB_UVERBS_WR_SEND, 1, 0, 8, 0, 0);
	judge_post(IB_UVERBS_WR_SEND, 2, 0, 8, 0, 0);
	late_unblock();
	ck_assert(peer_next_fpdu(&judge.peer));
	ck_assert(!peer_next_fpdu(&judge.peer));
	judge_wait(2);
	ck_assert_int_eq(peer_next_fpdu(&judge.peer), !_i);
	judge_end();
}
END_TEST

/* The time of an end that has begun before the reply was sent is limited all the same. */
START_TEST(close_before_reply_expires)
{
	struct hca_qp_attr attr = { .state = IB_QPS_SQD };

	judge_begin(&plain);
	judge_listen("request crc");
	late_block();
	ck_assert_int_eq(judge_accept(4, 4), 0);
	ck_assert_int_eq(hca_qp_modify(judge.qp, &attr, IB_QP_STATE), 0);
	late_unblock();
	ck_assert(judge_fin());
	judge_wait(4);
	ck_assert(!judge_reset());
	judge_wait(2);
	ck_assert(judge_reset());
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 1);
	judge_end();
}
END_TEST

/* The memory of a Send is revoked while it is sent: the Send fails, and the stream ends. */
START_TEST(revoked_meanwhile)
{
	judge_begin(&(struct sim_stream_options){ .mss = 536, .window = 500, .buffer = 600 });
	judge_establish("request crc");
	judge_recv(1, 0x3000, 64, judge.mr[JUDGE_RW]->key);
	judge.is_stalled = true;
	judge_post_key(IB_UVERBS_WR_SEND, 2, 0, 8000, 0, 0, judge.mr[JUDGE_FAST]->key);
	judge_run("send-inv inval=$fast");
	judge_expect(&judge.recv_cq, 1, IB_WC_SUCCESS);
	judge.is_stalled = false;
	judge_exchange();
	judge_expect(&judge.send_cq, 2, IB_WC_LOC_PROT_ERR);
	while (peer_next_fpdu(&judge.peer) && judge.peer.fpdu.header.opcode == 3)
		ck_assert(!judge.peer.fpdu.header.last);
	ck_assert_uint_eq(judge.peer.fpdu.header.opcode, 7);
	ck_assert_mem_eq(judge.peer.fpdu.terminate.control, ((u8[]){ 0, 0 }), 2);
	judge_run("fin");
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_ERR);
	ck_assert_uint_eq(judge.qp_events[HCA_QP_FATAL], 0);
	judge_end();
}
END_TEST

/* P1-146: Reads with a Write between them complete in order, each by its own response. */
START_TEST(reads_in_order)
{
	judge_begin(&plain);
	judge_establish("request crc");
	judge_post(IB_UVERBS_WR_RDMA_READ, 1, 0, 16, 5, 0);
	judge_post(IB_UVERBS_WR_RDMA_WRITE, 2, 64, 16, 5, 0);
	judge_post(IB_UVERBS_WR_RDMA_READ, 3, 128, 16, 5, 0);
	judge_run("response stag=$rw to=0x70000 more payload=8");
	judge_expect_none(&judge.send_cq);
	judge_run("response stag=$rw to=0x70008 payload=8");
	ck_assert_uint_eq(judge_expect(&judge.send_cq, 1, IB_WC_SUCCESS).opcode,
			  IB_UVERBS_WC_RDMA_READ);
	ck_assert_uint_eq(judge_expect(&judge.send_cq, 2, IB_WC_SUCCESS).opcode,
			  IB_UVERBS_WC_RDMA_WRITE);
	judge_expect_none(&judge.send_cq);
	judge_run("response stag=$rw to=0x70080 payload=16");
	judge_expect(&judge.send_cq, 3, IB_WC_SUCCESS);
	judge_end();
}
END_TEST

/* A process cannot post requests that only the kernel may post. */
START_TEST(kernel_requests)
{
	judge_begin(&plain);
	judge_establish("request crc");
	judge_post(_i ? IB_WR_REG_MR : IB_UVERBS_WR_RDMA_READ_WITH_INV, 1, 0, 16, 5, 0);
	judge_expect(&judge.send_cq, 1, IB_WC_LOC_QP_OP_ERR);
	late_expect_terminate(0x0000);
	judge_end();
}
END_TEST

/* Segments that end the stream, behind a Read of 16 octets and a receive request (P1-178). */
static const struct {
	const char *script;
	u16 error;
} late_wrong[] = {
	{ "write opcode=1", 0x0206 },
	{ "response stag=$rw to=0x70000 more payload=16", 0x1101 },
	{ "response stag=$rw to=0x70000 payload=15", 0x1101 },
	{ "response stag=$rw to=0x70000 more payload=17", 0x1101 },
	{ "response stag=$rw to=0x70001 payload=16", 0x1101 },
	{ "write more; response stag=$rw to=0x70000 payload=16", 0x0206 },
	{ "send more payload=4; send-se mo=4", 0x0206 },
	{ "send more payload=4; read src=$rw size=0", 0x0206 },
	{ "send-inv inval=$fast more payload=4; send-inv inval=$rw mo=4", 0x0206 },
	{ "send more payload=4; send payload=4", 0x1204 },
	{ "write bad-marker stag=$rw to=0x70000 payload=600", 0x2003 },
	{ "write rv=2", 0x0205 },
	{ "write stag=$end to=0xfffffffffffffff8 payload=16", 0x1103 },
	{ "read sink=1 src=$end srcto=0xfffffffffffffffc size=8", 0x0104 },
	/* All of the source is checked before a part of it is sent (P1-107). */
	{ "read sink=1 src=$rw srcto=0x70000 size=16385", 0x0101 },
};

START_TEST(wrong)
{
	judge_begin(&plain);
	judge.rnic.options.markers = true;
	judge_establish("request crc");
	judge_recv(1, 0x2000, 64, judge.mr[JUDGE_RW]->key);
	judge_post(IB_UVERBS_WR_RDMA_READ, 1, 0, 16, 5, 0);
	ck_assert(peer_next_fpdu(&judge.peer));
	judge_run(late_wrong[_i].script);
	late_expect_terminate(late_wrong[_i].error);
	judge_end();
}
END_TEST

/* A Terminate message may come between the segments of a Send, and is counted. */
START_TEST(terminate_in_send)
{
	judge_begin(&plain);
	judge_establish("request crc");
	judge_recv(1, 0x2000, 64, judge.mr[JUDGE_RW]->key);
	judge_run("send more payload=4; terminate error=0x1202");
	ck_assert_uint_eq(judge.it->origin, HCA_TERMINATE_REMOTE);
	ck_assert_int_eq(atomic64_read(&judge.rnic.count[HCA_RNIC_TERMINATES_IN]), 1);
	ck_assert(!peer_next_fpdu(&judge.peer));
	judge_end();
}
END_TEST

/* R0-156: a FIN in the middle of an FPDU is an error, though nothing is outstanding. */
START_TEST(fin_in_fpdu)
{
	judge_begin(&plain);
	judge_establish("request crc");
	judge_run("raw 00; fin");
	late_expect_terminate(0x0207);
	judge_end();
}
END_TEST

/* The first FPDU that has overtaken the reply is received behind it. */
START_TEST(first_before_reply)
{
	judge_begin(&plain);
	judge_listen("request crc");
	late_block();
	ck_assert_int_eq(judge_accept(4, 4), 0);
	judge.peer.crc = true;
	judge_run("write");
	late_unblock();
	ck_assert(peer_next_start(&judge.peer));
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_RTS);
	judge_end();
}
END_TEST

/* P1-120, P1-124: what the completion of a Send tells. */
START_TEST(completions_of_sends)
{
	static const struct {
		const char *script;
		u32 flags;
	} rows[] = {
		{ "send payload=3", 0 },
		{ "send-se payload=3", HCA_CQE_SOLICITED },
		{ "send-inv inval=$fast payload=3", HCA_CQE_WITH_INV },
		{ "send-se-inv inval=$fast payload=3", HCA_CQE_SOLICITED | HCA_CQE_WITH_INV },
		{ "send-inv inval=$fast more payload=1; send-inv inval=$fast mo=1 payload=2",
		  HCA_CQE_WITH_INV },
	};
	struct hca_cqe cqe;

	judge_begin(&plain);
	judge_establish("request crc");
	judge_recv(1, 0x2000, 64, judge.mr[JUDGE_RW]->key);
	judge_run(rows[_i].script);
	cqe = judge_expect(&judge.recv_cq, 1, IB_WC_SUCCESS);
	ck_assert_uint_eq(cqe.byte_len, 3);
	ck_assert_uint_eq(cqe.flags & (HCA_CQE_SOLICITED | HCA_CQE_WITH_INV), rows[_i].flags);
	if (rows[_i].flags & HCA_CQE_WITH_INV)
		ck_assert_uint_eq(cqe.invalidated_rkey, judge.mr[JUDGE_FAST]->key);
	judge_end();
}
END_TEST

/* R0-321, R0-447: a sink without rights fails its Read, which tells of it and names a segment. */
START_TEST(sink_fails)
{
	struct hca_cqe cqe;

	judge_begin(&plain);
	judge.rnic.options.strict = _i;
	judge_establish("request crc");
	judge_post_key(IB_UVERBS_WR_RDMA_READ, 1, 0, 16, 5, 0,
		       judge.mr[_i ? JUDGE_LOCAL : JUDGE_RO]->key);
	ck_assert(peer_next_fpdu(&judge.peer));
	judge_run(_i ? "response stag=$local to=0x70000 payload=16" :
		       "response stag=$ro to=0x70000 payload=16");
	cqe = judge_expect(&judge.send_cq, 1, IB_WC_LOC_PROT_ERR);
	ck_assert_uint_eq(cqe.vendor_err,
			  _i ? HCA_VENDOR_ERR_SINK_RIGHTS : HCA_VENDOR_ERR_LKEY_ACCESS);
	late_expect_terminate(0x1102);
	ck_assert_uint_eq(judge.peer.fpdu.terminate.ddp_length, 14);
	ck_assert_uint_eq(judge.qp_events[HCA_QP_ACCESS_ERROR], 0);
	ck_assert(judge_is_untouched());
	judge_end();
}
END_TEST

/*
 * R0-391, R0-433: the sink of a Read with Invalidate has to be one that the consumer could
 * invalidate; it needs no remote rights for that. A Read without a sink invalidates nothing.
 */
START_TEST(sink_is_invalidated)
{
	struct rnic_end *a = &rnics.end[0], *b = &rnics.end[1];

	rnics_setup();
	rnics.kernel = true;
	rnics_begin(NULL);
	a->rnic.options.strict = false;
	rnics_connect();
	if (_i)
		a->mr->kind = HCA_TPT_FAST_MR;
	a->mr->access = IB_UVERBS_ACCESS_LOCAL_WRITE;
	rnics_rdma(a, IB_UVERBS_WR_RDMA_READ_WITH_INV, 1, 0, 0, b->mr->key, 100);
	rnics_settle();
	rnics_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	rnics_rdma(a, IB_UVERBS_WR_RDMA_READ_WITH_INV, 2, 0, 8, b->mr->key, 100);
	rnics_settle();
	if (_i) {
		rnics_expect(&a->send_cq, 2, IB_WC_SUCCESS);
		ck_assert_uint_eq(a->mr->generation, 0);
	} else {
		ck_assert_uint_ne(rnics_completion(&a->send_cq).status, IB_WC_SUCCESS);
		ck_assert_uint_eq(b->it->origin, HCA_TERMINATE_REMOTE);
		ck_assert_uint_eq(b->it->terminate.error, HCA_ERR_RDMAP_LOCAL);
	}
	rnics_end();
}
END_TEST

/* RFC 5041, 5.1: a message has fewer than 2^32 octets. */
START_TEST(endless_send)
{
	const u32 mo = U32_MAX - 4 + _i;
	const u8 octets[] = {
		0, 22, 0x41, 0x43, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1,
		mo >> 24, mo >> 16, mo >> 8, mo, 1, 2, 3, 4, 0, 0, 0, 0,
	};
	const struct hca_octets range = { octets, sizeof(octets) };
	struct hca_rx_segment segment;
	struct hca_fpdu_rx fpdu;
	struct hca_ddp_rx rx;

	hca_ddp_rx_init(&rx);
	rx.is_in_send = true;
	rx.send = HCA_RDMAP_SEND;
	rx.mo = mo;
	ck_assert_uint_eq(hca_fpdu_parse(&fpdu, &range, 1, 0, false), sizeof(octets));
	ck_assert_uint_eq(hca_ddp_rx_segment(&rx, &fpdu, &segment),
			  _i ? HCA_ERR_DDP_TOO_LONG : HCA_IWARP_OK);
}
END_TEST

/* R0-194: a Read Request that is not answered yet is work, with which a close is a reset. */
START_TEST(close_while_answering)
{
	judge_begin(&plain);
	judge_establish("request crc");
	late_block();
	judge_run("read sink=1 src=$rw srcto=0x70000 size=8");
	ck_assert_uint_eq(judge.it->responder.count, 1);
	ck_assert_int_eq(judge_modify(IB_QPS_SQD), 0);
	judge_exchange();
	ck_assert(judge_reset());
	ck_assert_uint_eq(judge.qp_events[HCA_QP_FATAL], 1);
	judge_end();
}
END_TEST

/* R0-126: a close that has begun before the reply was sent does not outlive the queue pair. */
START_TEST(destroyed_before_reply)
{
	judge_begin(&plain);
	judge_listen("request crc");
	late_block();
	ck_assert_int_eq(judge_accept(4, 4), 0);
	ck_assert_int_eq(judge_modify(IB_QPS_SQD), 0);
	judge_destroy();
	judge_exchange();
	ck_assert(judge_reset());
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 1);
	judge_end();
}
END_TEST

/* The removal of a device leaves the connections of kernel consumers to these, who close them. */
START_TEST(kernel_closes_at_removal)
{
	struct rnic_end *a = &rnics.end[0], *b = &rnics.end[1];

	rnics_setup();
	rnics.kernel = true;
	rnics_begin(NULL);
	rnics_connect();
	hca_rnic_fail(&a->rnic);
	rnics_settle();
	ck_assert_uint_eq(rnics_state(a), IB_QPS_RTS);
	ck_assert_int_eq(rnics_modify(a, IB_QPS_SQD), 0);
	rnics_settle();
	ck_assert_uint_eq(b->reported[HCA_ENDPOINT_DISCONNECT], 1);
	ck_assert_int_eq(a->close_status, 0);
	ck_assert_int_eq(b->close_status, 0);
	rnics_end();
}
END_TEST

/* A close that the consumer has begun before the RTR message was sent is no connection. */
START_TEST(close_before_rtr)
{
	judge_begin(&plain);
	ck_assert_int_eq(judge_connect(4, 4), 0);
	ck_assert(peer_next_start(&judge.peer));
	late_block();
	judge_run("reply crc enhanced rev=2 p2p rtr-write ird=4 ord=4");
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CONNECT_REPLY], 0);
	ck_assert_int_eq(judge_modify(IB_QPS_SQD), 0);
	late_unblock();
	judge_run("fin");
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CONNECT_REPLY], 1);
	ck_assert_int_eq(judge.reply_status, -ECONNRESET);
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 1);
	judge_end();
}
END_TEST

/* FPDUs that faults of a queue pair alone have hit do not count for those of the RNIC. */
START_TEST(own_faults)
{
	const struct hca_iwarp_fault_spec rare = { .kind = HCA_IWARP_FAULT_BAD_CRC, .nth = 2 };
	const struct hca_iwarp_fault_spec none = { .kind = HCA_IWARP_FAULT_NONE };
	const struct hca_qp_init init = {
		.type = IB_QPT_RC, .max_send_wr = 1, .max_recv_wr = 1, .max_send_sge = 1,
		.max_recv_sge = 1, .pd = &judge, .send_cq = &judge.send_cq,
		.recv_cq = &judge.recv_cq, .owner = &judge,
	};
	struct hca_rnic_fault_view view;
	struct hca_qp *other;

	judge_begin(&plain);
	judge_establish("request crc");
	ck_assert_int_eq(hca_rnic_set_qp_faults(&judge.rnic, judge.qp->qpn, &rare), 0);
	judge_post(IB_UVERBS_WR_SEND, 1, 0, 8, 0, 0);
	judge_post(IB_UVERBS_WR_SEND, 2, 0, 8, 0, 0);
	ck_assert_uint_eq(judge.it->fault->selected, 2);
	ck_assert_int_eq(hca_rnic_set_qp_faults(&judge.rnic, judge.qp->qpn, &none), 0);
	hca_rnic_view_faults(&judge.rnic, &view);
	ck_assert_uint_eq(view.selected + view.happened, 0);
	/* Without memory for the faults of all queue pairs there are none. */
	other = consumer_create_qp(&judge.rnic.ci, &init);
	shim_fail_alloc(1);
	ck_assert_int_eq(hca_rnic_set_faults(&judge.rnic, &rare), -ENOMEM);
	hca_rnic_view_faults(&judge.rnic, &view);
	ck_assert_uint_eq(view.spec.kind, HCA_IWARP_FAULT_NONE);
	hca_qp_destroy(other);
	/* A queue pair that is made later has the faults of the RNIC. */
	ck_assert_int_eq(hca_rnic_set_faults(&judge.rnic, &rare), 0);
	other = consumer_create_qp(&judge.rnic.ci, &init);
	ck_assert_ptr_nonnull(hca_iwarp_qp_of(other)->fault);
	hca_qp_destroy(other);
	judge_end();
}
END_TEST

static void late_ignore(struct hca_endpoint *ep, enum hca_endpoint_event event) { }

/* A queue pair has one endpoint, and an endpoint is used once. */
START_TEST(connected_twice)
{
	const struct hca_connect connect = { .ird = 4, .ord = 4 };
	struct hca_endpoint other = { .raised = 0 };

	judge_begin(&plain);
	if (_i) {
		judge_listen("");
		ck_assert_int_eq(hca_startup_connect(&judge.ep, judge.it, &connect), -EINVAL);
		ck_assert_ptr_null(judge.it->ep);
		judge_end();
		return;
	}
	ck_assert_int_eq(judge_connect(4, 4), 0);
	hca_endpoint_init(&other, &judge.rnic, &judge.model->stream, late_ignore);
	ck_assert_int_eq(hca_startup_connect(&other, judge.it, &connect), -EINVAL);
	ck_assert_ptr_eq(judge.it->ep, &judge.ep);
	hca_endpoint_destroy(&other);
	judge_end();
}
END_TEST

Suite *iwarp_late_suite(void)
{
	Suite *suite = suite_create("iwarp_late");
	TCase *tc = tcase_create("late");

	tcase_add_test(tc, many_before_reset);
	tcase_add_test(tc, reset_behind_fin);
	tcase_add_loop_test(tc, accepted_too_late, 0, 2);
	tcase_add_loop_test(tc, reply_status, 0, 8);
	tcase_add_test(tc, local_behind_send);
	tcase_add_loop_test(tc, silence, 0, 2);
	tcase_add_test(tc, close_before_reply_expires);
	tcase_add_test(tc, revoked_meanwhile);
	tcase_add_test(tc, reads_in_order);
	tcase_add_loop_test(tc, kernel_requests, 0, 2);
	tcase_add_loop_test(tc, wrong, 0, ARRAY_SIZE(late_wrong));
	tcase_add_test(tc, terminate_in_send);
	tcase_add_test(tc, fin_in_fpdu);
	tcase_add_test(tc, first_before_reply);
	tcase_add_loop_test(tc, completions_of_sends, 0, 5);
	tcase_add_loop_test(tc, sink_fails, 0, 2);
	tcase_add_loop_test(tc, sink_is_invalidated, 0, 2);
	tcase_add_loop_test(tc, endless_send, 0, 2);
	tcase_add_test(tc, close_while_answering);
	tcase_add_test(tc, destroyed_before_reply);
	tcase_add_test(tc, kernel_closes_at_removal);
	tcase_add_loop_test(tc, connected_twice, 0, 2);
	tcase_add_test(tc, close_before_rtr);
	tcase_add_test(tc, own_faults);
	suite_add_tcase(suite, tc);
	return suite;
}
