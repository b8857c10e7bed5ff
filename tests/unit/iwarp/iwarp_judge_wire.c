// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * An RNIC judged by its messages: what becomes of each request, in which order messages leave, and
 * in which order those that arrive have their effects (RFC 5040, 5).
 */
#include <check.h>
#include <stdio.h>
#include <string.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include "shim.h"
#include "tests/unit/iwarp/judge.h"
#include "tests/unit/suites.h"

#define STAG 0x11121314u /* of memory of the peer */
#define TO 0xfffffffffffff000u

/* Streams on which messages have several segments; on the last one a sender waits for room. */
static const struct sim_stream_options streams[] = {
	{ .mss = 536 },
	{ .mss = 300, .segment = 7, .delay = 2 },
	{ .mss = 536, .window = 500, .buffer = 600 },
};

struct wire_message {
	struct peer_header first; /* of the first segment */
	u32 octets, segments;
};

/* A segment goes on where the one before it ended, in the same buffer. */
static void wire_assert_next(const struct wire_message *m, const struct peer_header *header)
{
	ck_assert_uint_eq(header->opcode, m->first.opcode);
	ck_assert_uint_eq(header->tagged, m->first.tagged);
	if (header->tagged) {
		ck_assert_uint_eq(header->stag, m->first.stag); /* P1-097, P1-115 */
		ck_assert_uint_eq(header->to, m->first.to + m->octets);
	} else {
		ck_assert_uint_eq(header->qn, m->first.qn);
		ck_assert_uint_eq(header->msn, m->first.msn);
		ck_assert_uint_eq(header->mo, m->octets);
	}
}

/*
 * Get a whole message, whose payload is @payload unless that is NULL. P1-008: its segments follow
 * each other, and the last one alone says that it is.
 */
static void wire_receive(struct wire_message *m, const void *payload)
{
	const struct peer_fpdu *fpdu = &judge.peer.fpdu;

	memset(m, 0, sizeof(*m));
	do {
		ck_assert(peer_next_fpdu(&judge.peer));
		ck_assert(fpdu->is_whole && fpdu->has_crc && fpdu->has_pad);
		if (!m->segments++)
			m->first = fpdu->header;
		wire_assert_next(m, &fpdu->header);
		if (payload)
			ck_assert_mem_eq(fpdu->payload, payload + m->octets, fpdu->payload_length);
		m->octets += fpdu->payload_length;
	} while (!fpdu->header.last);
}

/* Requests, and the message that each becomes. */
static const struct {
	u8 wr, flags;
	u32 length;
	u8 opcode, qn;
	u32 octets; /* P1-026: of the message */
} sent[] = {
	{ IB_UVERBS_WR_RDMA_WRITE, 0, 3000, 0, 0, 3000 },
	{ IB_UVERBS_WR_SEND, 0, 2000, 3, 0, 2000 },
	{ IB_UVERBS_WR_RDMA_READ, 0, 4000, 1, 1, 28 },
	{ IB_UVERBS_WR_SEND_WITH_INV, 0, 1000, 4, 0, 1000 },
	{ IB_UVERBS_WR_RDMA_WRITE, 0, 0, 0, 0, 0 },
	{ IB_UVERBS_WR_SEND, HCA_WQE_SOLICITED, 1, 5, 0, 1 },
	{ IB_UVERBS_WR_RDMA_READ, 0, 8, 1, 1, 28 },
	{ IB_UVERBS_WR_SEND_WITH_INV, HCA_WQE_SOLICITED, 0, 6, 0, 0 },
	{ IB_UVERBS_WR_RDMA_WRITE, 0, 1, 0, 0, 1 },
};

static void wire_assert_message(int i, u32 *msn)
{
	bool is_read = sent[i].opcode == 1;
	struct wire_message m;

	wire_receive(&m, is_read ? NULL : judge.memory + 100 * i);
	ck_assert_uint_eq(m.first.opcode, sent[i].opcode);
	ck_assert_uint_eq(m.octets, sent[i].octets);
	ck_assert_uint_eq(m.first.tagged, !sent[i].opcode);
	if (m.first.tagged) {
		ck_assert_uint_eq(m.first.stag, STAG);
		ck_assert_uint_eq(m.first.to, TO + i); /* P1-093 */
		return;
	}
	ck_assert_uint_eq(m.first.qn, sent[i].qn); /* P1-100 */
	ck_assert_uint_eq(m.first.msn, msn[sent[i].qn]++);
	ck_assert_uint_eq(m.first.invalidate,
			  sent[i].wr == IB_UVERBS_WR_SEND_WITH_INV ? STAG : 0);
	if (is_read)
		ck_assert_uint_eq(judge.peer.fpdu.read.size, sent[i].length);
}

