// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * An RNIC judged by its start-up: each rule of MPA's frames and of their negotiation, as responder
 * and as initiator (RFC 5044, 7.1; RFC 6581).
 */
#include <check.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include "shim.h"
#include "tests/unit/iwarp/judge.h"
#include "tests/unit/suites.h"

static const struct sim_stream_options streams[] = {
	{ .segment = 0 },
	{ .segment = 1, .delay = 2 },
	{ .segment = 5, .window = 3, .buffer = 1, .again = 2, .early = true },
};

static const struct sim_stream_options *const plain = &streams[0];

/* A frame as text, for example: reply C S rev2 A D ird8 ord1 pd5. */
static const char *start_text(const struct peer_start *start)
{
	static char text[128];

	snprintf(text, sizeof(text), "%s%s%s%s%s rev%u", start->is_reply ? "reply" : "request",
		 start->markers ? " M" : "", start->crc ? " C" : "", start->rejected ? " R" : "",
		 start->enhanced ? " S" : "", start->revision);
	if (start->enhanced && start->revision > 1)
		snprintf(text + strlen(text), 64, "%s%s%s%s ird%u ord%u",
			 start->peer_to_peer ? " A" : "", start->rtr_send ? " B" : "",
			 start->rtr_write ? " C" : "", start->rtr_read ? " D" : "", start->ird,
			 start->ord);
	if (start->private_length)
		snprintf(text + strlen(text), 16, " pd%u", start->private_length);
	if (start->reserved)
		strcat(text, " reserved");
	return text;
}

static void assert_start(const char *pattern)
{
	const char *text;

	ck_assert_msg(peer_next_start(&judge.peer), "%s: no frame", pattern);
	ck_assert(judge.peer.start.has_key);
	text = start_text(&judge.peer.start);
	ck_assert_msg(!fnmatch(pattern, text, 0), "%s instead of %s", text, pattern);
}

/*
 * A request that is accepted, with IRD and ORD 4, and the reply, whose IRD is the ORD of the peer
 * (P1-162).
 */
static const struct {
	const char *request, *reply;
	u32 private_length; /* that the ULP sees */
} accepted[] = {
	{ "request crc", "reply C rev1" },
	{ "request", "reply C rev1" },
	{ "request markers crc", "reply C rev1" },
	{ "request crc reserved=15", "reply C rev1" },
	{ "request crc reject", "reply C rev1" },
	{ "request crc pd=0102030405", "reply C rev1", 5 },
	{ "request crc enhanced rev=1 p2p rtr-write ird=1 ord=1", "reply C rev1", 4 },
	{ "request crc rev=2", "reply C rev[12]" },
	{ "request crc rev=2 pd=01020304", "reply C rev[12]", 4 },
	{ "request crc enhanced rev=2 ird=4 ord=4", "reply C S rev2 ird4 ord4" },
	{ "request crc enhanced rev=2 ird=4 ord=4 pd=010203", "reply C S rev2 ird4 ord4", 3 },
	{ "request crc enhanced rev=2 ird=2 ord=1", "reply C S rev2 ird4 ord2" },
	{ "request crc enhanced rev=2 ird=0 ord=0", "reply C S rev2 ird4 ord0" },
	{ "request crc enhanced rev=2 ird=9 ord=8", "reply C S rev2 ird8 ord4" },
	{ "request crc enhanced rev=2 ird=9 ord=128", "reply C S rev2 ird128 ord4" },
	{ "request crc enhanced rev=2 ird=0x3fff ord=4", "reply C S rev2 ird4 ord16383" },
	{ "request crc enhanced rev=2 ird=4 ord=0x3fff", "reply C S rev2 ird16383 ord4" },
	{ "request crc enhanced rev=2 ird=0x3fff ord=0x3fff", "reply C S rev2 ird16383 ord16383" },
	{ "request crc enhanced rev=2 rtr-send rtr-write rtr-read ird=4 ord=4",
	  "reply C S rev2 ird4 ord4" },
	{ "request crc enhanced rev=2 p2p rtr-write rtr-read ird=4 ord=4",
	  "reply C S rev2 A C D ird4 ord4" },
	{ "request crc enhanced rev=2 p2p rtr-write ird=4 ord=4", "reply C S rev2 A C* ird4 ord4" },
	{ "request crc enhanced rev=2 p2p rtr-read ird=4 ord=4", "reply C S rev2 A*D ird4 ord4" },
	{ "request crc enhanced rev=2 p2p rtr-send ird=4 ord=4",
	  "reply C S rev2 A [CD]* ird4 ord4" },
};

