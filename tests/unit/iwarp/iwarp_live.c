// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Live streams: octets of another protocol come first; at the other end is the model of a peer. */
#include "iwarp/live.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <linux/kernel.h>
#include "shim.h"
#include "tests/unit/iwarp/rnics.h"
#include "tests/unit/suites.h"

#define A (&rnics.end[0])
#define TEXT "RDMA now\n"
#define TEXT_OCTETS (sizeof(TEXT) - 1)

static const struct hca_live_start as_initiator = {
	.is_initiator = true, .message = TEXT, .message_length = TEXT_OCTETS,
};
static const struct hca_live_start as_responder = {
	.message = TEXT, .message_length = TEXT_OCTETS,
	.private_data = "reply", .private_length = 5,
};
static const struct hca_live_start at_once = {
	.is_immediate = true, .message = TEXT, .message_length = TEXT_OCTETS,
};

/* Begin with octets of streaming mode in both directions. */
static void live_begin(const struct sim_stream_options *options)
{
	rnics_setup();
	rnics_begin_peer(options);
	rnics_recv(A, 1, 0, 100);
}

static void live_attach(const struct hca_live_start *start)
{
	ck_assert_int_eq(hca_live_attach(&A->ep, A->it, start), 0);
	rnics_settle();
}

/* R0-149: the last message is the first that the peer gets, before all of MPA. */
static void live_expect_text(void)
{
	struct peer *peer = rnics.peer;

	ck_assert_uint_ge(peer->in_length, TEXT_OCTETS);
	ck_assert_mem_eq(peer->in, TEXT, TEXT_OCTETS);
	peer->in_length -= TEXT_OCTETS;
	memmove(peer->in, peer->in + TEXT_OCTETS, peer->in_length);
}

/* The start has failed: the consumer is told, once, and the reason is kept. */
static void live_expect_failed(u16 error)
{
	ck_assert_uint_eq(rnics_state(A), IB_QPS_ERR);
	ck_assert_uint_eq(A->events[HCA_QP_FATAL], 1);
	ck_assert_uint_eq(A->events[HCA_QP_COMM_ESTABLISHED], 0);
	ck_assert_uint_eq(A->it->origin, HCA_TERMINATE_UNSENT);
	ck_assert_uint_eq(A->it->terminate.error, error);
	rnics_expect(&A->recv_cq, 1, IB_WC_WR_FLUSH_ERR);
	ck_assert_ptr_null(A->it->ep);
}

static const struct sim_stream_options streams[] = {
	{ .seed = 1 }, { .seed = 2, .segment = 1 }, { .seed = 3, .segment = 7, .hides = 3 },
	{ .seed = 4, .again = 2, .late = 3 }, { .seed = 5, .contiguous = true },
};

/* T0-119, R0-253: the first FPDU comes back to back with the reply, and is not lost. */
START_TEST(initiator)
{
	live_begin(&streams[_i]);
	A->rnic.options.revision = 1;
	live_attach(&as_initiator);
	live_expect_text();
	ck_assert(peer_next_start(rnics.peer));
	ck_assert(!rnics.peer->start.is_reply);
	ck_assert_uint_eq(A->events[HCA_QP_COMM_ESTABLISHED], 0);
	ck_assert_uint_eq(rnics_state(A), IB_QPS_INIT);
	rnics_peer("reply rev=1 crc; agree; send payload=9");
	ck_assert_uint_eq(rnics_state(A), IB_QPS_RTS); /* R0-146 */
	ck_assert_uint_eq(A->events[HCA_QP_COMM_ESTABLISHED], 1);
	rnics_expect(&A->recv_cq, 1, IB_WC_SUCCESS);
	rnics_send(A, 2, 0, 10);
	ck_assert(rnics_peer_fpdu());
	ck_assert_uint_eq(rnics.peer->fpdu.header.msn, 1); /* R0-147 */
	rnics_expect(&A->send_cq, 2, IB_WC_SUCCESS);
	rnics_end();
}
END_TEST

/*
 * T0-119, R0-259: the request and the first FPDU are there before the stream is attached; they are
 * the beginning of MPA, and nothing of them is lost.
 */