/*
 * P1-002, P1-004: each operation is one message, and messages leave in the order of posting
 * (P1-095, P1-103, P1-144). P1-160: there is nothing else in the stream, up to its end.
 */
START_TEST(one_message_each)
{
	struct hca_qp_attr attr = { .state = IB_QPS_SQE };
	struct wire_message m;
	u32 msn[2] = { 1, 1 };
	int i;

	judge_begin(&streams[_i]);
	judge_establish("request crc");
	judge.is_stalled = true;
	for (i = 0; i < ARRAY_SIZE(sent); i++) {
		judge.send_flags = sent[i].flags;
		judge_post(sent[i].wr, i, 100 * i, sent[i].length, STAG, TO + i);
	}
	judge.is_stalled = false;
	judge_exchange();
	for (i = 0; i < ARRAY_SIZE(sent); i++)
		wire_assert_message(i, msn);
	ck_assert_uint_eq(judge.peer.in_length, 0);
	ck_assert_int_eq(hca_qp_modify(judge.qp, &attr, IB_QP_STATE), 0);
	judge_exchange();
	wire_receive(&m, NULL);
	ck_assert_uint_eq(m.first.opcode, 7);
	ck_assert_uint_eq(m.segments, 1);
	ck_assert_uint_eq(judge.peer.in_length, 0);
	ck_assert(judge_fin());
	judge_end();
}
END_TEST

/* Read Requests, all within the IRD of 4. */
static const struct {
	const char *script;
	u32 sink, size;
	u64 to;
} reads[] = {
	{ "read sink=5 sinkto=7 src=$rw srcto=0x70000 size=3000", 5, 3000, 7 },
	{ "read sink=4 sinkto=8", 4, 0, 8 },
	{ "read sink=3 sinkto=0xffffffffffffffff src=$ro srcto=0x70000 size=100", 3, 100, -1 },
	{ "read sink=2 sinkto=1 src=$rw srcto=0x70000 size=2000", 2, 2000, 1 },
};

/*
 * P1-110, P1-161: as many Read Requests are accepted as were agreed, though none can be answered.
 * P1-113, P1-151, P1-157: their Responses come in the order of the Requests, each when the one
 * before it is complete.
 */
START_TEST(responses_in_order)
{
	struct wire_message m;
	int i;

	judge_begin(&streams[2]);
	judge_establish("request crc");
	judge.is_stalled = true;
	for (i = 0; i < ARRAY_SIZE(reads); i++)
		judge_run(reads[i].script);
	ck_assert_uint_eq(judge.it->responder.count, ARRAY_SIZE(reads));
	judge.is_stalled = false;
	judge_exchange();
	for (i = 0; i < ARRAY_SIZE(reads); i++) {
		wire_receive(&m, judge.memory);
		ck_assert_uint_eq(m.first.opcode, 2);
		ck_assert(m.first.tagged); /* P1-109 */
		ck_assert_uint_eq(m.first.stag, reads[i].sink);
		ck_assert_uint_eq(m.first.to, reads[i].to);
		ck_assert_uint_eq(m.octets, reads[i].size);
	}
	ck_assert_uint_eq(judge.peer.in_length, 0);
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_RTS);
	judge_end();
}
END_TEST

/* The state of memory and stream at the moment when a receive request completes. */
static struct {
	u32 completions;
	u64 sent; /* octets of the RNIC */
	bool has_write, has_send;
} moment;

static bool wire_has_pattern(u32 offset, u32 length)
{
	u32 i;

	for (i = 0; i < length; i++)
		if (judge.memory[offset + i] != peer_pattern(i))
			return false;
	return true;
}

static void wire_notify(struct hca_cq *cq)
{
	moment.completions++;
	moment.sent = judge.core->stream.sent;
	moment.has_write = wire_has_pattern(0, 64);
	moment.has_send = wire_has_pattern(0x1000, 30);
}

static void wire_watch(void)
{
	memset(&moment, 0, sizeof(moment));
	judge.recv_cq.notify = wire_notify;
	judge.recv_cq.queue.ring->arm = HCA_CQ_ARM_NEXT;
}

/*
 * P1-009, P1-147: the first segment of a Send is placed when it arrives, and delivered with the
 * last one. P1-096, P1-140: by then the Writes before it are in memory.
 */