START_TEST(accepts)
{
	typeof(&accepted[0]) row = &accepted[_i % ARRAY_SIZE(accepted)];

	judge_begin(&streams[_i / ARRAY_SIZE(accepted)]);
	judge_listen(row->request);
	ck_assert_msg(judge.events[HCA_ENDPOINT_CONNECT_REQUEST] == 1, "%s", row->request);
	ck_assert_uint_eq(judge.ep.peer.private_length, row->private_length);
	ck_assert_uint_eq(judge.peer.in_length, 0);
	ck_assert_int_eq(judge_accept(4, 4), 0);
	assert_start(row->reply);
	ck_assert_uint_eq(judge.peer.in_length, 0);
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_RTR);
	ck_assert(!judge_fin() && !judge_reset());
	judge_end();
}
END_TEST

/* Octets that are no request: nobody is told but the owner of the endpoint, and the stream ends. */
static const char *const refused[] = {
	"request rev=0", "request rev=3", "request rev=255", "request rev=0 enhanced",
	"request length=513", "request length=65535", "request enhanced rev=2 length=0",
	"request enhanced rev=2 length=3", "request enhanced rev=2 length=513", "reply crc",
	"reply crc enhanced rev=2", "raw 16030100",
};

static void assert_refused(const char *script)
{
	ck_assert_msg(judge_fin() || judge_reset(), "%s: not closed", script);
	ck_assert(!peer_next_start(&judge.peer));
	ck_assert_uint_eq(judge.peer.in_length, 0);
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CONNECT_REQUEST], 0);
	judge_run("fin");
	ck_assert_msg(judge.events[HCA_ENDPOINT_CLOSE] == 1, "%s: no event", script);
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_INIT);
}

START_TEST(refuses)
{
	const char *script = refused[_i % ARRAY_SIZE(refused)];

	judge_begin(&streams[_i / ARRAY_SIZE(refused)]);
	judge_listen(script);
	assert_refused(script);
	ck_assert_int_eq(atomic64_read(&judge.rnic.count[HCA_RNIC_STARTUP_ERRORS]), 1);
	judge_end();
}
END_TEST

/* The first octet of the key that is wrong ends the connection. */
START_TEST(refuses_each_octet_of_the_key)
{
	char script[64] = "raw ";
	int i;

	judge_begin(plain);
	judge_listen("");
	for (i = 0; i < _i; i++)
		sprintf(script + strlen(script), "%02x", "MPA ID Req Frame"[i]);
	if (_i)
		judge_run(script);
	ck_assert(!judge_fin() && !judge_reset());
	sprintf(script, "raw %02x", "MPA ID Req Frame"[_i] ^ 0x20);
	judge_run(script);
	assert_refused(script);
	judge_end();
}
END_TEST

/* A request that does not end: FIN, RST or nothing behind any of its octets. */
START_TEST(refuses_a_part)
{
	char script[64];

	judge_begin(plain);
	snprintf(script, sizeof(script), "request crc pd=0102 octets=%d", _i / 3);
	judge_listen(script);
	ck_assert(!judge_fin() && !judge_reset());
	if (_i % 3 == 0)
		judge_run("fin");
	else if (_i % 3 == 1)
		judge_run("reset");
	else
		judge_wait(4);
	if (_i % 3 == 2) {
		ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 0);
		judge_wait(2);
		ck_assert_int_eq(atomic64_read(&judge.rnic.count[HCA_RNIC_STARTUP_TIMEOUTS]), 1);
		ck_assert(judge_fin() || judge_reset());
		judge_run("fin");
	}
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CONNECT_REQUEST], 0);
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 1);
	judge_end();
}
END_TEST

/* More Read Requests than an RNIC can serve: the reply rejects, with the ORD that would do. */
START_TEST(too_many_reads_wanted)
{
	judge_begin(plain);
	judge_listen("request crc enhanced rev=2 ird=4 ord=129");
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CONNECT_REQUEST], 1);
	ck_assert_int_eq(judge_accept(4, 4), -ENOMEM);
	assert_start("reply*R S rev2*");
	judge_run("fin");
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 1);
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_INIT);
	judge_end();
}
END_TEST

