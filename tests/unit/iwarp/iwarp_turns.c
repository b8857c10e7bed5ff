// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The order and the form of what an RNIC sends: the RTR message first, then requests and responses
 * by turns.
 */
#include <check.h>
#include <stdio.h>
#include <string.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include "iwarp/fault_install.h"
#include "shim.h"
#include "tests/consumer/consumer.h"
#include "tests/unit/iwarp/judge.h"
#include "tests/unit/iwarp/rnics.h"
#include "tests/unit/suites.h"

#define TURNS_SENDS 40
#define TURNS_FPDU 24 /* octets of a Send without payload */

static const struct sim_stream_options plain = { .segment = 0 };
static struct hca_stream_ops turns_ops;
static const struct hca_stream_ops *turns_usual;

static u32 turns_no_room(struct hca_stream *s)
{
	return 0;
}

static void turns_block(void)
{
	turns_usual = judge.core->stream.ops;
	turns_ops = *turns_usual;
	turns_ops.room = turns_no_room;
	judge.core->stream.ops = &turns_ops;
}

static void turns_unblock(void)
{
	judge.core->stream.ops = turns_usual;
	hca_stream_event(&judge.core->stream, HCA_STREAM_WRITABLE);
	hca_engine_raise();
	shim_run_until_idle();
	judge_exchange();
}

static void turns_expect(u8 opcode)
{
	ck_assert(peer_next_fpdu(&judge.peer));
	ck_assert_uint_eq(judge.peer.fpdu.header.opcode, opcode);
}

/* Neither requests nor Read Responses wait for all of the other kind. */
START_TEST(by_turns)
{
	int i;

	judge_begin(&plain);
	judge_establish("request crc");
	turns_block();
	for (i = 0; i < 3; i++)
		judge_post(IB_UVERBS_WR_SEND, i, 0, 8, 0, 0);
	for (i = 0; i < 3; i++)
		judge_run("read sink=1 src=$rw srcto=0x70000 size=8");
	turns_unblock();
	for (i = 0; i < 3; i++) {
		turns_expect(3);
		turns_expect(2);
	}
	for (i = 0; i < 3; i++)
		judge_expect(&judge.send_cq, i, IB_WC_SUCCESS);
	judge_end();
}
END_TEST

/* RFC 6581, 5: nothing comes before the RTR message, though a peer that errs has asked already. */
START_TEST(rtr_is_first)
{
	judge_begin(&plain);
	ck_assert_int_eq(judge_connect(4, 4), 0);
	judge_post(IB_UVERBS_WR_SEND, 1, 0, 8, 0, 0);
	ck_assert(peer_next_start(&judge.peer));
	turns_block();
	judge_run("reply crc enhanced rev=2 p2p rtr-write ird=4 ord=4; agree; "
		  "read sink=1 src=$rw srcto=0x70000 size=8");
	ck_assert_uint_eq(judge.it->responder.count, 1);
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CONNECT_REPLY], 0);
	turns_unblock();
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CONNECT_REPLY], 1);
	turns_expect(0);
	ck_assert_uint_eq(judge.peer.fpdu.header.stag, 1);
	turns_expect(3);
	turns_expect(2);
	judge_end();
}
END_TEST

/* RFC 6581, 5: the response to an RTR Read has no octets; another one ends the stream. */
START_TEST(rtr_response)
{
	judge_begin(&plain);
	judge.rnic.options.rtr = HCA_RTR_READ;
	ck_assert_int_eq(judge_connect(4, 4), 0);
	ck_assert(peer_next_start(&judge.peer));
	judge_run("reply crc enhanced rev=2 p2p rtr-read ird=4 ord=4");
	peer_agree(&judge.peer);
	turns_expect(1);
	ck_assert_uint_eq(judge.peer.fpdu.read.sink_stag, 1);
	ck_assert_uint_eq(judge.peer.fpdu.read.source_stag, 1);
	ck_assert_uint_eq(judge.peer.fpdu.read.size, 0);
	if (_i) {
		judge_run("response stag=1 payload=4");
		turns_expect(7);
	} else {
		judge_post(IB_UVERBS_WR_SEND, 0, 0, 8, 0, 0);
		judge_expect(&judge.send_cq, 0, IB_WC_SUCCESS);
		judge_post(IB_UVERBS_WR_RDMA_READ, 1, 0, 8, 5, 0);
		turns_expect(3);
		turns_expect(1);
		ck_assert_uint_eq(judge.peer.fpdu.header.msn, 2);
		judge_run("response stag=1; response stag=$rw to=0x70000 payload=8");
		judge_expect(&judge.send_cq, 1, IB_WC_SUCCESS);
	}
	judge_end();
}
END_TEST