START_TEST(placed_then_delivered)
{
	judge_begin(&streams[_i]);
	judge_establish("request crc");
	wire_watch();
	judge_recv(1, 0x1000, 64, judge.mr[JUDGE_RW]->key);
	judge_run("send more payload=20");
	ck_assert(wire_has_pattern(0x1000, 20));
	ck_assert_uint_eq(moment.completions, 0);
	judge_run("write stag=$rw to=0x70000 payload=64; send mo=20 first=20 payload=10");
	ck_assert_uint_eq(moment.completions, 1);
	ck_assert(moment.has_write);
	ck_assert(moment.has_send);
	ck_assert_uint_eq(judge_expect(&judge.recv_cq, 1, IB_WC_SUCCESS).byte_len, 30);
	judge_end();
}
END_TEST

/*
 * P1-142, P1-148, P1-T20: a Read Request that comes at once behind a Write and a Send reads what
 * these have written. P1-154: no Response is made before the Send has completed.
 */
START_TEST(read_behind_write_and_send)
{
	struct wire_message m;
	u64 before;

	judge_begin(&streams[_i]);
	judge_establish("request crc");
	wire_watch();
	judge_recv(1, 0x1000, 64, judge.mr[JUDGE_RW]->key);
	before = judge.core->stream.sent;
	judge_run("write stag=$rw to=0x70000 payload=64; send payload=30;"
		  "read sink=5 src=$rw srcto=0x70000 size=64;"
		  "read sink=6 src=$rw srcto=0x71000 size=30");
	ck_assert_uint_eq(moment.completions, 1);
	ck_assert_uint_eq(moment.sent, before);
	ck_assert(wire_has_pattern(0, 64));
	wire_receive(&m, judge.memory);
	ck_assert_uint_eq(m.octets, 64);
	ck_assert(wire_has_pattern(0x1000, 30));
	wire_receive(&m, judge.memory + 0x1000);
	ck_assert_uint_eq(m.octets, 30);
	judge_end();
}
END_TEST

/* P1-152: Sends complete in their order, whatever their lengths. */
START_TEST(sends_in_order)
{
	u32 i;

	judge_begin(&streams[_i]);
	judge_establish("request crc");
	for (i = 0; i < 3; i++)
		judge_recv(i, 0x1000 * i, 4000, judge.mr[JUDGE_RW]->key);
	judge_run("send payload=3000; send; send-se payload=100");
	ck_assert_uint_eq(judge_expect(&judge.recv_cq, 0, IB_WC_SUCCESS).byte_len, 3000);
	ck_assert_uint_eq(judge_expect(&judge.recv_cq, 1, IB_WC_SUCCESS).byte_len, 0);
	ck_assert_uint_eq(judge_expect(&judge.recv_cq, 2, IB_WC_SUCCESS).byte_len, 100);
	judge_end();
}
END_TEST

/*
 * P1-141: Reads complete in the order of their Responses, each with the last segment. P1-012: the
 * sink stays valid, so that the peer can go on writing there.
 */
START_TEST(reads_in_order)
{
	judge_begin(&streams[_i]);
	judge_establish("request crc");
	judge_post(IB_UVERBS_WR_RDMA_READ, 2, 0, 16, STAG, 0);
	judge_post(IB_UVERBS_WR_RDMA_READ, 3, 0x1000, 30, STAG, 0);
	judge_run("response stag=$rw to=0x70000 more payload=8");
	judge_expect_none(&judge.send_cq);
	judge_run("response stag=$rw to=0x70008 first=8 payload=8");
	judge_expect(&judge.send_cq, 2, IB_WC_SUCCESS);
	judge_expect_none(&judge.send_cq);
	ck_assert(wire_has_pattern(0, 16));
	judge_run("response stag=$rw to=0x71000 payload=30; write stag=$rw to=0x70000 payload=64");
	judge_expect(&judge.send_cq, 3, IB_WC_SUCCESS);
	ck_assert(wire_has_pattern(0x1000, 30));
	ck_assert(wire_has_pattern(0, 64));
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_RTS);
	judge_end();
}
END_TEST

/* Another connection of the RNIC, which accepts one Read Request at a time. */
static struct {
	struct hca_qp *qp;
	struct hca_endpoint ep;
	struct sim_stream_pair pair;
	struct peer peer;
} other;

static void other_event(struct hca_endpoint *ep, enum hca_endpoint_event event) { }