START_TEST(rejects)
{
	const struct hca_connect connect = { .private_length = 2, .private_data = "no" };
	bool is_enhanced = _i;

	judge_begin(plain);
	judge_listen(is_enhanced ? "request crc enhanced rev=2 ird=4 ord=4" : "request crc");
	ck_assert_int_eq(hca_startup_reject(&judge.ep, &connect), 0);
	judge_exchange();
	assert_start(is_enhanced ? "reply* R S rev2 * pd2" : "reply* R rev1 pd2");
	ck_assert_mem_eq(judge.peer.start.private_data, "no", 2);
	ck_assert(judge_fin() || judge_reset());
	judge_run("fin");
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 1);
	judge_end();
}
END_TEST

/* A stream that ends before the ULP has decided: accept and reject find it. */
START_TEST(peer_gives_up)
{
	const struct hca_connect connect = { 0 };

	judge_begin(plain);
	judge_listen("request crc");
	judge_run(_i & 1 ? "reset" : "fin");
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 0);
	if (_i & 2)
		ck_assert_int_eq(hca_startup_reject(&judge.ep, &connect), -ECONNRESET);
	else
		ck_assert_int_eq(judge_accept(4, 4), -ECONNRESET);
	judge_exchange();
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 1);
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_INIT);
	judge_end();
}
END_TEST

/* The FPDU that was received last is the Send of judge_post(SEND, 7, 100, 24). */
static void assert_is_send(void)
{
	ck_assert_uint_eq(judge.peer.fpdu.header.opcode, 3);
	ck_assert_uint_eq(judge.peer.fpdu.header.msn, 1);
	ck_assert_uint_eq(judge.peer.fpdu.payload_length, 24);
	ck_assert(judge.peer.fpdu.has_crc || !judge.peer.crc);
	ck_assert(judge.peer.fpdu.has_markers);
	ck_assert_mem_eq(judge.peer.fpdu.payload, judge.memory + 100, 24);
}

static void assert_send(const char *script)
{
	ck_assert_msg(peer_next_fpdu(&judge.peer), "%s: no Send", script);
	assert_is_send();
}

/* The Send, and before or behind it a response without octets if one is due. */
static void assert_send_and_responses(const char *script, u32 due)
{
	u32 sends = 0, responses = 0;

	while (peer_next_fpdu(&judge.peer)) {
		if (judge.peer.fpdu.header.opcode != 2) {
			assert_is_send();
			sends++;
			continue;
		}
		ck_assert_uint_eq(judge.peer.fpdu.payload_length, 0);
		responses++;
	}
	ck_assert_msg(sends == 1 && responses == due, "%s: %u Sends, %u responses", script, sends,
		      responses);
}

/* RFC 5044, 7.1.2, rule 4: the responder sends nothing before the first FPDU, then what waits. */
static const struct {
	const char *request, *first;
	bool is_rtr; /* the RTR message, which the event waits for */
	bool is_answered; /* by a Read Response */
	u32 no_rtr; /* counted */
} firsts[] = {
	{ "request crc", "write" },
	{ "request markers crc", "write" },
	{ "request crc", "send payload=5" },
	{ "request crc", "read", .is_answered = true },
	{ "request crc enhanced rev=2 ird=4 ord=4", "write" },
	{ "request crc enhanced rev=2 p2p rtr-write ird=4 ord=4", "write", true },
	{ "request crc enhanced rev=2 p2p rtr-read ird=4 ord=4", "read", true, true },
	{ "request crc enhanced rev=2 p2p rtr-write ird=4 ord=4", "send payload=5", true,
	  .no_rtr = 1 },
};