START_TEST(early)
{
	live_begin(&streams[_i]);
	rnics_peer("request rev=1 crc; agree; send payload=9");
	live_attach(&as_responder);
	live_expect_text();
	ck_assert(peer_next_start(rnics.peer));
	ck_assert(rnics.peer->start.is_reply);
	ck_assert_uint_eq(rnics.peer->start.private_length, 5);
	ck_assert_mem_eq(rnics.peer->start.private_data, "reply", 5);
	rnics_expect(&A->recv_cq, 1, IB_WC_SUCCESS);
	ck_assert_uint_eq(rnics_state(A), IB_QPS_RTS);
	ck_assert_uint_eq(A->events[HCA_QP_COMM_ESTABLISHED], 1);
	rnics_end();
}
END_TEST

/* R0-149: a request is not read before the stream has the last message. */
START_TEST(message_first)
{
	const struct sim_stream_options full = { .buffer = 1 };

	live_begin(&full);
	rnics_peer("request rev=1 crc");
	sim_stream_write(&rnics.pair.end[0], "x", 1);
	ck_assert_int_eq(hca_live_attach(&A->ep, A->it, &as_responder), 0);
	ck_assert_uint_eq(A->reported[HCA_ENDPOINT_CONNECT_REQUEST], 0);
	rnics_settle();
	ck_assert_uint_eq(A->reported[HCA_ENDPOINT_CONNECT_REQUEST], 1);
	rnics_end();
}
END_TEST

/* With an RTR message due, the consumer is told at that, and nothing is sent before. */
START_TEST(responder_rtr)
{
	live_begin(NULL);
	live_attach(&as_responder);
	live_expect_text();
	rnics_peer("request rev=2 crc enhanced p2p rtr-write ird=3 ord=5");
	ck_assert(peer_next_start(rnics.peer));
	ck_assert_uint_eq(rnics.peer->start.ird, 5); /* as many as the peer issues */
	ck_assert_uint_eq(rnics_state(A), IB_QPS_RTR);
	rnics_send(A, 2, 0, 10);
	ck_assert_uint_eq(A->events[HCA_QP_COMM_ESTABLISHED], 0);
	ck_assert(!rnics_peer_fpdu());
	rnics_peer("agree; write");
	ck_assert_uint_eq(A->events[HCA_QP_COMM_ESTABLISHED], 1);
	ck_assert(rnics_peer_fpdu());
	rnics_end();
}
END_TEST

/* R0-260: the limits of Reads are those that modify has set. */
START_TEST(limits)
{
	struct hca_qp_attr attr = { .max_rd_atomic = 6, .max_dest_rd_atomic = 7 };

	live_begin(NULL);
	ck_assert_int_eq(hca_qp_modify(A->qp, &attr, IB_QP_MAX_QP_RD_ATOMIC |
				       IB_QP_MAX_DEST_RD_ATOMIC), 0);
	live_attach(&as_initiator);
	live_expect_text();
	ck_assert(peer_next_start(rnics.peer));
	ck_assert_uint_eq(rnics.peer->start.ird, 7);
	ck_assert_uint_eq(rnics.peer->start.ord, 6);
	rnics_peer("reply rev=2 crc enhanced p2p rtr-write ird=2 ord=1; agree");
	ck_assert(rnics_peer_fpdu());
	ck_assert_uint_eq(A->it->requester.ord, 2);
	rnics_end();
}
END_TEST

/* R0-254: Full Operation begins without frames. */
START_TEST(immediate)
{
	live_begin(&streams[_i]);
	rnics.peer->crc = true;
	rnics_peer("send payload=9");
	live_attach(&at_once);
	live_expect_text();
	ck_assert_uint_eq(A->events[HCA_QP_COMM_ESTABLISHED], 1);
	rnics_expect(&A->recv_cq, 1, IB_WC_SUCCESS);
	rnics_send(A, 2, 0, 10);
	ck_assert(rnics_peer_fpdu());
	ck_assert(rnics.peer->fpdu.has_crc);
	rnics_end();
}
END_TEST