static void other_run(const char *script)
{
	struct sim_stream *model = &other.pair.end[0];
	u8 octets[2048];
	u32 length;
	bool busy;

	peer_run(&other.peer, script);
	sim_stream_write(model, other.peer.out, other.peer.out_length);
	other.peer.out_length = 0;
	do {
		busy = sim_stream_step(&other.pair);
		shim_run_until_idle();
		length = sim_stream_read(model, octets, sizeof(octets));
		peer_receive(&other.peer, octets, length);
	} while (length || busy);
}

static void other_begin(void)
{
	const struct hca_connect connect = { .ird = 1, .ord = 1 };

	memset(&other, 0, sizeof(other));
	peer_init(&other.peer);
	sim_stream_open(&other.pair, &streams[0]);
	hca_endpoint_init(&other.ep, &judge.rnic, &other.pair.end[1].stream, other_event);
	other.qp = judge_create_qp();
	hca_startup_listen(&other.ep);
	other_run("request crc");
	ck_assert_int_eq(hca_startup_accept(&other.ep, hca_iwarp_qp_of(other.qp), &connect), 0);
	other_run("");
	ck_assert(peer_next_start(&other.peer));
	peer_agree(&other.peer);
	other_run("write");
}

static void other_end(void)
{
	struct hca_qp_attr attr = { .state = IB_QPS_ERR };

	ck_assert_int_eq(hca_qp_modify(other.qp, &attr, IB_QP_STATE), 0);
	other_run("");
	hca_qp_destroy(other.qp);
	hca_endpoint_destroy(&other.ep);
	sim_stream_free(&other.pair);
}

/*
 * P1-205: a peer that reads none of the Responses to its Read Requests takes nothing of the room
 * that another connection has for its own.
 */
START_TEST(reads_of_two_connections)
{
	char script[80];
	int i;

	judge_begin(&streams[2]);
	judge_establish("request crc");
	other_begin();
	judge.is_stalled = true;
	for (i = 0; i < ARRAY_SIZE(reads); i++)
		judge_run(reads[i].script);
	ck_assert_uint_eq(judge.it->responder.count, ARRAY_SIZE(reads));
	snprintf(script, sizeof(script), "read sink=9 src=%u srcto=0x70000 size=50",
		 judge.mr[JUDGE_RW]->key);
	for (i = 0; i < 3; i++) {
		other_run(script);
		ck_assert(peer_next_fpdu(&other.peer));
		ck_assert_uint_eq(other.peer.fpdu.header.opcode, 2);
		ck_assert_uint_eq(other.peer.fpdu.payload_length, 50);
	}
	other_end();
	judge.is_stalled = false;
	judge_exchange();
	ck_assert_uint_eq(judge.it->responder.count, 0);
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_RTS);
	judge_end();
}
END_TEST

/*
 * P1-007: a queue pair has one stream, in start-up as well; another one is refused, and changes
 * nothing.
 */
START_TEST(one_stream)
{
	const struct hca_connect connect = { .ird = 1, .ord = 1 };
	struct sim_stream_pair pair;
	struct hca_endpoint ep = { 0 };

	judge_begin(&streams[0]);
	if (_i)
		ck_assert_int_eq(judge_connect(4, 4), 0);
	else
		judge_establish("request crc");
	sim_stream_open(&pair, &streams[0]);
	hca_endpoint_init(&ep, &judge.rnic, &pair.end[1].stream, NULL);
	ck_assert_int_eq(hca_startup_connect(&ep, judge.it, &connect), -EINVAL);
	ck_assert_ptr_eq(judge.it->ep, &judge.ep);
	ck_assert_uint_eq(pair.end[1].sent, 0);
	hca_endpoint_destroy(&ep);
	pair.end[1].is_released = true;
	sim_stream_free(&pair);
	judge_end();
}
END_TEST

Suite *iwarp_judge_wire_suite(void)
{
	Suite *suite = suite_create("iwarp_judge_wire");
	TCase *tc = tcase_create("iwarp_judge_wire");

	tcase_add_loop_test(tc, one_message_each, 0, ARRAY_SIZE(streams));
	tcase_add_test(tc, responses_in_order);
	tcase_add_loop_test(tc, placed_then_delivered, 0, ARRAY_SIZE(streams));
	tcase_add_loop_test(tc, read_behind_write_and_send, 0, ARRAY_SIZE(streams));
	tcase_add_loop_test(tc, sends_in_order, 0, ARRAY_SIZE(streams));
	tcase_add_loop_test(tc, reads_in_order, 0, ARRAY_SIZE(streams));
	tcase_add_test(tc, reads_of_two_connections);
	tcase_add_loop_test(tc, one_stream, 0, 2);
	suite_add_tcase(suite, tc);
	return suite;
}