START_TEST(first_fpdu)
{
	typeof(&firsts[0]) row = &firsts[_i % ARRAY_SIZE(firsts)];

	judge_begin(&streams[_i / ARRAY_SIZE(firsts)]);
	judge_recv(1, 0, 64, judge.mr[JUDGE_RW]->key);
	judge_listen(row->request);
	ck_assert_int_eq(judge_accept(4, 4), 0);
	judge_agree();
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_ESTABLISHED], !row->is_rtr);
	judge_post(IB_UVERBS_WR_SEND, 7, 100, 24, 0, 0);
	ck_assert_uint_eq(judge.peer.in_length, 0);
	judge_expect_none(&judge.send_cq);

	judge_run(row->first);
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_ESTABLISHED], 1);
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_RTS);
	ck_assert_int_eq(atomic64_read(&judge.rnic.count[HCA_RNIC_STARTUP_NO_RTR]), row->no_rtr);
	assert_send_and_responses(row->first, row->is_answered);
	judge_expect(&judge.send_cq, 7, IB_WC_SUCCESS);
	if (strstr(row->first, "send"))
		judge_expect(&judge.recv_cq, 1, IB_WC_SUCCESS);
	judge_expect_none(&judge.recv_cq);
	judge_end();
}
END_TEST

/* A Send as RTR message uses up MSN 1, and no receive request. */
START_TEST(rtr_by_send)
{
	judge_begin(plain);
	judge.rnic.options.rtr = HCA_RTR_SEND;
	judge_recv(1, 0, 64, judge.mr[JUDGE_RW]->key);
	judge_listen("request crc enhanced rev=2 p2p rtr-send ird=4 ord=4");
	ck_assert_int_eq(judge_accept(4, 4), 0);
	assert_start("reply C S rev2 A B ird4 ord4");
	peer_agree(&judge.peer);
	judge_run("send");
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_ESTABLISHED], 1);
	judge_expect_none(&judge.recv_cq);
	judge_run("send payload=3");
	ck_assert_uint_eq(judge_expect(&judge.recv_cq, 1, IB_WC_SUCCESS).byte_len, 3);
	judge_end();
}
END_TEST

/* FPDUs that come with the request wait for the ULP. */
START_TEST(fpdus_with_the_request)
{
	judge_begin(&streams[_i]);
	judge_recv(1, 0, 64, judge.mr[JUDGE_RW]->key);
	judge.peer.own.crc = true;
	judge_listen("request crc; agree; write; send payload=9");
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CONNECT_REQUEST], 1);
	judge_expect_none(&judge.recv_cq);
	ck_assert_int_eq(judge_accept(4, 4), 0);
	assert_start("reply C rev1");
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_ESTABLISHED], 1);
	ck_assert_uint_eq(judge_expect(&judge.recv_cq, 1, IB_WC_SUCCESS).byte_len, 9);
	judge_end();
}
END_TEST

/* A first FPDU that is wrong is an FPDU: it may be answered by a Terminate. */
START_TEST(first_fpdu_is_wrong)
{
	judge_begin(plain);
	judge_listen("request crc");
	ck_assert_int_eq(judge_accept(4, 4), 0);
	judge_agree();
	judge_run("write bad-crc");
	ck_assert(peer_next_fpdu(&judge.peer));
	ck_assert_uint_eq(judge.peer.fpdu.header.opcode, 7);
	ck_assert_uint_eq(judge.peer.fpdu.terminate.control[0], 0x20);
	ck_assert_uint_eq(judge.peer.fpdu.terminate.control[1], 0x02);
	ck_assert(judge_fin());
	judge_run("fin");
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_ERR);
	judge_end();
}
END_TEST

/* CRCs are used if either side asks for them; markers of each way if its receiver does. */
START_TEST(crcs_and_markers)
{
	bool own_crc = _i & 1, peer_crc = _i & 2, own_markers = _i & 4, peer_markers = _i & 8;
	char request[64];

	judge_begin(plain);
	judge.rnic.options.crc = own_crc;
	judge.rnic.options.markers = own_markers;
	snprintf(request, sizeof(request), "request%s%s", peer_crc ? " crc" : "",
		 peer_markers ? " markers" : "");
	judge_listen(request);
	ck_assert_int_eq(judge_accept(4, 4), 0);
	judge_agree();
	ck_assert_int_eq(judge.peer.start.markers, own_markers);
	ck_assert_int_eq(judge.peer.crc, own_crc || peer_crc);
	judge_run("write stag=$rw to=0x71000 payload=2000");
	judge_post(IB_UVERBS_WR_SEND, 7, 100, 24, 0, 0);
	assert_send("with markers");
	ck_assert_uint_eq(judge.peer.fpdu.markers, peer_markers);
	ck_assert_uint_eq(judge.memory[0x1000 + 1999], peer_pattern(1999));
	judge_run("write stag=$rw to=0x71000 payload=2000 bad-crc");
	ck_assert_int_eq(peer_next_fpdu(&judge.peer), own_crc || peer_crc);
	if (!own_crc && !peer_crc && own_markers) {
		judge_run("write stag=$rw to=0x71000 payload=2000 bad-marker");
		ck_assert(peer_next_fpdu(&judge.peer));
		ck_assert_uint_eq(judge.peer.fpdu.terminate.control[0], 0x20);
		ck_assert_uint_eq(judge.peer.fpdu.terminate.control[1], 0x03);
	}
	judge_end();
}
END_TEST