/* Scripts of peers that do not start up, and the reasons that are kept. */
static const struct {
	bool is_initiator;
	const char *script;
	u16 error;
} bad_starts[] = {
	{ false, "raw 474554", HCA_ERR_MPA_FRAME },
	{ false, "reply rev=1 crc", HCA_ERR_MPA_FRAME },
	{ false, "request rev=3 crc", HCA_ERR_MPA_FRAME },
	{ false, "request rev=1 length=513", HCA_ERR_MPA_FRAME },
	{ false, "fin", HCA_ERR_MPA_LOST },
	{ false, "request rev=1 octets=19; fin", HCA_ERR_MPA_LOST },
	{ false, "reset", HCA_ERR_MPA_LOST },
	{ false, "request rev=2 enhanced p2p rtr-write ird=1 ord=16000", HCA_ERR_MPA_LOST },
	{ true, "raw 474554", HCA_ERR_MPA_FRAME },
	{ true, "request rev=1 crc", HCA_ERR_MPA_FRAME },
	{ true, "reply rev=2 crc enhanced reject", HCA_ERR_MPA_LOST },
	{ true, "fin", HCA_ERR_MPA_LOST },
	{ true, "reset", HCA_ERR_MPA_LOST },
};

/* An error of start-up is told by one event, and flushes. */
START_TEST(bad_start)
{
	live_begin(NULL);
	live_attach(bad_starts[_i].is_initiator ? &as_initiator : &as_responder);
	rnics_peer(bad_starts[_i].script);
	live_expect_failed(bad_starts[_i].error);
	rnics_end();
}
END_TEST

/* A peer that says nothing is waited for ten seconds. */
START_TEST(silent)
{
	live_begin(NULL);
	live_attach(_i ? &as_initiator : &as_responder);
	shim_advance(9 * 1000000000ull);
	rnics_settle();
	ck_assert_uint_eq(rnics_state(A), IB_QPS_INIT);
	shim_advance(2 * 1000000000ull);
	rnics_settle();
	live_expect_failed(HCA_ERR_MPA_LOST);
	ck_assert_uint_eq(atomic64_read(&A->rnic.count[HCA_RNIC_STARTUP_TIMEOUTS]), 1);
	rnics_end();
}
END_TEST

/* The limits of Reads do not fit those of the reply: a Terminate and an event tell. */
START_TEST(bad_limits)
{
	live_begin(NULL);
	live_attach(&as_initiator);
	live_expect_text();
	ck_assert(peer_next_start(rnics.peer));
	rnics_peer("reply rev=2 crc enhanced p2p rtr-write ird=1 ord=16000; agree");
	ck_assert(rnics_peer_fpdu());
	ck_assert_uint_eq(rnics.peer->fpdu.terminate.code, 6);
	ck_assert_uint_eq(A->events[HCA_QP_FATAL], 1);
	ck_assert_uint_eq(A->events[HCA_QP_COMM_ESTABLISHED], 0);
	rnics_end();
}
END_TEST

/* The consumer ends what has not begun: its modify tells, and no event does. */
START_TEST(aborted)
{
	live_begin(NULL);
	live_attach(_i ? &as_initiator : &as_responder);
	ck_assert_int_eq(rnics_modify(A, IB_QPS_RESET), -EBUSY);
	ck_assert_int_eq(rnics_modify(A, IB_QPS_ERR), 0);
	rnics_settle();
	ck_assert_uint_eq(A->events[HCA_QP_FATAL], 0);
	rnics_expect(&A->recv_cq, 1, IB_WC_WR_FLUSH_ERR);
	ck_assert_ptr_null(A->it->ep);
	rnics_end();
}
END_TEST

START_TEST(destroyed)
{
	live_begin(NULL);
	live_attach(_i ? &as_initiator : &as_responder);
	rnics_destroy(A);
	rnics_settle();
	ck_assert_uint_eq(A->reported[HCA_ENDPOINT_CLOSE], 1);
	rnics_end();
}
END_TEST

