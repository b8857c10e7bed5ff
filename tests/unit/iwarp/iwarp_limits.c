// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Start-up's limits of time, the results of start-ups that fail, and the first FPDU. */
#include <check.h>
#include <linux/errno.h>
#include "tests/unit/iwarp/judge_state.h"
#include "tests/unit/iwarp/judge_stream.h"
#include "tests/unit/suites.h"

#define LIMITS_LONG 20 /* seconds: more than any limit of start-up and of the end */
#define LIMITS_PEER "request crc enhanced rev=2 p2p ird=4 ord=4 "

static const struct sim_stream_options plain = { .segment = 0 };

static int limits_count(enum hca_rnic_counter counter)
{
	return atomic64_read(&judge.rnic.count[counter]);
}

static void limits_expect_reply(int status)
{
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CONNECT_REPLY], 1);
	ck_assert_int_eq(judge.reply_status, status);
}

/* Full Operation has no limit: neither that of the reply nor that of the RTR message goes on. */
START_TEST(full_is_unlimited)
{
	judge_begin(&plain);
	if (_i < 2) {
		judge_listen(_i ? LIMITS_PEER "rtr-write" : "request crc");
		ck_assert_int_eq(judge_accept(4, 4), 0);
		judge_agree();
		judge_run("write");
	} else {
		judge_request();
		judge_run(_i == 2 ? "reply crc enhanced rev=2 ird=4 ord=4" :
				    "reply " JUDGE_ENHANCED);
	}
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_RTS);
	judge_wait(LIMITS_LONG);
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_RTS);
	ck_assert(!judge_reset());
	judge_end();
}
END_TEST

/* RFC 5044, 7.1.2: octets that are not a reply end the start-up, and are counted. */
START_TEST(bad_reply)
{
	judge_begin(&plain);
	judge_request();
	judge_run(_i ? "reply crc enhanced rev=3" : "reply crc rev=1");
	limits_expect_reply(-EPROTO);
	ck_assert_int_eq(limits_count(HCA_RNIC_STARTUP_ERRORS), 1);
	judge_end();
}
END_TEST

/* An initiator whose queue pair goes to Error is told that the connection was reset. */
START_TEST(canceled)
{
	judge_begin(&plain);
	judge_request();
	ck_assert_int_eq(judge_modify_settled(IB_QPS_ERR), 0);
	limits_expect_reply(-ECONNRESET);
	ck_assert(judge_reset());
	ck_assert_int_eq(limits_count(HCA_RNIC_STARTUP_TIMEOUTS), 0);
	judge_end();
}
END_TEST

/* A stream that this end has reset has not ended in order. */
START_TEST(reset_is_no_close)
{
	judge_begin(&plain);
	judge_listen("");
	judge_wait(LIMITS_LONG);
	ck_assert(judge_reset());
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 1);
	ck_assert_int_eq(judge.close_status, -ECONNRESET);
	judge_end();
}
END_TEST

/* A stream that is lost before the request was sent fails the connect at once. */
START_TEST(lost_before_request)
{
	judge_begin(&plain);
	judge_stream_hook();
	judge_stream.is_full = true;
	ck_assert_int_eq(judge_connect(4, 4), 0);
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CONNECT_REPLY], 0);
	judge_run(_i ? "fin" : "reset");
	limits_expect_reply(-ECONNRESET);
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 1);
	judge_end();
}
END_TEST

/* A request that a RST has followed is not shown to the ULP, which could not answer it. */
START_TEST(request_is_reset)
{
	judge_begin(&plain);
	judge_listen("");
	judge_stream_hide();
	judge_run("request crc; reset");
	judge_stream_show();
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CONNECT_REQUEST], 0);
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 1);
	judge_end();
}
END_TEST

/* The private data of the peer's frame stay in the endpoint, where the ULP reads them later. */
START_TEST(private_data_stay)
{
	const struct hca_connect none = { .ird = 0 };
	const struct hca_endpoint *ep = &judge.ep;
	const u8 *data;

	judge_begin(&plain);
	judge_listen("request crc pd=68656c6c6f");
	data = ep->peer.private_data;
	ck_assert_uint_eq(ep->peer.private_length, 5);
	ck_assert_uint_ge((uintptr_t)data, (uintptr_t)ep);
	ck_assert_uint_le((uintptr_t)data + 5, (uintptr_t)(ep + 1));
	ck_assert_mem_eq(data, "hello", 5);
	ck_assert_int_eq(hca_startup_reject(&judge.ep, &none), 0);
	judge_end();
}
END_TEST