/* The initiator: replies that end the connection, and the status of the event. */
static const struct {
	const char *reply;
	int status;
	const char *private_data;
} failures[] = {
	{ "raw 4d504120494420526570204672616d66", -EPROTO },
	{ "request crc enhanced rev=2 p2p rtr-write ird=4 ord=4", -EPROTO },
	{ "reply crc enhanced rev=0 p2p rtr-write ird=4 ord=4", -EPROTO },
	{ "reply crc enhanced rev=3 p2p rtr-write ird=4 ord=4", -EPROTO },
	{ "reply crc enhanced rev=2 length=513", -EPROTO },
	{ "reply crc enhanced rev=2 length=3", -EPROTO },
	{ "reply crc rev=2", -EPROTO },
	{ "reply crc rev=1", -EPROTO },
	{ "reply crc reject enhanced rev=2 p2p ird=7 ord=9", -ECONNREFUSED, "" },
	{ "reply crc reject enhanced rev=2 p2p ird=7 ord=9 pd=6e6f", -ECONNREFUSED, "no" },
};

START_TEST(initiator_fails)
{
	typeof(&failures[0]) row = &failures[_i % ARRAY_SIZE(failures)];

	judge_begin(&streams[_i / ARRAY_SIZE(failures)]);
	ck_assert_int_eq(judge_connect(4, 4), 0);
	assert_start("request C S rev2 A C D ird4 ord4 pd5");
	judge_run(row->reply);
	ck_assert_msg(judge.events[HCA_ENDPOINT_CONNECT_REPLY] == 1, "%s: no event", row->reply);
	ck_assert_msg(judge.reply_status == row->status, "%s: %d", row->reply, judge.reply_status);
	ck_assert_msg(judge_fin() || judge_reset(), "%s: no end", row->reply);
	if (row->status == -EPROTO)
		ck_assert_msg(judge_reset(), "%s: not a RST", row->reply);
	if (row->private_data) {
		ck_assert_uint_eq(judge.ep.peer.private_length, strlen(row->private_data));
		ck_assert_mem_eq(judge.ep.peer_private, row->private_data,
				 strlen(row->private_data));
		ck_assert_uint_eq(judge.ep.peer.ird, 7);
		ck_assert_uint_eq(judge.ep.peer.ord, 9);
	}
	judge_run("fin");
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 1);
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_INIT);
	judge_end();
}
END_TEST

/* Replies that a connection follows from, and the first FPDU; -1: none. */
static const struct {
	const char *reply;
	int first;
} replies[] = {
	{ "reply crc enhanced rev=2 p2p rtr-write ird=4 ord=4", 0 },
	{ "reply crc enhanced rev=2 p2p rtr-read ird=4 ord=4", 1 },
	{ "reply crc enhanced rev=2 p2p rtr-send rtr-write ird=4 ord=4", 0 },
	{ "reply crc markers enhanced rev=2 p2p rtr-write ird=4 ord=4", 0 },
	{ "reply enhanced rev=2 p2p rtr-write ird=4 ord=4", 0 },
	{ "reply crc enhanced rev=2 p2p rtr-write ird=4 ord=128", 0 },
	{ "reply crc enhanced rev=2 p2p rtr-write ird=0x3fff ord=0x3fff", 0 },
	{ "reply crc enhanced rev=2 ird=4 ord=4", -1 },
};