/* RFC 6581, 5: one of the RTR messages that both offer, the one that costs least. */
START_TEST(rtr_is_chosen)
{
	static const struct {
		u8 rtr;
		const char *reply;
		u8 opcode;
	} rows[] = {
		{ HCA_RTR_SEND | HCA_RTR_WRITE | HCA_RTR_READ, "rtr-send rtr-write rtr-read", 0 },
		{ HCA_RTR_SEND | HCA_RTR_READ, "rtr-send rtr-write rtr-read", 1 },
		{ HCA_RTR_SEND | HCA_RTR_READ, "rtr-send rtr-write", 3 },
		{ HCA_RTR_WRITE | HCA_RTR_READ, "rtr-send rtr-read", 1 },
	};
	char script[100];

	judge_begin(&plain);
	judge.rnic.options.rtr = rows[_i].rtr;
	ck_assert_int_eq(judge_connect(4, 4), 0);
	ck_assert(peer_next_start(&judge.peer));
	snprintf(script, sizeof(script), "reply crc enhanced rev=2 p2p %s ird=4 ord=4; agree",
		 rows[_i].reply);
	judge_run(script);
	turns_expect(rows[_i].opcode);
	judge_end();
}
END_TEST

/* RFC 6581, 5: the RTR Read does not count, but the next one does, of which none was agreed. */
START_TEST(rtr_read_is_one)
{
	judge_begin(&plain);
	judge_listen("request crc enhanced rev=2 p2p rtr-read ird=4 ord=0");
	ck_assert_int_eq(judge_accept(0, 4), 0);
	judge_agree();
	if (!_i) {
		judge_run("read sink=1 src=1 size=0");
		turns_expect(2);
	}
	judge_run("read sink=1 src=$rw srcto=0x70000 size=8");
	turns_expect(7);
	ck_assert_mem_eq(judge.peer.fpdu.terminate.control, ((u8[]){ 0x02, 0x07 }), 2);
	judge_end();
}
END_TEST

/* RFC 6581, 5: a Send as RTR message takes no receive request. */
START_TEST(rtr_send_is_empty)
{
	judge_begin(&plain);
	judge.rnic.options.rtr = HCA_RTR_SEND;
	judge_listen("request crc enhanced rev=2 p2p rtr-send ird=4 ord=4");
	ck_assert_int_eq(judge_accept(4, 4), 0);
	judge_agree();
	judge_recv(1, 0, 64, judge.mr[JUDGE_RW]->key);
	judge_run("send");
	judge_expect_none(&judge.recv_cq);
	judge_run("send payload=5");
	ck_assert_uint_eq(judge_expect(&judge.recv_cq, 1, IB_WC_SUCCESS).byte_len, 5);
	judge_end();
}
END_TEST

/* An RNIC that offers no RTR message does not ask for the peer-to-peer model. */
START_TEST(no_rtr)
{
	judge_begin(&plain);
	judge.rnic.options.rtr = 0;
	ck_assert_int_eq(judge_connect(4, 4), 0);
	ck_assert(peer_next_start(&judge.peer));
	ck_assert(judge.peer.start.enhanced);
	ck_assert(!judge.peer.start.peer_to_peer);
	judge_end();
}
END_TEST

/* Post a Read without a sink. */
static void turns_post_empty_read(void)
{
	struct hca_queue *sq = &judge.qp->sq;
	struct hca_send_wqe *wqe = hca_queue_entry(sq, sq->ring->producer);

	memset(wqe, 0, sizeof(*wqe));
	wqe->wr_id = 99;
	wqe->opcode = IB_UVERBS_WR_RDMA_READ;
	wqe->flags = HCA_WQE_SIGNALED;
	wqe->rdma.rkey = 5;
	sq->ring->producer++;
	consumer_ring(judge.qp, sq->ring);
	judge_exchange();
}

/*
 * The ring of requests is used again: a Read completes by its own response, from its beginning, and
 * names no sink of others.
 */
START_TEST(ring_again)
{
	char script[64];
	u64 i;

	judge_begin(&plain);
	judge_establish("request crc");
	for (i = 0; i < 40; i++) {
		judge_post(IB_UVERBS_WR_RDMA_READ, i, 64 * i, 8, 5, 0);
		turns_expect(1);
		judge_expect_none(&judge.send_cq);
		snprintf(script, sizeof(script), "response stag=$rw to=%u payload=8",
			 JUDGE_BASE + 64 * (u32)i);
		judge_run(script);
		judge_expect(&judge.send_cq, i, IB_WC_SUCCESS);
	}
	turns_post_empty_read();
	turns_expect(1);
	ck_assert_uint_eq(judge.peer.fpdu.read.sink_stag, 1);
	ck_assert_uint_eq(judge.peer.fpdu.read.sink_to, 0);
	judge_run("response stag=1 to=77");
	judge_expect(&judge.send_cq, 99, IB_WC_SUCCESS);
	judge_end();
}
END_TEST