/* R0-258: what is not valid is refused at once, and changes nothing. */
START_TEST(refused)
{
	static const char octets[HCA_LIVE_MESSAGE_MAX + 1];
	const struct hca_live_start wrong[] = {
		{ .message = octets, .message_length = HCA_LIVE_MESSAGE_MAX + 1 },
		{ .private_data = octets, .private_length = HCA_LIVE_PRIVATE_MAX + 1 },
		{ .is_immediate = true, .private_data = octets, .private_length = 1 },
	};

	live_begin(NULL);
	ck_assert_int_eq(hca_live_attach(&A->ep, A->it, &wrong[_i]), -EINVAL);
	ck_assert_uint_eq(rnics_state(A), IB_QPS_INIT);
	ck_assert_ptr_null(A->it->ep);
	rnics_end();
}
END_TEST

START_TEST(refused_state)
{
	live_begin(NULL);
	ck_assert_int_eq(rnics_modify(A, IB_QPS_ERR), 0);
	ck_assert_int_eq(hca_live_attach(&A->ep, A->it, &as_responder), -EINVAL);
	rnics_end();
}
END_TEST

/* The longest message and the longest private data arrive. */
START_TEST(longest)
{
	static u8 octets[HCA_LIVE_MESSAGE_MAX];
	const struct hca_live_start start = {
		.is_initiator = true,
		.message = octets,
		.message_length = HCA_LIVE_MESSAGE_MAX,
		.private_data = octets,
		.private_length = HCA_LIVE_PRIVATE_MAX,
	};
	struct peer *peer;

	memset(octets, 0xa5, sizeof(octets));
	live_begin(&streams[_i]);
	live_attach(&start);
	peer = rnics.peer;
	ck_assert_uint_eq(peer->in_length, sizeof(octets) + HCA_MPA_FRAME_MAX);
	ck_assert_mem_eq(peer->in, octets, sizeof(octets));
	peer->in_length -= sizeof(octets);
	memmove(peer->in, peer->in + sizeof(octets), peer->in_length);
	ck_assert(peer_next_start(peer));
	ck_assert_uint_eq(peer->start.private_length, HCA_LIVE_PRIVATE_MAX);
	rnics_end();
}
END_TEST

/* A live stream does not give the peer rights that the consumer has not. */
START_TEST(access)
{
	struct hca_qp_attr attr = { .access = 0 };
	char script[100];

	live_begin(NULL);
	ck_assert_int_eq(hca_qp_modify(A->qp, &attr, IB_QP_ACCESS_FLAGS | IB_QP_PORT), 0);
	rnics_peer("request rev=1 crc; agree");
	live_attach(&as_responder);
	live_expect_text();
	ck_assert(peer_next_start(rnics.peer));
	snprintf(script, sizeof(script), "write stag=%u to=%u payload=8", A->mr->key, RNICS_BASE);
	rnics_peer(script);
	ck_assert(rnics_peer_fpdu());
	ck_assert_uint_eq(rnics.peer->fpdu.terminate.control[0], 0x11);
	rnics_end();
}
END_TEST

Suite *iwarp_live_suite(void)
{
	Suite *s = suite_create("iwarp_live");
	TCase *tc = tcase_create("live");

	tcase_add_loop_test(tc, initiator, 0, ARRAY_SIZE(streams));
	tcase_add_loop_test(tc, early, 0, ARRAY_SIZE(streams));
	tcase_add_test(tc, message_first);
	tcase_add_test(tc, responder_rtr);
	tcase_add_test(tc, limits);
	tcase_add_loop_test(tc, immediate, 0, ARRAY_SIZE(streams));
	tcase_add_loop_test(tc, bad_start, 0, ARRAY_SIZE(bad_starts));
	tcase_add_loop_test(tc, silent, 0, 2);
	tcase_add_test(tc, bad_limits);
	tcase_add_loop_test(tc, aborted, 0, 2);
	tcase_add_loop_test(tc, destroyed, 0, 2);
	tcase_add_loop_test(tc, refused, 0, 3);
	tcase_add_test(tc, refused_state);
	tcase_add_loop_test(tc, longest, 0, ARRAY_SIZE(streams));
	tcase_add_test(tc, access);
	suite_add_tcase(s, tc);
	return s;
}