START_TEST(initiator_succeeds)
{
	typeof(&replies[0]) row = &replies[_i % ARRAY_SIZE(replies)];
	const struct peer_fpdu *fpdu = &judge.peer.fpdu;

	judge_begin(&streams[_i / ARRAY_SIZE(replies)]);
	judge_recv(1, 0, 64, judge.mr[JUDGE_RW]->key);
	judge_post(IB_UVERBS_WR_SEND, 7, 100, 24, 0, 0);
	ck_assert_int_eq(judge_connect(4, 4), 0);
	assert_start("request C S rev2 A C D ird4 ord4 pd5");
	ck_assert_mem_eq(judge.peer.start.private_data, "hello", 5);
	ck_assert_uint_eq(judge.peer.in_length, 0);
	/* Octets behind the reply are the beginning of Full Operation. */
	peer_run(&judge.peer, row->reply);
	peer_agree(&judge.peer);
	judge_run(_i < ARRAY_SIZE(replies) ? "" : "write");
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CONNECT_REPLY], 1);
	ck_assert_int_eq(judge.reply_status, 0);
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_RTS);
	if (row->first >= 0) {
		ck_assert(peer_next_fpdu(&judge.peer));
		ck_assert_uint_eq(fpdu->header.opcode, row->first);
		ck_assert_uint_eq(fpdu->payload_length, row->first ? 28 : 0);
		ck_assert_uint_eq(row->first ? fpdu->read.sink_stag : fpdu->header.stag, 1);
		ck_assert_uint_eq(row->first ? fpdu->read.size : 0, 0);
	}
	if (row->first == 1)
		judge_run("response stag=1");
	assert_send(row->reply);
	judge_run("send payload=7");
	ck_assert_uint_eq(judge_expect(&judge.recv_cq, 1, IB_WC_SUCCESS).byte_len, 7);
	judge_expect(&judge.send_cq, 7, IB_WC_SUCCESS);
	judge_expect_none(&judge.send_cq);
	judge_end();
}
END_TEST

/* Replies that are answered by a Terminate, under the CRCs and markers that they agree to. */
static const struct {
	const char *reply;
	u16 error;
} terminated[] = {
	{ "reply crc enhanced rev=2 p2p rtr-write ird=4 ord=129", 0x2006 },
	{ "reply crc markers enhanced rev=2 p2p rtr-write ird=4 ord=0x3ffe", 0x2006 },
	{ "reply crc enhanced rev=2 p2p ird=4 ord=4", 0x2007 },
	{ "reply crc enhanced rev=2 p2p rtr-send ird=4 ord=4", 0x2007 },
	{ "reply markers enhanced rev=2 p2p rtr-send ird=4 ord=4", 0x2007 },
};

START_TEST(initiator_terminates)
{
	typeof(&terminated[0]) row = &terminated[_i];
	const struct peer_fpdu *fpdu = &judge.peer.fpdu;

	judge_begin(plain);
	ck_assert_int_eq(judge_connect(4, 4), 0);
	assert_start("request C S rev2 A C D ird4 ord4 pd5");
	judge_run(row->reply);
	peer_agree(&judge.peer);
	ck_assert_msg(peer_next_fpdu(&judge.peer), "%s: no Terminate", row->reply);
	ck_assert(fpdu->has_crc && fpdu->has_markers);
	ck_assert_uint_eq(fpdu->header.opcode, 7);
	ck_assert_uint_eq(fpdu->terminate.control[0] << 8 | fpdu->terminate.control[1], row->error);
	ck_assert_uint_eq(fpdu->terminate.control[2], 0);
	ck_assert(!peer_next_fpdu(&judge.peer));
	ck_assert(judge_fin());
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CONNECT_REPLY], 1);
	ck_assert_int_lt(judge.reply_status, 0);
	if (row->error == 0x2006)
		ck_assert_int_eq(judge.reply_status, -ENOMEM);
	judge_run("fin");
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 1);
	judge_end();
}
END_TEST

/* No reply: FIN, RST or nothing behind any of its octets. */
START_TEST(initiator_waits)
{
	char script[96];

	judge_begin(plain);
	ck_assert_int_eq(judge_connect(4, 4), 0);
	snprintf(script, sizeof(script),
		 "reply crc enhanced rev=2 p2p rtr-write ird=4 ord=4 octets=%d", _i / 3);
	judge_run(script);
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CONNECT_REPLY], 0);
	if (_i % 3 == 0)
		judge_run("fin");
	else if (_i % 3 == 1)
		judge_run("reset");
	else
		judge_wait(9);
	if (_i % 3 == 2) {
		ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CONNECT_REPLY], 0);
		judge_wait(2);
		ck_assert_int_eq(judge.reply_status, -ETIMEDOUT);
	} else if (_i % 3 == 1) {
		ck_assert_int_eq(judge.reply_status, -ECONNRESET);
	}
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CONNECT_REPLY], 1);
	ck_assert_int_lt(judge.reply_status, 0);
	judge_run(_i % 3 == 2 ? "fin" : "");
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 1);
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_INIT);
	judge_end();
}
END_TEST