/* P1-120, P1-124: the four kinds of Sends. */
START_TEST(sends)
{
	struct hca_send_wqe *wqe;

	rnics_setup();
	rnics_begin_peer(NULL);
	rnics_connect_peer();
	wqe = rnics_wqe(&rnics.end[0], _i & 1 ? IB_UVERBS_WR_SEND_WITH_INV : IB_UVERBS_WR_SEND,
			1, 0, 4);
	wqe->flags |= _i & 2 ? HCA_WQE_SOLICITED : 0;
	wqe->invalidate_rkey = 0x1234;
	rnics_publish(&rnics.end[0]);
	ck_assert(rnics_peer_fpdu());
	ck_assert_uint_eq(rnics.peer->fpdu.header.opcode, 3 + _i);
	ck_assert_uint_eq(rnics.peer->fpdu.header.invalidate, _i & 1 ? 0x1234 : 0);
	rnics_end();
}
END_TEST

/* RFC 5044, 7.1: CRCs are used if the peer asks for them, and the reply says so. */
START_TEST(crc_of_peer)
{
	judge_begin(&plain);
	judge.rnic.options.crc = false;
	judge_establish("request crc");
	ck_assert(judge.peer.start.crc);
	judge_post(IB_UVERBS_WR_SEND, 1, 0, 6, 0, 0);
	turns_expect(3);
	ck_assert(judge.peer.fpdu.has_crc);
	judge_end();
}
END_TEST

/* RFC 5044, 4.4: the field of the CRC is 0 if CRCs are not used, with faults at work as well. */
START_TEST(no_crc)
{
	const struct hca_iwarp_fault_spec rare = { .kind = HCA_IWARP_FAULT_BAD_CRC, .nth = 100 };

	judge_begin(&plain);
	judge.rnic.options.crc = false;
	judge_establish("request");
	if (_i)
		ck_assert_int_eq(hca_rnic_set_qp_faults(&judge.rnic, judge.qp->qpn, &rare), 0);
	judge_post(IB_UVERBS_WR_SEND, 1, 0, 6, 0, 0);
	ck_assert_uint_eq(judge.peer.in_length, 32);
	ck_assert_mem_eq(judge.peer.in + 28, "\0\0\0\0", 4);
	judge_end();
}
END_TEST

/* Faults that a queue pair got before its connection are those of its first FPDU. */
START_TEST(fault_before_connection)
{
	const struct hca_iwarp_fault_spec crc = { .kind = HCA_IWARP_FAULT_BAD_CRC, .once = true };

	judge_begin(&plain);
	ck_assert_int_eq(hca_rnic_set_qp_faults(&judge.rnic, judge.qp->qpn, &crc), 0);
	judge_establish("request crc");
	judge_post(IB_UVERBS_WR_SEND, 1, 0, 8, 0, 0);
	judge_post(IB_UVERBS_WR_SEND, 2, 0, 8, 0, 0);
	turns_expect(3);
	ck_assert(!judge.peer.fpdu.has_crc);
	turns_expect(3);
	ck_assert(judge.peer.fpdu.has_crc);
	judge_end();
}
END_TEST

/* A refusal that is unknown changes no frame. */
START_TEST(unknown_refusal)
{
	const struct hca_iwarp_fault_spec refuse = {
		.kind = HCA_IWARP_FAULT_REFUSE, .value = HCA_IWARP_REFUSALS,
	};

	judge_begin(&plain);
	ck_assert_int_eq(hca_rnic_set_qp_faults(&judge.rnic, judge.qp->qpn, &refuse), 0);
	ck_assert_int_eq(judge_connect(4, 4), 0);
	ck_assert(peer_next_start(&judge.peer));
	ck_assert(judge.peer.start.has_key);
	ck_assert_uint_eq(judge.it->fault->happened, 0);
	judge_end();
}
END_TEST

/* RFC 6581, 9: a rejection for want of IRD says how many Reads would be served. */
START_TEST(too_many_reads)
{
	judge_begin(&plain);
	judge_listen("request crc enhanced rev=2 ird=4 ord=129");
	ck_assert_int_eq(judge_accept(4, 4), -ENOMEM);
	ck_assert(peer_next_start(&judge.peer));
	ck_assert(judge.peer.start.rejected);
	ck_assert_uint_eq(judge.peer.start.ird, 128);
	judge_end();
}
END_TEST