/*
 * RFC 6581, 9: an initiator that serves more Reads than it has asked for, because the responder
 * issues as many, has memory for all of them.
 */
START_TEST(reads_of_reply)
{
	judge_begin(&plain);
	judge_stream_hook();
	ck_assert_int_eq(judge_connect(1, 4), 0);
	judge_run("reply crc enhanced rev=2 ird=4 ord=3");
	ck_assert(peer_next_start(&judge.peer));
	peer_agree(&judge.peer);
	ck_assert_uint_eq(judge.it->responder.ird, 3);
	judge_stream.is_full = true;
	judge_run("read sink=1 src=$rw srcto=0x70000 size=8;"
		  "read sink=2 src=$rw srcto=0x70000 size=8;"
		  "read sink=3 src=$rw srcto=0x70000 size=8");
	ck_assert_uint_eq(judge.it->responder.count, 3);
	judge_stream_ready();
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_RTS);
	judge_end();
}
END_TEST

/* A limit that expires when the end has begun already is none of start-up. */
START_TEST(end_is_no_startup)
{
	judge_begin(&plain);
	judge_stream_hook();
	judge_listen("request crc");
	judge_stream.is_full = true;
	ck_assert_int_eq(judge_accept(4, 4), 0);
	ck_assert_int_eq(judge_modify_settled(IB_QPS_SQD), 0);
	judge_wait(LIMITS_LONG);
	ck_assert(judge_reset());
	ck_assert_int_eq(limits_count(HCA_RNIC_STARTUP_TIMEOUTS), 0);
	judge_end();
}
END_TEST

/*
 * RFC 6581, 5: an RTR message has no octets and one segment. Another first FPDU is counted, and
 * delivered as any other.
 */
START_TEST(first_fpdu)
{
	static const struct {
		const char *request, *first;
		int no_rtr;
		bool is_delivered;
	} rows[] = {
		{ LIMITS_PEER "rtr-send", "send", 0, false },
		{ LIMITS_PEER "rtr-send", "send payload=4", 1, true },
		{ LIMITS_PEER "rtr-send", "send more; send", 1, true },
		{ LIMITS_PEER "rtr-write", "write", 0, false },
		{ LIMITS_PEER "rtr-write", "write stag=$rw to=0x70000 payload=4", 1, false },
		{ LIMITS_PEER "rtr-write", "write more; write", 1, false },
		{ LIMITS_PEER "rtr-read", "read sink=1 src=1", 0, false },
		{ LIMITS_PEER "rtr-read", "read sink=1 src=$rw srcto=0x70000 size=4", 1, false },
	};

	judge_begin(&plain);
	judge.rnic.options.rtr = HCA_RTR_SEND | HCA_RTR_WRITE | HCA_RTR_READ;
	judge_listen(rows[_i].request);
	ck_assert_int_eq(judge_accept(4, 4), 0);
	judge_agree();
	judge_recv(1, 0x2000, 64, judge.mr[JUDGE_RW]->key);
	judge_run(rows[_i].first);
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_RTS);
	ck_assert_int_eq(limits_count(HCA_RNIC_STARTUP_NO_RTR), rows[_i].no_rtr);
	if (rows[_i].is_delivered)
		judge_expect(&judge.recv_cq, 1, IB_WC_SUCCESS);
	else
		judge_expect_none(&judge.recv_cq);
	judge_end();
}
END_TEST

Suite *iwarp_limits_suite(void)
{
	Suite *suite = suite_create("iwarp_limits");
	TCase *tc = tcase_create("limits");

	tcase_add_loop_test(tc, full_is_unlimited, 0, 4);
	tcase_add_loop_test(tc, bad_reply, 0, 2);
	tcase_add_test(tc, canceled);
	tcase_add_test(tc, reset_is_no_close);
	tcase_add_loop_test(tc, lost_before_request, 0, 2);
	tcase_add_test(tc, request_is_reset);
	tcase_add_test(tc, private_data_stay);
	tcase_add_test(tc, reads_of_reply);
	tcase_add_test(tc, end_is_no_startup);
	tcase_add_loop_test(tc, first_fpdu, 0, 8);
	suite_add_tcase(suite, tc);
	return suite;
}