/* The responder's IRD limits the Reads of the initiator, to 2 here. */
START_TEST(reads_within_the_peers_ird)
{
	int i, outstanding = 0;

	judge_begin(plain);
	ck_assert_int_eq(judge_connect(4, 4), 0);
	assert_start("request C S rev2*");
	judge_run("reply crc enhanced rev=2 p2p rtr-write ird=2 ord=4");
	peer_agree(&judge.peer);
	ck_assert(peer_next_fpdu(&judge.peer));
	for (i = 0; i < 4; i++)
		judge_post(IB_UVERBS_WR_RDMA_READ, i, 16 * i, 16, 5, 0);
	while (peer_next_fpdu(&judge.peer)) {
		ck_assert_uint_eq(judge.peer.fpdu.header.opcode, 1);
		ck_assert_uint_eq(judge.peer.fpdu.header.msn, ++outstanding);
	}
	ck_assert_int_eq(outstanding, 2);
	judge_run("response stag=$rw to=0x70000 payload=16");
	judge_expect(&judge.send_cq, 0, IB_WC_SUCCESS);
	ck_assert(peer_next_fpdu(&judge.peer));
	ck_assert_uint_eq(judge.peer.fpdu.header.msn, 3);
	ck_assert(!peer_next_fpdu(&judge.peer));
	judge_end();
}
END_TEST

/* Revision 1 alone: no enhanced frame is sent. */
START_TEST(initiator_of_revision_1)
{
	judge_begin(plain);
	judge.rnic.options.revision = 1;
	ck_assert_int_eq(judge_connect(4, 4), 0);
	assert_start("request C rev1 pd5");
	judge_run("reply crc");
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CONNECT_REPLY], 1);
	ck_assert_int_eq(judge.reply_status, 0);
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_RTS);
	judge_end();
}
END_TEST

#define ADD_ROWS(tc, test, rows) \
	tcase_add_loop_test(tc, test, 0, ARRAY_SIZE(rows) * ARRAY_SIZE(streams))

static TCase *start_responder(void)
{
	TCase *tc = tcase_create("responder");

	ADD_ROWS(tc, accepts, accepted);
	ADD_ROWS(tc, refuses, refused);
	tcase_add_loop_test(tc, refuses_each_octet_of_the_key, 0, 16);
	tcase_add_loop_test(tc, refuses_a_part, 0, 3 * 22);
	tcase_add_test(tc, too_many_reads_wanted);
	tcase_add_loop_test(tc, rejects, 0, 2);
	tcase_add_loop_test(tc, peer_gives_up, 0, 4);
	ADD_ROWS(tc, first_fpdu, firsts);
	tcase_add_test(tc, rtr_by_send);
	tcase_add_loop_test(tc, fpdus_with_the_request, 0, ARRAY_SIZE(streams));
	tcase_add_test(tc, first_fpdu_is_wrong);
	tcase_add_loop_test(tc, crcs_and_markers, 0, 16);
	return tc;
}

static TCase *start_initiator(void)
{
	TCase *tc = tcase_create("initiator");

	ADD_ROWS(tc, initiator_fails, failures);
	ADD_ROWS(tc, initiator_succeeds, replies);
	tcase_add_loop_test(tc, initiator_terminates, 0, ARRAY_SIZE(terminated));
	tcase_add_loop_test(tc, initiator_waits, 0, 3 * 24);
	tcase_add_test(tc, reads_within_the_peers_ird);
	tcase_add_test(tc, initiator_of_revision_1);
	return tc;
}

Suite *iwarp_judge_start_suite(void)
{
	Suite *suite = suite_create("iwarp_judge_start");

	suite_add_tcase(suite, start_responder());
	suite_add_tcase(suite, start_initiator());
	return suite;
}