/* A fault of a field of the other form of a segment, or of a frame, changes no FPDU. */
START_TEST(fault_without_effect)
{
	static const struct hca_iwarp_fault_spec specs[] = {
		{ .kind = HCA_IWARP_FAULT_FIELD, .field = HCA_IWARP_FIELD_TO, .value = -1 },
		{ .kind = HCA_IWARP_FAULT_FIELD, .field = HCA_IWARP_FIELD_MSN, .value = -1 },
		{ .kind = HCA_IWARP_FAULT_REFUSE },
	};
	const struct peer_header *header = &judge.peer.fpdu.header;

	judge_begin(&plain);
	judge_establish("request crc");
	ck_assert_int_eq(hca_rnic_set_qp_faults(&judge.rnic, judge.qp->qpn, &specs[_i]), 0);
	if (_i == 1)
		judge_post(IB_UVERBS_WR_RDMA_WRITE, 1, 0, 8, 5, 0x1112131415161718);
	else
		judge_post(IB_UVERBS_WR_SEND, 1, 0, 8, 0, 0);
	turns_expect(_i == 1 ? 0 : 3);
	ck_assert_uint_eq(_i == 1 ? header->to == 0x1112131415161718 : !header->qn, true);
	ck_assert_uint_eq(header->msn, _i == 1 ? 0 : 1);
	ck_assert_uint_eq(judge.it->fault->happened, _i != 2);
	judge_end();
}
END_TEST

/* Send Sends without payload, each with one bit inverted. Return: all bits that were inverted. */
static u8 turns_corrupt(u32 seed, u8 *octets)
{
	const struct hca_iwarp_fault_spec corrupt = {
		.kind = HCA_IWARP_FAULT_CORRUPT, .seed = seed,
	};
	u8 bits = 0;
	u32 i, k;

	judge_begin(&plain);
	judge.rnic.options.crc = false;
	judge_establish("request");
	ck_assert_int_eq(hca_rnic_set_qp_faults(&judge.rnic, judge.qp->qpn, &corrupt), 0);
	for (i = 0; i < TURNS_SENDS; i++) {
		const u8 sent[TURNS_FPDU] = { 0, 18, 0x41, 0x43, [15] = i + 1 };

		judge_post(IB_UVERBS_WR_SEND, i, 0, 0, 0, 0);
		judge_expect(&judge.send_cq, i, IB_WC_SUCCESS);
		ck_assert_uint_eq(judge.peer.in_length, TURNS_FPDU * (i + 1));
		for (k = 0; k < TURNS_FPDU; k++)
			bits |= judge.peer.in[TURNS_FPDU * i + k] ^ sent[k];
		ck_assert_mem_eq(judge.peer.in + TURNS_FPDU * i, sent, 2);
		ck_assert_mem_eq(judge.peer.in + TURNS_FPDU * i + 20, sent + 20, 4);
	}
	memcpy(octets, judge.peer.in, TURNS_FPDU * TURNS_SENDS);
	judge_end();
	return bits;
}

/* A fault inverts any bit of a ULPDU, as its seed says, and none of the CRC, which is 0 here. */
START_TEST(no_crc_is_corrupted)
{
	u8 octets[3][TURNS_FPDU * TURNS_SENDS];

	ck_assert_uint_eq(turns_corrupt(1, octets[0]), 0xff);
	turns_corrupt(1, octets[1]);
	turns_corrupt(2, octets[2]);
	ck_assert_mem_eq(octets[0], octets[1], sizeof(octets[0]));
	ck_assert_mem_ne(octets[0], octets[2], sizeof(octets[0]));
}
END_TEST

Suite *iwarp_turns_suite(void)
{
	Suite *suite = suite_create("iwarp_turns");
	TCase *tc = tcase_create("turns");

	tcase_add_test(tc, by_turns);
	tcase_add_test(tc, rtr_is_first);
	tcase_add_loop_test(tc, rtr_response, 0, 2);
	tcase_add_loop_test(tc, rtr_is_chosen, 0, 4);
	tcase_add_loop_test(tc, rtr_read_is_one, 0, 2);
	tcase_add_test(tc, rtr_send_is_empty);
	tcase_add_test(tc, no_rtr);
	tcase_add_test(tc, ring_again);
	tcase_add_loop_test(tc, sends, 0, 4);
	tcase_add_test(tc, crc_of_peer);
	tcase_add_loop_test(tc, no_crc, 0, 2);
	tcase_add_test(tc, unknown_refusal);
	tcase_add_test(tc, too_many_reads);
	tcase_add_test(tc, fault_before_connection);
	tcase_add_loop_test(tc, fault_without_effect, 0, 3);
	tcase_add_test(tc, no_crc_is_corrupted);
	suite_add_tcase(suite, tc);
	return suite;
}
